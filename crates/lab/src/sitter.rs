//! Bots at a table. A bot is given its view and nothing else, and a game always comes to an end.

use std::time::Duration;

use bots::{Bot, PATIENCE, Player, Random, SeatError};
use cpu_time::ThreadTime;
use engine::{Action, Actions, Game, Log, Outcome, Seat, SeatSet};

/// No game comes near; one that does is left unfinished.
const MAX_DECISIONS: u32 = 50_000;

/// A bot in its seat.
pub struct Sitter {
    bot: Box<dyn Bot>,
    /// The turn, and how many answers other than passing were given in it.
    answered: (u16, usize),
    /// It could not sit down, and another sits there for it.
    absent: bool,
}

impl Sitter {
    /// A program that does not start forfeits, as one that breaks off does.
    pub fn new(player: &Player, seed: u64) -> Sitter {
        let (bot, absent): (Box<dyn Bot>, bool) = match player.seat(seed) {
            Ok(bot) => (bot, false),
            Err(error) => {
                bots::tell_forfeit(&player.to_string(), &error.fault);
                (Box::new(Random::new(seed)), true)
            }
        };
        Sitter { bot, answered: (0, 0), absent }
    }

    /// Can this one sit down? To be asked before many games are begun.
    pub fn check(player: &Player) -> Result<(), SeatError> {
        player.seat(0).map(drop)
    }

    fn has_forfeited(&self) -> bool {
        self.absent || self.bot.forfeit().is_some()
    }

    /// One of the legal answers, which must be this seat's to give.
    pub fn answer(&mut self, game: &Game, seat: Seat, legal: &Actions) -> Action {
        let turn = game.state.turn();
        if self.answered.0 != turn {
            self.answered = (turn, 0);
        }
        let first = legal.first().copied().unwrap_or(Action::Pass);
        if legal.len() < 2 || (self.answered.1 > PATIENCE && first == Action::Pass) {
            return first;
        }
        let answer = self.bot.choose(&game.view(Some(seat)), legal);
        let answer = if legal.contains(&answer) { answer } else { first };
        self.answered.1 += usize::from(answer != Action::Pass);
        answer
    }

    /// The same, and how long it took of this thread's time.
    fn timed(&mut self, game: &Game, seat: Seat, legal: &Actions) -> (Action, Duration) {
        let start = ThreadTime::now();
        let answer = self.answer(game, seat, legal);
        (answer, start.elapsed())
    }
}

/// How a game ended: nobody has won one that was left unfinished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    pub outcome: Option<Outcome>,
    pub decisions: u32,
    /// Seats whose bot gave up, and who sat there.
    pub forfeits: SeatSet,
    pub seats: u8,
}

impl End {
    /// Those who share the win: what nobody has won, or somebody who gave up, belongs to all who did not give up.
    pub fn winners(&self) -> SeatSet {
        let seats = || (0..self.seats).map(Seat);
        let winner = self.outcome.map(|outcome| outcome.winner).filter(|seat| seat.exists());
        match winner.filter(|seat| !self.forfeits.has(*seat)) {
            Some(seat) => SeatSet::only(seat),
            None if seats().all(|seat| self.forfeits.has(seat)) => seats().collect(),
            None => seats().filter(|seat| !self.forfeits.has(*seat)).collect(),
        }
    }

    /// The one who has it alone.
    pub fn winner(&self) -> Option<Seat> {
        let winners = self.winners();
        let mut found = (0..self.seats).map(Seat).filter(|seat| winners.has(*seat));
        found.next().filter(|_| found.next().is_none())
    }
}

/// Plays a game that was dealt to its end. After every answer `watch` is shown the game, the log, who answered and
/// how long it took.
pub fn play<'a, L: Log>(
    game: &mut Game<'a>,
    sitters: &mut [Sitter],
    log: &mut L,
    mut watch: impl FnMut(&Game<'a>, &mut L, Seat, Duration),
) -> End {
    let mut legal = Actions::new();
    let mut decisions = 0;
    while let Some(decision) = game.decision().filter(|_| decisions < MAX_DECISIONS) {
        game.legal(&mut legal);
        let seat = decision.seat;
        let Some(sitter) = sitters.get_mut(seat.index()) else { break };
        let (answer, took) = sitter.timed(game, seat, &legal);
        if game.apply(answer, log).is_err() {
            break;
        }
        decisions += 1;
        watch(game, log, seat, took);
    }
    let mut forfeits = SeatSet::EMPTY;
    for (seat, sitter) in (0..).map(Seat).zip(sitters.iter_mut()) {
        if sitter.has_forfeited() {
            forfeits = forfeits.with(seat);
        }
        sitter.bot.over(&game.view(Some(seat)));
    }
    End { outcome: game.outcome(), decisions, forfeits, seats: sitters.len() as u8 }
}

/// A seed for one bot in one game.
pub fn whim(seed: u64, deal: u64, game: u64, seat: u64) -> u64 {
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
    fn who_gives_up_has_not_won() {
        let end = |winner: Option<u8>, gave_up: &[u8], seats| {
            let outcome = winner.map(|seat| Outcome { winner: Seat(seat), reason: Ending::LastStanding });
            let forfeits = gave_up.iter().map(|seat| Seat(*seat)).collect();
            let end = End { outcome, decisions: 0, forfeits, seats };
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
    fn whims_are_all_different() {
        let mut all: Vec<u64> = Vec::new();
        for deal in 0..40 {
            for game in 0..4 {
                all.extend((0..6).map(|seat| whim(1, deal, game, seat)));
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
