//! The statements of an ability: their order, their scopes, and what each verb acts on.

use super::fault::CheckFault;
use super::hidden::is_deck;
use super::terms::{Given, Scope, Thing, Usage};
use super::{MAX_BLOCKS, MAX_STATEMENTS, wake};
use crate::tree::*;

/// Where a block stands, which decides what it may begin with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The body of an action: `require` and `target`, `cost`, effect.
    Declaration,
    /// The body of what happens by itself: `require`, effect.
    Trigger,
    /// A `may` or an option: `require`, `cost`, effect.
    Offer,
    /// Below `if` or `each`: effect only.
    Inner,
}

/// How far a block has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Progress {
    Lead,
    Chosen,
    Paid,
    Effect,
}

pub struct Body<'a> {
    scope: &'a mut Scope,
    statements: usize,
    depth: usize,
}

impl<'a> Body<'a> {
    pub fn new(scope: &'a mut Scope) -> Body<'a> {
        Body { scope, statements: 0, depth: 0 }
    }

    pub fn run(mut self, body: &[Stmt], stage: Stage) {
        self.block(body, stage);
    }

    fn fault(&mut self, fault: CheckFault) {
        self.scope.fault(self.scope.span, fault);
    }

    fn block(&mut self, body: &[Stmt], stage: Stage) {
        if body.is_empty() {
            self.fault(CheckFault::EmptyBlock);
        }
        self.depth += 1;
        if self.depth == MAX_BLOCKS + 1 {
            self.fault(CheckFault::DeepBlocks);
        }
        // Deeper than that nothing is looked at: one complaint is enough.
        if self.depth <= MAX_BLOCKS {
            let mark = self.scope.open();
            let mut progress = Progress::Lead;
            for (index, stmt) in body.iter().enumerate() {
                let outer = std::mem::replace(&mut self.scope.span, stmt.span);
                self.statements += 1;
                if self.statements == MAX_STATEMENTS + 1 {
                    self.fault(CheckFault::ManyStatements);
                }
                self.scope.offering = match stmt.kind {
                    StmtKind::Target { .. } | StmtKind::Cost(_) => true,
                    StmtKind::Choose { .. } | StmtKind::Act(_) => {
                        stage == Stage::Offer && progress < Progress::Effect
                    }
                    _ => false,
                };
                self.scope.declaring = stage == Stage::Declaration
                    && match &stmt.kind {
                        StmtKind::Target { .. } | StmtKind::Require(_) => true,
                        // A cost may use up what was chosen: `cost destroy r`.
                        StmtKind::Cost(Act::Simple { op, .. }) => matches!(op.sel, Sel::Those(_)),
                        _ => false,
                    };
                if let StmtKind::Cost(act) = &stmt.kind
                    && body[..index].iter().any(|before| {
                        matches!(&before.kind, StmtKind::Cost(other)
                            if stage == Stage::Offer || wake::same_price(other, act))
                    })
                {
                    self.fault(CheckFault::SecondCost);
                }
                progress = progress.max(self.stmt(stmt, stage, progress));
                self.scope.span = outer;
            }
            self.scope.close(mark);
        }
        self.depth -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt, stage: Stage, progress: Progress) -> Progress {
        match &stmt.kind {
            StmtKind::Target { name, sel } => {
                self.declared("target", stage == Stage::Declaration, progress, Progress::Chosen);
                self.bind(name, sel, None);
                Progress::Lead
            }
            StmtKind::Require(cond) => {
                self.declared("require", stage != Stage::Inner, progress, Progress::Lead);
                self.scope.cond(cond);
                Progress::Lead
            }
            StmtKind::Cost(act) => {
                let allowed = matches!(stage, Stage::Declaration | Stage::Offer);
                self.declared("cost", allowed, progress, Progress::Paid);
                self.cost(act);
                self.act(act);
                Progress::Paid
            }
            StmtKind::Choose { name, sel, by } => {
                if let Some(by) = by {
                    self.scope.one_player(by, "`by`", stmt.span);
                }
                self.bind(name, sel, by.as_ref());
                match stage {
                    Stage::Declaration => Progress::Effect,
                    _ => Progress::Chosen,
                }
            }
            StmtKind::Act(act) => {
                self.act(act);
                Progress::Effect
            }
            StmtKind::Until { what, .. } => {
                match what {
                    Lasting::Rule(rule) => self.scope.until(rule),
                    Lasting::Abilities(_) => {}
                }
                Progress::Effect
            }
            StmtKind::May { by, body } => {
                if let Some(by) = by {
                    self.scope.one_player(by, "`by`", stmt.span);
                }
                self.block(body, Stage::Offer);
                Progress::Effect
            }
            StmtKind::Either { by, options } => {
                if let Some(by) = by {
                    self.scope.one_player(by, "`by`", stmt.span);
                }
                if !(2..=4).contains(&options.len()) {
                    self.fault(CheckFault::Options { count: options.len() });
                }
                options.iter().for_each(|option| self.block(option, Stage::Offer));
                Progress::Effect
            }
            StmtKind::If { cond, then, otherwise } => {
                self.scope.cond(cond);
                self.block(then, Stage::Inner);
                if !otherwise.is_empty() {
                    self.block(otherwise, Stage::Inner);
                }
                Progress::Effect
            }
            StmtKind::Each { name, sel, body } => {
                self.each(name, sel, body);
                Progress::Effect
            }
        }
    }

    /// Complains of a declaring word in the wrong place; `last` is as far as its block may be.
    fn declared(&mut self, word: &'static str, allowed: bool, progress: Progress, last: Progress) {
        if !allowed {
            self.fault(CheckFault::StrayDeclaration { word });
        } else if progress > last {
            let after = match progress {
                Progress::Lead | Progress::Chosen => "`choose`",
                Progress::Paid => "`cost`",
                Progress::Effect => "the effect has begun",
            };
            self.fault(CheckFault::Order { word, after });
        }
    }

    fn bind(&mut self, name: &Name, sel: &Sel, by: Option<&Who>) {
        let given = self.scope.sel(sel, Usage::Pick(by));
        self.scope.bind(name, given);
    }

    fn each(&mut self, name: &Name, sel: &Sel, body: &[Stmt]) {
        let thing = self.scope.sel(sel, Usage::Query).thing;
        if let Sel::Ref(r) = sel {
            let found = thing.word();
            let (verb, wanted) = ("each", "a selector");
            let span = self.scope.ref_span(r);
            if thing != Thing::Unknown {
                self.scope.fault(span, CheckFault::WrongKind { verb, wanted, found });
            }
        }
        if let Some(zone) = wake::grows(sel, body) {
            self.fault(CheckFault::EndlessEach { zone: zone.word() });
        }
        let mark = self.scope.open();
        self.scope.bind(name, Given { thing, count: 1, pending: false });
        self.block(body, Stage::Inner);
        self.scope.close(mark);
    }

    fn cost(&mut self, act: &Act) {
        let op = match act {
            Act::Simple { verb, op } => match verb {
                Verb::Discard | Verb::Destroy | Verb::Deactivate | Verb::Remove => op,
                verb => return self.fault(CheckFault::NoCost { act: verb.word() }),
            },
            act => {
                return self.fault(CheckFault::NoCost { act: wake::word(act) });
            }
        };
        if let Sel::Those(selector) = &op.sel
            && let Some(Site::In(place)) = &selector.site
            && !matches!(place.of, None | Some(Who::You | Who::Ref(Ref::You)))
        {
            self.scope.fault(selector.span, CheckFault::StrangeCost);
        }
    }

    fn act(&mut self, act: &Act) {
        let span = self.scope.span;
        match act {
            Act::Draw { count, by, .. } => {
                self.scope.quantity(count, 20);
                if let Some(by) = by {
                    self.scope.one_player(by, "`for`", span);
                }
            }
            Act::Look { place } => self.look(place),
            Act::Take { op, by } => {
                self.op(op, "take", "a room or a spell", |t| {
                    matches!(t, Thing::Card | Thing::Room | Thing::Spell)
                });
                if let Some(by) = by {
                    self.scope.one_player(by, "`for`", span);
                }
            }
            Act::Move { op, to, .. } => {
                self.op(op, "move", "a hero or a soul", |t| {
                    matches!(t, Thing::Hero | Thing::Soul | Thing::Wound)
                });
                self.destination(to);
            }
            Act::Swap { a, b } => {
                for r in [a, b] {
                    let thing = self.scope.reference(r, false).thing;
                    let span = self.scope.ref_span(r);
                    self.scope.want(span, "swap", "a room", thing, thing == Thing::Room);
                }
            }
            Act::Damage { op, amount } => {
                self.op(op, "damage", "a hero", |t| t == Thing::Hero);
                self.scope.quantity(amount, 50);
            }
            Act::Skip { op, rooms } => {
                self.op(op, "skip", "a hero", |t| t == Thing::Hero);
                self.scope.quantity(rooms, 20);
            }
            Act::Build { op, on } => {
                self.build(op);
                if let Some(on) = on {
                    let given = self.scope.sel(on, Usage::Query);
                    let span = self.scope.sel_span(on);
                    self.scope.want(span, "build .. on", "a room", given.thing, given.thing == Thing::Room);
                }
            }
            Act::Simple { verb, op } => self.simple(*verb, op),
        }
    }

    fn look(&mut self, place: &Place) {
        self.scope.place(place);
        if let Some(zone) = place.zones.iter().find(|z| **z != Zone::Hand && !is_deck(**z)) {
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

    fn destination(&mut self, to: &Destination) {
        match to {
            Destination::Place(place) => {
                self.scope.place(place);
                if let Some(who @ (Who::Opponent | Who::Player | Who::Any)) = &place.of {
                    self.scope.one_player(who, "`of`", place.span);
                }
                match place.zones[..] {
                    [Zone::Town | Zone::Entrance] => {}
                    [zone] => {
                        self.scope.fault(place.span, CheckFault::MoveTo { zone: zone.word() });
                    }
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
            }
        }
    }

    fn simple(&mut self, verb: Verb, op: &Op) {
        let word = verb.word();
        let (wanted, fits): (_, fn(Thing) -> bool) = match verb {
            Verb::Cancel => ("a spell in pending", |t| t == Thing::Spell),
            Verb::Deactivate | Verb::Destroy => ("a room", |t| t == Thing::Room),
            Verb::Discard => ("a room or a spell", |t| matches!(t, Thing::Card | Thing::Room | Thing::Spell)),
            Verb::Flip => ("a soul or a wound", |t| matches!(t, Thing::Soul | Thing::Wound)),
            Verb::Heal => ("a wound or a hero", |t| matches!(t, Thing::Wound | Thing::Hero)),
            Verb::Kill => ("a hero", |t| t == Thing::Hero),
            Verb::Remove => {
                ("a card or a soul", |t| !matches!(t, Thing::Boss | Thing::Player | Thing::Class))
            }
            Verb::Reveal => ("a card in hand", |t| matches!(t, Thing::Card | Thing::Room | Thing::Spell)),
        };
        let given = self.op(op, word, wanted, fits);
        if given.thing == Thing::Unknown || !fits(given.thing) {
            return;
        }
        let span = self.scope.sel_span(&op.sel);
        // A room is asked for with its place: a deck would have to be shown before.
        let held = |zone: &Zone| match zone {
            Zone::Hand => true,
            zone => is_deck(*zone) && verb == Verb::Discard,
        };
        let places = zones(&op.sel);
        let (fits, wanted) = match verb {
            Verb::Cancel => (given.pending, wanted),
            Verb::Destroy | Verb::Deactivate => {
                (places.is_none_or(|z| z.iter().all(|z| *z == Zone::Dungeon)), "a room in a dungeon")
            }
            Verb::Discard | Verb::Reveal => (places.is_none_or(|z| z.iter().all(held)), "a card in hand"),
            Verb::Flip | Verb::Heal | Verb::Kill | Verb::Remove => (true, wanted),
        };
        if !fits {
            let found = "a card elsewhere";
            self.scope.fault(span, CheckFault::WrongKind { verb: word, wanted, found });
        }
    }

    /// One room is built, and asked for with its place.
    fn build(&mut self, op: &Op) {
        if let Some(name) = &op.name {
            self.scope.fault(name.span, CheckFault::NameInBuild);
        }
        let quant = match &op.sel {
            Sel::Those(selector) => selector.quant,
            Sel::Ref(_) => Quant::Bare,
        };
        let given = self.op(op, "build", "a room", |t| t == Thing::Room);
        let held = |zones: &[Zone]| zones.iter().all(|z| matches!(z, Zone::Hand | Zone::Discard));
        if given.thing == Thing::Room && !zones(&op.sel).is_none_or(held) {
            let (verb, wanted, found) = ("build", "a card in hand", "a card elsewhere");
            self.scope.fault(self.scope.sel_span(&op.sel), CheckFault::WrongKind { verb, wanted, found });
        }
        let quant = match quant {
            Quant::Bare => return,
            Quant::Count(_) => "a number",
            Quant::All => "all",
            Quant::Random(_) => "random",
            Quant::First => "first",
            Quant::Last => "last",
        };
        self.scope.fault(self.scope.sel_span(&op.sel), CheckFault::StrayQuant { quant });
    }

    fn op(
        &mut self,
        op: &Op,
        verb: &'static str,
        wanted: &'static str,
        fits: impl Fn(Thing) -> bool,
    ) -> Given {
        let span = self.scope.sel_span(&op.sel);
        let all = matches!(&op.sel, Sel::Those(s) if s.quant == Quant::All);
        let one = verb == "build";
        let given = match &op.sel {
            Sel::Ref(_) if one => self.scope.sel(&op.sel, Usage::Query),
            sel => self.scope.sel(sel, Usage::Act),
        };
        self.scope.want(span, verb, wanted, given.thing, fits(given.thing));
        match &op.name {
            Some(name) if matches!(op.sel, Sel::Ref(_)) => {
                self.scope.fault(name.span, CheckFault::NameForName);
            }
            Some(name) if all => self.scope.fault(name.span, CheckFault::AllBound),
            Some(name) => self.scope.bind(name, given),
            None if matches!(op.sel, Sel::Those(_)) => {
                let mark = self.scope.open();
                self.scope.hold(given.count, span);
                self.scope.close(mark);
            }
            None => {}
        }
        given
    }
}

/// Where the things are that a selector selects in the verb itself; a room without a place, and
/// the card itself, are in play.
fn zones(sel: &Sel) -> Option<&[Zone]> {
    match sel {
        Sel::Ref(Ref::This) => Some(&[Zone::Dungeon]),
        Sel::Ref(_) => None,
        Sel::Those(selector) => Some(match &selector.site {
            Some(Site::In(place)) => &place.zones,
            _ => &[Zone::Dungeon],
        }),
    }
}
