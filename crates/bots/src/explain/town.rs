//! What speaks for a card of the market, and for a place for the minion (rules 14.3 and 14.4).

use cards::vocabulary::{Kind, Landmark, Phase};
use engine::state::{Errand, Space};
use engine::{CardId, Game, Ref, Seat};

pub fn market(table: &Game, me: Seat, card: CardId) -> String {
    let def = table.def(card);
    if def.kind == Kind::Spell {
        let when = match [Phase::Build, Phase::Adventure].map(|phase| def.castable_in(phase)) {
            [true, false] => "the Build phase",
            [false, true] => "the Adventure phase",
            _ => "either phase",
        };
        return format!("a spell for {when}");
    }
    let fits = || table.state.slots(me).iter().any(|room| table.def(*room).shares_icon(def));
    let damage = def.damage;
    match (def.advanced, damage) {
        (true, _) if fits() => format!("an advanced room with {damage} damage that you can build"),
        (true, _) => format!("an advanced room with {damage} damage, but nothing to build it on yet"),
        (false, 0) => "a room with treasure only".into(),
        (false, _) => format!("a room with {damage} damage"),
    }
}

pub fn minion(table: &Game, place: Ref) -> String {
    let Some(Space { landmark, errand }) = Space::of_ref(place) else {
        return place.as_card().map_or_else(
            || "as good as any".into(),
            |card| format!("for what {} does", table.def(card).face.short()),
        );
    };
    match (errand, landmark) {
        (Errand::Treasure, _) => "more treasure for your boss this turn".into(),
        (Errand::Summon, _) => match table.state.hero_to_summon(landmark) {
            Some(hero) => format!("you decide where {} goes", table.def(hero).face.short()),
            None => "as good as any".into(),
        },
        (Errand::Service, Landmark::Temple) => "a card left in the market".into(),
        (Errand::Service, Landmark::Stadium) => "draws a room".into(),
        (Errand::Service, Landmark::Library) => "draws a spell before you discard one".into(),
        (Errand::Service, Landmark::Hideout) => "your last room deals 2 more this turn".into(),
        (Errand::Service, _) => "mixes up a stack of rooms".into(),
    }
}
