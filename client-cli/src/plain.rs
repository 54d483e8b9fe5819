//! Plain mode: the game in lines of text, for pipes, dumb terminals and screen readers.
//!
//! Input from a pipe is a script: each line waits until it can be used, so that
//! `printf '5\n1\n' | noughts play --computer weak --plain` plays when it is its turn.
//! The end of input ends the connection after the last answer. The player keeps the seat; a
//! spectator continues to watch. In a terminal, a line that cannot be used now is answered at once.

use std::io;
use std::time::Instant;

use noughts_client::runner::Runner;
use noughts_client::session::Happening;
use noughts_protocol::{DisplayText, IdentityFile, JoinPassword};
use tokio::time::sleep_until;

use crate::action::Action;
use crate::args::{Command, HistoryArgs, IdentityCommand, LeadersArgs, ProfileArgs, ReplayArgs};
use crate::client::{Client, Exit};
use crate::config::Writer;
use crate::console::LEAVE_TIME;
use crate::signals::Signal;
use crate::stdio::{LineOrSignal, Stdio};
use crate::way_in::WayIn;
pub(crate) use people::save as save_identity;
use view::PlainView;

mod archive;
pub(crate) mod board;
mod command;
pub(crate) mod input;
mod menu;
mod people;
mod puzzle;
mod query;
pub(crate) mod view;

/// A run in lines of text.
struct Plain {
    client: Client,
    stdio: Stdio,
    writer: Writer,
}

/// Why a command ends before it is done.
enum Ended {
    Exit(Exit),
    /// The output cannot be written.
    Failed(io::Error),
}

impl From<Exit> for Ended {
    fn from(exit: Exit) -> Self {
        Self::Exit(exit)
    }
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// Runs until the player has played or left.
///
/// # Errors
/// If the output cannot be written.
pub(crate) async fn run(
    client: Client,
    command: Option<&Command>,
    identity: Option<&IdentityFile>,
    writer: Writer,
    stdio: Stdio,
) -> io::Result<Exit> {
    let mut plain = Plain { client, stdio, writer };
    let exit = match plain.run(command, identity).await {
        Ok(()) => Ok(Exit::Done),
        Err(Ended::Exit(exit)) => Ok(exit),
        Err(Ended::Failed(error)) => Err(error),
    };
    let Plain { mut writer, mut stdio, .. } = plain;
    writer.finish().map_or(Ok(()), |problem| stdio.print_line(&problem))?;
    stdio.flush().await?;
    exit
}

/// An event of the loop.
enum PlainEvent {
    Happened(Vec<Happening>),
    Typed(LineOrSignal),
    NotSaved(String),
    LeaveTimeOver,
}

impl Plain {
    async fn run(
        &mut self,
        command: Option<&Command>,
        identity: Option<&IdentityFile>,
    ) -> Result<(), Ended> {
        if let Some(warning) = &self.client.warning {
            self.stdio.print_line(warning)?;
        }
        if let Some(notice) = &self.client.notice {
            self.stdio.remark(notice).await;
        }
        match (command, identity) {
            (Some(Command::History(history)), _) => return archive::history(self, history).await,
            (Some(Command::Replay(replay)), _) => return archive::replay(self, replay).await,
            (Some(Command::Profile(profile)), _) => return people::profile(self, profile).await,
            (Some(Command::Leaders(leaders)), _) => return people::leaders(self, leaders).await,
            (Some(Command::Pass(pass)), _) => return people::pass(self, pass).await,
            (Some(Command::Forget(forget)), _) => return people::forget(self, *forget).await,
            (Some(Command::Identity(IdentityCommand::Load { yes, .. })), Some(identity)) => {
                return people::load(self, identity, *yes).await;
            }
            _ => {}
        }
        match self.client.options.action.clone() {
            Action::Menu => {}
            action => return self.act(&action).await,
        }
        // The name is asked for once. A script says it with an option.
        let asks_name = !self.client.profile.named && self.stdio.is_terminal;
        if !self.client.choice.named || asks_name {
            menu::ask_server(self).await?;
        }
        loop {
            let action = menu::ask(self).await?;
            match self.act(&action).await {
                Ok(()) => {}
                Err(Ended::Exit(Exit::Refused(why))) => self.stdio.print_line(&why)?,
                ended => return ended,
            }
        }
    }

