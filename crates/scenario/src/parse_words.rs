//! Words and phrases that several parts of the parser read: names, seats, numbers, marks, stacks.

use cards::vocabulary::Landmark;
use engine::Seat;
use engine::state::{Errand, Space};

use crate::error::Problem;
use crate::parse::*;

/// `temple treasure`, `stadium service`, `library summon`; the Tavern has one space, `tavern`
pub(crate) fn space(text: &str) -> Option<Space> {
    let (landmark, errand) = split_word(text);
    let landmark = landmark_of(landmark)?;
    let errand = match errand {
        "" if landmark == Landmark::Tavern => Errand::Summon,
        errand => Errand::ALL.into_iter().find(|known| known.word() == errand)?,
    };
    Space::all().find(|space| *space == Space { landmark, errand })
}

pub(crate) fn landmark_of(word: &str) -> Option<Landmark> {
    Landmark::WORDS.iter().find(|(known, _)| *known == word).map(|(_, landmark)| *landmark)
}

pub(crate) fn space_text(space: Space) -> String {
    match space.landmark {
        Landmark::Tavern => space.landmark.word().into(),
        landmark => format!("{landmark} {}", space.errand.word()),
    }
}

/// `Spike level 2`: a name and a level.
pub(crate) fn name_and_level(text: &str) -> Option<(&str, u8)> {
    let (card, level) = text.rsplit_once(" level ")?;
    Some((card, level.trim().parse().ok()?))
}

pub(crate) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim()))
}

/// The parts between commas, except those in brackets; nothing at all is an empty list.
pub(crate) fn list(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim();
    let mut inside = false;
    let parts = text.split(move |c: char| {
        inside = c == '[' || inside && c != ']';
        c == ',' && !inside
    });
    parts.map(str::trim).filter(move |_| !text.is_empty())
}

pub(crate) fn names(text: &str) -> Result<Vec<Name>, Problem> {
    list(text).map(name).collect()
}

pub(crate) fn seat(word: &str) -> Result<Seat, Problem> {
    match word.as_bytes() {
        [b'p', digit @ b'1'..=b'6'] => Ok(Seat(digit - b'1')),
        _ => Err(Problem::Player(word.into())),
    }
}

pub(crate) fn number<N: std::str::FromStr>(text: &str, wanted: &'static str) -> Result<N, Problem> {
    text.trim().parse().map_err(|_| Problem::Number { found: text.trim().into(), wanted })
}

pub(crate) fn name(text: &str) -> Result<Name, Problem> {
    let (first, rest) = split_word(text);
    let (owner, text) = match seat(first) {
        Ok(owner) => (Some(owner), rest),
        Err(_) => (None, text.trim()),
    };
    let pointed = text.strip_prefix("the ").map(split_word);
    let pointed = pointed.and_then(|(word, rest)| Some((Which::read(word)?, rest)));
    let (which, text) = pointed.map_or((None, text), |(which, rest)| (Some(which), rest));
    if text.is_empty() {
        Err(Problem::Missing("write the card's name"))
    } else {
        Ok(Name { owner, which, back: None, text: text.into() })
    }
}

/// A name and what is in brackets after it.
pub(crate) fn marks(text: &str) -> Result<(&str, Vec<&str>), Problem> {
    let (name, mut rest) = match text.find('[') {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let mut marks = Vec::new();
    while !rest.trim().is_empty() {
        let inner = rest.trim().strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let (mark, after) = inner.ok_or_else(|| Problem::Mark(rest.trim().into()))?;
        marks.extend(list(mark));
        rest = after;
    }
    Ok((name.trim(), marks))
}

/// `fighter 6 [carries Oversized Sword]`
pub(crate) fn bearer(text: &str) -> Result<Bearer, Problem> {
    let (hero, marks) = marks(text)?;
    let mut item = None;
    for mark in marks {
        match mark.strip_prefix("carries ") {
            Some(carried) => item = Some(name(carried)?),
            None => return Err(Problem::word(mark, "[carries NAME]")),
        }
    }
    Ok(Bearer { hero: name(hero)?, item })
}

/// `Star of Invulnerability [facedown], The Bomb [new]`
pub(crate) fn items(text: &str) -> Result<Vec<MarkedItem>, Problem> {
    let item = |text: &str| {
        let (item, marks) = marks(text)?;
        let mut item = MarkedItem { name: name(item)?, facedown: false, new: false };
        for mark in marks {
            match mark {
                "facedown" => item.facedown = true,
                "new" => item.new = true,
                _ => return Err(Problem::word(mark, "[facedown], [new]")),
            }
        }
        Ok(item)
    };
    list(text).map(item).collect()
}

/// Stacks from left to right, each with its top card first.
pub(crate) fn stacks(text: &str) -> Result<Vec<Vec<Marked>>, Problem> {
    list(text).map(|stack| stack.split(" over ").map(marked).collect()).collect()
}

fn marked(text: &str) -> Result<Marked, Problem> {
    let (card, marks) = marks(text)?;
    let mut room = Marked {
        name: name(card)?,
        deactivated: false,
        facedown: false,
        used: false,
        counters: 0,
        coins: 0,
        miniboss: None,
    };
    for mark in marks {
        match mark {
            "deactivated" => room.deactivated = true,
            "facedown" => room.facedown = true,
            "used" => room.used = true,
            _ => {
                let number = |word: &str| mark.strip_prefix(word).and_then(|n| n.trim().parse().ok());
                let (text, new) = mark.strip_suffix(" new").map_or((mark, false), |text| (text, true));
                if let Some(counters) = number("counters ") {
                    room.counters = counters;
                } else if let Some(coins) = number("coins ") {
                    room.coins = coins;
                } else if let Some((card, level)) = name_and_level(text) {
                    room.miniboss = Some(Miniboss { name: name(card)?, level, new });
                } else {
                    let known =
                        "[deactivated], [facedown], [used], [counters N], [coins N], [MINIBOSS level N]";
                    return Err(Problem::word(mark, known));
                }
            }
        }
    }
    Ok(room)
}
