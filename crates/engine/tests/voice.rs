//! The voice of the game: every event, question, answer and "why not" of random games of both boxes, as every reader
//! reads it. `PRINT=1 cargo test -p engine --test voice -- --show-output` prints them all, for an editor.

mod common;

use std::collections::BTreeSet;

use cards::vocabulary::Kind;
use common::{BOXES, DB, Dice, box_game, game, mixed_game, super_game};
use engine::tell::{self, Reader};
use engine::{Action, Actions, Event, Game, Place, Seat, What, WhyNot};

const GAMES: u64 = 12;

/// Words of the engine, not of the game.
const ENGINE_WORDS: [&str; 12] = [
    "window",
    "active player",
    "trigger",
    "resolve",
    "declare",
    "priority",
    "pending",
    "frame",
    "facedown",
    "selector",
    "BMR",
    "TNL",
];

fn names() -> Vec<String> {
    ["Anna", "Ben", "Cleo", "Dan", "Eve", "Finn"].map(String::from).into()
}

fn readers(game: &Game) -> Vec<Reader> {
    let seats = (0..game.state.rules().players).map(|seat| Reader::Seat(Seat(seat)));
    seats.chain([Reader::Spectator, Reader::Replay]).collect()
}

/// Names of cards may use any word.
fn without_names(game: &Game, text: &str) -> String {
    let mut names: Vec<&str> = game.db.cards().map(|(_, def)| def.face.name.as_str()).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names.into_iter().fold(text.to_string(), |text, name| text.replace(name, "X"))
}

/// What is wrong with a text, if anything.
fn fault(game: &Game, text: &str, sentence: bool) -> Option<String> {
    let bare = without_names(game, text);
    let words: Vec<&str> = bare.split(|c: char| !c.is_alphanumeric()).collect();
    let coded = words.iter().find(|word| {
        word.strip_prefix('p').is_some_and(|rest| rest.parse::<u8>().is_ok()) || word.contains('_')
    });
    if text.trim() != text || text.is_empty() || text.contains("  ") {
        return Some("badly spaced".into());
    }
    if let Some(word) = ENGINE_WORDS.iter().find(|word| bare.to_lowercase().contains(&word.to_lowercase())) {
        return Some(format!("an engine word: {word}"));
    }
    if let Some(code) = coded {
        return Some(format!("a raw code: {code}"));
    }
    if sentence && !text.ends_with(['.', '!', '?']) {
        return Some("no full stop".into());
    }
    if sentence && text.starts_with(char::is_lowercase) {
        return Some("no capital".into());
    }
    [
        "you is",
        "you has",
        "you's",
        "you wins",
        "You is",
        " a a ",
        " an a ",
        " a no ",
        "Your The ",
        "'s The ",
        "nothing nothing",
        "it it",
    ]
    .iter()
    .find(|slip| text.contains(**slip))
    .map(|slip| format!("bad grammar: {slip}"))
}

#[derive(Default)]
struct Texts {
    sentences: BTreeSet<String>,
    questions: BTreeSet<String>,
    answers: BTreeSet<String>,
    reasons: BTreeSet<String>,
    faults: BTreeSet<String>,
}

impl Texts {
    fn sentence(&mut self, game: &Game, text: String, about: &dyn std::fmt::Debug) {
        if let Some(fault) = fault(game, &text, true) {
            self.faults.insert(format!("{fault}: {text:?} ({about:?})"));
        }
    }

    fn play(&mut self, mut game: Game<'static>, mut events: Vec<Event>, seed: u64) {
        let (names, readers) = (names(), readers(&game));
        let mut dice = Dice::new(seed);
        let mut legal = Actions::new();
        loop {
            for reader in &readers {
                for told in tell::story(game.db, &names[..], *reader, &events) {
                    self.sentence(&game, told.words, &told.event.what);
                }
            }
            for event in events.drain(..) {
                for reader in &readers {
                    if let Some(told) = tell::sentence(game.db, &names[..], *reader, event) {
                        self.sentence(&game, told.clone(), &event.what);
                        self.sentences.insert(told);
                    }
                }
            }
            let Some(decision) = game.decision() else { break };
            game.legal(&mut legal);
            for reader in [Reader::Seat(decision.seat), Reader::Replay] {
                let question = tell::question(&game, &names[..], reader);
                self.sentence(&game, question.clone(), &decision.question);
                self.questions.insert(question);
                for action in legal.iter() {
                    let words = tell::action(&game, &names[..], reader, *action);
                    if let Some(fault) = fault(&game, &words, false) {
                        self.faults.insert(format!("{fault}: {words:?} ({action:?})"));
                    }
                    self.answers.insert(words);
                }
            }
            self.reasons_for(&game, decision.seat, &legal, &names);
            game.apply(dice.pick_eager(&legal), &mut events).expect("it is legal");
        }
    }

