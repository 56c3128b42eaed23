//! The primitive acts: the only code that moves a card or draws from the state's generator. Each act logs what happened and wakes the abilities that wait for it.

use cards::code::{DefId, Hooks};
use cards::db::{CardDb, DefKind};
use cards::tree::{Back, Word};

use crate::answers::Answers;
use crate::event::{Event, Log, Shown};
use crate::id::*;
use crate::query::Board;
use crate::rng::Stream;
use crate::state::*;
use crate::stats::{Cause, Happening};

/// The table while something happens on it.
pub(crate) struct Table<'a, L: Log> {
    pub db: &'a CardDb,
    pub s: &'a mut Core,
    pub log: &'a mut L,
    /// The card whose code is running, if any: what happens now happens because of it.
    pub cause: Cause,
    /// Where answers are put together, before it is known whether there is a question.
    pub answers: &'a mut Answers,
}

impl<'a, L: Log> Table<'a, L> {
    pub fn new(db: &'a CardDb, state: &'a mut State, log: &'a mut L) -> Self {
        let State { core, answers } = state;
        Table { db, s: core, log, cause: Cause::NONE, answers }
    }
}

impl<L: Log> Table<'_, L> {
    pub fn board(&self) -> Board<'_> {
        Board { db: self.db, s: self.s }
    }

    pub fn shown(&self, id: CardId) -> Shown {
        let card = self.s.card(id);
        Shown { card: id, def: card.def, seen: card.seen }
    }

    pub fn tell(&mut self, event: impl FnOnce(&Self) -> Event) {
        if L::ON {
            let event = event(self);
            self.log.event(event);
        }
    }

    // ---- moving ----

    /// The active rooms of a dungeon have changed.
    pub fn rehook(&mut self, seat: Seat) {
        self.s.active_rooms[seat.index()] = self.s.count_active(seat);
        self.s.player_mut(seat).hooks = self.board().hooks_of(seat);
        let mut offers = self.s.offers[seat.index()];
        self.board().offer_rooms(seat, &mut offers);
        self.s.offers[seat.index()] = offers;
        self.join_hooks();
    }

    /// Players' hooks and those of the lasting rules, all together.
    fn join_hooks(&mut self) {
        let players = self.s.players.iter().map(|player| player.hooks);
        let lasting = self.s.lasting.iter().map(|lasting| self.board().lasting_hook(lasting));
        let join = |all: Hooks, hooks: Hooks| Hooks(all.0 | hooks.0);
        self.s.hooks = players.chain(lasting).fold(self.s.hero_hooks, join);
    }

    /// A hero with an ability has come or gone.
    fn rehook_heroes(&mut self) {
        self.s.hero_hooks = self.board().hooks_of_heroes();
        self.join_hooks();
    }

    /// A scoring area is counted anew.
    pub fn rescore(&mut self, seat: Seat) {
        self.set_score(seat, self.board().count_score(seat));
    }

    fn set_score(&mut self, seat: Seat, score: Score) {
        self.s.scores[seat.index()] = score;
        let bit = SeatSet::only(seat).0;
        self.s.scorers.0 = self.s.scorers.0 & !bit | if score.souls > 0 { bit } else { 0 };
    }

    /// A card has come into a scoring area or been turned over there, or is about to be or to leave (`false`).
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

    /// A rule holds from now to the end of the turn. A full list means more effects in one turn than any
    /// table has seen: then the newest is lost.
    pub fn begin_lasting(&mut self, lasting: Lasting) {
        if self.s.lasting.push(lasting) {
            self.s.hooks.add(self.board().lasting_hook(&lasting));
        }
    }

    /// What holds until end of turn is over, but for what the check of the turn must still know (11.2).
    pub fn end_lasting(&mut self) {
        if self.s.lasting.is_empty() {
            return;
        }
        let for_the_check = Hooks::forbids(Word::Wins);
        for index in (0..self.s.lasting.len()).rev() {
            if !self.board().lasting_hook(&self.s.lasting[index]).has(for_the_check) {
                self.s.lasting.remove(index);
            }
        }
        self.join_hooks();
    }

    pub fn clear_lasting(&mut self) {
        if !self.s.lasting.is_empty() {
            self.s.lasting.clear();
            self.join_hooks();
        }
    }

    /// The rule has served: one that does so once only is gone.
    pub fn served(&mut self, index: usize) {
        if self.s.lasting.get(index).is_some_and(|lasting| lasting.kind == LastingKind::RuleOnce) {
            self.s.lasting.remove(index);
            self.join_hooks();
        }
    }

    /// Takes a card out of its pile, or off the top of its stack. Mostly it is the first of a pile.
    #[inline]
    fn unlink(&mut self, id: CardId) {
        let CardState { place, next, .. } = *self.s.card(id);
        if place.is_spells() {
            self.s.offers[place.seat().index()].remove_spell(id);
        }
        let pile = &mut self.s.piles[usize::from(place.0) % Place::PILES];
        if place.is_dungeon() || pile.head != id {
            return self.unlink_within(id);
        }
        pile.head = next;
        if !next.exists() {
            pile.tail = CardId::NONE;
        }
        pile.len -= 1;
    }

    #[inline(never)]
    fn unlink_within(&mut self, id: CardId) {
        let CardState { place, next, .. } = *self.s.card(id);
        if place.is_dungeon() {
            self.unstack(id, place.seat());
            return self.rehook(place.seat());
        }
        let index = usize::from(place.0) % Place::PILES;
        let mut previous = self.s.piles[index].head;
        while self.s.card(previous).next != id {
            previous = self.s.card(previous).next;
        }
        self.s.card_mut(previous).next = next;
        let pile = &mut self.s.piles[index];
        if pile.tail == id {
            pile.tail = previous;
        }
        pile.len -= 1;
    }

    /// Takes a room out of its stack; an empty place closes up toward the boss.
    fn unstack(&mut self, id: CardId, seat: Seat) {
        let beneath = self.s.card(id).next;
        let stacks = usize::from(self.s.player(seat).stacks);
        if let Some(slot) = self.s.slots(seat).iter().position(|top| *top == id) {
            if beneath.exists() {
                self.s.card_mut(beneath).flags.clear(Flags::COVERED);
                self.s.player_mut(seat).slots[slot] = beneath;
            } else {
                let player = self.s.player_mut(seat);
                player.slots.copy_within(slot + 1..stacks, slot);
                player.slots[stacks - 1] = CardId::NONE;
                player.stacks -= 1;
                self.close_gap(seat, slot);
            }
        } else {
            // A covered card, as when a player is eliminated.
            for slot in 0..stacks {
                let mut above = self.s.slots(seat)[slot];
                while above.exists() {
                    if self.s.card(above).next == id {
                        self.s.card_mut(above).next = beneath;
                        return;
                    }
                    above = self.s.card(above).next;
                }
            }
        }
    }

    /// Keeps the walking hero's place right when a stack nearer to the boss vanished.
    fn close_gap(&mut self, seat: Seat, slot: usize) {
        if self.s.active == seat && usize::from(self.s.walk.slot) > slot {
            self.s.walk.slot -= 1;
        }
    }

    /// Puts a card at the end of a pile, with these flags. Those are worked out before anything is written: to
    /// read a part of the card right after another part was written would be slow.
    #[inline]
    fn append(&mut self, id: CardId, place: Place, flags: Flags) {
        if place.is_spells() {
            self.s.offers[place.seat().index()].add_spell(id, self.db.def(self.s.card(id).def));
        }
        let card = self.s.card_mut(id);
        *card = CardState { next: CardId::NONE, flags, place, ..*card };
        let pile = &mut self.s.piles[usize::from(place.0) % Place::PILES];
        let tail = pile.tail;
        pile.tail = id;
        pile.len += 1;
        if tail.exists() {
            self.s.card_mut(tail).next = id;
        } else {
            pile.head = id;
        }
    }

    /// Moves a card to the end of a pile. A hero's ways between town, entrances and rooms are one
    /// visit; every other move begins a new one. Damage stays to the end of the turn (rule 10.10).
    pub fn relocate(&mut self, id: CardId, place: Place) {
        self.move_card(id, place);
    }

    /// The same where it happens, for moves that are always of one kind: each is foreseen by itself then.
    #[inline(always)]
    pub fn move_card(&mut self, id: CardId, place: Place) {
        let CardState { place: from, flags, .. } = *self.s.card(id);
        let (roamed, roams) = (from.is_roaming(), place.is_roaming());
        if from.is_scoring() {
            self.count_point(id, false);
        }
        self.unlink(id);
        self.append(id, place, if roamed && roams { flags } else { flags.new_visit() });
        self.s.left_town |= from == Place::TOWN;
        if roamed != roams && !self.board().def(id).hooks.is_empty() {
            self.rehook_heroes();
        }
    }

    /// The same for what is no hero.
    pub fn carry(&mut self, id: CardId, place: Place) {
        let flags = self.s.card(id).flags.new_visit();
        self.unlink(id);
        self.append(id, place, flags);
    }

    /// The card as it will be once it has gone to another place: how an ability woken before that can follow
    /// it there.
    pub fn moved_ref(&self, id: CardId) -> Ref {
        Ref::card(id, self.s.card(id).flags.new_visit().visit())
    }

    /// Puts a new card of the given definition into the game, unseen unless the place is open.
    pub fn create(&mut self, def: DefId, place: Place) -> CardId {
        let id = CardId(self.s.n_cards);
        self.s.n_cards += 1;
        self.s.cards[id.index()] = CardState { def, ..CardState::EMPTY };
        self.append(id, place, Flags::default());
        if place.is_roaming() {
            self.rehook_heroes();
        }
        id
    }

    pub fn show_all(&mut self, id: CardId) {
        self.s.card_mut(id).seen = SeatSet::PUBLIC;
    }

    // ---- stacks ----

    /// A room from a hand onto a stack of a dungeon.
    pub fn stack_on(&mut self, seat: Seat, room: CardId, slot: usize, flags: Flags) {
        self.unlink(room);
        self.put_on(seat, room, slot, flags);
    }

    /// The same, once the room has been taken out of the hand.
    pub fn put_on(&mut self, seat: Seat, room: CardId, slot: usize, flags: Flags) {
        let mut new_flags = self.s.card(room).flags.new_visit();
        new_flags.set(flags);
        let player = self.s.player_mut(seat);
        let beneath = player.slots[slot];
        player.slots[slot] = room;
        player.stacks = player.stacks.max(slot as u8 + 1);
        if beneath.exists() {
            // What is covered before its ability had its time has lost it.
            self.s.card_mut(beneath).flags.clear(Flags::DUE);
            self.s.card_mut(beneath).flags.set(Flags::COVERED);
        }
        let card = self.s.card_mut(room);
        *card = CardState { next: beneath, flags: new_flags, place: Place::dungeon(seat), ..*card };
        // A room face down at a new place changes nothing yet.
        if beneath.exists() || !flags.has(Flags::FACEDOWN) {
            self.rehook(seat);
        }
    }

    /// Two stacks of one dungeon change places.
    pub fn swap(&mut self, a: CardId, b: CardId) {
        let seat = self.s.card(a).place.seat();
        let board = self.board();
        let (Some(i), Some(j)) = (board.slot_of(a), board.slot_of(b)) else { return };
        if self.s.card(b).place.seat() == seat {
            self.s.player_mut(seat).slots.swap(i, j);
            self.rehook(seat);
            self.tell(|t| Event::Swapped { seat, a: t.shown(a), b: t.shown(b) });
        }
    }

    // ---- chance ----

    /// Permutes what the cards of a pile are; the cards themselves stay, so an id tells nothing. `keep`
    /// are cards that are being taken out.
    pub fn shuffle(&mut self, place: Place, keep: &[Ref]) {
        let mut stream = self.s.rng.stream();
        self.shuffle_from(&mut stream, place, keep);
        self.s.rng.advance(&stream);
    }

    /// Shuffles several piles with one turn of the generator.
    pub fn shuffle_all(&mut self, places: &[Place]) {
        let mut stream = self.s.rng.stream();
        for place in places {
            self.shuffle_from(&mut stream, *place, &[]);
        }
        self.s.rng.advance(&stream);
    }

    fn shuffle_from(&mut self, stream: &mut Stream, place: Place, keep: &[Ref]) {
        match self.run_of_ids(place).filter(|_| keep.is_empty()) {
            Some(cards) => {
                stream.permute(cards.len(), |i, j| {
                    let def = cards[i].def;
                    cards[i].def = cards[j].def;
                    cards[j].def = def;
                });
                cards.iter_mut().for_each(|card| card.seen = SeatSet::EMPTY);
            }
            None => self.shuffle_list(stream, place, keep),
        }
        self.tell(|_| Event::Shuffled(place));
    }

    /// The cards of a pile, if they lie as they were created, one id after the other.
    fn run_of_ids(&mut self, place: Place) -> Option<&mut [CardState]> {
        let Pile { head, len, .. } = self.s.piles[usize::from(place.0) % Place::PILES];
        let cards = self.s.cards.get_mut(head.index()..head.index() + usize::from(len))?;
        let (last, others) = cards.split_last()?;
        let follows = |(id, card): (u16, &CardState)| card.next.0 == id;
        let one_run = !last.next.exists() && (head.0 + 1..).zip(others).all(follows);
        if one_run { Some(cards) } else { None }
    }

    #[inline(never)]
    fn shuffle_list(&mut self, stream: &mut Stream, place: Place, keep: &[Ref]) {
        let (mut ids, mut defs) = ([CardId::NONE; MAX_CARDS], [DefId(0); MAX_CARDS]);
        let kept = |id: CardId| keep.iter().any(|r| r.as_card() == Some(id));
        let cards = self.s.pile(place).filter(|id| keep.is_empty() || !kept(*id));
        let mut len = 0;
        for ((at, def), id) in ids.iter_mut().zip(defs.iter_mut()).zip(cards) {
            (*at, *def) = (id, self.s.card(id).def);
            len += 1;
        }
        stream.shuffle(&mut defs[..len]);
        for (id, def) in ids[..len].iter().zip(&defs) {
            let card = self.s.card_mut(*id);
            card.def = *def;
            card.seen = SeatSet::EMPTY;
        }
    }

    pub fn pick_random(&mut self, candidates: &[Ref]) -> Ref {
        let picked = candidates[self.s.rng.below(candidates.len())];
        if let Some(id) = picked.as_card().filter(|_| candidates.len() > 1) {
            self.tell(|t| Event::Random(t.shown(id)));
        }
        picked
    }

    /// Takes a room about to be placed face down out of the hand, mixed with the other rooms there: which id lies on
    /// the table then says nothing of when it was drawn, nor whether others had seen it. One walk through the hand
    /// does it all, without a branch that nobody could foresee.
    pub fn take_mixed(&mut self, seat: Seat, room: CardId) -> CardId {
        let rooms = Place::rooms(seat);
        let picked = self.s.rng.below(self.s.pile_len(rooms));
        let (mut taken, mut before, mut last) = (room, CardId::NONE, CardId::NONE);
        let mut next = self.s.piles[usize::from(rooms.0)].head;
        let mut at = 0;
        while next.exists() {
            let is_it = at == picked;
            (taken, before) = (if is_it { next } else { taken }, if is_it { last } else { before });
            last = next;
            let card = self.s.card_mut(next);
            card.seen = SeatSet::only(seat);
            next = card.next;
            at += 1;
        }
        let def = self.s.card(room).def;
        self.s.card_mut(room).def = self.s.card(taken).def;
        self.s.card_mut(taken).def = def;
        self.unlink_after(before, taken, rooms);
        taken
    }

    /// Takes a card out of a pile where the one before it is known.
    #[inline]
    fn unlink_after(&mut self, before: CardId, id: CardId, place: Place) {
        let (first, next) = (!before.exists(), self.s.card(id).next);
        let pile = &mut self.s.piles[usize::from(place.0) % Place::PILES];
        pile.head = if first { next } else { pile.head };
        pile.tail = if pile.tail == id { before } else { pile.tail };
        pile.len -= 1;
        // The first has nothing before it; its own link is of no use any more.
        self.s.card_mut(if first { id } else { before }).next = next;
    }

    // ---- decks and hands ----

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
            self.tell(|t| Event::Draws { seat, card: t.shown(top) });
            if self.s.pile_len(deck) == 0 {
                self.refill();
            }
        }
    }

    /// Rule 1.10: both kinds go back into their decks at once.
    fn refill(&mut self) {
        if self.s.pile_len(Place::DISCARD) == 0 {
            return;
        }
        while let Some(id) = self.s.pile(Place::DISCARD).next() {
            let deck = match self.board().def(id).kind {
                DefKind::Spell => Place::SPELL_DECK,
                _ => Place::ROOM_DECK,
            };
            self.carry(id, deck);
        }
        self.tell(|_| Event::Reshuffled);
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

    /// From a hand or a deck to the pile.
    pub fn discard(&mut self, id: CardId) {
        let seat = self.s.card(id).place.seat();
        let mut what = Happening::new(Word::Discarded, self.s.ref_of(id), seat);
        what.then = self.moved_ref(id);
        what.cause = self.cause;
        if self.is_replaced(&what) {
            return;
        }
        self.wake(&what);
        self.put_away(id);
        if seat.exists() {
            self.tell(|t| Event::Discards { seat, card: t.shown(id) });
        }
    }

    /// To the discard pile, without being discarded: a spell that is done or cancelled.
    pub fn put_away(&mut self, id: CardId) {
        self.relocate(id, Place::DISCARD);
        self.show_all(id);
    }

    /// Into a player's hand, from wherever it is.
    pub fn take(&mut self, id: CardId, seat: Seat) {
        let from = self.s.card(id).place;
        let spell = self.board().def(id).kind == DefKind::Spell;
        let mut what = Happening::new(Word::Taken, self.s.ref_of(id), seat);
        what.then = self.moved_ref(id);
        what.cause = self.cause;
        self.wake(&what);
        let beneath = self.beneath(id);
        self.relocate(id, if spell { Place::spells(seat) } else { Place::rooms(seat) });
        let card = self.s.card_mut(id);
        card.seen = card.seen.with(seat);
        self.tell(|t| Event::Takes { seat, card: t.shown(id), from });
        self.uncover(beneath);
        if matches!(from, Place::ROOM_DECK | Place::SPELL_DECK) && self.s.pile_len(from) == 0 {
            self.refill();
        }
    }

    /// Shown to all, and still in the hand.
    pub fn reveal_card(&mut self, id: CardId) {
        let seat = self.s.card(id).place.seat();
        self.show_all(id);
        self.tell(|t| Event::Shows { seat, card: t.shown(id) });
    }

    pub fn look(&mut self, seat: Seat, id: CardId) {
        let card = self.s.card_mut(id);
        card.seen = card.seen.with(seat);
    }

    /// A spell goes from the hand to the table as it is cast.
    pub fn put_on_table(&mut self, id: CardId) {
        self.carry(id, Place::TABLE);
        self.show_all(id);
    }

    pub fn remove(&mut self, id: CardId) {
        self.relocate(id, Place::REMOVED);
        self.show_all(id);
        self.tell(|t| Event::Removed(t.shown(id)));
    }

    /// Out of the game without a word: bosses not kept, an eliminated player's cards.
    pub fn set_aside(&mut self, id: CardId, place: Place) {
        self.relocate(id, place);
    }

    /// All that a player has, but for the boss, leaves the game, in the order of the ids.
    pub fn clear_table(&mut self, seat: Seat) {
        let mut theirs = [0u64; MAX_CARDS / 64];
        let mut note = |id: CardId| theirs[id.index() / 64 % (MAX_CARDS / 64)] |= 1 << (id.index() % 64);
        for top in self.s.slots(seat) {
            self.s.stack(*top).for_each(&mut note);
        }
        for place in [Place::rooms, Place::spells, Place::entrance, Place::scoring, Place::inside] {
            self.s.pile(place(seat)).for_each(&mut note);
        }
        // A dungeon is cleared as a whole: nothing in it can come to light or do anything on the way.
        self.s.player_mut(seat).slots = [CardId::NONE; SLOTS];
        self.s.player_mut(seat).stacks = 0;
        for (word, mut bits) in theirs.into_iter().enumerate() {
            while bits != 0 {
                let id = CardId((word * 64) as u16 + bits.trailing_zeros() as u16);
                bits &= bits - 1;
                let CardState { place, flags, .. } = *self.s.card(id);
                if place.is_dungeon() {
                    self.append(id, Place::REMOVED, flags.new_visit());
                } else {
                    self.relocate(id, Place::REMOVED);
                }
                self.show_all(id);
            }
        }
        self.rehook(seat);
    }

    /// A boss takes its place at the end of its player's dungeon.
    pub fn install_boss(&mut self, id: CardId, seat: Seat) {
        self.relocate(id, Place::boss(seat));
        self.show_all(id);
        self.s.player_mut(seat).boss = id;
        self.tell(|t| Event::BossChosen { seat, boss: t.shown(id) });
    }
}
