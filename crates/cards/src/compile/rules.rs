//! Rules, lasting ones included, and the patterns of events that they and `when` are about.

use super::{CompileError, Compiler, Result, push};
use crate::code::*;
use crate::tree::visit::{Visitor, walk_reference};
use crate::tree::{
    Ability, AbilityKind, Change, Event, EventKind, EventWord, IconType, Lasting, Lifetime, Name, Object,
    Ref, Rule, RuleKind, Sel, Span, Status, Stmt, Zone,
};

impl Compiler<'_> {
    pub(super) fn until(&mut self, lifetime: Lifetime, once: bool, what: &Lasting) -> Result<()> {
        match what {
            Lasting::Rule(rule) => {
                let mut hosts = Hosts::default();
                hosts.rule(rule);
                let bound = self.bind_hosts(hosts)?;
                // Inside the rule a kept name is register 0 or 1, in the order in which they were bound.
                let (id, keep) =
                    self.keeping(0, |name| uses(rule, |r| is_named(r, name)), |this| this.rule(rule))?;
                self.emit(Op::Until { rule: id, lifetime, keep, once });
                self.forget(bound);
            }
            Lasting::Abilities(abilities) => {
                for ability in abilities {
                    if let AbilityKind::Activated { body, .. } = &ability.kind {
                        self.offer(ability, body)?;
                        continue;
                    }
                    let AbilityKind::When { event, limit, body } = &ability.kind else {
                        return Err(self.misplaced("anything but `when` after `until end of turn`"));
                    };
                    let mut hosts = Hosts::default();
                    hosts.ability(ability);
                    let bound = self.bind_hosts(hosts)?;
                    // Its code follows the code being compiled.
                    let (outside, start) = (std::mem::take(&mut self.db.ops), self.start);
                    let uses = |name: &str| ability_uses(ability, |r| is_named(r, name));
                    let made = self.keeping(1, uses, |this| this.when(event, *limit, body));
                    let inside = std::mem::replace(&mut self.db.ops, outside);
                    self.start = start;
                    let ((unit, hook), keep) = made?;
                    self.db.units[unit.index()].hook = hook;
                    self.later.push((unit, inside));
                    self.emit(Op::Listen { unit, keep });
                    self.forget(bound);
                }
            }
        }
        Ok(())
    }

    /// An ability that may be used once until end of turn.
    fn offer(&mut self, ability: &Ability, body: &[Stmt]) -> Result<()> {
        let (outside, start) = (std::mem::take(&mut self.db.ops), self.start);
        let uses = |name: &str| ability_uses(ability, |r| is_named(r, name));
        let made = self.keeping(0, uses, |this| {
            this.next_reg = this.names.len() as u8;
            this.declared_unit(UnitKind::Activated, None, body)
        });
        let inside = std::mem::replace(&mut self.db.ops, outside);
        self.start = start;
        let (unit, keep) = made?;
        self.db.units[unit.index()].hook = Hooks::OPEN;
        self.later.push((unit, inside));
        self.emit(Op::Offer { unit, keep });
        Ok(())
    }

    /// What lasts keeps its hosts as they are when it begins, each under its own words for a name.
    /// Returns what to forget afterwards.
    fn bind_hosts(&mut self, Hosts(hosts): Hosts) -> Result<(usize, u8)> {
        let before = (self.names.len(), self.next_reg);
        for host in hosts {
            let slot = self.host(&host)?;
            if slot != Slot::HostOfIt {
                let name = Name { text: host.to_string(), span: Span::default() };
                let reg = self.alloc(Some(&name), 1)?;
                self.emit(Op::Bind { reg, slot });
            }
        }
        Ok(before)
    }

    fn forget(&mut self, (names, next_reg): (usize, u8)) {
        self.names.truncate(names);
        self.next_reg = next_reg;
    }

    /// Compiles something that keeps names of this code: inside it they are the registers from
    /// `first` on. Returns the registers to keep.
    fn keeping<T>(
        &mut self,
        first: u8,
        uses: impl Fn(&str) -> bool,
        make: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(T, [Option<u8>; KEPT])> {
        let mut kept: Vec<u8> = Vec::new();
        let (outer, next_reg) = (std::mem::take(&mut self.names), self.next_reg);
        for (name, reg, _) in &outer {
            if uses(name) {
                self.names.push((name.clone(), first + kept.len() as u8, 1));
                kept.push(*reg);
            }
        }
        if kept.len() > KEPT {
            return Err(CompileError::TooManyKept { card: self.card.name.clone() });
        }
        self.next_reg = 0;
        let made = make(self);
        (self.names, self.next_reg) = (outer, next_reg);
        Ok((made?, [kept.first().copied(), kept.get(1).copied()]))
    }

    pub(super) fn rule(&mut self, rule: &Rule) -> Result<RuleId> {
        let (kind, during) = match &rule.kind {
            RuleKind::Has { sel, icon, stat, change, against, during } => {
                let query = self.query(sel)?;
                let icon = self.icon(icon.as_ref())?;
                let change = match change {
                    Change::Plus(num) => ChangeCode::Plus(self.num(num)?),
                    Change::Minus(num) => ChangeCode::Minus(self.num(num)?),
                    Change::Times(n) => ChangeCode::Times(*n),
                    Change::Zero => ChangeCode::Zero,
                };
                let against = self.against(against)?;
                (RuleKindCode::Has { query, stat: *stat, icon, change, against }, during)
            }
            RuleKind::Is { sel, status, against, during } => {
                self.blanks |= *status == Status::Blank && against.is_none();
                let (query, against) = (self.query(sel)?, self.against(against)?);
                (RuleKindCode::Is { query, status: *status, against }, during)
            }
            RuleKind::Forbid { event, during } => (RuleKindCode::Forbid(self.pattern(event)?), during),
            RuleKind::Allow { event, during } => (RuleKindCode::Allow(self.pattern(event)?), during),
        };
        let during = during.as_ref().map(|cond| self.cond(cond)).transpose()?;
        let live = is_live(rule);
        let hook = match kind {
            RuleKindCode::Has { stat, .. } => Hooks::changes(stat),
            // Nobody but these heroes takes notice.
            RuleKindCode::Is { status: Status::Blank, against: Some(_), .. } => Hooks::IGNORES,
            RuleKindCode::Is { status, .. } => Hooks::gives(status),
            RuleKindCode::Allow(_) => Hooks::ALLOWS,
            RuleKindCode::Forbid(pattern) => match self.db.patterns[pattern.index()] {
                PatternCode::Happens { words, .. } => {
                    let words = EventWord::WORDS.iter().filter(|(_, word)| words.has(*word));
                    words.fold(Hooks::default(), |all, (_, word)| Hooks(all.0 | Hooks::forbids(*word).0))
                }
                PatternCode::TurnDraw
                | PatternCode::EndOfTurn
                | PatternCode::StartOfBuild
                | PatternCode::CoinGained(_) => Hooks::default(),
            },
        };
        Ok(RuleId(push(&mut self.db.rules, RuleCode { kind, during, live, hook })))
    }

    fn against(&mut self, against: &Option<Sel>) -> Result<Option<QueryId>> {
        against.as_ref().map(|sel| self.query(sel)).transpose()
    }

    pub(super) fn icon(&self, icon: Option<&IconType>) -> Result<IconCode> {
        Ok(match icon {
            None => IconCode::Any,
            Some(IconType::Class(class)) => IconCode::Class(*class),
            Some(IconType::Name(name)) => IconCode::Chosen(Slot::Reg(self.lookup(name)?.0)),
        })
    }

    pub(super) fn pattern(&mut self, event: &Event) -> Result<PatternId> {
        let code = match &event.kind {
            EventKind::TurnDraw => PatternCode::TurnDraw,
            EventKind::EndOfTurn => PatternCode::EndOfTurn,
            EventKind::StartOfBuild => PatternCode::StartOfBuild,
            EventKind::CoinGained { by } => {
                PatternCode::CoinGained(by.as_ref().map(|who| self.who(who)).transpose()?)
            }
            EventKind::Happens { name, subject, words, object, by, because } => {
                let subject = self.query(subject)?;
                let object_named = object;
                let object = match object {
                    None => None,
                    Some(Object::On(sel) | Object::Room(sel) | Object::Named(_, sel)) => {
                        Some(ObjectCode::Room(self.query(sel)?))
                    }
                    Some(Object::Beside(r)) => Some(ObjectCode::Beside(self.slot(r)?)),
                    Some(Object::Place(place)) => {
                        let who = self.who_or_you(&place.of)?;
                        match place.zones[..] {
                            [Zone::Dungeon] => Some(ObjectCode::DungeonOf(who)),
                            [Zone::Entrance] => {
                                self.db.names_entrances = true;
                                Some(ObjectCode::EntranceOf(who))
                            }
                            _ => return Err(self.misplaced("this place after an event")),
                        }
                    }
                };
                let by = by.as_ref().map(|who| self.who(who)).transpose()?;
                // Nothing is bound before it: the subject of an event is in the first register.
                name.as_ref().map(|name| self.alloc(Some(name), 1)).transpose()?;
                // The room it happens in is in the next.
                if let Some(Object::Named(room, _)) = object_named {
                    self.db.names_rooms = true;
                    self.next_reg = 1;
                    self.alloc(Some(room), 1)?;
                }
                let because = because.as_ref().map(|cause| self.cause(cause)).transpose()?;
                PatternCode::Happens { words: words.iter().copied().collect(), subject, object, by, because }
            }
        };
        Ok(PatternId(push(&mut self.db.patterns, code)))
    }
}

