//! The expressions that lines are made of: references, selectors, numbers and conditions.
//!
//! Numbers: sums and differences lean left, and parentheses stand only around a right operand, so
//! a number never begins with one. Conditions: `not` binds tighter than `and`, `and` tighter than
//! `or`, both lean left, parentheses where wanted. `where` takes as much as it can; parentheses
//! right after it end it: `some room where (A) and B`. With these rules no line can be read in two
//! ways, and a failed try never repeats a long one.

use chumsky::input::MappedInput;
use chumsky::prelude::*;

use super::fault::SyntaxFault;
use super::label;
use crate::lex::{Tok, is_name, unquote};
use crate::tree::*;

pub type In<'t, 's> = MappedInput<'t, Tok<'s>, SimpleSpan, &'t [(Tok<'s>, SimpleSpan)]>;
pub type Miss<'t, 's> = Rich<'t, Tok<'s>, SimpleSpan, SyntaxFault>;
pub type Extra<'t, 's> = extra::Err<Miss<'t, 's>>;
pub type P<'t, 's, O> = Boxed<'t, 't, In<'t, 's>, O, Extra<'t, 's>>;

/// The expressions that lines are made of.
pub struct Terms<'t, 's> {
    pub name: P<'t, 's, Name>,
    pub reference: P<'t, 's, Ref>,
    pub who: P<'t, 's, Who>,
    pub place: P<'t, 's, Place>,
    pub sel: P<'t, 's, Sel>,
    pub num: P<'t, 's, Num>,
    pub cond: P<'t, 's, Cond>,
}

pub fn kw<'t, 's: 't>(word: &'static str) -> impl Parser<'t, In<'t, 's>, (), Extra<'t, 's>> + Clone + 't {
    just(Tok::Word(word)).ignored()
}

/// One of the listed words; an entry may consist of several words.
pub fn word<'t, 's: 't, T: Copy + 't>(
    words: &'static [(&'static str, T)],
    asked: &'static str,
) -> P<'t, 's, T> {
    let each = words
        .iter()
        .map(|&(word, value)| just(word.split(' ').map(Tok::Word).collect::<Vec<_>>()).map(move |_| value));
    choice(each.collect::<Vec<_>>()).labelled(asked).boxed()
}

pub fn text<'t, 's: 't>() -> P<'t, 's, String> {
    select! { Tok::Text(raw) => unquote(raw) }.labelled(label::TEXT).boxed()
}

/// A number in range; a number that is too large is a separate fault, and parsing goes on.
pub fn upto<'t, 's: 't>(max: u32) -> P<'t, 's, u32> {
    within(select! { Tok::Int(n) => n }.labelled(label::NUM).boxed(), max)
}

pub fn byte<'t, 's: 't>() -> P<'t, 's, u8> {
    upto(u8::MAX.into()).map(|n| n as u8).boxed()
}

pub fn times<'t, 's: 't>() -> P<'t, 's, u8> {
    let times = select! { Tok::Times(n) => n }.labelled(label::TIMES).boxed();
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

pub fn tree_span(span: SimpleSpan) -> Span {
    crate::lex::span(span.start..span.end)
}

