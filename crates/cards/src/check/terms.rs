//! Names, kinds and places inside one ability.

use super::fault::CheckFault;
use super::thing::{Changed, Thing, goes_with};
use super::{MAX_HELD, MAX_KEPT, MAX_NAMES, MAX_SELECTORS, MAX_SLOTS, hidden};
use crate::lex;
use crate::report::{Problem, nearest};
use crate::tree::*;

/// How a selector is used.
#[derive(Clone, Copy)]
pub enum Usage<'a> {
    /// Read: a condition, a count, a rule, an event, an `each`.
    Query,
    /// Chosen, by you or by another player.
    Pick(Option<&'a Who>),
    /// Chosen by you and acted on; a name may hold several.
    Act,
}

/// What a selector yields.
#[derive(Clone, Copy)]
pub struct Given {
    pub thing: Thing,
    pub count: u8,
    /// Declared, not yet resolved.
    pub pending: bool,
    /// A card that not everybody has seen: nothing may be read from it.
    pub hidden: bool,
    /// A room under another.
    pub covered: bool,
    /// A number of coins that you have.
    pub affordable: bool,
}

impl Default for Given {
    fn default() -> Given {
        Given {
            thing: Thing::Unknown,
            count: 1,
            pending: false,
            hidden: false,
            covered: false,
            affordable: false,
        }
    }
}

struct Bound {
    name: String,
    given: Given,
}

pub struct Scope {
    pub problems: Vec<Problem>,
    /// Where to point when a node has no span.
    pub span: Span,
    pub(super) card: Kind,
    /// The ability is used while its card is in hand.
    pub(super) from_hand: bool,
    /// It is what a minion does.
    pub(super) minion: bool,
    names: Vec<Bound>,
    bound: usize,
    slots: usize,
    looked: Vec<Who>,
    /// Checking what is done when an action is declared.
    pub(super) in_declaration: bool,
    /// Checking whether something is offered at all: nothing has been shown to anyone yet.
    pub(super) offering: bool,
    /// Checking what an action needs: no name has a value yet.
    pub(super) declaring: bool,
    /// Checking a target: its place may depend on an earlier one, its `where` may not.
    pub(super) targeting: bool,
    /// Checking a rule in force: what it changes.
    pub(super) changing: Option<Changed>,
    pub(super) it: Vec<Thing>,
    selectors: usize,
    /// Checking an ability that lasts.
    pub(super) lasts: bool,
    pub(super) used: Vec<String>,
    /// How many names, the oldest ones, have a value before anything is declared.
    pub(super) fixed: usize,
}

/// The state of a scope around code that runs later.
pub struct Outer {
    names: usize,
    slots: usize,
    looked: Vec<Who>,
    used: Vec<String>,
}

/// The state of a scope at the beginning of a block.
pub struct Mark(usize, usize, usize);

impl Scope {
    pub fn new(card: Kind, span: Span) -> Scope {
        Scope {
            problems: Vec::new(),
            span,
            card,
            from_hand: false,
            minion: false,
            names: Vec::new(),
            bound: 0,
            slots: 0,
            looked: Vec::new(),
            in_declaration: false,
            offering: false,
            declaring: false,
            targeting: false,
            changing: None,
            it: Vec::new(),
            selectors: 0,
            lasts: false,
            used: Vec::new(),
            fixed: 0,
        }
    }

    /// The names bound so far have their value before what follows is declared.
    pub fn fix_names(&mut self) -> usize {
        std::mem::replace(&mut self.fixed, self.names.len())
    }

    /// A number chosen among those of coins that you have.
    pub fn is_affordable(&self, name: &Name) -> bool {
        self.names.iter().any(|bound| bound.name == name.text && bound.given.affordable)
    }

    /// Is this paid to take up an offer, and not when an action is declared?
    pub fn offered_by_choice(&self) -> bool {
        !self.in_declaration
    }

    pub fn fault(&mut self, span: Span, fault: CheckFault) {
        self.problems.push(Problem::new(span, fault));
    }

    pub fn open(&self) -> Mark {
        Mark(self.names.len(), self.slots, self.looked.len())
    }

    /// Forgets names bound and hands seen since the mark.
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

    /// Reserves registers for things held temporarily.
    pub fn hold(&mut self, count: u8, span: Span) {
        let before = self.slots;
        self.slots += usize::from(count);
        if before <= MAX_SLOTS && self.slots > MAX_SLOTS {
            self.fault(span, CheckFault::ManySlots);
        }
    }

    /// What is checked now runs later: it keeps those names bound so far that it uses.
    pub fn begin_lasting(&mut self) -> Outer {
        Outer {
            names: self.names.len(),
            slots: std::mem::replace(&mut self.slots, MAX_KEPT),
            looked: std::mem::take(&mut self.looked),
            used: std::mem::take(&mut self.used),
        }
    }

