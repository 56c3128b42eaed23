//! One game of a study: what its row in the table of games is made of.

use cards::CardDb;
use cards::code::DefId;
use engine::{Ending, Game, Seat};

use crate::numbers::{Reader, Writer};
use crate::seated::GameEnd;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of the deal.
    pub number: u64,
    pub winner: Option<Seat>,
    /// `None` if the game was left unfinished.
    pub ending: Option<Ending>,
    pub turns: u64,
    pub decisions: u64,
    pub seats: Vec<RowSeat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowSeat {
    pub boss: Option<DefId>,
    pub souls: i64,
    pub wounds: i64,
    pub forfeited: bool,
}

impl Row {
    pub fn of(number: u64, game: &Game, end: &GameEnd) -> Row {
        let seat = |seat: Seat| RowSeat {
            boss: game.boss(seat).map(|boss| game.state.card(boss).def),
            souls: i64::from(game.souls(seat)),
            wounds: i64::from(game.wounds(seat)),
            forfeited: end.forfeits.has(seat),
        };
        Row {
            number,
            winner: end.winner(),
            ending: end.outcome.map(|outcome| outcome.reason),
            turns: u64::from(game.state.turn()),
            decisions: u64::from(end.decisions),
            seats: (0..end.seats).map(Seat).map(seat).collect(),
        }
    }

    pub fn put(&self, out: &mut Writer) {
        let Row { number, winner, ending, turns, decisions, seats } = self;
        out.put(*number);
        out.put(winner.map_or(0, |seat| u64::from(seat.0) + 1));
        let ending = ending.and_then(|ending| Ending::ALL.iter().position(|other| *other == ending));
        out.put(ending.map_or(0, |at| at as u64 + 1));
        out.put(*turns);
        out.put(*decisions);
        for RowSeat { boss, souls, wounds, forfeited } in seats {
            out.put(boss.map_or(0, |boss| u64::from(boss.0) + 1));
            out.put_signed(*souls);
            out.put_signed(*wounds);
            out.put(u64::from(*forfeited));
        }
    }

    /// `None` if it cannot be a row of a game with these cards and so many players.
    pub fn get(from: &mut Reader, db: &CardDb, players: u8) -> Option<Row> {
        let number = from.get()?;
        let winner = match from.get()? {
            0 => None,
            seat => Some(Seat(u8::try_from(seat - 1).ok().filter(|seat| *seat < players)?)),
        };
        let ending = match from.get()? {
            0 => None,
            at => Some(*Ending::ALL.get(usize::try_from(at - 1).ok()?)?),
        };
        let (turns, decisions) = (from.get()?, from.get()?);
        let seat = |from: &mut Reader| {
            let boss = match from.get()? {
                0 => None,
                at => Some(DefId(u16::try_from(at - 1).ok()?)).filter(|boss| boss.index() < db.defs.len()),
            };
            let (souls, wounds) = (from.get_signed()?, from.get_signed()?);
            Some(RowSeat { boss, souls, wounds, forfeited: from.get()? == 1 })
        };
        let seats = (0..players).map(|_| seat(from)).collect::<Option<Vec<_>>>()?;
        Some(Row { number, winner, ending, turns, decisions, seats })
    }
}
