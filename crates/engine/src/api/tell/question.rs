//! Questions and answers in words.

use std::fmt::Write;

use cards::code::{ChangeCode, Op, QueryId, RuleKindCode, Slot};
use cards::vocabulary::{Class, Kind, Landmark, Noun, Phase, Stat, Verb, Zone};

use super::phrase::{Count, Phrases, Prep};
use super::sentence::errand;
use super::{Names, Reader, Voice};
use crate::model::id::*;
use crate::model::state::{Code, Errand, Flags, Frame, Space};
use crate::{Action, Actions, Game, Question};

/// Like `format!`, but preallocates room for a typical sentence.
macro_rules! words {
    ($($part:tt)*) => {{
        let mut text = String::with_capacity(96);
        // Writing to a `String` does not fail.
        let _ = write!(text, $($part)*);
        text
    }};
}

/// The present question in a sentence. Usually its reader is the player asked.
pub fn question(game: &Game, names: &(impl Names + ?Sized), reader: Reader) -> String {
    let voice = Voice { names, reader };
    let Some(decision) = game.decision() else { return "Nobody is asked anything.".into() };
    let source = decision.source.map_or("it", |card| short(game, card));
    let asked = decision.seat;
    // Asked only so that the others cannot tell.
    let only_no = reader == Reader::Seat(asked) && !game.is_legal(Action::Yes);
    match decision.question {
        Question::Act => {
            let offers = match can_build(game) {
                true => "Build a room, use a card, or pass?",
                false => "Use a card, or pass?",
            };
            match moment(game, &voice, asked) {
                moment if moment.is_empty() => offers.into(),
                moment => format!("{moment} {offers}"),
            }
        }
        Question::Cancel => match game.state.pending().last() {
            Some(declared) => {
                let verb = if game.board().is_spell(&declared.code) { "cast" } else { "use" };
                format!("{} {source}. Cancel it, or let it happen?", voice.does(declared.code.you, verb))
            }
            None => format!("Cancel {source}, or let it happen?"),
        },
        Question::FirstRoom => format!("Place {} first room face down, or pass.", voice.whose(asked)),
        Question::BuildNow => format!("{source}: build which room, and where?"),
        Question::Choose(query) => format!("{source}: {}.", chosen(game, &voice, query)),
        Question::Arrange(seat) => {
            let place = match game.state.top_frame() {
                Some(Frame::Code(code)) => {
                    ["first", "second", "third", "fourth"].get(usize::from(code.picked))
                }
                _ => None,
            };
            let place = place.unwrap_or(&"next");
            format!("{source}: which room comes {place} in {} dungeon, from the entrance?", voice.whose(seat))
        }
        Question::Number { from, to } => match paid_later(game) {
            Some(what) => format!("{source}: pay how many {what}, {from} to {to}?"),
            None => format!("{source}: choose a number, {from} to {to}."),
        },
        Question::Option => format!("{source}: choose one."),
        Question::May if only_no => format!("{source} has nothing to do for you now."),
        Question::May => match offered(game, &voice) {
            Some(what) => format!("{source}: {what}?"),
            None => format!("Use {source}?"),
        },
        Question::UseItem => match held_and_due(game, asked) {
            (Some(held), Some(due)) => {
                format!("{} {due}. Use {held} before it goes face down, or pass?", voice.does(asked, "claim"))
            }
            _ => "Use this item before you claim the other, or pass?".into(),
        },
        Question::TurnDown => "Only one item can stay face up. Which one goes face down?".into(),
        Question::WhichFirst => format!("Which of {} cards goes first?", voice.whose(asked)),
        Question::KeepBoss => format!("Which boss will {} be?", voice.player(asked)),
        Question::Mulligan if only_no => "You keep this hand: it is not bad enough for a new one.".into(),
        Question::Mulligan => "Swap this hand for a new one?".into(),
        Question::DiscardTwo if has_chosen(game, asked) => "Discard one more card.".into(),
        Question::DiscardTwo => "Discard two cards.".into(),
        Question::Machinations => {
            format!("No soul for {} this turn. Draw a card instead?", voice.player(asked))
        }
        Question::Draft => format!("Which card will {} take from the market?", voice.player(asked)),
        Question::PlaceMinion => format!("Where will {} minion go?", voice.whose(asked)),
        Question::MinionAsks(Space { landmark, errand }) => {
            let at = landmark.name();
            match (errand, landmark) {
                (Errand::Summon, _) => match game.state.hero_to_summon(landmark) {
                    Some(hero) => format!("{at}: send {} to whose entrance?", short(game, hero)),
                    None => format!("{at}: send the hero to whose entrance?"),
                },
                (_, Landmark::Temple) => format!("{at}: take a card left in the market."),
                (_, Landmark::Library) => format!("{at}: discard a spell."),
                (_, Landmark::Launchpad) => format!("{at}: shuffle which stack?"),
                _ => format!("{at}: choose."),
            }
        }
        Question::MachinationsDeck => "Draw a room or a spell?".into(),
    }
}