    /// How many names were kept.
    pub fn end_lasting(&mut self, outer: Outer) -> usize {
        self.slots = outer.slots;
        self.looked = outer.looked;
        let used = std::mem::replace(&mut self.used, outer.used);
        let kept: Vec<String> =
            used.into_iter().filter(|u| self.names[..outer.names].iter().any(|b| b.name == *u)).collect();
        let count = kept.len();
        for name in kept {
            if self.names.iter().any(|b| b.name == name && b.given.count > 1) {
                self.fault(self.span, CheckFault::Several { name: name.clone() });
            }
            self.use_name(name);
        }
        count
    }

    fn use_name(&mut self, name: String) {
        if !self.used.contains(&name) {
            self.used.push(name);
        }
    }

    /// Everybody sees the named card now.
    pub fn shown(&mut self, sel: &Sel) {
        if let Sel::Ref(Ref::Name(name)) = sel
            && let Some(bound) = self.names.iter_mut().find(|b| b.name == name.text)
        {
            bound.given.hidden = false;
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
            Sel::Selector(selector) => selector.span,
        }
    }

    pub fn ref_span(&self, r: &Ref) -> Span {
        match r {
            Ref::Name(name) => name.span,
            Ref::OwnerOf(of) | Ref::HostOf(of) => self.ref_span(of),
            Ref::This | Ref::It | Ref::You | Ref::Host => self.span,
        }
    }

    pub fn sel(&mut self, sel: &Sel, usage: Usage<'_>) -> Given {
        match sel {
            Sel::Ref(r) => self.reference(r, matches!(usage, Usage::Act)),
            Sel::Selector(selector) => self.selector(selector, usage),
        }
    }

    /// A card, a hero or a player by reference; `several` if a name may hold more than one.
    pub fn reference(&mut self, r: &Ref, several: bool) -> Given {
        let thing = match r {
            Ref::This => self.card.noun().map_or(Thing::Unknown, Thing::of),
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
            Ref::Host => match self.card.noun().map(Thing::of).and_then(Thing::host) {
                Some(host) => host,
                None => {
                    self.fault(self.span, CheckFault::StrayHost { kind: self.card.word() });
                    Thing::Unknown
                }
            },
            Ref::HostOf(of) => {
                let attached = self.reference(of, false).thing;
                let span = self.ref_span(of);
                self.want(span, "host of", "a miniboss or an item", attached, attached.host().is_some());
                attached.host().unwrap_or(Thing::Unknown)
            }
        };
        Given { thing, ..Given::default() }
    }

    fn named(&mut self, name: &Name, several: bool) -> Given {
        if let Some(at) = self.names.iter().position(|b| b.name == name.text) {
            let given = self.names[at].given;
            if given.count > 1 && !several {
                self.fault(name.span, CheckFault::Several { name: name.text.clone() });
            }
            if self.declaring && at >= self.fixed {
                self.fault(name.span, CheckFault::Dependent { name: name.text.clone() });
            }
            self.use_name(name.text.clone());
            return given;
        }
        let near = nearest(&name.text, self.names.iter().map(|b| b.name.as_str()))
            .or_else(|| nearest(&name.text, lex::vocabulary().iter().copied()))
            .map(str::to_owned);
        self.fault(name.span, CheckFault::Unbound { name: name.text.clone(), near });
        Given { pending: true, ..Given::default() }
    }

    fn selector(&mut self, selector: &Selector, usage: Usage<'_>) -> Given {
        let thing = Thing::of(selector.noun);
        self.selectors += 1;
        if self.selectors > MAX_SELECTORS {
            self.fault(selector.span, CheckFault::DeepSelectors);
            self.selectors -= 1;
            return Given { thing, ..Given::default() };
        }
        let count = self.quant(selector, usage);
        if selector.noun == Noun::Class {
            self.class(selector, usage);
        }
        self.adjectives(selector);
        let mut pending = false;
        if let Some(site) = &selector.site {
            pending = matches!(site, Site::In(place) if place.zones == [Zone::Pending]);
            self.site(selector, site);
        }
        let hidden = hidden::check(self, selector, usage);
        if let Some(but) = &selector.but {
            let declaring = std::mem::take(&mut self.declaring);
            self.reference(but, false);
            self.declaring = declaring;
        }
        if let Some(cond) = &selector.cond {
            let declaring = self.declaring;
            self.declaring |= self.targeting;
            self.it.push(thing);
            self.cond(cond);
            self.it.pop();
            self.declaring = declaring;
        }
        self.selectors -= 1;
        let covered = selector.adjectives.contains(&Adjective::Covered);
        Given { thing, count, pending, hidden, covered, affordable: false }
    }

