//! The laboratory's grid of games: every deck with every number of players and every bot, the same number of
//! games each. Games rotate through the cells, so a run that is stopped early has covered all of them
//! equally.

use bots::BotSpec;
use cards::CardDb;
use engine::{Dealer, Setup};

use crate::numbers::{Reader, Writer};
use crate::seated::{SeatedBot, derive_seed, play, play_some};
use crate::spread::{self, Jobs, Packed, Piece};
use crate::study::Row;
use crate::tally::{GameObserver, Tally};
use crate::workers::{Workers, run_jobs};

/// One cell of the grid: a deck, a number of players, and who plays.
pub struct Cell<'a> {
    pub setup: Setup,
    /// One in every seat; several sit in turn, and move on by a seat from game to game.
    pub bots: &'a [BotSpec],
    pub db: &'a CardDb,
    pub dealer: Dealer<'a>,
    /// Which version of the cards it is, if there are several.
    pub version: String,
}

/// Plays this many games in every cell, or fewer if stopped.
pub fn run(cells: &[Cell], games: u64, workers: Workers) -> Vec<Tally> {
    let fresh = || empty(cells);
    let many = cells.len() as u64;
    let each = |tallies: &mut Vec<Tally>, job: u64| {
        let cell = (job % many) as usize;
        cells[cell].play(job / many, &mut tallies[cell]);
        (workers.done)();
    };
    let mut total = fresh();
    for tallies in run_jobs(games.saturating_mul(many), workers, fresh, each) {
        total.iter_mut().zip(&tallies).for_each(|(sum, tally)| sum.add(tally));
    }
    total
}

/// An empty tally for every cell.
pub fn empty(cells: &[Cell]) -> Vec<Tally> {
    cells.iter().map(|cell| Tally::new(cell.db)).collect()
}

/// Some cells as jobs for many machines, numbered as `run` does.
pub struct Grid<'a> {
    pub cells: &'a [&'a Cell<'a>],
    /// In every cell.
    pub games: u64,
}

impl Jobs for Grid<'_> {
    type Part = Vec<Tally>;

    fn jobs(&self) -> u64 {
        self.games.saturating_mul(self.cells.len() as u64)
    }

    fn games(&self) -> u64 {
        1
    }

    fn empty(&self) -> Vec<Tally> {
        self.cells.iter().map(|cell| Tally::new(cell.db)).collect()
    }

    fn play(&self, job: u64, part: &mut Vec<Tally>, done: &dyn Fn()) {
        let many = self.cells.len() as u64;
        let cell = (job % many) as usize;
        self.cells[cell].play(job / many, &mut part[cell]);
        done();
    }

    fn put(&self, part: &Vec<Tally>) -> Packed {
        let mut out = Writer::default();
        part.iter().for_each(|tally| tally.put(&mut out));
        Packed { result: out.finish(), measured: Vec::new() }
    }

    fn get(&self, piece: Piece, packed: &Packed) -> Option<Vec<Tally>> {
        let mut from = Reader::new(&packed.result);
        let mut part = self.empty();
        part.iter_mut().try_for_each(|tally| tally.fill(&mut from))?;
        // Every cell has its jobs among these, and every game has ended somehow.
        let many = self.cells.len() as u64;
        let until = |job: u64, cell: u64| (job + many - 1 - cell) / many;
        let games = |cell: u64| until(piece.to, cell) - until(piece.from, cell);
        let fits = |(cell, tally): (u64, &Tally)| {
            tally.games == games(cell) && tally.endings.values().sum::<u64>() == tally.games
        };
        ((0..).zip(&part).all(fits) && from.is_at_end()).then_some(part)
    }

    fn probe(&self) -> u64 {
        self.cells.iter().fold(0, |so_far, cell| cell.probe(so_far))
    }
}

