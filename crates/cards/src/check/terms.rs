//! Names, kinds and places inside one ability.

use super::fault::CheckFault;
use super::{MAX_HELD, MAX_NAMES, MAX_SELECTORS, MAX_SLOTS, hidden};
use crate::lex;
use crate::report::{Problem, nearest};
use crate::tree::*;

/// What a reference or a selector stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    Boss,
    Card,
    Class,
    Hero,
    Player,
    Room,
    Soul,
    Spell,
    Wound,
    /// Already complained about.
    Unknown,
}

impl Thing {
    pub fn word(self) -> &'static str {
        match self {
            Thing::Boss => "a boss",
            Thing::Card => "a card of either back",
            Thing::Class => "a treasure type",
            Thing::Hero => "a hero",
            Thing::Player => "a player",
            Thing::Room => "a room",
            Thing::Soul => "a soul",
            Thing::Spell => "a spell",
            Thing::Wound => "a wound",
            Thing::Unknown => "this",
        }
    }

    fn of(noun: Noun) -> Thing {
        match noun {
            Noun::Card => Thing::Card,
            Noun::Class => Thing::Class,
            Noun::Hero => Thing::Hero,
            Noun::Opponent | Noun::Player => Thing::Player,
            Noun::Room => Thing::Room,
            Noun::Soul => Thing::Soul,
            Noun::Spell => Thing::Spell,
            Noun::Wound => Thing::Wound,
        }
    }
}

/// How a selector is used.
#[derive(Clone, Copy)]
pub enum Usage<'a> {
    /// Looked at: a condition, a count, a rule, an event, an `each`.
    Query,
    /// Chosen, by you or by somebody else.
    Pick(Option<&'a Who>),
    /// Chosen by you and acted on; a name may hold several.
    Act,
}

/// What a selector gives.
#[derive(Clone, Copy)]
pub struct Given {
    pub thing: Thing,
    pub count: u8,
    /// Declared, not yet resolved.
    pub pending: bool,
}

struct Bound {
    name: String,
    given: Given,
}

pub struct Scope {
    pub problems: Vec<Problem>,
    /// Where to point when a node has no place of its own.
    pub span: Span,
    card: Kind,
    names: Vec<Bound>,
    bound: usize,
    slots: usize,
    looked: Vec<Who>,
    /// Whether something is offered at all is being decided: nothing has been shown to anybody yet.
    pub(super) offering: bool,
    /// What an action needs is being worked out: no name has a meaning yet.
    pub(super) declaring: bool,
    pub(super) it: Vec<Thing>,
    selectors: usize,
    pub(super) used: Vec<String>,
}

/// The state of a scope at the beginning of a block.
pub struct Mark(usize, usize, usize);

impl Scope {
    pub fn new(card: Kind, span: Span) -> Scope {
        Scope {
            problems: Vec::new(),
            span,
            card,
            names: Vec::new(),
            bound: 0,
            slots: 0,
            looked: Vec::new(),
            offering: false,
            declaring: false,
            it: Vec::new(),
            selectors: 0,
            used: Vec::new(),
        }
    }

    pub fn fault(&mut self, span: Span, fault: CheckFault) {
        self.problems.push(Problem::new(span, fault));
    }

    pub fn open(&self) -> Mark {
        Mark(self.names.len(), self.slots, self.looked.len())
    }

    /// Names bound and hands seen since the mark are forgotten.
    pub fn close(&mut self, mark: Mark) {
        self.names.truncate(mark.0);
        self.slots = mark.1;
        self.looked.truncate(mark.2);
    }

    pub fn bind(&mut self, name: &Name, given: Given) {
        let text = || name.text.clone();
        if self.names.iter().any(|b| b.name == name.text) {
            self.fault(name.span, CheckFault::BoundTwice { name: text() });
            return;
        }
        self.bound += 1;
        if self.bound == MAX_NAMES + 1 {
            self.fault(name.span, CheckFault::ManyNames);
        }
        if given.count > MAX_HELD {
            let count = given.count;
            self.fault(name.span, CheckFault::HoldsMany { name: text(), count });
        } else {
            self.hold(given.count, name.span);
        }
        self.names.push(Bound { name: text(), given });
    }

