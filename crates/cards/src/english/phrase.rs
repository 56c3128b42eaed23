//! Noun phrases: selectors, places, owners and references. A name is introduced by its selector
//! at its first mention and referred to afterwards.

use super::noun::{heads, noun_word};
use super::word::{Phrase, a, list, ordinal, plural, possessive};
use super::{Known, Origin, Printer};
use crate::tree::*;

/// What stands before a noun without a quantifier.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Det {
    /// "a hero": one, chosen or any.
    A,
    /// "any hero": one, if there is one.
    Any,
    /// "each hero"
    Each,
    /// "no hero"
    No,
    /// "heroes"
    Plural,
    /// "hero", after "for each".
    Single,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Prep {
    In,
    From,
    /// From there, but not picked out of it.
    Out,
}

/// Who does something: the reader ("draw a room") or somebody named ("that player draws").
#[derive(Clone, PartialEq, Eq)]
pub struct Subject {
    pub label: String,
    pub reader: bool,
}

pub fn is_you(who: &Who) -> bool {
    matches!(who, Who::You | Who::Ref(Ref::You))
}

pub fn same(a: &Who, b: &Who) -> bool {
    a == b || (is_you(a) && is_you(b))
}

pub fn is_player(noun: Noun) -> bool {
    matches!(noun, Noun::Opponent | Noun::Player)
}

/// More than one thing.
pub fn is_several(sel: &Sel) -> bool {
    match sel {
        Sel::Ref(_) => false,
        Sel::Selector(s) => match s.quant {
            Quant::Count(n) | Quant::Random(n) | Quant::Top(n) => n != 1,
            Quant::All => true,
            Quant::Leading(_) => true,
            Quant::Bare | Quant::First | Quant::Last => false,
        },
    }
}

