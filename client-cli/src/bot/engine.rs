//! Programs that speak the Gomocup protocol, the text protocol of Piskvork
//! (<https://plastovicka.github.io/protocl2en.htm>), on standard input and output.
//!
//! [`manager`] is the manager's side of the conversation: text in, text out, without a process.
//! [`lines`] cuts what a program writes into bounded lines, [`limits`] says how long a program may
//! take, and [`EnginePlayer`] runs the program as a [`process`]: it starts it when it is needed, starts
//! it again if it fails, and stops one that does not answer in time.

use std::path::Path;
use std::time::Instant;

use noughts_protocol::text::without_number;
use noughts_protocol::{Cell, DisplayText, Mark, PlayerName};
use tokio::time::sleep_until;

use limits::{MoveLimits, READY_TIME};
use lines::Line;
use manager::{Awaited, Fault, Manager, Reply};
use process::{Process, Written};

mod about;
mod limits;
mod lines;
mod manager;
mod process;

pub(crate) use limits::MoveTime;
pub(crate) use manager::Turn;
pub(crate) use process::EngineCommand;

/// How often a program is started again for one move after it ended or did not answer.
const MAX_STARTS_AGAIN: u32 = 3;

/// A program that plays.
#[derive(Debug)]
pub(crate) struct EnginePlayer {
    command: EngineCommand,
    running: Option<(Process, Manager)>,
    /// The move that is wanted.
    wanted: Option<Wanted>,
    /// When an answer is late.
    due: Option<Instant>,
}

/// A move that is wanted.
#[derive(Debug)]
struct Wanted {
    turn: Turn,
    /// Its limits.
    limits: MoveLimits,
    /// How often the program was started again for it.
    starts_again: u32,
}

/// An event of the process, or `None` if its answer is late. [`EnginePlayer::take`] says what it means.
#[derive(Debug)]
pub(crate) struct Raw(Option<Written>);

/// The consequence.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// A line that changes nothing.
    Nothing,
    /// The program plays a cell, with this mark if it names one.
    Played(Cell, Option<Mark>),
    /// The program says something to people.
    Message(DisplayText),
    /// The program was started again. The text says why.
    StartedAgain(String),
    /// The program cannot play on. The text says why.
    Failed(String),
}

impl EnginePlayer {
    /// A program that has not been started.
    pub(crate) const fn new(command: EngineCommand) -> Self {
        Self { command, running: None, wanted: None, due: None }
    }

    /// The program's name, from what it says about itself, else from its file. It has shown then that
    /// it can play: it gets ready for a board.
    ///
    /// # Errors
    /// If it cannot be started or does not get ready. The text says why.
    pub(crate) async fn name(&mut self) -> Result<Option<PlayerName>, String> {
        self.start()?;
        let named = tokio::time::timeout(READY_TIME, self.said_name()).await.ok().flatten();
        // One that does not know `ABOUT` may answer it late, so the next question is for a new one.
        self.stop().await;
        self.start()?;
        let ready = tokio::time::timeout(READY_TIME, self.get_ready()).await;
        let ready = ready.unwrap_or_else(|_| Err("it did not answer in time".to_owned()));
        if let Err(why) = ready {
            self.kill().await;
            let program = self.command.program.display();
            return Err(format!(
                "{program} does not speak the Gomocup protocol: after START {why}"
            ));
        }
        // The file that an interpreter runs is the program, and not the interpreter.
        let script = self.command.args.first().map(Path::new).filter(|path| path.is_file());
        Ok(named.or_else(|| about::of_file(script.unwrap_or(&self.command.program))))
    }

    /// Waits until the program has answered `START`.
    async fn get_ready(&mut self) -> Result<(), String> {
        let Some((process, manager)) = self.running.as_mut() else { return Ok(()) };
        process.allow_more();
        // One that is gone closes its output too.
        let _ = process.say(&manager.get_ready()).await;
        loop {
            match process.next().await {
                Written::Line(line) => match manager.hear(&line) {
                    Ok(Reply::Say(_)) => {
                        manager.awaited = Awaited::Nothing;
                        return Ok(());
                    }
                    Ok(_) => {}
                    Err(fault) => return Err(fault.to_string()),
                },
                Written::TooMuch => return Err(Fault::Endless.to_string()),
                Written::End => break,
            }
        }
        match self.running.take() {
            Some((process, _)) => Err(process.why_it_ended().await),
            None => Ok(()),
        }
    }

    /// The name in the answer to `ABOUT`, if there is one.
    async fn said_name(&mut self) -> Option<PlayerName> {
        let (process, manager) = self.running.as_mut()?;
        process.say(&manager.about()).await.ok()?;
        loop {
            let Written::Line(line) = process.next().await else { return None };
            if let Reply::Named(name) = manager.hear(&line).ok()? {
                return name;
            }
        }
    }

    /// Asks for a move. Nothing of an earlier question is answered after that.
    pub(crate) async fn ask(&mut self, turn: Turn, time: MoveTime, now: Instant) -> Outcome {
        self.stop().await;
        self.wanted = Some(Wanted { turn, limits: time.limits(now), starts_again: 0 });
        self.ask_again(now).await
    }

