//! What must hold for any input. Shared by the fuzz targets, which search for inputs guided by coverage, and
//! by their bounded twins in the normal test run.
//!
//! Every function takes bytes and panics if a property is violated; meaningless bytes are fine.

use std::sync::LazyLock;

use cards::db::CardDb;
use cards::deck::{Balance, Deck};
use cards::english::{card_text as english, facts_line};
use cards::tree::Set;
use cards::vocabulary::Kind;
use engine::record::{Record, SeatText};
use engine::{Action, Actions, CardId, Game, Ref, Rules, Ruleset, Seat, Seed, Spot, State, Variant};

use super::house;

static SETS: LazyLock<Vec<Set>> = LazyLock::new(cards::library::sets);
/// The deck of the base set, and its cards.
static DECK: LazyLock<Deck> =
    LazyLock::new(|| cards::library::deck("bmr", &SETS).expect("the base set has a deck"));
pub static BASE: LazyLock<CardDb> =
    LazyLock::new(|| DECK.compile(&SETS).unwrap_or_else(|error| panic!("{error}")));

/// Every deck that comes with the game, and its cards.
static DECKS: LazyLock<Vec<(Deck, CardDb)>> = LazyLock::new(|| {
    let compiled = |(name, _): &(&str, &str)| {
        let deck = cards::library::deck(name, &SETS)?;
        let db = deck.compile(&SETS).unwrap_or_else(|error| panic!("{error}"));
        Some((deck, db))
    };
    cards::library::DECKS.iter().filter_map(compiled).collect()
});

/// The base set with one copy of each card, so that generated cards come up often.
static THIN: LazyLock<Set> = LazyLock::new(|| {
    let (file, text) = cards::library::SETS[0];
    let mut set = cards::load(file, text).unwrap_or_else(|errors| panic!("{errors}")).0;
    set.cards.iter_mut().for_each(|card| card.copies = 1);
    set
});

/// Input bytes, consumed from the front.
pub struct Input<'a>(pub &'a [u8]);

impl Input<'_> {
    pub fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn word(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes([self.byte()?, self.byte()?]))
    }

    pub fn below(&mut self, n: usize) -> Option<usize> {
        let drawn = if n <= 256 { usize::from(self.byte()?) } else { usize::from(self.word()?) };
        Some(drawn % n.max(1))
    }

    fn key(&mut self) -> Option<[u8; 32]> {
        let mut key = [0; 32];
        key[..2].copy_from_slice(&self.word()?.to_le_bytes());
        Some(key)
    }

    fn rules(&mut self) -> Option<Rules> {
        let (players, chosen) = (2 + self.below(3)? as u8, self.byte()?);
        let variants = Variant::ALL.into_iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1);
        Some(variants.fold(Rules::classic(players), |rules, (_, variant)| rules.with(variant)))
    }

    /// Any rules for one to six players of any deck; some decks cannot be played by all of them.
    fn rules_for_any_deck(&mut self) -> Option<Rules> {
        let (table, chosen) = (self.byte()?, self.byte()?);
        let ruleset = Ruleset::ALL[usize::from(table / 5) % Ruleset::ALL.len()];
        let players = if ruleset.is_for_one() { 1 } else { 2 + table % 5 };
        let rules = Rules::new(ruleset, players);
        let variants = Variant::ALL.into_iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1);
        Some(variants.fold(rules, |rules, (_, variant)| rules.with(variant)))
    }

    /// An action as a client could send it, legal or not.
    fn action(&mut self) -> Option<Action> {
        let (kind, small, large) = (self.byte()?, self.byte()?, self.word()?);
        let card = CardId(large);
        Some(match kind % 8 {
            0 => Action::Pass,
            1 => Action::Yes,
            2 => Action::No,
            3 => Action::Use { ability: small, card },
            4 => Action::Build { spot: Spot(small), card },
            5 => Action::Pick(Ref::number(small)),
            6 => Action::Pick(Ref::seat(Seat(small))),
            _ => Action::Pick(Ref(large)),
        })
    }
}

// ---- card files ----

/// A card file is either refused with problems that can be shown, or fully valid.
pub fn card_text(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match cards::load("fuzz.cards", &text) {
        Ok((set, warnings)) => {
            for warning in &warnings {
                assert!(!warning.render("fuzz.cards", &text, true).is_empty());
            }
            check_set(&set);
        }
        Err(errors) => {
            assert!(!errors.problems.is_empty(), "refused without a problem");
            assert!(errors.problems.iter().all(|p| p.line > 0 && p.column > 0 && p.reason().is_some()));
            assert!(!errors.render(false).is_empty() && !errors.render(true).is_empty());
        }
    }
}

