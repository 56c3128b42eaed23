//! Arbitrary trees: everything the grammar can express, whether or not it makes sense.
//!
//! Left out is what the text cannot distinguish, or refuses: `Who::Ref(Ref::You)` reads as
//! `Who::You`, blocks are never empty, an object belongs to the last word of its event, a cause
//! that is a bare word or an owner is a player and any other reference a card, and an `on` behind an
//! item or a miniboss without a place is its place.

use std::cell::RefCell;
use std::collections::HashMap;

use cards::lex::is_name;
use cards::tree::*;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// Builds a strategy once for each thread and depth; the trees of strategies are large.
macro_rules! once {
    ($type:ty, $depth:expr, $make:expr) => {{
        thread_local! {
            static MADE: RefCell<HashMap<u32, BoxedStrategy<$type>>> = RefCell::default();
        }
        let depth: u32 = $depth;
        match MADE.with_borrow(|made| made.get(&depth).cloned()) {
            Some(made) => made,
            None => {
                let made = $make.boxed();
                MADE.with_borrow_mut(|all| all.insert(depth, made.clone()));
                made
            }
        }
    }};
}

fn of<T: Copy + std::fmt::Debug + 'static>(
    words: &'static [(&'static str, T)],
) -> impl Strategy<Value = T> + Clone {
    select(words).prop_map(|(_, value)| value)
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{1,12}",
        "[\\p{Latin}\\p{Greek}\\p{Cyrillic}\\p{Han}\\p{Hebrew}]{1,8}",
        Just("two\nlines".to_owned())
    ]
}

pub fn set() -> impl Strategy<Value = Set> {
    ("[A-Z]{1,8}", text(), vec(card(), 0..4)).prop_map(|(code, title, cards)| Set { code, title, cards })
}

fn card() -> impl Strategy<Value = Card> {
    let words = (of(Kind::WORDS), text(), any::<u8>());
    let ability = (ability(), 0..4u8).prop_map(|(ability, level)| Ability { level, ..ability });
    (words, fields(), vec(text(), 0..3), vec(ability, 0..3)).prop_map(
        |((kind, name, copies), fields, rulings, abilities)| {
            let span = Span::default();
            Card { kind, name, copies, fields, rulings, abilities, span }
        },
    )
}

fn fields() -> impl Strategy<Value = Fields> {
    let damage = prop_oneof![Just(Damage::Star), any::<u8>().prop_map(Damage::Fixed)];
    let players = prop_oneof![Just(Players::Star), any::<u8>().prop_map(Players::From)];
    let phases = vec![
        vec![],
        vec![Phase::Build],
        vec![Phase::Adventure],
        vec![Phase::Build, Phase::Adventure],
        vec![Phase::Adventure, Phase::Build],
    ];
    let provenance =
        prop_oneof![Just(Provenance::House), of(Confidence::WORDS).prop_map(Provenance::Published),];
    let numbers = (
        option::of("[A-Z]{1,6}[0-9]{1,4}"),
        option::of(0..=9999u16),
        option::of(damage),
        option::of(any::<u8>()),
        option::of(players),
    );
    let words = (
        option::of(of(Subtype::WORDS)),
        any::<(bool, bool, bool)>(),
        vec(of(Class::WORDS), 0..4),
        select(phases),
        provenance,
    );
    (numbers, words).prop_map(|((number, xp, damage, health, players), words)| {
        let (subtype, (advanced, dark, portable), icons, phases, provenance) = words;
        Fields {
            number,
            xp,
            damage,
            health,
            players,
            subtype,
            advanced,
            dark,
            portable,
            icons,
            phases,
            provenance,
        }
    })
}

