//! The grammar of one line, as combinators over its tokens.
//!
//! Numbers: sums and differences lean left, and parentheses stand only around a right operand, so
//! a number never begins with one. Conditions: `not` binds tighter than `and`, `and` tighter than
//! `or`, both lean left, parentheses where wanted. `where` takes as much as it can; parentheses
//! right after it end it: `some room where (A) and B`. With these rules no line can be read twice,
//! so parsing never has to try a long way again.

use chumsky::input::MappedInput;
use chumsky::prelude::*;

use super::fault::SyntaxFault;
use crate::lex::{Tok, is_name, unquote};
use crate::tree::*;

pub type In<'t, 's> = MappedInput<'t, Tok<'s>, SimpleSpan, &'t [(Tok<'s>, SimpleSpan)]>;
pub type Miss<'t, 's> = Rich<'t, Tok<'s>, SimpleSpan, SyntaxFault>;
type Extra<'t, 's> = extra::Err<Miss<'t, 's>>;
pub type P<'t, 's, O> = Boxed<'t, 't, In<'t, 's>, O, Extra<'t, 's>>;

/// The lines of a file, by where they may stand.
pub struct Grammar<'t, 's> {
    pub top: P<'t, 's, Top>,
    pub facts: P<'t, 's, Facts>,
    pub header: P<'t, 's, Header>,
    pub line: P<'t, 's, Line>,
}

#[derive(Clone)]
pub enum Top {
    Set {
        code: String,
        title: String,
    },
    Card {
        kind: Kind,
        name: String,
        copies: u8,
    },
}

pub type Facts = (Option<String>, Vec<(Fact, SimpleSpan)>);

#[derive(Clone)]
pub enum Fact {
    Xp(u16),
    Damage(Damage),
    Health(u8),
    Players(Players),
    Subtype(Subtype),
    Advanced,
    Class(Class),
    Phase(Phase),
    Provenance(Provenance),
}

#[derive(Clone)]
pub enum Header {
    Ruling(String),
    Activated(Option<Limit>),
    Play,
    When(Event, Option<Limit>),
    InsteadOf(Event, Option<Limit>),
    LevelUp,
    /// The headers that need no block.
    Whole(AbilityKind),
}

#[derive(Clone)]
pub enum Line {
    /// The statements that need no block.
    Whole(StmtKind),
    May(Option<Who>),
    Either(Option<Who>),
    Or,
    If(Cond),
    Else,
    Each(Name, Sel),
}

/// What a place in a line asks for; the words that would do are given by [`words_of`].
pub mod label {
    pub const KIND: &str = "a kind of card";
    pub const FACT: &str = "a fact";
    pub const NUMBER: &str = "a collector number or `-`";
    pub const CODE: &str = "a set code in capitals";
    pub const TEXT: &str = "a quoted text";
    pub const HEADER: &str = "an ability or a ruling";
    pub const STATEMENT: &str = "a verb or another statement";
    pub const VERB: &str = "a verb";
    pub const NAME: &str = "a name";
    pub const SEL: &str = "a thing to point at";
    pub const NOUN: &str = "a noun";
    pub const ADJECTIVE: &str = "an adjective";
    pub const ZONE: &str = "a place";
    pub const WHO: &str = "a player";
    pub const REF: &str = "a name, `this`, `it` or `you`";
    pub const NUM: &str = "a number";
    pub const COND: &str = "a condition";
    pub const STAT: &str = "a value";
    pub const EVENT: &str = "an event";
    pub const WORD: &str = "what happens";
    pub const LIMIT: &str = "a limit";
    pub const COMPARISON: &str = "a comparison";
    pub const CLASS: &str = "a class";
    pub const CONFIDENCE: &str = "`A`, `B` or `C`";
    pub const TIMES: &str = "a number of copies such as `x2`";
    pub const BACK: &str = "`room` or `spell`";

    pub const ALL: &[&str] = &[
        KIND, FACT, NUMBER, CODE, TEXT, HEADER, STATEMENT, VERB, NAME, SEL, NOUN, ADJECTIVE, ZONE,
        WHO, REF, NUM, COND, STAT, EVENT, WORD, LIMIT, COMPARISON, CLASS, CONFIDENCE, TIMES, BACK,
    ];
}

