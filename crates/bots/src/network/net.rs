//! A small network with one hidden layer, the same for every player. Each pair of players is compared both
//! ways round, so seating never matters.

use engine::Game;
use engine::id::SEATS;

use super::features::{Features, SIDE, TABLE};

/// Units in the hidden layer.
pub const HIDDEN: usize = 32;
/// Weights in a network.
pub const SIZE: usize = (2 * SIDE + TABLE + 2) * HIDDEN;

type Layer = [f32; HIDDEN];

#[derive(Clone)]
pub struct Net {
    /// Weights for the player's own numbers, the rival's, and the table's.
    pub own: [Layer; SIDE],
    pub rival: [Layer; SIDE],
    pub table: [Layer; TABLE],
    pub bias: Layer,
    pub out: Layer,
}

impl Net {
    pub const EMPTY: Net = Net {
        own: [[0.0; HIDDEN]; SIDE],
        rival: [[0.0; HIDDEN]; SIDE],
        table: [[0.0; HIDDEN]; TABLE],
        bias: [0.0; HIDDEN],
        out: [0.0; HIDDEN],
    };

    /// Reads a file: little-endian numbers, in the order of the fields.
    pub const fn read(bytes: &[u8; 4 * SIZE]) -> Net {
        let mut net = Net::EMPTY;
        let mut at = 0;
        let mut row = 0;
        while row < 2 * SIDE + TABLE + 2 {
            let mut unit = 0;
            while unit < HIDDEN {
                let number = f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
                at += 4;
                if row < SIDE {
                    net.own[row][unit] = number;
                } else if row < 2 * SIDE {
                    net.rival[row - SIDE][unit] = number;
                } else if row < 2 * SIDE + TABLE {
                    net.table[row - 2 * SIDE][unit] = number;
                } else if row == 2 * SIDE + TABLE {
                    net.bias[unit] = number;
                } else {
                    net.out[unit] = number;
                }
                unit += 1;
            }
            row += 1;
        }
        net
    }

    /// The contents of such a file.
    pub fn bytes(&self) -> Vec<u8> {
        let rows = self.own.iter().chain(&self.rival).chain(&self.table).chain([&self.bias, &self.out]);
        rows.flatten().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// All weights, in the same order.
    pub fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let rows = self.own.iter_mut().chain(&mut self.rival).chain(&mut self.table);
        rows.chain([&mut self.bias, &mut self.out]).flatten()
    }

    /// The log odds of every seat beating every other, if there were only those two.
    pub(crate) fn odds(&self, game: &Game, features: &Features) -> [[f32; SEATS]; SEATS] {
        let mut table = self.bias;
        add(&mut table, &self.table, &features.table);
        let (mut own, mut rival) = ([[0.0; HIDDEN]; SEATS], [[0.0; HIDDEN]; SEATS]);
        let seats = || game.state.seats().map(|seat| seat.index());
        for seat in seats() {
            add(&mut own[seat], &self.own, &features.sides[seat]);
            add(&mut rival[seat], &self.rival, &features.sides[seat]);
        }
        let view = |me: usize, other: usize| -> f32 {
            let mut sum = 0.0;
            for unit in 0..HIDDEN {
                sum += self.out[unit] * (table[unit] + own[me][unit] + rival[other][unit]).max(0.0);
            }
            sum
        };
        let mut odds = [[0.0; SEATS]; SEATS];
        for me in seats() {
            for other in seats().filter(|other| *other != me) {
                let view = view(me, other);
                odds[me][other] += view;
                odds[other][me] -= view;
            }
        }
        odds
    }
}

/// Adds the weighted inputs; most of them are 0.
fn add<const N: usize>(sum: &mut Layer, layer: &[Layer; N], figures: &[f32; N]) {
    for (figure, weights) in figures.iter().zip(layer) {
        if *figure != 0.0 {
            for (sum, weight) in sum.iter_mut().zip(weights) {
                *sum += figure * weight;
            }
        }
    }
}
