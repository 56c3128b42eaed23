//! How often people would be asked: games in which bots are asked only when the server would ask a person by default,
//! and counts of what that asks of one player in one turn.

use std::collections::BTreeMap;

use engine::{Action, Actions, Attention, Game, Occasion, Question, Seat};

use crate::seated::{GameEnd, MAX_DECISIONS, SeatedBot};

/// How many turns of a player had so many of something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerTurn(BTreeMap<u32, u64>);

/// What players were asked, by player and turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Those with a choice.
    pub questions: PerTurn,
    /// Questions in a window that were answered by passing.
    pub passes: PerTurn,
    /// Windows with nothing to choose, which only cover for a hand: they need no click.
    pub covers: PerTurn,
    /// By what they were about: all of them.
    pub kinds: Kinds,
    /// The same for the turn in which one player was asked most.
    pub worst: Kinds,
}

/// By what was asked: how often, and how many of these were passed.
pub type Kinds = BTreeMap<&'static str, (u64, u64)>;

/// What one player was asked in the current turn.
#[derive(Clone, Default)]
struct ThisTurn {
    kinds: Kinds,
    covers: u32,
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
        self.covers.add(other.covers);
        add(&mut self.kinds, &other.kinds);
        // The earlier of two equal ones, so that the result does not depend on threads.
        if sum(&other.worst).0 > sum(&self.worst).0 {
            self.worst = other.worst;
        }
    }
}

/// Plays a dealt game to its end, asking as a table of people would. The deal must have the `cover` rule, so that
/// everyone is asked who could have an answer for all that the others can see.
pub fn play_with_stops(game: &mut Game, bots: &mut [SeatedBot], asked: &mut Asked) -> GameEnd {
    let mut legal = Actions::new();
    let mut decisions = 0;
    let mut attention = vec![Attention::default(); bots.len()];
    let mut turn = (game.state.turn(), vec![ThisTurn::default(); bots.len()]);
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
        } else if window && legal.len() == 1 {
            turn.1[seat.index()].covers += 1;
            attention[seat.index()].answered(game, seat, decision.question, legal[0]);
            legal[0]
        } else {
            let about = kind(game, seat, decision.question);
            let answer = bots[seat.index()].answer(game, seat, &legal);
            if window {
                attention[seat.index()].answered(game, seat, decision.question, answer);
            }
            let (questions, passes) = turn.1[seat.index()].kinds.entry(about).or_default();
            *questions += 1;
            *passes += u64::from(window && answer == Action::Pass);
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

fn end_turn(game: &Game, turn: &mut (u16, Vec<ThisTurn>), asked: &mut Asked) {
    let was = std::mem::replace(&mut turn.0, game.state.turn());
    for (seat, this_turn) in (0..).map(Seat).zip(&mut turn.1) {
        let ThisTurn { kinds, covers } = std::mem::take(this_turn);
        // Choices before the first turn do not count, nor do players who are out.
        if was > 0 && game.went_in(seat).is_none_or(|out| out >= was) {
            let (questions, passes) = sum(&kinds);
            asked.questions.count(questions as u32);
            asked.passes.count(passes as u32);
            asked.covers.count(covers);
            add(&mut asked.kinds, &kinds);
            if questions > sum(&asked.worst).0 {
                asked.worst = kinds;
            }
        }
    }
}

/// What a question is about, for people who read the counts.
fn kind(game: &Game, seat: Seat, question: Question) -> &'static str {
    match question {
        Question::Act | Question::Cancel => match game.occasion(seat, question) {
            Some(Occasion::Build) => "build or act",
            Some(Occasion::FirstHero) => "before the first hero",
            Some(Occasion::Soul { .. }) => "a hero dies for another player",
            Some(Occasion::Fate { room: Some(_), .. }) => "a room might stop a hero",
            Some(Occasion::Fate { .. }) => "a hero gets through",
            Some(Occasion::Answer { .. }) if question == Question::Cancel => "cancel a spell",
            Some(Occasion::Answer { .. }) => "answer an action",
            None => "another window",
        },
        Question::BuildNow => "where to build, by an effect",
        Question::Choose(_) => "a target or a cost",
        Question::Number { .. } => "a number",
        Question::Option => "one of a card's alternatives",
        Question::May => "whether to use a \"may\"",
        Question::WhichFirst => "what happens first",
        Question::Arrange(_) => "the order of a dungeon",
        Question::UseItem | Question::TurnDown => "which item to keep",
        Question::Draft => "a card of the market",
        Question::PlaceMinion => "where the minion goes",
        Question::MinionAsks(_) => "what the minion does",
        Question::Machinations | Question::MachinationsDeck => "draw at the end of the turn",
        Question::FirstRoom | Question::KeepBoss | Question::Mulligan | Question::DiscardTwo => "setting up",
    }
}

fn sum(kinds: &Kinds) -> (u64, u64) {
    kinds.values().fold((0, 0), |sum, kind| (sum.0 + kind.0, sum.1 + kind.1))
}

fn add(kinds: &mut Kinds, more: &Kinds) {
    for (name, (questions, passes)) in more {
        let kind = kinds.entry(name).or_default();
        *kind = (kind.0 + questions, kind.1 + passes);
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
