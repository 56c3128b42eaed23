//! Tree to text, in the one canonical form: two spaces for each depth, facts in the order of the
//! base set, parentheses only where the grammar needs them.
//!
//! Invariant: for a tree whose strings are words the grammar takes, parsing the printed text gives
//! the tree again. A condition after `where` would swallow a following `and`, `or`, sign or
//! comparison; where one follows, it is put in parentheses ([`Tail::Guarded`]).

mod rule;

use std::fmt::{Display, Formatter, Result, Write as _};

use crate::lex::quote;
use crate::tree::*;

/// Whether something a `where` would swallow follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tail {
    Free,
    Guarded,
}

impl Display for Set {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "set {} {}", self.code, quote(&self.title))?;
        self.cards.iter().try_for_each(|card| write!(f, "\n{card}"))
    }
}

impl Display for Card {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} {}", self.kind, quote(&self.name))?;
        if self.copies != 1 {
            write!(f, " x{}", self.copies)?;
        }
        writeln!(f, "\n  {}", self.fields)?;
        for ruling in &self.rulings {
            writeln!(f, "  ruling {}", quote(ruling))?;
        }
        let mut level = 0;
        for ability in &self.abilities {
            if ability.level != level && ability.level > 0 {
                writeln!(f, "  level {}", ability.level)?;
            }
            level = ability.level;
            print_ability(f, ability, if level > 0 { 2 } else { 1 })?;
        }
        Ok(())
    }
}

impl Display for Fields {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(self.number.as_deref().unwrap_or("-"))?;
        if let Some(subtype) = self.subtype {
            write!(f, "  {subtype}")?;
        }
        if self.advanced {
            f.write_str("  advanced")?;
        }
        if let Some(xp) = self.xp {
            write!(f, "  xp {xp}")?;
        }
        match self.damage {
            Some(Damage::Fixed(n)) => write!(f, "  damage {n}")?,
            Some(Damage::Star) => f.write_str("  damage *")?,
            None => {}
        }
        group(f, &self.icons)?;
        if let Some(health) = self.health {
            write!(f, "  health {health}")?;
        }
        match self.players {
            Some(Players::From(n)) => write!(f, "  players {n}")?,
            Some(Players::Star) => f.write_str("  star")?,
            None => {}
        }
        if self.dark {
            f.write_str("  dark")?;
        }
        if self.portable {
            f.write_str("  portable")?;
        }
        group(f, &self.phases)?;
        match self.provenance {
            Provenance::Published(confidence) => write!(f, "  published {confidence}"),
            Provenance::House => f.write_str("  house"),
        }
    }
}

/// Words of one sort, set off by two spaces and apart by one.
fn group<T: Display>(f: &mut Formatter<'_>, words: &[T]) -> Result {
    for (i, word) in words.iter().enumerate() {
        write!(f, "{}{word}", if i == 0 { "  " } else { " " })?;
    }
    Ok(())
}

impl Display for Ability {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        print_ability(f, self, 0)
    }
}

fn indent(f: &mut Formatter<'_>, depth: usize) -> Result {
    (0..depth).try_for_each(|_| f.write_str("  "))
}

fn print_ability(f: &mut Formatter<'_>, ability: &Ability, depth: usize) -> Result {
    indent(f, depth)?;
    let limited = |f: &mut Formatter<'_>, limit: &Option<Limit>| match limit {
        Some(limit) => writeln!(f, " {limit}"),
        None => f.write_char('\n'),
    };
    let body = match &ability.kind {
        AbilityKind::Activated { from_hand, phase, by, limit, body } => {
            f.write_str(if *from_hand { "ability from hand" } else { "ability" })?;
            if let Some(phase) = phase {
                write!(f, " in {phase}")?;
            }
            tagged(f, "by", by)?;
            limited(f, limit)?;
            body
        }
        AbilityKind::Play { body } => {
            f.write_str("play\n")?;
            body
        }
        AbilityKind::When { event, limit, body } => {
            write!(f, "when {event}")?;
            limited(f, limit)?;
            body
        }
        AbilityKind::InsteadOf { event, limit, body } => {
            write!(f, "instead of {event}")?;
            limited(f, limit)?;
            body
        }
        AbilityKind::LevelUp { body } => {
            f.write_str("level up\n")?;
            body
        }
        AbilityKind::Minion { body } => {
            f.write_str("minion\n")?;
            body
        }
        AbilityKind::Always { from_hand, rule } => {
            return writeln!(f, "always{}: {rule}", if *from_hand { " from hand" } else { "" });
        }
        AbilityKind::Lure { most, num } => {
            return writeln!(f, "lure {} {num}", if *most { "most" } else { "fewest" });
        }
    };
    print_block(f, body, depth + 1)
}

