//! Whether one card, player or room fits a selector, without listing all that do.

use cards::code::*;
use cards::vocabulary::{Adjective, Adjectives, Noun, Zone};

use crate::code::query::{Board, Ctx};
use crate::model::id::*;
use crate::model::state::*;

impl Board<'_> {
    /// Does the thing fit the query?
    pub fn matches(&self, query: QueryId, ctx: &Ctx, r: Ref) -> bool {
        match &self.db.queries[query.index()] {
            Query::Slot(slot) => self.slot(ctx, *slot) == r && !r.is_nothing(),
            Query::Selector(selector) => self.is_at(selector, ctx, r) && self.fits(selector, ctx, r),
        }
    }

    /// As `matches`, without checking the `where` again (rule 4.8: a target stays a target).
    pub fn still_matches(&self, query: QueryId, ctx: &Ctx, r: Ref) -> bool {
        match &self.db.queries[query.index()] {
            Query::Slot(slot) => self.slot(ctx, *slot) == r && !r.is_nothing(),
            Query::Selector(selector) => {
                let bare = SelectorCode { cond: None, ..*selector };
                self.is_at(&bare, ctx, r) && self.fits(&bare, ctx, r)
            }
        }
    }

    /// As `matches`, for a card that lies face down in a dungeon, as if it were still in hand.
    #[cold]
    pub fn matches_facedown(&self, query: QueryId, ctx: &Ctx, r: Ref) -> bool {
        let (Query::Selector(selector), Some(id)) = (&self.db.queries[query.index()], r.as_card()) else {
            return false;
        };
        self.is_at(selector, ctx, r)
            && self.def(id).traits.include(selector.wanted())
            && self.marks_fit(selector.adjectives.and(Adjectives::OF_TABLE), ctx, id)
            && self.fits_besides(selector, ctx, r)
    }

    /// Is it where the selector says?
    pub fn is_at(&self, selector: &SelectorCode, ctx: &Ctx, r: Ref) -> bool {
        let Some(id) = r.as_card() else { return true };
        match selector.site {
            SiteCode::Anywhere => true,
            SiteCode::In { zones, who } => {
                let card = self.s.card(id);
                if zones.has(Zone::Pending) && selector.noun == Noun::Room {
                    let seats = self.who(ctx, who);
                    let mut declared = self.s.pending.iter().filter(|entry| seats.has(entry.code.you));
                    if declared.any(|entry| self.declared_room(entry) == Some(id)) {
                        return true;
                    }
                }
                let zone = match card.place.zone() {
                    Zone::Pending => {
                        let seats = self.who(ctx, who);
                        return zones.has(Zone::Pending)
                            && self.s.pending.iter().any(|entry| {
                                seats.has(entry.code.you) && self.declared_spell(entry) == Some(id)
                            });
                    }
                    // Card text finds the heroes in a dungeon there, and the minibosses of its rooms.
                    Zone::Inside => Zone::Dungeon,
                    Zone::TownItems => Zone::Town,
                    Zone::Attached => {
                        let host = self.s.host(id).map(|host| self.s.card(host).place);
                        return zones.has(Zone::Dungeon)
                            && host.is_some_and(|at| at.is_dungeon() && self.who(ctx, who).has(at.seat()));
                    }
                    zone => zone,
                };
                zones.has(zone) && (!card.place.seat().exists() || self.who(ctx, who).has(card.place.seat()))
            }
            SiteCode::InRoom(slot) => self.hero_in(self.slot(ctx, slot)) == Some(id),
            SiteCode::Among { reg, count } => self.among(ctx, reg, count).any(|card| card == id),
            SiteCode::On(slot) => {
                let host = self.s.present(self.slot(ctx, slot));
                host.is_some() && self.s.host(id) == host
            }
            SiteCode::Under(slot) => self
                .visible(self.slot(ctx, slot))
                .is_some_and(|top| self.s.stack(top).skip(1).any(|card| card == id)),
            SiteCode::LeftOf(slot) | SiteCode::RightOf(slot) | SiteCode::Beside(slot) => {
                let Some(room) = self.s.present(self.slot(ctx, slot)) else { return false };
                let left = || self.neighbour(room, 1) == Some(id);
                let right = || self.neighbour(room, -1) == Some(id);
                match selector.site {
                    SiteCode::LeftOf(_) => left(),
                    SiteCode::RightOf(_) => right(),
                    _ => left() || right(),
                }
            }
        }
    }

    /// Is it the kind of thing the selector means, wherever it is?
    pub(super) fn fits(&self, selector: &SelectorCode, ctx: &Ctx, r: Ref) -> bool {
        let kind_fits = match r.as_card() {
            Some(id) => {
                self.def(id).traits.include(selector.wanted())
                    && self.lies_right(selector, ctx, id)
                    && self.is_certain(selector, id)
            }
            None => match (selector.noun, r.as_seat()) {
                (Noun::Player, Some(_)) => true,
                (Noun::Opponent, Some(seat)) => ctx.you.exists() && seat != ctx.you,
                (Noun::Class, None) => r.as_number().is_some_and(|class| self.db.classes.0 >> class & 1 == 1),
                _ => false,
            },
        };
        kind_fits && self.fits_besides(selector, ctx, r)
    }

    /// `but`, `where`, `first` and `last`, which most selectors do not have.
    #[inline]
    pub(super) fn fits_besides(&self, selector: &SelectorCode, ctx: &Ctx, r: Ref) -> bool {
        selector.but.is_none_or(|but| self.slot(ctx, but) != r)
            && selector.cond.is_none_or(|cond| self.is_unseen(r) || self.cond(cond, &Ctx { it: r, ..*ctx }))
            && (selector.pick == PickCode::Any || self.is_picked(selector, ctx, r))
            && (selector.asked == Asked::Nothing || self.can_be_done_to(selector.asked, r))
    }

    /// Can the act be done to it? Of rooms, only those in a dungeon are asked for anything.
    fn can_be_done_to(&self, asked: Asked, r: Ref) -> bool {
        let Some(card) = r.as_card() else { return true };
        match asked {
            Asked::InTime => self.def(card).castable_in(self.s.phase),
            Asked::Nothing => true,
            _ if !self.s.card(card).place.is_dungeon() => true,
            Asked::Vacant => !self.s.has_minion(self.top_above(card).unwrap_or(card)),
            Asked::TakesCounter => self.s.marks(card).counters < self.s.rules.edition().most_counters,
            Asked::Counters(n) => self.s.marks(card).counters >= n,
        }
    }

    /// In a view, a card that the viewer has not seen. It may be whatever a selector looks for among cards of its
    /// kind, but nothing beyond its kind is certain.
    #[inline]
    fn is_unseen(&self, r: Ref) -> bool {
        r.as_card().is_some_and(|card| self.db.is_blank(self.s.card(card).def))
    }

    /// Is it certain that the card fits the selector, if it seems to?
    #[inline]
    fn is_certain(&self, selector: &SelectorCode, card: CardId) -> bool {
        let which =
            || self.db.minibosses && !selector.backs && matches!(selector.noun, Noun::Room | Noun::Miniboss);
        let reads =
            || selector.cond.is_some() || !Traits::adjectives(selector.adjectives).is_none() || which();
        !self.db.is_blank(self.s.card(card).def) || !reads()
    }

    /// Apart from what is printed: is the card face up or down, and marked, as the selector says?
    #[inline(always)]
    pub(super) fn lies_right(&self, selector: &SelectorCode, ctx: &Ctx, id: CardId) -> bool {
        let card = self.s.card(id);
        if matches!(selector.noun, Noun::Soul | Noun::Wound) {
            let dead = card.flags.has(Flags::FACEDOWN);
            if !card.place.is_scoring() || dead != (selector.noun == Noun::Soul) {
                return false;
            }
        }
        // What is attached to a deactivated or covered room is out of reach with it.
        if card.place == Place::ATTACHED && !self.is_attached_in_play(id) {
            return false;
        }
        // Most adjectives are printed on the card.
        let marks = selector.adjectives.and(Adjectives::OF_TABLE);
        let visible = !card.place.is_dungeon()
            || if marks.is_empty() {
                self.is_active_room(id)
            } else if marks.has(Adjective::Facedown) {
                card.flags.has(Flags::FACEDOWN)
            } else {
                // A covered one is looked for below.
                marks.has(Adjective::Covered) || self.is_active_room(id)
            };
        visible
            && (marks.is_empty() || self.marks_fit(marks, ctx, id))
            // A spell being cast counts as on the table.
            && !(card.place == Place::spells(ctx.you) && ctx.this == self.s.ref_of(id))
            && !(self.s.hooks.has(Hooks::IGNORES) && self.ignores(id, ctx))
    }

    /// Adjectives not printed on the card: which one it is, and what happened to it. `facedown` is
    /// checked elsewhere.
    pub fn marks_fit(&self, wanted: Adjectives, ctx: &Ctx, id: CardId) -> bool {
        (!wanted.has(Adjective::Another) || ctx.this.as_card() != Some(id))
            && (!wanted.has(Adjective::Entered) || self.s.card(id).flags.has(Flags::ENTERED))
            && (!wanted.has(Adjective::MultiTreasure) || self.icons_on(id).0.iter().sum::<i32>() >= 2)
            && (!wanted.has(Adjective::Covered) || self.top_above(id).is_some())
            && (!wanted.has(Adjective::Facedown) || self.s.card(id).flags.has(Flags::FACEDOWN))
            && (!wanted.has(Adjective::Faceup) || !self.s.card(id).flags.has(Flags::FACEDOWN))
            && (!wanted.has(Adjective::New)
                || self.s.card(id).flags.has(Flags(Flags::WALKED.0 | Flags::NEW.0)))
            && (!wanted.has(Adjective::Cast) || self.s.caster(id).is_some_and(|seat| seat == ctx.you))
    }

    /// Is the card of the kind that the selector names, wherever either of them is?
    pub fn names_card(&self, query: QueryId, ctx: &Ctx, id: CardId) -> bool {
        match &self.db.queries[query.index()] {
            Query::Slot(slot) => self.slot(ctx, *slot).as_card() == Some(id),
            Query::Selector(selector) => {
                let wanted = match selector.noun {
                    Noun::Card => Traits::adjectives(selector.adjectives),
                    _ => selector.wanted(),
                };
                !matches!(selector.noun, Noun::Soul | Noun::Wound)
                    && self.def(id).traits.include(wanted)
                    && self.is_certain(selector, id)
                    && (!selector.adjectives.has(Adjective::Another) || ctx.this.as_card() != Some(id))
            }
        }
    }

    /// `first` and `last`: nothing that fits stands before it.
    fn is_picked(&self, selector: &SelectorCode, ctx: &Ctx, r: Ref) -> bool {
        let any = SelectorCode { pick: PickCode::Any, ..*selector };
        let Some(id) = r.as_card() else { return false };
        let place = self.s.card(id).place;
        if place.zone() != Zone::Dungeon {
            return false;
        }
        let slots = self.s.slots(place.seat());
        let fits = |top: &&CardId| self.fits(&any, ctx, self.s.ref_of(**top));
        if let PickCode::Leading(n) = selector.pick {
            return slots.iter().rev().filter(fits).take(usize::from(n)).any(|top| *top == id);
        }
        let picked = match selector.pick {
            PickCode::Last => slots.iter().find(fits),
            _ => slots.iter().rev().find(fits),
        };
        picked == Some(&id)
    }
}
