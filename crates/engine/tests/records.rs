//! Records replay to the same bytes, and a faulty file is refused with the reason.

mod common;

use cards::Deck;
use cards::vocabulary::Kind;
use common::{DB, Dice, SETS, compiled, deck, game, rules};
use engine::record::{
    Contribution, Fairness, Hex, Record, RecordError, SeatText, VERSION, player_commitment, server_commitment,
};
use engine::{Actions, CardId, Game, Rules, Ruleset, SeatSet, Setup, Variant, What};
use proptest::prelude::*;

fn seats(players: u8) -> Vec<SeatText> {
    (1..=players).map(|n| SeatText { name: format!("p{n}"), kind: "dice".into() }).collect()
}

fn recorded(seed: u64) -> Record {
    let rules = rules(seed);
    played(
        seed,
        Record::new(rules, seed.into(), &deck("bmr"), &DB, seats(rules.players)),
        game(seed, &mut ()),
    )
}

/// Plays to the end and records everything.
fn played(seed: u64, mut record: Record, mut game: Game) -> Record {
    let mut dice = Dice::new(seed);
    let mut actions = Actions::new();
    while game.decision().is_some() {
        game.legal(&mut actions);
        let action = dice.pick_eager(&actions);
        game.apply(action, &mut ()).expect("it is legal");
        record.push(action, &game);
    }
    record
}

/// A game of more than two fingerprints.
fn long_record() -> Record {
    let mut games = (0..).map(recorded).filter(|record| record.actions.len() > 70);
    games.next().expect("some game is long")
}

#[test]
fn records_replay_to_the_same_game() {
    for seed in 0..60 {
        let record = recorded(seed);
        let text = record.to_json();
        let back = Record::from_json(&text).expect("it was just written");
        assert_eq!(back, record);
        let game = back.verify(&DB).unwrap_or_else(|error| panic!("game {seed}: {error}"));
        assert!(game.outcome().is_some());
    }
}

/// Through the file and back: the deck comes with the record if it does not come with the program.
fn replays(deck: &Deck, rules: Rules) -> Record {
    let db = compiled(deck);
    let record = Record::new(rules, 5.into(), deck, &db, seats(rules.players));
    let game = Game::new(&db, rules, record.setup.seed.0, &mut ()).expect("it can be played");
    let record = played(5, record, game);
    let back = Record::from_json(&record.to_json()).expect("it was just written");
    assert_eq!(back, record);
    let again = back.db(&SETS).unwrap_or_else(|error| panic!("{error}"));
    back.verify(&again).unwrap_or_else(|error| panic!("{error}"));
    record
}

#[test]
fn records_of_any_deck_and_rules_replay() {
    for (name, _) in cards::library::DECKS {
        let record = replays(&deck(name), Rules::classic(3).with(Variant::Hard));
        let line = format!("--players 3 --deck {name} --variant hard --seed 5");
        assert_eq!((record.setup.to_string(), record.deck), (line, None));
    }
    replays(&deck("mash-up"), Rules::classic(6).with(Variant::UnlimitedLives));
    replays(&deck("bmr-crl-thk"), Rules::new(Ruleset::Crash, 6));
    replays(&deck("sbm"), Rules::new(Ruleset::Super, 4));
    replays(&deck("sbm-solo"), Rules::new(Ruleset::Solo, 1));
    let own = "deck Friday night\nset BMR\nDark Altar x7\nRobobo x0\n";
    let own =
        Deck::read("Friday night", "friday.deck", own, &SETS).unwrap_or_else(|errors| panic!("{errors}"));
    let record = replays(&own, Rules::classic(2));
    assert!(record.setup.to_string().contains("--deck friday-night@"), "{}", record.setup);
    assert_eq!(record.deck.as_deref(), Some(own.text.as_str()));
    // A game set to stop, and one that asked every question.
    let (mut stopped, mut thorough) = (Rules::classic(2), Rules::classic(2));
    (stopped.last_turn, thorough.ask_all) = (2, true);
    let record = replays(&deck("bmr"), stopped);
    assert!(record.result.is_some_and(|result| result.reason == "stopped"));
    replays(&deck("bmr"), thorough);
}

