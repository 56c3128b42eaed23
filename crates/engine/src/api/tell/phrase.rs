//! What a card looks for, in words for the reader: `a monster room in your hand`.

use cards::code::{CondCode, NumCode, NumId, Query, QueryId, SelectorCode, SiteCode, Slot, WhoCode};
use cards::vocabulary::{Adjective, Class, Classes, Noun, Zone};

use super::{Names, Voice};
use crate::Game;
use crate::code::query::Ctx;

/// The word before a place: a card is destroyed `in` a dungeon, discarded `from` a hand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Prep {
    In,
    From,
}

/// What stands before the noun.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// `a room`
    One,
    /// `no room`
    No,
    /// `2 rooms`
    Some(u8),
}

/// A selector as code reads it, for one reader.
pub struct Phrases<'a, N: ?Sized> {
    pub game: &'a Game<'a>,
    pub voice: &'a Voice<'a, N>,
    pub ctx: Ctx<'a>,
}

/// Adjectives that people put behind the thing.
const SAID_AFTER: [(Adjective, &str); 3] = [
    (Adjective::Cast, "you cast this turn"),
    (Adjective::Entered, "entered by a hero this turn"),
    (Adjective::Triggered, "that acts when built or uncovered"),
];

impl<N: Names + ?Sized> Phrases<'_, N> {
    pub fn query(&self, query: QueryId, count: Count, prep: Prep) -> String {
        match &self.game.db.queries[query.index()] {
            Query::Slot(slot) => self.thing(*slot),
            Query::Selector(selector) => self.selector(selector, count, prep),
        }
    }

    pub fn noun(&self, query: QueryId) -> Noun {
        match &self.game.db.queries[query.index()] {
            Query::Slot(Slot::You) => Noun::Player,
            Query::Slot(_) => Noun::Card,
            Query::Selector(selector) => selector.noun,
        }
    }

    /// A plain number, if it is one.
    pub fn number(&self, num: NumId) -> Option<i16> {
        match self.game.db.nums[num.index()] {
            NumCode::Int(n) => Some(n),
            _ => None,
        }
    }

    /// The card in the slot by name.
    fn thing(&self, slot: Slot) -> String {
        let r = self.game.board().slot(&self.ctx, slot);
        match (r.as_card(), r.as_seat()) {
            (Some(card), _) => self.game.name(card).into(),
            (_, Some(seat)) => self.voice.player(seat).into_owned(),
            _ => "it".into(),
        }
    }

    fn selector(&self, s: &SelectorCode, count: Count, prep: Prep) -> String {
        let mut noun = self.adjectives(s);
        let several = matches!(count, Count::Some(n) if n > 1);
        noun.push_str(noun_word(s.noun));
        if several {
            noun.push('s');
        }
        let other = s.adjectives.has(Adjective::Another) || s.but.is_some();
        let mut text = match count {
            Count::One if other => format!("another {noun}"),
            Count::One => a(&noun),
            Count::No if other => format!("no other {noun}"),
            Count::No => format!("no {noun}"),
            Count::Some(n) => format!("{n} {noun}"),
        };
        let mut say = |words: &str| {
            text.push(' ');
            text.push_str(words);
        };
        let classes: Classes =
            Class::ALL.into_iter().filter(|c| s.adjectives.has(Adjective::Class(*c))).collect();
        if !classes.is_empty() {
            say(&format!("with {} treasure", class_list(classes, "and")));
        }
        for (adjective, words) in SAID_AFTER {
            if s.adjectives.has(adjective) {
                say(words);
            }
        }
        match s.site {
            SiteCode::Anywhere => {}
            SiteCode::In { zones, who } => {
                let mut places: Vec<String> = Vec::new();
                for zone in zones.iter() {
                    let (word, place) = self.zone(s.noun, zone, who, prep);
                    let again = places.first().is_some_and(|first| first.starts_with(word));
                    places.push(if again { place } else { format!("{word} {place}") });
                }
                say(&super::list_with(&places, "or"));
            }
            SiteCode::Among { .. } => say("among them"),
            SiteCode::InRoom(slot) => say(&format!("in {}", self.thing(slot))),
            SiteCode::On(slot) if s.noun == Noun::Item => say(&format!("carried by {}", self.thing(slot))),
            SiteCode::On(slot) => say(&format!("in {}", self.thing(slot))),
            SiteCode::LeftOf(slot) => say(&format!("left of {}", self.thing(slot))),
            SiteCode::RightOf(slot) => say(&format!("right of {}", self.thing(slot))),
            SiteCode::Beside(slot) => say(&format!("next to {}", self.thing(slot))),
            SiteCode::Under(slot) => say(&format!("under {}", self.thing(slot))),
        }
        if let Some(cond) = s.cond {
            match self.game.db.conds[cond.index()] {
                // `opponent where some spell in hand of it`
                CondCode::Some(query) if matches!(s.noun, Noun::Opponent | Noun::Player) => {
                    if let Query::Selector(has) = &self.game.db.queries[query.index()] {
                        let bare = SelectorCode { site: SiteCode::Anywhere, ..*has };
                        say(&format!("with {} in hand", self.selector(&bare, Count::One, Prep::In)));
                    }
                }
                _ if matches!(s.noun, Noun::Opponent | Noun::Player) => say("who fits"),
                _ => say("that fits"),
            }
        }
        text
    }

    fn adjectives(&self, s: &SelectorCode) -> String {
        let mut words = String::new();
        for adjective in Adjective::all().filter(|adjective| s.adjectives.has(*adjective)) {
            let word = match adjective {
                Adjective::Class(_) | Adjective::Another => continue,
                _ if SAID_AFTER.iter().any(|(after, _)| *after == adjective) => continue,
                Adjective::Facedown => "face-down",
                Adjective::Faceup => "face-up",
                other => other.word(),
            };
            // The rank comes before the subtype.
            match adjective {
                Adjective::Subtype(_) => words.push_str(word),
                _ => words.insert_str(0, word),
            }
            let at = if matches!(adjective, Adjective::Subtype(_)) { words.len() } else { word.len() };
            words.insert(at, ' ');
        }
        words
    }

    /// The word before a place, and the place.
    fn zone(&self, noun: Noun, zone: Zone, who: WhoCode, prep: Prep) -> (&'static str, String) {
        let word = match (prep, zone) {
            (_, Zone::Pending) => return ("being", if noun == Noun::Spell { "cast" } else { "used" }.into()),
            (_, Zone::Scoring) => "of",
            (Prep::From, _) => "from",
            (Prep::In, Zone::Entrance) => "at",
            (Prep::In, _) => "in",
        };
        if zone == Zone::Town {
            return (word, "town".into());
        }
        if !zone.is_owned() {
            return (word, format!("the {}", zone.name()));
        }
        let one = || self.game.board().one(&self.ctx, who);
        let whose = match who {
            // `a soul of yours`, `a soul of an opponent's`
            _ if zone == Zone::Scoring => {
                let one = one().filter(|_| !matches!(who, WhoCode::Opponents | WhoCode::Everyone));
                return (
                    word,
                    match one {
                        Some(seat) if self.voice.reader.is(seat) => "yours".into(),
                        Some(seat) => self.voice.whose(seat).into_owned(),
                        None if who == WhoCode::Opponents => "an opponent's".into(),
                        None => "any player's".into(),
                    },
                );
            }
            WhoCode::You => self.voice.whose(self.ctx.you).into_owned(),
            WhoCode::Opponents => "an opponent's".into(),
            WhoCode::Everyone => "any".into(),
            WhoCode::Player(_) | WhoCode::OwnerOf(_) => {
                one().map_or("their".into(), |seat| self.voice.whose(seat).into_owned())
            }
        };
        (word, format!("{whose} {}", zone.name()))
    }

    /// Is there more to the selector than `query` says?
    pub fn leaves_out(&self, query: QueryId) -> bool {
        let Query::Selector(s) = &self.game.db.queries[query.index()] else { return false };
        s.cond.is_some_and(|cond| {
            let players = matches!(s.noun, Noun::Opponent | Noun::Player);
            !players || !matches!(self.game.db.conds[cond.index()], CondCode::Some(_))
        })
    }
}

pub fn noun_word(noun: Noun) -> &'static str {
    match noun {
        Noun::Class => "kind of treasure",
        other => other.word(),
    }
}

/// `cleric, mage or thief`
pub fn class_list(classes: Classes, last: &str) -> String {
    let names: Vec<String> = classes.iter().map(|class| class.word().into()).collect();
    super::list_with(&names, last)
}

/// With its article.
pub fn a(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}
