//! Amounts and conditions: "for each room in your dungeon", "with at least 2 more souls than you".

use super::Printer;
use super::phrase::{Det, Prep, is_player, same};
use super::word::{Phrase, plural};
use crate::tree::*;

/// How much: a number, one for each of something, or a formula.
pub enum Amount {
    Fixed(u8),
    PerEach(String),
    Equal(String),
}

/// A comparison or the opposite of one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Equal,
    Unequal,
    Less,
    More,
    AtMost,
    AtLeast,
}

/// Something a player can have more or less of.
#[derive(PartialEq)]
enum Thing {
    Points(Points),
    /// The selector without its owner.
    Cards(Box<Selector>),
}

impl Printer<'_> {
    pub fn amount(&mut self, num: &Num) -> Amount {
        match num {
            Num::Int(n) => Amount::Fixed(*n),
            Num::Count(Sel::Those(s)) if s.quant == Quant::Bare => {
                Amount::PerEach(format!("each {}", self.selector(s, Det::Single, Prep::In).text))
            }
            Num::Points(points, who) => Amount::PerEach(format!("each {}", self.points(*points, who, 1))),
            Num::Count(_) | Num::Value { .. } | Num::Add(..) | Num::Sub(..) => Amount::Equal(self.num(num)),
        }
    }

    /// A number in running text.
    pub fn num(&mut self, num: &Num) -> String {
        let right = |p: &mut Self, n: &Num| match n {
            Num::Add(..) | Num::Sub(..) => format!("({})", p.num(n)),
            _ => p.num(n),
        };
        match num {
            Num::Int(n) => n.to_string(),
            Num::Count(sel) => format!("the number of {}", self.things(sel, Det::Plural, Prep::In).text),
            Num::Points(points, who) => format!("the number of {}", self.points(*points, who, 2)),
            Num::Value { printed, value, of } => {
                let of = self.refer(of, Det::A, Prep::In).text;
                format!("the {}{value} of {of}", if *printed { "printed " } else { "" })
            }
            Num::Add(a, b) => format!("{} plus {}", self.num(a), right(self, b)),
            Num::Sub(a, b) => format!("{} minus {}", self.num(a), right(self, b)),
        }
    }

    /// "soul you have"
    fn points(&mut self, points: Points, who: &Who, count: u8) -> String {
        let subject = self.subject(who);
        let has = if subject.reader { "have" } else { "has" };
        format!("{} {} {has}", points_noun(points, count), subject.label)
    }

    /// A condition as a sentence: "you have a spell in hand".
    pub fn cond(&mut self, cond: &Cond, yes: bool) -> String {
        match cond {
            Cond::Not(inner) => self.cond(inner, !yes),
            Cond::And(a, b) => {
                format!("{} {} {}", self.cond(a, yes), if yes { "and" } else { "or" }, self.cond(b, yes))
            }
            Cond::Or(a, b) => {
                format!("{} {} {}", self.cond(a, yes), if yes { "or" } else { "and" }, self.cond(b, yes))
            }
            Cond::Done => format!("{} {}", self.your_time(), if yes { "is over" } else { "is not over" }),
            Cond::Active => {
                let subject = self.subject(&Who::You);
                let be = if subject.reader { "are" } else { "is" };
                format!("{} {be} {}the active player", subject.label, if yes { "" } else { "not " })
            }
            Cond::Is(r, adjective) => {
                let of = self.refer(r, Det::A, Prep::In).text;
                format!("{of} is {}{adjective}", if yes { "" } else { "not " })
            }
            Cond::In(r, place) => {
                let of = self.refer(r, Det::A, Prep::In).text;
                format!("{of} is {}{}", if yes { "" } else { "not " }, self.at(place, Prep::In))
            }
            Cond::Some(Sel::Those(s)) if yes && is_player(s.noun) && s.cond.is_some() => {
                let mut plain = s.clone();
                let inner = plain.cond.take().unwrap_or(Cond::Active);
                match self.looking(s.noun, |p| p.has_traits(&inner, true)) {
                    Some(text) => {
                        let who = self.selector(&plain, Det::A, Prep::In);
                        format!("{} {} {text}", who.text, who.pick("has", "have"))
                    }
                    None => self.there_is(&Sel::Those(s.clone()), true),
                }
            }
            Cond::Some(sel) => self.existence(sel, yes),
            Cond::No(sel) => self.existence(sel, !yes),
            Cond::Compare(a, by, b) => {
                let by = relation(*by, yes);
                match self.comparison(a, by, b) {
                    Some((who, text)) => self.has(&who, &text),
                    None => self.plain_comparison(a, by, b),
                }
            }
        }
    }

    /// A `where` after its noun: "with a spell in hand".
    pub fn traits(&mut self, cond: &Cond) -> String {
        match self.has_traits(cond, true) {
            Some(text) => format!("with {text}"),
            None => format!("if {}", self.cond(cond, true)),
        }
    }

    /// What `it` has, if the whole condition is about that.
    fn has_traits(&mut self, cond: &Cond, yes: bool) -> Option<String> {
        match cond {
            Cond::Not(inner) => self.has_traits(inner, !yes),
            Cond::And(a, b) | Cond::Or(a, b) => {
                let word = if matches!(cond, Cond::And(..)) == yes { "and" } else { "or" };
                Some(format!("{} {word} {}", self.has_traits(a, yes)?, self.has_traits(b, yes)?))
            }
            Cond::Some(sel) => self.of_it(sel, yes),
            Cond::No(sel) => self.of_it(sel, !yes),
            Cond::Compare(a, by, b) => {
                let by = relation(*by, yes);
                let about_it =
                    holder(a).or_else(|| holder(b)).is_some_and(|(who, _)| who == Who::Ref(Ref::It));
                if !about_it {
                    return None;
                }
                self.comparison(a, by, b).filter(|(who, _)| *who == Who::Ref(Ref::It)).map(|(_, text)| text)
            }
            Cond::Is(..) | Cond::In(..) | Cond::Done | Cond::Active => None,
        }
    }

    fn of_it(&mut self, sel: &Sel, some: bool) -> Option<String> {
        let Sel::Those(s) = sel else { return None };
        match &s.site {
            Some(Site::InRef(Ref::It)) => Some(self.some_or_no(s, some).text),
            _ => {
                let (who, _) = holder(&Num::Count(sel.clone()))?;
                if who != Who::Ref(Ref::It) {
                    return None;
                }
                Some(self.held(&who, |p| p.some_or_no(s, some).text))
            }
        }
    }

    /// "a spell in hand", "no spell in hand", "fewer than 2 spells in hand".
    fn some_or_no(&mut self, s: &Selector, some: bool) -> Phrase {
        if some {
            return self.selector(s, Det::A, Prep::In);
        }
        let bare = Selector { quant: Quant::Bare, ..s.clone() };
        match s.quant {
            Quant::Count(n) if n > 1 => {
                let things = self.selector(&bare, Det::Plural, Prep::In);
                Phrase::many(format!("fewer than {n} {}", things.text))
            }
            _ => self.selector(&bare, Det::No, Prep::In),
        }
    }

    fn existence(&mut self, sel: &Sel, some: bool) -> String {
        match (sel, holder(&Num::Count(sel.clone()))) {
            (Sel::Those(s), Some((who, _))) => {
                let text = self.held(&who, |p| p.some_or_no(s, some).text);
                self.has(&who, &text)
            }
            _ => self.there_is(sel, some),
        }
    }

    fn there_is(&mut self, sel: &Sel, some: bool) -> String {
        match sel {
            Sel::Ref(_) => {
                let thing = self.things(sel, Det::A, Prep::In);
                let be = thing.pick("is", "are");
                format!("{} {be} {}there", thing.text, if some { "" } else { "not " })
            }
            Sel::Those(s) => {
                let thing = self.some_or_no(s, some);
                format!("there {} {}", thing.pick("is", "are"), thing.text)
            }
        }
    }

    /// "you have TEXT"
    fn has(&mut self, who: &Who, text: &str) -> String {
        let subject = self.subject(who);
        format!("{} {} {text}", subject.label, if subject.reader { "have" } else { "has" })
    }

    fn held<T>(&mut self, who: &Who, print: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.holding, true);
        let result = self.acting(who, print);
        self.holding = before;
        result
    }

    /// Who has how much: "at least 3 rooms in your dungeon", "more souls than you".
    fn comparison(&mut self, a: &Num, by: Relation, b: &Num) -> Option<(Who, String)> {
        let Some((who, thing)) = holder(a) else {
            holder(b)?;
            return self.comparison(b, mirrored(by), a);
        };
        if matches!(&thing, Thing::Cards(s) if s.quant != Quant::Bare) {
            return None;
        }
        if let Num::Int(n) = b {
            let things = self.held(&who, |p| p.thing(a, &thing, *n));
            return Some((who, format!("{} {n} {things}", quantity(by))));
        }
        let (base, sign, shift) = match b {
            Num::Add(base, k) => (base.as_ref(), 1, constant(k)?),
            Num::Sub(base, k) => (base.as_ref(), -1, constant(k)?),
            other => (other, 1, 0),
        };
        let (rival, other) = holder(base)?;
        if let (Thing::Points(one), Thing::Points(two)) = (&thing, &other)
            && one != two
            && same(&rival, &who)
        {
            let text = difference(by, sign * shift, &points_noun(*one, 2), &points_noun(*two, 2));
            return Some((who, text));
        }
        if other != thing || same(&rival, &who) {
            return None;
        }
        let things = self.held(&who, |p| p.thing(a, &thing, 2));
        let rival = self.subject(&rival).label;
        Some((who, difference(by, sign * shift, &things, &rival)))
    }

    fn thing(&mut self, num: &Num, thing: &Thing, count: u8) -> String {
        match (thing, num) {
            (Thing::Points(points), _) => points_noun(*points, count),
            (_, Num::Count(sel)) => {
                let det = if count == 1 { Det::Single } else { Det::Plural };
                self.things(sel, det, Prep::In).text
            }
            _ => "cards".into(),
        }
    }

    fn plain_comparison(&mut self, a: &Num, by: Relation, b: &Num) -> String {
        if let (Num::Count(sel @ Sel::Those(s)), Num::Int(n)) = (a, b)
            && s.quant == Quant::Bare
        {
            let det = if *n == 1 { Det::Single } else { Det::Plural };
            let things = self.things(sel, det, Prep::In);
            return format!("there {} {} {n} {}", things.pick("is", "are"), quantity(by), things.text);
        }
        let words = match by {
            Relation::Equal => "equals",
            Relation::Unequal => "does not equal",
            Relation::Less => "is less than",
            Relation::More => "is more than",
            Relation::AtMost => "is at most",
            Relation::AtLeast => "is at least",
        };
        format!("{} {words} {}", self.num(a), self.num(b))
    }

    /// What `done` ends, by the phases the card is for.
    pub fn your_time(&mut self) -> String {
        let your = self.owner(&Who::You);
        match self.card.fields.phases.as_slice() {
            [Phase::Build] => format!("{your} time to build"),
            [Phase::Adventure] => format!("{your} part of the adventure"),
            _ => format!("{your} part of the phase"),
        }
    }
}

