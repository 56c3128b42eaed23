//! The chance to win, told from the table at the beginning of a turn: each player's standing is a sum of what
//! they have, and whoever stands higher is likelier to win.
//!
//! The weights were found by logistic regression: the tables at the beginning of every turn of 15 000 games of
//! the greedy bot (by `Weights::BY_PLAY`) against itself, two players, original box, and who won in the end.

use cards::db::Def;
use cards::tree::Class;
use engine::id::{SEATS, SLOTS};
use engine::{CardId, Fate, Game, Place, Seat};

const CLASSES: usize = Class::ALL.len();

/// What the first, second, third, ... of a thing adds: the sum so far is looked up.
const SOULS: [f64; 9] = [0.11, 0.12, 0.19, 0.18, 0.23, 0.33, 0.17, 0.63, 0.18];
const WOUNDS: [f64; 4] = [-0.19, -0.12, -0.58, -0.17];
const ROOMS: [f64; 5] = [0.01, -0.09, -0.12, -0.20, -0.13];
const DAMAGE: [f64; 14] =
    [0.02, 0.34, 0.26, 0.22, 0.24, 0.14, 0.19, 0.10, 0.17, 0.20, 0.13, 0.10, 0.01, 0.13];
const SPELL_CARDS: [f64; 4] = [0.15, 0.14, 0.14, 0.19];
const ROOM_CARDS: [f64; 5] = [0.19, 0.05, 0.20, 0.10, 0.14];

const LEVELLED: f64 = -0.37;
const FIRST_PLAYER: f64 = 0.15;
/// For every treasure type in which the dungeon is ahead.
const AHEAD: f64 = -0.15;
const ADVANCED: f64 = 0.16;
const ACTIVATED: f64 = 0.05;
const TRIGGERED: f64 = 0.02;
/// Damage that the best and the second best room in hand would add.
const GAIN: [f64; 2] = [0.15, 0.05];

/// Souls and wounds that heroes will bring.
#[derive(Clone, Copy, Default)]
struct Harvest {
    souls: f64,
    wounds: f64,
}

/// How many heroes are still to come soon, and later on.
const SOON: f64 = 4.0;
const LATER: f64 = 12.0;

const COMING_SOON: Harvest = Harvest { souls: 0.02, wounds: -0.05 };
const COMING_LATER: Harvest = Harvest { souls: 0.06, wounds: 0.06 };
const IN_TOWN: Harvest = Harvest { souls: 0.16, wounds: 0.0 };
const AT_THE_ENTRANCE: Harvest = Harvest { souls: 0.26, wounds: -0.03 };

/// Each seat's chance to win: 1 together, 0 for those who are out.
pub(crate) fn chances(game: &Game) -> [f64; SEATS] {
    let mut chances = [0.0; SEATS];
    if let Some(outcome) = game.outcome() {
        if outcome.winner.exists() {
            chances[outcome.winner.index()] = 1.0;
        }
        return chances;
    }
    let standings = standings(game);
    for seat in game.state.seats() {
        let rivals =
            game.state.seats().map(|other| (standings[other.index()] - standings[seat.index()]).exp());
        chances[seat.index()] = 1.0 / rivals.sum::<f64>();
    }
    chances
}

fn standings(game: &Game) -> [f64; SEATS] {
    let state = &game.state;
    let (mut treasures, mut damages) = ([[0; CLASSES]; SEATS], [0; SEATS]);
    for seat in state.seats() {
        treasures[seat.index()] = Class::ALL.map(|class| game.treasure(seat, class));
        damages[seat.index()] = state.slots(seat).iter().map(|room| game.room_damage(*room)).sum();
    }
    let mut standings = coming(game, &treasures, &damages);
    for hero in state.pile(Place::TOWN) {
        if let Some(seat) = game.lured_to(hero) {
            standings[seat.index()] += fate(game, hero, seat).at(IN_TOWN);
        }
    }
    for (rank, seat) in state.seats().enumerate() {
        let standing = &mut standings[seat.index()];
        *standing += so_far(&SOULS, game.souls(seat)) + so_far(&WOUNDS, game.wounds(seat));
        *standing += so_far(&DAMAGE, damages[seat.index()]) + dungeon(game, seat) + hand(game, seat);
        *standing += if rank == 0 { FIRST_PLAYER } else { 0.0 };
        let treasure = treasures[seat.index()];
        let rivals = || state.seats().filter(|other| *other != seat).map(|other| treasures[other.index()]);
        let ahead = (0..CLASSES).filter(|class| rivals().all(|rival| rival[*class] < treasure[*class]));
        *standing += AHEAD * ahead.count() as f64;
        for hero in state.pile(Place::entrance(seat)) {
            *standing += fate(game, hero, seat).at(AT_THE_ENTRANCE);
        }
    }
    standings
}

