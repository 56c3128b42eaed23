//! The deals of an arena as jobs for many machines. Those that are known already are no jobs.

use super::{Arena, GameResult, Results, Round};
use crate::numbers::{Reader, Writer};
use crate::resume::{ResumeError, ResumeFile};
use crate::seated::{SeatedBot, derive_seed, play_some};
use crate::spread::{self, Jobs, Packed, Piece};
use crate::thinking_time::ThinkingTime;

pub struct Deals<'a> {
    arena: &'a Arena<'a>,
    rounds: u64,
    /// Ranges of deals, in order and apart.
    known: Vec<(u64, u64)>,
}

/// The rounds of some deals, in their order, and how long everyone thought.
pub struct Part {
    rounds: Vec<(u64, Round)>,
    thinking: Vec<ThinkingTime>,
}

impl<'a> Deals<'a> {
    pub fn new(arena: &'a Arena<'a>, rounds: u64, known: Vec<(u64, u64)>) -> Deals<'a> {
        Deals { arena, rounds, known }
    }

    /// The number of the deal that a job is.
    fn deal(&self, job: u64) -> u64 {
        let mut deal = job;
        for (from, to) in &self.known {
            if *from > deal {
                break;
            }
            deal = deal.saturating_add(to.saturating_sub(*from));
        }
        deal
    }
}

/// What comes back from all machines, added to what a file has.
pub struct Collected {
    results: Results,
    resume: Option<ResumeFile>,
    failure: Option<ResumeError>,
}

impl Collected {
    /// With the deals of the file, which are told as ranges.
    pub fn new(arena: &Arena, rounds: u64, mut resume: Option<ResumeFile>) -> (Collected, Vec<(u64, u64)>) {
        let thinking = vec![ThinkingTime::default(); arena.entrants.len()];
        let mut results = Results { rounds: Default::default(), thinking };
        let mut known: Vec<(u64, u64)> = Vec::new();
        let kept = resume.as_mut().map(ResumeFile::take_rounds).unwrap_or_default();
        for (deal, round) in kept.into_iter().filter(|(deal, _)| *deal < rounds) {
            *results.rounds.entry(round).or_default() += 1;
            match known.last_mut() {
                Some((_, to)) if *to == deal => *to += 1,
                _ => known.push((deal, deal + 1)),
            }
        }
        (Collected { results, resume, failure: None }, known)
    }

    /// `false` if the file cannot be written: then nothing is worth playing.
    pub fn add(&mut self, part: Part) -> bool {
        for (deal, round) in part.rounds {
            if let (Some(file), None) = (&mut self.resume, &self.failure) {
                self.failure = file.add(deal, &round).err();
            }
            *self.results.rounds.entry(round).or_default() += 1;
        }
        self.results.thinking.iter_mut().zip(&part.thinking).for_each(|(sum, of)| sum.add(of));
        self.failure.is_none()
    }

    pub fn results(self) -> Result<Results, ResumeError> {
        self.failure.map_or(Ok(self.results), Err)
    }
}

impl Jobs for Deals<'_> {
    type Part = Part;

    fn jobs(&self) -> u64 {
        let known = self.known.iter().map(|(from, to)| to.saturating_sub(*from)).sum();
        self.rounds.saturating_sub(known)
    }

    fn games(&self) -> u64 {
        self.arena.seatings.len() as u64
    }

    fn empty(&self) -> Part {
        Part { rounds: Vec::new(), thinking: vec![ThinkingTime::default(); self.arena.entrants.len()] }
    }

    fn play(&self, job: u64, part: &mut Part, done: &dyn Fn()) {
        let deal = self.deal(job);
        let round = self.arena.round(deal, &mut part.thinking, done);
        part.rounds.push((deal, round));
    }

    fn put(&self, part: &Part) -> Packed {
        let mut result = Writer::default();
        for GameResult { won, forfeited } in part.rounds.iter().flat_map(|(_, round)| round) {
            result.put(u64::from(*won));
            result.put(u64::from(*forfeited));
        }
        let mut measured = Writer::default();
        part.thinking.iter().for_each(|thinking| thinking.put(&mut measured));
        Packed { result: result.finish(), measured: measured.finish() }
    }

    fn get(&self, piece: Piece, packed: &Packed) -> Option<Part> {
        let mut from = Reader::new(&packed.result);
        let mut rounds = Vec::new();
        for job in piece.from..piece.to {
            let mut round = Round::new();
            for seating in &self.arena.seatings {
                let number = |from: &mut Reader| u16::try_from(from.get()?).ok();
                let ended = GameResult { won: number(&mut from)?, forfeited: number(&mut from)? };
                round.push(Some(ended).filter(|ended| ended.is_possible(seating))?);
            }
            rounds.push((self.deal(job), round));
        }
        let mut times = Reader::new(&packed.measured);
        let thinking = self.arena.entrants.iter().map(|_| ThinkingTime::get(&mut times));
        let thinking = thinking.collect::<Option<Vec<_>>>()?;
        (from.is_at_end() && times.is_at_end()).then_some(Part { rounds, thinking })
    }

    fn probe(&self) -> u64 {
        let Arena { entrants, setup, dealer, .. } = self.arena;
        let seats = usize::from(setup.rules.players);
        entrants.iter().fold(0, |so_far, bot| {
            let mut game = dealer.deal(setup.seed.nth(0).0, &mut ());
            let seated = |seat| SeatedBot::new(bot, derive_seed(setup.seed.number(), 0, 0, seat));
            let mut bots: Vec<SeatedBot> = (0..seats as u64).map(seated).collect();
            play_some(&mut game, &mut bots, spread::PROBED);
            spread::probe(so_far, &game)
        })
    }
}
