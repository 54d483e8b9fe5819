//! Asks for the server's password. If the terminal allows it, the typed text is not shown.

use std::io::{self, IsTerminal};

use noughts_protocol::{DisplayText, JoinPassword};

use super::{Ended, StdinLines};
use crate::client::Exit;
use crate::console::print_line;
use crate::signals::Signals;

/// Asks for the password.
pub(super) async fn ask(
    why: &DisplayText,
    lines: &mut StdinLines,
    signals: &mut Signals,
) -> Result<JoinPassword, Ended> {
    if !io::stdin().is_terminal() {
        let how = "give it with --password-file FILE or in NOUGHTS_PASSWORD";
        return Err(Exit::Refused(format!("{why} ({how})")).into());
    }
    loop {
        let echo_off = EchoOff::begin();
        print_line(&format!("{why}\nPassword?"))?;
        let line = tokio::select! {
            line = lines.next() => line,
            _ = signals.next() => None,
        };
        drop(echo_off);
        match line.ok_or(Exit::Done)?.parse() {
            Ok(password) => return Ok(password),
            Err(error) => print_line(&error.to_string())?,
        }
    }
}

/// Hides typed text until this is dropped. Other systems than Unix show it; the full screen hides it there
/// too.
struct EchoOff {
    #[cfg(unix)]
    before: Option<rustix::termios::Termios>,
}

#[cfg(unix)]
impl EchoOff {
    /// Hides typed text, if the terminal can do that.
    fn begin() -> Self {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let before = tcgetattr(io::stdin()).ok();
        if let Some(mut modes) = before.clone() {
            modes.local_modes.remove(LocalModes::ECHO);
            // If this fails, the typed text is shown.
            tcsetattr(io::stdin(), OptionalActions::Now, &modes).ok();
        }
        Self { before }
    }
}

#[cfg(unix)]
impl Drop for EchoOff {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(before) = &self.before {
            tcsetattr(io::stdin(), OptionalActions::Now, before).ok();
        }
    }
}

#[cfg(not(unix))]
impl EchoOff {
    const fn begin() -> Self {
        Self {}
    }
}
