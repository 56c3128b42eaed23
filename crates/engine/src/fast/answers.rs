//! A cache of the answers to the present question, computed once when it is asked: `legal` copies
//! them, `apply` looks the action up. They follow from the rest of the state, so the encoding
//! leaves them out, and a view keeps only the viewer's own. Must agree with `Board::each_legal` in
//! `ask/mod.rs`.

use crate::acts::Runner;
use crate::api::event::Log;
use crate::ask::{Action, Actions};
use crate::code::query::Board;
use crate::model::id::{CardId, Seat, Spot};
use crate::model::state::{Ask, AskKind};

/// How many answers are cached. If there are more, as in a search through a deck, they are listed
/// again when needed.
const KEPT: usize = 30;

/// Takes actions one after the other.
pub(crate) trait Sink {
    /// Returns `false` to stop.
    fn take(&mut self, action: Action) -> bool;

    /// Builds at this place, for those of the rooms that fit, by id; `places` has a room's places
    /// as bits.
    fn take_builds(&mut self, slot: u8, rooms: &Handful<CardId>, places: &Handful<u8>) -> bool {
        let mut fitting = rooms.iter().zip(places).filter(|(_, places)| **places >> slot & 1 == 1);
        fitting.all(|(card, _)| self.take(Action::Build { spot: Spot(slot), card: *card }))
    }
}

/// Rooms of a hand handled together; usually that is all of them.
pub(crate) type Handful<T> = [T; 8];

impl<F: FnMut(Action) -> bool> Sink for F {
    fn take(&mut self, action: Action) -> bool {
        self(action)
    }
}

/// A sorted list. What lies beyond `len` is never handed out.
#[derive(Debug)]
pub(crate) struct Answers {
    items: [Action; KEPT],
    /// Their ranks, by which they are compared.
    ranks: [u32; KEPT],
    /// The rank of the last one.
    last: u32,
    len: u8,
    more: bool,
}

impl Answers {
    pub const NONE: Answers =
        Answers { items: [Action::Pass; KEPT], ranks: [0; KEPT], last: 0, len: 0, more: false };

    /// Actions usually come in order.
    #[inline]
    pub fn add(&mut self, action: Action) {
        let at = usize::from(self.len);
        if at >= KEPT {
            self.more = true;
            return;
        }
        let rank = action.rank();
        (self.items[at], self.ranks[at]) = (action, rank);
        self.len += 1;
        if rank >= self.last {
            self.last = rank;
        } else {
            self.sink(at);
        }
    }

    /// Moves the newest down to its place.
    #[inline(never)]
    fn sink(&mut self, mut at: usize) {
        let (action, rank) = (self.items[at], self.ranks[at]);
        while at > 0 && self.ranks[at - 1] > rank {
            (self.items[at], self.ranks[at]) = (self.items[at - 1], self.ranks[at - 1]);
            at -= 1;
        }
        (self.items[at], self.ranks[at]) = (action, rank);
    }

    #[cold]
    fn take_builds_singly(&mut self, slot: u8, rooms: &Handful<CardId>, places: &Handful<u8>) -> bool {
        (|action| self.take(action)).take_builds(slot, rooms, places)
    }

    /// Is the action one of them? `None` if they are not all cached.
    pub fn hold(&self, action: Action) -> Option<bool> {
        let (len, rank) = (self.kept()?.len(), action.rank());
        // Usually there are few.
        let found =
            if len <= KEPT / 2 { self.ranked::<{ KEPT / 2 }>(rank) } else { self.ranked::<KEPT>(rank) };
        Some(found & ((1 << len) - 1) != 0)
    }

    /// Which of the first `N` have this rank, one bit each. Branch-free.
    #[inline(always)]
    fn ranked<const N: usize>(&self, rank: u32) -> u32 {
        (0..N).fold(0, |found, at| found | u32::from(self.ranks[at] == rank) << at)
    }

    pub fn forget(&mut self) {
        (self.last, self.len, self.more) = (0, 0, false);
    }

    /// How many there are, or a lower bound above `KEPT`.
    pub fn count(&self) -> usize {
        usize::from(self.len) + usize::from(self.more)
    }

    pub fn only(&self) -> Option<Action> {
        (self.count() == 1).then_some(self.items[0])
    }

    /// Copies them if all are cached, and returns how many. A copy of fixed size is cheaper.
    #[inline]
    pub fn copy_to(&self, out: &mut [Action; Actions::MAX]) -> Option<usize> {
        let len = self.kept()?.len();
        out[..KEPT].copy_from_slice(&self.items);
        Some(len)
    }

    /// All of them, if they are cached.
    pub fn kept(&self) -> Option<&[Action]> {
        (self.len > 0 && !self.more).then(|| &self.items[..usize::from(self.len)])
    }
}

impl Sink for Answers {
    #[inline]
    fn take(&mut self, action: Action) -> bool {
        self.add(action);
        true
    }

    /// Branch-free: every room is written, and overwritten by the next if it does not fit.
    #[inline]
    fn take_builds(&mut self, slot: u8, rooms: &Handful<CardId>, places: &Handful<u8>) -> bool {
        let build = |card: CardId| Action::Build { spot: Spot(slot), card };
        let mut at = usize::from(self.len);
        if at + rooms.len() > KEPT || build(rooms[0]).rank() < self.last {
            return self.take_builds_singly(slot, rooms, places);
        }
        for (card, places) in rooms.iter().zip(places) {
            (self.items[at], self.ranks[at]) = (build(*card), build(*card).rank());
            at += usize::from(places >> slot & 1);
        }
        self.len = at as u8;
        self.last = self.ranks[at.saturating_sub(1)];
        true
    }
}

impl Clone for Answers {
    fn clone(&self) -> Answers {
        let Answers { items, ranks, last, len, more } = *self;
        Answers { items, ranks, last, len, more }
    }

    #[inline]
    fn clone_from(&mut self, source: &Answers) {
        let Answers { items, ranks, last, len, more } = source;
        let used = usize::from(*len).min(KEPT);
        self.items[..used].copy_from_slice(&items[..used]);
        self.ranks[..used].copy_from_slice(&ranks[..used]);
        (self.last, self.len, self.more) = (*last, *len, *more);
    }
}

impl PartialEq for Answers {
    fn eq(&self, other: &Answers) -> bool {
        self.kept() == other.kept()
    }
}
impl Eq for Answers {}

impl Board<'_> {
    pub fn answers(&self) -> Answers {
        let mut answers = Answers::NONE;
        self.each_legal(&mut |action| {
            answers.add(action);
            true
        });
        answers
    }
}

impl<L: Log> Runner<'_, L> {
    /// Asks, even if there is only one answer.
    pub fn ask_anyway(&mut self, seat: Seat, kind: AskKind) {
        self.s.ask = Some(Ask { seat, kind });
        self.answers.forget();
        Board { db: self.db, s: self.s }.each_legal(&mut |action| {
            self.answers.add(action);
            true
        });
    }

    /// Asks a question whose answers have already been collected.
    pub fn ask_collected(&mut self, seat: Seat, kind: AskKind) {
        self.s.ask = Some(Ask { seat, kind });
    }

    pub fn withdraw_question(&mut self) -> Option<Ask> {
        self.answers.forget();
        self.s.ask.take()
    }
}
