//! Rules: "each monster room deals +1 damage", "that room's text is switched off".

use super::event::Mood;
use super::number::{Amount, is_per_each};
use super::phrase::{Det, Prep, is_player, is_you};
use super::word::{Phrase, multiple, possessive};
use super::{Origin, Printer};
use crate::tree::*;

/// How long a rule holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Term {
    Always,
    /// While the card is being built.
    Building,
    Turn,
    /// Until end of turn, for one use.
    Once,
    Game,
    /// While the card lies in a scoring area.
    Scored,
}

impl Printer<'_> {
    pub fn rule(&mut self, rule: &Rule, term: Term) -> String {
        let chosen_here =
            matches!(&rule.kind, RuleKind::Is { sel, status: Status::Blank, .. } if self.is_chosen_here(sel));
        let (text, during) = match &rule.kind {
            RuleKind::Forbid { event, during } => (self.event(event, Mood::Cannot), during),
            RuleKind::Allow { event, during } => {
                let own = matches!(&event.kind, EventKind::Happens { by: Some(who), .. } if is_you(who));
                let (mood, how) = match term {
                    Term::Building => (Mood::MayAnyway, ", whatever its treasure"),
                    Term::Always if own => (Mood::May, ", whatever its treasure"),
                    Term::Always => (Mood::May, ""),
                    _ if is_at_home(event) => (Mood::MayAnyway, ", whatever its treasure"),
                    _ => (Mood::May, " instead of building elsewhere"),
                };
                (self.event(event, mood) + how, during)
            }
            RuleKind::Is { sel, status, against, during } => {
                (self.status(sel, *status, against.as_ref()), during)
            }
            RuleKind::Has { sel, stat: stat @ (Stat::Souls | Stat::Wounds), change, during, .. } => {
                (self.points_had(sel, *stat, change), during)
            }
            RuleKind::Has { sel, stat: Stat::Builds, change, during, .. } => {
                (self.builds(sel, change, term), during)
            }
            RuleKind::Has { sel, stat: Stat::Minion, change, during, .. } => {
                (self.minion_acts(sel, change, term), during)
            }
            RuleKind::Has { sel, icon: Some(icon), change: Change::Plus(num), during, .. } => {
                (self.more_icons(sel, icon, num), during)
            }
            RuleKind::Has { sel, stat, change, against, during, .. } => {
                let text = self.has_stat(sel, *stat, change, term);
                (text + &self.dealt_to(against.as_ref()), during)
            }
        };
        if rule.is_about_this() {
            self.focus = Some(Ref::This);
        }
        let so_long = if term == Term::Scored { "as long as" } else { "while" };
        let during = match during {
            None => String::new(),
            Some(Cond::In(Ref::This, place)) if rule.is_about_this() && self.hosted() => {
                let there = if place.of.is_none() && place.zones == [Zone::Dungeon] {
                    "in a dungeon".into()
                } else {
                    self.at(place, Prep::In)
                };
                format!(" {so_long} {there}")
            }
            Some(cond) => format!(" {so_long} {}", self.cond(cond, true)),
        };
        if matches!(term, Term::Always | Term::Building | Term::Scored) {
            return format!("{text}{during}");
        }
        if term == Term::Game {
            return format!("{text}{during} for the rest of the game");
        }
        match &rule.kind {
            RuleKind::Has { stat: Stat::Builds | Stat::Minion, .. } => format!("{text}{during}"),
            RuleKind::Allow { .. } if term == Term::Once => format!("once this turn, {text}{during}"),
            RuleKind::Allow { .. } => format!("this turn, {text}{during}"),
            RuleKind::Forbid { event, .. } if is_of_the_turn(event) => format!("{text} this turn{during}"),
            RuleKind::Forbid { .. } if !during.is_empty() => format!("until end of turn, {text}{during}"),
            _ if term == Term::Once => format!("{text}{during} until end of turn, but only once"),
            _ if chosen_here => format!("until end of turn, {text}{during}"),
            _ => format!("{text}{during} until end of turn"),
        }
    }

    /// What a rule is about; a name that no choice has introduced is introduced here.
    fn about(&mut self, sel: &Sel) -> Phrase {
        if let Sel::Ref(r) = sel {
            if *r == Ref::This && self.focus == Some(Ref::This) {
                return Phrase::one("it");
            }
            if let Some(i) = self.known(r)
                && !self.names[i].told
                && self.names[i].origin == Origin::Chosen
            {
                let random =
                    matches!(&self.names[i].sel, Sel::Selector(s) if matches!(s.quant, Quant::Random(_)));
                // Nobody chooses what is random, and an option has been chosen already.
                let phrase = if random || self.options > 0 && self.names[i].by.is_none() {
                    self.refer(r, Det::A, Prep::In)
                } else {
                    let by = self.names[i].by.get_or_insert(Who::You).clone();
                    self.acting(&by, |p| p.refer(r, Det::A, Prep::In))
                };
                self.focus = None;
                return phrase;
            }
        }
        self.things(sel, Det::Each, Prep::In)
    }

    /// The reader picks it as the rule is told.
    fn is_chosen_here(&self, sel: &Sel) -> bool {
        let is_new = |r: &Ref| self.known(r).is_some_and(|i| !self.names[i].told);
        matches!(sel, Sel::Ref(r) if is_new(r)) && self.reader()
    }

    /// " to an epic hero"
    fn dealt_to(&mut self, against: Option<&Sel>) -> String {
        against.map_or(String::new(), |sel| format!(" to {}", self.things(sel, Det::A, Prep::In).text()))
    }

    /// "you have 2 extra souls"
    fn points_had(&mut self, sel: &Sel, stat: Stat, change: &Change) -> String {
        let who = self.things(sel, Det::Each, Prep::In);
        let (point, points) = if stat == Stat::Souls { ("soul", "souls") } else { ("wound", "wounds") };
        let mut by = |num: &Num, word: &str| match self.amount(num) {
            Amount::Fixed(1) => format!("1 {word} {point}"),
            Amount::Fixed(n) => format!("{n} {word} {points}"),
            Amount::PerEach(each) => format!("1 {word} {point} for {each}"),
            Amount::Equal(n) => format!("{word} {points}, as many as {n}"),
        };
        let had = match change {
            Change::Plus(num) => by(num, "extra"),
            Change::Minus(num) => by(num, "fewer"),
            Change::Times(n) => format!("{} {points}", multiple(*n)),
            Change::Zero => format!("no {points}"),
        };
        format!("{} {} {had}", who.text(), who.pick("has", "have"))
    }

    fn status(&mut self, sel: &Sel, status: Status, against: Option<&Sel>) -> String {
        match (status, against) {
            (Status::Blank, Some(heroes)) => {
                let rooms = self.things(sel, Det::Plural, Prep::In).text();
                let heroes = self.things(heroes, Det::Each, Prep::In);
                return format!("{} {} the text of {rooms}", heroes.text(), heroes.pick("ignores", "ignore"));
            }
            (Status::Stunned, Some(_)) => {
                let rooms = self.about(sel);
                let to = self.dealt_to(against);
                return format!("{} {} no damage{to}", rooms.text(), rooms.pick("deals", "deal"));
            }
            _ => {}
        }
        match status {
            Status::Portable => {
                let thing = self.about(sel);
                format!("{} {} portable", thing.text(), thing.pick("is", "are"))
            }
            Status::Stunned => {
                let thing = self.about(sel);
                format!("{} {} no damage", thing.text(), thing.pick("deals", "deal"))
            }
            Status::Blank if self.is_chosen_here(sel) => {
                format!("switch off the text of {}", self.things(sel, Det::A, Prep::In).text())
            }
            Status::Blank => {
                format!("the text of {} is switched off", self.things(sel, Det::Each, Prep::In).text())
            }
        }
    }

    /// "that room has 1 more mage icon"
    fn more_icons(&mut self, sel: &Sel, icon: &IconType, num: &Num) -> String {
        let mut room = self.about(sel);
        if matches!(sel, Sel::Ref(r) if is_player(self.noun_of(r))) {
            let whose = if room.text() == "you" { "your".into() } else { possessive(&room.text(), false) };
            room = Phrase::one(format!("{whose} dungeon"));
        }
        let has = room.pick("has", "have");
        let (before, after) = match icon {
            IconType::Class(class) => (format!("{class} "), String::new()),
            IconType::Name(t) => {
                let each = self.known(&Ref::Name(t.clone())).is_some_and(|i| {
                    let class = &self.names[i];
                    class.origin == Origin::Each && !class.told
                });
                ("treasure ".into(), if each { " of each type".into() } else { " of that type".into() })
            }
        };
        let icons = match self.amount(num) {
            Amount::Fixed(1) => format!("1 more {before}icon{after}"),
            Amount::Fixed(n) => format!("{n} more {before}icons{after}"),
            Amount::PerEach(each) => format!("1 more {before}icon{after} for {each}"),
            Amount::Equal(n) => format!("extra {before}icons{after} equal to {n}"),
        };
        format!("{} {has} {icons}", room.text())
    }

    /// Room placements: "you may build 1 more room this turn".
    fn builds(&mut self, sel: &Sel, change: &Change, term: Term) -> String {
        let who = self.things(sel, Det::Each, Prep::In).text();
        let time = if term == Term::Always { "each turn" } else { "this turn" };
        let mut by = |num: &Num, word: &str| match self.amount(num) {
            Amount::Fixed(1) => format!("1 {word} room"),
            Amount::Fixed(n) => format!("{n} {word} rooms"),
            Amount::PerEach(each) => format!("1 {word} room for {each}"),
            Amount::Equal(n) => format!("{word} rooms, as many as {n},"),
        };
        let rooms = match change {
            Change::Plus(n) => by(n, "more"),
            Change::Minus(n) => by(n, "fewer"),
            Change::Times(2) => "twice as many rooms".into(),
            Change::Times(n) => format!("{n} times as many rooms"),
            Change::Zero => "no rooms".into(),
        };
        format!("{who} may build {rooms} {time}")
    }

    /// "your minion's effect happens once more this turn"
    fn minion_acts(&mut self, sel: &Sel, change: &Change, term: Term) -> String {
        let whose = match sel {
            Sel::Ref(Ref::You) if self.reader() => "your".into(),
            sel => possessive(&self.about(sel).text(), false),
        };
        let time = if term == Term::Always { "each turn" } else { "this turn" };
        let often = |n: u8, more: &str| match n {
            1 => format!("once {more}"),
            2 => format!("twice {more}"),
            n => format!("{n} times {more}"),
        };
        let times = match change {
            Change::Plus(Num::Int(n)) => often(*n, "more"),
            Change::Minus(Num::Int(n)) => often(*n, "less"),
            Change::Plus(num) => format!("a number of times more equal to {}", self.num(num)),
            Change::Minus(num) => format!("a number of times less equal to {}", self.num(num)),
            Change::Times(n) => format!("{n} times as often"),
            Change::Zero => "not at all".into(),
        };
        format!("{whose} minion's effect happens {times} {time}")
    }

    fn has_stat(&mut self, sel: &Sel, stat: Stat, change: &Change, term: Term) -> String {
        if let (Some(Damage::Star), Sel::Ref(Ref::This), Stat::Damage, Change::Plus(num), Term::Always) =
            (self.card.fields.damage, sel, stat, change, term)
        {
            let itself = if self.counts_itself(num) { ", itself included" } else { "" };
            return format!("{} damage is {}{itself}", possessive(&self.this(), false), self.num(num));
        }
        let subject = self.about(sel);
        let noun = match sel {
            Sel::Ref(r) => self.noun_of(r),
            Sel::Selector(s) => s.noun,
        };
        let verb =
            if stat == Stat::Damage { subject.pick("deals", "deal") } else { subject.pick("has", "have") };
        let what = match stat {
            Stat::Damage => "damage",
            Stat::Health => "health",
            Stat::Icon => "treasure icons",
            Stat::Builds => "builds",
            Stat::Souls => "souls",
            Stat::Wounds => "wounds",
            Stat::Minion => "minion",
        };
        let text = |rest: String| format!("{} {verb} {rest}", subject.text());
        let (num, sign) = match change {
            Change::Times(n) if stat == Stat::Icon => {
                let times = if *n == 2 { "double".into() } else { format!("{n} times") };
                return format!("the treasure icons of {} count {times}", subject.text());
            }
            Change::Times(n) => return text(format!("{} {what}", multiple(*n))),
            Change::Zero if stat == Stat::Icon => {
                return format!("the treasure icons of {} count for nothing", subject.text());
            }
            Change::Zero => return text(format!("no {what}")),
            Change::Plus(num) => (num, '+'),
            Change::Minus(num) => (num, '-'),
        };
        if let Num::Add(first, more) = num
            && let (Num::Int(first), Some(times)) = (&**first, per_coin_paid(more))
        {
            return text(format!("{sign}{first} {what}, and {sign}{times} {what} more for each coin paid,"));
        }
        let count = |n: u8| {
            let what = if n == 1 && stat == Stat::Icon { "treasure icon" } else { what };
            if sign == '+' { format!("+{n} {what}") } else { format!("{n} {what} less") }
        };
        // So many for each of something.
        let (times, num) = match num {
            Num::Times(n, each) if is_per_each(each) => (*n, &**each),
            _ => (1, num),
        };
        let about = match sel {
            Sel::Ref(r) if !subject.plural => Some(r.clone()),
            _ => None,
        };
        let before = std::mem::replace(&mut self.focus, about);
        let amount = self.looking(noun, |p| p.amount(num));
        self.focus = before;
        match amount {
            Amount::Fixed(n) => text(count(n)),
            Amount::PerEach(each) => text(format!("{} for {each}", count(times))),
            Amount::Equal(n) if sign == '+' => text(format!("extra {what} equal to {n}")),
            Amount::Equal(n) => text(format!("{what} reduced by {n}")),
        }
    }

    /// The counted rooms are in your dungeon and of this card's own kind.
    fn counts_itself(&self, num: &Num) -> bool {
        let Num::Count(Sel::Selector(s)) = num else {
            return false;
        };
        let here = match &s.site {
            Some(Site::In(place)) => {
                place.zones == [Zone::Dungeon]
                    && place.of.as_ref().is_none_or(|w| is_you(w) || *w == Who::Any)
            }
            _ => false,
        };
        let fields = &self.card.fields;
        let matches = |adjective: &Adjective| match adjective {
            Adjective::Advanced => fields.advanced,
            Adjective::Ordinary => !fields.advanced,
            Adjective::Subtype(subtype) => fields.subtype == Some(*subtype),
            _ => false,
        };
        let kind = self.card.kind == Kind::Room && s.noun == Noun::Room && s.quant == Quant::Bare;
        here && kind && s.but.is_none() && s.cond.is_none() && s.adjectives.iter().all(matches)
    }

    /// Where a hero without treasure icon goes.
    pub fn lure(&mut self, most: bool, num: &Num) -> Vec<String> {
        let extreme = if most { "most" } else { "fewest" };
        let whose = match num {
            Num::Points(points, Who::Ref(Ref::It)) => format!("with the {extreme} {points}"),
            Num::Count(sel @ Sel::Selector(s)) if s.quant == Quant::Bare && is_held_by_it(s) => {
                let things = self.looking(Noun::Player, |p| p.things(sel, Det::Plural, Prep::In));
                format!("with the {extreme} {}", things.text())
            }
            Num::Icons { site: IconSite::In(place), .. } if place.of == Some(Who::Ref(Ref::It)) => {
                let icons = self.looking(Noun::Player, |p| p.icons(num, 2));
                format!("with the {extreme} {icons}")
            }
            num if points_of_it(num).is_some() => {
                let word = if most { "highest" } else { "lowest" };
                format!("with the {word} number of {}", points_of_it(num).unwrap_or_default())
            }
            num => {
                let word = if most { "highest" } else { "lowest" };
                let value = self.looking(Noun::Player, |p| p.num(num));
                format!("with the {word} result of {value}")
            }
        };
        let this = self.this();
        vec![format!("{this} is lured by the player {whose}"), "on a tie it stays in town".into()]
    }
}

