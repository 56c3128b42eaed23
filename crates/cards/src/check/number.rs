//! Numbers and conditions, and what they may be read from.

use super::fault::CheckFault;
use super::terms::{Scope, Usage};
use super::thing::{Changed, Thing, goes_with};
use crate::tree::*;

impl Scope {
    pub fn num(&mut self, num: &Num) {
        match num {
            Num::Int(_) => {}
            Num::Roll(_) => self.fault(self.span, CheckFault::StrayRoll),
            Num::Name(name) => {
                let thing = self.reference(&Ref::Name(name.clone()), false).thing;
                self.want(name.span, "this", "a number", thing, thing == Thing::Number);
            }
            Num::Times(_, num) => self.num(num),
            Num::Coins(of) => {
                let thing = self.reference(of, false).thing;
                self.want(self.ref_span(of), "coins on", "a room", thing, thing == Thing::Room);
            }
            Num::Counters(of) => {
                let thing = self.reference(of, false).thing;
                self.want(self.ref_span(of), "counters on", "a room", thing, thing == Thing::Room);
            }
            Num::Count(sel) => {
                self.sel(sel, Usage::Query);
            }
            Num::Points(points, who) => {
                let score = matches!(points, Points::Souls | Points::Wounds);
                if let Some(changed) = self.changing.filter(|changed| score && *changed == Changed::Score) {
                    self.fault(
                        self.span,
                        CheckFault::Circle { reads: points.word(), changes: changed.word() },
                    );
                }
                self.one_player(who, "`of`", self.span);
            }
            Num::Value { printed, value, of } => self.value(*printed, *value, of),
            Num::Icons { icon, site } => self.icons(icon.as_ref(), site),
            Num::Add(a, b) | Num::Sub(a, b) => {
                self.num(a);
                self.num(b);
            }
        }
    }

    /// A number read from one card.
    fn value(&mut self, printed: bool, value: Value, of: &Ref) {
        let given = self.reference(of, false);
        let span = self.ref_span(of);
        let scored = matches!(given.thing, Thing::Soul | Thing::Wound);
        let (verb, wanted, fits) = match value {
            Value::Damage => ("damage of", "a room", given.thing == Thing::Room),
            Value::Health => ("health of", "a hero", given.thing == Thing::Hero || scored && printed),
            Value::Life => ("life of", "a hero", given.thing == Thing::Hero),
            Value::Level => ("level of", "a miniboss", given.thing == Thing::Miniboss),
        };
        if printed && matches!(value, Value::Life | Value::Level) {
            self.fault(span, CheckFault::PrintedLife);
        } else {
            self.want(span, verb, wanted, given.thing, fits);
        }
        if given.hidden {
            self.fault(span, CheckFault::ReadsHidden);
        }
        if let Some(changed) = self.changing.filter(|changed| !printed && !changed.may_read(value)) {
            self.fault(span, CheckFault::Circle { reads: value.word(), changes: changed.word() });
        }
    }

    /// Icons that count now, of one type or of all.
    fn icons(&mut self, icon: Option<&IconType>, site: &IconSite) {
        self.icon(icon);
        let span = match site {
            IconSite::On(r) => {
                let thing = self.reference(r, false).thing;
                let span = self.ref_span(r);
                let fits = matches!(thing, Thing::Boss | Thing::Room);
                self.want(span, "icon on", "a room or a boss", thing, fits);
                span
            }
            IconSite::In(place) => {
                if place.zones != [Zone::Dungeon] {
                    let place_text = format!("in `{place}`");
                    self.fault(place.span, CheckFault::NeverThere { noun: "icon", place: place_text });
                }
                self.place(place);
                if let Some(who) = &place.of {
                    self.one_player(who, "`of`", place.span);
                }
                place.span
            }
        };
        if let Some(changed) = self.changing.filter(|changed| !changed.may_count_icons()) {
            self.fault(span, CheckFault::IconCircle { changes: changed.word() });
        }
    }

    fn is(&mut self, r: &Ref, adjective: Adjective) {
        let given = self.reference(r, false);
        let span = self.ref_span(r);
        if given.thing != Thing::Unknown
            && (adjective == Adjective::Another || !goes_with(adjective, given.thing))
        {
            let noun = given.thing.noun().map_or("boss", Noun::word);
            self.fault(span, CheckFault::Adjective { adjective: adjective.word(), noun });
        }
        if given.hidden {
            self.fault(span, CheckFault::ReadsHidden);
        }
    }

    /// A number of things to do, which cannot be 0.
    pub fn quantity(&mut self, num: &Num, most: u8) {
        match num {
            Num::Int(0) => self.fault(self.span, CheckFault::Zero),
            Num::Int(n) if *n > most => self.fault(self.span, CheckFault::NumberRange { most }),
            num => self.num(num),
        }
    }

    pub fn cond(&mut self, cond: &Cond) {
        match cond {
            Cond::Some(sel) | Cond::No(sel) => {
                self.sel(sel, Usage::Query);
            }
            Cond::Compare(a, _, b) => {
                self.num(a);
                self.num(b);
            }
            Cond::Is(r, adjective) => self.is(r, *adjective),
            Cond::IsA(r, noun) => {
                let given = self.reference(r, false);
                let span = self.ref_span(r);
                let card = matches!(given.thing, Thing::Card | Thing::Miniboss | Thing::Room | Thing::Spell);
                self.want(span, noun.word(), "a card", given.thing, card);
                if given.hidden {
                    self.fault(span, CheckFault::ReadsHidden);
                }
            }
            Cond::In(r, place) => {
                let thing = self.reference(r, false).thing;
                let span = self.ref_span(r);
                let card = !matches!(thing, Thing::Boss | Thing::Class | Thing::Player);
                self.want(span, "in", "a card or a hero", thing, card);
                self.place(place);
                if let Some(noun) = thing.noun()
                    && let Some(zone) = place.zones.iter().find(|zone| !zone.holds(noun))
                {
                    let (noun, place) = (noun.word(), format!("in `{zone}`"));
                    self.fault(span, CheckFault::NeverThere { noun, place });
                }
            }
            Cond::Done | Cond::Active | Cond::Promoted => {}
            Cond::Not(cond) => self.cond(cond),
            Cond::And(a, b) | Cond::Or(a, b) => {
                self.cond(a);
                self.cond(b);
            }
        }
    }
}