/// Rule 16.2: what lay face down and was never paid for comes out the same, and is shown to everybody
/// only as it goes.
#[test]
fn a_game_with_an_unpaid_miniboss_replays() {
    let (deck, mut unpaid) = (deck("rmb"), 0);
    let db = compiled(&deck);
    for seed in 0..40_u64 {
        let rules = Rules::classic(2 + (seed % 3) as u8);
        let record = Record::new(rules, seed.into(), &deck, &db, seats(rules.players));
        let game = Game::new(&db, rules, record.setup.seed.0, &mut ()).expect("it can be played");
        let record = played(seed, record, game);
        let mut hidden: Vec<CardId> = Vec::new();
        let replayed = record.replay(&db, |_, events, _| {
            for event in events {
                let Some(card) = event.card else { continue };
                match event.what {
                    What::Places if db.def(card.def).kind == Kind::Miniboss => {
                        assert!(card.seen != SeatSet::PUBLIC, "game {seed}: it lies face down");
                        hidden.push(card.card);
                    }
                    What::Unpaid => {
                        assert_eq!(card.seen, SeatSet::PUBLIC, "game {seed}: the discard pile is open");
                        unpaid += usize::from(hidden.contains(&card.card));
                    }
                    _ => {}
                }
            }
        });
        replayed.unwrap_or_else(|error| panic!("game {seed}: {error}"));
        record.verify(&db).unwrap_or_else(|error| panic!("game {seed}: {error}"));
    }
    assert!(unpaid > 5, "only {unpaid} minibosses were not paid for");
}

#[test]
fn a_record_with_another_deck_is_refused() {
    let own = Deck::read("mine", "mine.deck", "deck Mine\nset BMR\nFreeze x1\n", &SETS);
    let record = replays(&own.unwrap_or_else(|errors| panic!("{errors}")), Rules::classic(2));
    let said = |change: fn(&mut Record)| {
        let mut other = record.clone();
        change(&mut other);
        other.db(&SETS).map(|_| ()).expect_err("accepted").to_string()
    };
    let text = |to: &str| Some(to.to_owned());
    assert!(said(|record| record.deck = None).contains("`mine@"));
    let changed = said(|record| record.deck = record.deck.as_ref().map(|deck| deck.replace("x1", "x2")));
    assert!(changed.contains("its setup names `mine@"), "{changed}");
    let broken = said(|record| record.deck = Some("deck Mine\nset BRM\n".into()));
    assert!(broken.contains("deck of the record:2") && broken.contains("did you mean `BMR`?"), "{broken}");
    let mut other = record.clone();
    (other.deck, other.setup.deck) = (text("deck Mine\nset BMR\n"), deck("bmr").id);
    assert!(other.db(&SETS).is_err());
    // The right deck by its name, but the game was played with another.
    (other.deck, other.setup.deck) = (None, deck("bmr").id);
    let db = other.db(&SETS).unwrap_or_else(|error| panic!("{error}"));
    assert!(other.verify(&db).err().is_some_and(|e| e.to_string().contains("other cards")));
}

/// A stored record: its fingerprints must come out the same on every machine.
#[test]
fn the_stored_record_still_verifies() {
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/stored.json");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, long_record().to_json() + "\n").expect("the record can be written");
    }
    let text = std::fs::read_to_string(&path).expect("the record is there");
    let record = Record::from_json(&text).unwrap_or_else(|error| panic!("{error}"));
    assert!(record.fingerprints.len() >= 2);
    record.verify(&DB).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_game_that_goes_on_has_no_result_and_verifies() {
    let mut record = recorded(3);
    let half = record.actions.len() / 2;
    record.actions.truncate(half);
    record.fingerprints.truncate(half / 32 + 1);
    record.result = None;
    let game = record.verify(&DB).expect("the beginning of a game is a game");
    assert!(game.decision().is_some());
}

