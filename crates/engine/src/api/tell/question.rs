//! Questions and answers in words.

use std::fmt::Write;

use cards::code::{Op, Query, QueryId, Slot};
use cards::db::CardDb;
use cards::vocabulary::{Class, Noun, Phase, Zone};

use super::{Names, Reader, Voice};
use crate::code::query::Board;
use crate::model::id::*;
use crate::model::state::{Flags, Frame};
use crate::{Action, Game, Question};

/// Like `format!`, but preallocates room for a typical sentence.
macro_rules! words {
    ($($part:tt)*) => {{
        let mut text = String::with_capacity(96);
        // Writing to a `String` does not fail.
        let _ = write!(text, $($part)*);
        text
    }};
}

/// The present question in a sentence. Usually its reader is the player asked.
pub fn question(game: &Game, names: &(impl Names + ?Sized), reader: Reader) -> String {
    let voice = Voice { names, reader };
    let Some(decision) = game.decision() else { return "Nobody is asked anything.".into() };
    let source = decision.source.map_or("it", |card| game.name(card));
    let (asked, active) = (decision.seat, game.state.active());
    // Asked only so that the others cannot tell.
    let only_no = reader == Reader::Seat(asked) && !game.is_legal(Action::Yes);
    match decision.question {
        Question::Act if game.state.phase() == Phase::Build && active == asked => {
            "Build a room, act, or pass.".into()
        }
        Question::Act => {
            format!("Act or pass? ({} {})", voice.whose(active), game.state.phase().name())
        }
        Question::Cancel => format!("Cancel {source}, or pass?"),
        Question::FirstRoom => format!("Place {} first room face down, or pass.", voice.whose(asked)),
        Question::BuildNow => format!("{source}: build which room, and where?"),
        Question::Choose(query) => format!("{source}: choose {}.", chosen_noun(game.db, query)),
        Question::Option => format!("{source}: choose one."),
        Question::May if only_no => format!("You cannot use {source} now."),
        Question::May => format!("Use {source}?"),
        Question::WhichFirst => format!("Which of {} abilities goes first?", voice.whose(asked)),
        Question::KeepBoss => format!("Which boss {} keep?", voice.do_they(asked)),
        Question::Mulligan if only_no => "You keep this hand: it does not entitle you to another.".into(),
        Question::Mulligan => "Shuffle this hand back into the decks and draw a new one?".into(),
        Question::DiscardTwo => "Which two cards to discard?".into(),
        Question::Machinations => format!("{} no souls this turn. Draw a card?", voice.did(asked, "gained")),
        Question::MachinationsDeck => "Draw from which deck?".into(),
    }
}

fn chosen_noun(db: &CardDb, query: QueryId) -> &'static str {
    match &db.queries[query.index()] {
        Query::Slot(Slot::You) => "a player",
        Query::Slot(_) => "it",
        Query::Selector(selector) => match selector.noun {
            Noun::Boss => "a boss",
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
pub fn action(game: &Game, names: &(impl Names + ?Sized), reader: Reader, action: Action) -> String {
    let voice = Voice { names, reader };
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
                    words!("build {} on {} {}", game.name(card), voice.whose(at), game.name(*top))
                }
                Some(top) => words!("build {} on {}", game.name(card), game.name(*top)),
                None => words!("build {} at the left end", game.name(card)),
            }
        }
        Action::Pick(r) => pick(game, &voice, r),
    }
}

fn pick<N: Names + ?Sized>(game: &Game, voice: &Voice<N>, r: Ref) -> String {
    if let Some(seat) = r.as_seat() {
        return voice.player(seat).into_owned();
    }
    if let Some(card) = r.as_card() {
        return card_somewhere(game, voice, card);
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
            let board = Board { db, s: &game.state };
            let units = board.units_of(card.as_card()?);
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

/// A card, and where it is if that place belongs to a player.
fn card_somewhere<N: Names + ?Sized>(game: &Game, voice: &Voice<N>, card: CardId) -> String {
    let place = game.state.card(card).place;
    let name = game.name(card);
    match place.zone() {
        Zone::Dungeon | Zone::Boss => format!("{} {name}", voice.whose(place.seat())),
        Zone::Pending => format!("{} {name}", voice.whose(game.owner(card))),
        _ => match note(game, voice, card) {
            Some(note) => format!("{name} ({note})"),
            None => name.into(),
        },
    }
}

/// What a candidate's name alone does not say: `your soul`, `Anna's entrance`.
pub fn choice_note(
    game: &Game,
    names: &(impl Names + ?Sized),
    reader: Reader,
    card: CardId,
) -> Option<String> {
    note(game, &Voice { names, reader }, card)
}

fn note<N: Names + ?Sized>(game: &Game, voice: &Voice<N>, card: CardId) -> Option<String> {
    let state = game.state.card(card);
    let what = match state.place.zone() {
        Zone::Inside => "dungeon",
        Zone::Entrance => "entrance",
        Zone::Scoring if state.flags.has(Flags::FACEDOWN) => "soul",
        Zone::Scoring => "wound",
        _ => return None,
    };
    Some(format!("{} {what}", voice.whose(state.place.seat())))
}
