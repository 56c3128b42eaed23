//! The table as text and as a picture, for one viewer. Invariant: both are drawn from a view.

mod canvas;
mod font;

use cards::db::Def;
use cards::vocabulary::{Class, Kind};
use engine::id::SLOTS;
use engine::view::View;
use engine::{CardId, Game, Place, Seat};
use terminal::Board;
use terminal::term::plain;

use crate::play::Play;
pub use canvas::Picture;
use canvas::{BACK, Canvas, INK, PAPER, PAST, TITLE};

/// As the terminal shows it.
pub fn text(play: &Play, seat: Option<Seat>, colour: bool) -> String {
    let view = play.game.view(seat);
    let names: Vec<String> = (1..=play.table.players()).map(|seat| format!("p{seat}")).collect();
    let text = Board::new(view.table(), seat, &names).draw();
    if colour { text } else { plain(&text) }
}

const CELL: usize = 118;
const ROW: usize = 92;
const TOP: usize = 74;
const HERO: usize = 100;
const MARGIN: usize = 6;

pub fn draw(view: &View) -> Picture {
    let (game, state) = (view.table(), view.state());
    let players = usize::from(state.rules().players);
    let mut canvas = Canvas::new(MARGIN * 2 + CELL * (SLOTS + 1) + HERO * 2, TOP + ROW * players + 66);
    let turn = format!("TURN {}   {}", state.turn(), state.phase().word());
    canvas.text(MARGIN, 6, &turn, TITLE);
    if let Some(score) = game.solo_score() {
        canvas.text(260, 6, &format!("SCORE {}  {}", score.score, score.title), TITLE);
    }
    canvas.text(MARGIN, 24, "TOWN", PAST);
    for (n, hero) in heroes(game, Place::TOWN).take(7).enumerate() {
        self::hero(&mut canvas, game, hero, 52 + n * (HERO + 4), 20);
    }
    for (row, seat) in (0..players as u8).map(Seat).enumerate() {
        player(&mut canvas, view, seat, TOP + row * ROW);
    }
    if let Some(me) = view.viewer() {
        hand(&mut canvas, game, me, TOP + players * ROW + 4);
    }
    canvas.done()
}

fn heroes<'a>(game: &'a Game, place: Place) -> impl Iterator<Item = CardId> + 'a {
    game.state.pile(place).filter(|card| game.def(*card).kind.is_hero())
}

fn player(canvas: &mut Canvas, view: &View, seat: Seat, y: usize) {
    let (game, state) = (view.table(), view.state());
    let mark = if state.active() == seat { ">" } else { " " };
    let coins = if game.db.coins { format!("  COINS {}", game.coins(seat)) } else { String::new() };
    let hand = state.hand(seat).count();
    let line = format!(
        "{mark}P{}  SOULS {}  WOUNDS {}{coins}  HAND {hand}{}",
        seat.0 + 1,
        game.souls(seat),
        game.wounds(seat),
        if state.in_game(seat) { "" } else { "  OUT" },
    );
    canvas.text(MARGIN, y, &line, if view.viewer() == Some(seat) { TITLE } else { INK });
    let mut x = 330;
    for class in game.db.classes.iter() {
        canvas.text(x, y, &format!("{}{}", class.letter(), game.treasure(seat, class)), colour(class));
        x += 36;
    }
    // Rooms as heroes walk them: the boss at the right end.
    let top = y + 14;
    let slots = state.slots(seat);
    for (slot, room) in slots.iter().enumerate() {
        let x = MARGIN + CELL * (SLOTS - 1 - slot);
        self::room(canvas, game, *room, view.viewer() == Some(seat), x, top);
    }
    for slot in slots.len()..SLOTS {
        canvas.frame(MARGIN + CELL * (SLOTS - 1 - slot), top, CELL - 4, ROW - 20, [52, 47, 66]);
    }
    let x = MARGIN + CELL * SLOTS;
    if let Some(boss) = game.boss(seat) {
        let def = game.def(boss);
        canvas.fill(x, top, CELL - 4, ROW - 20, [92, 44, 62]);
        canvas.words(x + 4, top + 4, CELL - 12, def.face.short(), PAPER);
        let level = if game.levelled(seat) { "LEVELLED" } else { "BOSS" };
        canvas.text(x + 4, top + 58, level, TITLE);
    }
    let waiting = heroes(game, Place::inside(seat)).chain(heroes(game, Place::entrance(seat)));
    for (n, hero) in waiting.take(4).enumerate() {
        self::hero(canvas, game, hero, x + CELL + (n / 2) * (HERO - 2), top + (n % 2) * 36);
    }
}

