//! English from the tree: the only text a player reads about what a card does.
//!
//! Invariant: the text depends on the shape of the tree and on the facts line, never on a card's
//! name; every tree prints, and every text is one or more whole sentences.
//!
//! `frame` is the outside of an ability, `clause` its statements, `act` its verbs, `event` what is
//! waited for, `rule` rules, `number` amounts, `cond` conditions, `phrase` selectors, places and references,
//! `piece` the way to sentences, `plan` looks ahead, `word` has plain word forms, `facts` the line
//! below a card's name.

mod act;
mod clause;
mod cond;
mod event;
mod facts;
mod frame;
mod noun;
mod number;
mod phrase;
mod piece;
mod plan;
mod relation;
mod rule;
mod word;

use crate::tree::{Ability, Card, Name, Noun, Num, Place, Ref, Sel, Site, Span, Who, Zone};

pub use facts::facts_line;
pub use word::capital;

/// The text of each ability, in the order of the card file.
pub fn card_text(card: &Card) -> Vec<String> {
    let portable = card.fields.portable.then(|| "Portable.".to_owned());
    portable.into_iter().chain(card.abilities.iter().map(|a| ability_text(card, a))).collect()
}

/// One ability as one or more sentences. `ability` is one of `card`'s.
pub fn ability_text(card: &Card, ability: &Ability) -> String {
    word::sentences(&Printer::new(card).of_card(ability))
}

/// What has been said so far, so that later words can refer to it.
struct Printer<'a> {
    card: &'a Card,
    /// Names in scope, oldest first.
    names: Vec<Known>,
    /// Who does what is being printed: their things are "your" or "their" things.
    actor: Option<Who>,
    /// The actor holds what is being printed: "in hand" needs no owner.
    holding: bool,
    /// What `it` stands for, innermost last.
    its: Vec<Noun>,
    /// The thing "it" would be taken for.
    focus: Option<Ref>,
    /// The place just looked at.
    looked_at: Option<Place>,
    /// Who picks the thing that is about to be introduced, when that must be said.
    choice: Option<String>,
    /// How many options of an `either` this is inside of.
    options: u8,
    /// Inside of a `may`: somebody decides whether it happens.
    offered: bool,
    /// Rooms do something once more: what they do goes without saying.
    again: bool,
    /// Others than its owner use the ability: `you` is whoever does.
    open: bool,
    /// What an item does while a hero carries it: `you` owns the dungeon.
    carried: bool,
    /// The ability is used from a hand.
    from_hand: bool,
    /// Numbers with a name, and where they come from.
    numbers: Vec<(String, Counted)>,
    /// Colons so far: a sentence with one cannot end in "instead".
    colons: u32,
}

/// A name in scope.
#[derive(Clone)]
struct Known {
    name: String,
    sel: Sel,
    noun: Noun,
    plural: bool,
    origin: Origin,
    /// Already introduced to the reader.
    told: bool,
    /// Another thing of its kind was mentioned since.
    clouded: bool,
    /// Who chose it, if not you.
    by: Option<Who>,
}

/// Where a number with a name comes from.
#[derive(Clone)]
enum Counted {
    /// Chosen when the action is declared.
    Chosen,
    /// What it was then.
    Then(Num),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Chosen,
    Event,
    Each,
}

impl<'a> Printer<'a> {
    fn new(card: &'a Card) -> Self {
        Printer {
            card,
            names: Vec::new(),
            actor: None,
            holding: false,
            its: Vec::new(),
            focus: None,
            looked_at: None,
            choice: None,
            options: 0,
            offered: false,
            again: false,
            open: false,
            carried: false,
            from_hand: false,
            numbers: Vec::new(),
            colons: 0,
        }
    }

    fn counted(&self, name: &Name) -> Option<Counted> {
        self.numbers.iter().rev().find(|(known, _)| *known == name.text).map(|(_, counted)| counted.clone())
    }

    /// The cards in a hand that the number counted.
    fn held_before(&self, name: &Name) -> Option<String> {
        let Some(Counted::Then(Num::Count(Sel::Selector(s)))) = self.counted(name) else { return None };
        let held = matches!(&s.site, Some(Site::In(place)) if place.zones == [Zone::Hand]);
        held.then(|| s.noun.word().to_string())
    }

    /// A card that has been told of without its name.
    fn meet(&mut self, name: &Name, noun: Noun) {
        let sel = Sel::Ref(Ref::Name(name.clone()));
        let (plural, told, clouded) = (false, true, false);
        let name = name.text.clone();
        self.focus = Some(Ref::Name(Name { text: name.clone(), span: Span::default() }));
        self.names.push(Known { name, sel, noun, plural, origin: Origin::Chosen, told, clouded, by: None });
    }

    /// `you` is the reader, except on a hero and where others use the ability.
    fn reader(&self) -> bool {
        !self.hero() && !self.open
    }

    fn hero(&self) -> bool {
        self.card.kind.is_hero() || self.carried
    }

    /// `you` is whoever owns the dungeon the hero is at or in.
    fn hosted(&self) -> bool {
        self.hero() && !self.open
    }

    /// Prints with `who` as the one who acts.
    fn acting<T>(&mut self, who: &Who, print: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.actor.replace(who.clone());
        let result = print(self);
        self.actor = before;
        result
    }

    /// Prints with `it` standing for a thing of this kind.
    fn looking<T>(&mut self, noun: Noun, print: impl FnOnce(&mut Self) -> T) -> T {
        self.its.push(noun);
        let result = print(self);
        self.its.pop();
        result
    }

    /// Prints something whose names and mentions end with it.
    fn aside<T>(&mut self, print: impl FnOnce(&mut Self) -> T) -> T {
        let names = self.names.clone();
        let (focus, looked_at) = (self.focus.clone(), self.looked_at.clone());
        let result = print(self);
        self.names = names;
        self.focus = focus;
        self.looked_at = looked_at;
        result
    }
}
