//! Reads a deck file: a title, notes, parts of sets, and lines that count single cards.

use super::fault::DeckFault;
use super::{Deck, DeckId, MAX_BYTES, MAX_COPIES};
use crate::db::fold;
use crate::library;
use crate::report::{Problem, alternatives, nearest, short, too_many};
use crate::tree::{Card, Class, Kind, Set, Span};

/// The words for parts of a set, and the kinds of cards in them.
pub const PARTS: [(&str, &[Kind]); 7] = [
    ("set", &Kind::ALL),
    ("bosses", &[Kind::Boss]),
    ("rooms", &[Kind::Room]),
    ("minibosses", &[Kind::Miniboss]),
    ("spells", &[Kind::Spell]),
    ("heroes", &[Kind::Hero, Kind::Epic]),
    ("items", &[Kind::Item]),
];

struct Reader<'a> {
    text: &'a str,
    sets: &'a [Set],
    cards: Vec<&'a Card>,
    /// By card: how it can be called.
    names: Vec<Names>,
    title: Option<&'a str>,
    notes: Vec<String>,
    /// By card: the line that includes its part of the set.
    taken: Vec<Option<u32>>,
    /// By card: the line that counts it, and the count, which overrides what is included.
    counted: Vec<Option<(u32, u8)>>,
    problems: Vec<Problem>,
}

/// What a card can be called, folded.
struct Names {
    full: String,
    /// Up to the first comma.
    brief: String,
    number: Option<String>,
}

impl Names {
    fn of(card: &Card) -> Names {
        let full = fold(&card.name);
        let brief = full.split(',').next().unwrap_or_default().to_owned();
        Names { full, brief, number: card.fields.number.as_deref().map(fold) }
    }
}

pub(super) fn read(text: &str, sets: &[Set]) -> Result<Deck, Vec<Problem>> {
    let cards: Vec<&Card> = sets.iter().flat_map(|set| &set.cards).collect();
    let (taken, counted) = (vec![None; cards.len()], vec![None; cards.len()]);
    let names = cards.iter().map(|card| Names::of(card)).collect();
    let (title, notes, problems) = (None, Vec::new(), Vec::new());
    let mut reader = Reader { text, sets, cards, names, title, notes, taken, counted, problems };
    if text.len() > MAX_BYTES {
        reader.fault(&text[..0], DeckFault::LargeFile { bytes: text.len() });
        return Err(reader.problems);
    }
    for (number, line) in (1..).zip(text.lines()) {
        if reader.is_full() {
            break;
        }
        reader.line(number, without_comment(line));
    }
    if reader.title.is_none() && reader.problems.is_empty() {
        reader.fault(text.lines().next().unwrap_or(text), DeckFault::NoTitle);
    }
    if reader.problems.is_empty() { Ok(reader.deck()) } else { Err(reader.problems) }
}

impl<'a> Reader<'a> {
    fn deck(self) -> Deck {
        let (own, stray) = (self.unmentioned(), self.stray());
        let count = |i: usize| match (self.counted[i], self.taken[i]) {
            (Some((_, count)), _) => count,
            (None, Some(_)) if stray[i] => 0,
            (None, Some(_)) => self.cards[i].copies,
            (None, None) if own[i] => self.cards[i].copies,
            (None, None) => 0,
        };
        Deck {
            id: DeckId::preset(""),
            title: self.title.unwrap_or_default().to_owned(),
            counts: (0..self.cards.len()).map(count).collect(),
            notes: self.notes,
            text: self.text.to_owned(),
        }
    }

    /// By card: whether it shows explorer in a deck without any card of a box that brings explorers
    /// (rule 13.5). It is left out then, unless the deck names it. Items go in play (rule 8.3).
    fn stray(&self) -> Vec<bool> {
        let explores = |card: &&Card| card.fields.icons.contains(&Class::Explorer);
        let mut first = 0;
        let mut brought = false;
        for set in self.sets {
            let cards = first..first + set.cards.len();
            first = cards.end;
            brought |= set.cards.iter().any(|card| card.kind.is_hero() && explores(&card))
                && cards.into_iter().any(|i| match self.counted[i] {
                    Some((_, count)) => count > 0,
                    None => self.taken[i].is_some(),
                });
        }
        let built_in: usize = self.sets.iter().take(library::SETS.len()).map(|set| set.cards.len()).sum();
        let is_stray = |(i, card): (usize, &&Card)| {
            !brought && i < built_in && card.kind != Kind::Item && explores(card)
        };
        self.cards.iter().enumerate().map(is_stray).collect()
    }

    /// By card: whether it is from a homebrew set that the deck does not mention, and so is
    /// shuffled in.
    fn unmentioned(&self) -> Vec<bool> {
        let mut own = Vec::new();
        for (number, set) in self.sets.iter().enumerate() {
            let cards = own.len()..own.len() + set.cards.len();
            let said = cards.clone().any(|i| self.counted[i].is_some() || self.taken[i].is_some());
            own.extend(cards.map(|_| number >= library::SETS.len() && !said));
        }
        own
    }

    /// `at` is a piece of the text.
    fn fault(&mut self, at: &'a str, fault: DeckFault) {
        let start = (at.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize) as u32;
        self.problems.push(Problem::new(Span { start, end: start + at.len() as u32 }, fault));
    }

    fn is_full(&self) -> bool {
        too_many(&self.problems)
    }

