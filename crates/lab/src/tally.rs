//! What is kept of many games: integer sums, so the order of adding does not matter and nothing grows with
//! the number of games.

mod bytes;

use std::collections::BTreeMap;

use cards::db::CardDb;
use engine::id::SEATS;
use engine::{Event, Log, Seat, Shown, What};

use crate::rating::{Interval, normal};
use crate::seated::GameEnd;

/// Longer games are counted as this long.
pub const MAX_TURNS: usize = 60;
/// The ending of a game that was left unfinished.
pub const UNFINISHED: &str = "unfinished";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    pub games: u64,
    pub decisions: u64,
    /// Seats whose bot forfeited.
    pub forfeits: u64,
    pub endings: BTreeMap<&'static str, u64>,
    /// Players eliminated, and games in which anyone was.
    pub eliminated: u64,
    pub with_elimination: u64,
    /// Coins that came into hoards, and that left them.
    pub coins_gained: u64,
    pub coins_spent: u64,
    /// Wins by seat, and by place in player order.
    pub seats: [u64; SEATS],
    pub places: [u64; SEATS],
    /// Wins by bot, in the order they are named.
    pub bots: [u64; SEATS],
    /// Games by number of turns.
    pub lengths: Vec<u64>,
    /// Scores at the end of each turn.
    pub turns: Vec<TurnSums>,
    /// Games for one, by their score.
    pub alone: BTreeMap<i32, u64>,
    /// By definition.
    pub cards: Vec<CardCounts>,
}

/// Scores at the end of a turn, of eventual winners and of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnSums {
    pub winners: ScoreSums,
    pub others: ScoreSums,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScoreSums {
    pub players: u64,
    pub souls: i64,
    pub wounds: i64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CardCounts {
    /// Copies drawn.
    pub drawn: u64,
    /// Rooms built, spells cast, bosses in play.
    pub played: u64,
    /// Abilities used; of a boss, levelling up.
    pub used: u64,
    /// `when` abilities triggered.
    pub triggered: u64,
    /// Of a miniboss: promotions.
    pub promoted: u64,
    /// For a boss, games won.
    pub won: u64,
    /// Players who drew it, compared with the others at the same table.
    pub drew: Contrast,
    /// Players who played it, compared with the others.
    pub did: Contrast,
}

/// Compares players who did something with the others at the same table. If `d` of `n` players did it, the
/// game adds `x = n - d` or `-d`, depending on whether the winner did, and `y = d (n - d)`. The slope of `x`
/// over `y` is the difference in the chance of winning. Its error is computed per game, since one player's
/// win is another's loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contrast {
    pub games: u64,
    x: i64,
    y: i64,
    xx: i64,
    xy: i64,
    yy: i64,
}

impl Contrast {
    fn note(&mut self, players: i64, did: i64, winner_did: bool) {
        if did == 0 || did == players {
            return;
        }
        let x = players * i64::from(winner_did) - did;
        let y = did * (players - did);
        self.games += 1;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.xy += x * y;
        self.yy += y * y;
    }

    fn add(&mut self, other: &Contrast) {
        self.games += other.games;
        self.x += other.x;
        self.y += other.y;
        self.xx += other.xx;
        self.xy += other.xy;
        self.yy += other.yy;
    }

    /// The difference in the chance of winning as a part and a whole.
    pub fn ratio(&self) -> (i64, i64) {
        (self.x, self.y)
    }

    /// The difference in the chance of winning; `None` with too few games.
    pub fn difference(&self) -> Option<(f64, Interval)> {
        const FEWEST: u64 = 20;
        if self.games < FEWEST || self.y == 0 {
            return None;
        }
        let y = self.y as f64;
        let slope = self.x as f64 / y;
        let rest = self.xx as f64 - 2.0 * slope * self.xy as f64 + slope * slope * self.yy as f64;
        Some((slope, normal(slope, rest.max(0.0).sqrt() / y)))
    }
}

impl Tally {
    pub fn new(db: &CardDb) -> Tally {
        Tally {
            games: 0,
            decisions: 0,
            forfeits: 0,
            endings: BTreeMap::new(),
            eliminated: 0,
            with_elimination: 0,
            coins_gained: 0,
            coins_spent: 0,
            seats: [0; SEATS],
            places: [0; SEATS],
            bots: [0; SEATS],
            lengths: vec![0; MAX_TURNS + 1],
            turns: vec![TurnSums::default(); MAX_TURNS + 1],
            alone: BTreeMap::new(),
            cards: vec![CardCounts::default(); db.defs.len()],
        }
    }