    /// Takes places for things that are held for now.
    pub fn hold(&mut self, count: u8, span: Span) {
        let before = self.slots;
        self.slots += usize::from(count);
        if before <= MAX_SLOTS && self.slots > MAX_SLOTS {
            self.fault(span, CheckFault::ManySlots);
        }
    }

    pub fn look(&mut self, who: &Who) {
        self.looked.push(who.clone());
    }

    pub fn has_looked(&self, who: &Who) -> bool {
        self.looked.contains(who)
    }

    pub fn sel_span(&self, sel: &Sel) -> Span {
        match sel {
            Sel::Ref(r) => self.ref_span(r),
            Sel::Those(selector) => selector.span,
        }
    }

    pub fn ref_span(&self, r: &Ref) -> Span {
        match r {
            Ref::Name(name) => name.span,
            Ref::OwnerOf(of) => self.ref_span(of),
            Ref::This | Ref::It | Ref::You => self.span,
        }
    }

    pub fn sel(&mut self, sel: &Sel, usage: Usage<'_>) -> Given {
        match sel {
            Sel::Ref(r) => self.reference(r, matches!(usage, Usage::Act)),
            Sel::Those(selector) => self.selector(selector, usage),
        }
    }

    /// A card, a hero or a player by reference; `several` if a name may hold more than one.
    pub fn reference(&mut self, r: &Ref, several: bool) -> Given {
        let thing = match r {
            Ref::This => match self.card {
                Kind::Boss => Thing::Boss,
                Kind::Room => Thing::Room,
                Kind::Spell => Thing::Spell,
                Kind::Hero | Kind::Epic => Thing::Hero,
            },
            Ref::You => Thing::Player,
            Ref::It => match self.it.last() {
                Some(thing) => *thing,
                None => {
                    self.fault(self.span, CheckFault::StrayIt);
                    Thing::Unknown
                }
            },
            Ref::Name(name) => return self.named(name, several),
            Ref::OwnerOf(of) => {
                self.reference(of, several);
                self.fault(self.ref_span(of), CheckFault::StrayOwner);
                Thing::Unknown
            }
        };
        Given { thing, count: 1, pending: false }
    }

    fn named(&mut self, name: &Name, several: bool) -> Given {
        if let Some(bound) = self.names.iter().find(|b| b.name == name.text) {
            let given = bound.given;
            if given.count > 1 && !several {
                self.fault(name.span, CheckFault::Several { name: name.text.clone() });
            }
            if self.declaring {
                self.fault(name.span, CheckFault::Dependent { name: name.text.clone() });
            }
            if !self.used.contains(&name.text) {
                self.used.push(name.text.clone());
            }
            return given;
        }
        let near = nearest(&name.text, self.names.iter().map(|b| b.name.as_str()))
            .or_else(|| nearest(&name.text, lex::vocabulary().iter().copied()))
            .map(str::to_owned);
        self.fault(name.span, CheckFault::Unbound { name: name.text.clone(), near });
        Given { thing: Thing::Unknown, count: 1, pending: true }
    }

    fn selector(&mut self, selector: &Selector, usage: Usage<'_>) -> Given {
        let thing = Thing::of(selector.noun);
        self.selectors += 1;
        if self.selectors > MAX_SELECTORS {
            self.fault(selector.span, CheckFault::DeepSelectors);
            self.selectors -= 1;
            return Given { thing, count: 1, pending: false };
        }
        let count = self.quant(selector, usage);
        self.adjectives(selector);
        let mut pending = false;
        if let Some(site) = &selector.site {
            pending = matches!(site, Site::In(place) if place.zones == [Zone::Pending]);
            self.site(selector, site);
        }
        hidden::check(self, selector, usage);
        if let Some(but) = &selector.but {
            let declaring = std::mem::take(&mut self.declaring);
            self.reference(but, false);
            self.declaring = declaring;
        }
        if let Some(cond) = &selector.cond {
            self.it.push(thing);
            self.cond(cond);
            self.it.pop();
        }
        self.selectors -= 1;
        Given { thing, count, pending }
    }

