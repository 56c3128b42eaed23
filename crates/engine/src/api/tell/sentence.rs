//! Events in sentences.

use cards::db::CardDb;
use cards::vocabulary::{Landmark, Phase, Zone};

use super::phrase::class_list;
use super::{Names, Reader, Voice, card_name, list, plural};
use crate::model::id::*;
use crate::model::state::{Ending, Errand, Space};
use crate::{Event, Shown, What};

/// One or more events as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub words: String,
    /// The first of the events, as the reader may see it.
    pub event: Event,
}

/// The event as a sentence for this reader; `None` if another event already tells it.
pub fn sentence(db: &CardDb, names: &(impl Names + ?Sized), reader: Reader, event: Event) -> Option<String> {
    Teller { db, voice: Voice { names, reader } }.one(&reader.sees(db, event)).map(closed)
}

/// The sentences of a story, one for each event; empty where an earlier one tells it.
pub fn sentences(
    db: &CardDb,
    names: &(impl Names + ?Sized),
    reader: Reader,
    events: &[Event],
) -> Vec<String> {
    let teller = Teller { db, voice: Voice { names, reader } };
    let events: Vec<Event> = events.iter().map(|event| reader.sees(db, *event)).collect();
    let mut told = Vec::new();
    while told.len() < events.len() {
        let (words, used) = teller.first_closed(&events[told.len()..]);
        told.push(words.unwrap_or_default());
        told.extend((1..used).map(|_| String::new()));
    }
    told
}

/// Events as people tell them: related ones share a sentence.
pub fn story(db: &CardDb, names: &(impl Names + ?Sized), reader: Reader, events: &[Event]) -> Vec<Told> {
    let teller = Teller { db, voice: Voice { names, reader } };
    let events: Vec<Event> = events.iter().map(|event| reader.sees(db, *event)).collect();
    let mut told = Vec::new();
    let mut rest = &events[..];
    while let [event, ..] = rest {
        let (words, used) = teller.first_closed(rest);
        told.extend(words.map(|words| Told { words, event: *event }));
        rest = &rest[used..];
    }
    told
}

struct Teller<'a, N: ?Sized> {
    db: &'a CardDb,
    voice: Voice<'a, N>,
}

