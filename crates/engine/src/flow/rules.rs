//! Every ruleset and variant, declared once: its name, its rule, what it means and what it changes.
//! `Rules` combines them for a game.

use std::str::FromStr;

use thiserror::Error;

use crate::flow::classic::CLASSIC;
use crate::flow::crash::CRASH;
use crate::flow::edition::*;
use crate::flow::super_boss::{CHALLENGE, SOLO, SUPER};

/// The rules of a game: values, never build flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    ruleset: Ruleset,
    variants: Variants,
    /// What the ruleset and the variants add up to.
    edition: Edition,
    pub players: u8,
    /// Stop after this turn; 0 plays on to the end.
    pub last_turn: u16,
    /// Also ask questions that have only one answer, as scenarios do.
    pub ask_all: bool,
    /// In a window, also ask every player who, as far as the others can see, might have an answer.
    /// Otherwise being asked would reveal that a player has one.
    pub cover: bool,
}

/// The part of the rules that people choose.
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    pub ruleset: Ruleset,
    pub variants: Variants,
    pub players: u8,
    pub last_turn: u16,
    pub ask_all: bool,
    pub cover: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ruleset {
    #[default]
    Classic,
    Crash,
    Super,
    Solo,
    Challenge,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    Classic,
    Hard,
    ChooseBoss,
    Machinations,
    UnlimitedLives,
    Stars,
}

/// A set of variants, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Variants(pub u16);

/// A ruleset as people choose it.
#[derive(Debug)]
pub struct RulesetRow {
    pub ruleset: Ruleset,
    /// As commands, setup lines and settings write it.
    pub name: &'static str,
    /// The deck it is played with if none is named.
    pub deck: &'static str,
    pub title: &'static str,
    /// In docs/rules.md.
    pub rule: &'static str,
    pub means: &'static str,
    /// The set whose cards it is played with.
    pub(crate) set: Option<&'static str>,
    /// The set without which no more than four can play.
    pub(crate) set_for_five: Option<&'static str>,
    /// Everything it needs is implemented, so it is on every menu.
    pub offered: bool,
    edition: Edition,
}

/// A variant as people choose it.
#[derive(Debug)]
pub struct VariantRow {
    pub variant: Variant,
    pub name: &'static str,
    pub title: &'static str,
    pub rule: &'static str,
    pub means: &'static str,
    change: fn(&mut Edition),
}

pub const RULESETS: [RulesetRow; 5] = [
    RulesetRow {
        ruleset: Ruleset::Classic,
        name: "classic",
        deck: "bmr",
        title: "Classic",
        rule: "3.1",
        means: "Ten souls win, five wounds lose.",
        set: None,
        set_for_five: None,
        offered: true,
        edition: CLASSIC,
    },
    RulesetRow {
        ruleset: Ruleset::Crash,
        name: "crash",
        deck: "bmr",
        title: "Crash Landing",
        rule: "9.6",
        means: "Five or six play; ties share the heroes out, and nobody is eliminated.",
        set: Some("CRL"),
        set_for_five: None,
        offered: true,
        edition: CRASH,
    },
    RulesetRow {
        ruleset: Ruleset::Super,
        name: "super",
        deck: "sbm",
        title: "Super Boss Monster",
        rule: "14.1",
        means: "A town board with a market, landmarks and minions; the best score wins.",
        set: None,
        set_for_five: Some("CRL"),
        offered: true,
        edition: SUPER,
    },
    RulesetRow {
        ruleset: Ruleset::Solo,
        name: "solo",
        deck: "sbm-solo",
        title: "Solo",
        rule: "15.1",
        means: "Super Boss Monster for one: score as high as you can.",
        set: None,
        set_for_five: None,
        offered: true,
        edition: SOLO,
    },
    RulesetRow {
        ruleset: Ruleset::Challenge,
        name: "challenge",
        deck: "sbm-solo",
        title: "Solo challenge",
        rule: "15.3",
        means: "Solo, and every hero wants one treasure more.",
        set: None,
        set_for_five: None,
        offered: true,
        edition: CHALLENGE,
    },
];

