//! Laboratories and arenas on many machines: this command hosts the run, and workers (`lair work`) help.

use std::path::Path;
use std::sync::Mutex;

use bots::BotSpec;
use bus::{Address, Line};
use cards::homebrew::Homebrew;
use indicatif::ProgressBar;
use lab::arena::{Arena, Collected, Deals, Results};
use lab::grid::{self, Cell, Grid};
use lab::spread::{CellSpec, DeckSpec, Host, Jobs, Kind, OFFERS, Share, Spec, SpreadError, Status, Summary};
use lab::study::{Part, Rest, Study};
use lab::tally::Tally;
use lab::{ResumeFile, Workers};

use crate::cli;
use crate::failure::Failure;
use crate::homebrew::Library;
use crate::progress;
use crate::term::note;

/// Where an address is named wrongly, that is wrong usage; what does not work there is a failure.
pub fn address(named: Option<&str>, file: Option<&Path>) -> Result<Option<Address>, Failure> {
    Address::find(named, file).map_err(Failure::usage)
}

/// The line to the workers, if there shall be any.
pub fn line(args: &cli::Spread) -> Result<Option<Line>, Failure> {
    let Some(address) = address(args.nats.as_deref(), args.nats_file.as_deref())? else {
        return match args.workers_only {
            true => Err(Failure::usage("--workers-only needs --nats: where are the workers?")),
            false => Ok(None),
        };
    };
    let line = Line::open(&address, "lair: host of a run").map_err(Failure::failed)?;
    let runs = format!("{}.lab.run.*", bus::SUBJECTS);
    line.wait(line.bus().check_rights(&[&runs], &[OFFERS])).map_err(Failure::failed)?;
    Ok(Some(line))
}

/// A run that is shared with workers.
pub struct Shared<'a> {
    pub line: &'a Line,
    pub args: &'a cli::Spread,
    pub threads: usize,
    pub library: &'a Library,
}

impl Shared<'_> {
    /// The tally of every cell. Those of external programs are played here.
    pub fn lab(&self, cells: &[Cell], games: u64, decks: Vec<DeckSpec>) -> Result<Vec<Tally>, Failure> {
        let number = |cell: &Cell| decks_of(cells).iter().position(|db| std::ptr::eq(*db, cell.db));
        let spec_of = |cell: &&Cell| CellSpec {
            deck: number(cell).unwrap_or(0),
            setup: cell.setup.to_string(),
            bots: cell.bots.iter().map(ToString::to_string).collect(),
        };
        let split = |here: bool| {
            let all = cells.iter().enumerate().filter(move |(_, cell)| stays_here(cell) == here);
            all.unzip::<usize, &Cell, Vec<usize>, Vec<&Cell>>()
        };
        let (tracks, kinds) = ([split(false), split(true)], Kind::Lab { games });
        let spec = self.spec(lab_title(cells, games), kinds, decks, tracks[0].1.iter().map(spec_of));
        let grid = |track: usize| Grid { cells: &tracks[track].1, games };
        let (anywhere, here) = (grid(0), grid(1));
        let mut total = grid::empty(cells);
        let count = |track: usize, part: Vec<Tally>| {
            for (cell, tally) in tracks[track].0.iter().zip(&part) {
                total[*cell].add(tally);
            }
            true
        };
        let jobs = games.saturating_mul(cells.len() as u64);
        let here = Some(&here).filter(|here| !here.cells.is_empty());
        self.run(spec, jobs, &anywhere, here, count)?;
        Ok(total)
    }

    /// The jobs of a study, in order, with these card files.
    pub fn study(
        &self,
        rest: &Rest,
        files: &[&Homebrew],
        decks: Vec<DeckSpec>,
        decks_of_cells: &[usize],
        mut keep: impl FnMut(Part) -> bool + Send,
    ) -> Result<(), Failure> {
        let Study { cells, versions, games, .. } = rest.study;
        let specs = cells.iter().zip(decks_of_cells).map(|(cell, deck)| CellSpec {
            deck: *deck,
            setup: cell.setup.to_string(),
            bots: cell.bots.iter().map(ToString::to_string).collect(),
        });
        let title = format!("a study: {games} games at each of {} tables", rest.study.tables());
        let kind = Kind::Study { games: *games, versions: *versions, from: rest.from };
        let mut spec = self.spec(title, kind, decks, specs);
        spec.cards = files.iter().map(|own| (own.file.clone(), own.set.to_string())).collect();
        let nothing = Rest { study: rest.study, from: rest.study.jobs() };
        let only_here = cells.iter().any(stays_here);
        if only_here {
            note("an external program plays on this machine only: the workers are not asked\n")?;
        }
        let (anywhere, here) = if only_here { (&nothing, Some(rest)) } else { (rest, None) };
        let games = rest.jobs().saturating_mul(*versions as u64);
        self.run(spec, games, anywhere, here, |_, part| keep(part))
    }

    pub fn arena(
        &self,
        arena: &Arena,
        rounds: u64,
        resume: Option<ResumeFile>,
        deck: DeckSpec,
    ) -> Result<Results, Failure> {
        let (mut collected, known) = Collected::new(arena, rounds, resume);
        let cell = CellSpec {
            deck: 0,
            setup: arena.setup.to_string(),
            bots: arena.entrants.iter().map(ToString::to_string).collect(),
        };
        let title = format!("an arena of {}, {rounds} deals", cell.bots.join(", "));
        let spec = self.spec(title, Kind::Arena { rounds, known: known.clone() }, vec![deck], [cell]);
        let deals = Deals::new(arena, rounds, known);
        let nothing = Deals::new(arena, 0, Vec::new());
        let only_here = arena.entrants.iter().any(BotSpec::stays_here);
        if only_here {
            note("an external program plays on this machine only: the workers are not asked\n")?;
        }
        let (anywhere, here) = if only_here { (&nothing, Some(&deals)) } else { (&deals, None) };
        let games = rounds.saturating_mul(arena.seatings.len() as u64);
        self.run(spec, games, anywhere, here, |_, part| collected.add(part))?;
        collected.results().map_err(Failure::failed)
    }

    fn spec(
        &self,
        title: String,
        kind: Kind,
        decks: Vec<DeckSpec>,
        cells: impl IntoIterator<Item = CellSpec>,
    ) -> Spec {
        let own = &self.library.homebrew;
        let cards = own.iter().map(|own| (own.file.clone(), own.set.to_string())).collect();
        Spec { title, kind, cards, decks, cells: cells.into_iter().collect() }
    }

    fn run<J: Jobs>(
        &self,
        spec: Spec,
        games: u64,
        anywhere: &J,
        here: Option<&J>,
        count: impl FnMut(usize, J::Part) -> bool + Send,
    ) -> Result<(), Failure> {
        let plays = !self.args.workers_only;
        let run = |workers: Workers<'_>, bar: &ProgressBar| {
            let shown = Mutex::new(Shown { away: 0, connected: true });
            let watch = |status: &Status| show(bar, status, &shown, plays);
            let host = Host { line: self.line, spec, plays, watch: &watch };
            host.run(anywhere, here, workers, count)
        };
        let summary = progress::run_shown(games, self.threads, run)?;
        let summary = summary.map_err(|error: SpreadError| Failure::failed(error))?;
        Ok(note(told(&summary))?)
    }
}