fn ability() -> impl Strategy<Value = Ability> {
    let limit = || option::of(of(Limit::WORDS));
    prop_oneof![
        (any::<bool>(), option::of(of(Phase::OF_ACTIONS)), option::of(who()), limit(), body(3)).prop_map(
            |(from_hand, phase, by, limit, body)| AbilityKind::Activated {
                from_hand,
                phase,
                by,
                limit,
                body
            }
        ),
        body(3).prop_map(|body| AbilityKind::Play { body }),
        body(2).prop_map(|body| AbilityKind::LevelUp { body }),
        body(2).prop_map(|body| AbilityKind::Minion { body }),
        (event(), limit(), body(2)).prop_map(|(event, limit, body)| AbilityKind::When { event, limit, body }),
        (event(), limit(), body(1)).prop_map(|(event, limit, body)| AbilityKind::InsteadOf {
            event,
            limit,
            body
        }),
        (any::<bool>(), rule()).prop_map(|(from_hand, rule)| AbilityKind::Always { from_hand, rule }),
        (any::<bool>(), num(2)).prop_map(|(most, num)| AbilityKind::Lure { most, num }),
    ]
    .prop_map(|kind| Ability { kind, level: 0, span: Span::default() })
}

fn body(depth: u32) -> BoxedStrategy<Vec<Stmt>> {
    once!(Vec<Stmt>, depth, make_body(depth))
}

fn make_body(depth: u32) -> BoxedStrategy<Vec<Stmt>> {
    vec(stmt(depth), 1..4).boxed()
}

fn stmt(depth: u32) -> BoxedStrategy<Stmt> {
    once!(Stmt, depth, make_stmt(depth))
}

fn make_stmt(depth: u32) -> BoxedStrategy<Stmt> {
    let plain = prop_oneof![
        (name(), sel(2)).prop_map(|(name, sel)| StmtKind::Target { name, sel }),
        (name(), sel(2), option::of(who())).prop_map(|(name, sel, by)| StmtKind::Choose { name, sel, by }),
        (name(), num(2), num(2)).prop_map(|(name, from, to)| StmtKind::Number { name, from, to }),
        (name(), num(2)).prop_map(|(name, num)| StmtKind::Let { name, num }),
        cond(3).prop_map(StmtKind::Require),
        act().prop_map(StmtKind::Cost),
        act().prop_map(StmtKind::Act),
        (of(Lifetime::WORDS), any::<bool>(), rule()).prop_map(|(lifetime, once, rule)| StmtKind::Until {
            lifetime,
            once,
            what: Lasting::Rule(rule)
        }),
    ];
    if depth == 0 {
        return plain.prop_map(statement).boxed();
    }
    let inner = move || body(depth - 1);
    prop_oneof![
        4 => plain,
        1 => (option::of(who()), inner()).prop_map(|(by, body)| StmtKind::May { by, body }),
        1 => (option::of(who()), vec(inner(), 1..4))
            .prop_map(|(by, options)| StmtKind::Either { by, options }),
        1 => (cond(2), inner(), prop_oneof![Just(Vec::new()).boxed(), inner()])
            .prop_map(|(cond, then, otherwise)| StmtKind::If { cond, then, otherwise }),
        1 => (of(Lifetime::WORDS), any::<bool>(), vec((event(), option::of(of(Limit::WORDS)), inner()), 1..3))
            .prop_map(|(lifetime, once, whens)| {
                StmtKind::Until { lifetime, once, what: Lasting::Abilities(abilities(whens)) }
            }),
        1 => (any::<u8>(), inner()).prop_map(|(times, body)| StmtKind::Repeat { times, body }),
        1 => (name(), sel(1), inner())
            .prop_map(|(name, sel, body)| StmtKind::Each { name, sel, body }),
    ]
    .prop_map(statement)
    .boxed()
}

fn abilities(whens: Vec<(Event, Option<Limit>, Vec<Stmt>)>) -> Vec<Ability> {
    let kinds = whens.into_iter().map(|(event, limit, body)| AbilityKind::When { event, limit, body });
    kinds.map(|kind| Ability { kind, level: 0, span: Span::default() }).collect()
}

fn statement(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::default() }
}

fn name() -> BoxedStrategy<Name> {
    once!(Name, 0, make_name())
}

fn make_name() -> impl Strategy<Value = Name> + 'static {
    let short = "[a-z]{1,4}".prop_filter("a word of the language", |text| is_name(text));
    short.prop_map(|text| Name { text, span: Span::default() })
}

