//! When a player is asked in a window, and when the table passes for them.
//!
//! Invariant: everything here follows from what everyone can see (`engine::stops`) and from what the player has said
//! about being asked, never from what a hand holds. Armed cards come on top of it (`arming.rs`).

use engine::{Attention, Game, Occasion, Question, Ref, Seat};

use super::seats::SeatState;
use super::{ConnectionId, Refused, TableTask};
use crate::wire::{PassUntil, StopAt, Stops};

/// In a window a player may act or pass.
pub fn is_window(question: Question) -> bool {
    matches!(question, Question::Act | Question::Cancel)
}

/// Everything is passed for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passing {
    pub until: PassUntil,
    /// When it began.
    turn: u16,
    hero: Ref,
}

impl Passing {
    fn from_now(until: PassUntil, game: &Game) -> Passing {
        Passing { until, turn: game.state.turn(), hero: game.state.walk().hero }
    }

    fn is_over(&self, game: &Game) -> bool {
        let walker = game.state.walk().hero;
        let another = walker != self.hero && game.state.present(walker).is_some();
        match self.until {
            PassUntil::Turn => game.state.turn() != self.turn,
            PassUntil::Hero => game.state.turn() != self.turn || another,
            // It ends when the player is asked.
            PassUntil::Concern => false,
        }
    }
}

impl SeatState {
    /// Whether the player wants to be asked in this window.
    pub fn wants_to_be_asked(&self, game: &Game, seat: Seat, question: Question) -> bool {
        if game.is_building_time(seat) && question == Question::Act || self.asks_everywhere.is_some() {
            return true;
        }
        let concerns = || concerns(self.stops, &self.attention, game, seat, question);
        match self.passing.map(|passing| passing.until) {
            Some(PassUntil::Turn | PassUntil::Hero) => return false,
            Some(PassUntil::Concern) => return concerns(),
            None => {}
        }
        match self.stops.windows {
            StopAt::Every => true,
            StopAt::Never => false,
            StopAt::Concerning => concerns(),
        }
    }
}

/// Something is at stake for the player.
fn concerns(stops: Stops, attention: &Attention, game: &Game, seat: Seat, question: Question) -> bool {
    let answers = matches!(game.occasion(seat, question), Some(Occasion::Answer { .. }));
    (stops.answer_spells || !answers) && attention.is_called_for(game, seat, question)
}

impl TableTask<'_> {
    pub(super) async fn set_stops(&mut self, seat: Seat, stops: Stops) -> Result<(), Refused> {
        self.seats[seat.index()].stops = stops;
        self.tell_own_seat(seat);
        self.answer_if_settled(seat).await;
        Ok(())
    }

    /// Passes everything until then, beginning with the question `seq`.
    pub(super) async fn pass_on(
        &mut self,
        seat: Seat,
        until: Option<PassUntil>,
        seq: Option<u32>,
    ) -> Result<(), Refused> {
        self.during_the_game()?;
        let Some(live) = &self.live else { return Ok(()) };
        self.seats[seat.index()].passing = until.map(|until| Passing::from_now(until, &live.game));
        self.tell_own_seat(seat);
        let Some(seq) = seq.filter(|_| until.is_some()) else {
            self.answer_if_settled(seat).await;
            return Ok(());
        };
        let legal = live_legal(self);
        match legal.and_then(|legal| legal.iter().position(|action| *action == engine::Action::Pass)) {
            Some(pass) => self.act(seat, seq, pass as u32).await,
            None => Ok(()),
        }
    }

    /// While a key is held. What is asked already stays asked when it is let go.
    pub(super) fn ask_everywhere(&mut self, seat: Seat, from: ConnectionId, on: bool) {
        let asks = &mut self.seats[seat.index()].asks_everywhere;
        if on {
            *asks = Some(from);
        } else if *asks == Some(from) {
            *asks = None;
        }
    }

    /// Ends what was to be passed until now.
    pub(super) fn end_passing(&mut self) {
        let Some(live) = &self.live else { return };
        let over = |passing: &Passing| passing.is_over(&live.game);
        let ended: Vec<usize> =
            (0..self.seats.len()).filter(|at| self.seats[*at].passing.as_ref().is_some_and(over)).collect();
        for at in ended {
            self.seats[at].passing = None;
            self.owners_to_tell = self.owners_to_tell.with(Seat(at as u8));
        }
    }
}

fn live_legal(table: &TableTask) -> Option<engine::Actions> {
    table.live.as_ref().map(|live| live.legal())
}

#[cfg(test)]
mod tests {
    use engine::{Actions, Rules};

    use super::*;
    use crate::wire::Settings;

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
                        let seat_state = SeatState { stops, ..SeatState::new(&Settings::default()) };
                        seat_state.wants_to_be_asked(&game, decision.seat, decision.question)
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
