//! The whole game as one plain value: no pointer, no `Vec`, no `String`. Copying it copies the game,
//! the suspended abilities and the generator included.
//!
//! Invariant: every card is in exactly one place (`State::check`). Places below `Place::PILES` are
//! lists threaded through `CardState::next`; dungeons are stacks, top card first.

use cards::code::{DefId, Hooks, RuleId};
use cards::db::CardDb;

use crate::answers::Answers;
pub use crate::frame::*;
use crate::id::*;
use crate::offers::Offers;
use crate::query::Board;
use crate::rng::Rng;
use crate::setup::Rules;
pub(crate) use crate::stack::Stack;
use crate::window::PENDING;

/// Room for suspended code. Actions and triggers stop being offered long before it is full.
pub(crate) const FRAMES: usize = 28;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    pub(crate) core: Core,
    /// The answers to the present question. They follow from the rest and stand apart, so that they can be put
    /// together where they will stay while the rest is being read.
    pub(crate) answers: Answers,
}

impl std::ops::Deref for State {
    type Target = Core;

    #[inline]
    fn deref(&self) -> &Core {
        &self.core
    }
}

impl std::ops::DerefMut for State {
    #[inline]
    fn deref_mut(&mut self) -> &mut Core {
        &mut self.core
    }
}

/// All of a state but the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Core {
    pub(crate) rng: Rng,
    pub(crate) cards: [CardState; MAX_CARDS],
    /// Damage heroes have taken this turn, by card; for a spell that was cast, see `caster`.
    pub(crate) damage: [u8; MAX_CARDS],
    pub(crate) piles: [Pile; Place::PILES],
    pub(crate) players: [Player; SEATS],
    /// Souls and wounds by seat, as the scoring areas have them.
    pub(crate) scores: [Score; SEATS],
    /// Who has a soul.
    pub(crate) scorers: SeatSet,
    /// The places of active rooms by seat, one bit each, counted from the boss.
    pub(crate) active_rooms: [u8; SEATS],
    /// What everybody has to declare.
    pub(crate) offers: [Offers; SEATS],
    pub(crate) frames: Stack<Frame, FRAMES>,
    pub(crate) pending: Stack<Pending, PENDING>,
    pub(crate) triggers: Stack<Trigger, 24>,
    pub(crate) lasting: Stack<Lasting, 32>,
    pub(crate) walk: Walk,
    pub(crate) ask: Option<Ask>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) rules: Rules,
    /// Seats in player order (rule 4.1); the first `alive` are in the game, those after them are out.
    pub(crate) order: [Seat; SEATS],
    pub(crate) alive: u8,
    /// The same as a set.
    pub(crate) seated: SeatSet,
    /// The hooks of all players together, and of the rules that hold until end of turn.
    pub(crate) hooks: Hooks,
    /// Those of the heroes in town, at entrances and in dungeons.
    pub(crate) hero_hooks: Hooks,
    pub(crate) n_cards: u16,
    pub(crate) turn: u16,
    /// Decisions taken so far.
    pub(crate) decisions: u32,
    pub(crate) phase: Phase,
    pub(crate) active: Seat,
    /// A hero left town this turn (rule 11.5).
    pub(crate) left_town: bool,
    /// Triggers run in this turn since somebody last acted: the brake on loops.
    pub(crate) trigger_count: u8,
}

// A copy must stay cheap: search copies a state for every playout.
const _: () = assert!(size_of::<CardState>() == 8);
const _: () = assert!(size_of::<Frame>() == 26);
const _: () = assert!(size_of::<State>() <= 7800);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardState {
    pub def: DefId,
    /// The next card of the pile, or the card beneath in a stack.
    pub(crate) next: CardId,
    pub(crate) flags: Flags,
    pub place: Place,
    /// Who has seen what it is.
    pub(crate) seen: SeatSet,
}

impl CardState {
    pub(crate) const EMPTY: CardState = CardState {
        def: DefId(0),
        next: CardId::NONE,
        flags: Flags(0),
        place: Place::REMOVED,
        seen: SeatSet::EMPTY,
    };
}

