//! The lines a card file is made of, each by where it may appear.

use chumsky::prelude::*;

use super::label;
use super::terms::{P, Terms, byte, icon_type, kw, text, times, tree_span, upto, word};
use crate::lex::Tok;
use crate::tree::*;

/// The lines of a file, by where they may appear.
pub struct Grammar<'t, 's> {
    pub top: P<'t, 's, Top>,
    pub facts: P<'t, 's, FactLine>,
    pub header: P<'t, 's, Header>,
    pub line: P<'t, 's, Line>,
}

#[derive(Clone)]
pub enum Top {
    Set { code: String, title: String },
    Card { kind: Kind, name: String, copies: u8 },
}

pub type FactLine = (Option<String>, Vec<(Fact, SimpleSpan)>);

#[derive(Clone)]
pub enum Fact {
    Xp(u16),
    Damage(Damage),
    Health(u8),
    Players(Players),
    Subtype(Subtype),
    Advanced,
    Dark,
    Portable,
    Class(Class),
    Phase(Phase),
    Provenance(Provenance),
}

#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "one line at a time")]
pub enum Header {
    Ruling(String),
    Activated {
        from_hand: bool,
        phase: Option<Phase>,
        by: Option<Who>,
        limit: Option<Limit>,
    },
    Play,
    When(Event, Option<Limit>),
    InsteadOf(Event, Option<Limit>),
    LevelUp,
    Minion,
    /// The abilities of a miniboss's level follow in its block.
    Level(u8),
    /// The headers that need no block.
    Whole(AbilityKind),
}

#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "one line at a time")]
pub enum Line {
    /// The statements that need no block.
    Whole(StmtKind),
    May(Option<Who>),
    Either(Option<Who>),
    Or,
    If(Cond),
    Else,
    Each(Name, Sel),
    Repeat(u8),
    /// `until end of turn [once]`, with a block of abilities below it.
    Until(Lifetime, bool),
}

impl<'t, 's: 't> Grammar<'t, 's> {
    pub fn new() -> Grammar<'t, 's> {
        let terms = Terms::new();
        Grammar { top: top(), facts: facts(), header: header(&terms), line: line(&terms) }
    }
}

fn top<'t, 's: 't>() -> P<'t, 's, Top> {
    let code = select! { Tok::Word(w) if is_code(w) => w.to_owned() }.labelled(label::CODE);
    let set = kw("set").ignore_then(code).then(text());
    let card = word(Kind::WORDS, label::KIND).then(text()).then(times().or_not());
    choice((
        set.map(|(code, title)| Top::Set { code, title }),
        card.map(|((kind, name), copies)| Top::Card { kind, name, copies: copies.unwrap_or(1) }),
    ))
    .labelled(label::KIND)
    .then_ignore(end())
    .boxed()
}

pub fn is_code(word: &str) -> bool {
    word.len() <= 8 && word.bytes().all(|b| b.is_ascii_uppercase())
}

/// Letters of a set, then digits: `BMR027`.
pub fn is_number(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_uppercase());
    word.len() <= 12
        && digits.len() < word.len()
        && !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
}

fn facts<'t, 's: 't>() -> P<'t, 's, FactLine> {
    let number =
        choice((just(Tok::Minus).to(None), select! { Tok::Word(w) if is_number(w) => Some(w.to_owned()) }))
            .labelled(label::NUMBER);
    let damage = choice((just(Tok::Star).to(Damage::Star), byte().map(Damage::Fixed)));
    let confidence = word(Confidence::WORDS, label::CONFIDENCE);
    let fact = choice((
        kw("xp").ignore_then(upto(crate::lex::MAX_NUMBER)).map(|n| Fact::Xp(n as u16)),
        kw("damage").ignore_then(damage).map(Fact::Damage),
        kw("health").ignore_then(byte()).map(Fact::Health),
        kw("players").ignore_then(byte()).map(|n| Fact::Players(Players::From(n))),
        kw("star").to(Fact::Players(Players::Star)),
        kw("advanced").to(Fact::Advanced),
        kw("dark").to(Fact::Dark),
        kw("portable").to(Fact::Portable),
        kw("house").to(Fact::Provenance(Provenance::House)),
        kw("published").ignore_then(confidence).map(|c| Fact::Provenance(Provenance::Published(c))),
        word(Subtype::WORDS, label::FACT).map(Fact::Subtype),
        word(Class::WORDS, label::FACT).map(Fact::Class),
        word(Phase::OF_ACTIONS, label::FACT).map(Fact::Phase),
    ))
    .labelled(label::FACT)
    .map_with(|fact, e| (fact, e.span()));
    number.then(fact.repeated().collect()).then_ignore(end()).boxed()
}

