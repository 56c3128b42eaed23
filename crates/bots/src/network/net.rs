//! A small network with one hidden layer, the same for every player. Each pair of players is compared both
//! ways round, so seating never matters.

use engine::Game;
use engine::id::SEATS;

use super::features::{FIRST_SIDE, FIRST_TABLE, Features, SIDE, TABLE};

/// Units in the hidden layer.
pub const HIDDEN: usize = 32;
/// Weights in a network that knows everything.
pub const SIZE: usize = (2 * SIDE + TABLE + 2) * HIDDEN;

/// What a file begins with that says how many numbers its network knows; the first ones do not say.
const MARK: [u8; 4] = *b"net2";

type Layer = [f32; HIDDEN];

#[derive(Clone)]
pub struct Net {
    /// How many numbers it knows of each player, and of the table. The weights of the others are 0.
    pub knows: (usize, usize),
    /// Weights for the player's own numbers, the rival's, and the table's.
    pub own: [Layer; SIDE],
    pub rival: [Layer; SIDE],
    pub table: [Layer; TABLE],
    pub bias: Layer,
    pub out: Layer,
}

impl Net {
    pub const EMPTY: Net = Net {
        knows: (SIDE, TABLE),
        own: [[0.0; HIDDEN]; SIDE],
        rival: [[0.0; HIDDEN]; SIDE],
        table: [[0.0; HIDDEN]; TABLE],
        bias: [0.0; HIDDEN],
        out: [0.0; HIDDEN],
    };

    /// Reads a file that may not be one.
    pub fn try_read(bytes: &[u8]) -> Option<Net> {
        let marked = bytes.get(..4)? == MARK;
        let (side, table) = (usize::from(*bytes.get(4)?), usize::from(*bytes.get(5)?));
        let numbers = (2 * side + table + 2) * HIDDEN;
        let fits = marked && side <= SIDE && table <= TABLE && bytes.len() == 8 + 4 * numbers;
        fits.then(|| Net::read(bytes))
    }

    /// Reads a file: how many numbers of a player and of the table it knows, then little-endian numbers, in
    /// the order of the fields.
    pub const fn read(bytes: &[u8]) -> Net {
        let mut net = Net::EMPTY;
        let marked = bytes[0] == MARK[0] && bytes[1] == MARK[1] && bytes[2] == MARK[2] && bytes[3] == MARK[3];
        net.knows = if marked { (bytes[4] as usize, bytes[5] as usize) } else { (FIRST_SIDE, FIRST_TABLE) };
        let (side, table) = net.knows;
        let mut at = if marked { 8 } else { 0 };
        let mut row = 0;
        while row < 2 * side + table + 2 {
            let mut unit = 0;
            while unit < HIDDEN {
                let number = f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
                at += 4;
                if row < side {
                    net.own[row][unit] = number;
                } else if row < 2 * side {
                    net.rival[row - side][unit] = number;
                } else if row < 2 * side + table {
                    net.table[row - 2 * side][unit] = number;
                } else if row == 2 * side + table {
                    net.bias[unit] = number;
                } else {
                    net.out[unit] = number;
                }
                unit += 1;
            }
            row += 1;
        }
        assert!(at == bytes.len(), "the file has as many numbers as it says");
        net
    }

    /// The contents of such a file.
    pub fn bytes(&self) -> Vec<u8> {
        let (side, table) = self.knows;
        let rows = self.own[..side].iter().chain(&self.rival[..side]).chain(&self.table[..table]);
        let numbers = rows.chain([&self.bias, &self.out]).flatten().flat_map(|number| number.to_le_bytes());
        MARK.into_iter().chain([side as u8, table as u8, 0, 0]).chain(numbers).collect()
    }

    /// Does it know coins, counters, minibosses and items, and games that neither souls nor wounds end?
    pub fn knows_all(&self) -> bool {
        self.knows == (SIDE, TABLE)
    }

    /// All weights, in the same order.
    pub fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let rows = self.own.iter_mut().chain(&mut self.rival).chain(&mut self.table);
        rows.chain([&mut self.bias, &mut self.out]).flatten()
    }

    /// In a game for one, the share of the best score to be expected (`share_of_best`).
    pub(crate) fn alone(&self, features: &Features) -> f32 {
        let mut units = self.bias;
        let (knows, of_table) = self.knows;
        add(&mut units, &self.table[..of_table], &features.table);
        add(&mut units, &self.own[..knows], &features.sides[0]);
        let odds: f32 = units.iter().zip(&self.out).map(|(unit, weight)| unit.max(0.0) * weight).sum();
        1.0 / (1.0 + libm::expf(-odds))
    }

    /// The log odds of every seat beating every other, if there were only those two.
    pub(crate) fn odds(&self, game: &Game, features: &Features) -> [[f32; SEATS]; SEATS] {
        let mut table = self.bias;
        let (knows, of_table) = self.knows;
        add(&mut table, &self.table[..of_table], &features.table);
        let (mut own, mut rival) = ([[0.0; HIDDEN]; SEATS], [[0.0; HIDDEN]; SEATS]);
        let seats = || game.state.seats().map(|seat| seat.index());
        for seat in seats() {
            add(&mut own[seat], &self.own[..knows], &features.sides[seat]);
            add(&mut rival[seat], &self.rival[..knows], &features.sides[seat]);
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

/// Adds the weighted inputs that the layer knows; most of them are 0.
fn add(sum: &mut Layer, layer: &[Layer], figures: &[f32]) {
    for (figure, weights) in figures.iter().zip(layer) {
        if *figure != 0.0 {
            for (sum, weight) in sum.iter_mut().zip(weights) {
                *sum += figure * weight;
            }
        }
    }
}
