//! The table as one viewer sees it.

use std::collections::BTreeMap;

use cards::vocabulary::{Kind, Landmark, Phase, Zone, Zones};
use engine::view::View;
use engine::{CardId, Game, Place, Ref, Seat, Visit};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::board::{Board, Solo};
use super::card::{Card, Treasure};
use super::seat_number;

/// Everything the viewer may know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Table {
    /// The viewer; absent for a spectator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    pub turn: u16,
    pub phase: Phase,
    /// Who may build now, or whose heroes walk now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<u8>,
    /// Player order; eliminated players come last.
    pub order: Vec<u8>,
    /// By seat.
    pub players: Vec<Player>,
    pub town: Vec<Hero>,
    /// Items in town that no hero carries, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Card>>")]
    pub items: Vec<Card>,
    /// Declared actions that have not taken effect yet, oldest first.
    pub pending: Vec<Pending>,
    pub discard: Vec<Card>,
    /// How many cards are left in each deck.
    pub decks: BTreeMap<Zone, usize>,
    /// Only in Super Boss Monster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<Board>,
    /// Only in a game for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solo: Option<Solo>,
}

/// A player and everything they have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Player {
    pub seat: u8,
    /// Still in the game.
    pub playing: bool,
    /// The turn in which the player was eliminated. Souls and wounds are those of that moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boss: Option<Card>,
    /// The boss has levelled up.
    pub levelled: bool,
    /// The `face` of the boss whose text this one has copied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copied: Option<u16>,
    /// Coins in the hoard, if the game is played with coins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coins: Option<u16>,
    /// Points; an epic hero counts two.
    pub souls: i32,
    pub wounds: i32,
    pub soul_cards: Vec<Card>,
    pub wound_cards: Vec<Card>,
    /// Spells that lie in the scoring area, where their rules hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Card>>")]
    pub laid_spells: Vec<Card>,
    /// Claimed items; what is face up can be used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Item>>")]
    pub items: Vec<Item>,
    /// Of the whole dungeon, boss included.
    pub treasure: Treasure,
    /// From the boss to the entrance: heroes enter at the end of this list.
    pub dungeon: Vec<Room>,
    pub entrance: Vec<Hero>,
    /// Heroes on their way through the dungeon.
    pub inside: Vec<Hero>,
    pub hand: Hand,
}

/// An item in a scoring area.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Item {
    pub card: Card,
    pub facedown: bool,
    /// Claimed this turn: it can be used from the next one on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>")]
    pub new: bool,
}

/// The top card of a stack of rooms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Room {
    pub card: Card,
    /// What it deals now; for the viewer's face-down room, what it would deal.
    pub damage: i32,
    /// Counters on it; they are part of the damage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counters: Option<u8>,
    /// Coins on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coins: Option<u8>,
    /// The miniboss that belongs to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub miniboss: Option<Miniboss>,
    /// Placed and not yet revealed.
    pub facedown: bool,
    /// Out of use until end of turn.
    pub deactivated: bool,
    /// The rooms under it, uppermost first.
    pub beneath: Vec<Card>,
}

/// A miniboss under its room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Miniboss {
    pub card: Card,
    /// From 1 to 3.
    pub level: u8,
    /// Revealed this turn: it cannot be promoted yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>")]
    pub new: bool,
    /// Placed and not yet revealed.
    pub facedown: bool,
}

/// A hero in town, at an entrance or in a dungeon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Hero {
    pub card: Card,
    pub health: i32,
    /// What it has taken.
    pub damage: i32,
    /// What a token adds to its health, or takes from it; part of the health.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<i8>,
    /// The landmark it will be pushed to in the next Town phase, if nothing but the bait and new
    /// heroes moves it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pushed_to: Option<Landmark>,
    /// The id of the room it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<u16>,
    /// The item it carries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<Card>,
    /// For a hero in town: who would lure it if the Bait phase were now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lured_to: Option<u8>,
    /// How it would fare there, or in the dungeon it is at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forecast: Option<Forecast>,
}

