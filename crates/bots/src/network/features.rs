//! A position as numbers: what each player has, by the properties of the cards and never by their names,
//! so that unknown cards count as well.

mod pieces;
mod town;

use cards::CardDb;
use cards::code::{Op, UnitId};
use cards::db::Def;
use cards::vocabulary::{ByClass, Class, Phase, Subtype, Verb};
use engine::id::{SEATS, SLOTS};
use engine::{CardId, Fate, Game, Place, Seat, State};

/// Numbers per player, and for the table as a whole. New ones are appended: a network says how many it knows,
/// and an older one never sees the rest.
pub const SIDE: usize = FIRST_SIDE + 22 + 8;
pub const TABLE: usize = FIRST_TABLE + 8 + 10;
/// Those of the first networks, which knew two boxes.
pub const FIRST_SIDE: usize = 116;
pub const FIRST_TABLE: usize = 6;

pub struct Features {
    pub sides: [[f32; SIDE]; SEATS],
    pub table: [f32; TABLE],
}

/// Thresholds of total damage at which more heroes die.
const DAMAGE: [i32; 15] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 17];
/// How many heroes ahead count as soon, later and eventually.
const HORIZONS: [f32; 3] = [2.0, 6.0, 14.0];

/// Kinds of effects that a card can have, one bit each.
const EFFECTS: usize = 7;

/// What is computed once per dungeon before looking at the heroes.
#[derive(Clone, Copy, Default)]
struct Dungeon {
    treasure: ByClass<i32>,
    damage: i32,
    /// The most icons of each class on one buildable room in hand.
    offers: ByClass<i32>,
}

impl Features {
    pub fn of(game: &Game) -> Features {
        Features::look(game, &mut game.state.clone(), true)
    }

    /// The same, with a scratch state for walking heroes; if nobody asks for the appended numbers, they are 0.
    pub(crate) fn look(game: &Game, walk: &mut State, appended: bool) -> Features {
        let state = &game.state;
        let mut features = Features { sides: [[0.0; SIDE]; SEATS], table: [0.0; TABLE] };
        let mut dungeons = [Dungeon::default(); SEATS];
        for seat in state.seats() {
            dungeons[seat.index()] = Dungeon::of(game, seat);
        }
        for (rank, seat) in state.seats().enumerate() {
            let mut list = List { out: &mut features.sides[seat.index()], at: 0 };
            list.add(f32::from(u8::from(rank == 0)));
            side(&mut list, game, seat, &dungeons, walk);
            debug_assert_eq!(list.at, FIRST_SIDE);
            if appended {
                pieces::side(&mut list, game, seat, walk);
                town::side(&mut list, game, seat, walk);
                debug_assert_eq!(list.at, SIDE);
            }
        }
        let many = |place| state.pile_len(place) as f32;
        let mut list = List { out: &mut features.table, at: 0 };
        list.add(f32::from(state.turn().min(20)) / 10.0);
        list.add(many(Place::HERO_DECK) / 10.0);
        list.add(f32::from(u8::from(many(Place::HERO_DECK) > 0.0)));
        list.add(many(Place::EPIC_DECK) / 8.0);
        list.add(f32::from(u8::from(many(Place::EPIC_DECK) > 0.0)));
        list.add(many(Place::TOWN) / 4.0);
        debug_assert_eq!(list.at, FIRST_TABLE);
        if appended {
            pieces::table(&mut list, game);
            town::table(&mut list, game);
            debug_assert_eq!(list.at, TABLE);
        }
        features
    }
}

/// Fills in one number after another.
struct List<'a> {
    out: &'a mut [f32],
    at: usize,
}

impl List<'_> {
    fn add(&mut self, figure: f32) {
        self.out[self.at] = figure;
        self.at += 1;
    }

    fn count(&mut self, many: i32, of: i32) {
        self.add(many as f32 / of as f32);
    }

    /// One number per step: are there at least that many?
    fn steps(&mut self, many: i32, steps: i32) {
        for step in 1..=steps {
            self.add(f32::from(u8::from(many >= step)));
        }
    }

    fn all(&mut self, figures: &[f32]) {
        figures.iter().for_each(|figure| self.add(*figure));
    }
}

impl Dungeon {
    fn of(game: &Game, seat: Seat) -> Dungeon {
        let mut dungeon = Dungeon::default();
        for class in game.db.classes.iter() {
            dungeon.treasure[class] = game.treasure(seat, class);
        }
        dungeon.damage = game.state.slots(seat).iter().map(|room| game.room_damage(*room)).sum();
        for card in game.state.pile(Place::rooms(seat)) {
            let def = game.def(card);
            if !def.advanced || fits(game, seat, def) {
                for class in def.classes.iter() {
                    let offer = &mut dungeon.offers[class];
                    *offer = (*offer).max(i32::from(def.icons[class]));
                }
            }
        }
        dungeon
    }
}

