//! Conditions: "with at least 2 more souls than you", "if no hero entered this room this turn".

use super::Printer;
use super::noun::{noun_word, treasure};
use super::number::{noun_of, value_noun};
use super::phrase::{Det, Prep, is_player, same};
use super::relation::{Relation, counted, difference, measure, mirrored, quantity, relation};
use super::word::{Phrase, a, list};
use crate::tree::*;

/// Something a player can have more or less of.
#[derive(PartialEq)]
enum Thing {
    Points(Points),
    /// The selector without its owner.
    Cards(Box<Selector>),
}

/// Who, what they did to get it where that is said, and how much.
type Having = (Who, Option<&'static str>, String);

impl Printer<'_> {
    /// A condition as a sentence: "you have a spell in hand".
    pub fn cond(&mut self, cond: &Cond, yes: bool) -> String {
        match cond {
            Cond::Not(inner) => self.cond(inner, !yes),
            Cond::And(..) if yes && held_together(cond).is_some() => {
                let (who, things) = held_together(cond).unwrap_or((Who::You, Vec::new()));
                let said: Vec<String> =
                    things.iter().map(|s| self.held(&who, |p| p.some_or_no(s, true).text())).collect();
                self.has(&who, &list(&said, "and"))
            }
            Cond::And(a, b) => {
                format!("{} {} {}", self.cond(a, yes), if yes { "and" } else { "or" }, self.cond(b, yes))
            }
            Cond::Or(a, b) => {
                format!("{} {} {}", self.cond(a, yes), if yes { "or" } else { "and" }, self.cond(b, yes))
            }
            Cond::Done => format!("{} {}", self.your_time(), if yes { "is over" } else { "is not over" }),
            Cond::Active => {
                let subject = self.subject(&Who::You);
                let whose = if subject.reader { "your".into() } else { format!("{}'s", subject.label) };
                format!("it is {}{whose} turn to act", if yes { "" } else { "not " })
            }
            Cond::Promoted => {
                let subject = self.subject(&Who::You);
                let have = if subject.reader { "have" } else { "has" };
                let not = if yes { "" } else { "not " };
                format!("{} {have} {not}promoted a miniboss this turn", subject.label)
            }
            Cond::IsA(r, noun) => {
                let thing = self.refer(r, Det::A, Prep::In);
                let not = if yes { "" } else { "not " };
                format!("{} {} {not}{}", thing.text(), thing.pick("is", "are"), a(noun.word()))
            }
            Cond::Is(r, adjective) => self.is(r, *adjective, yes),
            Cond::In(r, place) => {
                let told = *r == Ref::This && self.focus == Some(Ref::This);
                let thing = if told { Phrase::one("it") } else { self.refer(r, Det::A, Prep::In) };
                let not = if yes { "" } else { "not " };
                let there = match (self.hosted(), place.zones.as_slice(), &place.of) {
                    (true, [Zone::Dungeon], None) if *r == Ref::This => "in a dungeon".into(),
                    _ => self.at(place, Prep::In),
                };
                format!("{} {} {not}{there}", thing.text(), thing.pick("is", "are"))
            }
            Cond::Some(Sel::Selector(s)) if yes && is_player(s.noun) && s.cond.is_some() => {
                let mut plain = s.clone();
                let inner = plain.cond.take().unwrap_or(Cond::Active);
                if let Some(did) = self.looking(s.noun, |p| p.did(&inner)) {
                    return format!("{} {did}", self.selector(&plain, Det::A, Prep::In).text());
                }
                match self.looking(s.noun, |p| p.has_traits(&inner, true)) {
                    Some(text) => {
                        let who = self.selector(&plain, Det::A, Prep::In);
                        format!("{} {} {text}", who.text(), who.pick("has", "have"))
                    }
                    None => self.there_is(&Sel::Selector(s.clone()), true),
                }
            }
            Cond::Some(sel) => self.existence(sel, yes),
            Cond::No(Sel::Selector(s)) if yes && self.stands_out(s).is_some() => {
                let (how, things) = self.stands_out(s).unwrap_or_default();
                self.has(&Who::You, &format!("{how} {things} than every opponent"))
            }
            Cond::No(sel) => self.existence(sel, !yes),
            Cond::Compare(Num::Times(2, left), Comparison::AtMost, whole)
                if yes && is_half_health(left, whole).is_some() =>
            {
                let hero = is_half_health(left, whole).unwrap_or(Ref::It);
                format!("{} has at most half its health left", self.refer(&hero, Det::A, Prep::In).text())
            }
            Cond::Compare(
                icons @ Num::Icons { site: IconSite::In(_), .. },
                Comparison::Equal,
                Num::Int(0),
            ) if yes => {
                format!("there is no {}", self.icons(icons, 1))
            }
            Cond::Compare(Num::Value { value: Value::Level, of, .. }, Comparison::Equal, Num::Int(n))
                if yes =>
            {
                format!("{} is at level {n}", self.refer(of, Det::A, Prep::In).text())
            }
            Cond::Compare(a, by, b) => {
                let by = relation(*by, yes);
                if let (Num::Points(points, who), Num::Int(n)) = (a, b)
                    && let Some(said) = self.happened(*points, who, by, *n)
                {
                    return said;
                }
                match self.comparison(a, by, b) {
                    Some((who, None, text)) => self.has(&who, &text),
                    Some((who, Some(did), text)) => format!("{} {did} {text}", self.subject(&who).label),
                    None => self.plain_comparison(a, by, b),
                }
            }
        }
    }

    /// No opponent has as few, or as many, of something as you: which of the two, and what it is.
    fn stands_out(&self, s: &Selector) -> Option<(&'static str, String)> {
        let plain = s.noun == Noun::Opponent && s.quant == Quant::Bare && s.but.is_none();
        match &s.cond {
            Some(Cond::Compare(
                Num::Points(one @ (Points::Souls | Points::Wounds), Who::Ref(Ref::It)),
                by @ (Comparison::AtMost | Comparison::AtLeast),
                Num::Points(two, Who::You),
            )) if plain && one == two => {
                let how = if *by == Comparison::AtMost { "fewer" } else { "more" };
                Some((how, noun_of(*one, 2)))
            }
            _ => None,
        }
    }

    /// A `where` after its noun: "with a spell in hand".
    pub fn traits(&mut self, cond: &Cond) -> String {
        if let Some(did) = self.did(cond) {
            return format!("who {did}");
        }
        if let Some(said) = of_miniboss(cond) {
            return said;
        }
        if let Cond::Some(Sel::Selector(s)) = cond
            && matches!(&s.site, Some(Site::In(place))
                if place.zones == [Zone::Pending] && place.of == Some(Who::Ref(Ref::It)))
        {
            let spell = self.selector(&Selector { site: None, ..*s.clone() }, Det::A, Prep::In).text();
            return format!("who is casting {spell}");
        }
        if let Some(said) = self.of_owner(cond) {
            return format!("whose owner has {said}");
        }
        match self.has_traits(cond, true) {
            Some(text) => format!("with {text}"),
            None => format!("if {}", self.cond(cond, true)),
        }
    }

    /// How much the owner of `it` has: "fewer minibosses in their dungeon than you".
    fn of_owner(&mut self, cond: &Cond) -> Option<String> {
        let Cond::Compare(a, by, b) = cond else { return None };
        let owner = Who::Ref(Ref::OwnerOf(Box::new(Ref::It)));
        let by = relation(*by, true);
        let (a, by, b) = match (holder(a), holder(b)) {
            (_, None) | (None, _) => return None,
            (Some((who, _)), _) if who == owner => (a, by, b),
            (_, Some((who, _))) if who == owner => (b, mirrored(by), a),
            _ => return None,
        };
        match self.comparison(a, by, b)? {
            (_, None, text) => Some(text),
            _ => None,
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
            Cond::Compare(Num::Value { printed, value, of: Ref::It }, by, Num::Int(n)) => {
                let value = value_noun(*printed, *value);
                Some(format!("{} {value}", measure(relation(*by, yes), *n)))
            }
            Cond::Compare(Num::Counters(Ref::It), by, Num::Int(n)) => Some(counted(relation(*by, yes), *n)),
            Cond::Compare(
                icons @ Num::Icons { site: IconSite::On(Ref::It), .. },
                Comparison::Equal,
                Num::Int(0),
            ) if yes => Some(format!("no {}", self.icons(icons, 1))),
            Cond::Compare(icons @ Num::Icons { site: IconSite::On(Ref::It), .. }, by, Num::Int(n)) => {
                Some(format!("{} {n} {}", quantity(relation(*by, yes)), self.icons(icons, *n)))
            }
            Cond::Compare(Num::Count(Sel::Selector(s)), by, Num::Int(n)) if is_its_dungeon(s) => {
                let rooms = if *n == 1 { "room" } else { "rooms" };
                Some(format!("{} {n} {rooms}", quantity(relation(*by, yes))))
            }
            Cond::Compare(Num::Add(a, b), Comparison::AtMost, whole)
                if yes && is_life(a) && is_life(b) && is_health(whole) =>
            {
                Some("at most half its health left".into())
            }
            Cond::Compare(a, by, b) => {
                let by = relation(*by, yes);
                let about_it =
                    holder(a).or_else(|| holder(b)).is_some_and(|(who, _)| who == Who::Ref(Ref::It));
                if !about_it {
                    return None;
                }
                match self.comparison(a, by, b)? {
                    (Who::Ref(Ref::It), None, text) => Some(text),
                    _ => None,
                }
            }
            Cond::Is(Ref::It, adjective) => {
                let class = treasure(*adjective)?;
                Some(format!("{}{class} treasure", if yes { "" } else { "no " }))
            }
            Cond::Is(..) | Cond::IsA(..) | Cond::In(..) | Cond::Done | Cond::Active | Cond::Promoted => None,
        }
    }

    /// What `it` did this turn: "gained at least 2 more souls this turn than you".
    fn did(&mut self, cond: &Cond) -> Option<String> {
        let Cond::Compare(a, by, b) = cond else { return None };
        let tally =
            |num| matches!(holder(num), Some((Who::Ref(Ref::It), Thing::Points(p))) if did_verb(p).is_some());
        if !tally(a) && !tally(b) {
            return None;
        }
        match self.comparison(a, relation(*by, true), b)? {
            (Who::Ref(Ref::It), Some(did), text) => Some(format!("{did} {text}")),
            _ => None,
        }
    }

    /// What happened to a player this turn: "at least 2 of your rooms were destroyed this turn".
    fn happened(&mut self, points: Points, who: &Who, by: Relation, n: u8) -> Option<String> {
        let (many, things) = (quantity(by), noun_of(points, n));
        match points {
            Points::EnteredThisTurn => {
                Some(format!("{many} {n} {things} entered {} dungeon this turn", self.owner(who)))
            }
            Points::DestroyedThisTurn => {
                let were = if n == 1 { "was" } else { "were" };
                let rooms = noun_of(points, 2);
                Some(format!("{many} {n} of {} {rooms} {were} destroyed this turn", self.owner(who)))
            }
            _ => None,
        }
    }

    /// "that room is a monster room", "no hero entered this room this turn"
    fn is(&mut self, r: &Ref, adjective: Adjective, yes: bool) -> String {
        let noun = noun_word(self.noun_of(r));
        let thing = self.refer(r, Det::A, Prep::In);
        let (be, not) = (thing.pick("is", "are"), if yes { "" } else { "not " });
        let thing_text = thing.text();
        match adjective {
            Adjective::Advanced | Adjective::Epic | Adjective::Ordinary | Adjective::Subtype(_) => {
                format!("{thing_text} {be} {not}{}", a(&format!("{adjective} {noun}")))
            }
            Adjective::Another => format!("{thing_text} {be} {not}another card"),
            Adjective::Facedown => format!("{thing_text} {be} {not}face down"),
            Adjective::Faceup => format!("{thing_text} {be} {not}face up"),
            Adjective::Covered => format!("{thing_text} {be} {not}covered"),
            Adjective::MultiTreasure => {
                let has =
                    if yes { thing.pick("has", "have") } else { thing.pick("does not have", "do not have") };
                format!("{thing_text} {has} two treasure icons or more")
            }
            Adjective::New if noun == Noun::Miniboss.word() => {
                format!("{thing_text} {} {not}revealed this turn", thing.pick("was", "were"))
            }
            Adjective::New => {
                let survived = if yes { "survived" } else { "did not survive" };
                format!("{thing_text} {survived} a dungeon this turn")
            }
            Adjective::Triggered => {
                let acts =
                    if yes { thing.pick("acts", "act") } else { thing.pick("does not act", "do not act") };
                format!("{thing_text} {acts} when built or uncovered")
            }
            Adjective::Cast => {
                let you = self.subject(&Who::You).label;
                format!("{you} {} {thing_text} this turn", if yes { "cast" } else { "did not cast" })
            }
            Adjective::Entered => {
                format!("{} hero entered {thing_text} this turn", if yes { "a" } else { "no" })
            }
            Adjective::Class(_) => {
                let no = if yes { "" } else { "no " };
                format!("{thing_text} {} {no}{adjective} treasure", thing.pick("has", "have"))
            }
        }
    }

    fn of_it(&mut self, sel: &Sel, some: bool) -> Option<String> {
        let Sel::Selector(s) = sel else { return None };
        match &s.site {
            Some(Site::InRef(Ref::It)) => Some(self.some_or_no(s, some).text()),
            Some(Site::Under(Ref::It)) => Some(self.some_or_no(s, some).text()),
            Some(Site::On(Ref::It)) => {
                Some(self.some_or_no(&Selector { site: None, ..*s.clone() }, some).text())
            }
            _ => {
                let (who, _) = holder(&Num::Count(sel.clone()))?;
                if who != Who::Ref(Ref::It) {
                    return None;
                }
                Some(self.held(&who, |p| p.some_or_no(s, some).text()))
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
                Phrase::many(format!("fewer than {n} {}", things.text()))
            }
            _ => self.selector(&bare, Det::No, Prep::In),
        }
    }

    fn existence(&mut self, sel: &Sel, some: bool) -> String {
        match (sel, holder(&Num::Count(sel.clone()))) {
            (Sel::Selector(s), Some((who, _))) => {
                let text = self.held(&who, |p| p.some_or_no(s, some).text());
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
                format!("{} {be} {}there", thing.text(), if some { "" } else { "not " })
            }
            Sel::Selector(s) => {
                let thing = self.some_or_no(s, some);
                format!("there {} {}", thing.pick("is", "are"), thing.text())
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
    fn comparison(&mut self, a: &Num, by: Relation, b: &Num) -> Option<Having> {
        let Some((who, thing)) = holder(a) else {
            holder(b)?;
            return self.comparison(b, mirrored(by), a);
        };
        if matches!(&thing, Thing::Cards(s) if s.quant != Quant::Bare) {
            return None;
        }
        let did = match &thing {
            Thing::Points(points) => did_verb(*points),
            Thing::Cards(_) => None,
        };
        if let Num::Int(n) = b {
            let things = self.held(&who, |p| p.thing(a, &thing, &who, *n));
            let many =
                if (by, *n) == (Relation::Equal, 0) { "no".into() } else { format!("{} {n}", quantity(by)) };
            return Some((who, did, format!("{many} {things}")));
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
            && did_verb(*one).or(did_verb(*two)).is_none()
        {
            let text = difference(by, sign * shift, &noun_of(*one, 2), &noun_of(*two, 2));
            return Some((who, None, text));
        }
        if other != thing || same(&rival, &who) {
            return None;
        }
        let things = self.held(&who, |p| p.thing(a, &thing, &who, 2));
        let rival = self.subject(&rival).label;
        Some((who, did, difference(by, sign * shift, &things, &rival)))
    }

    fn thing(&mut self, num: &Num, thing: &Thing, who: &Who, count: u8) -> String {
        match (thing, num) {
            (Thing::Points(points), _) => {
                let things = noun_of(*points, count);
                match points {
                    Points::Coins | Points::Souls | Points::Wounds => things,
                    Points::SoulsThisTurn | Points::LuredThisTurn => format!("{things} this turn"),
                    Points::EnteredThisTurn => {
                        format!("{things} enter {} dungeon this turn", self.owner(who))
                    }
                    Points::DestroyedThisTurn => format!("{things} destroyed this turn"),
                }
            }
            (_, Num::Count(sel)) => {
                let det = if count == 1 { Det::Single } else { Det::Plural };
                self.things(sel, det, Prep::In).text()
            }
            _ => "cards".into(),
        }
    }

    fn plain_comparison(&mut self, a: &Num, by: Relation, b: &Num) -> String {
        if let (Num::Count(sel @ Sel::Selector(s)), Num::Int(n)) = (a, b)
            && s.quant == Quant::Bare
        {
            let det = if *n == 1 { Det::Single } else { Det::Plural };
            let things = self.things(sel, det, Prep::In);
            return format!("there {} {} {n} {}", things.pick("is", "are"), quantity(by), things.text());
        }
        if let (Num::Counters(of), Num::Int(n)) = (a, b) {
            let thing = self.refer(of, Det::A, Prep::In);
            return format!("{} {} {}", thing.text(), thing.pick("has", "have"), counted(by, *n));
        }
        if let (Num::Icons { site: IconSite::On(of), .. }, Num::Int(n)) = (a, b) {
            let thing = self.refer(of, Det::A, Prep::In);
            let icons = self.icons(a, *n);
            return format!("{} {} {} {n} {icons}", thing.text(), thing.pick("has", "have"), quantity(by));
        }
        if let (Num::Value { printed, value, of }, Num::Int(n)) = (a, b) {
            let thing = self.refer(of, Det::A, Prep::In);
            let value = value_noun(*printed, *value);
            return format!("{} {} {} {value}", thing.text(), thing.pick("has", "have"), measure(by, *n));
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
}

/// Things that one player is said to have all at once.
fn held_together(cond: &Cond) -> Option<(Who, Vec<&Selector>)> {
    match cond {
        Cond::And(a, b) => {
            let ((one, mut things), (two, more)) = (held_together(a)?, held_together(b)?);
            things.extend(more);
            same(&one, &two).then_some((one, things))
        }
        Cond::Some(sel @ Sel::Selector(s)) => {
            let (who, _) = holder(&Num::Count(sel.clone()))?;
            Some((who, vec![s.as_ref()]))
        }
        _ => None,
    }
}

/// "below level 3 that was not revealed this turn"
fn of_miniboss(cond: &Cond) -> Option<String> {
    match cond {
        Cond::Compare(Num::Value { value: Value::Level, of: Ref::It, .. }, Comparison::Less, Num::Int(n)) => {
            Some(format!("below level {n}"))
        }
        Cond::And(a, b) if **b == Cond::Not(Box::new(Cond::Is(Ref::It, Adjective::New))) => {
            Some(format!("{} that was not revealed this turn", of_miniboss(a)?))
        }
        _ => None,
    }
}

fn is_life(num: &Num) -> bool {
    *num == Num::Value { printed: false, value: Value::Life, of: Ref::It }
}

fn is_health(num: &Num) -> bool {
    *num == Num::Value { printed: false, value: Value::Health, of: Ref::It }
}

/// What a player did, or had done, to have the tally of this turn.
fn did_verb(points: Points) -> Option<&'static str> {
    match points {
        Points::Coins | Points::Souls | Points::Wounds => None,
        Points::SoulsThisTurn => Some("gained"),
        Points::LuredThisTurn => Some("lured"),
        Points::EnteredThisTurn | Points::DestroyedThisTurn => Some("had"),
    }
}

/// The rooms of the dungeon that `it`, a hero, is in.
fn is_its_dungeon(s: &Selector) -> bool {
    let plain = s.quant == Quant::Bare && s.adjectives.is_empty() && s.but.is_none() && s.cond.is_none();
    let owner = Who::Ref(Ref::OwnerOf(Box::new(Ref::It)));
    plain
        && s.noun == Noun::Room
        && matches!(&s.site, Some(Site::In(place)) if place.zones == [Zone::Dungeon] && place.of == Some(owner))
}

/// Whose things a number counts.
fn holder(num: &Num) -> Option<(Who, Thing)> {
    match num {
        Num::Points(points, who) => Some((who.clone(), Thing::Points(*points))),
        Num::Count(Sel::Selector(s))
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

/// The hero whose health left is compared with its health.
fn is_half_health(left: &Num, whole: &Num) -> Option<Ref> {
    match (left, whole) {
        (
            Num::Value { printed: false, value: Value::Life, of },
            Num::Value { printed: false, value: Value::Health, of: same },
        ) if of == same => Some(of.clone()),
        _ => None,
    }
}
