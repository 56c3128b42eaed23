//! Games steered toward what has not happened yet, until every ability of every card has been used,
//! every "may" answered both ways and every alternative taken. What was never reached is listed and
//! fails the test.

mod common;

use cards::vocabulary::Kind;
use std::collections::BTreeSet;

use cards::CardDb;
use cards::code::{DefId, Op, PatternCode, UnitKind};
use cards::db::Def;
use common::{BOUND, DB, Dice, compiled, deck, key, rules};
use engine::{Action, Actions, Event, Game, Place, Question, Rules, Ruleset, Seat, What, Zone};

/// One thing that must happen to a card at least once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Feat {
    /// Its spell was cast, the item or that ability used.
    Used(DefId, u8),
    /// The miniboss reached that level.
    Level(DefId, u8),
    /// A hero carried the item.
    Carried(DefId),
    /// It was claimed face up, or left behind face down.
    Claimed(DefId, bool),
    Triggered(DefId),
    LevelledUp(DefId),
    /// A minion on it acted.
    Minion(DefId),
    Answered(DefId, bool),
    Option(DefId, u8),
    /// A room with a rule that always holds stood in play.
    InForce(DefId),
    Lured(DefId),
    Killed(DefId),
    Survived(DefId),
}

/// Everything the cards can do, read off their code.
fn wanted(db: &CardDb) -> BTreeSet<Feat> {
    let mut feats = BTreeSet::new();
    for (id, def) in db.cards().filter(|(_, def)| def.copies > 0) {
        if !def.levels.is_empty() {
            feats.extend((1..=def.levels.len() as u8).map(|level| Feat::Level(id, level)));
        }
        if def.kind == Kind::Item {
            feats.extend([Feat::Carried(id), Feat::Claimed(id, true), Feat::Claimed(id, false)]);
        }
        // What a miniboss can do in all is what it can do at its highest level.
        let def = def.levels.last().unwrap_or(def);
        if !def.play.is_empty() {
            feats.insert(Feat::Used(id, 0));
        }
        feats.extend((0..def.activated.len() as u8).map(|ability| Feat::Used(id, ability)));
        if !def.when.is_empty() || def.instead.iter().any(|unit| replaces_an_event(db, db.unit(*unit).kind)) {
            feats.insert(Feat::Triggered(id));
        }
        if def.level_up.is_some() {
            feats.insert(Feat::LevelledUp(id));
        }
        if def.minion.is_some() {
            feats.insert(Feat::Minion(id));
        }
        if !def.rules.is_empty() {
            feats.insert(Feat::InForce(id));
        }
        if matches!(def.kind, Kind::Hero | Kind::Epic) {
            feats.extend([Feat::Lured(id), Feat::Killed(id), Feat::Survived(id)]);
        }
        if def.play.len() > 1 {
            feats.extend((0..def.play.len() as u8).map(|n| Feat::Option(id, n)));
        }
        for op in code_of(db, def) {
            match op {
                Op::May { .. } => feats.extend([Feat::Answered(id, true), Feat::Answered(id, false)]),
                Op::Either { count, .. } => feats.extend((0..count).map(|n| Feat::Option(id, n))),
                _ => {}
            }
        }
    }
    feats
}

fn replaces_an_event(db: &CardDb, kind: UnitKind) -> bool {
    matches!(kind, UnitKind::InsteadOf(pattern) if db.patterns[pattern.index()] != PatternCode::TurnDraw)
}

fn code_of(db: &CardDb, def: &Def) -> impl Iterator<Item = Op> {
    let units = def.activated.iter().chain(&def.play).chain(&def.level_up).chain(&def.minion);
    units.chain(&def.when).chain(&def.instead).flat_map(|unit| {
        let start = usize::from(db.unit(*unit).start);
        let len = db.ops[start..].iter().position(|op| *op == Op::End).unwrap_or(0);
        db.ops[start..start + len].iter().copied()
    })
}

/// What an answer would be a step toward, if anything.
fn aims_at(game: &Game, source: Option<DefId>, question: Question, action: Action) -> Option<Feat> {
    match (action, question) {
        (Action::Use { card, ability }, _) => Some(Feat::Used(game.def_id(card), ability)),
        (Action::Promote { card }, _) => {
            let level = game.state.attachment(card).map_or(0, |under| under.level);
            Some(Feat::Level(game.def_id(card), level + 1))
        }
        (Action::Pick(r), Question::PlaceMinion) => r.as_card().map(|card| Feat::Minion(game.def_id(card))),
        (Action::Yes, Question::May) => source.map(|def| Feat::Answered(def, true)),
        (Action::No, Question::May) => source.map(|def| Feat::Answered(def, false)),
        (Action::Pick(r), Question::Option) => source.zip(r.as_number()).map(|(def, n)| Feat::Option(def, n)),
        _ => None,
    }
}

