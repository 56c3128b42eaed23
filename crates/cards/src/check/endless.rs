//! Abilities that never end: an `each` over a place its own block adds to, and triggers that cause
//! their own event.

use super::fault::CheckFault;
use crate::report::Problem;
use crate::tree::*;

/// Triggers of one card that can trigger themselves, directly or through each other.
pub fn check(card: &Card) -> Vec<Problem> {
    let mut problems: Vec<Problem> = card
        .abilities
        .iter()
        .filter(|a| brings_coins_for_coins(a))
        .map(|ability| Problem::new(ability.span, CheckFault::Endless { event: EventWord::Gained.word() }))
        .collect();
    let mut triggers = Vec::new();
    card.abilities.iter().for_each(|ability| Trigger::gather(ability, &mut triggers));
    let count = triggers.len();
    let mut reach = vec![vec![false; count]; count];
    for (from, row) in triggers.iter().zip(&mut reach) {
        for (to, reached) in triggers.iter().zip(row) {
            *reached = from.acts.iter().any(|(act, _)| to.triggered_by(act));
        }
    }
    for via in 0..count {
        for from in 0..count {
            for to in 0..count {
                reach[from][to] |= reach[from][via] && reach[via][to];
            }
        }
    }
    for (index, trigger) in triggers.iter().enumerate() {
        let forced = trigger.acts.iter().filter(|(_, forced)| *forced);
        let forced =
            forced.flat_map(|(act, _)| trigger.words.iter().find(|word| trigger.is_triggered(**word, act)));
        let forced = forced.copied().next();
        let event = forced.or(trigger.words.first().copied()).map_or("", EventWord::word);
        let anywhere = trigger.object.is_none() || forced == Some(EventWord::Enters);
        if forced.is_some() && anywhere {
            problems.push(Problem::new(trigger.span, CheckFault::Endless { event }));
        } else if reach[index][index] {
            problems.push(Problem::new(trigger.span, CheckFault::TriggersItself { event }));
        }
    }
    problems
}

/// Coins gained bring coins, without a limit.
fn brings_coins_for_coins(ability: &Ability) -> bool {
    let AbilityKind::When { event, limit: None, body } = &ability.kind else { return false };
    let brings = |act: &Act| matches!(act, Act::Coins { pay: false, .. } | Act::Coins { to: Some(_), .. });
    matches!(event.kind, EventKind::CoinGained { .. }) && acts(body).any(brings)
}

/// The place an `each` goes through and its block adds to.
pub fn grows(sel: &Sel, body: &[Stmt]) -> Option<Zone> {
    let Sel::Selector(selector) = sel else {
        return None;
    };
    let through: &[Zone] = match (&selector.site, selector.noun) {
        (_, Noun::Player | Noun::Opponent) => &[],
        (Some(Site::In(place)), _) => &place.zones,
        (_, Noun::Hero) => &[Zone::Town, Zone::Entrance, Zone::Dungeon],
        (_, Noun::Soul | Noun::Wound) => &[Zone::Scoring],
        _ => &[Zone::Dungeon],
    };
    let mut acts = Vec::new();
    collect(body, true, &mut acts);
    acts.iter().find_map(|(act, _)| {
        let added = adds(act, selector.noun)?;
        through.contains(&added).then_some(added)
    })
}

/// Everything a body may do.
pub fn acts(body: &[Stmt]) -> impl Iterator<Item = &Act> {
    let mut acts = Vec::new();
    collect(body, true, &mut acts);
    acts.into_iter().map(|(act, _)| act)
}

/// The word an act begins with.
pub fn word(act: &Act) -> &'static str {
    match act {
        Act::Draw { .. } => "draw",
        Act::Look { .. } => "look",
        Act::Take { .. } => "take",
        Act::Move { .. } => "move",
        Act::Swap { .. } => "swap",
        Act::Arrange { .. } => "arrange",
        Act::Damage { .. } => "damage",
        Act::Skip { .. } => "skip",
        Act::Build { .. } => "build",
        Act::Trigger { .. } => "trigger",
        Act::Coins { pay: false, .. } => "gain",
        Act::Coins { pay: true, .. } => "pay",
        Act::SwapHoards { .. } => "swap",
        Act::Attach { .. } => "attach",
        Act::Counters { gain: true, .. } => "gain",
        Act::Counters { gain: false, .. } => "lose",
        Act::Simple { verb, .. } => verb.word(),
    }
}

