//! What is about to happen, and whether a rule or an ability speaks of it: what is forbidden, what is
//! allowed where the usual rules do not, and the patterns both are written in.

use cards::code::*;
use cards::vocabulary::{EventWord, Zone};

use crate::code::query::{Board, Ctx};
use crate::model::id::*;

/// Something that is about to happen, matched against rules that forbid it and abilities that wait
/// for it.
#[derive(Clone, Copy)]
pub(crate) struct Occurrence {
    pub word: EventWord,
    pub subject: Ref,
    /// The room it happens in or on.
    pub room: Ref,
    /// The owner of the dungeon entered or survived.
    pub dungeon: Seat,
    /// The owner of the entrance that a hero comes to.
    pub entrance: Seat,
    pub actor: Seat,
    pub cause: Cause,
    /// The subject as it will be afterwards, where the event moves it.
    pub then: Ref,
    /// Where in that dungeon a room is built, counted from the boss.
    pub slot: Option<u8>,
    /// The subject lies face down, and is meant as if it were still in hand.
    pub facedown: bool,
}

/// The card that caused something, and its player.
#[derive(Clone, Copy)]
pub(crate) struct Cause {
    pub card: Ref,
    pub you: Seat,
}

impl Cause {
    pub const NONE: Cause = Cause { card: Ref::NOTHING, you: Seat::NONE };
}

impl Occurrence {
    pub fn new(word: EventWord, subject: Ref, actor: Seat) -> Occurrence {
        let cause = Cause::NONE;
        let (room, dungeon, entrance) = (Ref::NOTHING, Seat::NONE, Seat::NONE);
        let (then, slot, facedown) = (subject, None, false);
        Occurrence { word, subject, room, dungeon, entrance, actor, cause, then, slot, facedown }
    }
}

