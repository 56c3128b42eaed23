//! The same event, told to different readers.

mod common;

use cards::vocabulary::{Kind, Phase};
use common::DB;
use engine::state::Ending;
use engine::tell::{Reader, sentence, sentences, story};
use engine::{CardId, Event, Place, Seat, SeatSet, Shown, What, Where};

const ANNA: Seat = Seat(0);
const BEN: Seat = Seat(1);

fn names() -> Vec<String> {
    ["Anna", "Ben"].map(String::from).into()
}

fn card(kind: Kind, at: usize, seen: SeatSet) -> Shown {
    let (def, _) = DB.cards().filter(|(_, def)| def.kind == kind).nth(at).expect("the box has such cards");
    Shown { card: CardId(at as u16), def, seen }
}

fn told(reader: Reader, event: Event) -> String {
    sentence(&DB, &names()[..], reader, event).expect("it is told")
}

fn name(card: Shown) -> &'static str {
    DB.name(card.def)
}

#[test]
fn who_draws_reads_the_name_and_the_others_the_back() {
    let room = card(Kind::Room, 0, SeatSet::only(ANNA));
    let event = What::Draws.by(ANNA).on(room);
    assert_eq!(told(Reader::Seat(ANNA), event), format!("You draw {}.", name(room)));
    assert_eq!(told(Reader::Seat(BEN), event), "Anna draws a room card.");
    assert_eq!(told(Reader::Spectator, event), "Anna draws a room card.");
    assert_eq!(told(Reader::Replay, event), format!("Anna draws {}.", name(room)));
}

#[test]
fn what_is_yours_is_yours() {
    let room = card(Kind::Room, 1, SeatSet::PUBLIC);
    let event =
        What::Destroyed.on(room).moved(Where::pile(Place::dungeon(ANNA)), Where::pile(Place::DISCARD));
    assert_eq!(told(Reader::Seat(ANNA), event), format!("Your {} is destroyed.", name(room)));
    assert_eq!(told(Reader::Seat(BEN), event), format!("Anna's {} is destroyed.", name(room)));
    let hero = card(Kind::Hero, 0, SeatSet::PUBLIC);
    let scored = Where { facedown: true, ..Where::pile(Place::scoring(BEN)) };
    let event = What::Dies { souls: 1 }.on(hero).moved(Where::pile(Place::inside(BEN)), scored);
    assert_eq!(told(Reader::Seat(BEN), event), format!("{} dies: 1 soul for you.", name(hero)));
    assert_eq!(told(Reader::Spectator, event), format!("{} dies: 1 soul for Ben.", name(hero)));
}

#[test]
fn verbs_follow_their_subject_within_a_sentence_too() {
    let event = Event::from(What::GameOver { reason: Ending::AllLost }).player(BEN);
    assert_eq!(told(Reader::Seat(BEN), event), "Everyone is out; you win on souls minus wounds.");
    assert_eq!(told(Reader::Seat(ANNA), event), "Everyone is out; Ben wins on souls minus wounds.");
    let event = Event::from(What::Eliminated { souls: 2, wounds: 5 }).player(ANNA);
    assert_eq!(told(Reader::Seat(ANNA), event), "5 wounds: you are out of the game.");
    assert_eq!(told(Reader::Spectator, event), "5 wounds: Anna is out of the game.");
}

#[test]
fn what_belongs_together_is_one_sentence() {
    let rooms = [0, 1].map(|at| What::Draws.by(ANNA).on(card(Kind::Room, at, SeatSet::only(ANNA))));
    let spell = card(Kind::Spell, 0, SeatSet::PUBLIC);
    let events =
        [rooms[0], rooms[1], What::Casts.by(BEN).on(spell), What::ChoosesPlayer.by(BEN).player(ANNA)];
    let words = |reader| {
        let told = story(&DB, &names()[..], reader, &events);
        told.into_iter().map(|told| told.words).collect::<Vec<_>>()
    };
    let each = sentences(&DB, &names()[..], Reader::Seat(BEN), &events);
    assert_eq!(each.iter().map(String::is_empty).collect::<Vec<_>>(), [false, true, false, true]);
    let casts = name(spell);
    assert_eq!(
        words(Reader::Seat(BEN)),
        ["Anna draws 2 room cards.".into(), format!("You cast {casts}, choosing Anna.")]
    );
    let [first, second] = rooms.map(|event| name(event.card.expect("a room")));
    assert_eq!(
        words(Reader::Seat(ANNA)),
        [format!("You draw {first} and {second}."), format!("Ben casts {casts}, choosing you.")]
    );
}

#[test]
fn a_tie_names_who_is_tied() {
    let hero = card(Kind::Hero, 0, SeatSet::PUBLIC);
    let tied =
        |count| What::StaysInTown { count, next: count, tied: [ANNA, BEN].into_iter().collect() }.on(hero);
    let hero = name(hero);
    assert_eq!(
        told(Reader::Seat(BEN), tied(2)),
        format!("{hero} stays in town: you and Anna are tied at 2 cleric treasures.")
    );
    assert_eq!(
        told(Reader::Replay, tied(2)),
        format!("{hero} stays in town: Anna and Ben are tied at 2 cleric treasures.")
    );
    assert_eq!(told(Reader::Replay, tied(0)), format!("{hero} stays in town: nobody has cleric treasure."));
}

#[test]
fn a_phase_in_which_nothing_can_happen_says_why() {
    let idles = |phase| Event::from(What::PhaseIdles { phase });
    assert_eq!(told(Reader::Spectator, idles(Phase::Bait)), "Town is empty: nobody to lure.");
    assert_eq!(told(Reader::Spectator, idles(Phase::Adventure)), "No hero waits at any entrance.");
    let event = What::PhaseIdles { phase: Phase::Build }.by(BEN);
    assert_eq!(told(Reader::Seat(BEN), event), "You build nothing this turn.");
    assert_eq!(told(Reader::Replay, event), "Ben builds nothing this turn.");
}
