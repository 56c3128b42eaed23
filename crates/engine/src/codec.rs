//! State to bytes and back, the same on every machine. Bytes come from tests and are hashed for records; none
//! come from a client. Still, reading any bytes, and looking at what they hold, never panics.

use cards::code::{DefId, Hooks, REGS, RuleId, UnitId};
use cards::db::CardDb;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::acts::Table;
use crate::id::*;
use crate::query::Board;
use crate::rng::Rng;
use crate::setup::{Rules, Ruleset};
use crate::state::*;

/// Bytes that are no state.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    #[error("the bytes end too early or hold an unknown value")]
    Malformed,
    #[error("{0} bytes are left over")]
    Leftover(usize),
    #[error("no such state: {0}")]
    Impossible(String),
}

impl State {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(2048);
        self.n_cards.put(&mut out);
        self.cards[..self.card_count()].iter().for_each(|card| card.put(&mut out));
        out.extend_from_slice(&self.damage[..self.card_count()]);
        let (key, position, spare, spare_left) = self.rng.parts();
        key.put(&mut out);
        (position, spare, spare_left).put(&mut out);
        self.piles.put(&mut out);
        self.players.put(&mut out);
        put_stack(&self.frames, &mut out);
        put_stack(&self.pending, &mut out);
        put_stack(&self.triggers, &mut out);
        put_stack(&self.lasting, &mut out);
        self.walk.put(&mut out);
        self.ask.put(&mut out);
        self.outcome.put(&mut out);
        self.rules.put(&mut out);
        self.order.put(&mut out);
        (self.alive, self.seated, (self.hooks, self.hero_hooks)).put(&mut out);
        (self.turn, self.phase, self.active).put(&mut out);
        (self.decisions, self.left_town, self.trigger_count).put(&mut out);
        out
    }

    pub fn from_bytes(db: &CardDb, mut bytes: &[u8]) -> Result<State, DecodeError> {
        let mut state = State::get(&mut bytes).ok_or(DecodeError::Malformed)?;
        if !bytes.is_empty() {
            return Err(DecodeError::Leftover(bytes.len()));
        }
        state.check_code(db).map_err(DecodeError::Impossible)?;
        state.check_places(db).map_err(DecodeError::Impossible)?;
        state.look_through(db);
        for seat in (0..SEATS as u8).map(Seat) {
            Table::new(db, &mut state, &mut ()).rescore(seat);
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

    fn get(input: &mut &[u8]) -> Option<State> {
        let n_cards = u16::get(input).filter(|n| usize::from(*n) <= MAX_CARDS)?;
        let mut cards = [CardState::EMPTY; MAX_CARDS];
        for card in &mut cards[..usize::from(n_cards)] {
            *card = CardState::get(input)?;
        }
        let mut damage = [0; MAX_CARDS];
        for taken in &mut damage[..usize::from(n_cards)] {
            *taken = u8::get(input)?;
        }
        let key = Bytes::get(input)?;
        let (position, spare, spare_left) = Bytes::get(input)?;
        let rng = Rng::from_parts((key, position, spare, spare_left));
        let piles = Bytes::get(input)?;
        let players = Bytes::get(input)?;
        let mut state = State::empty(Rules::classic(2));
        (state.n_cards, state.cards, state.rng) = (n_cards, cards, rng);
        (state.piles, state.players, state.damage) = (piles, players, damage);
        get_stack(&mut state.frames, input)?;
        get_stack(&mut state.pending, input)?;
        get_stack(&mut state.triggers, input)?;
        get_stack(&mut state.lasting, input)?;
        state.walk = Bytes::get(input)?;
        state.ask = Bytes::get(input)?;
        state.outcome = Bytes::get(input)?;
        state.rules = Bytes::get(input)?;
        state.order = Bytes::get(input)?;
        (state.alive, state.seated, (state.hooks, state.hero_hooks)) = Bytes::get(input)?;
        (state.turn, state.phase, state.active) = Bytes::get(input)?;
        (state.decisions, state.left_town, state.trigger_count) = Bytes::get(input)?;
        Some(state)
    }

    /// Every suspended piece of code stands somewhere in code that exists, and every seat is one at the table.
    fn check_code(&self, db: &CardDb) -> Result<(), String> {
        let playing = |seat: Seat| seat.0 < self.rules.players;
        let known = |code: &Code| match db.units.get(code.unit.index()) {
            None => Err("an unknown ability is running".to_string()),
            Some(info) if usize::from(info.start) + usize::from(code.pc) >= db.ops.len() => {
                Err("an ability is past its end".to_string())
            }
            Some(_) if usize::from(code.picked) > REGS => Err("an ability holds too much".to_string()),
            Some(_) if !playing(code.you) => Err("an ability is nobody's".to_string()),
            Some(_) => Ok(()),
        };
        for frame in self.frames.iter() {
            match frame {
                Frame::Code(code) => known(code)?,
                Frame::Options { card, you, .. } if !playing(*you) || card.as_card().is_none() => {
                    return Err("alternatives that are nobody's".into());
                }
                Frame::Triggers(from) if usize::from(*from) > self.triggers.len() => {
                    return Err("triggers that are not there".into());
                }
                _ => {}
            }
        }
        self.pending.iter().try_for_each(|entry| known(&entry.code))?;
        self.triggers.iter().try_for_each(|trigger| known(&trigger.code()))?;
        let named = [Some(self.active).filter(|active| *active != Seat::NONE), self.ask.map(|ask| ask.seat)];
        if let Some(seat) = named.into_iter().flatten().find(|seat| !playing(*seat)) {
            return Err(format!("{seat} does not play"));
        }
        let known_rule = |l: &Lasting| !l.is_rule() || l.rule.index() < db.rules.len();
        let known_unit = |l: &Lasting| l.unit().is_none_or(|unit| unit.index() < db.units.len());
        if !self.lasting.iter().all(|l| known_rule(l) && known_unit(l)) {
            return Err("an unknown rule is in force".into());
        }
        let seats = &self.order[..usize::from(self.rules.players).min(SEATS)];
        let alive = seats.iter().take(usize::from(self.alive));
        if !(2..=SEATS as u8).contains(&self.rules.players)
            || self.alive > self.rules.players
            || (0..self.rules.players).any(|seat| !seats.contains(&Seat(seat)))
            || self.order[seats.len()..].iter().any(|seat| *seat != Seat::NONE)
            || self.seated != alive.fold(SeatSet::EMPTY, |all, seat| all.with(*seat))
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
numbers!(u8, u16, u32, u64, i16);

/// Structs, field by field, and handles, which are one number.
macro_rules! fields {
    ($($type:ty { $($field:tt),* })*) => {$(
        impl Bytes for $type {
            fn put(&self, out: &mut Vec<u8>) {
                $(self.$field.put(out);)*
            }
            fn get(input: &mut &[u8]) -> Option<Self> {
                Some(Self { $($field: Bytes::get(input)?),* })
            }
        }
    )*};
}

fields! {
    CardId { 0 }
    DefId { 0 }
    UnitId { 0 }
    RuleId { 0 }
    Hooks { 0 }
    Seat { 0 }
    SeatSet { 0 }
    Place { 0 }
    Ref { 0 }
    Flags { 0 }
    CardState { def, next, flags, place, seen }
    Pile { head, tail, len }
    Player { slots, stacks, boss, out, levelled, done, placed, gained, lured, entered, destroyed, coins, hooks }
    Exit { turn, score }
    Score { souls, wounds }
    Window { pos, passes, resolved }
    Code { unit, pc, source, you, picked, regs }
    Pending { code, waiting, cancelled }
    Trigger { unit, source, subject, kept, you }
    Lasting { rule, source, kept, amount, you, kind }
    Walk { hero, room, slot, moved, fallen, windowed, skip }
    Ask { seat, kind }
    Outcome { winner, reason }
}

/// Enums without data, by their place in the list.
macro_rules! choices {
    ($($type:ident { $($variant:ident),* $(,)? })*) => {$(
        impl Bytes for $type {
            fn put(&self, out: &mut Vec<u8>) {
                let all = [$($type::$variant),*];
                let index = all.iter().position(|other| other == self);
                out.push(index.map_or(u8::MAX, |index| index as u8));
            }
            fn get(input: &mut &[u8]) -> Option<Self> {
                let all = [$($type::$variant),*];
                all.get(usize::from(u8::get(input)?)).copied()
            }
        }
    )*};
}

choices! {
    Phase { Setup, Begin, Build, Bait, Adventure, End }
    Step {
        ChooseBoss, Deal, Mulligan, DiscardTwo, FirstRoom, Reveal, AfterReveal, BuiltAbilities, Begin,
        TurnDraw, Build, BuildDone, Bait, Adventure, NextHero, EnterDungeon, RoomDamage,
        LeaveRoom, NextRoom, End, Upright, EndAbilities, Machinations, Check, LevelUp,
    }
    LastingKind { Rule, RuleOnce, Ability, UsedOnHero }
    Ending { Souls, LastStanding, AllLost, Stalled, Stopped }
    Ruleset { Classic }
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

impl Bytes for AskKind {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(match self {
            AskKind::Priority => 0,
            AskKind::Place(false) => 1,
            AskKind::Place(true) => 2,
            AskKind::Pick => 3,
            AskKind::YesNo => 4,
            AskKind::Order => 5,
        });
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        Some(match u8::get(input)? {
            0 => AskKind::Priority,
            1 => AskKind::Place(false),
            2 => AskKind::Place(true),
            3 => AskKind::Pick,
            4 => AskKind::YesNo,
            5 => AskKind::Order,
            _ => return None,
        })
    }
}

impl Bytes for Frame {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Frame::Step(step, index) => (0u8, *step, *index).put(out),
            Frame::Window(window) => (1u8, *window).put(out),
            Frame::CancelRound(window) => (2u8, *window).put(out),
            Frame::Resolve => 3u8.put(out),
            Frame::Triggers(from) => (4u8, *from).put(out),
            Frame::Code(code) => (5u8, *code).put(out),
            Frame::Options { card, you, ability, open } => ((6u8, *card, *you), *ability, *open).put(out),
        }
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        Some(match u8::get(input)? {
            0 => Frame::Step(Bytes::get(input)?, Bytes::get(input)?),
            1 => Frame::Window(Bytes::get(input)?),
            2 => Frame::CancelRound(Bytes::get(input)?),
            3 => Frame::Resolve,
            4 => Frame::Triggers(Bytes::get(input)?),
            5 => Frame::Code(Bytes::get(input)?),
            6 => {
                let (card, you) = Bytes::get(input)?;
                let (ability, open) = Bytes::get(input)?;
                Frame::Options { card, you, ability, open }
            }
            _ => return None,
        })
    }
}

impl Bytes for Rules {
    fn put(&self, out: &mut Vec<u8>) {
        (self.ruleset, self.players, self.variants).put(out);
        (self.last_turn, u8::from(self.ask_all) | u8::from(self.cover) << 1).put(out);
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        let (ruleset, players, variants): (Ruleset, u8, u8) = Bytes::get(input)?;
        let (last_turn, asking): (u16, u8) = Bytes::get(input)?;
        let (ask_all, cover) = (asking & 1 != 0, asking & 2 != 0);
        (asking < 4).then_some(Rules { ruleset, players, variants, last_turn, ask_all, cover })
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

impl<A: Bytes, B: Bytes> Bytes for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        Some((A::get(input)?, B::get(input)?))
    }
}

impl<A: Bytes, B: Bytes, C: Bytes> Bytes for (A, B, C) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
        self.2.put(out);
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        Some((A::get(input)?, B::get(input)?, C::get(input)?))
    }
}

fn put_stack<T: Bytes + Copy, const N: usize>(stack: &Stack<T, N>, out: &mut Vec<u8>) {
    out.push(stack.len() as u8);
    stack.iter().for_each(|item| item.put(out));
}

fn get_stack<T: Bytes + Copy, const N: usize>(stack: &mut Stack<T, N>, input: &mut &[u8]) -> Option<()> {
    stack.clear();
    for _ in 0..u8::get(input)? {
        stack.push(T::get(input)?).then_some(())?;
    }
    Some(())
}