/// Is the amount computed for each subject, whenever it is read? Otherwise it is computed once,
/// when the rule begins.
pub fn is_live(rule: &Rule) -> bool {
    uses(rule, |r| *r == Ref::It)
}

/// Finds out whether a reference is used anywhere.
struct Uses<F> {
    wanted: F,
    found: bool,
}

impl<F: Fn(&Ref) -> bool> Visitor for Uses<F> {
    fn reference(&mut self, reference: &Ref) {
        self.found |= (self.wanted)(reference);
        // A host is kept itself, not the card it belongs to.
        if !matches!(reference, Ref::HostOf(of) if matches!(**of, Ref::Name(_))) {
            walk_reference(self, reference);
        }
    }
}

/// The hosts that something speaks of, each once.
#[derive(Default)]
struct Hosts(Vec<Ref>);

impl Visitor for Hosts {
    fn reference(&mut self, reference: &Ref) {
        if matches!(reference, Ref::Host | Ref::HostOf(_)) && !self.0.contains(reference) {
            self.0.push(reference.clone());
        }
        walk_reference(self, reference);
    }
}

fn is_named(reference: &Ref, wanted: &str) -> bool {
    match reference {
        Ref::Name(name) => name.text == wanted,
        Ref::Host | Ref::HostOf(_) => reference.to_string() == wanted,
        _ => false,
    }
}

fn uses(rule: &Rule, wanted: impl Fn(&Ref) -> bool) -> bool {
    let mut uses = Uses { wanted, found: false };
    uses.rule(rule);
    uses.found
}

fn ability_uses(ability: &Ability, wanted: impl Fn(&Ref) -> bool) -> bool {
    let mut uses = Uses { wanted, found: false };
    uses.ability(ability);
    uses.found
}
