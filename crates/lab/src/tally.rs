//! What is kept of many games: sums of whole numbers, so it does not matter in which order they are added, and
//! nothing grows with their number.

use std::collections::BTreeMap;

use cards::db::{CardDb, DefKind};
use engine::id::SEATS;
use engine::{Event, Game, Log, Seat, Shown};

use crate::rating::{Interval, normal};
use crate::sitter::End;

/// Longer games are counted as this long.
pub const MAX_TURNS: usize = 60;
/// What a game that was left unfinished is called among the endings.
pub const UNFINISHED: &str = "unfinished";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    pub games: u64,
    pub decisions: u64,
    /// Seats whose bot gave up.
    pub forfeits: u64,
    pub endings: BTreeMap<&'static str, u64>,
    /// Players who were out before the end, and games in which somebody was.
    pub eliminated: u64,
    pub with_elimination: u64,
    /// Wins by seat, and by place in the order of the players.
    pub seats: [u64; SEATS],
    pub places: [u64; SEATS],
    /// Games that took so many turns.
    pub lengths: Vec<u64>,
    /// How it stood at the end of each turn.
    pub turns: Vec<Turn>,
    /// By definition.
    pub cards: Vec<Card>,
}

/// The end of a turn, of those who win in the end and of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    pub winners: Score,
    pub others: Score,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    pub players: u64,
    pub souls: i64,
    pub wounds: i64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// Copies drawn.
    pub drawn: u64,
    /// Rooms built, spells cast, bosses in play.
    pub played: u64,
    /// Abilities used; of a boss, levelling up.
    pub used: u64,
    /// "When" abilities that happened.
    pub triggered: u64,
    /// Games won by a player of it; for a boss its games won.
    pub won: u64,
    /// Those who drew it beside the others at the same table.
    pub drew: Contrast,
    /// Those who played it beside the others.
    pub did: Contrast,
}

/// Compares players who did something with the others at the same table. In a game of `n` players `d` did it; `x` is
/// how much the winner is among them, `y` how much there was to compare. The slope of one over the other is the
/// difference in the chance to win, and games are what its error is counted in: what one player wins another loses.
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

    /// The difference in the chance to win; none where there is too little to tell.
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
            seats: [0; SEATS],
            places: [0; SEATS],
            lengths: vec![0; MAX_TURNS + 1],
            turns: vec![Turn::default(); MAX_TURNS + 1],
            cards: vec![Card::default(); db.defs.len()],
        }
    }

    pub fn add(&mut self, other: &Tally) {
        self.games += other.games;
        self.decisions += other.decisions;
        self.forfeits += other.forfeits;
        other.endings.iter().for_each(|(ending, n)| *self.endings.entry(ending).or_default() += n);
        self.eliminated += other.eliminated;
        self.with_elimination += other.with_elimination;
        let sums = |mine: &mut [u64], theirs: &[u64]| {
            mine.iter_mut().zip(theirs).for_each(|(sum, n)| *sum += n);
        };
        sums(&mut self.seats, &other.seats);
        sums(&mut self.places, &other.places);
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
            sum.won += card.won;
            sum.drew.add(&card.drew);
            sum.did.add(&card.did);
        }
    }
}

impl Score {
    fn add(&mut self, other: &Score) {
        self.players += other.players;
        self.souls += other.souls;
        self.wounds += other.wounds;
    }
}

/// Watches one game for a tally.
pub struct Watch<'t> {
    tally: &'t mut Tally,
    db: &'t CardDb,
    /// For each definition, who drew it and who played it: one bit a seat.
    drew: Vec<u8>,
    did: Vec<u8>,
    /// Souls and wounds of every seat at the end of each turn so far.
    turns: Vec<[Option<(i32, i32)>; SEATS]>,
    /// The order of the players, once it is settled.
    places: Vec<Seat>,
    eliminated: u64,
}

