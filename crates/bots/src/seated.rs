//! A bot in its seat: it answers for the seat as long as the game goes on.
//! Invariant: it sees only its view, its answer is legal, and it does not use abilities without end.

use engine::{Action, Actions, Game, Seat};

use crate::{Bot, BotSpec, MAX_ACTIONS_PER_TURN, Random, SeatError, report_forfeit};

/// A bot in its seat.
pub struct SeatedBot {
    bot: Box<dyn Bot>,
    /// The turn, and how many answers other than passing were given in it.
    answered: (u16, usize),
    /// It failed to start, and a random bot plays in its place.
    absent: bool,
}

impl SeatedBot {
    /// A program that does not start forfeits, as does one that breaks off.
    pub fn new(player: &BotSpec, seed: u64) -> SeatedBot {
        let (bot, absent): (Box<dyn Bot>, bool) = match player.seat(seed) {
            Ok(bot) => (bot, false),
            Err(error) => {
                report_forfeit(&player.to_string(), &error.error);
                (Box::new(Random::new(seed)), true)
            }
        };
        SeatedBot { bot, answered: (0, 0), absent }
    }

    /// Can this bot start? Check before starting a long run.
    pub fn check(player: &BotSpec) -> Result<(), SeatError> {
        player.seat(0).map(drop)
    }

    pub fn has_forfeited(&self) -> bool {
        self.absent || self.bot.forfeit().is_some()
    }

    /// One of the legal answers, which must be this seat's to give.
    pub fn answer(&mut self, game: &Game, seat: Seat, legal: &Actions) -> Action {
        let turn = game.state.turn();
        if self.answered.0 != turn {
            self.answered = (turn, 0);
        }
        let first = legal.first().copied().unwrap_or(Action::Pass);
        if legal.len() < 2 || (self.answered.1 > MAX_ACTIONS_PER_TURN && first == Action::Pass) {
            return first;
        }
        let answer = self.bot.choose(&game.view(Some(seat)), legal);
        let answer = if legal.contains(&answer) { answer } else { first };
        self.answered.1 += usize::from(answer != Action::Pass);
        answer
    }

    /// The game is over.
    pub fn game_over(&mut self, game: &Game, seat: Seat) {
        self.bot.game_over(&game.view(Some(seat)));
    }
}