/// Whether one card could pay for both.
pub fn same_price(a: &Act, b: &Act) -> bool {
    if let (Act::Coins { .. }, Act::Coins { .. }) = (a, b) {
        return true;
    }
    let (Some(a), Some(b)) = (price(a), price(b)) else { return false };
    let zones = |s: &Selector| match &s.site {
        Some(Site::In(place)) => place.zones.clone(),
        _ => vec![Zone::Dungeon],
    };
    match (&a.sel, &b.sel) {
        (Sel::Selector(a), Sel::Selector(b)) => {
            let kind = a.noun == b.noun || a.noun == Noun::Card || b.noun == Noun::Card;
            let apart = a.adjectives.iter().filter_map(opposite).any(|other| b.adjectives.contains(&other));
            kind && !apart && zones(a).iter().any(|zone| zones(b).contains(zone))
        }
        (Sel::Ref(Ref::This), Sel::Selector(s)) | (Sel::Selector(s), Sel::Ref(Ref::This)) => {
            zones(s).contains(&Zone::Dungeon) && !s.adjectives.contains(&Adjective::Another)
        }
        (a, b) => a == b,
    }
}

/// What a cost uses up, or takes counters off.
fn price(act: &Act) -> Option<&Operand> {
    match act {
        Act::Simple { op, .. } | Act::Counters { op, .. } => Some(op),
        _ => None,
    }
}

fn opposite(adjective: &Adjective) -> Option<Adjective> {
    use Adjective::*;
    match adjective {
        Subtype(crate::vocabulary::Subtype::Monster) => Some(Subtype(crate::vocabulary::Subtype::Trap)),
        Subtype(crate::vocabulary::Subtype::Trap) => Some(Subtype(crate::vocabulary::Subtype::Monster)),
        Advanced => Some(Ordinary),
        Ordinary => Some(Advanced),
        Epic => Some(Ordinary),
        Another | Cast | Class(_) | Covered | Entered | Facedown | Faceup | MultiTreasure | New
        | Triggered => None,
    }
}

/// Where the act puts things of this noun.
fn adds(act: &Act, noun: Noun) -> Option<Zone> {
    use Noun::*;
    let (zone, of) = match act {
        Act::Draw { .. } | Act::Take { .. } => (Zone::Hand, &[Card, Miniboss, Room, Spell][..]),
        Act::Move { to: Destination::Place(place), .. } => match place.zones.first()? {
            Zone::Scoring => (Zone::Scoring, &[Soul][..]),
            zone => (*zone, &[Hero][..]),
        },
        Act::Move { to: Destination::Room(_), .. } => (Zone::Dungeon, &[Hero][..]),
        Act::Damage { .. } => (Zone::Scoring, &[Soul][..]),
        Act::Build { .. } => (Zone::Dungeon, &[Card, Miniboss, Room][..]),
        Act::Attach { .. } => (Zone::Dungeon, &[Miniboss][..]),
        Act::Look { .. }
        | Act::Swap { .. }
        | Act::Arrange { .. }
        | Act::Skip { .. }
        | Act::Trigger { .. }
        | Act::Coins { .. }
        | Act::SwapHoards { .. }
        | Act::Counters { .. } => return None,
        Act::Simple { verb, op } => match verb {
            Verb::Destroy | Verb::Discard | Verb::Cancel => {
                (Zone::Discard, &[Card, Miniboss, Room, Spell][..])
            }
            Verb::Kill | Verb::Heal => (Zone::Scoring, &[Soul][..]),
            Verb::Flip => match &op.sel {
                Sel::Selector(flipped) if flipped.noun == Soul => (Zone::Scoring, &[Wound][..]),
                Sel::Selector(_) => (Zone::Scoring, &[Soul][..]),
                Sel::Ref(_) => return None,
            },
            Verb::Uncover => (Zone::Dungeon, &[Card, Room][..]),
            Verb::Copy | Verb::Deactivate | Verb::Promote | Verb::Remove | Verb::Reveal => return None,
        },
    };
    of.contains(&noun).then_some(zone)
}

