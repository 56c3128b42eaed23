//! Rules and events: what they speak of, and which names they may use.

use super::MAX_KEPT;
use super::fault::CheckFault;
use super::terms::{Given, Scope, Thing, Usage};
use crate::tree::*;

impl Scope {
    pub fn lure(&mut self, num: &Num) {
        self.it.push(Thing::Player);
        self.num(num);
        self.it.pop();
    }

    /// A rule that lasts and keeps the names it uses.
    pub fn until(&mut self, rule: &Rule) {
        self.used.clear();
        self.rule(rule);
        if self.used.len() > MAX_KEPT {
            self.fault(rule.span, CheckFault::ManyKept);
        }
    }

    pub fn rule(&mut self, rule: &Rule) {
        let (thing, during) = match &rule.kind {
            RuleKind::Has { sel, stat, change, during, .. } => {
                let thing = self.sel(sel, Usage::Query).thing;
                self.stat(self.sel_span(sel), *stat, thing);
                self.it.push(thing);
                match change {
                    Change::Times(0) => self.fault(rule.span, CheckFault::Zero),
                    Change::Times(_) | Change::Zero => {}
                    Change::Plus(_) | Change::Minus(_) if *stat == Stat::Icon => {
                        self.fault(rule.span, CheckFault::IconChange);
                    }
                    Change::Plus(num) | Change::Minus(num) => self.quantity(num, 50),
                }
                self.it.pop();
                (thing, during)
            }
            RuleKind::Is { sel, during, .. } => {
                let thing = self.sel(sel, Usage::Query).thing;
                self.want(self.sel_span(sel), "is", "a room", thing, thing == Thing::Room);
                (thing, during)
            }
            RuleKind::Forbid { event, during } => (self.event(event, "forbid"), during),
            RuleKind::Allow { event, during } => (self.event(event, "allow"), during),
        };
        if let Some(cond) = during {
            self.it.push(thing);
            self.cond(cond);
            self.it.pop();
        }
    }

    fn stat(&mut self, span: Span, stat: Stat, thing: Thing) {
        let (verb, wanted, fits) = match stat {
            Stat::Builds => ("has builds", "a player", thing == Thing::Player),
            Stat::Damage => ("has damage", "a room", thing == Thing::Room),
            Stat::Icon => ("has icon", "a room", thing == Thing::Room),
            // A soul may have been moved back among the heroes.
            Stat::Health => {
                ("has health", "a hero", matches!(thing, Thing::Hero | Thing::Soul | Thing::Wound))
            }
        };
        self.want(span, verb, wanted, thing, fits);
    }

    /// The event of a `when`, an `instead of` or a `forbid`; gives what it happens to.
    pub fn event(&mut self, event: &Event, ability: &'static str) -> Thing {
        let EventKind::Happens { name, subject, words, object, by, .. } = &event.kind else {
            if ability != "instead of" {
                self.fault(event.span, CheckFault::EventUse { ability, event: "turn draw" });
            }
            return Thing::Player;
        };
        let Some(word) = words.last() else { return Thing::Unknown };
        let known = match (ability, word) {
            ("forbid", word) => matches!(word, Word::Built | Word::Cast | Word::Enters),
            ("when", _) => true,
            _ => false,
        };
        if !known {
            self.fault(event.span, CheckFault::EventUse { ability, event: word.word() });
        }
        let thing = self.sel(subject, Usage::Query).thing;
        let (wanted, fits) = match word {
            Word::Built | Word::Destroyed | Word::Uncovered => ("a room", thing == Thing::Room),
            Word::Cast => ("a spell", thing == Thing::Spell),
            Word::Enters | Word::Killed | Word::Lured | Word::Survives => ("a hero", thing == Thing::Hero),
            Word::Discarded | Word::Taken => {
                ("a room or a spell", matches!(thing, Thing::Card | Thing::Room | Thing::Spell))
            }
            Word::Wins => ("a player", thing == Thing::Player),
        };
        self.want(self.sel_span(subject), word.word(), wanted, thing, fits);
        match object {
            None if *word == Word::Enters => self.fault(event.span, CheckFault::EntersWhat),
            None => {}
            Some(object @ (Object::On(sel) | Object::Room(sel))) => {
                if ability == "when" && matches!(object, Object::On(_)) {
                    self.fault(event.span, CheckFault::EventUse { ability, event: "built on" });
                }
                let room = self.sel(sel, Usage::Query).thing;
                self.want(self.sel_span(sel), word.word(), "a room", room, room == Thing::Room);
            }
            Some(Object::Place(place)) => {
                self.place(place);
                if place.zones != [Zone::Dungeon] {
                    self.fault(place.span, CheckFault::EntersWhat);
                } else if ability == "when" {
                    self.fault(place.span, CheckFault::EventUse { ability, event: "enters dungeon" });
                }
            }
        }
        if let Some(who) = by {
            self.who(who, "`by`", event.span);
            if matches!(word, Word::Destroyed | Word::Enters) {
                self.fault(event.span, CheckFault::StrayBy { event: word.word() });
            }
        }
        match name {
            Some(name) if ability == "forbid" => self.fault(name.span, CheckFault::NameInRule),
            Some(name) if matches!(word, Word::Destroyed | Word::Killed) => {
                self.fault(name.span, CheckFault::NameGone { event: word.word() });
                self.bind(name, Given { thing: Thing::Unknown, count: 1, pending: false });
            }
            Some(name) => {
                let pending = *word == Word::Cast;
                self.bind(name, Given { thing, count: 1, pending });
            }
            None => {}
        }
        thing
    }
}
