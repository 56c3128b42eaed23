//! A bot that is asked only when a person would be: everywhere else the table passes for it.

use engine::view::View;
use engine::{Action, Actions, Attention, Decision, Question};

use crate::{Advice, Bot};

pub struct WithStops {
    bot: Box<dyn Bot>,
    attention: Attention,
}

impl WithStops {
    pub fn new(bot: Box<dyn Bot>) -> WithStops {
        WithStops { bot, attention: Attention::default() }
    }
}

impl Bot for WithStops {
    fn choose(&mut self, view: &View, legal: &Actions) -> Action {
        let Some(Decision { seat, question, .. }) = view.decision() else { return Action::Pass };
        let window = matches!(question, Question::Act | Question::Cancel);
        if window && !self.attention.is_called_for(view.table(), seat, question) {
            return Action::Pass;
        }
        let answer = self.bot.choose(view, legal);
        if window {
            self.attention.answered(view.table(), seat, question, answer);
        }
        answer
    }

    fn advise(&mut self, view: &View, legal: &Actions) -> Vec<Advice> {
        self.bot.advise(view, legal)
    }

    fn game_over(&mut self, view: &View) {
        self.attention = Attention::default();
        self.bot.game_over(view);
    }

    fn forfeit(&self) -> Option<String> {
        self.bot.forfeit()
    }
}
