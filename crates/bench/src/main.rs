use cards::library::builtin;
use engine::{Actions, Game, Rules};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn main() {
    let db = builtin();
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut actions = Actions::new();
    let (mut decisions, mut all, mut games) = (0u64, 0u64, 0u64);
    let players: u8 = std::env::args().nth(1).map_or(2, |s| s.parse().unwrap());
    let n: u64 = std::env::args().nth(2).map_or(2000, |s| s.parse().unwrap());
    let mut endings = std::collections::BTreeMap::new();
    let mut turns = 0u64;
    let start = cpu_time::ProcessTime::now();
    for seed in 0..n {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut game = Game::new(&db, Rules::classic(players), key, &mut ()).unwrap();
        let mut here = 0;
        while game.decision().is_some() {
            game.legal(&mut actions);
            if actions.len() > 1 { decisions += 1; }
            all += 1;
            here += 1;
            if here > 20000 { println!("endless {seed}"); break; }
            let pick = (u64::from(rng.next_u32()) * actions.len() as u64 >> 32) as usize;
            game.apply(actions[pick], &mut ()).unwrap();
        }
        if cfg!(debug_assertions) { game.state.check(&db).unwrap(); }
        games += 1;
        turns += game.state.turn() as u64;
        *endings.entry(format!("{:?}", game.outcome().map(|o| o.reason))).or_insert(0) += 1;
    }
    let t = start.elapsed().as_secs_f64();
    println!("{games} games {decisions} decisions ({all} all) {:.0}/s {:.1} ns per decision, {:.1} per game, {:.1} turns {endings:?} state {}", decisions as f64 / t, t * 1e9 / decisions as f64, decisions as f64 / games as f64, turns as f64 / games as f64, size_of::<engine::State>());
}
