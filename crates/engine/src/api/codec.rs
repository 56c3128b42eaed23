//! State to bytes and back, the same on every machine. The bytes are hashed for records and read
//! back by tests; none come from a client. Still, reading any bytes and using the result never
//! panics.
//!
//! A new field or variant must be added here, or this file does not compile: structs are
//! destructured and built completely, and an enum's tags are listed once for both directions.

use cards::code::{DefId, Hooks, REGS, RuleId, UnitId};
use cards::db::CardDb;
use cards::vocabulary::{Class, Kind, Phase};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::acts::Runner;
use crate::code::query::Board;
use crate::fast::answers::Answers;
use crate::flow::rules::{Choice, Variants};
use crate::model::id::*;
use crate::model::rng::Rng;
use crate::model::state::*;
use crate::setup::{Rules, Ruleset};

/// The layout of the bytes; they begin with it.
pub const LAYOUT: u16 = 2;

/// Bytes that are not a state.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    #[error(
        "these bytes have layout {0}; this program reads layout {LAYOUT}: they come from another version"
    )]
    Layout(u16),
    #[error("the bytes end too early or hold an unknown value")]
    Malformed,
    #[error("{0} bytes are left over")]
    Leftover(usize),
    #[error("not a possible state: {0}")]
    Impossible(String),
}

impl State {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(4096);
        LAYOUT.put(&mut out);
        // The answers follow from the rest.
        let State { core, answers: _ } = self;
        core.put(&mut out);
        out
    }

    pub fn from_bytes(db: &CardDb, mut bytes: &[u8]) -> Result<State, DecodeError> {
        let layout = u16::get(&mut bytes).ok_or(DecodeError::Malformed)?;
        if layout != LAYOUT {
            return Err(DecodeError::Layout(layout));
        }
        let core = Core::get(&mut bytes).ok_or(DecodeError::Malformed)?;
        let mut state = State { core, answers: Answers::NONE };
        if !bytes.is_empty() {
            return Err(DecodeError::Leftover(bytes.len()));
        }
        state.check_code(db).map_err(DecodeError::Impossible)?;
        state.check_places(db).map_err(DecodeError::Impossible)?;
        state.rebuild_caches(db);
        for seat in (0..SEATS as u8).map(Seat) {
            Runner::new(db, &mut state, &mut ()).rescore(seat);
        }
        state.check(db).map_err(DecodeError::Impossible)?;
        state.answers = Board { db, s: &state }.answers();
        Ok(state)
    }

    /// A short name for exactly this state.
    pub fn fingerprint(&self) -> u64 {
        let hash = Sha256::digest(self.to_bytes());
        u64::from_be_bytes(std::array::from_fn(|i| hash[i]))
    }

    /// Every suspended piece of code points into existing code, and every seat is in the game.
    fn check_code(&self, db: &CardDb) -> Result<(), String> {
        let playing = |seat: Seat| seat.0 < self.rules.players;
        let known = |code: &Code| match db.units.get(code.unit.index()) {
            None => Err("an unknown ability is running".to_string()),
            Some(info) if usize::from(info.start) + usize::from(code.pc) >= db.ops.len() => {
                Err("an ability is past its end".to_string())
            }
            Some(_) if usize::from(code.picked) > REGS => Err("an ability holds too much".to_string()),
            // A hero in town is nobody's, and may have an ability all the same.
            Some(_) if code.you != Seat::NONE && !playing(code.you) => {
                Err("an ability is nobody's".to_string())
            }
            Some(_) => Ok(()),
        };
        for frame in self.frames.iter() {
            match frame {
                Frame::Code(code) => known(code)?,
                Frame::Options { card, you, .. } if !playing(*you) || card.as_card().is_none() => {
                    return Err("alternatives that are nobody's".into());
                }
                Frame::Step(step) if step.seat().is_some_and(|seat| !playing(seat)) => {
                    return Err("a step is nobody's".into());
                }
                Frame::Triggers(from) if usize::from(*from) > self.triggers.len() => {
                    return Err("triggers that are not there".into());
                }
                _ => {}
            }
        }
        let is_boss = |def: DefId| db.defs.get(def.index()).is_some_and(|def| def.kind == Kind::Boss);
        if !self.copied.iter().flatten().all(|def| is_boss(*def)) {
            return Err("something that is no boss was copied".into());
        }
        self.pending.iter().try_for_each(|entry| known(&entry.code))?;
        self.triggers.iter().try_for_each(|trigger| known(&trigger.code()))?;
        let named = [Some(self.active).filter(|active| *active != Seat::NONE), self.ask.map(|ask| ask.seat)];
        if let Some(seat) = named.into_iter().flatten().find(|seat| !playing(*seat)) {
            return Err(format!("{seat} does not play"));
        }
        let known_lasting = |lasting: &Lasting| match lasting.kind {
            LastingKind::Rule { rule, .. } => rule.index() < db.rules.len(),
            LastingKind::Ability(unit)
            | LastingKind::Offer(unit)
            | LastingKind::Used { unit, .. }
            | LastingKind::PutOff(unit) => unit.index() < db.units.len(),
            LastingKind::Treasure(_) | LastingKind::LastRoom { .. } => playing(lasting.you),
        };
        if !self.lasting.iter().all(known_lasting) {
            return Err("an unknown rule is in force".into());
        }
        let seats = &self.order[..usize::from(self.rules.players).min(SEATS)];
        let alive = seats.iter().take(usize::from(self.alive));
        if !(1..=SEATS as u8).contains(&self.rules.players)
            || self.alive > self.rules.players
            || (0..self.rules.players).any(|seat| !seats.contains(&Seat(seat)))
            || self.order[seats.len()..].iter().any(|seat| *seat != Seat::NONE)
            || self.seated != alive.fold(SeatSet::EMPTY, |all, seat| all.with(*seat))
            || self.players[seats.len()..].iter().any(|player| *player != Player::EMPTY)
        {
            return Err(format!("{} players, {} in the game", self.rules.players, self.alive));
        }
        Ok(())
    }
}

