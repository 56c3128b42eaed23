//! The game in sentences: events, questions and answers in the game's words. Text only; nothing here is
//! needed to play.

use std::borrow::Cow;
use std::fmt::Write;

use cards::code::{Op, Query, QueryId, Slot};
use cards::db::CardDb;
use cards::tree::{Class, Noun};

use crate::id::*;
use crate::state::{Ending, Flags, Frame, Phase};
use crate::{Action, Event, Game, Question, Shown};

/// How players are called.
pub trait Names {
    fn player(&self, seat: Seat) -> Cow<'_, str>;
}

/// p1, p2, ...
pub struct Numbers;

impl Names for Numbers {
    fn player(&self, seat: Seat) -> Cow<'_, str> {
        seat.to_string().into()
    }
}

impl Names for [String] {
    fn player(&self, seat: Seat) -> Cow<'_, str> {
        self.get(seat.index()).map_or_else(|| seat.to_string().into(), |name| name.as_str().into())
    }
}

/// Like `format!`, with room for a usual sentence from the beginning.
macro_rules! words {
    ($($part:tt)*) => {{
        let mut text = String::with_capacity(96);
        // Writing to a text does not fail.
        let _ = write!(text, $($part)*);
        text
    }};
}

/// The event as a sentence. Blank cards are told by their backs.
pub fn sentence(db: &CardDb, names: &(impl Names + ?Sized), event: Event) -> String {
    use Event::*;
    let p = |seat: Seat| names.player(seat);
    let c = |shown: Shown| db.name(shown.def);
    let place = |place: Place| place_name(names, place);
    match event {
        TurnBegins(turn) => words!("Turn {turn}."),
        PhaseBegins(phase) => words!("{}.", phase_name(phase)),
        Active(seat) => words!("{} is active.", p(seat)),
        BossChosen { seat, boss } => words!("{} plays {}.", p(seat), c(boss)),
        HandDealt { seat, rooms, spells } => {
            words!("{} is dealt {rooms} rooms and {spells} spells.", p(seat))
        }
        Mulligan(seat) => words!("{} shuffles the hand back and draws a new one.", p(seat)),
        Arrives(hero) => words!("{} comes to town.", c(hero)),
        Draws { seat, card } => words!("{} draws {}.", p(seat), c(card)),
        Reshuffled => "The discard pile is shuffled back into the decks.".into(),
        Shuffled(deck) => words!("{} is shuffled.", capital(&place(deck))),
        Places { seat, card, at, slot } if at == seat => {
            words!("{} places {} face down at place {}.", p(seat), c(card), slot + 1)
        }
        Places { seat, card, at, slot } => {
            words!("{} places {} face down in {}'s dungeon at place {}.", p(seat), c(card), p(at), slot + 1)
        }
        Reveals { seat, card } => words!("{} has built {}.", p(seat), c(card)),
        Builds { seat, card, .. } => words!("{} builds {} at once.", p(seat), c(card)),
        LevelsUp { seat, boss } => words!("{} levels up: {}!", p(seat), c(boss)),
        Uses { seat, card } => words!("{} uses {}.", p(seat), c(card)),
        Chooses { seat, card } => words!("{} chooses {}.", p(seat), c(card)),
        ChoosesPlayer { seat, player } => words!("{} chooses {}.", p(seat), p(player)),
        Waits { seat, card } => words!("{}'s {} waits for the active player.", p(seat), c(card)),
        Cancelled(card) => words!("{} is cancelled.", c(card)),
        Fizzles(card) => words!("{} has lost its target and does nothing.", c(card)),
        Triggers { seat, card } => words!("{}'s {} triggers.", p(seat), c(card)),
        Random(card) => words!("{} is picked at random.", capital(c(card))),
        Looks { seat, at } => words!("{} looks at {}.", p(seat), place(at)),
        Discards { seat, card } => words!("{} discards {}.", p(seat), c(card)),
        Takes { seat, card, from } => words!("{} takes {} from {}.", p(seat), c(card), place(from)),
        Shows { seat, card } => words!("{} shows {}.", p(seat), c(card)),
        ChoosesType { seat, class } => words!("{} chooses {class}.", p(seat)),
        Recovers(hero) => words!("{} loses all damage.", c(hero)),
        Destroyed { seat, card } => words!("{}'s {} is destroyed.", p(seat), c(card)),
        Deactivated(card) => words!("{} is deactivated until end of turn.", c(card)),
        Upright(card) => words!("{} is active again.", c(card)),
        Removed(card) => words!("{} is out of the game.", c(card)),
        Swapped { seat, a, b } => {
            words!("{} and {} change places in {}'s dungeon.", c(a), c(b), p(seat))
        }
        Healed { seat, hero } => words!("{} heals the wound of {}.", p(seat), c(hero)),
        Lured { seat, hero } => words!("{} is lured by {}.", c(hero), p(seat)),
        StaysInTown(hero) => words!("{} stays in town.", c(hero)),
        HeroGoes { hero, to } => match to.kind() {
            PlaceKind::Inside => words!("{} goes into {}.", c(hero), place(to)),
            _ => words!("{} goes to {}.", capital(c(hero)), place(to)),
        },
        HeroWaits(hero) => words!("{} may not go in and waits.", c(hero)),
        Enters { hero, room } => words!("{} enters {}.", c(hero), c(room)),
        Damaged { hero, amount } => words!("{} takes {amount} damage.", c(hero)),
        Dies { seat, hero } => {
            let souls = db.def(hero.def).souls();
            words!("{} dies: {} for {}.", c(hero), plural(souls, "soul"), p(seat))
        }
        Wounds { seat, hero } => {
            let wounds = db.def(hero.def).souls();
            words!("{} reaches the boss: {} for {}.", c(hero), plural(wounds, "wound"), p(seat))
        }
        Eliminated(seat) => words!("{} has five wounds and is out.", p(seat)),
        GameOver { winner, reason } => match reason {
            Ending::Souls => words!("{} wins with ten souls or more.", p(winner)),
            Ending::LastStanding => words!("{} wins: the last one standing.", p(winner)),
            Ending::AllLost => words!("Everybody is beaten; {} wins on souls less wounds.", p(winner)),
            Ending::Stalled => words!("No hero is left to come; {} wins on souls less wounds.", p(winner)),
            Ending::Stopped => "The game stops here.".into(),
        },
    }
}

