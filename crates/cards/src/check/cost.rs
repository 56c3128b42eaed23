//! How much looking around a card takes. Everything ends (`endless.rs`), but a `where` inside a `where` inside a
//! `where` over whole piles ends late: what would keep a table waiting is refused.
//!
//! A cost is a number of cards looked at, if every pile is as large as it can well be.

use super::fault::CheckFault;
use crate::report::Problem;
use crate::tree::*;

/// How many cards may be looked at.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// When each ability of a card is used once.
    pub abilities: u32,
    /// Each time, to see whether and how much the rules of a card matter.
    pub rules: u32,
    /// A value that rules may change counts as so many, since every rule in play is looked at.
    stat: u32,
}

/// For everybody's own machine.
pub const HOME: Limits = Limits { abilities: 20_000, rules: 1_500, stat: 60 };
/// Where strangers share a machine, the others' rules in play may be the worst there are.
pub const SHARED: Limits = Limits { abilities: 20_000, rules: 600, stat: 300 };

/// A deck, a hand, the discard pile, a scoring area, the cards below a room.
const PILE: u32 = 200;
/// Heroes in one place, and those in all of them.
const HEROES: u32 = 30;
const ALL_HEROES: u32 = 60;
const ROOMS: u32 = 5;
const PLAYERS: u32 = 6;

impl Limits {
    pub(crate) fn check(self, card: &Card, out: &mut Vec<Problem>) {
        let (mut used, mut rules) = (0u32, 0u32);
        for ability in &card.abilities {
            let (use_it, always) = self.of_ability(ability);
            (used, rules) = (used.saturating_add(use_it), rules.saturating_add(always));
            for (looks, most) in [(used, self.abilities), (rules, self.rules)] {
                if looks > most {
                    return out.push(Problem::new(ability.span, CheckFault::Slow { looks, most }));
                }
            }
        }
    }

    /// When it is used, and again and again while the card is there.
    pub(super) fn of_ability(self, ability: &Ability) -> (u32, u32) {
        match &ability.kind {
            AbilityKind::Activated { body, .. }
            | AbilityKind::Play { body }
            | AbilityKind::LevelUp { body }
            | AbilityKind::Minion { body } => (self.of_body(body), 0),
            AbilityKind::When { event: on, body, .. } | AbilityKind::InsteadOf { event: on, body, .. } => {
                (self.of_body(body), self.of_event(on))
            }
            AbilityKind::Always { rule, .. } => (0, self.of_rule(rule)),
            AbilityKind::Lure { num, .. } => (0, self.of_num(num)),
        }
    }

    fn of_body(self, body: &[Stmt]) -> u32 {
        sum(body.iter().map(|it| self.of_stmt(it)))
    }

    fn of_stmt(self, stmt: &Stmt) -> u32 {
        match &stmt.kind {
            StmtKind::Target { sel, .. } | StmtKind::Choose { sel, .. } => self.of_sel(sel),
            StmtKind::Number { from, to, .. } => self.of_num(from).saturating_add(self.of_num(to)),
            StmtKind::Let { num, .. } => self.of_num(num),
            StmtKind::Require(cond) => self.of_cond(cond),
            StmtKind::Cost(act) | StmtKind::Act(act) => self.of_act(act),
            StmtKind::May { body, .. } => self.of_body(body),
            StmtKind::Either { options, .. } => sum(options.iter().map(|body| self.of_body(body))),
            StmtKind::If { cond, then, otherwise } => {
                sum([self.of_cond(cond), self.of_body(then).max(self.of_body(otherwise))])
            }
            // The next one is looked for from the beginning each time.
            StmtKind::Each { sel, body, .. } => {
                let (most, find) = (size(sel), self.of_sel(sel));
                most.saturating_mul(self.of_body(body)).saturating_add(find.saturating_mul(most.min(ROOMS)))
            }
            StmtKind::Repeat { times, body } => self.of_body(body).saturating_mul(u32::from(*times)),
            StmtKind::Until { what, .. } => match what {
                Lasting::Rule(rule) => self.of_rule(rule),
                Lasting::Abilities(abilities) => sum(abilities.iter().map(|ability| {
                    let (used, always) = self.of_ability(ability);
                    used.saturating_add(always)
                })),
            },
        }
    }

