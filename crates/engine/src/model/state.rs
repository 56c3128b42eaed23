//! The whole game as one plain value: no pointer, no `Vec`, no `String`. A copy is the whole game, the
//! suspended abilities and the generator included. There is room for the largest game; `clone_from`
//! (see `copy`) copies only what is in use, so what a copy costs follows the cards in the game.
//!
//! Invariant: every card is in exactly one place (`check.rs`). Places below `Place::PILES` are lists
//! threaded through `CardState::next`; dungeons are stacks, top card first.

use cards::code::{DefId, Hooks};
use cards::db::{CardDb, Def};
use cards::vocabulary::Phase;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::fast::answers::Answers;
use crate::fast::offers::Offers;
use crate::flow::window::PENDING;
pub use crate::model::card::*;
pub use crate::model::frame::*;
use crate::model::id::*;
use crate::model::rng::Rng;
pub(crate) use crate::model::stack::Stack;
pub use crate::model::town::*;
use crate::setup::Rules;

/// Room for suspended code. Actions and triggers stop being offered long before it is full.
pub(crate) const FRAMES: usize = 28;
/// One item on every hero in play, one miniboss under every stack: no game comes near this.
pub(crate) const ATTACHMENTS: usize = 64;
/// Spells cast in one turn that are remembered.
pub(crate) const CASTS: usize = 32;

#[derive(Debug, PartialEq, Eq)]
pub struct State {
    pub(crate) core: Core,
    /// The answers to the present question. They follow from the rest, and are separate so that
    /// they can be written in place while the rest is being read.
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

/// A state without the answers. Copies and comparisons are in `copy`.
#[derive(Debug)]
pub struct Core {
    pub(crate) rng: Rng,
    /// Entries from `n_cards` on are `CardState::EMPTY`.
    pub(crate) cards: [CardState; MAX_CARDS],
    /// By card, likewise.
    pub(crate) marks: [Marks; MAX_CARDS],
    pub(crate) piles: [Pile; Place::PILES],
    pub(crate) players: [Player; SEATS],
    /// Souls and wounds by seat, as the scoring areas have them.
    pub(crate) scores: [Score; SEATS],
    /// By seat, the boss whose text the player's own has copied.
    pub(crate) copied: [Option<DefId>; SEATS],
    /// Who has a soul.
    pub(crate) scorers: SeatSet,
    /// Who may have two items face up and has to settle that (rule 8.4).
    pub(crate) claims: SeatSet,
    /// The places of active rooms by seat, one bit each, counted from the boss.
    pub(crate) active_rooms: [u8; SEATS],
    /// What each player could declare.
    pub(crate) offers: [Offers; SEATS],
    pub(crate) frames: Stack<Frame, FRAMES>,
    pub(crate) pending: Stack<Pending, PENDING>,
    pub(crate) triggers: Stack<Trigger, 24>,
    pub(crate) lasting: Stack<Lasting, 32>,
    /// Attachments, oldest first: one entry for each card in `Place::ATTACHED`.
    pub(crate) attached: Stack<Attachment, ATTACHMENTS>,
    /// This turn, oldest first.
    pub(crate) casts: Stack<Cast, CASTS>,
    pub(crate) town: TownBoard,
    pub(crate) walk: Walk,
    pub(crate) ask: Option<Ask>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) rules: Rules,
    /// Seats in player order (rule 4.1); the first `alive` are in the game, those after them are out.
    pub(crate) order: [Seat; SEATS],
    pub(crate) alive: u8,
    /// The same as a set.
    pub(crate) seated: SeatSet,
    /// The hooks of everything in play, and of the rules that hold until end of turn.
    pub(crate) hooks: Hooks,
    /// Those of the heroes in town, at entrances and in dungeons, without what they carry.
    pub(crate) hero_hooks: Hooks,
    /// The hooks of attached cards in play; those of minibosses are among their players' own, too.
    pub(crate) attached_hooks: Hooks,
    pub(crate) n_cards: u16,
    pub(crate) turn: u16,
    /// Decisions made so far.
    pub(crate) decisions: u32,
    pub(crate) phase: Phase,
    pub(crate) active: Seat,
    /// A hero left town this turn (rule 11.5).
    pub(crate) left_town: bool,
    /// Triggers run since a player last acted: the brake on loops.
    pub(crate) trigger_count: u8,
    /// What the die showed last; 0 before the first roll.
    pub(crate) last_roll: u8,
    pub(crate) trade: Trade,
}

// A copy must stay cheap: search copies a state for every playout.
const _: () = assert!(size_of::<CardState>() + size_of::<Marks>() == 12);
const _: () = assert!(size_of::<Frame>() == 26);
const _: () = assert!(size_of::<State>() <= 17 * 1024);

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
    /// How they were eliminated, if they are out.
    pub(crate) out: Option<Exit>,
    pub(crate) levelled: bool,
    /// The player has finished placing, or processing heroes, this phase.
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
    /// Coins in the hoard.
    pub(crate) coins: u16,
    /// The hooks of the player's active rooms and levelled-up boss.
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

/// What players may do once per turn with coins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trade {
    /// Players may discard a room for a coin (rule 6.6).
    pub(crate) open: bool,
    /// Who has done so this turn.
    pub(crate) sold: SeatSet,
    /// Who has promoted a miniboss this turn (rule 16.3).
    pub(crate) promoted: SeatSet,
    /// Who has taken back a portable room this turn (rule 6.7).
    pub(crate) took_back: SeatSet,
}

