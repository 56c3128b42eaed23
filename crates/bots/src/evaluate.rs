//! How good a position is for a player: souls and wounds, heroes on their way, the dungeon, and the heroes
//! it will lure. A soul is worth roughly ten.

use cards::code::{Op, Slot};
use cards::vocabulary::{Class, Kind};
use engine::id::SEATS;
use engine::{CardId, Ending, Fate, Game, Phase, Place, Rules, Seat, State};

use crate::scratch::EvalScratch;

/// How much each part of a position counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    pub soul: f64,
    /// Added per soul, growing towards the tenth.
    pub near_win: f64,
    pub wound: f64,
    /// Added per wound, growing towards the fifth.
    pub near_loss: f64,
    pub damage: f64,
    pub treasure: f64,
    /// Icons of one class beyond this do not count.
    pub enough: f64,
    pub room: f64,
    /// Each room on the way to levelling up.
    pub level: f64,
    pub spell: f64,
    pub room_card: f64,
    /// A hero about to die, or to reach the boss.
    pub kill: f64,
    pub hurt: f64,
    /// The share of that which counts while the hero is in town: before the Bait phase, and after it.
    pub soon: f64,
    pub later: f64,
    /// Heroes to come, for each class in which the dungeon leads.
    pub future: f64,
    /// A coin in the hoard. The first ones are worth most.
    pub coin: f64,
    /// A coin lying on a room.
    pub coin_on_room: f64,
    /// A miniboss at work, and each level above the first.
    pub miniboss: f64,
    pub promotion: f64,
    /// An item that can be used, and one that lies face down.
    pub item: f64,
    pub spent_item: f64,
}

impl Weights {
    /// Set by hand; used by the greedy bot.
    pub const HAND_SET: Weights = Weights {
        soul: 10.0,
        near_win: 0.0,
        wound: 15.0,
        near_loss: 0.0,
        damage: 1.2,
        treasure: 0.7,
        enough: 4.0,
        room: 1.0,
        level: 0.5,
        spell: 2.5,
        room_card: 1.0,
        kill: 9.0,
        hurt: 13.0,
        soon: 0.8,
        later: 0.3,
        future: 0.0,
        coin: 1.5,
        coin_on_room: 1.0,
        miniboss: 4.0,
        promotion: 2.5,
        item: 3.0,
        spent_item: 0.5,
    };

    /// Found by self-play: they beat similar weights over several hundred thousand games of the greedy bot,
    /// two players, original box.
    pub const SELF_PLAY: Weights = Weights {
        soul: 6.82,
        near_win: 2.04,
        wound: 6.06,
        near_loss: 2.59,
        damage: 6.89,
        treasure: 0.91,
        enough: 3.64,
        room: 1.10,
        level: 0.72,
        spell: 4.88,
        room_card: 1.16,
        kill: 10.99,
        hurt: 3.61,
        soon: 0.94,
        later: 0.22,
        future: 0.19,
        coin: 1.5,
        coin_on_room: 1.0,
        miniboss: 5.0,
        promotion: 3.0,
        item: 4.0,
        spent_item: 0.5,
    };

    /// For Super Boss Monster, where a wound costs as much as a soul brings and nobody is eliminated.
    pub const SUPER: Weights = Weights {
        soul: 10.0,
        near_win: 1.0,
        wound: 10.0,
        near_loss: 0.0,
        damage: 2.0,
        treasure: 0.9,
        enough: 4.0,
        room: 1.0,
        level: 0.7,
        spell: 2.5,
        room_card: 1.0,
        kill: 9.0,
        hurt: 9.0,
        soon: 0.8,
        later: 0.3,
        future: 0.2,
        ..Weights::HAND_SET
    };

    /// For one player: damage and treasure decide how many heroes come and how many of them die. Chosen by the
    /// mean score of a few thousand games of the planner.
    pub const SOLO: Weights =
        Weights { damage: 6.9, treasure: 2.0, wound: 6.0, hurt: 3.6, future: 0.6, ..Weights::SUPER };

    /// The weights for this table: some rules have their own.
    pub(crate) fn at(&self, rules: &Rules) -> Weights {
        match rules.players {
            1 => Weights::SOLO,
            players if rules.edition().town_places(players).is_some() => Weights::SUPER,
            _ => *self,
        }
    }
}

