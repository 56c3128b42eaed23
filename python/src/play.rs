//! One game in progress: who is asked, what can be answered, what the seat sees, and what it comes to.
//! Invariant: what is shown of it to a seat comes from that seat's sight or view.

use std::sync::Arc;

use bots::{BotRng, BotSpec, SeatedBot};
use engine::record::{ActionText, Record, SeatText};
use engine::tell::{self, Numbers, Reader};
use engine::view::View;
use engine::{Action, Actions, Game, Seat, Seed};

use crate::actions::{Asked, Choice};
use crate::error::Failure;
use crate::table::Table;

/// Far more than any real game; one that reaches it is broken off.
pub const MOST_DECISIONS: usize = 50_000;

pub struct Play {
    pub table: Arc<Table>,
    pub game: Game<'static>,
    seed: Seed,
    /// Every answer so far, unless the game began in the middle.
    answers: Vec<Action>,
    /// A game that was sampled has no record.
    from_deal: bool,
    legal: Actions,
    /// What can be answered now.
    choices: Vec<Choice>,
    /// Who is asked; nobody when the game is over.
    asked: Option<Seat>,
}

impl Play {
    pub fn new(table: &Arc<Table>, seed: Seed) -> Play {
        let game = table.dealer.deal(seed.0, &mut ());
        Play::begin(table, game, seed, true)
    }

    fn begin(table: &Arc<Table>, game: Game<'static>, seed: Seed, from_deal: bool) -> Play {
        let mut play = Play {
            table: table.clone(),
            game,
            seed,
            answers: Vec::new(),
            from_deal,
            legal: Actions::new(),
            choices: Vec::new(),
            asked: None,
        };
        play.look();
        play
    }

    /// A game in progress; without its answers it has no record.
    pub fn restored(
        table: &Arc<Table>,
        game: Game<'static>,
        seed: Seed,
        answers: Option<Vec<Action>>,
    ) -> Play {
        let from_deal = answers.is_some();
        Play { answers: answers.unwrap_or_default(), ..Play::begin(table, game, seed, from_deal) }
    }

    /// Every answer since the deal, unless the game began in the middle.
    pub fn answers(&self) -> Option<&[Action]> {
        self.from_deal.then_some(&self.answers)
    }

    pub fn deal_again(&mut self, seed: Seed) {
        self.seed = seed;
        self.table.dealer.deal_again(&mut self.game, seed.0, &mut ());
        self.answers.clear();
        self.from_deal = true;
        self.look();
    }

    /// The same game once more, to try things out in.
    pub fn copy(&self) -> Play {
        Play {
            answers: self.answers.clone(),
            ..Play::begin(&self.table, self.game.clone(), self.seed, self.from_deal)
        }
    }

    /// A game that looks like this one to the seat; what the seat cannot know is dealt at random.
    pub fn sample(&self, seat: Seat, seed: u64) -> Play {
        let game = self.game.view(Some(seat)).sample(seed);
        Play::begin(&self.table, game, Seed::from(seed), false)
    }

    /// Reads the question.
    fn look(&mut self) {
        self.choices.clear();
        let asked = Asked::of(&self.table.list, &self.game);
        self.asked = asked.as_ref().map(|asked| asked.me);
        if let Some(asked) = asked {
            self.game.legal(&mut self.legal);
            self.table.actions.choices(&asked, &self.legal, &mut self.choices);
        }
    }

    pub fn seat(&self) -> Option<Seat> {
        self.asked
    }

    pub fn is_over(&self) -> bool {
        self.seat().is_none()
    }

    /// Too many decisions: it would never end.
    pub fn is_endless(&self) -> bool {
        self.game.state.decisions() as usize >= MOST_DECISIONS
    }

    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// How many different answers the engine lists, equal cards counted one by one.
    pub fn answers_listed(&self) -> usize {
        if self.is_over() { 0 } else { self.legal.len() }
    }

    /// Marks the actions that can be taken.
    pub fn mask<T: Copy>(&self, out: &mut [T], mark: T) {
        for choice in &self.choices {
            out[choice.code as usize] = mark;
        }
    }

    pub fn is_legal(&self, code: i64) -> bool {
        self.choices.iter().any(|choice| i64::from(choice.code) == code)
    }

    /// What the seat sees, as numbers, into nothing but zeros.
    pub fn observe(&self, seat: Seat, out: &mut [f32]) {
        self.table.observation.fill(&self.table.list, self.game.sight(Some(seat)), out);
    }

    pub fn step(&mut self, code: i64) -> Result<(), Failure> {
        let Some(seat) = self.seat() else { return Err(Failure::Over) };
        let chosen = self.choices.iter().find(|choice| i64::from(choice.code) == code);
        let Some(choice) = chosen else { return Err(Failure::Illegal(self.refusal(seat, code))) };
        self.apply(choice.action)
    }

    pub fn apply(&mut self, action: Action) -> Result<(), Failure> {
        self.game.apply(action, &mut ()).map_err(|error| Failure::Illegal(error.to_string()))?;
        self.answers.push(action);
        self.look();
        Ok(())
    }

