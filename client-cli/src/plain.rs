//! The game for pipes, dumb terminals and screen readers: lines of text in, lines of text out.
//!
//! Input from a pipe is a script: each line waits until it can be used, so that
//! `printf '5\n1\n' | noughts play --computer weak --plain` makes its moves when it is its turn.
//! Its end ends the connection once everything is answered; the seat is kept, and who only
//! watches goes on watching. From a terminal, a line that does not fit is answered at once.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use tokio::io::BufReader;
use tokio::time::timeout;

use crate::connection::{Connection, Incoming};
use crate::goal::Goal;
use crate::ids::IntentIds;
use crate::signals::{Signal, Signals};
use crate::start::{Exit, Start};
use game::Game;
use input::Lines;

mod board;
mod command;
pub(crate) mod fuzzing;
mod game;
mod input;
mod menu;
mod password;

/// How long a goodbye may take.
const LEAVE_TIME: Duration = Duration::from_secs(5);

type Input = Lines<BufReader<tokio::io::Stdin>>;

/// Runs until the player has played or left.
///
/// # Errors
/// Where the output cannot be written.
pub async fn run(mut start: Start) -> io::Result<Exit> {
    let mut lines = Lines::new(BufReader::new(tokio::io::stdin()));
    converse(&mut start, &mut lines).await
}

async fn converse(start: &mut Start, lines: &mut Input) -> io::Result<Exit> {
    if let Some(note) = &start.note {
        say(note)?;
    }
    if start.goal != Goal::Menu {
        let goal = start.goal.clone();
        return play(start, &goal, lines).await;
    }
    if !start.server_given && !menu::ask_server(start, lines).await? {
        return Ok(Exit::Done);
    }
    while let Some(goal) = menu::ask(lines, start.features).await? {
        match play(start, &goal, lines).await? {
            Exit::Done => {}
            Exit::Refused(why) => say(&why)?,
            exit @ Exit::Lost(_) => return Ok(exit),
        }
    }
    Ok(Exit::Done)
}

/// What the loop waits for.
enum Next {
    Incoming(Box<Incoming>),
    Line(Option<String>),
    Signal(Signal),
    LeaveTimeOver,
}

async fn play(start: &mut Start, goal: &Goal, lines: &mut Input) -> io::Result<Exit> {
    let ids = IntentIds::random();
    let mut connection = Connection::open(start.destination(), ids.clone());
    let patient = !io::stdin().is_terminal();
    let mut game = Game::new(goal.clone(), start.server.clone(), ids, patient);
    let mut signals = Signals::listen()?;
    let (mut leave_by, mut greeted) = (None, false);
    let exit = loop {
        if game.is_leaving() {
            leave_by.get_or_insert_with(|| tokio::time::Instant::now() + LEAVE_TIME);
        }
        let late = tokio::time::sleep_until(leave_by.unwrap_or_else(tokio::time::Instant::now));
        let next = tokio::select! {
            incoming = connection.receive() => Next::Incoming(Box::new(incoming)),
            // What is typed before the welcome may be the password.
            line = lines.next(), if greeted && game.wants_line() => Next::Line(line),
            signal = signals.next() => Next::Signal(signal),
            () = late, if leave_by.is_some() => Next::LeaveTimeOver,
        };
        if let Next::Incoming(incoming) = &next
            && let Err(problem) = start.remember(incoming)
        {
            say(&problem)?;
        }
        if let Next::Incoming(incoming) = &next
            && let Incoming::Welcome(welcome) = &**incoming
        {
            greeted = true;
            start.features = welcome.features;
        }
        match next {
            Next::Incoming(incoming) if matches!(*incoming, Incoming::PasswordWanted(_)) => {
                let Incoming::PasswordWanted(why) = *incoming else { continue };
                match password::ask(&why, lines, &mut signals).await? {
                    Ok(password) => {
                        start.password = Some(password);
                        connection = Connection::open(start.destination(), game.ids());
                    }
                    Err(exit) => break exit,
                }
            }
            Next::Incoming(incoming) => game.receive(*incoming, Instant::now()),
            Next::Line(Some(line)) => game.line(line),
            Next::Line(None) => game.end_of_input(),
            Next::Signal(Signal::Interrupt) => game.interrupt(),
            Next::Signal(Signal::Terminate) | Next::LeaveTimeOver => break Exit::Done,
        }
        flush(&mut game, &connection)?;
        if let Some(exit) = game.exit() {
            break exit;
        }
    };
    // Whatever was handed over is sent, also when the server takes its time.
    let _ = timeout(LEAVE_TIME, connection.close()).await;
    Ok(exit)
}

/// Sends and prints what the game has to send and to say.
fn flush(game: &mut Game, connection: &Connection) -> io::Result<()> {
    for intent in game.take_intents() {
        if let Err(busy) = connection.send(intent.clone()) {
            game.not_sent(&intent, &busy.to_string());
        }
    }
    let text = game.take_text();
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
