//! The parts that statements are made of: selectors, places, players, numbers and conditions.

use super::{CompileError, Compiler, Result, push};
use crate::code::*;
use crate::tree::{
    Adjective, Adjectives, Cause, Cond, IconSite, Name, Noun, Num, Place, Quant, Ref, Sel, Site, Who, Zone,
    Zones,
};

impl Compiler<'_> {
    pub(super) fn query(&mut self, sel: &Sel) -> Result<QueryId> {
        let query = match sel {
            Sel::Ref(r) => Query::Slot(self.slot(r)?),
            Sel::Selector(selector) => {
                let site = match &selector.site {
                    None => SiteCode::Anywhere,
                    Some(Site::In(place)) => self.place(place)?,
                    Some(Site::InRef(Ref::Name(name))) if selector.noun != Noun::Hero => {
                        let (reg, count) = self.lookup(name)?;
                        SiteCode::Among { reg, count }
                    }
                    Some(Site::InRef(r)) => SiteCode::InRoom(self.slot(r)?),
                    Some(Site::On(r)) => SiteCode::On(self.slot(r)?),
                    Some(Site::LeftOf(r)) => SiteCode::LeftOf(self.slot(r)?),
                    Some(Site::RightOf(r)) => SiteCode::RightOf(self.slot(r)?),
                    Some(Site::Beside(r)) => SiteCode::Beside(self.slot(r)?),
                    Some(Site::Under(r)) => SiteCode::Under(self.slot(r)?),
                };
                let adjectives: Adjectives = selector.adjectives.iter().copied().collect();
                let strange_hand = matches!(site, SiteCode::In { zones, who }
                    if zones == Zones::only(Zone::Hand) && who != WhoCode::You);
                let unseen = adjectives.has(Adjective::Facedown) || strange_hand;
                self.db.tells_new |= selector.adjectives.contains(&Adjective::New);
                Query::Selector(SelectorCode {
                    noun: selector.noun,
                    adjectives,
                    site,
                    backs: self.db.minibosses && selector.noun == Noun::Room && unseen,
                    but: selector.but.as_ref().map(|r| self.slot(r)).transpose()?,
                    cond: selector.cond.as_ref().map(|cond| self.cond(cond)).transpose()?,
                    pick: match selector.quant {
                        Quant::First => PickCode::First,
                        Quant::Leading(n) => PickCode::Leading(n),
                        Quant::Last => PickCode::Last,
                        _ => PickCode::Any,
                    },
                    asked: Asked::Nothing,
                })
            }
        };
        Ok(QueryId(push(&mut self.db.queries, query)))
    }

    pub(super) fn place(&mut self, place: &Place) -> Result<SiteCode> {
        let zones = place.zones.iter().copied().collect();
        Ok(SiteCode::In { zones, who: self.who_or_you(&place.of)? })
    }

    pub(super) fn who_or_you(&mut self, who: &Option<Who>) -> Result<WhoCode> {
        who.as_ref().map_or(Ok(WhoCode::You), |who| self.who(who))
    }

    pub(super) fn who(&mut self, who: &Who) -> Result<WhoCode> {
        Ok(match who {
            Who::You | Who::Ref(Ref::You) => WhoCode::You,
            Who::Opponent => WhoCode::Opponents,
            Who::Player | Who::Any => WhoCode::Everyone,
            Who::Ref(Ref::OwnerOf(r)) => WhoCode::OwnerOf(self.slot(r)?),
            Who::Ref(r) => WhoCode::Player(self.slot(r)?),
        })
    }

    pub(super) fn cause(&mut self, cause: &Cause) -> Result<CauseCode> {
        Ok(match cause {
            Cause::Who(who) => CauseCode::Who(self.who(who)?),
            Cause::Card(sel) => CauseCode::Card(self.query(sel)?),
        })
    }

    pub(super) fn slot(&self, r: &Ref) -> Result<Slot> {
        Ok(match r {
            Ref::This => Slot::This,
            Ref::It => Slot::It,
            Ref::You => Slot::You,
            Ref::Name(name) => Slot::Reg(self.lookup(name)?.0),
            Ref::OwnerOf(_) => return Err(self.misplaced("`owner of`")),
            Ref::Host | Ref::HostOf(_) => match self.lookup_host(r) {
                Some(reg) => Slot::Reg(reg),
                None => self.host(r)?,
            },
        })
    }

    /// A host as it is read now.
    pub(super) fn host(&self, r: &Ref) -> Result<Slot> {
        let of = match r {
            Ref::HostOf(of) => self.slot(of)?,
            _ => Slot::This,
        };
        Ok(match of {
            Slot::This => Slot::Host,
            Slot::It => Slot::HostOfIt,
            Slot::Reg(reg) => Slot::HostOf(reg),
            _ => return Err(self.misplaced("this `host of`")),
        })
    }

    /// A host that what lasts has kept, under its own words for a name.
    fn lookup_host(&self, r: &Ref) -> Option<u8> {
        let words = r.to_string();
        self.names.iter().rev().find(|(text, ..)| *text == words).map(|(_, reg, _)| *reg)
    }

    pub(super) fn count_of(&self, r: &Ref) -> u8 {
        match r {
            Ref::Name(name) => self.lookup(name).map_or(1, |(_, count)| count),
            _ => 1,
        }
    }

    pub(super) fn lookup(&self, name: &Name) -> Result<(u8, u8)> {
        let found = self.names.iter().rev().find(|(text, ..)| *text == name.text);
        found
            .map(|(_, reg, count)| (*reg, *count))
            .ok_or_else(|| CompileError::Unbound { card: self.card.name.clone(), name: name.text.clone() })
    }

    pub(super) fn num(&mut self, num: &Num) -> Result<NumId> {
        let code = match num {
            Num::Int(n) => NumCode::Int(i16::from(*n)),
            Num::Roll(_) => return Err(self.misplaced("`roll`")),
            Num::Name(name) => NumCode::Reg(self.lookup(name)?.0),
            Num::Times(n, num) => NumCode::Times(*n, self.num(num)?),
            Num::Coins(of) => NumCode::Coins(self.slot(of)?),
            Num::Counters(of) => NumCode::Counters(self.slot(of)?),
            Num::Count(sel) => NumCode::Count(self.query(sel)?),
            Num::Points(points, who) => NumCode::Points(*points, self.who(who)?),
            Num::Value { printed, value, of } => {
                NumCode::Value { printed: *printed, value: *value, of: self.slot(of)? }
            }
            Num::Icons { icon, site } => {
                let icon = self.icon(icon.as_ref())?;
                match site {
                    IconSite::On(r) => NumCode::IconsOn(icon, self.slot(r)?),
                    IconSite::In(place) => NumCode::IconsOf(icon, self.who_or_you(&place.of)?),
                }
            }
            Num::Add(a, b) => NumCode::Add(self.num(a)?, self.num(b)?),
            Num::Sub(a, b) => NumCode::Sub(self.num(a)?, self.num(b)?),
        };
        Ok(NumId(push(&mut self.db.nums, code)))
    }

    pub(super) fn cond(&mut self, cond: &Cond) -> Result<CondId> {
        let code = match cond {
            Cond::Some(sel) => CondCode::Some(self.query(sel)?),
            Cond::No(sel) => CondCode::No(self.query(sel)?),
            Cond::Compare(a, how, b) => CondCode::Compare(self.num(a)?, *how, self.num(b)?),
            Cond::Is(r, adjective) => {
                self.db.tells_new |= *adjective == Adjective::New;
                CondCode::Is(self.slot(r)?, *adjective)
            }
            Cond::IsA(r, noun) => CondCode::IsA(self.slot(r)?, *noun),
            Cond::In(r, place) => match self.place(place)? {
                SiteCode::In { zones, who } => CondCode::In(self.slot(r)?, zones, who),
                _ => return Err(self.misplaced("this place")),
            },
            Cond::Done => CondCode::Done,
            Cond::Active => CondCode::Active,
            Cond::Promoted => CondCode::Promoted,
            Cond::Not(cond) => CondCode::Not(self.cond(cond)?),
            Cond::And(a, b) => CondCode::And(self.cond(a)?, self.cond(b)?),
            Cond::Or(a, b) => CondCode::Or(self.cond(a)?, self.cond(b)?),
        };
        Ok(CondId(push(&mut self.db.conds, code)))
    }

    pub(super) fn misplaced(&self, what: &'static str) -> CompileError {
        CompileError::Misplaced { card: self.card.name.clone(), what }
    }
}
