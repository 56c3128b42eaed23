//! A study: a grid of games that is kept game by game, can be stopped and continued, and may compare versions of the
//! cards.
//!
//! Invariant: jobs are numbered, and what is kept is always the first of them without a gap, so a study that was
//! stopped any number of times ends with the same bytes as one that was not.

mod journal;
pub mod measure;
pub mod read;
mod row;

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::grid::Cell;
use crate::numbers::{Reader, Writer};
use crate::paired::Paired;
use crate::spread::{Jobs, Packed, Piece};
use crate::tally::Tally;
use crate::workers::{Workers, run_jobs};
use measure::{Measure, measures};

pub use journal::{Journal, JournalError};
pub use row::{Row, RowSeat};

/// How often finished games are written down.
const PERIOD: Duration = Duration::from_secs(1);

/// What is played.
pub struct Study<'a> {
    /// Table by table; at each table, one cell for each version of the cards.
    pub cells: Vec<Cell<'a>>,
    /// Versions of the cards: the first is compared with each of the others.
    pub versions: usize,
    /// In every cell.
    pub games: u64,
    /// By cell: how it is compared with the first version at its table.
    measures: Vec<Vec<Measure>>,
}

/// What is kept of some jobs that follow one another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    pub jobs: u64,
    /// By cell, if any of its games are among them.
    sums: BTreeMap<usize, Sums>,
    /// The games with their cells, in order.
    pub rows: Vec<(usize, Row)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sums {
    pub tally: Tally,
    /// By measure.
    pub paired: Vec<Paired>,
}

impl<'a> Study<'a> {
    /// The cells come table by table, with as many versions each.
    pub fn new(cells: Vec<Cell<'a>>, versions: usize, games: u64) -> Study<'a> {
        let measures = (0..cells.len()).map(|at| {
            let first = &cells[at - at % versions];
            let players = first.setup.rules.players;
            if at % versions == 0 { Vec::new() } else { measures([first.db, cells[at].db], players) }
        });
        let measures = measures.collect();
        Study { cells, versions, games, measures }
    }

    pub fn tables(&self) -> u64 {
        (self.cells.len() / self.versions) as u64
    }

    /// A job is one deal at one table, with every version of the cards.
    pub fn jobs(&self) -> u64 {
        self.games.saturating_mul(self.tables())
    }

    pub fn measures(&self, cell: usize) -> &[Measure] {
        &self.measures[cell]
    }

    /// What is kept of no game.
    pub fn empty_sums(&self, cell: usize) -> Sums {
        let tally = Tally::new(self.cells[cell].db);
        Sums { tally, paired: vec![Paired::default(); self.measures[cell].len()] }
    }

    /// The first cell of a job, and the number of its deal.
    fn table(&self, job: u64) -> (usize, u64) {
        ((job % self.tables()) as usize * self.versions, job / self.tables())
    }

    fn play(&self, job: u64, part: &mut Part, done: &dyn Fn()) {
        let (first, number) = self.table(job);
        part.jobs += 1;
        let mut old: Option<Tally> = None;
        for cell in first..first + self.versions {
            let sums = part.sums.entry(cell).or_insert_with(|| self.empty_sums(cell));
            if self.versions == 1 {
                part.rows.push((cell, self.cells[cell].play(number, &mut sums.tally)));
                done();
                continue;
            }
            // Compared game by game.
            let mut tally = Tally::new(self.cells[cell].db);
            part.rows.push((cell, self.cells[cell].play(number, &mut tally)));
            sums.tally.add(&tally);
            let old = old.get_or_insert_with(|| tally.clone());
            for (measure, paired) in self.measures[cell].iter().zip(&mut sums.paired) {
                paired.note(measure.ratio(old, 0), measure.ratio(&tally, 1));
            }
            done();
        }
    }

    fn put(&self, part: &Part) -> Vec<u8> {
        let mut out = Writer::default();
        out.put(part.jobs);
        for cell in 0..self.cells.len() {
            let sums = part.sums.get(&cell);
            out.put(u64::from(sums.is_some()));
            if let Some(Sums { tally, paired }) = sums {
                tally.put(&mut out);
                paired.iter().for_each(|paired| paired.put(&mut out));
            }
        }
        // Their cells follow from their order.
        part.rows.iter().for_each(|(_, row)| row.put(&mut out));
        out.finish()
    }

    /// `None` if this cannot be what is kept of these jobs.
    fn get(&self, piece: Piece, bytes: &[u8]) -> Option<Part> {
        let mut from = Reader::new(bytes);
        let jobs = piece.to.checked_sub(piece.from)?;
        let mut part = Part { jobs: from.get().filter(|many| *many == jobs)?, ..Part::default() };
        for cell in 0..self.cells.len() {
            if from.get()? == 0 {
                continue;
            }
            let mut sums = self.empty_sums(cell);
            sums.tally.fill(&mut from)?;
            for paired in &mut sums.paired {
                *paired = Paired::get(&mut from)?;
            }
            part.sums.insert(cell, sums);
        }
        let mut games = BTreeMap::<usize, u64>::new();
        for job in piece.from..piece.to {
            let (first, number) = self.table(job);
            for cell in first..first + self.versions {
                let Cell { db, setup, .. } = &self.cells[cell];
                let row = Row::get(&mut from, db, setup.rules.players).filter(|row| row.number == number)?;
                part.rows.push((cell, row));
                *games.entry(cell).or_default() += 1;
            }
        }
        // Every game has ended somehow.
        let fits = |(cell, sums): (&usize, &Sums)| {
            let tally = &sums.tally;
            games.get(cell) == Some(&tally.games) && tally.endings.values().sum::<u64>() == tally.games
        };
        let whole = part.sums.len() == games.len() && part.sums.iter().all(fits);
        (whole && from.is_at_end()).then_some(part)
    }
}

/// The jobs of a study without the first ones, which are known.
pub struct Rest<'s> {
    pub study: &'s Study<'s>,
    pub from: u64,
}