/// What is happening while players may act; empty if the offer says it all.
fn moment<N: Names + ?Sized>(game: &Game, voice: &Voice<N>, asked: Seat) -> String {
    let (state, active) = (&game.state, game.state.active());
    let waits = state.pending().iter().rev().find(|action| action.waiting && !action.cancelled);
    if let Some(action) = waits
        && let Some(card) = action.code.source.as_card()
    {
        return format!("{} is about to happen.", voice.theirs_first(action.code.you, short(game, card)));
    }
    if state.phase() == Phase::Build {
        return match active == asked {
            true if can_build(game) => String::new(),
            true if game.placed(asked) > 0 => format!("{} room is placed.", voice.whose_first(asked)),
            true => format!("{} nothing to build.", voice.has(asked)),
            false => format!("{} building.", voice.is(active)),
        };
    }
    let walk = state.walk();
    match (state.present(walk.hero), state.present(walk.room)) {
        (Some(hero), Some(room)) => {
            format!("{} is in {}.", short(game, hero), voice.theirs(active, game.name(room)))
        }
        (Some(hero), None) => {
            format!("{} is about to enter {} dungeon.", short(game, hero), voice.whose(active))
        }
        (None, _) if active.exists() => format!("No hero is coming for {}.", voice.player(active)),
        (None, _) => format!("{}.", state.phase().name()),
    }
}

/// Can the player who is asked build a room?
fn can_build(game: &Game) -> bool {
    let mut legal = Actions::new();
    game.legal(&mut legal);
    legal.iter().any(|action| matches!(action, Action::Build { .. }))
}

/// A card's name without its epithet.
fn short<'a>(game: &Game<'a>, card: CardId) -> &'a str {
    game.def(card).face.short()
}

fn has_chosen(game: &Game, seat: Seat) -> bool {
    game.state.hand(seat).any(|card| game.state.card(card).flags.has(Flags::CHOSEN))
}

/// What is done to the thing being chosen: `discard a spell from your hand`.
fn chosen<N: Names + ?Sized>(game: &Game, voice: &Voice<N>, query: QueryId) -> String {
    let Some(Frame::Code(code)) = game.state.top_frame() else { return "choose".into() };
    let Op::Choose { reg, count, .. } = game.board().op(code) else { return "choose".into() };
    let rest = Code { pc: code.pc + 1, ..*code };
    let Some(done) = deed(game, voice, &rest, reg, query) else { return "choose".into() };
    match count {
        1 => done,
        _ => format!("{done} ({} of {count})", code.picked + 1),
    }
}

