//! A card as a whole: its facts, and which abilities it may have.

use super::body::{Body, Stage};
use super::fault::CheckFault;
use super::terms::Scope;
use super::{MAX_ABILITIES, MAX_COPIES, MAX_LIMITED, MAX_TITLE, copies, cost, endless};
use crate::code::MINIBOSS_LEVELS;
use crate::report::Problem;
use crate::tree::*;

pub fn check(card: &Card) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut add = |fault| problems.push(Problem::new(card.span, fault));
    if card.name.trim().is_empty() {
        add(CheckFault::NoName);
    }
    if card.name.contains('\n') || card.name.chars().count() > MAX_TITLE {
        add(CheckFault::NameForm);
    }
    if !(1..=MAX_COPIES).contains(&card.copies) {
        add(CheckFault::Copies { copies: card.copies });
    }
    facts(card, &mut add);
    let mut out = problems;
    abilities(card, &mut out);
    for ability in &card.abilities {
        out.extend(check_ability(card.kind, ability));
    }
    out.extend(endless::check(card));
    cost::HOME.check(card, &mut out);
    out
}

fn facts(card: &Card, add: &mut impl FnMut(CheckFault)) {
    use Kind::*;
    let kind = card.kind.word();
    let fields = &card.fields;
    let hero = matches!(card.kind, Hero | Epic);
    // The fact, whether it is there, and whether this kind of card needs it.
    let table = [
        ("xp", fields.xp.is_some(), card.kind == Boss),
        ("damage", fields.damage.is_some(), card.kind == Room),
        ("health", fields.health.is_some(), hero),
        ("players", fields.players.is_some(), hero),
    ];
    for (fact, there, wanted) in table {
        match (there, wanted) {
            (false, true) => add(CheckFault::MissingFact { kind, fact }),
            (true, false) => add(CheckFault::StrayFact { kind, fact }),
            _ => {}
        }
    }
    match (fields.subtype, card.kind) {
        (None, Room) => add(CheckFault::MissingFact { kind, fact: "monster` or `trap" }),
        (Some(subtype), of) if of != Room => {
            add(CheckFault::StrayFact { kind, fact: subtype.word() });
        }
        _ => {}
    }
    if fields.advanced && card.kind != Room {
        add(CheckFault::StrayFact { kind, fact: "advanced" });
    }
    if fields.portable && card.kind != Room {
        add(CheckFault::StrayFact { kind, fact: "portable" });
    }
    if fields.dark && !hero {
        add(CheckFault::StrayFact { kind, fact: "dark" });
    }
    match (fields.phases.as_slice(), card.kind) {
        ([], Spell) => add(CheckFault::MissingFact { kind, fact: "build` or `adventure" }),
        ([phase, ..], of) if !matches!(of, Item | Spell) => {
            add(CheckFault::StrayFact { kind, fact: phase.word() });
        }
        _ => {}
    }
    if matches!(card.kind, Spell | Miniboss)
        && let [class, ..] = fields.icons[..]
    {
        add(CheckFault::StrayFact { kind, fact: class.word() });
    }
    let mut range = |fact, value: Option<u16>, least, most| {
        if value.is_some_and(|n| !(least..=most).contains(&n)) {
            add(CheckFault::FactRange { fact, least, most });
        }
    };
    range("xp", fields.xp, 1, 9999);
    range("health", fields.health.map(u16::from), 1, 30);
    let damage = fields.damage.and_then(|d| match d {
        Damage::Fixed(n) => Some(u16::from(n)),
        Damage::Star => None,
    });
    range("damage", damage, 0, 20);
    let players = fields.players.and_then(|p| match p {
        Players::From(n) => Some(u16::from(n)),
        Players::Star => None,
    });
    range("players", players, 2, 6);
    let icons = match card.kind {
        Hero | Epic => 2,
        Item => 1,
        _ => 5,
    };
    range("class", Some(fields.icons.len() as u16), 0, icons);

    let lures = card.abilities.iter().any(|a| matches!(a.kind, AbilityKind::Lure { .. }));
    let lures = lures || card.abilities.iter().any(leaves_town);
    match (hero, fields.icons.is_empty(), lures) {
        (true, true, false) => add(CheckFault::NoLure),
        (true, false, true) if !card.abilities.iter().any(leaves_town) => add(CheckFault::IconAndLure),
        _ => {}
    }
    if fields.damage == Some(Damage::Star) && !card.abilities.iter().any(gives_damage) {
        add(CheckFault::StarWithoutRule);
    }
}

/// A hero that goes to a landmark when it is revealed, and so needs no lure.
fn leaves_town(ability: &Ability) -> bool {
    let AbilityKind::When { event, body, .. } = &ability.kind else { return false };
    let revealed =
        matches!(&event.kind, EventKind::Happens { words, .. } if words.contains(&EventWord::Revealed));
    let goes = |act: &Act| matches!(act, Act::Move { to: Destination::Place(place), .. } if place.zones == [Zone::Landmark]);
    revealed && endless::acts(body).any(goes)
}

