//! Who plays which jobs: pure bookkeeping, without threads, messages or a clock of its own.
//!
//! Invariants: every job is counted once, whoever played it and however often; results are handed on in the order of
//! the jobs, so that whenever it stops the jobs counted are the first ones, without gaps; what is given out or waits
//! for an earlier piece is bounded by the window. Of what others have played, a sample is played again here.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// How long a piece should take to play: long enough that giving it out costs nothing, short enough that little is
/// lost with a worker.
const WANTED: Duration = Duration::from_millis(700);
/// The most jobs of a piece.
const MOST: u64 = 4096;
/// A piece that somebody still plays is given to somebody else as well after this many times what it should take,
const OVERDUE: u32 = 4;
/// and not before this time.
const OVERDUE_AT_LEAST: Duration = Duration::from_secs(5);
/// How many pieces with more than one answer to come are remembered, to compare the answers.
const REMEMBERED: usize = 256;

/// The first piece of every party is checked, and then one of so many.
const CHECKED: u64 = 64;

/// Somebody who plays, by number.
pub type Party = usize;
/// This machine.
pub const HERE: Party = 0;

/// Jobs `from..to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Piece {
    pub from: u64,
    pub to: u64,
}

impl Piece {
    pub fn jobs(self) -> u64 {
        self.to - self.from
    }
}

/// What a party shall do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Play(Piece),
    /// Play what another party has played, to compare.
    Check(Piece),
    /// Everything is being played, or waits for a piece that is.
    Wait,
    Over,
}

/// What became of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// This many jobs are counted now, or will be once the earlier ones are there.
    Kept(u64),
    /// Somebody else was first.
    Known,
    /// Somebody else was first, with another answer.
    Differs { first: Party },
}

/// An answer: the jobs that were played, beginning with the first of the piece.
pub struct Answer<R> {
    pub piece: Piece,
    /// The end of what was played; less than `piece.to` if the party was stopped.
    pub done: u64,
    pub result: R,
    /// A hash of the result.
    pub hash: u64,
    pub took: Duration,
}

struct Out {
    to: u64,
    holders: Vec<Holder>,
}

struct Holder {
    party: Party,
    since: Instant,
    /// Nothing was heard of it for too long: its answer is not waited for, but still welcome.
    lost: bool,
}

struct Settled {
    piece: Piece,
    hash: u64,
    first: Party,
    /// Who may still answer.
    others: Vec<Party>,
}

pub struct Ledger<R> {
    jobs: u64,
    /// The first job that was never given out.
    next: u64,
    /// Jobs before this one have been handed on.
    counted: u64,
    /// Given out, or to be given out again, by first job.
    out: BTreeMap<u64, Out>,
    /// Answered, but something before is missing.
    ready: BTreeMap<u64, (u64, R)>,
    settled: VecDeque<Settled>,
    /// How many pieces of each party were kept; `None` if nothing is checked.
    kept: Option<BTreeMap<Party, u64>>,
    /// To be checked, and how many are being checked.
    to_check: VecDeque<Piece>,
    checking: usize,
    /// Seconds that a job takes, on average of late.
    pace: Option<f64>,
    /// How many pieces had to be given out again.
    again: u64,
    stopped: bool,
}

impl<R> Ledger<R> {
    /// `checks`: a sample of what others play is played again here.
    pub fn new(jobs: u64, checks: bool) -> Ledger<R> {
        Ledger {
            jobs,
            next: 0,
            counted: 0,
            out: BTreeMap::new(),
            ready: BTreeMap::new(),
            settled: VecDeque::new(),
            kept: checks.then(BTreeMap::new),
            to_check: VecDeque::new(),
            checking: 0,
            pace: None,
            again: 0,
            stopped: false,
        }
    }

