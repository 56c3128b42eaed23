//! `lair arena`: lets bots compete and prints the standings.

use bots::BotSpec;
use engine::{Dealer, Setup};
use lab::arena::{Arena, MAX_ENTRANTS, Results, Standing, Standings};
use lab::spread::DeckSpec;
use lab::{ResumeFile, SeatedBot, ThinkingTime, rounded};
use serde_json::{Map, Value, json};

use crate::cli;
use crate::failure::Failure;
use crate::homebrew::Library;
use crate::spread::{self, Shared};
use crate::term::{DIM, HEAD, note, pad, paint, say};
use crate::{decks, progress};

pub fn run(args: &cli::Arena, library: &Library) -> Result<(), Failure> {
    let entrants = entrants(&args.entrants)?;
    entrants.iter().try_for_each(SeatedBot::check).map_err(Failure::failed)?;
    let deck = decks::named(&args.deal, &library.sets)?;
    let db = deck.compile(&library.sets).map_err(Failure::failed)?;
    let rules = args.deal.rules(args.deal.seats());
    let setup = Setup { rules, deck: deck.id.clone(), seed: args.deal.seed.unwrap_or(1.into()) };
    let dealer = Dealer::new(&db, rules).map_err(Failure::usage)?;
    let arena = Arena::new(entrants, &setup, &dealer);
    let resume = match &args.resume {
        Some(path) => Some(ResumeFile::open(path, &arena, &db.hash).map_err(Failure::failed)?),
        None => None,
    };
    let rounds = arena.rounds_for(args.games);
    let asked = rounds.saturating_mul(arena.seatings.len() as u64);
    let mut results = match spread::line(&args.nats)? {
        None => {
            let results = progress::run(asked, args.threads, |workers| arena.run(rounds, resume, workers))?;
            results.map_err(Failure::failed)?
        }
        Some(line) => {
            let with = Shared { line: &line, args: &args.nats, threads: args.threads, library };
            with.arena(
                &arena,
                rounds,
                resume,
                DeckSpec::of(&deck, &db, (0..library.homebrew.len()).collect()),
            )?
        }
    };
    if args.no_times {
        results.thinking.clear();
    }
    let standings = arena.standings(&results);
    if standings.games < asked {
        note(format!("stopped after {} of {asked} games\n", standings.games))?;
    }
    let line = format!("{setup}{}", library.as_arguments());
    Ok(say(match args.json {
        true => format!("{}\n", json(&standings, &results, &line, asked)),
        false => table(&standings, &results, &line),
    })?)
}

fn entrants(entrants: &[BotSpec]) -> Result<&[BotSpec], Failure> {
    if !(2..=MAX_ENTRANTS).contains(&entrants.len()) {
        let n = entrants.len();
        return Err(Failure::usage(format!("an arena takes 2 to {MAX_ENTRANTS} bots, but you named {n}")));
    }
    match entrants.iter().enumerate().find(|(i, entrant)| entrants[..*i].contains(entrant)) {
        Some((_, twice)) => Err(Failure::usage(format!("{twice} is named twice: name each bot once"))),
        None => Ok(entrants),
    }
}

fn table(standings: &Standings, results: &Results, setup: &str) -> String {
    let Standings { rounds, games, entrants } = standings;
    let deals = if *rounds == 1 { "deal" } else { "deals" };
    let mut out = format!("{games} games, {rounds} {deals}: {setup}\n\n");
    let wide = entrants.iter().map(|entrant| entrant.name.len()).max().unwrap_or(0).max(8);
    let head = format!("{:wide$}   games     won    95 % interval     Elo    thinking     longest", "");
    out.push_str(&format!("  {}\n", paint(HEAD, head)));
    let mut order: Vec<usize> = (0..entrants.len()).collect();
    order.sort_by(|a, b| entrants[*b].elo.total_cmp(&entrants[*a].elo));
    for entrant in order {
        let standing = &entrants[entrant];
        let percent = |share: f64| share * 100.0;
        let thinking = results.thinking.get(entrant);
        let time = |ms: Option<f64>| ms.map_or("-".into(), |ms| format!("{ms:.3} ms"));
        let median = time(thinking.and_then(ThinkingTime::median));
        let longest = time(thinking.and_then(ThinkingTime::longest));
        out.push_str(&format!(
            "  {} {:>7} {:>6.1}% {:>7.1}% – {:>5.1}% {:>7.0} {}\n",
            pad(&standing.name, wide),
            standing.games,
            percent(standing.win_rate),
            percent(standing.low),
            percent(standing.high),
            standing.elo,
            paint(DIM, format!("{median:>11} {longest:>11}")),
        ));
    }
    if let Some((elo, interval)) = standings.difference() {
        // The better bot comes first.
        let (better, worse, sign) = if elo < 0.0 { (1, 0, -1.0) } else { (0, 1, 1.0) };
        let ends = interval.map(|i| if elo < 0.0 { (-i.high, -i.low) } else { (i.low, i.high) });
        let ends = ends.map_or(String::new(), |(low, high)| format!(" (95 %: {low:+.0} to {high:+.0})"));
        let (better, worse) = (&entrants[better].name, &entrants[worse].name);
        out.push_str(&format!("\n{better} is {:+.0} Elo above {worse}{ends}\n", elo * sign));
    }
    for Standing { name, games, forfeits, .. } in entrants.iter().filter(|entrant| entrant.forfeits > 0) {
        out.push_str(&format!("\n{name} forfeited {forfeits} of its {games} games\n"));
    }
    out
}

/// `thinking_ms` and `longest_ms` are measured; everything else follows from the seed.
fn json(standings: &Standings, results: &Results, setup: &str, asked: u64) -> Value {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.into(), value);
    put("setup", setup.into());
    put("rounds", standings.rounds.into());
    put("games", standings.games.into());
    put("asked", asked.into());
    put("complete", (standings.games == asked).into());
    if let (Some((elo, interval)), Some(first)) = (standings.difference(), standings.entrants.first()) {
        put("win_rate", rounded(first.win_rate, 6).into());
        put("low", rounded(first.low, 6).into());
        put("high", rounded(first.high, 6).into());
        put("elo", rounded(elo, 2).into());
        put("elo_low", interval.map(|interval| rounded(interval.low, 2)).into());
        put("elo_high", interval.map(|interval| rounded(interval.high, 2)).into());
    }
    let entrant = |standing: &Standing| {
        json!({
            "name": standing.name,
            "games": standing.games,
            "forfeits": standing.forfeits,
            "win_rate": rounded(standing.win_rate, 6),
            "low": rounded(standing.low, 6),
            "high": rounded(standing.high, 6),
            "elo": rounded(standing.elo, 2),
            "elo_low": standing.elo_low.map(|elo| rounded(elo, 2)),
            "elo_high": standing.elo_high.map(|elo| rounded(elo, 2)),
        })
    };
    put("entrants", standings.entrants.iter().map(entrant).collect());
    if results.thinking.is_empty() {
        return Value::Object(object);
    }
    let each = |of: fn(&ThinkingTime) -> Option<f64>| {
        let names = standings.entrants.iter().map(|standing| standing.name.clone());
        let times = results.thinking.iter().map(|thinking| of(thinking).map(|ms| rounded(ms, 4)).into());
        Value::Object(names.zip(times).collect())
    };
    let (medians, longest) = (each(ThinkingTime::median), each(ThinkingTime::longest));
    put("thinking_ms", medians);
    put("longest_ms", longest);
    Value::Object(object)
}
