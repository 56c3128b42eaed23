//! What a deck is made of, compared with the advice of rule 13.3. Nothing here is enforced.

use std::fmt;

use super::Deck;
use crate::compile::coins::brings_and_wants;
use crate::tree::{Card, Players, Set};
use crate::vocabulary::{ByClass, Class, Classes, Kind, Subtype};

/// Ordinary rooms for every two advanced ones.
const ORDINARY_FOR_TWO: std::ops::RangeInclusive<f64> = 5.0..=6.0;
/// Heroes in a full hero deck, for each treasure.
const HEROES: (usize, usize) = (6, 4);

/// All numbers count copies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Balance {
    pub bosses: usize,
    pub rooms: usize,
    pub spells: usize,
    pub heroes: usize,
    pub epics: usize,
    pub items: usize,
    pub minibosses: usize,
    /// Cards that bring coins.
    pub coins_from: usize,
    /// Cards that cost coins, minibosses included.
    pub coins_for: usize,
    pub ordinary: usize,
    pub advanced: usize,
    pub monsters: usize,
    pub traps: usize,
    /// The classes of every game, and those that a card has an icon of.
    pub classes: Classes,
    pub room_icons: ByClass<usize>,
    pub boss_icons: ByClass<usize>,
    pub item_icons: ByClass<usize>,
    pub shares: ByClass<HeroShare>,
    /// Ordinary and epic heroes in a game of two, three, and four or more.
    pub by_players: [(usize, usize); 3],
    /// Heroes of either rank with an icon; the others are lured by what their cards say.
    pub with_icon: (usize, usize),
}

/// The heroes of one class; a hero with two icons is in two classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeroShare {
    pub heroes: usize,
    pub epics: usize,
    /// The sum over all of them.
    pub health: usize,
}

/// Where the deck differs from the advice.
#[derive(Clone, Debug, PartialEq)]
pub enum Advice {
    Advanced {
        ordinary: usize,
        advanced: usize,
    },
    Treasure {
        most: (Class, usize),
        fewest: (Class, usize),
    },
    Subtypes {
        monsters: usize,
        traps: usize,
    },
    Bosses {
        most: (Class, usize),
        fewest: (Class, usize),
    },
    Heroes {
        heroes: usize,
        epics: usize,
        advised: (usize, usize),
    },
    HeroIcons {
        most: (Class, usize),
        fewest: (Class, usize),
    },
    Health {
        most: (Class, usize),
        fewest: (Class, usize),
    },
    /// Items that no hero would take.
    ItemsForNobody {
        class: Class,
        items: usize,
    },
    Items {
        most: (Class, usize),
        fewest: (Class, usize),
    },
    NoCoins {
        wanted: usize,
    },
}

impl Balance {
    pub fn of(deck: &Deck, sets: &[Set]) -> Balance {
        let mut balance = Balance { classes: Classes::CORE, ..Balance::default() };
        for (_, card, count) in deck.cards(sets) {
            balance.add(card, usize::from(count));
        }
        balance
    }

