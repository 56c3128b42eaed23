//! Who sits where: taking and leaving a seat, adding bots, being removed, starting, resigning.

use std::time::Duration;

use bots::BotLevel;
use engine::record::ResultText;
use engine::{Attention, Condition, Seat, Wish};
use tokio::time::Instant;

use super::windows::Passing;
use super::{ConnectionId, Refused, TableTask, refused};
use crate::store::{Change, KeptWishes, LogEntry, Person, PersonId, SeatHolder, TableSummary, fill_random};
use crate::wire::{CloseReason, Occupant, Refusal, SeatInfo, ServerMsg, Settings, Stops, TableState};

/// A seat and what belongs to it.
#[derive(Clone)]
pub struct SeatState {
    pub holder: Option<SeatHolder>,
    pub stops: Stops,
    /// Everything is passed for the person.
    pub passing: Option<Passing>,
    /// A connection whose person holds the key that asks everywhere.
    pub asks_everywhere: Option<ConnectionId>,
    /// What the person has armed.
    pub wishes: Vec<Wish>,
    /// What the store has of this.
    pub kept: KeptWishes,
    /// An armed card is being used for the person, and this is what it aims at.
    pub aim: Option<Condition>,
    /// Connections of the person in this seat.
    pub connected: u32,
    /// While they are not connected: when a bot may play for them.
    pub replaceable_from: Option<Instant>,
    /// A bot plays until the person is back.
    pub away: bool,
    /// The person is back as soon as the bot has answered.
    pub returning: bool,
    pub resigned: bool,
    /// What is left of the clock's reserve, in milliseconds.
    pub reserve_ms: u64,
    /// A turn, and how long the person has held windows open in it.
    pub held: (u16, Duration),
    /// What the person has passed this turn.
    pub attention: Attention,
}

/// How the game ended, if not by the rules of the game.
#[derive(Clone, Debug)]
pub struct EarlyEnd {
    /// Counted from 1.
    pub winner: Option<u8>,
    pub reason: String,
}

impl EarlyEnd {
    /// The log of the table has no more room.
    pub fn stopped() -> EarlyEnd {
        EarlyEnd { winner: None, reason: "stopped".into() }
    }
}

/// The bot that plays for someone who is away.
pub const STAND_IN: BotLevel = BotLevel::Minion;

impl SeatState {
    pub fn new(settings: &Settings) -> SeatState {
        SeatState {
            holder: None,
            stops: Stops::default(),
            passing: None,
            asks_everywhere: None,
            wishes: Vec::new(),
            kept: KeptWishes::default(),
            aim: None,
            connected: 0,
            replaceable_from: None,
            away: false,
            returning: false,
            resigned: false,
            reserve_ms: settings.clock.map_or(0, |clock| u64::from(clock.reserve_s) * 1000),
            held: (0, Duration::ZERO),
            attention: Attention::default(),
        }
    }

    pub fn person(&self) -> Option<(PersonId, &str)> {
        match &self.holder {
            Some(SeatHolder::Person { id, name, .. }) => Some((*id, name)),
            _ => None,
        }
    }

    /// A person who answers for themselves.
    pub fn is_present(&self) -> bool {
        self.person().is_some() && !self.away && !self.resigned
    }

    pub fn is_host(&self) -> bool {
        matches!(self.holder, Some(SeatHolder::Person { host: true, .. }))
    }

    pub fn name(&self) -> String {
        match &self.holder {
            Some(SeatHolder::Person { name, .. }) => name.clone(),
            Some(SeatHolder::Bot { level, .. }) => level.title().into(),
            None => "nobody".into(),
        }
    }
}