impl Rest<'_> {
    /// Plays them here. `keep` gets what was played, in order and without gaps, about once a second; if it says
    /// `false`, that is the end.
    pub fn run(&self, workers: Workers, keep: impl FnMut(Part) -> bool + Send) {
        let desk =
            Desk { waiting: BTreeMap::new(), next: 0, open: Part::default(), since: Instant::now(), keep };
        let desk = Mutex::new(desk);
        let each = |_: &mut (), job: u64| {
            let mut part = Part::default();
            self.play(job, &mut part, workers.done);
            let mut desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
            if !desk.take(job, part) {
                workers.stop.store(true, Ordering::Relaxed);
            }
        };
        run_jobs(self.jobs(), workers, || (), each);
        desk.into_inner().unwrap_or_else(PoisonError::into_inner).flush();
    }
}

/// Where finished jobs wait for those before them.
struct Desk<K> {
    waiting: BTreeMap<u64, Part>,
    next: u64,
    open: Part,
    since: Instant,
    keep: K,
}

impl<K: FnMut(Part) -> bool> Desk<K> {
    fn take(&mut self, job: u64, part: Part) -> bool {
        self.waiting.insert(job, part);
        while let Some(part) = self.waiting.remove(&self.next) {
            self.open.add(part);
            self.next += 1;
        }
        self.since.elapsed() < PERIOD || self.flush()
    }

    fn flush(&mut self) -> bool {
        self.since = Instant::now();
        let open = std::mem::take(&mut self.open);
        open.jobs == 0 || (self.keep)(open)
    }
}

impl Part {
    /// Adds jobs that follow.
    pub fn add(&mut self, other: Part) {
        self.jobs += other.jobs;
        for (cell, sums) in other.sums {
            match self.sums.get_mut(&cell) {
                Some(mine) => mine.add(&sums),
                None => drop(self.sums.insert(cell, sums)),
            }
        }
        self.rows.extend(other.rows);
    }

    pub fn sums(self) -> impl Iterator<Item = (usize, Sums)> {
        self.sums.into_iter()
    }
}

impl Sums {
    pub fn add(&mut self, other: &Sums) {
        self.tally.add(&other.tally);
        self.paired.iter_mut().zip(&other.paired).for_each(|(sum, paired)| sum.add(paired));
    }
}

impl Jobs for Rest<'_> {
    type Part = Part;

    fn jobs(&self) -> u64 {
        self.study.jobs().saturating_sub(self.from)
    }

    fn games(&self) -> u64 {
        self.study.versions as u64
    }

    fn empty(&self) -> Part {
        Part::default()
    }

    fn play(&self, job: u64, part: &mut Part, done: &dyn Fn()) {
        self.study.play(self.from + job, part, done);
    }

    fn put(&self, part: &Part) -> Packed {
        Packed { result: self.study.put(part), measured: Vec::new() }
    }

    fn get(&self, piece: Piece, packed: &Packed) -> Option<Part> {
        let piece = Piece { from: self.from.checked_add(piece.from)?, to: self.from.checked_add(piece.to)? };
        self.study.get(piece, &packed.result)
    }

    fn probe(&self) -> u64 {
        self.study.cells.iter().fold(0, |so_far, cell| cell.probe(so_far))
    }
}
