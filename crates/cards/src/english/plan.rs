//! Looks ahead in a block: which names can be introduced where they are used, and which
//! conditions say no more than the act behind them.

use super::phrase::{is_player, is_you};
use crate::tree::*;

/// For each statement, whether the name it binds is introduced by a later act ("kill a hero in
/// town") instead of by a choice of its own ("Choose a hero in town."). In an option a rule does
/// as well ("a room of your choice deals +2 damage").
pub fn introduced_later(body: &[Stmt], option: bool) -> Vec<bool> {
    let mut later = vec![false; body.len()];
    for i in (0..body.len()).rev() {
        if let Some((name, sel, by)) = binding(&body[i]) {
            let player = matches!(sel, Sel::Selector(s) if is_player(s.noun));
            later[i] = !player && waits(body, i, &later, option, (name, sel, by));
        }
    }
    later
}

/// A condition that the acts behind it ask for anyway.
pub fn is_implied(cond: &Cond, rest: &[Stmt]) -> bool {
    let Cond::Some(Sel::Selector(asked)) = cond else {
        return false;
    };
    rest.iter().any(|s| match &s.kind {
        StmtKind::Act(act) | StmtKind::Cost(act) => match operand(act) {
            Some(Operand { sel: Sel::Selector(used), .. }) => {
                Selector { quant: Quant::Bare, ..*used.clone() } == **asked
            }
            _ => false,
        },
        StmtKind::May { by: None, body } => is_implied(cond, body),
        _ => false,
    })
}

pub fn speaks_of(cond: &Cond, name: &Name) -> bool {
    Mentions(name).cond(cond)
}

/// The one thing an act is done to, except for a swap.
pub fn operand(act: &Act) -> Option<&Operand> {
    match act {
        Act::Take { op, .. }
        | Act::Move { op, .. }
        | Act::Damage { op, .. }
        | Act::Skip { op, .. }
        | Act::Build { op, .. }
        | Act::Attach { op, .. }
        | Act::Trigger { op, .. }
        | Act::Counters { op, .. }
        | Act::Simple { op, .. } => Some(op),
        Act::Draw { .. }
        | Act::Look { .. }
        | Act::Swap { .. }
        | Act::Arrange { .. }
        | Act::Coins { .. }
        | Act::SwapHoards { .. } => None,
    }
}

/// The act is done to this very name.
pub fn is_done_to(act: &Act, name: &Name) -> bool {
    let is = |r: &Ref| matches!(r, Ref::Name(n) if n == name);
    match (act, operand(act)) {
        (Act::Swap { a, b }, _) => is(a) || is(b),
        (_, Some(Operand { sel: Sel::Ref(r), .. })) => is(r),
        _ => false,
    }
}

fn binding(stmt: &Stmt) -> Option<Binding<'_>> {
    match &stmt.kind {
        StmtKind::Target { name, sel } => Some((name, sel, None)),
        StmtKind::Choose { name, sel, by } => Some((name, sel, by.as_ref())),
        _ => None,
    }
}

type Binding<'b> = (&'b Name, &'b Sel, Option<&'b Who>);

fn waits(body: &[Stmt], i: usize, later: &[bool], option: bool, (name, sel, by): Binding<'_>) -> bool {
    for j in i + 1..body.len() {
        match &body[j].kind {
            StmtKind::Target { name: other, sel } | StmtKind::Choose { name: other, sel, .. } => {
                if other == name || (!later[j] && Mentions(name).sel(sel)) {
                    return false;
                }
            }
            StmtKind::Number { .. } => {}
            StmtKind::Require(cond) if !Mentions(name).cond(cond) => {}
            StmtKind::Cost(act) if !is_done_to(act, name) => {
                if Mentions(name).act(act) || refills(act, sel) {
                    return false;
                }
            }
            StmtKind::Cost(act) | StmtKind::Act(act) => {
                let taken_by_you = matches!(act, Act::Take { .. }) && by.is_some_and(|who| !is_you(who));
                return is_done_to(act, name) && !taken_by_you;
            }
            StmtKind::Until { what: Lasting::Rule(rule), .. } => {
                let about = |sel: &Sel| matches!(sel, Sel::Ref(Ref::Name(n)) if n == name);
                return option
                    && match &rule.kind {
                        RuleKind::Has { sel, .. } | RuleKind::Is { sel, .. } => about(sel),
                        RuleKind::Forbid { .. } | RuleKind::Allow { .. } => false,
                    };
            }
            _ => return false,
        }
    }
    false
}

