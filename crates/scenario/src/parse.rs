//! Text to scenarios. Only the form is read here; what the names mean is worked out at the table. Any text
//! gives scenarios or a fault, never a panic.

use cards::tree::Class;
use engine::position::Start;
use engine::{Phase, Seat, Variant};

use crate::fault::{Fault, Why};

#[derive(Clone, Debug)]
pub struct Scenario {
    pub file: String,
    /// The line of its first word.
    pub line: usize,
    pub covers: Vec<(usize, Covered)>,
    pub setup: Vec<(usize, Setup)>,
    pub start: Start,
    pub start_line: usize,
    pub script: Vec<(usize, Line)>,
    pub end_line: usize,
}

/// What a scenario shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Covered {
    Rule(String),
    Card(String),
    Ruling(String, usize),
}

/// One section of the table.
#[derive(Clone, Debug)]
pub enum Setup {
    Players(u8),
    Variant(Variant),
    Turns(u16),
    Xp(Seat, u16),
    Bosses(Seat, Vec<Name>),
    Levelled(Seat),
    Dungeon(Seat, Vec<Vec<Marked>>),
    Hand(Seat, Vec<Name>),
    Souls(Seat, Vec<Name>),
    Wounds(Seat, Vec<Name>),
    SoulPoints(Seat, u16),
    WoundPoints(Seat, u16),
    Entrance(Seat, Vec<Name>),
    HeroInTown(Name),
    HeroInRoom { hero: Name, room: Name, damage: u8 },
    Pile(Pile, Vec<Name>),
    Random(Vec<Name>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pile {
    Rooms,
    Spells,
    Heroes,
    Epics,
    Discard,
}

/// A card as it is written, perhaps with its owner before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub owner: Option<Seat>,
    pub text: String,
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.owner {
            Some(owner) => write!(f, "{owner} {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// A room card with its marks.
#[derive(Clone, Debug)]
pub struct Marked {
    pub name: Name,
    pub deactivated: bool,
    pub facedown: bool,
    pub used: bool,
}

#[derive(Clone, Debug)]
pub enum Line {
    Move(Move),
    /// Refused now.
    Refused(Seat, Vec<Answer>),
    /// All possible answers.
    Legal(Seat, Vec<Answer>),
    Fact(Fact),
}

#[derive(Clone, Debug)]
pub enum Move {
    AllPass,
    AllPassToEnd,
    By(Seat, Vec<Answer>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Pass,
    Yes,
    No,
    Option(u8),
    Player(Seat),
    /// A treasure type.
    Treasure(Class),
    Build {
        card: Name,
        on: Option<Name>,
    },
    Card(Name),
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Answer::Pass => f.write_str("pass"),
            Answer::Yes => f.write_str("yes"),
            Answer::No => f.write_str("no"),
            Answer::Option(n) => write!(f, "option {n}"),
            Answer::Player(seat) => write!(f, "{seat}"),
            Answer::Treasure(class) => write!(f, "{class}"),
            Answer::Build { card, on: None } => write!(f, "build {card}"),
            Answer::Build { card, on: Some(on) } => write!(f, "build {card} on {on}"),
            Answer::Card(name) => write!(f, "{name}"),
        }
    }
}

#[derive(Clone, Debug)]
pub enum Fact {
    Souls(Seat, i32),
    Wounds(Seat, i32),
    SoulList(Seat, Vec<Name>),
    WoundList(Seat, Vec<Name>),
    Hand(Seat, Vec<Name>),
    Rooms(Seat, usize),
    Spells(Seat, usize),
    Dungeon(Seat, Vec<Vec<Marked>>),
    RoomDamage(Name, i32),
    Treasure(Seat, Class, i32),
    Entrance(Seat, Vec<Name>),
    Levelled(Seat, bool),
    Out(Seat),
    Town(Vec<Name>),
    HeroDamage(Name, i32),
    HeroHealth(Name, i32),
    HeroIn(Name, Seat, Option<Name>),
    Discard(Vec<Name>),
    DiscardHas(Name),
    Removed(Vec<Name>),
    Deck(Pile, usize),
    Waiting(Vec<Name>),
    Phase(Phase),
    Active(Seat),
    Asked(Option<Seat>),
    Turn(u16),
    Over,
    Winner(Seat),
}

/// All scenarios of a file.
pub fn parse(file: &str, text: &str) -> Result<Vec<Scenario>, Fault> {
    let mut scenarios = Vec::new();
    let mut open: Option<Draft> = None;
    let mut last = 0;
    for (number, line) in (1..).zip(text.lines()) {
        last = number;
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        if line == "end" {
            let draft = open.take().unwrap_or_else(|| Draft::new(number));
            scenarios.push(draft.close(file, number)?);
            continue;
        }
        let draft = open.get_or_insert_with(|| Draft::new(number));
        draft.line(number, line).map_err(|why| why.at(file, number))?;
    }
    match open {
        Some(_) => Err(Why::NoEnd.at(file, last)),
        None => Ok(scenarios),
    }
}

struct Draft {
    line: usize,
    covers: Vec<(usize, Covered)>,
    setup: Vec<(usize, Setup)>,
    start: Option<(usize, Start)>,
    script: Vec<(usize, Line)>,
}

impl Draft {
    fn new(line: usize) -> Draft {
        Draft { line, covers: Vec::new(), setup: Vec::new(), start: None, script: Vec::new() }
    }

    fn close(self, file: &str, end_line: usize) -> Result<Scenario, Fault> {
        let (start_line, start) = self.start.ok_or_else(|| Why::NoStart.at(file, end_line))?;
        let Draft { line, covers, setup, script, .. } = self;
        Ok(Scenario { file: file.into(), line, covers, setup, start, start_line, script, end_line })
    }

    fn line(&mut self, number: usize, line: &str) -> Result<(), Why> {
        let (first, rest) = split_word(line);
        let script = match first {
            ">" => Some(Line::Move(a_move(rest)?)),
            "!" => {
                let (seat, answers) = by(rest)?;
                Some(Line::Refused(seat, answers))
            }
            "?" => {
                let (who, answers) = rest.split_once(':').ok_or(Why::Missing("write `? p1: pass, ...`"))?;
                Some(Line::Legal(seat(who.trim())?, list(answers).map(answer).collect::<Result<_, _>>()?))
            }
            "=" => Some(Line::Fact(crate::parse_fact::fact(rest)?)),
            _ => None,
        };
        if let Some(script) = script {
            if self.start.is_none() {
                return Err(Why::TooEarly);
            }
            self.script.push((number, script));
            return Ok(());
        }
        if first == "covers" {
            for text in list(rest) {
                self.covers.push((number, covered(text)?));
            }
            return Ok(());
        }
        if matches!(first, "at" | "window") {
            if self.start.is_some() {
                return Err(Why::TwoStarts);
            }
            self.start = Some((number, begin(line)?));
            return Ok(());
        }
        if self.start.is_some() {
            return Err(Why::TooLate);
        }
        for section in crate::parse_setup::setup(line)? {
            self.setup.push((number, section));
        }
        Ok(())
    }
}

fn covered(text: &str) -> Result<Covered, Why> {
    let (kind, rest) = split_word(text);
    match kind {
        "rule" => Ok(Covered::Rule(rest.into())),
        "card" => Ok(Covered::Card(rest.into())),
        "ruling" => {
            let (name, index) = rest.rsplit_once(' ').ok_or(Why::Missing("write `ruling NAME 1`"))?;
            Ok(Covered::Ruling(name.trim().into(), number(index, "the ruling's number, from 1")?))
        }
        _ => Err(Why::Word(kind.into(), "rule, card, ruling")),
    }
}

fn begin(line: &str) -> Result<Start, Why> {
    let mut parts = list(line);
    let mut what = parts.next().unwrap_or_default().split_whitespace();
    let (kind, words): (_, Vec<&str>) = (what.next(), what.collect());
    let (mut active, mut asked) = (None, None);
    for part in parts {
        match split_word(part) {
            ("active", who) => active = Some(seat(who)?),
            ("asked", who) => asked = Some(seat(who)?),
            (other, _) => return Err(Why::Word(other.into(), "active p1, asked p2")),
        }
    }
    if kind == Some("window") {
        let phase = match words[..] {
            ["build"] => Phase::Build,
            ["adventure"] => Phase::Adventure,
            _ => return Err(Why::Word(words.join(" "), "window build, window adventure")),
        };
        let active = active.ok_or(Why::Missing("write `window build, active p1`"))?;
        return Ok(Start::Window { phase, active, asked: asked.unwrap_or(active) });
    }
    let begin = match words[..] {
        ["build"] => Start::Build(active.take()),
        ["adventure"] => Start::Adventure(active.take()),
        ["deal"] => Start::Deal,
        ["first", "room"] => Start::FirstRoom,
        ["begin"] => Start::Begin,
        ["reveal"] => Start::Reveal,
        ["bait"] => Start::Bait,
        ["end"] => Start::End,
        _ => {
            let known = "deal, first room, begin, build, reveal, bait, adventure, end";
            return Err(Why::Word(words.join(" "), known));
        }
    };
    match (active, asked) {
        (None, None) => Ok(begin),
        _ => Err(Why::Word("active".into(), "`at build, active p2` or `at adventure, active p2`")),
    }
}

fn a_move(text: &str) -> Result<Move, Why> {
    match text {
        "all pass" => Ok(Move::AllPass),
        "all pass to end" => Ok(Move::AllPassToEnd),
        _ => {
            let (seat, answers) = by(text)?;
            Ok(Move::By(seat, answers))
        }
    }
}

fn by(text: &str) -> Result<(Seat, Vec<Answer>), Why> {
    let (who, answers) = split_word(text);
    let who = seat(who)?;
    let answers = list(answers).map(answer).collect::<Result<Vec<_>, _>>()?;
    if answers.is_empty() { Err(Why::Missing("write what the player does")) } else { Ok((who, answers)) }
}

fn answer(text: &str) -> Result<Answer, Why> {
    match text {
        "pass" => return Ok(Answer::Pass),
        "yes" => return Ok(Answer::Yes),
        "no" => return Ok(Answer::No),
        _ => {}
    }
    if let Ok(player) = seat(text) {
        return Ok(Answer::Player(player));
    }
    if let Some((_, class)) = Class::WORDS.iter().find(|(word, _)| *word == text) {
        return Ok(Answer::Treasure(*class));
    }
    match split_word(text) {
        ("option", n) => Ok(Answer::Option(number(n, "the number of the alternative, from 1")?)),
        ("build", what) => match what.split_once(" on ") {
            Some((card, on)) => Ok(Answer::Build { card: name(card)?, on: Some(name(on)?) }),
            None => Ok(Answer::Build { card: name(what)?, on: None }),
        },
        _ => Ok(Answer::Card(name(text)?)),
    }
}

// ---- words shared by the parts of the parser ----

pub(crate) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim()))
}