fn act() -> BoxedStrategy<Act> {
    once!(Act, 0, make_act())
}

fn make_act() -> impl Strategy<Value = Act> + 'static {
    let to = prop_oneof![place().prop_map(Destination::Place), sel(1).prop_map(Destination::Room),];
    prop_oneof![
        (option::of(name()), of(Back::WORDS), num(2), option::of(who()))
            .prop_map(|(name, deck, count, by)| Act::Draw { name, deck, count, by }),
        (any::<bool>(), num(2), option::of(who()), option::of(who()), option::of(reference()))
            .prop_map(|(pay, amount, by, to, on)| Act::Coins { pay, amount, by, to, on }),
        who().prop_map(|with| Act::SwapHoards { with }),
        (op(), sel(1)).prop_map(|(op, to)| Act::Attach { op, to }),
        place().prop_map(|place| Act::Look { place }),
        (op(), option::of(who())).prop_map(|(op, by)| Act::Take { op, by }),
        (op(), to, option::of(of(Side::WORDS))).prop_map(|(op, to, side)| Act::Move { op, to, side }),
        (place(), any::<bool>()).prop_map(|(place, reversed)| Act::Arrange { place, reversed }),
        (reference(), reference()).prop_map(|(a, b)| Act::Swap { a, b }),
        (op(), num(2)).prop_map(|(op, amount)| Act::Damage { op, amount }),
        (op(), num(2)).prop_map(|(op, rooms)| Act::Skip { op, rooms }),
        (op(), option::of(sel(1))).prop_map(|(op, on)| Act::Build { op, on }),
        (any::<bool>(), num(2), op()).prop_map(|(gain, amount, op)| Act::Counters { gain, amount, op }),
        (op(), vec(of(EventWord::WORDS), 1..3)).prop_map(|(op, words)| Act::Trigger { op, words }),
        (of(Verb::WORDS), op()).prop_map(|(verb, op)| Act::Simple { verb, op }),
    ]
}

fn op() -> BoxedStrategy<Operand> {
    once!(Operand, 0, make_op())
}

fn make_op() -> impl Strategy<Value = Operand> + 'static {
    (option::of(name()), sel(2)).prop_map(|(name, sel)| Operand { name, sel })
}

fn reference() -> BoxedStrategy<Ref> {
    once!(Ref, 0, make_reference())
}

fn make_reference() -> impl Strategy<Value = Ref> + 'static {
    let leaf = prop_oneof![
        Just(Ref::This),
        Just(Ref::It),
        Just(Ref::You),
        Just(Ref::Host),
        name().prop_map(Ref::Name),
    ];
    leaf.prop_recursive(2, 3, 1, |r| {
        prop_oneof![
            r.clone().prop_map(|r| Ref::OwnerOf(Box::new(r))),
            r.prop_map(|r| Ref::HostOf(Box::new(r))),
        ]
    })
    .boxed()
}

fn who() -> BoxedStrategy<Who> {
    once!(Who, 0, make_who())
}

fn make_who() -> impl Strategy<Value = Who> + 'static {
    let other = reference().prop_map(|r| if r == Ref::You { Who::You } else { Who::Ref(r) });
    prop_oneof![Just(Who::You), Just(Who::Opponent), Just(Who::Player), Just(Who::Any), other]
}

fn place() -> BoxedStrategy<Place> {
    once!(Place, 0, make_place())
}

fn make_place() -> impl Strategy<Value = Place> + 'static {
    (vec(of(Zone::WORDS), 1..4), option::of(who())).prop_map(|(zones, of)| Place {
        zones,
        of,
        span: Span::default(),
    })
}

fn sel(depth: u32) -> BoxedStrategy<Sel> {
    once!(Sel, depth, make_sel(depth))
}

