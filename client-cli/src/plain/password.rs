//! Asks for the server's password. If the terminal allows it, the typed text is not shown.

use noughts_protocol::{DisplayText, JoinPassword};

use super::Ended;
use crate::client::Exit;
use crate::stdio::Stdio;
use crate::way_in::WayIn;

/// Asks for the password.
pub(super) async fn ask(
    why: &DisplayText,
    stdio: &mut Stdio,
    way_in: &WayIn,
) -> Result<JoinPassword, Ended> {
    if !stdio.is_terminal {
        let how = if way_in.is_remote() {
            "type it in a terminal: ssh -t"
        } else {
            "give it with --password-file FILE or in NOUGHTS_PASSWORD"
        };
        return Err(Exit::Refused(format!("{why} ({how})")).into());
    }
    loop {
        let hidden = stdio.hide_input();
        stdio.print_line(&format!("{why}\nPassword?"))?;
        let line = stdio.answer().await?;
        drop(hidden);
        match line.ok_or(Exit::Done)?.parse() {
            Ok(password) => return Ok(password),
            Err(error) => stdio.print_line(&error.to_string())?,
        }
    }
}
