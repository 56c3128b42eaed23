//! A tally as numbers, to travel from a worker. A new field must be added here, or this file does not compile.

use engine::Ending;

use super::{CardCounts, Contrast, ScoreSums, Tally, TurnSums, UNFINISHED};
use crate::numbers::{Reader, Writer};

/// No score of a game for one is beyond this.
const MOST_SCORES: u64 = 1 << 17;

/// The endings that are counted, by the number they travel under.
fn endings() -> impl Iterator<Item = &'static str> {
    Ending::ALL.into_iter().map(Ending::name).chain([UNFINISHED])
}

impl Tally {
    pub fn put(&self, out: &mut Writer) {
        let Tally {
            games,
            decisions,
            forfeits,
            endings: ended,
            eliminated,
            with_elimination,
            coins_gained,
            coins_spent,
            seats,
            places,
            bots,
            lengths,
            turns,
            alone,
            cards,
        } = self;
        for number in [games, decisions, forfeits, eliminated, with_elimination, coins_gained, coins_spent] {
            out.put(*number);
        }
        endings().for_each(|ending| out.put(ended.get(ending).copied().unwrap_or(0)));
        seats.iter().chain(places).chain(bots).chain(lengths).for_each(|number| out.put(*number));
        for TurnSums { winners, others } in turns {
            for ScoreSums { players, souls, wounds } in [winners, others] {
                out.put(*players);
                out.put_signed(*souls);
                out.put_signed(*wounds);
            }
        }
        out.put(alone.len() as u64);
        for (score, games) in alone {
            out.put_signed(i64::from(*score));
            out.put(*games);
        }
        cards.iter().for_each(|card| card.put(out));
    }

    /// Fills an empty tally of the same cards.
    pub fn fill(&mut self, from: &mut Reader) -> Option<()> {
        let Tally {
            games,
            decisions,
            forfeits,
            endings: ended,
            eliminated,
            with_elimination,
            coins_gained,
            coins_spent,
            seats,
            places,
            bots,
            lengths,
            turns,
            alone,
            cards,
        } = self;
        for number in [games, decisions, forfeits, eliminated, with_elimination, coins_gained, coins_spent] {
            *number = from.get()?;
        }
        for ending in endings() {
            let n = from.get()?;
            if n > 0 {
                ended.insert(ending, n);
            }
        }
        for number in seats.iter_mut().chain(places).chain(bots).chain(lengths) {
            *number = from.get()?;
        }
        for TurnSums { winners, others } in turns {
            for ScoreSums { players, souls, wounds } in [winners, others] {
                (*players, *souls, *wounds) = (from.get()?, from.get_signed()?, from.get_signed()?);
            }
        }
        for _ in 0..from.get().filter(|scores| *scores < MOST_SCORES)? {
            alone.insert(i32::try_from(from.get_signed()?).ok()?, from.get()?);
        }
        cards.iter_mut().try_for_each(|card| card.fill(from))
    }
}

impl CardCounts {
    fn put(&self, out: &mut Writer) {
        let CardCounts { drawn, played, used, triggered, promoted, won, drew, did } = self;
        [drawn, played, used, triggered, promoted, won].into_iter().for_each(|number| out.put(*number));
        for Contrast { games, x, y, xx, xy, yy } in [drew, did] {
            out.put(*games);
            [x, y, xx, xy, yy].into_iter().for_each(|number| out.put_signed(*number));
        }
    }

    fn fill(&mut self, from: &mut Reader) -> Option<()> {
        let CardCounts { drawn, played, used, triggered, promoted, won, drew, did } = self;
        for number in [drawn, played, used, triggered, promoted, won] {
            *number = from.get()?;
        }
        for Contrast { games, x, y, xx, xy, yy } in [drew, did] {
            *games = from.get()?;
            for number in [x, y, xx, xy, yy] {
                *number = from.get_signed()?;
            }
        }
        Some(())
    }
}