/// Paying puts cards where the choice is made, so that it matters that the choice comes first.
fn refills(cost: &Act, sel: &Sel) -> bool {
    let from_pile = match sel {
        Sel::Selector(s) => {
            matches!(&s.site, Some(Site::In(place)) if place.zones.contains(&Zone::Discard))
        }
        Sel::Ref(_) => false,
    };
    from_pile && matches!(cost, Act::Simple { verb: Verb::Destroy | Verb::Discard, .. })
}

/// Whether a part of the tree speaks of a name.
struct Mentions<'n>(&'n Name);

impl Mentions<'_> {
    fn act(&self, act: &Act) -> bool {
        match act {
            Act::Draw { count, by, .. } => self.num(count) || self.maybe(by),
            Act::Look { place } | Act::Arrange { place, .. } => self.place(place),
            Act::Take { op, by } => self.sel(&op.sel) || self.maybe(by),
            Act::Move { op, to, .. } => {
                self.sel(&op.sel)
                    || match to {
                        Destination::Place(place) => self.place(place),
                        Destination::Room(sel) => self.sel(sel),
                    }
            }
            Act::Swap { a, b } => self.reference(a) || self.reference(b),
            Act::Damage { op, amount } => self.sel(&op.sel) || self.num(amount),
            Act::Skip { op, rooms } => self.sel(&op.sel) || self.num(rooms),
            Act::Build { op, on } => self.sel(&op.sel) || on.as_ref().is_some_and(|on| self.sel(on)),
            Act::Counters { amount, op, .. } => self.num(amount) || self.sel(&op.sel),
            Act::Coins { amount, by, to, on, .. } => {
                self.num(amount)
                    || self.maybe(by)
                    || self.maybe(to)
                    || on.as_ref().is_some_and(|on| self.reference(on))
            }
            Act::SwapHoards { with } => self.who(with),
            Act::Attach { op, to } => self.sel(&op.sel) || self.sel(to),
            Act::Trigger { op, .. } | Act::Simple { op, .. } => self.sel(&op.sel),
        }
    }

    fn sel(&self, sel: &Sel) -> bool {
        match sel {
            Sel::Ref(r) => self.reference(r),
            Sel::Selector(s) => {
                let site = match &s.site {
                    Some(Site::In(place)) => self.place(place),
                    Some(
                        Site::InRef(r)
                        | Site::On(r)
                        | Site::LeftOf(r)
                        | Site::RightOf(r)
                        | Site::Beside(r)
                        | Site::Under(r),
                    ) => self.reference(r),
                    None => false,
                };
                site || s.but.as_ref().is_some_and(|r| self.reference(r))
                    || s.cond.as_ref().is_some_and(|c| self.cond(c))
            }
        }
    }

    fn cond(&self, cond: &Cond) -> bool {
        match cond {
            Cond::Some(sel) | Cond::No(sel) => self.sel(sel),
            Cond::Compare(a, _, b) => self.num(a) || self.num(b),
            Cond::Is(r, _) | Cond::IsA(r, _) => self.reference(r),
            Cond::In(r, place) => self.reference(r) || self.place(place),
            Cond::Done | Cond::Active | Cond::Promoted => false,
            Cond::Not(inner) => self.cond(inner),
            Cond::And(a, b) | Cond::Or(a, b) => self.cond(a) || self.cond(b),
        }
    }

    fn num(&self, num: &Num) -> bool {
        match num {
            Num::Int(_) | Num::Roll(_) => false,
            Num::Name(name) => name == self.0,
            Num::Times(_, num) => self.num(num),
            Num::Counters(of) | Num::Coins(of) => self.reference(of),
            Num::Count(sel) => self.sel(sel),
            Num::Points(_, who) => self.who(who),
            Num::Value { of, .. } => self.reference(of),
            Num::Icons { icon, site } => {
                let named = matches!(icon, Some(IconType::Name(name)) if name == self.0);
                named
                    || match site {
                        IconSite::On(r) => self.reference(r),
                        IconSite::In(place) => self.place(place),
                    }
            }
            Num::Add(a, b) | Num::Sub(a, b) => self.num(a) || self.num(b),
        }
    }

    fn place(&self, place: &Place) -> bool {
        self.maybe(&place.of)
    }

    fn maybe(&self, who: &Option<Who>) -> bool {
        who.as_ref().is_some_and(|w| self.who(w))
    }

    fn who(&self, who: &Who) -> bool {
        matches!(who, Who::Ref(r) if self.reference(r))
    }

    fn reference(&self, r: &Ref) -> bool {
        match r {
            Ref::Name(name) => name == self.0,
            Ref::OwnerOf(of) | Ref::HostOf(of) => self.reference(of),
            Ref::This | Ref::It | Ref::You | Ref::Host => false,
        }
    }
}