/// A set that passed the checker prints, reads back as the same tree, compiles, and has English text.
fn check_set(set: &Set) {
    let printed = set.to_string();
    let again = cards::load("printed.cards", &printed).unwrap_or_else(|errors| panic!("{errors}")).0;
    assert_eq!(*set, again, "printed as:\n{printed}");
    assert_eq!(printed, again.to_string());
    if let Err(error) = CardDb::build(std::slice::from_ref(set)) {
        assert!(matches!(error, cards::CompileError::TooLarge(..)), "checked, yet {error}:\n{printed}");
    }
    for card in &set.cards {
        assert!(!facts_line(card).is_empty());
        for line in english(card) {
            assert!(line.ends_with('.') && !line.contains('\n'), "{line:?}");
        }
    }
}

// ---- decks ----

/// A deck file is either refused with problems that can be shown, or it compiles, its balance can be
/// computed, and its ID reads back the same.
pub fn deck_text(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match Deck::read("fuzz", "fuzz.deck", &text, &SETS) {
        Err(errors) => {
            assert!(!errors.problems.is_empty(), "refused without a problem");
            assert!(errors.problems.iter().all(|p| p.line > 0 && p.column > 0 && p.reason().is_some()));
            assert!(!errors.render(false).is_empty() && !errors.render(true).is_empty());
        }
        Ok(deck) => {
            assert_eq!(deck.id.to_string().parse().as_ref(), Ok(&deck.id));
            assert!(Balance::of(&deck, &SETS).advice().iter().all(|advice| !advice.to_string().is_empty()));
            let db = deck.compile(&SETS).unwrap_or_else(|error| panic!("{error}:\n{text}"));
            for players in 0..8 {
                let rules = Rules::classic(players).with(Variant::UnlimitedLives);
                match Game::new(&db, rules, [7; 32], &mut ()) {
                    Ok(game) => check_state(&game),
                    Err(error) => assert!(!error.to_string().is_empty()),
                }
            }
        }
    }
}

// ---- records ----

/// Text is refused as a record, or is a record that writes back the same, and verifies or is refused.
pub fn record(bytes: &[u8]) {
    if bytes.first().is_none_or(|first| *first < 128) {
        return read_record(&String::from_utf8_lossy(bytes));
    }
    let Some(text) = edited_record(Input(&bytes[1..])) else { return };
    read_record(&text);
}

fn read_record(text: &str) {
    match Record::from_json(text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(record) => {
            let again = Record::from_json(&record.to_json()).expect("it was just written");
            assert_eq!(record, again);
            match record.verify(&BASE) {
                Err(error) => assert!(!error.to_string().is_empty()),
                Ok(game) => check_state(&game),
            }
        }
    }
}

/// A genuine record of a short game, with a few bytes overwritten.
fn edited_record(mut input: Input) -> Option<String> {
    let (rules, key) = (input.rules()?, input.key()?);
    let mut game = Game::new(&BASE, rules, key, &mut ()).ok()?;
    let mut record = new_record(&rules, key, &DECK, &BASE);
    let mut actions = Actions::new();
    for _ in 0..input.byte()? {
        game.legal(&mut actions);
        let Some(choice) = input.below(actions.len()).filter(|_| !actions.is_empty()) else { break };
        game.apply(actions[choice], &mut ()).expect("it is legal");
        record.push(actions[choice], &game);
    }
    let mut text = record.to_json().into_bytes();
    let mut edits = 0;
    while let (Some(at), Some(byte)) = (input.word(), input.byte()) {
        let at = usize::from(at) % text.len();
        text[at] = byte;
        edits += 1;
    }
    if edits == 0 {
        record.verify(&BASE).unwrap_or_else(|error| panic!("a genuine record: {error}"));
    }
    Some(String::from_utf8_lossy(&text).into_owned())
}

fn new_record(rules: &Rules, key: [u8; 32], deck: &Deck, db: &CardDb) -> Record {
    let seat = |n| SeatText { name: format!("p{n}"), kind: "fuzz".into() };
    Record::new(*rules, Seed(key), deck, db, (1..=rules.players).map(seat).collect())
}

// ---- games ----

/// Some answers are legal, by index; the others are anything a client could send.
pub fn actions(bytes: &[u8]) {
    let mut input = Input(bytes);
    let _ = answers(&mut input);
}