fn header<'t, 's: 't>(terms: &Terms<'t, 's>) -> P<'t, 's, Header> {
    let limit = word(Limit::WORDS, label::LIMIT).or_not();
    let event = event(terms);
    let from_hand = kw("from").ignore_then(kw("hand")).or_not().map(|found| found.is_some());
    let phase = kw("in").ignore_then(word(Phase::OF_ACTIONS, label::PHASE)).or_not();
    let by = kw("by").ignore_then(terms.who.clone()).or_not();
    let most = choice((kw("most").to(true), kw("fewest").to(false)));
    choice((
        kw("ruling").ignore_then(text()).map(Header::Ruling),
        kw("ability")
            .ignore_then(from_hand.clone())
            .then(phase)
            .then(by)
            .then(limit.clone())
            .map(|(((from_hand, phase), by), limit)| Header::Activated { from_hand, phase, by, limit }),
        kw("play").to(Header::Play),
        kw("when")
            .ignore_then(event.clone())
            .then(limit.clone())
            .map(|(event, limit)| Header::When(event, limit)),
        kw("instead")
            .ignore_then(kw("of"))
            .ignore_then(event)
            .then(limit)
            .map(|(event, limit)| Header::InsteadOf(event, limit)),
        kw("always")
            .ignore_then(from_hand)
            .then_ignore(just(Tok::Colon))
            .then(rule(terms))
            .map(|(from_hand, rule)| Header::Whole(AbilityKind::Always { from_hand, rule })),
        kw("minion").to(Header::Minion),
        kw("level").ignore_then(choice((kw("up").to(Header::LevelUp), byte().map(Header::Level)))),
        kw("lure")
            .ignore_then(most)
            .then(terms.num.clone())
            .map(|(most, num)| Header::Whole(AbilityKind::Lure { most, num })),
    ))
    .labelled(label::HEADER)
    .then_ignore(end())
    .boxed()
}

fn line<'t, 's: 't>(terms: &Terms<'t, 's>) -> P<'t, 's, Line> {
    let Terms { name, sel, num, cond, who, .. } = terms;
    let by = kw("by").ignore_then(who.clone()).or_not().boxed();
    let bound = name.clone().then_ignore(just(Tok::Equal)).then(sel.clone()).boxed();
    let act = act(terms);
    choice((
        kw("target")
            .ignore_then(name.clone())
            .then_ignore(just(Tok::Equal))
            .then_ignore(kw("number"))
            .then(num.clone())
            .then_ignore(kw("to"))
            .then(num.clone())
            .map(|((name, from), to)| Line::Whole(StmtKind::Number { name, from, to })),
        kw("let")
            .ignore_then(name.clone())
            .then_ignore(just(Tok::Equal))
            .then(num.clone())
            .map(|(name, num)| Line::Whole(StmtKind::Let { name, num })),
        kw("target")
            .ignore_then(bound.clone())
            .map(|(name, sel)| Line::Whole(StmtKind::Target { name, sel })),
        kw("choose")
            .ignore_then(bound.clone())
            .then(by.clone())
            .map(|((name, sel), by)| Line::Whole(StmtKind::Choose { name, sel, by })),
        kw("require").ignore_then(cond.clone()).map(|c| Line::Whole(StmtKind::Require(c))),
        kw("cost").ignore_then(act.clone()).map(|a| Line::Whole(StmtKind::Cost(a))),
        kw("may").ignore_then(by.clone()).map(Line::May),
        kw("either").ignore_then(by).map(Line::Either),
        kw("or").to(Line::Or),
        kw("if").ignore_then(cond.clone()).map(Line::If),
        kw("else").to(Line::Else),
        kw("repeat").ignore_then(byte()).map(Line::Repeat),
        kw("each").ignore_then(bound).map(|(name, sel)| Line::Each(name, sel)),
        kw("until")
            .ignore_then(kw("end"))
            .ignore_then(kw("of"))
            .ignore_then(word(Lifetime::WORDS, label::LIFETIME))
            .then(kw("once").or_not().map(|found| found.is_some()))
            .then(just(Tok::Colon).ignore_then(rule(terms)).or_not())
            .map(|((lifetime, once), rule)| match rule {
                Some(rule) => Line::Whole(StmtKind::Until { lifetime, once, what: Lasting::Rule(rule) }),
                None => Line::Until(lifetime, once),
            }),
        act.map(|a| Line::Whole(StmtKind::Act(a))),
    ))
    .labelled(label::STATEMENT)
    .then_ignore(end())
    .boxed()
}