/// The value of the position for this seat, with its own face-down rooms revealed.
pub(crate) fn evaluate<'a>(
    table: &Game<'a>,
    me: Seat,
    weights: &Weights,
    ahead: &mut EvalScratch<'a>,
) -> f64 {
    let EvalScratch { revealed: game, walk } = ahead;
    table.if_revealed_in(game, me);
    let state = &game.state;
    if let Some(outcome) = game.outcome()
        && let Some(alone) = game.solo_score()
    {
        // Alone there is nobody to beat: an early end costs what could still have come.
        let early = if outcome.reason == Ending::LastEpic { 0.0 } else { EARLY_END };
        return f64::from(alone.score) * weights.soul - early;
    }
    if let Some(outcome) = game.outcome() {
        return if outcome.winner == me { 1000.0 } else { -1000.0 };
    }
    let worths = worths(game, weights, walk);
    let others = state.seats().count().saturating_sub(1).max(1) as f64;
    let side = |seat: Seat| if seat == me { 1.0 } else { -1.0 / others };
    let sum: f64 = state.seats().map(|seat| side(seat) * worths[seat.index()]).sum();
    if state.rules().edition().tavern_ends { sum - crowd(game) } else { sum }
}

/// What the position is worth to each seat, whatever it is to the others.
fn worths(game: &Game, weights: &Weights, walk: &mut State) -> [f64; SEATS] {
    let state = &game.state;
    let mut worths = [0.0; SEATS];
    for seat in state.seats() {
        let worth = &mut worths[seat.index()];
        *worth += points(game, seat, weights) + dungeon(game, seat, weights);
        *worth += Pieces::of(game, seat).worth(weights);
        *worth += hand(game, seat, weights) + future(game, seat, weights);
        for hero in state.pile(Place::entrance(seat)).chain(state.pile(Place::inside(seat))) {
            *worth += prospect(game, hero, seat, weights, walk);
        }
    }
    let soon = match state.phase() {
        Phase::Setup | Phase::Begin | Phase::Town | Phase::Build | Phase::Minion => weights.soon,
        Phase::Bait | Phase::Adventure | Phase::End => weights.later,
    };
    for hero in state.pile(Place::TOWN) {
        if let Some(seat) = game.lured_to(hero) {
            worths[seat.index()] += soon * prospect(game, hero, seat, weights, walk);
        }
    }
    worths
}

/// What a game for one loses if it ends before the last hero has come.
const EARLY_END: f64 = 100.0;

/// Alone, heroes who are not lured fill town and landmarks, until one finds only the Tavern.
fn crowd(game: &Game) -> f64 {
    let state = &game.state;
    let edition = state.rules().edition();
    let places = edition.town_places(1).unwrap_or(0) + 4;
    let stay = state.pile(Place::TOWN).filter(|hero| game.lured_to(*hero).is_none()).count();
    let waiting = (stay + state.pile_len(Place::LANDMARK)) as f64;
    let room = f64::from(places) - waiting - f64::from(edition.heroes_a_turn(1));
    waiting * 1.5 + if room < 0.0 { -20.0 * room } else { 0.0 }
}

fn points(game: &Game, seat: Seat, weights: &Weights) -> f64 {
    let (souls, wounds) = (f64::from(game.souls(seat)), f64::from(game.wounds(seat)));
    let edition = game.state.rules().edition();
    let (enough, deadly) = (edition.souls_to_win.map(f64::from), edition.wounds_to_lose.map(f64::from));
    let end = if deadly.is_some_and(|deadly| wounds >= deadly) {
        -150.0
    } else if enough.is_some_and(|enough| souls >= enough) {
        150.0
    } else {
        0.0
    };
    let soul = weights.soul + enough.map_or(0.0, |enough| weights.near_win * souls / enough);
    let wound = weights.wound + deadly.map_or(0.0, |deadly| weights.near_loss * wounds / deadly);
    souls * soul - wounds * wound + end
}

/// What a player has besides cards in hand and rooms: facts that everybody can see.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Pieces {
    pub coins: u16,
    pub coins_on_rooms: u16,
    pub counters: u16,
    pub minibosses: u16,
    /// All their levels.
    pub levels: u16,
    /// Those that have reached the third level, and those that have not.
    pub ready: u16,
    pub promotable: u16,
    pub items: u16,
    /// Those of them that lie face up.
    pub usable_items: u16,
}

/// The level at which a miniboss can be sent into action.
const LAST_LEVEL: u8 = 3;

impl Pieces {
    pub fn of(game: &Game, seat: Seat) -> Pieces {
        let state = &game.state;
        let mut pieces = Pieces { coins: state.coins(seat), ..Pieces::default() };
        for room in state.slots(seat) {
            let marks = state.marks(*room);
            pieces.coins_on_rooms += u16::from(marks.coins);
            pieces.counters += u16::from(marks.counters);
        }
        for attachment in state.attachments() {
            let at = state.card(attachment.host).place;
            if at.is_dungeon() && at.seat() == seat {
                pieces.minibosses += 1;
                pieces.levels += u16::from(attachment.level);
                let ready = attachment.level >= LAST_LEVEL;
                pieces.ready += u16::from(ready);
                pieces.promotable += u16::from(!ready);
            }
        }
        for card in state.pile(Place::scoring(seat)).filter(|card| game.def(*card).kind == Kind::Item) {
            pieces.items += 1;
            pieces.usable_items += u16::from(!game.is_facedown(card));
        }
        pieces
    }

