//! Text to tokens, grouped into lines with their indentation.
//!
//! Invariant: every token lies within one line, and every span falls on character boundaries of
//! the text. A line with a fault in it is kept, marked `broken`, so that the block below it still
//! has an owner.

use std::fmt;
use std::ops::Range;

use chumsky::span::{SimpleSpan, Span as _};
use logos::Logos;

use crate::report::{Problem, SyntaxFault, too_many};
use crate::tree::{self, Span};

/// The largest file, in bytes.
pub const MAX_BYTES: usize = 1 << 20;
/// Longest line; it also bounds how deep one expression can nest.
pub const MAX_TOKENS: usize = 120;
/// Largest number that can be written.
pub const MAX_NUMBER: u32 = 9999;
/// Letters of a quoted text.
pub const MAX_TEXT: usize = 400;
/// Accents on one letter; more of them reach into other lines.
const MAX_ACCENTS: usize = 2;
/// Longest name a card's writer may bind.
pub const MAX_NAME: usize = 12;

/// The words that hold the grammar together; all others are listed beside their types in the tree.
const GLUE: &[&str] = &[
    "set",
    "xp",
    "players",
    "dark",
    "star",
    "published",
    "house",
    "ruling",
    "ability",
    "from",
    "play",
    "when",
    "instead",
    "always",
    "level",
    "up",
    "minion",
    "host",
    "hoard",
    "coin",
    "pay",
    "attach",
    "let",
    "number",
    "top",
    "start",
    "lure",
    "most",
    "fewest",
    "once",
    "per",
    "target",
    "choose",
    "require",
    "cost",
    "may",
    "either",
    "or",
    "if",
    "else",
    "each",
    "until",
    "end",
    "of",
    "turn",
    "draw",
    "look",
    "take",
    "move",
    "swap",
    "arrange",
    "reversed",
    "damage",
    "skip",
    "build",
    "trigger",
    "gain",
    "lose",
    "counter",
    "counters",
    "roll",
    "repeat",
    "to",
    "for",
    "by",
    "and",
    "all",
    "random",
    "first",
    "last",
    "in",
    "left",
    "right",
    "beside",
    "under",
    "but",
    "where",
    "you",
    "any",
    "this",
    "it",
    "owner",
    "count",
    "printed",
    "some",
    "no",
    "not",
    "done",
    "active",
    "has",
    "have",
    "is",
    "forbid",
    "allow",
    "while",
    "on",
    "because",
    "against",
];

#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r]+")]
#[logos(skip(r"#[^\n]*", allow_greedy = true))]
pub enum Tok<'s> {
    #[regex(r"[\p{L}_][\p{L}\p{N}_]*(['-][\p{L}\p{N}_]+)*")]
    Word(&'s str),
    /// With its quotes and escapes.
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    Text(&'s str),
    #[regex(r#""([^"\\\n]|\\[^\n])*\\?"#)]
    Unclosed(&'s str),
    #[regex(r"[0-9]+", |lex| number(lex.slice()))]
    Int(u32),
    #[regex(r"x[0-9]+", |lex| number(&lex.slice()[1..]), priority = 20)]
    Times(u32),
    #[token("=")]
    Equal,
    #[token("<")]
    Less,
    #[token(">")]
    More,
    #[token("<=")]
    AtMost,
    #[token(">=")]
    AtLeast,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token(":")]
    Colon,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
}

impl fmt::Display for Tok<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tok::Word(w) => write!(f, "`{w}`"),
            Tok::Text(_) | Tok::Unclosed(_) => f.write_str("a quoted text"),
            Tok::Int(n) => write!(f, "`{n}`"),
            Tok::Times(n) => write!(f, "`x{n}`"),
            Tok::Equal => f.write_str("`=`"),
            Tok::Less => f.write_str("`<`"),
            Tok::More => f.write_str("`>`"),
            Tok::AtMost => f.write_str("`<=`"),
            Tok::AtLeast => f.write_str("`>=`"),
            Tok::Plus => f.write_str("`+`"),
            Tok::Minus => f.write_str("`-`"),
            Tok::Star => f.write_str("`*`"),
            Tok::Colon => f.write_str("`:`"),
            Tok::Open => f.write_str("`(`"),
            Tok::Close => f.write_str("`)`"),
        }
    }
}

/// One line that is neither empty nor a comment.
#[derive(Debug)]
pub struct Line {
    pub indent: usize,
    pub tokens: Range<usize>,
    pub span: Span,
    pub broken: bool,
}

#[derive(Debug, Default)]
pub struct Lexed<'s> {
    pub tokens: Vec<(Tok<'s>, SimpleSpan)>,
    pub lines: Vec<Line>,
    pub problems: Vec<Problem>,
}

/// Splits the text, up to the line where there are too many faults. Never fails; faults are listed.
pub fn lex(text: &str) -> Lexed<'_> {
    let mut out = Lexed::default();
    if text.len() > MAX_BYTES {
        out.problem(0..0, SyntaxFault::LargeFile { bytes: text.len() });
        return out;
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if too_many(&out.problems) {
            break;
        }
        out.line(line, start);
        start += line.len();
    }
    out
}