fn act<'t, 's: 't>(terms: &Terms<'t, 's>) -> P<'t, 's, Act> {
    let Terms { name, reference, who, place, sel, num, .. } = terms;
    let op = name
        .clone()
        .then_ignore(just(Tok::Equal))
        .or_not()
        .then(sel.clone())
        .map(|(name, sel)| Operand { name, sel })
        .boxed();
    let for_who = kw("for").ignore_then(who.clone()).or_not();
    let back = word(Back::WORDS, label::BACK);
    let destination = choice((place.clone().map(Destination::Place), sel.clone().map(Destination::Room)));
    choice((
        kw("draw")
            .ignore_then(name.clone().then_ignore(just(Tok::Equal)).or_not())
            .then(back)
            .then(num.clone())
            .then(for_who.clone())
            .map(|(((name, deck), count), by)| Act::Draw { name, deck, count, by }),
        choice((kw("gain").to(false), kw("pay").to(true)))
            .then_ignore(kw("coin"))
            .then(num.clone())
            .then(for_who.clone())
            .then(kw("to").ignore_then(who.clone()).or_not())
            .then(kw("on").ignore_then(reference.clone()).or_not())
            .map(|((((pay, amount), by), to), on)| Act::Coins { pay, amount, by, to, on }),
        kw("swap")
            .ignore_then(kw("hoard"))
            .ignore_then(kw("and"))
            .ignore_then(kw("hoard"))
            .ignore_then(kw("of"))
            .ignore_then(who.clone())
            .map(|with| Act::SwapHoards { with }),
        kw("attach")
            .ignore_then(op.clone())
            .then_ignore(kw("to"))
            .then(sel.clone())
            .map(|(op, to)| Act::Attach { op, to }),
        kw("look").ignore_then(place.clone()).map(|place| Act::Look { place }),
        kw("take").ignore_then(op.clone()).then(for_who).map(|(op, by)| Act::Take { op, by }),
        kw("move")
            .ignore_then(op.clone())
            .then_ignore(kw("to"))
            .then(destination)
            .then(word(Side::WORDS, label::SIDE).or_not())
            .map(|((op, to), side)| Act::Move { op, to, side }),
        kw("arrange")
            .ignore_then(place.clone())
            .then(kw("reversed").or_not())
            .map(|(place, reversed)| Act::Arrange { place, reversed: reversed.is_some() }),
        kw("swap")
            .ignore_then(reference.clone())
            .then_ignore(kw("and"))
            .then(reference.clone())
            .map(|(a, b)| Act::Swap { a, b }),
        kw("damage").ignore_then(op.clone()).then(num.clone()).map(|(op, amount)| Act::Damage { op, amount }),
        kw("skip").ignore_then(op.clone()).then(num.clone()).map(|(op, rooms)| Act::Skip { op, rooms }),
        kw("build")
            .ignore_then(op.clone())
            .then(kw("on").ignore_then(sel.clone()).or_not())
            .map(|(op, on)| Act::Build { op, on }),
        choice((kw("gain").to(true), kw("lose").to(false)))
            .then_ignore(kw("counter"))
            .then(num.clone())
            .then_ignore(kw("on"))
            .then(op.clone())
            .map(|((gain, amount), op)| Act::Counters { gain, amount, op }),
        kw("trigger")
            .ignore_then(op.clone())
            .then(word(EventWord::WORDS, label::WORD).separated_by(kw("or")).at_least(1).collect::<Vec<_>>())
            .map(|(op, words)| Act::Trigger { op, words }),
        word(Verb::WORDS, label::VERB).then(op).map(|(verb, op)| Act::Simple { verb, op }),
    ))
    .labelled(label::VERB)
    .boxed()
}

