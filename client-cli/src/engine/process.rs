//! A program as a process: lines in, lines out. Dropping it kills it.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use super::lines::{Line, Lines};

/// The bytes that a program may write until its next move. More are a fault.
const MAX_BYTES: usize = 1 << 20;
/// The bytes that are read at a time.
const CHUNK: usize = 4_096;
/// How long a program may take to read what is said to it.
const WRITE_TIME: Duration = Duration::from_secs(2);
/// How long a program may take to end by itself.
const END_TIME: Duration = Duration::from_millis(500);

/// How to start a program.
#[derive(Debug, Clone)]
pub struct EngineCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

/// A running program.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    lines: Lines,
    /// Lines that were read together with the last one that was returned.
    ready: VecDeque<Line>,
    bytes_left: usize,
}

/// What a program does.
#[derive(Debug)]
pub(super) enum Written {
    /// It wrote a line.
    Line(Line),
    /// It closed its output or ended.
    End,
    /// It wrote too much.
    TooMuch,
}

impl Process {
    /// Starts a program. What it writes to standard error is dropped, so that it cannot write to the
    /// terminal.
    pub(super) fn start(command: &EngineCommand) -> io::Result<Self> {
        let mut start = Command::new(&command.program);
        start.args(&command.args).stdin(Stdio::piped()).stdout(Stdio::piped());
        start.stderr(Stdio::null()).kill_on_drop(true);
        // Ctrl-C is for this program, which ends the other one.
        #[cfg(unix)]
        start.process_group(0);
        let mut child = start.spawn()?;
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        let input = child.stdin.take().ok_or_else(gone)?;
        let output = child.stdout.take().ok_or_else(gone)?;
        let (lines, ready) = (Lines::default(), VecDeque::new());
        Ok(Self { child, input, output, lines, ready, bytes_left: MAX_BYTES })
    }

    /// Lets the program write as much as after its start.
    pub(super) const fn allow_more(&mut self) {
        self.bytes_left = MAX_BYTES;
    }

    /// Says lines. Managers end them with CR LF.
    pub(super) async fn say(&mut self, lines: &[String]) -> io::Result<()> {
        let text: String = lines.iter().flat_map(|line| [line, "\r\n"]).collect();
        let write = async {
            self.input.write_all(text.as_bytes()).await?;
            self.input.flush().await
        };
        timeout(WRITE_TIME, write).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }

    /// What the program does next. It may be cancelled without loss.
    pub(super) async fn next(&mut self) -> Written {
        let mut chunk = [0; CHUNK];
        loop {
            if let Some(line) = self.ready.pop_front() {
                return Written::Line(line);
            }
            let read = self.output.read(&mut chunk).await.unwrap_or_default();
            if read == 0 {
                return self.lines.end().map_or(Written::End, Written::Line);
            }
            let Some(left) = self.bytes_left.checked_sub(read) else { return Written::TooMuch };
            self.bytes_left = left;
            self.ready.extend(self.lines.take(&chunk[..read]));
        }
    }

    /// Tells the program to end, and kills it if it does not.
    pub(super) async fn end(mut self) {
        // One that reads nothing is killed below.
        let _ = self.say(&["END".to_owned()]).await;
        drop(self.input);
        if timeout(END_TIME, self.child.wait()).await.is_err() {
            // It may end at this moment.
            let _ = self.child.kill().await;
        }
    }

    /// Kills the program, and waits until it is gone.
    pub(super) async fn kill(mut self) {
        // It may have ended by itself.
        let _ = self.child.kill().await;
    }
}
