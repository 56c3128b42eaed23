//! The fixed list of actions of a table, and which of them a legal answer is.
//!
//! Invariants: equal tables have equal lists. Every legal answer has an action, and two legal answers share
//! one only if they are the same to the player who gives them (`same_to`).

use cards::code::{Op, RuleKindCode, User};
use cards::vocabulary::{Class, Kind, Zone};
use engine::id::SLOTS;
use engine::sight::Sight;
use engine::state::Space;
use engine::{Action, CardId, Decision, Game, Place, Question, Ref, Seat};

use crate::cardlist::{CardList, Group};

/// Answers that look like another one and yet are not the same: enough for any real game, and checked.
const TWINS: usize = 32;
/// Alternatives of a card, triggers that wait, and numbers that can be asked for.
const OPTIONS: usize = 8;
const TRIGGERS: usize = 24;
const NUMBERS: usize = 256;

/// Where a block of actions begins, and how many there are.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    at: usize,
    len: usize,
}

impl Block {
    fn nth(self, n: usize) -> Option<usize> {
        (n < self.len).then_some(self.at + n)
    }
}

pub struct ActionSpace {
    pub names: Vec<String>,
    players: usize,
    /// Abilities that rooms, bosses and minibosses may have, at most.
    abilities: [usize; 3],
    /// By the card's number in the list: its first use.
    uses: Vec<Block>,
    option: Block,
    first: Block,
    number: Block,
    deck: Block,
    class: Block,
    player: Block,
    space: Block,
    use_room: Block,
    use_boss: Block,
    use_miniboss: Block,
    promote: Block,
    sell: Block,
    take_back: Block,
    build: Block,
    build_elsewhere: Block,
    pick_room: Block,
    pick_boss: Block,
    pick_miniboss: Block,
    pick: Block,
    unseen: Block,
    twin: Block,
}

/// A legal answer and its action.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub code: u32,
    pub action: Action,
}

#[derive(Clone, Copy)]
enum Spot {
    Room(usize, usize),
    Boss(usize),
    Miniboss(usize, usize),
    Elsewhere,
}

struct Names(Vec<String>);

impl Names {
    fn block(&mut self, names: impl IntoIterator<Item = String>) -> Block {
        let at = self.0.len();
        self.0.extend(names);
        Block { at, len: self.0.len() - at }
    }
}

/// Seats as the player counts them: 0 is you, then those after you in the order of seats.
fn whose(k: usize) -> String {
    if k == 0 { "your".into() } else { format!("rival{k}") }
}

