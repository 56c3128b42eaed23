//! Long runs: a bar with the time left, and Ctrl-C as a polite request to stop. Who asks twice need not wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use lab::Hands;

use crate::failure::Failure;

/// As a shell has it for a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Runs something that can be stopped. The bar, as long as there are games, is drawn on standard error, and only if
/// that is a terminal.
pub fn run<T>(games: u64, threads: usize, work: impl FnOnce(Hands) -> T) -> Result<T, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let bar = ProgressBar::new(games);
    let style = |text| ProgressStyle::with_template(text).map_err(Failure::failed);
    // Before the first game nothing is known of the time.
    bar.set_style(style("{bar:30} {human_pos} of {human_len} games")?);
    let timed = style("{bar:30} {human_pos} of {human_len} games, {eta} left")?;
    let last = style("Finishing what is under way; Ctrl-C again leaves at once.")?;
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
    let result = work(Hands { threads, stop: &stop, done: &done });
    bar.finish_and_clear();
    Ok(result)
}