/// One bit each; the top four bits count visits (see `Ref`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Flags(pub u16);

impl Flags {
    /// A room placed and not yet revealed; in a scoring area a dead hero.
    pub const FACEDOWN: Flags = Flags(1);
    pub const DEACTIVATED: Flags = Flags(1 << 1);
    /// Under another card of its stack.
    pub const COVERED: Flags = Flags(1 << 2);
    /// Built, and its "when built" abilities have not had their time yet.
    pub const DUE: Flags = Flags(1 << 3);
    /// A hero that has had its walk, or its try, this turn.
    pub const WALKED: Flags = Flags(1 << 4);
    /// Part of a secret answer that takes effect later.
    pub const CHOSEN: Flags = Flags(1 << 5);
    /// Once-per-turn abilities used: three bits from here.
    pub const USED: Flags = Flags(1 << 6);
    /// A hero entered the room this turn.
    pub const ENTERED: Flags = Flags(1 << 9);
    /// A spell that was cast; `State::caster` says when and by whom.
    pub const CAST: Flags = Flags(1 << 10);
    /// A card of a dungeon with one of these is no active room.
    pub(crate) const OFF: Flags = Flags(Flags::FACEDOWN.0 | Flags::DEACTIVATED.0 | Flags::COVERED.0);
    const VISIT: u16 = 12;

    pub fn has(self, flag: Flags) -> bool {
        self.0 & flag.0 != 0
    }
    pub(crate) fn set(&mut self, flag: Flags) {
        self.0 |= flag.0;
    }
    pub(crate) fn clear(&mut self, flag: Flags) {
        self.0 &= !flag.0;
    }
    pub(crate) fn used(mark: u8) -> Flags {
        Flags(Flags::USED.0 << mark)
    }
    pub(crate) fn visit(self) -> u8 {
        (self.0 >> Flags::VISIT) as u8
    }
    /// What is left when the card begins a new visit somewhere.
    pub(crate) fn new_visit(self) -> Flags {
        Flags((self.0 & (0xf << Flags::VISIT)).wrapping_add(1 << Flags::VISIT))
    }
    /// Another one than before, though nothing else has changed.
    pub(crate) fn renewed(self) -> Flags {
        Flags(self.0.wrapping_add(1 << Flags::VISIT))
    }
    /// What is left when a turn begins. Belated abilities at the end of a turn still count for that turn.
    pub(crate) fn begin_turn(self) -> Flags {
        Flags(self.0 & !((Flags::USED.0 * 7) | Flags::ENTERED.0))
    }
}

/// A list of cards, first to last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pile {
    pub head: CardId,
    pub tail: CardId,
    pub len: u16,
}

impl Pile {
    pub(crate) const EMPTY: Pile = Pile { head: CardId::NONE, tail: CardId::NONE, len: 0 };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player {
    /// Top cards of the stacks, counted from the boss: 0 is the last room.
    pub(crate) slots: [CardId; SLOTS],
    pub(crate) stacks: u8,
    pub(crate) boss: CardId,
    /// How they went, if they are out.
    pub(crate) out: Option<Exit>,
    pub(crate) levelled: bool,
    /// The player's time to place, or to process heroes, is over this phase.
    pub(crate) done: bool,
    /// Rooms placed this turn.
    pub(crate) placed: u8,
    /// Souls gained this turn.
    pub(crate) gained: u8,
    /// Heroes lured in the Bait phase of this turn.
    pub(crate) lured: u8,
    /// Heroes that went into the dungeon this turn.
    pub(crate) entered: u8,
    /// Rooms of the dungeon destroyed this turn.
    pub(crate) destroyed: u8,
    /// Reserved for the coins of later sets.
    pub(crate) coins: u8,
    /// What the player's active rooms and levelled boss have to do with, all together.
    pub(crate) hooks: Hooks,
}

impl Player {
    pub(crate) const EMPTY: Player = Player {
        slots: [CardId::NONE; SLOTS],
        stacks: 0,
        boss: CardId::NONE,
        out: None,
        levelled: false,
        done: false,
        placed: 0,
        gained: 0,
        lured: 0,
        entered: 0,
        destroyed: 0,
        coins: 0,
        hooks: Hooks(0),
    };
}

/// When a player went out, and with what: the cards that would tell have left the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    pub(crate) turn: u16,
    pub(crate) score: Score,
}

