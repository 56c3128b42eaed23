//! Text for a terminal: styles, widths, wrapping. Strings carry their escapes; the streams drop them where
//! colour is not wanted, so no other code has to care.
//! Invariant: widths are counted without escapes, and colour never carries meaning that the text does not.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::OnceLock;

use anstyle::{AnsiColor, Style};
use cards::db::Def;
use cards::vocabulary::Class;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub const BOLD: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const GOOD: Style = AnsiColor::Green.on_default();
pub const BAD: Style = AnsiColor::Red.on_default();
pub const HEAD: Style = AnsiColor::Yellow.on_default().bold();

/// Narrower terminals break the lines.
const NARROWEST: usize = 60;
const WIDEST: usize = 120;

/// The width to write for: the terminal's, or 80 without one.
pub fn columns() -> usize {
    let here = terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0));
    here.clamp(NARROWEST, WIDEST)
}

pub fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// The text without escapes.
pub fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

/// The width of the text in columns, without escapes.
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(plain(text).as_str())
}

/// Padded with spaces on the right.
pub fn pad(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

/// Plain text cut to a width, with an ellipsis if anything is missing.
pub fn cut(text: &str, to: usize) -> String {
    if width(text) <= to {
        return text.to_string();
    }
    let mut kept = String::new();
    let mut room = to.saturating_sub(1);
    for c in text.chars() {
        let wide = c.width().unwrap_or(0);
        if wide > room {
            break;
        }
        room -= wide;
        kept.push(c);
    }
    format!("{}…", kept.trim_end())
}

/// Plain text in lines of at most this width; a longer word gets its own line.
pub fn wrap(text: &str, to: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().map_or(0, |line| width(line));
        if line > 0 && line + 1 + width(word) > to {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

/// Wrapped and indented; `first` starts the first line.
pub fn paragraph(first: &str, text: &str, style: Style) -> String {
    let indent = width(first);
    let lines = wrap(text, columns().saturating_sub(indent + 1).max(20));
    let mut out = String::new();
    for (i, line) in lines.iter().enumerate() {
        let margin = if i == 0 { first.to_string() } else { " ".repeat(indent) };
        out.push_str(&format!("{margin}{}\n", paint(style, line)));
    }
    out
}

/// With a capital at the beginning.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

pub fn class_style(class: Class) -> Style {
    match class {
        Class::Cleric => AnsiColor::Cyan.on_default().bold(),
        Class::Fighter => AnsiColor::Red.on_default().bold(),
        Class::Mage => AnsiColor::Magenta.on_default().bold(),
        Class::Thief => AnsiColor::Green.on_default().bold(),
        Class::Explorer => AnsiColor::Yellow.on_default().bold(),
    }
}

/// The treasure of a card as letters: `CCF`.
pub fn icons(def: &Def) -> String {
    let each = |class: Class| String::from(class.letter()).repeat(usize::from(def.icons[class]));
    def.classes.iter().map(|class| paint_some(class_style(class), &each(class))).collect()
}

fn paint_some(style: Style, text: &str) -> String {
    if text.is_empty() { String::new() } else { paint(style, text) }
}

/// Untrusted text without control characters.
pub fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || *c == '\n').collect()
}

/// The text in characters that this terminal can show.
pub fn shown(text: &str) -> Cow<'_, str> {
    if is_unicode() {
        return Cow::Borrowed(text);
    }
    let simple = |c: char| match c {
        '│' => '|',
        '─' | '–' | '━' => '-',
        '·' => '.',
        '×' => 'x',
        '→' | '▸' => '>',
        '★' => '*',
        '…' => '~',
        '█' | '▓' => '#',
        '▒' => ':',
        '’' => '\'',
        '♥' => 'h',
        c => c,
    };
    Cow::Owned(text.chars().map(simple).collect())
}

/// According to the locale; yes if there is none.
fn is_unicode() -> bool {
    static UNICODE: OnceLock<bool> = OnceLock::new();
    *UNICODE.get_or_init(|| {
        let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG"));
        locale.is_none_or(|locale| {
            let locale = locale.to_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        })
    })
}

/// Writes to standard output.
pub fn say(text: impl AsRef<str>) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(shown(text.as_ref()).as_bytes())?;
    out.flush()
}

/// Clears the screen and the scrollback. This keeps hands secret, so it bypasses the streams that drop
/// escapes.
pub fn clear_screen() -> io::Result<()> {
    let mut out = io::stdout().lock();
    if std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        out.write_all("\n".repeat(200).as_bytes())?;
    } else {
        out.write_all(b"\x1b[2J\x1b[3J\x1b[H")?;
    }
    out.flush()
}

/// Writes to standard error.
pub fn note(text: impl AsRef<str>) -> io::Result<()> {
    anstream::stderr().lock().write_all(shown(text.as_ref()).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_have_no_width() {
        assert_eq!(width(&paint(BOLD, "abc")), 3);
        assert_eq!(width(&pad(&paint(GOOD, "ab"), 6)), 6);
    }

    #[test]
    fn control_characters_are_removed() {
        assert_eq!(printable("no\x1b[2J record\r\u{9b}1m\n"), "no[2J record1m\n");
    }

    #[test]
    fn cutting_leaves_an_ellipsis() {
        assert_eq!(cut("Neanderthal Cave", 12), "Neanderthal…");
        assert_eq!(cut("Dark Altar", 10), "Dark Altar");
    }

    #[test]
    fn wrapping_keeps_every_word() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("unbreakable", 4), ["unbreakable"]);
    }
}
