//! What a seat sees, as numbers with names. Invariants: they are read from the seat's sight and from nothing else,
//! so two games that look the same to the seat give the same numbers; every number has one name, and equal tables
//! have equal names in equal order.

mod layout;

use cards::vocabulary::{Kind, Landmark, Phase};
use engine::id::SLOTS;
use engine::sight::Sight;
use engine::state::{Attachment, Space};
use engine::{CardId, Place, Question, Seat};

use crate::cardlist::{CardList, Group};
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

/// Decks whose cards are counted.
const DECKS: [Place; 5] =
    [Place::ROOM_DECK, Place::SPELL_DECK, Place::HERO_DECK, Place::EPIC_DECK, Place::ITEM_DECK];

/// Fills in the numbers of one seat.
struct Pen<'a> {
    space: &'a ObservationSpace,
    list: &'a CardList,
    sight: Sight<'a>,
    me: Seat,
    out: &'a mut [f32],
}

impl ObservationSpace {
    /// What a player sees as numbers, into as many zeros as the space is long.
    pub fn fill(&self, list: &CardList, sight: Sight, out: &mut [f32]) {
        let Some(me) = sight.viewer() else { return };
        let (table, mut sides) = out.split_at_mut(self.sides);
        Pen { space: self, list, sight, me, out: table }.table();
        for k in 0..self.players {
            let (side, others) = sides.split_at_mut(self.side_len);
            let seat = Seat(((me.index() + k) % self.players) as u8);
            Pen { space: self, list, sight, me, out: side }.player(seat);
            sides = others;
        }
    }
}

fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}