impl ActionSpace {
    pub fn new(list: &CardList, players: usize, board: bool) -> ActionSpace {
        let db = list.db;
        let mut names = Names(["pass", "yes", "no"].map(String::from).into());
        let anybody = db.units.iter().any(|unit| unit.user != User::Owner);
        let users = if anybody { players } else { 1 };
        let defs = || list.cards.iter().map(|id| db.def(*id));
        let most = |kind: Kind| {
            let of_kind = defs().filter(move |def| def.kind == kind);
            let texts = of_kind.flat_map(|def| std::iter::once(def).chain(&def.levels));
            texts.map(|def| def.activated.len()).max().unwrap_or(0)
        };
        let abilities = [Kind::Room, Kind::Boss, Kind::Miniboss].map(most);
        let numbers = if db.ops.iter().any(|op| matches!(op, Op::Number { .. })) { NUMBERS } else { 0 };
        let allows = db.rules.iter().any(|rule| matches!(rule.kind, RuleKindCode::Allow(_)));
        let others = if allows { 1..players } else { 0..0 };

        let option = names.block((0..OPTIONS).map(|n| format!("option {n}")));
        let first = names.block((0..TRIGGERS).map(|n| format!("first {n}")));
        let number = names.block((0..numbers).map(|n| format!("number {n}")));
        let deck = names.block(["draw a room", "draw a spell"].map(String::from));
        let class = names.block(Class::ALL.iter().map(|class| format!("class {}", class.word())));
        let player = names.block((0..players).map(|k| match k {
            0 => "player you".into(),
            k => format!("player rival{k}"),
        }));
        let spaces = Space::all().map(|space| match Space::to_ref(space).as_number() {
            Some(n) => {
                (usize::from(n), format!("minion to {} {}", space.landmark.word(), space.errand.word()))
            }
            None => (0, String::new()),
        });
        let mut spaces: Vec<(usize, String)> = spaces.filter(|_| board).collect();
        spaces.sort();
        let room = spaces.last().map_or(0, |(n, _)| n + 1);
        let space = names.block((0..room).map(|n| {
            let named = spaces.iter().find(|(at, _)| *at == n);
            named.map_or_else(|| format!("minion to space {n}"), |(_, name)| name.clone())
        }));
        let in_dungeon = |seats: usize, abilities: usize, what: &'static str| {
            (0..seats).flat_map(move |k| {
                (0..SLOTS).flat_map(move |slot| {
                    (0..abilities).map(move |a| format!("use {} {what} {slot} ability {a}", whose(k)))
                })
            })
        };
        let use_room = names.block(in_dungeon(users, abilities[0], "room"));
        let use_boss = names.block(
            (0..users)
                .flat_map(|k| (0..abilities[1]).map(move |a| format!("use {} boss ability {a}", whose(k)))),
        );
        let use_miniboss = names.block(in_dungeon(users, abilities[2], "miniboss"));
        let uses = (0..list.cards.len())
            .map(|n| {
                let def = db.def(list.cards[n]);
                let units =
                    if matches!(def.kind, Kind::Item | Kind::Spell) { &def.play } else { &def.activated };
                // Rooms, bosses and minibosses are used where they are, some rooms also from the hand.
                let from_hand = || units.iter().any(|unit| db.unit(*unit).from_hand);
                let placed = matches!(def.kind, Kind::Room | Kind::Boss | Kind::Miniboss);
                let many = if placed && !from_hand() { 0 } else { units.len() };
                names.block((0..many).map(|a| format!("use {} ability {a}", list.names[n])))
            })
            .collect();
        let own_slots = |what: &'static str| (0..SLOTS).map(move |slot| format!("{what} {slot}"));
        let promote = names.block(own_slots("promote miniboss"));
        let buildable = || list.names(Group::Buildable);
        let sell = names.block(buildable().map(|name| format!("sell {name}")));
        let take_back = names.block(own_slots("take back room"));
        let build = names.block(
            buildable().flat_map(|name| (0..SLOTS).map(move |slot| format!("build {name} at {slot}"))),
        );
        let build_elsewhere = names.block(others.flat_map(|k| {
            buildable().flat_map(move |name| {
                (0..SLOTS).map(move |slot| format!("build {name} at {} {slot}", whose(k)))
            })
        }));
        let all = || (0..players).flat_map(|k| (0..SLOTS).map(move |slot| (k, slot)));
        let pick_room = names.block(all().map(|(k, slot)| format!("pick {} room {slot}", whose(k))));
        let pick_boss = names.block((0..players).map(|k| format!("pick {} boss", whose(k))));
        let minibosses = all().filter(|_| db.minibosses);
        let pick_miniboss =
            names.block(minibosses.map(|(k, slot)| format!("pick {} miniboss {slot}", whose(k))));
        let pick = names.block(list.names.iter().map(|name| format!("pick {name}")));
        let unseen = names.block((0..=players).flat_map(|k| {
            Kind::ALL.iter().map(move |kind| match k {
                0 => format!("pick unseen {}", kind.name()),
                k => format!("pick unseen {} of {}", kind.name(), whose(k - 1)),
            })
        }));
        let twin = names.block((0..TWINS).map(|n| format!("other {n}")));
        ActionSpace {
            names: names.0,
            players,
            abilities,
            uses,
            option,
            first,
            number,
            deck,
            class,
            player,
            space,
            use_room,
            use_boss,
            use_miniboss,
            promote,
            sell,
            take_back,
            build,
            build_elsewhere,
            pick_room,
            pick_boss,
            pick_miniboss,
            pick,
            unseen,
            twin,
        }
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Is it one for answers that look like another one?
    pub fn is_twin(&self, code: u32) -> bool {
        code as usize >= self.twin.at
    }

