//! The menu's items, and what each leads to.

use noughts_protocol::{Features, Role, RoomCode};

use super::setup::{Kind, Setup};
use super::{App, Screen, TextField};
use crate::args::parse_room;
use crate::goal::Goal;
use crate::start::Exit;

/// An item of the menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MenuItem {
    /// Make a room and wait.
    Friend,
    /// Join a room.
    Code,
    /// Play anybody.
    Quick,
    /// Play the computer.
    Computer,
    /// Watch others.
    Watch,
    /// Watch two computers.
    Exhibition,
    /// Play both sides.
    Both,
    /// Go.
    Quit,
}

impl App {
    /// The menu, in its order, without what the server's host has switched off; the numbers from 1
    /// choose at once.
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

    /// Does what an item says.
    pub(super) fn choose(&mut self, item: MenuItem) {
        self.message = None;
        self.screen = match item {
            MenuItem::Friend => Screen::Setup(Setup::new(Kind::Friend, self.features)),
            MenuItem::Code => Screen::Code(
                self.last_room
                    .map_or_else(TextField::default, |room| TextField::filled(room.to_string())),
            ),
            MenuItem::Quick => Screen::Setup(Setup::new(Kind::Quick, self.features)),
            MenuItem::Computer => Screen::Setup(Setup::new(Kind::Computer, self.features)),
            MenuItem::Watch => return self.begin(Goal::Lobby),
            MenuItem::Exhibition => Screen::Setup(Setup::new(Kind::Exhibition, self.features)),
            MenuItem::Both => Screen::Setup(Setup::new(Kind::Both, self.features)),
            MenuItem::Quit => return self.quit(Exit::Done),
        };
    }

    /// Joins the room whose code was typed.
    pub(super) fn join_typed(&mut self) {
        let Screen::Code(field) = &self.screen else { return };
        match parse_room(&field.text) {
            Ok(room) if room.link.as_ref().is_some_and(|link| link.server != self.server) => {
                self.error("that link leads to another server: start with --server and the link");
            }
            Ok(room) => self.begin(Goal::Join { room: room.code, role: Role::Player }),
            Err(why) => self.error(why),
        }
    }

    /// The room of the lobby that is selected, and whether a seat in it is free.
    pub(super) fn selected_room(&self) -> Option<(RoomCode, bool)> {
        let Screen::Lobby { lobby: Some(lobby), selected } = &self.screen else { return None };
        let room = lobby.waiting.iter().chain(&lobby.playing).nth(*selected)?;
        Some((room.room, *selected < lobby.waiting.len()))
    }
}
