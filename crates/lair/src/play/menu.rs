//! Choices as numbered lines. Building a room is one choice per card, then one per place, so that the list
//! stays short; copies of a card are listed once.
//! Invariant: the menu offers every legal action, and no others.

use cards::vocabulary::Kind;
use engine::tell::{self, Reader};
use engine::{Action, Actions, CardId, Game, Question, Seat, Zone};

use crate::cards_cmd::facts;
use crate::term::{BOLD, DIM, columns, cut, pad, paint, paragraph, width};

pub struct Choice {
    /// Plain text, to match what the player types.
    pub words: String,
    /// The styled line, without its number.
    line: String,
    pub card: Option<CardId>,
    /// One answer, or the places a room can go to.
    pub answers: Vec<Action>,
}

pub struct Menu {
    pub question: String,
    /// The text of the card that asks.
    because: Option<String>,
    pub choices: Vec<Choice>,
    /// Cards in hand that cannot be used now.
    idle: Vec<String>,
    pub pass: bool,
}

impl Menu {
    /// The question the viewer is asked. `table` is the viewer's.
    pub fn of(table: &Game, viewer: Seat, names: &[String], legal: &Actions) -> Menu {
        let decision = table.decision();
        let question = decision.map(|decision| decision.question);
        let source = decision.and_then(|decision| decision.source);
        let because = source.map(|card| table.def(card).face.text.join(" ")).filter(|text| !text.is_empty());
        let mut menu = Menu {
            question: tell::question(table, names, Reader::Seat(viewer)),
            because,
            choices: Vec::new(),
            idle: Vec::new(),
            pass: legal.contains(&Action::Pass),
        };
        match question {
            Some(Question::Act | Question::FirstRoom | Question::Cancel) => menu.hand(table, viewer, legal),
            _ => menu.plain(table, viewer, names, legal),
        }
        if question == Some(Question::Mulligan) {
            let hand = table.state.hand(viewer);
            menu.idle = hand.map(|card| table.name(card).to_string()).collect();
        }
        menu
    }

    /// The hand, card by card, with what can be done; then abilities in play.
    fn hand(&mut self, table: &Game, viewer: Seat, legal: &Actions) {
        let mut hand: Vec<CardId> = table.state.hand(viewer).collect();
        hand.sort_by_key(|card| (table.def(*card).kind == Kind::Spell, table.name(*card)));
        hand.dedup_by_key(|card| table.def_id(*card));
        for card in hand {
            let copies = table.state.hand(viewer).filter(|c| table.def_id(*c) == table.def_id(card));
            let name = match copies.count() {
                1 => table.name(card).to_string(),
                n => format!("{} ×{n}", table.name(card)),
            };
            let answers: Vec<Action> =
                legal.iter().copied().filter(|action| of_card(*action) == Some(card)).collect();
            let verb = match answers.first() {
                Some(Action::Build { .. }) => "build",
                Some(_) => "cast",
                None => "",
            };
            let places = answers.iter().filter(|action| matches!(action, Action::Build { .. }));
            let places: Vec<String> = places.map(|action| place_of(table, viewer, *action)).collect();
            let begin =
                format!("{} {} {}", pad(verb, 5), pad(&cut(&name, 20), 20), pad(&facts(table.def(card)), 22));
            // Ordinary rooms go nearly anywhere; for advanced ones, show where.
            let more = if table.def(card).advanced { places.join(", ") } else { short_text(table, card) };
            let line = format!("{begin} {}", paint(DIM, cut(&more, rest_of(&begin))));
            if answers.is_empty() {
                self.idle.push(name);
            } else {
                let words = format!("{verb} {name}");
                self.choices.push(Choice { words, line, card: Some(card), answers });
            }
        }
        for action in legal.iter().copied() {
            let Some(card) = of_card(action) else { continue };
            if table.state.card(card).place.is_hand_of(viewer) {
                continue;
            }
            let begin = format!("{} {}", pad("use", 5), pad(&cut(table.name(card), 20), 20));
            let line = format!("{begin} {}", paint(DIM, cut(&short_text(table, card), rest_of(&begin))));
            let words = format!("use {}", table.name(card));
            self.choices.push(Choice { words, line, card: Some(card), answers: vec![action] });
        }
    }

