//! The statements of an ability: their order, their scopes, and what each verb acts on.

use super::fault::CheckFault;
use super::terms::{Given, Scope, Usage};
use super::thing::Thing;
use super::{MAX_BLOCKS, MAX_KEPT, MAX_STATEMENTS, endless};
use crate::tree::*;

/// Where a block stands, which decides what it may begin with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The body of an action: `require` and `target`, `cost`, effect.
    Declaration,
    /// The body of a triggered ability: `require`, effect.
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
    pub(super) scope: &'a mut Scope,
    statements: usize,
    depth: usize,
    /// Inside an option that is chosen when the action is declared.
    option: bool,
    /// Inside a lasting ability.
    lasting: bool,
}

impl<'a> Body<'a> {
    pub fn new(scope: &'a mut Scope) -> Body<'a> {
        Body { scope, statements: 0, depth: 0, option: false, lasting: false }
    }

    pub fn run(mut self, body: &[Stmt], stage: Stage) {
        self.block(body, stage);
    }

    pub(super) fn fault(&mut self, fault: CheckFault) {
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
        // Nothing deeper is checked: one error is enough.
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
                        StmtKind::Require(_) => true,
                        // A cost may use up what was chosen: `cost destroy r`.
                        StmtKind::Cost(Act::Simple { op, .. }) => matches!(op.sel, Sel::Selector(_)),
                        StmtKind::Cost(Act::Coins { amount, .. }) => !matches!(amount, Num::Name(_)),
                        StmtKind::Number { .. } => true,
                        _ => false,
                    };
                if let StmtKind::Cost(act) = &stmt.kind
                    && body[..index].iter().any(|before| {
                        matches!(&before.kind, StmtKind::Cost(other)
                            if stage == Stage::Offer || endless::same_price(other, act))
                    })
                {
                    self.fault(CheckFault::SecondCost);
                }
                if let StmtKind::Either { by: None, options } = &stmt.kind
                    && stage == Stage::Declaration
                    && progress < Progress::Effect
                    && endless::is_declared(options)
                {
                    self.declared_either(options, &body[..index]);
                    progress = Progress::Effect;
                    self.scope.span = outer;
                    continue;
                }
                self.scope.in_declaration = stage == Stage::Declaration;
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
                self.scope.targeting = stage == Stage::Declaration;
                self.bind(name, sel, None);
                self.scope.targeting = false;
                Progress::Lead
            }
            StmtKind::Number { name, from, to } => {
                self.declared("target", stage == Stage::Declaration, progress, Progress::Chosen);
                self.scope.num(from);
                self.scope.num(to);
                let affordable = *to == Num::Points(Points::Coins, Who::You);
                self.scope.bind(name, Given { thing: Thing::Number, affordable, ..Given::default() });
                Progress::Lead
            }
            StmtKind::Let { name, num } => {
                self.scope.num(num);
                self.scope.bind(name, Given { thing: Thing::Number, ..Given::default() });
                Progress::Effect
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
            StmtKind::Until { lifetime, once, what: Lasting::Rule(rule) } => {
                if *lifetime == Lifetime::Game && !matches!(rule.kind, RuleKind::Has { .. }) {
                    self.fault(CheckFault::ForTheGame);
                }
                if *once && (*lifetime == Lifetime::Game || !can_hold_once(rule)) {
                    self.fault(CheckFault::StrayOnce);
                }
                self.scope.until(rule);
                Progress::Effect
            }
            StmtKind::Until { lifetime, once, what: Lasting::Abilities(abilities) } => {
                if *lifetime == Lifetime::Game {
                    self.fault(CheckFault::ForTheGame);
                }
                let offered = |ability: &Ability| matches!(ability.kind, AbilityKind::Activated { .. });
                if *once && !abilities.iter().all(offered) {
                    self.fault(CheckFault::StrayOnce);
                }
                self.lasting(abilities, *once);
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
            StmtKind::Repeat { times, body } => {
                if !(2..=10).contains(times) {
                    self.fault(CheckFault::NumberRange { most: 10 });
                }
                self.block(body, Stage::Inner);
                Progress::Effect
            }
            StmtKind::Each { name, sel, body } => {
                self.each(name, sel, body);
                Progress::Effect
            }
        }
    }

