//! What happened, as people tell it: sentences of `engine::tell`, with the noise left out, what belongs
//! together in one sentence, and the reader as "you".
//! Invariant: every event goes through `for_viewer` before a word of it is said.

use cards::CardDb;
use engine::tell::{self, Names};
use engine::{Event, PlaceKind, Seat};

/// Whose eyes the story is told through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eyes {
    /// Everything, for a game that is over.
    All,
    Seat(Seat),
    Spectator,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    Turn(u16),
    Phase(&'static str),
    Good(String),
    Bad(String),
    Plain(String),
}

pub fn tell(db: &CardDb, names: &[String], events: &[Event], eyes: Eyes) -> Vec<Line> {
    let seen = |event: &Event| match eyes {
        Eyes::All => *event,
        Eyes::Seat(seat) => event.for_viewer(db, Some(seat)),
        Eyes::Spectator => event.for_viewer(db, None),
    };
    let events: Vec<Event> = events.iter().map(seen).filter(|event| !is_noise(event)).collect();
    let mut lines = Vec::new();
    let mut rest = &events[..];
    while let [event, after @ ..] = rest {
        let (text, used) = match event {
            Event::TurnBegins(turn) => {
                lines.push(Line::Turn(*turn));
                rest = after;
                continue;
            }
            Event::PhaseBegins(phase) => {
                lines.push(Line::Phase(tell::phase_name(*phase)));
                rest = after;
                continue;
            }
            Event::Draws { seat, .. } => draws(db, names, *seat, rest),
            Event::Uses { seat, .. } => uses(db, names, *seat, rest),
            Event::Places { .. } => {
                let placed = tell::sentence(db, names, *event);
                (format!("{} from the boss.", placed.trim_end_matches('.')), 1)
            }
            Event::Enters { hero, .. } => match after.first() {
                Some(Event::Damaged { hero: hurt, amount }) if hurt.card == hero.card => {
                    let enters = tell::sentence(db, names, *event);
                    (format!("{} and takes {amount} damage.", enters.trim_end_matches('.')), 2)
                }
                _ => (tell::sentence(db, names, *event), 1),
            },
            _ => (tell::sentence(db, names, *event), 1),
        };
        let text = as_you(&text);
        let mine = |seat: Seat| eyes == Eyes::Seat(seat);
        lines.push(match event {
            Event::Dies { seat, .. } if mine(*seat) => Line::Good(text),
            Event::Wounds { seat, .. } if mine(*seat) => Line::Bad(text),
            Event::GameOver { .. } | Event::LevelsUp { .. } => Line::Good(text),
            Event::Eliminated(_) => Line::Bad(text),
            _ => Line::Plain(text),
        });
        rest = &rest[used..];
    }
    lines
}

/// Events that another one tells already.
fn is_noise(event: &Event) -> bool {
    match event {
        Event::Active(_) | Event::HandDealt { .. } | Event::Shuffled(_) => true,
        Event::HeroGoes { to, .. } => to.kind() == PlaceKind::Inside,
        Event::Damaged { amount: 0, .. } => true,
        _ => false,
    }
}

/// Cards drawn by one player in a row, in one sentence; cards not seen are counted.
fn draws(db: &CardDb, names: &[String], who: Seat, events: &[Event]) -> (String, usize) {
    let mut cards: Vec<(&str, bool, usize)> = Vec::new();
    let mut used = 0;
    for event in events {
        let Event::Draws { seat, card } = event else { break };
        if *seat != who {
            break;
        }
        used += 1;
        let (name, blank) = (db.name(card.def), CardDb::is_blank(card.def));
        match cards.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, _, count)) => *count += 1,
            None => cards.push((name, blank, 1)),
        }
    }
    let named = cards.iter().map(|(name, blank, count)| match (count, blank) {
        (1, _) => name.to_string(),
        (n, true) => format!("{n} {}s", name.trim_start_matches("a ")),
        (n, false) => format!("{n} × {name}"),
    });
    (format!("{} draws {}.", names.player(who), and(named.collect())), used)
}

/// A spell or ability with what was chosen for it.
fn uses(db: &CardDb, names: &[String], who: Seat, events: &[Event]) -> (String, usize) {
    let mut chosen = Vec::new();
    for event in &events[1..] {
        chosen.push(match event {
            Event::Chooses { seat, card } if *seat == who => db.name(card.def).to_string(),
            Event::ChoosesPlayer { seat, player } if *seat == who => names.player(*player).into_owned(),
            _ => break,
        });
    }
    let told = tell::sentence(db, names, events[0]);
    let used = 1 + chosen.len();
    if chosen.is_empty() {
        return (told, used);
    }
    (format!("{}, choosing {}.", told.trim_end_matches('.'), and(chosen)), used)
}

/// `a`, `a and b`, `a, b and c`
fn and(items: Vec<String>) -> String {
    match &items[..] {
        [] => "nothing".into(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// The name of the one reader there is: sentences about "You" in the second person.
pub const YOU: &str = "You";

fn as_you(text: &str) -> String {
    if !text.contains(YOU) {
        return text.to_string();
    }
    let mut out: Vec<String> = Vec::new();
    let mut after_you = false;
    for (i, word) in text.split(' ').enumerate() {
        let core = word.trim_end_matches(['.', ',', ':', '!', ')', ';']);
        let tail = &word[core.len()..];
        let is_subject = core == YOU && tail.is_empty();
        out.push(match core {
            "You" => format!("{}{tail}", if i == 0 { "You" } else { "you" }),
            "You's" => format!("{}{tail}", if i == 0 { "Your" } else { "your" }),
            "(You's" => format!("(your{tail}"),
            _ if after_you => format!("{}{tail}", plain_verb(core)),
            _ => word.to_string(),
        });
        // Objects ("chooses you") end the sentence or stand before no verb.
        after_you = is_subject && (i == 0 || text[..text.find(word).unwrap_or(0)].ends_with("; "));
    }
    let text = out.join(" ");
    if text.starts_with("You ") { text.replace(" and draws a new", " and draw a new") } else { text }
}

fn plain_verb(verb: &str) -> &str {
    match verb {
        "is" => "are",
        "has" => "have",
        _ => verb.strip_suffix('s').unwrap_or(verb),
    }
}

#[cfg(test)]
mod tests {
    use super::as_you;

    #[test]
    fn sentences_about_the_reader() {
        let cases = [
            ("You draws Dark Altar.", "You draw Dark Altar."),
            ("You chooses Minion.", "You choose Minion."),
            ("You has built Dark Altar.", "You have built Dark Altar."),
            ("You's Dark Altar is destroyed.", "Your Dark Altar is destroyed."),
            ("Samurai Tom is lured by You.", "Samurai Tom is lured by you."),
            ("Samurai Tom dies: one soul for You.", "Samurai Tom dies: one soul for you."),
            ("Minion takes a spell from You's hand.", "Minion takes a spell from your hand."),
            ("Everybody is beaten; You wins on souls.", "Everybody is beaten; you win on souls."),
            ("Minion draws a room card.", "Minion draws a room card."),
            (
                "You shuffles the hand back and draws a new one.",
                "You shuffle the hand back and draw a new one.",
            ),
        ];
        for (told, wanted) in cases {
            assert_eq!(as_you(told), wanted);
        }
    }
}
