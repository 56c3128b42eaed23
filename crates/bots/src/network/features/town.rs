//! The appended numbers of Super Boss Monster: landmarks, minions, the market, health tokens and ties; and what
//! decides a game for one.

use cards::vocabulary::{Class, Landmark};
use engine::{CardId, Fate, Game, Place, Ref, Seat, State, TieBreak};

use super::List;

/// The best score of a game for one, for scale.
const BEST_SCORE: i32 = 36;

pub(super) fn side(list: &mut List, game: &Game, seat: Seat, walk: &mut State) {
    let state = &game.state;
    list.add(tie_rank(game, seat));
    list.add(f32::from(u8::from(state.minion(seat) != Ref::NOTHING)));
    // Heroes at landmarks whom a minion could send here, and those of them who would die.
    let (mut within, mut dying) = (0, 0);
    for landmark in Landmark::ALL.iter().copied() {
        if let Some(hero) = state.hero_to_summon(landmark) {
            let dies = game.forecast_in(walk, hero, seat).fate == Fate::Dies;
            within += 1;
            dying += i32::from(dies);
        }
    }
    list.count(within, 3);
    list.count(dying, 3);
    let leads = game.db.classes.iter().filter(|class| leads(game, seat, *class)).count();
    list.count(leads as i32, 2);
    let alone = state.rules().players == 1;
    let score = if alone { game.souls(seat) - game.wounds(seat) } else { 0 };
    list.count(score.max(0), BEST_SCORE);
    let next = if alone { game.solo_score().and_then(|score| score.next) } else { None };
    list.count(next.map_or(0, |(_, needed)| needed - score), 7);
    let treasure: i32 = game.db.classes.iter().map(|class| game.treasure(seat, class)).sum();
    list.count(treasure, 8);
}

/// The share of the others who would lose a tie against this player.
fn tie_rank(game: &Game, seat: Seat) -> f32 {
    let state = &game.state;
    let xp = |seat: Seat| game.boss(seat).map_or(0, |boss| game.def(boss).xp);
    let highest = state.rules().edition().tie_break == TieBreak::HighestXp;
    let others = || state.seats().filter(|other| *other != seat);
    let beaten = others().filter(|other| (xp(seat) > xp(*other)) == highest).count();
    beaten as f32 / others().count().max(1) as f32
}

fn leads(game: &Game, seat: Seat, class: Class) -> bool {
    let mine = game.treasure(seat, class);
    mine > 0 && game.state.seats().all(|other| other == seat || game.treasure(other, class) < mine)
}

pub(super) fn table(list: &mut List, game: &Game) {
    let state = &game.state;
    let rules = state.rules();
    let edition = rules.edition();
    let flag = |is: bool| f32::from(u8::from(is));
    let places = edition.town_places(rules.players);
    list.add(flag(places.is_some()));
    list.add(flag(rules.players == 1));
    list.add(flag(edition.tavern_ends));
    let town = state.pile_len(Place::TOWN);
    list.count(places.map_or(0, |places| i32::from(places) - town as i32), 4);
    let landmarks = state.pile(Place::LANDMARK).count();
    list.count(landmarks as i32, 4);
    list.count(state.heroes_at(Landmark::Tavern).count() as i32, 2);
    list.count(state.pile_len(Place::MARKET) as i32, 4);
    list.count(state.pile(Place::TOWN).filter(|hero| game.lured_to(*hero).is_none()).count() as i32, 4);
    list.count(tokens(game, state.pile(Place::TOWN)), 4);
    list.count(i32::from(edition.heroes_a_turn(rules.players)), 4);
}

/// Health that tokens and abilities have added to these heroes.
fn tokens(game: &Game, heroes: impl Iterator<Item = CardId>) -> i32 {
    heroes.map(|hero| game.hero_health(hero) - i32::from(game.def(hero).health)).sum()
}
