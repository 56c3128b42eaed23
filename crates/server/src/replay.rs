//! A finished game, looked at again: by one player's eyes, or with every card open.
//!
//! Invariant: for a player's eyes nothing is told that this player did not know at that moment.

use bots::wire::{Choice, Decision, Happening, Start, Table, seat_number};
use cards::CardDb;
use engine::record::{Record, ResultText};
use engine::view::View;
use engine::{Action, Event, Game, Seat};

use crate::wire::{FairShuffle, Replay, ReplayMoment, ReplayResult, ReplaySeat, ReplayStep};

/// Whose eyes look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eyes {
    All,
    Of(Seat),
}

impl Eyes {
    /// `all`, or a seat counted from 1; `None` if the game has no such seat.
    pub fn read(text: &str, players: u8) -> Option<Eyes> {
        if text == "all" {
            return Some(Eyes::All);
        }
        let seat: u8 = text.parse().ok()?;
        (1..=players).contains(&seat).then(|| Eyes::Of(Seat(seat - 1)))
    }

    fn view<'a>(self, game: &Game<'a>) -> View<'a> {
        match self {
            Eyes::All => game.open_view(),
            Eyes::Of(seat) => game.view(Some(seat)),
        }
    }

    fn happening(self, db: &CardDb, names: &[String], event: Event) -> Happening {
        match self {
            Eyes::All => Happening::open(db, names, event),
            Eyes::Of(seat) => Happening::of(db, names, event, Some(seat)),
        }
    }

    /// The answer in words, if it was more than a pass and these eyes saw it given.
    fn answer(self, before: &Game, names: &[String], action: Action) -> String {
        let own = before.decision().map(|decision| Eyes::Of(decision.seat)) == Some(self);
        match action {
            Action::Pass => String::new(),
            _ if own || self == Eyes::All => Choice::of(before, names, action).words,
            _ => String::new(),
        }
    }
}

/// The whole game in words, and whether its record holds.
pub fn replay(record: &Record, db: &CardDb, eyes: Eyes) -> Replay {
    let names = record.names();
    let (mut start, mut steps) = (None, Vec::new());
    let played = record.replay(db, |answer, events, after| {
        start.get_or_insert_with(|| Start::of(&eyes.view(after)));
        let seat =
            answer.and_then(|(before, _)| before.decision()).map(|decision| seat_number(decision.seat));
        let words = answer.map(|(before, action)| eyes.answer(before, &names, action));
        steps.push(ReplayStep {
            step: steps.len() as u32,
            seat,
            turn: after.state.turn(),
            phase: after.state.phase().into(),
            words: words.unwrap_or_default(),
            told: events.iter().map(|event| eyes.happening(db, &names, *event).words).collect(),
        });
    });
    let verdict = match &played {
        Ok(_) => format!("{} answers were played again, and everything agrees", record.actions.len()),
        Err(error) => error.to_string(),
    };
    Replay {
        start: start.unwrap_or_else(|| nothing(record)),
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
            entropy: fairness.entropy.iter().map(ToString::to_string).collect(),
            seed: engine::record::Hex(fairness.seed().0).to_string(),
        }),
        verified: played.is_ok(),
        verdict,
    }
}

/// The table after so many answers; `None` if the game has no such moment.
pub fn moment(record: &Record, db: &CardDb, step: usize, eyes: Eyes) -> Option<ReplayMoment> {
    let names = record.names();
    let mut events = Vec::new();
    let mut game = Game::new(db, record.setup.rules, record.setup.seed.0, &mut events).ok()?;
    for action in record.actions.get(..step)? {
        events.clear();
        game.apply(action.0, &mut events).ok()?;
    }
    let view = eyes.view(&game);
    Some(ReplayMoment {
        step: step as u32,
        events: events.iter().map(|event| eyes.happening(db, &names, *event)).collect(),
        decision: game.decision().map(|decision| Decision::of(view.table(), &names[..], decision)),
        view: Table::of(&view),
    })
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

/// Of a record that cannot even be dealt.
fn nothing(record: &Record) -> Start {
    let rules = record.setup.rules;
    Start {
        seat: 0,
        players: rules.players,
        ruleset: rules.ruleset.name().into(),
        variants: rules.variants().map(|variant| variant.name().into()).collect(),
        last_turn: None,
        cards: Vec::new(),
    }
}
