//! Acts: who does them, the verb, and what it is done to.

use super::number::{Amount, is_per_each};
use super::phrase::{Det, Prep, Subject, is_you, same};
use super::piece::{Piece, Role};
use super::plan::operand;
use super::word::{Phrase, list, plural};
use super::{Counted, Known, Origin, Printer};
use crate::tree::*;

impl Printer<'_> {
    /// Who does it: the one it is for, who chose, or who discards from their hand.
    fn performer(&self, act: &Act) -> Who {
        match act {
            Act::Take { op, by: Some(_) } if self.is_given(op) => return Who::You,
            Act::Draw { by, .. } | Act::Take { by, .. } | Act::Coins { by, .. } => {
                return by.clone().unwrap_or(Who::You);
            }
            Act::Simple { verb: Verb::Discard, op: Operand { sel: Sel::Selector(s), .. } }
                if s.quant != Quant::Bare =>
            {
                if let Some(Site::In(place)) = &s.site
                    && place.zones == [Zone::Hand]
                    && let Some(who) = &place.of
                {
                    return who.clone();
                }
            }
            _ => {}
        }
        let chosen = match (act, operand(act)) {
            (Act::Swap { a, .. }, _) => self.known(a),
            (_, Some(Operand { sel: Sel::Ref(r), .. })) => self.known(r),
            _ => None,
        };
        chosen.map(|i| &self.names[i]).filter(|k| !k.told).and_then(|k| k.by.clone()).unwrap_or(Who::You)
    }

    pub fn act(&mut self, act: &Act, role: Role) -> Piece {
        if let Act::Take { op: Operand { sel: Sel::Ref(r), .. }, by: Some(Who::Ref(Ref::OwnerOf(of))) } = act
            && **of == *r
        {
            let chosen = self.reader() && self.known(r).is_some_and(|i| is_chosen_now(&self.names[i]));
            let thing = self.refer(r, Det::A, Prep::In);
            let (goes, its) =
                (thing.pick("goes", "go"), thing.pick("its owner's hand", "their owners' hands"));
            if chosen {
                let (subject, rest) = (self.subject(&Who::You), thing.and(format!("to {its}")));
                return Piece::Do { subject, verb: "return", rest, role };
            }
            return Piece::Say(format!("{} {goes} back into {its}", thing.text()));
        }
        if let Act::Skip { op: Operand { sel: Sel::Ref(hero @ (Ref::This | Ref::Host)), .. }, rooms } = act {
            let hero = self.refer(hero, Det::A, Prep::In).text();
            return Piece::Say(format!("{hero} skips {}", self.skipped(rooms)));
        }
        if let Act::Move {
            op: Operand { sel: Sel::Ref(Ref::This), .. }, to: Destination::Place(place), ..
        } = act
            && place.zones == [Zone::Landmark]
        {
            return Piece::Say(format!("it goes to {}", self.own_landmark()));
        }
        let who = self.performer(act);
        if self.is_nobodys(act, &who) {
            let (verb, rest) = self.verb_and_rest(act, &who, role);
            let subject = Subject { label: "you".into(), reader: true };
            return Piece::Do { subject, verb, rest, role };
        }
        let subject = self.subject(&who);
        let (verb, rest) = self.acting(&who, |p| p.verb_and_rest(act, &who, role));
        // After "whose owner has fewer rooms than you" it would be about what they have.
        if let Some(what) = rest.text().strip_suffix(" until end of turn")
            && subject.reader
            && what.contains(" whose owner ")
        {
            return Piece::Say(format!("until end of turn, {verb} {what}"));
        }
        let role = match (role, act) {
            (Role::Act, Act::Draw { count: Num::Int(_), .. }) => Role::Draw,
            (
                Role::Act,
                Act::Draw { count: amount, .. } | Act::Damage { amount, .. } | Act::Coins { amount, .. },
            ) if is_per_each(amount) => Role::PerEach,
            (role, _) => role,
        };
        Piece::Do { subject, verb, rest, role }
    }

    fn verb_and_rest(&mut self, act: &Act, who: &Who, role: Role) -> (&'static str, Phrase) {
        match act {
            Act::Draw { name: Some(name), deck, .. } => {
                self.meet(name, Noun::Card);
                ("draw", Phrase::one(format!("a {deck}")))
            }
            Act::Draw { deck, count: Num::Name(n), .. } if self.held_before(n).is_some() => {
                let cards = self.held_before(n).unwrap_or_default();
                let cards = if cards == "card" { deck.word().to_string() } else { cards };
                ("draw", Phrase::one(format!("as many {} as they had in hand", plural(&cards))))
            }
            Act::Draw { deck, count, .. } => {
                let cards = match self.amount(count) {
                    Amount::Fixed(1) => format!("a {deck}"),
                    Amount::Fixed(n) => format!("{n} {}", plural(deck.word())),
                    Amount::PerEach(each) => format!("a {deck} for {each}"),
                    Amount::Equal(n) => format!("a number of {} equal to {n}", plural(deck.word())),
                };
                ("draw", Phrase::one(cards))
            }
            Act::Look { place } => {
                let there = self.place(place);
                self.looked_at = Some(place.clone());
                ("look", Phrase::one(format!("at {there}")))
            }
            Act::Take { op, by: Some(to) } if self.is_given(op) => {
                let thing = self.operand(op, Prep::From);
                let to = self.subject(to).label;
                // One of your own choice: that it comes from your hand goes without saying.
                match thing.text().strip_suffix(" from your hand") {
                    Some(card) => ("give", Phrase::one(format!("{to} {card}"))),
                    None => ("give", thing.and(format!("to {to}"))),
                }
            }
            Act::Take { op, .. } => {
                let from = match self.site(op) {
                    Some(Site::In(place)) if self.looked_at.as_ref() != Some(&place) => Some(place),
                    _ => None,
                };
                let from_hand = from.as_ref().is_some_and(|p| p.zones == [Zone::Hand]);
                let returned =
                    from.is_some_and(|p| p.zones == [Zone::Dungeon] && same(&p.of.unwrap_or(Who::You), who));
                let thing = self.operand(op, Prep::From);
                let your = self.owner(who);
                let hand = match your.as_str() {
                    "your" if from_hand => "yours".into(),
                    "their" if from_hand => "theirs".into(),
                    _ => format!("{your} hand"),
                };
                ("take", thing.and(format!("{} {hand}", if returned { "back into" } else { "into" })))
            }
            Act::Move { op, to: Destination::Place(place), side: Some(side) } if self.is_item(op) => {
                let thing = self.operand(op, Prep::From);
                let side = if *side == Side::Faceup { "face up" } else { "face down" };
                ("put", thing.and(format!("{side} into {}", self.place(place))))
            }
            Act::Move { op, to: Destination::Room(hero), .. } if self.is_item(op) => {
                let thing = self.operand(op, Prep::In);
                ("give", thing.and(format!("to {}", self.things(hero, Det::A, Prep::In).text())))
            }
            Act::Move { op, to: Destination::Place(place), side: Some(Side::Faceup) } => {
                let thing = self.operand(op, Prep::From);
                ("put", thing.and(format!("face up into {}", self.place(place))))
            }
            Act::Move { op, to, side } => {
                let prep = if matches!(to, Destination::Place(_)) { Prep::From } else { Prep::In };
                let thing = self.operand(op, prep);
                let there = match to {
                    Destination::Place(place) if place.zones == [Zone::Landmark] => "its landmark".into(),
                    Destination::Place(place) => self.place(place),
                    Destination::Room(sel) => self.things(sel, Det::A, Prep::In).text(),
                };
                self.revive(op, to);
                ("move", thing.and(format!("to {there}{}", if side.is_some() { " as a soul" } else { "" })))
            }
            Act::Swap { a, b } => {
                if let Some(two) = self.two_alike(a, b) {
                    return ("swap", Phrase::many(two));
                }
                let first = self.refer(a, Det::A, Prep::In);
                ("swap", first.and(format!("with {}", self.refer(b, Det::A, Prep::In).text())))
            }
            Act::Arrange { place, reversed: false } => {
                ("put", Phrase::one(format!("the rooms of {} in any order", self.place(place))))
            }
            Act::Arrange { place, reversed: true } => {
                ("reverse", Phrase::one(format!("the order of the rooms of {}", self.place(place))))
            }
            Act::Damage { op, amount } => {
                let target = self.operand(op, Prep::In).text();
                let rest = match self.amount(amount) {
                    _ if matches!(amount, Num::Roll(_)) => {
                        Phrase::one(format!("{} damage", self.num(amount))).and(format!("to {target}"))
                    }
                    Amount::Fixed(n) => Phrase::one(format!("{n} damage")).and(format!("to {target}")),
                    Amount::PerEach(each) => Phrase::one(format!("1 damage to {target} for {each}")),
                    Amount::Equal(n) => Phrase::one(format!("damage to {target} equal to {n}")),
                };
                ("deal", rest)
            }
            Act::Skip { op, rooms } => {
                let hero = self.operand(op, Prep::In).text();
                ("make", Phrase::one(format!("{hero} skip {}", self.skipped(rooms))))
            }
            Act::Build { op, on } => {
                let thing = self.built(op);
                let thing = match on {
                    Some(sel) => thing.and(format!("on {}", self.things(sel, Det::A, Prep::In).text())),
                    None => thing,
                };
                ("build", thing.and("at once"))
            }
            Act::Counters { gain, amount, op } => {
                let counters = match self.amount(amount) {
                    Amount::Fixed(1) => "a +1 counter".into(),
                    // As a cost all of them must be there; as an effect it takes what there is.
                    Amount::Fixed(n) if !gain && role != Role::Cost => format!("up to {n} +1 counters"),
                    Amount::Fixed(n) => format!("{n} +1 counters"),
                    Amount::PerEach(each) => format!("a +1 counter for {each}"),
                    Amount::Equal(n) => format!("a number of +1 counters equal to {n}"),
                };
                let is_it = matches!(&op.sel, Sel::Ref(on) if self.focus.as_ref() == Some(on));
                let several = matches!(&op.sel, Sel::Selector(s) if matches!(s.quant, Quant::Count(2..)));
                let room = match () {
                    () if is_it => "it".into(),
                    () if several => format!("each of {}", self.operand(op, Prep::In).text()),
                    () => self.operand(op, Prep::In).text(),
                };
                let (verb, at) = if *gain { ("put", "on") } else { ("remove", "from") };
                (verb, Phrase::one(counters).and(format!("{at} {room}")))
            }
            Act::Coins { pay: true, amount, to: None, on: Some(on), .. } => {
                let coins = self.coins(amount);
                let your = self.owner(who);
                let room = self.refer(on, Det::A, Prep::In).text();
                ("put", Phrase::one(coins).and(format!("from {your} hoard")).and(format!("on {room}")))
            }
            Act::Coins { pay: true, amount, to: Some(to), .. } => {
                let to = self.subject(to).label;
                ("pay", Phrase::one(format!("{to} {}", self.coins(amount))))
            }
            Act::Coins { pay, amount, .. } => {
                (if *pay { "pay" } else { "gain" }, Phrase::one(self.coins(amount)))
            }
            Act::SwapHoards { with } => {
                let with = self.subject(with).label;
                ("swap", Phrase::one(format!("hoards with {with}")))
            }
            Act::Attach { op, to } => {
                let thing = self.operand(op, Prep::In);
                ("attach", thing.and(format!("to {}", self.things(to, Det::A, Prep::In).text())))
            }
            Act::Trigger { op, words } => {
                self.again = true;
                let room = self.operand(op, Prep::In).text();
                self.again = false;
                let words: Vec<String> = words.iter().map(ToString::to_string).collect();
                ("let", Phrase::one(format!("{room} do once more what it does when {}", list(&words, "or"))))
            }
            Act::Simple { verb, op } => self.simple(*verb, op, who),
        }
    }

    /// What happens to a hero in a dungeon by its own card, with nothing to choose: nobody does it.
    fn is_nobodys(&self, act: &Act, who: &Who) -> bool {
        let settled = |sel: &Sel| {
            let sel = match sel {
                Sel::Ref(r) => match self.known(r).map(|i| &self.names[i]) {
                    Some(known) if known.origin == Origin::Chosen => &known.sel,
                    _ => return true,
                },
                sel => sel,
            };
            let quant = |s: &Selector| matches!(s.quant, Quant::First | Quant::Last | Quant::Leading(_));
            matches!(sel, Sel::Selector(s) if quant(s))
        };
        self.hosted()
            && !self.offered
            && is_you(who)
            && match act {
                Act::Arrange { reversed, .. } => *reversed,
                Act::Swap { a, b } => settled(&Sel::Ref(a.clone())) && settled(&Sel::Ref(b.clone())),
                Act::Damage { op, .. } | Act::Move { op, .. } => settled(&op.sel),
                Act::Simple { verb, op } => {
                    matches!(verb, Verb::Deactivate | Verb::Destroy | Verb::Heal | Verb::Kill | Verb::Remove)
                        && settled(&op.sel)
                }
                _ => false,
            }
    }

    /// "its next room"
    fn skipped(&mut self, rooms: &Num) -> String {
        match self.amount(rooms) {
            Amount::Fixed(1) => "its next room".into(),
            Amount::Fixed(n) => format!("its next {n} rooms"),
            Amount::PerEach(each) => format!("1 room for {each}"),
            Amount::Equal(n) => format!("a number of rooms equal to {n}"),
        }
    }

    /// "2 coins", "1 coin for each room in your dungeon", "any number of coins"
    fn coins(&mut self, amount: &Num) -> String {
        if let Num::Name(name) = amount
            && let Some(Counted::Chosen) = self.counted(name)
        {
            return "any number of coins".into();
        }
        match self.amount(amount) {
            Amount::Fixed(1) => "1 coin".into(),
            Amount::Fixed(n) => format!("{n} coins"),
            Amount::PerEach(each) => format!("1 coin for {each}"),
            Amount::Equal(n) => format!("coins equal to {n}"),
        }
    }

    fn simple(&mut self, verb: Verb, op: &Operand, who: &Who) -> (&'static str, Phrase) {
        let noun = match &op.sel {
            Sel::Ref(r) => self.noun_of(r),
            Sel::Selector(s) => s.noun,
        };
        let thing = match verb {
            Verb::Discard => self.discarded(op, who),
            Verb::Reveal => self.operand(op, Prep::From),
            _ => self.operand(op, Prep::In),
        };
        match verb {
            Verb::Deactivate => ("deactivate", thing.and("until end of turn")),
            Verb::Remove => ("remove", thing.and("from the game")),
            Verb::Heal if noun == Noun::Wound => {
                let souls = thing.pick("into a soul", "into souls");
                ("turn", thing.and(souls))
            }
            Verb::Heal => ("remove", Phrase::one(format!("all damage from {}", thing.text()))),
            Verb::Cancel => ("cancel", thing),
            Verb::Copy if self.card.kind == Kind::Item => {
                ("use", Phrase::one(format!("{} as if it were this item", thing.text())))
            }
            Verb::Copy => {
                ("copy", Phrase::one(format!("the text of {}", thing.text())).and("for the rest of the game"))
            }
            Verb::Uncover => {
                let top = thing.pick("to the top of its stack", "to the top of their stacks");
                ("move", thing.and(top))
            }
            Verb::Destroy => ("destroy", thing),
            Verb::Discard => ("discard", thing),
            Verb::Kill => ("kill", thing),
            Verb::Promote => ("promote", thing),
            Verb::Flip if noun == Noun::Soul => {
                let wounds = thing.pick("into a wound", "into wounds");
                ("turn", thing.and(wounds))
            }
            Verb::Flip if noun == Noun::Wound => {
                let souls = thing.pick("into a soul", "into souls");
                ("turn", thing.and(souls))
            }
            Verb::Flip if self.lies(op, Adjective::Faceup) => ("turn", thing.and("face down")),
            Verb::Flip if self.lies(op, Adjective::Facedown) => ("turn", thing.and("face up")),
            Verb::Flip if thing.text() == "it" => ("turn", Phrase::one("it over")),
            Verb::Flip => ("turn", Phrase::one(format!("over {}", thing.text()))),
            Verb::Reveal => ("reveal", thing),
        }
    }

    fn is_item(&self, op: &Operand) -> bool {
        match &op.sel {
            Sel::Ref(r) => self.noun_of(r) == Noun::Item,
            Sel::Selector(s) => s.noun == Noun::Item,
        }
    }

    /// It was chosen as a card that lies on this side.
    fn lies(&self, op: &Operand, side: Adjective) -> bool {
        let sel = match &op.sel {
            Sel::Ref(r) => self.known(r).map(|i| &self.names[i].sel),
            sel => Some(sel),
        };
        matches!(sel, Some(Sel::Selector(s)) if s.noun == Noun::Item && s.adjectives.contains(&side))
    }

    /// A card of your own hand that somebody else takes is given away.
    fn is_given(&self, op: &Operand) -> bool {
        let sel = match &op.sel {
            Sel::Ref(r) => self.known(r).map(|i| &self.names[i].sel),
            sel => Some(sel),
        };
        let Some(Sel::Selector(s)) = sel else { return false };
        matches!(&s.site, Some(Site::In(place))
            if place.zones == [Zone::Hand] && place.of.as_ref().is_none_or(is_you))
    }

    /// Two things of one kind and place, neither named before: "two rooms in your dungeon".
    fn two_alike(&mut self, a: &Ref, b: &Ref) -> Option<String> {
        let (i, j) = (self.known(a)?, self.known(b)?);
        let (one, two) = (&self.names[i], &self.names[j]);
        let (Sel::Selector(first), Sel::Selector(second)) = (&one.sel, &two.sel) else { return None };
        let bare = Selector { but: None, ..*second.clone() };
        let chosen = one.by.is_none() && two.by.is_none() && first.quant == Quant::Bare;
        if one.told || two.told || !chosen || bare != **first || second.but.as_ref() != Some(a) {
            return None;
        }
        let things = self.selector(&bare, Det::Plural, Prep::In).text();
        (self.names[i].told, self.names[j].told) = (true, true);
        Some(format!("two {things}"))
    }

    /// This room is in play, so a room built from a hand is another one.
    fn built(&mut self, op: &Operand) -> Phrase {
        let mut op = op.clone();
        if let Sel::Selector(s) = &mut op.sel
            && self.card.kind == Kind::Room
            && s.noun == Noun::Room
            && s.quant == Quant::Bare
            && matches!(&s.site, Some(Site::In(place)) if place.zones == [Zone::Hand])
        {
            s.adjectives.push(Adjective::Another);
        }
        self.operand(&op, Prep::From)
    }

    /// "their whole hand"; "a random room" from a hand that was just said to hold one.
    fn discarded(&mut self, op: &Operand, who: &Who) -> Phrase {
        if let (None, Sel::Selector(s)) = (&op.name, &op.sel)
            && let Some(Site::In(place)) = &s.site
            && place.zones == [Zone::Hand]
            && same(&place.of.clone().unwrap_or(Who::You), who)
        {
            let plain = s.adjectives.is_empty() && s.but.is_none() && s.cond.is_none();
            if plain && s.quant == Quant::All && s.noun == Noun::Card {
                return Phrase::one(format!("{} whole hand", self.owner(who)));
            }
            if let Who::Ref(r) = who
                && let Some(i) = self.known(r)
                && let Sel::Selector(player) = &self.names[i].sel
                && let Some(Cond::Some(Sel::Selector(shown))) = &player.cond
                && **shown == of_it(s)
            {
                return self.selector(&Selector { site: None, ..*s.clone() }, Det::A, Prep::From);
            }
        }
        self.operand(op, Prep::From)
    }

    /// The landmark of a hero's printed treasure: "the Temple".
    fn own_landmark(&self) -> String {
        let mut classes = self.card.fields.icons.clone();
        classes.dedup();
        let names: Vec<String> =
            classes.iter().map(|class| format!("the {}", Landmark::of(*class).name())).collect();
        match &names[..] {
            [] => format!("the {}", Landmark::Tavern.name()),
            [one] => one.clone(),
            [first, second, ..] => format!("the first free of {first} and {second}"),
        }
    }

    /// Where the operand is chosen from, if it is introduced here.
    fn site(&self, op: &Operand) -> Option<Site> {
        let sel = match &op.sel {
            Sel::Ref(r) => self.known(r).map(|i| &self.names[i]).filter(|k| !k.told).map(|k| &k.sel),
            sel => Some(sel),
        };
        match sel {
            Some(Sel::Selector(s)) => s.site.clone(),
            _ => None,
        }
    }

    /// A soul or wound that leaves the scoring area for the living is a hero again.
    fn revive(&mut self, op: &Operand, to: &Destination) {
        let living = match to {
            Destination::Place(place) => {
                place.zones.iter().all(|z| matches!(z, Zone::Town | Zone::Entrance | Zone::Dungeon))
            }
            Destination::Room(_) => true,
        };
        let name = match (&op.name, &op.sel) {
            (Some(name), _) => Some(Ref::Name(name.clone())),
            (None, Sel::Ref(r)) => Some(r.clone()),
            _ => None,
        };
        if let Some(i) = name.and_then(|r| self.known(&r))
            && living
            && matches!(self.names[i].noun, Noun::Soul | Noun::Wound)
        {
            self.names[i].noun = Noun::Hero;
        }
    }
}

/// The reader picks it as it is named.
fn is_chosen_now(known: &Known) -> bool {
    let picked = matches!(&known.sel, Sel::Selector(s) if s.quant == Quant::Bare);
    known.origin == Origin::Chosen && !known.told && known.by.is_none() && picked
}

/// The selector as a condition on its owner would say it.
fn of_it(s: &Selector) -> Selector {
    let mut asked = Selector { quant: Quant::Bare, ..s.clone() };
    if let Some(Site::In(place)) = &mut asked.site {
        place.of = Some(Who::Ref(Ref::It));
    }
    asked
}