    /// Counters are part of the dungeon's damage, and count there.
    pub fn worth(&self, weights: &Weights) -> f64 {
        // Three pay for a miniboss and its promotions; more are needed later, many more never.
        let upto = |from: u16, to: u16| f64::from(self.coins.clamp(from, to) - from);
        let coins = upto(0, 3) + 0.5 * upto(3, 6) + 0.1 * upto(6, u16::MAX);
        let promotions = self.levels.saturating_sub(self.minibosses);
        coins * weights.coin
            + f64::from(self.coins_on_rooms) * weights.coin_on_room
            + f64::from(self.minibosses) * weights.miniboss
            + f64::from(promotions) * weights.promotion
            + f64::from(self.usable_items) * weights.item
            + f64::from(self.items - self.usable_items) * weights.spent_item
    }
}

/// By printed numbers: effects that last for a turn show in the heroes' prospects.
fn dungeon(game: &Game, seat: Seat, weights: &Weights) -> f64 {
    let slots = game.state.slots(seat);
    let treasure: f64 =
        game.db.classes.iter().map(|class| icons(game, seat, class).min(weights.enough)).sum();
    let rooms = slots.len() as f64;
    let level = if game.levelled(seat) { 0.0 } else { rooms * weights.level };
    damage(game, seat) * weights.damage + treasure * weights.treasure + rooms * weights.room + level
}

fn damage(game: &Game, seat: Seat) -> f64 {
    let dealt = |room: &CardId| f64::from(game.def(*room).damage) + counters(game, *room);
    game.state.slots(seat).iter().map(dealt).sum()
}

/// The counters on a room; half of them if it keeps losing them.
fn counters(game: &Game, room: CardId) -> f64 {
    let many = game.state.marks(room).counters;
    if many == 0 {
        return 0.0;
    }
    let loses = |op: &Op| matches!(op, Op::Counters { gain: false, on, .. } if on.slot == Slot::This);
    let when = game.def(room).when.iter().map(|unit| usize::from(game.db.unit(*unit).start));
    let fades = |start: usize| game.db.ops[start..].iter().take_while(|op| **op != Op::End).any(loses);
    f64::from(many) * if when.into_iter().any(fades) { 0.5 } else { 1.0 }
}

fn icons(game: &Game, seat: Seat, class: Class) -> f64 {
    let slots = game.state.slots(seat).iter();
    slots.map(|room| f64::from(game.def(*room).icons[class])).sum()
}

/// Heroes of the classes in which the dungeon leads will come: good if it kills them, bad if not.
fn future(game: &Game, seat: Seat, weights: &Weights) -> f64 {
    if weights.future == 0.0 {
        return 0.0;
    }
    let ordinary = game.state.pile_len(Place::HERO_DECK) as f64;
    let epic = game.state.pile_len(Place::EPIC_DECK) as f64;
    // Ordinary heroes have about six health, epic heroes about eleven; each point of damage above or below
    // that shifts the odds.
    let damage = damage(game, seat);
    let odds = |health: f64| 1.0 / (1.0 + libm::exp(-(damage - health) / 2.0));
    let near = ordinary.min(6.0);
    let (far, all) = (6.0 - near, 6.0_f64.min(ordinary + epic));
    let net = |odds: f64| odds * weights.kill - (1.0 - odds) * weights.hurt;
    let value = (near * net(odds(6.0)) + 2.0 * far * net(odds(11.0))) / 6.0 * all / 6.0;
    let ahead = |class: Class| {
        let mine = game.treasure(seat, class);
        let best = game.state.seats().filter(|other| *other != seat);
        let best = best.map(|other| game.treasure(other, class)).max().unwrap_or(0);
        f64::from(u8::from(mine > best))
    };
    let ahead: f64 = game.db.classes.iter().map(ahead).sum();
    weights.future * ahead * value
}

fn hand(game: &Game, seat: Seat, weights: &Weights) -> f64 {
    let is_spell = |card: &CardId| game.def(*card).kind == Kind::Spell;
    let cards = game.state.hand(seat);
    cards.map(|card| if is_spell(&card) { weights.spell } else { weights.room_card }).sum()
}

/// What a hero entering this dungeon is worth to its owner.
fn prospect(game: &Game, hero: CardId, seat: Seat, weights: &Weights, walk: &mut State) -> f64 {
    let points = f64::from(game.def(hero).souls());
    let carries = game.state.attached_to(hero).next().is_some();
    let item = |worth: f64| if carries { worth } else { 0.0 };
    match game.forecast_in(walk, hero, seat).fate {
        Fate::Dies => weights.kill * points + item(weights.item),
        Fate::Wounds => -weights.hurt * points + item(weights.spent_item),
        Fate::StaysOut => 0.0,
    }
}
