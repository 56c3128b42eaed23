//! Hidden information: what a player may not see must not show in views, answers and events.

use std::collections::BTreeMap;

use engine::sight::Sight;
use engine::view::View;
use engine::{Action, Actions, Event, Game, Question, Seat, What, Zone};

use crate::{Broken, Dice, Kept, hold, step};

/// Viewers of a game: every seat and a spectator.
pub fn viewers(players: u8) -> impl Iterator<Item = Option<Seat>> {
    (0..players).map(|seat| Some(Seat(seat))).chain([None])
}

/// A sample of what a viewer sees is a sound state, looks the same, and allows the same.
pub fn samples(game: &Game, seed: u64) -> Kept {
    let Some(decision) = game.decision() else { return Ok(()) };
    let (mut legal, mut others) = (Actions::new(), Actions::new());
    game.legal(&mut legal);
    for viewer in viewers(game.state.rules().players) {
        let view = game.view(viewer);
        let sample = view.sample(seed);
        step::sound(&sample).map_err(|Broken(what)| Broken(format!("a sample for {viewer:?}: {what}")))?;
        hold(sample.view(viewer) == view, || format!("a sample for {viewer:?} looks different"))?;
        alike(game.sight(viewer), sample.sight(viewer))?;
        if viewer == Some(decision.seat) {
            sample.legal(&mut others);
            let question = decision.question;
            hold(legal[..] == others[..], || format!("{question:?}: hidden cards change what is allowed"))?;
            view.legal(&mut others);
            hold(legal[..] == others[..], || format!("{question:?}: the view allows something else"))?;
        }
    }
    Ok(())
}

/// A sample tells the viewer what the game tells.
fn alike(game: Sight, sample: Sight) -> Kept {
    let viewer = game.viewer();
    for id in game.cards() {
        let card = |sight: Sight| {
            let sums = match sight.place(id) {
                place if place.is_dungeon() => (sight.room_damage(id), 0),
                place if place.is_roaming() => (sight.hero_health(id), sight.hero_damage(id)),
                _ => (0, 0),
            };
            let lies = (sight.is_facedown(id), sight.is_deactivated(id), sight.is_new(id), *sight.marks(id));
            (sight.def_id(id), sight.place(id), sight.seen_by(id), sight.host(id), lies, sums)
        };
        hold(card(game) == card(sample), || {
            format!("{viewer:?} sees {:?}, and in a sample {:?}", card(game), card(sample))
        })?;
    }
    for seat in game.order() {
        let sums = |sight: Sight| {
            let owned = (sight.coins(*seat), sight.levelled(*seat), sight.boss(*seat));
            (sight.souls(*seat), sight.wounds(*seat), sight.treasure(*seat), owned)
        };
        hold(sums(game) == sums(sample), || {
            format!("{viewer:?} counts {:?}, and in a sample {:?}", sums(game), sums(sample))
        })?;
    }
    let lures = |sight: Sight| sight.lures().collect::<Vec<_>>();
    hold(lures(game) == lures(sample), || format!("{viewer:?} sees other heroes lured in a sample"))
}

/// Events and views name only what their viewer has seen. Counts the cards that were hidden.
pub fn shown(game: &Game, events: &[Event]) -> Result<usize, Broken> {
    let mut hidden = 0;
    for viewer in viewers(game.state.rules().players) {
        for event in events {
            for card in event.for_viewer(game.db, viewer).cards() {
                if game.db.is_blank(card.def) {
                    hidden += 1;
                } else {
                    hold(card.seen.shows(viewer), || format!("{event:?} shows {viewer:?} too much"))?;
                }
            }
        }
        no_secret(game, viewer, &game.view(viewer))?;
    }
    Ok(hidden)
}

/// Hands, decks and face-down rooms of others are blank in a view.
fn no_secret(game: &Game, viewer: Option<Seat>, view: &View) -> Kept {
    use Zone::*;
    for id in game.state.card_ids() {
        let card = game.state.card(id);
        let theirs = card.place.seat() != viewer.unwrap_or(Seat::NONE);
        let hidden = match card.place.zone() {
            RoomDeck | SpellDeck | HeroDeck | EpicDeck | ItemDeck => !game.has_seen(id, viewer),
            Hand => theirs && !game.has_seen(id, viewer),
            // Who gave it away knows it.
            Dungeon => theirs && game.is_facedown(id) && !game.has_seen(id, viewer),
            _ => false,
        };
        if hidden {
            let (name, at) = (game.name(id), card.place);
            let blank = game.db.is_blank(view.state().card(id).def);
            hold(blank, || format!("{viewer:?} sees {name} at {at:?}"))?;
        }
    }
    Ok(())
}

/// What two worlds were compared by.
#[derive(Default)]
pub struct Tally {
    pub answers: u32,
    /// Those where there were others to choose from in the other world.
    pub unlike: u32,
    /// Questions with one answer, by kind.
    pub forced: BTreeMap<String, u32>,
}

/// With `cover`, whatever a player answers brings the same questions and events to the others,
/// whatever else the player holds. The worlds may differ only once somebody else is shown a card that
/// differs.
pub fn another_hand(game: &Game, seed: u64, dice: &mut Dice, tally: &mut Tally) -> Kept {
    // In the middle of an ability, the question may follow from the hand.
    use Question::*;
    let Some(decision) = game.decision() else { return Ok(()) };
    if !matches!(decision.question, Act | Cancel | Mulligan | DiscardTwo | FirstRoom | May) {
        return Ok(());
    }
    let other = Seat(dice.below(game.state.rules().players.into()) as u8);
    let hidden = if dice.below(4) > 0 { decision.seat } else { other };
    let world = game.with_other_secrets(hidden, seed << 8 | dice.below(256) as u64);
    two_worlds(game.clone(), world, hidden, dice, tally)
}

