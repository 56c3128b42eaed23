//! The laboratory's grid of games: every deck with every number of players and every bot, the same number of
//! games each. Games rotate through the cells, so a run that is stopped early has covered all of them
//! equally.

use bots::BotSpec;
use cards::CardDb;
use engine::{Dealer, Setup};

use crate::numbers::{Reader, Writer};
use crate::seated::{SeatedBot, derive_seed, play, play_some};
use crate::spread::{self, Jobs, Packed, Piece};
use crate::tally::{GameObserver, Tally};
use crate::workers::{Workers, run_jobs};

/// One cell of the grid: a deck, a number of players, and the bot in every seat.
pub struct Cell<'a> {
    pub setup: Setup,
    pub bot: &'a BotSpec,
    pub db: &'a CardDb,
    pub dealer: Dealer<'a>,
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
    fn probe(&self, so_far: u64) -> u64 {
        let seed = self.setup.seed;
        let mut game = self.dealer.deal(seed.nth(0).0, &mut ());
        let seated = |seat: u8| SeatedBot::new(self.bot, derive_seed(seed.number(), 0, 0, u64::from(seat)));
        let mut bots: Vec<SeatedBot> = (0..self.setup.rules.players).map(seated).collect();
        play_some(&mut game, &mut bots, spread::PROBED);
        spread::probe(so_far, &game)
    }

    fn play(&self, number: u64, tally: &mut Tally) {
        let seed = self.setup.seed;
        let mut observer = GameObserver::new(tally);
        let mut game = self.dealer.deal(seed.nth(number).0, &mut observer);
        let seated =
            |seat: u8| SeatedBot::new(self.bot, derive_seed(seed.number(), number, 0, u64::from(seat)));
        let mut bots: Vec<SeatedBot> = (0..self.setup.rules.players).map(seated).collect();
        let end = play(&mut game, &mut bots, &mut observer, |_, _, _, _| {});
        observer.finish(end);
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
            Cell { dealer: Dealer::new(&db, setup.rules).unwrap(), setup, bot, db: &db }
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
        let cells = [Cell { dealer: Dealer::new(&db, setup.rules).unwrap(), setup, bot: &bot, db: &db }];
        let workers = Workers { threads: 2, stop: &AtomicBool::new(false), done: &|| {} };
        let size = |tally: &Tally| (tally.lengths.capacity(), tally.turns.capacity(), tally.cards.capacity());
        let (before, after) = (empty(&cells).remove(0), run(&cells, 100, workers).remove(0));
        assert_eq!((size(&before), after.games), (size(&after), 100));
        assert!(after.endings.len() < 8);
    }
}
