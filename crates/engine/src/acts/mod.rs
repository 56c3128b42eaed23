//! The primitive acts: the only code that moves a card or draws from the state's generator. Each
//! act logs what happened and triggers the abilities that wait for it.

mod chance;
mod changes;
mod heroes;
mod items;
mod moving;
mod pieces;
mod rooms;
mod secret;
mod town;

use cards::code::Hooks;
use cards::db::CardDb;
use cards::vocabulary::{Back, EventWord, Kind, Stat};

use crate::api::event::{Event, Log, Shown, What, Where};
use crate::code::occurrence::{Cause, Occurrence};
use crate::code::query::Board;
use crate::fast::answers::Answers;
use crate::model::id::*;
use crate::model::state::*;
use crate::setup::script::Script;

/// Runs the game: the state being changed, the cards, and where events go.
pub(crate) struct Runner<'a, L: Log> {
    pub db: &'a CardDb,
    pub s: &'a mut Core,
    pub log: &'a mut L,
    /// The card whose code is running, if any: what happens now happens because of it.
    pub cause: Cause,
    /// Answers are collected here before it is known whether a question is needed.
    pub answers: &'a mut Answers,
    /// Scripted chance, for positions set up by hand.
    script: Option<&'a mut Script>,
}

impl<'a, L: Log> Runner<'a, L> {
    pub fn new(db: &'a CardDb, state: &'a mut State, log: &'a mut L) -> Self {
        let State { core, answers } = state;
        Runner { db, s: core, log, cause: Cause::NONE, answers, script: None }
    }

    pub fn with_script(self, script: &'a mut Script) -> Self {
        Runner { script: Some(script), ..self }
    }
}