/// What becomes of the thing in the register, as far as the code from here on says at once.
fn deed<N: Names + ?Sized>(
    game: &Game,
    voice: &Voice<N>,
    code: &Code,
    reg: u8,
    query: QueryId,
) -> Option<String> {
    let (db, ctx) = (game.db, code.ctx());
    let phrases = Phrases { game, voice, ctx };
    let it = |prep: Prep| phrases.query(query, Count::One, prep);
    let this = Slot::Reg(reg);
    let start = usize::from(db.unit(code.unit).start) + usize::from(code.pc);
    for op in db.ops.get(start..)? {
        let done = match *op {
            Op::Act { verb, on } if on.slot == this => match verb {
                Verb::Cancel => format!("cancel {}", it(Prep::In)),
                Verb::Copy => format!("copy {}", it(Prep::In)),
                Verb::Uncover => format!("bring {} to the top", it(Prep::In)),
                Verb::Deactivate => format!("deactivate {}", it(Prep::In)),
                Verb::Destroy => format!("destroy {}", it(Prep::In)),
                Verb::Discard => format!("discard {}", it(Prep::From)),
                Verb::Kill => format!("kill {}", it(Prep::In)),
                Verb::Promote => format!("promote {}", it(Prep::In)),
                Verb::Remove => format!("remove {} from the game", it(Prep::In)),
                Verb::Reveal => format!("reveal {}", it(Prep::From)),
                Verb::Heal if phrases.noun(query) == Noun::Hero => format!("heal {}", it(Prep::In)),
                Verb::Heal => format!("turn {} into a soul", it(Prep::In)),
                Verb::Flip => format!("turn over {}", it(Prep::In)),
            },
            Op::Take { on, who } if on.slot == this => match game.board().one(&ctx, who) {
                Some(seat) if seat != code.you => format!("give {} {}", voice.player(seat), it(Prep::From)),
                _ => format!("take {}", it(Prep::From)),
            },
            Op::MoveTo { on, zone, who, .. } if on.slot == this => {
                let seat = game.board().one(&ctx, who).filter(|_| zone.is_per_seat());
                let to = match seat {
                    Some(seat) => format!("{} {}", voice.whose(seat), zone.name()),
                    None if zone == Zone::Town => zone.name().into(),
                    None if zone.is_per_seat() => format!("its owner's {}", zone.name()),
                    None => format!("the {}", zone.name()),
                };
                format!("move {} to {to}", it(Prep::From))
            }
            Op::MoveInto { on, .. } if on.slot == this => format!("move {}", it(Prep::In)),
            Op::MoveInto { room, .. } if room == this => format!("choose {} to move it to", it(Prep::In)),
            Op::Swap { a, .. } if a == this => format!("swap {}", it(Prep::In)),
            Op::Swap { b, .. } if b == this => format!("swap it with {}", it(Prep::In)),
            Op::Damage { on, amount } if on.slot == this => match phrases.number(amount) {
                Some(n) => format!("deal {n} damage to {}", it(Prep::In)),
                None => format!("deal damage to {}", it(Prep::In)),
            },
            Op::Counters { gain, amount, on } if on.slot == this => {
                let (verb, at) = if gain { ("put", "on") } else { ("take", "off") };
                let counters = match phrases.number(amount) {
                    Some(1) => "a counter".into(),
                    Some(n) => format!("{n} counters"),
                    None => "counters".into(),
                };
                format!("{verb} {counters} {at} {}", it(Prep::In))
            }
            Op::Skip { on, .. } if on.slot == this => format!("let {} skip a room", it(Prep::In)),
            Op::Until { rule, keep, .. } if keep.contains(&Some(reg)) => {
                let RuleKindCode::Has { stat, change, .. } = db.rules[rule.index()].kind else { break };
                let (sign, amount) = match change {
                    ChangeCode::Plus(num) => ("+", phrases.number(num)),
                    ChangeCode::Minus(num) => ("-", phrases.number(num)),
                    ChangeCode::Times(_) | ChangeCode::Zero => ("", None),
                };
                match (stat, amount) {
                    (Stat::Health | Stat::Damage, Some(n)) => {
                        format!("give {} {sign}{n} {}", it(Prep::In), stat.word())
                    }
                    _ => break,
                }
            }
            // A payment or another target comes first; what follows an answer is not known yet.
            Op::Choose { .. } | Op::Random { .. } | Op::Require(_) | Op::Declare | Op::Act { .. } => continue,
            Op::Look { .. } | Op::Draw { .. } => continue,
            _ => break,
        };
        return Some(done);
    }
    Some(format!("choose {}", it(Prep::In)))
}

/// What the number that is being chosen counts, if it is the price.
fn paid_later(game: &Game) -> Option<&'static str> {
    let Some(Frame::Code(code)) = game.state.top_frame() else { return None };
    match game.board().op(&Code { pc: code.pc + 1, ..*code }) {
        Op::Coins { pay: true, .. } => Some("coins"),
        Op::Counters { gain: false, .. } => Some("counters"),
        _ => None,
    }
}

/// What a `may` offers, by the first thing it does.
fn offered<N: Names + ?Sized>(game: &Game, voice: &Voice<N>) -> Option<String> {
    let Some(Frame::Code(code)) = game.state.top_frame() else { return None };
    first_deed(game, voice, &Code { pc: code.pc + 1, ..*code })
}

