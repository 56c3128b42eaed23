//! When a player is asked in a window, and when the table passes for them.
//!
//! Invariant: everything here follows from what everyone can see (`engine::stops`) and from the player's own stops and
//! answers, never from what a hand holds.

use engine::{Attention, Game, Occasion, Question, Seat};

use crate::wire::{StopAt, Stops};

/// In a window a player may act or pass.
pub fn is_window(question: Question) -> bool {
    matches!(question, Question::Act | Question::Cancel)
}

/// Whether the player wants to be asked in this window.
pub fn wants_to_be_asked(
    stops: Stops,
    attention: &Attention,
    game: &Game,
    seat: Seat,
    question: Question,
) -> bool {
    if game.is_building_time(seat) && question == Question::Act {
        return true;
    }
    if stops.pass_turn {
        return false;
    }
    match stops.windows {
        StopAt::Every => true,
        StopAt::Never => false,
        StopAt::Concerning => {
            let answers = matches!(game.occasion(seat, question), Some(Occasion::Answer { .. }));
            (stops.answer_spells || !answers) && attention.is_called_for(game, seat, question)
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::{Actions, Rules};

    use super::*;

    #[test]
    fn nobody_is_asked_to_cancel_their_own_spell_unless_they_stop_everywhere() {
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
                    let wanted = |stops| {
                        wants_to_be_asked(
                            stops,
                            &Attention::default(),
                            &game,
                            decision.seat,
                            decision.question,
                        )
                    };
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
