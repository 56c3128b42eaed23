//! Text to scenarios. Only the syntax is read here; names are resolved when the position is set up.
//! Any text gives scenarios or an error, never a panic.

use cards::code::DefId;
use cards::vocabulary::Class;
use cards::vocabulary::{Kind, Landmark};
use engine::position::{Position, SeatPosition, Start};
use engine::state::Space;
use engine::{Phase, Place, Ruleset, Seat, Variant};

use crate::error::{Problem, ScenarioError};
use crate::facts::{CardList, CardNumber, PlayerMark, PlayerNumber, TableWord};
pub(crate) use crate::parse_words::*;
use crate::table::Builder;

#[derive(Clone, Debug)]
pub struct Scenario {
    pub file: String,
    /// The line of its first word.
    pub line: usize,
    pub covers: Vec<(usize, Covered)>,
    pub(crate) setup: Vec<(usize, Section)>,
    pub(crate) start: Start,
    pub(crate) start_line: usize,
    pub(crate) script: Vec<(usize, Line)>,
    pub(crate) end_line: usize,
}

/// What a scenario shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Covered {
    Rule(String),
    Card(String),
    Ruling(String, usize),
}

/// One section of the setup. What the words mean is in the tables of `parse_setup`.
#[derive(Clone, Debug)]
pub(crate) enum Section {
    Ruleset(Ruleset),
    Variant(Variant),
    TableNumber(fn(&mut Builder, u16) -> Result<(), Problem>, u16),
    PlayerNumber(Seat, fn(&mut Builder, Seat, u16) -> Result<(), Problem>, u16),
    PlayerMark(Seat, fn(&mut SeatPosition)),
    PlayerCards(Seat, fn(&mut SeatPosition) -> &mut Vec<DefId>, Vec<Name>),
    TableCards(fn(&mut Position) -> &mut Vec<DefId>, Vec<Name>),
    Dungeon(Seat, Vec<Vec<Marked>>),
    /// Rooms may be discarded for coins.
    Mixed,
    HeroInTown(Bearer, i8),
    HeroAt(Name, Landmark),
    First(Seat),
    MinionAt(Seat, Space),
    /// On a room or a boss.
    MinionOn(Seat, Name),
    /// With the items that they carry.
    Entrance(Seat, Vec<Bearer>),
    Items(Seat, Vec<MarkedItem>),
    HeroInRoom {
        hero: Bearer,
        room: Name,
        damage: u8,
    },
    /// Random picks, in the order in which they happen.
    Random(Vec<Picked>),
    /// The top of a deck after a shuffle.
    Shuffle(Place, Vec<Name>),
}

/// A hero, and the item that it carries.
#[derive(Clone, Debug)]
pub(crate) struct Bearer {
    pub hero: Name,
    pub item: Option<Name>,
}

/// An item in a scoring area.
#[derive(Clone, Debug)]
pub(crate) struct MarkedItem {
    pub name: Name,
    pub facedown: bool,
    pub new: bool,
}

/// What a random pick takes.
#[derive(Clone, Debug)]
pub(crate) enum Picked {
    Card(Name),
    Player(Seat),
    Number(u8),
}

/// A card as it is written, perhaps with its owner before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub owner: Option<Seat>,
    /// `the left`: which of several equal cards.
    pub which: Option<Which>,
    /// A card of which the viewer sees only the back.
    pub back: Option<Kind>,
    pub text: String,
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(owner) = self.owner {
            write!(f, "{owner} ")?;
        }
        if let Some(which) = self.which {
            write!(f, "the {} ", which.word())?;
        }
        f.write_str(&self.text)
    }
}

/// One of several equal cards, in the order in which scenarios write their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Counted from 0.
    Nth(usize),
    Last,
}

impl Which {
    /// The first word for a meaning is the one used in messages.
    const WORDS: [(&str, Which); 8] = [
        ("left", Which::Nth(0)),
        ("right", Which::Last),
        ("first", Which::Nth(0)),
        ("second", Which::Nth(1)),
        ("third", Which::Nth(2)),
        ("fourth", Which::Nth(3)),
        ("fifth", Which::Nth(4)),
        ("last", Which::Last),
    ];

    pub(crate) fn read(word: &str) -> Option<Which> {
        Which::WORDS.iter().find(|(known, _)| *known == word).map(|(_, which)| *which)
    }

    pub(crate) fn word(self) -> &'static str {
        Which::WORDS.iter().find(|(_, which)| *which == self).map_or("", |(word, _)| word)
    }

    pub(crate) fn index(self, len: usize) -> usize {
        match self {
            Which::Nth(index) => index,
            Which::Last => len.saturating_sub(1),
        }
    }
}

/// A room card with its marks.
#[derive(Clone, Debug)]
pub(crate) struct Marked {
    pub name: Name,
    pub deactivated: bool,
    pub facedown: bool,
    pub used: bool,
    pub counters: u8,
    pub coins: u8,
    pub miniboss: Option<Miniboss>,
}

