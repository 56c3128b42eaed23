//! What can be wrong with a deck file.

use super::{MAX_BYTES, MAX_COPIES};

/// The message says what is wrong, [`DeckFault::reason`] why, [`DeckFault::suggestion`] how to fix
/// it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeckFault {
    #[error("the file is too large: {bytes} bytes")]
    LargeFile { bytes: usize },
    #[error("the deck has no title")]
    NoTitle,
    #[error("a second title")]
    SecondTitle,
    #[error("nothing follows `{word}`")]
    NoText { word: String },
    #[error("`{word}` does not say which set")]
    NoSet { word: &'static str, known: String },
    #[error("there is no set `{code}`")]
    UnknownSet { code: String, near: Option<String>, known: String },
    #[error("{code} is included twice")]
    SetTwice { code: String, line: u32 },
    #[error("there is no card `{name}`")]
    UnknownCard { name: String, near: Option<String> },
    #[error("`{name}` could be several cards")]
    SeveralCards { name: String, found: String },
    #[error("the count is in the wrong place")]
    CountForm { name: String, count: u8 },
    #[error("too many copies")]
    ManyCopies,
    #[error("{name} is counted twice")]
    CardTwice { name: String, line: u32 },
}

impl DeckFault {
    pub fn reason(&self) -> Option<String> {
        use DeckFault::*;
        Some(match self {
            LargeFile { .. } => format!("a deck file holds at most {MAX_BYTES} bytes"),
            NoTitle => "no line says what the deck is called".into(),
            SecondTitle => "a deck has one title".into(),
            NoText { word } if word == "deck" => "the title is missing".into(),
            NoText { .. } => "the text is missing".into(),
            NoSet { known, .. } | UnknownSet { known, .. } => format!("expected {known}"),
            SetTwice { line, .. } => format!("line {line} already includes some of these cards"),
            UnknownCard { .. } => "no set has a card with this name or number".into(),
            SeveralCards { found, .. } => found.clone(),
            CountForm { .. } => "a count is an `x` and a number after the name".into(),
            ManyCopies => format!("a deck holds at most {MAX_COPIES} copies of one card"),
            CardTwice { line, .. } => format!("line {line} already says how many there are"),
        })
    }

    pub fn suggestion(&self) -> Option<String> {
        use DeckFault::*;
        Some(match self {
            LargeFile { .. } => "include whole sets with `set CODE`".into(),
            NoTitle => "begin the file with `deck` and a title".into(),
            SecondTitle => "keep one `deck` line; write anything else as a `note`".into(),
            NoText { word } => format!("write a text after `{word}`, or remove the line"),
            NoSet { word, .. } => format!("write the set after it, as in `{word} BMR`"),
            UnknownSet { near: Some(near), .. } => format!("did you mean `{near}`?"),
            SetTwice { code, .. } => {
                format!("include each card of {code} once; a line with a name and `x2` changes a count")
            }
            UnknownCard { near: Some(near), .. } => format!("did you mean `{near}`?"),
            UnknownCard { .. } => "`lair cards` lists all names and numbers".into(),
            SeveralCards { .. } => "write more of the name, or the collector number".into(),
            CountForm { name, count } => format!("write `{name} x{count}`"),
            ManyCopies => format!("write x{MAX_COPIES} or fewer"),
            CardTwice { .. } => "keep one of the two lines".into(),
            UnknownSet { near: None, .. } => return None,
        })
    }
}
