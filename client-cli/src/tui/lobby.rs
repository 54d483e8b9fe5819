//! The list of public rooms.

use crossterm::event::KeyCode;
use noughts_protocol::{LobbyIntent, Role, RoomCode};

use super::keys::{HELP, Key, KeyAction, key, labelled, list_keys};
use super::page::Page;
use super::screen::{Clicks, Component, Transition};
use super::shell::Shell;
use crate::action::Action;
use crate::strings;

/// The list of public rooms: those with a free seat, then games to watch.
#[derive(Debug)]
pub(crate) struct LobbyList;

/// The selected room, and whether it has a free seat.
fn selected(shell: &Shell) -> Option<(RoomCode, bool)> {
    let lobby = shell.session.lobby()?;
    let room = lobby.waiting.iter().chain(&lobby.playing).nth(shell.selected())?;
    Some((room.room, shell.selected() < lobby.waiting.len()))
}

/// Enters the selected room, if it is possible to play or to watch there.
fn enter(shell: &mut Shell, role: Role) -> Transition {
    let Some((room, is_free)) = selected(shell) else { return Transition::Stay };
    let spectators = shell.client.choice.features.spectators;
    let is_possible = if role == Role::Player { is_free } else { spectators };
    if shell.session.room().is_some_and(|view| view.state.code == room) {
        return Transition::Begin(Action::join(room, role));
    }
    if is_possible {
        shell.ask(LobbyIntent::Join { room, role });
    }
    Transition::Stay
}

impl Component for LobbyList {
    fn keys(&self, shell: &Shell) -> Vec<Key> {
        let spectators = shell.client.choice.features.spectators;
        let room = selected(shell);
        let (enter, seat) = match room {
            Some((_, free)) if spectators => ("watch", if free { "play" } else { "" }),
            Some((_, true)) => ("play", ""),
            _ => ("", ""),
        };
        let own = [
            key("Enter, space", KeyAction::Enter, enter, "enter the room"),
            labelled("p", KeyAction::Join(Role::Player), seat, "take the free seat"),
            key("w", KeyAction::Join(Role::Spectator), "", "watch"),
        ];
        let list = list_keys(if room.is_some() { "move" } else { "" });
        let back = [key("Esc, q", KeyAction::Back, "back", "back to the menu"), HELP];
        [&own[..], &list, &back].concat()
    }

    fn act(&mut self, shell: &mut Shell, action: KeyAction, _: KeyCode) -> Transition {
        match action {
            KeyAction::Enter if shell.client.choice.features.spectators => {
                enter(shell, Role::Spectator)
            }
            KeyAction::Enter => enter(shell, Role::Player),
            KeyAction::Join(role) => enter(shell, role),
            KeyAction::Back => {
                shell.ask(LobbyIntent::UnwatchLobby);
                Transition::Menu
            }
            _ => Transition::List,
        }
    }

    fn fill<'a>(&'a self, shell: &'a Shell, page: &mut Page<'a>) {
        let Some(lobby) = shell.session.lobby() else {
            return page.heading(&format!("Loading the public rooms{}", shell.theme().ellipsis()));
        };
        let title = match (lobby.waiting.is_empty(), lobby.playing.is_empty()) {
            (true, true) => "No public rooms at the moment.",
            (false, true) => "Rooms with a free seat",
            (true, false) => "Games to watch",
            (false, false) => "Rooms with a free seat, then games to watch",
        };
        page.heading(&match lobby.more {
            0 => title.to_owned(),
            more => format!("{title}, and {more} more"),
        });
        page.items(lobby.waiting.iter().chain(&lobby.playing).map(strings::room_summary));
    }

    fn clicks(&self, _: &Shell) -> Clicks {
        Clicks::Select
    }
}