fn answers(input: &mut Input) -> Option<()> {
    let (deck, db) = &DECKS[input.below(DECKS.len())?];
    let (rules, key) = (input.rules_for_any_deck()?, input.key()?);
    let mut game = match Game::new(db, rules, key, &mut ()) {
        Ok(game) => game,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return None;
        }
    };
    let mut record = new_record(&rules, key, deck, db);
    let mut legal = Actions::new();
    while let Some(how) = input.byte() {
        game.legal(&mut legal);
        let action = match how {
            0..200 => input.below(legal.len()).and_then(|choice| legal.get(choice).copied()),
            _ => input.action(),
        };
        let Some(action) = action else { break };
        if step(&mut game, &legal, action) {
            record.push(action, &game);
        }
        if record.actions.len().is_multiple_of(16) {
            check_state(&game);
            check_hidden_information(&game, u64::from(how));
        }
    }
    check_state(&game);
    record.verify(db).unwrap_or_else(|error| panic!("a genuine record: {error}"));
    Some(())
}

/// Tries one action: it is accepted exactly if it is listed, and has no effect if it is refused.
fn step(game: &mut Game, legal: &Actions, action: Action) -> bool {
    assert_eq!(game.decision().is_some(), !legal.is_empty());
    assert_eq!(game.decision().is_none(), game.outcome().is_some());
    assert!(legal.windows(2).all(|pair| pair[0] < pair[1]), "{legal:?}");
    let listed = legal.contains(&action);
    assert_eq!(game.is_legal(action), listed, "{action:?}");
    let before = (!listed).then(|| game.state.clone());
    assert_eq!(game.apply(action, &mut ()).is_ok(), listed, "{action:?}");
    if let Some(before) = before {
        assert!(before == game.state, "a refused {action:?} changed the state");
    }
    game.state.check(game.db).unwrap_or_else(|error| panic!("after {action:?}: {error}"));
    listed
}

/// The state is consistent and survives a round trip through bytes.
fn check_state(game: &Game) {
    game.state.check(game.db).unwrap_or_else(|error| panic!("{error}"));
    let bytes = game.state.to_bytes();
    let back = State::from_bytes(game.db, &bytes).unwrap_or_else(|error| panic!("{error}"));
    assert!(back == game.state, "bytes do not round-trip");
}

/// What a player may do does not depend on what that player cannot know.
fn check_hidden_information(game: &Game, seed: u64) {
    let Some(decision) = game.decision() else { return };
    let (mut here, mut elsewhere) = (Actions::new(), Actions::new());
    game.legal(&mut here);
    let view = game.view(Some(decision.seat));
    view.legal(&mut elsewhere);
    assert_eq!(here[..], elsewhere[..], "the view of {} offers different actions", decision.seat);
    let sample = view.sample(seed);
    sample.legal(&mut elsewhere);
    assert_eq!(here[..], elsewhere[..], "hidden cards change what {} may do", decision.seat);
}

// ---- generated cards ----

/// A generated card that the checker accepts can be played: the state stays consistent and hidden
/// information stays hidden.
pub fn house(bytes: &[u8]) {
    let mut input = Input(bytes);
    let text = house::card(&mut input);
    play(&text, &mut input);
}

/// Plays a game with many copies of each card in a set, together with the base set. Answers come from the
/// input while it lasts, then from a random generator.
pub fn play(text: &str, input: &mut Input) {
    let Ok((mut set, _)) = cards::load("house.cards", text) else { return };
    check_set(&set);
    for card in &mut set.cards {
        card.copies = if card.kind == Kind::Boss { 4 } else { 20 };
    }
    let db = CardDb::build(&[THIN.clone(), set]).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    let Some((rules, key)) = input.rules().zip(input.key()) else { return };
    let Ok(mut game) = Game::new(&db, rules, key, &mut ()) else { return };
    let mut legal = Actions::new();
    let mut dice = u64::from_le_bytes(std::array::from_fn(|i| key[i])) | 1 << 40;
    let fault = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        for turn in 0..240 {
            game.legal(&mut legal);
            // Passing is likely enough as it is: replace half of the passes.
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let drawn = input.byte().map_or(dice >> 33, u64::from) as usize;
            let Some(mut action) = legal.get(drawn % legal.len().max(1)).copied() else { break };
            if action == Action::Pass && dice >> 60 & 1 == 0 {
                action = legal[(dice >> 40) as usize % legal.len()];
            }
            step(&mut game, &legal, action);
            if turn % 4 == 0 {
                check_hidden_information(&game, dice);
            }
        }
        check_state(&game);
    }));
    if let Err(fault) = fault {
        eprintln!("played with:\n{text}");
        std::panic::resume_unwind(fault);
    }
}
