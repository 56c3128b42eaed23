//! What the effect of an action needs of its targets: without it, the action has lost them (rule 4.8).

use crate::tree::visit::{Visitor, walk_act, walk_reference, walk_sel};
use crate::tree::{Act, Lasting, Name, Ref, Sel, Stmt, StmtKind, Who};

/// For every act of the effect that speaks of targets, these targets: a bit for the first register of each.
pub(super) fn about(declaration: &[Stmt], effect: &[Stmt], names: &[(String, u8, u8)]) -> Vec<u8> {
    let paid = |name: &Name| {
        declaration.iter().any(|stmt| match &stmt.kind {
            StmtKind::Cost(Act::Simple { op, .. } | Act::Counters { op, .. }) => {
                matches!(&op.sel, Sel::Ref(Ref::Name(paid)) if paid.text == name.text)
            }
            _ => false,
        })
    };
    let targets = declaration.iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Target { name, .. } if !paid(name) => {
            let reg = names.iter().rev().find(|(text, ..)| *text == name.text)?.1;
            Some((name.text.clone(), 1 << reg))
        }
        _ => None,
    });
    let mut reader = Reader { names: targets.collect(), used: 0, acts: Vec::new() };
    reader.body(effect, 0);
    reader.acts.sort_unstable();
    reader.acts.dedup();
    reader.acts
}

/// Goes through the effect, act by act.
struct Reader {
    /// Names, and the targets that they depend on.
    names: Vec<(String, u8)>,
    used: u8,
    acts: Vec<u8>,
}

impl Reader {
    fn body(&mut self, body: &[Stmt], around: u8) {
        body.iter().for_each(|stmt| self.of(stmt, around));
    }

    /// Targets that the block around a statement needs count for the statement, too.
    fn of(&mut self, stmt: &Stmt, around: u8) {
        match &stmt.kind {
            StmtKind::Choose { name, sel, by } => {
                let used = self.used_by(|v| walk_sel(v, sel)) | self.used_by_player(by);
                self.names.push((name.text.clone(), used));
            }
            StmtKind::Let { name, num } => {
                let used = self.used_by(|v| v.num(num));
                self.names.push((name.text.clone(), used));
            }
            StmtKind::Act(act) | StmtKind::Cost(act) => {
                let used = self.used_by(|v| walk_act(v, act));
                self.names.push((bound_by(act), used));
                self.note(used | around);
            }
            StmtKind::Until { what: Lasting::Rule(rule), .. } => {
                let used = self.used_by(|v| v.rule(rule));
                self.note(used | around);
            }
            StmtKind::Until { what: Lasting::Abilities(abilities), .. } => {
                let used = self.used_by(|v| abilities.iter().for_each(|ability| v.ability(ability)));
                self.note(used | around);
            }
            StmtKind::May { by, body } => {
                let around = around | self.used_by_player(by);
                self.body(body, around);
            }
            StmtKind::Either { by, options } => {
                let around = around | self.used_by_player(by);
                options.iter().for_each(|body| self.body(body, around));
            }
            StmtKind::If { then, otherwise, .. } => {
                self.body(then, around);
                self.body(otherwise, around);
            }
            StmtKind::Repeat { body, .. } => self.body(body, around),
            StmtKind::Each { name, sel, body } => {
                let used = self.used_by(|v| walk_sel(v, sel));
                self.names.push((name.text.clone(), used));
                self.body(body, around | used);
            }
            StmtKind::Require(_) | StmtKind::Target { .. } | StmtKind::Number { .. } => {}
        }
    }

    fn used_by(&mut self, read: impl FnOnce(&mut Self)) -> u8 {
        self.used = 0;
        read(self);
        self.used
    }

    fn used_by_player(&mut self, who: &Option<Who>) -> u8 {
        self.used_by(|v| {
            if let Some(Who::Ref(reference)) = who {
                v.reference(reference);
            }
        })
    }

    fn note(&mut self, used: u8) {
        if used != 0 {
            self.acts.push(used);
        }
    }
}

impl Visitor for Reader {
    fn reference(&mut self, reference: &Ref) {
        if let Ref::Name(name) = reference
            && let Some((_, used)) = self.names.iter().rev().find(|(text, _)| *text == name.text)
        {
            self.used |= used;
        }
        walk_reference(self, reference);
    }
}

/// The name that an act gives to what it acts on; empty if there is none.
fn bound_by(act: &Act) -> String {
    struct Bound(String);
    impl Visitor for Bound {
        fn binding(&mut self, name: &Name) {
            self.0.clone_from(&name.text);
        }
    }
    let mut bound = Bound(String::new());
    walk_act(&mut bound, act);
    bound.0
}