fn points_noun(points: Points, count: u8) -> String {
    let noun = match points {
        Points::Souls => "soul",
        Points::Wounds => "wound",
        Points::SoulsThisTurn => "soul gained this turn",
        Points::LuredThisTurn => "hero lured this turn",
        Points::EnteredThisTurn => "hero entered this turn",
        Points::DestroyedThisTurn => "room destroyed this turn",
    };
    if count == 1 { noun.into() } else { plural(noun) }
}

/// Whose things a number counts.
fn holder(num: &Num) -> Option<(Who, Thing)> {
    match num {
        Num::Points(points, who) => Some((who.clone(), Thing::Points(*points))),
        Num::Count(Sel::Those(s))
            if !is_player(s.noun) && matches!(s.quant, Quant::Bare | Quant::Count(_)) =>
        {
            let Some(Site::In(place)) = &s.site else {
                return None;
            };
            if !matches!(
                place.zones.as_slice(),
                [Zone::Hand | Zone::Dungeon | Zone::Scoring | Zone::Entrance]
            ) {
                return None;
            }
            let who = place.of.clone().unwrap_or(Who::You);
            let mut bare = s.clone();
            bare.site = Some(Site::In(Place { of: None, ..place.clone() }));
            Some((who, Thing::Cards(bare)))
        }
        _ => None,
    }
}

