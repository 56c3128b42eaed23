//! A game as one viewer may see it, read in place: what a `View` shows, without the copy. For programs that look at
//! millions of positions.
//!
//! Invariant: a sight of a game and of every sample of its view tell the same. A card that the viewer has not seen is
//! a card back; sums are those of the game, because no rule counts what lies hidden.

use cards::code::DefId;
use cards::db::{CardDb, Def};
use cards::vocabulary::{ByClass, Landmark, Phase};

use crate::model::id::*;
use crate::model::state::*;
use crate::{Decision, Game};

#[derive(Clone, Copy)]
pub struct Sight<'a> {
    game: &'a Game<'a>,
    viewer: Option<Seat>,
}

impl Game<'_> {
    /// The game as a player sees it; `None` is a spectator, who sees what is public.
    pub fn sight(&self, viewer: Option<Seat>) -> Sight<'_> {
        Sight { game: self, viewer }
    }
}

impl<'a> Sight<'a> {
    /// The viewer; `None` is a spectator.
    pub fn viewer(self) -> Option<Seat> {
        self.viewer
    }

    pub fn decision(self) -> Option<Decision> {
        self.game.decision()
    }

    pub fn db(self) -> &'a CardDb {
        self.game.db
    }

    /// All cards of the game.
    pub fn cards(self) -> impl Iterator<Item = CardId> {
        self.state().card_ids()
    }

    // ---- one card ----

    /// Which card it is, or the card back that the viewer sees.
    #[inline]
    pub fn def_id(self, card: CardId) -> DefId {
        let CardState { def, seen, .. } = *self.state().card(card);
        if seen.shows(self.viewer) { def } else { self.game.db.def(def).kind.blank() }
    }

    #[inline]
    pub fn def(self, card: CardId) -> &'a Def {
        self.game.db.def(self.def_id(card))
    }

    #[inline]
    pub fn place(self, card: CardId) -> Place {
        self.state().card(card).place
    }

    /// The seats that have seen the card.
    pub fn seen_by(self, card: CardId) -> SeatSet {
        self.state().card(card).seen
    }

    pub fn marks(self, card: CardId) -> &'a Marks {
        self.state().marks(card)
    }

    /// An item that was claimed this turn, a miniboss that was revealed this turn.
    pub fn is_new(self, card: CardId) -> bool {
        self.game.is_new(card)
    }

    /// A room placed and not yet revealed; in a scoring area a dead hero.
    #[inline]
    pub fn is_facedown(self, card: CardId) -> bool {
        self.game.is_facedown(card)
    }

    pub fn is_deactivated(self, card: CardId) -> bool {
        self.game.is_deactivated(card)
    }

    /// The card of a reference, if it has not left since.
    pub fn present(self, r: Ref) -> Option<CardId> {
        self.state().present(r)
    }

    /// The card that this one is attached to.
    pub fn host(self, card: CardId) -> Option<CardId> {
        self.state().host(card)
    }

    /// What the room would deal now.
    pub fn room_damage(self, room: CardId) -> i32 {
        self.game.room_damage(room)
    }

    pub fn hero_health(self, hero: CardId) -> i32 {
        self.game.hero_health(hero)
    }

    pub fn hero_damage(self, hero: CardId) -> i32 {
        self.game.hero_damage(hero)
    }

    // ---- where cards lie ----

    /// Cards of a pile, first to last.
    pub fn pile(self, place: Place) -> PileCards<'a> {
        self.state().pile(place)
    }

    pub fn pile_len(self, place: Place) -> usize {
        self.state().pile_len(place)
    }

    /// Top cards of a dungeon, last room (next to the boss) first.
    pub fn slots(self, seat: Seat) -> &'a [CardId] {
        self.state().slots(seat)
    }

    /// A card and the cards beneath it.
    pub fn stack(self, top: CardId) -> PileCards<'a> {
        self.state().stack(top)
    }

    /// Everything that is attached to something, oldest first.
    pub fn attachments(self) -> &'a [Attachment] {
        self.state().attachments()
    }

    /// Heroes at a landmark, oldest first.
    pub fn heroes_at(self, landmark: Landmark) -> impl Iterator<Item = CardId> + 'a {
        self.state().heroes_at(landmark)
    }

    // ---- the table ----

    pub fn turn(self) -> u16 {
        self.state().turn()
    }

    pub fn phase(self) -> Phase {
        self.state().phase()
    }

    pub fn active(self) -> Seat {
        self.state().active()
    }

    pub fn walk(self) -> &'a Walk {
        self.state().walk()
    }

    /// What has been declared and has not taken effect, oldest first.
    pub fn pending(self) -> &'a [Pending] {
        self.state().pending()
    }

    /// Every hero in town, and where it would be lured if the Bait phase were now.
    pub fn lures(self) -> impl Iterator<Item = (CardId, Option<Seat>)> + 'a {
        self.game.board().lures()
    }

    // ---- a player ----

    /// Seats in player order; eliminated ones come last.
    pub fn order(self) -> &'a [Seat] {
        self.state().order()
    }

    pub fn in_game(self, seat: Seat) -> bool {
        self.state().in_game(seat)
    }

    /// For an eliminated player, those they had then.
    pub fn souls(self, seat: Seat) -> i32 {
        self.game.souls(seat)
    }

    pub fn wounds(self, seat: Seat) -> i32 {
        self.game.wounds(seat)
    }

    /// The dungeon's treasure of each type, boss included.
    pub fn treasure(self, seat: Seat) -> ByClass<i32> {
        self.game.board().treasure(seat)
    }

    /// The boss the player has, or had before being eliminated; none before it is chosen.
    pub fn boss(self, seat: Seat) -> Option<CardId> {
        self.game.boss(seat)
    }

    pub fn levelled(self, seat: Seat) -> bool {
        self.game.levelled(seat)
    }

    /// Coins in the player's hoard.
    pub fn coins(self, seat: Seat) -> u16 {
        self.game.coins(seat)
    }

    /// Rooms the seat has placed this turn.
    pub fn placed(self, seat: Seat) -> u8 {
        self.game.placed(seat)
    }

    /// Where the seat's minion stands; nothing while it is at home.
    pub fn minion(self, seat: Seat) -> Ref {
        self.state().minion(seat)
    }

    fn state(self) -> &'a State {
        &self.game.state
    }
}