fn gives_damage(ability: &Ability) -> bool {
    let AbilityKind::Always { from_hand: false, rule } = &ability.kind else {
        return false;
    };
    matches!(
        &rule.kind,
        RuleKind::Has { sel: Sel::Ref(Ref::This), stat: Stat::Damage, change: Change::Plus(_), .. }
    )
}

/// Which abilities the card has, how often, and with which limits.
fn abilities(card: &Card, out: &mut Vec<Problem>) {
    let kind = card.kind.word();
    levels(card, out);
    let mut seen = Vec::new();
    let mut limited = 0;
    for ability in &card.abilities {
        let name = header(&ability.kind);
        let fits = match name {
            "play" => matches!(card.kind, Kind::Item | Kind::Spell),
            "level up" => card.kind == Kind::Boss,
            "minion" => matches!(card.kind, Kind::Boss | Kind::Room),
            "lure" => card.kind.is_hero(),
            "instead of" => matches!(card.kind, Kind::Item | Kind::Room),
            "ability" if card.kind == Kind::Item => false,
            "always" => true,
            _ => card.kind != Kind::Spell,
        };
        let mut add = |fault| out.push(Problem::new(ability.span, fault));
        if !fits {
            add(CheckFault::MisplacedAbility { ability: name, kind });
        } else if matches!(name, "play" | "level up" | "minion" | "lure" | "instead of")
            && seen.contains(&name)
        {
            match name {
                "play" => add(CheckFault::OnePlay),
                _ => add(CheckFault::SecondAbility { ability: name }),
            }
        }
        seen.push(name);
        let limit = match &ability.kind {
            AbilityKind::Activated { limit, .. }
            | AbilityKind::When { limit, .. }
            | AbilityKind::InsteadOf { limit, .. } => *limit,
            _ => None,
        };
        match limit {
            Some(Limit::Turn) => limited += 1,
            Some(Limit::Hero) if !of_hero(&ability.kind) => {
                add(CheckFault::StrayLimit { limit: Limit::Hero.word() });
            }
            _ => {}
        }
        // The last level of a miniboss is paid for with the level.
        if ability.level < MINIBOSS_LEVELS && is_free(&ability.kind) {
            add(CheckFault::FreeAction);
        }
        if matches!(ability.kind, AbilityKind::Always { from_hand: true, .. }) && card.kind != Kind::Room {
            add(CheckFault::FromHand { kind });
        }
        if card.kind == Kind::Spell && name == "always" && !card.abilities.iter().any(scores_itself) {
            add(CheckFault::UnscoredSpell);
        }
        let stray = match &ability.kind {
            AbilityKind::LevelUp { body } => card.abilities.len() > 1 && copies(body),
            AbilityKind::Play { .. } if card.kind == Kind::Item => false,
            AbilityKind::Activated { body, .. }
            | AbilityKind::Play { body }
            | AbilityKind::Minion { body }
            | AbilityKind::When { body, .. }
            | AbilityKind::InsteadOf { body, .. } => copies(body),
            AbilityKind::Always { .. } | AbilityKind::Lure { .. } => false,
        };
        if stray {
            add(CheckFault::StrayCopy);
        }
        if let AbilityKind::Activated { from_hand, by, limit, .. } = &ability.kind {
            if *from_hand && card.kind != Kind::Room {
                add(CheckFault::FromHand { kind });
            } else if *from_hand && limit.is_some() {
                add(CheckFault::HandLimit);
            }
            match by {
                Some(Who::You | Who::Ref(_)) => add(CheckFault::UserNamed),
                Some(_) if *from_hand => add(CheckFault::UserNamed),
                _ => {}
            }
        }
    }
    let mut add = |fault| out.push(Problem::new(card.span, fault));
    if card.kind == Kind::Spell && !seen.contains(&"play") {
        add(CheckFault::OnePlay);
    }
    if limited > MAX_LIMITED {
        add(CheckFault::ManyLimits);
    }
    if card.abilities.len() > MAX_ABILITIES {
        add(CheckFault::ManyAbilities);
    }
}

