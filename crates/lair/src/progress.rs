//! Long runs: a progress bar, and Ctrl-C to stop gracefully. A second Ctrl-C quits at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use lab::Workers;

use crate::failure::Failure;

/// The exit code shells use for an interrupted program.
const INTERRUPTED: i32 = 130;

/// Runs work that can be stopped. The bar is drawn on standard error, and only if that is a terminal.
pub fn run<T>(games: u64, threads: usize, work: impl FnOnce(Workers) -> T) -> Result<T, Failure> {
    run_shown(games, threads, |workers, _| work(workers))
}

/// The same, with the bar: to show who does how much.
pub fn run_shown<T>(
    games: u64,
    threads: usize,
    work: impl FnOnce(Workers, &ProgressBar) -> T,
) -> Result<T, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let bar = ProgressBar::new(games);
    let style = |text| ProgressStyle::with_template(text).map_err(Failure::failed);
    // No estimate before the first game has finished.
    bar.set_style(style("{bar:30} {human_pos} of {human_len} games")?);
    let timed = style("{bar:30} {human_pos} of {human_len} games, {eta} left{msg}")?;
    let last = style("Finishing the games in progress; press Ctrl-C again to quit at once.")?;
    bar.tick();
    let (heard, shown) = (Arc::clone(&stop), bar.clone());
    let stopping = move || {
        if heard.swap(true, Ordering::Relaxed) {
            shown.abandon();
            std::process::exit(INTERRUPTED);
        }
        shown.set_style(last.clone());
        shown.tick();
    };
    ctrlc::set_handler(stopping).map_err(Failure::failed)?;
    let done = || {
        if bar.position() == 0 && !stop.load(Ordering::Relaxed) {
            bar.set_style(timed.clone());
        }
        bar.inc(1);
    };
    let result = work(Workers { threads, stop: &stop, done: &done }, &bar);
    bar.finish_and_clear();
    Ok(result)
}