pub const VARIANTS: [VariantRow; 6] = [
    VariantRow {
        variant: Variant::Classic,
        name: "classic",
        title: "Classic Mode",
        rule: "12.1",
        means: "Everybody discards two cards before the first turn.",
        change: |edition| {
            edition.opening_discard = Cards { rooms: 0, spells: 0 };
            edition.opening_cost = 2;
        },
    },
    VariantRow {
        variant: Variant::Hard,
        name: "hard",
        title: "Hard Mode",
        rule: "12.2",
        means: "No ordinary heroes with 4 health.",
        change: |edition| edition.easy_heroes = false,
    },
    VariantRow {
        variant: Variant::ChooseBoss,
        name: "choose-boss",
        title: "I Choose You",
        rule: "12.3",
        means: "Two bosses are dealt to each; keep one.",
        change: |edition| edition.bosses_dealt = 2,
    },
    VariantRow {
        variant: Variant::Machinations,
        name: "machinations",
        title: "Machinations",
        rule: "12.4",
        means: "No soul this turn? Draw a card.",
        change: |edition| edition.consolation = true,
    },
    VariantRow {
        variant: Variant::UnlimitedLives,
        name: "unlimited-lives",
        title: "Unlimited Lives",
        rule: "12.5",
        means: "Wounds eliminate nobody; the best score wins at the end.",
        change: |edition| {
            // A game for one stays one.
            if edition.most_players > 1 {
                edition.most_players = 6;
            }
            edition.souls_to_win = None;
            edition.wounds_to_lose = None;
            edition.last_hero = LastHero::Revealed;
        },
    },
    VariantRow {
        variant: Variant::Stars,
        name: "stars",
        title: "Star Heroes",
        rule: "13.6",
        means: "The star heroes of small packs take the places of heroes like them.",
        change: |edition| edition.stars_replace = true,
    },
];

// Rows are found by index.
const _: () = {
    let mut at = 0;
    while at < RULESETS.len() {
        assert!(RULESETS[at].ruleset as usize == at);
        at += 1;
    }
    at = 0;
    while at < VARIANTS.len() {
        assert!(VARIANTS[at].variant as usize == at);
        at += 1;
    }
};

impl RulesetRow {
    /// Is it played on a town board?
    pub fn has_board(&self) -> bool {
        self.edition.town != Town::Open
    }
}

impl Ruleset {
    pub const ALL: [Ruleset; RULESETS.len()] = {
        let mut all = [Ruleset::Classic; RULESETS.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = RULESETS[at].ruleset;
            at += 1;
        }
        all
    };

    pub fn row(self) -> &'static RulesetRow {
        &RULESETS[self as usize]
    }

    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The game for one, usual or harder.
    pub fn for_one(challenge: bool) -> Ruleset {
        if challenge { Ruleset::Challenge } else { Ruleset::Solo }
    }

    pub fn is_challenge(self) -> bool {
        self == Ruleset::Challenge
    }

    pub fn is_for_one(self) -> bool {
        self.row().edition.most_players == 1
    }

    /// The number of players if none is named: two, unless it is a game for one.
    pub fn usual_players(self) -> u8 {
        self.row().edition.most_players.min(2)
    }

    /// The rulesets that are fully playable, as messages list them.
    pub fn names() -> String {
        listed(RULESETS.iter().filter(|row| row.offered).map(|row| row.name))
    }
}

impl Variant {
    pub const ALL: [Variant; VARIANTS.len()] = {
        let mut all = [Variant::Classic; VARIANTS.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = VARIANTS[at].variant;
            at += 1;
        }
        all
    };

    pub fn row(self) -> &'static VariantRow {
        &VARIANTS[self as usize]
    }

    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// All variants, as messages list them.
    pub fn names() -> String {
        listed(VARIANTS.iter().map(|row| row.name))
    }
}