/// What lies in a scoring area: an epic hero counts twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Score {
    pub(crate) souls: u16,
    pub(crate) wounds: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    Setup,
    Begin,
    Build,
    Bait,
    Adventure,
    End,
}

impl State {
    /// A game without cards.
    pub(crate) fn empty(rules: Rules) -> State {
        let mut order = [Seat::NONE; SEATS];
        for seat in 0..rules.players.min(SEATS as u8) {
            order[usize::from(seat)] = Seat(seat);
        }
        let core = Core {
            rng: Rng::default(),
            cards: [CardState::EMPTY; MAX_CARDS],
            damage: [0; MAX_CARDS],
            piles: [Pile::EMPTY; Place::PILES],
            players: [Player::EMPTY; SEATS],
            scores: [Score::default(); SEATS],
            scorers: SeatSet::EMPTY,
            active_rooms: [0; SEATS],
            offers: [Offers::NONE; SEATS],
            frames: Stack::new(Frame::Resolve),
            pending: Stack::new(Pending { code: Code::EMPTY, waiting: false, cancelled: false }),
            triggers: Stack::new(Trigger::EMPTY),
            lasting: Stack::new(Lasting {
                rule: RuleId(0),
                source: Ref::NOTHING,
                kept: [Ref::NOTHING; 2],
                amount: 0,
                you: Seat::NONE,
                kind: LastingKind::Rule,
            }),
            walk: Walk::NONE,
            ask: None,
            outcome: None,
            rules,
            order,
            alive: rules.players.min(SEATS as u8),
            seated: SeatSet((1 << rules.players.min(SEATS as u8)) - 1),
            hooks: Hooks(0),
            hero_hooks: Hooks(0),
            n_cards: 0,
            turn: 0,
            decisions: 0,
            phase: Phase::Setup,
            active: Seat::NONE,
            left_town: false,
            trigger_count: 0,
        };
        State { core, answers: Answers::NONE }
    }

    /// Recounts everything: each card in one place, lists whole, stacks consistent, and what is kept not stale.
    pub fn check(&self, db: &CardDb) -> Result<(), String> {
        self.check_places(db)?;
        self.check_kept(db)?;
        if self.answers.kept().is_some() && self.answers != (Board { db, s: self }).answers() {
            return Err("the answers kept are stale".into());
        }
        Ok(())
    }
}

impl Core {
    // Ids are below `MAX_CARDS`, piles below `PILES`; the masks tell the compiler so.
    #[inline]
    pub fn card(&self, id: CardId) -> &CardState {
        &self.cards[id.index() % MAX_CARDS]
    }

    #[inline]
    pub(crate) fn card_mut(&mut self, id: CardId) -> &mut CardState {
        &mut self.cards[id.index() % MAX_CARDS]
    }

