fn main() {
    let f = std::env::args().nth(1).unwrap();
    let t = std::fs::read_to_string(&f).unwrap();
    let s = std::time::Instant::now();
    match cards::load(&f, &t) {
        Ok((s, w)) => {
            println!("{} cards, {} warnings", s.cards.len(), w.len()); for w in &w { println!("{}", w.render(&f, &t, false)); }
            let p = s.to_string();
            assert_eq!(cards::parse("p", &p).unwrap(), s);
            assert_eq!(cards::parse("p", &p).unwrap().to_string(), p);
            std::fs::write("/tmp/printed.cards", p).unwrap();
        }
        Err(e) => println!("{e}"),
    }
    println!("{:?}", s.elapsed());
}
