fn main() {
    let args: Vec<String> = std::env::args().collect();
    let sets = cards::library::sets();
    let games: u64 = args[1].parse().unwrap();
    let seed: u64 = args[2].parse().unwrap();
    for name in &args[3..] {
        let path = format!("puzzles/{name}.puzzles");
        let deck = cards::library::deck(name, &sets).unwrap();
        let db = deck.compile(&sets).unwrap();
        let setups = puzzle::Games::new(&db, &deck, seed);
        let mut file: puzzle::File =
            std::fs::read_to_string(&path).map(|t| t.parse().unwrap()).unwrap_or_default();
        let from = file.mined(name, seed).games;
        let t = std::time::Instant::now();
        let mut all = puzzle::Looked::default();
        for n in from..games {
            let setup = setups.nth(n).unwrap();
            let (found, looked) = puzzle::mine(&db, &setup);
            all.add(looked);
            file.puzzles.extend(found);
            file.mined(name, seed).games = n + 1;
            std::fs::write(&path, file.to_string()).unwrap();
        }
        println!("{name} {:?} {all:?}", t.elapsed());
    }
}
