//! What a player had who is out. Their cards have left the game, so it is noted while they go.

use bots::wire::Table;
use cards::CardDb;
use engine::{CardId, Event, Game, Place, PlaceKind, Seat};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beaten {
    pub seat: Seat,
    /// The turn in which they went.
    pub turn: u16,
    pub souls: i32,
    pub wounds: i32,
}

impl Beaten {
    /// Tells of it where the table says nothing more.
    pub fn tell(self, table: &mut Table) {
        if let Some(player) = table.players.get_mut(self.seat.index()) {
            (player.souls, player.wounds) = (self.souls, self.wounds);
            player.left = Some(self.turn);
        }
    }
}

/// The scoring areas before an answer.
pub struct Scored {
    turn: u16,
    heroes: Vec<Hero>,
}

struct Hero {
    card: CardId,
    points: i32,
    seat: Seat,
    soul: bool,
}

impl Scored {
    pub fn of(game: &Game) -> Scored {
        let of = |seat: Seat| {
            let hero = move |card: CardId| Hero {
                card,
                points: i32::from(game.def(card).souls()),
                seat,
                soul: game.is_facedown(card),
            };
            game.state.pile(Place::scoring(seat)).map(hero)
        };
        Scored { turn: game.state.turn(), heroes: game.state.seats().flat_map(of).collect() }
    }

    /// Who went out by what happened.
    pub fn beaten(mut self, db: &CardDb, events: &[Event]) -> Vec<Beaten> {
        let mut out = Vec::new();
        for event in events {
            match *event {
                Event::Eliminated(seat) => out.push(self.leaves(seat)),
                Event::Dies { seat, hero } | Event::Healed { seat, hero } => {
                    self.puts(db, hero, Some((seat, true)));
                }
                Event::Wounds { seat, hero } => self.puts(db, hero, Some((seat, false))),
                Event::HeroGoes { hero, to } => {
                    let scored = to.kind() == PlaceKind::Scoring;
                    self.puts(db, hero, scored.then(|| (to.seat(), true)));
                }
                Event::Removed(hero) => self.puts(db, hero, None),
                _ => {}
            }
        }
        out
    }

    fn puts(&mut self, db: &CardDb, hero: engine::Shown, to: Option<(Seat, bool)>) {
        self.heroes.retain(|other| other.card != hero.card);
        let points = i32::from(db.def(hero.def).souls());
        self.heroes.extend(to.map(|(seat, soul)| Hero { card: hero.card, points, seat, soul }));
    }

    fn leaves(&self, seat: Seat) -> Beaten {
        let points = |soul: bool| {
            let theirs = self.heroes.iter().filter(|hero| hero.seat == seat && hero.soul == soul);
            theirs.map(|hero| hero.points).sum()
        };
        Beaten { seat, turn: self.turn, souls: points(true), wounds: points(false) }
    }
}