/// Cards with something left to reach are worth having in play.
fn is_interesting(missing: &BTreeSet<Feat>, def: DefId) -> bool {
    missing.iter().any(|feat| match feat {
        Feat::Used(d, _)
        | Feat::Level(d, _)
        | Feat::Triggered(d)
        | Feat::Minion(d)
        | Feat::InForce(d)
        | Feat::Answered(d, _)
        | Feat::Option(d, _) => *d == def,
        _ => false,
    })
}

fn choose(game: &Game, missing: &BTreeSet<Feat>, actions: &Actions, dice: &mut Dice) -> Action {
    let decision = game.decision().expect("a player is asked");
    let source = decision.source.map(|card| game.def_id(card));
    let new = actions.iter().copied().find(|action| {
        aims_at(game, source, decision.question, *action).is_some_and(|feat| missing.contains(&feat))
    });
    let build = actions.iter().copied().find(|action| match action {
        Action::Build { card, .. } => is_interesting(missing, game.def_id(*card)),
        _ => false,
    });
    let wide = || {
        let left_end = game.state.slots(decision.seat).len() as u8;
        actions.iter().copied().find(|a| matches!(a, Action::Build { spot, .. } if spot.0 == left_end))
    };
    new.or(build).or_else(wide).filter(|_| dice.below(5) > 0).unwrap_or_else(|| dice.pick_eager(actions))
}

fn note(game: &Game, events: &[Event], missing: &mut BTreeSet<Feat>) {
    for event in events {
        let Some(card) = event.card else { continue };
        let feat = match event.what {
            What::Triggers => Feat::Triggered(card.def),
            What::LevelsUp => Feat::LevelledUp(card.def),
            What::MinionActs { .. } => Feat::Minion(card.def),
            What::Uses { ability } => Feat::Used(card.def, ability),
            What::Casts => Feat::Used(card.def, 0),
            What::JoinsRoom { level } | What::Level { level, up: true } => Feat::Level(card.def, level),
            What::Carries { .. } => Feat::Carried(card.def),
            What::Claims { faceup } => Feat::Claimed(card.def, faceup),
            What::Lured { .. } => Feat::Lured(card.def),
            What::Dies { .. } => Feat::Killed(card.def),
            What::Wounds { .. } => Feat::Survived(card.def),
            _ => continue,
        };
        missing.remove(&feat);
    }
    for seat in 0..game.state.rules().players {
        for room in game.state.slots(Seat(seat)) {
            if game.state.card(*room).place.zone() == Zone::Dungeon && !game.is_facedown(*room) {
                missing.remove(&Feat::InForce(game.def_id(*room)));
            }
            for under in game.state.attached_to(*room) {
                let def = game.def_id(under.card);
                if usize::from(under.level) == game.db.def(def).levels.len() {
                    missing.remove(&Feat::InForce(def));
                }
            }
        }
        for hero in game.state.pile(Place::inside(Seat(seat))) {
            missing.remove(&Feat::InForce(game.def_id(hero)));
            for item in game.state.attached_to(hero) {
                missing.remove(&Feat::InForce(game.def_id(item.card)));
            }
        }
        // A spell that lies there has rules that hold.
        for card in game.state.pile(Place::scoring(Seat(seat))) {
            if game.def(card).kind == Kind::Spell {
                missing.remove(&Feat::InForce(game.def_id(card)));
            }
        }
        if let Some(boss) = game.boss(Seat(seat)).filter(|_| game.levelled(Seat(seat))) {
            missing.remove(&Feat::InForce(game.def_id(boss)));
        }
    }
}

#[test]
fn every_ability_of_the_original_box_is_reached() {
    reach_everything(&DB);
}

#[test]
fn every_ability_of_the_next_level_is_reached() {
    reach_everything(&compiled(&deck("tnl")));
}

#[test]
fn every_ability_is_reached_where_both_boxes_are_mixed() {
    reach_everything(&compiled(&deck("mash-up")));
}