    fn quant(&mut self, selector: &Selector, usage: Usage<'_>) -> u8 {
        let span = selector.span;
        let query = matches!(usage, Usage::Query);
        let (quant, count) = match selector.quant {
            Quant::Bare => return 1,
            Quant::First | Quant::Last if selector.noun == Noun::Room => return 1,
            Quant::Leading(2..) if selector.noun == Noun::Room && query => return 1,
            Quant::Leading(n) => ("a number", n),
            Quant::First => ("first", 1),
            Quant::Last => ("last", 1),
            Quant::Count(0) | Quant::Random(0) | Quant::Top(0) => {
                self.fault(span, CheckFault::Zero);
                return 1;
            }
            Quant::Top(n) if !query && is_top(selector) => return n,
            Quant::Count(n) if !query => return n,
            Quant::Random(n) if !query => return n,
            Quant::All if matches!(usage, Usage::Act) => return 1,
            Quant::All if !query => {
                self.fault(span, CheckFault::AllBound);
                return 1;
            }
            Quant::Count(n) => ("a number", n),
            Quant::Random(n) => ("random", n),
            Quant::Top(n) => ("top", n),
            Quant::All => ("all", 1),
        };
        self.fault(span, CheckFault::StrayQuant { quant });
        count
    }

    /// Treasure types are chosen one at a time, and nothing narrows them.
    fn class(&mut self, selector: &Selector, usage: Usage<'_>) {
        let plain = selector.site.is_none() && selector.but.is_none() && selector.cond.is_none();
        let bare = selector.quant == Quant::Bare && selector.adjectives.is_empty();
        if !(plain && bare && matches!(usage, Usage::Pick(_))) {
            self.fault(selector.span, CheckFault::StrayClass);
        }
    }

    fn adjectives(&mut self, selector: &Selector) {
        use Adjective::*;
        let given = &selector.adjectives;
        for (i, adjective) in given.iter().enumerate() {
            if !goes_with(*adjective, Thing::of(selector.noun)) && selector.noun != Noun::Class {
                let (adjective, noun) = (adjective.word(), selector.noun.word());
                self.fault(selector.span, CheckFault::Adjective { adjective, noun });
            }
            if *adjective == MultiTreasure
                && let Some(changed) = self.changing.filter(|changed| !changed.may_count_icons())
            {
                self.fault(selector.span, CheckFault::IconCircle { changes: changed.word() });
            }
            let clash = |other: &Adjective| {
                other == adjective
                    || matches!(
                        (other, adjective),
                        (Subtype(_), Subtype(_))
                            | (Epic, Ordinary)
                            | (Ordinary, Epic)
                            | (Advanced, Ordinary)
                            | (Ordinary, Advanced)
                            | (Faceup, Facedown)
                            | (Facedown, Faceup)
                            | (Covered, Facedown)
                            | (Facedown, Covered)
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
                if place.zones.contains(&Zone::Landmark) && !self.minion {
                    self.fault(selector.span, CheckFault::OutOfReach);
                }
                if let Some(zone) = place.zones.iter().find(|zone| !zone.holds(noun)) {
                    let (noun, place) = (noun.word(), format!("in `{zone}`"));
                    self.fault(selector.span, CheckFault::NeverThere { noun, place });
                }
                return;
            }
            Site::On(r) => {
                let host = self.reference(r, false).thing;
                let wanted = Thing::of(noun).host();
                let name = wanted.map_or("a card", Thing::word);
                self.want(self.ref_span(r), "on", name, host, Some(host) == wanted);
                return;
            }
            Site::InRef(r) if !matches!(noun, Noun::Hero) => {
                let among = self.reference(r, true).thing;
                let cards =
                    |thing| matches!(thing, Thing::Card | Thing::Miniboss | Thing::Room | Thing::Spell);
                if !cards(Thing::of(noun))
                    || !cards(among) && among != Thing::Unknown
                    || !matches!(r, Ref::Name(_))
                {
                    let (noun, place) = (noun.word(), "in a room".to_owned());
                    self.fault(selector.span, CheckFault::NeverThere { noun, place });
                }
                return;
            }
            Site::InRef(r) => (r, Noun::Hero),
            Site::LeftOf(r) | Site::RightOf(r) | Site::Beside(r) => (r, Noun::Room),
            Site::Under(r) => {
                if noun == Noun::Room && !selector.adjectives.contains(&Adjective::Covered) {
                    self.fault(selector.span, CheckFault::Uncovered);
                }
                (r, Noun::Room)
            }
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
        if let Some(zone) = place.zones.iter().find(|zone| !zone.is_owned()) {
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

    /// Reports a fault unless the thing fits or was already reported.
    pub fn want(&mut self, span: Span, verb: &'static str, wanted: &'static str, thing: Thing, fits: bool) {
        if !fits && thing != Thing::Unknown {
            self.fault(span, CheckFault::WrongKind { verb, wanted, found: thing.word() });
        }
    }
}

/// So many cards of one deck, whatever they are.
fn is_top(selector: &Selector) -> bool {
    let deck = matches!(&selector.site, Some(Site::In(place))
        if matches!(place.zones[..], [zone] if zone.is_deck()));
    deck && selector.adjectives.is_empty() && selector.but.is_none() && selector.cond.is_none()
}