    fn add(&mut self, card: &Card, count: usize) {
        let fields = &card.fields;
        match card.kind {
            Kind::Boss => self.bosses += count,
            Kind::Spell => self.spells += count,
            Kind::Room => {
                self.rooms += count;
                *if fields.advanced { &mut self.advanced } else { &mut self.ordinary } += count;
                match fields.subtype {
                    Some(Subtype::Monster) => self.monsters += count,
                    Some(Subtype::Trap) => self.traps += count,
                    None => {}
                }
            }
            Kind::Hero => self.heroes += count,
            Kind::Epic => self.epics += count,
            Kind::Item => self.items += count,
            Kind::Miniboss => self.minibosses += count,
        }
        let (brings, wants) = brings_and_wants(card);
        self.coins_from += if brings { count } else { 0 };
        self.coins_for += if wants { count } else { 0 };
        for class in &fields.icons {
            let i = *class;
            // An item of a treasure that is not in play goes out of the game (rule 8.3).
            if card.kind != Kind::Item {
                self.classes = self.classes.with(i);
            }
            match card.kind {
                Kind::Boss => self.boss_icons[i] += count,
                Kind::Room => self.room_icons[i] += count,
                Kind::Item => self.item_icons[i] += count,
                Kind::Spell | Kind::Miniboss => {}
                Kind::Hero => self.shares[i].heroes += count,
                Kind::Epic => self.shares[i].epics += count,
            }
            if card.kind.is_hero() {
                self.shares[i].health += count * usize::from(fields.health.unwrap_or(0));
            }
        }
        if card.kind.is_hero() {
            let from = if let Some(Players::From(n)) = fields.players { n } else { 0 };
            let (with_icon, ranks) = (!fields.icons.is_empty(), &mut self.by_players);
            for (_, rank) in (2..).zip(ranks).filter(|(players, _)| from <= *players) {
                *pick(rank, card.kind) += count;
            }
            if with_icon {
                *pick(&mut self.with_icon, card.kind) += count;
            }
        }
    }

    /// Ordinary rooms for every two advanced ones.
    pub fn ordinary_for_two(&self) -> Option<f64> {
        (self.advanced > 0).then(|| 2.0 * self.ordinary as f64 / self.advanced as f64)
    }

    /// What rule 13.3 advises otherwise.
    pub fn advice(&self) -> Vec<Advice> {
        let mut advice = Vec::new();
        let &Balance { ordinary, advanced, monsters, traps, .. } = self;
        if !self.ordinary_for_two().is_some_and(|n| ORDINARY_FOR_TWO.contains(&n.round())) {
            advice.push(Advice::Advanced { ordinary, advanced });
        }
        let (most, fewest) = self.extremes(self.room_icons);
        if self.is_uneven(self.room_icons) {
            advice.push(Advice::Treasure { most, fewest });
        }
        if monsters.min(traps) * 5 < (monsters + traps) * 2 {
            advice.push(Advice::Subtypes { monsters, traps });
        }
        let (most, fewest) = self.extremes(self.boss_icons);
        if most.1 > fewest.1 + 1 {
            advice.push(Advice::Bosses { most, fewest });
        }
        let sought = self.sought().count();
        let advised = (HEROES.0 * sought, HEROES.1 * sought);
        if self.with_icon != advised {
            advice.push(Advice::Heroes { heroes: self.with_icon.0, epics: self.with_icon.1, advised });
        }
        let heroes = self.shares.map(|share| share.heroes + share.epics);
        let (most, fewest) = self.extremes(heroes);
        if self.is_uneven(heroes) {
            advice.push(Advice::HeroIcons { most, fewest });
        }
        let health = self.shares.map(|share| share.health);
        let (most, fewest) = self.extremes(health);
        if self.is_uneven(health) {
            advice.push(Advice::Health { most, fewest });
        }
        let idle = |class: &Class| self.item_icons[*class] > 0 && !self.classes.has(*class);
        for class in Class::ALL.into_iter().filter(idle) {
            advice.push(Advice::ItemsForNobody { class, items: self.item_icons[class] });
        }
        // Explorer items are for those who play with Crash Landing as well.
        let mut items = self.sought().filter(|class| Classes::CORE.has(*class)).collect::<Vec<_>>();
        items.sort_by_key(|class| self.item_icons[*class]);
        if let [few, .., many] = items[..]
            && self.item_icons[many] > self.item_icons[few] + 1
        {
            let counted = |class| (class, self.item_icons[class]);
            advice.push(Advice::Items { most: counted(many), fewest: counted(few) });
        }
        if self.coins_for > 0 && self.coins_from == 0 {
            advice.push(Advice::NoCoins { wanted: self.coins_for });
        }
        advice
    }