/// A miniboss under a room.
#[derive(Clone, Debug)]
pub(crate) struct Miniboss {
    pub name: Name,
    pub level: u8,
    /// Revealed this turn.
    pub new: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Line {
    Move(Move),
    /// Refused now.
    Refused(Seat, Vec<Answer>),
    /// All possible answers.
    Legal(Seat, Vec<Answer>),
    Fact(Fact),
}

#[derive(Clone, Debug)]
pub(crate) enum Move {
    AllPass,
    AllPassToEnd,
    By(Seat, Vec<Answer>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Pass,
    Yes,
    No,
    Option(u8),
    Player(Seat),
    /// A treasure type.
    Treasure(Class),
    /// An action space of the town board.
    Space(Space),
    Build {
        card: Name,
        on: Option<Name>,
    },
    /// Pay a coin for a miniboss's next level.
    Promote(Name),
    /// Discard a room for a coin.
    Sell(Name),
    /// Take a portable room back into hand (rule 6.7).
    TakeBack(Name),
    /// `Spike level 3`: the ability of that level.
    Level(Name, u8),
    Number(u8),
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
            Answer::Space(space) => f.write_str(&space_text(*space)),
            Answer::Build { card, on: None } => write!(f, "build {card}"),
            Answer::Build { card, on: Some(on) } => write!(f, "build {card} on {on}"),
            Answer::Promote(name) => write!(f, "promote {name}"),
            Answer::Sell(name) => write!(f, "discard {name} for a coin"),
            Answer::TakeBack(name) => write!(f, "take back {name}"),
            Answer::Level(name, level) => write!(f, "{name} level {level}"),
            Answer::Number(n) => write!(f, "{n}"),
            Answer::Card(name) => write!(f, "{name}"),
        }
    }
}