    pub fn add(&mut self, other: &Tally) {
        self.games += other.games;
        self.decisions += other.decisions;
        self.forfeits += other.forfeits;
        other.endings.iter().for_each(|(ending, n)| *self.endings.entry(ending).or_default() += n);
        other.alone.iter().for_each(|(score, n)| *self.alone.entry(*score).or_default() += n);
        self.eliminated += other.eliminated;
        self.with_elimination += other.with_elimination;
        self.coins_gained += other.coins_gained;
        self.coins_spent += other.coins_spent;
        let sums = |mine: &mut [u64], theirs: &[u64]| {
            mine.iter_mut().zip(theirs).for_each(|(sum, n)| *sum += n);
        };
        sums(&mut self.seats, &other.seats);
        sums(&mut self.places, &other.places);
        sums(&mut self.bots, &other.bots);
        sums(&mut self.lengths, &other.lengths);
        for (sum, turn) in self.turns.iter_mut().zip(&other.turns) {
            sum.winners.add(&turn.winners);
            sum.others.add(&turn.others);
        }
        for (sum, card) in self.cards.iter_mut().zip(&other.cards) {
            sum.drawn += card.drawn;
            sum.played += card.played;
            sum.used += card.used;
            sum.triggered += card.triggered;
            sum.promoted += card.promoted;
            sum.won += card.won;
            sum.drew.add(&card.drew);
            sum.did.add(&card.did);
        }
    }
}

impl ScoreSums {
    fn add(&mut self, other: &ScoreSums) {
        self.players += other.players;
        self.souls += other.souls;
        self.wounds += other.wounds;
    }
}

/// Observes one game for a tally, through its events alone.
pub struct GameObserver<'t> {
    tally: &'t mut Tally,
    /// For each definition, who drew it and who played it: one bit per seat.
    drew: Vec<u8>,
    did: Vec<u8>,
    /// Each player's boss.
    bosses: [Option<Shown>; SEATS],
    /// The current turn.
    turn: u16,
    /// Souls and wounds of the players still in the game: now, and at the end of each turn so far.
    scores: Scores,
    turns: Vec<Scores>,
    /// The player order of the first turn.
    places: Vec<Seat>,
    eliminated: u64,
}

type Scores = [Option<engine::Score>; SEATS];

impl Log for GameObserver<'_> {
    const ON: bool = true;

    fn event(&mut self, event: Event) {
        let seat = event.actor;
        match (event.what, event.card) {
            (What::KeepsBoss, boss) => {
                self.bosses[seat.index()] = boss;
                self.scores[seat.index()] = Some(engine::Score::default());
            }
            (What::TurnBegins { turn }, _) => {
                if turn > 1 {
                    self.turns.push(self.scores);
                }
                self.turn = turn;
            }
            (What::PlayerBegins, _) if !self.places.contains(&seat) => self.places.push(seat),
            (What::Draws, Some(card)) => {
                self.card(card).drawn += 1;
                self.drew[card.def.index()] |= bit(seat);
            }
            (What::Reveals { .. } | What::Builds { .. } | What::Casts, Some(card)) => self.plays(seat, card),
            // A miniboss is at work once it is paid for; later it may only change its room.
            (What::JoinsRoom { level: 1 }, Some(card)) => {
                let owner = if seat.exists() { seat } else { event.owner() };
                self.plays(owner, card);
            }
            // Nobody draws an item: it comes to town for everybody.
            (What::ItemArrives, Some(card)) => self.card(card).drawn += 1,
            (What::Claims { .. }, Some(card)) => self.plays(seat, card),
            (What::Level { up: true, .. }, Some(card)) => self.card(card).promoted += 1,
            (What::Coins { by, .. }, _) if by > 0 => self.tally.coins_gained += u64::from(by.unsigned_abs()),
            (What::Coins { by, .. }, _) => self.tally.coins_spent += u64::from(by.unsigned_abs()),
            (What::Uses { .. } | What::LevelsUp, Some(card)) => self.card(card).used += 1,
            (What::Triggers, Some(card)) => self.card(card).triggered += 1,
            (What::Eliminated { .. }, _) => {
                self.eliminated += 1;
                if let Some(out) = event.player {
                    self.scores[out.index()] = None;
                }
            }
            _ => {}
        }
        for at in [event.from, event.to].into_iter().flatten() {
            if let (Some(score), Some(now)) = (at.score, self.scores.get_mut(at.place.seat().index())) {
                *now = Some(score);
            }
        }
    }
}

