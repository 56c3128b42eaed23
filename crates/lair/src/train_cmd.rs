//! `lair train`: bots learn from their own games.

use lab::train::{CHAMPION, Folder, GATE, News, Training, Verdict};

use crate::cli;
use crate::failure::Failure;
use crate::homebrew::Library;
use crate::progress;
use crate::term::{note, say};

pub fn run(args: &cli::Train, library: &Library) -> Result<(), Failure> {
    let training = Training {
        seed: args.seed,
        tables: args.tables.clone(),
        games: args.games,
        epochs: u32::try_from(args.epochs).unwrap_or(u32::MAX),
        gate_games: args.gate,
        beginners: args.beginners.clone(),
        learners: args.learners.clone(),
        rivals: args.rivals.clone(),
        from: args.from.clone(),
    };
    let folder = Folder::open(&args.folder, training, &library.sets).map_err(Failure::usage)?;
    let all = folder.games_of_round() * args.rounds;
    let trained = progress::run_shown(all, args.threads, |workers, bar| {
        folder.run(args.rounds, workers, |news| bar.suspend(|| tell(&news)))
    })?;
    let Some(verdicts) = trained.map_err(Failure::failed)? else {
        note("stopped; the same line goes on from here\n")?;
        return Ok(());
    };
    let passed = verdicts.iter().rev().find(|verdict| verdict.passed);
    Ok(say(match passed {
        Some(verdict) => format!(
            "the network of round {} is the best: {}\n",
            verdict.round,
            args.folder.join(CHAMPION).display()
        ),
        None => "no new network was good enough: the built-in ones stay\n".into(),
    })?)
}

/// On standard error, like the progress bar.
fn tell(news: &News) {
    let text = match news {
        News::Playing { round, games } => format!("round {round}: {games} games\n"),
        News::Learned { round, epoch, loss, correct } => {
            format!(
                "round {round}, epoch {epoch}: loss {loss:.4}, winner named in {:.1} %\n",
                correct * 100.0
            )
        }
        News::AtTheGate { round, games } => format!("round {round}: {games} paired games at the gate\n"),
        News::Judged(verdict) => judged(verdict),
    };
    // Nobody may be listening.
    let _ = note(text);
}

fn judged(Verdict { round, games, won, passed, tables }: &Verdict) -> String {
    let mut out: String = tables
        .iter()
        .map(|row| {
            let share = 100.0 * row.won / row.games.max(1) as f64;
            format!("  {:<32} {share:>5.1} % of {} games\n", row.table, row.games)
        })
        .collect();
    let verdict = if *passed { "it replaces the old one" } else { "the old one stays" };
    let (won, needed) = (won * 100.0, GATE * 100.0);
    out += &format!(
        "round {round}: the new network won {won:.1} % of {games} games ({needed:.0} % are needed): {verdict}\n"
    );
    out
}
