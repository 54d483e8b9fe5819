//! `pbrain-noughts`: `noughts-server engine` as a program of its own, named as Gomocup and managers that start
//! programs without options want it. [`noughts_server::cli::engine`] is all of it.

use std::process::ExitCode;

use clap::Parser;
use noughts_server::cli::{EngineArgs, engine, message, reader_is_gone};

/// Plays five in a row for a manager that speaks the Gomocup protocol on standard input and output
#[derive(Debug, Parser)]
#[command(name = "pbrain-noughts", version)]
struct Brain {
    #[command(flatten)]
    args: EngineArgs,
}

fn main() -> ExitCode {
    match engine::run(&Brain::parse().args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if reader_is_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pbrain-noughts: {}", message::with_causes(&error));
            ExitCode::FAILURE
        }
    }
}
