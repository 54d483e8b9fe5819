//! The `noughts` program: arguments, then run, then an exit code.

use std::process::ExitCode;

use clap::Parser;
use noughts_cli::args::Args;

/// 0 when the player played or left, 1 when the connection is lost for good, 2 for arguments that
/// cannot be right.
fn main() -> ExitCode {
    match Args::try_parse() {
        Ok(args) => noughts_cli::run(&args),
        Err(error) => {
            // Where not even the usage can be printed, the code has to do.
            let _ = error.print();
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
        }
    }
}