    fn quant(&mut self, selector: &Selector, usage: Usage<'_>) -> u8 {
        let span = selector.span;
        let query = matches!(usage, Usage::Query);
        let (quant, count) = match selector.quant {
            Quant::Bare => return 1,
            Quant::First | Quant::Last if selector.noun == Noun::Room => return 1,
            Quant::First => ("first", 1),
            Quant::Last => ("last", 1),
            Quant::Count(0) | Quant::Random(0) => {
                self.fault(span, CheckFault::Zero);
                return 1;
            }
            Quant::Count(n) if !query => return n,
            Quant::Random(n) if !query => return n,
            Quant::All if matches!(usage, Usage::Act) => return 1,
            Quant::All if !query => {
                self.fault(span, CheckFault::AllBound);
                return 1;
            }
            Quant::Count(n) => ("a number", n),
            Quant::Random(n) => ("random", n),
            Quant::All => ("all", 1),
        };
        self.fault(span, CheckFault::StrayQuant { quant });
        count
    }

    fn adjectives(&mut self, selector: &Selector) {
        use Adjective::*;
        let given = &selector.adjectives;
        for (i, adjective) in given.iter().enumerate() {
            let fits = match adjective {
                Advanced | Entered | Facedown | Monster | Trap => selector.noun == Noun::Room,
                Cleric | Fighter | Mage | Thief => matches!(selector.noun, Noun::Room | Noun::Hero),
                Cast => selector.noun == Noun::Spell,
                Ordinary => matches!(selector.noun, Noun::Room | Noun::Hero | Noun::Soul | Noun::Wound),
                Another => !matches!(selector.noun, Noun::Class | Noun::Player | Noun::Opponent),
            };
            if !fits {
                let (adjective, noun) = (adjective.word(), selector.noun.word());
                self.fault(selector.span, CheckFault::Adjective { adjective, noun });
            }
            let clash = |other: &Adjective| {
                other == adjective
                    || matches!(
                        (other, adjective),
                        (Monster, Trap) | (Trap, Monster) | (Advanced, Ordinary) | (Ordinary, Advanced)
                    )
            };
            if let Some(other) = given[..i].iter().find(|other| clash(other)) {
                let (first, second) = (other.word(), adjective.word());
                self.fault(selector.span, CheckFault::Adjectives { first, second });
            }
        }
    }

    fn site(&mut self, selector: &Selector, site: &Site) {
        let noun = selector.noun;
        let (r, needed) = match site {
            Site::In(place) => {
                self.place(place);
                if let Some(zone) = place.zones.iter().find(|zone| !lives_in(noun, **zone)) {
                    let (noun, place) = (noun.word(), format!("in `{zone}`"));
                    self.fault(selector.span, CheckFault::NeverThere { noun, place });
                }
                return;
            }
            Site::InRef(r) => (r, Noun::Hero),
            Site::LeftOf(r) | Site::RightOf(r) | Site::Beside(r) => (r, Noun::Room),
        };
        let given = self.reference(r, false);
        if noun != needed {
            let place = if needed == Noun::Hero { "in a room" } else { "beside a room" };
            let (noun, place) = (noun.word(), place.to_owned());
            self.fault(selector.span, CheckFault::NeverThere { noun, place });
        }
        if !matches!(given.thing, Thing::Room | Thing::Unknown) {
            let (verb, found) = (if needed == Noun::Hero { "in" } else { "beside" }, given.thing.word());
            let span = self.ref_span(r);
            self.fault(span, CheckFault::WrongKind { verb, wanted: "a room", found });
        }
    }

