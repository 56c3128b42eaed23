//! Replays of finished games, as one player saw them or with every card open.
//!
//! Invariant: a player's replay tells nothing that this player did not know at that moment.

use cards::CardDb;
use engine::record::{Contribution, Hex, Record, ResultText};
use engine::tell::{Reader, story};
use engine::view::View;
use engine::{Action, Game, Seat};
use wire::{Choice, Decision, Event, Start, Table, seat_number};

use crate::hall::PlayableDeck;
use crate::wire::{
    FairContribution, FairShuffle, GameReview, Replay, ReplayMoment, ReplayResult, ReplaySeat, ReplayStep,
    ReviewPoint,
};

/// Whose view of the game is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewpoint {
    All,
    Seat(Seat),
}

impl Viewpoint {
    /// `all`, or a seat counted from 1; `None` if the game has no such seat.
    pub fn read(text: &str, players: u8) -> Option<Viewpoint> {
        if text == "all" {
            return Some(Viewpoint::All);
        }
        let seat: u8 = text.parse().ok()?;
        (1..=players).contains(&seat).then(|| Viewpoint::Seat(Seat(seat - 1)))
    }

    fn view<'a>(self, game: &Game<'a>) -> View<'a> {
        match self {
            Viewpoint::All => game.open_view(),
            Viewpoint::Seat(seat) => game.view(Some(seat)),
        }
    }

    fn reader(self) -> Reader {
        match self {
            Viewpoint::All => Reader::Replay,
            Viewpoint::Seat(seat) => Reader::Seat(seat),
        }
    }

    /// The answer in words, if it was more than a pass and this viewer saw it given.
    fn answer(self, before: &Game, names: &[String], action: Action) -> String {
        let own = before.decision().map(|decision| Viewpoint::Seat(decision.seat)) == Some(self);
        match action {
            Action::Pass => String::new(),
            _ if own || self == Viewpoint::All => Choice::of(before, names, self.reader(), action).words,
            _ => String::new(),
        }
    }
}

/// The whole game step by step, and whether its record is consistent.
pub fn replay(record: &Record, cards: &PlayableDeck, viewpoint: Viewpoint) -> Replay {
    let db = &cards.db;
    let (names, reader) = (record.names(), viewpoint.reader());
    let (mut start, mut steps) = (None, Vec::new());
    let played = record.replay(db, |answer, events, after| {
        start.get_or_insert_with(|| {
            let mut start = Start::of(&viewpoint.view(after));
            cards.mark(&mut start);
            start
        });
        let seat =
            answer.and_then(|(before, _)| before.decision()).map(|decision| seat_number(decision.seat));
        let words = answer.map(|(before, action)| viewpoint.answer(before, &names, action));
        steps.push(ReplayStep {
            step: steps.len() as u32,
            seat,
            turn: after.state.turn(),
            phase: after.state.phase(),
            words: words.unwrap_or_default(),
            told: story(db, &names[..], reader, events).into_iter().map(|told| told.words).collect(),
        });
    });
    let verdict = match &played {
        Ok(_) => format!("{} answers were replayed, and everything agrees", record.actions.len()),
        Err(error) => error.to_string(),
    };
    Replay {
        start: start.unwrap_or_else(|| empty_start(record)),
        seats: record
            .seats
            .iter()
            .map(|seat| ReplaySeat { name: seat.name.clone(), kind: seat.kind.clone() })
            .collect(),
        setup: record.setup.to_string(),
        steps,
        result: record.result.as_ref().map(result),
        fairness: record.fairness.as_ref().map(|fairness| FairShuffle {
            commitment: fairness.commitment.to_string(),
            secret: fairness.secret.to_string(),
            players: fairness.players.iter().map(contribution).collect(),
            seed: Hex(fairness.seed().0).to_string(),
        }),
        verified: played.is_ok(),
        verdict,
    }
}

/// The table after this many answers; `None` if the game was shorter.
pub fn moment(record: &Record, db: &CardDb, step: usize, viewpoint: Viewpoint) -> Option<ReplayMoment> {
    let (names, reader) = (record.names(), viewpoint.reader());
    let mut events = Vec::new();
    let mut game = Game::new(db, record.setup.rules, record.setup.seed.0, &mut events).ok()?;
    for action in record.actions.get(..step)? {
        events.clear();
        game.apply(action.0, &mut events).ok()?;
    }
    let view = viewpoint.view(&game);
    Some(ReplayMoment {
        step: step as u32,
        events: Event::all(db, &names[..], reader, &events),
        decision: game.decision().map(|decision| Decision::of(view.table(), &names[..], reader, decision)),
        view: Table::of(&view),
    })
}

/// The turning points of the game for this seat.
pub fn review(record: &Record, db: &CardDb, seat: Seat) -> GameReview {
    let percent = |chance: f64| (chance * 100.0).round() as u8;
    let point = |point: bots::TurningPoint| ReviewPoint {
        step: point.step,
        turn: point.turn,
        turned: point.turned.name().into(),
        before: percent(point.before),
        after: percent(point.after),
        words: point.words,
    };
    GameReview { points: bots::review(record, db, &record.names(), seat).into_iter().map(point).collect() }
}

fn contribution(added: &Contribution) -> FairContribution {
    let text = |part: Option<Hex<32>>| part.map(|part| part.to_string());
    FairContribution { commitment: text(added.commitment), bytes: text(added.bytes) }
}

fn result(result: &ResultText) -> ReplayResult {
    ReplayResult {
        winner: result.winner,
        reason: result.reason.clone(),
        turns: result.turns,
        souls: result.souls.clone(),
        wounds: result.wounds.clone(),
    }
}

/// For a record that cannot even be dealt.
fn empty_start(record: &Record) -> Start {
    let rules = record.setup.rules;
    Start {
        seat: 0,
        players: rules.players,
        ruleset: rules.ruleset().name().into(),
        variants: rules.variants().map(|variant| variant.name().into()).collect(),
        last_turn: None,
        phases: Vec::new(),
        classes: Vec::new(),
        cards: Vec::new(),
    }
}