    /// How many pieces of advice are not followed that keep a treasure from being better than another.
    pub fn unfairness(&self) -> usize {
        use Advice::*;
        let unfair = |advice: &&Advice| {
            matches!(
                advice,
                Treasure { .. }
                    | Bosses { .. }
                    | HeroIcons { .. }
                    | Health { .. }
                    | Items { .. }
                    | NoCoins { .. }
            )
        };
        self.advice().iter().filter(unfair).count()
    }

    /// The treasures that some hero seeks; the usual four in any case.
    fn sought(&self) -> impl Iterator<Item = Class> {
        let heroes = |class: &Class| self.shares[*class].heroes + self.shares[*class].epics > 0;
        Class::ALL.into_iter().filter(move |class| Classes::CORE.has(*class) || heroes(class))
    }

    /// Most and fewest.
    fn extremes(&self, counts: ByClass<usize>) -> ((Class, usize), (Class, usize)) {
        let first = (Class::Cleric, counts[Class::Cleric]);
        let each = || self.classes.iter().map(|class| (class, counts[class]));
        let most = each().fold(first, |most, next| if next.1 > most.1 { next } else { most });
        let fewest = each().fold(first, |fewest, next| if next.1 < fewest.1 { next } else { fewest });
        (most, fewest)
    }

    /// Any class is more than a tenth off the mean.
    fn is_uneven(&self, counts: ByClass<usize>) -> bool {
        let sum: usize = counts.0.iter().sum();
        let classes = self.classes.iter().count();
        self.classes.iter().any(|class| (classes * counts[class]).abs_diff(sum) * 10 > sum)
    }
}

fn pick(rank: &mut (usize, usize), kind: Kind) -> &mut usize {
    if kind == Kind::Epic { &mut rank.1 } else { &mut rank.0 }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Advice::Advanced { advanced: 0, .. } => {
                f.write_str("there is no advanced room; two for every five or six ordinary ones are advised")
            }
            Advice::Advanced { ordinary, advanced } => {
                let each = 2.0 * *ordinary as f64 / *advanced as f64;
                write!(
                    f,
                    "two advanced rooms for every {each:.1} ordinary ones; for every five or six is advised"
                )
            }
            Advice::Treasure { most, fewest } => write!(
                f,
                "rooms show {} {} and {} {} icons; equal numbers are advised",
                most.1, most.0, fewest.1, fewest.0
            ),
            Advice::Subtypes { monsters, traps } => {
                write!(
                    f,
                    "{monsters} monster rooms and {traps} trap rooms; roughly equal numbers are advised"
                )
            }
            Advice::Bosses { most, fewest } => write!(
                f,
                "bosses show {} {} and {} {} icons; roughly equal numbers are advised",
                most.1, most.0, fewest.1, fewest.0
            ),
            Advice::Heroes { heroes, epics, advised } => write!(
                f,
                "{heroes} ordinary and {epics} epic heroes with an icon; {} and {} are advised",
                advised.0, advised.1
            ),
            Advice::HeroIcons { most, fewest } => write!(
                f,
                "{} heroes seek {} and {} seek {} treasure; equal numbers are advised",
                most.1, most.0, fewest.1, fewest.0
            ),
            Advice::Health { most, fewest } => write!(
                f,
                "{} heroes have {} health together, {} heroes {}; an equal spread is advised",
                most.0, most.1, fewest.0, fewest.1
            ),
            Advice::ItemsForNobody { class, items } => {
                let (those, go) = if *items == 1 { ("item", "goes") } else { ("items", "go") };
                write!(f, "{items} {class} {those} {go} out of the game: no card shows {class} treasure")
            }
            Advice::Items { most, fewest } => write!(
                f,
                "{} items are for {} heroes and {} for {} heroes; roughly equal numbers are advised",
                most.1, most.0, fewest.1, fewest.0
            ),
            Advice::NoCoins { wanted } => {
                let want = if *wanted == 1 { "card wants" } else { "cards want" };
                write!(f, "{wanted} {want} coins, and none brings any")
            }
        }
    }
}
