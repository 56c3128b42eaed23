//! What a seat sees, as numbers with names. Invariants: they are read from the seat's view and from nothing else,
//! so two games that look the same to the seat give the same numbers; every number has one name, and equal tables
//! have equal names in equal order.

mod layout;

use cards::code::DefId;
use cards::vocabulary::{Kind, Landmark, Phase, Zone};
use engine::id::SLOTS;
use engine::state::Space;
use engine::view::View;
use engine::{CardId, Place, Question, Seat};

use crate::cardlist::CardList;
pub use layout::ObservationSpace;
use layout::{HEROES, Hero};

/// Questions as the observation tells them apart.
pub const QUESTIONS: [&str; 20] = [
    "act",
    "cancel",
    "first_room",
    "build_now",
    "choose",
    "arrange",
    "number",
    "option",
    "use_item",
    "turn_down",
    "may",
    "which_first",
    "keep_boss",
    "mulligan",
    "discard_two",
    "machinations",
    "machinations_deck",
    "draft",
    "place_minion",
    "minion_asks",
];

pub fn question_number(question: Question) -> usize {
    match question {
        Question::Act => 0,
        Question::Cancel => 1,
        Question::FirstRoom => 2,
        Question::BuildNow => 3,
        Question::Choose(_) => 4,
        Question::Arrange(_) => 5,
        Question::Number { .. } => 6,
        Question::Option => 7,
        Question::UseItem => 8,
        Question::TurnDown => 9,
        Question::May => 10,
        Question::WhichFirst => 11,
        Question::KeepBoss => 12,
        Question::Mulligan => 13,
        Question::DiscardTwo => 14,
        Question::Machinations => 15,
        Question::MachinationsDeck => 16,
        Question::Draft => 17,
        Question::PlaceMinion => 18,
        Question::MinionAsks(_) => 19,
    }
}

/// Fills in the numbers of one view.
struct Pen<'a, 'v> {
    space: &'a ObservationSpace,
    list: &'a CardList,
    view: &'a View<'v>,
    me: Seat,
    out: &'a mut [f32],
    /// What is written next is counted from here.
    base: usize,
}

impl ObservationSpace {
    /// The view of a seat as numbers, into as many zeros as the space is long.
    pub fn fill(&self, list: &CardList, view: &View, out: &mut [f32]) {
        let Some(me) = view.viewer() else { return };
        let mut pen = Pen { space: self, list, view, me, out, base: 0 };
        pen.table();
        for seat in (0..self.players as u8).map(Seat) {
            pen.player(seat);
        }
    }
}

fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}

impl Pen<'_, '_> {
    fn relative(&self, seat: Seat) -> usize {
        (seat.index() + self.space.players - self.me.index()) % self.space.players
    }

    fn set(&mut self, at: usize, figure: f32) {
        if let Some(out) = self.out.get_mut(self.base + at) {
            *out = figure;
        }
    }

    fn add(&mut self, at: usize, figure: f32) {
        if let Some(out) = self.out.get_mut(self.base + at) {
            *out += figure;
        }
    }

    fn all(&mut self, at: usize, figures: &[f32]) {
        for (n, figure) in figures.iter().enumerate() {
            self.set(at + n, *figure);
        }
    }

    fn def(&self, card: CardId) -> DefId {
        self.view.table().def_id(card)
    }