    /// One line per answer. Long lists of cards are sorted, and copies counted.
    fn plain(&mut self, table: &Game, viewer: Seat, names: &[String], legal: &Actions) {
        let mut rows: Vec<(Choice, usize)> = Vec::new();
        for action in legal.iter().copied().filter(|action| *action != Action::Pass) {
            let card = match action {
                Action::Pick(r) => r.as_card(),
                other => of_card(other),
            };
            let words = tell::action(table, names, Reader::Seat(viewer), action);
            let in_pile = card.is_some_and(|card| {
                use Zone::*;
                let place = table.state.card(card).place.zone();
                matches!(place, Discard | RoomDeck | SpellDeck | HeroDeck | EpicDeck | Hand | Box)
            });
            let alike = |(known, _): &&mut (Choice, usize)| in_pile && known.words == words;
            if let Some((_, count)) = rows.iter_mut().find(alike) {
                *count += 1;
                continue;
            }
            rows.push((Choice { words, line: String::new(), card, answers: vec![action] }, 1));
        }
        if rows.len() > 6 && rows.iter().all(|(choice, _)| choice.card.is_some()) {
            rows.sort_by(|a, b| a.0.words.cmp(&b.0.words));
        }
        for (mut choice, count) in rows {
            let count = if count > 1 { format!(" ×{count}") } else { String::new() };
            let begin = pad(&cut(&format!("{}{count}", choice.words), 40), 34);
            let about = choice.card.map(|card| about(table, card)).unwrap_or_default();
            choice.line = format!("{begin} {about}");
            self.choices.push(choice);
        }
    }

    /// The places a room can be built, as a separate menu.
    pub fn places(table: &Game, viewer: Seat, choice: &Choice) -> Menu {
        let name = choice.card.map_or("the room", |card| table.name(card));
        // Left to right, as the dungeon is drawn.
        let choices = choice.answers.iter().rev().map(|action| {
            let words = place_of(table, viewer, *action);
            let beneath = match action {
                Action::Build { spot, .. } => table.state.slots(spot.dungeon(viewer)).get(spot.slot()),
                _ => None,
            };
            let about = beneath.map_or_else(|| paint(DIM, "a new room"), |room| facts(table.def(*room)));
            let line = format!("{} {about}", pad(&words, 30));
            Choice { line, words, card: choice.card, answers: vec![*action] }
        });
        Menu {
            question: format!("Where does {name} go?"),
            because: None,
            choices: choices.collect(),
            idle: Vec::new(),
            pass: false,
        }
    }

    pub fn draw(&self) -> String {
        let mut out = String::new();
        for (i, choice) in self.choices.iter().enumerate() {
            out.push_str(&format!(" {} {}\n", paint(BOLD, format!("{:>2}", i + 1)), choice.line.trim_end()));
        }
        if !self.idle.is_empty() {
            let also =
                if self.choices.iter().any(|c| c.card.is_some()) { "Also in hand: " } else { "In hand: " };
            out.push_str(&paragraph(&format!("    {}", paint(DIM, also)), &self.idle.join(", "), DIM));
        }
        if let Some(text) = &self.because {
            out.push_str(&paragraph("    ", text, DIM));
        }
        out
    }
}

fn of_card(action: Action) -> Option<CardId> {
    match action {
        Action::Use { card, .. } | Action::Build { card, .. } => Some(card),
        _ => None,
    }
}

fn place_of(table: &Game, seat: Seat, action: Action) -> String {
    let Action::Build { spot, .. } = action else { return String::new() };
    let at = spot.dungeon(seat);
    let slots = table.state.slots(at);
    match slots.get(spot.slot()) {
        Some(top) => {
            let alike = slots.iter().filter(|room| table.def_id(**room) == table.def_id(*top)).count();
            let number =
                if alike > 1 { format!(" (room {})", slots.len() - spot.slot()) } else { String::new() };
            let whose = if at == seat { String::new() } else { format!("{at}'s ") };
            format!("on {whose}{}{number}", table.name(*top))
        }
        None if spot.slot() == 0 => "as first room".into(),
        None => "at the left end".into(),
    }
}

fn short_text(table: &Game, card: CardId) -> String {
    table.def(card).face.text.join(" ")
}

fn rest_of(begin: &str) -> usize {
    columns().saturating_sub(width(begin) + 6)
}

/// What matters about a card when choosing it.
fn about(table: &Game, card: CardId) -> String {
    let def = table.def(card);
    match table.state.card(card).place.zone() {
        Zone::Dungeon => format!("{} dmg now", table.room_damage(card)),
        Zone::Inside | Zone::Entrance | Zone::Town => {
            let hurt = table.hero_damage(card);
            let hurt = if hurt > 0 { format!(", {hurt} taken") } else { String::new() };
            format!("{}{hurt}", facts(def))
        }
        _ => facts(def),
    }
}
