//! Simple opponents. `random` does anything; `simple` tries each answer on its own view of the table, looks
//! how the heroes would fare, and takes the best.
//! Invariant: a bot sees a view, never the state, and its choices depend on its seed and that view alone.

use cards::db::DefKind;
use cards::tree::Class;
use clap::ValueEnum;
use engine::{Action, Actions, Fate, Game, Phase, Place, Question, Seat, Variant};
use rand_core::{Rng as _, SeedableRng};
use rand_pcg::Pcg64Mcg;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BotKind {
    Random,
    Simple,
}

impl BotKind {
    /// As written in records and counts.
    pub fn word(self) -> &'static str {
        match self {
            BotKind::Random => "random",
            BotKind::Simple => "simple",
        }
    }
}

/// Questions that follow from one answer and are thought through.
const DEPTH: u8 = 3;
/// Answers that are tried for each of them.
const BREADTH: usize = 10;
/// Answers of others on the way to the next window.
const SETTLE: u32 = 24;

/// Answers in one turn after which a bot only passes: somebody's own cards may be used again and again.
const PATIENCE: u32 = 200;

pub struct Bot {
    kind: BotKind,
    rng: Pcg64Mcg,
    /// The turn, and how many answers were given in it.
    answered: (u16, u32),
}

impl Bot {
    pub fn new(kind: BotKind, seed: u64) -> Bot {
        Bot { kind, rng: Pcg64Mcg::seed_from_u64(seed), answered: (0, 0) }
    }

    /// One of the legal answers, which must be this seat's to give.
    pub fn answer(&mut self, game: &Game, seat: Seat, legal: &Actions) -> Action {
        let turn = game.state.turn();
        self.answered = (turn, if self.answered.0 == turn { self.answered.1 + 1 } else { 1 });
        match self.kind {
            _ if legal.len() < 2 => legal.first().copied().unwrap_or(Action::Pass),
            _ if self.answered.1 > PATIENCE && legal[0] == Action::Pass => Action::Pass,
            BotKind::Random => legal[self.below(legal.len())],
            BotKind::Simple => self.think(&game.view(Some(seat)).table(), seat, legal),
        }
    }

    fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.rng.next_u32()) * n as u64) >> 32) as usize
    }

    fn think(&mut self, table: &Game, seat: Seat, legal: &Actions) -> Action {
        let mut best = (f64::MIN, legal[0]);
        for action in legal.iter().copied() {
            // A little chance among equals; acting must be worth more than that.
            let whim = f64::from(self.rng.next_u32()) / f64::from(u32::MAX) * 0.4;
            let value = whim + self.value_of(table, seat, action);
            if value > best.0 {
                best = (value, action);
            }
        }
        best.1
    }

    fn value_of(&mut self, table: &Game, seat: Seat, action: Action) -> f64 {
        if action == Action::Pass {
            return worth(table, seat) + 0.3;
        }
        let mut next = table.clone();
        match next.apply(action, &mut ()) {
            Ok(()) => self.follow(next, seat, DEPTH, &mut SETTLE.clone()),
            Err(_) => f64::MIN,
        }
    }

    /// The worth of the table once everything just begun is done: own questions answered well, the others
    /// doing nothing.
    fn follow(&mut self, mut game: Game, seat: Seat, depth: u8, steps: &mut u32) -> f64 {
        let mut legal = Actions::new();
        while let Some(decision) = game.decision() {
            let at_rest = decision.question == Question::Act && game.state.pending().is_empty();
            if at_rest || *steps == 0 {
                break;
            }
            *steps -= 1;
            game.legal(&mut legal);
            let mine =
                decision.seat == seat && !matches!(decision.question, Question::Act | Question::Cancel);
            if mine && depth > 0 && legal.len() > 1 {
                let from = self.below(legal.len());
                let tried = (0..legal.len().min(BREADTH)).map(|i| legal[(from + i) % legal.len()]);
                return tried
                    .map(|action| {
                        let mut next = game.clone();
                        match next.apply(action, &mut ()) {
                            Ok(()) => self.follow(next, seat, depth - 1, &mut steps.clone()),
                            Err(_) => f64::MIN,
                        }
                    })
                    .fold(f64::MIN, f64::max);
            }
            let idle = legal.iter().copied().find(|action| matches!(action, Action::Pass | Action::No));
            let Some(answer) = idle.or(legal.first().copied()) else { break };
            if game.apply(answer, &mut ()).is_err() {
                break;
            }
        }
        worth(&game, seat)
    }
}