fn constant(num: &Num) -> Option<i16> {
    match num {
        Num::Int(n) => Some(i16::from(*n)),
        _ => None,
    }
}

fn relation(by: Comparison, yes: bool) -> Relation {
    match (by, yes) {
        (Comparison::Equal, true) => Relation::Equal,
        (Comparison::Equal, false) => Relation::Unequal,
        (Comparison::Less, true) | (Comparison::AtLeast, false) => Relation::Less,
        (Comparison::More, true) | (Comparison::AtMost, false) => Relation::More,
        (Comparison::AtMost, true) | (Comparison::More, false) => Relation::AtMost,
        (Comparison::AtLeast, true) | (Comparison::Less, false) => Relation::AtLeast,
    }
}

/// The relation seen from the other side.
fn mirrored(by: Relation) -> Relation {
    match by {
        Relation::Equal | Relation::Unequal => by,
        Relation::Less => Relation::More,
        Relation::More => Relation::Less,
        Relation::AtMost => Relation::AtLeast,
        Relation::AtLeast => Relation::AtMost,
    }
}

fn quantity(by: Relation) -> &'static str {
    match by {
        Relation::Equal => "exactly",
        Relation::Unequal => "not exactly",
        Relation::Less => "fewer than",
        Relation::More => "more than",
        Relation::AtMost => "at most",
        Relation::AtLeast => "at least",
    }
}

/// One player's things against another's plus `shift`.
fn difference(by: Relation, shift: i16, things: &str, rival: &str) -> String {
    let (by, shift) = match (by, shift) {
        (Relation::More, n) if n != 0 => (Relation::AtLeast, n + 1),
        (Relation::Less, n) if n != 0 => (Relation::AtMost, n - 1),
        other => other,
    };
    match (by, shift) {
        (Relation::More, 0) => return format!("more {things} than {rival}"),
        (Relation::Less, 0) => return format!("fewer {things} than {rival}"),
        (Relation::Equal, 0) => return format!("as many {things} as {rival}"),
        (Relation::Unequal, 0) => return format!("more or fewer {things} than {rival}"),
        (Relation::AtLeast, 0) => return format!("at least as many {things} as {rival}"),
        (Relation::AtMost, 0) => return format!("at most as many {things} as {rival}"),
        _ => {}
    }
    let (by, word) = if shift < 0 { (mirrored(by), "fewer") } else { (by, "more") };
    format!("{} {} {word} {things} than {rival}", quantity(by), shift.abs())
}
