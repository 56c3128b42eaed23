//! Editing a game by hand, for puzzles, scenarios and tests. Uses the primitive acts, so what they
//! refuse is refused here.

use crate::Game;
use crate::acts::Runner;
use crate::model::id::*;
use crate::setup::SetupError;

/// One change, made between two questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    GainCoins { seat: Seat, coins: u16 },
    Pay { seat: Seat, coins: u16 },
    PutCoins { card: CardId, coins: u8 },
    CollectCoins { card: CardId, seat: Seat },
    PutCounters { room: CardId, counters: u8 },
    RemoveCounters { room: CardId, counters: u8 },
    PutToken { hero: CardId, token: i8 },
    Attach { card: CardId, host: CardId, level: u8 },
    AttachFaceDown { card: CardId, host: CardId },
    SetLevel { card: CardId, level: u8 },
    Detach { card: CardId, to: Place },
    Roll { sides: u8 },
}

impl Game<'_> {
    /// Edits the game; the question stays, with the answers that are possible now. An impossible
    /// edit is refused and changes nothing.
    pub fn edit(&mut self, edit: Edit) -> Result<(), SetupError> {
        let mut quiet = ();
        let mut runner = Runner::new(self.db, &mut self.state, &mut quiet);
        let done = match edit {
            Edit::GainCoins { seat, coins } => {
                runner.gain_coins(seat, coins);
                true
            }
            Edit::Pay { seat, coins } => runner.pay(seat, coins),
            Edit::PutCoins { card, coins } => runner.put_coins(card, coins),
            Edit::CollectCoins { card, seat } => {
                runner.collect_coins(card, seat);
                true
            }
            Edit::PutCounters { room, counters } => runner.put_counters(room, counters),
            Edit::RemoveCounters { room, counters } => {
                runner.remove_counters(room, counters);
                true
            }
            Edit::PutToken { hero, token } => runner.put_token(hero, token),
            Edit::Attach { card, host, level } => runner.attach(card, host, level, false),
            Edit::AttachFaceDown { card, host } => runner.attach(card, host, 0, true),
            Edit::SetLevel { card, level } => runner.set_level(card, level),
            Edit::Detach { card, to } => {
                runner.s.host(card).is_some() && {
                    runner.detach(card, to);
                    true
                }
            }
            Edit::Roll { sides } => {
                runner.roll(sides);
                true
            }
        };
        if !done {
            return Err(SetupError::Position(format!("{edit:?} is not possible here")));
        }
        if self.state.ask.is_some() {
            self.state.answers = self.board().answers();
        }
        Ok(())
    }
}
