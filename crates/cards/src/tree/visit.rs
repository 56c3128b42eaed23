//! Walking a tree. A visitor overrides what it cares about and calls the `walk` function of the same name to go
//! further in. Every `match` here is exhaustive and names every field, so a new part of the tree cannot be missed.

use super::*;

pub trait Visitor {
    fn ability(&mut self, ability: &Ability) {
        walk_ability(self, ability);
    }
    fn stmt(&mut self, stmt: &Stmt) {
        walk_stmt(self, stmt);
    }
    fn act(&mut self, act: &Act) {
        walk_act(self, act);
    }
    fn rule(&mut self, rule: &Rule) {
        walk_rule(self, rule);
    }
    fn event(&mut self, event: &Event) {
        walk_event(self, event);
    }
    fn selector(&mut self, selector: &Selector) {
        walk_selector(self, selector);
    }
    fn place(&mut self, place: &Place) {
        walk_place(self, place);
    }
    fn num(&mut self, num: &Num) {
        walk_num(self, num);
    }
    fn cond(&mut self, cond: &Cond) {
        walk_cond(self, cond);
    }
    fn reference(&mut self, reference: &Ref) {
        walk_reference(self, reference);
    }
    /// A name where it is bound.
    fn binding(&mut self, _: &Name) {}
}

pub fn walk_ability<V: Visitor + ?Sized>(v: &mut V, ability: &Ability) {
    match &ability.kind {
        AbilityKind::Activated { from_hand: _, phase: _, by, limit: _, body } => {
            by.iter().for_each(|who| walk_who(v, who));
            walk_body(v, body);
        }
        AbilityKind::Play { body } | AbilityKind::LevelUp { body } | AbilityKind::Minion { body } => {
            walk_body(v, body);
        }
        AbilityKind::When { event, limit: _, body } | AbilityKind::InsteadOf { event, limit: _, body } => {
            v.event(event);
            walk_body(v, body);
        }
        AbilityKind::Always { from_hand: _, rule } => v.rule(rule),
        AbilityKind::Lure { most: _, num } => v.num(num),
    }
}

pub fn walk_body<V: Visitor + ?Sized>(v: &mut V, body: &[Stmt]) {
    body.iter().for_each(|stmt| v.stmt(stmt));
}

pub fn walk_stmt<V: Visitor + ?Sized>(v: &mut V, stmt: &Stmt) {
    match &stmt.kind {
        StmtKind::Target { name, sel } => {
            walk_sel(v, sel);
            v.binding(name);
        }
        StmtKind::Choose { name, sel, by } => {
            walk_sel(v, sel);
            by.iter().for_each(|who| walk_who(v, who));
            v.binding(name);
        }
        StmtKind::Number { name, from, to } => {
            v.num(from);
            v.num(to);
            v.binding(name);
        }
        StmtKind::Let { name, num } => {
            v.num(num);
            v.binding(name);
        }
        StmtKind::Require(cond) => v.cond(cond),
        StmtKind::Cost(act) | StmtKind::Act(act) => v.act(act),
        StmtKind::May { by, body } => {
            by.iter().for_each(|who| walk_who(v, who));
            walk_body(v, body);
        }
        StmtKind::Either { by, options } => {
            by.iter().for_each(|who| walk_who(v, who));
            options.iter().for_each(|body| walk_body(v, body));
        }
        StmtKind::If { cond, then, otherwise } => {
            v.cond(cond);
            walk_body(v, then);
            walk_body(v, otherwise);
        }
        StmtKind::Each { name, sel, body } => {
            walk_sel(v, sel);
            v.binding(name);
            walk_body(v, body);
        }
        StmtKind::Repeat { times: _, body } => walk_body(v, body),
        StmtKind::Until { lifetime: _, once: _, what } => match what {
            Lasting::Rule(rule) => v.rule(rule),
            Lasting::Abilities(abilities) => abilities.iter().for_each(|ability| v.ability(ability)),
        },
    }
}

pub fn walk_act<V: Visitor + ?Sized>(v: &mut V, act: &Act) {
    match act {
        Act::Draw { name, deck: _, count, by } => {
            name.iter().for_each(|name| v.binding(name));
            v.num(count);
            by.iter().for_each(|who| walk_who(v, who));
        }
        Act::Look { place } => v.place(place),
        Act::Take { op, by } => {
            walk_op(v, op);
            by.iter().for_each(|who| walk_who(v, who));
        }
        Act::Move { op, to, side: _ } => {
            walk_op(v, op);
            match to {
                Destination::Place(place) => v.place(place),
                Destination::Room(sel) => walk_sel(v, sel),
            }
        }
        Act::Arrange { place, reversed: _ } => v.place(place),
        Act::Swap { a, b } => {
            v.reference(a);
            v.reference(b);
        }
        Act::Damage { op, amount: num } | Act::Skip { op, rooms: num } => {
            walk_op(v, op);
            v.num(num);
        }
        Act::Build { op, on } => {
            walk_op(v, op);
            on.iter().for_each(|sel| walk_sel(v, sel));
        }
        Act::Counters { gain: _, amount, op } => {
            v.num(amount);
            walk_op(v, op);
        }
        Act::Coins { pay: _, amount, by, to, on } => {
            v.num(amount);
            by.iter().chain(to).for_each(|who| walk_who(v, who));
            on.iter().for_each(|reference| v.reference(reference));
        }
        Act::SwapHoards { with } => walk_who(v, with),
        Act::Attach { op, to } => {
            walk_op(v, op);
            walk_sel(v, to);
        }
        Act::Trigger { op, words: _ } | Act::Simple { verb: _, op } => walk_op(v, op),
    }
}

