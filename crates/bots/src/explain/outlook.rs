//! What an answer does, told before it is given: the sentences of the log, as far as nothing is left to chance or to a
//! later choice, and what it costs the player.
//!
//! Invariant: it tells only what the viewer may know, and only what the engine itself has played out.

use cards::english::capital;
use engine::tell::{self, Names, Reader};
use engine::view::View;
use engine::{Action, Actions, CardId, Event, Fate, Forecast, Game, Place, Question, Seat, What, Zone};

use super::STEPS;

/// What an answer leads to if nobody else does anything.
pub struct Outlook<'a> {
    /// Whole sentences; empty if there is nothing to tell.
    pub words: String,
    /// What it does to the player's own things.
    pub warning: Option<String>,
    /// The game afterwards, unless chance has a hand in it.
    pub after: Option<Game<'a>>,
}

/// How an answer would turn out. Later questions of the player end it.
pub fn outlook<'a>(view: &View<'a>, names: &(impl Names + ?Sized), action: Action) -> Option<Outlook<'a>> {
    let (decision, table) = (view.decision()?, view.table());
    let me = decision.seat;
    if let Action::Build { card, spot } = action
        && decision.question != Question::BuildNow
    {
        let (before, after) = (table.if_revealed(me), table.if_built(me, card, spot));
        let summary = super::effects(view, names, action);
        let mut told: Vec<String> =
            summary.map(|words| format!("{}.", opening(&words))).into_iter().collect();
        told.extend(walks(&before, &after, me));
        let words = told.join(" ");
        return Some(Outlook { words, warning: None, after: Some(after) });
    }
    if matches!(action, Action::Pass | Action::No) {
        return None;
    }
    let mut played = play(table, me, action)?;
    played.events.retain(|event| !is_of_others(table, me, event));
    let mut told: Vec<String> = tell::story(table.db, names, Reader::Seat(me), &played.events)
        .into_iter()
        .filter(|told| !is_plain(&told.event, &played.events, action))
        .map(|told| told.words)
        .collect();
    let warning = warning(table, &played.events, me).filter(|_| is_avoidable(view, me, action));
    if played.by_chance {
        told.push("Chance decides the rest.".into());
    } else if played.asked {
        told.push(format!("Next: {}", next_question(&played.game, names, me, action)));
    } else {
        told.extend(walks(&table.if_revealed(me), &played.game.if_revealed(me), me));
    }
    let after = Some(played.game).filter(|_| !played.by_chance);
    Some(Outlook { words: told.join(" "), warning, after })
}

/// A sentence begins, perhaps with a change such as `+2`.
fn opening(words: &str) -> String {
    if words.starts_with(['+', '-']) { words.into() } else { capital(words) }
}

/// What the player is asked next; the card that asks is named unless it is the one in use.
fn next_question(game: &Game, names: &(impl Names + ?Sized), me: Seat, action: Action) -> String {
    let asks = tell::question(game, names, Reader::Seat(me));
    let Action::Use { card, .. } = action else { return asks };
    let prefix = format!("{}: ", game.def(card).face.short());
    asks.strip_prefix(&prefix).map(str::to_owned).unwrap_or(asks)
}

/// What another player's action does that waits already: it happens either way.
fn is_of_others(table: &Game, me: Seat, event: &Event) -> bool {
    let mut waiting = table.state.pending().iter().filter(|action| action.code.you != me);
    event.cause.is_some_and(|cause| waiting.any(|action| action.code.source.as_card() == Some(cause.card)))
}

/// Does the button itself say it? That a card is used, unless its only target is named with it; what is picked; and
/// that something waits for its turn.
fn is_plain(event: &Event, all: &[Event], action: Action) -> bool {
    let chooses =
        |event: &Event| matches!(event.what, What::Chooses | What::ChoosesPlayer | What::ChoosesClass { .. });
    match event.what {
        What::Waits => true,
        What::Casts | What::Uses { .. } => !all.get(1).is_some_and(chooses),
        _ => matches!(action, Action::Pick(_)) && chooses(event),
    }
}

/// Not what has to be chosen anyway: a warning about a pick needs one that is somebody else's.
fn is_avoidable(view: &View, me: Seat, action: Action) -> bool {
    let mut legal = Actions::new();
    view.legal(&mut legal);
    let of_others = |action: &Action| match action {
        Action::Pick(r) => match (r.as_card(), r.as_seat()) {
            (Some(card), _) => view.state().card(card).place.seat() != me,
            (_, seat) => seat.is_some_and(|seat| seat != me),
        },
        _ => false,
    };
    !matches!(action, Action::Pick(_)) || legal.iter().any(of_others)
}

