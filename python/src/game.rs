//! One game, as Python holds it. Seats are counted from 0 here, as arrays are; agents are called p1, p2, ...

use bots::{BotSpec, SeatedBot};
use engine::record::{ActionText, Record};
use engine::{Action, Seat, Seed, Setup, State};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

use crate::error::Failure;
use crate::given::{Number, Words};
use crate::picture;
use crate::play::Play;
use crate::table::{Table, Wish};

/// One game, stepped by whoever holds it.
#[pyclass(module = "lair_env._core")]
pub struct Game {
    play: Box<Play>,
    /// The rest of a record that is being replayed.
    ahead: Vec<Action>,
    names: Option<Vec<(String, String)>>,
}

/// A bot in one seat of one game.
#[pyclass(module = "lair_env._core")]
pub struct Bot {
    bot: Mutex<SeatedBot>,
    #[pyo3(get)]
    name: String,
}

/// A game as `pickle` keeps it: setup, state, answers so far, those of a record still to come, names.
type Saved = (String, Vec<u8>, Option<Vec<String>>, Vec<String>, Option<Vec<(String, String)>>);

fn texts(actions: &[Action]) -> Vec<String> {
    actions.iter().map(|action| ActionText(*action).to_string()).collect()
}

fn read(texts: &[String]) -> Result<Vec<Action>, Failure> {
    let action = |text: &String| Ok(text.parse::<ActionText>()?.0);
    texts.iter().map(action).collect()
}

type Look<'py> = (Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<i8>>);

#[pymethods]
impl Bot {
    #[new]
    #[pyo3(signature = (name, seed=Number(0)))]
    fn new(name: &str, seed: Number) -> Result<Bot, Failure> {
        let spec: BotSpec = name.parse()?;
        SeatedBot::check(&spec)?;
        Ok(Bot { bot: Mutex::new(SeatedBot::new(&spec, seed.0)), name: spec.to_string() })
    }

    fn __repr__(&self) -> String {
        format!("Bot('{}')", self.name)
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a bot cannot be copied or pickled: make another one by its name and seed"))
    }

    /// The action it would take now.
    fn choose(&self, py: Python<'_>, game: &Game) -> Result<u32, Failure> {
        py.detach(|| {
            let mut bot = self.bot.lock().unwrap_or_else(PoisonError::into_inner);
            let action = game.play.advice(&mut bot)?;
            Ok(game.play.code_of(action))
        })
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (players=None, deck=None, ruleset=None, variants=Words::Many(Vec::new()), last_turn=None, cover=false, seed=Number(0)))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn new(
        players: Option<i64>,
        deck: Option<String>,
        ruleset: Option<String>,
        variants: Words,
        last_turn: Option<i64>,
        cover: bool,
        seed: Number,
    ) -> Result<Game, Failure> {
        let variants = variants.into();
        let table = Table::of(&Wish { players, deck, ruleset, variants, last_turn, cover })?;
        Ok(Game::of(Play::new(&table, Seed::from(seed.0))))
    }

    /// The game of a record, at its deal; `advance` gives the recorded answers.
    #[staticmethod]
    fn from_record(json: &str) -> Result<Game, Failure> {
        let record = Record::from_json(json)?;
        let table = Table::of_record(&record)?;
        record.verify(table.list.db)?;
        let play = Play::new(&table, record.setup.seed);
        let ahead = record.actions.iter().rev().map(|action| action.0).collect();
        let names = record.seats.into_iter().map(|seat| (seat.name, seat.kind)).collect();
        Ok(Game { play: Box::new(play), ahead, names: Some(names) })
    }

    /// Answers as recorded; how many answers are left then.
    fn advance(&mut self) -> Result<usize, Failure> {
        let Some(action) = self.ahead.pop() else {
            return Err(Failure::Wrong("the record ends here".into()));
        };
        self.play.apply(action)?;
        Ok(self.ahead.len())
    }

    #[getter]
    fn remaining(&self) -> usize {
        self.ahead.len()
    }

    /// The recorded answer that comes next.
    #[getter]
    fn next_action(&self) -> Option<u32> {
        self.ahead.last().map(|action| self.play.code_of(*action))
    }

    /// Deals another game at the same table.
    fn reset(&mut self, seed: Number) {
        self.ahead.clear();
        self.names = None;
        self.play.deal_again(Seed::from(seed.0));
    }

    #[getter]
    fn setup(&self) -> String {
        let Table { rules, deck, .. } = &*self.play.table;
        let deck = deck.id.clone();
        Setup { rules: *rules, deck, seed: self.play.seed() }.to_string()
    }

