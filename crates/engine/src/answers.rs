//! The answers to the present question, worked out once when it is asked: `legal` copies them, `apply` looks
//! the action up. They follow from the rest of the state, so bytes leave them out and a view keeps only the
//! viewer's own.

use crate::acts::Table;
use crate::ask::{Action, Actions};
use crate::event::Log;
use crate::id::{CardId, Seat, Spot};
use crate::query::Board;
use crate::state::{Ask, AskKind};

/// Answers that are kept. With more, as in a search through a deck, they are worked out again when needed.
const KEPT: usize = 30;

/// Where actions are listed one after the other.
pub(crate) trait Sink {
    /// `false`: that is enough.
    fn take(&mut self, action: Action) -> bool;

    /// Those of the rooms that may be built at this place, by id; `places` has a bit for each place of a room.
    fn take_builds(&mut self, slot: u8, rooms: &Handful<CardId>, places: &Handful<u8>) -> bool {
        let mut fitting = rooms.iter().zip(places).filter(|(_, places)| **places >> slot & 1 == 1);
        fitting.all(|(card, _)| self.take(Action::Build { spot: Spot(slot), card: *card }))
    }
}

/// So many rooms of a hand are looked at together; mostly that is all of them.
pub(crate) type Handful<T> = [T; 8];

impl<F: FnMut(Action) -> bool> Sink for F {
    fn take(&mut self, action: Action) -> bool {
        self(action)
    }
}

/// A sorted list.
#[derive(Clone, Copy, Debug)]
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

    /// They mostly come in order.
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

    /// Is the action one of them, if they are kept? All are looked at, without a branch for each.
    pub fn hold(&self, action: Action) -> Option<bool> {
        let (len, rank) = (self.kept()?.len(), action.rank());
        let is_it = |at: usize| u32::from(self.ranks[at] == rank) << at;
        let found = (0..KEPT).fold(0, |found, at| found | is_it(at));
        Some(found & ((1 << len) - 1) != 0)
    }

    pub fn forget(&mut self) {
        (self.last, self.len, self.more) = (0, 0, false);
    }

    /// How many there are, or at least are.
    pub fn count(&self) -> usize {
        usize::from(self.len) + usize::from(self.more)
    }

    pub fn only(&self) -> Option<Action> {
        (self.count() == 1).then_some(self.items[0])
    }

    /// Copies them if they are kept, and says how many they are. A copy of fixed size is the cheaper one.
    #[inline]
    pub fn copy_to(&self, out: &mut [Action; Actions::MAX]) -> Option<usize> {
        let len = self.kept()?.len();
        out[..KEPT].copy_from_slice(&self.items);
        Some(len)
    }

    /// All of them, if they are kept.
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

    /// Every room is written down, and the next one over it where it does not fit.
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

impl<L: Log> Table<'_, L> {
    /// Leaves a question, even if there is only one answer.
    pub fn ask_anyway(&mut self, seat: Seat, kind: AskKind) {
        self.s.ask = Some(Ask { seat, kind });
        self.answers.forget();
        Board { db: self.db, s: self.s }.each_legal(&mut |action| {
            self.answers.add(action);
            true
        });
    }

    /// Leaves a question whose answers have been put together.
    pub fn ask_among_those(&mut self, seat: Seat, kind: AskKind) {
        self.s.ask = Some(Ask { seat, kind });
    }

    pub fn withdraw_question(&mut self) -> Option<Ask> {
        self.answers.forget();
        self.s.ask.take()
    }
}
