//! The games of the laboratory: every deck with every number of players and every bot, the same number of games
//! each. Jobs go round the cells, so a run that was stopped has all of them equally far.

use bots::Player;
use cards::CardDb;
use engine::{Dealer, Setup};

use crate::pool::{Hands, share};
use crate::sitter::{Sitter, play, whim};
use crate::tally::{Tally, Watch};

/// One kind of table: the same bot sits in every seat.
pub struct Cell<'a> {
    pub setup: Setup,
    pub bot: &'a Player,
    pub db: &'a CardDb,
    pub dealer: Dealer<'a>,
}

/// Plays this many games in every cell, or the first part of them.
pub fn run(cells: &[Cell], games: u64, hands: Hands) -> Vec<Tally> {
    let fresh = || none(cells);
    let many = cells.len() as u64;
    let each = |tallies: &mut Vec<Tally>, job: u64| {
        let cell = (job % many) as usize;
        cells[cell].play(job / many, &mut tallies[cell]);
        (hands.done)();
    };
    let mut total = fresh();
    for tallies in share(games.saturating_mul(many), hands, fresh, each) {
        total.iter_mut().zip(&tallies).for_each(|(sum, tally)| sum.add(tally));
    }
    total
}

/// What there is before the first game.
pub fn none(cells: &[Cell]) -> Vec<Tally> {
    cells.iter().map(|cell| Tally::new(cell.db)).collect()
}

impl Cell<'_> {
    fn play(&self, number: u64, tally: &mut Tally) {
        let seed = self.setup.seed;
        let mut watch = Watch::new(tally, self.db);
        let mut game = self.dealer.deal(seed.nth(number).0, &mut watch);
        let sitter = |seat: u8| Sitter::new(self.bot, whim(seed.number(), number, 0, u64::from(seat)));
        let mut sitters: Vec<Sitter> = (0..self.setup.rules.players).map(sitter).collect();
        let end = play(&mut game, &mut sitters, &mut watch, |game, watch, _, _| watch.look(game));
        watch.finish(&game, end);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn the_same_sums_on_any_number_of_threads() {
        let db = cards::library::base();
        let bots: [Player; 2] = ["random", "kobold"].map(|name| name.parse().unwrap());
        let cell = |(players, bot)| {
            let setup: Setup = format!("--players {players} --seed 5").parse().unwrap();
            Cell { dealer: Dealer::new(&db, setup.rules).unwrap(), setup, bot, db: &db }
        };
        let cells: Vec<Cell> = [(2, &bots[0]), (3, &bots[1])].into_iter().map(cell).collect();
        let run = |threads| {
            let hands = Hands { threads, stop: &AtomicBool::new(false), done: &|| {} };
            run(&cells, 40, hands)
        };
        let one = run(1);
        assert_eq!(one, run(3));
        for (tally, players) in one.iter().zip([2u64, 3]) {
            assert_eq!((tally.games, tally.endings.values().sum::<u64>()), (40, 40));
            assert_eq!(tally.seats.iter().sum::<u64>(), tally.places.iter().sum::<u64>());
            assert_eq!(tally.lengths.iter().sum::<u64>(), 40);
            let first = tally.turns[1];
            assert_eq!(first.winners.players + first.others.players, 40 * players);
            // Three and two cards in hand at first, and more later.
            assert!(tally.cards.iter().map(|card| card.drawn).sum::<u64>() > 40 * players * 5);
            let bosses = tally.cards.iter().zip(&db.defs).filter(|(_, def)| def.xp > 0);
            assert_eq!(bosses.map(|(card, _)| card.played).sum::<u64>(), 40 * players);
        }
    }

    /// A tally of a hundred games is as large as one of none, but for the kinds of endings, of which there are few.
    #[test]
    fn no_list_grows_with_the_games() {
        let db = cards::library::base();
        let (setup, bot): (Setup, Player) = (Setup::new(1.into()), "random".parse().unwrap());
        let cells = [Cell { dealer: Dealer::new(&db, setup.rules).unwrap(), setup, bot: &bot, db: &db }];
        let hands = Hands { threads: 2, stop: &AtomicBool::new(false), done: &|| {} };
        let size = |tally: &Tally| (tally.lengths.capacity(), tally.turns.capacity(), tally.cards.capacity());
        let (before, after) = (none(&cells).remove(0), run(&cells, 100, hands).remove(0));
        assert_eq!((size(&before), after.games), (size(&after), 100));
        assert!(after.endings.len() < 8);
    }
}
