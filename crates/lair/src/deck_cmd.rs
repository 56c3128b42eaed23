//! `lair deck`: lists decks, shows their cards, and checks how they are balanced (rules 13.3 and 13.4).

use std::mem::discriminant;

use cards::deck::Balance;
use cards::tree::{Card, Set};
use cards::vocabulary::{Class, Kind};
use cards::{Deck, library};
use engine::setup::Tables;
use engine::{Seed, Setup};

use crate::cards_cmd::heading;
use crate::cli::{Deck as Args, DeckCommand};
use crate::decks::find;
use crate::failure::Failure;
use crate::homebrew::Library;
use crate::term::{
    BAD, BOLD, DIM, GOOD, HEAD, capital, class_style, columns, cut, note, pad, paint, paragraph, printable,
    say,
};

pub fn run(args: &Args, Library { sets, .. }: &Library) -> Result<(), Failure> {
    match &args.command {
        DeckCommand::List => Ok(say(list(sets))?),
        DeckCommand::Show { deck } => Ok(say(show(&find(deck, sets)?, sets))?),
        DeckCommand::Check { decks } => check_all(decks, sets),
        DeckCommand::Surprise { players, seed } => surprise(*players, *seed, sets),
    }
}

/// A mix that nobody has chosen: what it is, and the line that plays it.
fn surprise(players: u8, seed: Option<u64>, sets: &[Set]) -> Result<(), Failure> {
    let seed = match seed {
        Some(seed) => seed,
        None => u64::from(getrandom::u32().map_err(Failure::failed)?),
    };
    let (deck, offer) = engine::setup::surprise(players, seed, sets)
        .ok_or_else(|| Failure::usage(format!("no mix can be played by {players}")))?;
    let mut out = headline(&deck);
    deck.notes.iter().for_each(|text| out.push_str(&paragraph("  ", &printable(text), DIM)));
    let db = deck.compile(sets).map_err(Failure::failed)?;
    for brings in cards::deck::brings(&db) {
        out.push_str(&paragraph("  + ", brings.means(), anstyle::Style::new()));
    }
    let setup = Setup { rules: offer.rules, deck: deck.id, seed: Seed::from(seed) };
    out.push_str(&format!("\n  lair play {setup}\n"));
    Ok(say(out)?)
}

fn list(sets: &[Set]) -> String {
    let row = |name: &str, title: &str, rest: [String; 5]| {
        let [bosses, rooms, spells, heroes, epics] = rest;
        format!(
            "{}  {}  {bosses:>6}  {rooms:>5}  {spells:>6}  {heroes:>6}  {epics:>4}\n",
            pad(name, 14),
            pad(&cut(title, 27), 27)
        )
    };
    let titles = ["bosses", "rooms", "spells", "heroes", "epic"].map(String::from);
    let mut out = paint(DIM, row("name", "title", titles));
    for (name, _) in library::DECKS {
        if let Some(deck) = library::deck(name, sets) {
            let Balance { bosses, rooms, spells, heroes, epics, .. } = Balance::of(&deck, sets);
            let counts = [bosses, rooms, spells, heroes, epics].map(|n| n.to_string());
            out.push_str(&row(&paint(BOLD, name), &deck.title, counts));
        }
    }
    out
}

// ---- contents ----

/// Cards listed under one heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Of(Kind),
    Rooms(Class),
    Mixed,
}

impl Group {
    fn all() -> impl Iterator<Item = Group> {
        Kind::ALL.into_iter().flat_map(|kind| match kind {
            Kind::Room => Class::ALL.into_iter().map(Group::Rooms).chain([Group::Mixed]).collect(),
            _ => vec![Group::Of(kind)],
        })
    }

    fn of(card: &Card) -> Group {
        match (card.kind, &card.fields.icons[..]) {
            (Kind::Room, [first, rest @ ..]) if rest.iter().all(|icon| icon == first) => Group::Rooms(*first),
            (Kind::Room, _) => Group::Mixed,
            (kind, _) => Group::Of(kind),
        }
    }