/// A trigger without a limit.
struct Trigger<'a> {
    span: Span,
    words: &'a [EventWord],
    subject: &'a Sel,
    object: Option<&'a Object>,
    /// Whose action it waits for.
    by: Option<&'a Who>,
    /// What it does, and whether it must.
    acts: Vec<(&'a Act, bool)>,
}

impl<'a> Trigger<'a> {
    /// The ability and those it creates until end of turn.
    fn gather(ability: &'a Ability, out: &mut Vec<Trigger<'a>>) {
        let body = match &ability.kind {
            AbilityKind::When { event, limit, body } | AbilityKind::InsteadOf { event, limit, body } => {
                if limit.is_none()
                    && let EventKind::Happens { subject, words, object, by, .. } = &event.kind
                {
                    let mut acts = Vec::new();
                    collect(body, true, &mut acts);
                    let (object, by) = (object.as_ref(), by.as_ref());
                    out.push(Trigger { span: ability.span, words, subject, object, by, acts });
                }
                body
            }
            AbilityKind::Activated { body, .. }
            | AbilityKind::Play { body }
            | AbilityKind::Minion { body }
            | AbilityKind::LevelUp { body } => body,
            AbilityKind::Always { .. } | AbilityKind::Lure { .. } => return,
        };
        Trigger::gather_lasting(body, out);
    }

