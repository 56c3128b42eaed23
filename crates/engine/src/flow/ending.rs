//! The check at the end of a turn: who is out, who has won, and whether the game goes on (section 11).

use std::cmp::Reverse;

use cards::vocabulary::EventWord;

use crate::acts::Runner;
use crate::api::event::{Event, Log, What};
use crate::code::occurrence::Occurrence;
use crate::flow::edition::{Contest, LastHero, TieBreak};
use crate::model::id::*;
use crate::model::state::*;

impl<L: Log> Runner<'_, L> {
    pub fn check_end(&mut self) {
        // Rule 14.8: the minions go home and the marker is passed on before the check.
        self.minions_return();
        self.pass_first_player();
        let safe = self.survivors();
        if safe == SeatSet::EMPTY {
            return match self.s.rules.players {
                1 => self.finish_alone(Ending::Wounds),
                _ => self.finish(self.best_of(|_| true), Ending::AllLost),
            };
        }
        let won = self.s.seats().any(|seat| safe.has(seat) && self.qualifies(seat));
        if safe != self.s.seated {
            for seat in self.s.order {
                if seat.exists() && self.s.in_game(seat) && !safe.has(seat) {
                    self.eliminate(seat);
                }
            }
        }
        if won {
            let all = self.s.rules.edition().contest == Contest::Everybody;
            let ending = if all { Ending::Compared } else { Ending::Souls };
            return self.finish(self.best_of(|seat| all || self.qualifies(*seat)), ending);
        }
        if self.s.alive == 1 && self.s.rules.players > 1 {
            return self.finish(self.s.first_player(), Ending::LastStanding);
        }
        if self.is_out_of_heroes() && self.s.rules.players == 1 {
            return self.finish_alone(Ending::LastEpic);
        }
        if self.is_out_of_heroes() {
            return self.finish(self.best_of(|_| true), Ending::Stalled);
        }
        self.next_turn();
    }

    /// Players without too many wounds.
    fn survivors(&self) -> SeatSet {
        let Some(deadly) = self.s.rules.edition().wounds_to_lose else { return self.s.seated };
        let may_lose =
            |seat: Seat| !self.board().forbidden(&Occurrence::new(EventWord::Loses, Ref::seat(seat), seat));
        let safe = |seat: &Seat| self.board().wounds(*seat) < i32::from(deadly) || !may_lose(*seat);
        let safe = self.s.seats().filter(safe);
        safe.fold(SeatSet::EMPTY, SeatSet::with)
    }

    /// Has the player enough souls to end the game?
    fn qualifies(&self, seat: Seat) -> bool {
        let souls = self.board().souls(seat);
        self.s.rules.edition().souls_to_win.is_some_and(|enough| souls >= i32::from(enough))
            && self.may_win(seat)
    }

    fn next_turn(&mut self) {
        if self.s.rules.last_turn > 0 && self.s.turn >= self.s.rules.last_turn {
            return self.finish(Seat::NONE, Ending::Stopped);
        }
        self.s.frames.put(Frame::Step(Step::BeginTurn));
    }

    /// An effect can keep a player from winning this turn, except as the last one standing.
    fn may_win(&self, seat: Seat) -> bool {
        !self.board().forbidden(&Occurrence::new(EventWord::Wins, Ref::seat(seat), seat))
    }

    fn heroes_to_come(&self) -> usize {
        self.s.pile_len(Place::HERO_DECK) + self.s.pile_len(Place::EPIC_DECK)
    }

    /// Rule 11.3: most souls less wounds; then XP decides. A player kept from winning wins only if
    /// there is nobody else.
    #[cold]
    fn best_of(&self, among: impl Fn(&Seat) -> bool) -> Seat {
        let board = self.board();
        let score = |seat: Seat| (self.may_win(seat), board.souls(seat) - board.wounds(seat));
        let seats = || self.s.seats().filter(|seat| among(seat));
        let best = match self.s.rules.edition().tie_break {
            TieBreak::LowestXp => seats().max_by_key(|seat| (score(*seat), board.by_xp(*seat))),
            TieBreak::HighestXp => seats().max_by_key(|seat| (score(*seat), Reverse(board.by_xp(*seat)))),
        };
        best.unwrap_or(Seat::NONE)
    }

    /// No hero is left to come, or the game has gone on for far too long.
    fn is_out_of_heroes(&self) -> bool {
        let out = self.heroes_to_come() == 0
            && match self.s.rules.edition().last_hero {
                LastHero::Revealed => true,
                LastHero::Settled => self.is_settled(),
            };
        out || self.s.turn >= MAX_TURNS
    }

    /// Rule 11.5: no hero is at an entrance, and none in town, or none that moves.
    fn is_settled(&self) -> bool {
        let waiting = self.s.seats().any(|seat| self.s.pile_len(Place::entrance(seat)) > 0);
        let town = self.s.pile_len(Place::TOWN) > 0;
        !waiting && (!town || !self.s.left_town)
    }

    /// Rule 11.4: the player's cards leave the game; heroes at the entrance go back to town.
    #[cold]
    pub fn eliminate(&mut self, seat: Seat) {
        self.tell(|t| {
            let Score { souls, wounds } = t.board().score(seat);
            Event::from(What::Eliminated { souls, wounds }).player(seat)
        });
        while let Some(hero) = self.s.pile(Place::entrance(seat)).next() {
            self.send_hero(hero, Place::TOWN);
        }
        let (score, boss) = (self.board().score(seat), self.s.player(seat).boss);
        let exit = Exit { turn: self.s.turn, score, boss };
        self.clear_table(seat);
        self.s.player_mut(seat).out = Some(exit);
        self.move_behind_the_living(seat);
        self.s.seated = SeatSet(self.s.seated.0 & !SeatSet::only(seat).0);
    }

    /// The last one eliminated comes first among those who are out.
    fn move_behind_the_living(&mut self, seat: Seat) {
        let last = usize::from(self.s.alive).clamp(1, SEATS) - 1;
        if let Some(at) = self.s.order[..last].iter().position(|other| *other == seat) {
            self.s.order.copy_within(at + 1..=last, at);
            self.s.order[last] = seat;
        }
        self.s.alive -= 1;
    }

    /// Rule 15.5.
    pub fn end_at_tavern(&mut self) {
        self.finish_alone(Ending::Tavern);
    }

    /// Alone there is nobody to beat: who ends below zero has failed.
    #[cold]
    fn finish_alone(&mut self, reason: Ending) {
        let alone = self.s.first_player();
        let failed = self.board().souls(alone) < self.board().wounds(alone);
        self.finish(if failed { Seat::NONE } else { alone }, reason);
    }

    #[cold]
    fn finish(&mut self, winner: Seat, reason: Ending) {
        self.s.outcome = Some(Outcome { winner, reason });
        self.s.active = Seat::NONE;
        self.s.frames.clear();
        self.s.triggers.clear();
        self.s.pending.clear();
        self.s.claims = SeatSet::EMPTY;
        self.tell(|_| Event::from(What::GameOver { reason }).player(winner));
    }
}
