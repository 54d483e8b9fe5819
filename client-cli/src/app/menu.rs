//! The main menu and what each item opens.

use noughts_protocol::{Features, Role, RoomCode};

use super::setup::{GameKind, Setup};
use super::{App, Screen, TextField};
use crate::args::parse_room;
use crate::client::Exit;
use crate::core::Action;

/// An item of the main menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MenuItem {
    /// Create a room and wait for a friend.
    Friend,
    /// Join a room by its code.
    Code,
    /// Play a stranger.
    Quick,
    /// Play the computer.
    Computer,
    /// List the public rooms.
    Watch,
    /// Watch two computers play.
    Exhibition,
    /// Play both sides.
    Both,
    /// End the program.
    Quit,
}

impl App {
    /// The items in their order, without those that the server's host has switched off. Number keys
    /// from 1 choose them.
    #[must_use]
    pub fn menu(&self) -> Vec<(MenuItem, &'static str)> {
        let Features { spectators, listing, quick_match } = self.features;
        let watch = if spectators { "Watch a game" } else { "Public rooms" };
        let all = [
            (true, MenuItem::Friend, "Play a friend"),
            (true, MenuItem::Code, "Join by code"),
            (quick_match, MenuItem::Quick, "Quick match"),
            (true, MenuItem::Computer, "Play the computer"),
            (listing, MenuItem::Watch, watch),
            (spectators, MenuItem::Exhibition, "Watch two computers"),
            (true, MenuItem::Both, "Play both sides here"),
            (true, MenuItem::Quit, "Quit"),
        ];
        all.into_iter().filter(|(on, ..)| *on).map(|(_, item, text)| (item, text)).collect()
    }

    /// Opens an item.
    pub(super) fn choose(&mut self, item: MenuItem) {
        self.message = None;
        self.screen = match item {
            MenuItem::Friend => Screen::Setup(Setup::new(GameKind::Friend, self.features)),
            MenuItem::Code => Screen::Code(
                self.last_room
                    .map_or_else(TextField::default, |room| TextField::filled(room.to_string())),
            ),
            MenuItem::Quick => Screen::Setup(Setup::new(GameKind::Quick, self.features)),
            MenuItem::Computer => Screen::Setup(Setup::new(GameKind::Computer, self.features)),
            MenuItem::Watch => return self.begin(Action::Lobby),
            MenuItem::Exhibition => Screen::Setup(Setup::new(GameKind::Exhibition, self.features)),
            MenuItem::Both => Screen::Setup(Setup::new(GameKind::Both, self.features)),
            MenuItem::Quit => return self.quit(Exit::Done),
        };
    }

    /// Joins the room whose code was typed.
    pub(super) fn join_typed(&mut self) {
        let Screen::Code(field) = &self.screen else { return };
        match parse_room(&field.text) {
            Ok(room) if room.link.as_ref().is_some_and(|link| link.server != self.server) => {
                self.error(
                    "that link is for another server: start noughts with --server and the link",
                );
            }
            Ok(room) => self.begin(Action::join(room.code, Role::Player)),
            Err(why) => self.error(why),
        }
    }

    /// The selected room of the list, and whether it has an open seat.
    pub(super) fn selected_room(&self) -> Option<(RoomCode, bool)> {
        let Screen::Lobby { lobby: Some(lobby), selected } = &self.screen else { return None };
        let room = lobby.waiting.iter().chain(&lobby.playing).nth(*selected)?;
        Some((room.room, *selected < lobby.waiting.len()))
    }
}
