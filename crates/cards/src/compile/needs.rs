//! What an ability needs to be declared, derived from the targets and costs of its code.

use super::Compiler;
use crate::code::*;
use crate::db::{CardDb, Def};
use crate::tree::{Act, Cond, Num, Operand, Quant, Sel, Selector};
use crate::vocabulary::{Adjective, Adjectives, Comparison, Kind, Noun, Points, Subtype, Verb, Zone, Zones};

/// What every spell or ability of the card needs.
pub(super) fn shared_needs(db: &mut CardDb, def: &Def) -> Facts {
    for id in &def.play {
        let unit = &mut db.units[id.index()];
        unit.needs = unit.needs.and(Facts::in_phase(|phase| def.castable_in(phase)));
    }
    let needs = def.play.iter().chain(&def.activated).map(|id| db.units[id.index()].needs);
    needs.reduce(Facts::shared).unwrap_or_default()
}

/// The one kind of room that the adjectives ask for, if it is one.
fn kind_of(adjectives: Adjectives) -> Option<Hooks> {
    let kinds = [
        (Adjective::Subtype(Subtype::Monster), Hooks::MONSTER),
        (Adjective::Subtype(Subtype::Trap), Hooks::TRAP),
        (Adjective::Advanced, Hooks::ADVANCED),
        (Adjective::Ordinary, Hooks::ORDINARY),
    ];
    if adjectives.is_empty() {
        return Some(Hooks::ROOM);
    }
    let only = |adjective| adjectives == Adjectives::default().with(adjective);
    kinds.into_iter().find(|(adjective, _)| only(*adjective)).map(|(_, kind)| kind)
}

/// What must be there to pay with, if it takes several cards; for one, the choice itself is enough.
pub(super) fn enough_for(act: &Act) -> Option<Cond> {
    let Act::Simple { op: Operand { sel: Sel::Selector(selector), .. }, .. } = act else { return None };
    let Quant::Count(count) = selector.quant else { return None };
    let each = Selector { quant: Quant::Bare, ..(**selector).clone() };
    let there = Num::Count(Sel::Selector(Box::new(each)));
    Some(Cond::Compare(there, Comparison::AtLeast, Num::Int(count)))
}

