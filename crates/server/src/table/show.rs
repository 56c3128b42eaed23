//! What everybody is told. Each viewer's text is made once, from that viewer's view.

use bots::effects;
use bots::wire::{Choice, Decision, Happening, Start, Table as TableView, seat_number};
use engine::{Action, Seat};
use std::sync::Arc;
use tokio::time::Instant;

use super::game::Takeback;
use super::pace::is_window;
use super::{ConnectionId, Refused, Table, fair};
use crate::frame::Frame;
use crate::store::Entry;
use crate::wire::{
    AskYou, Farewell, PROTOCOL, Preview, ServerMsg, TableInfo, Undo, UndoAllowed, Update, Waiting, You,
};

impl Table<'_> {
    pub(super) fn table_info(&self) -> TableInfo {
        TableInfo {
            id: self.id.clone(),
            settings: self.settings.clone(),
            state: self.state(),
            seats: self.seat_infos(),
            spectators: self.connections.iter().filter(|connection| connection.seat.is_none()).count() as u32,
            commitment: fair::commitment(&self.secret).to_string(),
            turn: self.play.as_ref().map_or(0, |play| play.game.state.turn()),
            rematch: self.rematch.clone(),
        }
    }

    fn you(&self, connection: &super::Connection) -> You {
        let chair = connection.seat.map(|seat| &self.chairs[seat.index()]);
        let turn = self.play.as_ref().map_or(0, |play| play.game.state.turn());
        You {
            name: connection.person.name.clone(),
            seat: connection.seat.map(seat_number),
            host: chair.is_some_and(|chair| chair.is_host()),
            stops: chair.map(|chair| chair.stops_in(turn)).unwrap_or_default(),
            away: chair.is_some_and(|chair| chair.away),
        }
    }

    /// Everything a connection needs to begin with, or to begin anew.
    pub(super) fn greet(&mut self, id: ConnectionId) {
        let Some(at) = self.connections.iter().position(|connection| connection.id == id) else { return };
        let connection = &self.connections[at];
        let welcome = Frame::of(&ServerMsg::Welcome {
            protocol: PROTOCOL,
            you: self.you(connection),
            table: self.table_info(),
            chat: self.chat.iter().cloned().collect(),
        });
        let snapshot = self.snapshot(connection.seat);
        self.connections[at].lagging = false;
        self.send(at, welcome);
        self.send_cards(at);
        if let Some(snapshot) = snapshot {
            self.send(at, snapshot);
        }
        if let Some(wish) = self.wish.as_ref().filter(|wish| wish.concerns(self.connections[at].seat)) {
            let asked = Frame::of(&wish.asked());
            self.send(at, asked);
        }
    }

    /// Puts a message into a connection's outbox; if that is full, everything is sent anew later.
    fn send(&mut self, at: usize, message: Frame) -> bool {
        let connection = &mut self.connections[at];
        let sent = connection.outbox.send(message);
        connection.lagging |= !sent;
        sent
    }

    fn send_cards(&mut self, at: usize) {
        if let Some(cards) = self.cards_for(self.connections[at].seat) {
            self.connections[at].has_cards = self.send(at, cards);
        }
    }

    fn cards_for(&self, seat: Option<Seat>) -> Option<Frame> {
        let play = self.play.as_ref()?;
        let tell = || Frame::of(&ServerMsg::Cards { start: Start::of(&play.game.view(seat)) });
        Some(self.cards.told(play.setup.rules, seat, tell))
    }

    /// The table as it is, and the story so far.
    fn snapshot(&self, seat: Option<Seat>) -> Option<Frame> {
        if seat.is_none() && self.delay().is_some() && self.ended.is_none() {
            return self.released.clone();
        }
        self.update(seat, &self.names(), true).map(|update| Frame::of(&ServerMsg::Update(Box::new(update))))
    }

    /// The cards of the game, to everybody who is there when it begins.
    pub(super) fn deal_out_cards(&mut self) {
        (0..self.connections.len()).for_each(|at| self.send_cards(at));
    }

    pub(super) fn tell(&mut self, to: ConnectionId, message: &ServerMsg) {
        if let Some(connection) = self.connections.iter_mut().find(|connection| connection.id == to) {
            connection.lagging |= !connection.outbox.send(Frame::of(message));
        }
    }

    pub(super) fn tell_all(&mut self, message: &ServerMsg) {
        let frame = Frame::of(message);
        for connection in &mut self.connections {
            connection.lagging |= !connection.outbox.send(frame.clone());
        }
    }

    pub(super) fn tell_seated(&mut self, message: &ServerMsg) {
        let frame = Frame::of(message);
        for connection in self.connections.iter_mut().filter(|connection| connection.seat.is_some()) {
            connection.lagging |= !connection.outbox.send(frame.clone());
        }
    }

    /// Somebody came, went or changed something around the game.
    pub(super) fn table_changed(&mut self) {
        let info = self.table_info();
        self.info.send_replace(Arc::new(info.clone()));
        for at in 0..self.connections.len() {
            let you = self.you(&self.connections[at]);
            let message = Frame::of(&ServerMsg::Table { table: info.clone(), you });
            let connection = &mut self.connections[at];
            connection.lagging |= !connection.outbox.send(message);
        }
    }

    /// Shows what happened, to everybody.
    pub(super) async fn show(&mut self, over: bool) {
        self.seq += 1;
        // A table that is set up again counts on from the length of its log: what was shown must not be beyond it.
        if self.seq > self.logged {
            let _ = self.enter(Entry::Shown).await;
        }
        let names = self.names();
        let mut frames: [Option<Frame>; 8] = Default::default();
        let mut watched = None;
        for at in 0..self.connections.len() {
            let connection = &self.connections[at];
            let seat = connection.seat;
            if connection.lagging || seat.is_none() && self.delay().is_some() {
                continue;
            }
            let made = match seat {
                Some(seat) => &mut frames[seat.index() & 7],
                None => &mut watched,
            };
            if made.is_none() {
                *made = self
                    .update(seat, &names, false)
                    .map(|update| Frame::of(&ServerMsg::Update(Box::new(update))));
            }
            let Some(message) = made.clone() else { continue };
            let connection = &mut self.connections[at];
            connection.lagging |= !connection.outbox.send(message);
        }
        if let Some(delay) = self.delay()
            && let Some(update) = self.update(None, &names, false)
        {
            let delay = if over { std::time::Duration::ZERO } else { delay };
            self.delayed.push_back((Instant::now() + delay, Frame::of(&ServerMsg::Update(Box::new(update)))));
        }
        self.unsent.clear();
        let turn = self.play.as_ref().map_or(0, |play| play.game.state.turn());
        if over || self.info.borrow().turn != turn {
            self.info.send_replace(Arc::new(self.table_info()));
        }
        self.send_anew_to_lagging();
    }

    /// The same question stands, but how long it is waited for has changed.
    pub(super) async fn show_waiting(&mut self) {
        self.show(false).await;
    }

    /// Everything anew, to everybody.
    pub(super) fn show_fresh(&mut self) {
        self.connections.iter_mut().for_each(|connection| connection.lagging = true);
        self.send_anew_to_lagging();
    }

    pub(super) fn send_anew_to_lagging(&mut self) {
        for at in 0..self.connections.len() {
            let connection = &self.connections[at];
            let roomy = connection.outbox.is_roomy();
            if !connection.lagging || !roomy {
                continue;
            }
            let seat = connection.seat;
            let you = self.you(connection);
            let around = Frame::of(&ServerMsg::Table { table: self.table_info(), you });
            let (has_cards, snapshot) = (connection.has_cards, self.snapshot(seat));
            self.connections[at].lagging = false;
            self.send(at, around);
            if !has_cards {
                self.send_cards(at);
            }
            if let Some(snapshot) = snapshot {
                self.send(at, snapshot);
            }
        }
    }

    pub(super) fn farewell(&mut self, code: Farewell, words: &str) {
        self.tell_all(&ServerMsg::Bye { code, words: words.into() });
    }

    /// The game for one viewer; `None` before it begins.
    fn update(&self, viewer: Option<Seat>, names: &[String], fresh: bool) -> Option<Update> {
        let play = self.play.as_ref()?;
        let view = play.game.view(viewer);
        let story = fresh.then(|| play.story(&self.cards.db));
        let events =
            story.as_ref().map_or(&self.unsent[..], |story| &story[story.len().saturating_sub(STORY)..]);
        let events = events.iter().map(|event| Happening::of(&self.cards.db, names, *event, viewer));
        Some(Update {
            seq: self.seq,
            fresh,
            events: events.collect(),
            waiting: self.waiting(),
            ask: self.ask(viewer, &view, names),
            undo: self.undo_offer(viewer),
            over: self.result(),
            view: TableView::of(&view),
        })
    }

    fn waiting(&self) -> Option<Waiting> {
        let seat = self.asked_seat()?;
        let question = self.play.as_ref()?.decision()?.question;
        let until = self.asked.closes.filter(|_| !self.asked.held).or(self.asked.clock);
        let left = until.map(|until| until.saturating_duration_since(Instant::now()).as_millis() as u32);
        Some(Waiting {
            seat: seat_number(seat),
            window: is_window(question),
            left_ms: left,
            held: self.asked.held,
        })
    }

    fn ask(&self, viewer: Option<Seat>, view: &engine::view::View, names: &[String]) -> Option<AskYou> {
        let seat = self.asked_seat().filter(|seat| Some(*seat) == viewer)?;
        let decision = view.decision().filter(|_| self.chairs[seat.index()].is_present())?;
        let table = view.table();
        let legal = self.play.as_ref()?.legal();
        Some(AskYou {
            decision: Decision::of(table, names, decision),
            legal: legal.iter().map(|action| Choice::of(table, names, *action)).collect(),
        })
    }

    fn undo_offer(&self, viewer: Option<Seat>) -> Undo {
        let takeback = viewer.map_or(Takeback::Nothing, |seat| self.takeback(seat));
        let (allowed, words) = match takeback {
            Takeback::Freely(_) => (UndoAllowed::Freely, "Take back your last answer."),
            Takeback::ByConsent(_) => {
                (UndoAllowed::ByConsent, "Somebody has acted since: the others must agree.")
            }
            Takeback::Revealed => (UndoAllowed::No, "Cards were drawn or revealed since."),
            Takeback::Over => (UndoAllowed::No, "The game is over."),
            Takeback::Nothing => (UndoAllowed::No, "There is nothing to take back."),
        };
        Undo { allowed, words: words.into() }
    }

    pub(super) fn preview(
        &mut self,
        to: ConnectionId,
        seat: Seat,
        seq: u32,
        index: u32,
    ) -> Result<(), Refused> {
        let action = self.named_answer(seat, seq, index)?;
        let Some(play) = &self.play else { return Ok(()) };
        let names = self.names();
        let view = play.game.view(Some(seat));
        let after = match action {
            Action::Build { card, spot } => {
                let built = view.table().if_built(seat, card, spot);
                Some(TableView::of(&built.view(Some(seat))))
            }
            _ => None,
        };
        let words = effects(&view, &names[..], action).unwrap_or_default();
        self.tell(to, &ServerMsg::Preview(Box::new(Preview { seq, index, words, view: after })));
        Ok(())
    }
}

/// Events of the story that are told to somebody who comes: those of the last turns, in a long game of many.
const STORY: usize = 400;