/// The first thing that the code does from here on.
fn first_deed<N: Names + ?Sized>(game: &Game, voice: &Voice<N>, code: &Code) -> Option<String> {
    let phrases = Phrases { game, voice, ctx: code.ctx() };
    let mut at = *code;
    loop {
        match game.board().op(&at) {
            Op::Require(_) | Op::Look { .. } | Op::Let { .. } => at.pc += 1,
            Op::Draw { back, count, .. } => {
                return Some(match phrases.number(count) {
                    Some(n) if n != 1 => format!("draw {n} {back}s"),
                    _ => format!("draw a {back}"),
                });
            }
            Op::Build { attach: true, .. } => return Some("attach it to a room of yours".into()),
            Op::Build { query, .. } if phrases.noun(query) == Noun::Miniboss => {
                return Some("build a miniboss at once".into());
            }
            Op::Build { .. } => return Some("build a room at once".into()),
            Op::Coins { pay, amount, to, on, .. } => {
                let coins = phrases
                    .number(amount)
                    .map_or("coins".into(), |n| super::plural(n.unsigned_abs(), "coin"));
                return Some(match (pay, to, on) {
                    (false, ..) => format!("gain {coins}"),
                    (true, _, Some(_)) => format!("put {coins} on it"),
                    (true, ..) => format!("pay {coins}"),
                });
            }
            Op::Random { reg, query, .. } => {
                let rest = Code { pc: at.pc + 1, ..at };
                return deed(game, voice, &rest, reg, query).map(|words| format!("{words}, at random"));
            }
            Op::Choose { reg, query, .. } => {
                return deed(game, voice, &Code { pc: at.pc + 1, ..at }, reg, query);
            }
            Op::Counters { gain, amount, on } => {
                let room = named(game, code, on.slot).unwrap_or("it");
                return Some(match (phrases.number(amount), gain) {
                    (Some(n), true) if n != 1 => format!("put {n} counters on {room}"),
                    (Some(n), false) if n != 1 => format!("remove up to {n} counters from {room}"),
                    (_, true) => format!("put a counter on {room}"),
                    (_, false) => format!("remove a counter from {room}"),
                });
            }
            Op::Until { rule, .. } => {
                let RuleKindCode::Has { stat, change, .. } = game.db.rules[rule.index()].kind else {
                    return None;
                };
                let (sign, amount) = match change {
                    ChangeCode::Plus(num) => ("+", phrases.number(num)?),
                    ChangeCode::Minus(num) => ("-", phrases.number(num)?),
                    ChangeCode::Times(_) | ChangeCode::Zero => return None,
                };
                return matches!(stat, Stat::Health | Stat::Damage)
                    .then(|| format!("{sign}{amount} {} this turn", stat.word()));
            }
            // On the card itself, or on what the event was about.
            Op::Take { on, .. } => return named(game, code, on.slot).map(|name| format!("take {name}")),
            Op::Act { verb, on } => {
                let verb = match verb {
                    Verb::Cancel => "cancel",
                    Verb::Copy => "copy",
                    Verb::Uncover => "uncover",
                    Verb::Deactivate => "deactivate",
                    Verb::Destroy => "destroy",
                    Verb::Discard => "discard",
                    Verb::Flip => "turn over",
                    Verb::Heal => "heal",
                    Verb::Kill => "kill",
                    Verb::Promote => "promote",
                    Verb::Remove => "remove",
                    Verb::Reveal => "reveal",
                };
                return named(game, code, on.slot).map(|name| format!("{verb} {name}"));
            }
            _ => return None,
        }
    }
}

fn named<'a>(game: &Game<'a>, code: &Code, slot: Slot) -> Option<&'a str> {
    game.board().slot(&code.ctx(), slot).as_card().map(|card| game.name(card))
}

/// The item that a player has face up, and the one that they claim now.
fn held_and_due<'a>(game: &Game<'a>, seat: Seat) -> (Option<&'a str>, Option<&'a str>) {
    let item = |due: bool| {
        let up = |card: &CardId| {
            let flags = game.state.card(*card).flags;
            game.def(*card).kind == Kind::Item && !flags.has(Flags::FACEDOWN) && flags.has(Flags::DUE) == due
        };
        game.state.pile(Place::scoring(seat)).find(up).map(|card| game.name(card))
    };
    (item(false), item(true))
}

