//! The command `lair`. Each subcommand has a module; this file dispatches and sets the exit code.

mod arena_cmd;
mod cards_cmd;
mod check_cmd;
mod cli;
mod deck_cmd;
mod decks;
mod failure;
mod files;
mod hint_cmd;
mod homebrew;
mod lab_cmd;
mod load;
mod move_cmd;
mod play;
mod progress;
mod puzzle_cmd;
mod record_cmd;
mod review_cmd;
mod scenario_cmd;
mod serve_cmd;
mod sim;
mod spread;
mod story;
mod study_cmd;
mod train_cmd;
mod work_cmd;
mod work_think;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};
use failure::Failure;
use homebrew::Library;
use terminal::term;

/// The server allocates many short strings on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(cli: &Cli) -> Result<(), Failure> {
    let library = Library::load(&cli.cards)?;
    match &cli.command {
        None => serve_cmd::run(&Default::default(), library),
        Some(Command::Serve(args)) => serve_cmd::run(args, library),
        Some(Command::MoveData(args)) => move_cmd::run(args, &library),
        Some(Command::Load(args)) => load::run(args),
        Some(Command::Echo) => load::serve_echo(),
        Some(Command::Play(args)) => play::run(args, &library),
        Some(Command::Sim(args)) => sim::run(args, &library),
        Some(Command::Arena(args)) => arena_cmd::run(args, &library),
        Some(Command::Train(args)) => train_cmd::run(args, &library),
        Some(Command::Lab(args)) => lab_cmd::run(args, &library),
        Some(Command::Study(args)) => study_cmd::run(args, &library),
        Some(Command::Compare(args)) => study_cmd::compare(args, &library),
        Some(Command::Work(args)) => work_cmd::run(args, library),
        Some(Command::Cards(args)) => cards_cmd::run(args, &library),
        Some(Command::Deck(args)) => deck_cmd::run(args, &library),
        Some(Command::Check(args)) => check_cmd::run(args, &library),
        Some(Command::Replay(args)) => record_cmd::replay(args, &library),
        Some(Command::Review(args)) => review_cmd::run(args, &library),
        Some(Command::Hint(args)) => hint_cmd::run(args, &library),
        Some(Command::Verify(args)) => record_cmd::verify(args, &library),
        Some(Command::Puzzle(args)) => puzzle_cmd::run(args, &library),
        Some(Command::Scenario(args)) => scenario_cmd::run(args, &library),
    }
}