    fn line(&mut self, number: u32, line: &'a str) {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_start();
        let part = PARTS.into_iter().find(|(name, _)| *name == word);
        match (word, part) {
            ("", _) => {}
            ("deck" | "note", _) if rest.is_empty() => {
                self.fault(line, DeckFault::NoText { word: word.to_owned() });
            }
            ("deck", _) if self.title.is_some() => self.fault(line, DeckFault::SecondTitle),
            ("deck", _) => self.title = Some(rest),
            ("note", _) => self.notes.push(rest.to_owned()),
            (_, Some((word, _))) if rest.is_empty() => {
                self.fault(line, DeckFault::NoSet { word, known: self.codes() });
            }
            (_, Some((_, kinds))) => {
                for code in rest.split_whitespace() {
                    if self.is_full() {
                        break;
                    }
                    self.take(number, kinds, code);
                }
            }
            _ => self.count(number, line),
        }
    }

    fn codes(&self) -> String {
        alternatives(&self.sets.iter().map(|set| format!("`{}`", set.code)).collect::<Vec<_>>())
    }

    /// `set BMR`, `heroes TNL`
    fn take(&mut self, number: u32, kinds: &[Kind], code: &'a str) {
        let Some(index) = self.sets.iter().position(|set| set.code == code) else {
            let lower: Vec<String> = self.sets.iter().map(|set| set.code.to_lowercase()).collect();
            let near = nearest(code, lower.iter().map(String::as_str)).map(str::to_uppercase);
            return self.fault(code, DeckFault::UnknownSet { code: short(code), near, known: self.codes() });
        };
        let first: usize = self.sets[..index].iter().map(|set| set.cards.len()).sum();
        let mut twice = None;
        for i in first..first + self.sets[index].cards.len() {
            if kinds.contains(&self.cards[i].kind) {
                twice = twice.or(self.taken[i].replace(number));
            }
        }
        if let Some(line) = twice {
            self.fault(code, DeckFault::SetTwice { code: code.to_owned(), line });
        }
    }

    /// `NAME x2`: the number of copies of a card.
    fn count(&mut self, number: u32, line: &'a str) {
        let (name, count) = match line.rsplit_once(char::is_whitespace) {
            Some((name, last)) if is_count(last) => (name.trim_end(), Some(last)),
            _ => (line, None),
        };
        let found = self.find(name);
        let [card] = found[..] else {
            let fault = if found.is_empty() { self.unknown(name) } else { self.several(name, &found) };
            return self.fault(name, fault);
        };
        let copies = count.map_or(Some(1), |count| count[1..].parse().ok().filter(|n| *n <= MAX_COPIES));
        match (copies, self.counted[card]) {
            (None, _) => self.fault(count.unwrap_or(line), DeckFault::ManyCopies),
            (Some(_), Some((line, _))) => {
                self.fault(name, DeckFault::CardTwice { name: self.cards[card].name.clone(), line });
            }
            (Some(copies), None) => self.counted[card] = Some((number, copies)),
        }
    }

    /// The cards with this name or collector number; failing that, those whose name begins with it.
    fn find(&self, name: &str) -> Vec<usize> {
        let wanted = fold(name);
        let all = || self.names.iter().enumerate();
        let exact = |names: &Names| names.full == wanted || names.number.as_ref() == Some(&wanted);
        let found: Vec<usize> = all().filter(|(_, names)| exact(names)).map(|(i, _)| i).collect();
        if !found.is_empty() {
            return found;
        }
        let begins =
            |names: &Names| names.full.strip_prefix(&wanted).is_some_and(|rest| rest.starts_with([' ', ',']));
        all().filter(|(_, names)| begins(names)).map(|(i, _)| i).collect()
    }

    fn unknown(&self, name: &str) -> DeckFault {
        let (first, rest) = name.split_once(' ').unwrap_or((name, ""));
        let (before, last) = name.rsplit_once(' ').unwrap_or(("", name));
        let digits = |word: &str| word.trim_matches('x').parse::<u8>().ok();
        for (count, other) in [(digits(first), rest), (digits(last), before)] {
            if let (Some(count), [card]) = (count, &self.find(other)[..]) {
                return DeckFault::CountForm { name: self.cards[*card].name.clone(), count };
            }
        }
        let full = self.names.iter().map(|names| names.full.as_str());
        let near = nearest(name, full.chain(self.names.iter().map(|names| names.brief.as_str())));
        let near = near.and_then(|near| self.find(near).first().map(|card| self.cards[*card].name.clone()));
        DeckFault::UnknownCard { name: short(name), near }
    }

    fn several(&self, name: &str, found: &[usize]) -> DeckFault {
        let written = |i: &usize| match &self.cards[*i].fields.number {
            Some(number) => format!("{} ({number})", self.cards[*i].name),
            None => self.cards[*i].name.clone(),
        };
        let found: Vec<String> = found.iter().take(6).map(written).collect();
        DeckFault::SeveralCards { name: short(name), found: alternatives(&found) }
    }
}

/// `#` at the beginning of a line or after a space begins a comment.
fn without_comment(line: &str) -> &str {
    let begins = |(at, _): &(usize, &str)| line[..*at].chars().next_back().is_none_or(char::is_whitespace);
    let end = line.match_indices('#').find(begins).map_or(line.len(), |(at, _)| at);
    line[..end].trim()
}

fn is_count(word: &str) -> bool {
    word.strip_prefix('x').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}
