//! What can be wrong with the text of a card file.

use super::label;
use crate::lex::{MAX_BYTES, MAX_NAME, MAX_TEXT, MAX_TOKENS};
use crate::report::alternatives;
use crate::tree::EventWord;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxFault {
    #[error("the file is too large: {bytes} bytes")]
    LargeFile { bytes: usize },
    #[error("a tab in the indentation")]
    Tab,
    #[error("the indentation matches no line above")]
    Indentation,
    #[error("nested too deep")]
    TooDeep,
    #[error("the line is too long")]
    LongLine,
    #[error("the text has no closing quote")]
    UnclosedText,
    #[error("unknown escape `\\{escape}`")]
    BadEscape { escape: char },
    #[error("stray character `{}`", .character.escape_debug())]
    StrayCharacter { character: char },
    #[error("a character that cannot be read: U+{:04X}", u32::from(*.character))]
    Unreadable { character: char },
    #[error("the text is too long")]
    LongText,
    #[error("the number is too large")]
    HugeNumber { max: u32 },
    #[error("unknown {what} `{word}`")]
    UnknownWord { what: &'static str, word: String, near: Option<String>, expected: String },
    #[error("unexpected {found}")]
    Unexpected { found: String, near: Option<String>, expected: String, only: Option<String> },
    #[error("the line ends too early")]
    EndOfLine { expected: String, only: Option<String> },
    #[error("`{word}` cannot be a name")]
    NameIsWord { word: String },
    #[error("`{word}` cannot be a name")]
    BadName { word: String },
    #[error("`{of}` has no block")]
    MissingBlock { of: String },
    #[error("`{of}` takes no block")]
    StrayBlock { of: String },
    #[error("`or` without `either`")]
    StrayOr,
    #[error("`else` without `if`")]
    StrayElse,
    #[error("the file has no `set` line")]
    NoSet,
    #[error("a second `set` line")]
    SecondSet,
    #[error("the card has no line of facts")]
    NoFacts,
    #[error("`{fact}` is written twice")]
    RepeatedFact { fact: &'static str },
    #[error("a ruling after an ability")]
    LateRuling,
    #[error("a level inside a block")]
    StrayLevel,
}

impl SyntaxFault {
    pub fn reason(&self) -> Option<String> {
        use SyntaxFault::*;
        Some(match self {
            LargeFile { .. } => format!("a card file holds at most {MAX_BYTES} bytes"),
            Tab => "a tab does not have a fixed width".into(),
            Indentation => "no block is open at this depth".into(),
            TooDeep => "blocks inside blocks end at this depth".into(),
            LongLine => format!("a line holds at most {MAX_TOKENS} words and signs"),
            UnclosedText => "the text runs to the end of the line".into(),
            BadEscape { .. } => "only `\\\"`, `\\\\` and `\\n` are known".into(),
            StrayCharacter { .. } => "the language does not use this character".into(),
            Unreadable { .. } => "it is invisible, or changes or covers what is around it".into(),
            LongText => format!("a text holds at most {MAX_TEXT} letters"),
            HugeNumber { max } => format!("at most {max} can be written here"),
            UnknownWord { expected, .. } => format!("expected {expected}"),
            Unexpected { expected, .. } => format!("expected {expected}"),
            EndOfLine { expected, .. } => format!("expected {expected}"),
            NameIsWord { .. } => "it is a word of the language".into(),
            BadName { .. } => format!("a name is 1 to {MAX_NAME} lower-case letters"),
            MissingBlock { .. } => "it needs the indented lines it applies to".into(),
            StrayBlock { .. } => "the lines below it are indented deeper".into(),
            StrayOr => "an `or` follows the block of an `either` at the same depth".into(),
            StrayElse => "an `else` follows the block of an `if` at the same depth".into(),
            NoSet => "a card file begins with the set its cards belong to".into(),
            SecondSet => "one file holds one set".into(),
            NoFacts => "the line below the card's name lists its facts".into(),
            RepeatedFact { .. } => "each fact is written once".into(),
            LateRuling => "rulings come before the abilities".into(),
            StrayLevel => "levels stand directly below the facts of a miniboss".into(),
        })
    }

    pub fn suggestion(&self) -> Option<String> {
        use SyntaxFault::*;
        Some(match self {
            LargeFile { .. } => "split the file".into(),
            Tab => "indent with two spaces for each depth".into(),
            Indentation => "indent the line like the one it belongs beside".into(),
            TooDeep => "split the ability in two".into(),
            LongLine => "split the line, naming a part of it with `choose` or `target`".into(),
            HugeNumber { .. } => "write a smaller number".into(),
            UnclosedText => "close the text with `\"`".into(),
            BadEscape { escape } => format!("write `\\\\{escape}` for a backslash"),
            StrayCharacter { character: '“' | '”' | '„' | '‟' | '«' | '»' } => {
                "write the straight quote `\"`".into()
            }
            StrayCharacter { .. } | Unreadable { .. } => "remove it".into(),
            LongText => "say it in fewer words".into(),
            UnknownWord { near: Some(near), .. } | Unexpected { near: Some(near), .. } => {
                format!("did you mean `{near}`?")
            }
            Unexpected { only: Some(only), found, .. } => format!("put {only} before {found}"),
            EndOfLine { only: Some(only), .. } => format!("add {only}"),
            UnknownWord { expected, .. } | Unexpected { expected, .. } | EndOfLine { expected, .. } => {
                return beginners(expected);
            }
            NameIsWord { .. } | BadName { .. } => "use a letter or a short word, such as `h`".into(),
            MissingBlock { .. } => "add lines below it, indented by two more spaces".into(),
            StrayBlock { .. } => "indent the lines below like this one".into(),
            StrayOr => "begin the choice with `either` and a block".into(),
            StrayElse => "begin with `if`, a condition and a block".into(),
            NoSet => "begin the file with `set CODE \"Title\"`".into(),
            SecondSet => "remove the line, or move its cards to another file".into(),
            NoFacts => "add a line such as `-  monster  damage 1  mage  house`".into(),
            RepeatedFact { fact } => format!("keep one `{fact}`"),
            LateRuling => "move it up, below the line of facts".into(),
            StrayLevel => "indent it like the other levels".into(),
        })
    }
}

/// What usually went wrong where this was expected.
fn beginners(expected: &str) -> Option<String> {
    let wants = |label: &str| expected.contains(label);
    Some(match () {
        _ if wants(label::TEXT) => "put it between quotes, as in `\"Dark Cellar\"`".into(),
        _ if wants(label::NUMBER) => "begin the line of facts with `-`".into(),
        _ if wants(label::HEADER) => "if it belongs to the line above, indent it by two more spaces".into(),
        _ if wants(label::WORD) => {
            let words: Vec<String> = EventWord::WORDS.iter().map(|(word, _)| format!("`{word}`")).collect();
            format!("what can happen is {}", alternatives(&words))
        }
        _ => return None,
    })
}