struct Played<'a> {
    game: Game<'a>,
    events: Vec<Event>,
    /// The player has a choice to make.
    asked: bool,
    /// What follows was not played out: it is random.
    by_chance: bool,
}

/// Plays until everything is done, or the player has to choose.
fn play<'a>(table: &Game<'a>, me: Seat, action: Action) -> Option<Played<'a>> {
    let (mut game, mut events) = (table.if_time_stops(), Vec::new());
    let (mut legal, mut asked) = (Actions::new(), false);
    game.apply(action, &mut events).ok()?;
    for _ in 0..STEPS {
        let Some(decision) = game.decision() else { break };
        game.legal(&mut legal);
        let own = decision.seat == me && !matches!(decision.question, Question::Act | Question::Cancel);
        if own && legal.len() > 1 {
            asked = true;
            break;
        }
        let idle = legal.iter().copied().find(|action| matches!(action, Action::Pass | Action::No));
        game.apply(idle.or(legal.first().copied())?, &mut events).ok()?;
    }
    let chance = events.iter().position(|event| matches!(event.what, What::Random | What::Reshuffled { .. }));
    events.truncate(chance.unwrap_or(events.len()));
    Some(Played { game, events, asked, by_chance: chance.is_some() })
}

/// `This destroys your own Dark Altar.`
fn warning(table: &Game, events: &[Event], me: Seat) -> Option<String> {
    let (mut losses, mut discards): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for event in events {
        let from = event.from.map_or(Seat::NONE, |from| from.place.seat());
        let name = event.card.map_or("it", |card| table.db.name(card.def));
        let zone = event.from.map(|from| from.place.zone());
        let loss = match event.what {
            What::Destroyed if from == me => format!("destroys your own {name}"),
            What::Deactivated if from == me => format!("deactivates your own {name}"),
            What::Discards if from == me && zone == Some(Zone::Hand) => {
                discards.push(name.into());
                continue;
            }
            What::Removed if from == me && zone == Some(Zone::Scoring) => {
                format!("costs you the soul of {name}")
            }
            What::TurnedOver { .. } if from == me => format!("turns your soul {name} into a wound"),
            What::Wounds { .. } if event.owner() == me => format!("lets {name} reach you"),
            What::DamageChanges { by, .. } if from == me && by < 0 => format!("weakens your own {name}"),
            _ => continue,
        };
        losses.push(loss);
    }
    losses.dedup();
    if !discards.is_empty() {
        losses.push(format!("discards your {}", list(&discards)));
    }
    (!losses.is_empty()).then(|| format!("This {}.", list(&losses)))
}

/// `a`, `a and b`, `a, b and c`
fn list(items: &[String]) -> String {
    match items {
        [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
        _ => items.concat(),
    }
}

/// How the heroes that come to the player will fare, where that has changed.
fn walks(before: &Game, after: &Game, me: Seat) -> Vec<String> {
    let heroes = after.state.card_ids().filter(|card| after.state.card(*card).place.is_roaming());
    let changed = heroes.filter_map(|hero| {
        let now = fares(after, hero, me)?;
        (fares(before, hero, me).as_ref() != Some(&now)).then(|| walk(after, hero, &now))
    });
    changed.take(2).collect()
}

/// The hero's walk through the player's dungeon, if it is there or will come.
fn fares(game: &Game, hero: CardId, me: Seat) -> Option<Forecast> {
    let place = game.state.card(hero).place;
    let comes = match place {
        Place::TOWN => game.lured_to(hero) == Some(me),
        _ => place.is_roaming() && place.seat() == me,
    };
    comes.then(|| game.forecast(hero, me))
}

/// `Samurai Tom: 3 damage in Golem Factory, dies in Bottomless Pit.`
fn walk(game: &Game, hero: CardId, forecast: &Forecast) -> String {
    let mut steps: Vec<String> = Vec::new();
    let dies = forecast.fate == Fate::Dies;
    let last = forecast.rooms.len().saturating_sub(usize::from(dies));
    for visit in forecast.rooms[..last].iter().filter(|visit| visit.damage > 0) {
        steps.push(format!("{} damage in {}", visit.damage, game.name(visit.room)));
    }
    let left = game.hero_health(hero) - forecast.rooms.last().map_or(0, |visit| visit.taken);
    steps.push(match (forecast.fate, forecast.rooms.last()) {
        (Fate::Dies, Some(room)) => format!("dies in {}", game.name(room.room)),
        (Fate::Dies, None) => "dies".into(),
        (Fate::Wounds, _) => format!("reaches you with {left} health left"),
        (Fate::StaysOut, _) => "stays outside".into(),
    });
    format!("{}: {}.", game.def(hero).face.short(), steps.join(", "))
}