/// Fixed little-endian encoding.
trait Bytes: Sized {
    fn put(&self, out: &mut Vec<u8>);
    fn get(input: &mut &[u8]) -> Option<Self>;
}

macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl Bytes for $type {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn get(input: &mut &[u8]) -> Option<Self> {
                let (bytes, rest) = input.split_first_chunk()?;
                *input = rest;
                Some(<$type>::from_le_bytes(*bytes))
            }
        }
    )*};
}
numbers!(u8, u16, u32, u64, u128, i8, i16);

/// Handles, each a single number.
macro_rules! handles {
    ($($type:ident),* $(,)?) => {$(
        impl Bytes for $type {
            fn put(&self, out: &mut Vec<u8>) {
                let $type(number) = self;
                number.put(out);
            }
            fn get(input: &mut &[u8]) -> Option<Self> {
                Some($type(Bytes::get(input)?))
            }
        }
    )*};
}
handles!(CardId, DefId, UnitId, RuleId, Hooks, Seat, SeatSet, Place, Ref, Flags);

/// Structs, field by field.
macro_rules! structs {
    ($($type:ident { $($field:ident),* $(,)? })*) => {$(
        impl Bytes for $type {
            fn put(&self, out: &mut Vec<u8>) {
                let $type { $($field),* } = self;
                $($field.put(out);)*
            }
            fn get(input: &mut &[u8]) -> Option<Self> {
                $(let $field = Bytes::get(input)?;)*
                Some($type { $($field),* })
            }
        }
    )*};
}

structs! {
    CardState { def, next, flags, place, seen }
    Marks { damage, counters, coins, token }
    Pile { head, tail, len }
    Player { slots, stacks, boss, out, levelled, done, placed, gained, lured, entered, destroyed, coins, hooks }
    Exit { turn, score, boss }
    Score { souls, wounds }
    Window { pos, passes, resolved }
    Code { unit, pc, source, you, picked, regs }
    Pending { code, waiting, cancelled }
    Trigger { unit, source, subject, kept, you }
    Lasting { source, kept, you, kind }
    Attachment { card, host, level }
    Cast { spell, by }
    TownBoard { minions, landmarks }
    Trade { open, sold, promoted, took_back }
    Walk { hero, room, slot, moved, fallen, windowed, skip }
    Ask { seat, kind }
    Outcome { winner, reason }
    Choice { ruleset, variants, players, last_turn, ask_all, cover }
}

