//! Who sits where: sitting down, bots, beginning, giving up, coming back, playing again.

use engine::record::{Hex, ResultText};
use engine::{Seat, Setup};

use super::game::Play;
use super::{Refused, Table, fair, refused};
use crate::hall;
use crate::store::{Change, Entry, FoundWith, Person, PersonId, Sitter, fill_random};
use crate::wire::{BotLevel, NewTable, Occupant, Refusal, SeatInfo, Settings, Stops, TableState, UndoRule};

/// A seat and what belongs to it.
#[derive(Clone)]
pub struct Chair {
    pub sitter: Option<Sitter>,
    pub entropy: Option<Hex<32>>,
    pub stops: Stops,
    /// The turn in which everything is passed.
    pub pass_turn: Option<u16>,
    /// Connections of the person who sits here.
    pub connected: u32,
    /// A bot plays until the person is back.
    pub away: bool,
    pub resigned: bool,
    /// What is left of the clock's reserve, in milliseconds.
    pub reserve_ms: u64,
}

/// How the game ended, if not by its own rules.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Counted from 1.
    pub winner: Option<u8>,
    pub reason: String,
}

/// The level of a bot that plays for somebody who is away.
pub const STAND_IN: BotLevel = BotLevel::Minion;

impl Chair {
    pub fn new(settings: &Settings) -> Chair {
        Chair {
            sitter: None,
            entropy: None,
            stops: Stops::default(),
            pass_turn: None,
            connected: 0,
            away: false,
            resigned: false,
            reserve_ms: settings.clock.map_or(0, |clock| u64::from(clock.reserve_s) * 1000),
        }
    }

    pub fn person(&self) -> Option<(PersonId, &str)> {
        match &self.sitter {
            Some(Sitter::Person { id, name, .. }) => Some((*id, name)),
            _ => None,
        }
    }

    /// Somebody who answers for themselves.
    pub fn is_present(&self) -> bool {
        self.person().is_some() && !self.away && !self.resigned
    }

    pub fn is_host(&self) -> bool {
        matches!(self.sitter, Some(Sitter::Person { host: true, .. }))
    }

    pub fn name(&self) -> String {
        match &self.sitter {
            Some(Sitter::Person { name, .. }) => name.clone(),
            Some(Sitter::Bot { level, .. }) => bots::Level::from(*level).title().into(),
            None => "nobody".into(),
        }
    }

    /// The wishes as they are now.
    pub fn stops_in(&self, turn: u16) -> Stops {
        Stops { pass_turn: self.pass_turn == Some(turn), ..self.stops }
    }

    pub fn set_stops(&mut self, stops: Stops, play: Option<&Play>) {
        let turn = play.map_or(0, |play| play.game.state.turn());
        self.pass_turn = stops.pass_turn.then_some(turn);
        self.stops = stops;
    }
}

