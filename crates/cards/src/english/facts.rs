//! The line below a card's name: kind, numbers and treasure.

use super::word::{capital, list};
use crate::tree::{Card, Class, Damage, Kind, Players};

/// For instance "Advanced monster room · damage 3 · cleric".
pub fn facts_line(card: &Card) -> String {
    let f = &card.fields;
    let mut kind: Vec<&str> = Vec::new();
    if f.dark {
        kind.push("dark");
    }
    if f.advanced {
        kind.push("advanced");
    }
    kind.extend(f.subtype.map(|s| s.word()));
    kind.push(match (card.kind, f.players) {
        (Kind::Hero, Some(Players::Star)) => "star hero",
        (Kind::Epic, Some(Players::Star)) => "epic star hero",
        _ => card.kind.name(),
    });

    let mut facts = vec![capital(&kind.join(" "))];
    facts.extend(f.xp.map(|n| format!("{n} XP")));
    facts.extend(f.damage.map(|d| match d {
        Damage::Fixed(n) => format!("damage {n}"),
        Damage::Star => "damage *".into(),
    }));
    facts.extend(icons(&f.icons));
    if card.kind == Kind::Item && f.icons.is_empty() {
        facts.push("universal".into());
    }
    facts.extend(f.health.map(|n| format!("health {n}")));
    facts.extend(f.players.map(|p| match p {
        Players::From(n) => format!("from {n} players"),
        Players::Star => "any number of players".into(),
    }));
    let phases: Vec<String> = f.phases.iter().map(|p| capital(p.word())).collect();
    if !phases.is_empty() {
        facts.push(format!("{} phase", list(&phases, "or")));
    }
    facts.join(" · ")
}

/// "cleric", "cleric ×2", "fighter and mage".
fn icons(printed: &[Class]) -> Option<String> {
    let count = |c: Class| printed.iter().filter(|&&p| p == c).count();
    let each: Vec<String> = Class::ALL
        .iter()
        .filter(|&&c| count(c) > 0)
        .map(|&c| if count(c) > 1 { format!("{c} ×{}", count(c)) } else { c.to_string() })
        .collect();
    (!each.is_empty()).then(|| list(&each, "and"))
}
