//! Bots at a table. Each sees only its view, and every game ends.

use std::time::Duration;

pub use bots::SeatedBot;
use cpu_time::ThreadTime;
use engine::{Action, Actions, Game, Log, Outcome, Seat, SeatSet};

/// Far more than any real game; one that reaches it is left unfinished.
pub(crate) const MAX_DECISIONS: u32 = 50_000;

/// Its answer, with the CPU time it took on this thread.
fn timed(seated: &mut SeatedBot, game: &Game, seat: Seat, legal: &Actions) -> (Action, Duration) {
    let start = ThreadTime::now();
    let answer = seated.answer(game, seat, legal);
    (answer, start.elapsed())
}

/// How a game ended. One that was left unfinished has no outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEnd {
    pub outcome: Option<Outcome>,
    pub decisions: u32,
    /// Seats whose bot forfeited.
    pub forfeits: SeatSet,
    /// The number of seats.
    pub seats: u8,
}

impl GameEnd {
    /// Everyone who shares the win. A game without a winner, or won by a seat that forfeited, is shared by
    /// all who did not forfeit.
    pub fn winners(&self) -> SeatSet {
        let seats = || (0..self.seats).map(Seat);
        let winner = self.outcome.map(|outcome| outcome.winner).filter(|seat| seat.exists());
        match winner.filter(|seat| !self.forfeits.has(*seat)) {
            Some(seat) => SeatSet::only(seat),
            None if seats().all(|seat| self.forfeits.has(seat)) => seats().collect(),
            None => seats().filter(|seat| !self.forfeits.has(*seat)).collect(),
        }
    }

    /// The winner, if there is only one.
    pub fn winner(&self) -> Option<Seat> {
        let winners = self.winners();
        let mut found = (0..self.seats).map(Seat).filter(|seat| winners.has(*seat));
        found.next().filter(|_| found.next().is_none())
    }
}

/// Plays a dealt game to its end. After every answer, `watch` gets the game, the log, the seat that answered
/// and the time it took.
pub fn play<'a, L: Log>(
    game: &mut Game<'a>,
    bots: &mut [SeatedBot],
    log: &mut L,
    watch: impl FnMut(&Game<'a>, &mut L, Seat, Duration),
) -> GameEnd {
    let decisions = play_until(game, bots, log, MAX_DECISIONS, watch);
    end(game, bots, decisions)
}

/// Plays so many answers, or to the end.
pub(crate) fn play_some(game: &mut Game, bots: &mut [SeatedBot], most: u32) {
    play_until(game, bots, &mut (), most, |_, _, _, _| {});
}

fn play_until<'a, L: Log>(
    game: &mut Game<'a>,
    bots: &mut [SeatedBot],
    log: &mut L,
    most: u32,
    mut watch: impl FnMut(&Game<'a>, &mut L, Seat, Duration),
) -> u32 {
    let mut legal = Actions::new();
    let mut decisions = 0;
    while let Some(decision) = game.decision().filter(|_| decisions < most) {
        game.legal(&mut legal);
        let seat = decision.seat;
        let Some(seated) = bots.get_mut(seat.index()) else { break };
        let (answer, took) = timed(seated, game, seat, &legal);
        if game.apply(answer, log).is_err() {
            break;
        }
        decisions += 1;
        watch(game, log, seat, took);
    }
    decisions
}

/// Tells the bots that the game is over, and says how it ended.
pub(crate) fn end(game: &Game, bots: &mut [SeatedBot], decisions: u32) -> GameEnd {
    let mut forfeits = SeatSet::EMPTY;
    for (seat, seated) in (0..).map(Seat).zip(bots.iter_mut()) {
        if seated.has_forfeited() {
            forfeits = forfeits.with(seat);
        }
        seated.game_over(game, seat);
    }
    GameEnd { outcome: game.outcome(), decisions, forfeits, seats: bots.len() as u8 }
}

/// A seed for one bot in one game.
pub fn derive_seed(seed: u64, deal: u64, game: u64, seat: u64) -> u64 {
    [deal, game, seat].into_iter().fold(mix(seed), |so_far, part| mix(so_far ^ mix(part)))
}

/// SplitMix64: every bit of the result depends on every bit of the number.
fn mix(number: u64) -> u64 {
    let x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use engine::Ending;

    use super::*;

    #[test]
    fn a_seat_that_forfeits_does_not_win() {
        let end = |winner: Option<u8>, forfeited: &[u8], seats| {
            let outcome = winner.map(|seat| Outcome { winner: Seat(seat), reason: Ending::LastStanding });
            let forfeits = forfeited.iter().map(|seat| Seat(*seat)).collect();
            let end = GameEnd { outcome, decisions: 0, forfeits, seats };
            let winners = (0..seats).filter(|seat| end.winners().has(Seat(*seat))).collect::<Vec<u8>>();
            (end.winner().map(|seat| seat.0), winners)
        };
        assert_eq!(end(Some(1), &[], 3), (Some(1), vec![1]));
        assert_eq!(end(Some(1), &[0], 3), (Some(1), vec![1]));
        assert_eq!(end(Some(1), &[1], 2), (Some(0), vec![0]));
        assert_eq!(end(Some(1), &[1], 4), (None, vec![0, 2, 3]));
        assert_eq!(end(None, &[], 2), (None, vec![0, 1]));
        assert_eq!(end(None, &[0], 3), (None, vec![1, 2]));
        assert_eq!(end(Some(0), &[0, 1], 2), (None, vec![0, 1]));
    }

    #[test]
    fn derived_seeds_are_all_different() {
        let mut all: Vec<u64> = Vec::new();
        for deal in 0..40 {
            for game in 0..4 {
                all.extend((0..6).map(|seat| derive_seed(1, deal, game, seat)));
            }
        }
        let n = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), n);
        // The first number of the published SplitMix64 sequence from 0.
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
    }
}
