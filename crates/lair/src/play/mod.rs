//! `lair play`: a table with people at one keyboard and bots. This file seats the players, asks, applies and
//! records; `board` draws, `menu` lists choices, `keys` reads lines.
//! Invariant: what is printed comes from the view of the person at the keyboard.

mod board;
mod keys;
mod menu;
mod seats;

use std::path::{Path, PathBuf};

use bots::{Level, Player};
use engine::record::{HomebrewText, Record};
use engine::{Action, Actions, Event, Game, Phase, Place, Question, Seat, State, Variant};
use lab::Sitter;

use crate::cards_cmd;
use crate::cli::Play;
use crate::decks;
use crate::failure::Failure;
use crate::hint_cmd;
use crate::homebrew::Library;
use crate::record_cmd::{about, cards_of, load, printed};
use crate::story::{self, Eyes, Line};
use crate::term::{BOLD, DIM, GOOD, HEAD, clear_screen, columns, harmless, paint, paragraph, say};

use board::Board;
use keys::{HELP, Keys, Typed};
use menu::{Choice, Menu};
use seats::Sitting;

pub fn run(args: &Play, library: &Library) -> Result<(), Failure> {
    if let Some(file) = &args.resume {
        let record = load(file)?;
        let db = cards_of(&record, library).map_err(|error| about(file, error))?;
        return Table::new(Sitting::resume(&db, record, file)?, library.typed()).play();
    }
    let deck = decks::named(&args.deal, &library.sets)?;
    let db = deck.compile(&library.sets).map_err(Failure::failed)?;
    let mut sitting = Sitting::new(&db, &deck, args)?;
    sitting.record.homebrew = library.own.iter().map(HomebrewText::from).collect();
    Table::new(sitting, library.typed()).play()
}

/// How it stood before a person's decision.
struct Before {
    state: State,
    actions: usize,
    fingerprints: usize,
    events: usize,
}

struct Table<'a> {
    game: Game<'a>,
    names: Vec<String>,
    /// A bot for every seat that has no person.
    bots: Vec<Option<Sitter>>,
    record: Record,
    /// What to type to have the same cards of one's own again.
    homebrew: String,
    save: Option<PathBuf>,
    events: Vec<Event>,
    /// How much of `events` each seat has been told.
    told: Vec<usize>,
    history: Vec<Before>,
    keys: Keys,
    /// Who has the keyboard.
    at_keyboard: Option<Seat>,
    /// Where the table stood when it was last drawn, and the picture.
    drawn: Option<((Seat, u16, Phase, Seat), String)>,
    /// A seat that passes until this phase is over.
    passing: Option<(Seat, u16, Phase)>,
    /// Numbers typed ahead.
    ahead: Vec<usize>,
}

/// What a person wants.
enum Wish {
    Answer(Action),
    Undo,
    Quit,
}

