//! Comparisons in words: "at least 2 more souls than you", "3 or less".

use crate::tree::Comparison;

/// A comparison or the opposite of one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    Equal,
    Unequal,
    Less,
    More,
    AtMost,
    AtLeast,
}

pub fn relation(by: Comparison, yes: bool) -> Relation {
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
pub fn mirrored(by: Relation) -> Relation {
    match by {
        Relation::Equal | Relation::Unequal => by,
        Relation::Less => Relation::More,
        Relation::More => Relation::Less,
        Relation::AtMost => Relation::AtLeast,
        Relation::AtLeast => Relation::AtMost,
    }
}

pub fn quantity(by: Relation) -> &'static str {
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
pub fn difference(by: Relation, shift: i16, things: &str, rival: &str) -> String {
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

/// "no counters", "fewer than 2 counters"
pub fn counted(by: Relation, n: u8) -> String {
    match (by, n) {
        (Relation::Equal, 0) => "no counters".into(),
        (_, 1) => format!("{} 1 counter", quantity(by)),
        _ => format!("{} {n} counters", quantity(by)),
    }
}

/// A quantity of what is not counted: "3 or less".
pub fn measure(by: Relation, n: u8) -> String {
    match by {
        Relation::Equal => format!("exactly {n}"),
        Relation::Unequal => format!("not exactly {n}"),
        Relation::Less => format!("less than {n}"),
        Relation::More => format!("more than {n}"),
        Relation::AtMost => format!("{n} or less"),
        Relation::AtLeast => format!("{n} or more"),
    }
}
