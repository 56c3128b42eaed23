//! Runs a scenario, line by line. Invariant: the table only ever changes through `Game::apply`; in undo mode
//! every such step is taken back and played again.

use std::collections::VecDeque;

use cards::CardDb;
use cards::code::Op;
use cards::tree::Class;
use engine::state::Frame;
use engine::{Action, Actions, Decision, Event, Game, Phase, Question, Ref, Seat, Spot, State};

use crate::facts;
use crate::fault::{Fault, Why};
use crate::names::{is_meant, meant, written};
use crate::parse::{Answer, Line, Move, Name, Scenario};
use crate::table::lay_out;
use crate::twin::Twin;

/// How scenarios are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Plain,
    /// Every move is taken back and played again.
    Undo,
    /// Beside it the game as people play it, in which questions with one answer are not asked.
    Twin,
}

/// Courses of chance tried for one scripted pick.
const TRIES: u64 = 5000;
/// Answers one line may take, so that no scenario runs forever.
const MAX_ANSWERS: usize = 5000;

/// Runs one scenario.
pub fn run(db: &CardDb, scenario: &Scenario, mode: Mode) -> Result<(), Fault> {
    let mut play = Play::start(db, scenario, mode)?;
    for (line, what) in &scenario.script {
        play.line(what).map_err(|why| why.at(&scenario.file, *line))?;
    }
    play.close().map_err(|why| why.at(&scenario.file, scenario.end_line))
}

/// One window is told from the next by where the hero is, and whether it has gone on since.
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
    action: Action,
    /// Chance was given another course first, for a scripted pick.
    reseeded: bool,
}

struct Play<'a> {
    game: Game<'a>,
    mode: Mode,
    picks: VecDeque<Name>,
    history: Vec<Step>,
    /// Forced answers given since the last written one: these may be written all the same.
    forced: VecDeque<(State, Action)>,
    /// Rooms that heroes have entered so far.
    entered: usize,
    twin: Option<Twin<'a>>,
}