impl<'a> Table<'a> {
    fn new(sitting: Sitting<'a>, homebrew: String) -> Table<'a> {
        let seats = sitting.names.len();
        let mut table = Table {
            game: sitting.game,
            names: sitting.names,
            bots: sitting.bots,
            record: sitting.record,
            homebrew,
            save: sitting.save,
            events: sitting.events,
            told: vec![sitting.told; seats],
            history: Vec::new(),
            keys: Keys::new(),
            at_keyboard: None,
            drawn: None,
            passing: None,
            ahead: Vec::new(),
        };
        if table.people() == 1 {
            table.at_keyboard = (0..seats as u8).map(Seat).find(|seat| table.bots[seat.index()].is_none());
        }
        table
    }

    fn people(&self) -> usize {
        self.bots.iter().filter(|bot| bot.is_none()).count()
    }

    fn play(&mut self) -> Result<(), Failure> {
        self.welcome()?;
        let mut legal = Actions::new();
        while let Some(decision) = self.game.decision() {
            let seat = decision.seat;
            self.game.legal(&mut legal);
            let answer = if let Some(bot) = &mut self.bots[seat.index()] {
                bot.answer(&self.game, seat, &legal)
            } else if self.passes_on(seat, decision.question) {
                Action::Pass
            } else {
                match self.ask(seat, &legal)? {
                    Wish::Answer(action) => action,
                    Wish::Undo => {
                        self.undo()?;
                        continue;
                    }
                    Wish::Quit => return self.farewell(),
                }
            };
            self.apply(seat, answer)?;
        }
        self.finish()
    }

    fn apply(&mut self, seat: Seat, answer: Action) -> Result<(), Failure> {
        let person = self.bots[seat.index()].is_none();
        if person {
            self.history.push(Before {
                state: self.game.state.clone(),
                actions: self.record.actions.len(),
                fingerprints: self.record.fingerprints.len(),
                events: self.events.len(),
            });
        }
        self.game.apply(answer, &mut self.events).map_err(Failure::failed)?;
        self.record.push(answer, &self.game);
        if person || self.game.outcome().is_some() {
            self.store()?;
        }
        Ok(())
    }

    /// Written beside and moved over, so that a broken write leaves the old record.
    fn store(&self) -> Result<(), Failure> {
        let Some(path) = &self.save else { return Ok(()) };
        let failed = |error| Failure::failed(format!("cannot save to {}: {error}", path.display()));
        let mut beside = path.clone().into_os_string();
        beside.push(".part");
        std::fs::write(&beside, self.record.to_json() + "\n").map_err(failed)?;
        std::fs::rename(Path::new(&beside), path).map_err(failed)
    }

    fn undo(&mut self) -> Result<(), Failure> {
        if self.people() > 1 {
            return Ok(say("  Another person sits at the table: what is played is played.\n")?);
        }
        let Some(before) = self.history.pop() else {
            return Ok(say("  This is your first decision: there is nothing to take back.\n")?);
        };
        self.game.state = before.state;
        self.record.actions.truncate(before.actions);
        self.record.fingerprints.truncate(before.fingerprints);
        self.record.result = None;
        self.events.truncate(before.events);
        self.told.iter_mut().for_each(|told| *told = (*told).min(before.events));
        (self.drawn, self.passing) = (None, None);
        self.ahead.clear();
        self.store()?;
        Ok(say(paint(HEAD, "  Taken back.") + "\n")?)
    }

    /// Does the person let this window go by, as wished before?
    fn passes_on(&mut self, seat: Seat, question: Question) -> bool {
        let state = &self.game.state;
        let same = self.passing == Some((seat, state.turn(), state.phase()));
        let may_build = state.phase() == Phase::Build && state.active() == seat;
        let quiet = question == Question::Act && state.pending().is_empty() && !may_build;
        if same && !quiet {
            self.passing = None;
        }
        same && quiet
    }

    // ---- asking a person ----

    fn ask(&mut self, seat: Seat, legal: &Actions) -> Result<Wish, Failure> {
        if self.at_keyboard != Some(seat) {
            if !self.hand_over(seat)? {
                return Ok(Wish::Quit);
            }
            self.at_keyboard = Some(seat);
        }
        let view = self.game.view(Some(seat));
        let table = view.table();
        let menu = Menu::of(table, seat, &self.names, legal);
        self.tell_news(seat)?;
        let state = &table.state;
        let here = (seat, state.turn(), state.phase(), state.active());
        let is_window = matches!(
            table.decision().map(|decision| decision.question),
            Some(Question::Act | Question::FirstRoom)
        );
        if is_window {
            self.ahead.clear();
        }
        if self.drawn.as_ref().is_none_or(|(place, _)| *place != here) || is_window {
            let board = Board::new(table, Some(seat), &self.names).draw();
            // Whose time it is alone is no reason to draw it all again: the question says it.
            let picture = (here, board.replace('▸', " "));
            if self.drawn.as_ref().is_none_or(|(_, drawn)| *drawn != picture.1) {
                say(board)?;
            }
            self.drawn = Some(picture);
        }
        self.choose(seat, table, &menu)
    }

    /// Asks until the answer is one of the menu's.
    fn choose(&mut self, seat: Seat, table: &Game, menu: &Menu) -> Result<Wish, Failure> {
        let mut shown = false;
        loop {
            if !self.ahead.is_empty() {
                let number = self.ahead.remove(0);
                match number.checked_sub(1).and_then(|i| menu.choices.get(i)) {
                    Some(choice) => {
                        if let Some(wish) = self.take(seat, table, choice)? {
                            return Ok(wish);
                        }
                        shown = false;
                    }
                    None => {
                        self.ahead.clear();
                        say(format!("  There is no choice {number}.\n"))?;
                    }
                }
                continue;
            }
            if !shown {
                say(format!("{}{}\n", menu.draw(), paint(HEAD, &menu.question)))?;
                shown = true;
            }
            let prompt = match (menu.choices.len(), menu.pass) {
                (0, _) => "Enter passes, ? helps >".into(),
                (n, true) => format!("{}, Enter passes, ? helps >", up_to(n)),
                (n, false) => format!("{}, ? helps >", up_to(n)),
            };
            let Some(line) = self.keys.ask(&prompt)? else { return Ok(Wish::Quit) };
            match Typed::of(&line) {
                Typed::Numbers(numbers) => self.ahead = numbers,
                Typed::Enter | Typed::Pass if menu.pass => return Ok(Wish::Answer(Action::Pass)),
                Typed::PassOn if menu.pass => {
                    self.passing = Some((seat, table.state.turn(), table.state.phase()));
                    return Ok(Wish::Answer(Action::Pass));
                }
                Typed::Enter => shown = false,
                Typed::Pass | Typed::PassOn => say("  You cannot pass here.\n")?,
                answer @ (Typed::Yes | Typed::No) => {
                    let wanted = if answer == Typed::Yes { Action::Yes } else { Action::No };
                    if menu.choices.iter().any(|choice| choice.answers == [wanted]) {
                        return Ok(Wish::Answer(wanted));
                    }
                    say("  That is not a question of yes or no.\n")?;
                }
                Typed::Undo => return Ok(Wish::Undo),
                Typed::Quit => return Ok(Wish::Quit),
                Typed::Words(words) => {
                    let found: Vec<usize> = (1..=menu.choices.len())
                        .filter(|n| menu.choices[n - 1].words.to_lowercase().contains(&words))
                        .collect();
                    match found[..] {
                        [one] => self.ahead = vec![one],
                        [] => say("  I do not understand that. `help` lists what you can type.\n")?,
                        _ => say("  More than one line has these words: type its number.\n")?,
                    }
                }
                other => self.inform(seat, table, menu, other)?,
            }
        }
    }

    /// A choice as an answer; a room with several places asks which. `None`: back to the list.
    fn take(&mut self, seat: Seat, table: &Game, choice: &Choice) -> Result<Option<Wish>, Failure> {
        if let [only] = choice.answers[..] {
            return Ok(Some(Wish::Answer(only)));
        }
        let places = Menu::places(table, seat, choice);
        loop {
            let number = if self.ahead.is_empty() {
                say(format!("{}{}\n", places.draw(), paint(HEAD, &places.question)))?;
                let prompt = format!("{}, Enter goes back >", up_to(places.choices.len()));
                let Some(line) = self.keys.ask(&prompt)? else { return Ok(Some(Wish::Quit)) };
                match Typed::of(&line) {
                    Typed::Numbers(numbers) => numbers[0],
                    Typed::Quit => return Ok(Some(Wish::Quit)),
                    _ => return Ok(None),
                }
            } else {
                self.ahead.remove(0)
            };
            match number.checked_sub(1).and_then(|i| places.choices.get(i)) {
                Some(place) => return Ok(Some(Wish::Answer(place.answers[0]))),
                None => say(format!("  There is no choice {number}.\n"))?,
            }
        }
    }

    /// Everything one can ask for without deciding.
    fn inform(&mut self, seat: Seat, table: &Game, menu: &Menu, what: Typed) -> Result<(), Failure> {
        match what {
            Typed::Help => say(HELP)?,
            Typed::About(wanted) => say(self.about(table, menu, &wanted))?,
            Typed::Board => say(Board::new(table, Some(seat), &self.names).draw() + &menu.draw())?,
            Typed::Hand => {
                for card in table.state.hand(seat) {
                    say(brief(table.def(card)))?;
                }
            }
            Typed::Discard => {
                let pile: Vec<&str> = table.state.pile(Place::DISCARD).map(|card| table.name(card)).collect();
                let text = if pile.is_empty() { "nothing".into() } else { pile.join(", ") };
                say(paragraph("  Discard pile: ", &text, DIM))?;
            }
            Typed::Hint => {
                let (adviser, view) = (Player::Level(Level::ADVISER), self.game.view(Some(seat)));
                say(hint_cmd::draw(&hint_cmd::ask(&adviser, &view, &self.names, 3)?))?;
            }
            Typed::Log { all } => {
                let lines = story::tell(table.db, &self.names, &self.events, Eyes::Seat(seat));
                let from = if all { 0 } else { lines.len().saturating_sub(30) };
                say(printed(&lines[from..]))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn about(&self, table: &Game, menu: &Menu, wanted: &str) -> String {
        let numbered = wanted.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        if let Some(card) = numbered.and_then(|i| menu.choices.get(i)).and_then(|choice| choice.card) {
            return cards_cmd::page(table.def(card));
        }
        match cards_cmd::find(table.db, wanted)[..] {
            [] => format!("  {}\n", cards_cmd::unknown(table.db, wanted)),
            [def] => cards_cmd::page(def),
            ref many => {
                let names: Vec<&str> = many.iter().map(|def| def.face.name.as_str()).collect();
                paragraph("  Which one? ", &names.join("; "), DIM)
            }
        }
    }

    /// Nothing of the one before stays on the screen. `false`: the input is at its end.
    fn hand_over(&mut self, seat: Seat) -> Result<bool, Failure> {
        self.ahead.clear();
        if !self.keys.is_terminal() {
            say(format!("\n── {} ──\n", self.names[seat.index()]))?;
            return Ok(true);
        }
        clear_screen()?;
        say(format!("\n  Pass the keyboard to {}.\n\n", paint(BOLD, &self.names[seat.index()])))?;
        let there = self.keys.ask("  Enter when you are there >")?.is_some();
        clear_screen()?;
        Ok(there)
    }

    // ---- telling ----

    fn tell_news(&mut self, seat: Seat) -> Result<(), Failure> {
        let new = &self.events[self.told[seat.index()]..];
        let lines = story::tell(self.game.db, &self.names, new, Eyes::Seat(seat));
        self.told[seat.index()] = self.events.len();
        Ok(say(news(&lines))?)
    }

    fn welcome(&mut self) -> Result<(), Failure> {
        let title = paint(HEAD, "LAIR");
        say(format!("\n  {title}  build a dungeon, lure the heroes, let none of them out\n"))?;
        let aim = match self.game.state.rules().has(Variant::UnlimitedLives) {
            true => "Most souls less wounds win when the last hero has come.",
            false => "Ten souls win; five wounds lose.",
        };
        say(paint(DIM, format!("  {aim} Type ? for help.")) + "\n")?;
        Ok(say(paragraph("  ", &format!("{}{}", self.record.setup, harmless(&self.homebrew)), DIM))?)
    }

    fn farewell(&self) -> Result<(), Failure> {
        let text = match &self.save {
            Some(path) => {
                self.store()?;
                let (path, homebrew) = (path.display(), &self.homebrew);
                harmless(&format!("The game is saved. Go on with: lair play --resume {path}{homebrew}"))
            }
            None => "Good bye. (A game started with --save FILE can be resumed.)".into(),
        };
        Ok(say(format!("\n  {text}\n"))?)
    }

    fn finish(&mut self) -> Result<(), Failure> {
        let eyes = match self.at_keyboard {
            Some(seat) if self.people() == 1 => Eyes::Seat(seat),
            _ => Eyes::Spectator,
        };
        let told = match self.at_keyboard {
            Some(seat) => self.told[seat.index()],
            None => 0,
        };
        let lines = story::tell(self.game.db, &self.names, &self.events[told..], eyes);
        say(news(&lines))?;
        let line = "─".repeat(columns());
        let mut out = format!("\n{line}\n");
        let winner = self.game.outcome().map(|outcome| outcome.winner);
        for seat in self.game.state.order() {
            let (souls, wounds) = (self.game.souls(*seat), self.game.wounds(*seat));
            let name = &self.names[seat.index()];
            let boss = self.game.boss(*seat).map_or("", |boss| self.game.name(boss));
            let score = match self.game.state.in_game(*seat) {
                true => format!("{souls:>2} souls  {wounds} wounds"),
                // The cards of a beaten player have left the game.
                false => paint(DIM, format!("{:<18}", "five wounds: out")),
            };
            let won = if winner == Some(*seat) { paint(GOOD, "   WINS") } else { String::new() };
            out.push_str(&format!("  {name:<14} {score}   {boss}{won}\n"));
        }
        say(out)?;
        if let Some(path) = &self.save {
            self.store()?;
            let (path, homebrew) = (path.display(), &self.homebrew);
            say(harmless(&format!("  Recorded in {path}; tell it with: lair replay {path}{homebrew}\n")))?;
        }
        Ok(())
    }
}

fn up_to(n: usize) -> String {
    if n == 1 { "1".into() } else { format!("1-{n}") }
}

/// The story so far, as short lines.
fn news(lines: &[Line]) -> String {
    let mut out = String::new();
    for line in lines {
        match line {
            Line::Turn(turn) => out.push_str(&format!("\n  {}\n", paint(HEAD, format!("Turn {turn}")))),
            Line::Phase(phase) => out.push_str(&format!("  {}\n", paint(DIM, phase))),
            Line::Good(text) => out.push_str(&paragraph("  · ", text, GOOD)),
            Line::Bad(text) => out.push_str(&paragraph("  · ", text, crate::term::BAD)),
            Line::Plain(text) => out.push_str(&paragraph("  · ", text, anstyle::Style::new())),
        }
    }
    out
}

/// A card's name, facts and text, without rulings.
fn brief(def: &cards::db::Def) -> String {
    let mut out = format!("  {}  {}\n", paint(BOLD, &def.face.name), paint(DIM, &def.face.facts));
    def.face.text.iter().for_each(|text| out.push_str(&paragraph("    ", text, anstyle::Style::new())));
    out
}
