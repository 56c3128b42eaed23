//! What is wrong with a file that people write, and how it is shown.
//!
//! Invariant: a problem names its place by a span of the text it came from; line and column are
//! filled in once that text is at hand ([`Problem::locate`]), and are 0 before.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

pub use crate::check::fault::CheckFault;
pub use crate::deck::DeckFault;
pub use crate::parse::fault::SyntaxFault;
use crate::tree::Span;

/// At most this many problems are listed for one file; reading stops at the next one.
pub const MAX_PROBLEMS: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    Error,
    Warning,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error(transparent)]
    Syntax(#[from] SyntaxFault),
    #[error(transparent)]
    Check(#[from] CheckFault),
    #[error(transparent)]
    Deck(#[from] DeckFault),
    #[error(transparent)]
    Other(#[from] OtherFault),
}

/// What is wrong with a file of another kind, in the words of whoever reads it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct OtherFault {
    pub message: String,
    /// Empty: there is no more to say.
    pub reason: String,
    pub help: String,
}

/// One fault at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub span: Span,
    pub fault: Fault,
    /// Counted from 1; 0 while not located.
    pub line: u32,
    /// In characters, counted from 1; 0 while not located.
    pub column: u32,
}

impl Problem {
    pub fn new(span: Span, fault: impl Into<Fault>) -> Problem {
        Problem { span, fault: fault.into(), line: 0, column: 0 }
    }

    pub fn severity(&self) -> Severity {
        match &self.fault {
            Fault::Syntax(_) | Fault::Deck(_) | Fault::Other(_) => Severity::Error,
            Fault::Check(fault) => fault.severity(),
        }
    }

    /// What is wrong, in one line.
    pub fn message(&self) -> String {
        self.fault.to_string()
    }

    /// Why it is wrong.
    pub fn reason(&self) -> Option<String> {
        match &self.fault {
            Fault::Syntax(fault) => fault.reason(),
            Fault::Check(fault) => fault.reason(),
            Fault::Deck(fault) => fault.reason(),
            Fault::Other(fault) => Some(fault.reason.clone()).filter(|reason| !reason.is_empty()),
        }
    }

    /// How to fix it.
    pub fn suggestion(&self) -> Option<String> {
        match &self.fault {
            Fault::Syntax(fault) => fault.suggestion(),
            Fault::Check(fault) => fault.suggestion(),
            Fault::Deck(fault) => fault.suggestion(),
            Fault::Other(fault) => Some(fault.help.clone()).filter(|help| !help.is_empty()),
        }
    }

    /// Fills in line and column from the text the span belongs to.
    pub fn locate(&mut self, text: &str) {
        let (line, number) = line_at(text, self.span.start as usize);
        let before = floor(text, self.span.start as usize) - line.start;
        self.line = number;
        self.column = text[line].get(..before).map_or(1, |s| s.chars().count() as u32 + 1);
    }

    /// The problem with its line of text; `colour` uses terminal escapes.
    pub fn render(&self, file: &str, text: &str, colour: bool) -> String {
        let (line, number) = line_at(text, self.span.start as usize);
        let shown = &text[line.clone()];
        let from = floor(text, self.span.start as usize) - line.start;
        let to = floor(text, self.span.end as usize).clamp(line.start + from, line.end) - line.start;
        let level = match self.severity() {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let reason = self.reason();
        let mut mark = AnnotationKind::Primary.span(from..to);
        if let Some(reason) = &reason {
            mark = mark.label(reason.as_str());
        }
        let snippet = Snippet::source(shown).line_start(number as usize).path(file).annotation(mark);
        let message = self.message();
        let mut group = level.primary_title(message.as_str()).element(snippet);
        let suggestion = self.suggestion();
        if let Some(suggestion) = &suggestion {
            group = group.element(Level::HELP.message(suggestion.as_str()));
        }
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[group])
    }
}

/// All problems of one file, with what is needed to show them.
#[derive(Clone, PartialEq, Eq)]
pub struct Errors {
    pub file: String,
    pub source: String,
    pub problems: Vec<Problem>,
    /// There are more, which are not listed.
    pub more: bool,
}

impl Errors {
    pub fn new(file: &str, source: &str, mut problems: Vec<Problem>) -> Errors {
        let more = problems.len() > MAX_PROBLEMS;
        if more {
            // Warnings are left out first.
            problems.sort_by_key(|p| (p.severity() == Severity::Warning, p.span.start, p.span.end));
            problems.truncate(MAX_PROBLEMS);
        }
        problems.sort_by_key(|p| (p.span.start, p.span.end));
        for problem in &mut problems {
            problem.locate(source);
        }
        Errors { file: file.to_owned(), source: source.to_owned(), problems, more }
    }

    /// Every problem rendered, one below the other.
    pub fn render(&self, colour: bool) -> String {
        let shown = self.problems.iter().map(|p| p.render(&self.file, &self.source, colour));
        let more = self.more.then(|| {
            format!("{}: there are more problems: only the first {MAX_PROBLEMS} are listed", self.file)
        });
        shown.chain(more).collect::<Vec<_>>().join("\n\n")
    }
}

/// So many errors that reading on is of no use.
pub(crate) fn too_many(problems: &[Problem]) -> bool {
    problems.len() > MAX_PROBLEMS
        && problems.iter().filter(|p| p.severity() == Severity::Error).count() > MAX_PROBLEMS
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl fmt::Debug for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Errors")
            .field("file", &self.file)
            .field("problems", &self.problems)
            .finish_non_exhaustive()
    }
}

impl Error for Errors {}

/// The candidate a mistyped word most likely meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let reach = match word.chars().count() {
        0 | 1 => return None,
        2..=4 => 1,
        5..=8 => 2,
        9..=24 => 3,
        _ => return None,
    };
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .filter(|c| c.len() > 1)
        .map(|c| (strsim::damerau_levenshtein(&word, c), c))
        .filter(|(far, c)| *far <= reach && *far < c.len().max(2) - 1)
        .min_by_key(|(far, _)| *far)
        .map(|(_, c)| c)
}

/// A word as shown in a message; long ones are cut.
pub fn short(word: &str) -> String {
    match word.char_indices().nth(24) {
        Some((end, _)) => format!("{}...", &word[..end]),
        None => word.to_owned(),
    }
}

/// `a`, `b` or `c`
pub(crate) fn alternatives(items: &[String]) -> String {
    match items {
        [] => String::from("nothing"),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}

/// The line around an offset, without its end, and the line's number from 1.
fn line_at(text: &str, at: usize) -> (Range<usize>, u32) {
    let at = floor(text, at);
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    let end = start + text[start..end].trim_end_matches('\r').len();
    let number = text[..start].bytes().filter(|b| *b == b'\n').count() as u32 + 1;
    (start..end.max(start), number)
}