/// Enums: a tag, then the variant's fields. `put` requires every variant to be listed; `get` is
/// generated from the same list.
macro_rules! enums {
    ($($type:ident {
        $($tag:literal = $variant:ident $(($($item:ident),*))? $({ $($field:ident),* })?),* $(,)?
    })*) => {$(
        impl Bytes for $type {
            fn put(&self, out: &mut Vec<u8>) {
                match self {
                    $($type::$variant $(($($item),*))? $({ $($field),* })? => {
                        out.push($tag);
                        $($($item.put(out);)*)?
                        $($($field.put(out);)*)?
                    })*
                }
            }
            #[deny(unreachable_patterns)]
            fn get(input: &mut &[u8]) -> Option<Self> {
                match u8::get(input)? {
                    $($tag => {
                        $($(let $item = Bytes::get(input)?;)*)?
                        $($(let $field = Bytes::get(input)?;)*)?
                        Some($type::$variant $(($($item),*))? $({ $($field),* })?)
                    })*
                    _ => None,
                }
            }
        }
    )*};
}

enums! {
    Step {
        0 = ChooseBoss(seat), 1 = Deal, 2 = Mulligan(seat), 3 = DiscardTwo(seat), 4 = FirstRoom(seat),
        5 = BeginTurn, 6 = DrawDone(seat), 7 = Build(seat), 8 = BuildDone(seat), 9 = Reveal, 10 = Revealed,
        11 = LevelUp(seat), 12 = BuiltAbilities(seat), 13 = BuildEffectsDone(seat), 14 = Phase(phase),
        15 = Adventure(seat), 16 = AdventureDone(seat), 17 = NextHero, 18 = EnterDungeon,
        19 = RoomDamage { in_window }, 20 = LeaveRoom, 21 = NextRoom { in_window }, 22 = Machinations(seat), 23 = Check,
        24 = Arrived, 25 = Settle { left }, 26 = Draft(seat), 27 = PlaceMinion(seat), 28 = MinionActs(seat),
        29 = MinionAsks(seat), 30 = MinionDone(seat), 31 = MinionsDone, 32 = TavernEnds,
        33 = Claim(seat),
    }
    Frame {
        0 = Step(step), 1 = Window(window), 2 = CancelRound(window), 3 = Resolve, 4 = Triggers(from),
        5 = Code(code), 6 = Options { card, you, ability, open },
    }
    LastingKind {
        0 = Rule { rule, amount, once, game }, 1 = Ability(unit), 2 = Used { unit, hero }, 3 = PutOff(unit),
        4 = Treasure(class), 5 = LastRoom { bonus }, 6 = Offer(unit),
    }
    AskKind { 0 = Priority, 1 = Place(optional), 2 = Pick, 3 = YesNo, 4 = Order }
    Ending { 0 = Souls, 1 = LastStanding, 2 = AllLost, 3 = Stalled, 4 = Stopped, 5 = Compared, 6 = LastEpic, 7 = Wounds, 8 = Tavern }
}

/// What has a list of its own: the number in that list.
macro_rules! listed {
    ($($type:ident in $all:expr),* $(,)?) => {$(
        impl Bytes for $type {
            fn put(&self, out: &mut Vec<u8>) {
                out.push(*self as u8);
            }
            fn get(input: &mut &[u8]) -> Option<Self> {
                $all.into_iter().nth(usize::from(u8::get(input)?))
            }
        }
    )*};
}
listed!(Phase in Phase::ALL, Class in Class::ALL, Ruleset in Ruleset::ALL);