fn so_far(steps: &[f64], many: i32) -> f64 {
    steps.iter().take(many.max(0) as usize).sum()
}

/// What the heroes still in the decks would bring if the dungeons stayed as they are.
fn coming(game: &Game, treasures: &[[i32; CLASSES]; SEATS], damages: &[i32; SEATS]) -> [f64; SEATS] {
    let mut standings = [0.0; SEATS];
    // The decks' order is not known, so each hero counts for the part of its deck that will be turned up.
    let mut begun = 0.0;
    for deck in [Place::HERO_DECK, Place::EPIC_DECK] {
        let len = game.state.pile_len(deck) as f64;
        let part = |horizon: f64| if len > 0.0 { ((horizon - begun).max(0.0) / len).min(1.0) } else { 0.0 };
        let (soon, later) = (part(SOON), part(LATER));
        begun += len;
        if later == 0.0 {
            continue;
        }
        for hero in game.state.pile(deck) {
            let def = game.def(hero);
            let Some(seat) = pulled_to(game, def, treasures) else { continue };
            // A point of damage too little or too much may still change.
            let spare = f64::from(damages[seat.index()] - i32::from(def.health)) + 0.5;
            let (points, dies) = (f64::from(def.souls()), 1.0 / (1.0 + (-spare).exp()));
            let harvest = Harvest { souls: points * dies, wounds: points * (1.0 - dies) };
            standings[seat.index()] += soon * harvest.at(COMING_SOON) + later * harvest.at(COMING_LATER);
        }
    }
    standings
}

/// Whose treasure draws such a hero; nobody's if there is a tie, or if its card has its own way.
fn pulled_to(game: &Game, hero: &Def, treasures: &[[i32; CLASSES]; SEATS]) -> Option<Seat> {
    if hero.lure.is_some() {
        return None;
    }
    let pull = |seat: Seat| -> i32 {
        let icons = hero.icons.iter().zip(treasures[seat.index()]);
        icons.filter(|(icon, _)| **icon > 0).map(|(_, treasure)| treasure).sum()
    };
    let mut best = (0, None);
    for seat in game.state.seats() {
        let pull = pull(seat);
        if pull > best.0 {
            best = (pull, Some(seat));
        } else if pull == best.0 {
            best.1 = None;
        }
    }
    best.1
}

fn dungeon(game: &Game, seat: Seat) -> f64 {
    let slots = game.state.slots(seat);
    let each = |room: &CardId| {
        let def = game.def(*room);
        ACTIVATED * def.activated.len() as f64
            + TRIGGERED * def.when.len() as f64
            + if def.advanced { ADVANCED } else { 0.0 }
    };
    so_far(&ROOMS, slots.len() as i32)
        + slots.iter().map(each).sum::<f64>()
        + if game.levelled(seat) { LEVELLED } else { 0.0 }
}

fn hand(game: &Game, seat: Seat) -> f64 {
    let state = &game.state;
    let slots = state.slots(seat);
    let printed = |room: &CardId| i32::from(game.def(*room).damage);
    let weakest = slots.iter().map(printed).min().unwrap_or(0);
    let (mut best, mut second) = (0, 0);
    for card in state.pile(Place::rooms(seat)) {
        let def = game.def(card);
        let gain = if def.advanced {
            let below = slots.iter().filter(|room| game.def(**room).shares_icon(def));
            below.map(|room| printed(&card) - printed(room)).max().unwrap_or(0)
        } else if slots.len() < SLOTS {
            printed(&card)
        } else {
            printed(&card) - weakest
        };
        if gain > best {
            (best, second) = (gain, best);
        } else if gain > second {
            second = gain;
        }
    }
    so_far(&SPELL_CARDS, state.pile_len(Place::spells(seat)) as i32)
        + so_far(&ROOM_CARDS, state.pile_len(Place::rooms(seat)) as i32)
        + GAIN[0] * f64::from(best)
        + GAIN[1] * f64::from(second)
}

/// What a hero would bring in this dungeon as it is.
fn fate(game: &Game, hero: CardId, seat: Seat) -> Harvest {
    let points = f64::from(game.def(hero).souls());
    match game.forecast(hero, seat).fate {
        Fate::Dies => Harvest { souls: points, wounds: 0.0 },
        Fate::Wounds => Harvest { souls: 0.0, wounds: points },
        Fate::StaysOut => Harvest::default(),
    }
}

impl Harvest {
    fn at(self, weights: Harvest) -> f64 {
        self.souls * weights.souls + self.wounds * weights.wounds
    }
}
