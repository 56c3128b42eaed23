//! The order of steps in a game and a turn; no other file knows it. A step continues to its
//! successor directly, or pushes it below whatever it starts; every turn begins from the stack.

use cards::code::Hooks;
use cards::vocabulary::{Back, EventWord, Kind, Phase};

use crate::acts::Runner;
use crate::api::event::{Log, What};
use crate::ask::Action;
use crate::model::id::*;
use crate::model::state::*;

impl<L: Log> Runner<'_, L> {
    pub fn step(&mut self, step: Step) {
        match step {
            Step::ChooseBoss(seat) => self.choose_boss(Some(seat)),
            Step::Deal => self.deal(),
            Step::Mulligan(seat) => self.mulligan(Some(seat)),
            Step::DiscardTwo(seat) => self.discard_two(Some(seat)),
            Step::FirstRoom(seat) => self.first_room(Some(seat)),
            Step::BeginTurn => self.begin_turn(),
            Step::Phase(phase) => self.begin_phase(phase),
            Step::Arrived => self.turn_draw(Some(self.s.first_player())),
            Step::DrawDone(seat) => self.turn_draw(self.s.next_after(seat)),
            Step::Build(seat) => self.build_phase(Some(seat)),
            Step::BuildDone(seat) => {
                self.s.player_mut(seat).done = true;
                self.build_phase(self.s.next_after(seat));
            }
            Step::Reveal => self.reveal_rooms(),
            Step::Revealed => self.build_effects(Some(self.s.first_player())),
            Step::LevelUp(seat) => self.level_up(seat),
            Step::BuiltAbilities(seat) => {
                self.built_abilities(seat, &[]);
            }
            Step::BuildEffectsDone(seat) => self.build_effects(self.s.next_after(seat)),
            Step::Adventure(seat) => self.adventure(Some(seat)),
            Step::AdventureDone(seat) => {
                let next = self.end_adventure(seat);
                self.adventure(next);
            }
            Step::NextHero => self.next_hero(),
            Step::EnterDungeon => self.enter_dungeon(),
            Step::RoomDamage { in_window } => self.room_damage(in_window),
            Step::LeaveRoom => self.leave_room(),
            Step::NextRoom { in_window } => {
                // It has left its room already.
                self.s.walk.fallen = false;
                self.next_room(in_window);
            }
            Step::Machinations(seat) => self.machinations(Some(seat)),
            Step::Claim(seat) => self.claim(seat),
            Step::Check => self.check_end(),
            Step::Settle { left } => self.settled(left),
            Step::Draft(seat) => self.draft(Some(seat)),
            Step::PlaceMinion(seat) => self.send_minion(seat),
            Step::MinionActs(seat) => self.minion_acts(seat),
            // Only asked.
            Step::MinionAsks(_) => {}
            Step::MinionDone(seat) => self.minion_phase(self.s.next_after(seat)),
            Step::MinionsDone => self.next_phase(),
            Step::TavernEnds => self.end_at_tavern(),
        }
    }

    /// An answer to a question that a step asked.
    pub fn answer_step(&mut self, step: Step, seat: Seat, action: Action) {
        let next = self.s.next_after(seat);
        match (step, action) {
            (Step::ChooseBoss(_), Action::Pick(r)) => {
                if let Some(boss) = r.as_card() {
                    self.s.card_mut(boss).flags.set(Flags::CHOSEN);
                }
                self.choose_boss(next);
            }
            (Step::Mulligan(_), Action::Yes) => {
                self.tell(|t| {
                    let count = |pile| t.s.pile_len(pile) as u8;
                    let (rooms, spells) = (count(Place::rooms(seat)), count(Place::spells(seat)));
                    What::Mulligan { rooms, spells }.by(seat)
                });
                if self.s.rules.edition().shows_mulligan {
                    self.show_hand(seat);
                }
                self.return_hand(seat);
                self.deal_hand(seat);
                self.mulligan(Some(seat));
            }
            (Step::Mulligan(_), _) => self.mulligan(next),
            (Step::DiscardTwo(_), Action::Pick(r)) => {
                if let Some(card) = r.as_card() {
                    self.s.card_mut(card).flags.set(Flags::CHOSEN);
                }
                self.discard_two(Some(seat));
            }
            (Step::FirstRoom(_), action) => {
                if let Action::Build { card, spot } = action {
                    self.place_facedown(seat, card, spot);
                }
                self.first_room(next);
            }
            (Step::Machinations(_), Action::Yes) => {
                self.s.frames.put(Frame::Step(step));
                self.ask(seat, AskKind::Pick);
            }
            (Step::Machinations(_), action) => {
                if let Action::Pick(r) = action {
                    let spell = r.as_number() == Some(1);
                    self.draw(seat, if spell { Back::Spell } else { Back::Room });
                }
                self.machinations(next);
            }
            (Step::Draft(_), Action::Pick(card)) => self.drafted(seat, card),
            (Step::PlaceMinion(_), Action::Pick(space)) => self.minion_placed(seat, space),
            (Step::MinionAsks(_), Action::Pick(answer)) => self.minion_answered(seat, answer),
            (Step::Claim(_), Action::Use { card, ability }) => {
                self.s.frames.put(Frame::Step(step));
                self.begin_use(seat, card, ability, false);
            }
            (Step::Claim(_), Action::Pass) => {
                self.s.frames.put(Frame::Step(step));
                self.ask_anyway(seat, AskKind::Pick);
            }
            (Step::Claim(_), Action::Pick(r)) => {
                if let Some(item) = r.as_card() {
                    self.turn_item(item, false);
                }
                self.s.frames.put(Frame::Step(step));
            }
            // No other step asks anything.
            _ => {}
        }
    }

    // ---- the phases ----

    /// The next phase of the turn begins; after the last one the turn is over.
    pub fn next_phase(&mut self) {
        match self.s.rules.edition().phases.after(self.s.phase) {
            Some(phase) => self.begin_phase(phase),
            None => self.check_end(),
        }
    }

    pub fn begin_phase(&mut self, phase: Phase) {
        self.s.phase = phase;
        self.s.active = Seat::NONE;
        for player in &mut self.s.players {
            player.done = false;
        }
        self.tell(|_| What::PhaseBegins { phase });
        let first = Some(self.s.first_player());
        match phase {
            Phase::Setup => {}
            Phase::Begin => self.beginning_of_turn(),
            Phase::Build => {
                let then = Frame::Step(Step::Build(self.s.first_player()));
                let wakes = self.s.hooks.has(Hooks::START_OF_BUILD);
                if !wakes || !self.triggers_follow(|t| t.wake_start_of_build(), &[then]) {
                    self.build_phase(first);
                }
            }
            Phase::Bait => self.bait(),
            Phase::Adventure => {
                if L::ON && self.s.seats().all(|seat| self.s.pile_len(Place::entrance(seat)) == 0) {
                    self.tell(|_| What::PhaseIdles { phase });
                }
                self.adventure(first);
            }
            Phase::End => self.end_of_turn(),
            Phase::Town => self.town_phase(),
            Phase::Minion => self.minion_phase(first),
        }
    }

    // ---- beginning of turn (section 5) ----

    fn begin_turn(&mut self) {
        self.s.turn += 1;
        self.s.left_town = false;
        self.s.trigger_count = 0;
        self.clear_lasting();
        self.s.casts.clear();
        self.s.trade = Trade { open: self.s.trade.open, ..Trade::NONE };
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
        self.renew(self.s.pile(Place::ATTACHED).next());
        if self.db.items {
            for seat in (0..self.s.rules.players).map(Seat) {
                self.renew(self.s.pile(Place::scoring(seat)).next());
            }
        }
        self.tell(|t| What::TurnBegins { turn: t.s.turn });
        let first = self.s.rules.edition().phases.first();
        let wait = self.db.names_entrances
            && self.triggers_follow(Self::wait_at_entrances, &[Frame::Step(Step::Phase(first))]);
        if !wait {
            self.begin_phase(first);
        }
    }

    /// Heroes come to town, players draw.
    fn beginning_of_turn(&mut self) {
        let heroes = self.s.rules.edition().heroes_a_turn(self.s.rules.players);
        let arrive = |t: &mut Self| {
            t.reveal_items();
            for _ in 0..heroes {
                t.reveal_hero();
            }
        };
        if !self.triggers_follow(arrive, &[Frame::Step(Step::Arrived)]) {
            self.turn_draw(Some(self.s.first_player()));
        }
    }

    /// Resets once-per-turn abilities of the cards from this one on.
    fn renew(&mut self, first: Option<CardId>) {
        let mut next = first;
        while let Some(id) = next {
            let card = self.s.card_mut(id);
            card.flags = card.flags.begin_turn();
            next = Some(card.next).filter(|id| id.exists());
        }
    }

    fn turn_draw(&mut self, mut next: Option<Seat>) {
        let rooms = self.s.rules.edition().rooms_drawn;
        while let Some(seat) = next {
            if !self.s.player(seat).hooks.has(Hooks::REPLACES_DRAW) {
                (0..rooms).for_each(|_| self.draw(seat, Back::Room));
                next = self.s.next_after(seat);
                continue;
            }
            let board = self.board();
            let replaces =
                |id: &&CardId| board.is_active_room(**id) && board.def(**id).hooks.has(Hooks::REPLACES_DRAW);
            if rooms > 0
                && let Some(room) = self.s.slots(seat).iter().find(replaces).copied()
                && let Some(unit) = board.draw_replacement(room)
            {
                let code = self.code(unit, self.s.ref_of(room), seat);
                self.s.frames.put(Frame::Step(Step::DrawDone(seat)));
                return self.launch(code);
            }
            next = self.s.next_after(seat);
        }
        self.next_phase();
    }

    // ---- build phase (sections 6 and 7) ----

    /// Players may place a room one after the other; from this one on.
    fn build_phase(&mut self, mut next: Option<Seat>) {
        while let Some(seat) = next {
            self.s.active = seat;
            self.tell(|_| What::PlayerBegins.by(seat));
            if self.open_window(Step::BuildDone(seat)) {
                return;
            }
            self.s.player_mut(seat).done = true;
            next = self.s.next_after(seat);
        }
        self.reveal_rooms();
    }

    fn reveal_rooms(&mut self) {
        self.s.active = Seat::NONE;
        if !self.triggers_follow(|t| t.turn_up_rooms(), &[Frame::Step(Step::Revealed)]) {
            self.build_effects(Some(self.s.first_player()));
        }
    }

    fn turn_up_rooms(&mut self) {
        self.return_illegal();
        for index in 0..self.s.rules.players {
            let seat = self.s.order[usize::from(index) % SEATS];
            let mut facedown = Slots(self.s.slots_with(seat, Flags::FACEDOWN));
            if L::ON && facedown.0 == 0 && self.s.phase == Phase::Build && self.s.in_game(seat) {
                self.tell(|_| What::PhaseIdles { phase: Phase::Build }.by(seat));
            }
            while let Some(slot) = facedown.next() {
                let room = self.s.at(seat, slot);
                if self.db.minibosses && self.board().def(room).kind == Kind::Miniboss {
                    self.reveal_miniboss(seat, slot);
                    // Its stack is gone if there was no room beneath.
                    facedown = Slots(self.s.slots_with(seat, Flags::FACEDOWN));
                } else {
                    self.reveal(seat, slot);
                }
            }
        }
    }

    /// Rule 6.4: what could not be placed any more goes back to hand, before anything is turned up.
    fn return_illegal(&mut self) {
        if !self.db.minibosses && !self.s.hooks.has(Hooks::forbids(EventWord::Built)) {
            return;
        }
        for seat in self.s.order.into_iter().take(usize::from(self.s.rules.players)) {
            let mut facedown = Slots(self.s.slots_with(seat, Flags::FACEDOWN));
            while let Some(slot) = facedown.next() {
                let card = self.s.at(seat, slot);
                if !self.board().stands(seat, card, slot) {
                    self.take(card, self.board().owner(card));
                    // The stacks may have moved up; those already checked still stand.
                    facedown = Slots(self.s.slots_with(seat, Flags::FACEDOWN));
                }
            }
        }
    }

    /// Level up first, then "when you build", one player after the other from this one on: after
    /// the reveal (6.5), and, at end of turn, what a deactivated room postponed (7.2).
    fn build_effects(&mut self, mut next: Option<Seat>) {
        while let Some(seat) = next {
            let player = self.s.player(seat);
            let level_up = !player.levelled && usize::from(player.stacks) == SLOTS;
            let done = Frame::Step(Step::BuildEffectsDone(seat));
            if level_up {
                self.s.frames.put(done);
                self.s.frames.put(Frame::Step(Step::BuiltAbilities(seat)));
                return self.s.frames.put(Frame::Step(Step::LevelUp(seat)));
            }
            let due = self.s.slots_with(seat, Flags::DUE) != 0
                || self.has_put_off(seat)
                || !self.s.attached.is_empty();
            if due && self.built_abilities(seat, &[done]) {
                return;
            }
            next = self.s.next_after(seat);
        }
        match self.s.phase {
            Phase::End => self.end_abilities(),
            Phase::Setup => self.begin_turn(),
            _ => self.next_phase(),
        }
    }

    /// "When you build"; `false` if the seat has no such ability now.
    fn built_abilities(&mut self, seat: Seat, then: &[Frame]) -> bool {
        let due = self.s.slots_with(seat, Flags::DUE) & self.s.active_slots(seat);
        let built = |t: &mut Self| {
            for slot in Slots(due).rev() {
                t.built(seat, t.s.at(seat, slot));
            }
            t.built_minibosses(seat);
            t.wake_put_off(seat);
        };
        self.triggers_follow(built, then)
    }

    /// Rule 7.1.
    fn level_up(&mut self, seat: Seat) {
        let player = self.s.player(seat);
        let boss = player.boss;
        if player.levelled || player.out.is_some() || !boss.exists() || self.board().room_count(seat) < SLOTS
        {
            return;
        }
        let before = self.scores_before();
        self.s.player_mut(seat).levelled = true;
        self.refresh_dungeon(seat);
        self.tell(|t| What::LevelsUp.by(seat).on(t.shown(boss)).at(t.at(boss)));
        self.tell_changes(before);
        if let Some(unit) = self.board().def(boss).level_up {
            let code = self.code(unit, self.s.ref_of(boss), seat);
            self.launch(code);
        }
    }

    // ---- end of turn (section 11) ----

    fn end_of_turn(&mut self) {
        self.s.walk = Walk::NONE;
        self.end_lasting();
        self.refresh(self.s.pile(Place::TOWN).next());
        self.refresh(self.s.pile(Place::LANDMARK).next());
        for seat in (0..self.s.rules.players).map(Seat) {
            let turned = self.s.slots_with(seat, Flags::DEACTIVATED);
            for slot in Slots(turned) {
                let room = self.s.at(seat, slot);
                self.s.card_mut(room).flags.clear(Flags::DEACTIVATED);
                self.tell(|t| What::Reactivated.on(t.shown(room)).at(t.at(room)));
            }
            for place in [Place::entrance(seat), Place::scoring(seat)] {
                self.refresh(self.s.pile(place).next());
            }
            if turned != 0 {
                self.refresh_dungeon(seat);
            }
        }
        self.build_effects(Some(self.s.first_player()));
    }

    /// Ends what was for this turn only, for the heroes from this one on.
    fn refresh(&mut self, first: Option<CardId>) {
        let mut next = first;
        while let Some(id) = next {
            let card = self.s.card_mut(id);
            card.flags.clear(Flags::WALKED);
            next = Some(card.next).filter(|id| id.exists());
            self.s.marks_mut(id).damage = 0;
        }
    }

    /// "At end of turn", in player order, before the check (11.1).
    fn end_abilities(&mut self) {
        let consoles = self.s.rules.edition().consolation;
        let first = self.s.first_player();
        if self.s.hooks.has(Hooks::END_OF_TURN) {
            let then = if consoles { Step::Machinations(first) } else { Step::Check };
            if self.triggers_follow(|t| t.wake_end_of_turn(), &[Frame::Step(then)]) {
                return;
            }
        }
        if consoles { self.machinations(Some(first)) } else { self.check_end() }
    }

    /// Rule 12.4.
    #[cold]
    fn machinations(&mut self, mut next: Option<Seat>) {
        while let Some(seat) = next {
            let cards_left = self.board().can_draw(Back::Room) || self.board().can_draw(Back::Spell);
            if self.s.player(seat).gained == 0 && cards_left {
                self.s.frames.put(Frame::Step(Step::Machinations(seat)));
                return self.ask_anyway(seat, AskKind::YesNo);
            }
            next = self.s.next_after(seat);
        }
        self.check_end();
    }
}