impl<'a> Play<'a> {
    fn start(db: &'a CardDb, scenario: &Scenario, mode: Mode) -> Result<Play<'a>, Fault> {
        let (mut position, picks) = lay_out(db, scenario)?;
        let mut picks = VecDeque::from(picks);
        let at_start = |why: Why| why.at(&scenario.file, scenario.start_line);
        for pick in &picks {
            meant(db, pick).map_err(at_start)?;
        }
        // A scripted pick may fall into an answer that the twin is never asked for.
        let twinned = mode == Mode::Twin && picks.is_empty();
        for seed in 0..TRIES {
            position.seed = seed;
            let mut log = Vec::new();
            let game = Game::from_position(db, &position, &mut log)
                .map_err(|error| at_start(Why::Table(error.to_string())))?;
            if let Some(used) = used_picks(&game, &picks, &log).map_err(at_start)? {
                picks.drain(..used);
                let (history, forced) = (Vec::new(), VecDeque::new());
                let twin = twinned.then(|| Twin::of(&game, &position)).transpose();
                let twin = twin.map_err(|error| at_start(Why::Table(error.to_string())))?;
                let play = Play { game, mode, picks, history, forced, entered: 0, twin };
                play.check().map_err(at_start)?;
                return Ok(play);
            }
        }
        Err(at_start(Why::Chance(listed(&picks))))
    }

    fn line(&mut self, line: &Line) -> Result<(), Why> {
        match line {
            Line::Move(Move::AllPass) => self.all_pass(),
            Line::Move(Move::AllPassToEnd) => self.all_pass_to_end(),
            Line::Move(Move::By(seat, answers)) => answers.iter().try_for_each(|a| self.answer(*seat, a)),
            Line::Refused(seat, answers) => self.refused(*seat, answers),
            Line::Legal(seat, answers) => self.legal_are(*seat, answers),
            Line::Fact(fact) => {
                self.settle()?;
                facts::check(&self.game, fact)
            }
        }
    }

    fn close(&mut self) -> Result<(), Why> {
        self.settle()?;
        if let Some(asked) = self.game.decision() {
            return Err(Why::StillAsked(self.question(&asked)));
        }
        let pending = self.game.state.pending().iter().filter_map(|entry| entry.code.source.as_card());
        let pending: Vec<_> = pending.collect();
        if !pending.is_empty() {
            return Err(Why::StillWaiting(written(&self.game, pending)));
        }
        if !self.picks.is_empty() {
            return Err(Why::ChanceLeft(listed(&self.picks)));
        }
        if self.mode == Mode::Undo { self.replay_all() } else { Ok(()) }
    }

    /// Every earlier state leads to the same end.
    fn replay_all(&self) -> Result<(), Why> {
        let db = self.game.db;
        for (from, first) in self.history.iter().enumerate() {
            let undo = || Why::Undo(action_text(&Game { db, state: first.before.clone() }, first.action));
            let mut game = Game { db, state: first.before.clone() };
            for step in &self.history[from..] {
                if step.reseeded {
                    game.state = step.before.clone();
                }
                if game.state != step.before || game.apply(step.action, &mut ()).is_err() {
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

    /// The first of the possible answers, if all of them must be given: there is one, or as many as
    /// there are things to choose.
    fn forced_answer(&self) -> Option<Action> {
        let asked = self.game.decision()?;
        let needed = match (asked.question, self.game.state.top_frame()) {
            (Question::Choose(_), Some(Frame::Code(code))) => {
                let start = usize::from(self.game.db.unit(code.unit).start);
                match self.game.db.ops.get(start + usize::from(code.pc)) {
                    Some(Op::Choose { count, .. }) => usize::from(count.saturating_sub(code.picked)),
                    _ => 1,
                }
            }
            _ => 1,
        };
        let legal = self.legal();
        if legal.len() <= needed { legal.first().copied() } else { None }
    }

    /// Gives the answers that are forced.
    fn settle(&mut self) -> Result<(), Why> {
        for _ in 0..MAX_ANSWERS {
            let Some(forced) = self.forced_answer() else { return Ok(()) };
            self.force(forced)?;
        }
        Err(Why::Broken("forced answers without end".into()))
    }

    fn force(&mut self, action: Action) -> Result<(), Why> {
        self.forced.push_back((self.game.state.clone(), action));
        self.apply(action)
    }

    fn answer(&mut self, seat: Seat, answer: &Answer) -> Result<(), Why> {
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
            return self.apply(action);
        }
        if self.was_forced(seat, answer)? {
            return Ok(());
        }
        match self.game.decision() {
            Some(asked) if asked.seat == seat => Err(Why::NotAllowed {
                seat: seat.to_string(),
                answer: answer.to_string(),
                legal: self.legal_text(),
            }),
            // Who has nothing to do is not asked, and may be said to pass.
            _ if *answer == Answer::Pass => Ok(()),
            asked => {
                Err(Why::NotAsked { seat: seat.to_string(), asked: asked.map(|asked| self.question(&asked)) })
            }
        }
    }

    /// Was this answer given already because it was the only one?
    fn was_forced(&mut self, seat: Seat, answer: &Answer) -> Result<bool, Why> {
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
    fn chosen(&self, answer: &Answer) -> Result<Option<Action>, Why> {
        let mut found: Option<Action> = None;
        for action in self.legal().iter() {
            if !fits(&self.game, answer, *action)? {
                continue;
            }
            match found {
                Some(first) if self.differ(first, *action) => return Err(Why::WhichCard(answer.to_string())),
                Some(_) => {}
                None => found = Some(*action),
            }
        }
        Ok(found)
    }

    /// Do two actions that are written alike mean cards of different players, or different cards?
    fn differ(&self, a: Action, b: Action) -> bool {
        match (self.card_of(a), self.card_of(b)) {
            (Some(a), Some(b)) => self.game.owner(a) != self.game.owner(b),
            _ => a != b,
        }
    }

    fn card_of(&self, action: Action) -> Option<engine::CardId> {
        match action {
            Action::Use { card, .. } | Action::Build { card, .. } => Some(card),
            Action::Pick(r) => r.as_card().or_else(|| self.game.ordered(r)),
            _ => None,
        }
    }

    /// One answer: the only way in which the table changes.
    fn apply(&mut self, action: Action) -> Result<(), Why> {
        let broken = |error: engine::Illegal| Why::Broken(error.to_string());
        for course in 0..TRIES {
            let mut game = self.game.clone();
            if course > 0 {
                game.reseed(course);
            }
            let before = game.state.clone();
            let mut log = Vec::new();
            game.apply(action, &mut log).map_err(broken)?;
            let Some(used) = used_picks(&game, &self.picks, &log)? else { continue };
            if self.mode == Mode::Undo {
                let mut again = Game { db: game.db, state: before.clone() };
                again.apply(action, &mut ()).map_err(broken)?;
                if again.state != game.state {
                    return Err(Why::Undo(action_text(&self.game, action)));
                }
            }
            self.picks.drain(..used);
            self.history.push(Step { before, action, reseeded: course > 0 });
            self.entered += log.iter().filter(|event| matches!(event, Event::Enters { .. })).count();
            let asked = self.forced_answer().is_none();
            self.game = game;
            if let Some(twin) = self.twin.as_mut().filter(|_| asked) {
                twin.apply(action)?;
            }
            return self.check();
        }
        Err(Why::Chance(listed(&self.picks)))
    }

    /// The table is whole, and who is asked can answer.
    fn check(&self) -> Result<(), Why> {
        self.game.state.check(self.game.db).map_err(Why::Broken)?;
        if let Some(twin) = self.twin.as_ref().filter(|_| self.forced_answer().is_none()) {
            twin.compare(&self.game)?;
        }
        if self.game.decision().is_some() {
            let legal = self.legal();
            if legal.is_empty() || !legal.iter().all(|action| self.game.is_legal(*action)) {
                return Err(Why::Broken(format!("the list of answers is wrong: {legal:?}")));
            }
        } else if self.game.outcome().is_none() {
            return Err(Why::Broken("nobody is asked and the game is not over".into()));
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

    fn all_pass(&mut self) -> Result<(), Why> {
        self.settle()?;
        let round = self.round();
        match self.game.decision() {
            Some(asked) if round.is_none() => {
                return Err(Why::CannotPass(asked.seat.to_string(), self.question(&asked)));
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
        Err(Why::Broken("the window never closes".into()))
    }

    fn all_pass_to_end(&mut self) -> Result<(), Why> {
        // Setting up is part of the first turn.
        let turn = self.game.state.turn().max(1);
        for _ in 0..MAX_ANSWERS {
            self.settle()?;
            let Some(asked) = self.game.decision() else { break };
            if self.game.state.turn() > turn {
                break;
            }
            let decline = [Action::Pass, Action::No].into_iter().find(|action| self.game.is_legal(*action));
            match decline {
                Some(action) => self.apply(action)?,
                None => return Err(Why::CannotPass(asked.seat.to_string(), self.question(&asked))),
            }
        }
        self.forced.clear();
        Ok(())
    }

    // ---- what may be answered ----

    fn refused(&mut self, seat: Seat, answers: &[Answer]) -> Result<(), Why> {
        self.settle()?;
        for answer in answers {
            check_names(&self.game, answer)?;
        }
        let before = self.game.state.clone();
        if self.asked() == Some(seat) {
            self.try_illegal(&before)?;
        }
        let (history, forced, picks) = (self.history.clone(), self.forced.clone(), self.picks.clone());
        let (twin, entered) = (self.twin.clone(), self.entered);
        let mut refused = false;
        // What was forced before is no answer to the present question.
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
        (self.history, self.forced, self.picks) = (history, forced, picks);
        (self.twin, self.entered) = (twin, entered);
        if refused { Ok(()) } else { Err(Why::NotRefused) }
    }

    /// What is not on the list is refused and changes nothing.
    fn try_illegal(&self, before: &State) -> Result<(), Why> {
        let legal = self.legal();
        let cards = self.game.state.card_ids();
        let wrong = cards.flat_map(|card| {
            let builds = (0..5).map(move |slot| Action::Build { spot: Spot(slot), card });
            builds.chain([Action::Use { ability: 0, card }, Action::Pick(self.game.state.ref_of(card))])
        });
        let others = [Action::Pass, Action::Yes, Action::No, Action::Pick(Ref::seat(Seat(5)))];
        let mut game = self.game.clone();
        for action in wrong.chain(others).filter(|action| !legal.contains(action)) {
            if game.apply(action, &mut ()).is_ok() || game.state != *before {
                return Err(Why::RefusalChanged);
            }
        }
        Ok(())
    }

    fn legal_are(&mut self, seat: Seat, expected: &[Answer]) -> Result<(), Why> {
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
            return Err(Why::differs(wanted, "nobody is asked"));
        };
        let found = format!("{}: {}", asked.seat, self.legal_text());
        if asked.seat != seat {
            return Err(Why::differs(wanted, found));
        }
        if self.same_answers(expected)? { Ok(()) } else { Err(Why::differs(wanted, found)) }
    }

    /// Every legal action is listed, and everything listed is legal.
    fn same_answers(&self, expected: &[Answer]) -> Result<bool, Why> {
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

fn check_names(game: &Game, answer: &Answer) -> Result<(), Why> {
    match answer {
        Answer::Card(name) | Answer::Build { card: name, on: None } => meant(game.db, name).map(|_| ()),
        Answer::Build { card, on: Some(on) } => {
            meant(game.db, card)?;
            meant(game.db, on).map(|_| ())
        }
        _ => Ok(()),
    }
}

/// Is this action what the answer says?
fn fits(game: &Game, answer: &Answer, action: Action) -> Result<bool, Why> {
    Ok(match (answer, action) {
        (Answer::Pass, Action::Pass) | (Answer::Yes, Action::Yes) | (Answer::No, Action::No) => true,
        (Answer::Option(n), Action::Pick(r)) => {
            let ordering = game.ordered(r).is_some();
            !ordering && r.as_number().is_some_and(|number| number + 1 == *n)
        }
        (Answer::Player(seat), Action::Pick(r)) => r.as_seat() == Some(*seat),
        (Answer::Treasure(class), Action::Pick(r)) => {
            let asked = game.decision().map(|asked| asked.question);
            matches!(asked, Some(Question::Choose(_))) && r.as_number() == Some(*class as u8)
        }
        (Answer::Build { card: name, on }, Action::Build { spot, card }) => {
            let seat = game.decision().map_or(Seat::NONE, |asked| asked.seat);
            if !seat.exists() || !is_meant(game, &Name { owner: None, ..name.clone() }, card)? {
                return Ok(false);
            }
            match (on, game.state.slots(spot.dungeon(seat)).get(spot.slot())) {
                (Some(on), Some(top)) => is_meant(game, on, *top)?,
                (None, None) => true,
                _ => false,
            }
        }
        (Answer::Card(name), Action::Use { card, .. }) => is_meant(game, name, card)?,
        (Answer::Card(name), Action::Pick(r)) => match r.as_card().or_else(|| game.ordered(r)) {
            Some(card) => is_meant(game, name, card)?,
            None => false,
        },
        _ => false,
    })
}

/// How many scripted picks these events use; `None` if chance went another way.
fn used_picks(game: &Game, picks: &VecDeque<Name>, log: &[Event]) -> Result<Option<usize>, Why> {
    let mut used = 0;
    for event in log {
        let Event::Random(shown) = event else { continue };
        let Some(wanted) = picks.get(used) else { break };
        if !meant(game.db, wanted)?.contains(&shown.def) {
            return Ok(None);
        }
        used += 1;
    }
    Ok(Some(used))
}

fn listed(names: &VecDeque<Name>) -> String {
    names.iter().map(Name::to_string).collect::<Vec<_>>().join(", ")
}

/// An action as a scenario would write it.
fn action_text(game: &Game, action: Action) -> String {
    let seat = game.decision().map_or(Seat::NONE, |asked| asked.seat);
    let named = |card| {
        let owner = game.owner(card);
        let name = crate::names::short(game, card);
        if owner.exists() && owner != seat { format!("{owner} {name}") } else { name }
    };
    match action {
        Action::Pass => "pass".into(),
        Action::Yes => "yes".into(),
        Action::No => "no".into(),
        Action::Use { card, .. } => named(card),
        Action::Build { spot, card } => match game.state.slots(spot.dungeon(seat)).get(spot.slot()) {
            Some(top) => format!("build {} on {}", named(card), named(*top)),
            None => format!("build {}", named(card)),
        },
        Action::Pick(r) => match (r.as_card().or_else(|| game.ordered(r)), r.as_seat(), r.as_number()) {
            (Some(card), ..) => named(card),
            (_, Some(player), _) => player.to_string(),
            (_, _, Some(n))
                if matches!(game.decision(), Some(Decision { question: Question::Choose(_), .. })) =>
            {
                Class::ALL.get(usize::from(n)).map_or("nothing".into(), Class::to_string)
            }
            (_, _, Some(n)) => format!("option {}", u16::from(n) + 1),
            _ => "nothing".into(),
        },
    }
}
