//! Asks for the server's password. If the terminal allows it, the typed text is not shown.

use std::io::{self, IsTerminal};

use noughts_protocol::{DisplayText, JoinPassword};

use super::{Input, print_line};
use crate::client::Exit;
use crate::signals::Signals;

/// Asks for the password. Returns the exit if there is nobody to ask or the player quits.
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
        let echo_off = echo::EchoOff::begin();
        print_line(&format!("{why}\nPassword?"))?;
        let line = tokio::select! {
            line = lines.next() => line,
            _ = signals.next() => None,
        };
        drop(echo_off);
        match line.map(|line| line.parse()) {
            Some(Ok(password)) => return Ok(Ok(password)),
            Some(Err(error)) => print_line(&error.to_string())?,
            None => return Ok(Err(Exit::Done)),
        }
    }
}

/// Hides typed text until this is dropped.
#[cfg(unix)]
mod echo {
    use std::io;

    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

    pub(super) struct EchoOff(Option<Termios>);

    impl EchoOff {
        /// Hides typed text, if the terminal can do that.
        pub(super) fn begin() -> Self {
            let before = tcgetattr(io::stdin()).ok();
            if let Some(mut modes) = before.clone() {
                modes.local_modes.remove(LocalModes::ECHO);
                // If this fails, the typed text is shown.
                tcsetattr(io::stdin(), OptionalActions::Now, &modes).ok();
            }
            Self(before)
        }
    }

    impl Drop for EchoOff {
        fn drop(&mut self) {
            if let Some(before) = &self.0 {
                tcsetattr(io::stdin(), OptionalActions::Now, before).ok();
            }
        }
    }
}

/// Other systems show the typed text. The full screen hides it.
#[cfg(not(unix))]
mod echo {
    pub(super) struct EchoOff;

    impl EchoOff {
        pub(super) const fn begin() -> Self {
            Self
        }
    }
}
