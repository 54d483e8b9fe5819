//! A program with pipes in place of a terminal: lines in, lines out.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use crate::process::{Running, program};
use crate::{LONG_TIMEOUT, TIMEOUT};

/// Lines that may wait for the test. Beyond that, the reading thread waits.
const UNREAD: usize = 4096;

/// A running program.
#[derive(Debug)]
pub struct Pipe {
    child: Running,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    /// All lines so far.
    pub seen: Vec<String>,
    /// The limit for the next line, or for the end.
    pub timeout: Duration,
}

impl Pipe {
    /// Runs `noughts` with arguments.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn run(args: &[&str], config_dir: &Path) -> Self {
        let mut command = Command::new(program("noughts"));
        command.args(args).env("NOUGHTS_CONFIG_DIR", config_dir);
        Self::start(command.env("NOUGHTS_NO_DISCOVERY", "true"))
    }

    /// Runs a command.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn start(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = Running::start(command);
        let (lines, output) = sync_channel(UNREAD);
        let out = child.stdout.take().unwrap();
        let err = child.stderr.take().unwrap();
        for stream in [Box::new(out) as Box<dyn std::io::Read + Send>, Box::new(err)] {
            let lines = lines.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    if lines.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        let input = child.stdin.take();
        Self { child, input, output, seen: Vec::new(), timeout: TIMEOUT }
    }

    /// Types a line.
    ///
    /// # Panics
    /// If the program has ended.
    pub fn line(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
    }

    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends the input.
    pub fn end_input(&mut self) {
        self.input = None;
    }

    /// Waits for a line that contains a text; returns that line.
    ///
    /// # Panics
    /// With all lines so far, if it does not come.
    pub fn wait_for(&mut self, text: &str) -> String {
        let last = Instant::now() + LONG_TIMEOUT;
        loop {
            let left = last.saturating_duration_since(Instant::now()).min(self.timeout);
            let Ok(line) = self.output.recv_timeout(left) else {
                panic!("waited for {text:?} in\n{}", self.seen.join("\n"))
            };
            self.seen.push(line.clone());
            if line.contains(text) {
                return line;
            }
        }
    }

    /// Waits for the end of the program; returns its exit code.
    ///
    /// # Panics
    /// If it does not end.
    pub fn wait_exit(&mut self) -> i32 {
        let deadline = Instant::now() + self.timeout;
        // Its output ends with it.
        while let Ok(line) =
            self.output.recv_timeout(deadline.saturating_duration_since(Instant::now()))
        {
            self.seen.push(line);
        }
        assert!(Instant::now() < deadline, "it runs on:\n{}", self.seen.join("\n"));
        self.child.wait().unwrap().code().unwrap()
    }
}