impl Table<'_> {
    pub(super) fn seat_of(&self, person: &Person) -> Option<Seat> {
        let mine = |chair: &Chair| chair.person().is_some_and(|(id, _)| id == person.id);
        self.chairs.iter().position(mine).map(|at| Seat(at as u8))
    }

    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.chairs.iter().map(Chair::name).collect();
        // Two bots of a level are told apart by their seats.
        for at in 0..names.len() {
            if names.iter().filter(|name| **name == names[at]).count() > 1 {
                names[at] = format!("{} {}", names[at], at + 1);
            }
        }
        names
    }

    pub(super) fn seat_infos(&self) -> Vec<SeatInfo> {
        let names = self.names();
        let who = |(at, chair): (usize, &Chair)| {
            let who = chair.sitter.as_ref().map(|sitter| match sitter {
                Sitter::Person { name, host, .. } => Occupant::Person {
                    name: name.clone(),
                    connected: chair.connected > 0,
                    host: *host,
                    away: chair.away,
                    resigned: chair.resigned,
                },
                Sitter::Bot { level, .. } => Occupant::Bot { level: *level, name: names[at].clone() },
            });
            SeatInfo { seat: at as u8 + 1, who }
        };
        self.chairs.iter().enumerate().map(who).collect()
    }

    pub(super) fn add_entropy(&mut self, seat: Seat, entropy: Option<Hex<32>>) {
        let chair = &mut self.chairs[seat.index()];
        if self.play.is_none() && chair.entropy.is_none() {
            chair.entropy = entropy;
        }
    }

    fn before_the_game(&self) -> Result<(), Refused> {
        match self.state() {
            TableState::Open => Ok(()),
            _ => Err(refused(Refusal::NotNow, "The game has begun.")),
        }
    }

    fn during_the_game(&self) -> Result<(), Refused> {
        match self.state() {
            TableState::Playing => Ok(()),
            TableState::Open => Err(refused(Refusal::NotNow, "The game has not begun.")),
            TableState::Over => Err(refused(Refusal::NotNow, "The game is over.")),
        }
    }

    fn host_only(&self, seat: Seat) -> Result<(), Refused> {
        if self.chairs[seat.index()].is_host() {
            return Ok(());
        }
        Err(refused(Refusal::NotHost, "Only the host of the table can do that."))
    }

    /// The seat that was named, counted from 1.
    fn chair(&self, wanted: u8) -> Result<Seat, Refused> {
        let seat = wanted.checked_sub(1).map(Seat).filter(|seat| seat.index() < self.chairs.len());
        seat.ok_or_else(|| refused(Refusal::NotNow, "There is no such seat."))
    }

    pub(super) async fn sit(&mut self, person: Person, wanted: Option<u8>) -> Result<(), Refused> {
        self.before_the_game()?;
        if self.seat_of(&person).is_some() {
            return Err(refused(Refusal::NotNow, "You have a seat already: stand up first."));
        }
        let free = |seat: &Seat| self.chairs[seat.index()].sitter.is_none();
        let seat = match wanted {
            Some(wanted) => Some(self.chair(wanted)?).filter(free),
            None => (0..self.chairs.len() as u8).map(Seat).find(free),
        };
        let Some(seat) = seat else {
            return Err(refused(Refusal::SeatTaken, "That seat is taken."));
        };
        let host = !self.chairs.iter().any(Chair::is_host);
        let sitter = Sitter::Person { id: person.id, name: person.name.clone(), host };
        self.put(&[(seat, Some(sitter))]).await?;
        let chair = &mut self.chairs[seat.index()];
        for connection in self.connections.iter_mut().filter(|c| c.person.id == person.id) {
            connection.seat = Some(seat);
            chair.connected += 1;
            chair.entropy = chair.entropy.or(connection.entropy);
        }
        self.table_changed();
        self.begin_if_all_are_here().await;
        Ok(())
    }

    /// Puts these into the seats. If that cannot be stored, everybody sits as before.
    async fn put(&mut self, seating: &[(Seat, Option<Sitter>)]) -> Result<(), Refused> {
        let before = self.chairs.clone();
        for (seat, sitter) in seating {
            let chair = &mut self.chairs[seat.index()];
            let is_new = Chair { sitter: sitter.clone(), ..Chair::new(&self.settings) };
            if is_new.person().map(|(id, _)| id) == chair.person().map(|(id, _)| id) {
                chair.sitter = is_new.sitter;
            } else {
                *chair = is_new;
            }
        }
        let entries: Vec<Entry> =
            seating.iter().map(|(seat, sitter)| Entry::Sits(seat.0, sitter.clone())).collect();
        let found_with = Some(self.found_with());
        let stored = self.store(Change { entries: &entries, players: self.players(), found_with }).await;
        if stored.is_err() {
            self.chairs = before;
        }
        stored
    }

    fn players(&self) -> Vec<(PersonId, u8)> {
        (0..).zip(&self.chairs).filter_map(|(seat, chair)| Some((chair.person()?.0, seat))).collect()
    }

    pub(super) async fn stand(&mut self, seat: Seat) -> Result<(), Refused> {
        self.before_the_game()?;
        let mut seating = vec![(seat, None)];
        let is_other = |(at, chair): &(usize, &Chair)| *at != seat.index() && chair.person().is_some();
        if self.chairs[seat.index()].is_host()
            && let Some((at, next)) = self.chairs.iter().enumerate().find(is_other)
            && let Some((id, name)) = next.person()
        {
            seating.push((Seat(at as u8), Some(Sitter::Person { id, name: name.into(), host: true })));
        }
        self.put(&seating).await?;
        self.connections.iter_mut().filter(|c| c.seat == Some(seat)).for_each(|c| c.seat = None);
        self.table_changed();
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
        let seat = self.chair(wanted)?;
        if self.chairs[seat.index()].person().is_some() {
            return Err(refused(Refusal::SeatTaken, "Somebody sits there."));
        }
        self.put(&[(seat, level.map(new_bot))]).await?;
        self.table_changed();
        self.begin_if_all_are_here().await;
        Ok(())
    }

    pub(super) async fn start(&mut self, host: Seat) -> Result<(), Refused> {
        self.before_the_game()?;
        self.host_only(host)?;
        if self.chairs.iter().any(|chair| chair.sitter.is_none()) {
            let words = "Every seat must be taken: wait for somebody, or put a bot there.";
            return Err(refused(Refusal::NotNow, words));
        }
        self.begin().await
    }

    /// A table that was made to begin by itself does.
    pub(super) async fn begin_if_all_are_here(&mut self) {
        let missing =
            |chair: &Chair| chair.sitter.is_none() || chair.person().is_some() && chair.connected == 0;
        if self.auto_start && self.play.is_none() && !self.chairs.iter().any(missing) {
            let _ = self.begin().await;
        }
    }

    /// Deals the cards.
    pub(super) async fn begin(&mut self) -> Result<(), Refused> {
        let entropy: Vec<_> = self.chairs.iter().map(|chair| chair.entropy).collect();
        let (fairness, seed) = fair::seed(self.secret, &entropy);
        let rules =
            hall::rules(&self.settings).map_err(|error| refused(Refusal::NotNow, &error.to_string()))?;
        let setup = Setup { rules, deck: self.cards.deck.id.clone(), seed };
        let added = (0..).zip(&entropy).filter_map(|(seat, part)| Some(Entry::Entropy(seat, (*part)?)));
        let mut entries: Vec<Entry> = added.collect();
        entries.push(Entry::Begins(setup.to_string()));
        let Some((play, events)) = Play::deal(self.cards, setup, Some(fairness)) else {
            return Err(refused(Refusal::NotNow, "This game cannot be dealt."));
        };
        let found_with = Some(FoundWith { state: Some(TableState::Playing), ..self.found_with() });
        self.store(Change { entries: &entries, found_with, ..Change::default() }).await?;
        self.durable = 0;
        self.play = Some(play);
        self.unsent = events;
        self.seat_bots();
        metrics::counter!("lair_games_begun").increment(1);
        self.table_changed();
        self.deal_out_cards();
        self.go_on().await;
        Ok(())
    }

    pub(super) async fn resign(&mut self, seat: Seat) -> Result<(), Refused> {
        self.during_the_game()?;
        if self.chairs[seat.index()].resigned {
            return Err(refused(Refusal::NotNow, "You have given up already."));
        }
        self.enter(Entry::Resigns(seat.0)).await?;
        self.resigned(seat);
        self.seat_bots();
        self.table_changed();
        self.go_on().await;
        Ok(())
    }

    /// Who is left wins; with more than one left, a bot plays on for the one who gave up.
    pub(super) fn resigned(&mut self, seat: Seat) {
        self.chairs[seat.index()].resigned = true;
        let left: Vec<usize> = (0..self.chairs.len()).filter(|at| !self.chairs[*at].resigned).collect();
        let people = left.iter().any(|at| self.chairs[*at].person().is_some());
        let reason = "resigned".to_string();
        if let [winner] = left[..] {
            self.ended = Some(Ended { winner: Some(winner as u8 + 1), reason });
        } else if !people {
            self.ended = Some(Ended { winner: None, reason });
        }
    }

    pub(super) async fn replace(&mut self, by: Seat, wanted: u8) -> Result<(), Refused> {
        self.during_the_game()?;
        let seat = self.chair(wanted)?;
        let chair = &self.chairs[seat.index()];
        if seat == by || !chair.is_present() || chair.connected > 0 {
            return Err(refused(Refusal::NotNow, "Only somebody who has gone can be replaced."));
        }
        self.set_away(seat, true).await
    }

    pub(super) async fn back(&mut self, seat: Seat) -> Result<(), Refused> {
        self.during_the_game()?;
        if !self.chairs[seat.index()].away {
            return Ok(());
        }
        self.set_away(seat, false).await
    }

    pub(super) async fn set_away(&mut self, seat: Seat, away: bool) -> Result<(), Refused> {
        self.enter(Entry::Away(seat.0, away)).await?;
        let settings = &self.settings;
        let chair = &mut self.chairs[seat.index()];
        chair.away = away;
        if !away {
            chair.reserve_ms = settings.clock.map_or(0, |clock| u64::from(clock.reserve_s) * 1000);
        }
        self.seat_bots();
        self.table_changed();
        self.ask_anew().await;
        Ok(())
    }

    pub(super) async fn begin_rematch(&mut self, seat: Seat) -> Result<(), Refused> {
        if self.state() != TableState::Over {
            return Err(refused(Refusal::NotNow, "The game is not over."));
        }
        if self.rematch.is_none() {
            // The next in player order begins, so nobody keeps an advantage.
            let mut sitters: Vec<Option<Sitter>> =
                self.chairs.iter().map(|chair| chair.sitter.clone()).collect();
            sitters.rotate_left(1);
            let asker = self.chairs[seat.index()].person().map(|(id, _)| id);
            for sitter in sitters.iter_mut().flatten() {
                match sitter {
                    Sitter::Person { id, host, .. } => *host = Some(*id) == asker,
                    Sitter::Bot { level, .. } => *sitter = new_bot(*level),
                }
            }
            let new = NewTable { settings: self.settings.clone(), ..NewTable::default() };
            let id = match self.hall.create_with(new, sitters).await {
                Ok(id) => id,
                Err(error) => return Err(refused(Refusal::NotNow, &error.to_string())),
            };
            self.enter(Entry::Rematch(id.clone())).await?;
            self.rematch = Some(id);
        }
        self.table_changed();
        Ok(())
    }

    /// What the table is found with in the store.
    pub(super) fn found_with(&self) -> FoundWith {
        FoundWith {
            state: Some(self.state()),
            seats: serde_json::to_string(&self.names()).unwrap_or_default(),
            result: self.result().and_then(|result| serde_json::to_string(&result).ok()),
        }
    }

    /// How the game ended; `None` while it goes on.
    pub(super) fn result(&self) -> Option<crate::wire::GameOver> {
        let play = self.play.as_ref()?;
        let game = &play.game;
        let own = ResultText::of(game);
        let seats = || (0..self.chairs.len() as u8).map(Seat);
        let (winner, reason) = match (&self.ended, own) {
            (_, Some(own)) => (Some(own.winner), own.reason),
            (Some(ended), None) => (ended.winner, ended.reason.clone()),
            (None, None) => return None,
        };
        Some(crate::wire::GameOver {
            winner: winner.filter(|seat| usize::from(*seat) <= self.chairs.len()),
            reason,
            turns: game.state.turn(),
            souls: seats().map(|seat| game.souls(seat)).collect(),
            wounds: seats().map(|seat| game.wounds(seat)).collect(),
            record: format!("/record/{}", self.id),
        })
    }

    pub(super) fn undo_rule(&self) -> UndoRule {
        self.settings.undo
    }
}

pub fn new_bot(level: BotLevel) -> Sitter {
    let mut seed = [0; 8];
    fill_random(&mut seed);
    Sitter::Bot { level, seed: u64::from_le_bytes(seed) }
}
