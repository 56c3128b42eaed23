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

    /// The rooms that may be built at this place, one bit of `places` for each place: sorted.
    fn take_builds(&mut self, slot: u8, rooms: &[CardId], places: &[u8]) -> bool {
        let mut fitting = rooms.iter().zip(places).filter(|(_, places)| **places >> slot & 1 == 1);
        fitting.all(|(card, _)| self.take(Action::Build { spot: Spot(slot), card: *card }))
    }
}

impl<F: FnMut(Action) -> bool> Sink for F {
    fn take(&mut self, action: Action) -> bool {
        self(action)
    }
}

/// A sorted list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answers {
    items: [Action; KEPT],
    /// The rank of the last one.
    last: u32,
    len: u8,
    more: bool,
}

impl Answers {
    pub const NONE: Answers = Answers { items: [Action::Pass; KEPT], last: 0, len: 0, more: false };

    /// They mostly come in order.
    #[inline]
    pub fn add(&mut self, action: Action) {
        let at = usize::from(self.len);
        if at >= KEPT {
            self.more = true;
            return;
        }
        self.items[at] = action;
        self.len += 1;
        if action.rank() >= self.last {
            self.last = action.rank();
        } else {
            self.sink(at);
        }
    }

    /// Moves the newest down to its place.
    #[inline(never)]
    fn sink(&mut self, mut at: usize) {
        let action = self.items[at];
        let rank = action.rank();
        while at > 0 && self.items[at - 1].rank() > rank {
            self.items[at] = self.items[at - 1];
            at -= 1;
        }
        self.items[at] = action;
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

    #[inline]
    fn take_builds(&mut self, slot: u8, rooms: &[CardId], places: &[u8]) -> bool {
        let spot = Spot(slot);
        let (from, mut at) = (usize::from(self.len), usize::from(self.len));
        let in_order =
            rooms.first().is_some_and(|card| Action::Build { spot, card: *card }.rank() >= self.last);
        if from + rooms.len() > KEPT || !in_order {
            for (card, places) in rooms.iter().zip(places) {
                if places >> slot & 1 == 1 {
                    self.add(Action::Build { spot, card: *card });
                }
            }
            return true;
        }
        for (card, places) in rooms.iter().zip(places) {
            self.items[at] = Action::Build { spot, card: *card };
            at += usize::from(places >> slot & 1);
        }
        self.len = at as u8;
        if at > from {
            self.last = self.items[at - 1].rank();
        }
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
        self.s.answers = self.board().answers();
    }

    /// Leaves a question whose answers are known already.
    pub fn ask_among(&mut self, seat: Seat, kind: AskKind, answers: Answers) {
        self.s.ask = Some(Ask { seat, kind });
        self.s.answers = answers;
    }

    pub fn withdraw_question(&mut self) -> Option<Ask> {
        self.s.answers.forget();
        self.s.ask.take()
    }
}
