//! Statements: a block becomes pieces of sentences.

use super::phrase::{Det, Prep, Subject, is_player};
use super::piece::{Piece, Role, inline, merge, one_verb, price, run, sentences};
use super::plan::{introduced_later, is_done_to, is_implied};
use super::rule::Term;
use super::word::{list, possessive, sequence};
use super::{Counted, Origin, Printer};
use crate::tree::*;

impl Printer<'_> {
    /// A block whose names end with it.
    pub fn block(&mut self, body: &[Stmt]) -> Vec<Piece> {
        let names = self.names.len();
        let pieces = self.statements(body);
        self.names.truncate(names);
        pieces
    }

    pub fn statements(&mut self, body: &[Stmt]) -> Vec<Piece> {
        let later = introduced_later(body, self.options > 0);
        let mut out: Vec<Piece> = Vec::new();
        for (i, stmt) in body.iter().enumerate() {
            if i > 0 && is_same_bonus(&body[i - 1], stmt) {
                continue;
            }
            match &stmt.kind {
                StmtKind::Target { name, sel } => out.extend(self.choice(name, sel, None, later[i], true)),
                StmtKind::Choose { name, sel, by } => {
                    out.extend(self.choice(name, sel, by.as_ref(), later[i], false))
                }
                StmtKind::Number { name, .. } => self.numbers.push((name.text.clone(), Counted::Chosen)),
                StmtKind::Let { name, num } => {
                    self.numbers.push((name.text.clone(), Counted::Then(num.clone())));
                }
                StmtKind::Require(cond) if is_implied(cond, &body[i + 1..]) => {}
                StmtKind::Require(cond) => {
                    let only = self.cond(cond, true);
                    let rest = self.statements(&body[i + 1..]);
                    out.push(Piece::Say(format!("if {only}, {}", inline(rest))));
                    return out;
                }
                StmtKind::Cost(act) => out.push(self.act(act, Role::Cost)),
                StmtKind::Act(act) => out.push(self.act(act, Role::Act)),
                StmtKind::May { by, body } => {
                    let who = by.clone().unwrap_or(Who::You);
                    let before = std::mem::replace(&mut self.offered, true);
                    let pieces = self.block(body);
                    self.offered = before;
                    out.extend(self.optional(&who, pieces));
                }
                StmtKind::Either { by, options } => {
                    out.push(self.either(by.as_ref(), options));
                    // The options speak of other things.
                    self.focus = None;
                }
                StmtKind::If { cond, then, otherwise } => {
                    let only = self.cond(cond, true);
                    let then = self.aside(|p| inline(p.block(then)));
                    out.push(Piece::Say(format!("if {only}, {then}")));
                    if !otherwise.is_empty() {
                        let other = self.aside(|p| inline(p.block(otherwise)));
                        out.push(Piece::Say(format!("otherwise, {other}")));
                    }
                }
                StmtKind::Repeat { times, body } => {
                    let mut pieces = self.block(body);
                    match pieces.as_mut_slice() {
                        [Piece::Offer { steps, .. }] => {
                            *steps += &format!(", up to {times} times");
                            out.extend(pieces);
                        }
                        [Piece::Offer { .. }, ..] => {
                            out.push(Piece::Say(format!("up to {times} times, {}", inline(pieces))));
                        }
                        _ => out.push(Piece::Say(format!("{times} times, {}", inline(pieces)))),
                    }
                }
                StmtKind::Each { name, sel, body: inner } => {
                    let pieces = self.each(name, sel, inner);
                    let before = i.checked_sub(1).map(|before| &body[before].kind);
                    let again =
                        matches!(before, Some(StmtKind::Each { sel: before, .. }) if alike(before, sel));
                    let then = |(i, piece): (usize, Piece)| match again && i == 0 {
                        true => Piece::Say(format!("then {}", piece.predicate(true))),
                        false => piece,
                    };
                    out.extend(pieces.into_iter().enumerate().map(then));
                }
                StmtKind::Until { lifetime, once, what: Lasting::Rule(rule) } => {
                    let term = match lifetime {
                        Lifetime::Game => Term::Game,
                        Lifetime::Turn if *once => Term::Once,
                        Lifetime::Turn => Term::Turn,
                    };
                    let said = self.rule(rule, term);
                    let both = body.get(i + 1).is_some_and(|next| is_same_bonus(stmt, next));
                    out.push(Piece::Say(match said.split_once(" deals ") {
                        Some((_, bonus)) if both => format!("both rooms deal {bonus}"),
                        _ => said,
                    }));
                }
                StmtKind::Until { what: Lasting::Abilities(abilities), .. } => {
                    for ability in abilities {
                        let said = self.aside(|p| p.lasting(ability));
                        out.extend(said.into_iter().map(Piece::Say));
                    }
                }
            }
        }
        out
    }

    /// Something to choose; what is not `needed` there may be nothing of.
    fn choice(
        &mut self,
        name: &Name,
        sel: &Sel,
        by: Option<&Who>,
        later: bool,
        needed: bool,
    ) -> Option<Piece> {
        // Nobody chooses what is random.
        let random = matches!(sel, Sel::Selector(s) if matches!(s.quant, Quant::Random(_)));
        if later || random {
            self.learn(name, sel, Origin::Chosen, by);
            return None;
        }
        self.learn(name, sel, Origin::Chosen, None);
        let who = by.cloned().unwrap_or(Who::You);
        let subject = self.subject(&who);
        let within = matches!(sel, Sel::Selector(s) if matches!(s.site, Some(Site::InRef(_))));
        let det = if within && !needed { Det::Any } else { Det::A };
        let rest = self.acting(&who, |p| p.refer(&Ref::Name(name.clone()), det, Prep::In));
        Some(Piece::Do { subject, verb: "choose", rest, role: Role::Choice })
    }

    /// `may`: the first sentence asks, the others depend on the answer.
    pub fn optional(&mut self, who: &Who, pieces: Vec<Piece>) -> Vec<Piece> {
        let subject = self.subject(who);
        let mut pieces = merge(pieces);
        if let [Piece::Say(rule)] = pieces.as_slice()
            && let Some((what, damage)) = rule.split_once(" deals ")
        {
            return vec![Piece::Offer { subject, steps: format!("let {what} deal {damage}") }];
        }
        let paid = pieces.iter().rposition(|p| p.role() == Role::Cost).map(|i| i + 1);
        let asked = match paid {
            Some(end) => end,
            None if pieces.is_empty() => 0,
            None => run(&pieces, 0),
        };
        if asked == 0 || pieces[..asked].iter().any(|p| p.doer() != Some(&subject)) {
            let wish = if subject.reader { "wish" } else { "wishes" };
            return vec![Piece::Say(format!("if {} {wish}, {}", subject.label, inline(pieces)))];
        }
        let rest = pieces.split_off(asked);
        let steps: Vec<String> = pieces.iter().map(|p| p.predicate(true)).collect();
        let steps = if paid.is_some() { list(&steps, "and") } else { sequence(&steps) };
        let mut out = vec![Piece::Offer { subject: subject.clone(), steps }];
        if !rest.is_empty() {
            out.push(Piece::IfDone { subject, then: inline(rest) });
        }
        out
    }

    fn either(&mut self, by: Option<&Who>, options: &[Vec<Stmt>]) -> Piece {
        let who = by.cloned().unwrap_or(Who::You);
        let nested = self.options;
        self.options += 1;
        let options: Vec<(String, Vec<Piece>)> =
            options.iter().map(|o| self.aside(|p| p.option(o))).collect();
        self.options = nested;
        if options.iter().all(|(only, _)| only.is_empty()) {
            let pieces: Vec<Vec<Piece>> = options.iter().map(|(_, pieces)| pieces.clone()).collect();
            if let Some(piece) = one_verb(&pieces) {
                return piece;
            }
        }
        let subject = self.subject(&who);
        if nested == 0
            && !subject.reader
            && let [(none, first), (no, second)] = options.as_slice()
            && none.is_empty()
            && no.is_empty()
            && let Some(piece) = unless(&subject, first, second)
        {
            return piece;
        }
        self.colons += 1;
        let mut said = String::new();
        for (i, (only, pieces)) in options.into_iter().enumerate() {
            let then = match (i, nested) {
                (0, _) => "",
                (_, 0) => "; or",
                _ => ", or",
            };
            let space = if i == 0 { "" } else { " " };
            said += &match only.is_empty() {
                true => format!("{then}{space}{}", priced(pieces)),
                false => format!("{then}{}{only}, {}", if i == 0 { "" } else { ", " }, priced(pieces)),
            };
        }
        match (nested, subject.reader) {
            (1, _) => Piece::Say(format!("either {said}")),
            (2.., _) => Piece::Say(format!("do one of these: {said}")),
            (0, true) => Piece::OneOf(said),
            // Whoever uses the ability: they have been named.
            (0, false) if self.open && by.is_none() => Piece::OneOf(said),
            (0, false) => Piece::Say(format!("{} chooses one: {said}", subject.label)),
        }
    }

    /// What an option asks for, "only if you have a wound", and what it does.
    fn option(&mut self, body: &[Stmt]) -> (String, Vec<Piece>) {
        let mut only: Vec<String> = Vec::new();
        let mut rest = body;
        while let [Stmt { kind: StmtKind::Require(cond), .. }, after @ ..] = rest {
            if !is_implied(cond, after) {
                only.push(self.cond(cond, true));
            }
            rest = after;
        }
        let only = if only.is_empty() { String::new() } else { format!("only if {}", only.join(" and if ")) };
        (only, merge(self.block(rest)))
    }

    /// Icons of every type, as many as another card has: "this boss also has that boss's treasure icons".
    fn all_icons(&mut self, name: &Name, sel: &Sel, body: &[Stmt]) -> Option<Piece> {
        let [Stmt { kind: StmtKind::Until { lifetime, what: Lasting::Rule(rule), .. }, .. }] = body else {
            return None;
        };
        let RuleKind::Has { sel: who, icon: Some(IconType::Name(t)), change, during: None, .. } = &rule.kind
        else {
            return None;
        };
        let Change::Plus(Num::Icons { icon: Some(IconType::Name(u)), site: IconSite::On(of) }) = change
        else {
            return None;
        };
        let classes = matches!(sel, Sel::Selector(s) if s.noun == Noun::Class);
        if !classes || t != name || u != name {
            return None;
        }
        let who = self.things(who, Det::Each, Prep::In);
        let of = self.refer(of, Det::A, Prep::In);
        let whose = possessive(&of.text(), of.plural);
        let time = match lifetime {
            Lifetime::Turn => "until end of turn",
            Lifetime::Game => "for the rest of the game",
        };
        let has = who.pick("has", "have");
        Some(Piece::Say(format!("{} also {has} {whose} treasure icons {time}", who.text())))
    }

    /// Cards of one kind, each of which may be shown: "you may reveal any number of minibosses from
    /// your hand, for each of them gain 2 coins".
    fn any_number(&mut self, name: &Name, sel: &Sel, body: &[Stmt]) -> Option<Vec<Piece>> {
        let [Stmt { kind: StmtKind::May { by: None, body }, .. }] = body else { return None };
        let [
            Stmt { kind: StmtKind::Require(Cond::IsA(Ref::Name(asked), noun)), .. },
            Stmt { kind: StmtKind::Act(Act::Simple { verb: Verb::Reveal, op }), .. },
            rest @ ..,
        ] = &body[..]
        else {
            return None;
        };
        let Sel::Selector(cards) = sel else { return None };
        if asked != name || op.sel != Sel::Ref(Ref::Name(name.clone())) || cards.noun != Noun::Card {
            return None;
        }
        let shown = Selector { noun: *noun, ..*cards.clone() };
        let shown = self.selector(&shown, Det::Plural, Prep::From).text();
        let subject = self.subject(&Who::You);
        let then = inline(self.statements(rest));
        let steps = format!("reveal any number of {shown}");
        Some(vec![Piece::Offer { subject, steps }, Piece::Say(format!("for each of them, {then}"))])
    }

    fn each(&mut self, name: &Name, sel: &Sel, body: &[Stmt]) -> Vec<Piece> {
        let names = self.names.len();
        if let Some(piece) = self.all_icons(name, sel, body) {
            return vec![piece];
        }
        if let Some(pieces) = self.any_number(name, sel, body) {
            return pieces;
        }
        self.learn(name, sel, Origin::Each, None);
        let this = Ref::Name(name.clone());
        let player = is_player(self.noun_of(&this));
        let direct = match body {
            [Stmt { kind: StmtKind::Act(act), .. }] => is_done_to(act, name),
            [Stmt { kind: StmtKind::Until { what: Lasting::Rule(rule), .. }, .. }] => match &rule.kind {
                RuleKind::Has { icon: Some(IconType::Name(t)), change, .. } => {
                    t == name && matches!(change, Change::Plus(Num::Int(_)))
                }
                RuleKind::Has { sel, .. } => *sel == Sel::Ref(this.clone()),
                _ => false,
            },
            _ => false,
        };
        let pieces = if direct && !player {
            self.statements(body)
        } else {
            let all = self.refer(&this, Det::Each, Prep::In);
            self.focus = None;
            let who = self.refer(&this, Det::A, Prep::In).text();
            let mut pieces = self.statements(body);
            let fold = player && pieces.iter().all(|p| p.doer().is_some_and(|s| s.label == who));
            if fold {
                for piece in &mut pieces {
                    if let Piece::Do { subject, .. } = piece {
                        subject.label = all.text();
                    }
                }
                sentences(pieces).into_iter().map(Piece::Say).collect()
            } else {
                let depends = |p: &Piece| matches!(p, Piece::IfDone { subject, .. } if subject.label == who);
                match pieces.as_mut_slice() {
                    [Piece::Offer { subject, .. }, after @ ..]
                        if player && subject.label == who && after.iter().all(depends) =>
                    {
                        subject.label = all.text();
                        pieces
                    }
                    _ => vec![Piece::Say(format!("for {}, {}", all.text(), inline(pieces)))],
                }
            }
        };
        self.names.truncate(names);
        pieces
    }
}