impl<L: Log> Runner<'_, L> {
    pub fn board(&self) -> Board<'_> {
        Board { db: self.db, s: self.s }
    }

    pub fn shown(&self, id: CardId) -> Shown {
        let card = self.s.card(id);
        Shown { card: id, def: card.def, seen: card.seen }
    }

    /// Where a card is now, for an event. Free, and meaningless, without a log.
    #[inline]
    pub fn at(&self, id: CardId) -> Where {
        if L::ON { self.located(id) } else { Where::pile(Place::BOX) }
    }

    fn located(&self, id: CardId) -> Where {
        let CardState { place, flags, .. } = *self.s.card(id);
        let slot = if place.is_dungeon() {
            self.s.slots(place.seat()).iter().position(|top| self.s.stack(*top).any(|card| card == id))
        } else if let Some(landmark) = self.s.landmark_of(id) {
            Some(landmark as usize)
        } else {
            let walk = &self.s.walk;
            let walks = place.is_inside() && walk.hero == self.s.ref_of(id) && !walk.room.is_nothing();
            walks.then_some(usize::from(walk.slot))
        };
        Where { place, slot: slot.map(|slot| slot as u8), facedown: flags.has(Flags::FACEDOWN), score: None }
    }

    pub fn present_shown(&self, r: Ref) -> Option<Shown> {
        self.s.present(r).map(|card| self.shown(card))
    }

    /// The room the hero is in.
    pub fn room_around(&self, hero: CardId) -> Option<Shown> {
        let walk = &self.s.walk;
        self.present_shown(walk.room).filter(|_| walk.hero == self.s.ref_of(hero))
    }

    /// Logs an event. While a card's code runs, that card is the cause.
    #[inline]
    pub fn tell<E: Into<Event>>(&mut self, event: impl FnOnce(&Self) -> E) {
        if L::ON {
            let event = event(self).into();
            self.log_event(event);
        }
    }

    fn log_event(&mut self, mut event: Event) {
        if event.cause.is_none() {
            event.cause = self.cause.card.as_card().map(|card| self.shown(card));
        }
        if !event.actor.exists() {
            event.actor = self.cause.you;
        }
        for at in [&mut event.from, &mut event.to].into_iter().flatten() {
            at.score = at.place.is_scoring().then(|| self.board().score(at.place.seat()));
        }
        self.log.event(event);
    }

    // ---- moving ----

    /// Recomputes what is cached for a dungeon; call it whenever its active rooms change.
    pub fn refresh_dungeon(&mut self, seat: Seat) {
        self.s.active_rooms[seat.index()] = self.s.count_active(seat);
        self.s.player_mut(seat).hooks = self.board().hooks_of(seat);
        let mut offers = self.s.offers[seat.index()];
        self.board().offer_rooms(seat, &mut offers);
        self.s.offers[seat.index()] = offers;
        self.join_hooks();
    }

    /// Combines the hooks of players, heroes, attached cards and lasting rules.
    fn join_hooks(&mut self) {
        let players = self.s.players.iter().map(|player| player.hooks);
        let lasting = self.s.lasting.iter().map(|lasting| self.board().lasting_hook(lasting));
        let join = |all: Hooks, hooks: Hooks| Hooks(all.0 | hooks.0);
        let others = players.chain(lasting).fold(self.s.hero_hooks, join);
        self.s.attached_hooks = match self.s.attached.is_empty() {
            true => Hooks::default(),
            false => self.board().attached_hooks(|_| true),
        };
        self.s.hooks = join(others, self.s.attached_hooks);
    }

    /// Recomputes the heroes' hooks after a hero with an ability arrived or left.
    pub(crate) fn refresh_heroes(&mut self) {
        self.s.hero_hooks = self.board().hooks_of_heroes();
        self.join_hooks();
    }

    /// Recounts a scoring area.
    pub fn rescore(&mut self, seat: Seat) {
        self.set_score(seat, self.board().count_score(seat));
    }

    fn set_score(&mut self, seat: Seat, score: Score) {
        self.s.scores[seat.index()] = score;
        let bit = SeatSet::only(seat).0;
        self.s.scorers.0 = self.s.scorers.0 & !bit | if score.souls > 0 { bit } else { 0 };
    }

    /// Updates the score. Call it after a card arrives or is turned over (`there`), and before it
    /// is turned over or leaves (not `there`).
    #[inline(never)]
    pub fn count_point(&mut self, id: CardId, there: bool) {
        let CardState { place, flags, .. } = *self.s.card(id);
        let points = u16::from(self.board().def(id).souls());
        let points = if there { points } else { points.wrapping_neg() };
        let (seat, dead) = (place.seat(), flags.has(Flags::FACEDOWN));
        let Score { souls, wounds } = self.s.scores[seat.index()];
        let (souls, wounds) = (
            souls.wrapping_add(if dead { points } else { 0 }),
            wounds.wrapping_add(if dead { 0 } else { points }),
        );
        self.set_score(seat, Score { souls, wounds });
    }

    /// Starts a rule that holds until end of turn. If the list is full, far beyond any real game,
    /// the newest is dropped.
    pub fn begin_lasting(&mut self, lasting: Lasting) {
        if self.s.lasting.push(lasting) {
            self.s.hooks.add(self.board().lasting_hook(&lasting));
        }
    }

    /// Ends what holds until end of turn, except what the end-of-turn check still needs (11.2) and
    /// what was postponed to this point (7.2).
    pub fn end_lasting(&mut self) {
        if self.s.lasting.is_empty() {
            return;
        }
        let for_the_check = Hooks(
            Hooks::forbids(EventWord::Wins).0
                | Hooks::forbids(EventWord::Loses).0
                | Hooks::changes(Stat::Souls).0
                | Hooks::changes(Stat::Wounds).0,
        );
        for index in (0..self.s.lasting.len()).rev() {
            let lasting = self.s.lasting[index];
            if !lasting.outlives_turn() && !self.board().lasting_hook(&lasting).has(for_the_check) {
                self.s.lasting.remove(index);
            }
        }
        self.join_hooks();
    }

    /// A new turn keeps only what waits for a room to be active again, and what holds for the game.
    pub fn clear_lasting(&mut self) {
        if !self.s.lasting.is_empty() {
            let before = self.scores_before();
            for index in (0..self.s.lasting.len()).rev() {
                let lasting = &self.s.lasting[index];
                if !lasting.outlives_turn() || !self.s.in_game(lasting.you) {
                    self.s.lasting.remove(index);
                }
            }
            self.join_hooks();
            self.tell_changes(before);
        }
    }

    /// Ends something that lasts.
    pub fn end_one(&mut self, index: usize) {
        self.s.lasting.remove(index);
        self.join_hooks();
    }

    /// Removes the lasting rule if it holds only once.
    pub fn use_up_lasting(&mut self, index: usize) {
        if matches!(
            self.s.lasting.get(index).map(|lasting| lasting.kind),
            Some(LastingKind::Rule { once: true, .. })
        ) {
            self.s.lasting.remove(index);
            self.join_hooks();
        }
    }

    // ---- decks and hands ----

    // Inlined: most callers always draw from the same deck.
    #[inline(always)]
    pub fn draw(&mut self, seat: Seat, back: Back) {
        let (deck, hand) = match back {
            Back::Room => (Place::ROOM_DECK, Place::rooms(seat)),
            Back::Spell => (Place::SPELL_DECK, Place::spells(seat)),
        };
        if self.s.pile_len(deck) == 0 {
            self.refill();
        }
        let top = self.s.piles[usize::from(deck.0)].head;
        if top.exists() {
            self.carry(top, hand);
            self.s.card_mut(top).seen = SeatSet::only(seat);
            self.tell(|t| What::Draws.by(seat).on(t.shown(top)).moved(Where::pile(deck), t.at(top)));
            if self.s.pile_len(deck) == 0 {
                self.refill();
            }
        }
    }

    /// Rule 1.10: both kinds go back into their decks at once.
    pub fn refill(&mut self) {
        if self.s.pile_len(Place::DISCARD) == 0 {
            return;
        }
        let (mut rooms, mut spells) = (0, 0);
        while let Some(id) = self.s.pile(Place::DISCARD).next() {
            let (deck, count) = match self.board().def(id).kind {
                Kind::Spell => (Place::SPELL_DECK, &mut spells),
                _ => (Place::ROOM_DECK, &mut rooms),
            };
            *count += 1;
            self.carry(id, deck);
        }
        self.tell(|_| What::Reshuffled { rooms, spells });
        self.shuffle_all(&[Place::ROOM_DECK, Place::SPELL_DECK]);
    }

    /// Puts a whole hand back into the decks and shuffles them (rule 3.5).
    pub fn return_hand(&mut self, seat: Seat) {
        for (hand, deck) in [(Place::rooms(seat), Place::ROOM_DECK), (Place::spells(seat), Place::SPELL_DECK)]
        {
            while let Some(id) = self.s.pile(hand).next() {
                self.relocate(id, deck);
            }
        }
        self.shuffle_all(&[Place::ROOM_DECK, Place::SPELL_DECK]);
    }

    /// From a hand or a deck to the discard pile.
    pub fn discard(&mut self, id: CardId) {
        let seat = self.s.card(id).place.seat();
        let mut what = Occurrence::new(EventWord::Discarded, self.s.ref_of(id), seat);
        what.then = self.moved_ref(id);
        what.cause = self.cause;
        if self.is_replaced(&what) {
            return;
        }
        self.queue_triggers(&what);
        let from = self.at(id);
        self.put_away(id);
        self.tell(|t| What::Discards.by(seat).on(t.shown(id)).moved(from, t.at(id)));
    }

    /// To the discard pile without counting as discarded: a resolved or cancelled spell.
    pub fn put_away(&mut self, id: CardId) {
        self.relocate(id, Place::DISCARD);
        self.show_all(id);
    }

    /// `put_away` for a resolved spell.
    pub fn put_away_resolved(&mut self, id: CardId) {
        let from = self.at(id);
        self.put_away(id);
        self.tell(|t| What::Resolved.on(t.shown(id)).moved(from, t.at(id)));
    }

    /// Into a player's hand, from wherever it is.
    pub fn take(&mut self, id: CardId, seat: Seat) {
        let (from, was) = (self.s.card(id).place, self.at(id));
        let spell = self.board().def(id).kind == Kind::Spell;
        let mut what = Occurrence::new(EventWord::Taken, self.s.ref_of(id), seat);
        what.then = self.moved_ref(id);
        what.cause = self.cause;
        self.queue_triggers(&what);
        let beneath = self.beneath(id);
        self.relocate(id, if spell { Place::spells(seat) } else { Place::rooms(seat) });
        let card = self.s.card_mut(id);
        card.seen = card.seen.with(seat);
        self.tell(|t| What::Takes.by(seat).on(t.shown(id)).moved(was, t.at(id)));
        self.uncover(beneath);
        if matches!(from, Place::ROOM_DECK | Place::SPELL_DECK) && self.s.pile_len(from) == 0 {
            self.refill();
        }
    }

    /// Shows a card to everyone; it stays in the hand.
    pub fn reveal_card(&mut self, id: CardId) {
        let seat = self.s.card(id).place.seat();
        self.show_all(id);
        self.tell(|t| What::Shows.by(seat).on(t.shown(id)).at(t.at(id)));
    }

    pub fn look(&mut self, seat: Seat, id: CardId) {
        let card = self.s.card_mut(id);
        card.seen = card.seen.with(seat);
    }

    /// Puts a spell from the hand on the table as it is cast.
    pub fn put_on_table(&mut self, id: CardId) {
        let from = self.at(id);
        self.carry(id, Place::PENDING);
        self.show_all(id);
        self.tell(|t| What::Casts.by(from.place.seat()).on(t.shown(id)).moved(from, t.at(id)));
    }

    /// A spell comes to lie in a scoring area, where its rules hold.
    pub fn lay_down(&mut self, id: CardId, seat: Seat) {
        let from = self.at(id);
        self.relocate(id, Place::scoring(seat));
        self.show_all(id);
        self.refresh_dungeon(seat);
        self.tell(|t| What::LaysDown.by(seat).on(t.shown(id)).moved(from, t.at(id)));
    }

    pub fn remove(&mut self, id: CardId) {
        // What it carries goes with it.
        while let Some(item) = self.next_attached(id) {
            self.remove(item);
        }
        let from = self.at(id);
        self.relocate(id, Place::REMOVED);
        self.show_all(id);
        self.tell(|t| What::Removed.on(t.shown(id)).moved(from, t.at(id)));
    }

    /// Out of the game without an event: bosses not kept, an eliminated player's cards.
    pub fn set_aside(&mut self, id: CardId, place: Place) {
        self.relocate(id, place);
    }

    /// Removes everything a player has from the game, boss included, in order of ids.
    pub fn clear_table(&mut self, seat: Seat) {
        let mut theirs = [0u64; MAX_CARDS / 64];
        let mut note = |id: CardId| theirs[id.index() / 64 % (MAX_CARDS / 64)] |= 1 << (id.index() % 64);
        for top in self.s.slots(seat) {
            self.s.stack(*top).for_each(&mut note);
        }
        for place in
            [Place::rooms, Place::spells, Place::entrance, Place::scoring, Place::inside, Place::boss]
        {
            self.s.pile(place(seat)).for_each(&mut note);
        }
        let goes_along = |attachment: &&Attachment| self.s.card(attachment.host).place.is_of(seat);
        self.s.attached.iter().filter(goes_along).for_each(|attachment| note(attachment.card));
        self.s.player_mut(seat).coins = 0;
        self.s.player_mut(seat).boss = CardId::NONE;
        self.s.copied[seat.index()] = None;
        // The dungeon is cleared as a whole, so that no room is uncovered or triggers on the way.
        self.s.player_mut(seat).slots = [CardId::NONE; SLOTS];
        self.s.player_mut(seat).stacks = 0;
        let words = self.s.card_count().div_ceil(64);
        for (word, mut bits) in theirs.into_iter().enumerate().take(words) {
            while bits != 0 {
                let id = CardId((word * 64) as u16 + bits.trailing_zeros() as u16);
                bits &= bits - 1;
                let CardState { place, flags, .. } = *self.s.card(id);
                if place.is_dungeon() {
                    self.clear_pieces(id);
                    self.append(id, Place::REMOVED, flags.new_visit());
                } else {
                    self.relocate(id, Place::REMOVED);
                }
                self.show_all(id);
            }
        }
        self.refresh_dungeon(seat);
    }

    /// The player's boss gets the text of another for the rest of the game; a level up happens now.
    /// A boss that copies has no text of its own to give.
    pub fn copy_text(&mut self, seat: Seat, boss: CardId) {
        let (db, copied, own) = (self.db, self.s.card(boss).def, self.s.player(seat).boss);
        let def = db.def(copied);
        if def.hooks.has(Hooks::COPIES) || !own.exists() {
            return;
        }
        let before = self.scores_before();
        self.s.copied[seat.index()] = Some(copied);
        self.refresh_dungeon(seat);
        self.tell(|t| What::Copies.by(seat).on(t.shown(boss)).at(t.at(boss)));
        self.tell_changes(before);
        if let Some(unit) = def.level_up {
            let source = self.s.ref_of(own);
            // It follows what is running now.
            let _ = self.s.triggers.push(Trigger { unit, source, you: seat, ..Trigger::EMPTY });
        }
    }

    /// A boss takes its place at the end of its player's dungeon.
    pub fn install_boss(&mut self, id: CardId, seat: Seat) {
        let from = self.at(id);
        self.relocate(id, Place::boss(seat));
        self.show_all(id);
        self.s.player_mut(seat).boss = id;
        self.tell(|t| What::KeepsBoss.by(seat).on(t.shown(id)).moved(from, t.at(id)));
    }
}
