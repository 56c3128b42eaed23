//! How often people would be asked: games in which bots are asked only when the server would ask a person by default,
//! and counts of what that asks of one player in one turn.

use std::collections::BTreeMap;

use engine::{Action, Actions, Attention, Game, Question, Seat};

use crate::seated::{GameEnd, MAX_DECISIONS, SeatedBot};

/// How many turns of a player had so many of something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerTurn(BTreeMap<u32, u64>);

/// What players were asked, by player and turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    pub questions: PerTurn,
    /// Questions in a window that were answered by passing.
    pub passes: PerTurn,
}

impl PerTurn {
    fn count(&mut self, n: u32) {
        *self.0.entry(n).or_default() += 1;
    }

    fn add(&mut self, other: PerTurn) {
        for (n, turns) in other.0 {
            *self.0.entry(n).or_default() += turns;
        }
    }

    /// The smallest number that at least this share of all turns do not exceed.
    pub fn quantile(&self, share: f64) -> u32 {
        let all: u64 = self.0.values().sum();
        let mut below = 0;
        for (n, turns) in &self.0 {
            below += turns;
            if below as f64 >= share * all as f64 {
                return *n;
            }
        }
        0
    }

    pub fn worst(&self) -> u32 {
        self.0.keys().next_back().copied().unwrap_or(0)
    }

    pub fn mean(&self) -> f64 {
        let all: u64 = self.0.values().sum();
        let sum: u64 = self.0.iter().map(|(n, turns)| u64::from(*n) * turns).sum();
        sum as f64 / all.max(1) as f64
    }
}

impl Asked {
    pub fn add(&mut self, other: Asked) {
        self.questions.add(other.questions);
        self.passes.add(other.passes);
    }
}

/// Plays a dealt game to its end, asking as a table of people would. The deal must have the `cover` rule, so that
/// everyone is asked who could have an answer for all that the others can see.
pub fn play_with_stops(game: &mut Game, bots: &mut [SeatedBot], asked: &mut Asked) -> GameEnd {
    let mut legal = Actions::new();
    let mut decisions = 0;
    let mut attention = vec![Attention::default(); bots.len()];
    // Questions and passes of each player in the current turn.
    let mut turn = (game.state.turn(), vec![(0u32, 0u32); bots.len()]);
    while let Some(decision) = game.decision().filter(|_| decisions < MAX_DECISIONS) {
        if game.state.turn() != turn.0 {
            end_turn(game, &mut turn, asked);
        }
        game.legal(&mut legal);
        let seat = decision.seat;
        let window = matches!(decision.question, Question::Act | Question::Cancel);
        let answer = if !window && legal.len() == 1 {
            legal[0]
        } else if window && !attention[seat.index()].is_called_for(game, seat, decision.question) {
            Action::Pass
        } else {
            let answer = bots[seat.index()].answer(game, seat, &legal);
            if window {
                attention[seat.index()].answered(game, seat, decision.question, answer);
            }
            let (questions, passes) = &mut turn.1[seat.index()];
            *questions += 1;
            *passes += u32::from(window && answer == Action::Pass);
            answer
        };
        if game.apply(answer, &mut ()).is_err() {
            break;
        }
        decisions += 1;
    }
    end_turn(game, &mut turn, asked);
    crate::seated::end(game, bots, decisions)
}

fn end_turn(game: &Game, turn: &mut (u16, Vec<(u32, u32)>), asked: &mut Asked) {
    let was = std::mem::replace(&mut turn.0, game.state.turn());
    for (seat, counts) in (0..).map(Seat).zip(&mut turn.1) {
        let (questions, passes) = std::mem::take(counts);
        // Choices before the first turn do not count, nor do players who are out.
        if was > 0 && game.went_in(seat).is_none_or(|out| out >= was) {
            asked.questions.count(questions);
            asked.passes.count(passes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_list() {
        let mut turns = PerTurn::default();
        assert_eq!((turns.quantile(0.5), turns.worst()), (0, 0));
        [1, 1, 2, 3, 9].into_iter().for_each(|n| turns.count(n));
        assert_eq!((turns.quantile(0.5), turns.quantile(0.8), turns.quantile(0.95)), (2, 3, 9));
        assert_eq!((turns.worst(), turns.mean()), (9, 3.2));
    }
}