/// One answer in a few words.
pub fn action(game: &Game, names: &(impl Names + ?Sized), reader: Reader, action: Action) -> String {
    let voice = Voice { names, reader };
    match action {
        Action::Pass => "pass".into(),
        Action::Yes => "yes".into(),
        Action::No => "no".into(),
        Action::Use { card, .. } => {
            let verb = if game.def(card).kind == Kind::Spell { "cast" } else { "use" };
            words!("{verb} {}", game.name(card))
        }
        Action::Build { card, spot } => {
            let seat = game.decision().map_or(Seat::NONE, |decision| decision.seat);
            let at = spot.dungeon(seat);
            let on = at.exists().then(|| game.state.slots(at).get(spot.slot())).flatten();
            match on {
                Some(top) if at != seat => {
                    words!("build {} on {}", game.name(card), voice.theirs(at, game.name(*top)))
                }
                Some(top) => words!("build {} on {}", game.name(card), game.name(*top)),
                None => words!("build {} at the left end", game.name(card)),
            }
        }
        Action::Promote { card } => words!("promote {}", game.name(card)),
        Action::Sell { card } => words!("discard {} for a coin", game.name(card)),
        Action::TakeBack { card } => words!("take {} back into your hand", game.name(card)),
        Action::Pick(r) => pick(game, &voice, r),
    }
}

fn pick<N: Names + ?Sized>(game: &Game, voice: &Voice<N>, r: Ref) -> String {
    if let Some(seat) = r.as_seat() {
        return voice.player(seat).into_owned();
    }
    if let Some(card) = r.as_card() {
        return card_somewhere(game, voice, card);
    }
    let n = r.as_number().unwrap_or(0);
    match game.decision().map(|decision| decision.question) {
        Some(Question::PlaceMinion) => match Space::of_ref(r) {
            Some(space) => format!("{}: {}", space.landmark.name(), errand(space)),
            None => "nowhere".into(),
        },
        Some(Question::Number { .. }) => n.to_string(),
        Some(Question::MachinationsDeck) => if n == 0 { "a room" } else { "a spell" }.into(),
        Some(Question::Choose(_)) => {
            Class::ALL.get(usize::from(n)).map_or_else(|| "nothing".into(), |class| class.to_string())
        }
        Some(Question::WhichFirst) => game.ordered(r).map_or("nothing".into(), |card| game.name(card).into()),
        _ => option_text(game, voice, n).unwrap_or_else(|| format!("option {}", u16::from(n) + 1)),
    }
}

/// A card's alternative by the first thing it does.
fn option_text<N: Names + ?Sized>(game: &Game, voice: &Voice<N>, n: u8) -> Option<String> {
    let code = match game.state.top_frame()? {
        Frame::Options { card, ability, .. } => {
            let board = game.board();
            let units = board.units_of(card.as_card()?);
            let unit = units.get(usize::from(*ability) + usize::from(n))?;
            return Some(game.db.unit(*unit).words.clone()).filter(|words| !words.is_empty());
        }
        Frame::Code(code) => code,
        _ => return None,
    };
    let entry = Code { pc: code.pc + 1 + u16::from(n), ..*code };
    let Op::Option(pc) = game.board().op(&entry) else { return None };
    first_deed(game, voice, &Code { pc, ..*code })
}

/// A card, and where it is if that place belongs to a player.
fn card_somewhere<N: Names + ?Sized>(game: &Game, voice: &Voice<N>, card: CardId) -> String {
    let place = game.state.card(card).place;
    let name = game.name(card);
    match place.zone() {
        Zone::Dungeon | Zone::Boss => voice.theirs(place.seat(), name),
        Zone::Pending => voice.theirs(game.owner(card), name),
        _ => match note(game, voice, card) {
            Some(note) => format!("{name} ({note})"),
            None => name.into(),
        },
    }
}

/// What a candidate's name alone does not say: `your soul`, `Anna's entrance`.
pub fn choice_note(
    game: &Game,
    names: &(impl Names + ?Sized),
    reader: Reader,
    card: CardId,
) -> Option<String> {
    note(game, &Voice { names, reader }, card)
}

fn note<N: Names + ?Sized>(game: &Game, voice: &Voice<N>, card: CardId) -> Option<String> {
    let state = game.state.card(card);
    let what = match state.place.zone() {
        Zone::Inside => "dungeon",
        Zone::Landmark => {
            return game.state.landmark_of(card).map(|landmark| format!("the {}", landmark.name()));
        }
        Zone::Entrance => "entrance",
        Zone::Scoring if game.def(card).kind == Kind::Item => "item",
        Zone::Scoring if state.flags.has(Flags::FACEDOWN) => "soul",
        Zone::Scoring => "wound",
        _ => return None,
    };
    Some(format!("{} {what}", voice.whose(state.place.seat())))
}
