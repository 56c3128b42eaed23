//! Amounts: "for each room in your dungeon", "equal to that room's printed damage".

use super::phrase::{Det, Prep};
use super::word::{plural, possessive};
use super::{Counted, Printer};
use crate::tree::*;

/// How much: a number, one for each of something, or a formula.
pub enum Amount {
    Fixed(u8),
    PerEach(String),
    Equal(String),
}

/// One for each of something.
pub fn is_per_each(num: &Num) -> bool {
    match num {
        Num::Count(Sel::Selector(s)) => s.quant == Quant::Bare,
        Num::Points(..) | Num::Icons { .. } | Num::Coins(_) => true,
        _ => false,
    }
}

impl Printer<'_> {
    pub fn amount(&mut self, num: &Num) -> Amount {
        match num {
            Num::Int(n) => Amount::Fixed(*n),
            Num::Roll(_) | Num::Counters(_) | Num::Name(_) | Num::Times(..) => Amount::Equal(self.num(num)),
            Num::Coins(of) => Amount::PerEach(format!("each coin on {}", self.bearer(of))),
            Num::Count(Sel::Selector(s)) if is_per_each(num) => {
                Amount::PerEach(format!("each {}", self.selector(s, Det::Single, Prep::In).text()))
            }
            Num::Points(points, who) => Amount::PerEach(format!("each {}", self.points(*points, who, 1))),
            Num::Icons { site, .. } => {
                let icon = self.icons(num, 1);
                Amount::PerEach(format!("each {icon}{}", self.icon_site(site)))
            }
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
            Num::Roll(sides) => format!("1 to {sides}"),
            Num::Name(name) => match self.counted(name) {
                Some(Counted::Then(num)) => self.num(&num),
                _ => "that number".into(),
            },
            Num::Times(n, num) => format!("{n} times {}", self.num(num)),
            Num::Coins(of) => {
                format!("the number of coins on {}", self.refer(of, Det::A, Prep::In).text())
            }
            Num::Counters(of) => {
                format!("the number of counters on {}", self.refer(of, Det::A, Prep::In).text())
            }
            Num::Count(sel) => format!("the number of {}", self.things(sel, Det::Plural, Prep::In).text()),
            Num::Points(points, who) => format!("the number of {}", self.points(*points, who, 2)),
            Num::Value { printed, value, of } => {
                let whose = match of {
                    Ref::It => "its".into(),
                    Ref::You if self.reader() => "your".into(),
                    of => {
                        let thing = self.refer(of, Det::A, Prep::In);
                        possessive(&thing.text(), thing.plural)
                    }
                };
                format!("{whose} {}", value_noun(*printed, *value))
            }
            Num::Icons { site, .. } => {
                let icons = self.icons(num, 2);
                format!("the number of {icons}{}", self.icon_site(site))
            }
            Num::Add(a, b) => format!("{} plus {}", self.num(a), right(self, b)),
            Num::Sub(a, b) => format!("{} minus {}", self.num(a), right(self, b)),
        }
    }

    /// "explorer icon", "treasure icons of that type"; in somebody's dungeon, if they are not said to be on something.
    pub fn icons(&mut self, num: &Num, count: u8) -> String {
        let Num::Icons { icon, site } = num else { return String::new() };
        let noun = if count == 1 { "icon" } else { "icons" };
        let mut text = match icon {
            Some(IconType::Class(class)) => format!("{class} {noun}"),
            Some(IconType::Name(_)) => format!("treasure {noun} of that type"),
            None => format!("treasure {noun}"),
        };
        if let IconSite::In(place) = site {
            text += &format!(" {}", self.at(place, Prep::In));
        }
        text
    }

    fn icon_site(&mut self, site: &IconSite) -> String {
        match site {
            IconSite::On(r) => format!(" on {}", self.bearer(r)),
            IconSite::In(_) => String::new(),
        }
    }

    /// What it lies on; "it", if the sentence is about that.
    fn bearer(&mut self, of: &Ref) -> String {
        if self.focus.as_ref() == Some(of) { "it".into() } else { self.refer(of, Det::A, Prep::In).text() }
    }

    /// "soul you have", "hero that entered your dungeon this turn"
    fn points(&mut self, points: Points, who: &Who, count: u8) -> String {
        let things = noun_of(points, count);
        let subject = self.subject(who);
        match points {
            Points::Coins | Points::Souls | Points::Wounds => {
                format!("{things} {} {}", subject.label, if subject.reader { "have" } else { "has" })
            }
            Points::SoulsThisTurn => format!("{things} {} gained this turn", subject.label),
            Points::LuredThisTurn => format!("{things} {} lured this turn", subject.label),
            Points::EnteredThisTurn => {
                format!("{things} that entered {} dungeon this turn", self.owner(who))
            }
            Points::DestroyedThisTurn => {
                format!("{things} destroyed in {} dungeon this turn", self.owner(who))
            }
        }
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

pub fn noun_of(points: Points, count: u8) -> String {
    let noun = match points {
        Points::Souls | Points::SoulsThisTurn => "soul",
        Points::Wounds => "wound",
        Points::Coins => "coin",
        Points::LuredThisTurn | Points::EnteredThisTurn => "hero",
        Points::DestroyedThisTurn => "room",
    };
    if count == 1 { noun.into() } else { plural(noun) }
}

/// "health left", "printed damage"
pub fn value_noun(printed: bool, value: Value) -> String {
    let noun = if value == Value::Life { "health left" } else { value.word() };
    format!("{}{noun}", if printed { "printed " } else { "" })
}