/// Every word of the language, without duplicates.
pub fn vocabulary() -> &'static [&'static str] {
    use std::sync::LazyLock;
    static WORDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        fn all<T>(out: &mut Vec<&'static str>, words: &'static [(&'static str, T)]) {
            out.extend(words.iter().flat_map(|(w, _)| w.split(' ')));
        }
        let mut out = GLUE.to_vec();
        all(&mut out, tree::Kind::WORDS);
        all(&mut out, tree::Subtype::WORDS);
        all(&mut out, tree::Class::WORDS);
        all(&mut out, tree::Phase::OF_ACTIONS);
        all(&mut out, tree::Limit::WORDS);
        all(&mut out, tree::Lifetime::WORDS);
        all(&mut out, tree::Side::WORDS);
        all(&mut out, tree::Back::WORDS);
        all(&mut out, tree::Verb::WORDS);
        all(&mut out, tree::Adjective::words());
        all(&mut out, tree::Noun::WORDS);
        all(&mut out, tree::Zone::WORDS);
        all(&mut out, tree::Points::WORDS);
        all(&mut out, tree::Value::WORDS);
        all(&mut out, tree::Status::WORDS);
        all(&mut out, tree::Stat::WORDS);
        all(&mut out, tree::EventWord::WORDS);
        out.sort_unstable();
        out.dedup();
        out
    });
    &WORDS
}

pub fn is_vocabulary(word: &str) -> bool {
    vocabulary().binary_search(&word).is_ok()
}

/// Whether a card's writer may bind this word.
pub fn is_name(word: &str) -> bool {
    !word.is_empty()
        && word.len() <= MAX_NAME
        && word.bytes().all(|b| b.is_ascii_lowercase())
        && !is_vocabulary(word)
}

/// The text inside a quoted token.
pub fn unquote(raw: &str) -> String {
    let inner = raw.strip_prefix('"').unwrap_or(raw);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some(other) => out.push(other),
                None => {}
            },
            c => out.push(c),
        }
    }
    out
}

/// The inverse of [`unquote`].
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

impl<'s> Lexed<'s> {
    fn problem(&mut self, at: Range<usize>, fault: SyntaxFault) {
        self.problems.push(Problem::new(span(at), fault));
    }

    fn line(&mut self, line: &'s str, start: usize) {
        let line = line.trim_end_matches(['\n', '\r']);
        let body = line.trim_start_matches([' ', '\t']);
        let lead = &line[..line.len() - body.len()];
        let first = self.tokens.len();
        let faults = self.problems.len();
        let offset = start + lead.len();

        let mut lexer = Tok::lexer(body);
        while let Some(token) = lexer.next() {
            let at = offset + lexer.span().start..offset + lexer.span().end;
            let slice = lexer.slice();
            if self.tokens.len() - first == MAX_TOKENS {
                self.problem(at, SyntaxFault::LongLine);
                break;
            }
            let token = match token {
                Ok(Tok::Unclosed(raw)) => {
                    self.problem(at.clone(), SyntaxFault::UnclosedText);
                    Tok::Unclosed(raw)
                }
                Ok(Tok::Text(raw)) => {
                    if let Some((place, escape)) = bad_escape(raw) {
                        let from = at.start + place;
                        let fault = SyntaxFault::BadEscape { escape };
                        self.problem(from..from + 1 + escape.len_utf8(), fault);
                    } else if raw.chars().count() > MAX_TEXT + 2 {
                        self.problem(at.clone(), SyntaxFault::LongText);
                    }
                    Tok::Text(raw)
                }
                Ok(token) => token,
                Err(()) if slice.trim_start_matches('x').bytes().all(|b| b.is_ascii_digit()) => {
                    self.problem(at, SyntaxFault::HugeNumber { max: MAX_NUMBER });
                    continue;
                }
                Err(()) => {
                    let character = slice.chars().next().unwrap_or('?');
                    self.problem(at, SyntaxFault::StrayCharacter { character });
                    continue;
                }
            };
            self.tokens.push((token, SimpleSpan::new((), at)));
        }

        // In comments, too: a file is read by those who did not write it.
        if self.problems.len() == faults
            && let Some((place, character)) = unreadable(body)
        {
            let from = offset + place;
            self.problem(from..from + character.len_utf8(), SyntaxFault::Unreadable { character });
        }
        if self.tokens.len() == first && self.problems.len() == faults {
            return;
        }
        if let Some(tab) = lead.find('\t') {
            self.problem(start + tab..start + tab + 1, SyntaxFault::Tab);
        }
        let end = self.tokens.last().filter(|_| self.tokens.len() > first).map(|(_, s)| s.end);
        self.lines.push(Line {
            indent: lead.chars().map(|c| if c == '\t' { 8 } else { 1 }).sum(),
            tokens: first..self.tokens.len(),
            span: span(offset..end.unwrap_or(offset + body.len())),
            broken: self.problems.len() > faults,
        });
    }
}

/// Offsets fit: the text is at most [`MAX_BYTES`] long.
pub(crate) fn span(at: Range<usize>) -> Span {
    Span { start: at.start as u32, end: at.end as u32 }
}

fn number(digits: &str) -> Option<u32> {
    digits.parse().ok().filter(|n| *n <= MAX_NUMBER)
}

/// The first character that cannot be seen, changes the order of others, or covers them.
fn unreadable(line: &str) -> Option<(usize, char)> {
    let mut accents = 0;
    line.char_indices().find(|(_, c)| {
        accents = if is_accent(*c) { accents + 1 } else { 0 };
        accents > MAX_ACCENTS || is_invisible(*c) && *c != '\t'
    })
}

fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// Control and format characters, fillers, selectors, tags, and what no alphabet has.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{e000}'..='\u{f8ff}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffc}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{10ffff}')
}

fn bad_escape(raw: &str) -> Option<(usize, char)> {
    let mut chars = raw.char_indices();
    while let Some((place, c)) = chars.next() {
        if c == '\\' {
            match chars.next() {
                Some((_, '"' | '\\' | 'n')) | None => {}
                Some((_, other)) => return Some((place, other)),
            }
        }
    }
    None
}