/// The words with which the thing of this label can begin.
pub fn words_of(asked: &str) -> Vec<&'static str> {
    fn of<T>(words: &[(&'static str, T)]) -> Vec<&'static str> {
        words
            .iter()
            .flat_map(|(w, _)| w.split(' ').next())
            .collect()
    }
    let join = |lists: &[Vec<&'static str>]| lists.concat();
    match asked {
        label::KIND => join(&[of(Kind::WORDS), vec!["set"]]),
        label::FACT => join(&[
            vec![
                "xp",
                "damage",
                "health",
                "players",
                "star",
                "advanced",
                "published",
                "house",
            ],
            of(Subtype::WORDS),
            of(Class::WORDS),
            of(Phase::WORDS),
        ]),
        label::HEADER => {
            vec![
                "ruling", "ability", "play", "when", "instead", "always", "level", "lure",
            ]
        }
        label::STATEMENT => join(&[
            words_of(label::VERB),
            vec!["target", "choose", "require", "cost", "may", "either", "or"],
            vec!["if", "else", "each", "until"],
        ]),
        label::VERB => join(&[
            of(Verb::WORDS),
            vec!["draw", "look", "take", "move", "swap", "damage"],
        ]),
        label::SEL => join(&[
            vec!["all", "random", "first", "last"],
            of(Adjective::WORDS),
            of(Noun::WORDS),
            words_of(label::REF),
        ]),
        label::NOUN => of(Noun::WORDS),
        label::ADJECTIVE => of(Adjective::WORDS),
        label::ZONE => of(Zone::WORDS),
        label::WHO => join(&[vec!["opponent", "player", "any"], words_of(label::REF)]),
        label::REF => vec!["this", "it", "you", "owner"],
        label::NUM => join(&[vec!["count"], of(Points::WORDS)]),
        label::COND => join(&[vec!["some", "no", "not", "you"], words_of(label::NUM)]),
        label::STAT => of(Stat::WORDS),
        label::EVENT => join(&[vec!["turn"], words_of(label::SEL)]),
        label::WORD => of(Word::WORDS),
        label::LIMIT => of(Limit::WORDS),
        label::BACK => of(Back::WORDS),
        label::CLASS => of(Class::WORDS),
        label::CONFIDENCE => of(Confidence::WORDS),
        _ => Vec::new(),
    }
}

impl<'t, 's: 't> Grammar<'t, 's> {
    pub fn new() -> Grammar<'t, 's> {
        let terms = Terms::new();
        Grammar {
            top: top(),
            facts: facts(),
            header: header(&terms),
            line: line(&terms),
        }
    }
}

/// The expressions that lines are made of.
struct Terms<'t, 's> {
    name: P<'t, 's, Name>,
    reference: P<'t, 's, Ref>,
    who: P<'t, 's, Who>,
    place: P<'t, 's, Place>,
    sel: P<'t, 's, Sel>,
    num: P<'t, 's, Num>,
    cond: P<'t, 's, Cond>,
}

fn kw<'t, 's: 't>(
    word: &'static str,
) -> impl Parser<'t, In<'t, 's>, (), Extra<'t, 's>> + Clone + 't {
    just(Tok::Word(word)).ignored()
}

/// One of the listed words; a word may be several.
fn word<'t, 's: 't, T: Copy + 't>(
    words: &'static [(&'static str, T)],
    asked: &'static str,
) -> P<'t, 's, T> {
    let each = words.iter().map(|&(word, value)| {
        just(word.split(' ').map(Tok::Word).collect::<Vec<_>>()).map(move |_| value)
    });
    choice(each.collect::<Vec<_>>()).labelled(asked).boxed()
}

fn text<'t, 's: 't>() -> P<'t, 's, String> {
    select! { Tok::Text(raw) => unquote(raw) }
        .labelled(label::TEXT)
        .boxed()
}

/// A number in range; too large a number is a fault of its own, and the line is read on.
fn upto<'t, 's: 't>(max: u32) -> P<'t, 's, u32> {
    within(
        select! { Tok::Int(n) => n }.labelled(label::NUM).boxed(),
        max,
    )
}

