//! `lair play`: a game with people at one keyboard, bots, or both. This file asks, applies and records;
//! `board` draws, `menu` lists choices, `keys` reads lines, `seats` sets up the players.
//! Invariant: everything printed comes from the view of the person at the keyboard.

mod keys;
mod menu;
mod seats;

use std::path::{Path, PathBuf};

use bots::{BotLevel, BotSpec};
use engine::record::{HomebrewText, Record};
use engine::tell::{self, Reader};
use engine::{Action, Actions, Event, Game, Phase, Place, Question, Seat, State};
use lab::SeatedBot;

use crate::cards_cmd;
use crate::cli::Play;
use crate::decks;
use crate::failure::Failure;
use crate::hint_cmd;
use crate::homebrew::Library;
use crate::record_cmd::{about, cards_of, load, printed};
use crate::story::{self, Line};
use crate::term::{BOLD, DIM, GOOD, HEAD, clear_screen, columns, paint, paragraph, printable, say};

use keys::{HELP, Keys, Typed};
use menu::{Choice, Menu};
use seats::SessionStart;
use terminal::Board;

pub fn run(args: &Play, library: &Library) -> Result<(), Failure> {
    if let Some(file) = &args.resume {
        let record = load(file)?;
        let db = cards_of(&record, library).map_err(|error| about(file, error))?;
        return Session::new(SessionStart::resume(&db, record, file)?, library.as_arguments()).play();
    }
    let deck = decks::named(&args.deal, &library.sets)?;
    let db = deck.compile(&library.sets).map_err(Failure::failed)?;
    let mut start = SessionStart::new(&db, &deck, args)?;
    start.record.homebrew = library.homebrew.iter().map(HomebrewText::from).collect();
    Session::new(start, library.as_arguments()).play()
}

/// The state before a person's decision.
struct UndoPoint {
    state: State,
    actions: usize,
    fingerprints: usize,
    events: usize,
}

struct Session<'a> {
    game: Game<'a>,
    names: Vec<String>,
    /// A bot for every seat that has no person.
    bots: Vec<Option<SeatedBot>>,
    record: Record,
    /// Arguments that load the same homebrew cards again.
    homebrew: String,
    save: Option<PathBuf>,
    events: Vec<Event>,
    /// How much of `events` each seat has been told.
    told: Vec<usize>,
    history: Vec<UndoPoint>,
    keys: Keys,
    /// Who has the keyboard.
    at_keyboard: Option<Seat>,
    /// When the board was last drawn, and what was drawn.
    drawn: Option<((Seat, u16, Phase, Seat), String)>,
    /// A seat that passes until this phase is over.
    passing: Option<(Seat, u16, Phase)>,
    /// Numbers typed ahead.
    typed_ahead: Vec<usize>,
}

/// What a person has decided.
enum Reply {
    Answer(Action),
    Undo,
    Quit,
}