    /// What this party plays next, if `parties` play at once.
    pub fn take(&mut self, party: Party, parties: usize, now: Instant) -> Next {
        if self.stopped {
            return Next::Over;
        }
        if party == HERE
            && let Some(piece) = self.to_check.pop_front()
        {
            self.checking += 1;
            return Next::Check(piece);
        }
        if self.counted == self.jobs {
            return Next::Over;
        }
        let again = self.out.iter().find(|(_, out)| out.holders.iter().all(|holder| holder.lost));
        let from = match again.map(|(from, _)| *from) {
            Some(from) => from,
            None if self.next < self.jobs && self.out.len() + self.ready.len() < window(parties) => {
                let to = (self.next + self.size(parties)).min(self.jobs);
                let from = std::mem::replace(&mut self.next, to);
                self.out.insert(from, Out { to, holders: Vec::new() });
                from
            }
            None => match self.overdue(party, now) {
                Some(from) => from,
                None => return Next::Wait,
            },
        };
        let Some(out) = self.out.get_mut(&from) else { return Next::Wait };
        self.again += u64::from(!out.holders.is_empty());
        out.holders.retain(|holder| holder.party != party);
        out.holders.push(Holder { party, since: now, lost: false });
        Next::Play(Piece { from, to: out.to })
    }

    /// So many jobs that they take as long as wanted; fewer near the end, so that all finish together.
    fn size(&self, parties: usize) -> u64 {
        let wanted = self.pace.map_or(1.0, |pace| WANTED.as_secs_f64() / pace.max(1e-9)).round() as u64;
        let share = (self.jobs - self.next) / (2 * parties.max(1) as u64);
        wanted.min(share).clamp(1, MOST)
    }

    /// A piece that another party has had for too long.
    fn overdue(&self, party: Party, now: Instant) -> Option<u64> {
        let late = |from: u64, out: &Out| {
            let jobs = (out.to - from) as f64;
            let due = Duration::from_secs_f64(self.pace.unwrap_or(0.0) * jobs) * OVERDUE;
            let due = due.max(OVERDUE_AT_LEAST);
            let living = out.holders.iter().filter(|holder| !holder.lost);
            out.holders.iter().all(|holder| holder.party != party)
                && living.clone().count() == 1
                && living.clone().all(|holder| now.duration_since(holder.since) > due)
        };
        self.out.iter().find(|(from, out)| late(**from, out)).map(|(from, _)| *from)
    }

    /// Takes an answer. What is complete without a gap is handed on.
    pub fn give(&mut self, party: Party, answer: Answer<R>, mut count: impl FnMut(Piece, R)) -> Taken {
        let Answer { piece, done, result, hash, took } = answer;
        let open = self.out.get(&piece.from).is_some_and(|out| out.to == piece.to);
        if !open || done <= piece.from || done > piece.to {
            if open {
                self.release(party, piece);
            }
            return self.compare(party, Piece { from: piece.from, to: done }, hash);
        }
        let out = self.out.remove(&piece.from);
        let others = out.into_iter().flat_map(|out| out.holders).map(|holder| holder.party);
        let mut others: Vec<Party> = others.filter(|other| *other != party).collect();
        let played = Piece { from: piece.from, to: done };
        if let (Some(kept), true) = (&mut self.kept, party != HERE) {
            let pieces = kept.entry(party).or_default();
            if *pieces % CHECKED == 0 && !others.contains(&HERE) {
                others.push(HERE);
                self.to_check.push_back(played);
            }
            *pieces += 1;
        }
        if done < piece.to {
            self.out.insert(done, Out { to: piece.to, holders: Vec::new() });
        }
        if !others.is_empty() {
            self.settled.push_back(Settled { piece: played, hash, first: party, others });
            if self.settled.len() > REMEMBERED {
                self.settled.pop_front();
            }
        }
        let each = took.as_secs_f64() / played.jobs() as f64;
        self.pace = Some(self.pace.map_or(each, |pace| 0.8 * pace + 0.2 * each));
        self.ready.insert(piece.from, (done, result));
        while let Some((to, result)) = self.ready.remove(&self.counted) {
            count(Piece { from: self.counted, to }, result);
            self.counted = to;
        }
        Taken::Kept(played.jobs())
    }

    /// This machine has checked a piece, as far as it came.
    pub fn checked(&mut self, piece: Piece, hash: u64) -> Taken {
        self.checking -= 1;
        self.compare(HERE, piece, hash)
    }