/// What must be true. What the words mean is in the tables of `facts`.
#[derive(Clone, Debug)]
pub(crate) enum Fact {
    PlayerNumber(Seat, &'static PlayerNumber, i32),
    PlayerMark(Seat, &'static PlayerMark, bool),
    /// A number of a room in that player's dungeon.
    RoomNumber(Seat, Name, &'static CardNumber, i32),
    /// The level of a miniboss in play.
    Level(Name, i32),
    /// A miniboss belongs to that room.
    On(Name, Name),
    HeroNumber(Name, &'static CardNumber, i32),
    HeroIn(Name, Seat, Option<Name>),
    /// The item that a hero carries.
    Carries(Name, Option<Name>),
    Items(Seat, Vec<MarkedItem>),
    Treasure(Seat, Class, i32),
    Dungeon(Seat, Vec<Vec<Marked>>),
    /// All cards of a pile; `Seat::NONE` for shared piles.
    Cards(Option<Seat>, &'static CardList, Vec<Name>),
    Has(Option<Seat>, &'static CardList, Name),
    Size(Option<Seat>, &'static CardList, usize),
    Word(&'static TableWord, String),
    /// `None`: at home.
    MinionAt(Seat, Option<Space>),
    /// On a room or a boss.
    MinionOn(Seat, Name),
    /// True of what this player sees; `None` is a spectator.
    Sees(Option<Seat>, Box<Fact>),
    Reads(Option<Seat>, String),
    DoesNotRead(Option<Seat>, String),
}

/// All scenarios of a file.
pub fn parse(file: &str, text: &str) -> Result<Vec<Scenario>, ScenarioError> {
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
        draft.line(number, line).map_err(|problem| problem.at(file, number))?;
    }
    match open {
        Some(_) => Err(Problem::NoEnd.at(file, last)),
        None => Ok(scenarios),
    }
}

struct Draft {
    line: usize,
    covers: Vec<(usize, Covered)>,
    setup: Vec<(usize, Section)>,
    start: Option<(usize, Start)>,
    script: Vec<(usize, Line)>,
}

impl Draft {
    fn new(line: usize) -> Draft {
        Draft { line, covers: Vec::new(), setup: Vec::new(), start: None, script: Vec::new() }
    }

    fn close(self, file: &str, end_line: usize) -> Result<Scenario, ScenarioError> {
        let (start_line, start) = self.start.ok_or_else(|| Problem::NoStart.at(file, end_line))?;
        let Draft { line, covers, setup, script, .. } = self;
        Ok(Scenario { file: file.into(), line, covers, setup, start, start_line, script, end_line })
    }

    fn line(&mut self, number: usize, line: &str) -> Result<(), Problem> {
        let (first, rest) = split_word(line);
        let script = match first {
            ">" => Some(Line::Move(a_move(rest)?)),
            "!" => {
                let (seat, answers) = by(rest)?;
                Some(Line::Refused(seat, answers))
            }
            "?" => {
                let (who, answers) =
                    rest.split_once(':').ok_or(Problem::Missing("write `? p1: pass, ...`"))?;
                Some(Line::Legal(seat(who.trim())?, list(answers).map(answer).collect::<Result<_, _>>()?))
            }
            "=" => Some(Line::Fact(crate::parse_fact::fact(rest)?)),
            _ => None,
        };
        if let Some(script) = script {
            if self.start.is_none() {
                return Err(Problem::TooEarly);
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
                return Err(Problem::TwoStarts);
            }
            self.start = Some((number, begin(line)?));
            return Ok(());
        }
        if self.start.is_some() {
            return Err(Problem::TooLate);
        }
        for section in crate::parse_setup::setup(line)? {
            self.setup.push((number, section));
        }
        Ok(())
    }
}

fn covered(text: &str) -> Result<Covered, Problem> {
    let (kind, rest) = split_word(text);
    match kind {
        "rule" => Ok(Covered::Rule(rest.into())),
        "card" => Ok(Covered::Card(rest.into())),
        "ruling" => {
            let (name, index) = rest.rsplit_once(' ').ok_or(Problem::Missing("write `ruling NAME 1`"))?;
            Ok(Covered::Ruling(name.trim().into(), number(index, "the ruling's number, from 1")?))
        }
        _ => Err(Problem::word(kind, "rule, card, ruling")),
    }
}

fn begin(line: &str) -> Result<Start, Problem> {
    let mut parts = list(line);
    let mut what = parts.next().unwrap_or_default().split_whitespace();
    let (kind, words): (_, Vec<&str>) = (what.next(), what.collect());
    let (mut active, mut asked) = (None, None);
    for part in parts {
        match split_word(part) {
            ("active", who) => active = Some(seat(who)?),
            ("asked", who) => asked = Some(seat(who)?),
            (other, _) => return Err(Problem::word(other, "active p1, asked p2")),
        }
    }
    if kind == Some("window") {
        let phase = match words[..] {
            ["build"] => Phase::Build,
            ["adventure"] => Phase::Adventure,
            _ => return Err(Problem::word(&words.join(" "), "window build, window adventure")),
        };
        let active = active.ok_or(Problem::Missing("write `window build, active p1`"))?;
        return Ok(Start::Window { phase, active, asked: asked.unwrap_or(active) });
    }
    let begin = match words[..] {
        ["build"] => Start::Build(active.take()),
        ["adventure"] => Start::Adventure(active.take()),
        ["deal"] => Start::Deal,
        ["first", "room"] => Start::FirstRoom,
        ["begin"] => Start::Begin,
        ["reveal"] => Start::Reveal,
        ["town"] => Start::Town,
        ["draft"] => Start::Draft,
        ["minion"] => Start::Minion,
        ["bait"] => Start::Bait,
        ["end"] => Start::End,
        _ => {
            let known = "deal, first room, begin, town, draft, build, reveal, minion, bait, adventure, end";
            return Err(Problem::word(&words.join(" "), known));
        }
    };
    match (active, asked) {
        (None, None) => Ok(begin),
        _ => Err(Problem::word("active", "`at build, active p2` or `at adventure, active p2`")),
    }
}

fn a_move(text: &str) -> Result<Move, Problem> {
    match text {
        "all pass" => Ok(Move::AllPass),
        "all pass to end" => Ok(Move::AllPassToEnd),
        _ => {
            let (seat, answers) = by(text)?;
            Ok(Move::By(seat, answers))
        }
    }
}

fn by(text: &str) -> Result<(Seat, Vec<Answer>), Problem> {
    let (who, answers) = split_word(text);
    let who = seat(who)?;
    let answers = list(answers).map(answer).collect::<Result<Vec<_>, _>>()?;
    if answers.is_empty() { Err(Problem::Missing("write what the player does")) } else { Ok((who, answers)) }
}

fn answer(text: &str) -> Result<Answer, Problem> {
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
    if let Some(space) = space(text) {
        return Ok(Answer::Space(space));
    }
    match split_word(text) {
        ("option", n) => Ok(Answer::Option(number(n, "the number of the alternative, from 1")?)),
        ("promote", what) => Ok(Answer::Promote(name(what)?)),
        ("take", what) if what.starts_with("back ") => {
            Ok(Answer::TakeBack(name(what.trim_start_matches("back "))?))
        }
        ("discard", what) if what.ends_with(" for a coin") => {
            Ok(Answer::Sell(name(what.trim_end_matches(" for a coin"))?))
        }
        _ if text.bytes().all(|b| b.is_ascii_digit()) => Ok(Answer::Number(number(text, "a small number")?)),
        _ if name_and_level(text).is_some() => {
            let (card, level) = name_and_level(text).unwrap_or((text, 0));
            Ok(Answer::Level(name(card)?, level))
        }
        ("build", what) => match what.split_once(" on ") {
            Some((card, on)) => Ok(Answer::Build { card: name(card)?, on: Some(name(on)?) }),
            None => Ok(Answer::Build { card: name(what)?, on: None }),
        },
        _ => Ok(Answer::Card(name(text)?)),
    }
}