fn walk_op<V: Visitor + ?Sized>(v: &mut V, op: &Operand) {
    walk_sel(v, &op.sel);
    op.name.iter().for_each(|name| v.binding(name));
}

pub fn walk_rule<V: Visitor + ?Sized>(v: &mut V, rule: &Rule) {
    let during = match &rule.kind {
        RuleKind::Has { sel, icon, stat: _, change, against, during } => {
            walk_sel(v, sel);
            against.iter().for_each(|sel| walk_sel(v, sel));
            walk_icon(v, icon.as_ref());
            match change {
                Change::Plus(num) | Change::Minus(num) => v.num(num),
                Change::Times(_) | Change::Zero => {}
            }
            during
        }
        RuleKind::Is { sel, status: _, against, during } => {
            walk_sel(v, sel);
            against.iter().for_each(|sel| walk_sel(v, sel));
            during
        }
        RuleKind::Forbid { event, during } | RuleKind::Allow { event, during } => {
            v.event(event);
            during
        }
    };
    during.iter().for_each(|cond| v.cond(cond));
}

fn walk_icon<V: Visitor + ?Sized>(v: &mut V, icon: Option<&IconType>) {
    match icon {
        Some(IconType::Name(name)) => v.reference(&Ref::Name(name.clone())),
        Some(IconType::Class(_)) | None => {}
    }
}

pub fn walk_event<V: Visitor + ?Sized>(v: &mut V, event: &Event) {
    match &event.kind {
        EventKind::TurnDraw | EventKind::EndOfTurn | EventKind::StartOfBuild => {}
        EventKind::CoinGained { by } => by.iter().for_each(|who| walk_who(v, who)),
        EventKind::Happens { name, subject, words: _, object, by, because } => {
            name.iter().for_each(|name| v.binding(name));
            walk_sel(v, subject);
            match object {
                Some(Object::On(sel) | Object::Room(sel)) => walk_sel(v, sel),
                Some(Object::Beside(reference)) => v.reference(reference),
                Some(Object::Named(name, sel)) => {
                    v.binding(name);
                    walk_sel(v, sel);
                }
                Some(Object::Place(place)) => v.place(place),
                None => {}
            }
            by.iter().for_each(|who| walk_who(v, who));
            match because {
                Some(Cause::Who(who)) => walk_who(v, who),
                Some(Cause::Card(sel)) => walk_sel(v, sel),
                None => {}
            }
        }
    }
}

pub fn walk_sel<V: Visitor + ?Sized>(v: &mut V, sel: &Sel) {
    match sel {
        Sel::Ref(reference) => v.reference(reference),
        Sel::Selector(selector) => v.selector(selector),
    }
}

pub fn walk_selector<V: Visitor + ?Sized>(v: &mut V, selector: &Selector) {
    let Selector { quant: _, adjectives: _, noun: _, site, but, cond, span: _ } = selector;
    match site {
        Some(Site::In(place)) => v.place(place),
        Some(
            Site::InRef(r)
            | Site::On(r)
            | Site::LeftOf(r)
            | Site::RightOf(r)
            | Site::Beside(r)
            | Site::Under(r),
        ) => v.reference(r),
        None => {}
    }
    but.iter().for_each(|reference| v.reference(reference));
    cond.iter().for_each(|cond| v.cond(cond));
}

pub fn walk_place<V: Visitor + ?Sized>(v: &mut V, place: &Place) {
    place.of.iter().for_each(|who| walk_who(v, who));
}

fn walk_who<V: Visitor + ?Sized>(v: &mut V, who: &Who) {
    match who {
        Who::Ref(reference) => v.reference(reference),
        Who::You | Who::Opponent | Who::Player | Who::Any => {}
    }
}

pub fn walk_num<V: Visitor + ?Sized>(v: &mut V, num: &Num) {
    match num {
        Num::Int(_) | Num::Roll(_) => {}
        Num::Name(name) => v.reference(&Ref::Name(name.clone())),
        Num::Times(_, num) => v.num(num),
        Num::Counters(of) | Num::Coins(of) => v.reference(of),
        Num::Count(sel) => walk_sel(v, sel),
        Num::Points(_, who) => walk_who(v, who),
        Num::Value { printed: _, value: _, of } => v.reference(of),
        Num::Icons { icon, site } => {
            walk_icon(v, icon.as_ref());
            match site {
                IconSite::On(reference) => v.reference(reference),
                IconSite::In(place) => v.place(place),
            }
        }
        Num::Add(a, b) | Num::Sub(a, b) => {
            v.num(a);
            v.num(b);
        }
    }
}

pub fn walk_cond<V: Visitor + ?Sized>(v: &mut V, cond: &Cond) {
    match cond {
        Cond::Some(sel) | Cond::No(sel) => walk_sel(v, sel),
        Cond::Compare(a, _, b) => {
            v.num(a);
            v.num(b);
        }
        Cond::Is(reference, _) | Cond::IsA(reference, _) => v.reference(reference),
        Cond::In(reference, place) => {
            v.reference(reference);
            v.place(place);
        }
        Cond::Done | Cond::Active | Cond::Promoted => {}
        Cond::Not(cond) => v.cond(cond),
        Cond::And(a, b) | Cond::Or(a, b) => {
            v.cond(a);
            v.cond(b);
        }
    }
}

pub fn walk_reference<V: Visitor + ?Sized>(v: &mut V, reference: &Ref) {
    match reference {
        Ref::OwnerOf(reference) | Ref::HostOf(reference) => v.reference(reference),
        Ref::This | Ref::It | Ref::You | Ref::Name(_) | Ref::Host => {}
    }
}