impl<N: Names + ?Sized> Teller<'_, N> {
    /// The first events as one sentence, and how many it covers.
    fn first(&self, events: &[Event]) -> (Option<String>, usize) {
        let event = &events[0];
        match event.what {
            What::Draws => {
                let run = events.iter().take_while(|e| e.what == What::Draws && e.actor == event.actor);
                let drawn: Vec<Shown> = run.filter_map(|event| event.card).collect();
                (Some(self.draws(event.actor, &drawn)), drawn.len().max(1))
            }
            What::Uses { .. } | What::Casts => {
                let chosen: Vec<String> =
                    events[1..].iter().map_while(|next| self.choice(next, event.actor)).collect();
                let used = 1 + chosen.len();
                (Some(self.uses(event, &chosen)), used)
            }
            What::Enters => match events.get(1) {
                Some(Event { what: What::Damaged { amount, taken, health }, card, .. })
                    if *card == event.card =>
                {
                    (Some(self.enters(event, Some((*amount, left(*health, *taken))))), 2)
                }
                _ => (Some(self.enters(event, None)), 1),
            },
            _ => (self.one(event), 1),
        }
    }

    fn first_closed(&self, events: &[Event]) -> (Option<String>, usize) {
        let (words, used) = self.first(events);
        (words.map(closed), used)
    }

    fn one(&self, event: &Event) -> Option<String> {
        let (v, by) = (&self.voice, event.actor);
        let card = || card_name(self.db, event.card);
        let at = |place: Option<crate::Where>| v.place(place.map_or(Place::PENDING, |at| at.place));
        let owner = event.owner();
        Some(match event.what {
            What::PlayerBegins
            | What::SetsAside
            | What::Resolved
            | What::EntersDungeon
            | What::Damaged { amount: 0, .. } => return None,
            What::TurnBegins { turn } => format!("Turn {turn}."),
            What::PhaseBegins { phase } => format!("{}.", phase.name()),
            What::PhaseIdles { phase: Phase::Build } => format!("{} nothing this turn.", v.does(by, "build")),
            What::PhaseIdles { phase: Phase::Bait } => "Town is empty: nobody to lure.".into(),
            What::PhaseIdles { phase: Phase::Adventure } => "No hero waits at any entrance.".into(),
            What::PhaseIdles { phase } => format!("{}: nothing happens.", phase.name()),
            What::KeepsBoss => format!("{} {}.", v.is(by), card()),
            What::Mulligan { .. } => {
                let their = if v.reader.is(by) { "your" } else { "their" };
                format!("{} {their} hand for a new one.", v.does(by, "swap"))
            }
            What::Reshuffled { .. } => "The discard pile is shuffled back into the decks.".into(),
            What::Shuffled if by.exists() => format!("{} {}.", v.does(by, "shuffle"), at(event.from)),
            // At the beginning of the game, or with the discard pile.
            What::Shuffled => return None,
            What::LevelsUp => format!("{} up: {}!", v.does(by, "level"), card()),
            What::Copies => format!("{} the text of {} for the rest of the game.", v.does(by, "get"), card()),
            What::Eliminated { wounds, .. } => {
                let player = event.player.unwrap_or(Seat::NONE);
                format!("{}: {} out of the game.", plural(wounds, "wound"), v.then_is(player))
            }
            What::GameOver { reason } => self.game_over(event.player.unwrap_or(Seat::NONE), reason),

            What::Uses { .. } | What::Casts => self.uses(event, &[]),
            What::Triggers if by.exists() => format!("{} kicks in.", v.theirs_first(by, card())),
            What::Triggers => format!("{} kicks in.", card()),
            What::Waits => format!("{} happens once everyone has passed.", v.theirs_first(by, card())),
            What::Cancelled => match event.cause.filter(|cause| Some(*cause) != event.card) {
                Some(cause) => format!("{} cancels {}.", self.db.name(cause.def), card()),
                None => format!("{} is cancelled.", card()),
            },
            What::Fizzles => format!("{} fizzles: its target is gone.", card()),
            What::Chooses => format!("{} {}.", v.does(by, "choose"), card()),
            What::ChoosesPlayer => {
                let player = event.player.unwrap_or(Seat::NONE);
                let own = if v.reader.is(by) { "yourself" } else { "themselves" };
                let whom = if player == by { own.into() } else { v.player(player) };
                format!("{} {whom}.", v.does(by, "choose"))
            }
            What::ChoosesClass { class } => format!("{} {class} treasure.", v.does(by, "choose")),
            What::Random => match self.back(event.card) {
                Some(back) => format!("Chance picks a {back}."),
                None => format!("Chance picks {}.", card()),
            },
            What::Rolls { face, .. } => match event.cause {
                Some(cause) => format!("{} rolls a {face}.", self.db.name(cause.def)),
                None => format!("The die shows a {face}."),
            },
            What::Looks => format!("{} at {}.", v.does(by, "look"), at(event.from)),
            What::Shows => format!("{} {}.", v.does(by, "reveal"), card()),

            What::Draws => self.draws(by, &Vec::from_iter(event.card)),
            What::Discards if event.from.is_some_and(|from| from.place.zone() == Zone::Hand) => {
                let loser = event.from.map_or(by, |from| from.place.seat());
                format!("{} {}.", v.does(loser, "discard"), card())
            }
            What::Discards => format!("{} is discarded from {}.", card(), at(event.from)),
            What::Takes => match event.from.map(|from| from.place) {
                Some(from) if from == Place::dungeon(by) => {
                    format!("{} {} back.", v.does(by, "take"), card())
                }
                _ => format!("{} {} from {}.", v.does(by, "take"), card(), at(event.from)),
            },
            What::Removed => format!("{} is gone for good.", card()),

            What::Stocks => format!("{} is on offer in the market.", card()),
            What::SendsMinion { space } => {
                let minion = format!("{} minion goes to", v.whose_first(by));
                match (space, event.card) {
                    (Some(space), _) => format!("{minion} the {}: {}.", space.landmark.name(), errand(space)),
                    (None, Some(_)) => format!("{minion} {}.", v.theirs(by, card())),
                    (None, None) => return None,
                }
            }
            What::MinionActs { space: Some(space) } => {
                format!("{} minion acts at the {}.", v.whose_first(by), space.landmark.name())
            }
            What::MinionActs { space: None } => {
                format!("{} minion acts on {}.", v.whose_first(by), card())
            }
            What::MinionIdles => {
                format!("{} minion finds {} out of order.", v.whose_first(by), card())
            }
            What::MinionsReturn => "The minions go home.".into(),
            What::GainsTreasure { class } => {
                format!("{} boss has one more {class} treasure until end of turn.", v.whose_first(by))
            }
            What::LastRoomGains { damage } => {
                format!("{} last room deals +{damage} damage until end of turn.", v.whose_first(by))
            }
            What::PushedOut => format!("{} is pushed out of town, to {}.", card(), self.landmark(event.to)),
            What::GetsToken { token, health } => {
                format!("{} has {token:+} health from now on: {health} in all.", card())
            }
            What::StackShuffled { last: false } => return None,
            What::StackShuffled { last: true } => {
                format!("A stack is shuffled: {} is on top now.", v.theirs(owner, card()))
            }
            What::BecomesFirst => {
                let player = event.player.unwrap_or(Seat::NONE);
                format!("{} first from now on.", v.does(player, "go").replace(" gos", " goes"))
            }

            What::Places => {
                let slot = event.to.and_then(|to| to.slot).map_or(0, |slot| u32::from(slot) + 1);
                let dungeon = if owner == by { String::new() } else { format!(" in {}", at(event.to)) };
                let boss = if v.reader.is(owner) { "your" } else { "the" };
                let places = v.does(by, "place");
                match slot {
                    1 => format!("{places} {} face down{dungeon}, next to {boss} boss.", card()),
                    _ => {
                        format!("{places} {} face down{dungeon}, {} from {boss} boss.", card(), ordinal(slot))
                    }
                }
            }
            What::Reveals { .. } => format!("{} {}.", v.does(by, "build"), card()),
            What::Builds { .. } => format!("{} {} at once.", v.does(by, "build"), card()),
            What::LaysDown => format!("{} {} into {}.", v.does(event.actor, "put"), card(), at(event.to)),
            What::ItemArrives => format!("{} lies in town.", card()),
            What::Carries { .. } => format!("{} takes {}.", card_name(self.db, event.room), card()),
            What::Claims { faceup: true } => format!("{} {}.", v.does(event.actor, "claim"), card()),
            What::Claims { faceup: false } => {
                format!("{} {} face down.", v.does(event.actor, "get"), card())
            }
            What::TurnsItem { faceup } => {
                let side = if faceup { "up" } else { "down" };
                format!("{} is turned face {side}.", v.theirs_first(owner, card()))
            }
            What::Destroyed => {
                let whose = event.from.map_or(Seat::NONE, |from| from.place.seat());
                format!("{} is destroyed.", v.theirs_first(whose, card()))
            }
            What::Counters { by, .. } => {
                let verb = if by < 0 { "loses" } else { "gets" };
                let counters = plural(by.unsigned_abs(), "counter");
                format!("{} {verb} {counters}.", v.theirs_first(owner, card()))
            }
            What::Coins { by: change, coins } => {
                let (verb, n) = if change < 0 { ("pay", -change) } else { ("gain", change) };
                format!("{} {}: {coins} in the hoard.", v.does(by, verb), plural(n.unsigned_abs(), "coin"))
            }
            What::CoinsOn { by, coins, .. } => {
                let put = plural(by.unsigned_abs(), "coin");
                format!("{put} on {}: {coins} in all.", v.theirs(owner, card()))
            }
            What::Sells => format!("{} {} for a coin.", v.does(by, "discard"), card()),
            What::JoinsRoom { level } => {
                let room = card_name(self.db, event.room);
                format!("{} {} in {room}, at level {level}.", v.does(by, "build"), card())
            }
            What::Level { level, up: true } => {
                format!("{} {} to level {level}.", v.does(by, "promote"), card())
            }
            What::Level { level, up: false } => format!("{} falls back to level {level}.", card()),
            What::Unpaid => format!("{} no coin for {}: it is discarded.", v.has(by), card()),
            What::ChoosesNumber { number } => format!("{} {number}.", v.does(by, "choose")),
            What::ComesUp { .. } => {
                format!("{} comes to the top of its stack.", v.theirs_first(owner, card()))
            }
            What::Deactivated => {
                format!("{} is deactivated until end of turn.", v.theirs_first(owner, card()))
            }
            What::Reactivated => format!("{} works again.", v.theirs_first(owner, card())),
            What::DamageChanges { by, damage } => {
                let room = v.theirs_first(owner, card());
                format!("{room} deals {by:+} damage until end of turn: {damage} in all.")
            }
            What::TreasureChanges { class, by, treasure } => {
                let player = event.player.unwrap_or(Seat::NONE);
                match by {
                    1.. => {
                        let more = treasures(by, &format!("more {class}"));
                        format!("{} {more}: {treasure} in all.", v.does(player, "get"))
                    }
                    _ => {
                        let lost = treasures(by, class.word());
                        format!("{} {lost}: {treasure} left.", v.does(player, "lose"))
                    }
                }
            }
            What::PointsChange { souls, wounds } => {
                let score = event.from.and_then(|at| at.score).unwrap_or_default();
                let told = |by: i32, now: u16, one: &str| {
                    let things = if by.abs() == 1 { one.into() } else { format!("{one}s") };
                    let way = if by > 0 { "more" } else { "fewer" };
                    (by != 0).then(|| format!("{} {way} {things}: {now} in all", by.abs()))
                };
                let parts = [told(souls, score.souls, "soul"), told(wounds, score.wounds, "wound")];
                let parts: Vec<String> = parts.into_iter().flatten().collect();
                format!("{} {}.", v.has(event.player.unwrap_or(Seat::NONE)), parts.join(", "))
            }
            What::Swapped => {
                let other = card_name(self.db, event.room);
                format!("{} and {other} swap places in {} dungeon.", card(), v.whose(owner))
            }

            What::Arrives { health } => match self.wants(event.card) {
                Some(treasure) => format!("{} comes to town: {treasure}, health {health}.", card()),
                None => format!("{} comes to town: health {health}.", card()),
            },
            What::Lured { count, next } => match self.wants(event.card) {
                Some(treasure) => {
                    let treasure = treasures(count, &treasure);
                    format!("{} is lured to {} dungeon: {treasure} to {next}.", card(), v.whose(owner))
                }
                None => format!("{} is lured to {} dungeon, {count} to {next}.", card(), v.whose(owner)),
            },
            What::StaysInTown { count, tied, .. } => {
                format!("{} stays in town: {}.", card(), self.why_stays(event.card, count, tied))
            }
            What::WantsMore { count, needed } if count < needed => match self.wants(event.card) {
                Some(treasure) => {
                    let wanted = treasures(needed, &treasure);
                    format!("{} stays in town: it wants {wanted} and sees {count}.", card())
                }
                None => format!("{} stays in town.", card()),
            },
            What::WantsMore { .. } => format!("{} stays in town: it cannot be lured.", card()),
            What::Goes if event.to.is_some_and(|to| to.place == Place::LANDMARK) => {
                format!("{} goes to {}.", card(), self.landmark(event.to))
            }
            What::Goes => format!("{} is sent to {}.", card(), at(event.to)),
            What::StaysOut => {
                format!("{} may not enter {} dungeon and waits outside.", card(), v.whose(owner))
            }
            What::Enters => self.enters(event, None),
            What::Damaged { amount, taken, health } => {
                let left = left(health, taken);
                match event.cause.filter(|cause| Some(*cause) != event.room) {
                    Some(cause) => {
                        let from = self.db.name(cause.def);
                        format!("{} takes {amount} damage from {from}: {left}.", card())
                    }
                    None => format!("{} takes {amount} damage: {left}.", card()),
                }
            }
            What::Recovers => format!("{} shakes off all damage.", card()),
            What::HealthChanges { by, health } => {
                format!("{} has {by:+} health until end of turn: {health} in all.", card())
            }
            What::SkipsRooms { rooms: 1 } => format!("{} will skip the next room.", card()),
            What::SkipsRooms { rooms } => format!("{} will skip the next {rooms} rooms.", card()),
            What::Dies { souls } => {
                let how = match (event.cause, event.room) {
                    (Some(cause), _) => format!("is killed by {}", self.db.name(cause.def)),
                    (None, Some(room)) => format!("dies in {}", self.db.name(room.def)),
                    (None, None) => "dies".into(),
                };
                format!("{} {how}: {} for {}.", card(), plural(souls, "soul"), v.player(owner))
            }
            What::Wounds { wounds } => {
                format!("{} gets through {} dungeon: {}.", card(), v.whose(owner), plural(wounds, "wound"))
            }
            What::Scores { points } => {
                let noun = if event.to.is_some_and(|to| to.facedown) { "soul" } else { "wound" };
                format!("{} goes to {}: {}.", card(), at(event.to), plural(points, noun))
            }
            What::Healed { points } => {
                let noun = plural(points, "wound");
                format!("{} {noun}: {} becomes a soul.", v.does(owner, "heal"), card())
            }
            What::TurnedOver { points } => {
                format!("{} soul {} becomes {}.", v.whose_first(owner), card(), plural(points, "wound"))
            }
        })
    }

    /// `the Temple`
    fn landmark(&self, at: Option<crate::Where>) -> String {
        let slot = at.and_then(|at| at.slot).map_or(usize::MAX, usize::from);
        Landmark::ALL.get(slot).map_or("a landmark".into(), |landmark| format!("the {}", landmark.name()))
    }

    /// The treasure a hero is after; none if its card lures it otherwise.
    fn wants(&self, hero: Option<Shown>) -> Option<String> {
        let def = self.db.def(hero?.def);
        (def.lure.is_none() && !def.classes.is_empty()).then(|| class_list(def.classes, "and"))
    }

    fn why_stays(&self, hero: Option<Shown>, count: i32, tied: SeatSet) -> String {
        let v = &self.voice;
        let seats = || (0..SEATS as u8).map(Seat).filter(|seat| tied.has(*seat));
        let wants = self.wants(hero);
        if let (0, Some(treasure)) = (count, &wants) {
            return format!("nobody has {treasure} treasure");
        }
        if seats().count() < 2 {
            return "it cannot be lured".into();
        }
        // "You" comes first.
        let mut names: Vec<String> =
            seats().filter(|seat| v.reader.is(*seat)).map(|_| "you".into()).collect();
        names.extend(seats().filter(|seat| !v.reader.is(*seat)).map(|seat| v.player(seat).into_owned()));
        match wants {
            Some(treasure) => format!("{} are tied at {}", list(&names), treasures(count, &treasure)),
            None => format!("{} are tied at {count}", list(&names)),
        }
    }

    /// Cards drawn by one player in a row; unseen ones are counted.
    fn draws(&self, seat: Seat, cards: &[Shown]) -> String {
        let mut counts: Vec<(Shown, u32)> = Vec::new();
        for card in cards {
            match counts.iter_mut().find(|(known, _)| known.def == card.def) {
                Some((_, count)) => *count += 1,
                None => counts.push((*card, 1)),
            }
        }
        let named = counts.iter().map(|(card, count)| match (count, self.back(Some(*card))) {
            (1, _) => self.db.name(card.def).to_string(),
            (n, Some(back)) => plural(*n, back),
            (n, None) => format!("{n} × {}", self.db.name(card.def)),
        });
        format!("{} {}.", self.voice.does(seat, "draw"), list(&named.collect::<Vec<_>>()))
    }

    /// A spell or ability with what was chosen for it.
    fn uses(&self, event: &Event, chosen: &[String]) -> String {
        let verb = if event.what == What::Casts { "cast" } else { "use" };
        let (does, card) = (self.voice.does(event.actor, verb), card_name(self.db, event.card));
        match chosen {
            [] => format!("{does} {card}."),
            _ => format!("{does} {card}, choosing {}.", list(chosen)),
        }
    }

    fn choice(&self, event: &Event, by: Seat) -> Option<String> {
        if event.actor != by {
            return None;
        }
        match event.what {
            What::Chooses => Some(card_name(self.db, event.card).into()),
            What::ChoosesPlayer => Some(self.voice.player(event.player?).into()),
            What::ChoosesClass { class } => Some(format!("{class} treasure")),
            _ => None,
        }
    }

    fn enters(&self, event: &Event, damage: Option<(u8, String)>) -> String {
        let (hero, room) = (card_name(self.db, event.card), card_name(self.db, event.room));
        match damage {
            None | Some((0, _)) => format!("{hero} enters {room}."),
            Some((amount, left)) => format!("{hero} enters {room} and takes {amount} damage: {left}."),
        }
    }

    fn game_over(&self, winner: Seat, reason: Ending) -> String {
        let v = &self.voice;
        match reason {
            Ending::Souls => format!("{} with ten souls or more!", v.does(winner, "win")),
            Ending::Compared => {
                format!("Ten souls are reached; {} on souls minus wounds.", v.then_does(winner, "win"))
            }
            Ending::LastStanding => format!("{}: the last boss standing!", v.does(winner, "win")),
            Ending::AllLost => {
                format!("Everyone is out; {} on souls minus wounds.", v.then_does(winner, "win"))
            }
            Ending::Stalled => {
                format!("No more heroes are coming; {} on souls minus wounds.", v.then_does(winner, "win"))
            }
            Ending::Stopped => "The game stops here.".into(),
            Ending::LastEpic => "The last epic hero has come: the game is over.".into(),
            Ending::Wounds => "Five wounds: the game is over.".into(),
            Ending::Tavern => "A hero has reached the Tavern: the game is over.".into(),
        }
    }

    /// What an unseen card is called, without an article.
    fn back(&self, card: Option<Shown>) -> Option<&'static str> {
        let card = card.filter(|card| self.db.is_blank(card.def))?;
        Some(self.db.def(card.def).kind.back())
    }
}