fn make_sel(depth: u32) -> BoxedStrategy<Sel> {
    let quant = prop_oneof![
        Just(Quant::Bare),
        any::<u8>().prop_map(Quant::Count),
        Just(Quant::All),
        (0..4u8).prop_map(Quant::Random),
        (0..4u8).prop_map(Quant::Top),
        Just(Quant::First),
        any::<u8>().prop_map(Quant::Leading),
        Just(Quant::Last),
    ];
    let site = prop_oneof![
        place().prop_map(Site::In),
        reference().prop_map(Site::InRef),
        reference().prop_map(Site::LeftOf),
        reference().prop_map(Site::RightOf),
        reference().prop_map(Site::Beside),
        reference().prop_map(Site::Under),
    ];
    let cond = match depth {
        0 => Just(None).boxed(),
        depth => option::of(cond(depth - 1)).boxed(),
    };
    let words = (quant, vec(of(Adjective::words()), 0..3), of(Noun::WORDS));
    let selector = (words, option::of(site), option::of(reference()), cond);
    let selector = selector.prop_map(|((quant, adjectives, noun), site, but, cond)| {
        let site = match (noun, site) {
            (Noun::Item | Noun::Miniboss, None) => Some(Site::On(Ref::It)),
            (_, site) => site,
        };
        let span = Span::default();
        Sel::Selector(Box::new(Selector { quant, adjectives, noun, site, but, cond, span }))
    });
    prop_oneof![1 => reference().prop_map(Sel::Ref), 3 => selector].boxed()
}

fn num(depth: u32) -> BoxedStrategy<Num> {
    once!(Num, depth, make_num(depth))
}

