//! Reports of real games: well-formed, reproducible, and complete even if the run was stopped.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bots::BotSpec;
use cards::CardDb;
use engine::{Dealer, Setup};
use lab::Workers;
use lab::grid::{self, Cell};
use lab::report::Report;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

type Files = BTreeMap<String, Vec<u8>>;

fn cells<'a>(db: &'a CardDb, bots: &'a [BotSpec]) -> Vec<Cell<'a>> {
    let each = |bot| {
        [2, 3].map(|players| {
            let setup: Setup = format!("--players {players} --seed 7").parse().unwrap();
            Cell {
                dealer: Dealer::new(db, setup.rules).unwrap(),
                setup,
                bots: std::slice::from_ref(bot),
                db,
                version: String::new(),
            }
        })
    };
    bots.iter().flat_map(each).collect()
}

/// The files of a run of 30 games per cell that is stopped after this many games in all.
fn files(threads: usize, stop_after: u64) -> Files {
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
    Report::new(&cells, &tallies, 30).files().unwrap().into_iter().collect()
}

fn text<'f>(files: &'f Files, name: &str) -> &'f str {
    std::str::from_utf8(&files[name]).unwrap()
}

/// The page is well-formed and self-contained, every plot has a label, and the CSV files parse.
fn check_files(files: &Files) {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let page = roxmltree::Document::parse_with_options(text(files, "report.html"), options).unwrap();
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
    let json: serde_json::Value = serde_json::from_str(text(files, "report.json")).unwrap();
    assert_eq!(json["tables"].as_array().unwrap().len(), 4);
    for name in ["tables", "bosses", "cards", "turns"] {
        let csv = text(files, &format!("{name}.csv"));
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let head: Vec<String> = reader.headers().unwrap().iter().map(str::to_string).collect();
        assert_eq!(head[..3], ["deck", "players", "bot"]);
        let lines: Vec<Vec<String>> =
            reader.records().map(|line| line.unwrap().iter().map(str::to_string).collect()).collect();
        assert_eq!(read_back(&files[&format!("{name}.parquet")]), (head, lines), "{name}");
    }
}

/// A Parquet file as a CSV file has it.
fn read_back(bytes: &[u8]) -> (Vec<String>, Vec<Vec<String>>) {
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes.to_vec())).unwrap();
    let columns = reader.metadata().file_metadata().schema_descr().columns();
    let head = columns.iter().map(|column| column.name().to_string()).collect();
    let value = |(_, field): (&String, &Field)| match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        Field::Long(number) => number.to_string(),
        Field::Double(number) => number.to_string(),
        other => panic!("{other:?}"),
    };
    let rows = reader.get_row_iter(None).unwrap();
    (head, rows.map(|row| row.unwrap().get_column_iter().map(value).collect()).collect())
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let one = files(1, u64::MAX);
    check_files(&one);
    assert!(one == files(1, u64::MAX) && one == files(4, u64::MAX));
    assert!(
        !text(&one, "report.html").contains("Stopped early")
            && text(&one, "report.html").matches("<figure>").count() == 4 * 9
    );
    let json: serde_json::Value = serde_json::from_str(text(&one, "report.json")).unwrap();
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
        assert!(text(&files, "report.html").contains("Stopped early"));
        let json: serde_json::Value = serde_json::from_str(text(&files, "report.json")).unwrap();
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
    let dealer = Dealer::new(&db, setup.rules).unwrap();
    let bots = std::slice::from_ref(&bot);
    let cells = [Cell { dealer, setup, bots, db: &db, version: String::new() }];
    let workers = Workers { threads: 1, stop: &AtomicBool::new(false), done: &|| {} };
    let report = Report::new(&cells, &grid::run(&cells, 6, workers), 6);
    let table = &report.tables[0];
    let names: Vec<&str> = table.sets.iter().map(|set| set.set.as_str()).collect();
    assert_eq!(names, ["BMR", "CRL"]);
    assert_eq!(table.sets.iter().map(|set| set.bosses).sum::<u64>(), 36);
    assert_eq!(table.sets.iter().map(|set| set.bosses_won).sum::<u64>(), 6);
    let rooms = |set: usize| table.sets[set].kinds.iter().find(|kind| kind.kind == "room").unwrap();
    assert!(rooms(1).drawn >= rooms(1).played && rooms(1).played > 0 && rooms(0).drawn > rooms(1).drawn);
    let files: Files = report.files().unwrap().into_iter().collect();
    let page = text(&files, "report.html");
    for heading in ["Sets", "Rooms of BMR: value", "Rooms of CRL: use", "Spells of CRL: value", "Never used"]
    {
        assert!(page.contains(&format!(">{heading}</h3>")), "{heading}");
    }
    // Every link leads somewhere, and kinds that the deck does not have are left out.
    let links = page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap());
    assert!(links.into_iter().all(|id| page.contains(&format!("id=\"{id}\""))));
    assert!(!page.contains("Minibosses") && !page.contains("Items"));
}
