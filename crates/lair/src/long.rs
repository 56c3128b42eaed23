//! Long runs: a bar with the time left, and Ctrl-C as a polite request to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use lab::Hands;

use crate::failure::Failure;

/// Runs something that can be stopped. `total` jobs of `each` games make the length of the bar, which is drawn on
/// standard error, and only if that is a terminal.
pub fn run<T>(total: u64, each: u64, threads: usize, work: impl FnOnce(Hands) -> T) -> Result<T, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stop);
    ctrlc::set_handler(move || heard.store(true, Ordering::Relaxed)).map_err(Failure::failed)?;
    let bar = ProgressBar::new(total.saturating_mul(each));
    let style = ProgressStyle::with_template("{bar:30} {human_pos} of {human_len} games, {eta} left");
    bar.set_style(style.map_err(Failure::failed)?);
    let done = || bar.inc(each);
    let result = work(Hands { threads, stop: &stop, done: &done });
    bar.finish_and_clear();
    Ok(result)
}
