//! Armed cards: what a player wants to use at the next chance, or when something happens.
//!
//! At the first moment that fits and where it is allowed, the table uses the card if its player would have nothing to
//! choose. Otherwise it asks them: against bots whatever their stops say, with other people at the table only where their
//! stops ask anyway. A wish ends when the card is used, when its player passes although it would have fitted, when the
//! card leaves, or when what it waits for cannot happen any more.
//!
//! Invariant: nobody else can tell that a card is armed before it is used: it opens no window that others would see.

use engine::{Action, Actions, CardId, Condition, Granted, Question, Seat, Wish};

use super::questions::NextMove;
use super::seats::SeatState;
use super::windows::is_window;
use super::{Refused, TableTask, refused};
use crate::store::{KeptWishes, PersonId};
use crate::wire::{Armed, ArmedFor, Refusal, ServerMsg};

impl From<ArmedFor> for Condition {
    fn from(when: ArmedFor) -> Condition {
        match when {
            ArmedFor::NextChance => Condition::NextChance,
            ArmedFor::HeroInRoom { room } => Condition::HeroInRoom(CardId(room)),
            ArmedFor::HeroSurvives { hero } => Condition::HeroSurvives(CardId(hero)),
        }
    }
}

/// A wish as its owner is told.
pub fn armed(wish: &Wish) -> Armed {
    let when = match wish.when {
        Condition::NextChance => ArmedFor::NextChance,
        Condition::HeroInRoom(room) => ArmedFor::HeroInRoom { room: room.0 },
        Condition::HeroSurvives(hero) => ArmedFor::HeroSurvives { hero: hero.0 },
    };
    Armed { card: wish.card.0, when }
}

