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
    if stops.windows == StopAt::Every {
        return true;
    }
    // Hardly anybody casts a spell to cancel it.
    let own = game.state.pending().last().is_some_and(|action| action.code.you == seat);
    if question == Question::Cancel && own {
        return false;
    }
    stops.answer_spells && is_answer(game, seat)
        || concerns(game, seat)
        || legal.iter().any(|action| is_open(game, *action))
}

/// Somebody else's declared action could be answered.
fn is_answer(game: &Game, seat: Seat) -> bool {
    game.state.pending().iter().any(|action| action.code.you != seat)
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

#[cfg(test)]
mod tests {
    use engine::{Actions, Rules};

    use super::*;

    #[test]
    fn nobody_is_asked_to_cancel_a_spell_of_their_own_unless_they_wish_to_be_asked_everything() {
        let db = cards::library::base();
        let every = Stops { windows: StopAt::Every, ..Stops::default() };
        let (mut own, mut others) = (0, 0);
        for seed in 0..60_usize {
            let mut game = Game::new(&db, Rules::classic(3), [seed as u8; 32], &mut ()).expect("it is dealt");
            let mut legal = Actions::new();
            for step in 0.. {
                let Some(decision) = game.decision() else { break };
                game.legal(&mut legal);
                if decision.question == Question::Cancel {
                    let wanted = |stops| wants(stops, &game, decision.seat, decision.question, &legal);
                    let newest = game.state.pending().last().expect("there is a spell to cancel");
                    let mine = newest.code.you == decision.seat;
                    assert_eq!((wanted(Stops::default()), wanted(every)), (!mine, true));
                    *(if mine { &mut own } else { &mut others }) += 1;
                }
                game.apply(legal[(seed + 7 * step) % legal.len()], &mut ()).expect("it is legal");
            }
        }
        assert!(own > 0 && others > 0, "{own} of their own, {others} of others");
    }
}
