//! `lair study` and `lair compare`: a grid of games from a file, kept game by game, so that it can be stopped and
//! continued; and versions of the cards compared on the same deals.

use std::ops::Range;
use std::path::{Path, PathBuf};

use bots::BotSpec;
use cards::homebrew::add;
use cards::report::Errors;
use cards::{CardDb, Deck, library};
use engine::{Dealer, Setup};
use lab::SeatedBot;
use lab::grid::Cell;
use lab::report::{GameFiles, PAGE, Report, WriteError};
use lab::spread::DeckSpec;
use lab::study::read::{Plan, Topic, Written, problem};
use lab::study::{Journal, JournalError, Part, Rest, Study, Sums};
use thiserror::Error;

use crate::cli;
use crate::failure::Failure;
use crate::files::{self, read};
use crate::homebrew::{Library, read_file};
use crate::spread::{self, Shared};
use crate::term::{HEAD, note, paint, say};
use crate::{decks, progress};

/// The games that a study is continued from.
const JOURNAL: &str = "games.journal";

/// What a study is played with.
struct Run<'a> {
    threads: usize,
    nats: &'a cli::Spread,
    out: PathBuf,
}

/// The file of a study.
struct Source {
    name: String,
    text: String,
    folder: PathBuf,
}

#[derive(Debug, Error)]
enum FillError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Write(#[from] WriteError),
}

pub fn run(args: &cli::Study, library: &Library) -> Result<(), Failure> {
    let text = read(&args.file, files::STUDY).map_err(Failure::failed)?;
    let name = args.file.display().to_string();
    let mut plan = Plan::read(&name, &text).map_err(reported)?;
    if let Some(games) = args.games {
        plan.games = games;
    }
    let stem = args.file.file_stem().unwrap_or_default().to_string_lossy();
    let out = args.out.clone().unwrap_or_else(|| format!("{stem}-study").into());
    let folder = args.file.parent().unwrap_or(Path::new("")).to_path_buf();
    let source = Source { name, text, folder };
    play(&plan, Some(&source), library, &Run { threads: args.threads, nats: &args.nats, out })
}

pub fn compare(args: &cli::Compare, library: &Library) -> Result<(), Failure> {
    args.choice.check()?;
    let file = |path: &PathBuf| path.display().to_string();
    let version = |files: Vec<String>| Written { value: files, at: 0..0 };
    let (old, new) = match &args.new {
        Some(new) => (vec![file(&args.old)], vec![file(new)]),
        // One file: with it, and without it.
        None => (Vec::new(), vec![file(&args.old)]),
    };
    if old == new {
        return Err(Failure::usage("the old and the new version are the same file: name two"));
    }
    let written = |deck: &String| Written { value: deck.clone(), at: 0..0 };
    let plan = Plan {
        title: None,
        games: args.games,
        seed: args.seed.unwrap_or(1.into()),
        rulesets: vec![args.choice.ruleset()],
        variants: vec![args.choice.variant.clone()],
        decks: args.deck.iter().map(written).collect(),
        players: args.players.into_iter().collect(),
        bots: vec![args.bots.clone()],
        cards: vec![version(old), version(new)],
        measure: Topic::ALL.to_vec(),
    };
    play(&plan, None, library, &Run { threads: args.threads, nats: &args.nats, out: args.out.clone() })
}

/// A version of the cards: its name and all sets, and which files it adds.
struct Version {
    name: String,
    library: Library,
}

/// A deck in one version.
struct Built {
    deck: Deck,
    db: CardDb,
    version: usize,
}

/// A table: its setup and bots, its decks among those that were built, and where the study names them.
type Planned<'p> = (Setup, &'p [BotSpec], Range<usize>, Range<usize>);