/// The state itself: each field is in one of the lists, or `put` does not compile.
macro_rules! core {
    (by_card: $($by_card:ident),*; plain: $($plain:ident),*; lists: $($list:ident),*;
     rare: $($rare:ident),*; follow: $($follows:ident),*) => {
        impl Bytes for Core {
            fn put(&self, out: &mut Vec<u8>) {
                let Core { n_cards, $($by_card,)* $($plain,)* $($list,)* $($rare,)* $($follows: _,)* } = self;
                n_cards.put(out);
                $($by_card[..self.card_count()].iter().for_each(|item| item.put(out));)*
                $($plain.put(out);)*
                $(put_list($list, out);)*
                let mut left = [$($rare.is_usual()),*].into_iter().rev().skip_while(|usual| *usual).count();
                $(if left > 0 {
                    $rare.put(out);
                    left -= 1;
                })*
                let _ = left;
            }
            fn get(input: &mut &[u8]) -> Option<Core> {
                let mut core = State::empty(Rules::classic(2)).core;
                core.n_cards = u16::get(input).filter(|n| usize::from(*n) <= MAX_CARDS)?;
                let used = core.card_count();
                $(for item in &mut core.$by_card[..used] {
                    *item = Bytes::get(input)?;
                })*
                $(core.$plain = Bytes::get(input)?;)*
                $(get_list(&mut core.$list, input)?;)*
                $(if !input.is_empty() {
                    core.$rare = Bytes::get(input)?;
                })*
                Some(core)
            }
        }
    };
}

core! {
    by_card: cards, marks;
    plain: rng, piles, players, walk, ask, outcome, rules, order, alive, seated, hooks, hero_hooks, turn,
        decisions, phase, active, left_town, trigger_count, last_roll, claims;
    lists: frames, pending, triggers, lasting, attached, casts;
    rare: copied, town, trade;
    follow: scores, scorers, active_rooms, offers, attached_hooks
}

/// What most games do not have comes last, and takes no bytes as long as neither it nor what comes
/// after it is used: so the bytes of other games stay what they were.
trait Rare: Bytes {
    fn is_usual(&self) -> bool;
}

impl<T: Bytes + Copy> Rare for [Option<T>; SEATS] {
    fn is_usual(&self) -> bool {
        self.iter().all(Option::is_none)
    }
}

impl Rare for TownBoard {
    fn is_usual(&self) -> bool {
        *self == TownBoard::EMPTY
    }
}

impl Rare for Trade {
    fn is_usual(&self) -> bool {
        *self == Trade::NONE
    }
}

fn put_list<T: Bytes + Copy, const N: usize>(list: &Stack<T, N>, out: &mut Vec<u8>) {
    out.push(list.len() as u8);
    list.iter().for_each(|item| item.put(out));
}

fn get_list<T: Bytes + Copy, const N: usize>(list: &mut Stack<T, N>, input: &mut &[u8]) -> Option<()> {
    for _ in 0..u8::get(input)? {
        list.push(T::get(input)?).then_some(())?;
    }
    Some(())
}

impl Bytes for Rng {
    fn put(&self, out: &mut Vec<u8>) {
        let (key, position, spare, spare_left) = self.parts();
        key.put(out);
        position.put(out);
        spare.put(out);
        spare_left.put(out);
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        let (key, position) = (Bytes::get(input)?, Bytes::get(input)?);
        Some(Rng::from_parts((key, position, Bytes::get(input)?, Bytes::get(input)?)))
    }
}

impl Bytes for Rules {
    fn put(&self, out: &mut Vec<u8>) {
        self.choice().put(out);
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        Rules::of_choice(Bytes::get(input)?)
    }
}

/// Seven bits to a byte, lowest first, the top bit saying that more follow: a set that grows does
/// not change the bytes of what it held before.
impl Bytes for Variants {
    fn put(&self, out: &mut Vec<u8>) {
        let mut left = self.0;
        while left > 0x7f {
            out.push(left as u8 | 0x80);
            left >>= 7;
        }
        out.push(left as u8);
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        let mut all = 0;
        for shift in [0, 7, 14] {
            let byte = u8::get(input)?;
            all |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return all.try_into().ok().map(Variants);
            }
        }
        None
    }
}

impl Bytes for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        match u8::get(input)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl<T: Bytes> Bytes for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        self.iter().for_each(|item| item.put(out));
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        Some(if bool::get(input)? { Some(T::get(input)?) } else { None })
    }
}

impl<T: Bytes + Copy, const N: usize> Bytes for [T; N] {
    fn put(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|item| item.put(out));
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        let items: Option<Vec<T>> = (0..N).map(|_| T::get(input)).collect();
        items?.try_into().ok()
    }
}
