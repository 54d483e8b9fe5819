//! A program in a pseudo-terminal, and the screen that it draws.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::{Condvar, Mutex};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::process::program;
use crate::{LONG_TIMEOUT, Machine, TIMEOUT};

/// The output that is kept, in bytes.
const WRITTEN: usize = 8 << 20;

/// The name that a terminal gives itself, unless a test wants another.
const USUAL: &str = "xterm-256color";

/// A running program and its terminal. Dropping it kills the program.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    pty: Box<dyn MasterPty + Send>,
    screen: Arc<(Mutex<Screen>, Condvar)>,
}

struct Screen {
    parser: vt100::Parser,
    /// Its text when keys were last pressed or the window changed.
    old: String,
    /// The first [`WRITTEN`] bytes of the output.
    written: Vec<u8>,
    /// The number of all bytes of the output.
    bytes: usize,
    ended: bool,
}

impl std::fmt::Debug for Terminal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Terminal").finish_non_exhaustive()
    }
}

impl Terminal {
    /// Runs `noughts` with arguments in a terminal of some size.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn run(args: &[&str], config_dir: &Path, rows: u16, cols: u16) -> Self {
        Self::run_as(USUAL, args, config_dir, rows, cols)
    }

    /// Runs `noughts` in a terminal that calls itself `term`.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn run_as(term: &str, args: &[&str], config_dir: &Path, rows: u16, cols: u16) -> Self {
        let mut command = CommandBuilder::new(program("noughts"));
        command.args(args);
        command.env("NOUGHTS_CONFIG_DIR", config_dir);
        command.env("NOUGHTS_NO_DISCOVERY", "true");
        Self::start(command, term, rows, cols)
    }

    /// Runs `noughts` on another machine, where it may look for servers.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn run_on(machine: &Machine, args: &[&str], config_dir: &Path) -> Self {
        let [ip, rest @ ..] = machine.via();
        let mut command = CommandBuilder::new(ip);
        command.args(rest);
        command.arg(program("noughts"));
        command.args(args);
        command.env("NOUGHTS_CONFIG_DIR", config_dir);
        Self::start(command, USUAL, 24, 80)
    }

    /// Runs a shell with job control, in which `$NOUGHTS` is the client.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn shell(config_dir: &Path, rows: u16, cols: u16) -> Self {
        let mut command = CommandBuilder::new("bash");
        command.args(["--norc", "--noprofile", "-i"]);
        command.env("NOUGHTS", program("noughts"));
        command.env("NOUGHTS_CONFIG_DIR", config_dir);
        command.env("NOUGHTS_NO_DISCOVERY", "true");
        Self::start(command, USUAL, rows, cols)
    }

    /// Runs `noughts-server` with arguments in a terminal of some size.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn host(args: &[&str], rows: u16, cols: u16) -> Self {
        let mut command = CommandBuilder::new(program("noughts-server"));
        command.args(args);
        // The data folder of this user is for one server at a time.
        command.env("NOUGHTS_EPHEMERAL", "true");
        Self::start(command, USUAL, rows, cols)
    }

    /// Runs another program.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn program(name: &str, args: &[String], rows: u16, cols: u16) -> Self {
        let mut command = CommandBuilder::new(name);
        command.args(args);
        Self::start(command, USUAL, rows, cols)
    }

    fn start(mut command: CommandBuilder, term: &str, rows: u16, cols: u16) -> Self {
        let rows = NonZero::new(rows).unwrap();
        let cols = NonZero::new(cols).unwrap();
        let size = PtySize { rows: rows.get(), cols: cols.get(), pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        command.env("TERM", term);
        command.env("LC_ALL", "C.UTF-8");
        // The terminal is none of those in which the tests may run.
        for name in ["NO_COLOR", "TMUX", "STY", "TERM_PROGRAM", "LC_TERMINAL", "WT_SESSION"] {
            command.env_remove(name);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let parser = vt100::Parser::new(rows, cols, 0);
        let screen =
            Screen { parser, old: String::new(), written: Vec::new(), bytes: 0, ended: false };
        let screen = Arc::new((Mutex::new(screen), Condvar::new()));
        let mut output = pair.master.try_clone_reader().unwrap();
        let shown = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            loop {
                let read = output.read(&mut buffer).unwrap_or(0);
                let mut screen = shown.0.lock();
                screen.parser.process(&buffer[..read]);
                screen.bytes += read;
                let kept = read.min(WRITTEN - screen.written.len());
                screen.written.extend_from_slice(&buffer[..kept]);
                screen.ended = read == 0;
                shown.1.notify_all();
                if read == 0 {
                    return;
                }
            }
        });
        Self { child, keys: pair.master.take_writer().unwrap(), pty: pair.master, screen }
    }

    /// Types keys. A text that the test waits for next must not be on the screen yet.
    ///
    /// # Panics
    /// If the program has ended.
    pub fn press(&mut self, keys: &str) {
        self.remember();
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Types keys and waits for a text that they cause; returns the screen.
    ///
    /// # Panics
    /// If the text is there before the keys, or does not come.
    pub fn wait_new(&mut self, keys: &str, text: &str) -> String {
        self.press(keys);
        self.wait_text(text)
    }

    /// The same for a text that has another cause than keys typed here.
    ///
    /// # Panics
    /// If the text is there before it, or does not come.
    pub fn wait_new_after(&self, text: &str, cause: impl FnOnce()) -> String {
        self.remember();
        cause();
        self.wait_text(text)
    }

    /// Remembers the text on the screen, so that [`Terminal::wait_text`] does not take it for new.
    fn remember(&self) {
        let mut screen = self.screen.0.lock();
        screen.old = screen.parser.screen().contents();
    }

    /// Changes the size of the window.
    ///
    /// # Panics
    /// If the terminal refuses.
    pub fn resize(&mut self, rows: u16, cols: u16) {
        let rows = NonZero::new(rows).unwrap();
        let cols = NonZero::new(cols).unwrap();
        let size = PtySize { rows: rows.get(), cols: cols.get(), pixel_width: 0, pixel_height: 0 };
        self.remember();
        // First here: the program draws at once, and what does not fit would be lost.
        self.screen.0.lock().parser.screen_mut().set_size(rows, cols);
        self.pty.resize(size).unwrap();
    }

    /// The screen now, line by line, without colours.
    #[must_use]
    pub fn screen(&self) -> String {
        self.screen.0.lock().parser.screen().contents()
    }

    /// The output with its escape codes.
    #[must_use]
    pub fn written(&self) -> String {
        String::from_utf8_lossy(&self.screen.0.lock().written).into_owned()
    }

    /// Presses Ctrl-C, and again if the program asks first; returns its exit code. One that comes after the
    /// program has given the terminal back would discard what it wrote last.
    pub fn leave(&mut self) -> u32 {
        let before = self.screen.0.lock().bytes;
        // It may have ended by itself.
        drop(self.keys.write_all(b"\x03"));
        let answered = |screen: &Screen| screen.ended || screen.bytes > before;
        let mut screen = self.screen.0.lock();
        self.screen.1.wait_while_for(&mut screen, |screen| !answered(screen), TIMEOUT);
        let has_left = screen.ended || !screen.parser.screen().alternate_screen();
        drop(screen);
        if !has_left {
            drop(self.keys.write_all(b"\x03"));
        }
        self.wait_exit()
    }

    /// Waits until the text on the screen satisfies a condition; returns that text.
    ///
    /// # Panics
    /// With the screen, if the condition does not come to hold while the program writes.
    #[must_use]
    pub fn wait_for(&self, what: &str, shown: impl Fn(&str) -> bool) -> String {
        self.wait(what, |screen| Some(screen.contents()).filter(|contents| shown(contents)))
    }

    /// Looks at the screen after each output of the program until `look` returns something. The
    /// lock is free while `look` runs, so that the program can go on writing.
    fn wait<T>(&self, what: &str, look: impl Fn(&vt100::Screen) -> Option<T>) -> T {
        let last = Instant::now() + LONG_TIMEOUT;
        let mut deadline = Instant::now() + TIMEOUT;
        let mut seen = 0;
        loop {
            let (shown, bytes, ended) = {
                let screen = self.screen.0.lock();
                (screen.parser.screen().clone(), screen.bytes, screen.ended)
            };
            if let Some(found) = look(&shown) {
                return found;
            }
            if bytes != seen {
                (deadline, seen) = ((Instant::now() + TIMEOUT).min(last), bytes);
            }
            let late = Instant::now() >= deadline;
            assert!(!late && !ended, "waited for {what} on\n{}", shown.contents());
            let is_unchanged = |screen: &mut Screen| screen.bytes == bytes && !screen.ended;
            self.screen.1.wait_while_until(&mut self.screen.0.lock(), is_unchanged, deadline);
        }
    }

    /// Waits until the screen shows a text that was not there when keys were last pressed.
    ///
    /// # Panics
    /// If the text was there, or does not come.
    #[must_use]
    pub fn wait_text(&self, text: &str) -> String {
        let old = self.screen.0.lock().old.clone();
        assert!(!old.contains(text), "{text:?} was there before it was waited for:\n{old}");
        self.wait_for(text, |screen| screen.contains(text))
    }

    /// Waits for the end of the program; returns its exit code.
    ///
    /// # Panics
    /// If it does not end.
    pub fn wait_exit(&mut self) -> u32 {
        let mut screen = self.screen.0.lock();
        self.screen.1.wait_while_for(&mut screen, |screen| !screen.ended, TIMEOUT);
        assert!(screen.ended, "it runs on:\n{}", screen.parser.screen().contents());
        drop(screen);
        self.child.wait().unwrap().exit_code()
    }

    /// Kills the program as `kill -9` does.
    pub fn kill(mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        drop(self.child.kill());
    }
}
