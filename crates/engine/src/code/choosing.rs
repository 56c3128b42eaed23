//! Choices made by card code: what can be chosen, by whom or at random, and what others may see of it.

use cards::code::*;
use cards::vocabulary::{Class, EventWord, Verb, Zones};

use crate::acts::Runner;
use crate::api::event::{Log, What, Where};
use crate::ask::Action;
use crate::code::occurrence::{Cause, Occurrence};
use crate::code::query::Board;
use crate::model::id::*;
use crate::model::state::*;

impl<L: Log> Runner<'_, L> {
    /// Binds what is chosen; `false` if a player has to be asked first.
    pub(super) fn choose(
        &mut self,
        code: &mut Code,
        reg: u8,
        count: u8,
        query: QueryId,
        by: WhoCode,
    ) -> bool {
        let chooser = self.board().one(&code.ctx(), by);
        let decks = self.searched_decks(query);
        while code.picked < count {
            let mut first = Ref::NOTHING;
            let left = usize::from(count - code.picked);
            self.answers.forget();
            if chooser.is_some() {
                Board { db: self.db, s: self.s }.each_choice(code, |r: Ref| {
                    if first.is_nothing() {
                        first = r;
                    }
                    self.answers.add(Action::Pick(r));
                    true
                });
            }
            let found = self.answers.count();
            if let Some(seat) = chooser
                && (found > left || found > 0 && (self.s.rules.ask_all || self.seems_open(code, query, left)))
            {
                if !decks.is_empty() {
                    self.show_decks(decks, seat);
                }
                self.s.frames.put(Frame::Code(*code));
                self.ask_collected(seat, AskKind::Pick);
                return false;
            }
            if found == 0 {
                let from = usize::from(reg + code.picked);
                code.regs[from..usize::from(reg + count)].fill(Ref::NOTHING);
                break;
            }
            self.bind(code, reg, chooser.unwrap_or(Seat::NONE), first);
        }
        self.answers.forget();
        code.picked = 0;
        if !decks.is_empty() {
            let chosen = usize::from(reg)..usize::from(reg + count);
            self.shuffle_decks(decks, &code.regs[chosen]);
        }
        true
    }

    pub(super) fn seems_possible(&self, block: &Code) -> bool {
        self.seems(block.source.as_card(), |board| board.possible(block))
    }

    /// Under cover: might the choice be among more than this many? Only of hidden cards that is not known already.
    fn seems_open(&self, code: &Code, query: QueryId, left: usize) -> bool {
        self.s.rules.cover
            && self.board().looks_at_hidden(query)
            && self.seems(code.source.as_card(), |board| {
                let mut candidates = 0;
                board.each_choice(code, |_| {
                    candidates += 1;
                    candidates <= left
                });
                candidates > left
            })
    }

    /// What is chosen from a hand, to go to another, is known to these two players only; so it is
    /// mixed before the choice is told.
    #[inline]
    fn conceal_choice(&mut self, code: &mut Code, reg: u8, r: Ref) -> Ref {
        let Some(card) = r.as_card() else { return r };
        let place = self.s.card(card).place;
        if !place.is_hand_of(place.seat()) {
            return r;
        }
        let next = usize::from(self.db.unit(code.unit).start) + usize::from(code.pc) + 1;
        let taker = match self.db.ops[next] {
            Op::Take { on, who } if on.slot == Slot::Reg(reg) => self.board().one(&code.ctx(), who),
            Op::Act { verb: Verb::Discard, on } if on.slot == Slot::Reg(reg) => self.takes_discard(code, r),
            _ => None,
        };
        taker.map_or(r, |taker| self.conceal(code, r, taker))
    }

    /// Who gets the card instead of it being discarded.
    fn takes_discard(&self, code: &Code, r: Ref) -> Option<Seat> {
        if !self.s.hooks.has(Hooks::REPLACES_DISCARD) {
            return None;
        }
        let owner = self.s.card(r.as_card()?).place.seat();
        let mut what = Occurrence::new(EventWord::Discarded, r, owner);
        what.cause = Cause { card: code.source, you: code.you };
        self.board().replacement(&what).map(|trigger| trigger.you)
    }

    /// The same for a card that was chosen earlier.
    pub(super) fn conceal_operand(&mut self, code: &mut Code, on: OperandCode, taker: Seat) {
        let Slot::Reg(first) = on.slot else { return };
        for reg in first..first + on.count {
            self.conceal(code, code.regs[usize::from(reg)], taker);
        }
    }

    pub(super) fn bind(&mut self, code: &mut Code, reg: u8, seat: Seat, r: Ref) {
        let r = self.conceal_choice(code, reg, r);
        code.regs[usize::from(reg + code.picked)] = r;
        code.picked += 1;
        let source = code.source.as_card();
        let chooses = |t: &Self, what: What| what.by(seat).because_of(source.map(|card| t.shown(card)));
        match (r.as_card(), r.as_seat()) {
            (Some(card), _) => self.tell(|t| chooses(t, What::Chooses).on(t.shown(card)).at(t.at(card))),
            (_, Some(player)) => self.tell(|t| chooses(t, What::ChoosesPlayer).player(player)),
            _ => {
                if let Some(class) = r.as_number().and_then(|n| Class::ALL.get(usize::from(n))) {
                    self.tell(|t| chooses(t, What::ChoosesClass { class: *class }));
                }
            }
        }
    }

    /// Rule 17.3: a player who searches a deck sees it, and it is shuffled afterwards.
    #[inline]
    fn searched_decks(&self, query: QueryId) -> Zones {
        match self.db.queries[query.index()] {
            Query::Selector(SelectorCode { site: SiteCode::In { zones, .. }, .. }) => zones.and(Zones::DECKS),
            _ => Zones::default(),
        }
    }

    #[cold]
    fn show_decks(&mut self, decks: Zones, seat: Seat) {
        for deck in decks.iter().map(Place::shared) {
            let mut next = self.s.pile(deck).next();
            while let Some(id) = next {
                self.look(seat, id);
                next = Some(self.s.card(id).next).filter(|id| id.exists());
            }
        }
    }

    #[cold]
    fn shuffle_decks(&mut self, decks: Zones, keep: &[Ref]) {
        for deck in decks.iter().map(Place::shared) {
            if self.s.pile_len(deck) > 0 {
                self.shuffle(deck, keep);
            }
        }
    }

    pub(super) fn choose_random(&mut self, code: &mut Code, reg: u8, count: u8, query: QueryId) {
        for i in 0..count {
            let mut candidates = [Ref::NOTHING; MAX_CARDS];
            let mut len = 0;
            let before = usize::from(reg)..usize::from(reg + i);
            self.board().select(query, &code.ctx(), |r: Ref| {
                if !code.regs[before.clone()].contains(&r) {
                    candidates[len] = r;
                    len += 1;
                }
                len < MAX_CARDS
            });
            let mut picked = Ref::NOTHING;
            if len > 0 {
                picked = self.pick_random(&candidates[..len]);
                picked = self.conceal_choice(code, reg, picked);
            }
            if let Some(id) = picked.as_card().filter(|id| len > 1 || self.seems_random(*id, i)) {
                self.tell(|t| What::Random.on(t.shown(id)).at(t.at(id)));
            }
            code.regs[usize::from(reg + i)] = picked;
        }
    }

    /// Might the card, the only candidate in a hand, have been one of several for all that others know?
    /// A miniboss looks like a room there. This many were picked before.
    fn seems_random(&self, picked: CardId, before: u8) -> bool {
        let place = self.s.card(picked).place;
        place.is_hand_of(place.seat()) && self.s.pile_len(place) > usize::from(before) + 1
    }

    pub(super) fn look_at(&mut self, code: &Code, query: QueryId) {
        let mut cards = [Ref::NOTHING; MAX_CARDS];
        let mut len = 0;
        self.board().select(query, &code.ctx(), |r: Ref| {
            cards[len] = r;
            len += 1;
            len < MAX_CARDS
        });
        let mut at = None;
        for id in cards[..len].iter().filter_map(|r| r.as_card()) {
            at = Some(self.s.card(id).place);
            self.look(code.you, id);
        }
        if let Some(at) = at {
            self.tell(|_| What::Looks.by(code.you).at(Where::pile(at)));
        }
    }
}
