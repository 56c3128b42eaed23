//! The answers a player has in a window, found quickly: most cards are ruled out by `Facts`, a bit set of what
//! abilities need, before anything is evaluated.
//!
//! Must agree with `Board::plain_legal` in `ask/plain.rs`, and for a single ability with `plain_can_declare`;
//! `tests/plain.rs` compares them.

use cards::code::{Check, Facts, Hooks, KEPT, MINIBOSS_LEVELS, UnitId, Whose};
use cards::db::Def;
use cards::vocabulary::{EventWord, Kind, Phase, Status};

use crate::ask::Action;
use crate::code::occurrence::Occurrence;
use crate::code::query::{Board, Ctx};
use crate::fast::answers::{Answers, Sink};
use crate::fast::offers::Open;
use crate::flow::window::OFFERED;
use crate::model::id::*;
use crate::model::state::*;

/// The facts about timing, by phase; only these two have windows.
const TIMES: [Facts; Phase::COUNT] = {
    let any = Facts::A_TIME_TO_ACT.and(Facts::NO_SPELL_TO_ANSWER).and(Facts::NO_ROOM_TO_ANSWER);
    let mut times = [Facts(0); Phase::COUNT];
    times[Phase::Build as usize] = any.and(Facts::BUILD);
    times[Phase::Adventure as usize] = any.and(Facts::ADVENTURE);
    times
};

