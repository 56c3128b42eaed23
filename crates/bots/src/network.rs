//! Estimates everyone's chance of winning at the start of a turn. A small network says which of any two
//! players is likelier to win.
//!
//! The networks were trained on games of bots against themselves (docs/bots.md).

mod features;
mod file;
mod net;

use engine::Game;
use engine::id::SEATS;

use crate::evaluate::{Pieces, Weights};
use crate::scratch::EvalScratch;

pub use features::{Features, SIDE, TABLE};
pub use file::{NetFile, NetFileError};
pub use net::{HIDDEN, Net, SIZE};

/// For planners, two players: trained on the greedy bot's games and some by searches.
static PLANNER: Net = Net::read(include_bytes!("network/planner.net"));
/// For searches, two players: trained on many more of their own games.
static SEARCH: Net = Net::read(include_bytes!("network/search.net"));
/// For three and more players: the search's, which has learned on at such tables, with every box.
static SEVERAL: Net = Net::read(include_bytes!("network/several.net"));
/// For games that points decide, and for one player: trained at such tables (`lair train`).
static POINTS: Net = Net::read(include_bytes!("network/points.net"));

/// The networks above by name.
const BUILT_IN: [(&str, &Net); 4] =
    [("planner", &PLANNER), ("search", &SEARCH), ("several", &SEVERAL), ("points", &POINTS)];

/// The networks a bot judges by: which one depends on the table.
#[derive(Clone, Copy)]
pub(crate) struct Nets {
    /// Two players whose game ends with ten souls or five wounds.
    two: &'static Net,
    /// More players, for whom it ends in the same way.
    several: &'static Net,
    /// Games that points decide, and one player.
    points: &'static Net,
}

impl Nets {
    pub const PLANNER: Nets = Nets { two: &PLANNER, several: &SEVERAL, points: &POINTS };
    pub const SEARCH: Nets = Nets { two: &SEARCH, ..Nets::PLANNER };

    /// The same, but with a network of your own, wherever it knows enough of the table.
    pub fn with(self, own: &'static Net) -> Nets {
        if own.knows_all() { Nets { two: own, several: own, points: own } } else { Nets { two: own, ..self } }
    }

    pub fn at(self, game: &Game) -> &'static Net {
        let rules = game.state.rules();
        let edition = rules.edition();
        let by_points = edition.souls_to_win.is_none() || edition.wounds_to_lose.is_none();
        match rules.players {
            1 => self.points,
            _ if by_points => self.points,
            2 => self.two,
            _ => self.several,
        }
    }
}

/// Each seat's chance of winning. They add up to 1; eliminated players have 0.
pub(crate) fn chances<'a>(game: &Game<'a>, net: &Net, ahead: &mut EvalScratch<'a>) -> [f64; SEATS] {
    let mut chances = [0.0; SEATS];
    if game.state.rules().players == 1 {
        chances[0] = chance_alone(game, net, ahead);
        return chances;
    }
    if let Some(outcome) = game.outcome() {
        if outcome.winner.exists() {
            chances[outcome.winner.index()] = 1.0;
        }
        return chances;
    }
    let mut odds = net.odds(game, &Features::look(game, &mut ahead.walk, net.knows_all()));
    if !net.knows_all() {
        add_pieces(game, &mut odds);
    }
    // With several rivals, the average over them counts.
    let rivals = game.state.seats().count().saturating_sub(1).max(1) as f64;
    let mut sum = 0.0;
    for seat in game.state.seats() {
        let odds = odds[seat.index()].iter().map(|odds| f64::from(*odds)).sum::<f64>();
        let chance = &mut chances[seat.index()];
        *chance = libm::exp(odds / (2.0 * rivals));
        sum += *chance;
    }
    chances.map(|chance| chance / sum)
}

/// Alone there is nobody to beat: a number between 0 and 1 that grows with the score to be expected.
fn chance_alone<'a>(game: &Game<'a>, net: &Net, ahead: &mut EvalScratch<'a>) -> f64 {
    match game.outcome().and_then(|_| game.solo_score()) {
        Some(end) => f64::from(share_of_best(end.score)),
        None => f64::from(net.alone(&Features::look(game, &mut ahead.walk, net.knows_all()))),
    }
}

/// A score of a game for one as a number from 0 to 1: what a network learns to expect.
pub fn share_of_best(score: i32) -> f32 {
    ((score + 4) as f32 / 40.0).clamp(0.0, 1.0)
}

/// The same for somebody who looks at a game once, knowing every card.
pub fn chances_of(game: &Game) -> [f64; SEATS] {
    chances(game, Nets::SEARCH.at(game), &mut EvalScratch::new(game))
}

/// A lead of this much makes
/// the odds e to 1: a guess, not a measurement.
const LEAD: f64 = 20.0;

