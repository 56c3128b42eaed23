//! The baseline: random chess games with a fast, well-maintained library.

use cozy_chess::{Board, Move};
use cpu_time::ProcessTime;
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::Run;

pub fn play(seed: u64, games: u64) -> Run {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut moves: Vec<Move> = Vec::with_capacity(256);
    let mut decisions = 0;
    let start = ProcessTime::now();
    for _ in 0..games {
        let mut board = Board::default();
        // Mate, stalemate, or fifty moves without progress end a game.
        while board.halfmove_clock() < 100 {
            moves.clear();
            board.generate_moves(|set| {
                moves.extend(set);
                false
            });
            if moves.is_empty() {
                break;
            }
            decisions += u64::from(moves.len() > 1);
            let index = (u64::from(rng.next_u32()) * moves.len() as u64) >> 32;
            board.play_unchecked(moves[index as usize]);
        }
    }
    Run { games, decisions, seconds: start.elapsed().as_secs_f64() }
}
