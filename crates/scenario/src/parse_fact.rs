//! The lines that say what must be true. Most words are rows of the tables in `facts`.

use cards::vocabulary::Class;
use cards::vocabulary::Kind;
use engine::Seat;

use crate::error::Problem;
use crate::facts::*;
use crate::parse::*;

pub(crate) fn fact(text: &str) -> Result<Fact, Problem> {
    let (first, rest) = split_word(text);
    let player = seat(first).ok();
    if (player.is_some() || first == "spectator")
        && let Some(fact) = of_viewer(player, rest)?
    {
        return Ok(fact);
    }
    if let Some(player) = player
        && let Some(fact) = of_player(player, rest)?
    {
        return Ok(fact);
    }
    if let Some(fact) = of_cards(None, &TABLE_CARDS, text)? {
        return Ok(fact);
    }
    match TABLE_WORDS.iter().find(|row| row.word == first) {
        Some(row) => Ok(Fact::Word(row, (row.value)(rest)?)),
        None => of_hero(text),
    }
}

/// `p2 sees p1 hand: 3 rooms`, `spectator reads: p1 draws a room.`
fn of_viewer(viewer: Option<Seat>, text: &str) -> Result<Option<Fact>, Problem> {
    const SENTENCE: Problem = Problem::Missing("write a sentence of the log, or a part of one");
    let sentence = |text: &str| {
        let text = text.trim();
        if text.is_empty() { Err(SENTENCE) } else { Ok(text.to_string()) }
    };
    if let Some(text) = text.strip_prefix("sees ") {
        return Ok(Some(Fact::Sees(viewer, Box::new(with_backs(fact(text)?)?))));
    }
    if let Some(text) = text.strip_prefix("reads:") {
        return Ok(Some(Fact::Reads(viewer, sentence(text)?)));
    }
    if let Some(text) = text.strip_prefix("does not read:") {
        return Ok(Some(Fact::DoesNotRead(viewer, sentence(text)?)));
    }
    if viewer.is_none() {
        return Err(Problem::word(
            text,
            "spectator sees ..., spectator reads: ..., spectator does not read: ...",
        ));
    }
    Ok(None)
}

fn of_player(player: Seat, text: &str) -> Result<Option<Fact>, Problem> {
    let (first, rest) = split_word(text);
    // `souls 3` are points, `souls has fighter 6` is about the cards.
    let about_a_card = split_word(rest).0 == "has" && PLAYER_CARDS.iter().any(|row| row.word == first);
    // `coins 3` are a hoard, `coins Golem Factory 3` lie on a room.
    let about_a_room = rest.contains(' ') && ROOM_NUMBERS.iter().any(|row| row.word == first);
    if let Some(row) = PLAYER_NUMBERS.iter().find(|row| row.word == first && !about_a_card && !about_a_room) {
        return Ok(Some(Fact::PlayerNumber(player, row, number(rest, "a number")?)));
    }
    if let Some(fact) = of_cards(Some(player), &PLAYER_CARDS, text)? {
        return Ok(Some(fact));
    }
    if let Some(row) = ROOM_NUMBERS.iter().find(|row| row.word == first) {
        let (room, n) = rest.rsplit_once(' ').ok_or(Problem::Missing("write `damage Golem Factory 2`"))?;
        return Ok(Some(Fact::RoomNumber(player, name(room)?, row, number(n, row.what)?)));
    }
    let (no, mark) = match first {
        "not" => (true, rest),
        _ => (false, text),
    };
    if let Some(row) = PLAYER_MARKS.iter().find(|row| row.word == mark) {
        return Ok(Some(Fact::PlayerMark(player, row, !no)));
    }
    Ok(Some(match first {
        "dungeon:" => Fact::Dungeon(player, stacks(rest)?),
        "minion" => match split_word(rest) {
            ("home", "") => Fact::MinionAt(player, None),
            ("at", at) => {
                let known = || Problem::word(at, "temple treasure, stadium service, library summon, tavern");
                Fact::MinionAt(player, Some(space(at).ok_or_else(known)?))
            }
            ("on", card) => Fact::MinionOn(player, name(card)?),
            (other, _) => {
                let known = "minion home, minion at temple treasure, minion on Mana Bar";
                return Err(Problem::word(other, known));
            }
        },
        "items:" => Fact::Items(player, items(rest)?),
        "treasure" => {
            let (class, n) = split_word(rest);
            Fact::Treasure(player, treasure(class)?, number(n, "the number of that treasure")?)
        }
        _ => return Ok(None),
    }))
}