#[test]
fn the_first_step_that_differs_is_named() {
    let record = long_record();
    let mut other = record.clone();
    other.fingerprints[2].0[0] ^= 1;
    assert!(matches!(other.verify(&DB), Err(RecordError::Differs { step: 64, .. })));

    let whole = record.verify(&DB).expect("the record is whole");
    // Another answer at some step: noticed there or at the next fingerprint, never later.
    let mut noticed = 0;
    for step in 0..30 {
        let mut other = record.clone();
        let mut last = None;
        record
            .replay(&DB, |before, _, _| {
                if let Some((game, action)) = before
                    && last.is_none()
                    && game.state.decisions() as usize == step
                {
                    let mut actions = Actions::new();
                    game.legal(&mut actions);
                    last = actions.iter().copied().find(|other| *other != action);
                }
            })
            .expect("the record is whole");
        if let Some(action) = last {
            other.actions[step].0 = action;
            match other.verify(&DB) {
                Err(RecordError::Action { step: found, .. } | RecordError::Differs { step: found, .. }) => {
                    assert!(found > step && found <= 32, "changed at {}, noticed at {found}", step + 1);
                    noticed += 1;
                }
                // Two answers may lead to the same state, such as either of two equal cards.
                Ok(game) => assert!(game.state == whole.state, "step {step}: another game passes"),
                Err(other) => panic!("step {step}: {other}"),
            }
        }
    }
    assert!(noticed > 20, "{noticed} of 30 changes were noticed");
}

/// Even in a game that is too short for a fingerprint on the way.
#[test]
fn the_players_names_are_covered_by_the_fingerprints() {
    let long = long_record();
    let mut short = long.clone();
    short.actions.truncate(5);
    short.fingerprints.truncate(1);
    short.result = None;
    for record in [long, short] {
        record.verify(&DB).expect("the record is whole");
        let mut renamed = record.clone();
        renamed.seats[1].name = "somebody else".into();
        assert!(matches!(renamed.verify(&DB), Err(RecordError::OtherGame { .. })));
        // The same letters, cut differently.
        let mut moved = record.clone();
        moved.seats[0] = SeatText { name: "p1d".into(), kind: "ice".into() };
        assert!(matches!(moved.verify(&DB), Err(RecordError::OtherGame { .. })));
    }
}

fn fairness() -> Fairness {
    let (secret, bytes) = (Hex([1; 32]), Hex([2; 32]));
    let revealed = Contribution { commitment: Some(player_commitment(&bytes)), bytes: Some(bytes) };
    let silent = Contribution { commitment: Some(player_commitment(&Hex([3; 32]))), bytes: None };
    Fairness {
        commitment: server_commitment(&secret),
        secret,
        players: vec![revealed, silent, Contribution::default()],
    }
}

fn fair_record(fairness: Fairness) -> Record {
    let rules = Rules::new(engine::Ruleset::default(), 3);
    let seed = fairness.seed();
    let mut record = Record::new(rules, seed, &deck("bmr"), &DB, seats(3));
    record.fairness = Some(fairness);
    played(4, record, Game::new(&DB, rules, seed.0, &mut ()).expect("it can be played"))
}

/// docs/protocol.md gives these numbers, so that other checkers can be tested with them.
#[test]
fn the_documented_example_of_a_shuffle_is_right() {
    let Fairness { commitment, players, .. } = fairness();
    let document = include_str!("../../../docs/protocol.md");
    let numbers = [commitment, players[0].commitment.unwrap(), players[1].commitment.unwrap(), {
        Hex(fairness().seed().0)
    }];
    for number in numbers {
        assert!(document.contains(&number.to_string()), "{number} is not in docs/protocol.md");
    }
}

#[test]
fn a_shuffle_is_proven_by_secret_commitments_and_seed() {
    let record = fair_record(fairness());
    record.verify(&DB).expect("a fair game");
    let text = record.to_json();
    assert_eq!(Record::from_json(&text).expect("it was just written"), record);

    let refused = |change: fn(&mut Fairness)| {
        let mut other = record.clone();
        change(other.fairness.as_mut().expect("it has one"));
        other.verify(&DB).err()
    };
    use RecordError::*;
    assert!(matches!(refused(|fairness| fairness.secret.0[0] ^= 1), Some(Commitment { .. })));
    assert!(matches!(refused(|fairness| fairness.commitment.0[0] ^= 1), Some(Commitment { .. })));
    let other = |fairness: &mut Fairness| fairness.players[0].bytes = Some(Hex([9; 32]));
    assert!(matches!(refused(other), Some(Contribution { seat: 1 })));
    let uncommitted = |fairness: &mut Fairness| fairness.players[2].bytes = Some(Hex([9; 32]));
    assert!(matches!(refused(uncommitted), Some(Contribution { seat: 3 })));
    // What somebody committed to and kept back cannot be left out of the record, nor can what was revealed.
    assert!(matches!(refused(|fairness| fairness.players[1] = Default::default()), Some(Unfair)));
    assert!(matches!(refused(|fairness| fairness.players[0].bytes = None), Some(Unfair)));
    assert!(matches!(refused(|fairness| fairness.players.truncate(2)), Some(Unfair)));

    let (shown, another) = (fairness().commitment, Hex([7; 32]));
    record.check_commitment(shown).expect("the one that was shown");
    assert!(matches!(record.check_commitment(another), Err(OtherCommitment { .. })));
    let mut bare = record;
    bare.fairness = None;
    bare.verify(&DB).expect("the game itself is whole");
    assert!(matches!(bare.check_commitment(shown), Err(NoFairness { .. })));
}

