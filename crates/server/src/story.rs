//! How a finished game went: everybody's chances turn by turn, the moments that counted, and what each player did.
//!
//! Invariant: chances are estimated at the start of a turn only, which is what the network was trained for.

use std::collections::BTreeMap;

use bots::network;
use cards::CardDb;
use engine::event::{Event, What};
use engine::record::Record;
use engine::tell::{Reader, sentence};
use engine::{Game, Seat};
use wire::seat_number;

use crate::wire::{GameStory, StoryMoment, StoryPlayer, StoryRoom, StoryTurn};

/// More than any real game has; a longer one is told as far as this.
const MOST: usize = 400;

pub fn story(record: &Record, db: &CardDb) -> GameStory {
    let names = record.names();
    let mut told = Teller::new(usize::from(record.setup.rules.players));
    // A record that does not agree with itself is told as far as it goes.
    drop(record.replay(db, |_, events, after| {
        for event in events {
            let words = || sentence(db, &names[..], Reader::Replay, *event).unwrap_or_default();
            told.event(event, words);
        }
        told.step(after);
    }));
    told.story
}

struct Teller {
    story: GameStory,
    /// The step that is being told.
    step: u32,
    turn: u16,
    /// Kills by room, for each seat.
    kills: Vec<BTreeMap<u16, u16>>,
}

impl Teller {
    fn new(players: usize) -> Teller {
        let story = GameStory {
            turns: Vec::new(),
            moments: Vec::new(),
            players: vec![StoryPlayer::default(); players],
        };
        Teller { story, step: 0, turn: 0, kills: vec![BTreeMap::new(); players] }
    }

    fn event(&mut self, event: &Event, words: impl FnOnce() -> String) {
        let scored = event.to.map(|to| to.place.seat());
        let seat = match event.what {
            What::Dies { .. } | What::Wounds { .. } => scored,
            What::LevelsUp | What::Casts | What::Places | What::Builds { .. } => Some(event.actor),
            What::Destroyed => event.from.map(|from| from.place.seat()),
            What::Eliminated { .. } => event.player,
            _ => None,
        };
        let Some(seat) = seat.filter(|seat| seat.index() < self.story.players.len()) else { return };
        let player = &mut self.story.players[seat.index()];
        match event.what {
            What::Dies { .. } => {
                player.killed += 1;
                if let Some(room) = event.room {
                    let kills = self.kills[seat.index()].entry(room.def.0).or_default();
                    *kills += 1;
                    if player.deadliest.as_ref().is_none_or(|best| best.kills < *kills) {
                        player.deadliest = Some(StoryRoom { face: room.def.0, kills: *kills });
                    }
                }
            }
            What::Wounds { .. } => player.survived += 1,
            What::Casts => player.cast += 1,
            What::Places | What::Builds { .. } => player.built += 1,
            What::Destroyed => player.lost += 1,
            _ => {}
        }
        let counts = matches!(
            event.what,
            What::Dies { .. } | What::Wounds { .. } | What::LevelsUp | What::Eliminated { .. }
        );
        if counts && self.story.moments.len() < MOST {
            let kind = match event.what {
                What::Dies { .. } => "dies",
                What::Wounds { .. } => "wounds",
                What::LevelsUp => "levels_up",
                _ => "eliminated",
            };
            let moment = StoryMoment {
                step: self.step,
                turn: self.turn,
                kind: kind.into(),
                seat: seat_number(seat),
                words: words(),
            };
            self.story.moments.push(moment);
        }
    }

    /// The table after a step: at the start of a turn and at the end, chances are told.
    fn step(&mut self, after: &Game) {
        let turn = after.state.turn();
        let over = after.outcome().is_some();
        if (turn != self.turn || over) && self.story.turns.len() < MOST {
            let seats = || (0..self.story.players.len() as u8).map(Seat);
            let chances = network::chances_of(after);
            self.story.turns.push(StoryTurn {
                step: self.step,
                turn,
                chances: seats().map(|seat| (chances[seat.index()] * 100.0).round() as u8).collect(),
                souls: seats().map(|seat| after.souls(seat)).collect(),
                wounds: seats().map(|seat| after.wounds(seat)).collect(),
            });
        }
        self.turn = turn;
        self.step += 1;
    }
}
