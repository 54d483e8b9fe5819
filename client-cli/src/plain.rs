//! Plain mode: the game in lines of text, for pipes, dumb terminals and screen readers.
//!
//! Input from a pipe is a script: each line waits until it can be used, so that
//! `printf '5\n1\n' | noughts play --computer weak --plain` plays when it is its turn.
//! The end of input ends the connection after the last answer. The player keeps the seat; a
//! spectator continues to watch. In a terminal, a line that cannot be used now is answered at once.

use std::io::{self, IsTerminal};
use std::time::Instant;

use noughts_protocol::IdentityFile;
use tokio::io::BufReader;

use crate::args::{Command, HistoryArgs, IdentityCommand, LeadersArgs, ProfileArgs, ReplayArgs};
use crate::client::{Client, Exit};
use crate::config::Writer;
use crate::console::{LEAVE_TIME, close, print_line};
use crate::net::runner::Runner;
use crate::session::{Action, Happening};
use crate::signals::{Signal, Signals};
use input::LineReader;
pub(crate) use people::save as save_identity;
use view::PlainView;

mod archive;
mod board;
mod command;
pub(crate) mod input;
mod menu;
mod password;
mod people;
mod query;
pub(crate) mod view;

type StdinLines = LineReader<BufReader<tokio::io::Stdin>>;

/// Runs until the player has played or left.
///
/// # Errors
/// If the output cannot be written.
pub(crate) async fn run(
    mut client: Client,
    command: Option<&Command>,
    identity: Option<&IdentityFile>,
    mut writer: Writer,
) -> io::Result<Exit> {
    let mut lines = LineReader::new(BufReader::new(tokio::io::stdin()));
    let exit = run_with(&mut client, command, identity, &mut lines, &mut writer).await;
    writer.finish().map_or(Ok(()), |problem| print_line(&problem))?;
    exit
}

async fn run_with(
    client: &mut Client,
    command: Option<&Command>,
    identity: Option<&IdentityFile>,
    lines: &mut StdinLines,
    writer: &mut Writer,
) -> io::Result<Exit> {
    if let Some(warning) = &client.warning {
        print_line(warning)?;
    }
    match command {
        Some(Command::History(history)) => {
            return archive::history(client, history, lines, writer).await;
        }
        Some(Command::Replay(replay)) => {
            return archive::replay(client, replay, lines, writer).await;
        }
        Some(Command::Profile(profile)) => {
            return people::profile(client, profile, lines, writer).await;
        }
        Some(Command::Leaders(leaders)) => {
            return people::leaders(client, leaders, lines, writer).await;
        }
        Some(Command::Forget(forget)) => {
            return people::forget(client, *forget, lines, writer).await;
        }
        Some(Command::Identity(IdentityCommand::Load { yes, .. })) => {
            if let Some(identity) = identity {
                return people::load(client, identity, *yes, lines, writer).await;
            }
        }
        _ => {}
    }
    if let Action::Replay(game) = client.options.action {
        return archive::replay(client, &ReplayArgs::of(game), lines, writer).await;
    }
    if client.options.action != Action::Menu {
        let action = client.options.action.clone();
        return play(client, &action, lines, writer).await;
    }
    // The name is asked for once. A script says it with an option.
    let asks_name = !client.profile.named && io::stdin().is_terminal();
    if (!client.choice.named || asks_name) && !menu::ask_server(client, lines).await? {
        return Ok(Exit::Done);
    }
    while let Some(action) = menu::ask(lines, client.choice.features, &client.profile.name).await? {
        let exit = match action {
            Action::Games => archive::history(client, &HistoryArgs::default(), lines, writer).await,
            Action::Profile => {
                people::profile(client, &ProfileArgs::default(), lines, writer).await
            }
            Action::Leaders => {
                people::leaders(client, &LeadersArgs::default(), lines, writer).await
            }
            action => play(client, &action, lines, writer).await,
        };
        match exit? {
            Exit::Done => {}
            Exit::Refused(why) => print_line(&why)?,
            exit @ Exit::Lost(_) => return Ok(exit),
        }
    }
    Ok(Exit::Done)
}

/// An event of the loop.
enum PlainEvent {
    Happened(Vec<Happening>),
    Line(Option<String>),
    Signal(Signal),
    NotSaved(String),
    LeaveTimeOver,
}

async fn play(
    client: &mut Client,
    action: &Action,
    lines: &mut StdinLines,
    writer: &mut Writer,
) -> io::Result<Exit> {
    let mut runner = Runner::default();
    runner.connect(client.destination());
    let scripted = !io::stdin().is_terminal();
    let server = client.choice.server.clone();
    let mut view = PlainView::new(action.clone(), server, rand::random(), scripted);
    view.console.session.take_place(client.options.place.clone());
    let mut signals = Signals::listen()?;
    let mut leave_by = None;
    let exit = 'talk: loop {
        if view.is_leaving() {
            leave_by.get_or_insert_with(|| tokio::time::Instant::now() + LEAVE_TIME);
        }
        let late = tokio::time::sleep_until(leave_by.unwrap_or_else(tokio::time::Instant::now));
        let next = tokio::select! {
            happenings = runner.next(&mut view.console.session) => PlainEvent::Happened(happenings),
            line = lines.next(), if view.wants_line() => PlainEvent::Line(line),
            signal = signals.next() => PlainEvent::Signal(signal),
            problem = writer.problem() => PlainEvent::NotSaved(problem),
            () = late, if leave_by.is_some() => PlainEvent::LeaveTimeOver,
        };
        view.console.now = Instant::now();
        match next {
            PlainEvent::Happened(happenings) => {
                view.console.remember(&happenings, client, writer);
                for happening in &happenings {
                    if let Happening::PasswordWanted(why) = happening {
                        match password::ask(why, lines, &mut signals).await? {
                            Ok(password) => client.choice.password = Some(password),
                            Err(exit) => break 'talk exit,
                        }
                        runner.connect(client.destination());
                    }
                }
                view.happened(happenings);
            }
            PlainEvent::Line(Some(line)) => view.line(line),
            PlainEvent::NotSaved(problem) => print_line(&problem)?,
            PlainEvent::Line(None) => view.end_of_input(),
            PlainEvent::Signal(Signal::Interrupt) => view.interrupt(),
            PlainEvent::Signal(Signal::Terminate) | PlainEvent::LeaveTimeOver => break Exit::Done,
        }
        view.console.flush(&runner)?;
        if let Some(exit) = view.exit() {
            break exit;
        }
    };
    close(runner).await;
    Ok(exit)
}