    fn gather_lasting(body: &'a [Stmt], out: &mut Vec<Trigger<'a>>) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Until { once: false, what: Lasting::Abilities(abilities), .. } => {
                    abilities.iter().for_each(|ability| Trigger::gather(ability, out));
                }
                StmtKind::May { body, .. } | StmtKind::Each { body, .. } | StmtKind::Repeat { body, .. } => {
                    Trigger::gather_lasting(body, out);
                }
                StmtKind::Either { options, .. } => {
                    options.iter().for_each(|option| Trigger::gather_lasting(option, out));
                }
                StmtKind::If { then, otherwise, .. } => {
                    Trigger::gather_lasting(then, out);
                    Trigger::gather_lasting(otherwise, out);
                }
                _ => {}
            }
        }
    }

    fn triggered_by(&self, act: &Act) -> bool {
        self.words.iter().any(|word| self.is_triggered(*word, act))
    }

    fn is_triggered(&self, word: EventWord, act: &Act) -> bool {
        let op = match (word, act) {
            (EventWord::Built, Act::Build { op, .. } | Act::Attach { op, .. }) => op,
            (EventWord::Promoted, Act::Simple { verb: Verb::Promote, op }) => op,
            (EventWord::Destroyed, Act::Simple { verb: Verb::Destroy, op }) => op,
            (EventWord::Discarded, Act::Simple { verb: Verb::Discard, op }) => op,
            (EventWord::Taken, Act::Take { op, .. }) => op,
            (EventWord::Killed, Act::Simple { verb: Verb::Kill, op }) => op,
            (EventWord::Killed, Act::Damage { op, .. }) => op,
            (EventWord::Enters, Act::Move { op, to: Destination::Room(_), .. }) => op,
            (EventWord::Enters, Act::Move { op, to: Destination::Place(to), .. })
                if to.zones == [Zone::Entrance]
                    && matches!(self.object, Some(Object::Place(place)) if place.zones == to.zones) =>
            {
                op
            }
            (EventWord::Uncovered, Act::Simple { verb: Verb::Uncover, op }) => op,
            (_, Act::Trigger { op, words }) if words.contains(&word) => op,
            // The room beneath is not the one acted on: any room may appear.
            (EventWord::Uncovered, Act::Simple { verb: Verb::Destroy, op }) => return self.uncovers(op),
            (EventWord::Uncovered, Act::Take { op, .. }) => {
                let from_dungeon = match &op.sel {
                    Sel::Selector(s) => {
                        matches!(&s.site, Some(Site::In(p)) if p.zones.contains(&Zone::Dungeon))
                    }
                    Sel::Ref(_) => true,
                };
                return from_dungeon && self.uncovers(op);
            }
            _ => return false,
        };
        let Sel::Selector(subject) = self.subject else {
            return self.subject == &op.sel;
        };
        match &op.sel {
            Sel::Selector(acted) => !self.apart(word, subject, acted),
            // The trigger says `another`, or the card has already left.
            Sel::Ref(Ref::This) => word != EventWord::Destroyed,
            Sel::Ref(_) => true,
        }
    }

    /// A room that leaves may uncover one the trigger waits for, but not one that was uncovered
    /// before.
    fn uncovers(&self, op: &Operand) -> bool {
        match (self.subject, &op.sel) {
            (Sel::Selector(subject), Sel::Selector(acted)) => {
                whose(subject).is_none_or(|yours| whose(acted) != Some(!yours))
            }
            (Sel::Selector(_), Sel::Ref(_)) => true,
            (Sel::Ref(_), _) => false,
        }
    }

    /// Whether what is acted on can never be what the trigger waits for.
    fn apart(&self, word: EventWord, subject: &Selector, acted: &Selector) -> bool {
        let clash =
            subject.adjectives.iter().filter_map(opposite).any(|other| acted.adjectives.contains(&other));
        let in_room = word == EventWord::Killed && self.object.is_some();
        let outside = matches!(&acted.site, Some(Site::In(p)) if !p.zones.contains(&Zone::Dungeon));
        let kinds =
            matches!((subject.noun, acted.noun), (Noun::Room, Noun::Spell) | (Noun::Spell, Noun::Room));
        let places = match (&subject.site, &acted.site) {
            (Some(Site::In(a)), Some(Site::In(b))) => !a.zones.iter().any(|zone| b.zones.contains(zone)),
            _ => false,
        };
        // Cards are discarded by their holder.
        let others = word == EventWord::Discarded
            && self.by == Some(&Who::Opponent)
            && matches!(&acted.site, Some(Site::In(p)) if p.zones == [Zone::Hand] && p.of.is_none());
        clash
            || kinds
            || places
            || others
            || in_room && outside
            || whose(subject).is_some_and(|a| whose(acted) == Some(!a))
    }
}

/// Whether one of the options is chosen when the action is declared.
pub fn is_declared(options: &[Vec<Stmt>]) -> bool {
    let declares = |stmt: &Stmt| {
        matches!(
            stmt.kind,
            StmtKind::Target { .. } | StmtKind::Number { .. } | StmtKind::Require(_) | StmtKind::Cost(_)
        )
    };
    options.iter().any(|option| option.iter().any(declares))
}

/// Whether the selector means your dungeon or opponents' dungeons.
fn whose(selector: &Selector) -> Option<bool> {
    match &selector.site {
        Some(Site::In(place)) if place.zones == [Zone::Dungeon] => match place.of {
            None | Some(Who::You) => Some(true),
            Some(Who::Opponent) => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn collect<'a>(body: &'a [Stmt], forced: bool, out: &mut Vec<(&'a Act, bool)>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Cost(act) | StmtKind::Act(act) => out.push((act, forced)),
            StmtKind::May { body, .. } => collect(body, false, out),
            StmtKind::Either { options, .. } => {
                options.iter().for_each(|option| collect(option, false, out));
            }
            StmtKind::If { then, otherwise, .. } => {
                collect(then, false, out);
                collect(otherwise, false, out);
            }
            StmtKind::Each { body, .. } | StmtKind::Repeat { body, .. } => collect(body, forced, out),
            StmtKind::Target { .. }
            | StmtKind::Choose { .. }
            | StmtKind::Number { .. }
            | StmtKind::Let { .. }
            | StmtKind::Require(_)
            | StmtKind::Until { .. } => {}
        }
    }
}