fn rule<'t, 's: 't>(terms: &Terms<'t, 's>) -> P<'t, 's, Rule> {
    let Terms { name, sel, num, cond, .. } = terms;
    let during = kw("while").ignore_then(cond.clone()).or_not();
    let zero = select! { Tok::Int(0) => Change::Zero }.labelled(label::ZERO);
    let change = choice((
        just(Tok::Plus).ignore_then(num.clone()).map(Change::Plus),
        just(Tok::Minus).ignore_then(num.clone()).map(Change::Minus),
        just(Tok::Equal).ignore_then(zero),
        times().map(Change::Times),
    ));
    let forbid = kw("forbid")
        .ignore_then(event(terms))
        .then(during.clone())
        .map(|(event, during)| RuleKind::Forbid { event, during });
    let allow = kw("allow")
        .ignore_then(event(terms))
        .then(during.clone())
        .map(|(event, during)| RuleKind::Allow { event, during });
    let icon = icon_type(name);
    let stat = choice((
        word(Stat::WORDS, label::STAT).map(|stat| (None, stat)),
        icon.then_ignore(kw("icon")).map(|icon| (Some(icon), Stat::Icon)),
    ));
    let has = choice((kw("has"), kw("have"))).ignore_then(stat).then(change);
    let is = kw("is").ignore_then(word(Status::WORDS, label::STATUS));
    let about = sel
        .clone()
        .then(choice((
            has.map(|((icon, stat), change)| Predicate::Has(icon, stat, change)),
            is.map(Predicate::Is),
        )))
        .then(kw("against").ignore_then(sel.clone()).or_not())
        .then(during)
        .map(|(((sel, predicate), against), during)| match predicate {
            Predicate::Has(icon, stat, change) => RuleKind::Has { sel, icon, stat, change, against, during },
            Predicate::Is(status) => RuleKind::Is { sel, status, against, during },
        });
    choice((forbid, allow, about)).map_with(|kind, e| Rule { kind, span: tree_span(e.span()) }).boxed()
}

/// What a rule says about its selector.
#[derive(Clone)]
enum Predicate {
    Has(Option<IconType>, Stat, Change),
    Is(Status),
}

/// The place of an object depends on the last word before it.
fn event<'t, 's: 't>(terms: &Terms<'t, 's>) -> P<'t, 's, Event> {
    let Terms { name, who, place, sel, .. } = terms;
    let on = choice((
        kw("on").ignore_then(sel.clone()).map(Object::On),
        kw("beside").ignore_then(terms.reference.clone()).map(Object::Beside),
    ))
    .boxed();
    let room = kw("in").ignore_then(sel.clone()).map(Object::Room).boxed();
    let named = name.clone().then_ignore(just(Tok::Equal)).then(sel.clone());
    let entered = choice((
        named.map(|(name, sel)| Object::Named(name, sel)),
        place.clone().map(Object::Place),
        sel.clone().map(Object::Room),
    ))
    .boxed();
    let happening = choice(
        EventWord::WORDS
            .iter()
            .map(|&(text, word)| {
                let word = kw(text).map(move |()| word);
                match text {
                    "built" => word.then(on.clone().or_not()).boxed(),
                    "killed" => word.then(room.clone().or_not()).boxed(),
                    "enters" | "survives" => word.then(entered.clone().or_not()).boxed(),
                    _ => word.map(|word| (word, None)).boxed(),
                }
            })
            .collect::<Vec<_>>(),
    )
    .labelled(label::WORD);
    let earlier = word(EventWord::WORDS, label::WORD).then_ignore(kw("or")).repeated().collect::<Vec<_>>();
    // A bare word is a player, a reference a card.
    let cause = choice((
        kw("you").to(Cause::Who(Who::You)),
        kw("opponent").to(Cause::Who(Who::Opponent)),
        kw("player").to(Cause::Who(Who::Player)),
        kw("any").to(Cause::Who(Who::Any)),
        sel.clone().map(|sel| match sel {
            Sel::Ref(owner @ Ref::OwnerOf(_)) => Cause::Who(Who::Ref(owner)),
            sel => Cause::Card(sel),
        }),
    ));
    let happens = name
        .clone()
        .then_ignore(just(Tok::Equal))
        .or_not()
        .then(sel.clone())
        .then(earlier)
        .then(happening)
        .then(kw("by").ignore_then(who.clone()).or_not())
        .then(kw("because").ignore_then(kw("of")).ignore_then(cause).or_not())
        .map(|(((((name, subject), mut words), (last, object)), by), because)| {
            words.push(last);
            EventKind::Happens { name, subject, words, object, by, because }
        });
    choice((
        kw("turn").ignore_then(kw("draw")).to(EventKind::TurnDraw),
        kw("end").ignore_then(kw("of")).ignore_then(kw("turn")).to(EventKind::EndOfTurn),
        kw("start").ignore_then(kw("of")).ignore_then(kw("build")).to(EventKind::StartOfBuild),
        kw("coin")
            .ignore_then(kw("gained"))
            .ignore_then(kw("by").ignore_then(who.clone()).or_not())
            .map(|by| EventKind::CoinGained { by }),
        happens,
    ))
    .labelled(label::EVENT)
    .map_with(|kind, e| Event { kind, span: tree_span(e.span()) })
    .boxed()
}