    /// The legal answers of the player who is asked, with their actions: each action once, in the order of the
    /// answers.
    pub fn choices(&self, asked: &Asked, legal: &[Action], out: &mut Vec<Choice>) {
        out.clear();
        let mut twins = 0;
        for action in legal.iter().copied() {
            let code = self.code(asked, action);
            let like = |choice: &Choice| Some(choice.code as usize) == code;
            if let (Some(code), false) = (code, out.iter().any(like)) {
                out.push(Choice { code: code as u32, action });
                continue;
            }
            let is_same = |choice: &Choice| same_to(asked.sight, choice.action, action);
            let apart = |choice: &&Choice| like(choice) || choice.code as usize >= self.twin.at;
            if out.iter().filter(apart).any(is_same) {
                continue;
            }
            if let Some(code) = self.twin.nth(twins) {
                out.push(Choice { code: code as u32, action });
                twins += 1;
            } else {
                debug_assert!(false, "more than {TWINS} answers that only look alike");
            }
        }
    }

    /// The action of a legal answer that may have been left out for one that is the same.
    pub fn like(&self, asked: &Asked, choices: &[Choice], action: Action) -> u32 {
        let same = choices.iter().find(|choice| same_to(asked.sight, choice.action, action));
        same.map_or_else(|| self.code(asked, action).unwrap_or(0) as u32, |choice| choice.code)
    }

    /// The action of an answer, if no other answer is in its way; `None` if it fits nowhere.
    fn code(&self, asked: &Asked, action: Action) -> Option<usize> {
        match action {
            Action::Pass => Some(0),
            Action::Yes => Some(1),
            Action::No => Some(2),
            Action::Use { ability, card } => self.using(asked, card, usize::from(ability)),
            Action::Build { spot, card } => {
                let (n, slot) = (asked.number(Group::Buildable, card)?, spot.slot());
                if slot >= SLOTS {
                    return None;
                }
                match self.relative(asked.me, spot.dungeon(asked.me)) {
                    0 => self.build.nth(n * SLOTS + slot),
                    k => {
                        let buildable = asked.list.count(Group::Buildable);
                        self.build_elsewhere.nth(((k - 1) * buildable + n) * SLOTS + slot)
                    }
                }
            }
            Action::Promote { card } => match self.spot(asked, card) {
                Spot::Miniboss(0, slot) => self.promote.nth(slot),
                _ => None,
            },
            Action::Sell { card } => self.sell.nth(asked.number(Group::Buildable, card)?),
            Action::TakeBack { card } => match self.spot(asked, card) {
                Spot::Room(0, slot) => self.take_back.nth(slot),
                _ => None,
            },
            Action::Pick(r) => self.picking(asked, r),
        }
    }

    fn using(&self, asked: &Asked, card: CardId, ability: usize) -> Option<usize> {
        let [rooms, bosses, minibosses] = self.abilities;
        let at = |block: Block, thing: usize, most: usize| {
            if ability < most { block.nth(thing * most + ability) } else { None }
        };
        match self.spot(asked, card) {
            Spot::Room(k, slot) => at(self.use_room, k * SLOTS + slot, rooms),
            Spot::Boss(k) => at(self.use_boss, k, bosses),
            Spot::Miniboss(k, slot) => at(self.use_miniboss, k * SLOTS + slot, minibosses),
            Spot::Elsewhere => self.uses.get(asked.number(Group::All, card)?)?.nth(ability),
        }
    }

    fn picking(&self, asked: &Asked, r: Ref) -> Option<usize> {
        if let Some(seat) = r.as_seat() {
            return self.player.nth(self.relative(asked.me, seat));
        }
        if let Some(n) = r.as_number().map(usize::from) {
            return match asked.question {
                Question::WhichFirst => self.first.nth(n),
                Question::Number { .. } => self.number.nth(n),
                Question::Choose(_) => self.class.nth(n),
                Question::PlaceMinion => self.space.nth(n),
                Question::MachinationsDeck => self.deck.nth(n),
                _ => self.option.nth(n),
            };
        }
        let card = r.as_card()?;
        let is_boss = asked.question == Question::KeepBoss;
        match if is_boss { Spot::Elsewhere } else { self.spot(asked, card) } {
            Spot::Room(k, slot) => self.pick_room.nth(k * SLOTS + slot),
            Spot::Boss(k) => self.pick_boss.nth(k),
            Spot::Miniboss(k, slot) => self.pick_miniboss.nth(k * SLOTS + slot),
            Spot::Elsewhere => {
                if let Some(n) = asked.number(Group::All, card) {
                    return self.pick.nth(n);
                }
                let seat = asked.sight.place(card).seat();
                let k = if seat.exists() { 1 + self.relative(asked.me, seat) } else { 0 };
                self.unseen.nth(k * Kind::ALL.len() + asked.sight.def(card).kind as usize)
            }
        }
    }

