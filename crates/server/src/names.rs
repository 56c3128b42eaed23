//! What people may be called: letters and digits of one script, in one spelling, with nothing invisible among them.
//!
//! Invariant: two accounts never have names that look alike (`keys`).

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::{GeneralSecurityProfile, MixedScript, skeleton};

const LONGEST: usize = 24;
/// More accents than this on one letter reach into other lines.
const ACCENTS: usize = 2;
/// Beside letters and digits.
const MARKS: [char; 5] = [' ', '-', '\'', '.', '_'];

/// Why something cannot be a name.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum BadName {
    #[error("a name needs at least one letter or digit, and begins with one")]
    Empty,
    #[error("a name may have at most {LONGEST} characters")]
    Long,
    #[error("a name may have letters, digits, spaces and - ' . _ but not {0}")]
    Character(String),
    #[error("a name may have at most {ACCENTS} accents on a letter")]
    Accents,
    #[error("the letters of a name must be from one alphabet: some of these only look alike")]
    Mixed,
}

/// As people will read it, in its one spelling (NFKC).
pub fn name(text: &str) -> Result<String, BadName> {
    let name = tidy(&text.nfkc().collect::<String>().replace('’', "'"));
    if name.chars().count() > LONGEST {
        return Err(BadName::Long);
    }
    let is_allowed = |c: char| {
        MARKS.contains(&c) || (c.is_alphanumeric() || is_combining_mark(c)) && c.identifier_allowed()
    };
    if let Some(other) = name.chars().find(|c| !is_allowed(*c)) {
        return Err(BadName::Character(described(other)));
    }
    let begins_well = !name.starts_with(is_combining_mark) && !shape(&name).is_empty();
    if !name.chars().any(char::is_alphanumeric) || !begins_well {
        return Err(BadName::Empty);
    }
    let many = |run: &&[char]| run.len() > ACCENTS;
    let letters: Vec<char> = name.chars().collect();
    if letters.split(|c| !is_combining_mark(*c)).any(|run| many(&run)) {
        return Err(BadName::Accents);
    }
    if !name.as_str().is_single_script() {
        return Err(BadName::Mixed);
    }
    Ok(name)
}

/// Without spaces around, and none doubled.
pub fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Names that look alike have a key in common. There are two since letters may look alike as capitals only, or as small
/// letters only; the first also identifies an account, whatever the case.
pub fn keys(name: &str) -> [String; 2] {
    let name: String = name.nfkc().collect();
    [shape(&name.to_uppercase()), shape(&name.to_lowercase())]
}

fn shape(name: &str) -> String {
    let shape: String = skeleton(name).collect();
    let fold = |c: char| match c {
        // A capital I is a small l.
        'i' => 'l',
        c => c,
    };
    shape.to_lowercase().chars().filter(|c| !MARKS.contains(c)).map(fold).collect()
}

fn described(c: char) -> String {
    match c.is_alphanumeric() || c.is_ascii_punctuation() {
        true => c.to_string(),
        false => format!("U+{:04X}", u32::from(c)),
    }
}

// cspell:disable
#[cfg(test)]
mod tests {
    use super::*;

    fn alike(a: &str, b: &str) -> bool {
        keys(a).iter().any(|key| keys(b).contains(key))
    }

    #[test]
    fn a_name_has_one_spelling() {
        assert_eq!(name("  Ann \t of\nGreen  Gables ").unwrap(), "Ann of Green Gables");
        assert_eq!(name("A\u{308}nne").unwrap(), "Änne");
        assert_eq!(name("Ａｎｎ").unwrap(), "Ann");
        assert_eq!(name("ﬁona").unwrap(), "fiona");
        assert_eq!(name("O’Hara-Smith Jr._2").unwrap(), "O'Hara-Smith Jr._2");
        for fine in ["Ольга", "李小龍", "ひろしカナ漢字", "김철수", "محمد", "Ñandú", &"n".repeat(24)]
        {
            assert_eq!(name(fine).as_deref(), Ok(fine));
        }
    }

    #[test]
    fn names_have_only_visible_letters_of_one_script() {
        for bad in ["", "  ", "---", ".", "\u{3164}"] {
            assert!(name(bad).is_err(), "{bad:?}");
        }
        assert_eq!(name(&"n".repeat(25)), Err(BadName::Long));
        let invisible = [
            "a\u{202e}b",
            "a\u{200b}b",
            "a\u{200d}b",
            "a\u{ad}b",
            "a\u{2060}b",
            "a\u{fe0f}b",
            "a\u{e0061}b",
            "\u{0}a",
            "a\u{115f}b",
            "a\u{2800}b",
            "a\u{34f}b",
            "a\u{180e}b",
            "a\u{feff}b",
            "a\u{fff9}b",
        ];
        for bad in invisible.into_iter().chain(["Ann 🐉", "<b>", "a@b", "½☃"]) {
            assert!(matches!(name(bad), Err(BadName::Character(_))), "{bad:?}: {:?}", name(bad));
        }
        assert_eq!(name("b\u{300}\u{301}\u{302}"), Err(BadName::Accents));
        // Cyrillic and Latin, Greek and Latin.
        for bad in ["Аnn", "pаypal", "Αnn", "Annο"] {
            assert_eq!(name(bad), Err(BadName::Mixed), "{bad}");
        }
    }

    #[test]
    fn names_that_look_alike_share_a_key() {
        for (a, b) in [
            ("Ann", "aNN"),
            ("ÄNNE", "änne"),
            ("Alice", "AIice"),
            ("Alice", "Al1ce"),
            ("Bob", "B0b"),
            ("Tom", "Torn"),
            ("Ann Lee", "Ann_Lee"),
            ("Ann Lee", "AnnLee"),
            // All Cyrillic.
            ("Hope", "Норе"),
            ("HOPE", "НОРЕ"),
            ("cop", "сор"),
            ("Анна", "АННА"),
            // All Greek: nu looks like v.
            ("vo", "νο"),
        ] {
            assert!(alike(a, b), "{a} {b}: {:?} {:?}", keys(a), keys(b));
            assert!(keys(a).iter().all(|key| !key.is_empty()));
        }
        for (a, b) in [("Ann", "Anna"), ("Ann", "Änn"), ("Ben", "Bon"), ("Anna", "Анна"), ("Ann 1", "Ann 2")]
        {
            assert!(!alike(a, b), "{a} {b}: {:?} {:?}", keys(a), keys(b));
        }
        for (a, b) in [("Mia", "MIA"), ("Анна", "анна"), ("Straße", "STRASSE")] {
            assert_eq!(keys(a)[0], keys(b)[0], "the case does not matter");
        }
    }
}