fn print_block(f: &mut Formatter<'_>, body: &[Stmt], depth: usize) -> Result {
    body.iter().try_for_each(|stmt| print_stmt(f, stmt, depth))
}

impl Display for Stmt {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        print_stmt(f, self, 0)
    }
}

fn print_stmt(f: &mut Formatter<'_>, stmt: &Stmt, depth: usize) -> Result {
    indent(f, depth)?;
    match &stmt.kind {
        StmtKind::Target { name, sel } => writeln!(f, "target {name} = {sel}"),
        StmtKind::Choose { name, sel, by } => {
            write!(f, "choose {name} = {sel}")?;
            tagged(f, "by", by)?;
            f.write_char('\n')
        }
        StmtKind::Number { name, from, to } => writeln!(f, "target {name} = number {from} to {to}"),
        StmtKind::Let { name, num } => writeln!(f, "let {name} = {num}"),
        StmtKind::Require(cond) => writeln!(f, "require {cond}"),
        StmtKind::Cost(act) => writeln!(f, "cost {act}"),
        StmtKind::Act(act) => writeln!(f, "{act}"),
        StmtKind::May { by, body } => {
            f.write_str("may")?;
            tagged(f, "by", by)?;
            f.write_char('\n')?;
            print_block(f, body, depth + 1)
        }
        StmtKind::Either { by, options } => {
            f.write_str("either")?;
            tagged(f, "by", by)?;
            f.write_char('\n')?;
            for (i, option) in options.iter().enumerate() {
                if i > 0 {
                    indent(f, depth)?;
                    f.write_str("or\n")?;
                }
                print_block(f, option, depth + 1)?;
            }
            Ok(())
        }
        StmtKind::If { cond, then, otherwise } => {
            writeln!(f, "if {cond}")?;
            print_block(f, then, depth + 1)?;
            if !otherwise.is_empty() {
                indent(f, depth)?;
                f.write_str("else\n")?;
                print_block(f, otherwise, depth + 1)?;
            }
            Ok(())
        }
        StmtKind::Repeat { times, body } => {
            writeln!(f, "repeat {times}")?;
            print_block(f, body, depth + 1)
        }
        StmtKind::Each { name, sel, body } => {
            writeln!(f, "each {name} = {sel}")?;
            print_block(f, body, depth + 1)
        }
        StmtKind::Until { lifetime, once, what } => {
            write!(f, "until end of {lifetime}{}", if *once { " once" } else { "" })?;
            match what {
                Lasting::Rule(rule) => writeln!(f, ": {rule}"),
                Lasting::Abilities(abilities) => {
                    f.write_char('\n')?;
                    abilities.iter().try_for_each(|ability| print_ability(f, ability, depth + 1))
                }
            }
        }
    }
}

/// ` by p`, or nothing.
fn tagged(f: &mut Formatter<'_>, tag: &str, who: &Option<Who>) -> Result {
    who.as_ref().map_or(Ok(()), |who| write!(f, " {tag} {who}"))
}

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&self.text)
    }
}