impl Rule {
    fn is_about_this(&self) -> bool {
        matches!(&self.kind, RuleKind::Has { sel, .. } | RuleKind::Is { sel, .. } if *sel == Sel::Ref(Ref::This))
    }
}

/// So many for each of a number chosen before.
fn per_coin_paid(num: &Num) -> Option<u8> {
    match num {
        Num::Name(_) => Some(1),
        Num::Times(n, of) if matches!(**of, Num::Name(_)) => Some(*n),
        _ => None,
    }
}

/// Building on the rooms of your own dungeon.
fn is_at_home(event: &Event) -> bool {
    let EventKind::Happens { object: Some(Object::On(Sel::Selector(rooms))), .. } = &event.kind else {
        return false;
    };
    matches!(&rooms.site, Some(Site::In(place)) if place.of.as_ref().is_none_or(is_you))
}

/// Winning and being lured happen once in a turn.
fn is_of_the_turn(event: &Event) -> bool {
    matches!(&event.kind, EventKind::Happens { words, .. }
        if words.iter().all(|word| matches!(word, EventWord::Loses | EventWord::Lured | EventWord::Wins)))
}

/// "souls minus wounds"
fn points_of_it(num: &Num) -> Option<String> {
    match num {
        Num::Points(points @ (Points::Souls | Points::Wounds), Who::Ref(Ref::It)) => Some(points.to_string()),
        Num::Add(a, b) if !matches!(**b, Num::Add(..) | Num::Sub(..)) => {
            Some(format!("{} plus {}", points_of_it(a)?, points_of_it(b)?))
        }
        Num::Sub(a, b) if !matches!(**b, Num::Add(..) | Num::Sub(..)) => {
            Some(format!("{} minus {}", points_of_it(a)?, points_of_it(b)?))
        }
        _ => None,
    }
}

fn is_held_by_it(s: &Selector) -> bool {
    matches!(&s.site, Some(Site::In(place)) if place.of == Some(Who::Ref(Ref::It)))
}