    /// Does something. `Ok` leads back to the menu, where the player came from there; a signal is an error that
    /// ends the program.
    async fn act(&mut self, action: &Action) -> Result<(), Ended> {
        match action {
            Action::Games => archive::history(self, &HistoryArgs::default()).await,
            Action::Profile => people::profile(self, &ProfileArgs::default()).await,
            Action::Leaders => people::leaders(self, &LeadersArgs::default()).await,
            Action::Puzzle(date) => puzzle::solve(self, *date).await,
            Action::Replay(game) => archive::replay(self, &ReplayArgs::of(*game)).await,
            action => self.play(action).await,
        }
    }

    async fn play(&mut self, action: &Action) -> Result<(), Ended> {
        let Self { client, stdio, writer } = self;
        let mut runner = Runner::default();
        runner.connect(client.destination());
        let scripted = !stdio.is_terminal;
        let server = client.choice.server.clone();
        let mut view = PlainView::new(action.clone(), server, rand::random(), scripted);
        view.way_in = client.options.way_in.clone();
        view.console.session.take_place(client.options.place.clone());
        let mut leave_by = None;
        let exit: Result<(), Ended> = loop {
            if view.leaving {
                leave_by.get_or_insert_with(|| Instant::now() + LEAVE_TIME);
            }
            let late = sleep_until(leave_by.unwrap_or_else(Instant::now).into());
            let wants_line = view.wants_line();
            let next = tokio::select! {
                happenings = runner.next(&mut view.console.session) => PlainEvent::Happened(happenings),
                typed = stdio.next(wants_line) => PlainEvent::Typed(typed),
                problem = writer.problem() => PlainEvent::NotSaved(problem),
                () = late, if leave_by.is_some() => PlainEvent::LeaveTimeOver,
            };
            view.console.now = Instant::now();
            match next {
                PlainEvent::Happened(happenings) => {
                    view.console.remember(&happenings, client, writer);
                    for happening in &happenings {
                        if let Happening::PasswordWanted(why) = happening {
                            let password = ask_password(why, stdio, &client.options.way_in).await?;
                            client.choice.password = Some(password);
                            runner.connect(client.destination());
                        }
                    }
                    view.happened(happenings);
                }
                PlainEvent::Typed(LineOrSignal::Line(Some(line))) => view.line(line),
                PlainEvent::Typed(LineOrSignal::Line(None)) => view.end_of_input(),
                PlainEvent::Typed(LineOrSignal::Signal(signal)) => {
                    if signal != Signal::Interrupt || view.interrupt() {
                        break Err(Exit::Done.into());
                    }
                }
                PlainEvent::NotSaved(problem) => stdio.print_line(&problem)?,
                PlainEvent::LeaveTimeOver => break Ok(()),
            }
            view.console.flush(&runner, stdio).await?;
            if let Some(exit) = view.exit() {
                break if exit == Exit::Done { Ok(()) } else { Err(exit.into()) };
            }
        };
        runner.close().await;
        let back = client.way_back(&view.console.session);
        back.map_or(Ok(()), |line| stdio.print_line(&line))?;
        exit
    }
}

/// Asks for the server's password. If the terminal allows it, the typed text is not shown.
async fn ask_password(
    why: &DisplayText,
    stdio: &mut Stdio,
    way_in: &WayIn,
) -> Result<JoinPassword, Ended> {
    if !stdio.is_terminal {
        let how = if way_in.is_remote() {
            "type it in a terminal: ssh -t"
        } else {
            "give it with --password-file FILE or in NOUGHTS_PASSWORD"
        };
        return Err(Exit::Refused(format!("{why} ({how})")).into());
    }
    loop {
        let hidden = stdio.hide_input();
        stdio.print_line(&format!("{why}\nPassword?"))?;
        let line = stdio.answer().await?;
        drop(hidden);
        match line.ok_or(Exit::Done)?.parse() {
            Ok(password) => return Ok(password),
            Err(error) => stdio.print_line(&error.to_string())?,
        }
    }
}