    pub fn pile(&self, place: Place) -> PileCards<'_> {
        PileCards { state: self, next: self.piles[usize::from(place.0) % Place::PILES].head }
    }

    /// A player's hand: rooms, then spells.
    pub fn hand(&self, seat: Seat) -> impl Iterator<Item = CardId> + '_ {
        self.pile(Place::rooms(seat)).chain(self.pile(Place::spells(seat)))
    }

    pub fn pile_len(&self, place: Place) -> usize {
        usize::from(self.piles[usize::from(place.0) % Place::PILES].len)
    }

    /// A card and the cards beneath it.
    pub fn stack(&self, top: CardId) -> PileCards<'_> {
        PileCards { state: self, next: top }
    }

    /// Top cards of a dungeon, last room (next to the boss) first.
    #[inline]
    pub fn slots(&self, seat: Seat) -> &[CardId] {
        let player = &self.players[seat.index()];
        &player.slots[..usize::from(player.stacks)]
    }

    /// Which places of a dungeon have a top card with one of these flags: bits, counted from the boss. All places
    /// are looked at, without a branch for each that nobody could foresee.
    #[inline]
    pub(crate) fn slots_with(&self, seat: Seat, flags: Flags) -> u8 {
        let player = self.player(seat);
        let marked = |slot: usize| u8::from(self.card(player.slots[slot]).flags.has(flags)) << slot;
        let all = (0..SLOTS).fold(0, |places, slot| places | marked(slot));
        all & ((1 << player.stacks) - 1)
    }

    /// The places of a dungeon whose top card is an active room.
    #[inline]
    pub(crate) fn active_slots(&self, seat: Seat) -> u8 {
        self.active_rooms[seat.index()]
    }

    /// The same, looked at anew.
    #[inline]
    pub(crate) fn count_active(&self, seat: Seat) -> u8 {
        self.slots_with(seat, Flags::OFF) ^ ((1 << self.player(seat).stacks) - 1)
    }

    /// The room at a place that there is.
    #[inline]
    pub(crate) fn at(&self, seat: Seat, slot: usize) -> CardId {
        self.player(seat).slots.get(slot).copied().unwrap_or(CardId::NONE)
    }

    #[inline]
    pub fn player(&self, seat: Seat) -> &Player {
        &self.players[seat.index()]
    }

    pub(crate) fn player_mut(&mut self, seat: Seat) -> &mut Player {
        &mut self.players[seat.index()]
    }

    #[inline]
    pub(crate) fn damage(&self, hero: CardId) -> u8 {
        self.damage[hero.index() % MAX_CARDS]
    }

    #[inline]
    pub(crate) fn damage_mut(&mut self, hero: CardId) -> &mut u8 {
        &mut self.damage[hero.index() % MAX_CARDS]
    }

    /// Who cast the spell this turn.
    pub(crate) fn caster(&self, spell: CardId) -> Option<Seat> {
        let mark = self.damage(spell);
        (self.card(spell).flags.has(Flags::CAST) && mark >> 3 == self.turn as u8 & 31)
            .then_some(Seat(mark & 7))
    }

    pub(crate) fn note_caster(&mut self, spell: CardId, seat: Seat) {
        self.card_mut(spell).flags.set(Flags::CAST);
        *self.damage_mut(spell) = (self.turn as u8 & 31) << 3 | seat.0;
    }

    /// The card as it is now; a later visit of the same card is not equal to it.
    pub fn ref_of(&self, id: CardId) -> Ref {
        Ref::card(id, self.card(id).flags.visit())
    }

    /// The card of a reference, if it has not left since.
    pub fn present(&self, r: Ref) -> Option<CardId> {
        r.as_card().filter(|id| self.card(*id).flags.visit() == r.visit())
    }

    /// Seats still in the game, in player order.
    #[inline]
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + '_ {
        self.order[..usize::from(self.alive).min(SEATS)].iter().copied()
    }

    pub fn in_game(&self, seat: Seat) -> bool {
        seat.exists() && self.seated.has(seat)
    }

    pub fn turn(&self) -> u16 {
        self.turn
    }
    pub fn phase(&self) -> Phase {
        self.phase
    }
    pub fn active(&self) -> Seat {
        self.active
    }
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
    pub fn decisions(&self) -> u32 {
        self.decisions
    }
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
    /// Seats in player order; eliminated ones come last.
    pub fn order(&self) -> &[Seat] {
        &self.order[..usize::from(self.rules.players)]
    }
    pub fn card_count(&self) -> usize {
        usize::from(self.n_cards)
    }
    pub fn card_ids(&self) -> impl Iterator<Item = CardId> + use<> {
        (0..self.n_cards).map(CardId)
    }
    pub fn pending(&self) -> &[Pending] {
        &self.pending
    }
    pub fn walk(&self) -> &Walk {
        &self.walk
    }
    pub fn top_frame(&self) -> Option<&Frame> {
        self.frames.last()
    }

    pub(crate) fn check_places(&self, db: &CardDb) -> Result<(), String> {
        if let Some(id) = self.card_ids().find(|id| self.card(*id).def.index() >= db.defs.len()) {
            return Err(format!("card {} is no known card", id.0));
        }
        if self.players.iter().any(|player| usize::from(player.stacks) > SLOTS) {
            return Err(format!("a dungeon has more than {SLOTS} stacks"));
        }
        let mut places = [0u8; MAX_CARDS];
        let mut visit = |id: CardId, place: Place| {
            if id.index() >= self.card_count() {
                return Err(format!("{place:?} holds the unknown card {}", id.0));
            }
            if self.card(id).place != place {
                return Err(format!("card {} is in {place:?} but says {:?}", id.0, self.card(id).place));
            }
            places[id.index()] += 1;
            if places[id.index()] > 1 {
                return Err(format!("card {} is in two places", id.0));
            }
            Ok(())
        };
        for index in 0..Place::PILES {
            let place = Place(index as u8);
            let pile = &self.piles[index];
            let (mut count, mut last) = (0, CardId::NONE);
            let mut next = pile.head;
            while next.exists() {
                visit(next, place)?;
                (count, last) = (count + 1, next);
                next = self.card(next).next;
            }
            if count != pile.len || last != pile.tail {
                return Err(format!("{place:?} has {count} cards but says {}", pile.len));
            }
        }
        for seat in 0..SEATS as u8 {
            for top in self.slots(Seat(seat)) {
                let mut next = *top;
                while next.exists() {
                    visit(next, Place::dungeon(Seat(seat)))?;
                    if self.card(next).flags.has(Flags::COVERED) != (next != *top) {
                        return Err(format!("card {} has the wrong covered mark", next.0));
                    }
                    next = self.card(next).next;
                }
            }
        }
        if let Some(id) = self.card_ids().find(|id| places[id.index()] != 1) {
            return Err(format!("card {} is nowhere", id.0));
        }
        Ok(())
    }

    fn check_kept(&self, db: &CardDb) -> Result<(), String> {
        let board = Board { db, s: self };
        for seat in (0..SEATS as u8).map(Seat) {
            if self.player(seat).hooks != board.hooks_of(seat) || !self.hooks.contains(board.hooks_of(seat)) {
                return Err(format!("{seat}'s hooks are stale"));
            }
        }
        let listed = |seat: Seat| {
            self.active_slots(seat) == self.count_active(seat)
                && self.offers[seat.index()].agree(&board.offers_of(seat))
        };
        if let Some(seat) = (0..SEATS as u8).map(Seat).find(|seat| !listed(*seat)) {
            return Err(format!("what {seat} could declare is stale"));
        }
        let counted = |seat: Seat| {
            let Score { souls, .. } = board.count_score(seat);
            self.scores[seat.index()] == board.count_score(seat) && self.scorers.has(seat) == (souls > 0)
        };
        if let Some(seat) = (0..SEATS as u8).map(Seat).find(|seat| !counted(*seat)) {
            return Err(format!("{seat}'s score is stale"));
        }
        if self.hero_hooks != board.hooks_of_heroes() || !self.hooks.contains(self.hero_hooks) {
            return Err("the heroes' hooks are stale".into());
        }
        Ok(())
    }
}

/// Cards of a pile, first to last.
pub struct PileCards<'a> {
    state: &'a Core,
    next: CardId,
}

impl Iterator for PileCards<'_> {
    type Item = CardId;

    #[inline]
    fn next(&mut self) -> Option<CardId> {
        let id = self.next;
        id.exists().then(|| {
            self.next = self.state.card(id).next;
            id
        })
    }
}