impl Pen<'_> {
    fn relative(&self, seat: Seat) -> usize {
        (seat.index() + self.space.players - self.me.index()) % self.space.players
    }

    fn set(&mut self, at: usize, figure: f32) {
        if let Some(out) = self.out.get_mut(at) {
            *out = figure;
        }
    }

    fn all(&mut self, at: usize, figures: &[f32]) {
        if let Some(out) = self.out.get_mut(at..at + figures.len()) {
            out.copy_from_slice(figures);
        }
    }

    fn number(&self, group: Group, card: CardId) -> Option<usize> {
        self.list.number(group, self.sight.def_id(card))
    }

    /// One more of this card, where the cards of its group begin.
    fn count(&mut self, at: usize, group: Group, card: CardId) {
        if let Some(out) = self.number(group, card).and_then(|n| self.out.get_mut(at + n)) {
            *out += 1.0;
        }
    }

    fn count_pile(&mut self, at: usize, group: Group, place: Place) {
        for card in self.sight.pile(place) {
            self.count(at, group, card);
        }
    }

    /// The one card of its group.
    fn mark(&mut self, at: usize, group: Group, card: Option<CardId>) {
        if let Some(n) = card.and_then(|card| self.number(group, card)) {
            self.set(at + n, 1.0);
        }
    }

    fn table(&mut self) {
        let (space, sight) = (self.space, self.sight);
        let table = &space.table;
        self.set(table.turn, f32::from(sight.turn()) / 20.0);
        if let Some(at) = Phase::ALL.iter().position(|phase| *phase == sight.phase()) {
            self.set(table.phase + at, 1.0);
        }
        if sight.active().exists() {
            self.set(table.active + self.relative(sight.active()), 1.0);
        }
        if let Some(decision) = sight.decision() {
            self.set(table.asked + self.relative(decision.seat), 1.0);
            if decision.seat == self.me {
                self.set(table.question + question_number(decision.question), 1.0);
                self.mark(table.source, Group::All, decision.source);
            }
        }
        for (n, deck) in DECKS.into_iter().enumerate() {
            self.set(table.decks + n, sight.pile_len(deck) as f32 / 20.0);
        }
        self.count_pile(table.discard, Group::Held, Place::DISCARD);
        self.count_pile(table.town, Group::Heroes, Place::TOWN);
        self.town(table.town_heroes);
        self.count_pile(table.town_items, Group::Items, Place::TOWN_ITEMS);
        for attached in sight.attachments() {
            self.count(table.carried, Group::Items, attached.card);
        }
        self.declared();
        if space.board.is_some() {
            self.board();
        }
        if let Some(at) = space.score {
            let score = sight.souls(self.me) - sight.wounds(self.me);
            self.set(at, score as f32 / 20.0);
        }
    }

    /// What has been declared and has not taken effect.
    fn declared(&mut self) {
        let (table, sight) = (&self.space.table, self.sight);
        self.set(table.waiting, sight.pending().len() as f32 / 3.0);
        let Some(newest) = sight.pending().last() else { return };
        self.mark(table.newest, Group::All, newest.code.source.as_card());
        self.set(table.newest_by + self.relative(newest.code.you), 1.0);
        self.set(table.newest_cancelled, flag(newest.cancelled));
        for target in newest.code.regs {
            let of_card = |card: CardId| {
                let place = sight.place(card);
                (place.is_dungeon() || place.is_roaming()).then(|| place.seat())
            };
            let at = target.as_seat().or_else(|| sight.present(target).and_then(of_card));
            if let Some(seat) = at.filter(|seat| seat.exists()) {
                self.set(table.newest_at + self.relative(seat), 1.0);
            }
        }
    }

    /// The town board.
    fn board(&mut self) {
        let (space, sight) = (self.space, self.sight);
        let Some(board) = &space.board else { return };
        self.count_pile(board.market, Group::Held, Place::MARKET);
        for (n, landmark) in Landmark::ALL.iter().enumerate() {
            let at = board.landmarks + n * layout::LANDMARK_FIGURES;
            self.set(at, sight.heroes_at(*landmark).count() as f32);
            if let Some(hero) = sight.heroes_at(*landmark).last() {
                self.set(at + 1, sight.hero_health(hero) as f32 / 10.0);
                let names = board.at_landmarks + n * self.list.count(Group::Heroes);
                self.mark(names, Group::Heroes, Some(hero));
            }
        }
    }

    /// The first heroes in town, and where they would be lured.
    fn town(&mut self, at: usize) {
        let classes = self.space.classes;
        let figures = self.space.hero_figures(true);
        let sight = self.sight;
        if sight.pile_len(Place::TOWN) == 0 {
            return;
        }
        let heroes = sight.lures().filter(|(card, _)| sight.def(*card).kind.is_hero());
        for (n, (hero, lured)) in heroes.take(HEROES).enumerate() {
            let start = at + n * figures;
            self.hero(start, hero);
            if let Some(seat) = lured {
                self.set(start + Hero::CLASSES + classes + self.relative(seat), 1.0);
            }
        }
    }

    /// The first heroes of a place in a dungeon, one after the other.
    fn heroes(&mut self, at: usize, place: Place) {
        let sight = self.sight;
        let heroes = sight.pile(place).filter(|card| sight.def(*card).kind.is_hero());
        for (n, hero) in heroes.take(HEROES).enumerate() {
            self.hero(at + n * self.space.hero_figures(false), hero);
        }
    }

    fn hero(&mut self, at: usize, hero: CardId) {
        let sight = self.sight;
        let def = sight.def(hero);
        self.set(at + Hero::THERE, 1.0);
        self.set(at + Hero::HEALTH, sight.hero_health(hero) as f32 / 10.0);
        self.set(at + Hero::DAMAGE, sight.hero_damage(hero) as f32 / 10.0);
        self.set(at + Hero::SOULS, f32::from(def.souls()) / 2.0);
        self.set(at + Hero::ITEM, flag(sight.attachments().iter().any(|item| item.host == hero)));
        for (c, class) in sight.db().classes.iter().enumerate() {
            self.set(at + Hero::CLASSES + c, f32::from(def.icons[class]));
        }
    }

    fn player(&mut self, seat: Seat) {
        let (space, sight) = (self.space, self.sight);
        let side = &space.side;
        let order = sight.order().iter().position(|other| *other == seat).unwrap_or(0);
        let (rooms, spells) = (sight.pile_len(Place::rooms(seat)), sight.pile_len(Place::spells(seat)));
        let mut dealt = 0;
        for (slot, room) in sight.slots(seat).iter().enumerate() {
            let damage = sight.room_damage(*room);
            dealt += damage;
            self.room(side.rooms + slot * space.room_figures, *room, damage);
        }
        self.all(
            side.figures,
            &[
                flag(sight.in_game(seat)),
                order as f32 / space.players as f32,
                sight.souls(seat) as f32 / 10.0,
                sight.wounds(seat) as f32 / 5.0,
                flag(sight.levelled(seat)),
                f32::from(sight.coins(seat)) / 5.0,
                rooms as f32 / 6.0,
                spells as f32 / 6.0,
                f32::from(sight.placed(seat)),
                sight.slots(seat).len() as f32 / SLOTS as f32,
                dealt as f32 / 10.0,
            ],
        );
        let treasure = sight.treasure(seat);
        for (c, class) in sight.db().classes.iter().enumerate() {
            self.set(side.treasure + c, treasure[class] as f32 / 5.0);
        }
        self.mark(side.boss, Group::Bosses, sight.boss(seat));
        self.count_pile(side.dealt, Group::Bosses, Place::boss(seat));
        self.count_pile(side.hand, Group::Held, Place::rooms(seat));
        self.count_pile(side.hand, Group::Held, Place::spells(seat));
        self.count_pile(side.entrance, Group::Heroes, Place::entrance(seat));
        self.heroes(side.entrance_heroes, Place::entrance(seat));
        self.count_pile(side.inside, Group::Heroes, Place::inside(seat));
        self.heroes(side.inside_heroes, Place::inside(seat));
        let walk = sight.walk();
        let walks = sight.present(walk.hero).is_some_and(|hero| sight.place(hero) == Place::inside(seat));
        if walks && usize::from(walk.slot) < SLOTS {
            self.set(side.walks + usize::from(walk.slot), 1.0);
        }
        self.scored(seat);
        if space.board.is_some()
            && let Some(n) = Space::of_ref(sight.minion(seat)).and_then(|space| space.to_ref().as_number())
        {
            self.set(side.minion + usize::from(n), 1.0);
        }
    }

    /// The scoring area.
    fn scored(&mut self, seat: Seat) {
        let (side, sight) = (&self.space.side, self.sight);
        for card in sight.pile(Place::scoring(seat)) {
            let down = sight.is_facedown(card);
            match sight.def(card).kind {
                Kind::Item => {
                    self.count(if down { side.items_down } else { side.items }, Group::Items, card);
                }
                Kind::Spell if sight.db().scored_spells => self.count(side.laid, Group::Held, card),
                Kind::Spell => {}
                _ => self.count(if down { side.souls } else { side.wounds }, Group::Heroes, card),
            }
        }
    }

    fn room(&mut self, at: usize, room: CardId, damage: i32) {
        let sight = self.sight;
        let def = sight.def(room);
        let marks = sight.marks(room);
        let facedown = sight.is_facedown(room);
        let attached: Option<&Attachment> = sight.attachments().iter().find(|there| there.host == room);
        self.all(
            at,
            &[
                1.0,
                flag(facedown),
                flag(sight.is_deactivated(room)),
                if facedown { f32::from(def.damage) } else { damage as f32 } / 4.0,
                f32::from(marks.counters) / 3.0,
                f32::from(marks.coins) / 3.0,
                sight.stack(room).count() as f32 / 3.0,
                flag(def.advanced),
                attached.map_or(0.0, |attached| f32::from(attached.level) / 3.0),
            ],
        );
        self.mark(at + layout::ROOM_FIGURES, Group::Rooms, Some(room));
        self.mark(at + layout::ROOM_FIGURES, Group::Rooms, attached.map(|attached| attached.card));
    }
}
