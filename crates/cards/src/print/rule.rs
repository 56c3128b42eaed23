//! Rules and events.

use std::fmt::{Display, Formatter, Result};

use super::tagged;
use crate::tree::*;

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let during = match &self.kind {
            RuleKind::Has { sel, icon, stat, change, against, during } => {
                let has = if *sel == Sel::Ref(Ref::You) { "have" } else { "has" };
                write!(f, "{sel} {has} ")?;
                match icon {
                    Some(IconType::Class(class)) => write!(f, "{class} ")?,
                    Some(IconType::Name(name)) => write!(f, "{name} ")?,
                    None => {}
                }
                write!(f, "{stat} {change}")?;
                print_against(f, against)?;
                during
            }
            RuleKind::Is { sel, status, against, during } => {
                write!(f, "{sel} is {status}")?;
                print_against(f, against)?;
                during
            }
            RuleKind::Allow { event, during } => {
                write!(f, "allow {event}")?;
                during
            }
            RuleKind::Forbid { event, during } => {
                write!(f, "forbid {event}")?;
                during
            }
        };
        during.as_ref().map_or(Ok(()), |cond| write!(f, " while {cond}"))
    }
}

fn print_against(f: &mut Formatter<'_>, against: &Option<Sel>) -> Result {
    against.as_ref().map_or(Ok(()), |sel| write!(f, " against {sel}"))
}

impl Display for Change {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Change::Plus(Num::Int(n)) => write!(f, "+{n}"),
            Change::Minus(Num::Int(n)) => write!(f, "-{n}"),
            Change::Plus(num) => write!(f, "+ {num}"),
            Change::Minus(num) => write!(f, "- {num}"),
            Change::Times(n) => write!(f, "x{n}"),
            Change::Zero => f.write_str("= 0"),
        }
    }
}

impl Display for Event {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (name, subject, words, object, by, because) = match &self.kind {
            EventKind::TurnDraw => return f.write_str("turn draw"),
            EventKind::EndOfTurn => return f.write_str("end of turn"),
            EventKind::StartOfBuild => return f.write_str("start of build"),
            EventKind::CoinGained { by } => {
                f.write_str("coin gained")?;
                return tagged(f, "by", by);
            }
            EventKind::Happens { name, subject, words, object, by, because } => {
                (name, subject, words, object, by, because)
            }
        };
        if let Some(name) = name {
            write!(f, "{name} = ")?;
        }
        subject.fmt(f)?;
        for (i, word) in words.iter().enumerate() {
            write!(f, "{} {word}", if i == 0 { "" } else { " or" })?;
        }
        let bare = matches!(words.last(), Some(EventWord::Enters | EventWord::Survives));
        match object {
            None => {}
            Some(Object::On(sel)) => write!(f, " on {sel}")?,
            Some(Object::Beside(reference)) => write!(f, " beside {reference}")?,
            Some(Object::Room(sel)) if bare => write!(f, " {sel}")?,
            Some(Object::Room(sel)) => write!(f, " in {sel}")?,
            Some(Object::Named(name, sel)) => write!(f, " {name} = {sel}")?,
            Some(Object::Place(place)) => write!(f, " {place}")?,
        }
        tagged(f, "by", by)?;
        match because {
            None => Ok(()),
            Some(Cause::Who(who)) => write!(f, " because of {who}"),
            Some(Cause::Card(sel)) => write!(f, " because of {sel}"),
        }
    }
}