fn byte<'t, 's: 't>() -> P<'t, 's, u8> {
    upto(u8::MAX.into()).map(|n| n as u8).boxed()
}

fn times<'t, 's: 't>() -> P<'t, 's, u8> {
    let times = select! { Tok::Times(n) => n }
        .labelled(label::TIMES)
        .boxed();
    within(times, u8::MAX.into()).map(|n| n as u8).boxed()
}

fn within<'t, 's: 't>(number: P<'t, 's, u32>, max: u32) -> P<'t, 's, u32> {
    number
        .validate(move |n, e, emitter| {
            if n > max {
                emitter.emit(Rich::custom(e.span(), SyntaxFault::HugeNumber { max }));
            }
            n.min(max)
        })
        .boxed()
}

fn tree_span(span: SimpleSpan) -> Span {
    crate::lex::span(span.start..span.end)
}

fn top<'t, 's: 't>() -> P<'t, 's, Top> {
    let code = select! { Tok::Word(w) if is_code(w) => w.to_owned() }.labelled(label::CODE);
    let set = kw("set").ignore_then(code).then(text());
    let card = word(Kind::WORDS, label::KIND)
        .then(text())
        .then(times().or_not());
    choice((
        set.map(|(code, title)| Top::Set { code, title }),
        card.map(|((kind, name), copies)| Top::Card {
            kind,
            name,
            copies: copies.unwrap_or(1),
        }),
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

fn facts<'t, 's: 't>() -> P<'t, 's, Facts> {
    let number = choice((
        just(Tok::Minus).to(None),
        select! { Tok::Word(w) if is_number(w) => Some(w.to_owned()) },
    ))
    .labelled(label::NUMBER);
    let damage = choice((just(Tok::Star).to(Damage::Star), byte().map(Damage::Fixed)));
    let confidence = word(Confidence::WORDS, label::CONFIDENCE);
    let fact = choice((
        kw("xp")
            .ignore_then(upto(crate::lex::MAX_NUMBER))
            .map(|n| Fact::Xp(n as u16)),
        kw("damage").ignore_then(damage).map(Fact::Damage),
        kw("health").ignore_then(byte()).map(Fact::Health),
        kw("players")
            .ignore_then(byte())
            .map(|n| Fact::Players(Players::From(n))),
        kw("star").to(Fact::Players(Players::Star)),
        kw("advanced").to(Fact::Advanced),
        kw("house").to(Fact::Provenance(Provenance::House)),
        kw("published")
            .ignore_then(confidence)
            .map(|c| Fact::Provenance(Provenance::Published(c))),
        word(Subtype::WORDS, label::FACT).map(Fact::Subtype),
        word(Class::WORDS, label::FACT).map(Fact::Class),
        word(Phase::WORDS, label::FACT).map(Fact::Phase),
    ))
    .labelled(label::FACT)
    .map_with(|fact, e| (fact, e.span()));
    number
        .then(fact.repeated().collect())
        .then_ignore(end())
        .boxed()
}

fn header<'t, 's: 't>(terms: &Terms<'t, 's>) -> P<'t, 's, Header> {
    let limit = word(Limit::WORDS, label::LIMIT).or_not();
    let event = event(terms);
    let most = choice((kw("most").to(true), kw("fewest").to(false)));
    choice((
        kw("ruling").ignore_then(text()).map(Header::Ruling),
        kw("ability")
            .ignore_then(limit.clone())
            .map(Header::Activated),
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
            .ignore_then(just(Tok::Colon))
            .ignore_then(rule(terms))
            .map(|rule| Header::Whole(AbilityKind::Always { rule })),
        kw("level").ignore_then(kw("up")).to(Header::LevelUp),
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
    let Terms {
        name,
        sel,
        cond,
        who,
        ..
    } = terms;
    let by = kw("by").ignore_then(who.clone()).or_not().boxed();
    let bound = name
        .clone()
        .then_ignore(just(Tok::Equal))
        .then(sel.clone())
        .boxed();
    let act = act(terms);
    choice((
        kw("target")
            .ignore_then(bound.clone())
            .map(|(name, sel)| Line::Whole(StmtKind::Target { name, sel })),
        kw("choose")
            .ignore_then(bound.clone())
            .then(by.clone())
            .map(|((name, sel), by)| Line::Whole(StmtKind::Choose { name, sel, by })),
        kw("require")
            .ignore_then(cond.clone())
            .map(|c| Line::Whole(StmtKind::Require(c))),
        kw("cost")
            .ignore_then(act.clone())
            .map(|a| Line::Whole(StmtKind::Cost(a))),
        kw("may").ignore_then(by.clone()).map(Line::May),
        kw("either").ignore_then(by).map(Line::Either),
        kw("or").to(Line::Or),
        kw("if").ignore_then(cond.clone()).map(Line::If),
        kw("else").to(Line::Else),
        kw("each")
            .ignore_then(bound)
            .map(|(name, sel)| Line::Each(name, sel)),
        kw("until")
            .ignore_then(kw("end"))
            .ignore_then(kw("of"))
            .ignore_then(kw("turn"))
            .ignore_then(just(Tok::Colon))
            .ignore_then(rule(terms))
            .map(|rule| Line::Whole(StmtKind::Until { rule })),
        act.map(|a| Line::Whole(StmtKind::Act(a))),
    ))
    .labelled(label::STATEMENT)
    .then_ignore(end())
    .boxed()
}

fn act<'t, 's: 't>(terms: &Terms<'t, 's>) -> P<'t, 's, Act> {
    let Terms {
        name,
        reference,
        who,
        place,
        sel,
        num,
        ..
    } = terms;
    let op = name
        .clone()
        .then_ignore(just(Tok::Equal))
        .or_not()
        .then(sel.clone())
        .map(|(name, sel)| Op { name, sel })
        .boxed();
    let for_who = kw("for").ignore_then(who.clone()).or_not();
    let back = word(Back::WORDS, label::BACK);
    let destination = choice((
        place.clone().map(Destination::Place),
        sel.clone().map(Destination::Room),
    ));
    choice((
        kw("draw")
            .ignore_then(back)
            .then(num.clone())
            .then(for_who.clone())
            .map(|((deck, count), by)| Act::Draw { deck, count, by }),
        kw("look")
            .ignore_then(place.clone())
            .map(|place| Act::Look { place }),
        kw("take")
            .ignore_then(op.clone())
            .then(for_who)
            .map(|(op, by)| Act::Take { op, by }),
        kw("move")
            .ignore_then(op.clone())
            .then_ignore(kw("to"))
            .then(destination)
            .map(|(op, to)| Act::Move { op, to }),
        kw("swap")
            .ignore_then(reference.clone())
            .then_ignore(kw("and"))
            .then(reference.clone())
            .map(|(a, b)| Act::Swap { a, b }),
        kw("damage")
            .ignore_then(op.clone())
            .then(num.clone())
            .map(|(op, amount)| Act::Damage { op, amount }),
        word(Verb::WORDS, label::VERB)
            .then(op)
            .map(|(verb, op)| Act::Simple { verb, op }),
    ))
    .labelled(label::VERB)
    .boxed()
}

fn rule<'t, 's: 't>(terms: &Terms<'t, 's>) -> P<'t, 's, Rule> {
    let Terms { sel, num, cond, .. } = terms;
    let during = kw("while").ignore_then(cond.clone()).or_not();
    let change = choice((
        just(Tok::Plus).ignore_then(num.clone()).map(Change::Plus),
        just(Tok::Minus).ignore_then(num.clone()).map(Change::Minus),
        times().map(Change::Times),
    ));
    let forbid = kw("forbid")
        .ignore_then(event(terms))
        .then(during.clone())
        .map(|(event, during)| RuleKind::Forbid { event, during });
    let has = sel
        .clone()
        .then_ignore(choice((kw("has"), kw("have"))))
        .then(word(Stat::WORDS, label::STAT))
        .then(change)
        .then(during)
        .map(|(((sel, stat), change), during)| RuleKind::Has {
            sel,
            stat,
            change,
            during,
        });
    choice((forbid, has))
        .map_with(|kind, e| Rule {
            kind,
            span: tree_span(e.span()),
        })
        .boxed()
}