fn bit(seat: Seat) -> u8 {
    1 << (seat.index() % SEATS)
}

impl<'t> GameObserver<'t> {
    pub fn new(tally: &'t mut Tally) -> GameObserver<'t> {
        let nobody = vec![0; tally.cards.len()];
        GameObserver {
            tally,
            drew: nobody.clone(),
            did: nobody,
            bosses: [None; SEATS],
            turn: 0,
            scores: [None; SEATS],
            turns: Vec::new(),
            places: Vec::new(),
            eliminated: 0,
        }
    }

    fn card(&mut self, card: Shown) -> &mut CardCounts {
        &mut self.tally.cards[card.def.index()]
    }

    fn plays(&mut self, seat: Seat, card: Shown) {
        self.card(card).played += 1;
        self.did[card.def.index()] |= bit(seat);
    }

    /// The game is over: adds it to the tally.
    pub fn finish(self, end: GameEnd) {
        let winner = end.winner();
        let GameObserver { tally, drew, did, bosses, turn, scores, mut turns, places, eliminated } = self;
        if turn > 0 {
            turns.push(scores);
        }
        let players = bosses.iter().flatten().count();
        if let (1, Some(engine::Score { souls, wounds })) = (players, scores[0]) {
            *tally.alone.entry(i32::from(souls) - i32::from(wounds)).or_default() += 1;
        }
        tally.games += 1;
        tally.decisions += u64::from(end.decisions);
        tally.forfeits += end.forfeits.len() as u64;
        let ending = end.outcome.map_or(UNFINISHED, |outcome| outcome.reason.name());
        *tally.endings.entry(ending).or_default() += 1;
        tally.eliminated += eliminated;
        tally.with_elimination += u64::from(eliminated > 0);
        tally.lengths[usize::from(turn).min(MAX_TURNS)] += 1;
        for (i, scores) in turns.iter().enumerate().take(MAX_TURNS) {
            for (seat, score) in scores.iter().enumerate() {
                let Some(engine::Score { souls, wounds }) = *score else { continue };
                let won = winner.is_some_and(|winner| winner.index() == seat);
                let turn = &mut tally.turns[i + 1];
                let sum = if won { &mut turn.winners } else { &mut turn.others };
                sum.players += 1;
                sum.souls += i64::from(souls);
                sum.wounds += i64::from(wounds);
            }
        }
        for (seat, boss) in bosses.iter().enumerate() {
            if let Some(boss) = boss {
                let count = &mut tally.cards[boss.def.index()];
                count.played += 1;
                count.won += u64::from(winner.is_some_and(|winner| winner.index() == seat));
            }
        }
        let Some(winner) = winner else { return };
        tally.seats[winner.index()] += 1;
        if let Some(place) = places.iter().position(|seat| *seat == winner) {
            tally.places[place] += 1;
        }
        for (card, (drew, did)) in tally.cards.iter_mut().zip(drew.iter().zip(&did)) {
            let among = |who: u8| (i64::from(who.count_ones()), who & bit(winner) != 0);
            let (many, won) = among(*drew);
            card.drew.note(players as i64, many, won);
            let (many, won) = among(*did);
            card.did.note(players as i64, many, won);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of two did it in every game and won three of four: a lead of half a game.
    #[test]
    fn a_difference_is_as_counted_by_hand() {
        let mut contrast = Contrast::default();
        (0..100).for_each(|i| contrast.note(2, 1, i % 4 != 0));
        // Both or neither: nothing to compare.
        contrast.note(2, 2, true);
        contrast.note(2, 0, false);
        let (difference, interval) = contrast.difference().unwrap();
        assert_eq!((contrast.games, difference), (100, 0.5));
        // The standard deviation of +1 and -1, three to one, is the root of 3/4.
        let half = 1.96 * (0.75f64 / 100.0).sqrt();
        assert!((interval.low - (0.5 - half)).abs() < 1e-3 && (interval.high - (0.5 + half)).abs() < 1e-3);
    }

    #[test]
    fn with_four_players_the_others_are_the_average_of_three() {
        let mut contrast = Contrast::default();
        // One of four did it and won two of five games: 0.4 against 0.2 for each of the others.
        (0..100).for_each(|i| contrast.note(4, 1, i % 5 < 2));
        let (difference, _) = contrast.difference().unwrap();
        assert!((difference - 0.2).abs() < 1e-12, "{difference}");
        assert!(Contrast::default().difference().is_none());
    }
}