impl Printer<'_> {
    /// A selector or reference where things are named: "a hero in town", "that hero".
    pub fn things(&mut self, sel: &Sel, det: Det, prep: Prep) -> Phrase {
        match sel {
            Sel::Ref(r) => self.refer(r, det, prep),
            Sel::Selector(s) => self.selector(s, det, prep),
        }
    }

    /// What a verb acts on; "it" where nothing else can be meant.
    pub fn operand(&mut self, op: &Operand, prep: Prep) -> Phrase {
        if let Some(name) = &op.name {
            self.learn(name, &op.sel, Origin::Chosen, None);
            return self.refer(&Ref::Name(name.clone()), Det::A, prep);
        }
        match &op.sel {
            Sel::Ref(r @ Ref::Name(_)) if self.focus.as_ref() == Some(r) => Phrase::one("it"),
            sel => {
                let phrase = self.things(sel, Det::A, prep);
                if let Sel::Ref(r @ (Ref::This | Ref::Name(_))) = sel
                    && !phrase.plural
                    && !is_player(self.noun_of(r))
                {
                    self.focus = Some(r.clone());
                }
                phrase
            }
        }
    }

    pub fn learn(&mut self, name: &Name, sel: &Sel, origin: Origin, by: Option<&Who>) {
        let noun = match sel {
            Sel::Ref(r) => self.noun_of(r),
            Sel::Selector(s) => s.noun,
        };
        self.names.push(Known {
            name: name.text.clone(),
            sel: sel.clone(),
            noun,
            plural: is_several(sel),
            origin,
            told: false,
            clouded: false,
            by: by.filter(|w| !is_you(w)).cloned(),
        });
    }

    pub fn known(&self, r: &Ref) -> Option<usize> {
        let Ref::Name(name) = r else { return None };
        self.names.iter().rposition(|k| k.name == name.text)
    }

    pub fn noun_of(&self, r: &Ref) -> Noun {
        match r {
            Ref::This => self.card.kind.noun().unwrap_or(Noun::Card),
            Ref::It => self.its.last().copied().unwrap_or(Noun::Card),
            Ref::You | Ref::OwnerOf(_) => Noun::Player,
            Ref::Host => {
                if self.card.kind == Kind::Item {
                    Noun::Hero
                } else {
                    Noun::Room
                }
            }
            Ref::HostOf(of) => {
                if self.noun_of(of) == Noun::Item {
                    Noun::Hero
                } else {
                    Noun::Room
                }
            }
            Ref::Name(_) => self.known(r).map_or(Noun::Card, |i| self.names[i].noun),
        }
    }

    pub fn this(&self) -> String {
        if self.from_hand {
            return "this card".into();
        }
        let kind = self.card.kind;
        let noun = kind.noun().map_or(kind.name(), Noun::word);
        format!("this {noun}")
    }

    /// A reference; a name not yet introduced is introduced here.
    pub fn refer(&mut self, r: &Ref, det: Det, prep: Prep) -> Phrase {
        match r {
            Ref::This => Phrase::one(self.this()),
            Ref::It if is_player(self.noun_of(r)) => Phrase::one("that player"),
            Ref::It => Phrase::one("it"),
            Ref::You if self.reader() => Phrase::many("you"),
            Ref::You if self.open => Phrase::one("that player"),
            Ref::You => Phrase::one("the dungeon's owner"),
            Ref::OwnerOf(of) => Phrase::one(self.owner_of(of, 0)),
            Ref::Host if self.carried => Phrase::one("this hero"),
            Ref::Host => Phrase::one(format!("its {}", self.noun_of(r).word())),
            Ref::HostOf(of) if **of == Ref::It => Phrase::one(format!("its {}", self.noun_of(r).word())),
            Ref::HostOf(of) => {
                let attached = self.refer(of, det, prep);
                let host = self.noun_of(r).word();
                Phrase::one(format!("{} {host}", possessive(&attached.text(), attached.plural)))
            }
            Ref::Name(_) => match self.known(r) {
                None => Phrase::one("that card"),
                Some(i) if self.names[i].told => self.again(i),
                Some(i) => self.introduce(i, det, prep),
            },
        }
    }

    fn introduce(&mut self, i: usize, det: Det, prep: Prep) -> Phrase {
        self.names[i].told = true;
        let Known { name, sel, origin, by, noun, .. } = self.names[i].clone();
        self.choice = by.map(|who| format!("of {} choice", self.owner(&who)));
        let det = if origin == Origin::Each { Det::Each } else { det };
        let phrase = self.things(&sel, det, prep);
        self.choice = None;
        self.names[i].clouded = false;
        if !phrase.plural && !is_player(noun) {
            self.focus = Some(Ref::Name(Name { text: name, span: Span::default() }));
        }
        phrase
    }

    /// "that hero"; with two of a kind "the first room" and "the other room".
    fn again(&self, i: usize) -> Phrase {
        let k = &self.names[i];
        let kind = |k: &Known| {
            if is_player(k.noun) { Noun::Player } else { k.noun }
        };
        let noun = noun_word(kind(k));
        let noun = if k.plural { plural(noun) } else { noun.to_string() };
        let phrase = |text: String| if k.plural { Phrase::many(text) } else { Phrase::one(text) };
        let alike: Vec<usize> = (0..self.names.len())
            .filter(|&j| kind(&self.names[j]) == kind(k) && self.names[j].plural == k.plural)
            .collect();
        let chosen: Vec<usize> =
            alike.iter().copied().filter(|&j| self.names[j].origin != Origin::Event).collect();
        if k.origin != Origin::Event && chosen.len() < alike.len() {
            return phrase(format!("the chosen {noun}"));
        }
        let each = chosen.iter().filter(|&&j| self.names[j].origin == Origin::Each).count();
        if each == 1 && chosen.len() == 2 && is_player(k.noun) {
            let which = if k.origin == Origin::Each { "that" } else { "the chosen" };
            return phrase(format!("{which} {noun}"));
        }
        if k.origin != Origin::Event && chosen.len() > 1 {
            let rank = chosen.iter().position(|&j| j == i).unwrap_or(0) + 1;
            let which = if rank == 2 && chosen.len() == 2 { "other".into() } else { ordinal(rank) };
            return phrase(format!("the {which} {noun}"));
        }
        match (k.clouded && k.origin == Origin::Chosen, k.plural) {
            (true, _) => phrase(format!("the chosen {noun}")),
            (_, true) => phrase(format!("those {noun}")),
            (_, false) => phrase(format!("that {noun}")),
        }
    }

    /// The player a thing belongs to, by the place it was chosen from if that says it.
    fn owner_of(&mut self, of: &Ref, depth: u8) -> String {
        match of {
            Ref::OwnerOf(inner) => return self.owner_of(inner, depth + 1),
            _ if is_player(self.noun_of(of)) => return self.refer(of, Det::A, Prep::In).text(),
            Ref::This if self.hero() => return "the dungeon's owner".into(),
            _ => {}
        }
        let place = self.known(of).and_then(|i| match &self.names[i].sel {
            Sel::Selector(s) => match &s.site {
                Some(Site::In(p)) if p.zones.iter().any(|&z| z.is_owned()) => {
                    Some(p.of.clone().unwrap_or(Who::You))
                }
                _ => None,
            },
            Sel::Ref(_) => None,
        });
        match place {
            Some(Who::Opponent) => "that opponent".into(),
            Some(Who::Player | Who::Any) => "that player".into(),
            Some(Who::Ref(Ref::OwnerOf(next))) if depth < 4 => self.owner_of(&next, depth + 1),
            Some(who) if !matches!(who, Who::Ref(Ref::OwnerOf(_))) => self.subject(&who).label,
            _ => {
                let thing = self.refer(of, Det::A, Prep::In);
                its_owner(thing.text(), thing.plural)
            }
        }
    }

    pub fn subject(&mut self, who: &Who) -> Subject {
        let label = match who {
            Who::You => self.refer(&Ref::You, Det::A, Prep::In).text(),
            Who::Opponent => "an opponent".into(),
            Who::Player => "a player".into(),
            Who::Any => "any player".into(),
            Who::Ref(r) => {
                let player = is_player(self.noun_of(r));
                let phrase = self.refer(r, Det::A, Prep::In).text();
                if player { phrase } else { its_owner(phrase, false) }
            }
        };
        Subject { reader: label == "you", label }
    }

    /// "your", "their", "that player's".
    pub fn owner(&mut self, who: &Who) -> String {
        if is_you(who) && self.reader() {
            return "your".into();
        }
        if self.actor.as_ref().is_some_and(|actor| same(actor, who)) {
            return "their".into();
        }
        if is_you(who) && self.hosted() {
            return "the dungeon owner's".into();
        }
        match who {
            Who::Ref(r @ Ref::It) if is_player(self.noun_of(r)) => "their".into(),
            _ => {
                let subject = self.subject(who);
                if subject.reader { "your".into() } else { possessive(&subject.label, false) }
            }
        }
    }

    /// "your dungeon", "town", "the room deck or the discard pile".
    pub fn place(&mut self, place: &Place) -> String {
        if self.looked_at.as_ref() == Some(place) {
            return "it".into();
        }
        if let ([zone], Some(Who::Ref(Ref::OwnerOf(of)))) = (place.zones.as_slice(), &place.of)
            && let Some(i) = self.known(of)
            && let Sel::Selector(s) = &self.names[i].sel
            && let Some(Site::In(first)) = &s.site
            && first.zones == place.zones
            && self.names[i].told
        {
            return format!("the same {}", zone.name());
        }
        let who = place.of.clone().unwrap_or(Who::You);
        let zones: Vec<String> = place.zones.iter().map(|&z| self.zone(z, &who)).collect();
        if zones.is_empty() { "play".into() } else { list(&zones, "or") }
    }

    fn zone(&mut self, zone: Zone, who: &Who) -> String {
        let noun = zone.name();
        if zone == Zone::Town {
            return noun.into();
        }
        if zone == Zone::Landmark {
            return "a landmark".into();
        }
        if !zone.is_owned() {
            return format!("the {noun}");
        }
        let acts = self.actor.as_ref().is_some_and(|actor| same(actor, who));
        match who {
            _ if acts && self.holding && zone == Zone::Hand => noun.into(),
            Who::Any if zone != Zone::Hand => format!("any {noun}"),
            _ if is_you(who) && self.hosted() && !acts && matches!(zone, Zone::Dungeon | Zone::Entrance) => {
                format!("the {noun}")
            }
            _ => format!("{} {noun}", self.owner(who)),
        }
    }

    /// A place with the word before it: "in town", "at your entrance", "from your hand".
    pub fn at(&mut self, place: &Place, prep: Prep) -> String {
        let mixed = place.zones.contains(&Zone::Entrance) && place.zones.iter().any(|z| *z != Zone::Entrance);
        if prep == Prep::In && mixed {
            let each = |zone: &Zone| Place { zones: vec![*zone], ..place.clone() };
            let parts: Vec<String> = place.zones.iter().map(|zone| self.at(&each(zone), prep)).collect();
            return list(&parts, "or");
        }
        let word = match (prep, place.zones.as_slice()) {
            (Prep::From | Prep::Out, _) => "from",
            (Prep::In, [Zone::Entrance | Zone::Landmark]) => "at",
            (Prep::In, _) => "in",
        };
        format!("{word} {}", self.place(place))
    }

    pub fn selector(&mut self, s: &Selector, det: Det, prep: Prep) -> Phrase {
        let choice = self
            .choice
            .take()
            .or_else(|| (prep == Prep::From && is_picked(s)).then(|| "of your choice".into()));
        if let Some(phrase) = self.own_points(s, det).or_else(|| self.survivor(s)) {
            self.mention(s.noun);
            return phrase;
        }
        let mut but = s.but.clone();
        let mut other = s.adjectives.contains(&Adjective::Another);
        if !other && but.as_ref().is_some_and(|r| self.noun_of(r) == s.noun) {
            (other, but) = (true, None);
        }
        let pending = match &s.site {
            Some(Site::In(p)) if p.zones == [Zone::Pending] => Some(p.of.clone().unwrap_or(Who::You)),
            _ => None,
        };
        // What lies under another room is covered: one of the words is enough.
        let (one, many) = match &s.site {
            Some(Site::Under(_)) => {
                let open = s.adjectives.iter().copied().filter(|one| *one != Adjective::Covered);
                heads(&Selector { adjectives: open.collect(), ..s.clone() }, false)
            }
            _ => heads(s, pending.is_some()),
        };
        let neighbour = matches!(s.site, Some(Site::LeftOf(_) | Site::RightOf(_)));
        let alone = neighbour && s.noun == Noun::Room && s.adjectives.is_empty() && but.is_none();
        // The first and the last of a row are two, unless it is a row of one.
        let edge = matches!(s.quant, Quant::First | Quant::Last) && s.but.is_some();
        let o = if other && !edge { "other " } else { "" };
        let phrase = match (s.quant, det) {
            (Quant::Bare, Det::A | Det::Any | Det::Each) if alone => Phrase::one(format!("the {o}{one}")),
            (Quant::Bare, Det::Each) if !neighbour => Phrase::one(format!("each {o}{one}")),
            (Quant::Bare, Det::A | Det::Any | Det::Each) if other => Phrase::one(format!("another {one}")),
            (Quant::Bare, Det::Any) => Phrase::one(format!("any {one}")),
            (Quant::Bare, Det::A | Det::Each) => Phrase::one(a(&one)),
            (Quant::Bare, Det::No) => Phrase::one(format!("no {o}{one}")),
            (Quant::Bare, Det::Plural) => Phrase::many(format!("{o}{many}")),
            (Quant::Bare, Det::Single) => Phrase::one(format!("{o}{one}")),
            (Quant::Count(1), _) => Phrase::one(format!("one {o}{one}")),
            (Quant::Count(n), _) => Phrase::many(format!("{n} {o}{many}")),
            (Quant::All, _) => Phrase::many(format!("all {o}{many}")),
            (Quant::Random(1), _) => Phrase::one(format!("a random {o}{one}")),
            (Quant::Random(n), _) => Phrase::many(format!("{n} random {o}{many}")),
            (Quant::Top(1), _) => Phrase::one(format!("the top {o}{one}")),
            (Quant::Top(n), _) => Phrase::many(format!("the top {n} {o}{many}")),
            (Quant::First, _) => Phrase::one(format!("the first {o}{one}")),
            (Quant::Leading(n), _) => Phrase::many(format!("the first {n} {o}{many}")),
            (Quant::Last, _) => Phrase::one(format!("the last {o}{one}")),
        };
        let mut more: Vec<String> = Vec::new();
        let mut say = |words: String| more.push(words);
        if let Some(choice) = choice {
            say(choice);
        }
        let past = self.past(s);
        let declared = matches!(&s.site, Some(Site::In(place)) if place.zones.contains(&Zone::Pending));
        if let (true, Some(past)) = (declared, &past) {
            say(past.clone());
        }
        match &s.site {
            Some(Site::In(_)) if pending.is_some() => say(self.being_played(s.noun, pending)),
            Some(Site::In(place)) if self.own_score(s, place) => {}
            Some(Site::In(place)) if place.zones.len() > 1 && place.zones.contains(&Zone::Pending) => {
                let zones = place.zones.iter().copied().filter(|zone| *zone != Zone::Pending).collect();
                let there = self.at(&Place { zones, ..place.clone() }, prep);
                let who = place.of.clone().unwrap_or(Who::You);
                say(format!("{there} or one {}", self.whose_play(s.noun, &who)));
            }
            Some(Site::In(place)) => {
                let edge = matches!(s.quant, Quant::First | Quant::Leading(_) | Quant::Last)
                    && place.zones == [Zone::Dungeon]
                    || matches!(s.quant, Quant::Top(_));
                say(if edge { format!("of {}", self.place(place)) } else { self.at(place, prep) });
            }
            Some(Site::InRef(_)) if s.noun != Noun::Hero => say("among them".into()),
            Some(Site::InRef(r)) if self.focus.as_ref() == Some(r) => say("in it".into()),
            Some(Site::InRef(r)) => say(format!("in {}", self.refer(r, Det::A, Prep::In).text())),
            Some(Site::On(r)) => say(self.attached(s.noun, r)),
            Some(Site::LeftOf(r)) => {
                say(format!("directly left of {}", self.refer(r, Det::A, Prep::In).text()))
            }
            Some(Site::RightOf(r)) => {
                say(format!("directly right of {}", self.refer(r, Det::A, Prep::In).text()))
            }
            Some(Site::Beside(r)) if self.focus.as_ref() == Some(r) => say("next to it".into()),
            Some(Site::Beside(r)) => say(format!("next to {}", self.refer(r, Det::A, Prep::In).text())),
            Some(Site::Under(Ref::It | Ref::This)) => say("under it".into()),
            Some(Site::Under(r)) if self.focus.as_ref() == Some(r) => say("under it".into()),
            Some(Site::Under(r)) => say(format!("under {}", self.refer(r, Det::A, Prep::In).text())),
            None => {}
        }
        if let (false, Some(past)) = (declared, past) {
            say(past);
        }
        if let Some(r) = &but {
            say(format!("other than {}", self.refer(r, Det::A, Prep::In).text()));
        }
        if let Some(cond) = &s.cond {
            say(self.looking(s.noun, |p| p.traits(cond)));
        }
        self.mention(s.noun);
        more.into_iter().fold(phrase, Phrase::and)
    }

    /// "in that room" for a miniboss, "carried by it" for an item.
    fn attached(&mut self, noun: Noun, host: &Ref) -> String {
        let at = if noun == Noun::Item { "carried by" } else { "in" };
        let is_it = self.focus.as_ref() == Some(host);
        let host = if is_it { "it".into() } else { self.refer(host, Det::A, Prep::In).text() };
        format!("{at} {host}")
    }

    /// Souls and wounds in the scoring area of whoever acts: "one of your souls".
    fn own_points(&mut self, s: &Selector, det: Det) -> Option<Phrase> {
        let Some(Site::In(place)) = &s.site else {
            return None;
        };
        let who = place.of.clone().unwrap_or(Who::You);
        let mine =
            is_you(&who) && self.reader() || self.actor.as_ref().is_some_and(|actor| same(actor, &who));
        let ranks = |adjective: &Adjective| matches!(adjective, Adjective::Ordinary | Adjective::Epic);
        let plain = s.adjectives.iter().all(ranks) && s.but.is_none() && s.cond.is_none();
        if !matches!(s.noun, Noun::Soul | Noun::Wound)
            || place.zones != [Zone::Scoring]
            || !mine
            || !plain
            || self.holding
        {
            return None;
        }
        let things = format!("{} {}", self.owner(&who), heads(s, false).1);
        Some(match (s.quant, det) {
            (Quant::Bare, Det::A | Det::Any) | (Quant::Count(1), _) => {
                Phrase::one(format!("one of {things}"))
            }
            (Quant::Bare, Det::Each) => Phrase::one(format!("each of {things}")),
            (Quant::Bare, Det::No) => Phrase::one(format!("none of {things}")),
            (Quant::Bare, Det::Plural) => Phrase::many(things),
            (Quant::Bare, Det::Single) => Phrase::one(format!("of {things}")),
            (Quant::Count(n), _) => Phrase::many(format!("{n} of {things}")),
            (Quant::All, _) => Phrase::many(format!("all {things}")),
            (Quant::Random(1), _) => Phrase::one(format!("a random one of {things}")),
            (Quant::Random(n), _) => Phrase::many(format!("{n} of {things} at random")),
            (Quant::First | Quant::Leading(_) | Quant::Last | Quant::Top(_), _) => return None,
        })
    }

    /// A wound of this turn: "a hero that survived your dungeon this turn".
    fn survivor(&mut self, s: &Selector) -> Option<Phrase> {
        let Some(Site::In(place)) = &s.site else { return None };
        let plain = s.adjectives == [Adjective::New] && s.but.is_none() && s.cond.is_none();
        if s.noun != Noun::Wound || s.quant != Quant::Bare || !plain || place.zones != [Zone::Scoring] {
            return None;
        }
        let dungeon = self.place(&Place { zones: vec![Zone::Dungeon], ..place.clone() });
        Some(Phrase::one(format!("a hero that survived {dungeon} this turn")))
    }

    /// What happened to it this turn.
    fn past(&mut self, s: &Selector) -> Option<String> {
        if s.adjectives.contains(&Adjective::Cast) {
            return Some(format!("cast by {} this turn", self.subject(&Who::You).label));
        }
        let said = [
            (Adjective::Entered, "entered by a hero this turn"),
            (Adjective::New, "that survived this turn"),
            (Adjective::Triggered, "that does something when built or uncovered"),
        ];
        let left_out = |adjective: &Adjective| self.again && *adjective == Adjective::Triggered;
        let said = said.into_iter().filter(|(a, _)| s.adjectives.contains(a) && !left_out(a));
        said.map(|(_, words)| words.to_owned()).reduce(|all, words| format!("{all} {words}"))
    }

    /// Souls and wounds that somebody is said to have are in their scoring area.
    fn own_score(&self, s: &Selector, place: &Place) -> bool {
        let who = place.of.clone().unwrap_or(Who::You);
        self.holding
            && matches!(s.noun, Noun::Soul | Noun::Wound)
            && place.zones == [Zone::Scoring]
            && self.actor.as_ref().is_some_and(|actor| same(actor, &who))
    }

    /// "whose ability is being used"
    fn whose_play(&mut self, noun: Noun, who: &Who) -> String {
        let subject = self.subject(who);
        let be = if subject.reader { "are" } else { "is" };
        match (noun == Noun::Spell, who) {
            (true, Who::Any | Who::Player) => "being cast".into(),
            (true, _) => format!("being cast by {}", subject.label),
            (false, Who::Any | Who::Player) => "whose ability is being used".into(),
            (false, _) => format!("whose ability {} {be} using", subject.label),
        }
    }

    /// Declared and not yet resolved: "an opponent is casting".
    fn being_played(&mut self, noun: Noun, who: Option<Who>) -> String {
        let (doing, done) = if noun == Noun::Spell { ("casting", "cast") } else { ("using", "used") };
        match who {
            None | Some(Who::Any | Who::Player) => format!("that is being {done}"),
            Some(who) => {
                let subject = self.subject(&who);
                format!("{} {} {doing}", subject.label, if subject.reader { "are" } else { "is" })
            }
        }
    }

    /// Something of this kind was named: "it" is no longer clear, "that" perhaps neither.
    fn mention(&mut self, noun: Noun) {
        if !is_player(noun) {
            self.focus = None;
        }
        for k in self.names.iter_mut().filter(|k| k.told && k.noun == noun) {
            k.clouded = true;
        }
    }
}

/// Taken out of a pile or a hand by looking through it, not from the top and not at random.
fn is_picked(s: &Selector) -> bool {
    use Zone::*;
    let Some(Site::In(place)) = &s.site else {
        return false;
    };
    let foreign = place.of.as_ref().is_some_and(|who| !is_you(who));
    let hidden = |z: &Zone| {
        matches!(z, Discard | RoomDeck | SpellDeck | HeroDeck | EpicDeck) || (*z == Hand && foreign)
    };
    matches!(s.quant, Quant::Bare | Quant::Count(_)) && place.zones.iter().any(hidden)
}

/// "that room's owner". A name may stand for an owner already: players belong to nobody but themselves.
fn its_owner(thing: String, plural: bool) -> String {
    if thing.ends_with(" owner") { thing } else { possessive(&thing, plural) + " owner" }
}