fn event<'t, 's: 't>(terms: &Terms<'t, 's>) -> P<'t, 's, Event> {
    let Terms {
        name,
        who,
        place,
        sel,
        ..
    } = terms;
    let on = kw("on").ignore_then(sel.clone()).map(Object::On).boxed();
    let room = kw("in").ignore_then(sel.clone()).map(Object::Room).boxed();
    let entered = choice((
        place.clone().map(Object::Place),
        sel.clone().map(Object::Room),
    ))
    .boxed();
    let happening = choice(
        Word::WORDS
            .iter()
            .map(|&(text, word)| {
                let word = kw(text).map(move |()| word);
                match text {
                    "built" => word.then(on.clone().or_not()).boxed(),
                    "killed" => word.then(room.clone().or_not()).boxed(),
                    "enters" => word.then(entered.clone().or_not()).boxed(),
                    _ => word.map(|word| (word, None)).boxed(),
                }
            })
            .collect::<Vec<_>>(),
    )
    .labelled(label::WORD);
    let happens = name
        .clone()
        .then_ignore(just(Tok::Equal))
        .or_not()
        .then(sel.clone())
        .then(happening)
        .then(kw("by").ignore_then(who.clone()).or_not())
        .map(
            |(((name, subject), (word, object)), by)| EventKind::Happens {
                name,
                subject,
                word,
                object,
                by,
            },
        );
    choice((
        kw("turn").ignore_then(kw("draw")).to(EventKind::TurnDraw),
        happens,
    ))
    .labelled(label::EVENT)
    .map_with(|kind, e| Event {
        kind,
        span: tree_span(e.span()),
    })
    .boxed()
}