impl Log for Watch<'_> {
    const ON: bool = true;

    fn event(&mut self, event: Event) {
        match event {
            Event::Draws { seat, card } => {
                self.card(card).drawn += 1;
                self.drew[card.def.index()] |= bit(seat);
            }
            Event::Reveals { seat, card } | Event::Builds { seat, card, .. } => self.plays(seat, card),
            Event::Uses { seat, card } if self.db.def(card.def).kind == DefKind::Spell => {
                self.plays(seat, card)
            }
            Event::Uses { card, .. } | Event::LevelsUp { boss: card, .. } => self.card(card).used += 1,
            Event::Triggers { card, .. } => self.card(card).triggered += 1,
            Event::Eliminated(_) => self.eliminated += 1,
            _ => {}
        }
    }
}

fn bit(seat: Seat) -> u8 {
    1 << (seat.index() % SEATS)
}

impl<'t> Watch<'t> {
    pub fn new(tally: &'t mut Tally, db: &'t CardDb) -> Watch<'t> {
        let nobody = vec![0; db.defs.len()];
        Watch {
            tally,
            db,
            drew: nobody.clone(),
            did: nobody,
            turns: Vec::new(),
            places: Vec::new(),
            eliminated: 0,
        }
    }

    fn card(&mut self, card: Shown) -> &mut Card {
        &mut self.tally.cards[card.def.index()]
    }

    fn plays(&mut self, seat: Seat, card: Shown) {
        self.card(card).played += 1;
        self.did[card.def.index()] |= bit(seat);
    }

    /// Looks at the table after an answer. A turn that is over leaves how it stood when somebody was asked again.
    pub fn look(&mut self, game: &Game) {
        let turn = usize::from(game.state.turn());
        if self.places.is_empty() && turn > 0 {
            self.places.extend_from_slice(game.state.order());
        }
        while self.turns.len() + 1 < turn {
            self.stand(game);
        }
    }

    /// How it stands for those who are in the game.
    fn stand(&mut self, game: &Game) {
        let mut scores = [None; SEATS];
        for seat in game.state.seats() {
            scores[seat.index()] = Some((game.souls(seat), game.wounds(seat)));
        }
        self.turns.push(scores);
    }

    /// The game is over: what was only noted becomes part of the sums.
    pub fn finish(mut self, game: &Game, end: End) {
        while self.turns.len() < usize::from(game.state.turn()) {
            self.stand(game);
        }
        let winner = end.winner();
        let players = game.state.order().len();
        let Watch { tally, drew, did, turns, places, eliminated, .. } = self;
        tally.games += 1;
        tally.decisions += u64::from(end.decisions);
        tally.forfeits += end.forfeits.len() as u64;
        let ending = end.outcome.map_or(UNFINISHED, |outcome| outcome.reason.name());
        *tally.endings.entry(ending).or_default() += 1;
        tally.eliminated += eliminated;
        tally.with_elimination += u64::from(eliminated > 0);
        tally.lengths[usize::from(game.state.turn()).min(MAX_TURNS)] += 1;
        for (i, scores) in turns.iter().enumerate().take(MAX_TURNS) {
            for (seat, score) in scores.iter().enumerate() {
                let Some((souls, wounds)) = *score else { continue };
                let won = winner.is_some_and(|winner| winner.index() == seat);
                let turn = &mut tally.turns[i + 1];
                let sum = if won { &mut turn.winners } else { &mut turn.others };
                sum.players += 1;
                sum.souls += i64::from(souls);
                sum.wounds += i64::from(wounds);
            }
        }
        for seat in (0..players).map(|seat| Seat(seat as u8)) {
            if let Some(boss) = game.boss(seat) {
                let count = &mut tally.cards[game.def_id(boss).index()];
                count.played += 1;
                count.won += u64::from(winner == Some(seat));
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

    /// One of two did it in every game, and won three of four: half a game more than the other.
    #[test]
    fn a_difference_is_as_counted_by_hand() {
        let mut contrast = Contrast::default();
        (0..100).for_each(|i| contrast.note(2, 1, i % 4 != 0));
        // Both or none: nothing to compare.
        contrast.note(2, 2, true);
        contrast.note(2, 0, false);
        let (difference, interval) = contrast.difference().unwrap();
        assert_eq!((contrast.games, difference), (100, 0.5));
        // The spread of +1 and -1, three to one, is the root of 3/4.
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