impl Board<'_> {
    /// Does any rule in force forbid it?
    #[inline]
    pub fn forbidden(&self, what: &Occurrence) -> bool {
        self.s.hooks.has(Hooks::forbids(what.word)) && self.some_rule_forbids(what)
    }

    fn some_rule_forbids(&self, what: &Occurrence) -> bool {
        let mut forbidden = false;
        self.sources(Hooks::forbids(what.word), |seat, source, def| {
            let ctx = Ctx::of(seat, self.s.ref_of(source));
            forbidden |= def.rules.iter().any(|rule| self.rule_forbids(*rule, &ctx, what));
        });
        forbidden
            || self.s.lasting.iter().any(|lasting| {
                let ctx = Ctx { regs: &lasting.kept, ..Ctx::of(lasting.you, lasting.source) };
                lasting.rule().is_some_and(|rule| self.rule_forbids(rule, &ctx, what))
            })
    }

    pub fn rule_forbids(&self, rule: RuleId, ctx: &Ctx, what: &Occurrence) -> bool {
        let rule = &self.db.rules[rule.index()];
        let RuleKindCode::Forbid(pattern) = rule.kind else { return false };
        self.is_meant(pattern, ctx, what) && rule.during.is_none_or(|cond| self.cond(cond, ctx))
    }

    /// What allows building where the usual rules do not: a lasting rule, or a card in play
    /// (`None`).
    pub fn allowed(&self, what: &Occurrence) -> Option<Option<usize>> {
        let allows = |rule: RuleId, ctx: &Ctx| {
            let rule = &self.db.rules[rule.index()];
            matches!(rule.kind, RuleKindCode::Allow(pattern) if self.is_meant(pattern, ctx, what))
                && rule.during.is_none_or(|cond| self.cond(cond, ctx))
        };
        let mut by_card = false;
        self.sources(Hooks::ALLOWS, |seat, source, def| {
            let ctx = Ctx::of(seat, self.s.ref_of(source));
            by_card |= def.rules.iter().any(|rule| allows(*rule, &ctx));
        });
        if by_card {
            return Some(None);
        }
        let lasting = self.s.lasting.iter().position(|l| {
            let ctx = Ctx { regs: &l.kept, ..Ctx::of(l.you, l.source) };
            l.rule().is_some_and(|rule| allows(rule, &ctx))
        });
        lasting.map(Some)
    }

    /// Does the card's own text let the seat build it on this room of its dungeon?
    pub fn allows_itself(&self, seat: Seat, room: CardId, top: CardId) -> bool {
        let def = self.def(room);
        def.hooks.has(Hooks::BUILT_FREELY) && {
            let this = self.s.ref_of(room);
            let mut what = Occurrence::new(EventWord::Built, this, seat);
            what.room = self.s.ref_of(top);
            (what.dungeon, what.slot) = (seat, self.slot_of(top).map(|slot| slot as u8));
            let ctx = Ctx::of(seat, this);
            def.own_building.iter().any(|rule| {
                let rule = &self.db.rules[rule.index()];
                matches!(rule.kind, RuleKindCode::Allow(pattern) if self.is_meant(pattern, &ctx, &what))
                    && rule.during.is_none_or(|cond| self.cond(cond, &ctx))
            })
        }
    }

    /// What is left in the market is meant only where `in market` is written: it is discarded by
    /// nobody.
    fn comes_from_there(&self, query: QueryId, card: Ref) -> bool {
        let left_over = card.as_card().is_some_and(|card| self.s.card(card).place == Place::MARKET);
        !left_over
            || matches!(&self.db.queries[query.index()],
                Query::Selector(SelectorCode { site: SiteCode::In { zones, .. }, .. })
                    if zones.has(Zone::Market))
    }

    /// Is a room built directly left or right of this one?
    fn is_beside(&self, room: Ref, what: &Occurrence) -> bool {
        let room = self.s.present(room).filter(|room| self.is_active_room(*room));
        let at = room.filter(|room| self.s.card(*room).place.is_of(what.dungeon));
        let slot = at.and_then(|room| self.slot_of(room));
        slot.zip(what.slot).is_some_and(|(one, two)| one.abs_diff(usize::from(two)) == 1)
    }

    /// Does the pattern match?
    pub fn is_meant(&self, pattern: PatternId, ctx: &Ctx, what: &Occurrence) -> bool {
        let (words, subject, object, by, because) = match self.db.patterns[pattern.index()] {
            PatternCode::Happens { words, subject, object, by, because } => {
                (words, subject, object, by, because)
            }
            PatternCode::CoinGained(by) => {
                return what.word == EventWord::Gained
                    && by.is_none_or(|who| self.who(ctx, who).has(what.actor));
            }
            PatternCode::TurnDraw | PatternCode::EndOfTurn | PatternCode::StartOfBuild => return false,
        };
        // The object is usually `this`, which is cheap to check.
        words.has(what.word)
            && (what.word != EventWord::Discarded || self.comes_from_there(subject, what.subject))
            && match object {
                None => true,
                Some(ObjectCode::Room(query)) => self.matches(query, ctx, what.room),
                Some(ObjectCode::Beside(slot)) => self.is_beside(self.slot(ctx, slot), what),
                Some(ObjectCode::DungeonOf(who)) => {
                    what.dungeon.exists() && self.who(ctx, who).has(what.dungeon)
                }
                Some(ObjectCode::EntranceOf(who)) => {
                    what.entrance.exists() && self.who(ctx, who).has(what.entrance)
                }
            }
            && (self.matches(subject, ctx, what.subject)
                || what.facedown && self.matches_facedown(subject, ctx, what.subject))
            && by.is_none_or(|who| what.actor.exists() && self.who(ctx, who).has(what.actor))
            && match because {
                None => true,
                Some(CauseCode::Who(who)) => {
                    what.cause.you.exists() && self.who(ctx, who).has(what.cause.you)
                }
                Some(CauseCode::Card(query)) => {
                    // The cause may already have left its place, so only what the card is counts.
                    let card = what.cause.card.as_card();
                    card.is_some_and(|card| self.names_card(query, ctx, card))
                }
            }
    }
}