    fn title(self) -> String {
        match self {
            Group::Of(kind) => heading(kind),
            Group::Rooms(class) => format!("{} rooms", capital(class.word())),
            Group::Mixed => "Rooms with several treasures".into(),
        }
    }
}

fn show(deck: &Deck, sets: &[Set]) -> String {
    let mut out = headline(deck);
    deck.notes.iter().for_each(|text| out.push_str(&paragraph("  ", &printable(text), DIM)));
    for group in Group::all() {
        let cards: Vec<(&Card, u8)> = deck
            .cards(sets)
            .filter(|(_, card, _)| Group::of(card) == group)
            .map(|(_, card, count)| (card, count))
            .collect();
        let total: usize = cards.iter().map(|(_, count)| usize::from(*count)).sum();
        if total > 0 {
            out.push_str(&format!("\n{} {}\n", paint(HEAD, group.title()), paint(DIM, total)));
            out.push_str(&in_columns(&cards));
        }
    }
    out
}

fn headline(deck: &Deck) -> String {
    format!("{}  {}\n", paint(BOLD, printable(&deck.title)), paint(DIM, &deck.id))
}

/// Down the first column, then down the second.
fn in_columns(cards: &[(&Card, u8)]) -> String {
    let cell = (columns() - 2) / 2;
    let entry = |(card, count): &(&Card, u8)| {
        let number = card.fields.number.as_deref().unwrap_or("-");
        let count = if *count == 1 { "  ".into() } else { format!("x{count}") };
        let name = pad(&cut(&card.name, cell - 13), cell - 13);
        format!("{} {name} {count:>3}", paint(DIM, pad(number, 6)))
    };
    let rows = cards.len().div_ceil(2);
    let line = |row: usize| {
        let left = pad(&entry(&cards[row]), cell);
        let right = cards.get(row + rows).map(entry).unwrap_or_default();
        format!("  {}\n", format!("{left}{right}").trim_end())
    };
    (0..rows).map(line).collect()
}

// ---- balance ----

fn check_all(decks: &[String], sets: &[Set]) -> Result<(), Failure> {
    let mut worst = Ok(());
    for (i, wanted) in decks.iter().enumerate() {
        if i > 0 {
            say("\n")?;
        }
        // One broken deck does not hide the others; the first failure sets the exit code.
        match find(wanted, sets).and_then(|deck| check(wanted, &deck, sets)) {
            Ok(()) => {}
            Err(failure) if worst.is_ok() => worst = Err(failure),
            Err(Failure::Reported) => {}
            Err(failure) => note(format!("error: {}\n", printable(&failure.to_string())))?,
        }
    }
    worst
}

fn check(wanted: &str, deck: &Deck, sets: &[Set]) -> Result<(), Failure> {
    let balance = Balance::of(deck, sets);
    let tables = Tables::of(&deck.compile(sets).map_err(Failure::failed)?);
    say(report(deck, &balance, &tables))?;
    match tables.refusals.first() {
        Some((_, reason)) if tables.offers.is_empty() => {
            Err(Failure::failed(format!("{wanted}: this deck cannot be played: {reason}")))
        }
        _ => Ok(()),
    }
}

const BAR: usize = 28;