    fn table(&mut self) {
        let (space, view) = (self.space, self.view);
        let (game, state) = (view.table(), view.state());
        let table = &space.table;
        self.set(table.turn, f32::from(state.turn()) / 20.0);
        if let Some(at) = Phase::ALL.iter().position(|phase| *phase == state.phase()) {
            self.set(table.phase + at, 1.0);
        }
        if state.active().exists() {
            let k = self.relative(state.active());
            self.set(table.active + k, 1.0);
        }
        if let Some(decision) = view.decision() {
            let k = self.relative(decision.seat);
            self.set(table.asked + k, 1.0);
            if decision.seat == self.me {
                self.set(table.question + question_number(decision.question), 1.0);
                let source = decision.source.and_then(|card| self.list.number(self.def(card)));
                if let Some(n) = source {
                    self.set(table.source + n, 1.0);
                }
            }
        }
        for (n, deck) in [Zone::RoomDeck, Zone::SpellDeck, Zone::HeroDeck, Zone::EpicDeck, Zone::ItemDeck]
            .into_iter()
            .enumerate()
        {
            self.set(table.decks + n, state.pile_len(Place::shared(deck)) as f32 / 20.0);
        }
        for card in state.pile(Place::DISCARD) {
            self.count_held(table.discard, card);
        }
        for hero in state.pile(Place::TOWN) {
            self.count_of(table.town, space.hero_number(self.list, self.def(hero)));
        }
        self.heroes(table.town_heroes, Place::TOWN);
        for item in state.pile(Place::TOWN_ITEMS) {
            self.count_of(table.town_items, space.item_number(self.list, self.def(item)));
        }
        for attached in state.attachments() {
            self.count_of(table.carried, space.item_number(self.list, self.def(attached.card)));
        }
        self.set(table.waiting, state.pending().len() as f32 / 3.0);
        if let Some(newest) = state.pending().last() {
            let source = newest.code.source.as_card();
            if let Some(n) = source.and_then(|card| self.list.number(self.def(card))) {
                self.set(table.newest + n, 1.0);
            }
            let k = self.relative(newest.code.you);
            self.set(table.newest_by + k, 1.0);
            self.set(table.newest_cancelled, flag(newest.cancelled));
            let targets = newest.code.regs.iter().filter_map(|r| r.as_seat());
            for k in targets.map(|seat| self.relative(seat)).collect::<Vec<_>>() {
                self.set(table.newest_at + k, 1.0);
            }
            for r in newest.code.regs {
                let Some(card) = state.present(r) else { continue };
                let place = state.card(card).place;
                if place.is_dungeon() || place.is_roaming() {
                    let seat = place.seat();
                    if seat.exists() {
                        let k = self.relative(seat);
                        self.set(table.newest_at + k, 1.0);
                    }
                }
            }
        }
        if let Some(board) = &space.board {
            for card in state.pile(Place::MARKET) {
                self.count_held(board.market, card);
            }
            for (n, landmark) in Landmark::ALL.iter().enumerate() {
                let heroes: Vec<CardId> = state.heroes_at(*landmark).collect();
                let at = board.landmarks + n * layout::LANDMARK_FIGURES;
                self.set(at, heroes.len() as f32);
                if let Some(hero) = heroes.last() {
                    self.set(at + 1, game.hero_health(*hero) as f32 / 10.0);
                    if let Some(h) = space.hero_number(self.list, self.def(*hero)) {
                        self.set(board.at_landmarks + n * space.heroes.len() + h, 1.0);
                    }
                }
            }
        }
        if let Some(at) = space.score {
            self.set(at, game.solo_score().map_or(0.0, |score| score.score as f32 / 20.0));
        }
    }

    fn count_held(&mut self, at: usize, card: CardId) {
        if let Some(n) = self.list.holdable_number(self.def(card)) {
            self.add(at + n, 1.0);
        }
    }

    fn count_of(&mut self, at: usize, n: Option<usize>) {
        if let Some(n) = n {
            self.add(at + n, 1.0);
        }
    }

    /// The first heroes of a place, one after the other.
    fn heroes(&mut self, at: usize, place: Place) {
        let heroes = self.view.state().pile(place);
        let game = self.view.table();
        let heroes = heroes.filter(|card| game.def(*card).kind.is_hero());
        for (n, hero) in heroes.take(HEROES).enumerate().collect::<Vec<_>>() {
            let start = at + n * self.space.hero_figures(place == Place::TOWN);
            let def = game.def(hero);
            self.set(start + Hero::THERE, 1.0);
            self.set(start + Hero::HEALTH, game.hero_health(hero) as f32 / 10.0);
            self.set(start + Hero::DAMAGE, game.hero_damage(hero) as f32 / 10.0);
            self.set(start + Hero::SOULS, f32::from(def.souls()) / 2.0);
            self.set(start + Hero::ITEM, flag(game.state.attached_to(hero).next().is_some()));
            for (c, class) in game.db.classes.iter().enumerate() {
                self.set(start + Hero::CLASSES + c, f32::from(def.icons[class]));
            }
            if place == Place::TOWN
                && let Some(seat) = game.lured_to(hero)
            {
                let k = self.relative(seat);
                self.set(start + Hero::CLASSES + self.space.classes + k, 1.0);
            }
        }
    }