/// What another player does, or what else happens: "that player pays 1 coin or discards a room", "cancel it unless that
/// player pays 1 coin".
fn unless(subject: &Subject, first: &[Piece], second: &[Piece]) -> Option<Piece> {
    let theirs =
        |pieces: &[Piece]| matches!(pieces, [piece @ Piece::Do { .. }] if piece.doer() == Some(subject));
    match (theirs(first), theirs(second)) {
        (true, true) => {
            let [Piece::Do { verb, rest, .. }] = first else { return None };
            let rest = rest.clone().and(format!("or {}", second[0].predicate(false)));
            Some(Piece::Do { subject: subject.clone(), verb, rest, role: Role::Act })
        }
        (true, false) => {
            let otherwise = inline(second.to_vec());
            Some(Piece::Say(format!("{otherwise} unless {} {}", subject.label, first[0].predicate(false))))
        }
        (false, true) => unless(subject, second, first),
        (false, false) => None,
    }
}

/// A price before a colon, then what it buys.
fn priced(mut pieces: Vec<Piece>) -> String {
    let paid = pieces.iter().rposition(|p| p.role() == Role::Cost).map_or(0, |i| i + 1);
    let effect = pieces.split_off(paid);
    match (paid, effect.is_empty()) {
        (0, _) => inline(effect),
        (_, true) => price(pieces),
        (_, false) => format!("{}: {}", price(pieces), inline(effect)),
    }
}

/// The same damage for two rooms with a name.
fn is_same_bonus(a: &Stmt, b: &Stmt) -> bool {
    fn bonus(stmt: &Stmt) -> Option<(&Ref, &Change)> {
        let StmtKind::Until { lifetime: Lifetime::Turn, once: false, what: Lasting::Rule(rule) } = &stmt.kind
        else {
            return None;
        };
        match &rule.kind {
            RuleKind::Has {
                sel: Sel::Ref(room @ Ref::Name(_)),
                icon: None,
                stat: Stat::Damage,
                change,
                against: None,
                during: None,
            } => Some((room, change)),
            _ => None,
        }
    }
    matches!((bonus(a), bonus(b)), (Some((one, more)), Some((other, same))) if one != other && more == same)
}

/// Two loops over the same kind of thing: the second comes after the first.
fn alike(a: &Sel, b: &Sel) -> bool {
    matches!((a, b), (Sel::Selector(a), Sel::Selector(b)) if a.noun == b.noun)
}

/// Statements that are settled when an action is declared.
pub fn is_declared(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::Require(_) | StmtKind::Target { .. } | StmtKind::Number { .. } | StmtKind::Cost(_)
    )
}
