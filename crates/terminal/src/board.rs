//! Draws the table as text: dungeons, scores, and heroes with who would lure them and how they would fare.
//! Invariant: it only ever gets a viewer's table, in which unseen cards are blank.

use cards::db::Def;
use cards::vocabulary::{Kind, Landmark, Subtype};
use engine::id::SLOTS;
use engine::state::Space;
use engine::{CardId, Fate, Forecast, Game, Phase, Place, Seat, Zone};

use crate::term::{
    BAD, BOLD, DIM, GOOD, HEAD, class_style, columns, cut, icons, pad, paint, paragraph, width, wrap,
};

/// What the viewer knows; `revealed` is the same with the viewer's own face-down rooms revealed.
pub struct Board<'a> {
    pub table: &'a Game<'a>,
    pub revealed: Game<'a>,
    pub viewer: Option<Seat>,
    pub names: &'a [String],
}

impl<'a> Board<'a> {
    pub fn new(table: &'a Game<'a>, viewer: Option<Seat>, names: &'a [String]) -> Board<'a> {
        let revealed = viewer.map_or_else(|| table.clone(), |seat| table.if_revealed(seat));
        Board { table, revealed, viewer, names }
    }

    fn name(&self, seat: Seat) -> &str {
        &self.names[seat.index()]
    }

    pub fn draw(&self) -> String {
        let mut out = self.headline();
        out.push_str(&self.town_board());
        // The viewer's own dungeon comes last, next to the hand.
        let all = || self.table.state.order().iter().copied();
        let others = all().filter(|seat| Some(*seat) != self.viewer);
        for seat in others.chain(all().filter(|seat| Some(*seat) == self.viewer)) {
            out.push_str(&self.player(seat));
        }
        out.push_str(&self.heroes());
        out.push_str(&self.waiting());
        out
    }

    fn headline(&self) -> String {
        let state = &self.table.state;
        let mark = |phase: Phase| {
            if state.phase() == phase {
                paint(HEAD, format!("[{}]", phase.word().to_uppercase()))
            } else {
                paint(DIM, phase)
            }
        };
        let phases: Vec<String> = state.rules().edition().phases.iter().map(mark).collect();
        let turn = match state.turn() {
            0 => "Setup".to_string(),
            turn => format!("Turn {turn}"),
        };
        let left = format!("── {}  {} ", paint(BOLD, turn), phases.join(" "));
        let of_deck = |kind: &Kind| {
            let held = *kind != Kind::Item || state.pile_len(Place::shared(kind.home())) > 0;
            kind.home().is_deck() && kind.backed() == *kind && held
        };
        let count = |kind: Kind| state.pile_len(Place::shared(kind.home()));
        let decks = |sep: &str, show: fn(usize, Kind) -> String| {
            let shown = Kind::ALL.into_iter().filter(of_deck).map(|kind| show(count(kind), kind));
            shown.collect::<Vec<_>>().join(sep)
        };
        let mut right = format!(" decks: {} ─", decks(" ", |left, kind| format!("{left} {}", kind.plural())));
        if width(&left) + width(&right) > columns() {
            right = format!(" decks {} ─", decks("/", |left, _| left.to_string()));
        }
        let line = "─".repeat(columns().saturating_sub(width(&left) + width(&right)));
        format!("\n{left}{line}{}\n", paint(DIM, right))
    }

    /// Market, landmarks, minions and the first player; a game for one has its score here.
    fn town_board(&self) -> String {
        let (game, state) = (self.table, &self.table.state);
        let Some(places) = state.rules().edition().town_places(state.rules().players) else {
            return String::new();
        };
        let line = |label: &str, text: String| format!(" {}{text}\n", pad(&paint(DIM, label), 12));
        let mut out = String::new();
        if let Some(alone) = game.solo_score() {
            let next = alone.next.map(|(title, score)| format!("; {title} from {score}"));
            out.push_str(&line(
                "score",
                format!("{}: {}{}", alone.score, alone.title, next.unwrap_or_default()),
            ));
            let needed =
                (0..usize::from(places)).filter_map(|at| state.rules().edition().treasure_needed(at));
            let needed: Vec<String> = needed.map(|needed| needed.to_string()).collect();
            out.push_str(&line("to lure", format!("treasure by place in town: {}", needed.join(", "))));
        } else if let Some(first) = state.order().first().filter(|_| state.turn() > 0) {
            out.push_str(&line("first", self.name(*first).into()));
        }
        let market: Vec<&str> = state.pile(Place::MARKET).map(|card| game.name(card)).collect();
        if !market.is_empty() {
            out.push_str(&line("market", market.join(" · ")));
        }
        let hero = |hero: CardId| {
            let item = self.item_of(hero).map(|item| format!(", {item}")).unwrap_or_default();
            format!("{} ({}{item})", game.def(hero).face.short(), game.hero_health(hero))
        };
        let at = |landmark: Landmark| {
            let heroes: Vec<String> = state.heroes_at(landmark).map(hero).collect();
            (!heroes.is_empty()).then(|| format!("{}: {}", landmark.name(), heroes.join(", ")))
        };
        let landmarks: Vec<String> = Landmark::ALL.into_iter().filter_map(at).collect();
        if !landmarks.is_empty() {
            out.push_str(&line("landmarks", landmarks.join(" · ")));
        }
        let minion = |seat: Seat| {
            let at = state.minion(seat);
            let place = match (Space::of_ref(at), state.present(at)) {
                (Some(space), _) => format!("{}, {}", space.landmark.name(), space.errand.word()),
                (_, Some(card)) => game.def(card).face.short().to_string(),
                _ => return None,
            };
            Some(format!("{}: {place}", self.name(seat)))
        };
        let minions: Vec<String> = state.seats().filter_map(minion).collect();
        if !minions.is_empty() {
            out.push_str(&line("minions", minions.join(" · ")));
        }
        out
    }

    /// One player: a line of numbers, and the dungeon.
    fn player(&self, seat: Seat) -> String {
        let game = self.table;
        let state = &game.state;
        let is_me = Some(seat) == self.viewer;
        let active = if state.active() == seat { paint(HEAD, "▸") } else { " ".into() };
        let name = paint(BOLD, cut(self.name(seat), 12));
        if !state.in_game(seat) {
            return format!("{active}{} {}\n", pad(&name, 12), paint(BAD, "is out of the game"));
        }
        let (souls, wounds) = (game.souls(seat), game.wounds(seat));
        // No target is shown where the rules have none.
        let of = |end: Option<u8>| end.map_or(String::new(), |end| format!("/{end}"));
        let edition = state.rules().edition();
        // A miniboss has the back of a room.
        let hand = |kind| state.hand(seat).filter(|card| game.def(*card).kind.backed() == kind).count();
        let coins = match game.db.coins {
            true => format!("  coins {}", paint(BOLD, game.coins(seat))),
            false => String::new(),
        };
        let classes = game.db.classes.iter();
        let treasure: Vec<String> = classes
            .map(|class| {
                let count = self.revealed.treasure(seat, class);
                let text = format!("{}{count}", class.letter());
                if count > 0 { paint(class_style(class), text) } else { paint(DIM, text) }
            })
            .collect();
        let line = format!(
            "{active}{} souls {}  wounds {}{coins}   {}   {}",
            pad(&name, 13),
            paint(if souls > 0 { GOOD } else { DIM }, format!("{souls:>2}{}", of(edition.souls_to_win))),
            paint(if wounds > 0 { BAD } else { DIM }, format!("{wounds}{}", of(edition.wounds_to_lose))),
            treasure.join(" "),
            paint(
                DIM,
                format!(
                    "hand: {}, {}",
                    counted(hand(Kind::Room), "room"),
                    counted(hand(Kind::Spell), "spell")
                )
            ),
        );
        format!("{line}\n{}{}", self.dungeon(seat, is_me), self.claimed(seat))
    }

    /// The items in the scoring area.
    fn claimed(&self, seat: Seat) -> String {
        let game = self.table;
        let items = game.state.pile(Place::scoring(seat)).filter(|card| game.def(*card).kind == Kind::Item);
        let items: Vec<String> = items
            .map(|item| match game.is_facedown(item) {
                true => paint(DIM, format!("{} (face down)", game.name(item))),
                false if game.is_new(item) => format!("{} (from next turn on)", game.name(item)),
                false => paint(BOLD, game.name(item)),
            })
            .collect();
        if items.is_empty() { String::new() } else { format!("  items: {}\n", items.join(" · ")) }
    }

    /// What the hero carries.
    fn item_of(&self, hero: CardId) -> Option<&str> {
        self.table.state.attached_to(hero).next().map(|item| self.table.name(item.card))
    }

    /// Rooms from left to right, as heroes walk them, with the boss at the right end.
    fn dungeon(&self, seat: Seat, is_me: bool) -> String {
        let cell = ((columns() - 2) / 6).clamp(10, 18);
        let mut cells: Vec<Vec<String>> = Vec::new();
        let empty = SLOTS - self.table.state.slots(seat).len();
        for room in self.table.state.slots(seat).iter().rev() {
            cells.push(self.room(*room, is_me, cell - 2));
        }
        cells.push(self.boss(seat, cell - 2));
        let mut out = String::new();
        let rows = cells.iter().map(Vec::len).max().unwrap_or(0).max(4);
        for row in 0..rows {
            out.push_str("  ");
            out.push_str(&" ".repeat(empty * cell));
            for lines in &cells {
                let text = lines.get(row).map_or("", String::as_str);
                out.push_str(&format!("{}{}", paint(DIM, "│ "), pad(text, cell - 2)));
            }
            out.truncate(out.trim_end().len());
            out.push('\n');
        }
        out
    }

    fn room(&self, room: CardId, is_me: bool, fit: usize) -> Vec<String> {
        let game = self.table;
        let def = game.def(room);
        let depth = game.state.stack(room).count();
        let under = if depth > 1 { format!(" +{}", depth - 1) } else { String::new() };
        let facedown = game.is_facedown(room);
        if facedown && !is_me {
            return vec!["▒▒▒▒▒▒".into(), "▒▒▒▒▒▒".into(), paint(DIM, format!("face down{under}"))];
        }
        let off = game.is_deactivated(room);
        let mut lines: Vec<String> = wrap(&def.face.name, fit).iter().map(|line| cut(line, fit)).collect();
        lines.truncate(2);
        lines.resize(2, String::new());
        if facedown || off {
            lines.iter_mut().for_each(|line| *line = paint(DIM, &line));
        }
        if def.kind == Kind::Miniboss {
            lines.extend([paint(DIM, format!("miniboss{under}")), paint(HEAD, "face down")]);
            return lines;
        }
        let damage = self.revealed.room_damage(room);
        let changed = !off && damage != i32::from(def.damage);
        let number = paint(if changed { HEAD } else { BOLD }, format!("{damage} dmg"));
        lines.push(format!("{number} {}{}", icons(def), paint(DIM, &under)));
        lines.push(if off {
            paint(BAD, "DEACTIVATED")
        } else if facedown {
            paint(HEAD, "face down")
        } else {
            paint(DIM, room_kind(def))
        });
        for under in game.state.attached_to(room) {
            let most = game.def(under.card).levels.len();
            let level = usize::from(under.level);
            let pips = format!("{}{}", "●".repeat(level), "○".repeat(most.saturating_sub(level)));
            let name = cut(game.def(under.card).face.short(), fit.saturating_sub(most + 1));
            lines.push(format!("{name} {}", paint(HEAD, pips)));
        }
        let marks = game.state.marks(room);
        let lying = [(marks.counters, "counter"), (marks.coins, "coin")];
        for (count, what) in lying.into_iter().filter(|(count, _)| *count > 0) {
            lines.push(paint(HEAD, counted(usize::from(count), what)));
        }
        lines
    }

    fn boss(&self, seat: Seat, fit: usize) -> Vec<String> {
        let game = self.table;
        let Some(boss) = game.boss(seat) else { return vec![paint(DIM, "no boss yet")] };
        let def = game.def(boss);
        let level = if game.levelled(seat) { paint(HEAD, "★ levelled") } else { paint(DIM, "boss") };
        vec![paint(BOLD, cut(def.face.short(), fit)), format!("{} XP", def.xp), icons(def), level]
    }

    /// All heroes in town, at an entrance or in a dungeon.
    fn heroes(&self) -> String {
        let state = &self.table.state;
        let mut rows: Vec<CardId> = Vec::new();
        for seat in state.seats() {
            rows.extend(state.pile(Place::inside(seat)));
        }
        for seat in state.seats() {
            rows.extend(state.pile(Place::entrance(seat)));
        }
        rows.extend(state.pile(Place::TOWN));
        let waiting: Vec<&str> = state.pile(Place::TOWN_ITEMS).map(|item| self.table.name(item)).collect();
        let waiting = match waiting[..] {
            [] => String::new(),
            _ => format!("  items in town: {}\n", waiting.join(" · ")),
        };
        if rows.is_empty() {
            let none =
                if state.turn() > 0 { paint(DIM, "  no heroes in play") + "\n" } else { String::new() };
            return none + &waiting;
        }
        let seats: Vec<Seat> = state.seats().collect();
        let (names, count) = match (seats.len(), columns()) {
            (_, 100..) => (26, 9),
            (..3, _) => (19, 7),
            (3, _) => (18, 7),
            (4, _) => (17, 6),
            _ => (13, 5),
        };
        let label = |seat: &Seat| format!("{:>1$}", cut(self.name(*seat), count - 1), count);
        let labels: String = seats.iter().map(label).collect();
        let mut out = format!("  {}\n", paint(DIM, format!("{:<1$}{labels}", "Heroes", names + 9)));
        for hero in rows {
            out.push_str(&self.hero(hero, &seats, names, count));
            if let Some(item) = self.item_of(hero) {
                out.push_str(&format!("      {}\n", paint(DIM, format!("carries {item}"))));
            }
        }
        out + &waiting
    }

    fn hero(&self, hero: CardId, seats: &[Seat], names: usize, wide: usize) -> String {
        let game = &self.revealed;
        let def = game.def(hero);
        let place = game.state.card(hero).place;
        let in_town = place.zone() == Zone::Town;
        let class = def.classes.iter().next();
        let who = class.map_or("?".into(), |class| paint(class_style(class), class.letter()));
        let name = format!(
            "  {} {who} {:>2}♥ {}",
            pad(&cut(def.face.short(), names), names),
            game.hero_health(hero),
            // Epic heroes count twice.
            if def.souls() > 1 { "×2" } else { "  " },
        );
        let lured = if in_town { game.lured_to(hero) } else { Some(place.seat()) };
        let count = |seat: &Seat| {
            if !in_town {
                return " ".repeat(wide);
            }
            let unsure = if self.has_secrets(*seat) { "?" } else { "" };
            let text = format!("{:>1$}", format!("{}{unsure}", game.pull(hero, *seat)), wide);
            paint(if lured == Some(*seat) { BOLD } else { DIM }, text)
        };
        let counts: String = seats.iter().map(count).collect();
        let Some(seat) = lured else {
            let most = seats.iter().map(|seat| game.pull(hero, *seat)).max().unwrap_or(0);
            let place = game.state.pile(Place::TOWN).position(|id| id == hero);
            let needed = place.and_then(|place| game.state.rules().edition().treasure_needed(place));
            if let Some(needed) = needed.filter(|needed| most < *needed) {
                return format!("{name}{counts}  {}\n", paint(DIM, format!("wants {needed}: stays")));
            }
            let why = if most == 0 && def.lure.is_none() { "nobody has any" } else { "tied" };
            return format!("{name}{counts}  {}\n", paint(DIM, format!("{why}: stays")));
        };
        let whose = if self.viewer == Some(seat) { "yours".into() } else { format!("{}'s", self.name(seat)) };
        let to = match place.zone() {
            Zone::Town => format!("→ {}", self.name(seat)),
            Zone::Inside => format!("in {whose}"),
            _ => format!("at {whose}"),
        };
        let longest = seats.iter().map(|seat| width(self.name(*seat))).max().unwrap_or(0);
        let elsewhere = |seat: &Seat| {
            let state = &self.table.state;
            state.pile_len(Place::entrance(*seat)) + state.pile_len(Place::inside(*seat)) > 0
        };
        // `→ Imp`, or `at Imp's` as well.
        let fit = (longest + if seats.iter().any(elsewhere) { 5 } else { 2 }).min(14);
        let begin = format!("{name}{counts}  {} ", pad(&cut(&to, fit), fit));
        let rest = columns().saturating_sub(width(&begin) + 1);
        let walk = game.forecast(hero, seat);
        // Green and red are the viewer's; without a viewer, the dungeon owner's.
        let good = self.viewer.is_none_or(|viewer| viewer == seat);
        let style = match walk.fate {
            Fate::Dies if good => GOOD,
            Fate::Wounds if good => BAD,
            _ => DIM,
        };
        let mut fate = self.fate(hero, &walk, rest.saturating_sub(1));
        if self.has_secrets(seat) {
            fate.push('?');
        }
        format!("{begin}{}\n", paint(style, fate))
    }

    /// Is there a room in this dungeon that the viewer has not seen?
    fn has_secrets(&self, seat: Seat) -> bool {
        self.revealed.state.slots(seat).iter().any(|room| self.revealed.is_facedown(*room))
    }

    /// `2+1+3 dies in Dark Altar`, shorter where space is short.
    fn fate(&self, hero: CardId, walk: &Forecast, fit: usize) -> String {
        let game = &self.revealed;
        let had = game.hero_damage(hero);
        let mut sums: Vec<String> = walk.rooms.iter().map(|visit| visit.damage.to_string()).collect();
        if had > 0 {
            sums.insert(0, format!("({had})"));
        }
        let sum = if sums.is_empty() { "0".into() } else { sums.join("+") };
        let points = game.def(hero).souls();
        let wound = if points == 1 { "1 wound" } else { "2 wounds" };
        let candidates: Vec<String> = match walk.fate {
            Fate::Dies => {
                let room = walk.rooms.last().map_or("here", |visit| game.name(visit.room));
                vec![
                    format!("takes {sum}, dies in {room}"),
                    format!("{sum} dies in {room}"),
                    format!("{sum} dies"),
                    "dies".into(),
                ]
            }
            Fate::Wounds => {
                vec![
                    format!("takes {sum}, survives: {wound}"),
                    format!("{sum} survives: {wound}"),
                    format!("{sum} {wound}"),
                    wound.into(),
                ]
            }
            Fate::StaysOut => vec!["stays outside".into()],
        };
        let text = candidates.iter().find(|text| width(text) <= fit).or(candidates.last());
        text.cloned().unwrap_or_default()
    }

    /// Spells and abilities waiting to take effect.
    fn waiting(&self) -> String {
        let pending = self.table.state.pending();
        if pending.is_empty() {
            return String::new();
        }
        let one = |p: &engine::state::Pending| {
            let card = p.code.source.as_card().map_or("?", |card| self.table.name(card));
            format!("{card} ({})", self.name(p.code.you))
        };
        let all: Vec<String> = pending.iter().map(one).collect();
        paragraph("  ", &format!("Waiting to take effect: {}", all.join(", ")), HEAD)
    }
}

fn counted(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// Which kind of room it is, in a word or two.
pub fn room_kind(def: &Def) -> &'static str {
    match (def.subtype, def.advanced) {
        (Some(Subtype::Monster), false) => "monster",
        (Some(Subtype::Monster), true) => "adv monster",
        (Some(Subtype::Trap), false) => "trap",
        (Some(Subtype::Trap), true) => "adv trap",
        (None, _) => "room",
    }
}