impl Board<'_> {
    /// Which of the alternatives are possible, one bit each.
    pub fn open_alternatives(&self, seat: Seat, card: CardId, ability: u8, cancel_only: bool) -> u8 {
        let facts = self.all_facts(seat, cancel_only);
        let can = |id: UnitId| self.can_use(id, seat, card, facts);
        let units = self.alternatives(card, ability).iter().take(8).enumerate();
        units.fold(0, |open, (i, unit)| open | u8::from(can(*unit)) << i)
    }

    /// Might the seat have a spell to cast or an ability to use?
    #[inline]
    fn has_uses(&self, seat: Seat) -> bool {
        self.s.pile_len(Place::spells(seat)) > 0
            || self.s.player(seat).hooks.has(Hooks::USED)
            || self.s.hooks.has(Hooks::OPEN)
            || self.db.hand_abilities && self.s.pile_len(Place::rooms(seat)) > 0
            || self.may_trade(seat)
    }

    /// Lists what the seat may answer in a window, passing included; `false` if it can only pass
    /// and the `cover` rule does not ask it anyway. `shared` are the facts common to all seats;
    /// `above` frames will be on top of the present ones while the seat is asked.
    #[inline(always)]
    pub fn moves(
        &self,
        seat: Seat,
        cancel_only: bool,
        shared: Facts,
        above: usize,
        out: &mut Answers,
    ) -> bool {
        if self.db.extras {
            return self.moves_and_extras(seat, cancel_only, shared, above, out);
        }
        let in_turn = !cancel_only & (self.s.phase == Phase::Build) & (seat == self.s.active);
        let places = in_turn & self.may_have_places(seat);
        let facts = self.facts(seat, shared.and(self.time(seat, cancel_only)));
        let open = self.s.offers[seat.index()].open(facts);
        let some = places | !open.is_empty() | self.has_unlisted(seat);
        (some || self.s.rules.cover && (in_turn || self.has_uses(seat)))
            && self.some_moves(seat, places, facts, open, above, out)
    }

    /// Might the seat have a spell or ability in play that is not among its offers?
    #[inline]
    fn has_unlisted(&self, seat: Seat) -> bool {
        self.s.offers[seat.index()].has_more() | self.s.hooks.has(Hooks::OPEN)
    }

    /// The same for games with hands, minibosses and items that can be used, or with coins.
    #[inline(never)]
    fn moves_and_extras(
        &self,
        seat: Seat,
        cancel_only: bool,
        shared: Facts,
        above: usize,
        out: &mut Answers,
    ) -> bool {
        let in_turn = !cancel_only & (self.s.phase == Phase::Build) & (seat == self.s.active);
        let places = in_turn & self.may_have_places(seat);
        let facts = self.facts(seat, shared.and(self.time(seat, cancel_only)));
        let open = self.s.offers[seat.index()].open(facts);
        let trades = !cancel_only & self.may_trade(seat);
        let unlisted = self.has_unlisted(seat) | self.has_extras(seat);
        let some = places | !open.is_empty() | unlisted | trades;
        if !some && !(self.s.rules.cover && (in_turn || self.has_uses(seat))) {
            return false;
        }
        out.forget();
        out.take(Action::Pass);
        if unlisted {
            self.each_use(seat, facts, above, out);
        } else if self.room_to_declare(above) {
            self.each_offer(seat, facts, open, out);
        }
        if places && self.may_place_now(seat) {
            self.each_build(seat, out);
        }
        if trades {
            self.each_trade(seat, &mut |action| out.take(action));
        }
        self.is_worth_asking(out)
    }

    /// Might the seat use a card in hand, a miniboss or an item?
    fn has_extras(&self, seat: Seat) -> bool {
        self.db.hand_abilities && self.s.pile_len(Place::rooms(seat)) > 0
            || !self.s.attached.is_empty()
            || self.db.items && self.usable_items(seat).next().is_some()
    }

    /// Might the seat promote a miniboss, discard a room for a coin or take back a portable room?
    /// Everybody can tell.
    #[inline]
    fn may_trade(&self, seat: Seat) -> bool {
        (self.db.coins | self.db.portable) && self.may_trade_now(seat)
    }

    #[cold]
    fn may_trade_now(&self, seat: Seat) -> bool {
        self.s.phase == Phase::Build
            && (self.may_sell(seat) && self.s.pile_len(Place::rooms(seat)) > 0
                || self.may_promote(seat) && !self.s.attached.is_empty()
                || self.may_take_back(seat))
    }

    fn may_take_back(&self, seat: Seat) -> bool {
        self.db.portable && seat == self.s.active && !self.s.trade.took_back.has(seat)
    }

    /// Rule 6.7: its owner may take the room back into hand. The word is part of the room's text.
    pub fn is_portable(&self, room: CardId) -> bool {
        self.is_active_room(room)
            && !self.s.has_minion(room)
            && (self.def(room).portable && !self.has_status(room, Status::Blank)
                || self.has_status(room, Status::Portable))
    }

    fn may_sell(&self, seat: Seat) -> bool {
        self.s.trade.open && !self.s.trade.sold.has(seat)
    }

    fn may_promote(&self, seat: Seat) -> bool {
        seat == self.s.active && self.s.coins(seat) > 0 && !self.s.trade.promoted.has(seat)
    }

    /// Promotions, rooms that can be discarded for a coin and rooms that can be taken back.
    #[cold]
    fn each_trade(&self, seat: Seat, out: &mut dyn FnMut(Action) -> bool) -> bool {
        if !self.may_trade_now(seat) {
            return true;
        }
        let promoted = |a: &&Attachment| {
            let host = self.s.card(a.host);
            host.place == Place::dungeon(seat)
                && !host.flags.has(Flags::DEACTIVATED)
                && (1..MINIBOSS_LEVELS).contains(&a.level)
                && !self.s.card(a.card).flags.has(Flags::NEW)
        };
        let mut promotes = self.s.attached.iter().filter(|_| self.may_promote(seat)).filter(promoted);
        promotes.all(|a| out(Action::Promote { card: a.card }))
            && (!self.may_sell(seat)
                || self
                    .s
                    .pile(Place::rooms(seat))
                    .filter(|card| self.def(*card).kind == Kind::Room)
                    .all(|card| out(Action::Sell { card })))
            && (!self.may_take_back(seat)
                || self
                    .s
                    .slots(seat)
                    .iter()
                    .filter(|room| self.is_portable(**room))
                    .all(|room| out(Action::TakeBack { card: *room })))
    }

    #[inline(never)]
    fn some_moves(
        &self,
        seat: Seat,
        places: bool,
        facts: Facts,
        open: Open,
        above: usize,
        out: &mut Answers,
    ) -> bool {
        out.forget();
        out.take(Action::Pass);
        if self.has_unlisted(seat) {
            self.each_use(seat, facts, above, out);
        } else if self.room_to_declare(above) {
            self.each_offer(seat, facts, open, out);
        }
        if places && self.may_place_now(seat) {
            self.each_build(seat, out);
        }
        self.is_worth_asking(out)
    }

    /// Is there more to choose than to pass? If not, the list is dropped.
    #[inline]
    fn is_worth_asking(&self, out: &mut Answers) -> bool {
        let some = out.count() > 1 || self.s.rules.cover;
        if !some {
            out.forget();
        }
        some
    }

    pub fn each_priority(&self, seat: Seat, cancel_only: bool, each: &mut dyn FnMut(Action) -> bool) {
        let out = &mut |action| each(action);
        let facts = self.all_facts(seat, cancel_only);
        let go_on = out.take(Action::Pass) && self.each_use(seat, facts, 0, out);
        let go_on = go_on && (cancel_only || !self.may_place_now(seat) || self.each_build(seat, out));
        if go_on && !cancel_only && self.may_trade(seat) {
            self.each_trade(seat, &mut |action| out.take(action));
        }
    }

    /// The spells the seat may cast and the abilities it may use now (rules 4.3, 4.4); `false` if
    /// `out` has stopped.
    #[inline]
    fn each_use(&self, seat: Seat, facts: Facts, above: usize, out: &mut impl Sink) -> bool {
        if !self.room_to_declare(above) {
            return true;
        }
        for card in self.s.pile(Place::spells(seat)) {
            let def = self.def(card);
            if facts.meet(def.needs)
                && self.can_cast(seat, card, def, facts)
                && !out.take(Action::Use { ability: 0, card })
            {
                return false;
            }
        }
        if self.db.items && !self.each_item(seat, facts, out) {
            return false;
        }
        let player = self.s.player(seat);
        if player.hooks.has(Hooks::USED) {
            let mut offer = |card: CardId| {
                let def = self.text(card);
                let usable = def.hooks.has(Hooks::USED) & facts.meet(def.needs);
                !usable || self.each_ability(seat, card, def, facts, out)
            };
            let boss = player.levelled && player.boss.exists();
            if !self.s.slots(seat).iter().all(|card| offer(*card)) || boss && !offer(player.boss) {
                return false;
            }
            let theirs = |a: &&Attachment| self.s.card(a.host).place == Place::dungeon(seat);
            if !self.s.attached.iter().filter(theirs).all(|attachment| offer(attachment.card)) {
                return false;
            }
        }
        if self.db.hand_abilities {
            for card in self.s.pile(Place::rooms(seat)) {
                let def = self.def(card);
                let usable = def.hooks.has(Hooks::FROM_HAND) && facts.meet(def.needs);
                if usable && !self.each_ability(seat, card, def, facts, out) {
                    return false;
                }
            }
        }
        !self.s.hooks.has(Hooks::OPEN) || self.each_open_use(seat, facts, out)
    }

    /// The items the seat may use (rule 8.5).
    #[cold]
    fn each_item(&self, seat: Seat, facts: Facts, out: &mut impl Sink) -> bool {
        self.usable_items(seat).all(|card| {
            let def = self.def(card);
            let can = |id: &UnitId| self.can_use(*id, seat, card, facts);
            !facts.meet(def.needs) || !def.play.iter().any(can) || out.take(Action::Use { ability: 0, card })
        })
    }

    /// The items that may be used as another one is claimed (rule 8.4).
    pub fn each_item_use(&self, seat: Seat, each: &mut dyn FnMut(Action) -> bool) {
        self.each_item(seat, self.all_facts(seat, false), &mut |action| each(action));
    }

    /// The same, if everything is among the seat's offers.
    #[inline(always)]
    fn each_offer(&self, seat: Seat, facts: Facts, open: Open, out: &mut Answers) {
        let offers = &self.s.offers[seat.index()];
        for card in open.spells().map(|at| offers.card(at)) {
            let def = self.def(card);
            if facts.meet(def.needs) && self.can_cast(seat, card, def, facts) {
                out.take(Action::Use { ability: 0, card });
            }
        }
        for card in open.rooms().map(|at| offers.card(at)) {
            self.each_ability(seat, card, self.text(card), facts, out);
        }
    }

    /// Abilities of other players' cards, and of heroes, that the seat may use.
    #[inline(never)]
    fn each_open_use(&self, seat: Seat, facts: Facts, out: &mut impl Sink) -> bool {
        let mut go_on = true;
        self.visible_sources(Hooks::OPEN, |_, card, def| {
            // Cheaper than whether its text works.
            if !facts.meet(def.needs) {
                return;
            }
            let place = self.s.card(card).place;
            let host = || self.s.host(card).map(|host| self.s.card(host).place);
            let own = place == Place::dungeon(seat)
                || place == Place::boss(seat)
                || place == Place::ATTACHED && host() == Some(Place::dungeon(seat));
            let blank = || self.has_status(card, Status::Blank);
            go_on = go_on && (own || blank() || self.each_ability(seat, card, def, facts, out));
        });
        go_on && self.each_lasting_use(seat, facts, out)
    }

    /// Abilities that the seat may use once until end of turn.
    fn each_lasting_use(&self, seat: Seat, facts: Facts, out: &mut impl Sink) -> bool {
        self.s.lasting.iter().enumerate().all(|(index, lasting)| {
            let Lasting { source, kept, you, kind: LastingKind::Offer(unit) } = *lasting else { return true };
            let Some(card) = source.as_card().filter(|_| you == seat) else { return true };
            let mut code = Code { unit, source, you, ..Code::EMPTY };
            code.regs[..KEPT].copy_from_slice(&kept);
            let possible = facts.meet(self.db.unit(unit).needs) && self.can_finish(&code);
            !possible || out.take(Action::Use { ability: OFFERED + index as u8, card })
        })
    }

    /// Can the spell be cast in any of its alternatives? What all of them need has been checked.
    #[inline]
    fn can_cast(&self, seat: Seat, card: CardId, def: &Def, facts: Facts) -> bool {
        let can = |id: &UnitId| self.can_use(*id, seat, card, facts);
        (def.needs_tell_all || def.play.iter().any(can))
            && !self.forbidden(&Occurrence::new(EventWord::Cast, self.s.ref_of(card), seat))
    }

    /// The abilities of one card; the first alternative stands for all of them.
    fn each_ability(&self, seat: Seat, card: CardId, def: &Def, facts: Facts, out: &mut impl Sink) -> bool {
        let can = |id: &UnitId| self.can_use(*id, seat, card, facts);
        for (ability, id) in def.activated.iter().enumerate() {
            let (ability, unit) = (ability as u8, self.db.unit(*id));
            let possible = self.works(seat, card, unit)
                && match unit.option {
                    None => can(id),
                    Some(0) => self.alternatives(card, ability).iter().any(can),
                    Some(_) => false,
                };
            if possible && !out.take(Action::Use { ability, card }) {
                return false;
            }
        }
        true
    }

    /// The facts about timing. In a cancel round, a declared spell can be answered by a cancel, and
    /// the ability of a room by what blanks the room, if `you` is the active player.
    #[inline]
    fn time(&self, you: Seat, cancel_only: bool) -> Facts {
        let phase = TIMES[self.s.phase as usize];
        if !cancel_only {
            return phase;
        }
        match self.s.pending.last() {
            Some(newest) if !self.is_spell(&newest.code) && you == self.s.active => {
                phase.without(Facts::NO_ROOM_TO_ANSWER)
            }
            Some(newest) if !self.is_spell(&newest.code) => Facts::default(),
            _ => phase.without(Facts::NO_SPELL_TO_ANSWER),
        }
    }

    /// All facts for the seat.
    fn all_facts(&self, seat: Seat, cancel_only: bool) -> Facts {
        self.facts(seat, self.shared_facts().and(self.time(seat, cancel_only)))
    }

    /// The facts common to all seats.
    #[inline]
    pub fn shared_facts(&self) -> Facts {
        let s = self.s;
        // Only the active player's dungeon can have a hero inside.
        let inside = s.pile_len(Place::inside(s.active)) > 0;
        Facts::room(s.hooks)
            .and_if(s.pile_len(Place::TOWN) > 0, Facts::HERO_IN_TOWN)
            .and_if(!s.pending.is_empty(), Facts::DECLARED)
            .and_if(s.pile_len(Place::DISCARD) > 0, Facts::CARD_IN_DISCARD)
            .and_if(inside, Facts::hero_inside(Whose::Anyones))
            .and_if(s.scorers.0 != 0, Facts::soul(Whose::Anyones))
    }

    /// The shared facts, and those of this seat.
    #[inline]
    fn facts(&self, you: Seat, shared: Facts) -> Facts {
        const ROOMS: [Facts; 3] = [Facts(0), Facts::A_ROOM, Facts::A_ROOM.and(Facts::TWO_ROOMS)];
        const SPELLS: [Facts; 3] = [Facts(0), Facts::A_SPELL, Facts::A_SPELL.and(Facts::TWO_SPELLS)];
        let s = self.s;
        let active = s.active == you;
        // A hero is in the active player's dungeon or in none.
        let inside = shared.meet(Facts::hero_inside(Whose::Anyones));
        let mine = SeatSet::only(you);
        shared
            .and(ROOMS[s.pile_len(Place::rooms(you)).min(2)])
            .and(SPELLS[s.pile_len(Place::spells(you)).min(2)])
            .and(Facts::your_room(s.player(you).hooks))
            .and_if(s.coins(you) > 0, Facts::A_COIN)
            .and_if(inside & active, Facts::hero_inside(Whose::Yours))
            .and_if(inside & !active, Facts::hero_inside(Whose::Others))
            .and_if(s.scorers.0 & mine.0 != 0, Facts::soul(Whose::Yours))
            .and_if(s.scorers.0 & !mine.0 != 0, Facts::soul(Whose::Others))
    }

    /// May it be declared?
    #[inline]
    fn can_use(&self, id: UnitId, seat: Seat, card: CardId, facts: Facts) -> bool {
        let unit = self.db.unit(id);
        facts.meet(unit.needs)
            && (unit.needs_tell_all() && !self.s.hooks.has(Hooks::IGNORES)
                || self.can_declare(id, seat, card))
    }

    /// Its limit is not used up, every requirement holds, every target has a candidate, every cost
    /// can be paid; the unit's `needs` have been checked.
    fn can_declare(&self, id: UnitId, seat: Seat, card: CardId) -> bool {
        let (unit, this) = (self.db.unit(id), self.s.ref_of(card));
        let ctx = Ctx::of(seat, this);
        (unit.limit.is_none() || self.has_use(id, this, Ref::NOTHING))
            && unit.checks.iter().all(|check| self.passes(check, &ctx))
            && (!(unit.chained || self.s.hooks.has(Hooks::IGNORES) || unit.vacant && self.minions_are_out())
                || self.can_finish(&Code { unit: id, source: this, you: seat, ..Code::EMPTY }))
    }

    fn passes(&self, check: &Check, ctx: &Ctx) -> bool {
        let s = self.s;
        match *check {
            Check::ThisActive => s.present(ctx.this).is_some_and(|room| self.is_active_room(room)),
            Check::HeroInThis => self.hero_in(ctx.this).is_some(),
            Check::Rooms { adjectives, who, count } => {
                self.has_rooms(adjectives, self.who(ctx, who), ctx.this, usize::from(count))
            }
            Check::Soul(who) => s.scorers.and(self.who(ctx, who)) != SeatSet::EMPTY,
            Check::Require(cond) => self.cond(cond, ctx),
            Check::Candidates { query, count } => self.at_least(query, ctx, usize::from(count)),
        }
    }
}