fn report(deck: &Deck, balance: &Balance, tables: &Tables) -> String {
    let &Balance { bosses, rooms, spells, heroes, epics, ordinary, advanced, monsters, traps, .. } = balance;
    let mut out = headline(deck);
    let mut counts =
        format!("{bosses} bosses · {rooms} rooms · {spells} spells · {heroes} heroes · {epics} epic heroes");
    for (count, what) in [(balance.minibosses, "minibosses"), (balance.items, "items")] {
        if count > 0 {
            counts.push_str(&format!(" · {count} {what}"));
        }
    }
    out.push_str(&paragraph("  ", &counts, anstyle::Style::new()));
    out.push('\n');
    out.push_str(&format!("{}\n", paint(HEAD, "Rooms")));
    let for_two = balance.ordinary_for_two().map(|n| format!("2 for every {n:.1} ordinary"));
    for (name, count, remark) in [
        ("ordinary", ordinary, None),
        ("advanced", advanced, for_two),
        ("monster", monsters, None),
        ("trap", traps, None),
    ] {
        let remark = remark.map_or(String::new(), |text| paint(DIM, format!("   {text}")));
        out.push_str(&format!("  {} {}{remark}\n", pad(name, 10), bar(count, rooms, GOOD)));
    }
    out.push_str(&treasure(balance));
    if balance.coins_from + balance.coins_for > 0 {
        let (from, wanted) = (balance.coins_from, balance.coins_for);
        out.push_str(&format!("\n{}\n", paint(HEAD, "Coins")));
        out.push_str(&format!("  {from} cards bring coins, {wanted} cost some, minibosses included\n"));
    }
    out.push_str(&heroes_by_players(tables));
    let advice = balance.advice();
    if advice.is_empty() {
        return out + &format!("\n  {}\n", paint(GOOD, "balanced as advised"));
    }
    out.push('\n');
    for advice in advice {
        out.push_str(&paragraph(&paint(BAD, "  ! "), &advice.to_string(), anstyle::Style::new()));
    }
    out
}

/// By class: room icons as bars, next to bosses and heroes.
fn treasure(balance: &Balance) -> String {
    let items = |text: String| if balance.items > 0 { format!(" {text:>6}") } else { String::new() };
    let head = format!(
        "{} {:>width$} {:>9} {:>7} {:>6} {:>7}{}",
        pad(&paint(HEAD, "Treasure"), 12),
        "",
        "bosses",
        "heroes",
        "epic",
        "health",
        items("items".into()),
        width = BAR + 3
    );
    let mut out = format!("\n{head}\n");
    let most = balance.room_icons.0.into_iter().max().unwrap_or(0);
    for class in balance.classes.iter() {
        let share = balance.shares[class];
        let name = format!("{} {class}", paint(class_style(class), class.letter()));
        out.push_str(&format!(
            "  {} {} {:>9} {:>7} {:>6} {:>7}{}\n",
            pad(&name, 10),
            bar(balance.room_icons[class], most, class_style(class)),
            balance.boss_icons[class],
            share.heroes,
            share.epics,
            share.health,
            items(balance.item_icons[class].to_string())
        ));
    }
    let universal = balance.items.saturating_sub(balance.item_icons.0.iter().sum());
    if universal > 0 {
        out.push_str(&format!("  {universal} items are for heroes of any treasure\n"));
    }
    out
}

fn heroes_by_players(tables: &Tables) -> String {
    let mut out = format!("\n{}\n", paint(HEAD, "Heroes by number of players"));
    for offer in &tables.offers {
        let terms = offer.terms().map_or(String::new(), |terms| paint(DIM, format!("   {terms}")));
        let (players, heroes, epics) = (offer.rules.players, offer.heroes, offer.epics);
        out.push_str(&format!("  {players}  {heroes:>3} and {epics:>2} epic{terms}\n"));
    }
    for alike in tables.refusals.chunk_by(|(_, a), (_, b)| discriminant(a) == discriminant(b)) {
        let players: Vec<String> = alike.iter().map(|(players, _)| players.to_string()).collect();
        out.push_str(&paragraph(&format!("  {}  ", players.join(", ")), &alike[0].1.to_string(), DIM));
    }
    out
}

/// A bar as long as its share of `of`, followed by the number.
fn bar(count: usize, of: usize, style: anstyle::Style) -> String {
    let length = (count * BAR + of / 2).checked_div(of).unwrap_or(0).min(BAR);
    let filled = if length == 0 { String::new() } else { paint(style, "█".repeat(length)) };
    format!("{} {count:>2}", pad(&filled, BAR))
}
