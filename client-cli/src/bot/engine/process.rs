//! A program as a process: lines in, lines out. Dropping it kills it.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use noughts_protocol::DisplayText;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
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
pub(crate) struct EngineCommand {
    /// The program.
    pub(crate) program: PathBuf,
    /// Its arguments.
    pub(crate) args: Vec<OsString>,
}

/// A running program.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// `None` after it was closed.
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// Reads standard error to its end. Its result is the last line.
    errors: JoinHandle<Option<Line>>,
    lines: Lines,
    /// Lines that were read together with the last one that was returned.
    ready: VecDeque<Line>,
    bytes_left: usize,
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill_group();
        // A child of the program may hold its standard error open.
        self.errors.abort();
    }
}

/// The next event of a program.
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
    /// Starts a program. Its standard error is dropped but for the last line, so that it cannot
    /// write to the terminal.
    pub(super) fn start(command: &EngineCommand) -> io::Result<Self> {
        let mut start = Command::new(&command.program);
        start.args(&command.args).stdin(Stdio::piped()).stdout(Stdio::piped());
        start.stderr(Stdio::piped()).kill_on_drop(true);
        // A group of its own: Ctrl-C is for this program, which ends the whole group.
        #[cfg(unix)]
        start.process_group(0);
        let mut child = start.spawn()?;
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        let input = Some(child.stdin.take().ok_or_else(gone)?);
        let output = child.stdout.take().ok_or_else(gone)?;
        let errors = child.stderr.take().ok_or_else(gone)?;
        let errors = tokio::spawn(last_line(errors));
        let lines = Lines::default();
        let ready = VecDeque::new();
        Ok(Self { child, input, output, errors, lines, ready, bytes_left: MAX_BYTES })
    }

    /// Lets the program write as much as after its start.
    pub(super) const fn allow_more(&mut self) {
        self.bytes_left = MAX_BYTES;
    }

    /// Says lines. Managers end them with CR LF.
    pub(super) async fn say(&mut self, lines: &[String]) -> io::Result<()> {
        let text: String = lines.iter().flat_map(|line| [line, "\r\n"]).collect();
        let write = async {
            let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
            input.write_all(text.as_bytes()).await?;
            input.flush().await
        };
        timeout(WRITE_TIME, write).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }

    /// Waits for the program's next event. It may be cancelled without loss.
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
        self.input = None;
        if timeout(END_TIME, self.child.wait()).await.is_err() {
            self.kill().await;
        }
    }

    /// Kills the program and what it has started, such as the program behind a script.
    #[cfg(unix)]
    fn kill_group(&self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        // It has no id any more after its end was seen, and another process may have it.
        let id = self.child.id().and_then(|id| i32::try_from(id).ok());
        if let Some(id) = id.and_then(Pid::from_raw) {
            // It may end at this moment.
            let _ = kill_process_group(id, Signal::KILL);
        }
    }

    /// Other systems kill the program alone.
    #[cfg(not(unix))]
    #[expect(clippy::unused_self, reason = "as on Unix")]
    const fn kill_group(&self) {}

    /// How the program ended, in words: its exit code, and the last line of its standard error.
    pub(super) async fn why_it_ended(mut self) -> String {
        let status = timeout(END_TIME, self.child.wait()).await;
        let status = match status {
            Ok(Ok(status)) => format!("it ended ({status})"),
            // It closed its output and runs on.
            _ => "it closed its output".to_owned(),
        };
        let said = timeout(END_TIME, &mut self.errors).await.ok().and_then(Result::ok).flatten();
        let said = said.map(|line| format!(": {}", DisplayText::from(line.text)));
        self.kill().await;
        format!("{status}{}", said.unwrap_or_default())
    }

    /// Kills the program, and waits until it is gone.
    pub(super) async fn kill(mut self) {
        self.kill_group();
        // It may have ended by itself.
        let _ = self.child.kill().await;
    }
}

/// The last line of standard error, which is read to its end.
async fn last_line(mut errors: ChildStderr) -> Option<Line> {
    let mut lines = Lines::default();
    let mut last = None;
    let mut chunk = [0; CHUNK];
    loop {
        let read = errors.read(&mut chunk).await.unwrap_or_default();
        if read == 0 {
            return lines.end().or(last);
        }
        last = lines.take(&chunk[..read]).pop().or(last);
    }
}
