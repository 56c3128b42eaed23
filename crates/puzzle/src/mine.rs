//! Looks for puzzles in games between bots: positions in which somebody could win or lose this turn.
//!
//! Invariant: what is found in a game depends on its setup alone, never on other games or on threads.

use bots::{Bot, BotLevel, BotRng, BotSpec};
use cards::CardDb;
use cards::deck::{Deck, DeckId};
use cards::vocabulary::Kind;
use engine::setup::offers;
use engine::tell::Reader;
use engine::{Action, Actions, Dealer, Game, Luck, Place, Rules, Seat, Seed, Setup};
use wire::Choice;

use crate::prove::Goal;
use crate::puzzle::Puzzle;
use crate::rate::Rating;
use crate::solve::{Flaw, Step, solve, step};

/// What became of the positions looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    pub positions: u64,
    pub puzzles: u64,
    pub unsettled: u64,
}

impl Looked {
    pub fn add(&mut self, other: Looked) {
        self.positions += other.positions;
        self.puzzles += other.puzzles;
        self.unsettled += other.unsettled;
    }
}

/// Middling bots leave more to find.
const PLAYERS: [BotLevel; 4] = [BotLevel::MiniBoss, BotLevel::Minion, BotLevel::MiniBoss, BotLevel::Kobold];
/// No game in which bots make sense is longer.
const DECISIONS: usize = 4_000;
/// Positions too hard to settle, for each seat, goal and turn, until no earlier one is tried.
const TRIES: usize = 1;

/// The games that are played with a deck: every ruleset and number of players takes its turn.
pub struct Games {
    rules: Vec<Rules>,
    deck: DeckId,
    seed: u64,
}

impl Games {
    pub fn new(db: &CardDb, deck: &Deck, seed: u64) -> Games {
        let fits = offers(db).into_iter().filter_map(|(_, _, offer)| offer.ok());
        Games { rules: fits.map(|offer| offer.rules).collect(), deck: deck.id.clone(), seed }
    }

    /// `None` if nobody can play with the deck.
    pub fn nth(&self, number: u64) -> Option<Setup> {
        let turn = number.checked_rem(self.rules.len() as u64)?;
        let seed = Seed::from(self.seed.wrapping_mul(1_000_000).wrapping_add(number));
        Some(Setup { rules: self.rules[turn as usize], deck: self.deck.clone(), seed })
    }
}

/// Plays a game and looks at it. Of several positions with the same goal in one turn, the one with most to
/// find is kept.
pub fn mine(db: &CardDb, setup: &Setup) -> (Vec<Puzzle>, Looked) {
    let mut looked = Looked::default();
    let Ok((moves, kept)) = play(db, setup) else { return (Vec::new(), looked) };
    let mut found: Vec<(u16, Puzzle)> = Vec::new();
    let mut unsettled: Vec<(Seat, Goal, u16)> = Vec::new();
    // The later in the turn, the less there is to settle.
    for (at, position) in kept.iter().rev() {
        let (Some(decision), turn) = (position.decision(), position.state.turn()) else { continue };
        let seat = decision.seat;
        for goal in Goal::ALL.into_iter().filter(|goal| is_possible(position, seat, *goal)) {
            let this = (seat, goal, turn);
            if unsettled.iter().filter(|other| **other == this).count() >= TRIES {
                continue;
            }
            let mut open = position.clone();
            open.open_hands(seat);
            looked.positions += 1;
            match solve(&open, seat, goal) {
                // To leave well alone is no find.
                Ok(solution) if !solution.line.iter().any(is_deed) => {}
                Ok(solution) => {
                    let (setup, moves) = (setup.clone(), moves[..*at].to_vec());
                    let (rating, notes) = (Rating::default(), Vec::new());
                    let puzzle = Puzzle { setup, moves, seat, goal, line: solution.line, rating, notes };
                    let same = |(then, other): &&mut (u16, Puzzle)| (other.seat, other.goal, *then) == this;
                    match found.iter_mut().find(same) {
                        Some((_, other)) if other.only() > puzzle.only() => {}
                        Some((_, other)) => *other = puzzle,
                        None => found.push((turn, puzzle)),
                    }
                }
                Err(Flaw::Unsettled) => {
                    looked.unsettled += 1;
                    unsettled.push(this);
                }
                Err(_) => {}
            }
        }
    }
    let mut puzzles: Vec<Puzzle> = found.into_iter().map(|(_, puzzle)| puzzle).collect();
    // Where the same line wins, to survive is nothing more.
    let wins =
        |puzzle: &Puzzle| (puzzle.goal == Goal::Win).then(|| (puzzle.moves.clone(), puzzle.line.clone()));
    let won: Vec<_> = puzzles.iter().filter_map(wins).collect();
    puzzles.retain(|puzzle| {
        puzzle.goal == Goal::Win
            || won.iter().all(|(moves, line)| (moves, line) != (&puzzle.moves, &puzzle.line))
    });
    for puzzle in &mut puzzles {
        if let Ok(position) = puzzle.position(db) {
            puzzle.rating = Rating::of(&position, puzzle.seat, &puzzle.line, puzzle.setup.seed.number());
            puzzle.notes = notes(&position, puzzle);
        }
    }
    looked.puzzles += puzzles.len() as u64;
    (puzzles, looked)
}