#[test]
fn damaged_and_foreign_files_are_refused_with_the_reason() {
    let record = recorded(1);
    let said = |text: &str| match Record::from_json(text) {
        Ok(record) => record.verify(&DB).err().map(|error| error.to_string()),
        Err(error) => Some(error.to_string()),
    };
    let good = record.to_json();
    assert_eq!(said(&good), None);
    let cases = [
        (String::new(), "not a valid game record"),
        ("{}".into(), "missing field"),
        ("[1, 2]".into(), "not a valid game record"),
        ("not json".into(), "not a valid game record"),
        (good[..good.len() / 2].into(), "EOF"),
        (good.replace("lair game", "chess game"), "chess game"),
        (good.replace(&format!("\"version\": {VERSION}"), "\"version\": 2"), "version 2"),
        (good.replace("--players 3", "--players 4"), "seats for"),
        (good.replace("--players 3", "--players 9"), "write 1 to 6"),
        (good.replace("--seed", "--ruleset modern --seed"), "modern"),
        (good.replace("--seed", "--variant upside-down --seed"), "upside-down"),
        (good.replacen("pass", "fly away", 1), "is not a valid action"),
        (good.replacen("pass", "pick card 9999.0", 1), "is not a valid action"),
        (good.replacen("\"winner\": ", "\"winner\": 1", 1), "ended with"),
        (good.replace("--seed 1", "--seed zz"), "`zz` is not a valid seed"),
        (good.replace("\"fingerprints\": [", "\"fingerprints\": [\"0011223344556677\","), "were changed"),
    ];
    for (text, reason) in cases {
        let error = said(&text).unwrap_or_else(|| panic!("accepted; expected: {reason}"));
        assert!(error.contains(reason), "`{error}` does not say `{reason}`");
    }
    let mut other = record.clone();
    other.cards.0[3] ^= 255;
    assert!(other.verify(&DB).err().is_some_and(|e| e.to_string().contains("other cards")));
    let mut other = record.clone();
    other.seats.pop();
    assert!(other.verify(&DB).err().is_some_and(|e| e.to_string().contains("seats")));
    let mut other = record;
    other.actions.push(other.actions[0]);
    assert!(other.verify(&DB).err().is_some_and(|e| e.to_string().contains("over")));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// A file with a few bytes changed is refused or played, and never panics.
    #[test]
    fn a_scratched_file_never_panics(seed in 0u64..6, scratches in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = recorded(seed).to_json().into_bytes();
        for (at, byte) in scratches {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(record) = Record::from_json(&String::from_utf8_lossy(&bytes)) {
            let _ = record.verify(&DB);
        }
    }

    /// Whatever a deck is called, its name survives the setup line and the record, however long it is and wherever it
    /// is cut.
    #[test]
    fn a_deck_of_any_name_is_found_again(name in "(\\PC{0,60}|[a-z0-9 -]{30,60}|[a-z]{1,45}[-_ ]{1,4}[a-z]{0,9})") {
        let deck = Deck::read(&name, "own.deck", "deck Own\nset BMR\n", &SETS).expect("a deck");
        let setup = Setup { rules: rules(1), deck: deck.id.clone(), seed: 1.into() };
        prop_assert_eq!(setup.to_string().parse::<Setup>(), Ok(setup));
        let record = Record::new(rules(1), 1.into(), &deck, &DB, seats(2));
        let back = Record::from_json(&record.to_json()).expect("it was just written");
        prop_assert_eq!(back.deck(&SETS).expect("its deck").id, deck.id);
    }
}