    fn of_act(self, act: &Act) -> u32 {
        match act {
            Act::Draw { count, .. } => self.of_num(count).saturating_add(1),
            Act::Look { .. } | Act::Arrange { .. } | Act::Swap { .. } | Act::SwapHoards { .. } => 1,
            Act::Take { op, .. } | Act::Trigger { op, .. } | Act::Simple { op, .. } => self.of_sel(&op.sel),
            Act::Move { op, to, .. } => match to {
                Destination::Place(_) => self.of_sel(&op.sel),
                Destination::Room(sel) => self.of_sel(&op.sel).saturating_add(self.of_sel(sel)),
            },
            Act::Damage { op, amount: num } | Act::Skip { op, rooms: num } => {
                self.of_sel(&op.sel).saturating_add(self.of_num(num).saturating_mul(size(&op.sel)))
            }
            Act::Build { op, on } => sum([self.of_sel(&op.sel), on.as_ref().map_or(0, |it| self.of_sel(it))]),
            Act::Counters { amount, op, .. } => self.of_sel(&op.sel).saturating_add(self.of_num(amount)),
            Act::Coins { amount, .. } => self.of_num(amount).saturating_add(1),
            Act::Attach { op, to } => self.of_sel(&op.sel).saturating_add(self.of_sel(to)),
        }
    }

    /// Whether it matters to one thing, and how much.
    fn of_rule(self, rule: &Rule) -> u32 {
        let when = |during: &Option<Cond>| during.as_ref().map_or(0, |it| self.of_cond(it));
        match &rule.kind {
            RuleKind::Has { sel, change, against, during, .. } => {
                let amount = match change {
                    Change::Plus(num) | Change::Minus(num) => self.of_num(num),
                    Change::Times(_) | Change::Zero => 1,
                };
                sum([
                    self.of_match(sel),
                    amount,
                    against.as_ref().map_or(0, |it| self.of_match(it)),
                    when(during),
                ])
            }
            RuleKind::Is { sel, against, during, .. } => {
                sum([self.of_match(sel), against.as_ref().map_or(0, |it| self.of_match(it)), when(during)])
            }
            RuleKind::Forbid { event, during } | RuleKind::Allow { event, during } => {
                self.of_event(event).saturating_add(when(during))
            }
        }
    }

    fn of_event(self, event: &Event) -> u32 {
        let EventKind::Happens { subject, object, because, .. } = &event.kind else { return 1 };
        let object = match object {
            Some(Object::On(sel) | Object::Room(sel) | Object::Named(_, sel)) => self.of_match(sel),
            Some(Object::Beside(_) | Object::Place(_)) | None => 0,
        };
        let because = match because {
            Some(Cause::Card(sel)) => self.of_match(sel),
            Some(Cause::Who(_)) | None => 0,
        };
        sum([self.of_match(subject), object, because])
    }

    /// Whether one thing is among those.
    fn of_match(self, sel: &Sel) -> u32 {
        match sel {
            Sel::Ref(_) => 1,
            Sel::Selector(selector) => self.of_one(selector),
        }
    }

    fn of_sel(self, sel: &Sel) -> u32 {
        size(sel).saturating_mul(self.of_match(sel))
    }

    fn of_one(self, selector: &Selector) -> u32 {
        let told = selector.adjectives.iter().map(|adjective| match adjective {
            Adjective::MultiTreasure => self.stat,
            _ => 0,
        });
        sum(told).saturating_add(selector.cond.as_ref().map_or(0, |it| self.of_cond(it))).saturating_add(1)
    }