    /// Why the action cannot be taken.
    pub fn refused(&self, code: i64) -> String {
        self.seat().map_or_else(|| Failure::Over.to_string(), |seat| self.refusal(seat, code))
    }

    fn refusal(&self, seat: Seat, code: i64) -> String {
        let names = &self.table.actions.names;
        let Some(name) = usize::try_from(code).ok().and_then(|code| names.get(code)) else {
            return format!("there is no action {code}: actions are 0 to {}", names.len() - 1);
        };
        let known: Vec<String> =
            self.choices.iter().take(6).map(|choice| self.name_of(choice.code)).collect();
        let more = if self.choices.len() > known.len() { ", ..." } else { "" };
        format!("action {code} ({name}) is not legal for {seat} now; legal are {}{more}", known.join(", "))
    }

    fn name_of(&self, code: u32) -> String {
        format!("{code} ({})", self.table.actions.names[code as usize])
    }

    /// A bot answers for the seat that is asked.
    pub fn let_bot(&mut self, bot: &mut SeatedBot) -> Result<(), Failure> {
        let action = self.advice(bot)?;
        self.apply(action)
    }

    /// What the bot would answer.
    pub fn advice(&self, bot: &mut SeatedBot) -> Result<Action, Failure> {
        let seat = self.seat().ok_or(Failure::Over)?;
        Ok(bot.answer(&self.game, seat, &self.legal))
    }

    /// The action of a legal answer; equal cards have the same one.
    pub fn code_of(&self, action: Action) -> u32 {
        let exact = self.choices.iter().find(|choice| choice.action == action);
        let code = exact.map(|choice| choice.code);
        code.unwrap_or_else(|| {
            let asked = Asked::of(&self.table.list, &self.game);
            asked.map_or(0, |asked| self.table.actions.like(&asked, &self.choices, action))
        })
    }

    /// What every seat gets at the end: 1 for the winner, and the others lose that together. Alone: the score.
    pub fn returns(&self, out: &mut [f32]) {
        out.fill(0.0);
        if let Some(score) = self.game.solo_score() {
            out[0] = score.score as f32;
            return;
        }
        let Some(winner) = self.game.outcome().map(|outcome| outcome.winner).filter(|seat| seat.exists())
        else {
            return;
        };
        out.fill(-1.0 / (out.len() as f32 - 1.0).max(1.0));
        out[winner.index()] = 1.0;
    }

    /// Souls less wounds.
    pub fn score(&self, seat: Seat) -> i32 {
        self.game.souls(seat) - self.game.wounds(seat)
    }

    /// The view of the seat that is asked.
    fn view(&self) -> Option<View<'static>> {
        Some(self.game.view(Some(self.asked?)))
    }

    /// The question and its answers in words, as the seat that is asked reads them.
    pub fn question(&self) -> Option<String> {
        let view = self.view()?;
        Some(tell::question(view.table(), &Numbers, Reader::from(view.viewer())))
    }

    pub fn words(&self) -> Vec<(u32, String)> {
        let Some(view) = self.view() else { return Vec::new() };
        let reader = Reader::from(view.viewer());
        let word =
            |choice: &Choice| (choice.code, tell::action(view.table(), &Numbers, reader, choice.action));
        self.choices.iter().map(word).collect()
    }

    /// The game as it is kept in a file: played again from the deal.
    pub fn record(&self, names: Vec<(String, String)>) -> Result<Record, Failure> {
        if !self.from_deal {
            return Err(Failure::Wrong("a sampled game has no record: it did not begin with a deal".into()));
        }
        let Table { rules, deck, list, .. } = &*self.table;
        let seats = names.into_iter().map(|(name, kind)| SeatText { name, kind }).collect();
        let mut record = Record::new(*rules, self.seed, deck, list.db, seats);
        let mut game = self.table.dealer.deal(self.seed.0, &mut ());
        for action in &self.answers {
            game.apply(*action, &mut ()).map_err(|error| Failure::Illegal(error.to_string()))?;
            record.push(*action, &game);
        }
        Ok(record)
    }

    /// Every answer that the engine lists, with its action.
    pub fn listed(&self) -> Vec<(ActionText, u32)> {
        let listed = if self.is_over() { &[][..] } else { &self.legal[..] };
        listed.iter().map(|action| (ActionText(*action), self.code_of(*action))).collect()
    }

    pub fn seed(&self) -> Seed {
        self.seed
    }
}

/// Bots for the seats of one game: `None` where somebody else answers.
pub fn seat_bots(specs: &[Option<BotSpec>], seed: u64) -> Vec<Option<SeatedBot>> {
    let mut rng = BotRng::new(seed);
    let mut seated = |spec: &Option<BotSpec>| {
        let seed = rng.seed();
        spec.as_ref().map(|spec| SeatedBot::new(spec, seed))
    };
    specs.iter().map(&mut seated).collect()
}