    /// Exactly what `legal` does not offer has a reason.
    fn reasons_for(&mut self, game: &Game, asked: Seat, legal: &Actions, names: &[String]) {
        let view = game.view(Some(asked));
        let offered = |card| {
            legal.iter().any(|action| match action {
                Action::Use { card: used, .. } | Action::Build { card: used, .. } => *used == card,
                Action::Promote { card: promoted } => *promoted == card,
                Action::Pick(r) => r.as_card() == Some(card),
                _ => false,
            })
        };
        let own =
            game.state.hand(asked).chain(game.state.slots(asked).iter().copied()).chain(game.boss(asked));
        let items = game.state.pile(Place::scoring(asked)).filter(|card| game.def(*card).kind == Kind::Item);
        let minibosses = game.state.attachments().iter().map(|attachment| attachment.card).filter(|card| {
            let host = game.state.host(*card).expect("it is attached");
            game.def(*card).kind == Kind::Miniboss && game.state.card(host).place == Place::dungeon(asked)
        });
        for card in own.chain(items).chain(minibosses).collect::<Vec<_>>() {
            let why = view.why_not(card);
            assert_eq!(why.is_none(), offered(card), "{}: {why:?}", game.name(card));
            let Some(why) = why else { continue };
            assert_ne!(why, WhyNot::Forbidden(None), "{}: by what?", game.name(card));
            let words = tell::why_not(view.table(), names, Reader::Seat(asked), card, why);
            self.sentence(game, words.clone(), &why);
            self.reasons.insert(words);
        }
    }

    fn print(&self) {
        let Texts { sentences, questions, answers, reasons, .. } = self;
        for (title, texts) in
            [("SENTENCES", sentences), ("QUESTIONS", questions), ("ANSWERS", answers), ("WHY NOT", reasons)]
        {
            println!("\n== {title} ==");
            texts.iter().for_each(|text| println!("{text}"));
        }
    }
}

#[test]
fn every_text_of_random_games_reads_well() {
    let mut texts = Texts::default();
    for seed in 0..GAMES {
        let mut events = Vec::new();
        let game = game(seed, &mut events);
        texts.play(game, events, seed);
        let mut events = Vec::new();
        let game = mixed_game(seed, &mut events);
        texts.play(game, events, seed);
        let mut events = Vec::new();
        let game = super_game(seed, &mut events);
        texts.play(game, events, seed);
        let mut events = Vec::new();
        let game = box_game(seed as usize % BOXES.len(), seed, &mut events);
        texts.play(game, events, seed);
    }
    if std::env::var_os("PRINT").is_some() {
        texts.print();
    }
    assert!(texts.faults.is_empty(), "{:#?}", texts.faults);
}

#[test]
fn a_miniboss_says_why_not() {
    let which = BOXES.iter().position(|(name, ..)| *name == "minibosses").expect("it is one of the boxes");
    let mut texts = Texts::default();
    let mut missing = vec![
        "no miniboss there or next door",
        "costs a coin",
        "You have promoted a miniboss this turn.",
        "from the next turn on",
        "when it is your time to build",
    ];
    for seed in 0..60 {
        let mut events = Vec::new();
        let game = box_game(which, seed, &mut events);
        texts.play(game, events, seed);
        missing.retain(|words| !texts.reasons.iter().any(|why| why.contains(words)));
        if missing.is_empty() {
            break;
        }
    }
    assert!(missing.is_empty(), "no reason says {missing:?}");
    assert!(texts.faults.is_empty(), "{:#?}", texts.faults);
}

#[test]
fn nobody_else_is_you() {
    let mut events = Vec::new();
    let mut game = game(3, &mut events);
    let (names, mut dice, mut legal) = (names(), Dice::new(3), Actions::new());
    while game.decision().is_some() {
        game.legal(&mut legal);
        game.apply(dice.pick_eager(&legal), &mut events).expect("it is legal");
    }
    for event in events {
        for reader in [Reader::Spectator, Reader::Replay] {
            let Some(told) = tell::sentence(&DB, &names[..], reader, event) else { continue };
            let lower =
                format!(" {} ", without_names(&game, &told).to_lowercase().replace(['.', ':', ','], " "));
            assert!(!lower.contains(" you ") && !lower.contains(" your "), "{reader:?}: {told}");
        }
    }
}

#[test]
fn what_changes_a_hero_or_a_room_is_told() {
    let hero = DB.cards().find(|(_, def)| def.kind == Kind::Hero).expect("the box has heroes").0;
    let shown = engine::Shown { card: engine::CardId(0), def: hero, seen: engine::SeatSet::PUBLIC };
    let name = DB.name(hero);
    let told =
        |what: What| tell::sentence(&DB, &names()[..], Reader::Spectator, what.on(shown)).expect("told");
    assert_eq!(
        told(What::HealthChanges { by: 3, health: 9 }),
        format!("{name} has +3 health until end of turn: 9 in all.")
    );
    assert_eq!(told(What::SkipsRooms { rooms: 1 }), format!("{name} will skip the next room."));
}
