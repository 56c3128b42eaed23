//! What a selector calls its things: adjectives and noun, "face-down trap rooms with mage treasure".

use super::word::{list, plural};
use crate::tree::*;

/// Adjectives and noun, singular and plural.
pub fn heads(s: &Selector, pending: bool) -> (String, String) {
    use Adjective::*;
    let mut words: Vec<&str> = Vec::new();
    let kinds = crate::vocabulary::Subtype::ALL.map(Subtype);
    for adjective in
        [Facedown, Faceup, Covered, MultiTreasure, Ordinary, Epic, Advanced].into_iter().chain(kinds)
    {
        if s.adjectives.contains(&adjective) {
            words.push(match adjective {
                Facedown => "face-down",
                Faceup => "face-up",
                adjective => adjective.word(),
            });
        }
    }
    let (one, many) = match s.noun {
        Noun::Room if pending => ("room ability".into(), "room abilities".into()),
        Noun::Card if pending => ("spell or ability".into(), "spells or abilities".into()),
        noun => (noun_word(noun).to_string(), plural(noun_word(noun))),
    };
    let mut classes: Vec<String> = Vec::new();
    let dead = matches!(s.noun, Noun::Soul | Noun::Wound);
    for class in s.adjectives.iter().filter_map(|adjective| treasure(*adjective)) {
        match dead {
            true if words.contains(&class) => {}
            true => words.push(class),
            false => classes.push(class.to_owned()),
        }
    }
    let with_treasure = match classes.is_empty() {
        true => String::new(),
        false => format!(" with {} treasure", list(&classes, "and")),
    };
    let (one, many) = (one + &with_treasure, many + &with_treasure);
    let with = |noun: String| words.iter().map(|w| format!("{w} ")).collect::<String>() + &noun;
    (with(one), with(many))
}

/// The class whose treasure the adjective asks for.
pub fn treasure(adjective: Adjective) -> Option<&'static str> {
    match adjective {
        Adjective::Class(class) => Some(class.word()),
        _ => None,
    }
}

pub fn noun_word(noun: Noun) -> &'static str {
    if noun == Noun::Class { "treasure type" } else { noun.word() }
}