impl<'a> Session<'a> {
    fn new(start: SessionStart<'a>, homebrew: String) -> Session<'a> {
        let seats = start.names.len();
        let mut table = Session {
            game: start.game,
            names: start.names,
            bots: start.bots,
            record: start.record,
            homebrew,
            save: start.save,
            events: start.events,
            told: vec![start.told; seats],
            history: Vec::new(),
            keys: Keys::new(),
            at_keyboard: None,
            drawn: None,
            passing: None,
            typed_ahead: Vec::new(),
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
                    Reply::Answer(action) => action,
                    Reply::Undo => {
                        self.undo()?;
                        continue;
                    }
                    Reply::Quit => return self.quit(),
                }
            };
            self.apply(seat, answer)?;
        }
        self.finish()
    }

    fn apply(&mut self, seat: Seat, answer: Action) -> Result<(), Failure> {
        let person = self.bots[seat.index()].is_none();
        if person {
            self.history.push(UndoPoint {
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

    /// Writes to a temporary file and renames it, so that a failed write leaves the old record.
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
            return Ok(say("  You cannot take back a move while another person is playing.\n")?);
        }
        let Some(before) = self.history.pop() else {
            return Ok(say("  This is your first decision, so there is nothing to take back.\n")?);
        };
        self.game.state = before.state;
        self.record.actions.truncate(before.actions);
        self.record.fingerprints.truncate(before.fingerprints);
        self.record.result = None;
        self.events.truncate(before.events);
        self.told.iter_mut().for_each(|told| *told = (*told).min(before.events));
        (self.drawn, self.passing) = (None, None);
        self.typed_ahead.clear();
        self.store()?;
        Ok(say(paint(HEAD, "  Taken back.") + "\n")?)
    }

    /// Has this person asked to pass until the phase ends?
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

    fn ask(&mut self, seat: Seat, legal: &Actions) -> Result<Reply, Failure> {
        if self.at_keyboard != Some(seat) {
            if !self.hand_over(seat)? {
                return Ok(Reply::Quit);
            }
            self.at_keyboard = Some(seat);
        }
        let view = self.game.view(Some(seat));
        let table = view.table();
        let menu = Menu::of(table, seat, &self.names, legal);
        self.show_news(seat)?;
        let state = &table.state;
        let here = (seat, state.turn(), state.phase(), state.active());
        let is_window = matches!(
            table.decision().map(|decision| decision.question),
            Some(Question::Act | Question::FirstRoom)
        );
        if is_window {
            self.typed_ahead.clear();
        }
        if self.drawn.as_ref().is_none_or(|(place, _)| *place != here) || is_window {
            let board = Board::new(table, Some(seat), &self.names).draw();
            // A new active player alone is not worth a redraw: the question says it.
            let picture = (here, board.replace('▸', " "));
            if self.drawn.as_ref().is_none_or(|(_, drawn)| *drawn != picture.1) {
                say(board)?;
            }
            self.drawn = Some(picture);
        }
        self.choose(seat, table, &menu)
    }

    /// Asks until the answer is one of the menu's.
    fn choose(&mut self, seat: Seat, table: &Game, menu: &Menu) -> Result<Reply, Failure> {
        let mut shown = false;
        loop {
            if !self.typed_ahead.is_empty() {
                let number = self.typed_ahead.remove(0);
                match number.checked_sub(1).and_then(|i| menu.choices.get(i)) {
                    Some(choice) => {
                        if let Some(reply) = self.take(seat, table, choice)? {
                            return Ok(reply);
                        }
                        shown = false;
                    }
                    None => {
                        self.typed_ahead.clear();
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
            let Some(line) = self.keys.ask(&prompt)? else { return Ok(Reply::Quit) };
            match Typed::of(&line) {
                Typed::Numbers(numbers) => self.typed_ahead = numbers,
                Typed::Enter | Typed::Pass if menu.pass => return Ok(Reply::Answer(Action::Pass)),
                Typed::PassOn if menu.pass => {
                    self.passing = Some((seat, table.state.turn(), table.state.phase()));
                    return Ok(Reply::Answer(Action::Pass));
                }
                Typed::Enter => shown = false,
                Typed::Pass | Typed::PassOn => say("  You cannot pass here.\n")?,
                answer @ (Typed::Yes | Typed::No) => {
                    let wanted = if answer == Typed::Yes { Action::Yes } else { Action::No };
                    if menu.choices.iter().any(|choice| choice.answers == [wanted]) {
                        return Ok(Reply::Answer(wanted));
                    }
                    say("  That is not a yes-or-no question.\n")?;
                }
                Typed::Undo => return Ok(Reply::Undo),
                Typed::Quit => return Ok(Reply::Quit),
                Typed::Words(words) => {
                    let found: Vec<usize> = (1..=menu.choices.len())
                        .filter(|n| menu.choices[n - 1].words.to_lowercase().contains(&words))
                        .collect();
                    match found[..] {
                        [one] => self.typed_ahead = vec![one],
                        [] => say("  I do not understand that. `help` lists what you can type.\n")?,
                        _ => say("  More than one line contains these words: type a number.\n")?,
                    }
                }
                other => self.inform(seat, table, menu, other)?,
            }
        }
    }

    /// A choice as an answer; a room with several places asks which. `None`: back to the list.
    fn take(&mut self, seat: Seat, table: &Game, choice: &Choice) -> Result<Option<Reply>, Failure> {
        if let [only] = choice.answers[..] {
            return Ok(Some(Reply::Answer(only)));
        }
        let places = Menu::places(table, seat, choice);
        loop {
            let number = if self.typed_ahead.is_empty() {
                say(format!("{}{}\n", places.draw(), paint(HEAD, &places.question)))?;
                let prompt = format!("{}, Enter goes back >", up_to(places.choices.len()));
                let Some(line) = self.keys.ask(&prompt)? else { return Ok(Some(Reply::Quit)) };
                match Typed::of(&line) {
                    Typed::Numbers(numbers) => numbers[0],
                    Typed::Quit => return Ok(Some(Reply::Quit)),
                    _ => return Ok(None),
                }
            } else {
                self.typed_ahead.remove(0)
            };
            match number.checked_sub(1).and_then(|i| places.choices.get(i)) {
                Some(place) => return Ok(Some(Reply::Answer(place.answers[0]))),
                None => say(format!("  There is no choice {number}.\n"))?,
            }
        }
    }

    /// Everything you can ask for without deciding.
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
                let (adviser, view) = (BotSpec::Level(BotLevel::ADVISER), self.game.view(Some(seat)));
                say(hint_cmd::draw(&hint_cmd::ask(&adviser, &view, &self.names, 3)?))?;
            }
            Typed::Log { all } => {
                let lines = story::tell(table.db, &self.names, &self.events, Reader::Seat(seat));
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
            [def] => cards_cmd::page(def) + &self.why_not(&def.face.name),
            ref many => {
                let names: Vec<&str> = many.iter().map(|def| def.face.name.as_str()).collect();
                paragraph("  Which one? ", &names.join("; "), DIM)
            }
        }
    }

    /// Why the player who is asked cannot use that card of theirs; empty if they can, or have none.
    fn why_not(&self, name: &str) -> String {
        let Some(seat) = self.game.decision().map(|decision| decision.seat) else { return String::new() };
        let view = self.game.view(Some(seat));
        let state = view.state();
        let mut own = state.hand(seat).chain(state.slots(seat).iter().copied()).chain(self.game.boss(seat));
        let card = own.find(|card| view.table().name(*card) == name);
        let why = card.and_then(|card| Some((card, view.why_not(card)?)));
        why.map_or_else(String::new, |(card, why)| {
            let words = tell::why_not(view.table(), &self.names[..], Reader::Seat(seat), card, why);
            paragraph("  Not now: ", &words, DIM)
        })
    }

    /// Clears the previous player's view from the screen. Returns `false` at the end of the input.
    fn hand_over(&mut self, seat: Seat) -> Result<bool, Failure> {
        self.typed_ahead.clear();
        if !self.keys.is_terminal() {
            say(format!("\n── {} ──\n", self.names[seat.index()]))?;
            return Ok(true);
        }
        clear_screen()?;
        say(format!("\n  Pass the keyboard to {}.\n\n", paint(BOLD, &self.names[seat.index()])))?;
        let there = self.keys.ask("  Press Enter when ready >")?.is_some();
        clear_screen()?;
        Ok(there)
    }

    // ---- output ----

    fn show_news(&mut self, seat: Seat) -> Result<(), Failure> {
        let new = &self.events[self.told[seat.index()]..];
        let lines = story::tell(self.game.db, &self.names, new, Reader::Seat(seat));
        self.told[seat.index()] = self.events.len();
        Ok(say(news(&lines))?)
    }

    fn welcome(&mut self) -> Result<(), Failure> {
        let title = paint(HEAD, "LAIR");
        say(format!("\n  {title}  build a dungeon, lure the heroes, let none of them out\n"))?;
        let edition = self.game.state.rules().edition();
        let aim = match (edition.souls_to_win, edition.wounds_to_lose) {
            _ if self.game.solo_score().is_some() => {
                "Score as high as you can: souls minus wounds. Five wounds, or a hero in the Tavern, end it."
                    .into()
            }
            (Some(souls), Some(wounds)) => format!("{souls} souls win; {wounds} wounds lose."),
            (Some(souls), None) => {
                format!("{souls} souls end the game; the most souls minus wounds wins.")
            }
            _ => "Once no heroes are left, the most souls minus wounds wins.".into(),
        };
        say(paint(DIM, format!("  {aim} Type ? for help.")) + "\n")?;
        Ok(say(paragraph("  ", &format!("{}{}", self.record.setup, printable(&self.homebrew)), DIM))?)
    }

    fn quit(&self) -> Result<(), Failure> {
        let text = match &self.save {
            Some(path) => {
                self.store()?;
                let (path, homebrew) = (path.display(), &self.homebrew);
                printable(&format!("The game is saved. Continue with: lair play --resume {path}{homebrew}"))
            }
            None => "Goodbye. (Start a game with --save FILE to be able to continue it later.)".into(),
        };
        Ok(say(format!("\n  {text}\n"))?)
    }

    fn finish(&mut self) -> Result<(), Failure> {
        let reader = match self.at_keyboard {
            Some(seat) if self.people() == 1 => Reader::Seat(seat),
            _ => Reader::Spectator,
        };
        let told = match self.at_keyboard {
            Some(seat) => self.told[seat.index()],
            None => 0,
        };
        let lines = story::tell(self.game.db, &self.names, &self.events[told..], reader);
        say(news(&lines))?;
        let line = "─".repeat(columns());
        let mut out = format!("\n{line}\n");
        let winner = self.game.outcome().map(|outcome| outcome.winner);
        for seat in self.game.state.order() {
            let (souls, wounds) = (self.game.souls(*seat), self.game.wounds(*seat));
            let name = &self.names[seat.index()];
            let boss = self.game.boss(*seat).map_or("", |boss| self.game.name(boss));
            let score = match self.game.state.in_game(*seat) {
                true => format!("souls {souls:>2}  wounds {wounds}"),
                // An eliminated player's cards have left the game.
                false => paint(DIM, format!("{:<18}", "out of the game")),
            };
            let won = match self.game.solo_score() {
                Some(alone) => paint(GOOD, format!("   {} points: {}", alone.score, alone.title)),
                None if winner == Some(*seat) => paint(GOOD, "   WINS"),
                None => String::new(),
            };
            out.push_str(&format!("  {name:<14} {score}   {boss}{won}\n"));
        }
        say(out)?;
        if let Some(path) = &self.save {
            self.store()?;
            let (path, homebrew) = (path.display(), &self.homebrew);
            say(printable(&format!("  Saved to {path}. Read it with: lair replay {path}{homebrew}\n")))?;
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