/// Where a card is, in words.
pub fn place_name(names: &(impl Names + ?Sized), place: Place) -> String {
    let p = |seat: Seat| names.player(seat);
    match place.kind() {
        PlaceKind::RoomDeck => "the room deck".into(),
        PlaceKind::SpellDeck => "the spell deck".into(),
        PlaceKind::HeroDeck => "the hero deck".into(),
        PlaceKind::EpicDeck => "the epic deck".into(),
        PlaceKind::Discard => "the discard pile".into(),
        PlaceKind::Town => "town".into(),
        PlaceKind::Removed => "the cards out of the game".into(),
        PlaceKind::Table => "the table".into(),
        PlaceKind::Box => "the box".into(),
        PlaceKind::Hand => format!("{}'s hand", p(place.seat())),
        PlaceKind::Entrance => format!("{}'s entrance", p(place.seat())),
        PlaceKind::Scoring => format!("{}'s scoring area", p(place.seat())),
        PlaceKind::Inside | PlaceKind::Dungeon => format!("{}'s dungeon", p(place.seat())),
        PlaceKind::Boss => format!("{}'s boss", p(place.seat())),
    }
}

pub fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Setup => "Setup",
        Phase::Begin => "Beginning of turn",
        Phase::Build => "Build phase",
        Phase::Bait => "Bait phase",
        Phase::Adventure => "Adventure phase",
        Phase::End => "End of turn",
    }
}

/// The present question in a sentence, for the one who is asked.
pub fn question(game: &Game, names: &(impl Names + ?Sized)) -> String {
    let Some(decision) = game.decision() else { return "Nobody is asked anything.".into() };
    let source = decision.source.map(|card| game.name(card));
    match decision.question {
        Question::Act if game.state.phase() == Phase::Build && game.state.active() == decision.seat => {
            "Build a room, act, or pass.".into()
        }
        Question::Act => {
            let active = game.state.active();
            let whose =
                if active == decision.seat { "your".into() } else { format!("{}'s", names.player(active)) };
            format!("Act, or pass? (a window of {whose} {})", phase_name(game.state.phase()))
        }
        Question::Cancel => format!("Cancel {}, or pass?", source.unwrap_or("the spell")),
        Question::FirstRoom => "Place your first room face down, or pass.".into(),
        Question::BuildNow => format!("{}: build which room, and where?", source.unwrap_or("")),
        Question::Choose(query) => {
            format!("{}: choose {}.", source.unwrap_or(""), chosen_noun(game.db, query))
        }
        Question::Option => format!("{}: choose one.", source.unwrap_or("")),
        Question::May => format!("Use {}?", source.unwrap_or("it")),
        Question::WhichFirst => "Which of your abilities first?".into(),
        Question::KeepBoss => "Which boss do you keep?".into(),
        Question::Mulligan => "Shuffle this hand back and draw a new one?".into(),
        Question::DiscardTwo => "Discard two cards: which?".into(),
        Question::Machinations => "You gained no soul this turn: draw a card?".into(),
        Question::MachinationsDeck => "Draw from which deck?".into(),
    }
}

