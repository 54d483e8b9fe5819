//! Plays: the client of one session, over its channel. Its admission is [`super::door`]'s, its
//! request [`super::request`]'s.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use noughts_protocol::DisplayText;
use russh::server::Msg;
use russh::{Channel, ChannelMsg, ChannelReadHalf, ChannelWriteHalf, Sig};
use tokio::io::{AsyncWriteExt, BufReader, DuplexStream, duplex};
use tokio::sync::mpsc;
use tokio::time::error::Elapsed;
use tokio::time::timeout;

use super::door::Shared;
use super::limits::IDLE_TIME;
use super::line_editor::{LineEditor, LineEvent};
use super::request::{Request, args};
use super::tty::RemoteTty;
use crate::args::Args;
use crate::client::{Client, Exit};
use crate::config::{SavedProfile, Writer, guest_name};
use crate::options::Options;
use crate::profile::Profile;
use crate::signals::{Signal, Signals};
use crate::stdio::{Sink, Stdio};
use crate::{plain, tui};

/// Said when the door is stopped.
pub(super) const CLOSING: &str = "The door is being closed. Come again in a moment.";

/// Said after a long time without a key.
pub(super) const IDLE: &str = "You were away for long.";

const GUEST: &str =
    "You are a guest, until you leave. With an ssh key you are the same player again.";

/// For a player beyond `MAX_PLAYERS`, whose tokens are not kept.
const FULL: &str = "No more players are kept here: you are a guest, until you leave.";

/// Said to a script of more than [`MAX_INPUT`].
const TOO_MUCH: &str = "That is more input than can wait for its turn: send it in parts.";

/// Input of a script that waits for its turn, in bytes: the moves of hundreds of games.
const MAX_INPUT: usize = 64 * 1024;

/// How long a sentence, or input that is not taken, may wait.
const SAY_TIME: Duration = Duration::from_secs(5);

/// Signals that wait: a player who presses Ctrl-C more often says no more.
const MAX_SIGNALS: usize = 8;

/// Plays until the player leaves. Returns the exit status.
pub(super) async fn run(shared: Arc<Shared>, request: Request, channel: Channel<Msg>) -> u32 {
    let (read, write) = channel.split();
    let is_pty = request.pty.is_some();
    let mut out: Sink = Box::new(write.make_writer());
    let mut remarks: Sink = Box::new(write.make_writer_ext(Some(1)));
    let args = match args(&request, &shared.server) {
        Ok(args) => args,
        Err(answer) => {
            let sink = if answer.status == 0 { &mut out } else { &mut remarks };
            say(sink, &answer.text, is_pty).await;
            return answer.status;
        }
    };
    let (client, writer) = client(&shared, &request, &args);
    let is_full = !client.options.plain && !client.options.action.prints();
    let stop = shared.stop.clone();
    let door = Arc::clone(&shared);
    let played = if let Some(size) = request.pty.filter(|_| is_full) {
        let tty = RemoteTty::new(shared, read, write, size);
        tui::run(client, writer, tty).await
    } else {
        let echo = is_pty.then(|| Arc::new(AtomicBool::new(true)));
        let (lines, input) = duplex(MAX_INPUT);
        let (signals, sent) = mpsc::channel(MAX_SIGNALS);
        let sent = Signals::Sent(sent);
        let beside: Sink = Box::new(write.make_writer_ext(Some(1)));
        let input = Box::new(BufReader::new(input));
        let stdio = Stdio::of_session(input, out, beside, sent, echo.clone());
        let feed = Feed { shared, read, write, echo, lines: Some(lines), signals };
        let command = args.command.as_ref();
        tokio::select! {
            played = plain::run(client, command, None, writer, stdio) => played,
            () = feed.run() => Ok(Exit::Done),
        }
    };
    // The next session of the key, at this door or another one, reads the file that this one has made.
    let _ = timeout(SAY_TIME, door.writer.written()).await;
    let (status, why) = match played {
        Ok(Exit::Done) => return u32::from(stop.is_cancelled()),
        Ok(Exit::Lost(why)) => (1, why),
        Ok(Exit::Refused(why)) => (2, why),
        // The other end is gone, or too slow to be told.
        Err(_) => return 1,
    };
    say(&mut remarks, &format!("noughts: {}\n", DisplayText::from(why)), is_pty).await;
    status
}

/// Writes a text. If the other end is gone or too slow, it is lost.
async fn say(sink: &mut Sink, text: &str, is_pty: bool) {
    let text = if is_pty { text.replace('\n', "\r\n") } else { text.to_owned() };
    let _ = timeout(SAY_TIME, sink.write_all(text.as_bytes())).await;
}

