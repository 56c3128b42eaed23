//! What everyone is told. Each viewer's message is written once, from that viewer's view.

use engine::record::{Hex, server_commitment};
use engine::tell::Reader;
use engine::{Granted, Seat};
use std::sync::Arc;
use tokio::time::Instant;
use wire::{Choice, Decision, Start, Table as TableView, seat_number};

use super::arming::armed;
use super::game::UndoOption;
use super::spectators::Delayed;
use super::windows::is_window;
use super::{Connection, ConnectionId, TableTask};
use crate::frame::Frame;
use crate::own_cards::OwnCards;
use crate::store::LogEntry;
use crate::wire::{
    CloseReason, PROTOCOL, ServerMsg, Settings, TableInfo, Undo, UndoAllowed, Update, WaitingFor, You,
    YourQuestion,
};

impl TableTask<'_> {
    pub(super) fn table_info(&self) -> TableInfo {
        TableInfo {
            id: self.id.clone(),
            settings: Settings { deck_text: None, cards_text: None, ..self.settings.clone() },
            own_deck: self.settings.deck_text.is_some(),
            own_cards: self.cards.own.as_ref().map(OwnCards::count),
            state: self.state(),
            seats: self.seat_infos(),
            spectators: self.connections.iter().filter(|connection| connection.seat.is_none()).count() as u32,
            commitment: server_commitment(&Hex(self.secret)).to_string(),
            shuffle: self.shuffle_info(),
            turn: self.live.as_ref().map_or(0, |live| live.game.state.turn()),
            rematch: self.rematch_id.clone(),
            proposal: self.rematch_proposal(),
        }
    }

    /// A seated player keeps the name of the seat, which everyone knows, whatever the person is called since.
    pub(super) fn name_of(&self, connection: &Connection) -> String {
        let seated = connection.seat.and_then(|seat| self.seats[seat.index()].person());
        seated.map_or_else(|| connection.person.name.clone(), |(_, name)| name.into())
    }

    pub(super) fn you(&self, connection: &Connection) -> You {
        let seat_state = connection.seat.map(|seat| &self.seats[seat.index()]);
        You {
            name: self.name_of(connection),
            seat: connection.seat.map(seat_number),
            host: seat_state.is_some_and(|seat_state| seat_state.is_host()),
            stops: seat_state.map(|seat_state| seat_state.stops).unwrap_or_default(),
            passing: seat_state.and_then(|seat_state| seat_state.passing.map(|passing| passing.until)),
            armed: seat_state
                .map(|seat_state| seat_state.wishes.iter().map(armed).collect())
                .unwrap_or_default(),
            away: seat_state.is_some_and(|seat_state| seat_state.away),
            returning: seat_state.is_some_and(|seat_state| seat_state.returning),
            removed: self.removed.contains(&connection.person.id),
            may_replace: self.may_replace(connection.seat),
        }
    }

    /// Everything a connection needs to start, or to start over.
    pub(super) fn send_welcome(&mut self, id: ConnectionId) {
        let Some(at) = self.connections.iter().position(|connection| connection.id == id) else { return };
        let connection = &self.connections[at];
        let welcome = Frame::of(&ServerMsg::Welcome {
            protocol: PROTOCOL,
            you: self.you(connection),
            table: self.info_for(connection.seat),
            chat: self.chat.lines(),
        });
        let snapshot = self.snapshot(connection.seat);
        self.connections[at].lagging = false;
        self.send(at, welcome);
        self.send_cards(at);
        if let Some(snapshot) = snapshot {
            self.send(at, snapshot);
        }
        if let Some(request) =
            self.undo_request.as_ref().filter(|request| request.concerns(self.connections[at].seat))
        {
            let asked = Frame::of(&request.message());
            self.send(at, asked);
        }
    }

    /// Puts a message into a connection's outbox; if that is full, everything is sent again later.
    pub(super) fn send(&mut self, at: usize, message: Frame) -> bool {
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
        let live = self.live.as_ref()?;
        let write = || {
            let mut start = Start::of(&live.game.view(seat));
            self.cards.mark(&mut start);
            Frame::of(&ServerMsg::Cards { start })
        };
        Some(self.cards.message(live.setup.rules, seat, write))
    }

    /// The table as it stands, and what has happened so far.
    fn snapshot(&self, seat: Option<Seat>) -> Option<Frame> {
        if seat.is_none() && self.delay().is_some() {
            return self.released.clone();
        }
        self.update(seat, &self.names(), true).map(framed)
    }

    /// The cards of the game, to everyone present when it starts.
    pub(super) fn send_cards_to_all(&mut self) {
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

    /// Someone came, went or changed something around the game.
    pub(super) fn table_changed(&mut self) {
        let info = self.table_info();
        for at in 0..self.connections.len() {
            if self.connections[at].seat.is_some() {
                let you = self.you(&self.connections[at]);
                self.send(at, Frame::of(&ServerMsg::Table { table: info.clone(), you }));
            }
        }
        self.show(Delayed::Table(Arc::new(info)));
    }

    /// Someone changed what concerns only their own seat.
    pub(super) fn tell_own_seat(&mut self, seat: Seat) {
        self.keep_wishes(seat);
        for at in 0..self.connections.len() {
            let connection = &self.connections[at];
            if connection.seat == Some(seat) {
                let message =
                    ServerMsg::Table { table: self.info_for(connection.seat), you: self.you(connection) };
                self.send(at, Frame::of(&message));
            }
        }
    }

    /// Sends everyone what happened.
    pub(super) async fn send_updates(&mut self, over: bool) {
        self.seq += 1;
        // A restored table counts on from the length of its log, so `seq` must never be ahead of it.
        if self.seq > self.log_len {
            let _ = self.log_entry(LogEntry::Shown).await;
        }
        let names = self.names();
        let mut frames: [Option<Frame>; 8] = Default::default();
        for at in 0..self.connections.len() {
            let connection = &self.connections[at];
            let Some(seat) = connection.seat.filter(|_| !connection.lagging) else { continue };
            let made = &mut frames[seat.index() & 7];
            if made.is_none() {
                *made = self.timed(|table| table.update(Some(seat), &names, false)).map(framed);
            }
            let Some(message) = made.clone() else { continue };
            self.send(at, message);
        }
        let watched = self.connections.iter().any(|connection| connection.seat.is_none());
        if (watched || self.delay().is_some())
            && let Some(update) = self.timed(|table| table.update(None, &names, false))
        {
            self.show(Delayed::Update(framed(update)));
        }
        // A table that waits keeps no room for what was sent.
        self.unsent = Vec::new();
        let turn = self.live.as_ref().map_or(0, |live| live.game.state.turn());
        if over || self.lobby_turn() != turn {
            self.show(Delayed::Lobby(Arc::new(self.table_info())));
        }
        if over {
            self.show_the_rest();
        }
        self.resend_to_lagging();
    }

    /// Everything again, to everyone.
    pub(super) fn resend_to_all(&mut self) {
        // Those who are behind are shown later that something was taken back.
        let delayed = self.delay().is_some();
        let now = self.connections.iter_mut().filter(|connection| connection.seat.is_some() || !delayed);
        now.for_each(|connection| connection.lagging = true);
        self.resend_to_lagging();
    }

    pub(super) fn resend_to_lagging(&mut self) {
        // By seat, spectators last: each is written once.
        let mut snapshots: [Option<Option<Frame>>; 9] = Default::default();
        for at in 0..self.connections.len() {
            let connection = &self.connections[at];
            let roomy = connection.outbox.has_room();
            if !connection.lagging || !roomy {
                continue;
            }
            let seat = connection.seat;
            let you = self.you(connection);
            let around = Frame::of(&ServerMsg::Table { table: self.info_for(seat), you });
            let has_cards = connection.has_cards;
            let snapshot = &mut snapshots[seat.map_or(8, |seat| seat.index() & 7)];
            let snapshot = snapshot.get_or_insert_with(|| self.snapshot(seat)).clone();
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

    pub(super) fn close_all(&mut self, code: CloseReason, words: &str) {
        self.tell_all(&ServerMsg::Bye { code, words: words.into() });
    }

    /// The game for one viewer; `None` before it begins.
    fn update(&self, viewer: Option<Seat>, names: &[String], fresh: bool) -> Option<Update> {
        let live = self.live.as_ref()?;
        let view = live.game.view(viewer);
        let recent;
        let events = match fresh {
            true => {
                recent = live.recent_events();
                &recent[..]
            }
            false => &self.unsent[..],
        };
        let reader = Reader::from(viewer);
        // Sentences are put together step by step, so they read the same whenever they are told.
        let steps = live.by_step(events).into_iter();
        let events = steps.flat_map(|step| wire::Event::all(&self.cards.db, names, reader, step)).collect();
        Some(Update {
            seq: self.seq,
            fresh,
            events,
            waiting: self.waiting(),
            ask: self.ask(viewer, &view, names),
            armable: self.armable(viewer),
            undo: self.undo_offer(viewer),
            over: self.result(),
            view: TableView::of(&view),
        })
    }

    fn waiting(&self) -> Option<WaitingFor> {
        let seat = self.asked_seat()?;
        let question = self.live.as_ref()?.decision()?.question;
        let (hold, clock) = (self.question.hold, self.question.clock.map(|clock| clock.until));
        let until = match hold {
            Some(hold) => hold.until.or(clock),
            None => self.question.closes.or(clock),
        };
        let left = until.map(|until| until.saturating_duration_since(Instant::now()).as_millis() as u32);
        Some(WaitingFor {
            seat: seat_number(seat),
            window: is_window(question),
            left_ms: left,
            held: hold.is_some(),
        })
    }

    fn ask(&self, viewer: Option<Seat>, view: &engine::view::View, names: &[String]) -> Option<YourQuestion> {
        let seat = self.asked_seat().filter(|seat| Some(*seat) == viewer)?;
        let decision = view.decision().filter(|_| self.seats[seat.index()].is_present())?;
        let (table, reader) = (view.table(), Reader::Seat(seat));
        let legal = self.live.as_ref()?.legal();
        let armed = self.granted(seat, decision.question, &legal).and_then(|(_, granted)| {
            let (Granted::Use(wanted) | Granted::Ask(wanted)) = granted;
            legal.iter().position(|action| *action == wanted)
        });
        Some(YourQuestion {
            armed: armed.map(|index| index as u32),
            decision: Decision::of(table, names, reader, decision),
            legal: legal.iter().map(|action| Choice::of(table, names, reader, *action)).collect(),
        })
    }

    /// What the viewer can arm.
    fn armable(&self, viewer: Option<Seat>) -> Vec<u16> {
        let seat = viewer.filter(|seat| self.seats[seat.index()].is_present() && self.result().is_none());
        let game = self.live.as_ref().map(|live| &live.game);
        let cards = seat.zip(game).map(|(seat, game)| game.armable(seat)).unwrap_or_default();
        cards.into_iter().map(|card| card.0).collect()
    }

    fn undo_offer(&self, viewer: Option<Seat>) -> Undo {
        let undo_option = viewer.map_or(UndoOption::Nothing, |seat| self.undo_option(seat));
        let (allowed, words) = match undo_option {
            UndoOption::Free(_) => (UndoAllowed::Freely, "Take back your last answer."),
            UndoOption::NeedsConsent(_) => {
                (UndoAllowed::ByConsent, "Someone has acted since: the others must agree.")
            }
            UndoOption::Revealed => (UndoAllowed::No, "Cards have been drawn or revealed since."),
            UndoOption::Over => (UndoAllowed::No, "The game is over."),
            UndoOption::Nothing => (UndoAllowed::No, "There is nothing to take back."),
        };
        Undo { allowed, words: words.into() }
    }
}

fn framed(update: Update) -> Frame {
    Frame::of(&ServerMsg::Update(Box::new(update)))
}
