//! `lair work`: offers the cores of this machine to runs that are hosted elsewhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bots::far;
use bus::Line;
use lab::Workers;
use lab::spread::{News, OFFERS, Worker};

use crate::cli::Work;
use crate::failure::Failure;
use crate::homebrew::Library;
use crate::spread;
use crate::term::{note, printable};
use crate::work_think::Thinker;

/// The exit code shells use for an interrupted program.
const INTERRUPTED: i32 = 130;

pub fn run(args: &Work, library: Library) -> Result<(), Failure> {
    let Some(address) = spread::address(args.nats.as_deref(), args.nats_file.as_deref())? else {
        return Err(Failure::usage(
            "where is the work? Name a NATS server: --nats nats://HOST:4222, or LAIR_NATS",
        ));
    };
    let name = args.name.clone().unwrap_or_else(machine);
    let stop = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stop);
    let stopping = move || {
        if heard.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        let _ = note("finishing the games in progress; press Ctrl-C again to quit at once\n");
    };
    ctrlc::set_handler(stopping).map_err(Failure::failed)?;
    let line = Line::open(&address, &format!("lair: worker {name}")).map_err(Failure::failed)?;
    let runs = format!("{}.lab.run.rights", bus::SUBJECTS);
    line.wait(line.bus().check_rights(&[OFFERS, far::SUBJECT], &[&runs])).map_err(Failure::failed)?;
    let threads = Workers { threads: args.threads, stop: &stop, done: &|| {} }.count();
    note(format!("{name} at {address}: {threads} {}\n", if threads == 1 { "thread" } else { "threads" }))?;
    let thinker = Thinker::start(&line, library.sets, threads)?;
    let worker = Worker { line: &line, name, threads, stop: &stop, tell: &tell };
    worker.work().map_err(Failure::failed)?;
    thinker.end(&line);
    Ok(())
}

fn tell(news: News) {
    let text = match news {
        News::Waiting => "waiting for work".into(),
        News::Begins { title } => format!("playing {}", printable(title)),
        News::TurnedAway { why } => format!("turned away: {}", printable(why)),
        News::Ends { games, lost: false } => format!("done: {games} games"),
        News::Ends { games, lost: true } => format!("after {games} games nobody answers any more"),
    };
    // If standard error is closed, there is nowhere to say it.
    let _ = note(format!("{text}\n"));
}

/// The name of this machine, with the number of the process.
fn machine() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").ok().or_else(|| {
        let set = |name| std::env::var(name).ok();
        set("HOSTNAME").or_else(|| set("COMPUTERNAME"))
    });
    let host = host.unwrap_or_default();
    let host = if host.trim().is_empty() { "worker" } else { host.trim() };
    format!("{host}/{}", std::process::id())
}
