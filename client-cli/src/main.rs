//! The `noughts` program: arguments, run, exit code.

use std::io::Write;
use std::process::ExitCode;

use noughts_cli::args::Args;
use noughts_cli::args::problem::one_line;
use noughts_protocol::DisplayText;

/// Exits with 0 if the player played or left, 1 if the connection was lost for good, 2 if the
/// arguments are wrong.
fn main() -> ExitCode {
    match Args::read(std::env::args_os()) {
        Ok(args) => noughts_cli::run(&args),
        Err(refused) if refused.use_stderr() => {
            // The message may quote the arguments, so its control characters are replaced.
            let line = DisplayText::from(one_line(&refused));
            // If this cannot be printed either, the exit code says enough.
            let _ = writeln!(std::io::stderr(), "noughts: {line}");
            ExitCode::from(2)
        }
        Err(help) => {
            // A closed pipe is no error: its reader wanted no more.
            let _ = help.print();
            ExitCode::SUCCESS
        }
    }
}
