//! When a player is asked in a window, and when the table passes for them.
//!
//! Invariant: everything here follows from what all can see (the phase, the walk, what was declared, how many
//! cards there are, which cards lie open) and from the player's own wishes, never from what a hand holds.

use engine::{Action, Game, Phase, Place, PlaceKind, Question, Seat};

use crate::wire::{StopAt, Stops};

/// The question is one of a window: act, or pass.
pub fn is_window(question: Question) -> bool {
    matches!(question, Question::Act | Question::Cancel)
}

/// It is the seat's time to build: the others know what the table waits for.
pub fn is_building_time(game: &Game, seat: Seat) -> bool {
    let state = &game.state;
    state.phase() == Phase::Build
        && state.active() == seat
        && state.pending().is_empty()
        && game.placed(seat) == 0
        && state.pile_len(Place::rooms(seat)) > 0
}

/// Does the player want to be asked in this window? `legal` tells which open cards could be used.
pub fn wants(stops: Stops, game: &Game, seat: Seat, question: Question, legal: &[Action]) -> bool {
    if is_building_time(game, seat) && question == Question::Act {
        return true;
    }
    if stops.pass_turn || stops.windows == StopAt::Never {
        return false;
    }
    stops.windows == StopAt::Every
        || stops.answer_spells && is_answer(game, seat, question)
        || concerns(game, seat)
        || legal.iter().any(|action| is_open(game, *action))
}

/// Somebody else's declared action could be answered.
fn is_answer(game: &Game, seat: Seat, question: Question) -> bool {
    question == Question::Cancel || game.state.pending().iter().any(|action| action.code.you != seat)
}

/// One's own time to build, and a hero at the first room of a dungeon.
fn concerns(game: &Game, seat: Seat) -> bool {
    let state = &game.state;
    match state.phase() {
        Phase::Build => state.active() == seat,
        Phase::Adventure => {
            let rooms = state.slots(state.active()).len();
            state.present(state.walk().hero).is_some() && usize::from(state.walk().slot) + 1 >= rooms
        }
        _ => false,
    }
}

/// The ability of a card that lies open.
fn is_open(game: &Game, action: Action) -> bool {
    match action {
        Action::Use { card, .. } => game.state.card(card).place.kind() != PlaceKind::Hand,
        _ => false,
    }
}
