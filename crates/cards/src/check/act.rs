//! Verbs: what each acts on, where that may be, and which of them can be a cost.

use super::body::Body;
use super::endless;
use super::fault::CheckFault;
use super::terms::{Given, Usage};
use super::thing::Thing;
use crate::tree::*;

impl Body<'_> {
    pub(super) fn cost(&mut self, act: &Act) {
        let op = match act {
            Act::Simple { verb, op } => match verb {
                Verb::Discard | Verb::Destroy | Verb::Deactivate | Verb::Remove | Verb::Reveal => op,
                Verb::Flip if is_faceup_item(&op.sel) => op,
                verb => return self.fault(CheckFault::NoCost { act: verb.word() }),
            },
            // A room is sure to be there when the price is asked: the card itself, or one of yours.
            Act::Counters { gain: false, amount: Num::Int(_), op } => match &op.sel {
                Sel::Ref(Ref::This) => return,
                Sel::Selector(selector) if selector.quant == Quant::Bare => op,
                _ => return self.fault(CheckFault::NoCost { act: endless::word(act) }),
            },
            // Whether it can be paid is known before anything is chosen, or the number itself was chosen
            // among those that can.
            Act::Coins { pay: true, amount, .. } => {
                if let Num::Name(name) = amount
                    && !self.scope.offered_by_choice()
                    && !self.scope.is_affordable(name)
                {
                    self.scope.fault(name.span, CheckFault::Dependent { name: name.text.clone() });
                }
                return;
            }
            act => {
                return self.fault(CheckFault::NoCost { act: endless::word(act) });
            }
        };
        if let Sel::Selector(selector) = &op.sel
            && let Some(Site::In(place)) = &selector.site
            && !is_yours(place)
        {
            self.scope.fault(selector.span, CheckFault::StrangeCost);
        }
    }

    pub(super) fn act(&mut self, act: &Act) {
        let span = self.scope.span;
        match act {
            Act::Draw { name, count, by, .. } => {
                if let Some(name) = name {
                    if *count != Num::Int(1) || by.is_some() {
                        self.scope.fault(name.span, CheckFault::NamedDraw);
                    }
                    self.scope.bind(name, Given { thing: Thing::Card, hidden: true, ..Given::default() });
                }
                self.scope.quantity(count, 20);
                if let Some(by) = by {
                    self.scope.one_player(by, "`for`", span);
                }
            }
            Act::Look { place } => self.look(place),
            Act::Take { op, by } => {
                self.op(op, "take", "a room or a spell", is_card);
                if let Some(by) = by {
                    self.scope.one_player(by, "`for`", span);
                }
            }
            Act::Move { op, to, side } => {
                // A spell that is cast may come to lie in a scoring area.
                let itself = op.sel == Sel::Ref(Ref::This) && is_scoring(to);
                let given = self.op(op, "move", "a hero or a soul", |t| {
                    matches!(t, Thing::Hero | Thing::Item | Thing::Soul | Thing::Wound)
                        || itself && t == Thing::Spell
                });
                if given.thing == Thing::Item {
                    self.item_destination(to, *side);
                } else {
                    self.destination(to, *side, itself);
                }
            }
            Act::Arrange { place, .. } => {
                self.scope.place(place);
                if place.zones != [Zone::Dungeon] {
                    self.scope.fault(place.span, CheckFault::ArrangeWhat);
                }
                if let Some(who @ (Who::Opponent | Who::Player | Who::Any)) = &place.of {
                    self.scope.one_player(who, "`of`", place.span);
                }
            }
            Act::Swap { a, b } => {
                for r in [a, b] {
                    let thing = self.scope.reference(r, false).thing;
                    let span = self.scope.ref_span(r);
                    self.scope.want(span, "swap", "a room", thing, thing == Thing::Room);
                }
            }
            Act::Damage { op, amount } => {
                let given = self.op(op, "damage", "a hero", |t| t == Thing::Hero);
                match amount {
                    Num::Roll(sides) if !(2..=20).contains(sides) => {
                        self.fault(CheckFault::Die { sides: *sides });
                    }
                    Num::Roll(_) if given.count > 1 => self.fault(CheckFault::StrayRoll),
                    Num::Roll(_) => {}
                    amount => self.scope.quantity(amount, 50),
                }
            }
            Act::Skip { op, rooms } => {
                self.op(op, "skip", "a hero", |t| t == Thing::Hero);
                self.scope.quantity(rooms, 20);
            }
            Act::Build { op, on } => self.build(op, on.as_ref()),
            Act::Counters { gain, amount, op } => {
                let verb = if *gain { "gain counter" } else { "lose counter" };
                let given = self.op(op, verb, "a room", |t| t == Thing::Room);
                let in_play = |zones: &[Zone]| zones.iter().all(|zone| *zone == Zone::Dungeon);
                if given.thing == Thing::Room && !self.zones(&op.sel).is_none_or(in_play) {
                    let (wanted, found) = ("a room in a dungeon", "a card elsewhere");
                    let span = self.scope.sel_span(&op.sel);
                    self.scope.fault(span, CheckFault::WrongKind { verb, wanted, found });
                }
                self.scope.quantity(amount, 20);
            }
            Act::Coins { pay, amount, by, to, on } => {
                self.coins(*pay, amount, by.as_ref(), to.as_ref(), on.as_ref())
            }
            Act::SwapHoards { with } => self.scope.one_player(with, "`of`", span),
            Act::Attach { op, to } => {
                self.op(op, "attach", "a miniboss", |t| t == Thing::Miniboss);
                let room = self.scope.sel(to, Usage::Query).thing;
                let span = self.scope.sel_span(to);
                self.scope.want(span, "attach .. to", "a room", room, room == Thing::Room);
                if !in_your_place(to) {
                    self.scope.fault(span, CheckFault::StrangeBuild);
                }
            }
            Act::Trigger { op, words } => {
                self.op(op, "trigger", "a room", |t| t == Thing::Room);
                let known = |word: &&EventWord| matches!(word, EventWord::Built | EventWord::Uncovered);
                for word in words.iter().filter(|word| !known(word)) {
                    self.fault(CheckFault::NoTrigger { word: word.word() });
                }
            }
            Act::Simple { verb, op } => self.simple(*verb, op),
        }
    }

    fn coins(&mut self, pay: bool, amount: &Num, by: Option<&Who>, to: Option<&Who>, on: Option<&Ref>) {
        let span = self.scope.span;
        self.scope.quantity(amount, 50);
        for who in by.into_iter().chain(to) {
            self.scope.one_player(who, if to == Some(who) { "`to`" } else { "`for`" }, span);
        }
        if !pay && (to.is_some() || on.is_some()) || to.is_some() && on.is_some() {
            self.fault(CheckFault::WhichHoard);
        }
        if let Some(on) = on {
            let thing = self.scope.reference(on, false).thing;
            let span = self.scope.ref_span(on);
            self.scope.want(span, "pay coin .. on", "a room", thing, thing == Thing::Room);
        }
    }

    fn look(&mut self, place: &Place) {
        self.scope.place(place);
        if let Some(zone) = place.zones.iter().find(|z| **z != Zone::Hand && !z.is_deck()) {
            self.scope.fault(place.span, CheckFault::LookAt { zone: zone.word() });
        }
        if let Some(who) = &place.of {
            if !matches!(who, Who::Ref(_)) {
                self.scope.one_player(who, "`of`", place.span);
            }
            if place.zones.contains(&Zone::Hand) {
                self.scope.look(who);
            }
        }
    }

    fn destination(&mut self, to: &Destination, side: Option<Side>, itself: bool) {
        match to {
            Destination::Place(place) => {
                self.scope.place(place);
                if let Some(who @ (Who::Opponent | Who::Player | Who::Any)) = &place.of {
                    self.scope.one_player(who, "`of`", place.span);
                }
                match (&place.zones[..], side) {
                    ([Zone::Town | Zone::Entrance | Zone::Landmark], None) => {}
                    ([Zone::Scoring], Some(side)) if itself == (side == Side::Faceup) => {}
                    ([Zone::Scoring], None) => self.scope.fault(place.span, CheckFault::WhichFace),
                    ([Zone::Scoring | Zone::Town | Zone::Entrance | Zone::Landmark], Some(side)) => {
                        self.scope.fault(place.span, CheckFault::StraySide { side: side.word() });
                    }
                    ([zone], _) => self.scope.fault(place.span, CheckFault::MoveTo { zone: zone.word() }),
                    _ => self.scope.fault(place.span, CheckFault::SeveralPlaces),
                }
            }
            Destination::Room(sel) => {
                let given = self.scope.sel(sel, Usage::Pick(None));
                let span = self.scope.sel_span(sel);
                let fits = given.thing == Thing::Room;
                self.scope.want(span, "move .. to", "a room", given.thing, fits);
                if given.count > 1 {
                    self.scope.fault(span, CheckFault::SeveralPlaces);
                }
                if let Some(side) = side {
                    self.scope.fault(span, CheckFault::StraySide { side: side.word() });
                }
            }
        }
    }

    /// An item goes to a scoring area, on one side, or to a hero.
    fn item_destination(&mut self, to: &Destination, side: Option<Side>) {
        match to {
            Destination::Place(place) => {
                self.scope.place(place);
                match (&place.zones[..], side) {
                    ([Zone::Scoring], Some(_)) => {}
                    ([Zone::Scoring], None) => self.scope.fault(place.span, CheckFault::WhichSide),
                    _ => self.scope.fault(place.span, CheckFault::ItemTo),
                }
            }
            Destination::Room(sel) => {
                let hero = self.scope.sel(sel, Usage::Pick(None)).thing;
                let span = self.scope.sel_span(sel);
                self.scope.want(span, "move .. to", "a hero", hero, hero == Thing::Hero);
                if let Some(side) = side {
                    self.scope.fault(span, CheckFault::StraySide { side: side.word() });
                }
            }
        }
    }

    fn simple(&mut self, verb: Verb, op: &Operand) {
        let word = verb.word();
        let (wanted, fits): (_, fn(Thing) -> bool) = match verb {
            Verb::Cancel => ("a spell in pending", |t| t == Thing::Spell),
            Verb::Copy if self.scope.card == Kind::Item => ("an item", |t| t == Thing::Item),
            Verb::Copy => ("a boss", |t| t == Thing::Boss),
            Verb::Deactivate | Verb::Destroy => ("a room", |t| t == Thing::Room),
            Verb::Uncover => ("a covered room", |t| t == Thing::Room),
            Verb::Discard | Verb::Reveal => ("a room or a spell", is_card),
            Verb::Flip => {
                ("a soul, a wound or an item", |t| matches!(t, Thing::Item | Thing::Soul | Thing::Wound))
            }
            Verb::Heal => ("a wound or a hero", |t| matches!(t, Thing::Hero | Thing::Wound)),
            Verb::Kill => ("a hero", |t| t == Thing::Hero),
            Verb::Promote => ("a miniboss", |t| t == Thing::Miniboss),
            Verb::Remove => {
                ("a card or a soul", |t| !matches!(t, Thing::Boss | Thing::Class | Thing::Player))
            }
        };
        let given = self.op(op, word, wanted, fits);
        if given.thing == Thing::Unknown || !fits(given.thing) {
            return;
        }
        let span = self.scope.sel_span(&op.sel);
        let places = self.zones(&op.sel);
        let all = |fits: fn(Zone) -> bool| places.is_none_or(|zones| zones.iter().all(|zone| fits(*zone)));
        let (fits, wanted) = match verb {
            Verb::Cancel => (given.pending, wanted),
            Verb::Destroy | Verb::Deactivate => (all(|zone| zone == Zone::Dungeon), "a room in a dungeon"),
            Verb::Discard => (all(|zone| zone == Zone::Hand || zone.is_deck()), "a card in hand"),
            Verb::Remove => (all(|zone| zone != Zone::Market), "a card elsewhere than in the market"),
            Verb::Reveal => (all(|zone| zone == Zone::Hand) && in_your_place(&op.sel), "a card in your hand"),
            Verb::Uncover => (given.covered, wanted),
            Verb::Kill => (all(|zone| zone != Zone::Landmark), "a hero elsewhere than at a landmark"),
            Verb::Copy | Verb::Flip | Verb::Heal | Verb::Promote => (true, wanted),
        };
        if !fits {
            let found = "a card elsewhere";
            self.scope.fault(span, CheckFault::WrongKind { verb: word, wanted, found });
        }
        if matches!(verb, Verb::Destroy | Verb::Discard | Verb::Reveal) {
            self.scope.shown(&op.sel);
        }
    }

    /// Exactly one room is built; the player chooses it together with its place.
    fn build(&mut self, op: &Operand, on: Option<&Sel>) {
        if let Some(name) = &op.name {
            self.scope.fault(name.span, CheckFault::NameInBuild);
        }
        let fits = |t| matches!(t, Thing::Card | Thing::Miniboss | Thing::Room);
        let given = self.op(op, "build", "a room", fits);
        let span = self.scope.sel_span(&op.sel);
        // Room and place are chosen together, so a deck would have to be shown before.
        let held = |zones: &[Zone]| zones.iter().all(|z| matches!(z, Zone::Hand | Zone::Discard));
        if fits(given.thing) && !self.zones(&op.sel).is_none_or(held) {
            let (verb, wanted, found) = ("build", "a card in hand", "a card elsewhere");
            self.scope.fault(span, CheckFault::WrongKind { verb, wanted, found });
        }
        let quant = match &op.sel {
            Sel::Selector(selector) => selector.quant,
            Sel::Ref(_) => Quant::Bare,
        };
        let quant = match quant {
            Quant::Bare => None,
            Quant::Count(_) => Some("a number"),
            Quant::All => Some("all"),
            Quant::Random(_) => Some("random"),
            Quant::Top(_) => Some("top"),
            Quant::First | Quant::Leading(_) => Some("first"),
            Quant::Last => Some("last"),
        };
        if let Some(quant) = quant {
            self.scope.fault(span, CheckFault::StrayQuant { quant });
        }
        let Some(on) = on else { return };
        let thing = self.scope.sel(on, Usage::Query).thing;
        let span = self.scope.sel_span(on);
        self.scope.want(span, "build .. on", "a room", thing, thing == Thing::Room);
        if !in_your_place(on) {
            self.scope.fault(span, CheckFault::StrangeBuild);
        }
    }

    fn op(
        &mut self,
        op: &Operand,
        verb: &'static str,
        wanted: &'static str,
        fits: impl Fn(Thing) -> bool,
    ) -> Given {
        let span = self.scope.sel_span(&op.sel);
        let all = matches!(&op.sel, Sel::Selector(s) if s.quant == Quant::All);
        let one = verb == "build";
        let given = match &op.sel {
            Sel::Ref(_) if one => self.scope.sel(&op.sel, Usage::Query),
            sel => self.scope.sel(sel, Usage::Act),
        };
        self.scope.want(span, verb, wanted, given.thing, fits(given.thing));
        if given.covered && verb != Verb::Uncover.word() {
            let found = "a room under another";
            self.scope.fault(span, CheckFault::WrongKind { verb, wanted, found });
        }
        match &op.name {
            Some(name) if matches!(op.sel, Sel::Ref(_)) => {
                self.scope.fault(name.span, CheckFault::NameForName);
            }
            Some(name) if all => self.scope.fault(name.span, CheckFault::AllBound),
            Some(name) => self.scope.bind(name, given),
            None if matches!(op.sel, Sel::Selector(_)) => {
                let mark = self.scope.open();
                self.scope.hold(given.count, span);
                self.scope.close(mark);
            }
            None => {}
        }
        given
    }

    /// Where the selected things are, for a selector written in the verb itself. A room without a
    /// place, and the card itself, are in play, or in hand if the ability is used from there.
    fn zones<'s>(&self, sel: &'s Sel) -> Option<&'s [Zone]> {
        match sel {
            Sel::Ref(Ref::This) if self.scope.from_hand => Some(&[Zone::Hand]),
            Sel::Ref(Ref::This) => Some(&[Zone::Dungeon]),
            Sel::Ref(_) => None,
            Sel::Selector(selector) => Some(match &selector.site {
                Some(Site::In(place)) => &place.zones,
                // Among cards that were chosen before, wherever they are now.
                Some(Site::InRef(_)) => return None,
                _ => &[Zone::Dungeon],
            }),
        }
    }
}

fn is_card(thing: Thing) -> bool {
    matches!(thing, Thing::Card | Thing::Miniboss | Thing::Room | Thing::Spell)
}

/// Only turning it down is a price.
fn is_faceup_item(sel: &Sel) -> bool {
    matches!(sel, Sel::Selector(s) if s.noun == Noun::Item && s.adjectives.contains(&Adjective::Faceup))
}

fn is_scoring(to: &Destination) -> bool {
    matches!(to, Destination::Place(place) if place.zones == [Zone::Scoring])
}

fn is_yours(place: &Place) -> bool {
    matches!(place.of, None | Some(Who::You | Who::Ref(Ref::You)))
}

/// No other player's place is named.
fn in_your_place(sel: &Sel) -> bool {
    match sel {
        Sel::Selector(selector) => match &selector.site {
            Some(Site::In(place)) => is_yours(place),
            _ => true,
        },
        Sel::Ref(_) => true,
    }
}
