//! The gate: a new network replaces the old one only if it wins enough paired games over all tables.

use std::path::Path;

use bots::BotSpec;
use engine::{Actions, Dealer, Game, Setup};

use super::TrainError;
use super::curves::GateRow;
use super::tables::Table;
use crate::arena::Arena;
use crate::resume::ResumeFile;
use crate::seated::{MAX_DECISIONS, SeatedBot, derive_seed};
use crate::workers::{Workers, run_jobs};

pub struct Gate<'a> {
    pub tables: &'a [Table],
    pub seed: u64,
    /// Over all tables.
    pub games: u64,
    pub new: BotSpec,
    pub old: BotSpec,
}

impl Gate<'_> {
    /// How the new network did at every table. Arenas keep their games in the folder. `None` if it was stopped.
    pub fn play(&self, folder: &Path, workers: Workers) -> Result<Option<Vec<GateRow>>, TrainError> {
        let games = self.games.div_ceil(self.tables.len() as u64);
        let mut rows = Vec::new();
        for (number, table) in self.tables.iter().enumerate() {
            let row = match table.is_solo() {
                true => self.alone(table, games, workers)?,
                false => self.arena(table, games, &folder.join(format!("gate-{number}.jsonl")), workers)?,
            };
            let Some(row) = row else { return Ok(None) };
            rows.push(row);
        }
        Ok(Some(rows))
    }

    fn arena(
        &self,
        table: &Table,
        games: u64,
        file: &Path,
        workers: Workers,
    ) -> Result<Option<GateRow>, TrainError> {
        let dealer = table.dealer()?;
        let setup = Setup { rules: table.rules, ..Setup::new(self.seed.into()) };
        let entrants = [self.new.clone(), self.old.clone()];
        let arena = Arena::new(&entrants, &setup, &dealer);
        let rounds = arena.rounds_for(games);
        let resume = ResumeFile::open(file, &arena, &table.db.hash)?;
        let results = arena.run(rounds, Some(resume), workers)?;
        let standings = arena.standings(&results);
        let whole = standings.rounds == rounds;
        let won = standings.entrants[0].win_rate * standings.games as f64;
        Ok(whole.then(|| GateRow { table: table.name.clone(), games: standings.games, won }))
    }

    /// Alone, the better score of the same deal wins.
    fn alone(&self, table: &Table, games: u64, workers: Workers) -> Result<Option<GateRow>, TrainError> {
        let dealer = table.dealer()?;
        let deals = games.div_ceil(2);
        let each = |mine: &mut Vec<f64>, deal: u64| {
            let score = |bot: &BotSpec| {
                (workers.done)();
                self.score(&dealer, bot, deal)
            };
            mine.push(match score(&self.new).cmp(&score(&self.old)) {
                std::cmp::Ordering::Less => 0.0,
                std::cmp::Ordering::Equal => 1.0,
                std::cmp::Ordering::Greater => 2.0,
            });
        };
        let won: Vec<f64> = run_jobs(deals, workers, Vec::new, each).concat();
        let whole = won.len() as u64 == deals;
        Ok(whole.then(|| GateRow { table: table.name.clone(), games: 2 * deals, won: won.iter().sum() }))
    }

    fn score(&self, dealer: &Dealer, bot: &BotSpec, deal: u64) -> i32 {
        let mut game: Game = dealer.deal(engine::Seed::from(self.seed).nth(deal).0, &mut ());
        let mut bot = SeatedBot::new(bot, derive_seed(self.seed, deal, 0, 0));
        let mut legal = Actions::new();
        for _ in 0..MAX_DECISIONS {
            let Some(decision) = game.decision() else { break };
            game.legal(&mut legal);
            let answer = bot.answer(&game, decision.seat, &legal);
            if game.apply(answer, &mut ()).is_err() {
                break;
            }
        }
        game.solo_score().map_or(0, |alone| alone.score)
    }
}
