//! Rules and events: what they may refer to, and which names they may use.

use super::MAX_KEPT;
use super::fault::CheckFault;
use super::terms::{Given, Scope, Usage};
use super::thing::{Changed, Thing};
use crate::compile;
use crate::tree::*;

impl Scope {
    pub fn lure(&mut self, num: &Num) {
        self.it.push(Thing::Player);
        self.num(num);
        self.it.pop();
    }

    /// A lasting rule, which keeps the names it uses.
    pub fn until(&mut self, rule: &Rule) {
        let outer = std::mem::take(&mut self.used);
        self.rule(rule, compile::is_live(rule));
        if self.used.len() > MAX_KEPT {
            self.fault(rule.span, CheckFault::ManyKept);
        }
        self.used.extend(outer);
    }

    /// A rule; unless it is live, its amount is computed once, when it begins.
    pub fn rule(&mut self, rule: &Rule, live: bool) {
        let changed = Changed::by(&rule.kind);
        self.changing = changed;
        let (thing, during) = match &rule.kind {
            RuleKind::Has { sel, icon, stat, change, against, during } => {
                let thing = self.sel(sel, Usage::Query).thing;
                self.stat(self.sel_span(sel), *stat, thing);
                self.it.push(thing);
                self.icon(icon.as_ref());
                self.changing = changed.filter(|_| live);
                self.change(rule.span, icon.is_some(), *stat, change);
                self.changing = changed;
                self.it.pop();
                self.against(rule.span, against.as_ref(), *stat == Stat::Damage);
                (thing, during)
            }
            RuleKind::Is { sel, status, against, during } => {
                let thing = self.sel(sel, Usage::Query).thing;
                let (verb, wanted, fits) = match status {
                    Status::Blank => {
                        let with_text =
                            matches!(thing, Thing::Boss | Thing::Hero | Thing::Miniboss | Thing::Room);
                        ("is blank", "a room, a boss, a miniboss or a hero", with_text)
                    }
                    Status::Portable => ("is portable", "a room", thing == Thing::Room),
                    Status::Stunned => ("is stunned", "a room", thing == Thing::Room),
                };
                self.want(self.sel_span(sel), verb, wanted, thing, fits);
                self.against(rule.span, against.as_ref(), *status != Status::Portable);
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
        self.changing = None;
    }

    /// The heroes a room is different for.
    fn against(&mut self, span: Span, against: Option<&Sel>, fits: bool) {
        let Some(sel) = against else { return };
        if !fits {
            self.fault(span, CheckFault::StrayAgainst);
        }
        let hero = self.sel(sel, Usage::Query).thing;
        self.want(self.sel_span(sel), "against", "a hero", hero, hero == Thing::Hero);
    }

    pub(super) fn icon(&mut self, icon: Option<&IconType>) {
        if let Some(IconType::Name(name)) = icon {
            let thing = self.reference(&Ref::Name(name.clone()), false).thing;
            self.want(name.span, "icon", "a treasure type", thing, thing == Thing::Class);
        }
    }

    fn change(&mut self, span: Span, typed: bool, stat: Stat, change: &Change) {
        match (change, stat) {
            (Change::Times(0), _) => self.fault(span, CheckFault::Zero),
            (Change::Plus(num), Stat::Icon) if typed => self.quantity(num, 50),
            (_, Stat::Icon) if typed => self.fault(span, CheckFault::TypedIcon),
            (Change::Plus(_) | Change::Minus(_), Stat::Icon) => self.fault(span, CheckFault::IconChange),
            (Change::Plus(num) | Change::Minus(num), _) => self.quantity(num, 50),
            (Change::Zero, Stat::Icon) | (Change::Times(_), _) => {}
            (Change::Zero, stat) => self.fault(span, CheckFault::StrayZero { stat: stat.word() }),
        }
    }

    fn stat(&mut self, span: Span, stat: Stat, thing: Thing) {
        let (verb, wanted, fits) = match stat {
            Stat::Builds => ("has builds", "a player", thing == Thing::Player),
            Stat::Minion => ("has minion", "a player", thing == Thing::Player),
            Stat::Damage => ("has damage", "a room", thing == Thing::Room),
            Stat::Icon => {
                let fits = matches!(thing, Thing::Boss | Thing::Player | Thing::Room);
                ("has icon", "a room, a boss or a player", fits)
            }
            Stat::Souls => ("has souls", "a player", thing == Thing::Player),
            Stat::Wounds => ("has wounds", "a player", thing == Thing::Player),
            // A soul may have been moved back among the heroes.
            Stat::Health => {
                ("has health", "a hero", matches!(thing, Thing::Hero | Thing::Soul | Thing::Wound))
            }
        };
        self.want(span, verb, wanted, thing, fits);
    }

    /// The event of a `when`, an `instead of`, a `forbid` or an `allow`; returns its subject.
    pub fn event(&mut self, event: &Event, ability: &'static str) -> Thing {
        let (name, subject, words, object, by, because) = match &event.kind {
            EventKind::TurnDraw
            | EventKind::EndOfTurn
            | EventKind::StartOfBuild
            | EventKind::CoinGained { .. } => {
                if let EventKind::CoinGained { by: Some(who) } = &event.kind {
                    self.who(who, "`by`", event.span);
                }
                let (fits, event_word) = match event.kind {
                    EventKind::TurnDraw => ("instead of", "turn draw"),
                    EventKind::StartOfBuild => ("when", "start of build"),
                    EventKind::CoinGained { .. } => ("when", "coin gained"),
                    _ => ("when", "end of turn"),
                };
                if ability != fits {
                    self.fault(event.span, CheckFault::EventUse { ability, event: event_word });
                }
                return Thing::Player;
            }
            EventKind::Happens { name, subject, words, object, by, because } => {
                (name, subject, words, object, by, because)
            }
        };
        let given = self.sel(subject, Usage::Query);
        let thing = given.thing;
        for word in words {
            if !is_known(ability, *word) {
                self.fault(event.span, CheckFault::EventUse { ability, event: word.word() });
            }
            let (wanted, fits) = happens_to(ability, *word);
            self.want(self.sel_span(subject), word.word(), wanted, thing, fits(thing));
            if by.is_some() && !has_doer(*word) {
                self.fault(event.span, CheckFault::StrayBy { event: word.word() });
            }
            if because.is_some() && (ability == "forbid" || ability == "allow" || !has_cause(*word)) {
                self.fault(event.span, CheckFault::StrayCause { event: word.word() });
            }
        }
        self.object(event.span, ability, words, object.as_ref());
        if let Some(who) = by {
            self.who(who, "`by`", event.span);
        }
        match because {
            None => {}
            Some(Cause::Who(who)) => self.who(who, "`because of`", event.span),
            Some(Cause::Card(sel)) => {
                let cause = self.sel(sel, Usage::Query).thing;
                let fits = !matches!(cause, Thing::Class | Thing::Player | Thing::Soul | Thing::Wound);
                self.want(self.sel_span(sel), "because of", "a card", cause, fits);
            }
        }
        match name {
            Some(name) if matches!(ability, "forbid" | "allow") => {
                self.fault(name.span, CheckFault::NameInRule);
            }
            Some(name) => {
                let pending = words[..] == [EventWord::Cast];
                self.bind(name, Given { thing, pending, ..Given::default() });
            }
            None => {}
        }
        if let Some(Object::Named(name, _)) = object {
            if ability != "when" || self.lasts {
                self.fault(name.span, CheckFault::NameInRule);
            }
            self.bind(name, Given { thing: Thing::Room, ..Given::default() });
        }
        thing
    }

    fn object(&mut self, span: Span, ability: &'static str, words: &[EventWord], object: Option<&Object>) {
        use EventWord::{Built, Enters, Killed, Survives};
        let word = words.last().map_or("", |word| word.word());
        let all = |fits: &[EventWord]| words.iter().all(|word| fits.contains(word));
        let shared = match object {
            None => {
                if let Some(word) = words.iter().find(|word| matches!(word, Enters | Survives)) {
                    self.fault(span, CheckFault::EntersWhat { event: word.word() });
                } else if ability == "allow" {
                    self.fault(span, CheckFault::AllowWhere);
                }
                true
            }
            Some(Object::On(sel)) => {
                if matches!(ability, "when" | "instead of") {
                    self.fault(span, CheckFault::EventUse { ability, event: "built on" });
                }
                self.room(sel, word);
                all(&[Built])
            }
            Some(Object::Beside(r)) => {
                if ability != "forbid" {
                    self.fault(span, CheckFault::EventUse { ability, event: "built beside" });
                }
                let room = self.reference(r, false).thing;
                self.want(self.ref_span(r), word, "a room", room, room == Thing::Room);
                all(&[Built])
            }
            Some(Object::Room(sel) | Object::Named(_, sel)) => {
                self.room(sel, word);
                all(&[Enters, Killed, Survives])
            }
            Some(Object::Place(place)) => {
                self.place(place);
                let entrance = place.zones == [Zone::Entrance];
                if !entrance && place.zones != [Zone::Dungeon] {
                    self.fault(place.span, CheckFault::EntersWhat { event: word });
                } else if entrance && (ability != "when" || words != [Enters]) {
                    self.fault(place.span, CheckFault::StrayEntrance);
                }
                all(&[Enters, Survives])
            }
        };
        if !shared {
            self.fault(span, CheckFault::SharedObject { event: word });
        }
    }

    fn room(&mut self, sel: &Sel, word: &'static str) {
        let room = self.sel(sel, Usage::Query).thing;
        self.want(self.sel_span(sel), word, "a room", room, room == Thing::Room);
    }
}

/// Whether the engine supports this kind of ability or rule for the event.
fn is_known(ability: &str, word: EventWord) -> bool {
    use EventWord::*;
    match ability {
        "when" => !matches!(word, Gained | Loses | Lured | Wins),
        "instead of" => matches!(word, Discarded | Killed),
        "forbid" => matches!(word, Built | Cast | Enters | Loses | Lured | Wins),
        "allow" => word == Built,
        _ => false,
    }
}

fn happens_to(ability: &str, word: EventWord) -> (&'static str, fn(Thing) -> bool) {
    match word {
        EventWord::Built => ("a room or a miniboss", |t| matches!(t, Thing::Miniboss | Thing::Room)),
        EventWord::Destroyed | EventWord::Uncovered => ("a room", |t| t == Thing::Room),
        EventWord::Promoted => ("a miniboss", |t| t == Thing::Miniboss),
        EventWord::Gained => ("coins", |_| false),
        EventWord::Cast if ability == "when" => {
            ("a spell or an item", |t| matches!(t, Thing::Item | Thing::Spell))
        }
        EventWord::Cast => ("a spell", |t| t == Thing::Spell),
        EventWord::Discarded | EventWord::Taken => {
            ("a room or a spell", |t| matches!(t, Thing::Card | Thing::Miniboss | Thing::Room | Thing::Spell))
        }
        EventWord::Enters
        | EventWord::Killed
        | EventWord::Lured
        | EventWord::Revealed
        | EventWord::Survives => ("a hero", |t| t == Thing::Hero),
        EventWord::Loses | EventWord::Wins => ("a player", |t| t == Thing::Player),
    }
}

/// The event is done by a player.
fn has_doer(word: EventWord) -> bool {
    use EventWord::*;
    matches!(word, Built | Cast | Destroyed | Discarded | Killed | Promoted | Taken)
}

/// A card can be the cause of the event.
fn has_cause(word: EventWord) -> bool {
    use EventWord::*;
    matches!(word, Destroyed | Discarded | Killed | Taken | Uncovered)
}
