//! Pieces of sentences. Things one person does in a row share a sentence; choices stand alone.

use super::phrase::Subject;
use super::word::{Phrase, alternatives, list, sequence, third};

/// A part of a sentence.
#[derive(Clone)]
pub enum Piece {
    Do {
        subject: Subject,
        verb: &'static str,
        rest: Phrase,
        role: Role,
    },
    /// "that player may draw a room"
    Offer {
        subject: Subject,
        steps: String,
    },
    /// "if that player does, ...": what depends on the offer before it.
    IfDone {
        subject: Subject,
        then: String,
    },
    /// "choose one: ..."
    OneOf(String),
    /// A whole clause.
    Say(String),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Choice,
    Cost,
    /// A draw of a fixed number of cards, which joins with the next one.
    Draw,
    /// Done once for each of something: an "or" after it could belong to either.
    PerEach,
    Act,
}

impl Piece {
    pub fn role(&self) -> Role {
        match self {
            Piece::Do { role, .. } => *role,
            _ => Role::Act,
        }
    }

    pub fn doer(&self) -> Option<&Subject> {
        match self {
            Piece::Do { subject, .. } => Some(subject),
            _ => None,
        }
    }

    /// Without its doer: "draw a room", or "draws a room" after a name.
    pub fn predicate(&self, bare: bool) -> String {
        match self {
            Piece::Do { verb, rest, .. } if bare => format!("{verb} {}", rest.text()),
            Piece::Do { verb, rest, .. } => format!("{} {}", third(verb), rest.text()),
            Piece::Offer { subject, steps } => format!("{} may {steps}", subject.label),
            Piece::IfDone { subject, then } if subject.reader => format!("if you do, {then}"),
            Piece::IfDone { subject, then } => format!("if {} does, {then}", subject.label),
            Piece::OneOf(options) => format!("choose one: {options}"),
            Piece::Say(text) => text.clone(),
        }
    }
}

/// Pieces as sentences without capital and period.
pub fn sentences(pieces: Vec<Piece>) -> Vec<String> {
    let pieces = merge(pieces);
    let mut out = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        let end = run(&pieces, at);
        let said = match pieces[at].doer() {
            None => pieces[at].predicate(true),
            Some(who) => {
                let steps: Vec<String> = pieces[at..end].iter().map(|p| p.predicate(who.reader)).collect();
                if who.reader { sequence(&steps) } else { format!("{} {}", who.label, sequence(&steps)) }
            }
        };
        out.push(said);
        at = end;
    }
    if out.is_empty() { vec!["nothing happens".into()] } else { out }
}

/// All in one sentence, for use inside another.
pub fn inline(pieces: Vec<Piece>) -> String {
    sentences(pieces).join(", and ")
}

/// What is chosen and paid, before a colon: "choose a hero in town and destroy this room".
pub fn price(pieces: Vec<Piece>) -> String {
    let steps: Vec<String> = merge(pieces).iter().map(|p| p.predicate(true)).collect();
    list(&steps, "and")
}

/// Choices, and draws of one person, that follow each other share their verb.
pub fn merge(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    for piece in pieces {
        if let (
            Some(Piece::Do { subject, rest, role, .. }),
            Piece::Do { subject: who, rest: more, role: next @ (Role::Choice | Role::Draw), .. },
        ) = (out.last_mut(), &piece)
            && *role == *next
            && subject == who
        {
            *rest = rest.clone().and(format!("and {}", more.text()));
        } else {
            out.push(piece);
        }
    }
    out
}

/// Where the sentence that starts at `at` ends.
pub fn run(pieces: &[Piece], at: usize) -> usize {
    let Some(who) = pieces[at].doer() else {
        return at + 1;
    };
    if pieces[at].role() == Role::Choice {
        return at + 1;
    }
    let same = |p: &&Piece| p.doer() == Some(who) && p.role() != Role::Choice;
    at + pieces[at..].iter().take_while(same).count()
}

/// Options that differ only in what the same verb is done to: "draw a spell or a room".
pub fn one_verb(options: &[Vec<Piece>]) -> Option<Piece> {
    let mut rests = Vec::new();
    let mut common: Option<(Subject, &'static str)> = None;
    for option in options {
        let [Piece::Do { subject, verb, rest, role }] = option.as_slice() else {
            return None;
        };
        let (who, said) = common.get_or_insert((subject.clone(), *verb));
        if who != subject
            || said != verb
            || matches!(role, Role::Cost | Role::Choice | Role::PerEach)
            || *verb == "make"
        {
            return None;
        }
        rests.push(rest.clone());
    }
    let (subject, verb) = common?;
    Some(Piece::Do { subject, verb, rest: alternatives(&rests), role: Role::Act })
}
