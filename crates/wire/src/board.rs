//! The town board of Super Boss Monster, and where a game for one stands.

use cards::vocabulary::Landmark;
use engine::state::{Errand, Space};
use engine::{CardId, Game, Place, Seat};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::card::Card;
use super::seat_number;
use super::table::{Forecast, Hero};

/// The town board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Board {
    /// Who has the first-player marker.
    pub first: u8,
    pub market: Vec<Card>,
    /// Places in town: the hero who finds none pushes the oldest out.
    pub places: u8,
    /// From left to right; the Tavern is the last.
    pub landmarks: Vec<Site>,
    /// Minions that are not at home.
    pub minions: Vec<Minion>,
}

/// A landmark and its action spaces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Site {
    pub landmark: Landmark,
    pub name: String,
    /// Oldest first: in the Tavern the last one lies on top.
    pub heroes: Vec<Hero>,
    /// The health token of the hero who is summoned here.
    pub token: i8,
    /// Its action spaces that are not covered now.
    pub spaces: Vec<Errand>,
    /// The hero whom a minion would summon, as it would be then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summoned: Option<Summoned>,
}

/// A hero who waits to be summoned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Summoned {
    /// The hero's id.
    pub card: u16,
    /// With the token.
    pub health: i32,
    /// How it would fare in the dungeon of each player, by seat.
    pub forecasts: Vec<Forecast>,
}

/// A minion on the board, or on a card of its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Minion {
    pub seat: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<Space>,
    /// The id of the room or boss it stands on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<u16>,
}

/// A game for one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Solo {
    /// Souls minus wounds.
    pub score: i32,
    /// What that is worth.
    pub title: String,
    /// The next better title, and the score it needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_score: Option<i32>,
    /// The treasure that lures a hero, by place in town from the left.
    pub needed: Vec<i32>,
}

impl Board {
    /// `None` in games without one.
    ///
    /// `ahead` is the table with the viewer's rooms revealed.
    pub(crate) fn of(table: &Game, ahead: &Game, hero: impl Fn(CardId, Place) -> Hero) -> Option<Board> {
        let state = &table.state;
        let places = state.rules().edition().town_places(state.rules().players)?;
        let on_board = |landmark: &Landmark| *landmark != Landmark::Launchpad || state.rules().players > 4;
        let site = |landmark: Landmark| {
            let heroes: Vec<Hero> = state.heroes_at(landmark).map(|id| hero(id, Place::LANDMARK)).collect();
            let open = |space: &Space| (space.errand == Errand::Summon) != heroes.is_empty();
            let spaces = Space::all().filter(|space| space.landmark == landmark);
            Site {
                landmark,
                name: landmark.name().into(),
                token: table.summon_token(landmark),
                spaces: spaces.filter(open).map(|space| space.errand).collect(),
                summoned: summoned(ahead, landmark),
                heroes,
            }
        };
        let minion = |seat: Seat| {
            let at = state.minion(seat);
            let (space, card) = (Space::of_ref(at), at.as_card().map(|card| card.0));
            (!at.is_nothing()).then(|| Minion { seat: seat_number(seat), space, card })
        };
        Some(Board {
            first: seat_number(state.order()[0]),
            market: state.pile(Place::MARKET).map(|card| Card::of(table, card)).collect(),
            places,
            landmarks: Landmark::ALL.into_iter().filter(on_board).map(site).collect(),
            minions: (0..state.rules().players).map(Seat).filter_map(minion).collect(),
        })
    }
}

fn summoned(ahead: &Game, landmark: Landmark) -> Option<Summoned> {
    let hero = ahead.state.hero_to_summon(landmark)?;
    let seats = (0..ahead.state.rules().players).map(Seat);
    let fates: Vec<_> = seats.filter_map(|seat| ahead.forecast_summoned(landmark, seat)).collect();
    let health = fates.first()?.0;
    Some(Summoned { card: hero.0, health, forecasts: fates.into_iter().map(|fate| fate.1.into()).collect() })
}

impl Solo {
    /// `None` in games for several.
    pub(crate) fn of(table: &Game) -> Option<Solo> {
        let score = table.solo_score()?;
        let rules = table.state.rules();
        let places = usize::from(rules.edition().town_places(rules.players).unwrap_or(0));
        let (next_title, next_score) = score.next.unzip();
        Some(Solo {
            score: score.score,
            title: score.title,
            next_title,
            next_score,
            needed: (0..places).filter_map(|place| rules.edition().treasure_needed(place)).collect(),
        })
    }
}