/// Two to four players never meet the heroes of Crash Landing.
#[test]
fn every_ability_of_crash_landing_is_reached_beside_the_original_box() {
    let db = compiled(&deck("bmr-crl"));
    let of_the_set = |feat: &Feat| db.def(card_of(*feat)).face.set == "CRL";
    reach(&db, rules, |feat| of_the_set(feat) && db.def(card_of(*feat)).players < 5);
    let crash = |games: u64| Rules::new(Ruleset::Crash, 5 + (games % 2) as u8);
    reach(&db, crash, |feat| of_the_set(feat) && db.def(card_of(*feat)).players == 5);
}

#[test]
fn every_ability_of_paper_and_pixels_is_reached_beside_the_original_box() {
    let db = compiled(&deck("bmr-dbm"));
    reach(&db, rules, |feat| db.def(card_of(*feat)).face.set == "DBM");
}

/// Each of the house boxes, beside the original one.
#[test]
fn every_ability_of_the_house_boxes_is_reached() {
    for (name, set) in [("bmr-pop", "POP"), ("bmr-lst", "LST"), ("bmr-kng", "KNG"), ("bmr-vov", "VOV")] {
        let db = compiled(&deck(name));
        reach(&db, rules, |feat| db.def(card_of(*feat)).face.set == set);
    }
    let db = compiled(&deck("bmr-crl-iod"));
    let crash = |games: u64| Rules::new(Ruleset::Crash, 5 + (games % 2) as u8);
    reach(&db, crash, |feat| db.def(card_of(*feat)).face.set == "IOD");
}

#[test]
fn every_ability_of_rise_of_the_minibosses_is_reached() {
    reach_everything(&compiled(&deck("rmb")));
}

#[test]
fn every_ability_of_tools_of_hero_kind_is_reached_beside_the_original_box() {
    let db = compiled(&deck("bmr-thk"));
    reach(&db, rules, |feat| db.def(card_of(*feat)).face.set == "THK");
}

#[test]
fn every_ability_of_the_promos_is_reached_beside_the_next_level() {
    let db = compiled(&deck("tnl-promo"));
    reach(&db, rules, |feat| db.def(card_of(*feat)).face.set == "KSA");
}

/// With the rules of its own. Heroes who go straight to a landmark are summoned, never lured.
#[test]
fn every_ability_of_super_boss_monster_is_reached() {
    let db = compiled(&deck("sbm"));
    let board = |games: u64| Rules::new(Ruleset::Super, 2 + (games % 3) as u8);
    reach(&db, board, |feat| !matches!(feat, Feat::Lured(def) if !db.def(*def).when.is_empty()));
}

fn reach_everything(db: &CardDb) {
    reach(db, rules, |_| true);
}

fn reach(db: &CardDb, rules: impl Fn(u64) -> Rules, asked: impl Fn(&Feat) -> bool) {
    let mut missing = wanted(db);
    missing.retain(asked);
    let all = missing.len();
    let mut games = 0;
    while !missing.is_empty() && games < 12_000 {
        let mut dice = Dice::new(games);
        let mut events = Vec::new();
        let mut game =
            Game::new(db, rules(games), key(games), &mut events).expect("every built-in deck can be played");
        let mut actions = Actions::new();
        for _ in 0..BOUND {
            note(&game, &events, &mut missing);
            events.clear();
            let Some(decision) = game.decision() else { break };
            game.legal(&mut actions);
            let action = choose(&game, &missing, &actions, &mut dice);
            let source = decision.source.map(|card| game.def_id(card));
            if let Some(feat @ (Feat::Answered(..) | Feat::Option(..))) =
                aims_at(&game, source, decision.question, action)
            {
                missing.remove(&feat);
            }
            game.apply(action, &mut events).expect("it is legal");
        }
        games += 1;
    }
    let names: Vec<String> = missing.iter().map(|feat| format!("{feat:?} {}", name_of(db, *feat))).collect();
    assert!(
        names.is_empty(),
        "{} of {all} never happened in {games} games:\n{}",
        names.len(),
        names.join("\n")
    );
}

fn name_of(db: &CardDb, feat: Feat) -> &str {
    db.name(card_of(feat))
}

fn card_of(feat: Feat) -> DefId {
    let (Feat::Used(def, _)
    | Feat::Level(def, _)
    | Feat::Carried(def)
    | Feat::Claimed(def, _)
    | Feat::Triggered(def)
    | Feat::LevelledUp(def)
    | Feat::Minion(def)
    | Feat::InForce(def)
    | Feat::Lured(def)
    | Feat::Killed(def)
    | Feat::Survived(def)
    | Feat::Answered(def, _)
    | Feat::Option(def, _)) = feat;
    def
}
