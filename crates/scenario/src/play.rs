//! Runs a scenario, line by line. Invariant: the game only changes through `Game::apply`; in undo
//! mode every such step is taken back and played again.

use std::collections::VecDeque;

use cards::CardDb;
use engine::script::Misfit;
use engine::tell::{Numbers, place_name};
use engine::{Action, Actions, Decision, Event, Game, Phase, Question, Ref, Script, Seat, Spot, State, What};

use crate::answers::{action_text, check_names, fits};
use crate::error::{Problem, ScenarioError};
use crate::facts;
use crate::names::{defs_text, pick_text, script_text, short, written};
use crate::parse::{Answer, Line, Move, Scenario};
use crate::table::lay_out;
use crate::twin::Twin;

/// How scenarios are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Plain,
    /// Every move is taken back and played again.
    Undo,
    /// Alongside, the game as people play it, in which questions with one answer are not asked.
    Twin,
}

/// Answers one line may take, so that no scenario runs forever.
const MAX_ANSWERS: usize = 5000;

/// Runs one scenario.
pub fn run(db: &CardDb, scenario: &Scenario, mode: Mode) -> Result<(), ScenarioError> {
    let mut play = Play::start(db, scenario, mode)?;
    for (line, what) in &scenario.script {
        play.line(what).map_err(|problem| problem.at(&scenario.file, *line))?;
    }
    play.close().map_err(|problem| problem.at(&scenario.file, scenario.end_line))
}

/// One answer of a scenario, and what came of it.
#[derive(Clone, Debug)]
pub struct Played {
    pub before: State,
    pub action: Action,
    /// A move of its own, neither forced nor part of `all pass`.
    pub written: bool,
    pub events: Vec<Event>,
    pub after: State,
}

/// Runs a scenario and returns what happened: the first state and its events, then every answer.
pub fn played(db: &CardDb, scenario: &Scenario) -> Result<(State, Vec<Event>, Vec<Played>), ScenarioError> {
    let mut play = Play::start(db, scenario, Mode::Plain)?;
    let (first, dealt) = (play.game.state.clone(), play.told.clone());
    for (line, what) in &scenario.script {
        play.line(what).map_err(|problem| problem.at(&scenario.file, *line))?;
    }
    play.close().map_err(|problem| problem.at(&scenario.file, scenario.end_line))?;
    let answers = play.history.into_iter().map(|Step { before, mut script, action, written }| {
        let (mut game, mut events) = (Game { db, state: before.clone() }, Vec::new());
        // It has been played so already.
        let _ = game.apply_scripted(action, &mut events, &mut script);
        Played { before, action, written, events, after: game.state }
    });
    Ok((first, dealt, answers.collect()))
}

/// Windows are distinguished by where the hero is, and whether it has moved on since.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Round {
    question: Question,
    turn: u16,
    phase: Phase,
    active: Seat,
    hero: Ref,
    room: Ref,
    entered: usize,
}

/// A state and what was answered in it.
#[derive(Clone)]
struct Step {
    before: State,
    script: Script,
    action: Action,
    written: bool,
}

struct Play<'a> {
    game: Game<'a>,
    mode: Mode,
    script: Script,
    history: Vec<Step>,
    /// Forced answers given since the last written one; they may be written too.
    forced: VecDeque<(State, Action)>,
    /// Rooms that heroes have entered so far.
    entered: usize,
    /// What has happened since the last move.
    told: Vec<Event>,
    /// Has the present line answered anything yet?
    begun: bool,
    twin: Option<Twin<'a>>,
}

