//! A session in lines of text: what is to be sent and printed, and how it ends. Plain mode and programs
//! of others are views of it. It is synchronous; [`Console::flush`] sends and prints.

use std::io;
use std::time::{Duration, Instant};

use noughts_client::address::ServerAddress;
use noughts_client::runner::Runner;
use noughts_client::session::{Happening, Input, Intent, Output, Session};
use noughts_protocol::ClientMessage;

use crate::client::{Client, Exit};
use crate::config::Writer;
use crate::stdio::Stdio;
use crate::strings;

/// How long to wait for the answers at the end.
pub(crate) const LEAVE_TIME: Duration = Duration::from_secs(5);

/// A session in lines of text.
pub(crate) struct Console {
    pub(crate) session: Session,
    /// The time of the last event.
    pub(crate) now: Instant,
    pub(crate) server: ServerAddress,
    /// The exit, once nothing more is to come.
    pub(crate) exit: Option<Exit>,
    /// Whether the player was told that the connection broke.
    lost: bool,
    text: String,
    pub(crate) messages: Vec<ClientMessage>,
}

impl Console {
    pub(crate) fn new(server: ServerAddress, first_id: u64) -> Self {
        Self {
            session: Session::new(first_id),
            now: Instant::now(),
            server,
            exit: None,
            lost: false,
            text: String::new(),
            messages: Vec::new(),
        }
    }

    pub(crate) fn take_text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    pub(crate) fn take_messages(&mut self) -> Vec<ClientMessage> {
        std::mem::take(&mut self.messages)
    }

    pub(crate) fn print(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Prints lines that end already.
    pub(crate) fn print_lines(&mut self, lines: &str) {
        self.text.push_str(lines);
    }

    /// Sends an intent. Returns why not: it is not possible now.
    pub(crate) fn ask(&mut self, intent: impl Into<Intent>) -> Vec<Happening> {
        self.update(Input::Asked(intent.into()))
    }

    /// Feeds the session. Returns what happened.
    pub(crate) fn update(&mut self, input: Input) -> Vec<Happening> {
        let mut happenings = Vec::new();
        for output in self.session.update(input, self.now) {
            match output {
                Output::Send(message) => self.messages.push(message),
                Output::Happened(happening) => happenings.push(happening),
                // Only time can tell that the server does not answer, and only an answer forgets.
                Output::Reconnect | Output::Forget => {}
            }
        }
        happenings
    }

    /// Tells what every view tells in the same words.
    pub(crate) fn tell(&mut self, happening: &Happening) {
        match happening {
            Happening::Welcome { welcome, first: true } => {
                let line = format!("You are {}, connected to {}.", welcome.name, self.server);
                self.print(&line);
                strings::host::given_name(welcome).into_iter().for_each(|line| self.print(&line));
            }
            Happening::Welcome { welcome, .. } => {
                self.lost = false;
                self.print("Connected again.");
                strings::host::given_name(welcome).into_iter().for_each(|line| self.print(&line));
            }
            // Each failed try reports it again.
            Happening::Lost(_) if self.lost => {}
            Happening::Lost(reason) => {
                self.lost = true;
                let reason = strings::break_reason(reason);
                self.print(&format!("The connection broke{reason}: reconnecting..."));
            }
            // The party goes on.
            Happening::Closed(..) | Happening::RoomLost(..) if self.session.party().is_some() => {}
            Happening::Closed(_, reason) => {
                self.print(strings::close_reason(*reason));
                self.exit = Some(Exit::Done);
            }
            Happening::RoomLost(room, refusal) => {
                let why = strings::room_lost(*room, refusal);
                self.exit = Some(Exit::Lost(format!("the room could not be entered again: {why}")));
            }
            Happening::Announcement(_) | Happening::Challenged(..) | Happening::Declined(_) => {
                strings::host::says(happening, "type accept")
                    .iter()
                    .for_each(|text| self.print(text));
            }
            Happening::Switched { before, now } => {
                let lines = strings::host::switched(*before, *now);
                lines.iter().for_each(|line| self.print(line));
            }
            Happening::Ended(end) => self.exit = Some(Exit::Lost(strings::ended(end))),
            other => strings::problem(other).into_iter().for_each(|text| self.print(&text)),
        }
    }

    /// Keeps what has happened in the player's file.
    pub(crate) fn remember(&self, happenings: &[Happening], client: &mut Client, writer: &Writer) {
        for happening in happenings {
            let change = client.remember(happening, &self.session);
            change.into_iter().for_each(|change| writer.write(change));
        }
    }

    /// Sends the waiting messages and prints the waiting text.
    pub(crate) async fn flush(&mut self, runner: &Runner, stdio: &mut Stdio) -> io::Result<()> {
        self.take_messages().into_iter().for_each(|message| runner.send(message));
        stdio.print(&self.take_text())?;
        stdio.flush().await
    }
}