/// `discard: A, B`, `discard has A`, `room deck 3`
fn of_cards(player: Option<Seat>, rows: &'static [CardList], text: &str) -> Result<Option<Fact>, Problem> {
    let row = rows.iter().find_map(|row| Some((row, text.strip_prefix(row.word)?)));
    let Some((row, rest)) = row.filter(|(_, rest)| !rest.starts_with(char::is_alphanumeric)) else {
        return Ok(None);
    };
    if let Some(cards) = rest.strip_prefix(':') {
        return Ok(Some(Fact::Cards(player, row, names(cards)?)));
    }
    match split_word(rest) {
        ("has", card) => Ok(Some(Fact::Has(player, row, name(card)?))),
        (n, "") => Ok(Some(Fact::Size(
            player,
            row,
            number(n, "how many cards are there, or a colon and the cards")?,
        ))),
        _ => Err(Problem::Fact(text.into())),
    }
}

/// `fighter 6 damage 3`, `fighter 6 health 9`, `fighter 6 in p1 Golem Factory`
fn of_hero(text: &str) -> Result<Fact, Problem> {
    for row in &HERO_NUMBERS {
        if let Some((hero, n)) = text.rsplit_once(&format!(" {} ", row.word)) {
            return Ok(Fact::HeroNumber(name(hero)?, row, number(n, row.what)?));
        }
    }
    if let Some((hero, item)) = text.rsplit_once(" carries ") {
        let item = if item.trim() == "nothing" { None } else { Some(name(item)?) };
        return Ok(Fact::Carries(name(hero)?, item));
    }
    if let Some((card, level)) = name_and_level(text) {
        return Ok(Fact::Level(name(card)?, level.into()));
    }
    if let Some((card, room)) = text.rsplit_once(" on ") {
        return Ok(Fact::On(name(card)?, name(room)?));
    }
    let (hero, place) = text.rsplit_once(" in ").ok_or_else(|| Problem::Fact(text.into()))?;
    let (owner, room) = split_word(place);
    let room = if room.is_empty() { None } else { Some(name(room)?) };
    Ok(Fact::HeroIn(name(hero)?, seat(owner)?, room))
}

pub(crate) fn treasure(word: &str) -> Result<Class, Problem> {
    let found = Class::WORDS.iter().find(|(known, _)| *known == word);
    found.map(|(_, class)| *class).ok_or_else(|| Problem::Word(word.into(), word_list(Class::WORDS)))
}

pub(crate) fn word_list<T>(words: &[(&'static str, T)]) -> String {
    words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ")
}

// ---- cards of which only the back is seen ----

/// A viewer may see only the back of a card: `3 rooms`, `a face-down room`.
fn with_backs(fact: Fact) -> Result<Fact, Problem> {
    Ok(match fact {
        Fact::Cards(seat, row, names) => {
            let mut seen = Vec::new();
            for name in names {
                match back(&name)? {
                    Some((count, back, _)) => seen.extend(std::iter::repeat_n(back, count)),
                    None => seen.push(name),
                }
            }
            Fact::Cards(seat, row, seen)
        }
        Fact::Dungeon(seat, mut stacks) => {
            for room in stacks.iter_mut().flatten() {
                match back(&room.name)? {
                    Some((1, back, facedown)) => {
                        (room.name, room.facedown) = (back, room.facedown || facedown);
                    }
                    Some(_) => return Err(Problem::Missing("write the rooms of a dungeon one by one")),
                    None => {}
                }
            }
            Fact::Dungeon(seat, stacks)
        }
        other => other,
    })
}

/// The most cards a list may ask for in one word, so that no scenario asks for absurdly many.
const MANY: usize = 1000;

fn back(name: &Name) -> Result<Option<(usize, Name, bool)>, Problem> {
    let text = name.text.replacen("face-down ", "", 1);
    let facedown = text != name.text;
    let (first, noun) = split_word(&text);
    let called = |kind: &Kind| noun == kind.plural() || noun == kind.name();
    let Some(kind) = Kind::ALL.into_iter().find(called) else { return Ok(None) };
    let (one, many) = (kind.one(), kind.plural());
    let count: usize = if text == one { 1 } else { number(first, "how many there are")? };
    if (noun == many) != (count != 1) || count > MANY {
        return Err(Problem::Word(name.text.clone(), format!("{one}, 2 {many}")));
    }
    Ok(Some((count, Name { back: Some(kind), text: one.into(), ..name.clone() }, facedown)))
}