impl TableTask<'_> {
    /// Arms a card, or disarms it.
    pub(super) async fn arm(&mut self, seat: Seat, card: u16, when: Option<ArmedFor>) -> Result<(), Refused> {
        self.during_the_game()?;
        let Some(live) = &self.live else { return Ok(()) };
        let card = CardId(card);
        let wish = match when {
            None => None,
            Some(when) => {
                let words = "That card cannot be armed like that.";
                let wish = live.game.wish(seat, card, when.into());
                Some(wish.ok_or_else(|| refused(Refusal::NotLegal, words))?)
            }
        };
        let wishes = &mut self.seats[seat.index()].wishes;
        wishes.retain(|other| other.card != card);
        wishes.extend(wish);
        self.tell_own_seat(seat);
        self.use_if_armed(seat).await;
        Ok(())
    }

    /// What the player's wishes make of this window.
    pub(super) fn granted(&self, seat: Seat, question: Question, legal: &Actions) -> Option<(Wish, Granted)> {
        let live = self.live.as_ref().filter(|_| is_window(question) && legal.len() > 1)?;
        let wishes = &self.seats[seat.index()].wishes;
        wishes.iter().find_map(|wish| Some((*wish, live.game.granted(seat, wish, legal)?)))
    }

    /// The same as something to do.
    pub(super) fn armed_move(&self, seat: Seat, question: Question, legal: &Actions) -> Option<NextMove> {
        if let Some(aim) = self.seats[seat.index()].aim.filter(|_| !is_window(question)) {
            return self.live.as_ref()?.game.aim(aim, legal).map(NextMove::Armed);
        }
        match self.granted(seat, question, legal)?.1 {
            Granted::Use(action) => Some(NextMove::Armed(action)),
            // A window of its own would show the others that a hidden card fits: their stops decide.
            Granted::Ask(_) if self.timing_would_tell(seat) => None,
            Granted::Ask(_) => Some(NextMove::AskPerson),
        }
    }

    /// The player gives this answer: wishes that it fulfils or passes up are over.
    pub(super) fn answer_ends_wishes(&mut self, seat: Seat, question: Question, action: Action, armed: bool) {
        if self.seats[seat.index()].wishes.is_empty() {
            return;
        }
        let legal = self.live.as_ref().map(|live| live.legal());
        let Some(legal) = legal.filter(|_| is_window(question)) else { return };
        let used = |wish: &Wish| matches!(action, Action::Use { card, .. } if card == wish.card);
        let passed = |wish: &Wish| {
            let game = self.live.as_ref().map(|live| &live.game);
            action == Action::Pass && game.is_some_and(|game| game.granted(seat, wish, &legal).is_some())
        };
        let wishes = &self.seats[seat.index()].wishes;
        let ended: Vec<(Wish, bool)> = wishes
            .iter()
            .filter_map(|wish| used(wish).then_some((*wish, true)).or(passed(wish).then_some((*wish, false))))
            .collect();
        for (wish, used) in ended {
            self.seats[seat.index()].wishes.retain(|other| *other != wish);
            self.owners_to_tell = self.owners_to_tell.with(seat);
            if used && armed {
                self.seats[seat.index()].aim = Some(wish.when);
            } else if !used {
                self.say_disarmed(seat, wish, "you passed");
            }
        }
    }

    /// An armed card aims only while its own targets are asked for.
    pub(super) fn forget_aims(&mut self) {
        let decision = self.live.as_ref().and_then(|live| live.decision());
        for (seat, seat_state) in (0..).map(Seat).zip(&mut self.seats) {
            let asked = decision.is_some_and(|next| next.seat == seat && !is_window(next.question));
            seat_state.aim = seat_state.aim.filter(|_| asked);
        }
    }

    /// Forgets wishes that cannot come true any more.
    pub(super) fn end_wishes(&mut self) {
        let Some(live) = &self.live else { return };
        let over = self.ended.is_some() || live.game.outcome().is_some();
        let mut gone = Vec::new();
        for (seat, seat_state) in (0..).map(Seat).zip(&mut self.seats) {
            if over && !seat_state.wishes.is_empty() {
                seat_state.wishes.clear();
                self.owners_to_tell = self.owners_to_tell.with(seat);
            }
            for wish in std::mem::take(&mut seat_state.wishes) {
                match live.game.kept(seat, wish) {
                    Some(kept) => {
                        if kept != wish {
                            self.owners_to_tell = self.owners_to_tell.with(seat);
                        }
                        seat_state.wishes.push(kept);
                    }
                    None => gone.push((seat, wish)),
                }
            }
        }
        for (seat, wish) in gone {
            let reason = match wish.when {
                Condition::HeroSurvives(_) => "the hero or the card is gone",
                Condition::HeroInRoom(_) => "the room or the card is gone",
                Condition::NextChance => "the card is gone",
            };
            self.owners_to_tell = self.owners_to_tell.with(seat);
            self.say_disarmed(seat, wish, reason);
        }
    }

    fn say_disarmed(&mut self, seat: Seat, wish: Wish, reason: &str) {
        let name = self.cards.db.def(wish.def()).face.name.clone();
        let words = format!("{name} is no longer armed: {reason}.");
        let message = ServerMsg::Disarmed { card: wish.card.0, words };
        let mine: Vec<_> =
            self.connections.iter().filter(|connection| connection.seat == Some(seat)).collect();
        let to: Vec<_> = mine.into_iter().map(|connection| connection.id).collect();
        to.into_iter().for_each(|to| self.tell(to, &message));
    }

    /// Stores what the player wishes now, if that has changed: it outlives a restart.
    pub(super) fn keep_wishes(&mut self, seat: Seat) {
        let seat_state = &mut self.seats[seat.index()];
        let armed = seat_state.wishes.iter().map(armed).collect();
        let now = KeptWishes { stops: seat_state.stops, armed };
        if let Some((person, _)) = seat_state.person().filter(|_| now != seat_state.kept) {
            self.hall.store().keep_wishes(self.hold, person, &now);
            seat_state.kept = now;
        }
    }

    /// What was wished before a restart, as far as it can still come true.
    pub(super) fn take_up_wishes(&mut self, wishes: Vec<(PersonId, KeptWishes)>) {
        for (person, kept) in wishes {
            let mine = |seat_state: &SeatState| seat_state.person().is_some_and(|(id, _)| id == person);
            let Some(at) = self.seats.iter().position(mine) else { continue };
            let game = self.live.as_ref().map(|live| &live.game);
            let wish = |armed: &Armed| game?.wish(Seat(at as u8), CardId(armed.card), armed.when.into());
            let wishes = kept.armed.iter().filter_map(wish).collect();
            let seat_state = &mut self.seats[at];
            (seat_state.stops, seat_state.wishes) = (kept.stops, wishes);
            seat_state.kept = kept;
        }
    }

    /// Tells those for whom something private has changed.
    pub(super) fn tell_owners(&mut self) {
        let owners = std::mem::take(&mut self.owners_to_tell);
        (0..self.seats.len() as u8).map(Seat).filter(|seat| owners.has(*seat)).for_each(|seat| {
            self.tell_own_seat(seat);
        });
    }
}
