//! Why a card cannot be used now, in a sentence for the player who holds it.

use cards::code::{CondCode, CondId, Query, QueryId, SelectorCode, SiteCode, WhoCode};
use cards::vocabulary::{Kind, Noun, Phase, Zone};

use super::phrase::{Count, Phrases, Prep, class_list, noun_word};
use super::{Names, Reader, Voice};
use crate::model::id::*;
use crate::{Game, WhyNot};

/// The reason as the player reads it.
pub fn why_not(
    game: &Game,
    names: &(impl Names + ?Sized),
    reader: Reader,
    card: CardId,
    why: WhyNot,
) -> String {
    let voice = Voice { names, reader };
    let name = game.name(card);
    match why {
        WhyNot::GameOver => "The game is over.".into(),
        WhyNot::NotAsked(seat) => format!("Not yet: it is {} move.", voice.whose(seat)),
        WhyNot::OtherQuestion => "Not now: this question comes first.".into(),
        WhyNot::CannotAnswer(Some(newest)) => {
            format!("{name} cannot cancel {}.", game.name(newest))
        }
        WhyNot::CannotAnswer(None) => format!("{name} cannot cancel anything."),
        WhyNot::NotBuildPhase => "You build in the Build phase only.".into(),
        WhyNot::NotYourBuild { over: true } => "You had your chance to build this turn.".into(),
        WhyNot::NotYourBuild { over: false } => {
            format!("{} is building. Your chance comes next.", voice.player(game.state.active()))
        }
        WhyNot::AlreadyBuilt => "You have built your room for this turn.".into(),
        WhyNot::NoTreasure(classes) => format!(
            "Goes on a room with matching treasure: you have none with {}.",
            class_list(classes, "or")
        ),
        WhyNot::TreasureHidden(classes) => format!(
            "Goes on a room with {} treasure, and yours is face down or deactivated.",
            class_list(classes, "or")
        ),
        WhyNot::NoPlace => "There is no place to build it: every room is face down or deactivated.".into(),
        WhyNot::MinibossNear => "Goes on a room with no miniboss there or next door: you have none.".into(),
        WhyNot::NoRoomForMiniboss => "Goes on a room, and yours are face down or deactivated.".into(),
        WhyNot::NotYourTimeToPromote => format!("You can promote {name} when it is your time to build."),
        WhyNot::HasPromoted => "You have promoted a miniboss this turn.".into(),
        WhyNot::MinibossNew => format!("You can promote {name} from the next turn on."),
        WhyNot::NoCoin => format!("Promoting {name} costs a coin, and you have none."),
        WhyNot::WrongPhase(phases) => {
            let only = Phase::ALL.into_iter().filter(|phase| phases.has(*phase));
            let names: Vec<String> = only.map(|phase| phase.title().into()).collect();
            format!("Only in the {} phase.", super::list_with(&names, "or"))
        }
        WhyNot::UsedUp => format!("{name} has been used this turn."),
        WhyNot::FromHand if game.state.card(card).place.zone() == Zone::Hand => {
            format!("{name} has to be in your dungeon first.")
        }
        WhyNot::FromHand => "You can use this from your hand only.".into(),
        WhyNot::ForOthers => "Only your opponents can use this.".into(),
        WhyNot::FaceDown => "It is still face down.".into(),
        WhyNot::Deactivated if game.def(card).kind == Kind::Miniboss => {
            format!("The room of {name} is deactivated until end of turn.")
        }
        WhyNot::Deactivated => format!("{name} is deactivated until end of turn."),
        WhyNot::SwitchedOff => format!("The text of {name} is switched off for now."),
        WhyNot::NotLevelledUp => "Your boss levels up when your dungeon first has five rooms.".into(),
        WhyNot::Covered => "It lies under another room.".into(),
        WhyNot::ItemTurned => format!("{name} lies face down: its use is gone."),
        WhyNot::ItemNew => format!("You can use {name} from the next turn on."),
        WhyNot::Passive if game.def(card).face.text.is_empty() => {
            format!("{name} has no ability: damage and treasure are all it needs.")
        }
        WhyNot::Passive if game.def(card).level_up.is_some() => {
            format!("{} has levelled up, and that happens only once.", game.def(card).face.short())
        }
        WhyNot::Passive => format!("{name} works by itself. There is nothing for you to do."),
        WhyNot::NoCandidates { query, count, at } => {
            let phrases = Phrases { game, voice: &voice, ctx: at.ctx() };
            match phrases.leaves_out(query) {
                true => as_printed(game, card),
                false => no_candidates(&phrases, query, count),
            }
        }
        WhyNot::Condition(cond) => condition(game, card, cond),
        WhyNot::Forbidden(Some(by)) if by == card => format!("{name} does not allow it."),
        WhyNot::Forbidden(Some(by)) => format!("{} does not allow it.", game.name(by)),
        WhyNot::Forbidden(None) => "A rule in play does not allow it.".into(),
        WhyNot::TooMuch => "Too much is going on: let some of it happen first.".into(),
    }
}

fn no_candidates<N: Names + ?Sized>(phrases: &Phrases<N>, query: QueryId, count: u8) -> String {
    if let Query::Selector(selector) = &phrases.game.db.queries[query.index()]
        && let SiteCode::In { zones, .. } = selector.site
        && zones.iter().any(|zone| zone == Zone::Pending)
        && zones.iter().count() == 1
    {
        return match selector.noun {
            Noun::Spell => "There is no spell to cancel right now.".into(),
            noun => format!("No {} is being used right now.", noun_word(noun)),
        };
    }
    if let Query::Selector(SelectorCode { site: SiteCode::In { zones, who }, .. }) =
        &phrases.game.db.queries[query.index()]
        && zones.iter().count() == 1
        && zones.iter().all(|zone| zone == Zone::Scoring)
    {
        let thing = noun_word(phrases.noun(query));
        match who {
            WhoCode::You => return format!("You have no {thing}."),
            WhoCode::Opponents => return format!("No opponent has a {thing}."),
            _ => {}
        }
    }
    match count {
        1 => format!("There is {}.", phrases.query(query, Count::No, Prep::In)),
        n => format!("It takes {}, and there are fewer.", phrases.query(query, Count::Some(n), Prep::In)),
    }
}

fn condition(game: &Game, card: CardId, cond: CondId) -> String {
    match game.db.conds[cond.index()] {
        CondCode::Not(inner) if game.db.conds[inner.index()] == CondCode::Done => {
            "Your time to build is over for this turn.".into()
        }
        CondCode::Active => "Only while it is your turn.".into(),
        _ => as_printed(game, card),
    }
}

/// The card says best what it asks for.
fn as_printed(game: &Game, card: CardId) -> String {
    format!("Not as things stand. It says: {}", game.def(card).face.text.join(" "))
}
