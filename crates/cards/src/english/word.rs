//! Word forms: plurals, articles, lists, agreement and sentences. Knows nothing of cards.

/// A phrase in its parts, and whether a verb after it is plural. The first part is the thing itself,
/// the others say more about it: "a room", "from your hand".
#[derive(Clone)]
pub struct Phrase {
    parts: Vec<String>,
    pub plural: bool,
}

impl Phrase {
    pub fn one(text: impl Into<String>) -> Phrase {
        Phrase { parts: vec![text.into()], plural: false }
    }

    pub fn many(text: impl Into<String>) -> Phrase {
        Phrase { plural: true, ..Phrase::one(text) }
    }

    /// With more said about it.
    pub fn and(mut self, words: impl Into<String>) -> Phrase {
        self.parts.push(words.into());
        self
    }

    pub fn text(&self) -> String {
        self.parts.join(" ")
    }

    /// `is` or `are`, `has` or `have`, by the number of the phrase.
    pub fn pick(&self, one: &'static str, many: &'static str) -> &'static str {
        if self.plural { many } else { one }
    }
}

pub fn plural(noun: &str) -> String {
    if noun.ends_with(['o', 's']) { format!("{noun}es") } else { format!("{noun}s") }
}

/// The form after "each player": all our verbs are regular.
pub fn third(verb: &str) -> String {
    match verb.strip_suffix("py") {
        Some(stem) => format!("{stem}pies"),
        None => format!("{verb}s"),
    }
}

pub fn a(phrase: &str) -> String {
    let vowel = phrase.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {phrase}", if vowel { "an" } else { "a" })
}

pub fn possessive(owner: &str, many: bool) -> String {
    if owner == "it" {
        return "its".into();
    }
    if many && owner.ends_with('s') { format!("{owner}'") } else { format!("{owner}'s") }
}

/// `a, b LAST c`.
pub fn list(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., end] => format!("{} {last} {end}", most.join(", ")),
    }
}

/// Things done in order: `a, then b`, `a, b, then c`.
pub fn sequence(steps: &[String]) -> String {
    match steps {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., end] => format!("{}, then {end}", most.join(", ")),
    }
}

/// Joins alternatives with "or", saying what they end with once: "a room or a spell from your hand".
pub fn alternatives(items: &[Phrase]) -> Phrase {
    let Some(first) = items.first() else { return Phrase::one("") };
    let alike = |parts: &usize| {
        let end = first.parts.iter().rev().nth(*parts);
        items.iter().all(|item| *parts + 1 < item.parts.len() && item.parts.iter().rev().nth(*parts) == end)
    };
    let shared = (0..).take_while(alike).count();
    let heads: Vec<String> =
        items.iter().map(|item| item.parts[..item.parts.len() - shared].join(" ")).collect();
    first.parts[first.parts.len() - shared..].iter().fold(Phrase::one(list(&heads, "or")), Phrase::and)
}

/// With a capital; a number at the beginning is spelled out.
pub fn capital(text: &str) -> String {
    const NUMBERS: [&str; 11] =
        ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];
    let (first, rest) = text.split_at(text.find(' ').unwrap_or(text.len()));
    if let Some(number) = first.parse::<usize>().ok().and_then(|n| NUMBERS.get(n)) {
        return format!("{number}{rest}");
    }
    let mut chars = text.chars();
    match chars.next() {
        Some(c) => c.to_uppercase().collect::<String>() + chars.as_str(),
        None => String::new(),
    }
}

pub fn sentences(parts: &[String]) -> String {
    parts.iter().map(|s| capital(s) + ".").collect::<Vec<_>>().join(" ")
}

pub fn ordinal(n: usize) -> String {
    match n {
        1 => "first".into(),
        2 => "second".into(),
        3 => "third".into(),
        4 => "fourth".into(),
        _ => format!("{n}th"),
    }
}

/// "double", "triple" or "n times".
pub fn multiple(n: u8) -> String {
    match n {
        2 => "double".into(),
        3 => "triple".into(),
        _ => format!("{n} times"),
    }
}
