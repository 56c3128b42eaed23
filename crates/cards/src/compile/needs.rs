//! What must be so for an ability to be declared, read off the targets and costs of its code.

use super::Compiler;
use crate::code::*;
use crate::db::{CardDb, Def};
use crate::tree::{Adjective, Kind, Noun, Zone};

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
        (Adjective::Monster, Hooks::MONSTER),
        (Adjective::Trap, Hooks::TRAP),
        (Adjective::Advanced, Hooks::ADVANCED),
        (Adjective::Ordinary, Hooks::ORDINARY),
    ];
    if adjectives.is_empty() {
        return Some(Hooks::ROOM);
    }
    let only = |adjective| adjectives == Adjectives::default().with(adjective);
    kinds.into_iter().find(|(adjective, _)| only(*adjective)).map(|(_, kind)| kind)
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

    fn uses_register(&self, query: QueryId) -> bool {
        let in_slot = |slot: Slot| matches!(slot, Slot::Reg(_));
        let in_who = |who: WhoCode| matches!(who, WhoCode::Player(s) | WhoCode::OwnerOf(s) if in_slot(s));
        match self.db.queries[query.index()] {
            Query::Slot(slot) => in_slot(slot),
            Query::Those(those) => {
                those.but.is_some_and(in_slot)
                    || match those.site {
                        SiteCode::Anywhere => false,
                        SiteCode::In { who, .. } => in_who(who),
                        SiteCode::InRoom(s) | SiteCode::LeftOf(s) | SiteCode::RightOf(s) => in_slot(s),
                        SiteCode::Beside(s) => in_slot(s),
                    }
            }
        }
    }

    /// What must be so for the ability to be declared, read off the declaration.
    pub(super) fn checks(&self, kind: UnitKind, declared: u16) -> (Facts, Vec<Check>) {
        let (mut needs, mut checks) = (Facts::A_TIME_TO_ACT, Vec::new());
        for op in &self.db.ops[self.start..self.start + usize::from(declared)] {
            match *op {
                Op::Require(cond) => checks.push(Check::Require(cond)),
                Op::Choose { query, count, .. } | Op::Random { query, count, .. } => {
                    let (fact, check) = self.candidates(kind, query, count);
                    needs = needs.and(fact);
                    checks.extend(check);
                }
                // A room of the table is active when its ability is offered at all.
                Op::Act { verb: ActVerb::Destroy, on: Operand { slot: Slot::This, .. } }
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

    /// That there are so many candidates: a fact to begin with, and a check where that is not all.
    fn candidates(&self, kind: UnitKind, query: QueryId, count: u8) -> (Facts, Option<Check>) {
        let any = Some(Check::Candidates { query, count });
        let nothing = Facts::default();
        let Query::Those(those) = self.db.queries[query.index()] else { return (nothing, any) };
        let (zones, who) = match those.site {
            SiteCode::In { zones, who } => (zones, who),
            SiteCode::InRoom(Slot::This) if those.noun == Noun::Hero && those.is_plain() => {
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
        let (one, plain) = (count == 1, those.is_plain());
        match (those.noun, whose) {
            (Noun::Hero, Some(whose)) if plain && one && only(Zone::Dungeon) => {
                (Facts::hero_inside(whose), None)
            }
            (Noun::Hero, _) if plain && one && only(Zone::Town) => (Facts::HERO_IN_TOWN, None),
            (Noun::Card, _) if plain && one && only(Zone::Discard) => (Facts::CARD_IN_DISCARD, None),
            (Noun::Soul, whose) if plain && one && only(Zone::Scoring) => match whose {
                Some(whose) => (Facts::soul(whose), None),
                None => (nothing, Some(Check::Soul(who))),
            },
            (Noun::Room, _) if those.narrows_by_kind() && only(Zone::Dungeon) => {
                let adjectives = those.adjectives;
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
                (fact, any.filter(|_| !plain || count > 2))
            }
            (Noun::Spell, Some(Whose::Yours)) if only(Zone::Hand) => {
                // A spell is in the hand itself when this is asked.
                let fact = if kind == UnitKind::Play { Facts::TWO_SPELLS } else { Facts::A_SPELL };
                (fact, any.filter(|_| !plain || !one))
            }
            (Noun::Spell, _) if only(Zone::Pending) => (Facts::DECLARED, any),
            _ => (nothing, any),
        }
    }
}