/// Is there a room that this advanced room can be built on?
fn fits(game: &Game, seat: Seat, def: &Def) -> bool {
    game.state.slots(seat).iter().any(|room| game.def(*room).shares_icon(def))
}

fn side(list: &mut List, game: &Game, seat: Seat, dungeons: &[Dungeon; SEATS], walk: &mut State) {
    let state = &game.state;
    list.steps(game.souls(seat), 9);
    list.steps(game.wounds(seat), 4);
    list.add(f32::from(u8::from(game.levelled(seat))));
    let damage = dungeons[seat.index()].damage;
    for step in DAMAGE {
        list.add(f32::from(u8::from(damage >= step)));
    }
    rooms(list, game, seat);
    hand(list, game, seat);
    let mut walkers = [0.0; 2];
    for hero in state.pile(Place::entrance(seat)) {
        let points = f32::from(game.def(hero).souls()) / 2.0;
        match game.forecast_in(walk, hero, seat).fate {
            Fate::Dies => walkers[0] += points,
            Fate::Wounds => walkers[1] += points,
            Fate::StaysOut => {}
        }
    }
    list.all(&walkers);
    town(list, game, seat, dungeons, walk);
    coming(list, game, seat, dungeons);
}

fn rooms(list: &mut List, game: &Game, seat: Seat) {
    let slots = game.state.slots(seat);
    list.steps(slots.len() as i32, SLOTS as i32);
    let (mut advanced, mut activated, mut when, mut rules, mut traps, mut below) = (0, 0, 0, 0, 0, 0);
    let mut effects = [0.0; EFFECTS];
    for room in slots {
        let def = game.def(*room);
        advanced += i32::from(def.advanced);
        activated += def.activated.len() as i32;
        when += def.when.len() as i32;
        rules += def.rules.len() as i32;
        traps += i32::from(def.subtype == Some(Subtype::Trap));
        below += game.state.stack(*room).count() as i32 - 1;
        add_effects(&mut effects, game.db, def);
    }
    for many in [advanced, activated, when, rules, traps, below] {
        list.count(many, 3);
    }
    list.all(&effects);
}

fn hand(list: &mut List, game: &Game, seat: Seat) {
    let state = &game.state;
    let slots = state.slots(seat);
    let printed = |room: &CardId| i32::from(game.def(*room).damage);
    let weakest = slots.iter().map(printed).min().unwrap_or(0);
    let (mut best, mut second, mut icons, mut fitting, mut idle) = (0, 0, 0, 0, 0);
    let (mut in_build, mut in_adventure, mut cancels) = (0, 0, 0);
    let (mut room_effects, mut spell_effects) = ([0.0; EFFECTS], [0.0; EFFECTS]);
    for card in state.pile(Place::rooms(seat)) {
        let def = game.def(card);
        let gain = if def.advanced {
            let below = slots.iter().filter(|room| game.def(**room).shares_icon(def));
            let gain = below.map(|room| printed(&card) - printed(room)).max();
            fitting += i32::from(gain.is_some());
            idle += i32::from(gain.is_none());
            gain.unwrap_or(0)
        } else if slots.len() < SLOTS {
            printed(&card)
        } else {
            printed(&card) - weakest
        };
        icons = icons.max(i32::from(def.icon_count()));
        if gain > best {
            (best, second) = (gain, best);
        } else if gain > second {
            second = gain;
        }
        add_effects(&mut room_effects, game.db, def);
    }
    for card in state.pile(Place::spells(seat)) {
        let def = game.def(card);
        in_build += i32::from(def.castable_in(Phase::Build));
        in_adventure += i32::from(def.castable_in(Phase::Adventure));
        cancels += i32::from(def.play.iter().any(|unit| game.db.unit(*unit).cancels));
        add_effects(&mut spell_effects, game.db, def);
    }
    list.steps(state.pile_len(Place::rooms(seat)) as i32, 6);
    list.steps(state.pile_len(Place::spells(seat)) as i32, 5);
    for many in [best, second, icons, fitting, idle, in_build, in_adventure, cancels] {
        list.count(many, 3);
    }
    list.all(&room_effects);
    list.all(&spell_effects);
}