impl<'t, 's: 't> Terms<'t, 's> {
    fn new() -> Terms<'t, 's> {
        let name = select! { Tok::Word(w) if is_name(w) => w }
            .labelled(label::NAME)
            .map_with(|w: &str, e| Name {
                text: w.to_owned(),
                span: tree_span(e.span()),
            })
            .boxed();
        let reference = {
            let name = name.clone();
            recursive(|reference| {
                choice((
                    kw("this").to(Ref::This),
                    kw("it").to(Ref::It),
                    kw("you").to(Ref::You),
                    kw("owner")
                        .ignore_then(kw("of"))
                        .ignore_then(reference)
                        .map(|r| Ref::OwnerOf(Box::new(r))),
                    name.map(Ref::Name),
                ))
                .labelled(label::REF)
            })
            .boxed()
        };
        let who = choice((
            kw("you").to(Who::You),
            kw("opponent").to(Who::Opponent),
            kw("player").to(Who::Player),
            kw("any").to(Who::Any),
            reference.clone().map(Who::Ref),
        ))
        .labelled(label::WHO)
        .boxed();
        let place = word(Zone::WORDS, label::ZONE)
            .separated_by(kw("or"))
            .at_least(1)
            .collect::<Vec<_>>()
            .then(kw("of").ignore_then(who.clone()).or_not())
            .map_with(|(zones, of), e| Place {
                zones,
                of,
                span: tree_span(e.span()),
            })
            .boxed();

        let mut sel = Recursive::declare();
        let mut num = Recursive::declare();
        let mut cond = Recursive::declare();
        sel.define(selection(&reference, &place, cond.clone().boxed()));
        num.define(number(&who, sel.clone().boxed()));
        cond.define(condition(sel.clone().boxed(), num.clone().boxed()));
        Terms {
            name,
            reference,
            who,
            place,
            sel: sel.boxed(),
            num: num.boxed(),
            cond: cond.boxed(),
        }
    }
}