/// A miniboss has its abilities in three levels, the last of which is used; no other card has any.
fn levels(card: &Card, out: &mut Vec<Problem>) {
    let kind = card.kind.word();
    if card.kind != Kind::Miniboss {
        let stray = card.abilities.iter().find(|ability| ability.level > 0);
        out.extend(stray.map(|ability| Problem::new(ability.span, CheckFault::StrayLevel { kind })));
        return;
    }
    let mut highest = 0;
    for ability in &card.abilities {
        let level = ability.level;
        let fault = match level {
            0 => Some(CheckFault::NoLevel),
            _ if level != highest && level != highest + 1 || level > MINIBOSS_LEVELS => {
                Some(CheckFault::LevelOrder { level })
            }
            MINIBOSS_LEVELS if !matches!(ability.kind, AbilityKind::Activated { .. }) => {
                Some(CheckFault::LastLevel { ability: header(&ability.kind) })
            }
            _ => None,
        };
        highest = highest.max(level);
        out.extend(fault.map(|fault| Problem::new(ability.span, fault)));
    }
    if highest < MINIBOSS_LEVELS {
        out.push(Problem::new(card.span, CheckFault::MissingLevel { level: highest + 1 }));
    }
}

/// The spell comes to lie in a scoring area.
fn scores_itself(ability: &Ability) -> bool {
    let AbilityKind::Play { body } = &ability.kind else { return false };
    endless::acts(body).any(
        |act| matches!(act, Act::Move { op, side: Some(Side::Faceup), .. } if op.sel == Sel::Ref(Ref::This)),
    )
}

pub(super) fn header(kind: &AbilityKind) -> &'static str {
    match kind {
        AbilityKind::Activated { .. } => "ability",
        AbilityKind::Play { .. } => "play",
        AbilityKind::When { .. } => "when",
        AbilityKind::InsteadOf { .. } => "instead of",
        AbilityKind::Always { .. } => "always",
        AbilityKind::LevelUp { .. } => "level up",
        AbilityKind::Minion { .. } => "minion",
        AbilityKind::Lure { .. } => "lure",
    }
}

/// Whether its owner could use it endlessly: an ability that costs nothing, or a spell that takes
/// itself back.
fn is_free(kind: &AbilityKind) -> bool {
    match kind {
        AbilityKind::Activated { limit: None, body, .. } => !is_paid(body),
        AbilityKind::Play { body } => endless::acts(body)
            .any(|act| matches!(act, Act::Take { op: Operand { sel: Sel::Ref(Ref::This), .. }, .. })),
        _ => false,
    }
}

/// Whether the cost uses something up: revealing a card does not, nor does giving up "all" of
/// nothing.
fn is_paid(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match &stmt.kind {
        StmtKind::Cost(Act::Simple { verb, op }) => {
            let all = matches!(&op.sel, Sel::Selector(selector) if selector.quant == Quant::All);
            *verb != Verb::Reveal && !all
        }
        StmtKind::Cost(Act::Counters { .. }) => true,
        StmtKind::Cost(Act::Coins { amount, .. }) => matches!(amount, Num::Int(_)),
        StmtKind::Either { by: None, options } => options.iter().all(|option| is_paid(option)),
        _ => false,
    })
}

/// `allow this built on SEL`, for a card that is not in play yet.
fn is_own_building(rule: &Rule) -> bool {
    let RuleKind::Allow { event, .. } = &rule.kind else { return false };
    matches!(&event.kind, EventKind::Happens { subject: Sel::Ref(Ref::This), words, by: None, .. }
        if words[..] == [EventWord::Built])
}

/// Whether the event happens to a hero.
fn of_hero(kind: &AbilityKind) -> bool {
    let AbilityKind::When { event, .. } = kind else {
        return false;
    };
    let EventKind::Happens { words, .. } = &event.kind else {
        return false;
    };
    words.iter().all(|word| matches!(word, EventWord::Enters | EventWord::Killed | EventWord::Survives))
}

fn check_ability(kind: Kind, ability: &Ability) -> Vec<Problem> {
    let mut scope = Scope::new(kind, ability.span);
    match &ability.kind {
        AbilityKind::Activated { from_hand, body, .. } => {
            scope.from_hand = *from_hand;
            Body::new(&mut scope).run(body, Stage::Declaration);
        }
        AbilityKind::Play { body } => {
            Body::new(&mut scope).run(body, Stage::Declaration);
        }
        AbilityKind::LevelUp { body } => Body::new(&mut scope).run(body, Stage::Trigger),
        AbilityKind::Minion { body } => {
            scope.minion = true;
            Body::new(&mut scope).run(body, Stage::Trigger);
        }
        AbilityKind::When { event, body, .. } => {
            scope.event(event, "when");
            Body::new(&mut scope).run(body, Stage::Trigger);
        }
        AbilityKind::InsteadOf { event, body, .. } => {
            scope.event(event, "instead of");
            Body::new(&mut scope).run(body, Stage::Trigger);
        }
        AbilityKind::Always { from_hand, rule } => {
            if *from_hand && !is_own_building(rule) {
                scope.fault(rule.span, CheckFault::HandRule);
            }
            scope.rule(rule, true);
        }
        AbilityKind::Lure { num, .. } => scope.lure(num),
    }
    scope.problems
}
