//! The `noughts` program: arguments, then run, then an exit code.

use std::process::ExitCode;

use clap::Parser;
use noughts_cli::args::Args;
use noughts_protocol::text::is_unsafe;

/// 0 when the player played or left, 1 when the connection is lost for good, 2 for arguments that
/// cannot be right.
fn main() -> ExitCode {
    match Args::try_parse() {
        Ok(args) => noughts_cli::run(&args),
        Err(error) => {
            report(&error);
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
        }
    }
}

/// Prints help or what is wrong. What was typed may be part of it, and shall not reach the
/// terminal as it is when it holds control characters.
fn report(error: &clap::Error) {
    let unsafe_character = |c: char| is_unsafe(c) && c != '\n';
    let text = error.render().to_string();
    if text.contains(unsafe_character) {
        eprint!("{}", text.replace(unsafe_character, "\u{fffd}"));
    } else {
        // Where not even this can be printed, the exit code has to do.
        let _ = error.print();
    }
}