    /// Stops to think: the move is not wanted any more.
    pub(crate) async fn stop(&mut self) {
        (self.wanted, self.due) = (None, None);
        if self.running.as_ref().is_some_and(|(_, manager)| manager.is_waiting()) {
            self.kill().await;
        }
    }

    /// Ends the program.
    pub(crate) async fn end(mut self) {
        if let Some((process, _)) = self.running.take() {
            process.end().await;
        }
    }

    /// Waits until something happens. It may be cancelled without loss.
    pub(crate) async fn next(&mut self) -> Raw {
        let due = self.due;
        let late = sleep_until(due.unwrap_or_else(Instant::now).into());
        let written = async {
            match &mut self.running {
                Some((process, _)) => process.next().await,
                None => std::future::pending().await,
            }
        };
        Raw(tokio::select! {
            written = written => Some(written),
            () = late, if due.is_some() => None,
        })
    }

    /// Takes in what has happened.
    pub(crate) async fn take(&mut self, raw: Raw, now: Instant) -> Outcome {
        match raw.0 {
            Some(Written::Line(line)) => self.heard(&line, now).await,
            Some(Written::End) => {
                let Some((process, _)) = self.running.take() else { return Outcome::Nothing };
                let why = process.why_it_ended().await;
                self.failed(&why, Instant::now().max(now)).await
            }
            None => match self.running.as_mut().and_then(|(_, manager)| manager.late()) {
                Some(fault) => self.fault(&fault).await,
                None => self.failed("it did not answer in time", now).await,
            },
            Some(Written::TooMuch) => self.fault(&Fault::Endless).await,
        }
    }

    async fn heard(&mut self, line: &Line, now: Instant) -> Outcome {
        let Some((_, manager)) = &mut self.running else { return Outcome::Nothing };
        match manager.hear(line) {
            Ok(Reply::Nothing | Reply::Named(_)) => Outcome::Nothing,
            Ok(Reply::Message(text)) => Outcome::Message(text),
            Ok(Reply::Say(lines)) => self.say(&lines, now).await,
            Ok(Reply::Played(cell, mark)) => {
                (self.wanted, self.due) = (None, None);
                Outcome::Played(cell, mark)
            }
            // This is no failure, but a program that asks for it each time is not started for ever.
            Ok(Reply::StartAgain) => match self.failed("it knows no RESTART", now).await {
                Outcome::StartedAgain(_) => Outcome::Nothing,
                outcome => outcome,
            },
            Err(fault) => self.fault(&fault).await,
        }
    }

    /// Says lines, and sets when their answer is due.
    async fn say(&mut self, lines: &[String], now: Instant) -> Outcome {
        let (Some((process, manager)), Some(wanted)) = (&mut self.running, &self.wanted) else {
            return Outcome::Nothing;
        };
        let limits = wanted.limits;
        let thinks = manager.is_thinking();
        self.due = Some(if thinks { limits.cell_due(now) } else { limits.ready_due(now) });
        // One that is gone closes its output too, and one that does not read is late.
        let _ = process.say(lines).await;
        Outcome::Nothing
    }

    /// Asks for the wanted move, of a new process if there is none.
    async fn ask_again(&mut self, now: Instant) -> Outcome {
        if let Err(why) = self.start() {
            return Outcome::Failed(why);
        }
        let (Some((process, manager)), Some(wanted)) = (&mut self.running, &mut self.wanted) else {
            return Outcome::Nothing;
        };
        process.allow_more();
        wanted.limits = wanted.limits.again(now);
        let lines = manager.ask(&wanted.turn, wanted.limits.told);
        self.say(&lines, now).await
    }

    fn start(&mut self) -> Result<(), String> {
        if self.running.is_none() {
            let process = Process::start(&self.command).map_err(|error| {
                let why = without_number(&error.to_string());
                format!("cannot start {}: {why}", self.command.program.display())
            })?;
            self.running = Some((process, Manager::new()));
        }
        Ok(())
    }

    /// The program ended or stalls: it is started again, so many times.
    async fn failed(&mut self, why: &str, now: Instant) -> Outcome {
        self.kill().await;
        let Some(wanted) = &mut self.wanted else {
            // Nothing is lost: it is started for the next move.
            return Outcome::Nothing;
        };
        if wanted.limits.are_over(now) {
            self.wanted = None;
            return Outcome::Failed(format!("{why}, and the time for the move is nearly over"));
        }
        if wanted.starts_again >= MAX_STARTS_AGAIN {
            self.wanted = None;
            return Outcome::Failed(format!("{why}, also after {MAX_STARTS_AGAIN} new starts"));
        }
        wanted.starts_again += 1;
        match Box::pin(self.ask_again(now)).await {
            Outcome::Nothing => Outcome::StartedAgain(why.to_owned()),
            outcome => outcome,
        }
    }

    /// The program does not keep to the protocol. The same question would fail again.
    async fn fault(&mut self, fault: &Fault) -> Outcome {
        self.kill().await;
        if self.wanted.take().is_none() {
            return Outcome::Nothing;
        }
        Outcome::Failed(fault.to_string())
    }

    async fn kill(&mut self) {
        self.due = None;
        if let Some((process, _)) = self.running.take() {
            process.kill().await;
        }
    }
}