/// What a minion is sent for.
pub(super) fn errand(space: Space) -> String {
    match (space.errand, space.landmark) {
        (Errand::Treasure, landmark) => {
            landmark.class().map_or("treasure".into(), |class| format!("{class} treasure"))
        }
        (Errand::Summon, _) => "summon its hero".into(),
        (Errand::Service, Landmark::Temple) => "a card left in the market".into(),
        (Errand::Service, Landmark::Stadium) => "draw a room".into(),
        (Errand::Service, Landmark::Library) => "draw a spell, then discard a spell".into(),
        (Errand::Service, Landmark::Hideout) => "+2 damage for the last room".into(),
        (Errand::Service, Landmark::Launchpad) => "shuffle a stack".into(),
        (Errand::Service, Landmark::Tavern) => "nothing".into(),
    }
}

/// `1 mage treasure`, `2 mage treasures`
fn treasures(count: i32, class: &str) -> String {
    plural(count.unsigned_abs(), &format!("{class} treasure"))
}

/// A card may be called "Oh, Yeah!": the sentence then needs no full stop.
fn closed(mut words: String) -> String {
    if words.ends_with("!.") || words.ends_with("?.") {
        words.pop();
    }
    words
}

fn left(health: i32, taken: u8) -> String {
    match health - i32::from(taken) {
        left @ 1.. => format!("{left} health left"),
        _ => "no health left".into(),
    }
}

fn ordinal(n: u32) -> String {
    match n {
        1 => "first".into(),
        2 => "second".into(),
        3 => "third".into(),
        4 => "fourth".into(),
        5 => "fifth".into(),
        n => format!("{n}th"),
    }
}