/// The parts between commas; nothing at all is an empty list.
pub(crate) fn list(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim();
    text.split(',').map(str::trim).filter(move |_| !text.is_empty())
}

pub(crate) fn names(text: &str) -> Result<Vec<Name>, Why> {
    list(text).map(name).collect()
}

pub(crate) fn seat(word: &str) -> Result<Seat, Why> {
    match word.as_bytes() {
        [b'p', digit @ b'1'..=b'6'] => Ok(Seat(digit - b'1')),
        _ => Err(Why::Player(word.into())),
    }
}

pub(crate) fn number<N: std::str::FromStr>(text: &str, wanted: &'static str) -> Result<N, Why> {
    text.trim().parse().map_err(|_| Why::Number { found: text.trim().into(), wanted })
}

pub(crate) fn name(text: &str) -> Result<Name, Why> {
    let (first, rest) = split_word(text);
    let (owner, text) = match seat(first) {
        Ok(owner) => (Some(owner), rest),
        Err(_) => (None, text.trim()),
    };
    if text.is_empty() {
        Err(Why::Missing("write the card's name"))
    } else {
        Ok(Name { owner, text: text.into() })
    }
}

/// A name and what stands in brackets behind it.
pub(crate) fn marks(text: &str) -> Result<(&str, Vec<&str>), Why> {
    let (name, mut rest) = match text.find('[') {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let mut marks = Vec::new();
    while !rest.trim().is_empty() {
        let inner = rest.trim().strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let (mark, after) = inner.ok_or_else(|| Why::Mark(rest.trim().into()))?;
        marks.push(mark.trim());
        rest = after;
    }
    Ok((name.trim(), marks))
}

/// Stacks from left to right, each with its top card first.
pub(crate) fn stacks(text: &str) -> Result<Vec<Vec<Marked>>, Why> {
    list(text).map(|stack| stack.split(" over ").map(marked).collect()).collect()
}

fn marked(text: &str) -> Result<Marked, Why> {
    let (card, marks) = marks(text)?;
    let mut room = Marked { name: name(card)?, deactivated: false, facedown: false, used: false };
    for mark in marks {
        match mark {
            "deactivated" => room.deactivated = true,
            "facedown" => room.facedown = true,
            "used" => room.used = true,
            _ => return Err(Why::Word(mark.into(), "[deactivated], [facedown], [used]")),
        }
    }
    Ok(room)
}

pub(crate) fn pile(word: &str) -> Option<Pile> {
    match word {
        "room" => Some(Pile::Rooms),
        "spell" => Some(Pile::Spells),
        "hero" => Some(Pile::Heroes),
        "epic" => Some(Pile::Epics),
        _ => None,
    }
}
