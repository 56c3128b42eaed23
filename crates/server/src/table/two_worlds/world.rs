//! One of the two worlds: a real table whose clock the test moves, and what its people were sent.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use engine::{Action, Actions, Game, Seat, Setup};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::frame::Frame;
use crate::hall::{Hall, PlayableDeck};
use crate::store::{Change, LogEntry, Person, PersonId, SeatHolder};
use crate::table::game::LiveGame;
use crate::table::restore::Restored;
use crate::table::{Command, ConnectionId, Outbox, TableTask};
use crate::wire::{BotLevel, ClientMsg, Settings, Stops, TableInfo};
use crate::work::Requester;

/// A table, and what its people were sent.
pub struct World<'a> {
    pub table: TableTask<'a>,
    commands: mpsc::Receiver<Box<Command>>,
    /// Keeps the channel open for bots.
    _to_self: mpsc::Sender<Box<Command>>,
    pub lobby: watch::Receiver<Arc<TableInfo>>,
    /// By seat, then a spectator.
    pub people: Vec<(ConnectionId, Tap)>,
}

impl<'a> World<'a> {
    pub async fn open(
        hall: &Hall,
        cards: &'a Arc<PlayableDeck>,
        settings: &Settings,
        setup: &Setup,
        game: Game<'a>,
        bot: Option<Seat>,
        stops: &[Stops],
    ) -> World<'a> {
        static TABLES: AtomicU64 = AtomicU64::new(0);
        let id = format!("table-{}", TABLES.fetch_add(1, Ordering::Relaxed));
        let seats: Vec<LogEntry> = (0..settings.players)
            .map(|seat| {
                let person = SeatHolder::Person {
                    id: PersonId(i64::from(seat)),
                    name: format!("Player {seat}"),
                    host: seat == 0,
                };
                let is_bot = bot == Some(Seat(seat));
                let machine = SeatHolder::Bot { level: BotLevel::Kobold, seed: 1 };
                LogEntry::Sits(seat, Some(if is_bot { machine } else { person }))
            })
            .collect();
        let change = Change { entries: &seats, ..Change::default() };
        let mut row = hall.store().new_table(id, settings.clone(), [7; 32], change).await.expect("a table");
        row.id = "the table".into();
        let (to_self, commands) = mpsc::channel(32);
        let (publish, lobby) = watch::channel(Arc::new(TableInfo::unknown()));
        let restored = Restored::of(cards, &row, seats).expect("it can be restored");
        let mut table = TableTask::new(hall.clone(), cards, row, restored, to_self.downgrade(), publish);
        let mut people = Vec::new();
        for n in 0..=settings.players {
            let person = Person { id: PersonId(i64::from(n)), name: format!("Player {n}"), account: false };
            let tap = Tap::default();
            let connection =
                table.join(Requester::Server, person, None, Box::new(tap.clone())).await.expect("welcome");
            people.push((connection, tap));
        }
        for (seat, stops) in table.seats.iter_mut().zip(stops) {
            seat.stops = *stops;
        }
        table.live = Some(LiveGame::at(game, setup.clone()));
        table.seat_bots();
        let mut world = World { table, commands, _to_self: to_self, lobby, people };
        world.table.table_changed();
        world.table.advance().await;
        world.hear_bot().await;
        world
    }

    pub fn game(&self) -> &Game<'a> {
        &self.table.live.as_ref().expect("a game").game
    }

    /// Bots think outside the clock: their answer is there when the clock moves on.
    async fn hear_bot(&mut self) {
        let thinking = |table: &TableTask| {
            let asked = table.asked_seat().filter(|seat| !table.seats[seat.index()].is_present());
            asked.is_some() && table.question.decided.is_none()
        };
        while thinking(&self.table) {
            let command = *self.commands.recv().await.expect("the channel is open");
            self.table.command(command).await;
        }
    }

    pub async fn send(&mut self, seat: Seat, message: ClientMsg) {
        let from = self.people[seat.index()].0;
        self.table.command(Command::Message { from, message }).await;
        self.hear_bot().await;
    }

    /// A second tab of the player, opened and closed.
    pub async fn come_and_go(&mut self, seat: Seat) {
        let id = PersonId(i64::from(seat.0));
        let person = Person { id, name: format!("Player {}", seat.0), account: false };
        let tab = self.table.join(Requester::Server, person, None, Box::new(Tap::default())).await;
        self.table.command(Command::Leave(tab.expect("welcome"))).await;
    }

    pub async fn act(&mut self, seat: Seat, action: Action) {
        let index = legal(self.game()).iter().position(|legal| *legal == action).expect("it is legal");
        let message = ClientMsg::Act { seq: self.table.seq, index: index as u32 };
        self.send(seat, message).await;
    }

    /// What is due now happens.
    pub async fn tick(&mut self) {
        if self.table.deadline() <= Instant::now() {
            self.table.tick().await;
            self.hear_bot().await;
        }
    }
}

/// Takes what a connection is sent, with the time.
#[derive(Clone, Default)]
pub struct Tap(Arc<Mutex<Vec<(Instant, Frame)>>>);

impl Tap {
    pub fn messages(&self) -> Vec<(Instant, Frame)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Outbox for Tap {
    fn send(&self, frame: Frame) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((Instant::now(), frame));
        true
    }

    fn has_room(&self) -> bool {
        true
    }
}

pub fn legal(game: &Game) -> Actions {
    let mut legal = Actions::new();
    game.legal(&mut legal);
    legal
}

/// Nothing moves the clock but the test.
pub fn on_a_paused_clock<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(work)
}