    #[getter]
    fn players(&self) -> usize {
        self.play.table.players()
    }

    #[getter]
    fn ruleset(&self) -> &'static str {
        self.play.table.rules.ruleset().name()
    }

    #[getter]
    fn n_actions(&self) -> usize {
        self.play.table.actions.len()
    }

    #[getter]
    fn n_observations(&self) -> usize {
        self.play.table.observation.len()
    }

    /// What each action is.
    fn action_names(&self) -> Vec<String> {
        self.play.table.actions.names.clone()
    }

    /// What each number of an observation is.
    fn observation_names(&self) -> Vec<String> {
        self.play.table.observation.names.clone()
    }

    /// Whom the game asks; None when it is over.
    #[getter]
    fn seat(&self) -> Option<u8> {
        self.play.seat().map(|seat| seat.0)
    }

    #[getter]
    fn over(&self) -> bool {
        self.play.is_over()
    }

    /// So many decisions that it would never end.
    #[getter]
    fn endless(&self) -> bool {
        self.play.is_endless()
    }

    #[getter]
    fn turn(&self) -> u16 {
        self.play.game.state.turn()
    }

    #[getter]
    fn decisions(&self) -> u32 {
        self.play.game.state.decisions()
    }

    /// The question in words, as the seat that is asked reads it.
    #[getter]
    fn question(&self) -> Option<String> {
        self.play.question()
    }

    /// The legal actions with their words.
    fn choices(&self) -> Vec<(u32, String)> {
        self.play.words()
    }

    /// The actions that can be taken now.
    fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(py, self.play.choices().iter().map(|choice| i64::from(choice.code)))
    }

    /// One mark for each action: can it be taken now?
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![false; self.n_actions()];
        self.play.mask(&mut mask, true);
        PyArray1::from_vec(py, mask)
    }

    /// What the seat sees.
    fn observe<'py>(&self, py: Python<'py>, seat: i64) -> Result<Bound<'py, PyArray1<f32>>, Failure> {
        let seat = self.seat_of(seat)?;
        let mut out = vec![0.0; self.n_observations()];
        self.play.observe(seat, &mut out);
        Ok(PyArray1::from_vec(py, out))
    }

    /// What the seat sees, and 1 for each action that it may take now: for none while another seat is asked.
    fn look<'py>(&self, py: Python<'py>, seat: i64) -> Result<Look<'py>, Failure> {
        let observation = self.observe(py, seat)?;
        let mut mask = vec![0; self.n_actions()];
        if self.seat().map(i64::from) == Some(seat) {
            self.play.mask(&mut mask, 1);
        }
        Ok((observation, PyArray1::from_vec(py, mask)))
    }

    /// Whom the game asks next; None when it is over.
    fn step(&mut self, action: i64) -> Result<Option<u8>, Failure> {
        self.ahead.clear();
        self.play.step(action)?;
        Ok(self.seat())
    }

    /// An answer as a record writes it.
    fn answer(&mut self, text: &str) -> Result<(), Failure> {
        let action: ActionText = text.parse()?;
        self.ahead.clear();
        self.play.apply(action.0)
    }

    /// A bot answers for the seat that is asked.
    fn bot_step(&mut self, py: Python<'_>, bot: &Bot) -> Result<Option<u8>, Failure> {
        self.ahead.clear();
        py.detach(|| {
            let mut bot = bot.bot.lock().unwrap_or_else(PoisonError::into_inner);
            self.play.let_bot(&mut bot)
        })?;
        Ok(self.seat())
    }

    /// What each seat gets in the end.
    fn returns(&self) -> Vec<f32> {
        let mut out = vec![0.0; self.players()];
        self.play.returns(&mut out);
        out
    }

    #[getter]
    fn souls(&self) -> Vec<i32> {
        self.seats().map(|seat| self.play.game.souls(seat)).collect()
    }

    #[getter]
    fn wounds(&self) -> Vec<i32> {
        self.seats().map(|seat| self.play.game.wounds(seat)).collect()
    }

    #[getter]
    fn winner(&self) -> Option<u8> {
        self.play.game.outcome().map(|outcome| outcome.winner).filter(|seat| seat.exists()).map(|seat| seat.0)
    }

    /// How it ended, such as `ten souls`.
    #[getter]
    fn ending(&self) -> Option<&'static str> {
        self.play.game.outcome().map(|outcome| outcome.reason.name())
    }

    /// The title that a game for one has earned so far.
    #[getter]
    fn title(&self) -> Option<String> {
        self.play.game.solo_score().map(|score| score.title)
    }

    /// The same game once more, to try something out.
    fn copy(&self) -> Game {
        Game { play: Box::new(self.play.copy()), ahead: self.ahead.clone(), names: self.names.clone() }
    }

    /// For `pickle`.
    fn __reduce__<'py>(slf: &Bound<'py, Game>) -> PyResult<(Bound<'py, PyAny>, Saved)> {
        let game = slf.borrow();
        let answers = game.play.answers().map(texts);
        let state = game.play.game.state.to_bytes();
        let saved = (game.setup(), state, answers, texts(&game.ahead), game.names.clone());
        Ok((slf.get_type().getattr("_restored")?, saved))
    }

    #[staticmethod]
    fn _restored(
        setup: &str,
        state: Vec<u8>,
        answers: Option<Vec<String>>,
        ahead: Vec<String>,
        names: Option<Vec<(String, String)>>,
    ) -> Result<Game, Failure> {
        let setup: Setup = setup.parse()?;
        let (table, seed) = (Table::of_setup(&setup)?, setup.seed);
        let state = State::from_bytes(table.list.db, &state)?;
        let answers = answers.map(|answers| read(&answers)).transpose()?;
        let game = engine::Game { db: table.list.db, state };
        let play = Play::restored(&table, game, seed, answers);
        Ok(Game { play: Box::new(play), ahead: read(&ahead)?, names })
    }

    fn __copy__(&self) -> Game {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.copy()
    }

    /// A game that looks like this one to the seat: what it cannot know is dealt at random.
    fn sample(&self, seat: i64, seed: Number) -> Result<Game, Failure> {
        Ok(Game::of(self.play.sample(self.seat_of(seat)?, seed.0)))
    }

    /// The table in text as the seat sees it, or as a spectator does.
    #[pyo3(signature = (seat=None, colour=false))]
    fn render_text(&self, seat: Option<i64>, colour: bool) -> Result<String, Failure> {
        let seat = seat.map(|seat| self.seat_of(seat)).transpose()?;
        Ok(picture::text(&self.play, seat, colour))
    }

    /// The same as a picture: height, width, and three bytes for each point.
    #[pyo3(signature = (seat=None))]
    fn render_picture<'py>(&self, py: Python<'py>, seat: Option<i64>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let seat = seat.map(|seat| self.seat_of(seat)).transpose()?;
        let picture = picture::draw(&self.play.game.view(seat));
        PyArray1::from_vec(py, picture.points).reshape([picture.height, picture.width, 3])
    }

    /// The game as a file that `lair verify` and `lair replay` read. `names` are pairs of a name and who
    /// that is: `person`, or the kind of bot.
    #[pyo3(signature = (names=None))]
    fn record(&self, names: Option<Vec<(String, String)>>) -> Result<String, Failure> {
        let usual = || (1..=self.players()).map(|seat| (format!("p{seat}"), "program".to_owned())).collect();
        let names = names.or_else(|| self.names.clone()).unwrap_or_else(usual);
        if names.len() != self.players() {
            let (named, seats) = (names.len(), self.players());
            return Err(Failure::Wrong(format!(
                "{named} names for {seats} seats: give a name and a kind for each"
            )));
        }
        Ok(self.play.record(names)?.to_json())
    }

    /// How many answers the engine lists, equal cards one by one.
    #[getter]
    fn answers_listed(&self) -> usize {
        self.play.answers_listed()
    }

    /// Every answer that the engine lists, as a record writes it, with its action.
    fn answers(&self) -> Vec<(String, u32)> {
        self.play.listed().into_iter().map(|(text, code)| (text.to_string(), code)).collect()
    }

    fn __repr__(&self) -> String {
        format!("Game('{}')", self.setup())
    }
}

impl Game {
    pub fn of(play: Play) -> Game {
        Game { play: Box::new(play), ahead: Vec::new(), names: None }
    }

    fn seats(&self) -> impl Iterator<Item = Seat> {
        (0..self.players() as u8).map(Seat)
    }

    fn seat_of(&self, seat: i64) -> Result<Seat, Failure> {
        let found = self.seats().find(|there| i64::from(there.0) == seat);
        let most = self.players() - 1;
        found.ok_or_else(|| Failure::Wrong(format!("there is no seat {seat}: seats are 0 to {most}")))
    }
}