    pub fn place(&mut self, place: &Place) {
        let Some(who) = &place.of else { return };
        self.who(who, "`of`", place.span);
        if let Some(zone) = place.zones.iter().find(|zone| !is_owned(**zone)) {
            self.fault(place.span, CheckFault::OwnerlessZone { zone: zone.word() });
        }
    }

    pub fn who(&mut self, who: &Who, place: &'static str, span: Span) {
        let Who::Ref(r) = who else { return };
        let thing = match r {
            Ref::OwnerOf(of) => {
                let owned = self.reference(of, false).thing;
                if owned == Thing::Player {
                    let (verb, found) = ("owner of", owned.word());
                    self.fault(span, CheckFault::WrongKind { verb, wanted: "a card or a hero", found });
                }
                return;
            }
            r => self.reference(r, false).thing,
        };
        if !matches!(thing, Thing::Player | Thing::Unknown) {
            let span = match r {
                Ref::Name(name) => name.span,
                _ => span,
            };
            self.fault(span, CheckFault::WrongWho { place, found: thing.word() });
        }
    }

    /// A `who` that must be one player.
    pub fn one_player(&mut self, who: &Who, place: &'static str, span: Span) {
        let word = match who {
            Who::You | Who::Ref(_) => return self.who(who, place, span),
            Who::Opponent => "opponent",
            Who::Player => "player",
            Who::Any => "any",
        };
        self.fault(span, CheckFault::AmbiguousWho { who: word });
    }

    pub fn num(&mut self, num: &Num) {
        match num {
            Num::Int(_) => {}
            Num::Count(sel) => {
                self.sel(sel, Usage::Query);
            }
            Num::Points(_, who) => self.one_player(who, "`of`", self.span),
            Num::Value { of, .. } => {
                self.reference(of, false);
            }
            Num::Add(a, b) | Num::Sub(a, b) => {
                self.num(a);
                self.num(b);
            }
        }
    }

    /// A number of things to be done, which cannot be nothing.
    pub fn quantity(&mut self, num: &Num, most: u8) {
        match num {
            Num::Int(0) => self.fault(self.span, CheckFault::Zero),
            Num::Int(n) if *n > most => self.fault(self.span, CheckFault::NumberRange { most }),
            num => self.num(num),
        }
    }

    pub fn cond(&mut self, cond: &Cond) {
        match cond {
            Cond::Some(sel) | Cond::No(sel) => {
                self.sel(sel, Usage::Query);
            }
            Cond::Compare(a, _, b) => {
                self.num(a);
                self.num(b);
            }
            Cond::Is(r, _) => {
                self.reference(r, false);
            }
            Cond::In(r, place) => {
                self.reference(r, false);
                self.place(place);
            }
            Cond::Done | Cond::Active => {}
            Cond::Not(cond) => self.cond(cond),
            Cond::And(a, b) | Cond::Or(a, b) => {
                self.cond(a);
                self.cond(b);
            }
        }
    }

    /// Complains unless the thing fits, or has been complained about.
    pub fn want(&mut self, span: Span, verb: &'static str, wanted: &'static str, thing: Thing, fits: bool) {
        if !fits && thing != Thing::Unknown {
            self.fault(span, CheckFault::WrongKind { verb, wanted, found: thing.word() });
        }
    }
}

/// Whether players have such a place each.
pub fn is_owned(zone: Zone) -> bool {
    use Zone::*;
    matches!(zone, Dungeon | Entrance | Hand | Pending | Scoring)
}

fn lives_in(noun: Noun, zone: Zone) -> bool {
    use Zone::*;
    match noun {
        Noun::Card => matches!(zone, Discard | Dungeon | Hand | Pending | RoomDeck | SpellDeck),
        Noun::Room => matches!(zone, Discard | Dungeon | Hand | RoomDeck),
        Noun::Spell => matches!(zone, Discard | Hand | Pending | SpellDeck),
        Noun::Hero => matches!(zone, Dungeon | Entrance | EpicDeck | HeroDeck | Town),
        Noun::Soul | Noun::Wound => zone == Scoring,
        Noun::Class | Noun::Opponent | Noun::Player => false,
    }
}