/// Adds the kinds of effects that a card's abilities have.
fn add_effects(sum: &mut [f32; EFFECTS], db: &CardDb, def: &Def) {
    let mut effects = 0u8;
    let units: [&[UnitId]; 3] = [&def.activated, &def.play, &def.when];
    for unit in units.into_iter().flatten() {
        for op in &db.ops[usize::from(db.unit(*unit).start)..] {
            effects |= match op {
                Op::Draw { .. } | Op::Take { .. } => 1,
                Op::Damage { .. } | Op::Act { verb: Verb::Kill, .. } => 2,
                Op::Act { verb: Verb::Destroy | Verb::Remove, .. } => 4,
                Op::Act { verb: Verb::Deactivate | Verb::Cancel, .. } => 8,
                Op::MoveTo { .. } | Op::MoveInto { .. } | Op::Skip { .. } => 16,
                Op::Until { .. } => 32,
                Op::Build { .. } | Op::Act { verb: Verb::Discard | Verb::Heal, .. } => 64,
                Op::End => break,
                _ => 0,
            };
        }
    }
    for (effect, sum) in sum.iter_mut().enumerate() {
        *sum += f32::from(effects >> effect & 1) / 2.0;
    }
}

/// Heroes in town: by how close they are to coming here, and whether they would die.
fn town(list: &mut List, game: &Game, seat: Seat, dungeons: &[Dungeon; SEATS], walk: &mut State) {
    let mut heroes = [[0.0; 5]; 3];
    for hero in game.state.pile(Place::TOWN) {
        let def = game.def(hero);
        let ahead = ahead(game, def, Some(hero), seat, dungeons);
        let points = f32::from(def.souls()) / 2.0;
        let dies = if ahead > 0 {
            game.forecast_in(walk, hero, seat).fate == Fate::Dies
        } else {
            dungeons[seat.index()].damage >= game.hero_health(hero)
        };
        let bucket = (ahead.clamp(-2, 2) + 2) as usize;
        heroes[usize::from(dies)][bucket] += points;
        let offers = &dungeons[seat.index()].offers;
        if def.classes.iter().any(|class| offers[class] > 0) {
            heroes[2][bucket] += points;
        }
    }
    heroes.iter().for_each(|row| list.all(row));
}

/// How far this dungeon is ahead of the strongest rival in luring the hero.
fn ahead(game: &Game, def: &Def, hero: Option<CardId>, seat: Seat, dungeons: &[Dungeon; SEATS]) -> i32 {
    if def.lure.is_some() {
        return match hero.and_then(|hero| game.lured_to(hero)) {
            Some(to) if to == seat => 1,
            Some(_) => -1,
            None => 0,
        };
    }
    let pull =
        |seat: Seat| -> i32 { def.classes.iter().map(|class| dungeons[seat.index()].treasure[class]).sum() };
    let rivals = game.state.seats().filter(|other| *other != seat).map(pull);
    pull(seat) - rivals.max().unwrap_or(0)
}

/// Heroes still in the decks. Their order is unknown, so each counts by the share of its deck that will
/// have been turned up.
fn coming(list: &mut List, game: &Game, seat: Seat, dungeons: &[Dungeon; SEATS]) {
    let mut heroes = [[[0.0f32; 2]; 3]; HORIZONS.len()];
    let damage = dungeons[seat.index()].damage;
    let mut begun = 0.0;
    // Most heroes are lured by one of a few sets of classes.
    let mut known = [None; 1 << Class::COUNT];
    for deck in [Place::HERO_DECK, Place::EPIC_DECK] {
        let len = game.state.pile_len(deck) as f32;
        let part =
            HORIZONS.map(|horizon| if len > 0.0 { ((horizon - begun).max(0.0) / len).min(1.0) } else { 0.0 });
        begun += len;
        for hero in game.state.pile(deck) {
            let def = game.def(hero);
            let points = f32::from(def.souls());
            // The dungeon may still gain or lose a point of damage.
            let spare = damage - i32::from(def.health);
            let dies = (0.5 + 0.25 * (spare as f32 + 0.5)).clamp(0.0, 1.0);
            let ahead = match def.lure {
                Some(_) => 0,
                None => *known[usize::from(def.classes.0)]
                    .get_or_insert_with(|| ahead(game, def, None, seat, dungeons)),
            };
            let bucket = match ahead {
                ..0 => 0,
                0 => 1,
                _ => 2,
            };
            for (heroes, (part, horizon)) in heroes.iter_mut().zip(part.iter().zip(HORIZONS)) {
                heroes[bucket][0] += part * points * dies / horizon;
                heroes[bucket][1] += part * points * (1.0 - dies) / horizon;
            }
        }
    }
    heroes.iter().flatten().for_each(|row| list.all(row));
}