    fn compare(&mut self, party: Party, piece: Piece, hash: u64) -> Taken {
        let Some(at) = self.settled.iter().position(|settled| settled.piece == piece) else {
            return Taken::Known;
        };
        let settled = &mut self.settled[at];
        if !settled.others.contains(&party) {
            return Taken::Known;
        }
        if settled.hash != hash {
            return Taken::Differs { first: settled.first };
        }
        settled.others.retain(|other| *other != party);
        if settled.others.is_empty() {
            self.settled.remove(at);
        }
        Taken::Known
    }

    /// The party gives a piece back unplayed.
    pub fn release(&mut self, party: Party, piece: Piece) {
        if let Some(out) = self.out.get_mut(&piece.from).filter(|out| out.to == piece.to) {
            out.holders.retain(|holder| holder.party != party);
        }
    }

    /// What this party has and `lost` says of is given to others, should they ask.
    pub fn doubt(&mut self, party: Party, lost: impl Fn(Piece, Instant) -> bool) {
        for (from, out) in &mut self.out {
            let piece = Piece { from: *from, to: out.to };
            for holder in out.holders.iter_mut().filter(|holder| holder.party == party) {
                holder.lost |= lost(piece, holder.since);
            }
        }
    }

    /// Nothing more is given out.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Everything is counted; or it was stopped and nobody plays any more.
    pub fn is_over(&self) -> bool {
        let playing = |out: &Out| out.holders.iter().any(|holder| !holder.lost);
        let all = self.counted == self.jobs && self.to_check.is_empty() && self.checking == 0;
        all || self.stopped && !self.out.values().any(playing)
    }

    pub fn again(&self) -> u64 {
        self.again
    }
}