impl TableTask<'_> {
    pub(super) fn seat_of(&self, person: &Person) -> Option<Seat> {
        let mine = |seat_state: &SeatState| seat_state.person().is_some_and(|(id, _)| id == person.id);
        self.seats.iter().position(mine).map(|at| Seat(at as u8))
    }

    pub(super) fn names(&self) -> Vec<String> {
        names(&self.seats)
    }

    pub(super) fn seat_infos(&self) -> Vec<SeatInfo> {
        let names = self.names();
        let who = |(at, seat_state): (usize, &SeatState)| {
            let who = seat_state.holder.as_ref().map(|holder| match holder {
                SeatHolder::Person { host, .. } => Occupant::Person {
                    name: names[at].clone(),
                    connected: seat_state.connected > 0,
                    host: *host,
                    away: seat_state.away,
                    resigned: seat_state.resigned,
                },
                SeatHolder::Bot { level, .. } => Occupant::Bot { level: *level, name: names[at].clone() },
            });
            SeatInfo { seat: at as u8 + 1, who }
        };
        self.seats.iter().enumerate().map(who).collect()
    }

    pub(super) fn before_the_game(&self) -> Result<(), Refused> {
        match self.state() {
            TableState::Open if self.shuffle.is_some() => {
                Err(refused(Refusal::NotNow, "The cards are being shuffled."))
            }
            TableState::Open => Ok(()),
            _ => Err(refused(Refusal::NotNow, "The game has already started.")),
        }
    }

    pub(super) fn during_the_game(&self) -> Result<(), Refused> {
        match self.state() {
            TableState::Playing => Ok(()),
            TableState::Open => Err(refused(Refusal::NotNow, "The game has not started yet.")),
            TableState::Over => Err(refused(Refusal::NotNow, "The game is over.")),
        }
    }

    pub(super) fn host_only(&self, seat: Seat) -> Result<(), Refused> {
        if self.seats[seat.index()].is_host() {
            return Ok(());
        }
        Err(refused(Refusal::NotHost, "Only the host of the table can do that."))
    }

    /// The seat that was named, counted from 1.
    pub(super) fn seat_numbered(&self, wanted: u8) -> Result<Seat, Refused> {
        let seat = wanted.checked_sub(1).map(Seat).filter(|seat| seat.index() < self.seats.len());
        seat.ok_or_else(|| refused(Refusal::NotNow, "There is no such seat."))
    }

    pub(super) async fn sit(&mut self, person: Person, wanted: Option<u8>) -> Result<(), Refused> {
        self.before_the_game()?;
        if self.seat_of(&person).is_some() {
            return Err(refused(Refusal::NotNow, "You already have a seat: leave it first."));
        }
        if self.removed.contains(&person.id) {
            return Err(refused(Refusal::NotNow, "The host has removed you: you cannot sit at this table."));
        }
        let free = |seat: &Seat| self.seats[seat.index()].holder.is_none();
        let seat = match wanted {
            Some(wanted) => Some(self.seat_numbered(wanted)?).filter(free),
            None => (0..self.seats.len() as u8).map(Seat).find(free),
        };
        let Some(seat) = seat else {
            return Err(refused(Refusal::SeatTaken, "That seat is taken."));
        };
        let host = !self.seats.iter().any(SeatState::is_host);
        let holder = SeatHolder::Person { id: person.id, name: person.name.clone(), host };
        self.fill_seats(&[(seat, Some(holder))], None).await?;
        let seat_state = &mut self.seats[seat.index()];
        for connection in self.connections.iter_mut().filter(|c| c.person.id == person.id) {
            connection.seat = Some(seat);
            seat_state.connected += 1;
        }
        self.table_changed();
        self.start_if_complete().await;
        Ok(())
    }

    /// Fills the seats. If that cannot be stored, everyone sits as before.
    pub(super) async fn fill_seats(
        &mut self,
        seating: &[(Seat, Option<SeatHolder>)],
        also: Option<LogEntry>,
    ) -> Result<(), Refused> {
        self.room_in_log()?;
        let before = self.seats.clone();
        for (seat, holder) in seating {
            let seat_state = &mut self.seats[seat.index()];
            let is_new = SeatState { holder: holder.clone(), ..SeatState::new(&self.settings) };
            if is_new.person().map(|(id, _)| id) == seat_state.person().map(|(id, _)| id) {
                seat_state.holder = is_new.holder;
            } else {
                *seat_state = is_new;
            }
        }
        let sits = seating.iter().map(|(seat, holder)| LogEntry::Sits(seat.0, holder.clone()));
        let entries: Vec<LogEntry> = sits.chain(also).collect();
        let (players, summary) = (self.players(), Some(self.summary()));
        let is_seated = |id: &PersonId| players.iter().any(|(seated, _)| seated == id);
        let left = before.iter().filter_map(|seat_state| Some(seat_state.person()?.0));
        let left = left.filter(|id| !is_seated(id)).collect();
        let stored = self.store(Change { entries: &entries, players, left, summary, settings: None }).await;
        if stored.is_err() {
            self.seats = before;
        }
        stored
    }

    fn players(&self) -> Vec<(PersonId, u8)> {
        (0..).zip(&self.seats).filter_map(|(seat, seat_state)| Some((seat_state.person()?.0, seat))).collect()
    }

    pub(super) async fn stand(&mut self, seat: Seat) -> Result<(), Refused> {
        self.before_the_game()?;
        let mut seating = vec![(seat, None)];
        let is_other =
            |(at, seat_state): &(usize, &SeatState)| *at != seat.index() && seat_state.person().is_some();
        if self.seats[seat.index()].is_host()
            && let Some((at, next)) = self.seats.iter().enumerate().find(is_other)
            && let Some((id, name)) = next.person()
        {
            seating.push((Seat(at as u8), Some(SeatHolder::Person { id, name: name.into(), host: true })));
        }
        self.fill_seats(&seating, None).await?;
        self.unseat(seat);
        Ok(())
    }

    /// Those who had the seat are spectators now.
    fn unseat(&mut self, seat: Seat) {
        self.connections.iter_mut().filter(|c| c.seat == Some(seat)).for_each(|c| c.seat = None);
        self.table_changed();
    }

    /// The host takes somebody's seat away before the game; they cannot sit at this table again.
    pub(super) async fn remove(&mut self, host: Seat, wanted: u8) -> Result<(), Refused> {
        self.before_the_game()?;
        self.host_only(host)?;
        let seat = self.seat_numbered(wanted)?;
        let person = self.seats[seat.index()].person().filter(|_| seat != host);
        let Some((id, _)) = person else {
            return Err(refused(Refusal::NotNow, "Only another person can be removed."));
        };
        self.fill_seats(&[(seat, None)], Some(LogEntry::Removed(id))).await?;
        self.removed.push(id);
        self.unseat(seat);
        Ok(())
    }

    pub(super) async fn seat_bot(
        &mut self,
        host: Seat,
        wanted: u8,
        level: Option<BotLevel>,
    ) -> Result<(), Refused> {
        self.before_the_game()?;
        self.host_only(host)?;
        let seat = self.seat_numbered(wanted)?;
        if self.seats[seat.index()].person().is_some() {
            return Err(refused(Refusal::SeatTaken, "Someone is sitting there."));
        }
        self.fill_seats(&[(seat, level.map(new_bot))], None).await?;
        self.table_changed();
        self.start_if_complete().await;
        Ok(())
    }

    pub(super) async fn start(&mut self, host: Seat) -> Result<(), Refused> {
        self.before_the_game()?;
        self.host_only(host)?;
        if self.seats.iter().any(|seat_state| seat_state.holder.is_none()) {
            let words = "Every seat must be taken: wait for someone, or add a bot.";
            return Err(refused(Refusal::NotNow, words));
        }
        self.begin().await
    }

    /// Starts a table that was made to start by itself.
    pub(super) async fn start_if_complete(&mut self) {
        let missing = |seat_state: &SeatState| {
            seat_state.holder.is_none() || seat_state.person().is_some() && seat_state.connected == 0
        };
        if self.auto_start && self.live.is_none() && self.shuffle.is_none() && !self.seats.iter().any(missing)
        {
            let _ = self.begin().await;
        }
    }

    pub(super) async fn resign(&mut self, seat: Seat) -> Result<(), Refused> {
        self.during_the_game()?;
        if self.seats[seat.index()].resigned {
            return Err(refused(Refusal::NotNow, "You have already resigned."));
        }
        self.log_entry(LogEntry::Resigns(seat.0)).await?;
        self.ended = resigned(&mut self.seats, seat);
        self.bots[seat.index()] = None;
        self.table_changed();
        if self.ended.is_some() || self.asked_seat() == Some(seat) {
            self.ask_again().await;
        }
        Ok(())
    }

    /// At the start of a game that nobody may watch.
    pub(super) fn show_spectators_out(&mut self) {
        let words = "The game has started, and this table does not allow spectators.".to_string();
        let bye = crate::frame::Frame::of(&ServerMsg::Bye { code: CloseReason::NotWelcome, words });
        for connection in self.connections.extract_if(.., |connection| connection.seat.is_none()) {
            connection.outbox.send(bye.clone());
            metrics::gauge!("lair_connections").decrement(1.0);
        }
    }

    /// What lists and histories show without loading the table.
    pub(super) fn summary(&self) -> TableSummary {
        TableSummary {
            state: Some(self.state()),
            seats: serde_json::to_string(&self.names()).unwrap_or_default(),
            result: self.result().and_then(|result| serde_json::to_string(&result).ok()),
        }
    }

    /// How the game ended; `None` while it goes on.
    pub(super) fn result(&self) -> Option<crate::wire::GameOver> {
        let live = self.live.as_ref()?;
        let game = &live.game;
        let own = ResultText::of(game);
        let seats = || (0..self.seats.len() as u8).map(Seat);
        let (winner, reason) = match (&self.ended, own) {
            (_, Some(own)) => (Some(own.winner), own.reason),
            (Some(ended), None) => (ended.winner, ended.reason.clone()),
            (None, None) => return None,
        };
        Some(crate::wire::GameOver {
            winner: winner.filter(|seat| usize::from(*seat) <= self.seats.len()),
            reason,
            turns: game.state.turn(),
            souls: seats().map(|seat| game.souls(seat)).collect(),
            wounds: seats().map(|seat| game.wounds(seat)).collect(),
            solo: solo_result(game),
            record: format!("/record/{}", self.id),
        })
    }
}

