//! A question for a bot on another machine, as bytes, and its answer.
//!
//! Invariants: what goes out is the view of the seat that is asked, and nothing else of the game; what comes back are
//! numbers of legal answers, which the asker checks. With the same program and cards the answer is the one a new bot
//! with this seed would have given here.

use std::sync::Arc;

use cards::CardDb;
use engine::view::View;
use engine::{Action, Actions};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Advice, Bot, BotLevel, BotSpec, Pace};

/// Where workers listen, and the name under which they share what is asked.
pub const SUBJECT: &str = "lair.1.think";
pub const QUEUE: &str = "think";
/// Which program speaks: another version may think otherwise.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");
/// A view is a few kilobytes.
const MOST: usize = 256 * 1024;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wants {
    /// The bot's answer.
    Answer,
    /// Its opinion of all answers.
    Advice,
}

/// A question, with all that is needed to answer it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    head: Head,
    view: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    program: String,
    /// The name of a built-in deck, and the hash of its cards.
    deck: String,
    cards: String,
    level: BotLevel,
    seed: u64,
    wants: Wants,
    /// How many answers there are.
    legal: usize,
}

/// What comes back: numbers of answers. A chance travels as its bits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    Answer(usize),
    Advice(Vec<(usize, Option<u64>)>),
    /// No core is free.
    Busy,
    /// This machine cannot answer it.
    Unable(String),
}

/// Why a question cannot be answered here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FarError {
    #[error("this is not a question")]
    NotAQuestion,
    #[error("it comes from lair {0}, and this is lair {PROGRAM}: install the same version on both machines")]
    Program(String),
    #[error(
        "the cards of the deck `{0}` are others here: use the same program and the same --cards on both machines"
    )]
    OtherCards(String),
    #[error("its view cannot be read: {0}")]
    View(String),
}

impl Question {
    pub fn new(view: &View, legal: usize, deck: &str, level: BotLevel, seed: u64, wants: Wants) -> Question {
        let head = Head {
            program: PROGRAM.into(),
            deck: deck.into(),
            cards: hex(&view.table().db.hash),
            level,
            seed,
            wants,
            legal,
        };
        Question { head, view: view.to_bytes() }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(&self.head).unwrap_or_default();
        bytes.push(b'\n');
        bytes.extend(&self.view);
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Question, FarError> {
        let end = bytes.iter().position(|byte| *byte == b'\n').filter(|_| bytes.len() <= MOST);
        let (head, view) = bytes.split_at(end.ok_or(FarError::NotAQuestion)?);
        let head: Head = serde_json::from_slice(head).map_err(|_| FarError::NotAQuestion)?;
        match head.program == PROGRAM {
            true => Ok(Question { head, view: view[1..].into() }),
            false => Err(FarError::Program(head.program.chars().take(40).collect())),
        }
    }

    /// The deck it is played with.
    pub fn deck(&self) -> &str {
        &self.head.deck
    }

    /// What the seat sees.
    pub fn view<'a>(&self, db: &'a CardDb) -> Result<View<'a>, FarError> {
        if hex(&db.hash) != self.head.cards {
            return Err(FarError::OtherCards(self.head.deck.chars().take(80).collect()));
        }
        View::from_bytes(db, &self.view).map_err(|error| FarError::View(error.to_string()))
    }

    /// The answer of a new bot. Paused and stopped by `pace`.
    pub fn answer(&self, db: &CardDb, pace: Option<Arc<dyn Pace>>) -> Result<Reply, FarError> {
        let view = self.view(db)?;
        let mut legal = Actions::new();
        view.legal(&mut legal);
        if legal.is_empty() || legal.len() != self.head.legal {
            return Err(FarError::View("it allows other answers here".into()));
        }
        let number = |action: Action| legal.iter().position(|one| *one == action);
        if legal.len() == 1 && self.head.wants == Wants::Answer {
            return Ok(Reply::Answer(0));
        }
        let bot = BotSpec::Level(self.head.level).seat(self.head.seed);
        let mut bot = bot.map_err(|error| FarError::View(error.to_string()))?;
        if let Some(pace) = pace {
            bot.set_pace(pace);
        }
        Ok(match self.head.wants {
            Wants::Answer => Reply::Answer(number(bot.choose(&view, &legal)).unwrap_or(0)),
            Wants::Advice => {
                let advice = bot.advise(&view, &legal).into_iter();
                let told = |Advice { action, chance }| Some((number(action)?, chance.map(f64::to_bits)));
                Reply::Advice(advice.filter_map(told).collect())
            }
        })
    }
}

impl Reply {
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// `None` for nonsense.
    pub fn from_bytes(bytes: &[u8]) -> Option<Reply> {
        serde_json::from_slice(bytes).ok().filter(|_| bytes.len() <= MOST)
    }

