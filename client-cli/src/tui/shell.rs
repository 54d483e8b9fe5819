//! The state that every screen shares: the session, the player, the terminal, and the way to ask for something, to
//! tell the player something, and to have something done outside.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use noughts_client::address::ServerAddress;
use noughts_client::session::{Input, Intent, Output, RoomView, Session};
use noughts_protocol::{
    ChatLine, ClientMessage, DisplayText, GameId, IdentityFile, JoinPassword, PartyIntent,
    PlayerName, RoomCode, RoomIntent,
};
use ratatui::layout::Size;
use ratatui::widgets::ListState;

use super::notifications::Watched;
use super::theme::Theme;
use crate::action::Action;
use crate::client::{Client, Exit};
use crate::config::Change;
use crate::strings;
use crate::strings::party::{Party, Standing};

/// The answer to a question to the server during a break.
pub(super) const OFFLINE: &str = "the connection is lost: ask again when the server is back";

/// Something that the loop must do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Send this message.
    Send(ClientMessage),
    /// Connect to the server of the shell's client.
    Connect,
    /// Write a change of the player's file.
    Save(Change),
    /// Ring, and notify with this text.
    Call(DisplayText),
    /// Put this text on the clipboard.
    Copy(String),
    /// Save the player's identity to a new file.
    SaveIdentity(PathBuf, IdentityFile),
    /// Set the terminal up anew, then draw everything.
    Redraw,
    /// Stop until the shell lets the program go on, then draw everything.
    Suspend,
    /// End the program.
    Quit(Exit),
}

/// The message line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    /// The text.
    pub(crate) text: String,
    /// Whether it is about an error.
    pub(crate) error: bool,
}

/// The way to a server, and what begins there.
#[derive(Debug)]
pub(super) struct Start {
    /// The action that begins once the server has answered.
    pub(super) action: Action,
    /// Whether the player chose the server on a screen. If it fails, the form comes back.
    pub(super) may_change_server: bool,
    /// The server and the name that worked, while others are tried from the settings.
    pub(super) earlier: Option<(ServerAddress, PlayerName, Option<JoinPassword>)>,
    /// The room of an earlier run, while the server is asked whether the player has a seat there.
    pub(super) returning: Option<RoomCode>,
}

/// The state that every screen shares.
#[derive(Debug)]
pub(crate) struct Shell {
    /// The player's session with the server.
    pub(crate) session: Session,
    /// The options, the player and the server.
    pub(crate) client: Client,
    /// The server's address for friends.
    pub(crate) share_address: ServerAddress,
    pub(super) start: Start,
    /// The terminal's size.
    pub(crate) size: Size,
    /// The time of the last event.
    pub(crate) now: Instant,
    /// Whether the player looks at the window.
    pub(super) watched: Watched,
    /// Whether the key came with others in one read.
    pub(super) in_a_row: bool,
    /// The latest message.
    pub(crate) message: Option<Message>,
    /// The selected item of the page on the screen, and how far its list is scrolled.
    pub(crate) list: ListState,
    /// How each room of this run stood when it was seen last: "your turn when you left (3x3, 3 in a row)".
    pub(super) seen: BTreeMap<RoomCode, String>,
    /// The number of the last line of talk that the player has read in the room.
    pub(super) read: u64,
    pub(super) effects: Vec<Effect>,
}

impl Shell {
    /// Shows an error in the message line.
    pub(crate) fn error(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), error: true });
    }

    pub(super) fn info(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), error: false });
    }

    /// Whether the message is about an error.
    pub(super) fn has_error(&self) -> bool {
        self.message.as_ref().is_some_and(|message| message.error)
    }

    /// Sends an intent, or says why not. Returns whether it is on its way.
    pub(super) fn ask(&mut self, intent: impl Into<Intent>) -> bool {
        self.message = None;
        let intent = intent.into();
        let asks =
            matches!(intent, Intent::Room(RoomIntent::Hint { .. } | RoomIntent::Review { .. }));
        if asks && self.session.lost().is_some() {
            self.error(OFFLINE);
            return false;
        }
        for output in self.session.update(Input::Asked(intent), self.now) {
            match output {
                Output::Send(message) => self.effects.push(Effect::Send(message)),
                Output::Happened(happening) => {
                    strings::problem(&happening).into_iter().for_each(|text| self.error(text));
                }
                // Only time can tell that the server does not answer, and only an answer forgets.
                Output::Reconnect | Output::Forget => {}
            }
        }
        self.message.is_none()
    }

    /// Copies a link. Where nothing says that this works, the message shows the link too.
    pub(super) fn copy_link(&mut self, link: String) {
        let copied = self.client.options.escape_codes.clipboard;
        let before = if copied { "Copied the link" } else { "The link" };
        self.info(format!("{before}: {link}"));
        self.effects.push(Effect::Copy(link));
    }

    /// The place of the selected item.
    pub(super) fn selected(&self) -> usize {
        self.list.selected().unwrap_or_default()
    }

    /// The colours and characters in use.
    pub(super) fn theme(&self) -> Theme {
        Theme::of(&self.client)
    }

    pub(super) fn is_playing(&self) -> bool {
        self.session.room().is_some_and(RoomView::is_playing)
    }

    /// A label, if something about the room holds.
    pub(super) fn if_room(
        &self,
        label: &'static str,
        holds: impl Fn(&RoomView) -> bool,
    ) -> &'static str {
        if self.session.room().is_some_and(holds) { label } else { "" }
    }

    /// The room's game that is over, if it is kept.
    pub(crate) fn last_kept(&self) -> Option<GameId> {
        let last = self.session.room()?.state.game.as_ref()?;
        last.id.filter(|_| last.game.result().is_some())
    }

    /// The lines that the player has not read. A room keeps few lines, so it is a small number.
    pub(crate) fn unread(&self) -> usize {
        let Some(view) = self.session.room() else { return 0 };
        let is_new = |line: &&ChatLine| line.n > self.read && !view.is_me(line.player);
        view.chat.lines.iter().filter(is_new).count()
    }

    /// The party that the player follows, in words.
    pub(super) fn party(&self) -> Option<Party<'_>> {
        let view = self.session.party()?;
        Some(Party::of(view, self.now, self.client.options.ascii))
    }

    /// Whether Enter leads on from the room: its game is over, or the player is awaited elsewhere.
    pub(super) fn is_done_at_table(&self) -> bool {
        let table = self.session.room().filter(|_| self.session.is_at_table());
        let Some(view) = table else { return false };
        !view.state.is_running() || (view.is_watching() && self.is_awaited())
    }

    /// Whether the player must say that they are there.
    pub(super) fn is_awaited(&self) -> bool {
        self.party().is_some_and(|party| matches!(party.standing(), Standing::Check(_)))
    }

    /// Says that the player is there, if that is asked.
    pub(super) fn say_ready(&mut self) -> bool {
        let pairing = self.party().and_then(|party| match party.standing() {
            Standing::Check(pairing) => Some(pairing.number),
            _ => None,
        });
        if let Some(pairing) = pairing {
            self.ask(PartyIntent::Ready { pairing });
        }
        pairing.is_some()
    }
}