/// Everybody's answers, and the positions worth a look with the number of answers before them.
type Played<'a> = (Vec<Action>, Vec<(usize, Game<'a>)>);

fn play<'a>(db: &'a CardDb, setup: &Setup) -> Result<Played<'a>, engine::setup::SetupError> {
    let mut game = Dealer::new(db, setup.rules)?.deal(setup.seed.0, &mut ());
    let mut rng = BotRng::new(setup.seed.number());
    let mut bots: Vec<Box<dyn Bot>> = (0..setup.rules.players)
        .filter_map(|_| BotSpec::Level(PLAYERS[rng.below(PLAYERS.len())]).seat(rng.seed()).ok())
        .collect();
    let (mut legal, mut moves, mut kept) = (Actions::new(), Vec::new(), Vec::new());
    while let Some(decision) = game.decision().filter(|_| moves.len() < DECISIONS) {
        let seat = decision.seat;
        game.legal(&mut legal);
        let mut action = legal[0];
        if legal.len() > 1 {
            if Goal::ALL.into_iter().any(|goal| is_possible(&game, seat, goal)) {
                kept.push((moves.len(), game.clone()));
            }
            action = bots[seat.index()].choose(&game.view(Some(seat)), &legal);
        }
        if game.apply(action, &mut ()).is_err() {
            break;
        }
        moves.push(action);
    }
    Ok((moves, kept))
}

/// An answer to be found that does something.
fn is_deed(step: &Step) -> bool {
    step.only && !matches!(step.action, Action::Pass | Action::No)
}

/// Could anybody get that far this turn? Only heroes in play count.
fn is_possible(game: &Game, seat: Seat, goal: Goal) -> bool {
    let state = &game.state;
    let edition = state.rules().edition();
    let seats = || (0..state.rules().players).map(Seat).filter(|seat| state.in_game(*seat));
    let dungeons = seats().flat_map(|seat| [Place::entrance(seat), Place::inside(seat)]);
    let places = [Place::TOWN, Place::LANDMARK].into_iter().chain(dungeons);
    let worth = |hero| if game.def(hero).kind == Kind::Epic { 2 } else { 1 };
    let heroes: i32 = places.flat_map(|place| state.pile(place)).map(worth).sum();
    let could = |points: i32, enough: Option<u8>| enough.is_some_and(|n| points + heroes >= i32::from(n));
    let could_win = |seat| could(game.souls(seat), edition.souls_to_win);
    let could_lose = |seat| could(game.wounds(seat), edition.wounds_to_lose);
    let others = || seats().filter(|other| *other != seat);
    match goal {
        Goal::Win => others().next().is_some() && (could_win(seat) || others().all(could_lose)),
        Goal::Survive => could_lose(seat) || others().any(could_win),
    }
}

/// The position and the line in words.
fn notes(position: &Game, puzzle: &Puzzle) -> Vec<String> {
    let names: Vec<String> = (1..=puzzle.setup.rules.players).map(|n| format!("p{n}")).collect();
    let score = |seat: Seat| {
        let boss = position.boss(seat).map_or("nobody", |boss| position.name(boss));
        let (souls, wounds) = (position.souls(seat), position.wounds(seat));
        format!("{seat} {boss} {souls} souls {wounds} wounds")
    };
    let seats = (0..puzzle.setup.rules.players).map(Seat).filter(|seat| position.state.in_game(*seat));
    let scores: Vec<String> = seats.map(score).collect();
    let (turn, phase) = (position.state.turn(), position.state.phase());
    let mut at = position.clone();
    let line: Vec<String> = puzzle
        .line
        .iter()
        .map(|Step { action, only }| {
            let seat = at.decision().map_or(puzzle.seat, |decision| decision.seat);
            let words = Choice::of(&at, &names[..], Reader::Replay, *action).words;
            at = step(&at, *action, &Luck::default(), puzzle.seat).0;
            format!("{seat} {words}{}", if *only { "!" } else { "" })
        })
        .collect();
    vec![
        format!("turn {turn}, {}: {}", phase.word(), scores.join(", ")),
        format!("found by {} of 100", 100 - puzzle.rating.missed()),
        line.join("; "),
    ]
}