impl Display for Act {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Act::Draw { name, deck, count, by } => {
                f.write_str("draw ")?;
                if let Some(name) = name {
                    write!(f, "{name} = ")?;
                }
                write!(f, "{deck} {count}")?;
                tagged(f, "for", by)
            }
            Act::Look { place } => write!(f, "look {place}"),
            Act::Take { op, by } => {
                write!(f, "take {op}")?;
                tagged(f, "for", by)
            }
            Act::Move { op, to, side } => {
                write!(f, "move {op} to {to}")?;
                side.map_or(Ok(()), |side| write!(f, " {side}"))
            }
            Act::Arrange { place, reversed } => {
                write!(f, "arrange {place}{}", if *reversed { " reversed" } else { "" })
            }
            Act::Swap { a, b } => write!(f, "swap {a} and {b}"),
            Act::Damage { op, amount } => write!(f, "damage {op} {amount}"),
            Act::Skip { op, rooms } => write!(f, "skip {op} {rooms}"),
            Act::Build { op, on } => {
                write!(f, "build {op}")?;
                on.as_ref().map_or(Ok(()), |sel| write!(f, " on {sel}"))
            }
            Act::Counters { gain, amount, op } => {
                write!(f, "{} counter {amount} on {op}", if *gain { "gain" } else { "lose" })
            }
            Act::Coins { pay, amount, by, to, on } => {
                write!(f, "{} coin {amount}", if *pay { "pay" } else { "gain" })?;
                tagged(f, "for", by)?;
                tagged(f, "to", to)?;
                on.as_ref().map_or(Ok(()), |on| write!(f, " on {on}"))
            }
            Act::SwapHoards { with } => write!(f, "swap hoard and hoard of {with}"),
            Act::Attach { op, to } => write!(f, "attach {op} to {to}"),
            Act::Trigger { op, words } => {
                write!(f, "trigger {op}")?;
                let each = |(i, word)| write!(f, "{} {word}", if i == 0 { "" } else { " or" });
                words.iter().enumerate().try_for_each(each)
            }
            Act::Simple { verb, op } => write!(f, "{verb} {op}"),
        }
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if let Some(name) = &self.name {
            write!(f, "{name} = ")?;
        }
        self.sel.fmt(f)
    }
}

impl Display for Destination {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Destination::Place(place) => place.fmt(f),
            Destination::Room(sel) => sel.fmt(f),
        }
    }
}

impl Display for Sel {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        print_sel(f, self, Tail::Free)
    }
}

impl Display for Selector {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        print_selector(f, self, Tail::Free)
    }
}

fn print_sel(f: &mut Formatter<'_>, sel: &Sel, tail: Tail) -> Result {
    match sel {
        Sel::Ref(reference) => reference.fmt(f),
        Sel::Selector(selector) => print_selector(f, selector, tail),
    }
}

fn print_selector(f: &mut Formatter<'_>, selector: &Selector, tail: Tail) -> Result {
    match selector.quant {
        Quant::Bare => {}
        Quant::Count(n) => write!(f, "{n} ")?,
        Quant::All => f.write_str("all ")?,
        Quant::Random(1) => f.write_str("random ")?,
        Quant::Random(n) => write!(f, "random {n} ")?,
        Quant::Top(1) => f.write_str("top ")?,
        Quant::Top(n) => write!(f, "top {n} ")?,
        Quant::First => f.write_str("first ")?,
        Quant::Leading(n) => write!(f, "first {n} ")?,
        Quant::Last => f.write_str("last ")?,
    }
    for adjective in &selector.adjectives {
        write!(f, "{adjective} ")?;
    }
    selector.noun.fmt(f)?;
    if let Some(site) = &selector.site {
        write!(f, " {site}")?;
    }
    if let Some(but) = &selector.but {
        write!(f, " but {but}")?;
    }
    match &selector.cond {
        None => Ok(()),
        Some(cond) if tail == Tail::Guarded || opens(cond) => write!(f, " where ({cond})"),
        Some(cond) => write!(f, " where {cond}"),
    }
}

impl Display for Site {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Site::In(place) => write!(f, "in {place}"),
            Site::InRef(reference) => write!(f, "in {reference}"),
            Site::On(reference) => write!(f, "on {reference}"),
            Site::LeftOf(reference) => write!(f, "left of {reference}"),
            Site::RightOf(reference) => write!(f, "right of {reference}"),
            Site::Beside(reference) => write!(f, "beside {reference}"),
            Site::Under(reference) => write!(f, "under {reference}"),
        }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for (i, zone) in self.zones.iter().enumerate() {
            write!(f, "{}{zone}", if i == 0 { "" } else { " or " })?;
        }
        tagged(f, "of", &self.of)
    }
}

impl Display for Who {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Who::You => f.write_str("you"),
            Who::Opponent => f.write_str("opponent"),
            Who::Player => f.write_str("player"),
            Who::Any => f.write_str("any"),
            Who::Ref(reference) => reference.fmt(f),
        }
    }
}