/// The client of a session, and where its changes are kept.
fn client(shared: &Shared, request: &Request, args: &Args) -> (Client, Writer) {
    let way_in = shared.way_in.clone();
    let variable = |name: &str| request.variables.get(name).cloned();
    let is_full = request.pty.is_some() && variable("TERM").is_none_or(|term| term != "dumb");
    let mut options = Options::of(args, variable, is_full, way_in);
    options.password.clone_from(&shared.password);
    options.trust = shared.trust.clone();
    options.forwarded_for = Some(request.visitor.address);
    let kept = request.visitor.key.map(|key| shared.players.open(&key));
    let notice = match &kept {
        None => Some(GUEST.to_owned()),
        Some(None) => Some(FULL.to_owned()),
        Some(Some(_)) => None,
    };
    let (saved, file, warning) = match kept.flatten() {
        Some(file) => {
            let (saved, warning) = file.load();
            (saved, Some(file), warning)
        }
        None => (SavedProfile::default(), None, None),
    };
    let is_kept = file.is_some();
    let writer = file.map_or_else(Writer::nowhere, |file| shared.writer.writer(file));
    let name = args.global.name.clone().or_else(|| saved.name.clone());
    let profile = Profile { name: name.unwrap_or_else(guest_name), named: true, saved, is_kept };
    let server = shared.server.server.clone();
    let client = Client::of_session(args, options, profile, server);
    // The path in a warning is the host's affair.
    let warning = warning.map(|_| "Your settings could not be read: you begin anew.".to_owned());
    (Client { notice, warning, ..client }, writer)
}

/// Brings what comes from the other end to plain mode: lines, signals, the end.
struct Feed {
    shared: Arc<Shared>,
    read: ChannelReadHalf,
    write: ChannelWriteHalf<Msg>,
    /// Whether typed text is shown, in a terminal.
    echo: Option<Arc<AtomicBool>>,
    /// Where lines go; `None` after the end of input.
    lines: Option<DuplexStream>,
    signals: mpsc::Sender<Signal>,
}

impl Feed {
    /// Runs until the other end is gone, or plain mode has ended after a farewell.
    async fn run(mut self) {
        let mut editor = LineEditor::new();
        loop {
            let message = tokio::select! {
                message = timeout(IDLE_TIME, self.read.wait()) => match message {
                    Ok(message) => message,
                    Err(_) => return self.end(IDLE).await,
                },
                () = self.shared.stop.cancelled() => return self.end(CLOSING).await,
            };
            let taken = match message {
                Some(ChannelMsg::Data { data }) => match self.echo.clone() {
                    Some(echo) => {
                        editor.set_echo(echo.load(Ordering::Relaxed));
                        self.typed(&mut editor, &data).await
                    }
                    None => self.input(&data).await,
                },
                Some(ChannelMsg::Close) | None => return,
                Some(message) => {
                    self.noticed(&message);
                    Ok(())
                }
            };
            if taken.is_err() {
                return self.end(TOO_MUCH).await;
            }
        }
    }

    /// Takes what a person types.
    async fn typed(&mut self, editor: &mut LineEditor, bytes: &[u8]) -> Result<(), Elapsed> {
        let (echo, typed) = editor.feed(bytes);
        // If the other end is gone, the next message says so.
        let _ = timeout(SAY_TIME, self.write.data_bytes(echo)).await?;
        for event in typed {
            match event {
                LineEvent::Line(line) => self.input(format!("{line}\n").as_bytes()).await?,
                LineEvent::Interrupt => self.interrupt(),
                LineEvent::End => self.lines = None,
            }
        }
        Ok(())
    }

    /// Hands on input. Waiting input is in the pipe; while that is full, nothing else comes through
    /// the channel.
    async fn input(&mut self, bytes: &[u8]) -> Result<(), Elapsed> {
        if let Some(lines) = &mut self.lines {
            // It fails only if the reader is gone: the session ends anyway.
            let _ = timeout(SAY_TIME, lines.write_all(bytes)).await?;
        }
        Ok(())
    }

    fn noticed(&mut self, message: &ChannelMsg) {
        match message {
            ChannelMsg::Signal { signal: Sig::INT } => self.interrupt(),
            ChannelMsg::Eof => self.lines = None,
            _ => {}
        }
    }

    fn interrupt(&self) {
        let _ = self.signals.try_send(Signal::Interrupt);
    }

    /// Ends plain mode after a sentence.
    async fn end(&self, farewell: &str) {
        let said = self.write.extended_data_bytes(1, format!("{farewell}\r\n"));
        let _ = timeout(SAY_TIME, said).await;
        let _ = self.signals.try_send(Signal::Terminate);
        self.signals.closed().await;
    }
}
