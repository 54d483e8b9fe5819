//! `pbrain-noughts`: `noughts-server engine` as a program of its own, named as Gomocup and managers that start
//! programs without options want it. [`noughts_server::cli::engine`] is all of it.

use std::process::ExitCode;

use clap::Parser;
use noughts_server::cli::{EngineArgs, engine, message};

/// Plays five in a row for a manager that speaks the Gomocup protocol on standard input and output
#[derive(Debug, Parser)]
#[command(name = "pbrain-noughts", version)]
struct Brain {
    #[command(flatten)]
    args: EngineArgs,
}

fn main() -> ExitCode {
    let result = engine::run(&Brain::parse().args).map(|()| ExitCode::SUCCESS);
    message::exit_code(result, "pbrain-noughts", 1)
}