fn make_num(depth: u32) -> BoxedStrategy<Num> {
    let leaf = prop_oneof![
        any::<u8>().prop_map(Num::Int),
        sel(depth.min(1)).prop_map(Num::Count),
        (of(Points::WORDS), who()).prop_map(|(points, who)| Num::Points(points, who)),
        (any::<bool>(), of(Value::WORDS), reference()).prop_map(|(printed, value, of)| Num::Value {
            printed,
            value,
            of
        }),
        any::<u8>().prop_map(Num::Roll),
        reference().prop_map(Num::Counters),
        reference().prop_map(Num::Coins),
        name().prop_map(Num::Name),
        (any::<u8>(), any::<u8>()).prop_map(|(n, of)| Num::Times(n, Box::new(Num::Int(of)))),
        (any::<u8>(), name()).prop_map(|(n, of)| Num::Times(n, Box::new(Num::Name(of)))),
        (option::of(icon()), icon_site()).prop_map(|(icon, site)| Num::Icons { icon, site }),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let two = || (num(depth - 1), num(depth - 1)).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
    prop_oneof![
        3 => leaf,
        1 => two().prop_map(|(a, b)| Num::Add(a, b)),
        1 => two().prop_map(|(a, b)| Num::Sub(a, b)),
    ]
    .boxed()
}

fn icon() -> impl Strategy<Value = IconType> + Clone {
    prop_oneof![of(Class::WORDS).prop_map(IconType::Class), name().prop_map(IconType::Name)]
}

fn icon_site() -> impl Strategy<Value = IconSite> {
    prop_oneof![reference().prop_map(IconSite::On), place().prop_map(IconSite::In)]
}

fn cond(depth: u32) -> BoxedStrategy<Cond> {
    once!(Cond, depth, make_cond(depth))
}

fn make_cond(depth: u32) -> BoxedStrategy<Cond> {
    let below = depth.saturating_sub(1);
    let leaf = prop_oneof![
        sel(below.min(1)).prop_map(Cond::Some),
        sel(below.min(1)).prop_map(Cond::No),
        (num(below.min(1)), of(Comparison::WORDS), num(below.min(1)))
            .prop_map(|(a, how, b)| Cond::Compare(a, how, b)),
        (reference(), of(Adjective::words())).prop_map(|(r, adjective)| Cond::Is(r, adjective)),
        (reference(), place()).prop_map(|(r, place)| Cond::In(r, place)),
        Just(Cond::Done),
        Just(Cond::Active),
        Just(Cond::Promoted),
        (reference(), of(Noun::OF_CARDS)).prop_map(|(r, noun)| Cond::IsA(r, noun)),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let two = move || (cond(below), cond(below)).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
    prop_oneof![
        3 => leaf,
        1 => cond(below).prop_map(|c| Cond::Not(Box::new(c))),
        1 => two().prop_map(|(a, b)| Cond::And(a, b)),
        1 => two().prop_map(|(a, b)| Cond::Or(a, b)),
    ]
    .boxed()
}

fn rule() -> BoxedStrategy<Rule> {
    once!(Rule, 0, make_rule())
}

fn make_rule() -> impl Strategy<Value = Rule> + 'static {
    let change = prop_oneof![
        num(2).prop_map(Change::Plus),
        num(2).prop_map(Change::Minus),
        any::<u8>().prop_map(Change::Times),
        Just(Change::Zero),
    ];
    let stat = prop_oneof![
        of(Stat::WORDS).prop_map(|stat| (None, stat)),
        icon().prop_map(|icon| (Some(icon), Stat::Icon)),
    ];
    prop_oneof![
        (sel(1), stat, change, option::of(sel(1)), option::of(cond(2))).prop_map(
            |(sel, (icon, stat), change, against, during)| {
                RuleKind::Has { sel, icon, stat, change, against, during }
            }
        ),
        (sel(1), of(Status::WORDS), option::of(sel(1)), option::of(cond(2)))
            .prop_map(|(sel, status, against, during)| RuleKind::Is { sel, status, against, during }),
        (event(), option::of(cond(2))).prop_map(|(event, during)| RuleKind::Allow { event, during }),
        (event(), option::of(cond(2))).prop_map(|(event, during)| RuleKind::Forbid { event, during }),
    ]
    .prop_map(|kind| Rule { kind, span: Span::default() })
}

fn event() -> BoxedStrategy<Event> {
    once!(Event, 0, make_event())
}

/// A bare `opponent` and an owner read as players.
fn cause_card(sel: Sel) -> Cause {
    match sel {
        Sel::Ref(Ref::You) => Cause::Who(Who::You),
        Sel::Ref(r @ Ref::OwnerOf(_)) => Cause::Who(Who::Ref(r)),
        Sel::Ref(r) => Cause::Card(Sel::Ref(r)),
        Sel::Selector(mut selector) => {
            if matches!(selector.noun, Noun::Opponent | Noun::Player) {
                selector.noun = Noun::Card;
            }
            Cause::Card(Sel::Selector(selector))
        }
    }
}

fn make_event() -> impl Strategy<Value = Event> + 'static {
    let into = select(vec![EventWord::Enters, EventWord::Survives]);
    let what = prop_oneof![
        (Just(EventWord::Built), option::of(sel(1).prop_map(Object::On))),
        (Just(EventWord::Built), option::of(reference().prop_map(Object::Beside))),
        (Just(EventWord::Killed), option::of(sel(1).prop_map(Object::Room))),
        (into.clone(), option::of(sel(1).prop_map(Object::Room))),
        (into.clone(), (name(), sel(1)).prop_map(|(name, sel)| Some(Object::Named(name, sel)))),
        (into, option::of(place().prop_map(Object::Place))),
        (of(EventWord::WORDS), Just(None)),
    ];
    let cause = prop_oneof![
        select(vec![Who::You, Who::Opponent, Who::Player, Who::Any]).prop_map(Cause::Who),
        reference().prop_map(|r| Cause::Who(Who::Ref(Ref::OwnerOf(Box::new(r))))),
        sel(1).prop_map(cause_card),
    ];
    let happens = (
        option::of(name()),
        sel(1),
        vec(of(EventWord::WORDS), 0..2),
        what,
        option::of(who()),
        option::of(cause),
    );
    prop_oneof![
        1 => Just(EventKind::TurnDraw),
        1 => Just(EventKind::EndOfTurn),
        1 => Just(EventKind::StartOfBuild),
        1 => option::of(who()).prop_map(|by| EventKind::CoinGained { by }),
        8 => happens.prop_map(|(name, subject, mut words, (last, object), by, because)| {
            words.push(last);
            EventKind::Happens { name, subject, words, object, by, because }
        }),
    ]
    .prop_map(|kind| Event { kind, span: Span::default() })
}