impl Compiler<'_> {
    /// Does a choice of the declaration depend on an earlier one?
    pub(super) fn is_chained(&self, declared: u16) -> bool {
        let ops = &self.db.ops[self.start..self.start + usize::from(declared)];
        ops.iter().any(|op| match op {
            Op::Choose { query, .. } | Op::Random { query, .. } => self.uses_register(*query),
            _ => false,
        })
    }

    /// What an act asks of a choice, which may come long before. Rule 14.5: what will be destroyed, taken back or
    /// covered is chosen among rooms without a minion. Rule 8.5: an item is copied only in its phase.
    pub(super) fn ask_of_choices(&mut self) {
        let ops = &self.db.ops[self.start..];
        let mut choices = Vec::new();
        for (at, op) in ops.iter().enumerate() {
            let (on, asked) = match op {
                Op::Act { verb: Verb::Destroy | Verb::Uncover, on } | Op::Take { on, .. } => {
                    (on, Asked::Vacant)
                }
                Op::Copy { on } => (on, Asked::InTime),
                _ => continue,
            };
            let Slot::Reg(acted) = on.slot else { continue };
            // The last choice of that register before the act.
            let choice = ops[..at].iter().rev().find_map(|op| match *op {
                Op::Choose { reg, count, query, .. } | Op::Random { reg, count, query } => {
                    (reg..reg + count).contains(&acted).then_some(query)
                }
                Op::Each { reg, query, .. } => (reg == acted).then_some(query),
                _ => None,
            });
            choices.extend(choice.map(|query| (query, asked)));
        }
        for (query, asked) in choices {
            if let Query::Selector(selector) = &mut self.db.queries[query.index()]
                && selector.asked == Asked::Nothing
                && match asked {
                    Asked::InTime => selector.noun == Noun::Item,
                    _ => selector.may_be_in(Zone::Dungeon),
                }
            {
                selector.asked = asked;
            }
        }
    }

    /// Does the declaration choose a room on which no minion may stand?
    pub(super) fn needs_vacant(&self, declared: u16) -> bool {
        let ops = &self.db.ops[self.start..self.start + usize::from(declared)];
        ops.iter().any(|op| match op {
            Op::Choose { query, .. } | Op::Random { query, .. } => {
                matches!(self.db.queries[query.index()],
                    Query::Selector(selector) if selector.asked == Asked::Vacant)
            }
            Op::Act { verb: Verb::Destroy, on } => on.slot == Slot::This,
            _ => false,
        })
    }

    fn uses_register(&self, query: QueryId) -> bool {
        let but = match self.db.queries[query.index()] {
            Query::Selector(selector) => selector.but,
            Query::Slot(_) => None,
        };
        but.is_some_and(|slot| slot.register().is_some()) || self.place_uses_register(query)
    }

    /// Does the place depend on an earlier choice? Then nothing can be found before it is made.
    fn place_uses_register(&self, query: QueryId) -> bool {
        self.db.queries[query.index()].place().is_some_and(|slot| slot.register().is_some())
    }

    /// What the ability needs to be declared, derived from its declaration.
    pub(super) fn checks(&self, kind: UnitKind, declared: u16) -> (Facts, Vec<Check>) {
        let (mut needs, mut checks) = (Facts::A_TIME_TO_ACT, Vec::new());
        for op in &self.db.ops[self.start..self.start + usize::from(declared)] {
            match *op {
                Op::Require(cond) => match self.coins_required(cond) {
                    Some(1) => needs = needs.and(Facts::A_COIN),
                    required => {
                        needs = needs.and_if(required.is_some(), Facts::A_COIN);
                        checks.push(Check::Require(cond));
                    }
                },
                // What depends on an earlier choice is checked once that choice is made.
                Op::Choose { query, .. } | Op::Random { query, .. } if self.place_uses_register(query) => {}
                Op::Choose { query, count, .. } | Op::Random { query, count, .. } => {
                    let (fact, check) = self.candidates(kind, query, count);
                    needs = needs.and(fact);
                    checks.extend(check);
                }
                // A room in play is active if its ability is offered at all.
                Op::Act { verb: Verb::Destroy, on: OperandCode { slot: Slot::This, .. } }
                    if self.card.kind != Kind::Room || self.from_hand =>
                {
                    checks.push(Check::ThisActive);
                }
                _ => {}
            }
        }
        checks.sort_by_key(|check| match check {
            Check::Candidates { .. } => 2,
            Check::Require(_) | Check::Rooms { .. } | Check::Soul(_) => 1,
            _ => 0,
        });
        (needs, checks)
    }

    /// How many coins you must have, if the condition asks for that.
    fn coins_required(&self, cond: CondId) -> Option<i16> {
        let CondCode::Compare(coins, Comparison::AtLeast, amount) = self.db.conds[cond.index()] else {
            return None;
        };
        match (self.db.nums[coins.index()], self.db.nums[amount.index()]) {
            (NumCode::Points(Points::Coins, WhoCode::You), NumCode::Int(amount)) if amount > 0 => {
                Some(amount)
            }
            _ => None,
        }
    }

    /// Needs `count` candidates: a fact, and a check if the fact is not enough.
    fn candidates(&self, kind: UnitKind, query: QueryId, count: u8) -> (Facts, Option<Check>) {
        let any = Some(Check::Candidates { query, count });
        let nothing = Facts::default();
        let Query::Selector(selector) = self.db.queries[query.index()] else { return (nothing, any) };
        let (zones, who) = match selector.site {
            SiteCode::In { zones, who } => (zones, who),
            SiteCode::InRoom(Slot::This) if selector.noun == Noun::Hero && selector.is_plain() => {
                let whose = if self.user == User::Owner { Whose::Yours } else { Whose::Anyones };
                return (Facts::hero_inside(whose), Some(Check::HeroInThis));
            }
            _ => return (nothing, any),
        };
        let whose = match who {
            WhoCode::You => Some(Whose::Yours),
            WhoCode::Opponents => Some(Whose::Others),
            WhoCode::Everyone => Some(Whose::Anyones),
            _ => None,
        };
        let only = |zone| zones == Zones::default().with(zone);
        let (one, plain) = (count == 1, selector.is_plain());
        match (selector.noun, whose) {
            (Noun::Hero, Some(whose)) if plain && one && only(Zone::Dungeon) => {
                (Facts::hero_inside(whose), None)
            }
            (Noun::Hero, _) if plain && one && only(Zone::Town) => (Facts::HERO_IN_TOWN, None),
            (Noun::Card, _) if plain && one && only(Zone::Discard) => (Facts::CARD_IN_DISCARD, None),
            (Noun::Soul, whose) if plain && one && only(Zone::Scoring) => match whose {
                Some(whose) => (Facts::soul(whose), None),
                None => (nothing, Some(Check::Soul(who))),
            },
            (Noun::Room, _) if selector.narrows_by_kind() && only(Zone::Dungeon) => {
                let adjectives = selector.adjectives;
                let fact = match (whose, kind_of(adjectives)) {
                    (Some(Whose::Yours), Some(kind)) => Some(Facts::your_room(kind)),
                    (Some(Whose::Anyones), Some(kind)) => Some(Facts::room(kind)),
                    _ => None,
                };
                let exact = Some(Check::Rooms { adjectives, who, count });
                (fact.unwrap_or_default(), exact.filter(|_| fact.is_none() || !one))
            }
            (Noun::Room, Some(Whose::Yours)) if only(Zone::Hand) => {
                let fact = if one { Facts::A_ROOM } else { Facts::TWO_ROOMS };
                // A hand of minibosses holds no room.
                (fact, any.filter(|_| !plain || count > 2 || self.db.minibosses))
            }
            (Noun::Miniboss, Some(Whose::Yours)) if only(Zone::Hand) => (Facts::A_ROOM, any),
            (Noun::Spell, Some(Whose::Yours)) if only(Zone::Hand) => {
                // The spell itself is in the hand when this is checked.
                let fact = if kind == UnitKind::Play { Facts::TWO_SPELLS } else { Facts::A_SPELL };
                (fact, any.filter(|_| !plain || !one))
            }
            (Noun::Spell, _) if only(Zone::Pending) => (Facts::DECLARED, any),
            _ => (nothing, any),
        }
    }
}