impl Display for Ref {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Ref::This => f.write_str("this"),
            Ref::It => f.write_str("it"),
            Ref::You => f.write_str("you"),
            Ref::Name(name) => name.fmt(f),
            Ref::OwnerOf(of) => write!(f, "owner of {of}"),
            Ref::Host => f.write_str("host"),
            Ref::HostOf(of) => write!(f, "host of {of}"),
        }
    }
}

impl Display for Num {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        print_num(f, self, Tail::Free)
    }
}

fn print_num(f: &mut Formatter<'_>, num: &Num, tail: Tail) -> Result {
    let (left, sign, right) = match num {
        Num::Int(n) => return n.fmt(f),
        Num::Roll(sides) => return write!(f, "roll {sides}"),
        Num::Name(name) => return name.fmt(f),
        Num::Times(n, num) => {
            write!(f, "{n} * ")?;
            return print_num(f, num, tail);
        }
        Num::Coins(of) => return write!(f, "coins on {of}"),
        Num::Counters(of) => return write!(f, "counters on {of}"),
        Num::Count(sel) => {
            f.write_str("count ")?;
            return print_sel(f, sel, tail);
        }
        Num::Points(points, who) => return write!(f, "{points} of {who}"),
        Num::Value { printed, value, of } => {
            return write!(f, "{}{value} of {of}", if *printed { "printed " } else { "" });
        }
        Num::Icons { icon, site } => {
            f.write_str("count ")?;
            match icon {
                Some(IconType::Class(class)) => write!(f, "{class} ")?,
                Some(IconType::Name(name)) => write!(f, "{name} ")?,
                None => {}
            }
            return match site {
                IconSite::On(reference) => write!(f, "icon on {reference}"),
                IconSite::In(place) => write!(f, "icon in {place}"),
            };
        }
        Num::Add(left, right) => (left, '+', right),
        Num::Sub(left, right) => (left, '-', right),
    };
    print_num(f, left, Tail::Guarded)?;
    write!(f, " {sign} ")?;
    match **right {
        Num::Add(..) | Num::Sub(..) => write!(f, "({right})"),
        _ => print_num(f, right, tail),
    }
}

impl Display for Cond {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        print_cond(f, self, Tail::Free)
    }
}

fn print_cond(f: &mut Formatter<'_>, cond: &Cond, tail: Tail) -> Result {
    match cond {
        Cond::Some(sel) => {
            f.write_str("some ")?;
            print_sel(f, sel, tail)
        }
        Cond::No(sel) => {
            f.write_str("no ")?;
            print_sel(f, sel, tail)
        }
        Cond::Compare(left, comparison, right) => {
            print_num(f, left, Tail::Guarded)?;
            write!(f, " {comparison} ")?;
            print_num(f, right, tail)
        }
        Cond::Is(reference, adjective) => write!(f, "{reference} is {adjective}"),
        Cond::IsA(reference, noun) => write!(f, "{reference} is {noun}"),
        Cond::In(reference, place) => write!(f, "{reference} in {place}"),
        Cond::Done => f.write_str("you done"),
        Cond::Active => f.write_str("you active"),
        Cond::Promoted => f.write_str("you promoted"),
        Cond::Not(inner) => {
            f.write_str("not ")?;
            match **inner {
                Cond::And(..) | Cond::Or(..) => write!(f, "({inner})"),
                _ => print_cond(f, inner, tail),
            }
        }
        Cond::And(left, right) => {
            match **left {
                Cond::Or(..) => write!(f, "({left})")?,
                _ => print_cond(f, left, Tail::Guarded)?,
            }
            f.write_str(" and ")?;
            match **right {
                Cond::Or(..) | Cond::And(..) => write!(f, "({right})"),
                _ => print_cond(f, right, tail),
            }
        }
        Cond::Or(left, right) => {
            print_cond(f, left, Tail::Guarded)?;
            f.write_str(" or ")?;
            match **right {
                Cond::Or(..) => write!(f, "({right})"),
                _ => print_cond(f, right, tail),
            }
        }
    }
}

/// Whether the condition is printed with a parenthesis first.
fn opens(cond: &Cond) -> bool {
    match cond {
        Cond::And(left, _) => matches!(**left, Cond::Or(..)) || opens(left),
        Cond::Or(left, _) => opens(left),
        _ => false,
    }
}