/// A walk in which nobody acts. The viewer's face-down rooms count, those of others do not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Forecast {
    /// Rooms in the order they are entered.
    pub rooms: Vec<Walked>,
    pub fate: Fate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Walked {
    /// The room's id.
    pub room: u16,
    /// What the hero takes there.
    pub damage: i32,
    /// All it has taken when it leaves the room, or dies in it.
    pub taken: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// In the last of the rooms.
    Dies,
    /// It reaches the boss.
    Wounds,
    /// It may not go in, or is sent elsewhere.
    StaysOut,
}

/// A hand: how many cards, and those the viewer has seen. Of the viewer's own hand that is all of
/// them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Hand {
    pub rooms: usize,
    pub spells: usize,
    pub cards: Vec<Card>,
}

/// A declared action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Pending {
    pub card: Card,
    /// Who declared it.
    pub by: u8,
    /// It waits until everybody has passed.
    pub waiting: bool,
    pub cancelled: bool,
    /// The ids of the cards that were chosen for it and are still there.
    pub cards: Vec<u16>,
    /// The players that were chosen for it.
    pub players: Vec<u8>,
}

impl Table {
    pub fn of(view: &View) -> Table {
        let (table, state) = (view.table(), view.state());
        let ahead = view.viewer().filter(|seat| hides(table, *seat)).map(|seat| table.if_revealed(seat));
        let ahead = ahead.as_ref().unwrap_or(table);
        let game = Eyes { table, ahead, pushed: ahead.next_pushed() };
        let seats = || (0..state.rules().players).map(Seat);
        Table {
            seat: view.viewer().map(seat_number),
            turn: state.turn(),
            phase: state.phase(),
            active: Some(state.active()).filter(|seat| seat.exists()).map(seat_number),
            order: state.order().iter().copied().map(seat_number).collect(),
            players: seats().map(|seat| game.player(seat)).collect(),
            town: game.heroes(Place::TOWN),
            items: game.cards(Place::TOWN_ITEMS),
            pending: state.pending().iter().filter_map(|action| game.pending(action)).collect(),
            discard: game.cards(Place::DISCARD),
            decks: Zones::DECKS.iter().map(|deck| (deck, state.pile_len(Place::shared(deck)))).collect(),
            board: Board::of(table, game.ahead, |hero, place| game.hero(hero, place)),
            solo: Solo::of(table),
        }
    }
}

/// Whether the viewer has unrevealed rooms.
fn hides(table: &Game, seat: Seat) -> bool {
    table.state.slots(seat).iter().any(|room| table.is_facedown(*room))
}

/// The table, and what it would be with the viewer's rooms revealed.
struct Eyes<'a> {
    table: &'a Game<'a>,
    ahead: &'a Game<'a>,
    pushed: Vec<(CardId, Landmark)>,
}

