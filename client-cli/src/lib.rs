//! Plays Noughts in a terminal.
//!
//! - [`args`] is the command line, [`options`] what it asks for, [`profile`] the player, [`preferences`]
//!   how it looks and rings, [`config`] the player's file, and [`client`] all of them with the server.
//! - [`noughts_client`] has the session, which knows the room and the party of the player, and the
//!   connection below it. [`action`] is what starts a session here, [`talk`] what a typed line says.
//! - [`net`] finds the servers to choose from if the command line names none.
//! - [`boards`] says of which boards a rectangle of cells is made.
//! - [`choices`] are those before a game, in menus and questions.
//! - [`tui`] is the full screen; [`plain`] is the same game in lines of text. Both are views of the
//!   session: synchronous state that one loop feeds. Both take their texts about the game from
//!   [`strings`].
//! - [`bot`] has programs of others play over the same session.
//! - [`mcp`] has a language model play.
//! - [`ssh`] is the door through which others play here from their own terminals: each session runs the
//!   screen or the lines over a channel. [`stdio`] is where lines come from and text goes, and [`way_in`]
//!   how commands are typed.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::CommandFactory;

use args::{Args, Command, IdentityCommand};
use client::{Client, Exit};
use config::Writer;
use noughts_protocol::DisplayText;
use noughts_protocol::text::without_number;

pub mod action;
pub mod args;
mod boards;
mod bot;
mod choices;
mod client;
mod config;
mod console;
#[cfg(test)]
#[path = "../../protocol/rust/src/fixture/mod.rs"]
mod fixture;
/// Fuzz targets that reach private modules.
#[cfg(feature = "fuzzing")]
#[path = "../../tests/fuzz/client/views.rs"]
pub mod fuzzing;
mod identity;
mod mcp;
mod net;
mod options;
mod plain;
mod preferences;
mod profile;
mod puzzle;
mod signals;
mod ssh;
mod stdio;
mod strings;
mod talk;
mod tui;
mod way_in;

/// Runs the command of the arguments and prints why it failed.
#[must_use]
pub fn run(args: &Args) -> ExitCode {
    let (code, problem) = match run_to_exit(args) {
        Ok(Exit::Done) => (0, None),
        Ok(Exit::Lost(why)) => (1, Some(why)),
        Ok(Exit::Refused(why)) => (2, Some(why)),
        Err(error) => (1, Some(without_number(&format!("cannot {error:#}")))),
    };
    if let Some(problem) = problem {
        // The text may quote a path or an address as it was typed. A closed standard error is
        // ignored.
        let _ = writeln!(std::io::stderr(), "noughts: {}", DisplayText::from(problem));
    }
    ExitCode::from(code)
}

fn run_to_exit(args: &Args) -> anyhow::Result<Exit> {
    if let Some(Command::Completions { shell }) = args.command {
        // `clap_complete` panics if it cannot write, so it writes to memory first.
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Args::command(), "noughts", &mut script);
        let written = std::io::stdout().write_all(&script).map(|()| Exit::Done);
        return ignore_closed_pipe(written).context("write the script");
    }
    if let Some(Command::Man { folder }) = &args.command {
        let written = clap_mangen::generate_to(Args::command(), folder);
        let done = written.map(|()| Exit::Done);
        return done.with_context(|| format!("write the manual pages to {}", folder.display()));
    }
    if let Some(Command::Ssh(options)) = &args.command {
        return ssh::run(args, options);
    }
    let mut loaded = None;
    let mut args = args.clone();
    if let Some(Command::Identity(IdentityCommand::Load { file, .. })) = &args.command {
        match identity::load(file) {
            Ok(identity) => loaded = Some(identity),
            Err(why) => return Ok(Exit::Refused(why)),
        }
    }
    // The file names the server on which it is good.
    let of_file = loaded.as_ref().and_then(|identity| identity.server.as_str().parse().ok());
    args.global.server = args.global.server.or(of_file);
    let args = &args;
    let (client, file) = Client::new(args)?;
    if let Some(Command::Identity(IdentityCommand::Save { file })) = &args.command {
        return ignore_closed_pipe(plain::save_identity(&client, file)).context("print it");
    }
    let is_pass = |command: &Command| matches!(command, Command::Pass(pass) if pass.pass.is_some());
    let becomes_another = loaded.is_some() || args.command.as_ref().is_some_and(is_pass);
    if becomes_another && file.is_in_use() {
        return Ok(Exit::Refused("another noughts is running: close it first".to_owned()));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("start the program's event loop")?;
    let exit = runtime.block_on(async {
        if matches!(args.command, Some(Command::Servers)) {
            return net::lan::print(&client).await;
        }
        let client = match net::lan::choose_server(client).await {
            Ok(client) => client,
            Err(exit) => return Ok(exit),
        };
        if let Some(Command::Bot(bot)) = &args.command {
            return bot::run(client, bot, Writer::start(file)).await;
        }
        if matches!(args.command, Some(Command::Mcp)) {
            return mcp::run(client, Writer::start(file)).await;
        }
        // Lists are printed once, also on a full terminal.
        if client.options.plain || client.options.action.prints() {
            let stdio = stdio::Stdio::of_process()?;
            let writer = Writer::start(file);
            plain::run(client, args.command.as_ref(), loaded.as_ref(), writer, stdio).await
        } else {
            let tty = tui::tty::LocalTty::open(client.options.escape_codes)?;
            tui::run(client, Writer::start(file), tty).await
        }
    });
    // A pending read of standard input cannot be cancelled: do not wait for its thread.
    runtime.shutdown_timeout(Duration::ZERO);
    ignore_closed_pipe(exit).context("use the terminal")
}

/// Counts a closed pipe as success: its reader wanted no more.
fn ignore_closed_pipe(written: io::Result<Exit>) -> io::Result<Exit> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Exit::Done),
        result => result,
    }
}
