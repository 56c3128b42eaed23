//! The outside of an ability: limit, condition, price before a colon, what wakes it.

use super::Printer;
use super::clause::is_declared;
use super::event::{Mood, TURN_DRAW};
use super::piece::{Piece, Role, inline, price, sentences};
use super::plan::is_implied;
use super::rule::Term;
use super::word::capital;
use crate::code::MINIBOSS_LEVELS;
use crate::tree::*;

/// Who may use an ability.
enum User {
    Owner,
    Other(String),
    /// A spell's owner, who has decided to cast it; or a miniboss's, who gives its level for it.
    Caster,
}

impl Printer<'_> {
    /// An ability of the card itself: a boss has its own only once it has levelled up.
    pub fn of_card(&mut self, ability: &Ability) -> Vec<String> {
        self.carried = self.card.kind == Kind::Item && !matches!(ability.kind, AbilityKind::Play { .. });
        let said = self.ability(ability);
        match (self.card.kind, &ability.kind) {
            (Kind::Boss, AbilityKind::LevelUp { .. } | AbilityKind::Lure { .. }) => said,
            (Kind::Boss, _) => led("after level up, ".into(), said),
            (Kind::Item, AbilityKind::Play { .. }) => led("boss: ".into(), said),
            (Kind::Item, _) => led("hero: ".into(), said),
            (Kind::Miniboss, _) if ability.level > 0 => at_level(ability.level, said),
            _ => said,
        }
    }

    /// The sentences of an ability, without capitals and periods.
    pub fn ability(&mut self, ability: &Ability) -> Vec<String> {
        match &ability.kind {
            AbilityKind::Activated { from_hand, phase, by, limit, body } => {
                let mut lead = limit_words(*limit);
                if let Some(phase) = phase {
                    lead += &format!("in the {} phase, ", phase.title());
                }
                if *from_hand {
                    lead += &format!("from {} hand, ", self.owner(&Who::You));
                }
                self.from_hand = *from_hand;
                if ability.level == MINIBOSS_LEVELS && by.is_none() {
                    return self.declared(lead, body, "use", User::Caster);
                }
                self.activated(by.as_ref(), lead, body)
            }
            AbilityKind::Play { body } => {
                let verb = if self.card.kind == Kind::Item { "use" } else { "cast" };
                self.declared(String::new(), body, verb, User::Caster)
            }
            AbilityKind::When { event: Event { kind: EventKind::EndOfTurn, .. }, limit, body } => {
                let effect = self.effect(body);
                led(format!("{}at the end of each turn, ", limit_words(*limit)), effect)
            }
            AbilityKind::When { event: Event { kind: EventKind::StartOfBuild, .. }, limit, body } => {
                let effect = self.effect(body);
                led(format!("{}at the start of each Build phase, ", limit_words(*limit)), effect)
            }
            AbilityKind::When { event, limit, body } => {
                let event = self.event(event, Mood::Happens);
                let effect = self.effect(body);
                led(format!("{}when {event}, ", limit_words(*limit)), effect)
            }
            AbilityKind::InsteadOf { event: Event { kind: EventKind::TurnDraw, .. }, limit, body } => {
                let your = self.owner(&Who::You);
                let effect = self.effect(body);
                led(format!("{}instead of {your} {TURN_DRAW}, ", limit_words(*limit)), effect)
            }
            AbilityKind::InsteadOf { event, limit, body } => {
                let event = self.event(event, Mood::Would);
                let colons = self.colons;
                let pieces = self.statements(body);
                let options = is_options(&pieces);
                let mut effect = sentences(pieces);
                let lead = format!("{}if {event}, ", limit_words(*limit));
                match effect.as_mut_slice() {
                    [one] if self.colons == colons && one.contains(", then ") => {
                        led(lead + "instead ", effect)
                    }
                    [one] if self.colons == colons => {
                        *one += " instead";
                        led(lead, effect)
                    }
                    _ if options => led(lead + "instead ", effect),
                    _ => led(lead + "this happens instead: ", effect),
                }
            }
            AbilityKind::Always { from_hand: false, rule } if self.card.kind == Kind::Spell => {
                let lies = format!("while {} is in {} scoring area, ", self.this(), self.owner(&Who::You));
                led(lies, vec![self.rule(rule, Term::Scored)])
            }
            AbilityKind::Always { from_hand: false, rule } => vec![self.rule(rule, Term::Always)],
            AbilityKind::Always { from_hand: true, rule } => vec![self.rule(rule, Term::Building)],
            AbilityKind::LevelUp { body } => led("level up: ".into(), self.effect(body)),
            AbilityKind::Minion { body } => led("minion: ".into(), self.effect(body)),
            AbilityKind::Lure { most, num } => self.lure(*most, num),
        }
    }

    /// A trigger that lasts: "each time a hero enters that room this turn, ...".
    pub fn lasting(&mut self, ability: &Ability) -> Vec<String> {
        match &ability.kind {
            AbilityKind::When { event: Event { kind: EventKind::EndOfTurn, .. }, body, .. } => {
                led("at the end of this turn, ".into(), self.effect(body))
            }
            AbilityKind::When { event, limit, body } => {
                let event = self.event(event, Mood::Happens);
                led(format!("{}each time {event} this turn, ", limit_words(*limit)), self.effect(body))
            }
            AbilityKind::Activated { body, .. } => {
                let you = self.subject(&Who::You).label;
                self.declared("once this turn, ".into(), body, "use", User::Other(you))
            }
            _ => led("until end of turn, ".into(), self.ability(ability)),
        }
    }

    /// An action of its owner, or of those named by `by`.
    fn activated(&mut self, by: Option<&Who>, lead: String, body: &[Stmt]) -> Vec<String> {
        let user = match by {
            None | Some(Who::You | Who::Ref(Ref::You)) => {
                return self.declared(lead, body, "use", User::Owner);
            }
            Some(Who::Opponent) if self.hero() => "an opponent of the dungeon's owner".into(),
            Some(who) => self.subject(who).label,
        };
        self.open = true;
        let said = self.declared(lead, body, "use", User::Other(user));
        self.open = false;
        said
    }

    fn effect(&mut self, body: &[Stmt]) -> Vec<String> {
        sentences(self.statements(body))
    }

    /// An action: its conditions, then choices and costs before a colon, then what it does.
    fn declared(&mut self, lead: String, body: &[Stmt], verb: &str, user: User) -> Vec<String> {
        let split = body.iter().position(|s| !is_declared(s)).unwrap_or(body.len());
        let mut only: Vec<String> = Vec::new();
        let mut rest: Vec<Stmt> = Vec::new();
        for (i, stmt) in body.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Require(cond) if i < split && self.can_lead(cond, &rest) => {
                    if !is_implied(cond, &body[i + 1..]) {
                        only.push(self.condition(cond));
                    }
                }
                _ => rest.push(stmt.clone()),
            }
        }
        let mut pieces = self.statements(&rest);
        let paid = pieces.iter().rposition(|p| p.role() == Role::Cost).map_or(0, |i| i + 1);
        let effect = pieces.split_off(paid);
        let begin = match &user {
            User::Other(name) => format!("{lead}{name} may "),
            User::Owner | User::Caster => lead.clone(),
        };
        let said = match (paid, user) {
            (0, User::Caster) => sentences(effect),
            (0, _) if is_options(&effect) => led(begin, sentences(effect)),
            (0, User::Owner) => {
                let often = if lead.is_empty() { "as often as you like, ".into() } else { lead };
                led(often, sentences(self.optional(&Who::You, effect)))
            }
            (0, User::Other(name)) => {
                let mut offer = self.optional(&Who::You, effect);
                match offer.first_mut() {
                    Some(Piece::Offer { subject, .. }) => {
                        subject.label = name;
                        led(lead, sentences(offer))
                    }
                    _ => led(begin, sentences(offer)),
                }
            }
            (_, _) if effect.is_empty() => vec![format!("{begin}{}", price(pieces))],
            _ => {
                self.colons += 1;
                let colon = if is_options(&effect) { " and " } else { ": " };
                led(format!("{begin}{}{colon}", price(pieces)), sentences(effect))
            }
        };
        if only.is_empty() {
            return said;
        }
        let mut out = vec![format!("{verb} only {}", only.join(" and only "))];
        out.extend(said);
        out
    }

    /// A condition may be said first unless it speaks of something chosen before it.
    fn can_lead(&self, cond: &Cond, before: &[Stmt]) -> bool {
        let names: Vec<&Name> = before
            .iter()
            .filter_map(|s| match &s.kind {
                StmtKind::Target { name, .. } => Some(name),
                _ => None,
            })
            .collect();
        !names.iter().any(|n| super::plan::speaks_of(cond, n))
    }

    fn condition(&mut self, cond: &Cond) -> String {
        match cond {
            Cond::Done => format!("after {} is over", self.your_time()),
            Cond::Not(inner) if **inner == Cond::Done => {
                format!("before {} is over", self.your_time())
            }
            _ => format!("if {}", self.cond(cond, true)),
        }
    }
}

/// Nothing but a choice between prices and effects.
fn is_options(effect: &[Piece]) -> bool {
    matches!(effect, [Piece::OneOf(_), ..])
}

fn limit_words(limit: Option<Limit>) -> String {
    match limit {
        None => String::new(),
        Some(Limit::Turn) => "once per turn, ".into(),
        Some(Limit::Hero) => "once per turn for each hero, ".into(),
    }
}

/// What a miniboss does at this level; using the last one is paid for with the level.
fn at_level(level: u8, mut sentences: Vec<String>) -> Vec<String> {
    if let Some(first) = sentences.first_mut() {
        *first = format!("level {level}: {}", capital(first));
    }
    if level == MINIBOSS_LEVELS {
        sentences.push("this miniboss falls back to level 1".into());
    }
    sentences
}

/// Puts words before the first sentence.
fn led(lead: String, mut sentences: Vec<String>) -> Vec<String> {
    match sentences.first_mut() {
        Some(first) => *first = lead + first,
        None => sentences.push(lead + &inline(Vec::new())),
    }
    sentences
}
