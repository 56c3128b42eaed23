//! Answers as they are written, and the actions they mean.

use cards::vocabulary::Class;
use engine::state::Space;
use engine::{Action, Decision, Game, Question, Ref, Seat};

use crate::error::Problem;
use crate::names::{is_meant, meant, pointed};
use crate::parse::{Answer, Name, space_text};

/// Every name in the answer names a card.
pub(crate) fn check_names(game: &Game, answer: &Answer) -> Result<(), Problem> {
    match answer {
        Answer::Card(name)
        | Answer::Promote(name)
        | Answer::Sell(name)
        | Answer::TakeBack(name)
        | Answer::Level(name, _)
        | Answer::Build { card: name, on: None } => meant(game.db, name).map(|_| ()),
        Answer::Build { card, on: Some(on) } => {
            meant(game.db, card)?;
            meant(game.db, on).map(|_| ())
        }
        _ => Ok(()),
    }
}

/// Does the action match the answer?
pub(crate) fn fits(game: &Game, answer: &Answer, action: Action) -> Result<bool, Problem> {
    Ok(match (answer, action) {
        (Answer::Pass, Action::Pass) | (Answer::Yes, Action::Yes) | (Answer::No, Action::No) => true,
        (Answer::Option(n), Action::Pick(r)) => {
            let ordering = game.ordered(r).is_some();
            let numbers = matches!(
                game.decision().map(|asked| asked.question),
                Some(Question::Number { .. } | Question::Choose(_))
            );
            !ordering && !numbers && r.as_number().is_some_and(|number| number + 1 == *n)
        }
        (Answer::Player(seat), Action::Pick(r)) => r.as_seat() == Some(*seat),
        (Answer::Space(space), Action::Pick(r)) => {
            let asked = game.decision().map(|asked| asked.question);
            asked == Some(Question::PlaceMinion) && r == space.to_ref()
        }
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
        (Answer::Card(name), Action::Use { card, .. })
        | (Answer::Promote(name), Action::Promote { card })
        | (Answer::TakeBack(name), Action::TakeBack { card })
        | (Answer::Sell(name), Action::Sell { card }) => is_meant(game, name, card)?,
        (Answer::Level(name, level), Action::Use { card, ability }) => {
            let levels = &game.def(card).levels;
            let at = levels.iter().position(|text| text.activated.len() > usize::from(ability));
            at.is_some_and(|at| at + 1 == usize::from(*level)) && is_meant(game, name, card)?
        }
        (Answer::Number(n), Action::Pick(r)) => {
            let asked = game.decision().map(|asked| asked.question);
            matches!(asked, Some(Question::Number { .. })) && r.as_number() == Some(*n)
        }
        (Answer::Card(name), Action::Pick(r)) => match r.as_card().or_else(|| game.ordered(r)) {
            Some(card) => is_meant(game, name, card)?,
            None => false,
        },
        _ => false,
    })
}

/// An action as a scenario would write it.
pub(crate) fn action_text(game: &Game, action: Action) -> String {
    let seat = game.decision().map_or(Seat::NONE, |asked| asked.seat);
    let named = |card| {
        let owner = game.owner(card);
        let name = pointed(game, card);
        if owner.exists() && owner != seat { format!("{owner} {name}") } else { name }
    };
    match action {
        Action::Pass => "pass".into(),
        Action::Yes => "yes".into(),
        Action::No => "no".into(),
        Action::Use { card, .. } => named(card),
        Action::Promote { card } => format!("promote {}", named(card)),
        Action::Sell { card } => format!("discard {} for a coin", named(card)),
        Action::TakeBack { card } => format!("take back {}", named(card)),
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
            (_, _, Some(n))
                if game.decision().is_some_and(|asked| asked.question == Question::PlaceMinion) =>
            {
                Space::of_ref(Ref::number(n)).map_or("nothing".into(), space_text)
            }
            (_, _, Some(n))
                if matches!(game.decision(), Some(Decision { question: Question::Number { .. }, .. })) =>
            {
                n.to_string()
            }
            (_, _, Some(n)) => format!("option {}", u16::from(n) + 1),
            _ => "nothing".into(),
        },
    }
}
