//! Draws games: any mix of boxes, any rules, any number of players, by number.
//!
//! Invariant: the seed of a run and the number of a game decide everything about it.

use cards::tree::Set;
use cards::{CardDb, CompileError, Deck, Mix, library, mix};
use engine::setup::PLAYERS;
use engine::{Dealer, Rules, Ruleset, Seed, Setup, SetupError, Variant};

use contract::Dice;

/// Games in a row that share their cards: reading a deck costs more than a game.
pub const BLOCK: u64 = 16;

/// The cards of one block of games.
pub struct Table {
    pub deck: Deck,
    pub db: CardDb,
}

impl Table {
    /// Most are mixes; some are decks that come with the program, some have single cards added and
    /// left out (rule 13.3).
    pub fn draw(dice: &mut Dice, sets: &[Set]) -> Result<Table, CompileError> {
        let deck = match dice.below(8) {
            0 => named(dice.among(library::DECKS).0, sets),
            1 => altered(dice, sets),
            _ => named(&drawn(dice, sets), sets),
        };
        let db = deck.compile(sets)?;
        Ok(Table { deck, db })
    }
}

fn named(name: &str, sets: &[Set]) -> Deck {
    library::deck(name, sets).unwrap_or_else(|| panic!("there is no deck {name}"))
}

/// Any base game with any others and any expansions, by name. A base game alone is a deck that comes
/// with the program.
fn drawn(dice: &mut Dice, sets: &[Set]) -> String {
    let known = mix::built_in(sets);
    let (bases, others): (Vec<usize>, Vec<usize>) =
        (0..known.len()).partition(|at| mix::is_base(&known[*at]));
    let heroes = dice.among(&bases);
    let (rare, often) = (4, 2 + dice.below(5));
    let mut boxes = vec![heroes];
    boxes.extend(bases.into_iter().filter(|at| *at != heroes && dice.one_in(rare)));
    boxes.extend(others.into_iter().filter(|_| dice.one_in(often)));
    Mix::of(&boxes, known).map_or_else(|error| panic!("{error}"), |mix| mix.name(known))
}

/// A mix with up to 24 cards more or fewer, each by its number.
fn altered(dice: &mut Dice, sets: &[Set]) -> Deck {
    let mut text = named(&drawn(dice, sets), sets).text;
    let mut numbers: Vec<&str> = mix::built_in(sets)
        .iter()
        .flat_map(|set| set.cards.iter().filter_map(|card| card.fields.number.as_deref()))
        .collect();
    for _ in 0..dice.below(24) {
        let number = numbers.swap_remove(dice.below(numbers.len()));
        text.push_str(&format!("{number} x{}\n", dice.below(5)));
    }
    Deck::read("altered", "altered.deck", &text, sets).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Any rules; many cannot be played with these cards.
pub fn any_rules(dice: &mut Dice) -> Rules {
    // Games for one are short and much alike: fewer of them.
    let (first, second) = (dice.among(&Ruleset::ALL), dice.among(&Ruleset::ALL));
    let ruleset = if first.is_for_one() { second } else { first };
    let players = match ruleset {
        one if one.is_for_one() && !dice.one_in(8) => 1,
        _ => *PLAYERS.start() + dice.below(usize::from(*PLAYERS.end())) as u8,
    };
    let often = 2 + dice.below(4);
    let variants = Variant::ALL.into_iter().filter(|_| dice.one_in(often)).collect::<Vec<_>>();
    let mut rules = variants.into_iter().fold(Rules::new(ruleset, players), Rules::with);
    rules.cover = dice.one_in(4);
    rules
}

/// Rules that these cards can be played by, and what was refused on the way.
pub fn rules<'a>(dice: &mut Dice, table: &'a Table) -> (Dealer<'a>, Setup, Vec<SetupError>) {
    let mut refused = Vec::new();
    for _ in 0..200 {
        let rules = any_rules(dice);
        match Dealer::new(&table.db, rules) {
            Ok(dealer) => {
                let setup = Setup { rules, deck: table.deck.id.clone(), seed: Seed::from(dice.number()) };
                return (dealer, setup, refused);
            }
            Err(error) => refused.push(error),
        }
    }
    panic!("{} cannot be played by anybody: {refused:?}", table.deck.id)
}
