//! Lines in and text out: of this process, or of a session over ssh. Plain mode and programs of others
//! print here.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::io::{AsyncBufRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::time::timeout;

use crate::plain::input::LineReader;
use crate::signals::{Signal, Signals};

/// The most text that waits for a slow reader of a session, in bytes: a page of a history is a few
/// kilobytes.
const MAX_WAITING: usize = 1 << 20;

/// How long a reader of a session may take for what waits.
const WRITE_TIME: Duration = Duration::from_secs(30);

/// A stream of bytes to read lines from.
pub(crate) type Input = Box<dyn AsyncBufRead + Send + Unpin>;

/// A stream of bytes to write text to.
pub(crate) type Sink = Box<dyn AsyncWrite + Send + Unpin>;

/// Where text goes.
enum Output {
    /// Standard output and standard error.
    Process,
    /// The output and the remarks of a session. The text waits for the next flush.
    Session { out: Sink, remarks: Sink, text: String },
}

/// Lines in and text out.
pub(crate) struct Stdio {
    lines: LineReader<Input>,
    output: Output,
    /// Whether a session's typed text is shown; `None` for this process.
    echo: Option<Arc<AtomicBool>>,
    /// The signals of the player.
    pub(crate) signals: Signals,
    /// Whether a person types, and not a pipe.
    pub(crate) is_terminal: bool,
}

impl Stdio {
    /// The streams of this process.
    ///
    /// # Errors
    /// If the process cannot receive signals.
    pub(crate) fn of_process() -> io::Result<Self> {
        Ok(Self {
            lines: LineReader::new(Box::new(BufReader::new(tokio::io::stdin()))),
            output: Output::Process,
            echo: None,
            signals: Signals::listen()?,
            is_terminal: io::stdin().is_terminal(),
        })
    }

    /// The streams of a session. `echo` says whether typed text is shown; only a terminal has it.
    pub(crate) fn of_session(
        input: Input,
        out: Sink,
        remarks: Sink,
        signals: Signals,
        echo: Option<Arc<AtomicBool>>,
    ) -> Self {
        let is_terminal = echo.is_some();
        Self {
            lines: LineReader::new(input),
            output: Output::Session { out, remarks, text: String::new() },
            echo: Some(echo.unwrap_or_default()),
            signals,
            is_terminal,
        }
    }

    /// The next line; `None` at the end of input and at any signal.
    pub(crate) async fn answer(&mut self) -> io::Result<Option<String>> {
        self.flush().await?;
        Ok(tokio::select! {
            line = self.lines.next() => line,
            _ = self.signals.next() => None,
        })
    }

    /// The next line or the next signal, whichever comes first. It may be cancelled without loss.
    pub(crate) async fn next(&mut self, wants_line: bool) -> LineOrSignal {
        tokio::select! {
            line = self.lines.next(), if wants_line => LineOrSignal::Line(line),
            signal = self.signals.next() => LineOrSignal::Signal(signal),
        }
    }

    /// Prints a text as it is.
    ///
    /// # Errors
    /// If the output is closed, or its reader is too slow.
    pub(crate) fn print(&mut self, text: &str) -> io::Result<()> {
        match &mut self.output {
            Output::Process => {
                let mut out = io::stdout().lock();
                out.write_all(text.as_bytes())?;
                out.flush()
            }
            Output::Session { text: waiting, .. } => {
                if waiting.len() + text.len() > MAX_WAITING {
                    return Err(io::Error::other("the output is read too slowly"));
                }
                waiting.push_str(text);
                Ok(())
            }
        }
    }

    /// Prints a line.
    ///
    /// # Errors
    /// As [`Self::print`].
    pub(crate) fn print_line(&mut self, line: &str) -> io::Result<()> {
        self.print(&format!("{line}\n"))
    }

    /// Prints a remark that is no part of the output: a pipe does not get it. It may be lost.
    pub(crate) async fn remark(&mut self, line: &str) {
        match &mut self.output {
            Output::Process if !io::stdout().is_terminal() => {
                let _ = writeln!(io::stderr(), "{line}");
            }
            Output::Session { remarks, .. } if !self.is_terminal => {
                let line = format!("{line}\n");
                let _ = timeout(WRITE_TIME, remarks.write_all(line.as_bytes())).await;
            }
            Output::Process | Output::Session { .. } => {
                let _ = self.print_line(line);
            }
        }
    }

    /// Waits until a session's reader has what was printed.
    ///
    /// # Errors
    /// If the output is closed, or its reader is too slow.
    pub(crate) async fn flush(&mut self) -> io::Result<()> {
        let Output::Session { out, text, .. } = &mut self.output else { return Ok(()) };
        if text.is_empty() {
            return Ok(());
        }
        let mut text = std::mem::take(text);
        if self.is_terminal {
            // No line discipline is on the way to a terminal behind ssh.
            text = text.replace('\n', "\r\n");
        }
        match timeout(WRITE_TIME, out.write_all(text.as_bytes())).await {
            Ok(written) => written,
            Err(_) => Err(io::Error::other("the output is read too slowly")),
        }
    }

    /// Hides typed text until the guard is dropped.
    pub(crate) fn hide_input(&self) -> EchoOff {
        let session = self.echo.clone();
        session.iter().for_each(|echo| echo.store(false, Ordering::Relaxed));
        EchoOff {
            #[cfg(unix)]
            before: if session.is_none() { EchoOff::of_process() } else { None },
            session,
        }
    }
}

#[derive(Debug)]
pub(crate) enum LineOrSignal {
    Line(Option<String>),
    Signal(Signal),
}

/// Hides typed text until this is dropped. Other systems than Unix show it; the full screen hides it there
/// too.
pub(crate) struct EchoOff {
    #[cfg(unix)]
    before: Option<rustix::termios::Termios>,
    session: Option<Arc<AtomicBool>>,
}

#[cfg(unix)]
impl EchoOff {
    /// Hides it on the terminal of this process, if that is possible.
    fn of_process() -> Option<rustix::termios::Termios> {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let before = tcgetattr(io::stdin()).ok();
        if let Some(mut modes) = before.clone() {
            modes.local_modes.remove(LocalModes::ECHO);
            // If this fails, the typed text is shown.
            tcsetattr(io::stdin(), OptionalActions::Now, &modes).ok();
        }
        before
    }
}

impl Drop for EchoOff {
    fn drop(&mut self) {
        if let Some(echo) = &self.session {
            echo.store(true, Ordering::Relaxed);
        }
        #[cfg(unix)]
        if let Some(before) = &self.before {
            use rustix::termios::{OptionalActions, tcsetattr};
            tcsetattr(io::stdin(), OptionalActions::Now, before).ok();
        }
    }
}
