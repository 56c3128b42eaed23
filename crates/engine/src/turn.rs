//! The order of a game and of a turn: the only file that knows what comes after what. A step goes on to its
//! successor directly, or puts it on the stack below whatever it starts; every turn begins from the stack.

use cards::code::Hooks;
use cards::tree::{Back, Word};

use crate::acts::Table;
use crate::ask::Action;
use crate::event::{Event, Log};
use crate::id::*;
use crate::setup::Variant;
use crate::state::*;
use crate::stats::Happening;

const SOULS_TO_WIN: i32 = 10;
const WOUNDS_TO_LOSE: i32 = 5;

impl<L: Log> Table<'_, L> {
    pub fn step(&mut self, step: Step, index: u8) {
        match step {
            Step::ChooseBoss => self.choose_boss(index),
            Step::Deal => self.deal(),
            Step::Mulligan => self.mulligan(index),
            Step::DiscardTwo => self.discard_two(index),
            Step::FirstRoom => self.first_room(index),
            Step::Reveal => self.reveal_rooms(),
            Step::AfterReveal => self.after_reveal(index),
            Step::BuiltAbilities => {
                self.built_abilities(Seat(index));
            }
            Step::LevelUp => self.level_up(Seat(index)),
            Step::Begin => self.begin_turn(),
            Step::TurnDraw => self.turn_draw(index),
            Step::Build => self.build_phase(index),
            Step::BuildDone => {
                self.s.player_mut(self.s.active).done = true;
                self.build_phase(index + 1);
            }
            Step::Bait => self.bait(),
            Step::Adventure => self.adventure(index),
            Step::NextHero => self.next_hero(),
            Step::EnterDungeon => self.enter_dungeon(),
            Step::RoomDamage => self.room_damage(index == 1),
            Step::LeaveRoom => self.leave_room(),
            Step::NextRoom => self.next_room(false),
            Step::End => self.end_turn(),
            Step::Upright => self.upright(index),
            Step::EndAbilities => self.end_abilities(),
            Step::Machinations => self.machinations(index),
            Step::Check => self.check_end(),
        }
    }

    /// An answer to a question that a step asked.
    pub fn answer_step(&mut self, step: Step, index: u8, seat: Seat, action: Action) {
        match (step, action) {
            (Step::ChooseBoss, Action::Pick(r)) => {
                if let Some(boss) = r.as_card() {
                    self.s.card_mut(boss).flags.set(Flags::CHOSEN);
                }
                self.s.frames.put(Frame::Step(step, index + 1));
            }
            (Step::Mulligan, Action::Yes) => {
                self.tell(|_| Event::Mulligan(seat));
                self.return_hand(seat);
                self.deal_hand(seat);
                self.s.frames.put(Frame::Step(step, index));
            }
            (Step::DiscardTwo, Action::Pick(r)) => {
                if let Some(card) = r.as_card() {
                    self.s.card_mut(card).flags.set(Flags::CHOSEN);
                }
                self.s.frames.put(Frame::Step(step, index));
            }
            (Step::FirstRoom, Action::Build { card, spot }) => {
                self.place_facedown(seat, card, spot);
                self.s.frames.put(Frame::Step(step, index + 1));
            }
            (Step::Machinations, Action::Yes) => {
                self.s.frames.put(Frame::Step(step, index));
                self.ask(seat, AskKind::Pick);
            }
            (Step::Machinations, Action::Pick(r)) => {
                let spell = r.as_number() == Some(1);
                self.draw(seat, if spell { Back::Spell } else { Back::Room });
                self.s.frames.put(Frame::Step(step, index + 1));
            }
            _ => self.s.frames.put(Frame::Step(step, index + 1)),
        }
    }

    /// The seat at this place of the player order.
    pub fn seat_of(&self, index: u8) -> Option<Seat> {
        self.s.seats().nth(usize::from(index))
    }

    pub fn enter_phase(&mut self, phase: Phase) {
        self.s.phase = phase;
        self.s.active = Seat::NONE;
        for player in &mut self.s.players {
            player.done = false;
        }
        self.tell(|_| Event::PhaseBegins(phase));
    }

    // ---- beginning of turn (section 5) ----

    fn begin_turn(&mut self) {
        self.s.turn += 1;
        self.s.left_town = false;
        self.s.trigger_count = 0;
        self.clear_lasting();
        for player in &mut self.s.players {
            player.placed = 0;
            player.gained = 0;
            (player.lured, player.entered, player.destroyed) = (0, 0, 0);
        }
        let heroes_act = !self.s.hero_hooks.is_empty();
        for seat in (0..self.s.rules.players).map(Seat) {
            for slot in 0..self.s.slots(seat).len() {
                self.renew(Some(self.s.slots(seat)[slot]));
            }
            self.renew(self.s.pile(Place::boss(seat)).next());
            if heroes_act {
                self.renew(self.s.pile(Place::entrance(seat)).next());
            }
        }
        if heroes_act {
            self.renew(self.s.pile(Place::TOWN).next());
        }
        self.tell(|t| Event::TurnBegins(t.s.turn));
        self.enter_phase(Phase::Begin);
        for _ in 0..self.s.rules.players {
            self.reveal_hero();
        }
        self.turn_draw(0);
    }

    /// Once-per-turn abilities of a card and those after it can be used again.
    fn renew(&mut self, first: Option<CardId>) {
        let mut next = first;
        while let Some(id) = next {
            let card = self.s.card_mut(id);
            card.flags = card.flags.begin_turn();
            next = Some(card.next).filter(|id| id.exists());
        }
    }

    fn turn_draw(&mut self, mut index: u8) {
        while let Some(seat) = self.seat_of(index) {
            index += 1;
            if !self.s.player(seat).hooks.has(Hooks::REPLACES_DRAW) {
                self.draw(seat, Back::Room);
                continue;
            }
            let board = self.board();
            let replaces =
                |id: &&CardId| board.is_active_room(**id) && board.def(**id).hooks.has(Hooks::REPLACES_DRAW);
            if let Some(room) = self.s.slots(seat).iter().find(replaces).copied()
                && let Some(unit) = board.draw_replacement(room)
            {
                let code = self.code(unit, self.s.ref_of(room), seat);
                self.s.frames.put(Frame::Step(Step::TurnDraw, index));
                return self.launch(code);
            }
        }
        self.build_phase(0);
    }

    // ---- build phase (sections 6 and 7) ----

    fn build_phase(&mut self, mut index: u8) {
        if index == 0 {
            self.enter_phase(Phase::Build);
        }
        while let Some(seat) = self.seat_of(index) {
            self.s.active = seat;
            self.tell(|_| Event::Active(seat));
            if self.open_window(Step::BuildDone, index) {
                return;
            }
            self.s.player_mut(seat).done = true;
            index += 1;
        }
        self.reveal_rooms();
    }

    fn reveal_rooms(&mut self) {
        self.s.active = Seat::NONE;
        let collected = self.s.triggers.len() as u8;
        for index in 0..self.s.rules.players {
            let seat = self.s.order[usize::from(index) % SEATS];
            let mut facedown = Slots(self.s.slots_with(seat, Flags::FACEDOWN));
            while let Some(slot) = facedown.next() {
                let room = self.s.at(seat, slot);
                if self.stands(seat, room) {
                    self.reveal(seat, slot);
                } else {
                    self.take(room, self.board().owner(room));
                    // The others may have moved up.
                    facedown = Slots(self.s.slots_with(seat, Flags::FACEDOWN));
                }
            }
        }
        if self.s.triggers.len() > usize::from(collected) {
            self.s.frames.put(Frame::Step(Step::AfterReveal, 0));
            self.s.frames.put(Frame::Triggers(collected));
        } else {
            self.after_reveal(0);
        }
    }

    /// Rule 6.4: a placement that became illegal goes back to hand.
    fn stands(&self, seat: Seat, room: CardId) -> bool {
        let def = self.board().def(room);
        let beneath = self.s.card(room).next;
        let mut what = Happening::new(Word::Built, self.s.ref_of(room), seat);
        if beneath.exists() {
            what.room = self.s.ref_of(beneath);
        }
        let fits = !def.advanced || beneath.exists() && def.icon_mask & self.board().icon_mask(beneath) != 0;
        fits && !self.board().forbidden(&what)
    }

    /// Rule 6.5, one player after the other.
    fn after_reveal(&mut self, index: u8) {
        if self.build_effects(Step::AfterReveal, index) {
            return;
        }
        if self.s.turn == 0 { self.begin_turn() } else { self.bait() }
    }

    /// Level up first, then "when you build", of the next player who has any; false when nobody has.
    fn build_effects(&mut self, step: Step, mut index: u8) -> bool {
        while let Some(seat) = self.seat_of(index) {
            index += 1;
            let player = self.s.player(seat);
            let level_up = !player.levelled && usize::from(player.stacks) == SLOTS;
            if level_up {
                self.s.frames.put(Frame::Step(step, index));
                self.s.frames.put(Frame::Step(Step::BuiltAbilities, seat.0));
                self.s.frames.put(Frame::Step(Step::LevelUp, seat.0));
                return true;
            }
            if self.s.slots_with(seat, Flags::DUE) != 0 {
                self.s.frames.put(Frame::Step(step, index));
                if self.built_abilities(seat) {
                    return true;
                }
                self.s.frames.drop_last();
            }
        }
        false
    }

    /// "When you build"; true if any ability was woken.
    fn built_abilities(&mut self, seat: Seat) -> bool {
        let collected = self.s.triggers.len() as u8;
        let due = self.s.slots_with(seat, Flags::DUE) & self.s.active_slots(seat);
        for slot in Slots(due).rev() {
            self.built(seat, self.s.at(seat, slot));
        }
        let woken = self.s.triggers.len() > usize::from(collected);
        if woken {
            self.s.frames.put(Frame::Triggers(collected));
        }
        woken
    }

    /// Rule 7.1.
    fn level_up(&mut self, seat: Seat) {
        let player = self.s.player(seat);
        let boss = player.boss;
        if player.levelled || player.out.is_some() || !boss.exists() || self.board().room_count(seat) < SLOTS
        {
            return;
        }
        self.s.player_mut(seat).levelled = true;
        self.rehook(seat);
        self.tell(|t| Event::LevelsUp { seat, boss: t.shown(boss) });
        if let Some(unit) = self.board().def(boss).level_up {
            let code = self.code(unit, self.s.ref_of(boss), seat);
            self.launch(code);
        }
    }

    // ---- bait (section 9) ----

    fn bait(&mut self) {
        self.enter_phase(Phase::Bait);
        let treasure = self.board().treasures();
        let mut next = self.s.pile(Place::TOWN).next();
        while let Some(hero) = next {
            next = Some(self.s.card(hero).next).filter(|id| id.exists());
            let what = |seat| Happening::new(Word::Lured, self.s.ref_of(hero), seat);
            let pulled = self.board().pulled_to(hero, &treasure);
            match pulled.filter(|seat| !self.board().forbidden(&what(*seat))) {
                Some(seat) => {
                    self.lure(hero, seat);
                }
                None => self.tell(|t| Event::StaysInTown(t.shown(hero))),
            }
        }
        self.adventure(0);
    }

    // ---- end of turn (section 11) ----

    pub fn end_turn(&mut self) {
        self.enter_phase(Phase::End);
        self.s.walk = Walk::NONE;
        self.end_lasting();
        self.refresh(self.s.pile(Place::TOWN).next());
        for seat in (0..self.s.rules.players).map(Seat) {
            let turned = self.s.slots_with(seat, Flags::DEACTIVATED);
            for slot in Slots(turned) {
                let room = self.s.at(seat, slot);
                self.s.card_mut(room).flags.clear(Flags::DEACTIVATED);
                self.tell(|t| Event::Upright(t.shown(room)));
            }
            for place in [Place::entrance(seat), Place::scoring(seat)] {
                self.refresh(self.s.pile(place).next());
            }
            if turned != 0 {
                self.rehook(seat);
            }
        }
        self.upright(0);
    }

    /// What was for this turn only is over, for a hero and those after it.
    fn refresh(&mut self, first: Option<CardId>) {
        let mut next = first;
        while let Some(id) = next {
            let card = self.s.card_mut(id);
            card.flags.clear(Flags::WALKED);
            next = Some(card.next).filter(|id| id.exists());
            *self.s.damage_mut(id) = 0;
        }
    }

    /// What a deactivated room put off happens now (7.2).
    fn upright(&mut self, index: u8) {
        if !self.build_effects(Step::Upright, index) {
            self.end_abilities();
        }
    }

    /// "At end of turn", in player order, before the check (11.1).
    fn end_abilities(&mut self) {
        let late = self.s.rules.has(Variant::Machinations);
        if self.s.hooks.has(Hooks::END_OF_TURN) {
            let next = if late { Step::Machinations } else { Step::Check };
            self.s.frames.put(Frame::Step(next, 0));
            let collected = self.s.triggers.len() as u8;
            self.wake_end_of_turn();
            return self.s.frames.put(Frame::Triggers(collected));
        }
        if late { self.machinations(0) } else { self.check_end() }
    }

    /// Rule 12.4.
    #[cold]
    fn machinations(&mut self, index: u8) {
        let Some(seat) = self.seat_of(index) else {
            return self.check_end();
        };
        let cards_left = self.board().can_draw(Back::Room) || self.board().can_draw(Back::Spell);
        if self.s.player(seat).gained == 0 && cards_left {
            self.s.frames.put(Frame::Step(Step::Machinations, index));
            self.ask_anyway(seat, AskKind::YesNo);
        } else {
            self.s.frames.put(Frame::Step(Step::Machinations, index + 1));
        }
    }

    fn check_end(&mut self) {
        if self.s.rules.has(Variant::UnlimitedLives) {
            return self.check_unlimited();
        }
        let mut safe = [Seat::NONE; SEATS];
        let (mut count, mut winners) = (0, 0);
        for seat in self.s.seats() {
            let (souls, wounds) = (self.board().souls(seat), self.board().wounds(seat));
            if wounds < WOUNDS_TO_LOSE {
                safe[count] = seat;
                count += 1;
                winners += usize::from(souls >= SOULS_TO_WIN && self.may_win(seat));
            }
        }
        if count == 0 {
            let winner = self.best_of(|_| true);
            return self.finish(winner, Ending::AllLost);
        }
        if count < usize::from(self.s.alive) {
            for seat in self.s.order {
                if seat.exists() && self.s.in_game(seat) && !safe[..count].contains(&seat) {
                    self.eliminate(seat);
                }
            }
        }
        if winners > 0 {
            let winner =
                self.best_of(|seat| self.board().souls(*seat) >= SOULS_TO_WIN && self.may_win(*seat));
            return self.finish(winner, Ending::Souls);
        }
        if count == 1 {
            return self.finish(safe[0], Ending::LastStanding);
        }
        if self.is_stalled() {
            let winner = self.best_of(|_| true);
            return self.finish(winner, Ending::Stalled);
        }
        self.next_turn();
    }

    /// Rule 11.6: nobody is eliminated, and souls alone end nothing.
    #[cold]
    fn check_unlimited(&mut self) {
        match self.heroes_to_come() {
            0 => self.finish(self.best_of(|_| true), Ending::Stalled),
            _ => self.next_turn(),
        }
    }

    fn next_turn(&mut self) {
        if self.s.rules.last_turn > 0 && self.s.turn >= self.s.rules.last_turn {
            return self.finish(Seat::NONE, Ending::Stopped);
        }
        self.s.frames.put(Frame::Step(Step::Begin, 0));
    }

    /// An effect can keep a player from winning this turn, unless as the last one standing.
    fn may_win(&self, seat: Seat) -> bool {
        !self.board().forbidden(&Happening::new(Word::Wins, Ref::seat(seat), seat))
    }

    fn heroes_to_come(&self) -> usize {
        self.s.pile_len(Place::HERO_DECK) + self.s.pile_len(Place::EPIC_DECK)
    }

    /// Rule 11.3: most souls less wounds; then the lowest XP, which is the last in player order. Who is kept from
    /// winning does so only if there is nobody else.
    #[cold]
    fn best_of(&self, among: impl Fn(&Seat) -> bool) -> Seat {
        let score =
            |seat: &Seat| (self.may_win(*seat), self.board().souls(*seat) - self.board().wounds(*seat));
        self.s.seats().filter(|seat| among(seat)).max_by_key(score).unwrap_or(Seat::NONE)
    }

    /// Rule 11.5: no hero is left to come, and none moves any more; or it has gone on for far too long.
    fn is_stalled(&self) -> bool {
        let waiting = self.s.seats().any(|seat| self.s.pile_len(Place::entrance(seat)) > 0);
        let town = self.s.pile_len(Place::TOWN) > 0;
        self.heroes_to_come() == 0 && !waiting && (!town || !self.s.left_town) || self.s.turn >= MAX_TURNS
    }

    /// Rule 11.4: the player's cards leave the game; heroes at the entrance go back to town.
    #[cold]
    fn eliminate(&mut self, seat: Seat) {
        self.tell(|_| Event::Eliminated(seat));
        while let Some(hero) = self.s.pile(Place::entrance(seat)).next() {
            self.send_hero(hero, Place::TOWN);
        }
        let exit = Exit { turn: self.s.turn, score: self.s.scores[seat.index()] };
        self.clear_table(seat);
        self.s.player_mut(seat).out = Some(exit);
        let players = self.s.players;
        let n = usize::from(self.s.rules.players);
        self.s.order[..n].sort_by_key(|seat| players[seat.index()].out.is_some());
        self.s.alive -= 1;
        self.s.seated = SeatSet(self.s.seated.0 & !SeatSet::only(seat).0);
        self.rehook(seat);
    }

    #[cold]
    fn finish(&mut self, winner: Seat, reason: Ending) {
        self.s.outcome = Some(Outcome { winner, reason });
        self.s.active = Seat::NONE;
        self.s.frames.clear();
        self.s.triggers.clear();
        self.s.pending.clear();
        self.tell(|_| Event::GameOver { winner, reason });
    }
}