impl Cell<'_> {
    /// The beginning of the first game.
    pub(crate) fn probe(&self, so_far: u64) -> u64 {
        let mut game = self.dealer.deal(self.setup.seed.nth(0).0, &mut ());
        play_some(&mut game, &mut self.seated(0), spread::PROBED);
        spread::probe(so_far, &game)
    }

    /// Plays the game of this number.
    pub(crate) fn play(&self, number: u64, tally: &mut Tally) -> Row {
        let mut observer = GameObserver::new(tally);
        let mut game = self.dealer.deal(self.setup.seed.nth(number).0, &mut observer);
        let end = play(&mut game, &mut self.seated(number), &mut observer, |_, _, _, _| {});
        observer.finish(end);
        if let Some(winner) = end.winner() {
            tally.bots[self.bot_at(number, winner.0)] += 1;
        }
        Row::of(number, &game, &end)
    }

    fn seated(&self, number: u64) -> Vec<SeatedBot> {
        let seed = |seat: u8| derive_seed(self.setup.seed.number(), number, 0, u64::from(seat));
        let seats = 0..self.setup.rules.players;
        seats.map(|seat| SeatedBot::new(&self.bots[self.bot_at(number, seat)], seed(seat))).collect()
    }

    /// Which of the bots has a seat in the game of this number.
    pub fn bot_at(&self, number: u64, seat: u8) -> usize {
        let many = self.bots.len().max(1) as u64;
        ((number % many + u64::from(seat)) % many) as usize
    }

    /// The bots by name.
    pub fn bot_names(&self) -> String {
        self.bots.iter().map(BotSpec::to_string).collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn the_same_sums_on_any_number_of_threads() {
        let db = cards::library::base();
        let bots: [BotSpec; 2] = ["random", "kobold"].map(|name| name.parse().unwrap());
        let cell = |(players, bot)| {
            let setup: Setup = format!("--players {players} --seed 5").parse().unwrap();
            Cell {
                dealer: Dealer::new(&db, setup.rules).unwrap(),
                setup,
                bots: std::slice::from_ref(bot),
                db: &db,
                version: String::new(),
            }
        };
        let cells: Vec<Cell> = [(2, &bots[0]), (3, &bots[1])].into_iter().map(cell).collect();
        let run = |threads| {
            let workers = Workers { threads, stop: &AtomicBool::new(false), done: &|| {} };
            run(&cells, 40, workers)
        };
        let one = run(1);
        assert_eq!(one, run(3));
        for (tally, players) in one.iter().zip([2u64, 3]) {
            assert_eq!((tally.games, tally.endings.values().sum::<u64>()), (40, 40));
            assert_eq!(tally.seats.iter().sum::<u64>(), tally.places.iter().sum::<u64>());
            assert_eq!(tally.lengths.iter().sum::<u64>(), 40);
            let first = tally.turns[1];
            assert_eq!(first.winners.players + first.others.players, 40 * players);
            // A first hand is three rooms and two spells, and more cards follow.
            assert!(tally.cards.iter().map(|card| card.drawn).sum::<u64>() > 40 * players * 5);
            let bosses = tally.cards.iter().zip(&db.defs).filter(|(_, def)| def.xp > 0);
            assert_eq!(bosses.map(|(card, _)| card.played).sum::<u64>(), 40 * players);
        }
    }

    /// A tally of a hundred games is as large as an empty one, apart from the few kinds of endings.
    #[test]
    fn a_tally_does_not_grow_with_the_games() {
        let db = cards::library::base();
        let (setup, bot): (Setup, BotSpec) = (Setup::new(1.into()), "random".parse().unwrap());
        let dealer = Dealer::new(&db, setup.rules).unwrap();
        let bots = std::slice::from_ref(&bot);
        let cells = [Cell { dealer, setup, bots, db: &db, version: String::new() }];
        let workers = Workers { threads: 2, stop: &AtomicBool::new(false), done: &|| {} };
        let size = |tally: &Tally| (tally.lengths.capacity(), tally.turns.capacity(), tally.cards.capacity());
        let (before, after) = (empty(&cells).remove(0), run(&cells, 100, workers).remove(0));
        assert_eq!((size(&before), after.games), (size(&after), 100));
        assert!(after.endings.len() < 8);
    }
}