/// How the table looks for this seat: points, what the heroes about would bring, and the dungeon itself.
fn worth(table: &Game, me: Seat) -> f64 {
    let game = table.if_revealed(me);
    let state = &game.state;
    if let Some(outcome) = game.outcome() {
        return if outcome.winner == me { 1000.0 } else { -1000.0 };
    }
    let others = state.seats().count().saturating_sub(1).max(1) as f64;
    let side = |seat: Seat| if seat == me { 1.0 } else { -1.0 / others };
    let mut sum = 0.0;
    for seat in state.seats() {
        let (souls, wounds) = (f64::from(game.souls(seat)), f64::from(game.wounds(seat)));
        let unlimited = state.rules().has(Variant::UnlimitedLives);
        let end = if unlimited {
            0.0
        } else if wounds >= 5.0 {
            -150.0
        } else if souls >= 10.0 {
            150.0
        } else {
            0.0
        };
        // As printed: what lasts for a turn shows in the heroes' prospects.
        let printed = |room: &engine::CardId| game.def(*room);
        let damage: i32 = state.slots(seat).iter().map(|room| i32::from(printed(room).damage)).sum();
        let icons = |class: &Class| -> u8 {
            state.slots(seat).iter().map(|room| printed(room).icons[*class as usize]).sum()
        };
        let treasure: u8 = Class::ALL.iter().map(|class| icons(class).min(4)).sum();
        let rooms = state.slots(seat).len() as f64;
        let level = if game.levelled(seat) { 0.0 } else { rooms * 0.5 };
        let dungeon = f64::from(damage) * 1.2 + f64::from(treasure) * 0.7 + rooms + level;
        sum += side(seat) * (souls * 10.0 - wounds * 15.0 + end + dungeon + hand(&game, seat));
        for hero in state.pile(Place::entrance(seat)).chain(state.pile(Place::inside(seat))) {
            sum += side(seat) * prospect(&game, hero, seat);
        }
    }
    let soon = if state.phase() <= Phase::Build { 0.8 } else { 0.3 };
    for hero in state.pile(Place::TOWN) {
        if let Some(seat) = game.lured_to(hero) {
            sum += soon * side(seat) * prospect(&game, hero, seat);
        }
    }
    sum
}

fn hand(game: &Game, seat: Seat) -> f64 {
    let each = |card| if game.def(card).kind == DefKind::Spell { 2.5 } else { 1.0 };
    game.state.hand(seat).map(each).sum()
}

/// What a hero in this dungeon would bring its owner.
fn prospect(game: &Game, hero: engine::CardId, seat: Seat) -> f64 {
    let points = f64::from(game.def(hero).souls());
    match game.forecast(hero, seat).fate {
        Fate::Dies => 9.0 * points,
        Fate::Wounds => -13.0 * points,
        Fate::StaysOut => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Rules;

    /// Not strong, but it must know what the game is about.
    #[test]
    fn simple_beats_random() {
        let db = cards::library::base();
        let mut won = 0;
        for seed in 0..40u8 {
            let mut key = [0; 32];
            key[0] = seed;
            let mut game = Game::new(&db, Rules::classic(2), key, &mut ()).unwrap();
            let simple = Seat(seed % 2);
            let mut bots = [BotKind::Random; 2];
            bots[simple.index()] = BotKind::Simple;
            let mut bots = bots.map(|kind| Bot::new(kind, u64::from(seed)));
            let mut legal = Actions::new();
            while let Some(decision) = game.decision() {
                game.legal(&mut legal);
                let answer = bots[decision.seat.index()].answer(&game, decision.seat, &legal);
                game.apply(answer, &mut ()).unwrap();
            }
            won += u32::from(game.outcome().is_some_and(|outcome| outcome.winner == simple));
        }
        assert!(won >= 34, "simple won {won} of 40 games against random");
    }
}
