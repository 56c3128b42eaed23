//! The command `lair`. Each command has a module; this file only finds the right one and turns its end into
//! an exit code.

mod bot;
mod cards_cmd;
mod check_cmd;
mod cli;
mod deck_cmd;
mod decks;
mod failure;
mod files;
mod play;
mod record_cmd;
mod scenario_cmd;
mod sim;
mod story;
mod term;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};

fn main() -> ExitCode {
    let command = Cli::parse().command.unwrap_or_else(|| Command::Play(Default::default()));
    let done = match &command {
        Command::Play(args) => play::run(args),
        Command::Sim(args) => sim::run(args),
        Command::Cards(args) => cards_cmd::run(args),
        Command::Deck(args) => deck_cmd::run(args),
        Command::Check(args) => check_cmd::run(args),
        Command::Replay(args) => record_cmd::replay(args),
        Command::Verify(args) => record_cmd::verify(args),
        Command::Scenario(args) => scenario_cmd::run(args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
