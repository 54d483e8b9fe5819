//! `noughts bot`: a program that speaks the Gomocup protocol has a seat in a room. [`engine`]
//! talks with the program, [`view`] plays for it.

use std::io;
use std::time::Instant;

use crate::args::BotArgs;
use crate::client::{Client, Exit};
use crate::config::Writer;
use crate::stdio::Stdio;
use engine::{EngineCommand, EnginePlayer, Outcome, Raw};
use noughts_client::runner::Runner;
use noughts_client::session::Happening;
use view::{BotView, EngineRequest};

pub(crate) mod engine;
mod view;

/// An event of the loop.
enum BotEvent {
    Happened(Vec<Happening>),
    Engine(Raw),
    Signal,
    NotSaved(String),
    /// The server takes messages again.
    Quiet,
    LeaveTimeOver,
}

/// Runs until the program has played its games, the room is closed, or a signal comes.
///
/// # Errors
/// If the output cannot be written.
pub(crate) async fn run(
    mut client: Client,
    args: &BotArgs,
    mut writer: Writer,
) -> io::Result<Exit> {
    let mut stdio = Stdio::of_process()?;
    if let Some(warning) = &client.warning {
        stdio.print_line(warning)?;
    }
    let command = EngineCommand { program: args.engine.clone(), args: args.args.clone() };
    let mut engine = EnginePlayer::new(command);
    match engine.name().await {
        Ok(Some(name)) if !client.options.names_player => client.profile.name = name,
        Ok(_) => {}
        Err(why) => return Ok(Exit::Refused(why)),
    }
    let exit = play(&mut client, args, &mut engine, &mut writer, &mut stdio).await;
    engine.end().await;
    writer.finish().map_or(Ok(()), |problem| stdio.print_line(&problem))?;
    exit
}

async fn play(
    client: &mut Client,
    args: &BotArgs,
    engine: &mut EnginePlayer,
    writer: &mut Writer,
    stdio: &mut Stdio,
) -> io::Result<Exit> {
    let mut runner = Runner::default();
    runner.connect(client.destination());
    let server = client.choice.server.clone();
    let room = args.code.id;
    let mut view = BotView::new(room, server, rand::random(), args.into());
    let exit = loop {
        let leave_by = view.leave_by();
        let late = tokio::time::sleep_until(leave_by.unwrap_or_else(Instant::now).into());
        let quiet = view.quiet_until;
        let loud = tokio::time::sleep_until(quiet.unwrap_or_else(Instant::now).into());
        let next = tokio::select! {
            happenings = runner.next(&mut view.console.session) => BotEvent::Happened(happenings),
            raw = engine.next() => BotEvent::Engine(raw),
            _ = stdio.signals.next() => BotEvent::Signal,
            problem = writer.problem() => BotEvent::NotSaved(problem),
            () = loud, if quiet.is_some() => BotEvent::Quiet,
            () = late, if leave_by.is_some() => BotEvent::LeaveTimeOver,
        };
        view.console.now = Instant::now();
        match next {
            BotEvent::Happened(happenings) => {
                view.console.remember(&happenings, client, writer);
                view.happened(happenings);
            }
            BotEvent::Engine(raw) => {
                let outcome = engine.take(raw, view.console.now).await;
                view.engine(outcome);
            }
            BotEvent::NotSaved(problem) => stdio.print_line(&problem)?,
            BotEvent::Quiet => {}
            // The seat is kept, as it is for a person who closes the terminal.
            BotEvent::Signal => break Exit::Done,
            BotEvent::LeaveTimeOver => break view.left(),
        }
        follow(&mut view, engine).await;
        view.console.flush(&runner, stdio).await?;
        if let Some(exit) = view.exit() {
            break exit;
        }
    };
    runner.close().await;
    Ok(exit)
}

/// Asks the program for the moves that the room wants, until it thinks or fails.
async fn follow(view: &mut BotView, engine: &mut EnginePlayer) {
    loop {
        match view.request() {
            EngineRequest::Wait => return,
            EngineRequest::Stop => engine.stop().await,
            EngineRequest::Ask(turn, time) => {
                let outcome = engine.ask(turn, time, view.console.now).await;
                if !matches!(outcome, Outcome::Nothing) {
                    view.engine(outcome);
                }
            }
        }
    }
}