    /// The answer, if this is one of the legal ones.
    pub fn action(&self, legal: &Actions) -> Option<Action> {
        match self {
            Reply::Answer(number) => legal.get(*number).copied(),
            _ => None,
        }
    }

    /// The opinion, if it is about legal answers, each named once, and chances are chances.
    pub fn advice(&self, legal: &Actions) -> Option<Given> {
        let Reply::Advice(told) = self else { return None };
        let mut advice: Vec<Advice> = Vec::new();
        for (number, chance) in told {
            let (action, chance) = (*legal.get(*number)?, chance.map(f64::from_bits));
            let fits = chance.is_none_or(|chance| (0.0..=1.0).contains(&chance));
            if !fits || advice.iter().any(|given| given.action == action) {
                return None;
            }
            advice.push(Advice { action, chance });
        }
        (!advice.is_empty()).then_some(Given(advice))
    }
}

/// A bot that has been told what to think.
pub struct Given(Vec<Advice>);

impl Bot for Given {
    fn choose(&mut self, _: &View, legal: &Actions) -> Action {
        self.0.first().map_or(legal[0], |advice| advice.action)
    }

    fn advise(&mut self, _: &View, _: &Actions) -> Vec<Advice> {
        self.0.clone()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use engine::{Dealer, Rules};

    use super::*;
    use crate::BotRng;

    fn each_question(mut check: impl FnMut(&View, &Actions)) {
        let db = cards::library::base();
        for seed in 0..3 {
            let mut game = Dealer::new(&db, Rules::classic(3)).unwrap().deal([seed; 32], &mut ());
            let (mut rng, mut legal) = (BotRng::new(u64::from(seed)), Actions::new());
            while let Some(decision) = game.decision() {
                game.legal(&mut legal);
                check(&game.view(Some(decision.seat)), &legal);
                let answer = legal[rng.below(legal.len())];
                game.apply(answer, &mut ()).unwrap();
            }
        }
    }

    #[test]
    fn the_answer_is_the_one_that_would_have_been_given_here() {
        let mut asked = 0;
        each_question(|view, legal| {
            if legal.len() < 2 || asked > 200 {
                return;
            }
            asked += 1;
            let level = BotLevel::ALL[asked % 4];
            let ask = |wants| {
                let question = Question::new(view, legal.len(), "bmr", level, 7, wants).to_bytes();
                let there = Question::from_bytes(&question).unwrap();
                let reply = there.answer(view.table().db, None).unwrap().to_bytes();
                Reply::from_bytes(&reply).unwrap()
            };
            let bot = || BotSpec::Level(level).seat(7).unwrap();
            assert_eq!(ask(Wants::Answer).action(legal), Some(bot().choose(view, legal)));
            let given = ask(Wants::Advice).advice(legal).unwrap().advise(view, legal);
            assert_eq!(given, bot().advise(view, legal));
        });
        assert!(asked > 100);
    }

    #[test]
    fn nonsense_is_refused() {
        let mut once = true;
        each_question(|view, legal| {
            if !std::mem::take(&mut once) {
                return;
            }
            let n = legal.len();
            assert_eq!(Reply::Answer(n).action(legal), None);
            assert_eq!(Reply::Busy.action(legal), None);
            let half = Some(0.5f64.to_bits());
            for wrong in [
                vec![],
                vec![(n, half)],
                vec![(0, half), (0, half)],
                vec![(0, Some(1.5f64.to_bits()))],
                vec![(0, Some(f64::NAN.to_bits()))],
            ] {
                assert!(Reply::Advice(wrong).advice(legal).is_none());
            }
            for wrong in [&b""[..], b"{}", b"7", b"{\"Answer\":-1}"] {
                assert_eq!(Reply::from_bytes(wrong), None);
            }
            let question = Question::new(view, n, "bmr", BotLevel::Kobold, 1, Wants::Answer);
            let db = view.table().db;
            let mut other = question.clone();
            other.head.cards = String::new();
            assert_eq!(other.answer(db, None), Err(FarError::OtherCards("bmr".into())));
            let mut other = question.clone();
            other.head.legal += 1;
            assert!(matches!(other.answer(db, None), Err(FarError::View(_))));
            let mut other = question.clone();
            other.head.program = "0.0.1".into();
            assert_eq!(Question::from_bytes(&other.to_bytes()), Err(FarError::Program("0.0.1".into())));
            let bytes = question.to_bytes();
            for cut in 0..bytes.len() {
                let cut = Question::from_bytes(&bytes[..cut]);
                assert!(cut.is_err() || cut.is_ok_and(|question| question.answer(db, None).is_err()));
            }
        });
        assert!(!once);
    }
}