/// Plays both worlds on alike for a few answers.
fn two_worlds(mut one: Game, mut two: Game, hidden: Seat, dice: &mut Dice, tally: &mut Tally) -> Kept {
    let (mut actions, mut others) = (Actions::new(), Actions::new());
    let watchers = || viewers(one.state.rules().players).filter(|viewer| *viewer != Some(hidden));
    let watchers: Vec<_> = watchers().collect();
    for _ in 0..6 {
        let Some(decision) = one.decision() else { return Ok(()) };
        // Nor does what is at stake for the player who is asked, by which tables decide whom to ask.
        let stakes = |game: &Game| game.occasion(decision.seat, decision.question);
        hold(stakes(&one) == stakes(&two), || {
            format!("seat {} hides, other stakes: {decision:?}", hidden.0)
        })?;
        one.legal(&mut actions);
        two.legal(&mut others);
        if actions.len() == 1 && actions[0] != Action::Pass {
            *tally.forced.entry(format!("{:?}", decision.question)).or_default() += 1;
        }
        let same = |card| one.def_id(card) == two.def_id(card);
        let alike = |action: &Action| !matches!(action, Action::Use { card, .. } if !same(*card));
        let both = |action: &Action| others.contains(action) && alike(action);
        let common: Vec<Action> = actions.iter().copied().filter(both).collect();
        if common.is_empty() {
            return Ok(());
        }
        let action = dice.among(&common);
        let because = decision.source.map(|card| one.name(card));
        let place = || format!("seat {} hides, {action:?} because of {because:?}", hidden.0);
        let (mut told, mut told_there): (Vec<Event>, Vec<Event>) = Default::default();
        let refused = |_| Broken(format!("{}: refused", place()));
        one.apply(action, &mut told).map_err(refused)?;
        two.apply(action, &mut told_there).map_err(refused)?;
        let shown = |card| watchers.iter().any(|who| one.has_seen(card, *who) && two.has_seen(card, *who));
        // It may be back in a deck by now.
        let passing = told.iter().flat_map(|here| told_there.iter().map(move |there| (here, there)));
        let passing =
            passing.filter_map(|(here, there)| Some((here.card?, there.card?))).any(|(here, there)| {
                let known = |who: &Option<Seat>| here.seen.shows(*who) && there.seen.shows(*who);
                here.card == there.card && here.def != there.def && watchers.iter().any(known)
            });
        if passing || one.state.card_ids().any(|card| one.def_id(card) != two.def_id(card) && shown(card)) {
            return Ok(());
        }
        if drawn_apart(&one, hidden, &told, &told_there)
            .map_err(|Broken(what)| Broken(format!("{}: {what}", place())))?
        {
            return Ok(());
        }
        if has_none(&one, &told, &two, &told_there, hidden)
            || has_none(&two, &told_there, &one, &told, hidden)
        {
            return Ok(());
        }
        tally.answers += 1;
        tally.unlike += u32::from(actions[..] != others[..]);
        let asked = |game: &Game| game.decision().map(|next| (next.seat, next.kind));
        hold(asked(&one) == asked(&two), || {
            format!("{}: then asked {:?} or {:?}", place(), asked(&one), asked(&two))
        })?;
        for viewer in &watchers {
            let seen = |events: &[Event]| {
                events.iter().map(|event| event.for_viewer(one.db, *viewer)).collect::<Vec<_>>()
            };
            let (here, there) = (seen(&told), seen(&told_there));
            hold(here == there, || format!("{}: {viewer:?} is told {here:?} or {there:?}", place()))?;
        }
    }
    Ok(())
}

/// A player who must choose a card of the hand and has none gives none away, which everybody sees: asked
/// here, or without a choice, and there nothing went from the hand for that card.
fn has_none(here: &Game, told: &[Event], there: &Game, told_there: &[Event], hidden: Seat) -> bool {
    let asked = |game: &Game| {
        let decision = game.decision().filter(|decision| decision.seat == hidden)?;
        matches!(decision.question, Question::Choose(_)).then_some(decision.source?)
    };
    let chose = told.iter().filter(|event| event.what == What::Chooses && event.actor == hidden);
    let chose = chose.filter_map(|event| Some(event.cause?.card));
    let went = |event: &Event, source| {
        event.cause.is_some_and(|cause| cause.card == source)
            && event.from.is_some_and(|at| at.place.is_hand_of(hidden))
    };
    asked(here)
        .into_iter()
        .chain(chose)
        .any(|source| asked(there) != Some(source) && !told_there.iter().any(|event| went(event, source)))
}

/// What goes from a hand by chance follows from the hand: another card in each world, or in one of them
/// none at all. That chance picked is told in both, or it would tell how many there were to pick from.
fn drawn_apart(game: &Game, hidden: Seat, here: &[Event], there: &[Event]) -> Result<bool, Broken> {
    let by_chance = |event: &&Event| {
        let text = event.cause.map(|card| &game.db.def(card.def).face.text);
        text.is_some_and(|lines| lines.iter().any(|line| line.contains("random")))
    };
    let goes = |event: &&Event| event.from.is_some_and(|at| at.place.is_hand_of(hidden)) && by_chance(event);
    let cards = |events: &[Event]| events.iter().filter(goes).map(|event| event.card).collect::<Vec<_>>();
    let count = |events: &[Event], random: bool| {
        events.iter().filter(goes).filter(|event| (event.what == What::Random) == random).count()
    };
    let apart = cards(here) != cards(there);
    if apart && count(here, false) == count(there, false) {
        hold(count(here, true) == count(there, true), || "chance is told in one world only".into())?;
    }
    Ok(apart)
}