    fn of_num(self, num: &Num) -> u32 {
        match num {
            Num::Int(_) | Num::Name(_) | Num::Roll(_) | Num::Counters(_) | Num::Coins(_) => 0,
            Num::Times(_, num) => self.of_num(num),
            Num::Count(sel) => self.of_sel(sel),
            Num::Points(Points::Souls | Points::Wounds, _) => self.stat,
            Num::Points(..) | Num::Value { printed: true, .. } | Num::Value { value: Value::Level, .. } => 1,
            Num::Value { .. } => self.stat,
            Num::Icons { site: IconSite::On(_), .. } => self.stat,
            Num::Icons { site: IconSite::In(_), .. } => self.stat * 2,
            Num::Add(a, b) | Num::Sub(a, b) => self.of_num(a).saturating_add(self.of_num(b)),
        }
    }

    fn of_cond(self, cond: &Cond) -> u32 {
        match cond {
            Cond::Some(sel) | Cond::No(sel) => self.of_sel(sel),
            Cond::Compare(a, _, b) => sum([self.of_num(a), self.of_num(b), 1]),
            Cond::Is(_, Adjective::MultiTreasure) => self.stat,
            Cond::Is(..) | Cond::IsA(..) | Cond::In(..) | Cond::Done | Cond::Active | Cond::Promoted => 1,
            Cond::Not(cond) => self.of_cond(cond),
            Cond::And(a, b) | Cond::Or(a, b) => self.of_cond(a).saturating_add(self.of_cond(b)),
        }
    }
}

/// How many things are looked at.
fn size(sel: &Sel) -> u32 {
    let Sel::Selector(selector) = sel else { return 1 };
    match (&selector.site, selector.noun) {
        (_, Noun::Player | Noun::Opponent | Noun::Boss | Noun::Class) => PLAYERS,
        (Some(Site::In(place)), noun) => {
            sum(place.zones.iter().map(|zone| of_zone(*zone, place, selector, noun)))
        }
        (Some(Site::Under(_)), _) => PILE,
        (Some(Site::InRef(_) | Site::On(_) | Site::LeftOf(_) | Site::RightOf(_) | Site::Beside(_)), _) => {
            ROOMS
        }
        (None, _) if selector.adjectives.contains(&Adjective::Covered) => PILE,
        (None, Noun::Hero | Noun::Item) => ALL_HEROES,
        (None, Noun::Soul | Noun::Wound) => PILE,
        (None, Noun::Room | Noun::Miniboss | Noun::Spell | Noun::Card) => ROOMS * PLAYERS,
    }
}

fn of_zone(zone: Zone, place: &Place, selector: &Selector, noun: Noun) -> u32 {
    let everybody = matches!(place.of, Some(Who::Opponent | Who::Player | Who::Any));
    match zone {
        Zone::Dungeon if selector.adjectives.contains(&Adjective::Covered) => PILE,
        Zone::Dungeon if everybody => ROOMS * PLAYERS,
        Zone::Dungeon => ROOMS,
        Zone::Entrance if everybody => ALL_HEROES,
        Zone::Entrance | Zone::Town => HEROES,
        _ if noun == Noun::Item => ALL_HEROES,
        _ => PILE,
    }
}

fn sum(costs: impl IntoIterator<Item = u32>) -> u32 {
    costs.into_iter().fold(0, u32::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the abilities, and the rules, of the dearest card take.
    fn dearest(limits: Limits, text: &str) -> (u32, u32) {
        let set = crate::parse("x", text).unwrap_or_else(|errors| panic!("{errors}"));
        let of = |card: &Card| {
            let costs: Vec<(u32, u32)> = card.abilities.iter().map(|it| limits.of_ability(it)).collect();
            (sum(costs.iter().map(|cost| cost.0)), sum(costs.iter().map(|cost| cost.1)))
        };
        let costs = set.cards.iter().map(of);
        costs.fold((0, 0), |most, cost| (most.0.max(cost.0), most.1.max(cost.1)))
    }

    #[test]
    fn the_boxes_are_below() {
        for (name, text) in crate::library::SETS {
            let (abilities, rules) = dearest(HOME, text);
            assert!(abilities < HOME.abilities && rules < HOME.rules, "{name}: {abilities} {rules}");
        }
    }
}
