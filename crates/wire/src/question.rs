//! A question and its answers, for programs and in words.

use cards::vocabulary::Class;
use engine::state::Space;
use engine::tell::{self, Names, Reader};
use engine::{Action, AskKind, CardId, Game, Question, Ref};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::card::Card;
use super::seat_number;

/// Who is asked, and what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Decision {
    pub seat: u8,
    pub kind: QuestionKind,
    /// What exactly is asked: `act`, `cancel`, `first_room`, `build_now`, `choose`, `option`, `may`,
    /// `which_first`, `keep_boss`, `mulligan`, `discard_two`, `machinations`, `machinations_deck`,
    /// `draft`, `place_minion` or `minion_asks`.
    pub question: String,
    /// As people read it.
    pub words: String,
    /// The card that asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Card>,
}

/// The five kinds of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum QuestionKind {
    /// Act, or pass.
    Priority,
    /// Where to build.
    Place,
    Pick,
    YesNo,
    /// Which of your abilities comes first.
    Order,
}

/// A possible answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Choice {
    #[serde(flatten)]
    pub act: Act,
    /// As people read it.
    pub words: String,
    /// What the card's name alone does not say, such as `your soul`; also part of `words`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Act {
    Pass,
    Yes,
    No,
    /// Cast a spell, or use an ability of a card.
    Use {
        card: Card,
        /// Which of its abilities, counted from 0.
        ability: u8,
    },
    /// Build a room.
    Build {
        card: Card,
        /// Whose dungeon.
        dungeon: u8,
        /// Which place of it, counted from 0 at the boss; one past the last is a new place.
        place: usize,
        /// The room that is there now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        on: Option<Card>,
    },
    /// Pay a coin for the miniboss's next level.
    Promote {
        card: Card,
    },
    /// Discard the room for a coin.
    Sell {
        card: Card,
    },
    /// Take the portable room back into hand.
    TakeBack {
        card: Card,
    },
    /// Choose a card, a player, a type of treasure, a number or one of a card's alternatives.
    Pick {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        card: Option<Card>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        player: Option<u8>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        class: Option<Class>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        option: Option<u8>,
        /// An action space of the town board.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        space: Option<Space>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        number: Option<u8>,
    },
}

impl Decision {
    /// The question of this table, worded for the reader.
    pub fn of(
        table: &Game,
        names: &(impl Names + ?Sized),
        reader: Reader,
        decision: engine::Decision,
    ) -> Decision {
        Decision {
            seat: seat_number(decision.seat),
            kind: match decision.kind {
                AskKind::Priority => QuestionKind::Priority,
                AskKind::Place(_) => QuestionKind::Place,
                AskKind::Pick => QuestionKind::Pick,
                AskKind::YesNo => QuestionKind::YesNo,
                AskKind::Order => QuestionKind::Order,
            },
            question: word(decision.question).into(),
            words: tell::question(table, names, reader),
            source: decision.source.map(|card| Card::of(table, card)),
        }
    }
}

fn word(question: Question) -> &'static str {
    match question {
        Question::Act => "act",
        Question::Cancel => "cancel",
        Question::FirstRoom => "first_room",
        Question::BuildNow => "build_now",
        Question::Choose(_) => "choose",
        Question::Arrange(_) => "arrange",
        Question::Number { .. } => "number",
        Question::Option => "option",
        Question::UseItem => "use_item",
        Question::TurnDown => "turn_down",
        Question::May => "may",
        Question::WhichFirst => "which_first",
        Question::KeepBoss => "keep_boss",
        Question::Mulligan => "mulligan",
        Question::DiscardTwo => "discard_two",
        Question::Machinations => "machinations",
        Question::MachinationsDeck => "machinations_deck",
        Question::Draft => "draft",
        Question::PlaceMinion => "place_minion",
        Question::MinionAsks(_) => "minion_asks",
    }
}

impl Choice {
    /// An answer to the question of this table.
    pub fn of(table: &Game, names: &(impl Names + ?Sized), reader: Reader, action: Action) -> Choice {
        let card = |card: CardId| Card::of(table, card);
        let act = match action {
            Action::Pass => Act::Pass,
            Action::Yes => Act::Yes,
            Action::No => Act::No,
            Action::Use { card: used, ability } => Act::Use { card: card(used), ability },
            Action::Build { card: room, spot } => {
                let seat = table.decision().map_or(engine::Seat::NONE, |decision| decision.seat);
                let at = spot.dungeon(seat);
                let on = at.exists().then(|| table.state.slots(at).get(spot.slot())).flatten();
                Act::Build {
                    card: card(room),
                    dungeon: seat_number(at),
                    place: spot.slot(),
                    on: on.map(|room| card(*room)),
                }
            }
            Action::Promote { card: miniboss } => Act::Promote { card: card(miniboss) },
            Action::Sell { card: room } => Act::Sell { card: card(room) },
            Action::TakeBack { card: room } => Act::TakeBack { card: card(room) },
            Action::Pick(r) => pick(table, r),
        };
        let picked = match action {
            Action::Pick(r) => r.as_card(),
            _ => None,
        };
        let note = picked.and_then(|card| tell::choice_note(table, names, reader, card));
        Choice { act, words: tell::action(table, names, reader, action), note }
    }
}

fn pick(table: &Game, r: Ref) -> Act {
    let question = table.decision().map(|decision| decision.question);
    let chosen = match question {
        Some(Question::WhichFirst) => table.ordered(r),
        _ => r.as_card(),
    };
    let number = r.as_number();
    let class = match question {
        Some(Question::Choose(_)) => number.and_then(|n| Class::ALL.get(usize::from(n)).copied()),
        _ => None,
    };
    let space = match question {
        Some(Question::PlaceMinion) => Space::of_ref(r),
        _ => None,
    };
    let asked = matches!(question, Some(Question::Number { .. }));
    Act::Pick {
        number: number.filter(|_| asked),
        card: chosen.map(|card| Card::of(table, card)),
        player: r.as_seat().map(seat_number),
        class,
        option: number.filter(|_| class.is_none() && space.is_none() && !asked),
        space,
    }
}