/// What a network without eyes for them cannot see counts by the weights: coins, minibosses, items.
fn add_pieces(game: &Game, odds: &mut [[f32; SEATS]; SEATS]) {
    let mut worth = [0.0; SEATS];
    for seat in game.state.seats() {
        worth[seat.index()] = Pieces::of(game, seat).worth(&Weights::SELF_PLAY);
    }
    if worth == [0.0; SEATS] {
        return;
    }
    for me in game.state.seats() {
        for other in game.state.seats() {
            odds[me.index()][other.index()] +=
                (2.0 * (worth[me.index()] - worth[other.index()]) / LEAD) as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use cards::vocabulary::Kind;
    use engine::position::{Attached, On, Pieces, Position, RoomPosition, SeatPosition, Start};
    use engine::{Game, Rules, Seat, Variant};

    use super::features::{FIRST_SIDE, FIRST_TABLE};
    use super::{Net, Nets, PLANNER, POINTS, SEARCH, SEVERAL, SIDE, TABLE, chances, chances_of};
    use crate::scratch::EvalScratch;

    /// The first player's chance with this many wounds, against a second player with five.
    fn with_wounds(variants: &[Variant], wounds: usize) -> f64 {
        let db = cards::library::base();
        let heroes =
            |n: usize| db.cards().filter(|(_, def)| def.health == 4).map(|(def, _)| def).take(n).collect();
        let rules = variants.iter().fold(Rules::classic(2), |rules, variant| rules.with(*variant));
        let mut seats = vec![SeatPosition::default(); 2];
        (seats[0].wounds, seats[1].wounds) = (heroes(wounds), heroes(5));
        // Something to build, so that the game asks a question.
        let room = db.cards().find(|(_, def)| def.kind == Kind::Room && !def.advanced).map(|(def, _)| def);
        seats.iter_mut().for_each(|seat| seat.hand = room.into_iter().collect());
        let bare = Position::bare(rules, seats, Start::Build(None));
        let position = Position { hero_deck: heroes(4), ..bare };
        let game = Game::from_position(&db, &position, &mut ()).unwrap_or_else(|error| panic!("{error}"));
        chances_of(&game)[0]
    }

    #[test]
    fn with_unlimited_lives_five_wounds_do_not_end_the_game() {
        let lives = [Variant::UnlimitedLives];
        let chances = [4, 5, 6, 7].map(|wounds| with_wounds(&lives, wounds));
        assert!(chances.windows(2).all(|pair| pair[0] > pair[1] && pair[1] > 0.1), "{chances:?}");
    }

    /// The first player's chance with these things, by every way of judging: networks that never heard of them,
    /// and the weights where no network applies.
    fn with_pieces(coins: u16, pieces: Vec<Pieces>) -> [f64; 3] {
        let db = cards::library::base();
        let heroes: Vec<_> = db.cards().filter(|(_, def)| def.health == 4).map(|(def, _)| def).collect();
        let mut rooms = db.cards().filter(|(_, def)| def.kind == Kind::Room && !def.advanced);
        let room = rooms.next().map(|(def, _)| def).expect("there is a room");
        let top = RoomPosition { def: room, deactivated: false, facedown: false, used: false };
        let judged = |rules: Rules, nets: Nets| {
            let mut seats = vec![SeatPosition::default(); 2];
            seats.iter_mut().for_each(|seat| (seat.dungeon, seat.hand) = (vec![vec![top]], vec![room]));
            seats[0].coins = coins;
            let bare = Position::bare(rules, seats, Start::Build(None));
            let position = Position { hero_deck: heroes.clone(), pieces: pieces.clone(), ..bare };
            let game = Game::from_position(&db, &position, &mut ()).unwrap_or_else(|error| panic!("{error}"));
            chances(&game, nets.at(&game), &mut EvalScratch::new(&game))[0]
        };
        let classic = Rules::classic(2);
        [
            judged(classic, Nets::SEARCH),
            judged(classic, Nets::PLANNER),
            judged(classic.with(Variant::UnlimitedLives), Nets::SEARCH),
        ]
    }

    #[test]
    fn coins_counters_and_minibosses_are_worth_something() {
        let db = cards::library::base();
        let other = db.cards().filter(|(_, def)| def.kind == Kind::Room && !def.advanced).nth(1);
        let stand_in = other.map(|(def, _)| def).expect("there is another room");
        let on = On::Room(Seat(0), 0);
        let counters = |counters| vec![Pieces { counters, ..Pieces::on(on) }];
        let miniboss = |level| {
            vec![Pieces {
                attached: Some(Attached { def: stand_in, level, facedown: None, new: false }),
                ..Pieces::on(on)
            }]
        };
        let rising = [
            [with_pieces(0, vec![]), with_pieces(2, vec![]), with_pieces(5, vec![])],
            [with_pieces(0, vec![]), with_pieces(0, counters(1)), with_pieces(0, counters(3))],
            [with_pieces(0, vec![]), with_pieces(0, miniboss(1)), with_pieces(0, miniboss(3))],
        ];
        for [none, some, more] in rising {
            for way in 0..3 {
                assert!(none[way] < some[way] && some[way] < more[way], "{none:?} {some:?} {more:?}");
            }
        }
    }

    #[test]
    fn a_network_says_how_much_it_knows() {
        assert_eq!((PLANNER.knows, SEARCH.knows), ((FIRST_SIDE, FIRST_TABLE), (FIRST_SIDE, FIRST_TABLE)));
        let bytes = PLANNER.bytes();
        let again = Net::read(&bytes);
        assert_eq!((again.knows, &again.bytes()), (PLANNER.knows, &bytes));
        assert_eq!((POINTS.knows, SEVERAL.knows), ((SIDE, TABLE), (SIDE, TABLE)));
        assert_eq!(Net::try_read(&POINTS.bytes()).map(|net| net.knows), Some((SIDE, TABLE)));
        assert!(Net::try_read(&bytes[..100]).is_none() && Net::try_read(b"net2").is_none());
    }
}
