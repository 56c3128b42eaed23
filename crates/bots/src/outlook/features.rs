//! A table in figures: what each player has, by the facts of the cards and never by their names, so that cards
//! nobody has seen yet count as well.

use cards::CardDb;
use cards::code::{ActVerb, Op, UnitId};
use cards::db::{CLASSES, Def};
use cards::tree::{Class, Phase, Subtype};
use engine::id::{SEATS, SLOTS};
use engine::{CardId, Fate, Game, Place, Seat};

/// Figures of one player, and of the table.
pub const SIDE: usize = 116;
pub const TABLE: usize = 6;

pub struct Features {
    pub sides: [[f32; SIDE]; SEATS],
    pub table: [f32; TABLE],
}

/// Room by room, the damage at which another hero dies.
const DAMAGE: [i32; 15] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 17];
/// How many heroes of the decks are meant by soon, later and at last.
const HORIZONS: [f32; 3] = [2.0, 6.0, 14.0];

/// What can be done with a card, one bit each.
const DEEDS: usize = 7;

/// What is asked of every dungeon before heroes are looked at.
#[derive(Clone, Copy, Default)]
struct Dungeon {
    treasure: [i32; CLASSES],
    damage: i32,
    /// Most icons of each type on one room in hand.
    offers: [i32; CLASSES],
}

impl Features {
    pub fn of(game: &Game) -> Features {
        let state = &game.state;
        let mut features = Features { sides: [[0.0; SIDE]; SEATS], table: [0.0; TABLE] };
        let mut dungeons = [Dungeon::default(); SEATS];
        for seat in state.seats() {
            dungeons[seat.index()] = Dungeon::of(game, seat);
        }
        for (rank, seat) in state.seats().enumerate() {
            let mut list = List { out: &mut features.sides[seat.index()], at: 0 };
            list.add(f32::from(u8::from(rank == 0)));
            side(&mut list, game, seat, &dungeons);
            debug_assert_eq!(list.at, SIDE);
        }
        let many = |place| state.pile_len(place) as f32;
        let mut list = List { out: &mut features.table, at: 0 };
        list.add(f32::from(state.turn().min(20)) / 10.0);
        list.add(many(Place::HERO_DECK) / 10.0);
        list.add(f32::from(u8::from(many(Place::HERO_DECK) > 0.0)));
        list.add(many(Place::EPIC_DECK) / 8.0);
        list.add(f32::from(u8::from(many(Place::EPIC_DECK) > 0.0)));
        list.add(many(Place::TOWN) / 4.0);
        features
    }
}

/// Figures one after the other.
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

    /// One figure for each of the first so many things: is there that many?
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
        for class in Class::ALL {
            dungeon.treasure[class as usize] = game.treasure(seat, class);
        }
        dungeon.damage = game.state.slots(seat).iter().map(|room| game.room_damage(*room)).sum();
        for card in game.state.pile(Place::rooms(seat)) {
            let def = game.def(card);
            if !def.advanced || fits(game, seat, def) {
                for (offer, icon) in dungeon.offers.iter_mut().zip(def.icons) {
                    *offer = (*offer).max(i32::from(icon));
                }
            }
        }
        dungeon
    }
}

/// Is there a room under an advanced one?
fn fits(game: &Game, seat: Seat, def: &Def) -> bool {
    game.state.slots(seat).iter().any(|room| game.def(*room).shares_icon(def))
}

fn side(list: &mut List, game: &Game, seat: Seat, dungeons: &[Dungeon; SEATS]) {
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
        match game.forecast(hero, seat).fate {
            Fate::Dies => walkers[0] += points,
            Fate::Wounds => walkers[1] += points,
            Fate::StaysOut => {}
        }
    }
    list.all(&walkers);
    town(list, game, seat, dungeons);
    coming(list, game, seat, dungeons);
}

fn rooms(list: &mut List, game: &Game, seat: Seat) {
    let slots = game.state.slots(seat);
    list.steps(slots.len() as i32, SLOTS as i32);
    let (mut advanced, mut activated, mut when, mut rules, mut traps, mut below) = (0, 0, 0, 0, 0, 0);
    let mut deeds = [0.0; DEEDS];
    for room in slots {
        let def = game.def(*room);
        advanced += i32::from(def.advanced);
        activated += def.activated.len() as i32;
        when += def.when.len() as i32;
        rules += def.rules.len() as i32;
        traps += i32::from(def.subtype == Some(Subtype::Trap));
        below += game.state.stack(*room).count() as i32 - 1;
        add_deeds(&mut deeds, game.db, def);
    }
    for many in [advanced, activated, when, rules, traps, below] {
        list.count(many, 3);
    }
    list.all(&deeds);
}