/// How many pieces may be on their way at once.
fn window(parties: usize) -> usize {
    4 * parties.max(1) + 4
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// A ledger whose results are the jobs themselves.
    struct Desk {
        ledger: Ledger<Vec<u64>>,
        counted: Vec<u64>,
        now: Instant,
    }

    impl Desk {
        fn new(jobs: u64) -> Desk {
            Desk { ledger: Ledger::new(jobs, false), counted: Vec::new(), now: Instant::now() }
        }

        fn take(&mut self, party: Party) -> Next {
            self.ledger.take(party, 2, self.now)
        }

        fn piece(&mut self, party: Party) -> Piece {
            match self.take(party) {
                Next::Play(piece) => piece,
                next => panic!("{next:?}"),
            }
        }

        fn give(&mut self, party: Party, piece: Piece, done: u64, hash: u64) -> Taken {
            let result = (piece.from..done).collect();
            let answer = Answer { piece, done, result, hash, took: SECOND };
            let counted = &mut self.counted;
            let in_order = |piece: Piece, result: Vec<u64>| {
                assert_eq!(result.len() as u64, piece.jobs());
                counted.extend(result);
            };
            self.ledger.give(party, answer, in_order)
        }

        fn ends_with(mut self, jobs: u64) {
            while let Next::Play(piece) = self.take(0) {
                self.give(0, piece, piece.to, 0);
            }
            assert!(self.ledger.is_over());
            assert_eq!(self.counted, (0..jobs).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_piece_of_a_lost_party_is_played_by_another_and_counted_once() {
        let mut desk = Desk::new(10);
        let first = desk.piece(1);
        let second = desk.piece(2);
        assert_eq!(desk.give(2, second, second.to, 7), Taken::Kept(1));
        assert!(desk.counted.is_empty(), "the first is missing");
        desk.ledger.doubt(1, |_, _| true);
        assert_eq!(desk.piece(2), first);
        assert_eq!(desk.give(2, first, first.to, 7), Taken::Kept(1));
        assert_eq!(desk.counted, [0, 1]);
        // Later the first party wakes up, and says the same.
        assert_eq!(desk.give(1, first, first.to, 7), Taken::Known);
        assert_eq!(desk.give(1, first, first.to, 8), Taken::Known, "it has said so already");
        desk.ends_with(10);
    }

    #[test]
    fn a_late_answer_is_kept_if_nobody_else_has_answered() {
        let mut desk = Desk::new(10);
        let first = desk.piece(1);
        desk.ledger.doubt(1, |_, _| true);
        assert_eq!(desk.piece(2), first);
        assert_eq!(desk.give(1, first, first.to, 7), Taken::Kept(1));
        assert_eq!(desk.give(2, first, first.to, 9), Taken::Differs { first: 1 });
    }

    #[test]
    fn what_a_stopped_party_has_not_played_is_given_to_another() {
        let mut desk = Desk::new(100_000);
        let one = desk.piece(1);
        desk.ledger.pace = Some(0.01);
        assert_eq!(desk.give(1, one, one.to, 0), Taken::Kept(1));
        desk.ledger.pace = Some(0.01);
        let many = desk.piece(1);
        assert_eq!(many.jobs(), 70);
        assert_eq!(desk.give(1, many, many.from + 3, 0), Taken::Kept(3));
        assert_eq!(desk.piece(2), Piece { from: many.from + 3, to: many.to });
        // A piece that was given back unplayed is the next again.
        let next = desk.piece(1);
        assert_eq!(desk.give(1, next, next.from, 0), Taken::Known);
        assert_eq!(desk.piece(1), next);
    }

    #[test]
    fn nobody_runs_far_ahead_of_a_missing_piece() {
        let mut desk = Desk::new(1_000);
        let first = desk.piece(1);
        let mut ahead = 0;
        while let Next::Play(piece) = desk.take(2) {
            desk.give(2, piece, piece.to, 0);
            desk.ledger.pace = None;
            ahead += 1;
        }
        assert_eq!(ahead, window(2) - 1);
        desk.now += OVERDUE_AT_LEAST + SECOND;
        assert_eq!(desk.piece(2), first, "overdue: somebody else plays it as well");
        assert_eq!(desk.take(3), Next::Wait, "but not a third one");
        desk.give(2, first, first.to, 0);
        assert_eq!(desk.counted.len(), window(2));
        desk.ends_with(1_000);
    }

    #[test]
    fn whenever_it_stops_the_first_jobs_are_counted_without_gaps() {
        let mut desk = Desk::new(1_000);
        let (first, second, third) = (desk.piece(1), desk.piece(2), desk.piece(3));
        desk.give(1, first, first.to, 0);
        desk.give(3, third, third.to, 0);
        desk.ledger.stop();
        assert_eq!(desk.take(1), Next::Over);
        assert!(!desk.ledger.is_over(), "the second piece is being played");
        desk.ledger.doubt(2, |_, _| true);
        assert!(desk.ledger.is_over());
        assert_eq!(desk.counted, [0], "the third is dropped, as the second is missing");
        desk.give(2, second, second.to, 0);
        assert_eq!(desk.counted, [0, 1, 2]);
    }

    #[test]
    fn the_first_piece_of_everybody_else_and_some_later_ones_are_checked() {
        let mut desk = Desk { ledger: Ledger::new(1_000, true), ..Desk::new(0) };
        let mut checks = 0;
        for n in 0..2 * CHECKED {
            let piece = desk.piece(1);
            desk.ledger.pace = Some(1.0);
            desk.give(1, piece, piece.to, n);
            desk.ledger.pace = Some(1.0);
            let next = desk.take(HERE);
            if let Next::Play(mine) = next {
                desk.give(HERE, mine, mine.to, 0);
            }
            if let Next::Check(again) = next {
                checks += 1;
                assert_eq!((again, n % CHECKED), (piece, 0));
                assert!(!desk.ledger.is_over());
                let (hash, expected) = match n {
                    0 => (n, Taken::Known),
                    _ => (n + 1, Taken::Differs { first: 1 }),
                };
                assert_eq!(desk.ledger.checked(again, hash), expected);
            }
        }
        assert_eq!(checks, 2);
    }

    #[test]
    fn pieces_follow_the_pace_and_get_small_towards_the_end() {
        let mut desk = Desk::new(10_000);
        let one = desk.piece(1);
        assert_eq!(one.jobs(), 1, "nothing is known of the pace");
        desk.give(1, one, one.to, 0);
        desk.ledger.pace = Some(0.001);
        assert_eq!(desk.piece(1).jobs(), 700);
        desk.ledger.pace = Some(0.000_001);
        assert_eq!(desk.piece(1).jobs(), (10_000 - 701) / 4);
        desk.ledger.pace = Some(100.0);
        assert_eq!(desk.piece(1).jobs(), 1);
    }
}