fn play(plan: &Plan, source: Option<&Source>, library: &Library, run: &Run) -> Result<(), Failure> {
    plan.bots.iter().flatten().try_for_each(SeatedBot::check).map_err(Failure::failed)?;
    let versions = plan
        .cards
        .iter()
        .map(|files| version(files, plan.cards.len() > 1, source, library))
        .collect::<Result<Vec<_>, _>>()?;
    // By ruleset, by deck, by version.
    let mut built: Vec<Built> = Vec::new();
    let mut tables: Vec<Planned> = Vec::new();
    for ruleset in &plan.rulesets {
        let usual = [Written { value: ruleset.row().deck.to_string(), at: 0..0 }];
        let named = if plan.decks.is_empty() { &usual[..] } else { &plan.decks[..] };
        for name in named {
            let first = built.len();
            for (number, version) in versions.iter().enumerate() {
                let deck = find_deck(name, source, version)?;
                let db = deck.compile(&version.library.sets);
                let db = db.map_err(|error| wrong(source, &name.at, error.to_string()))?;
                built.push(Built { deck, db, version: number });
            }
            let players = match &plan.players[..] {
                [] => vec![ruleset.usual_players()],
                some => some.to_vec(),
            };
            for (variants, players) in
                plan.variants.iter().flat_map(|variants| players.iter().map(move |n| (variants, *n)))
            {
                let rules = engine::Rules::new(*ruleset, players);
                let rules = variants.iter().fold(rules, |rules, variant| rules.with(*variant));
                let setup = Setup { rules, deck: built[first].deck.id.clone(), seed: plan.seed };
                for bots in &plan.bots {
                    tables.push((setup.clone(), bots, first..built.len(), name.at.clone()));
                }
            }
        }
    }
    let mut cells = Vec::new();
    let mut decks_of_cells = Vec::new();
    for (setup, bots, decks, at) in &tables {
        for number in decks.clone() {
            let Built { db, version, deck } = &built[number];
            let refused = |error: engine::SetupError| {
                wrong(source, at, format!("{} with {} players: {error}", deck.id, setup.rules.players))
            };
            let dealer = Dealer::new(db, setup.rules).map_err(refused)?;
            let version = versions[*version].name.clone();
            cells.push(Cell { setup: setup.clone(), bots, db, dealer, version });
            decks_of_cells.push(number);
        }
    }
    let study = Study::new(cells, versions.len(), plan.games);
    // Find out before the games, not after them, whether the report can be written.
    Report::try_folder(&run.out).map_err(Failure::failed)?;
    let mut journal = Journal::open(&run.out.join(JOURNAL), &study).map_err(Failure::failed)?;
    let from = journal.jobs();
    let a_job = study.versions as u64;
    if from > 0 {
        note(format!("{} games are known; going on from there\n", from.min(study.jobs()) * a_job))?;
    }
    let mut failure: Option<JournalError> = None;
    let mut keep = |part: Part| {
        failure = journal.add(&study, &part).err();
        failure.is_none()
    };
    let rest = Rest { study: &study, from };
    let left = study.jobs().saturating_sub(from) * a_job;
    match spread::line(run.nats)? {
        _ if left == 0 => {}
        None => progress::run(left, run.threads, |workers| rest.run(workers, &mut keep))?,
        Some(line) => {
            let with = Shared { line: &line, args: run.nats, threads: run.threads, library };
            let (mut files, mut specs) = (Vec::new(), Vec::new());
            let own: Vec<Vec<usize>> = versions
                .iter()
                .map(|version| {
                    let first = files.len();
                    files.extend(version.library.homebrew.iter());
                    (first..files.len()).collect()
                })
                .collect();
            specs.extend(
                built.iter().map(|Built { deck, db, version }| DeckSpec::of(deck, db, own[*version].clone())),
            );
            with.study(&rest, &files, specs, &decks_of_cells, keep)?;
        }
    }
    if let Some(failure) = failure {
        return Err(Failure::failed(failure));
    }
    finish(plan, &study, &mut journal, run)
}