    fn player(&mut self, seat: Seat) {
        let (space, view) = (self.space, self.view);
        let (game, state) = (view.table(), view.state());
        let k = self.relative(seat);
        let side = &space.side;
        self.base = space.sides + k * space.side_len;
        let order = state.order().iter().position(|other| *other == seat).unwrap_or(0);
        let (rooms, spells) = (state.pile_len(Place::rooms(seat)), state.pile_len(Place::spells(seat)));
        self.all(
            side.figures,
            &[
                flag(state.in_game(seat)),
                order as f32 / space.players as f32,
                game.souls(seat) as f32 / 10.0,
                game.wounds(seat) as f32 / 5.0,
                flag(game.levelled(seat)),
                f32::from(game.coins(seat)) / 5.0,
                rooms as f32 / 6.0,
                spells as f32 / 6.0,
                f32::from(game.placed(seat)),
                state.slots(seat).len() as f32 / SLOTS as f32,
                state.slots(seat).iter().map(|room| game.room_damage(*room)).sum::<i32>() as f32 / 10.0,
            ],
        );
        for (c, class) in game.db.classes.iter().enumerate() {
            self.set(side.treasure + c, game.treasure(seat, class) as f32 / 5.0);
        }
        if let Some(n) = game.boss(seat).and_then(|boss| space.boss_number(self.list, self.def(boss))) {
            self.set(side.boss + n, 1.0);
        }
        for card in state.pile(Place::boss(seat)) {
            self.count_of(side.dealt, space.boss_number(self.list, self.def(card)));
        }
        for card in state.hand(seat) {
            self.count_held(side.hand, card);
        }
        for (slot, room) in state.slots(seat).iter().enumerate() {
            self.room(side.rooms + slot * space.room_figures(), *room);
        }
        for (place, at) in [(Place::entrance(seat), side.entrance), (Place::inside(seat), side.inside)] {
            for hero in state.pile(place) {
                self.count_of(at, space.hero_number(self.list, self.def(hero)));
            }
        }
        self.heroes(side.entrance_heroes, Place::entrance(seat));
        self.heroes(side.inside_heroes, Place::inside(seat));
        let walk = state.walk();
        let walks =
            state.present(walk.hero).is_some_and(|hero| state.card(hero).place == Place::inside(seat));
        if walks && usize::from(walk.slot) < SLOTS {
            self.set(side.walks + usize::from(walk.slot), 1.0);
        }
        for card in state.pile(Place::scoring(seat)) {
            let def = self.def(card);
            let down = game.is_facedown(card);
            match game.db.def(def).kind {
                Kind::Item => {
                    let at = if down { side.items_down } else { side.items };
                    self.count_of(at, space.item_number(self.list, def));
                }
                Kind::Spell if game.db.scored_spells => self.count_held(side.laid, card),
                Kind::Spell => {}
                _ => {
                    let at = if down { side.souls } else { side.wounds };
                    self.count_of(at, space.hero_number(self.list, def));
                }
            }
        }
        if space.board.is_some() {
            let at = state.minion(seat);
            if let Some(n) = Space::of_ref(at).and_then(|space| space.to_ref().as_number()) {
                self.set(side.minion + usize::from(n), 1.0);
            }
        }
    }

    fn room(&mut self, at: usize, room: CardId) {
        let (space, view) = (self.space, self.view);
        let (game, state) = (view.table(), view.state());
        let def = game.def(room);
        let marks = state.marks(room);
        let facedown = game.is_facedown(room);
        let damage = if facedown { i32::from(def.damage) } else { game.room_damage(room) };
        self.all(
            at,
            &[
                1.0,
                flag(facedown),
                flag(game.is_deactivated(room)),
                damage as f32 / 4.0,
                f32::from(marks.counters) / 3.0,
                f32::from(marks.coins) / 3.0,
                state.stack(room).count() as f32 / 3.0,
                flag(def.advanced),
                state.attached_to(room).next().map_or(0.0, |attached| f32::from(attached.level) / 3.0),
            ],
        );
        if let Some(n) = space.room_number(self.list, self.def(room)) {
            self.set(at + layout::ROOM_FIGURES + n, 1.0);
        }
        let miniboss = state.attached_to(room).next().map(|attached| attached.card);
        if let Some(n) = miniboss.and_then(|card| space.room_number(self.list, self.def(card))) {
            self.set(at + layout::ROOM_FIGURES + n, 1.0);
        }
    }
}
