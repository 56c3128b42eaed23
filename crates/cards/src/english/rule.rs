//! Events and lasting rules: "a hero dies in this room", "each monster room deals +1 damage".

use super::number::Amount;
use super::phrase::{Det, Prep, is_you};
use super::word::{Phrase, multiple, possessive, third};
use super::{Origin, Printer};
use crate::tree::*;

/// How an event is spoken of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// "a hero dies"
    Happens,
    /// "a hero would die"
    Would,
    /// "no hero can die"
    Cannot,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lasting {
    Always,
    Turn,
}

/// The draw at the beginning of a turn.
pub const TURN_DRAW: &str = "room draw at the start of the turn";

impl Printer<'_> {
    pub fn event(&mut self, event: &Event, mood: Mood) -> String {
        if event.kind == EventKind::EndOfTurn {
            return "the turn ends".into();
        }
        let EventKind::Happens { name, subject, words, object, by, .. } = &event.kind else {
            let your = self.owner(&Who::You);
            return match mood {
                Mood::Happens => format!("{your} {TURN_DRAW} comes"),
                Mood::Would => format!("{your} {TURN_DRAW} would come"),
                Mood::Cannot => format!("{your} {TURN_DRAW} does not happen"),
            };
        };
        let word = words.last().unwrap_or(&Word::Built);
        // What `you` build is this very room: nobody else can.
        let own = *word == Word::Built && *subject == Sel::Ref(Ref::This);
        let by = by.clone().or(own.then_some(Who::You));
        let active = matches!(word, Word::Enters);
        match by {
            Some(who) if !active => {
                let verb = match word {
                    Word::Built | Word::Enters => "build",
                    Word::Cast => "cast",
                    Word::Destroyed => "destroy",
                    Word::Killed => "kill",
                    Word::Discarded => "discard",
                    Word::Lured => "lure",
                    Word::Survives => "spare",
                    Word::Taken => "take",
                    Word::Uncovered => "uncover",
                    Word::Wins => "beat",
                };
                let doer = self.doer(&who, mood);
                self.acting(&who, |p| {
                    let thing = p.participant(name.as_ref(), subject, Det::A);
                    format!(
                        "{} {}{}",
                        verb_after(&doer, verb, mood),
                        thing.text,
                        p.object(*word, object.as_ref())
                    )
                })
            }
            by => {
                let det = if mood == Mood::Cannot { Det::No } else { Det::A };
                let thing = self.participant(name.as_ref(), subject, det);
                let bare_no = det == Det::No && matches!(subject, Sel::Those(s) if s.quant == Quant::Bare);
                let predicate = predicate(*word, mood, &thing, bare_no);
                let cause =
                    by.map_or(String::new(), |who| format!(" because of {}", self.subject(&who).label));
                format!("{} {predicate}{}{cause}", thing.text, self.object(*word, object.as_ref()))
            }
        }
    }

    fn doer(&mut self, who: &Who, mood: Mood) -> Phrase {
        match (who, mood) {
            (Who::Opponent, Mood::Cannot) => Phrase::one("no opponent"),
            (Who::Player | Who::Any, Mood::Cannot) => Phrase::one("no player"),
            _ => {
                let subject = self.subject(who);
                Phrase { plural: subject.reader, text: subject.label }
            }
        }
    }

    fn participant(&mut self, name: Option<&Name>, subject: &Sel, det: Det) -> Phrase {
        match name {
            Some(name) => {
                self.learn(name, subject, Origin::Event, None);
                let phrase = self.refer(&Ref::Name(name.clone()), det, Prep::In);
                self.focus = None;
                phrase
            }
            None => self.things(subject, det, Prep::In),
        }
    }

    fn object(&mut self, word: Word, object: Option<&Object>) -> String {
        match object {
            None => String::new(),
            Some(Object::On(sel)) => format!(" on {}", self.things(sel, Det::A, Prep::In).text),
            Some(Object::Room(sel)) => {
                let room = self.things(sel, Det::A, Prep::In).text;
                if word == Word::Enters { format!(" {room}") } else { format!(" in {room}") }
            }
            Some(Object::Place(place)) if word == Word::Enters => format!(" {}", self.place(place)),
            Some(Object::Place(place)) => format!(" {}", self.at(place, Prep::In)),
        }
    }

    pub fn rule(&mut self, rule: &Rule, lasting: Lasting) -> String {
        let (text, during) = match &rule.kind {
            RuleKind::Allow { event, during } => (self.event(event, Mood::Would), during),
            RuleKind::Is { sel, status, during } => {
                let thing = self.things(sel, Det::Each, Prep::In);
                (format!("{} {} {status}", thing.text, thing.pick("is", "are")), during)
            }
            RuleKind::Forbid { event, during } => (self.event(event, Mood::Cannot), during),
            RuleKind::Has { sel, stat: Stat::Builds, change, during, .. } => {
                (self.builds(sel, change, lasting), during)
            }
            RuleKind::Has { sel, stat, change, during, .. } => {
                (self.has_stat(sel, *stat, change, lasting), during)
            }
        };
        let while_ =
            during.as_ref().map_or(String::new(), |cond| format!(" while {}", self.cond(cond, true)));
        let timed =
            matches!(rule.kind, RuleKind::Has { stat: Stat::Builds, .. }) || lasting == Lasting::Always;
        format!("{text}{while_}{}", if timed { "" } else { " until end of turn" })
    }

    /// Room placements: "you may build 1 more room this turn".
    fn builds(&mut self, sel: &Sel, change: &Change, lasting: Lasting) -> String {
        let who = self.things(sel, Det::Each, Prep::In).text;
        let time = if lasting == Lasting::Turn { "this turn" } else { "each turn" };
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

    fn has_stat(&mut self, sel: &Sel, stat: Stat, change: &Change, lasting: Lasting) -> String {
        if let (Some(Damage::Star), Sel::Ref(Ref::This), Stat::Damage, Change::Plus(num), Lasting::Always) =
            (self.card.fields.damage, sel, stat, change, lasting)
        {
            let itself = if self.counts_itself(num) { ", itself included" } else { "" };
            return format!("{} damage is {}{itself}", possessive(&self.this(), false), self.num(num));
        }
        let subject = self.things(sel, Det::Each, Prep::In);
        let noun = match sel {
            Sel::Ref(r) => self.noun_of(r),
            Sel::Those(s) => s.noun,
        };
        let verb =
            if stat == Stat::Damage { subject.pick("deals", "deal") } else { subject.pick("has", "have") };
        let what = match stat {
            Stat::Damage => "damage",
            Stat::Health => "health",
            Stat::Icon => "treasure icons",
            Stat::Builds => "builds",
        };
        let text = |rest: String| format!("{} {verb} {rest}", subject.text);
        let (num, sign) = match change {
            Change::Times(n) if stat == Stat::Icon => {
                let times = if *n == 2 { "double".into() } else { format!("{n} times") };
                return format!("the treasure icons of {} count {times}", subject.text);
            }
            Change::Times(n) => return text(format!("{} {what}", multiple(*n))),
            Change::Zero => return text(format!("no {what}")),
            Change::Plus(num) => (num, '+'),
            Change::Minus(num) => (num, '-'),
        };
        match self.looking(noun, |p| p.amount(num)) {
            Amount::Fixed(1) if stat == Stat::Icon => text(format!("{sign}1 treasure icon")),
            Amount::Fixed(n) => text(format!("{sign}{n} {what}")),
            Amount::PerEach(each) => {
                let what = if stat == Stat::Icon { "treasure icon" } else { what };
                text(format!("{sign}1 {what} for {each}"))
            }
            Amount::Equal(n) if sign == '+' => text(format!("extra {what} equal to {n}")),
            Amount::Equal(n) => text(format!("{what} reduced by {n}")),
        }
    }

    /// The counted rooms are in your dungeon and of this card's own kind.
    fn counts_itself(&self, num: &Num) -> bool {
        let Num::Count(Sel::Those(s)) = num else {
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
            Adjective::Monster => fields.subtype == Some(Subtype::Monster),
            Adjective::Trap => fields.subtype == Some(Subtype::Trap),
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
            Num::Count(sel @ Sel::Those(s)) if s.quant == Quant::Bare && is_held_by_it(s) => {
                let things = self.looking(Noun::Player, |p| p.things(sel, Det::Plural, Prep::In));
                format!("with the {extreme} {}", things.text)
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

fn is_held_by_it(s: &Selector) -> bool {
    matches!(&s.site, Some(Site::In(place)) if place.of == Some(Who::Ref(Ref::It)))
}

fn verb_after(doer: &Phrase, verb: &str, mood: Mood) -> String {
    match mood {
        Mood::Happens if doer.plural => format!("{} {verb}", doer.text),
        Mood::Happens => format!("{} {}", doer.text, third(verb)),
        Mood::Would => format!("{} would {verb}", doer.text),
        Mood::Cannot if doer.text.starts_with("no ") => format!("{} can {verb}", doer.text),
        Mood::Cannot => format!("{} cannot {verb}", doer.text),
    }
}

fn predicate(word: Word, mood: Mood, thing: &Phrase, bare_no: bool) -> String {
    let (happens, bare) = match word {
        Word::Built => (format!("{} built", thing.pick("is", "are")), "be built"),
        Word::Cast => (format!("{} cast", thing.pick("is", "are")), "be cast"),
        Word::Destroyed => (format!("{} destroyed", thing.pick("is", "are")), "be destroyed"),
        Word::Enters => (thing.pick("enters", "enter").to_string(), "enter"),
        Word::Killed => (thing.pick("dies", "die").to_string(), "die"),
        Word::Discarded => (format!("{} discarded", thing.pick("is", "are")), "be discarded"),
        Word::Lured => (format!("{} lured", thing.pick("is", "are")), "be lured"),
        Word::Survives => (thing.pick("survives", "survive").to_string(), "survive"),
        Word::Taken => (format!("{} taken", thing.pick("is", "are")), "be taken"),
        Word::Uncovered => (format!("{} uncovered", thing.pick("is", "are")), "be uncovered"),
        Word::Wins => (thing.pick("wins", "win").to_string(), "win"),
    };
    match mood {
        Mood::Happens => happens,
        Mood::Would => format!("would {bare}"),
        Mood::Cannot if bare_no => format!("can {bare}"),
        Mood::Cannot => format!("cannot {bare}"),
    }
}
