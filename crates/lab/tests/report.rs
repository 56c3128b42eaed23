//! Reports of real games: well-formed, reproducible, and complete even if the run was stopped.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bots::BotSpec;
use cards::CardDb;
use engine::{Dealer, Setup};
use lab::Workers;
use lab::grid::{self, Cell};
use lab::report::Report;

fn cells<'a>(db: &'a CardDb, bots: &'a [BotSpec]) -> Vec<Cell<'a>> {
    let each = |bot| {
        [2, 3].map(|players| {
            let setup: Setup = format!("--players {players} --seed 7").parse().unwrap();
            Cell { dealer: Dealer::new(db, setup.rules).unwrap(), setup, bot, db }
        })
    };
    bots.iter().flat_map(each).collect()
}

/// The files of a run of 30 games per cell that is stopped after this many games in all.
fn files(threads: usize, stop_after: u64) -> [String; 6] {
    let db = cards::library::base();
    let bots: [BotSpec; 2] = ["random", "kobold"].map(|name| name.parse().unwrap());
    let cells = cells(&db, &bots);
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let count = || {
        if done.fetch_add(1, Ordering::Relaxed) + 1 >= stop_after {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let tallies = grid::run(&cells, 30, Workers { threads, stop: &stop, done: &count });
    Report::new(&cells, &tallies, 30).files().unwrap()
}

/// The page is well-formed and self-contained, every plot has a label, and the CSV files parse.
fn check_files(files: &[String; 6]) {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let page = roxmltree::Document::parse_with_options(&files[0], options).unwrap();
    let pictures: Vec<_> = page.descendants().filter(|node| node.has_tag_name("figure")).collect();
    assert!(pictures.iter().all(|figure| {
        let svg = figure.first_element_child().unwrap();
        svg.attribute("role") == Some("img")
            && svg.attribute("aria-label").is_some_and(|words| words.len() > 20)
    }));
    for node in page.descendants() {
        assert!(!["script", "link", "img", "iframe"].contains(&node.tag_name().name()));
        assert!(node.attribute("href").is_none_or(|to| to.starts_with('#')));
        assert!(node.attribute("src").is_none());
    }
    let json: serde_json::Value = serde_json::from_str(&files[1]).unwrap();
    assert_eq!(json["tables"].as_array().unwrap().len(), 4);
    for sheet in &files[2..] {
        let mut reader = csv::Reader::from_reader(sheet.as_bytes());
        assert_eq!(reader.headers().unwrap().iter().take(3).collect::<Vec<_>>(), ["deck", "players", "bot"]);
        assert!(reader.records().all(|line| line.is_ok()));
    }
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let one = files(1, u64::MAX);
    check_files(&one);
    assert!(one == files(1, u64::MAX) && one == files(4, u64::MAX));
    assert!(!one[0].contains("Stopped early") && one[0].matches("<figure>").count() == 4 * 9);
    let json: serde_json::Value = serde_json::from_str(&one[1]).unwrap();
    let table = &json["tables"][0];
    assert_eq!(
        (&json["complete"], &table["games"], &table["bot"]),
        (&true.into(), &30.into(), &"random".into())
    );
    let won: u64 =
        table["bosses"].as_array().unwrap().iter().map(|boss| boss["count"].as_u64().unwrap()).sum();
    assert_eq!(won, 30);
}

#[test]
fn a_stopped_run_has_a_valid_report() {
    for stop_after in [1, 2, 50] {
        let files = files(1, stop_after);
        check_files(&files);
        assert!(files[0].contains("Stopped early"));
        let json: serde_json::Value = serde_json::from_str(&files[1]).unwrap();
        let games = json["tables"].as_array().unwrap().iter().map(|table| table["games"].as_u64().unwrap());
        assert_eq!((games.sum::<u64>(), &json["complete"]), (stop_after, &false.into()));
    }
}

/// A deck of two boxes has a page for each of them, and says what became of their cards.
#[test]
fn a_mixed_deck_is_shown_by_set() {
    let sets = cards::library::sets();
    let db = cards::library::deck("bmr-crl", &sets).map(|deck| deck.compile(&sets).unwrap()).unwrap();
    let bot: BotSpec = "kobold".parse().unwrap();
    let setup: Setup = "--players 6 --deck bmr-crl --ruleset crash --seed 7".parse().unwrap();
    let cells = [Cell { dealer: Dealer::new(&db, setup.rules).unwrap(), setup, bot: &bot, db: &db }];
    let workers = Workers { threads: 1, stop: &AtomicBool::new(false), done: &|| {} };
    let report = Report::new(&cells, &grid::run(&cells, 6, workers), 6);
    let table = &report.tables[0];
    let names: Vec<&str> = table.sets.iter().map(|set| set.set.as_str()).collect();
    assert_eq!(names, ["BMR", "CRL"]);
    assert_eq!(table.sets.iter().map(|set| set.bosses).sum::<u64>(), 36);
    assert_eq!(table.sets.iter().map(|set| set.bosses_won).sum::<u64>(), 6);
    let rooms = |set: usize| table.sets[set].kinds.iter().find(|kind| kind.kind == "room").unwrap();
    assert!(rooms(1).drawn >= rooms(1).played && rooms(1).played > 0 && rooms(0).drawn > rooms(1).drawn);
    let page = &report.files().unwrap()[0];
    for heading in ["Sets", "Rooms of BMR: value", "Rooms of CRL: use", "Spells of CRL: value", "Never used"]
    {
        assert!(page.contains(&format!(">{heading}</h3>")), "{heading}");
    }
    // Every link leads somewhere, and kinds that the deck does not have are left out.
    let links = page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap());
    assert!(links.into_iter().all(|id| page.contains(&format!("id=\"{id}\""))));
    assert!(!page.contains("Minibosses") && !page.contains("Items"));
}
