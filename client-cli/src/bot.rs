//! `noughts bot`: a program that speaks the Gomocup protocol has a seat in a room. [`crate::engine`]
//! talks with the program, [`conversation`] plays for it.

use std::io::{self, Write};
use std::time::Instant;

use tokio::time::timeout;

use crate::args::BotArgs;
use crate::client::{Client, Exit};
use crate::config::Writer;
use crate::core::Happening;
use crate::engine::{EngineCommand, Outcome, Player, Raw};
use crate::runner::Runner;
use crate::signals::Signals;
use conversation::{Conversation, Order};

mod conversation;

/// An event of the loop.
enum Next {
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
pub async fn run(mut client: Client, args: &BotArgs, mut writer: Writer) -> io::Result<Exit> {
    if let Some(warning) = &client.warning {
        print(&format!("{warning}\n"))?;
    }
    let command = EngineCommand { program: args.engine.clone(), args: args.args.clone() };
    let mut engine = Player::new(command);
    match engine.name().await {
        Ok(Some(name)) if !client.options.names_player => client.profile.name = name,
        Ok(_) => {}
        Err(why) => return Ok(Exit::Refused(why)),
    }
    let exit = play(&mut client, args, &mut engine, &mut writer).await;
    engine.end().await;
    writer.finish().map_or(Ok(()), |problem| print(&format!("{problem}\n")))?;
    exit
}

async fn play(
    client: &mut Client,
    args: &BotArgs,
    engine: &mut Player,
    writer: &mut Writer,
) -> io::Result<Exit> {
    let mut runner = Runner::default();
    runner.connect(client.destination());
    let server = client.choice.server.clone();
    let room = args.code.code;
    let mut conversation = Conversation::new(room, server, rand::random(), args.into());
    let mut signals = Signals::listen()?;
    let exit = loop {
        let leave_by = conversation.leave_by();
        let late = tokio::time::sleep_until(leave_by.unwrap_or_else(Instant::now).into());
        let quiet = conversation.quiet_until();
        let loud = tokio::time::sleep_until(quiet.unwrap_or_else(Instant::now).into());
        let next = tokio::select! {
            happenings = runner.next(&mut conversation.session) => Next::Happened(happenings),
            raw = engine.next() => Next::Engine(raw),
            _ = signals.next() => Next::Signal,
            problem = writer.problem() => Next::NotSaved(problem),
            () = loud, if quiet.is_some() => Next::Quiet,
            () = late, if leave_by.is_some() => Next::LeaveTimeOver,
        };
        conversation.now = Instant::now();
        match next {
            Next::Happened(happenings) => {
                for happening in &happenings {
                    let change = client.remember(happening, conversation.session.room());
                    change.into_iter().for_each(|change| writer.write(change));
                }
                conversation.happened(happenings);
            }
            Next::Engine(raw) => {
                let outcome = engine.take(raw, conversation.now).await;
                conversation.engine(outcome);
            }
            Next::NotSaved(problem) => print(&format!("{problem}\n"))?,
            Next::Quiet => {}
            // The seat is kept, as it is for a person who closes the terminal.
            Next::Signal => break Exit::Done,
            Next::LeaveTimeOver => break conversation.left(),
        }
        follow(&mut conversation, engine).await;
        conversation.take_messages().into_iter().for_each(|message| runner.send(message));
        print(&conversation.take_text())?;
        if let Some(exit) = conversation.exit() {
            break exit;
        }
    };
    // Everything is sent first, also if the server is slow.
    let _ = timeout(conversation::LEAVE_TIME, runner.close()).await;
    Ok(exit)
}

/// Asks the program for the moves that the room wants, until it thinks or fails.
async fn follow(conversation: &mut Conversation, engine: &mut Player) {
    loop {
        match conversation.order() {
            Order::Wait => return,
            Order::Stop => engine.stop().await,
            Order::Ask(turn, time) => {
                let outcome = engine.ask(turn, time, conversation.now).await;
                if !matches!(outcome, Outcome::Nothing) {
                    conversation.engine(outcome);
                }
            }
        }
    }
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
