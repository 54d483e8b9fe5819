//! Asks for the server's password, without showing what is typed where the terminal can do that.

use std::io::{self, IsTerminal};

use noughts_protocol::{DisplayText, JoinPassword};

use super::{Input, say};
use crate::signals::Signals;
use crate::start::Exit;

/// The password that is typed, or how it ends: a pipe has nobody to ask.
pub(super) async fn ask(
    why: &DisplayText,
    lines: &mut Input,
    signals: &mut Signals,
) -> io::Result<Result<JoinPassword, Exit>> {
    if !io::stdin().is_terminal() {
        let how = "give it with --password-file FILE or in NOUGHTS_PASSWORD";
        return Ok(Err(Exit::Refused(format!("{why} ({how})"))));
    }
    loop {
        let quiet = quiet::Quiet::begin();
        say(&format!("{why}\nPassword?"))?;
        let line = tokio::select! {
            line = lines.next() => line,
            _ = signals.next() => None,
        };
        drop(quiet);
        match line.map(|line| line.parse()) {
            Some(Ok(password)) => return Ok(Ok(password)),
            Some(Err(error)) => say(&error.to_string())?,
            None => return Ok(Err(Exit::Done)),
        }
    }
}

/// A terminal that does not show what is typed until this is dropped.
#[cfg(unix)]
mod quiet {
    use std::io;

    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

    pub(super) struct Quiet(Option<Termios>);

    impl Quiet {
        /// Where the terminal cannot do that, what is typed shows.
        pub(super) fn begin() -> Self {
            let before = tcgetattr(io::stdin()).ok();
            if let Some(mut modes) = before.clone() {
                modes.local_modes.remove(LocalModes::ECHO);
                // What is typed shows, then.
                tcsetattr(io::stdin(), OptionalActions::Now, &modes).ok();
            }
            Self(before)
        }
    }

    impl Drop for Quiet {
        fn drop(&mut self) {
            if let Some(before) = &self.0 {
                tcsetattr(io::stdin(), OptionalActions::Now, before).ok();
            }
        }
    }
}

/// Elsewhere what is typed shows: the full screen hides it.
#[cfg(not(unix))]
mod quiet {
    pub(super) struct Quiet;

    impl Quiet {
        pub(super) const fn begin() -> Self {
            Self
        }
    }
}