    fn relative(&self, me: Seat, seat: Seat) -> usize {
        (seat.index() + self.players - me.index()) % self.players
    }

    fn spot(&self, asked: &Asked, card: CardId) -> Spot {
        let sight = asked.sight;
        let place = sight.place(card);
        let at = |room: CardId| {
            let seat = sight.place(room).seat();
            let slot = sight.slots(seat).iter().position(|top| *top == room)?;
            Some((self.relative(asked.me, seat), slot))
        };
        if place.is_dungeon() {
            return at(card).map_or(Spot::Elsewhere, |(k, slot)| Spot::Room(k, slot));
        }
        match place.zone() {
            Zone::Boss => Spot::Boss(self.relative(asked.me, place.seat())),
            Zone::Attached => {
                let room = sight.host(card).filter(|host| sight.place(*host).is_dungeon());
                room.and_then(at).map_or(Spot::Elsewhere, |(k, slot)| Spot::Miniboss(k, slot))
            }
            _ => Spot::Elsewhere,
        }
    }
}

/// A player who is asked something, and what they see.
pub struct Asked<'a> {
    list: &'a CardList,
    sight: Sight<'a>,
    pub me: Seat,
    question: Question,
}

impl<'a> Asked<'a> {
    /// The player whom the game asks; `None` when it is over.
    pub fn of(list: &'a CardList, game: &'a Game) -> Option<Asked<'a>> {
        let Decision { seat: me, question, .. } = game.decision()?;
        Some(Asked { list, sight: game.sight(Some(me)), me, question })
    }

    /// The card's number in the group, if the player has seen it.
    fn number(&self, group: Group, card: CardId) -> Option<usize> {
        self.list.number(group, self.sight.def_id(card))
    }
}

/// Do these answers, which would be the same action, come to the same for the player who gives them? So it
/// is with two copies of a card in one hand, in one deck, in the market or in the discard pile, if the same
/// players know them and nothing declared is about one of them, and with two cards there that the player has
/// not seen.
fn same_to(sight: Sight, one: Action, other: Action) -> bool {
    let card = |action: Action| match action {
        Action::Use { card, .. } | Action::Build { card, .. } | Action::Sell { card } => Some(card),
        Action::Pick(r) => r.as_card(),
        _ => None,
    };
    let (Some(a), Some(b)) = (card(one), card(other)) else { return false };
    let detail = |action: Action| match action {
        Action::Use { ability, .. } => (0, ability),
        Action::Build { spot, .. } => (1, spot.0),
        Action::Sell { .. } => (2, 0),
        _ => (3, 0),
    };
    if detail(one) != detail(other) {
        return false;
    }
    let loose = |place: Place| {
        matches!(place.zone(), Zone::Hand | Zone::Discard | Zone::Market | Zone::Removed | Zone::Box)
            || place.zone().is_deck()
    };
    let shown = |card: CardId| (sight.seen_by(card), sight.is_facedown(card), sight.is_new(card));
    // Something declared may be about one of them.
    let meant = |card: CardId| {
        let mut chosen = sight.pending().iter().flat_map(|declared| declared.code.regs);
        chosen.any(|r| sight.present(r) == Some(card))
    };
    loose(sight.place(a))
        && sight.place(a) == sight.place(b)
        && sight.def_id(a) == sight.def_id(b)
        && shown(a) == shown(b)
        && sight.marks(a) == sight.marks(b)
        && !meant(a)
        && !meant(b)
}