impl Variants {
    fn with(self, variant: Variant) -> Variants {
        Variants(self.0 | 1 << variant as u16)
    }

    fn has(self, variant: Variant) -> bool {
        self.0 >> variant as u16 & 1 == 1
    }

    /// Every bit stands for a variant.
    fn are_known(self) -> bool {
        u32::from(self.0) >> VARIANTS.len() == 0
    }
}

/// "one", "one and two", "one, two and three".
fn listed(names: impl Iterator<Item = &'static str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.split_last() {
        Some((last, [])) => (*last).into(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("there is no ruleset `{0}`: choose from {all}", all = Ruleset::names())]
pub struct UnknownRuleset(String);

impl FromStr for Ruleset {
    type Err = UnknownRuleset;

    fn from_str(name: &str) -> Result<Ruleset, UnknownRuleset> {
        let row = RULESETS.iter().find(|row| row.name == name);
        row.map(|row| row.ruleset).ok_or_else(|| UnknownRuleset(name.into()))
    }
}

#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum UnknownVariant {
    #[error("there is no variant `{0}`: there are {all}", all = Variant::names())]
    Name(String),
    /// Rule 12.6.
    #[error("`crash-split` is part of the ruleset `crash`, for five and six players: take that (rule 12.6)")]
    CrashSplit,
}

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(name: &str) -> Result<Variant, UnknownVariant> {
        match VARIANTS.iter().find(|row| row.name == name) {
            Some(row) => Ok(row.variant),
            None if name == "crash-split" => Err(UnknownVariant::CrashSplit),
            None => Err(UnknownVariant::Name(name.into())),
        }
    }
}

impl Rules {
    pub fn new(ruleset: Ruleset, players: u8) -> Rules {
        let edition = ruleset.row().edition;
        Rules {
            ruleset,
            variants: Variants::default(),
            edition,
            players,
            last_turn: 0,
            ask_all: false,
            cover: false,
        }
    }

    pub fn classic(players: u8) -> Rules {
        Rules::new(Ruleset::Classic, players)
    }

    pub fn with(mut self, variant: Variant) -> Rules {
        self.variants = self.variants.with(variant);
        self.with_ruleset(self.ruleset)
    }

    /// The same players and variants, with another ruleset.
    pub fn with_ruleset(mut self, ruleset: Ruleset) -> Rules {
        self.ruleset = ruleset;
        self.edition = ruleset.row().edition;
        for row in VARIANTS.iter().filter(|row| self.variants.has(row.variant)) {
            (row.change)(&mut self.edition);
        }
        self
    }

    pub fn ruleset(&self) -> Ruleset {
        self.ruleset
    }

    /// What the ruleset and the variants add up to.
    #[inline]
    pub fn edition(&self) -> &Edition {
        &self.edition
    }

    pub fn has(&self, variant: Variant) -> bool {
        self.variants.has(variant)
    }

    pub fn variants(&self) -> impl Iterator<Item = Variant> + use<'_> {
        Variant::ALL.into_iter().filter(|variant| self.has(*variant))
    }

    /// What was chosen; the edition follows from it.
    pub(crate) fn choice(&self) -> Choice {
        let Rules { ruleset, variants, edition: _, players, last_turn, ask_all, cover } = *self;
        Choice { ruleset, variants, players, last_turn, ask_all, cover }
    }

    pub(crate) fn of_choice(choice: Choice) -> Option<Rules> {
        let Choice { ruleset, variants, players, last_turn, ask_all, cover } = choice;
        let edition = ruleset.row().edition;
        let rules = Rules { ruleset, variants, edition, players, last_turn, ask_all, cover };
        variants.are_known().then(|| rules.with_ruleset(ruleset))
    }

    /// A combination that no ruleset has, to test single values.
    #[cfg(test)]
    pub(crate) fn by_hand(edition: Edition, players: u8) -> Rules {
        Rules { edition, ..Rules::classic(players) }
    }
}
