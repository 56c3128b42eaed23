//! `lair move-data`: everything from a data folder into PostgreSQL, or back.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, atomic::Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use server::store::moving::{MoveError, Moved, Place, Step, Watch, move_data};

use crate::cli::MoveData;
use crate::failure::Failure;
use crate::homebrew::Library;
use crate::serve_cmd::database;
use crate::term::say;

pub fn run(args: &MoveData, library: &Library) -> Result<(), Failure> {
    let (from, to) = (place(&args.from)?, place(&args.to)?);
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    let quit = move || {
        // The first one ends it in order, which takes a moment; the second at once. Neither leaves half of it.
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(quit).map_err(Failure::failed)?;
    let bar = ProgressBar::new(0);
    let style = ProgressStyle::with_template("{msg} {bar:30} {human_pos} of {human_len} tables");
    bar.set_style(style.map_err(Failure::failed)?);
    let mut progress = |step, done, all| {
        bar.set_message(match step {
            Step::Copying => "copying ",
            Step::Checking => "checking",
        });
        bar.set_length(all);
        bar.set_position(done);
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let watch = Watch { progress: &mut progress, stop: &stop };
    let moved = runtime.block_on(move_data(&from, &to, &library.sets, watch));
    bar.finish_and_clear();
    match moved {
        Ok(moved) => report(&moved, &from, &to),
        Err(error @ (MoveError::NotEmpty(_) | MoveError::NoSource(_))) => Err(Failure::usage(error)),
        Err(error) => Err(Failure::failed(error)),
    }
}

/// A folder, or the address of a database; `postgres` is the one that the environment names.
fn place(text: &str) -> Result<Place, Failure> {
    if text == "postgres" {
        let found = database(None, None)?;
        let none = || Failure::usage("LAIR_POSTGRES is not set: it says where `postgres` is");
        return Ok(Place::Database(found.ok_or_else(none)?));
    }
    if let Some(file) = text.strip_prefix("postgres-file:") {
        let found = database(None, Some(file.as_ref()))?;
        return Ok(Place::Database(found.ok_or_else(|| Failure::usage("the file is empty"))?));
    }
    match text.contains("://") {
        true => Ok(Place::Database(text.parse().map_err(Failure::usage)?)),
        false => Ok(Place::Folder(PathBuf::from(text))),
    }
}

fn report(moved: &Moved, from: &Place, to: &Place) -> Result<(), Failure> {
    let mut text = format!("moved {from} to {to}\n");
    for (name, count) in &moved.rows {
        text += &format!("{count:>10}  {}\n", name.replace('_', " "));
    }
    text += &format!("{:>10}  tables\n{:>10}  entries of their logs\n", moved.tables, moved.entries);
    text += &format!("{:>10}  tables replayed from what is there now\n", moved.replayed);
    text += "Everything was read back and is the same. What it was moved from is unchanged.\n";
    if !moved.damaged.is_empty() {
        text += &format!(
            "{} tables cannot be replayed, there as little as here: their logs are damaged, or were written with other \
             cards (add them with --cards). They were moved as they are:\n",
            moved.damaged.len()
        );
        for (id, reason) in &moved.damaged {
            text += &format!("  {id}: {}\n", reason.lines().next().unwrap_or_default());
        }
    }
    Ok(say(text)?)
}