    /// Options, one of which is chosen when the action is declared: each has its own targets and
    /// costs.
    fn declared_either(&mut self, options: &[Vec<Stmt>], before: &[Stmt]) {
        if !(2..=4).contains(&options.len()) {
            self.fault(CheckFault::Options { count: options.len() });
        }
        if self.option {
            self.fault(CheckFault::NestedChoice);
        }
        let paid = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Cost(act) => Some(act.clone()),
            _ => None,
        };
        let outer: Vec<Act> = before.iter().filter_map(paid).collect();
        let option = std::mem::replace(&mut self.option, true);
        for body in options {
            for stmt in body {
                if let Some(act) = paid(stmt)
                    && outer.iter().any(|other| endless::same_price(other, &act))
                {
                    self.scope.fault(stmt.span, CheckFault::SecondCost);
                }
            }
            self.block(body, Stage::Declaration);
        }
        self.option = option;
    }

    /// Abilities that last until end of turn, with the names they keep.
    fn lasting(&mut self, abilities: &[Ability], once: bool) {
        if self.lasting {
            self.fault(CheckFault::NestedUntil);
        }
        let lasting = std::mem::replace(&mut self.lasting, true);
        if abilities.is_empty() {
            self.fault(CheckFault::EmptyBlock);
        }
        for ability in abilities {
            if let AbilityKind::Activated { from_hand: false, phase: None, by: None, limit: None, body } =
                &ability.kind
                && once
            {
                let span = std::mem::replace(&mut self.scope.span, ability.span);
                let outer = self.scope.begin_lasting();
                let mark = self.scope.open();
                let fixed = self.scope.fix_names();
                self.block(body, Stage::Declaration);
                self.scope.fixed = fixed;
                self.scope.close(mark);
                if self.scope.end_lasting(outer) > MAX_KEPT {
                    self.fault(CheckFault::ManyKept);
                }
                self.scope.span = span;
                continue;
            }
            let AbilityKind::When { event, limit, body } = &ability.kind else {
                let ability_name = super::card::header(&ability.kind);
                self.scope.fault(ability.span, CheckFault::LastingAbility { ability: ability_name });
                continue;
            };
            let span = std::mem::replace(&mut self.scope.span, ability.span);
            if limit.is_some() {
                self.fault(CheckFault::LastingLimit);
            }
            let outer = self.scope.begin_lasting();
            let mark = self.scope.open();
            let lasts = std::mem::replace(&mut self.scope.lasts, true);
            self.scope.event(event, "when");
            self.scope.lasts = lasts;
            self.block(body, Stage::Trigger);
            self.scope.close(mark);
            if self.scope.end_lasting(outer) > MAX_KEPT {
                self.fault(CheckFault::ManyKept);
            }
            self.scope.span = span;
        }
        self.lasting = lasting;
    }

    /// Reports a declaration word in the wrong place; `last` is the last stage where it is allowed.
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
        let classes = matches!(sel, Sel::Selector(s) if s.noun == Noun::Class);
        let usage = if classes { Usage::Pick(None) } else { Usage::Query };
        let Given { thing, covered, .. } = self.scope.sel(sel, usage);
        if let Sel::Ref(r) = sel {
            let found = thing.word();
            let (verb, wanted) = ("each", "a selector");
            let span = self.scope.ref_span(r);
            if thing != Thing::Unknown {
                self.scope.fault(span, CheckFault::WrongKind { verb, wanted, found });
            }
        }
        if let Some(zone) = endless::grows(sel, body) {
            self.fault(CheckFault::EndlessEach { zone: zone.word() });
        }
        let mark = self.scope.open();
        self.scope.bind(name, Given { thing, covered, ..Given::default() });
        self.block(body, Stage::Inner);
        self.scope.close(mark);
    }
}

/// A permission, which can be used up, or a bonus for one thing, which is not given again.
fn can_hold_once(rule: &Rule) -> bool {
    match &rule.kind {
        RuleKind::Allow { .. } => true,
        RuleKind::Has { sel: Sel::Ref(_), stat: Stat::Damage | Stat::Health, change, .. } => {
            matches!(change, Change::Plus(_) | Change::Minus(_)) && !crate::compile::is_live(rule)
        }
        _ => false,
    }
}
