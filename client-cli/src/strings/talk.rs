//! The texts of what people say.

use noughts_client::session::RoomView;
use noughts_protocol::{ChatLine, Emote, PlayerId, PlayerName, Said};

/// A line of talk, in words.
pub(crate) fn said(said: &Said) -> &str {
    match said {
        Said::Text(text) => text.as_str(),
        Said::Emote(emote) => emote.label(),
    }
}

/// An emote as a few characters. An x and an o in it are drawn in the inks of X and O.
pub(crate) const fn sign(emote: Emote) -> &'static str {
    match emote {
        Emote::Hello => "o/",
        Emote::GoodLuck => "(x)",
        Emote::WellPlayed => "\\o/",
        Emote::GoodGame => "x-o",
        Emote::Thanks => "o_",
        Emote::Wow => ":o",
        Emote::Oops => ":x",
        Emote::Thinking => "o?",
    }
}

/// The speaker of a line: "You", or a name, which says too that somebody watches, or leads the room's party
/// (`host`).
pub(crate) fn speaker(view: &RoomView, line: &ChatLine, host: Option<PlayerId>) -> String {
    let remark = match (line.seat, host == Some(line.player)) {
        _ if view.is_me(line.player) => return "You".to_owned(),
        (Some(_), false) => "",
        (Some(_), true) => " (host)",
        (None, false) => " (watching)",
        (None, true) => " (host, watching)",
    };
    format!("{}{remark}", line.name)
}

/// A line as it is read aloud: "Bob says: hello".
pub(crate) fn spoken(view: &RoomView, line: &ChatLine, host: Option<PlayerId>) -> String {
    let verb = if view.is_me(line.player) { "say" } else { "says" };
    format!("{} {verb}: {}", speaker(view, line, host), said(&line.said))
}

/// Whether players hear what this person says only after the game.
pub(crate) fn is_heard_later(view: &RoomView) -> bool {
    view.is_watching() && view.state.is_running()
}

/// Tells a spectator who speaks during a game when the players hear it.
pub(crate) const HEARD_LATER: &str = "The players hear it after the game.";

/// The answer to a mute.
pub(crate) fn muted(name: &PlayerName, mute: bool) -> String {
    match mute {
        true => format!("You do not hear {name} any more."),
        false => format!("You hear {name} again."),
    }
}