fn chosen_noun(db: &CardDb, query: QueryId) -> &'static str {
    match &db.queries[query.index()] {
        Query::Slot(Slot::You) => "a player",
        Query::Slot(_) => "it",
        Query::Those(those) => match those.noun {
            Noun::Card => "a card",
            Noun::Class => "a treasure type",
            Noun::Hero => "a hero",
            Noun::Opponent => "an opponent",
            Noun::Player => "a player",
            Noun::Room => "a room",
            Noun::Soul => "a soul",
            Noun::Spell => "a spell",
            Noun::Wound => "a wound",
        },
    }
}

/// One answer in a few words.
pub fn action(game: &Game, names: &(impl Names + ?Sized), action: Action) -> String {
    match action {
        Action::Pass => "pass".into(),
        Action::Yes => "yes".into(),
        Action::No => "no".into(),
        Action::Use { card, .. } => game.name(card).into(),
        Action::Build { card, spot } => {
            let seat = game.decision().map_or(Seat::NONE, |decision| decision.seat);
            let at = spot.dungeon(seat);
            let on = at.exists().then(|| game.state.slots(at).get(spot.slot())).flatten();
            match on {
                Some(top) if at != seat => {
                    words!("build {} on {}'s {}", game.name(card), names.player(at), game.name(*top))
                }
                Some(top) => words!("build {} on {}", game.name(card), game.name(*top)),
                None => words!("build {} at the left end", game.name(card)),
            }
        }
        Action::Pick(r) => pick(game, names, r),
    }
}

fn pick(game: &Game, names: &(impl Names + ?Sized), r: Ref) -> String {
    if let Some(seat) = r.as_seat() {
        return names.player(seat).into_owned();
    }
    if let Some(card) = r.as_card() {
        return card_somewhere(game, names, card);
    }
    let n = r.as_number().unwrap_or(0);
    match game.decision().map(|decision| decision.question) {
        Some(Question::MachinationsDeck) => if n == 0 { "a room" } else { "a spell" }.into(),
        Some(Question::Choose(_)) => {
            Class::ALL.get(usize::from(n)).map_or_else(|| "nothing".into(), |class| class.to_string())
        }
        Some(Question::WhichFirst) => game.ordered(r).map_or("nothing".into(), |card| game.name(card).into()),
        _ => option_text(game, n).unwrap_or_else(|| format!("option {}", u16::from(n) + 1)),
    }
}

/// A card's alternative by the first thing it does.
fn option_text(game: &Game, n: u8) -> Option<String> {
    let db = game.db;
    let code = match game.state.top_frame()? {
        Frame::Options { card, ability, .. } => {
            let def = game.def(card.as_card()?);
            let units = if def.play.is_empty() { &def.activated } else { &def.play };
            let unit = units.get(usize::from(*ability) + usize::from(n))?;
            return Some(db.unit(*unit).words.clone()).filter(|words| !words.is_empty());
        }
        Frame::Code(code) => code,
        _ => return None,
    };
    let at = |pc: u16| db.ops.get(usize::from(db.unit(code.unit).start) + usize::from(pc)).copied();
    let Op::Option(mut pc) = at(code.pc + 1 + u16::from(n))? else { return None };
    loop {
        match at(pc)? {
            Op::Draw { back, .. } => return Some(format!("draw a {back}")),
            Op::Random { query, .. } | Op::Choose { query, .. } => {
                return Some(chosen_noun(db, query).into());
            }
            Op::Require(_) => pc += 1,
            _ => return None,
        }
    }
}

fn card_somewhere(game: &Game, names: &(impl Names + ?Sized), card: CardId) -> String {
    let state = game.state.card(card);
    let name = game.name(card);
    let owner = state.place.seat();
    let whose = || format!("{}'s ", names.player(owner));
    match state.place.kind() {
        PlaceKind::Dungeon | PlaceKind::Boss => format!("{}{name}", whose()),
        PlaceKind::Inside | PlaceKind::Entrance => {
            format!(
                "{name} ({}{})",
                whose(),
                if state.place.kind() == PlaceKind::Inside { "dungeon" } else { "entrance" }
            )
        }
        PlaceKind::Scoring => {
            let what = if state.flags.has(Flags::FACEDOWN) { "soul" } else { "wound" };
            format!("{name} ({}{what})", whose())
        }
        PlaceKind::Table => format!("{name} ({})", names.player(game.owner(card))),
        _ => name.into(),
    }
}

fn plural(n: u8, noun: &str) -> String {
    if n == 1 { format!("one {noun}") } else { format!("two {noun}s") }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