fn room(canvas: &mut Canvas, game: &Game, room: CardId, own: bool, x: usize, y: usize) {
    let (wide, high) = (CELL - 4, ROW - 20);
    if game.is_facedown(room) && !own {
        canvas.fill(x, y, wide, high, BACK);
        canvas.text(x + 4, y + 30, "FACE DOWN", PAST);
        return;
    }
    let def = game.def(room);
    let ground = if game.is_deactivated(room) { [60, 60, 64] } else { [62, 66, 104] };
    canvas.fill(x, y, wide, high, ground);
    canvas.words(x + 4, y + 4, wide - 8, &def.face.name, PAPER);
    let damage = if game.is_facedown(room) { i32::from(def.damage) } else { game.room_damage(room) };
    canvas.text(x + 4, y + 44, &format!("DAMAGE {damage}"), TITLE);
    icons(canvas, def, x + 4, y + 58);
    let marks = game.state.marks(room);
    if marks.counters > 0 {
        canvas.text(x + 74, y + 58, &format!("+{}", marks.counters), TITLE);
    }
    let miniboss = game.state.attached_to(room).next();
    if miniboss.is_some_and(|under| game.def(under.card).kind == Kind::Miniboss) {
        canvas.text(x + 74, y + 44, "MINI", TITLE);
    }
    if game.is_facedown(room) {
        canvas.frame(x, y, wide, high, TITLE);
    }
}

fn hero(canvas: &mut Canvas, game: &Game, hero: CardId, x: usize, y: usize) {
    let def = game.def(hero);
    canvas.fill(x, y, HERO - 4, 34, [70, 54, 44]);
    canvas.line_of(x + 3, y + 3, HERO - 10, def.face.short(), PAPER);
    let left = (game.hero_health(hero) - game.hero_damage(hero)).max(0);
    canvas.text(x + 3, y + 19, &left.to_string(), TITLE);
    icons(canvas, def, x + 30, y + 19);
}

fn icons(canvas: &mut Canvas, def: &Def, x: usize, y: usize) {
    let mut x = x;
    for class in def.classes.iter() {
        for _ in 0..def.icons[class] {
            canvas.fill(x, y, 8, 10, colour(class));
            x += 11;
        }
    }
}

fn hand(canvas: &mut Canvas, game: &Game, me: Seat, y: usize) {
    canvas.text(MARGIN, y, "YOUR HAND", PAST);
    let cards: Vec<CardId> = game.state.hand(me).collect();
    let room = canvas.width() - 2 * MARGIN;
    let wide = (room / cards.len().max(1)).min(CELL);
    for (n, card) in cards.iter().enumerate() {
        let def = game.def(*card);
        let ground = if def.kind == Kind::Spell { [48, 82, 70] } else { [62, 66, 104] };
        let x = MARGIN + n * wide;
        canvas.fill(x, y + 14, wide - 4, 44, ground);
        canvas.words(x + 3, y + 17, wide.saturating_sub(8), &def.face.name, PAPER);
    }
}

fn colour(class: Class) -> [u8; 3] {
    match class {
        Class::Cleric => [92, 200, 230],
        Class::Fighter => [226, 84, 72],
        Class::Mage => [196, 104, 224],
        Class::Thief => [104, 204, 104],
        Class::Explorer => [236, 196, 84],
    }
}
