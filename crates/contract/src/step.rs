//! One decision: the list of answers, what is refused, the state, and its bytes.

use engine::{Action, Actions, CardId, Event, Game, Illegal, Outcome, Ref, Seat, Spot, State, What};

use crate::{Broken, Dice, Kept, hold};

/// Somebody in the game is asked. Answers are listed in order, each once; where forced answers are not
/// asked, there is a choice.
pub fn asked(game: &Game, legal: &Actions) -> Kept {
    let asked = game.decision().is_some_and(|decision| game.state.in_game(decision.seat));
    hold(asked, || "nobody in the game is asked".into())?;
    let rules = game.state.rules();
    let least = if rules.ask_all || rules.cover { 1 } else { 2 };
    hold(legal.len() >= least, || format!("a question with too few answers: {legal:?}"))?;
    hold(legal.windows(2).all(|pair| pair[0] < pair[1]), || format!("not sorted: {legal:?}"))
}

/// The plain rules list the same answers.
pub fn plain(game: &Game, legal: &Actions) -> Kept {
    let plain = game.plain_legal();
    hold(plain[..] == legal[..], || format!("plain rules allow {plain:?}, the quick list is {legal:?}"))
}

/// Every answer of the list can be given, and changes something.
pub fn every_answer(game: &Game, legal: &Actions) -> Kept {
    let mut copy = game.clone();
    for action in legal.iter() {
        copy.clone_from(game);
        copy.apply(*action, &mut ()).map_err(|error| Broken(format!("{action:?} is refused: {error}")))?;
        hold(copy.state != game.state, || format!("{action:?} changes nothing"))?;
    }
    Ok(())
}

/// The list and the check of one action agree on everything that could be written; what is refused
/// changes nothing.
pub fn refusals(game: &Game, legal: &Actions, rounds: usize, dice: &mut Dice) -> Kept {
    let cards = game.state.card_count();
    let mut copy = game.clone();
    let mut try_one = |action: Action| {
        let listed = legal.contains(&action);
        hold(game.is_legal(action) == listed, || format!("{action:?}: listed {listed}, checked otherwise"))?;
        if listed {
            return Ok(());
        }
        hold(copy.apply(action, &mut ()).is_err(), || format!("{action:?} is not listed, and taken"))?;
        hold(copy.state == game.state, || format!("a refused {action:?} changed something"))
    };
    [Action::Pass, Action::Yes, Action::No].into_iter().try_for_each(&mut try_one)?;
    for _ in 0..rounds {
        let card = CardId(dice.below(cards + 3) as u16);
        let small = dice.below(9) as u8;
        try_one(Action::Use { card, ability: small })?;
        try_one(Action::Build { card, spot: Spot(small) })?;
        try_one(Action::Pick(Ref::card(card, small)))?;
        if card.index() < cards {
            try_one(Action::Pick(game.state.ref_of(card)))?;
        }
        try_one(Action::Pick(Ref::seat(Seat(small))))?;
        try_one(Action::Pick(Ref::number(small)))?;
        try_one(Action::Pick(Ref(dice.below(65_536) as u16)))?;
    }
    Ok(())
}

/// A game without questions is over: it told so last, and no answer is listed or taken any more.
pub fn over(game: &Game, last: &[Event]) -> Result<Outcome, Broken> {
    let outcome = game.outcome().ok_or_else(|| Broken("nothing is asked, and it is not over".into()))?;
    hold(game.state.pending().is_empty(), || "something is left declared".into())?;
    let told = matches!(last.last(), Some(Event { what: What::GameOver { .. }, .. }));
    hold(told, || "the last event is not the end of the game".into())?;
    let mut legal = Actions::new();
    game.legal(&mut legal);
    hold(legal.is_empty(), || "it is over, and an answer is listed".into())?;
    let refused = game.clone().apply(Action::Pass, &mut ());
    hold(refused == Err(Illegal::GameOver), || "it is over, and an answer is taken".into())?;
    Ok(outcome)
}

/// A state written as bytes reads back the same.
pub fn bytes(game: &Game) -> Kept {
    let read = State::from_bytes(game.db, &game.state.to_bytes());
    let back = read.map_err(|error| Broken(format!("its bytes cannot be read: {error}")))?;
    hold(back == game.state, || "its bytes read back as another state".into())
}

/// The state is sound: every card in one place, every number as it must be.
pub fn sound(game: &Game) -> Kept {
    game.state.check(game.db).map_err(|error| Broken(error.to_string()))
}
