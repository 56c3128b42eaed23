//! What can be played with these cards: by which rules, for how many, and why not otherwise. What is
//! offered to players is asked here, so that nothing is offered that cannot be dealt.

use cards::deck::Balance;
use cards::tree::Set;
use cards::vocabulary::Kind;
use cards::{CardDb, Deck, Mix, mix};

use super::{Dealer, PLAYERS, Rules, Ruleset, SetupError, TABLES, Variant, contents};
use crate::model::rng::Rng;

/// A game that these cards can be dealt for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    pub rules: Rules,
    /// Ordinary and epic heroes in the game.
    pub heroes: usize,
    pub epics: usize,
}

impl Offer {
    /// The game of a ruleset for so many, with unlimited lives where only those allow it (rule 12.7).
    pub fn of(db: &CardDb, ruleset: Ruleset, players: u8) -> Result<Offer, SetupError> {
        let rules = Rules::new(ruleset, players);
        Offer::by(db, rules).or_else(|error| match error {
            SetupError::NeedsLives(_) => Offer::by(db, rules.with(Variant::UnlimitedLives)),
            error => Err(error),
        })
    }

    fn by(db: &CardDb, rules: Rules) -> Result<Offer, SetupError> {
        Dealer::new(db, rules)?;
        let count = |kind| contents(db, &rules).filter(|id| db.def(*id).kind == kind).count();
        Ok(Offer { rules, heroes: count(Kind::Hero), epics: count(Kind::Epic) })
    }

    /// What has to be said besides the number of players: `by the ruleset crash`.
    pub fn terms(&self) -> Option<String> {
        let ruleset = self.rules.ruleset();
        match self.rules.variants().next() {
            Some(variant) => Some(format!("with {}", variant.name())),
            None if ruleset == Ruleset::default() => None,
            None => Some(format!("by the ruleset {}", ruleset.name())),
        }
    }
}

/// Every ruleset on the menus with every number of players, and what comes of it.
pub fn offers(db: &CardDb) -> Vec<(Ruleset, u8, Result<Offer, SetupError>)> {
    let rulesets = Ruleset::ALL.into_iter().filter(|ruleset| ruleset.row().offered);
    let all = rulesets.flat_map(|ruleset| {
        let players = if ruleset.is_for_one() { 1..=1 } else { TABLES };
        players.map(move |players| (ruleset, players))
    });
    all.map(|(ruleset, players)| (ruleset, players, Offer::of(db, ruleset, players))).collect()
}

/// For how many players around a table these cards can be dealt, by the first ruleset that fits.
#[derive(Debug, Default)]
pub struct Tables {
    pub offers: Vec<Offer>,
    pub refusals: Vec<(u8, SetupError)>,
}

impl Tables {
    pub fn of(db: &CardDb) -> Tables {
        let mut tables = Tables::default();
        for players in TABLES {
            let usual = Ruleset::ALL.into_iter().find_map(|ruleset| {
                let rules = Rules::new(ruleset, players);
                Offer::by(db, rules).ok()
            });
            match usual.map_or_else(|| Offer::of(db, Ruleset::default(), players), Ok) {
                Ok(offer) => tables.offers.push(offer),
                Err(error) => tables.refusals.push((players, error)),
            }
        }
        tables
    }

    pub fn most_players(&self) -> u8 {
        self.offers.iter().map(|offer| offer.rules.players).max().unwrap_or(0)
    }
}

/// Draws tried before the fairest of them is taken.
const DRAWS: usize = 60;

/// A mix that nobody has chosen: a base game with a few other boxes that so many can play, and as fair
/// as any that was drawn. Equal numbers give equal mixes. `None` if so many cannot play at all.
pub fn surprise(players: u8, seed: u64, sets: &[Set]) -> Option<(Deck, Offer)> {
    let known = mix::built_in(sets);
    if !PLAYERS.contains(&players) || known.is_empty() {
        return None;
    }
    let mut rng = Rng::from_seed(seed);
    let mut best: Option<(usize, Deck, Offer)> = None;
    for _ in 0..DRAWS {
        let Ok(drawn) = Mix::of(&draw(&mut rng, known), known) else { continue };
        let Some(deck) = cards::library::deck(&drawn.name(known), sets) else { continue };
        let unfair = Balance::of(&deck, sets).unfairness();
        if best.as_ref().is_some_and(|(least, ..)| *least <= unfair) {
            continue;
        }
        let Ok(db) = deck.compile(sets) else { continue };
        let Some(offer) = usual(&db, players) else { continue };
        best = Some((unfair, deck, offer));
        if unfair == 0 {
            break;
        }
    }
    best.map(|(_, deck, offer)| (deck, offer))
}

/// A base game, now and then a second one, and up to four expansions.
fn draw(rng: &mut Rng, sets: &[Set]) -> Vec<usize> {
    let (mut bases, mut others): (Vec<usize>, Vec<usize>) =
        (0..sets.len()).partition(|at| mix::is_base(&sets[*at]));
    rng.shuffle(&mut bases);
    rng.shuffle(&mut others);
    bases.truncate(if rng.below(4) == 0 { 2 } else { 1 });
    others.truncate(1 + rng.below(4));
    bases.into_iter().chain(others).collect()
}

/// How these cards are best played by so many: cards for the town board on the board, all others by
/// the first rules that fit.
fn usual(db: &CardDb, players: u8) -> Option<Offer> {
    let spaces = cards::deck::brings(db).contains(&cards::deck::Brings::Board);
    let boards = |ruleset: &Ruleset| ruleset.row().has_board() == spaces;
    let fitting = Ruleset::ALL.into_iter().filter(|ruleset| ruleset.row().offered).filter(boards);
    fitting.filter(|ruleset| !ruleset.is_challenge()).find_map(|ruleset| Offer::of(db, ruleset, players).ok())
}