/// The report, from what the journal has.
fn finish(plan: &Plan, study: &Study, journal: &mut Journal, run: &Run) -> Result<(), Failure> {
    let mut sums: Vec<Sums> = (0..study.cells.len()).map(|cell| study.empty_sums(cell)).collect();
    let seats = study.cells.iter().map(|cell| cell.setup.rules.players).max().unwrap_or(0);
    let is_kept = plan.measure.contains(&Topic::Games);
    let mut games = match is_kept {
        true => Some(GameFiles::create(&run.out, seats).map_err(Failure::failed)?),
        false => None,
    };
    let filled = journal.read(study, |part| -> Result<(), FillError> {
        if let Some(games) = &mut games {
            part.rows.iter().try_for_each(|(cell, row)| games.add(&study.cells[*cell], row))?;
        }
        part.sums().for_each(|(cell, part)| sums[cell].add(&part));
        Ok(())
    });
    filled.map_err(Failure::failed)?;
    games.map_or(Ok(()), GameFiles::finish).map_err(Failure::failed)?;
    let report = Report::of_study(study, &sums, plan.title.clone(), plan.measure.clone());
    report.write(&run.out).map_err(Failure::failed)?;
    let asked = report.asked_games();
    if !report.complete {
        note(format!(
            "stopped after {} of {asked} games; the same command goes on from there\n",
            report.games()
        ))?;
    }
    for compared in &report.compared {
        let heads = study.tables() > 1 || study.versions > 2;
        if heads {
            let table = &report.tables[compared.table];
            let head =
                format!("{}, {} players, {}: {}", table.deck, table.players, table.bot, compared.new_version);
            say(format!("{}\n", paint(HEAD, head)))?;
        }
        for words in &compared.words {
            say(format!("{words}\n"))?;
        }
    }
    let page = run.out.join(PAGE);
    Ok(say(format!("{} games; the report is in {}\n", report.games(), page.display()))?)
}

fn version(
    files: &Written<Vec<String>>,
    is_one_of_many: bool,
    source: Option<&Source>,
    library: &Library,
) -> Result<Version, Failure> {
    let mut own = library.homebrew.clone();
    for file in &files.value {
        own.push(read_file(&beside(source, file)).map_err(|problems| match note(problems + "\n") {
            Ok(()) => Failure::Reported,
            Err(error) => error.into(),
        })?);
    }
    let sets = add(library::sets(), &own).map_err(|error| wrong(source, &files.at, error.to_string()))?;
    let name = match &files.value[..] {
        [] if is_one_of_many => "the cards as they are".into(),
        files => files.join("+"),
    };
    Ok(Version { name, library: Library { sets, homebrew: own } })
}

fn find_deck(name: &Written<String>, source: Option<&Source>, version: &Version) -> Result<Deck, Failure> {
    let sets = &version.library.sets;
    if let Some(deck) = library::deck(&name.value, sets) {
        return Ok(deck);
    }
    let path = beside(source, &name.value);
    let wanted = if path.is_file() { path.display().to_string() } else { name.value.clone() };
    decks::find(&wanted, sets).map_err(|failure| match failure {
        Failure::Usage(reason) | Failure::Failed(reason) => wrong(source, &name.at, reason),
        other => other,
    })
}

/// Files are named from where the study lies.
fn beside(source: Option<&Source>, file: &str) -> PathBuf {
    source.map_or_else(|| file.into(), |source| source.folder.join(file))
}

/// What cannot be played, with its place in the study if there is one.
fn wrong(source: Option<&Source>, at: &Range<usize>, reason: String) -> Failure {
    let Some(source) = source else { return Failure::usage(reason) };
    let problem = problem(at.clone(), reason, "", "change it, or leave it out of this study");
    reported(Errors::new(&source.name, &source.text, vec![problem]))
}

fn reported(errors: Errors) -> Failure {
    match note(errors.render(true) + "\n") {
        Ok(()) => Failure::Reported,
        Err(error) => error.into(),
    }
}