impl Trade {
    pub(crate) const NONE: Trade =
        Trade { open: false, sold: SeatSet::EMPTY, promoted: SeatSet::EMPTY, took_back: SeatSet::EMPTY };
}

/// When a player was eliminated, and with what score: the cards have left the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    pub(crate) turn: u16,
    pub(crate) score: Score,
    pub(crate) boss: CardId,
}

/// The points in a scoring area: an epic hero counts twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct Score {
    pub souls: u16,
    pub wounds: u16,
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
            marks: [Marks::NONE; MAX_CARDS],
            piles: [Pile::EMPTY; Place::PILES],
            players: [Player::EMPTY; SEATS],
            scores: [Score::default(); SEATS],
            copied: [None; SEATS],
            scorers: SeatSet::EMPTY,
            claims: SeatSet::EMPTY,
            active_rooms: [0; SEATS],
            offers: [Offers::NONE; SEATS],
            frames: Stack::new(Frame::Resolve),
            pending: Stack::new(Pending { code: Code::EMPTY, waiting: false, cancelled: false }),
            triggers: Stack::new(Trigger::EMPTY),
            lasting: Stack::new(Lasting::EMPTY),
            attached: Stack::new(Attachment { card: CardId::NONE, host: CardId::NONE, level: 0 }),
            casts: Stack::new(Cast { spell: Ref::NOTHING, by: Seat::NONE }),
            town: TownBoard::EMPTY,
            walk: Walk::NONE,
            ask: None,
            outcome: None,
            rules,
            order,
            alive: rules.players.min(SEATS as u8),
            seated: SeatSet((1 << rules.players.min(SEATS as u8)) - 1),
            hooks: Hooks(0),
            hero_hooks: Hooks(0),
            attached_hooks: Hooks(0),
            n_cards: 0,
            turn: 0,
            decisions: 0,
            phase: Phase::Setup,
            active: Seat::NONE,
            left_town: false,
            trigger_count: 0,
            last_roll: 0,
            trade: Trade::NONE,
        };
        State { core, answers: Answers::NONE }
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

    /// Which places of a dungeon have a top card with one of these flags: bits, counted from the
    /// boss. Looks at all places, without unpredictable branches.
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

    /// The same, recomputed.
    #[inline]
    pub(crate) fn count_active(&self, seat: Seat) -> u8 {
        self.slots_with(seat, Flags::OFF) ^ ((1 << self.player(seat).stacks) - 1)
    }

    /// The room in a slot, which must exist.
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

    /// The card whose text this one has: a boss may have copied another's, and a miniboss in play
    /// has that of its level.
    #[inline]
    pub(crate) fn text<'d>(&self, db: &'d CardDb, id: CardId) -> &'d Def {
        let CardState { place, def, .. } = *self.card(id);
        if place == Place::ATTACHED {
            return self.text_at_level(db.def(def), id);
        }
        db.def(if place.is_boss() { self.copied(place.seat()).unwrap_or(def) } else { def })
    }

    #[cold]
    fn text_at_level<'d>(&self, def: &'d Def, id: CardId) -> &'d Def {
        self.attachment(id).map_or(def, |attachment| attachment.text(def))
    }

    /// The boss whose text the player's own has copied.
    #[inline]
    pub fn copied(&self, seat: Seat) -> Option<DefId> {
        self.copied[seat.index()]
    }

    /// What lies on a card, and the damage it has taken.
    #[inline]
    pub fn marks(&self, id: CardId) -> &Marks {
        &self.marks[id.index() % MAX_CARDS]
    }

    #[inline]
    pub(crate) fn marks_mut(&mut self, id: CardId) -> &mut Marks {
        &mut self.marks[id.index() % MAX_CARDS]
    }

    /// Coins in a player's hoard.
    pub fn coins(&self, seat: Seat) -> u16 {
        self.player(seat).coins
    }

    /// The card that this one is attached to.
    pub fn host(&self, id: CardId) -> Option<CardId> {
        self.attachment(id).map(|attachment| attachment.host)
    }

    pub fn attachment(&self, id: CardId) -> Option<&Attachment> {
        self.attached.iter().find(|attachment| attachment.card == id)
    }

    /// Everything that is attached to something, oldest first.
    pub fn attachments(&self) -> &[Attachment] {
        &self.attached
    }

    /// What is attached to a card, oldest first.
    pub fn attached_to(&self, host: CardId) -> impl Iterator<Item = &Attachment> {
        self.attached.iter().filter(move |attachment| attachment.host == host)
    }

    /// What the die showed last.
    pub fn last_roll(&self) -> Option<u8> {
        Some(self.last_roll).filter(|roll| *roll > 0)
    }

    /// Who cast the spell this turn, if it has not moved on since.
    pub(crate) fn caster(&self, spell: CardId) -> Option<Seat> {
        let spell = self.ref_of(spell);
        self.casts.iter().rev().find(|cast| cast.spell == spell).map(|cast| cast.by)
    }

    /// If more are cast in a turn than are remembered, the oldest is forgotten.
    pub(crate) fn note_caster(&mut self, spell: CardId, by: Seat) {
        let cast = Cast { spell: self.ref_of(spell), by };
        if !self.casts.push(cast) {
            self.casts.remove(0);
            self.casts.put(cast);
        }
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

    /// Can another card be attached to it? A hero in play, or the top room of a stack.
    pub(crate) fn can_host(&self, id: CardId) -> bool {
        let CardState { place, flags, .. } = *self.card(id);
        place.is_roaming() || place.is_dungeon() && !flags.has(Flags::COVERED)
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