fn hand(list: &mut List, game: &Game, seat: Seat) {
    let state = &game.state;
    let slots = state.slots(seat);
    let printed = |room: &CardId| i32::from(game.def(*room).damage);
    let weakest = slots.iter().map(printed).min().unwrap_or(0);
    let (mut best, mut second, mut icons, mut fitting, mut idle) = (0, 0, 0, 0, 0);
    let (mut in_build, mut in_adventure, mut cancels) = (0, 0, 0);
    let (mut room_deeds, mut spell_deeds) = ([0.0; DEEDS], [0.0; DEEDS]);
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
        add_deeds(&mut room_deeds, game.db, def);
    }
    for card in state.pile(Place::spells(seat)) {
        let def = game.def(card);
        in_build += i32::from(def.castable_in(Phase::Build));
        in_adventure += i32::from(def.castable_in(Phase::Adventure));
        cancels += i32::from(def.play.iter().any(|unit| game.db.unit(*unit).cancels));
        add_deeds(&mut spell_deeds, game.db, def);
    }
    list.steps(state.pile_len(Place::rooms(seat)) as i32, 6);
    list.steps(state.pile_len(Place::spells(seat)) as i32, 5);
    for many in [best, second, icons, fitting, idle, in_build, in_adventure, cancels] {
        list.count(many, 3);
    }
    list.all(&room_deeds);
    list.all(&spell_deeds);
}

/// What the abilities of a card can do.
fn add_deeds(sum: &mut [f32; DEEDS], db: &CardDb, def: &Def) {
    let mut deeds = 0u8;
    let units: [&[UnitId]; 3] = [&def.activated, &def.play, &def.when];
    for unit in units.into_iter().flatten() {
        for op in &db.ops[usize::from(db.unit(*unit).start)..] {
            deeds |= match op {
                Op::Draw { .. } | Op::Take { .. } => 1,
                Op::Damage { .. } | Op::Act { verb: ActVerb::Kill, .. } => 2,
                Op::Act { verb: ActVerb::Destroy | ActVerb::Remove, .. } => 4,
                Op::Act { verb: ActVerb::Deactivate | ActVerb::Cancel, .. } => 8,
                Op::MoveTo { .. } | Op::MoveInto { .. } | Op::Skip { .. } => 16,
                Op::Until { .. } => 32,
                Op::Build { .. } | Op::Act { verb: ActVerb::Discard | ActVerb::Heal, .. } => 64,
                Op::End => break,
                _ => 0,
            };
        }
    }
    for (deed, sum) in sum.iter_mut().enumerate() {
        *sum += f32::from(deeds >> deed & 1) / 2.0;
    }
}

/// Heroes in town: by how far they are from coming here, and whether they would die.
fn town(list: &mut List, game: &Game, seat: Seat, dungeons: &[Dungeon; SEATS]) {
    let mut heroes = [[0.0; 5]; 3];
    for hero in game.state.pile(Place::TOWN) {
        let def = game.def(hero);
        let ahead = ahead(game, def, Some(hero), seat, dungeons);
        let points = f32::from(def.souls()) / 2.0;
        let dies = if ahead > 0 {
            game.forecast(hero, seat).fate == Fate::Dies
        } else {
            dungeons[seat.index()].damage >= game.hero_health(hero)
        };
        let bucket = (ahead.clamp(-2, 2) + 2) as usize;
        heroes[usize::from(dies)][bucket] += points;
        let offers = dungeons[seat.index()].offers.iter().zip(def.icons);
        if offers.filter(|(_, icon)| *icon > 0).any(|(offer, _)| *offer > 0) {
            heroes[2][bucket] += points;
        }
    }
    heroes.iter().for_each(|row| list.all(row));
}

/// How much more draws the hero here than to the strongest of the others.
fn ahead(game: &Game, def: &Def, hero: Option<CardId>, seat: Seat, dungeons: &[Dungeon; SEATS]) -> i32 {
    if def.lure.is_some() {
        return match hero.and_then(|hero| game.lured_to(hero)) {
            Some(to) if to == seat => 1,
            Some(_) => -1,
            None => 0,
        };
    }
    let pull = |seat: Seat| -> i32 {
        let icons = def.icons.iter().zip(dungeons[seat.index()].treasure);
        icons.filter(|(icon, _)| **icon > 0).map(|(_, treasure)| treasure).sum()
    };
    let rivals = game.state.seats().filter(|other| *other != seat).map(pull);
    pull(seat) - rivals.max().unwrap_or(0)
}

/// Heroes still in the decks, whose order is not known: each counts for the part of its deck that will be
/// turned up.
fn coming(list: &mut List, game: &Game, seat: Seat, dungeons: &[Dungeon; SEATS]) {
    let mut heroes = [[[0.0f32; 2]; 3]; HORIZONS.len()];
    let damage = dungeons[seat.index()].damage;
    let mut begun = 0.0;
    for deck in [Place::HERO_DECK, Place::EPIC_DECK] {
        let len = game.state.pile_len(deck) as f32;
        let part =
            HORIZONS.map(|horizon| if len > 0.0 { ((horizon - begun).max(0.0) / len).min(1.0) } else { 0.0 });
        begun += len;
        for hero in game.state.pile(deck) {
            let def = game.def(hero);
            let points = f32::from(def.souls());
            // A point of damage too little or too much may still change.
            let spare = damage - i32::from(def.health);
            let dies = (0.5 + 0.25 * (spare as f32 + 0.5)).clamp(0.0, 1.0);
            let bucket = match ahead(game, def, None, seat, dungeons) {
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