impl<'a> Play<'a> {
    fn start(db: &'a CardDb, scenario: &Scenario, mode: Mode) -> Result<Play<'a>, ScenarioError> {
        let (position, scripted) = lay_out(db, scenario)?;
        let at_start = |problem: Problem| problem.at(&scenario.file, scenario.start_line);
        let refused = |error: engine::SetupError| at_start(Problem::Table(error.to_string()));
        let (mut told, mut script) = (Vec::new(), scripted.clone());
        let game = Game::from_position_scripted(db, &position, &mut told, &mut script).map_err(refused)?;
        let twin = (mode == Mode::Twin).then(|| Twin::of(db, &position, scripted)).transpose();
        let (twin, history, forced) = (twin.map_err(refused)?, Vec::new(), VecDeque::new());
        let play = Play { game, mode, script, history, forced, entered: 0, told, begun: true, twin };
        play.check_chance(&play.script).and_then(|()| play.check()).map_err(at_start)?;
        Ok(play)
    }

    fn line(&mut self, line: &Line) -> Result<(), Problem> {
        if matches!(line, Line::Move(_)) {
            self.told.clear();
            self.begun = false;
        }
        match line {
            Line::Move(Move::AllPass) => self.all_pass(),
            Line::Move(Move::AllPassToEnd) => self.all_pass_to_end(),
            Line::Move(Move::By(seat, answers)) => answers.iter().try_for_each(|a| self.answer(*seat, a)),
            Line::Refused(seat, answers) => self.refused(*seat, answers),
            Line::Legal(seat, answers) => self.legal_are(*seat, answers),
            Line::Fact(fact) => {
                self.settle()?;
                facts::check(&self.game, &self.told, fact)
            }
        }
    }

    fn close(&mut self) -> Result<(), Problem> {
        self.settle()?;
        if let Some(asked) = self.game.decision() {
            return Err(Problem::StillAsked(self.question(&asked)));
        }
        let pending = self.game.state.pending().iter().filter_map(|entry| entry.code.source.as_card());
        let pending: Vec<_> = pending.collect();
        if !pending.is_empty() {
            return Err(Problem::StillWaiting(written(&self.game, pending)));
        }
        if !self.script.is_used_up() {
            return Err(Problem::ChanceLeft(script_text(self.game.db, &self.script)));
        }
        if self.mode == Mode::Undo { self.replay_all() } else { Ok(()) }
    }

    /// Every earlier state leads to the same end.
    fn replay_all(&self) -> Result<(), Problem> {
        let db = self.game.db;
        for (from, first) in self.history.iter().enumerate() {
            let undo = || Problem::Undo(action_text(&Game { db, state: first.before.clone() }, first.action));
            let mut game = Game { db, state: first.before.clone() };
            let mut script = first.script.clone();
            for step in &self.history[from..] {
                let mut applied =
                    |game: &mut Game| game.apply_scripted(step.action, &mut (), &mut script).is_ok();
                if game.state != step.before || !applied(&mut game) {
                    return Err(undo());
                }
            }
            if game.state != self.game.state {
                return Err(undo());
            }
        }
        Ok(())
    }

    // ---- answers ----

    fn legal(&self) -> Actions {
        let mut legal = Actions::new();
        self.game.legal(&mut legal);
        legal
    }

    fn forced_answer(&self) -> Option<Action> {
        contract::twin::forced(&self.game)
    }

    /// Gives the answers that are forced.
    fn settle(&mut self) -> Result<(), Problem> {
        for _ in 0..MAX_ANSWERS {
            let Some(forced) = self.forced_answer() else { return Ok(()) };
            self.force(forced)?;
        }
        Err(Problem::Broken("endless forced answers".into()))
    }

    fn force(&mut self, action: Action) -> Result<(), Problem> {
        self.forced.push_back((self.game.state.clone(), action));
        self.apply(action)
    }

    /// What was forced before the first answer of a line still belongs to the move before.
    fn begin_move(&mut self) {
        if !self.begun {
            self.told.clear();
            self.begun = true;
        }
    }

    fn answer(&mut self, seat: Seat, answer: &Answer) -> Result<(), Problem> {
        check_names(&self.game, answer)?;
        while let Some(forced) = self.forced_answer() {
            if self.asked() == Some(seat) && self.chosen(answer)?.is_some() {
                break;
            }
            self.force(forced)?;
        }
        if self.asked() == Some(seat)
            && let Some(action) = self.chosen(answer)?
        {
            self.forced.clear();
            self.begin_move();
            self.apply(action)?;
            if let Some(step) = self.history.last_mut() {
                step.written = true;
            }
            return Ok(());
        }
        if self.was_forced(seat, answer)? {
            return Ok(());
        }
        match self.game.decision() {
            Some(asked) if asked.seat == seat => Err(Problem::NotAllowed {
                seat: seat.to_string(),
                answer: answer.to_string(),
                legal: self.legal_text(),
            }),
            // A player with nothing to do is not asked, but the scenario may write a pass.
            _ if *answer == Answer::Pass => Ok(()),
            asked => Err(Problem::NotAsked {
                seat: seat.to_string(),
                asked: asked.map(|asked| self.question(&asked)),
            }),
        }
    }

    /// Was this answer already given because it was the only one?
    fn was_forced(&mut self, seat: Seat, answer: &Answer) -> Result<bool, Problem> {
        while let Some((state, action)) = self.forced.pop_front() {
            let game = Game { db: self.game.db, state };
            if game.decision().is_some_and(|asked| asked.seat == seat) && fits(&game, answer, action)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn asked(&self) -> Option<Seat> {
        self.game.decision().map(|asked| asked.seat)
    }

    /// The legal action that the answer means.
    fn chosen(&self, answer: &Answer) -> Result<Option<Action>, Problem> {
        let mut found: Option<Action> = None;
        for action in self.legal().iter() {
            if !fits(&self.game, answer, *action)? {
                continue;
            }
            match found {
                Some(first) if self.differ(first, *action) => {
                    return Err(Problem::WhichCard(answer.to_string()));
                }
                Some(_) => {}
                None => found = Some(*action),
            }
        }
        Ok(found)
    }

    /// Do two actions written the same way mean different cards, or cards of different players?
    fn differ(&self, a: Action, b: Action) -> bool {
        match (self.card_of(a), self.card_of(b)) {
            (Some(a), Some(b)) => self.game.owner(a) != self.game.owner(b),
            _ => a != b,
        }
    }

    fn card_of(&self, action: Action) -> Option<engine::CardId> {
        match action {
            Action::Use { card, .. }
            | Action::Build { card, .. }
            | Action::Promote { card }
            | Action::Sell { card }
            | Action::TakeBack { card } => Some(card),
            Action::Pick(r) => r.as_card().or_else(|| self.game.ordered(r)),
            _ => None,
        }
    }

    /// Gives one answer: the only way in which the game changes.
    fn apply(&mut self, action: Action) -> Result<(), Problem> {
        let broken = |error: engine::Illegal| Problem::Broken(error.to_string());
        let (mut game, mut script) = (self.game.clone(), self.script.clone());
        let mut log = Vec::new();
        game.apply_scripted(action, &mut log, &mut script).map_err(broken)?;
        self.check_chance(&script)?;
        if self.mode == Mode::Undo {
            let mut again = self.game.clone();
            again.apply_scripted(action, &mut (), &mut self.script.clone()).map_err(broken)?;
            if again.state != game.state {
                return Err(Problem::Undo(action_text(&self.game, action)));
            }
        }
        self.entered += log.iter().filter(|event| event.what == What::Enters).count();
        self.told.append(&mut log);
        let asked = self.forced_answer().is_none();
        let before = std::mem::replace(&mut self.game, game).state;
        let script = std::mem::replace(&mut self.script, script);
        self.history.push(Step { before, script, action, written: false });
        if let Some(twin) = self.twin.as_mut().filter(|_| asked) {
            twin.apply(action)?;
        }
        self.check()
    }

    /// Checks that the script could be followed.
    fn check_chance(&self, script: &Script) -> Result<(), Problem> {
        let (game, db) = (&self.game, self.game.db);
        match &script.misfit {
            None => Ok(()),
            Some(Misfit::Pick { wanted, candidates }) => {
                let candidates: Vec<String> = candidates
                    .iter()
                    .map(|r| match (r.as_card(), r.as_seat(), r.as_number()) {
                        (Some(card), ..) => short(game, card),
                        (_, Some(seat), _) => seat.to_string(),
                        (_, _, number) => number.unwrap_or_default().to_string(),
                    })
                    .collect();
                Err(Problem::Pick { wanted: pick_text(db, wanted), candidates: candidates.join(", ") })
            }
            Some(Misfit::Shuffle { deck, wanted }) => {
                Err(Problem::Shuffle { wanted: defs_text(db, wanted), deck: place_name(&Numbers, *deck) })
            }
        }
    }

    /// The state is consistent, and the player asked has an answer.
    fn check(&self) -> Result<(), Problem> {
        self.game.state.check(self.game.db).map_err(Problem::Broken)?;
        if let Some(twin) = self.twin.as_ref().filter(|_| self.forced_answer().is_none()) {
            twin.compare(&self.game, &self.script)?;
        }
        if self.game.decision().is_some() {
            let legal = self.legal();
            if legal.is_empty() || !legal.iter().all(|action| self.game.is_legal(*action)) {
                return Err(Problem::Broken(format!("the list of answers is wrong: {legal:?}")));
            }
        } else if self.game.outcome().is_none() {
            return Err(Problem::Broken("nobody is asked and the game is not over".into()));
        }
        Ok(())
    }

    // ---- everybody passes ----

    /// Which window, or other round of passing, the question belongs to.
    fn round(&self) -> Option<Round> {
        let question = match self.game.decision()?.question {
            Question::Act | Question::Cancel => Question::Act,
            other => other,
        };
        let state = &self.game.state;
        let (turn, phase, active, walk) = (state.turn(), state.phase(), state.active(), state.walk());
        let (hero, room, entered) = (walk.hero, walk.room, self.entered);
        let round = Round { question, turn, phase, active, hero, room, entered };
        self.game.is_legal(Action::Pass).then_some(round)
    }

    fn all_pass(&mut self) -> Result<(), Problem> {
        self.settle()?;
        self.begin_move();
        let round = self.round();
        match self.game.decision() {
            Some(asked) if round.is_none() => {
                return Err(Problem::CannotPass(asked.seat.to_string(), self.question(&asked)));
            }
            _ => self.forced.clear(),
        }
        for _ in 0..MAX_ANSWERS {
            if round.is_none() || self.round() != round {
                return Ok(());
            }
            self.apply(Action::Pass)?;
            self.settle()?;
        }
        Err(Problem::Broken("the window never closes".into()))
    }

    fn all_pass_to_end(&mut self) -> Result<(), Problem> {
        // Setting up is part of the first turn.
        let turn = self.game.state.turn().max(1);
        for _ in 0..MAX_ANSWERS {
            self.settle()?;
            self.begin_move();
            let Some(asked) = self.game.decision() else { break };
            if self.game.state.turn() > turn {
                break;
            }
            let decline = [Action::Pass, Action::No].into_iter().find(|action| self.game.is_legal(*action));
            match decline {
                Some(action) => self.apply(action)?,
                None => return Err(Problem::CannotPass(asked.seat.to_string(), self.question(&asked))),
            }
        }
        self.forced.clear();
        Ok(())
    }

    // ---- what may be answered ----

    fn refused(&mut self, seat: Seat, answers: &[Answer]) -> Result<(), Problem> {
        self.settle()?;
        for answer in answers {
            check_names(&self.game, answer)?;
        }
        let before = self.game.state.clone();
        if self.asked() == Some(seat) {
            self.try_illegal(&before)?;
        }
        let (history, forced, script) = (self.history.clone(), self.forced.clone(), self.script.clone());
        let (twin, entered, told) = (self.twin.clone(), self.entered, self.told.len());
        let mut refused = false;
        // What was forced before is not an answer to the present question.
        self.forced.clear();
        for answer in answers {
            if self.asked() == Some(seat)
                && let Some(action) = self.chosen(answer)?
            {
                self.apply(action)?;
            } else if !self.was_forced(seat, answer)? {
                refused = true;
                break;
            }
        }
        self.game.state = before;
        (self.history, self.forced, self.script) = (history, forced, script);
        self.told.truncate(told);
        (self.twin, self.entered) = (twin, entered);
        if refused { Ok(()) } else { Err(Problem::NotRefused) }
    }

    /// Unlisted actions are refused and change nothing.
    fn try_illegal(&self, before: &State) -> Result<(), Problem> {
        let legal = self.legal();
        let cards = self.game.state.card_ids();
        let wrong = cards.flat_map(|card| {
            let builds = (0..5).map(move |slot| Action::Build { spot: Spot(slot), card });
            let picked = Action::Pick(self.game.state.ref_of(card));
            let coins = [Action::Promote { card }, Action::Sell { card }, Action::TakeBack { card }];
            builds.chain([Action::Use { ability: 0, card }, picked]).chain(coins)
        });
        let others = [Action::Pass, Action::Yes, Action::No, Action::Pick(Ref::seat(Seat(5)))];
        let mut game = self.game.clone();
        for action in wrong.chain(others).filter(|action| !legal.contains(action)) {
            if game.apply(action, &mut ()).is_ok() || game.state != *before {
                return Err(Problem::RefusalChanged);
            }
        }
        Ok(())
    }

    fn legal_are(&mut self, seat: Seat, expected: &[Answer]) -> Result<(), Problem> {
        for answer in expected {
            check_names(&self.game, answer)?;
        }
        // A forced answer may be asserted like any other.
        while let Some(forced) = self.forced_answer() {
            if self.asked() == Some(seat) && self.same_answers(expected)? {
                break;
            }
            self.force(forced)?;
        }
        let wanted = expected.iter().map(Answer::to_string).collect::<Vec<_>>().join(", ");
        let wanted = format!("{seat} to be asked: {wanted}");
        let Some(asked) = self.game.decision() else {
            return Err(Problem::differs(wanted, "nobody is asked"));
        };
        let found = format!("{}: {}", asked.seat, self.legal_text());
        if asked.seat != seat {
            return Err(Problem::differs(wanted, found));
        }
        if self.same_answers(expected)? { Ok(()) } else { Err(Problem::differs(wanted, found)) }
    }

    /// Every legal action is listed, and everything listed is legal.
    fn same_answers(&self, expected: &[Answer]) -> Result<bool, Problem> {
        let legal = self.legal();
        let mut there = vec![false; expected.len()];
        for action in legal.iter() {
            let mut listed = false;
            for (there, answer) in there.iter_mut().zip(expected) {
                let fits = fits(&self.game, answer, *action)?;
                listed |= fits;
                *there |= fits;
            }
            if !listed {
                return Ok(false);
            }
        }
        Ok(there.into_iter().all(|there| there))
    }

    fn question(&self, asked: &Decision) -> String {
        format!("{} is asked: {}", asked.seat, self.legal_text())
    }

    fn legal_text(&self) -> String {
        let texts: Vec<String> = self.legal().iter().map(|action| action_text(&self.game, *action)).collect();
        texts.join(", ")
    }
}
