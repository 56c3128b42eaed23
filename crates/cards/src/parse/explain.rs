//! Why a line could not be read, in words, and the nearest thing that could have been meant.

use std::collections::HashSet;

use chumsky::error::{RichPattern, RichReason};
use chumsky::span::SimpleSpan;

use super::fault::SyntaxFault;
use super::label::{self, words_of};
use super::terms::Miss;
use crate::lex::{self, Tok};
use crate::report::{Problem, alternatives, nearest, short};

/// The problem behind a miss in a line; `names` are those bound in the card, which are not mistyped
/// words.
pub fn explain<'s>(
    names: &HashSet<&'s str>,
    tokens: &[(Tok<'s>, SimpleSpan)],
    miss: &Miss<'_, 's>,
) -> Problem {
    let at = miss.span();
    let here = lex::span(at.start..at.end);
    let (expected, found) = match miss.reason() {
        RichReason::Custom(fault) => return Problem::new(here, fault.clone()),
        RichReason::ExpectedFound { expected, found } => (expected, found),
    };
    let index = tokens.iter().position(|(_, s)| s.start >= at.start).unwrap_or(tokens.len());
    let asked = Asked::new(expected);

    // A mistyped noun parses as a name, and the error appears only later: look back for it.
    for (at, (token, span)) in tokens[..index].iter().enumerate() {
        let Tok::Word(word) = token else { continue };
        if lex::is_vocabulary(word) || names.contains(word) {
            continue;
        }
        if let Some(near) = nearest(word, lex::vocabulary().iter().copied()) {
            let has = at > 0 && matches!(tokens[at - 1].0, Tok::Word("has" | "have"));
            let value = has && words_of(label::STAT).contains(&near);
            let what = if value { "value" } else { kind_of_word(near) };
            let expected = format!("a word of the language, or a name bound with `{word} =`");
            let (word, near) = (short(word), Some(near.to_owned()));
            let fault = SyntaxFault::UnknownWord { what, word, near, expected };
            return Problem::new(lex::span(span.start..span.end), fault);
        }
    }

    let expected = asked.to_string();
    let only = asked.only();
    let Some(found) = found.as_deref() else {
        return Problem::new(here, SyntaxFault::EndOfLine { expected, only });
    };
    let Tok::Word(word) = found else {
        let (found, near) = (found.to_string(), None);
        return Problem::new(here, SyntaxFault::Unexpected { found, near, expected, only });
    };
    let near = asked.nearest(word);
    let binds = matches!(tokens.get(index + 1), Some((Tok::Equal, _)));
    if binds && asked.labels.contains(&label::NAME) {
        let word = short(word);
        let known = lex::is_vocabulary(&word);
        let fault = match known {
            true => SyntaxFault::NameIsWord { word },
            false => SyntaxFault::BadName { word },
        };
        return Problem::new(here, fault);
    }
    if lex::is_vocabulary(word) || names.contains(word) {
        let found = found.to_string();
        let near = near.map(str::to_owned);
        return Problem::new(here, SyntaxFault::Unexpected { found, near, expected, only });
    }
    let near = near.or_else(|| nearest(word, lex::vocabulary().iter().copied()));
    let what = asked.what().or(near.map(kind_of_word)).unwrap_or("word");
    let (word, near) = (short(word), near.map(str::to_owned));
    Problem::new(here, SyntaxFault::UnknownWord { what, word, near, expected })
}

/// What the grammar would have accepted at one place.
struct Asked {
    labels: Vec<&'static str>,
    tokens: Vec<String>,
    words: Vec<&'static str>,
    end: bool,
}

impl Asked {
    fn new(expected: &[RichPattern<'_, Tok<'_>>]) -> Asked {
        let mut asked = Asked { labels: Vec::new(), tokens: Vec::new(), words: Vec::new(), end: false };
        for pattern in expected {
            match pattern {
                RichPattern::Label(text) => {
                    if let Some(label) = label::ALL.iter().find(|l| **l == text.as_ref()) {
                        asked.words.extend(words_of(label));
                        asked.labels.push(label);
                    }
                }
                RichPattern::Token(token) => {
                    if let Tok::Word(word) = **token
                        && let Ok(at) = lex::vocabulary().binary_search(&word)
                    {
                        asked.words.push(lex::vocabulary()[at]);
                    }
                    asked.tokens.push(token.to_string());
                }
                RichPattern::EndOfInput => asked.end = true,
                _ => {}
            }
        }
        asked.labels.sort_unstable();
        asked.tokens.sort_unstable();
        asked
    }

    fn nearest(&self, word: &str) -> Option<&'static str> {
        nearest(word, self.words.iter().copied())
    }

    /// The only thing that would fit, if there is just one; a sign rather than the words that may stand before it.
    fn only(&self) -> Option<String> {
        if self.end || !self.labels.is_empty() {
            return None;
        }
        let is_sign = |token: &&String| !token.contains(char::is_alphabetic);
        let mut signs = self.tokens.iter().filter(is_sign);
        match (self.tokens.as_slice(), signs.next(), signs.next()) {
            ([only], ..) | (_, Some(only), None) => Some(only.clone()),
            _ => None,
        }
    }

    /// What an unknown word at this place was probably meant to be.
    fn what(&self) -> Option<&'static str> {
        let table = [
            (label::STATEMENT, "verb"),
            (label::VERB, "verb"),
            (label::HEADER, "ability"),
            (label::KIND, "kind of card"),
            (label::FACT, "fact"),
            (label::STAT, "value"),
            (label::WORD, "event"),
            (label::NOUN, "noun"),
            (label::ZONE, "place"),
        ];
        table.iter().find(|(l, _)| self.labels.contains(l)).map(|(_, what)| *what)
    }
}

impl std::fmt::Display for Asked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut items: Vec<String> = self.labels.iter().map(|l| (*l).to_owned()).collect();
        items.extend(self.tokens.iter().cloned());
        if self.end {
            items.push("the end of the line".into());
        }
        f.write_str(&alternatives(&items))
    }
}

fn kind_of_word(word: &str) -> &'static str {
    let table = [
        (label::CLASS, "class"),
        (label::NOUN, "noun"),
        (label::VERB, "verb"),
        (label::ADJECTIVE, "adjective"),
        (label::ZONE, "place"),
        (label::STAT, "value"),
        (label::WORD, "event"),
    ];
    table.iter().find(|(l, _)| words_of(l).contains(&word)).map_or("word", |(_, what)| *what)
}