fn selection<'t, 's: 't>(
    reference: &P<'t, 's, Ref>,
    place: &P<'t, 's, Place>,
    cond: P<'t, 's, Cond>,
) -> P<'t, 's, Sel> {
    let quant = choice((
        byte().map(Quant::Count),
        kw("all").to(Quant::All),
        kw("random")
            .ignore_then(byte().or_not())
            .map(|n| Quant::Random(n.unwrap_or(1))),
        kw("first").to(Quant::First),
        kw("last").to(Quant::Last),
    ));
    let site = choice((
        kw("in").ignore_then(choice((
            place.clone().map(Site::In),
            reference.clone().map(Site::InRef),
        ))),
        kw("left")
            .ignore_then(kw("of"))
            .ignore_then(reference.clone())
            .map(Site::LeftOf),
        kw("right")
            .ignore_then(kw("of"))
            .ignore_then(reference.clone())
            .map(Site::RightOf),
        kw("beside")
            .ignore_then(reference.clone())
            .map(Site::Beside),
    ));
    let enclosed = cond.clone().delimited_by(just(Tok::Open), just(Tok::Close));
    let open = just(Tok::Open).not().ignore_then(cond);
    let selector = quant
        .or_not()
        .then(
            word(Adjective::WORDS, label::ADJECTIVE)
                .repeated()
                .collect::<Vec<_>>(),
        )
        .then(word(Noun::WORDS, label::NOUN))
        .then(site.or_not())
        .then(kw("but").ignore_then(reference.clone()).or_not())
        .then(kw("where").ignore_then(choice((enclosed, open))).or_not())
        .map_with(|(((((quant, adjectives), noun), site), but), cond), e| {
            let span = tree_span(e.span());
            let quant = quant.unwrap_or(Quant::Bare);
            Sel::Those(Box::new(Selector {
                quant,
                adjectives,
                noun,
                site,
                but,
                cond,
                span,
            }))
        });
    choice((reference.clone().map(Sel::Ref), selector))
        .labelled(label::SEL)
        .boxed()
}

fn number<'t, 's: 't>(who: &P<'t, 's, Who>, sel: P<'t, 's, Sel>) -> P<'t, 's, Num> {
    let points = word(Points::WORDS, label::NUM)
        .then_ignore(kw("of"))
        .then(who.clone())
        .map(|(points, who)| Num::Points(points, who));
    let atom = choice((
        byte().map(Num::Int),
        kw("count").ignore_then(sel).map(Num::Count),
        points,
    ))
    .labelled(label::NUM)
    .boxed();
    recursive(|num| {
        let operand = choice((
            atom.clone(),
            num.delimited_by(just(Tok::Open), just(Tok::Close)),
        ));
        let plus = choice((just(Tok::Plus).to(true), just(Tok::Minus).to(false)));
        atom.foldl(
            plus.then(operand).repeated(),
            |left, (plus, right)| match plus {
                true => Num::Add(Box::new(left), Box::new(right)),
                false => Num::Sub(Box::new(left), Box::new(right)),
            },
        )
    })
    .boxed()
}

fn condition<'t, 's: 't>(sel: P<'t, 's, Sel>, num: P<'t, 's, Num>) -> P<'t, 's, Cond> {
    let comparison = choice((
        just(Tok::Equal).to(Comparison::Equal),
        just(Tok::Less).to(Comparison::Less),
        just(Tok::More).to(Comparison::More),
        just(Tok::AtMost).to(Comparison::AtMost),
        just(Tok::AtLeast).to(Comparison::AtLeast),
    ))
    .labelled(label::COMPARISON);
    let plain = choice((
        kw("some").ignore_then(sel.clone()).map(Cond::Some),
        kw("no").ignore_then(sel).map(Cond::No),
        kw("you").ignore_then(choice((
            kw("done").to(Cond::Done),
            kw("active").to(Cond::Active),
        ))),
        num.clone()
            .then(comparison)
            .then(num)
            .map(|((a, op), b)| Cond::Compare(a, op, b)),
    ))
    .boxed();
    recursive(|cond| {
        let atom = choice((plain, cond.delimited_by(just(Tok::Open), just(Tok::Close))));
        let unary = kw("not")
            .repeated()
            .foldr(atom, |(), cond| Cond::Not(Box::new(cond)))
            .labelled(label::COND)
            .boxed();
        let both = unary
            .clone()
            .foldl(kw("and").ignore_then(unary).repeated(), |a, b| {
                Cond::And(Box::new(a), Box::new(b))
            });
        let both = both.boxed();
        both.clone()
            .foldl(kw("or").ignore_then(both).repeated(), |a, b| {
                Cond::Or(Box::new(a), Box::new(b))
            })
    })
    .boxed()
}