impl Eyes<'_> {
    fn card(&self, card: CardId) -> Card {
        Card::of(self.table, card)
    }

    fn cards(&self, place: Place) -> Vec<Card> {
        self.table.state.pile(place).map(|card| self.card(card)).collect()
    }

    fn of_kind(&self, place: Place, kind: Kind) -> impl Iterator<Item = CardId> {
        self.table.state.pile(place).filter(move |card| self.table.def(*card).kind == kind)
    }

    fn player(&self, seat: Seat) -> Player {
        let (table, state) = (self.table, &self.table.state);
        let scored = |dead: bool| {
            let heroes = state.pile(Place::scoring(seat)).filter(|card| table.def(*card).kind.is_hero());
            let cards = heroes.filter(|card| table.is_facedown(*card) == dead);
            cards.map(|card| self.card(card)).collect()
        };
        Player {
            seat: seat_number(seat),
            playing: state.in_game(seat),
            left: table.went_in(seat),
            boss: table.boss(seat).map(|boss| self.card(boss)),
            levelled: table.levelled(seat),
            copied: state.copied(seat).map(|def| def.0),
            coins: table.db.coins.then(|| state.coins(seat)),
            souls: table.souls(seat),
            wounds: table.wounds(seat),
            soul_cards: scored(true),
            wound_cards: scored(false),
            laid_spells: self
                .of_kind(Place::scoring(seat), Kind::Spell)
                .map(|card| self.card(card))
                .collect(),
            items: self
                .of_kind(Place::scoring(seat), Kind::Item)
                .map(|card| Item {
                    card: self.card(card),
                    facedown: table.is_facedown(card),
                    new: table.is_new(card),
                })
                .collect(),
            treasure: Treasure::of(table.db.classes, |class| table.treasure(seat, class)),
            dungeon: state.slots(seat).iter().map(|room| self.room(*room)).collect(),
            entrance: self.heroes(Place::entrance(seat)),
            inside: self.heroes(Place::inside(seat)),
            hand: Hand {
                rooms: state.pile_len(Place::rooms(seat)),
                spells: state.pile_len(Place::spells(seat)),
                cards: state
                    .hand(seat)
                    .map(|card| self.card(card))
                    .filter(|card| card.face.is_some())
                    .collect(),
            },
        }
    }

    fn room(&self, room: CardId) -> Room {
        // A miniboss that was placed on it does not hide the room.
        let placed = self.table.def(room).kind == Kind::Miniboss;
        let below = self.table.state.stack(room).nth(1).filter(|_| placed);
        Room {
            card: self.card(room),
            damage: self.ahead.room_damage(below.unwrap_or(room)),
            counters: Some(self.table.state.marks(room).counters).filter(|counters| *counters > 0),
            coins: Some(self.table.state.marks(room).coins).filter(|coins| *coins > 0),
            miniboss: self.table.state.attached_to(room).next().map(|attachment| Miniboss {
                card: self.card(attachment.card),
                level: attachment.level,
                new: self.table.is_new(attachment.card),
                facedown: self.table.is_facedown(attachment.card),
            }),
            facedown: self.table.is_facedown(room),
            deactivated: self.table.is_deactivated(room),
            beneath: self.table.state.stack(room).skip(1).map(|card| self.card(card)).collect(),
        }
    }

    fn heroes(&self, place: Place) -> Vec<Hero> {
        let heroes = self.table.state.pile(place).filter(|card| self.table.def(*card).kind.is_hero());
        heroes.map(|hero| self.hero(hero, place)).collect()
    }

    fn hero(&self, hero: CardId, place: Place) -> Hero {
        let walk = self.table.state.walk();
        let walks = walk.hero == self.table.state.ref_of(hero);
        let in_town = place == Place::TOWN;
        let lured_to = if in_town { self.ahead.lured_to(hero) } else { None };
        let goes_to = if in_town { lured_to } else { Some(place.seat()).filter(|seat| seat.exists()) };
        Hero {
            card: self.card(hero),
            health: self.table.hero_health(hero),
            damage: self.table.hero_damage(hero),
            token: Some(self.table.state.marks(hero).token).filter(|token| *token != 0),
            pushed_to: self.pushed.iter().find(|(id, _)| *id == hero).map(|(_, landmark)| *landmark),
            room: self.table.state.present(walk.room).filter(|_| walks).map(|room| room.0),
            item: self.table.state.attached_to(hero).next().map(|item| self.card(item.card)),
            lured_to: lured_to.map(seat_number),
            forecast: goes_to.map(|seat| self.ahead.forecast(hero, seat).into()),
        }
    }

    fn pending(&self, action: &engine::frame::Pending) -> Option<Pending> {
        let state = &self.table.state;
        // Cards on the table can be pointed at; a card in a hand cannot.
        let open = |card: &CardId| {
            let place = state.card(*card).place;
            place.is_roaming() || place.is_dungeon() || place.is_scoring() || place == Place::PENDING
        };
        let chosen = || action.code.regs.iter().copied();
        let card = |r: Ref| state.present(r).filter(open).map(|card| card.0);
        Some(Pending {
            card: self.card(action.code.source.as_card()?),
            by: seat_number(action.code.you),
            waiting: action.waiting,
            cancelled: action.cancelled,
            cards: chosen().filter_map(card).collect(),
            players: chosen().filter_map(Ref::as_seat).map(seat_number).collect(),
        })
    }
}

impl From<engine::Forecast> for Forecast {
    fn from(forecast: engine::Forecast) -> Forecast {
        let walked = |visit: Visit| Walked { room: visit.room.0, damage: visit.damage, taken: visit.taken };
        let fate = match forecast.fate {
            engine::Fate::Dies => Fate::Dies,
            engine::Fate::Wounds => Fate::Wounds,
            engine::Fate::StaysOut => Fate::StaysOut,
        };
        Forecast { rooms: forecast.rooms.into_iter().map(walked).collect(), fate }
    }
}