fn stays_here(cell: &Cell) -> bool {
    cell.bots.iter().any(BotSpec::stays_here)
}

/// The decks of the cells, each once, in order.
fn decks_of<'a>(cells: &[Cell<'a>]) -> Vec<&'a cards::CardDb> {
    let mut decks: Vec<&cards::CardDb> = Vec::new();
    for cell in cells {
        if !decks.iter().any(|db| std::ptr::eq(*db, cell.db)) {
            decks.push(cell.db);
        }
    }
    decks
}

fn lab_title(cells: &[Cell], games: u64) -> String {
    match cells {
        [cell] => format!("a laboratory: {games} games of {}, {}", cell.bot_names(), cell.setup),
        cells => format!("a laboratory: {games} games at each of {} tables", cells.len()),
    }
}

/// What was noted already.
struct Shown {
    away: usize,
    connected: bool,
}

fn show(bar: &ProgressBar, status: &Status, shown: &Mutex<Shown>, plays: bool) {
    let mut shown = shown.lock().unwrap_or_else(|broken| broken.into_inner());
    let mut notes: Vec<String> = status.away[shown.away.min(status.away.len())..].to_vec();
    if status.connected != shown.connected {
        notes.push(match (status.connected, plays) {
            (true, _) => "NATS is back".into(),
            (false, true) => "NATS is gone: playing on here, and trying to reach it".into(),
            (false, false) => "NATS is gone: waiting for it".into(),
        });
    }
    *shown = Shown { away: status.away.len(), connected: status.connected };
    // If standard error is closed, there is nowhere to say it.
    let _ = bar.suspend(|| note(notes.iter().map(|line| format!("{line}\n")).collect::<String>()));
    let all: u64 = status.shares.iter().map(|share| share.games).sum();
    let percent = |share: &Share| format!("{} {} %", share.name, 100 * share.games / all.max(1));
    let mut shares: Vec<&Share> = status.shares.iter().filter(|share| !share.is_gone).collect();
    shares.sort_by_key(|share| std::cmp::Reverse(share.games));
    let mut parts: Vec<String> = shares.iter().take(3).map(|share| percent(share)).collect();
    if shares.len() > 3 {
        parts.push(format!("{} more", shares.len() - 3));
    }
    bar.set_message(format!("; {}", parts.join(", ")));
}

/// Who has done how much, in one line.
fn told(summary: &Summary) -> String {
    let part = |share: &Share| {
        let gone = if share.is_gone { " and left" } else { "" };
        let games = if share.games == 1 { "game" } else { "games" };
        format!("{} played {} {games}{gone}", share.name, share.games)
    };
    let parts: Vec<String> = summary.shares.iter().map(part).collect();
    let again = match summary.again {
        0 => String::new(),
        1 => "; one piece was given out again".into(),
        n => format!("; {n} pieces were given out again"),
    };
    format!("{}{again}\n", parts.join(", "))
}