/// What a game for one has come to.
fn solo_result(game: &engine::Game) -> Option<crate::wire::SoloResult> {
    let score = game.solo_score().filter(|_| game.outcome().is_some())?;
    let boss = game.boss(Seat(0)).map(|boss| game.def(boss).face.name.clone()).unwrap_or_default();
    Some(crate::wire::SoloResult { score: score.score, title: score.title, boss })
}

/// What the seats are called at the table.
pub fn names(seats: &[SeatState]) -> Vec<String> {
    let names: Vec<String> = seats.iter().map(SeatState::name).collect();
    // Those of the same name are told apart by their seats.
    let told_apart = |(at, name): (usize, &String)| match names.iter().filter(|other| *other == name).count()
    {
        1 => name.clone(),
        _ => format!("{name} {}", at + 1),
    };
    names.iter().enumerate().map(told_apart).collect()
}

/// The last one left wins; while several are left, a bot plays on for the one who resigned.
pub fn resigned(seats: &mut [SeatState], seat: Seat) -> Option<EarlyEnd> {
    seats[seat.index()].resigned = true;
    let left: Vec<usize> = (0..seats.len()).filter(|at| !seats[*at].resigned).collect();
    let people = left.iter().any(|at| seats[*at].person().is_some());
    let winner = match left[..] {
        [winner] => Some(winner as u8 + 1),
        _ if people => return None,
        _ => None,
    };
    Some(EarlyEnd { winner, reason: "resigned".into() })
}

pub fn new_bot(level: BotLevel) -> SeatHolder {
    let mut seed = [0; 8];
    fill_random(&mut seed);
    SeatHolder::Bot { level, seed: u64::from_le_bytes(seed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_of_the_same_name_are_told_apart() {
        let seat = |holder| SeatState { holder: Some(holder), ..SeatState::new(&Settings::default()) };
        let bot = || seat(new_bot(BotLevel::Minion));
        let guest = seat(SeatHolder::Person { id: PersonId(1), name: "Minion".into(), host: true });
        let seats = [guest, bot(), seat(new_bot(BotLevel::Boss)), bot()];
        assert_eq!(names(&seats), ["Minion 1", "Minion 2", "Boss", "Minion 4"]);
    }
}