impl<'t, 's: 't> Terms<'t, 's> {
    pub fn new() -> Terms<'t, 's> {
        let name = select! { Tok::Word(w) if is_name(w) => w }
            .labelled(label::NAME)
            .map_with(|w: &str, e| Name { text: w.to_owned(), span: tree_span(e.span()) })
            .boxed();
        let reference = {
            let name = name.clone();
            recursive(|reference| {
                let host = kw("host")
                    .ignore_then(kw("of").ignore_then(reference.clone()).or_not())
                    .map(|of| of.map_or(Ref::Host, |of| Ref::HostOf(Box::new(of))));
                choice((
                    kw("this").to(Ref::This),
                    host,
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
            .map_with(|(zones, of), e| Place { zones, of, span: tree_span(e.span()) })
            .boxed();

        let mut sel = Recursive::declare();
        let mut num = Recursive::declare();
        let mut cond = Recursive::declare();
        sel.define(selection(&reference, &place, cond.clone().boxed()));
        num.define(number(&name, &who, &reference, &place, sel.clone().boxed()));
        cond.define(condition(&reference, &place, sel.clone().boxed(), num.clone().boxed()));
        Terms { name, reference, who, place, sel: sel.boxed(), num: num.boxed(), cond: cond.boxed() }
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
        kw("random").ignore_then(byte().or_not()).map(|n| Quant::Random(n.unwrap_or(1))),
        kw("top").ignore_then(byte().or_not()).map(|n| Quant::Top(n.unwrap_or(1))),
        kw("first").ignore_then(byte().or_not()).map(|n| n.map_or(Quant::First, Quant::Leading)),
        kw("last").to(Quant::Last),
    ));
    let site = choice((
        kw("in").ignore_then(choice((place.clone().map(Site::In), reference.clone().map(Site::InRef)))),
        kw("left").ignore_then(kw("of")).ignore_then(reference.clone()).map(Site::LeftOf),
        kw("right").ignore_then(kw("of")).ignore_then(reference.clone()).map(Site::RightOf),
        kw("beside").ignore_then(reference.clone()).map(Site::Beside),
        kw("under").ignore_then(reference.clone()).map(Site::Under),
    ));
    // After any other noun `on` belongs to what stands before it: `build room in hand on r`.
    let on = kw("on").ignore_then(reference.clone()).map(Site::On);
    let attached = choice((kw("item").to(Noun::Item), kw("miniboss").to(Noun::Miniboss)))
        .then(choice((on, site.clone())).or_not());
    let thing = choice((attached, word(Noun::WORDS, label::NOUN).then(site.or_not())));
    let enclosed = cond.clone().delimited_by(just(Tok::Open), just(Tok::Close));
    let open = just(Tok::Open).not().ignore_then(cond);
    let selector = quant
        .or_not()
        .then(word(Adjective::words(), label::ADJECTIVE).repeated().collect::<Vec<_>>())
        .then(thing)
        .then(kw("but").ignore_then(reference.clone()).or_not())
        .then(kw("where").ignore_then(choice((enclosed, open))).or_not())
        .map_with(|((((quant, adjectives), (noun, site)), but), cond), e| {
            let span = tree_span(e.span());
            let quant = quant.unwrap_or(Quant::Bare);
            Sel::Selector(Box::new(Selector { quant, adjectives, noun, site, but, cond, span }))
        });
    choice((reference.clone().map(Sel::Ref), selector)).labelled(label::SEL).boxed()
}

/// The type of an icon: a class, or the one chosen as a name.
pub fn icon_type<'t, 's: 't>(name: &P<'t, 's, Name>) -> P<'t, 's, IconType> {
    let class = word(Class::WORDS, label::CLASS).map(IconType::Class);
    choice((class, name.clone().map(IconType::Name))).boxed()
}

fn number<'t, 's: 't>(
    name: &P<'t, 's, Name>,
    who: &P<'t, 's, Who>,
    reference: &P<'t, 's, Ref>,
    place: &P<'t, 's, Place>,
    sel: P<'t, 's, Sel>,
) -> P<'t, 's, Num> {
    let points = word(Points::WORDS, label::NUM)
        .then_ignore(kw("of"))
        .then(who.clone())
        .map(|(points, who)| Num::Points(points, who));
    let value = kw("printed")
        .or_not()
        .then(word(Value::WORDS, label::NUM))
        .then_ignore(kw("of"))
        .then(reference.clone())
        .map(|((printed, value), of)| Num::Value { printed: printed.is_some(), value, of });
    let on = kw("on").ignore_then(reference.clone()).map(IconSite::On);
    let within = kw("in").ignore_then(place.clone()).map(IconSite::In);
    let icons = icon_type(name)
        .or_not()
        .then_ignore(kw("icon"))
        .then(choice((on, within)))
        .map(|(icon, site)| Num::Icons { icon, site });
    let count = kw("count").ignore_then(choice((icons, sel.map(Num::Count))));
    let roll = kw("roll").ignore_then(byte()).map(Num::Roll);
    let counters = kw("counters").ignore_then(kw("on")).ignore_then(reference.clone()).map(Num::Counters);
    let coins = kw("coins").ignore_then(kw("on")).ignore_then(reference.clone()).map(Num::Coins);
    let named = name.clone().map(Num::Name);
    let single = choice((byte().map(Num::Int), count, roll, counters, coins, points, value, named))
        .labelled(label::NUM)
        .boxed();
    let product =
        byte().then_ignore(just(Tok::Star)).then(single.clone()).map(|(n, num)| Num::Times(n, Box::new(num)));
    let atom = choice((product, single)).boxed();
    recursive(|num| {
        let operand = choice((atom.clone(), num.delimited_by(just(Tok::Open), just(Tok::Close))));
        let plus = choice((just(Tok::Plus).to(true), just(Tok::Minus).to(false)));
        atom.foldl(plus.then(operand).repeated(), |left, (plus, right)| match plus {
            true => Num::Add(Box::new(left), Box::new(right)),
            false => Num::Sub(Box::new(left), Box::new(right)),
        })
    })
    .boxed()
}

fn condition<'t, 's: 't>(
    reference: &P<'t, 's, Ref>,
    place: &P<'t, 's, Place>,
    sel: P<'t, 's, Sel>,
    num: P<'t, 's, Num>,
) -> P<'t, 's, Cond> {
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
            kw("promoted").to(Cond::Promoted),
        ))),
        reference
            .clone()
            .then_ignore(kw("is"))
            .then(word(Noun::OF_CARDS, label::NOUN))
            .map(|(r, noun)| Cond::IsA(r, noun)),
        reference
            .clone()
            .then_ignore(kw("is"))
            .then(word(Adjective::words(), label::ADJECTIVE))
            .map(|(r, adjective)| Cond::Is(r, adjective)),
        reference.clone().then_ignore(kw("in")).then(place.clone()).map(|(r, place)| Cond::In(r, place)),
        num.clone().then(comparison).then(num).map(|((a, op), b)| Cond::Compare(a, op, b)),
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
            .foldl(kw("and").ignore_then(unary).repeated(), |a, b| Cond::And(Box::new(a), Box::new(b)));
        let both = both.boxed();
        both.clone().foldl(kw("or").ignore_then(both).repeated(), |a, b| Cond::Or(Box::new(a), Box::new(b)))
    })
    .boxed()
}
