//! What typed commands do, and which commands of a script have to wait.

use noughts_protocol::{DisplayText, LobbyIntent, PartyIntent, Role, RoomIntent};

use super::Conversation;
use crate::args::parse_room;
use crate::client::Exit;
use crate::core::Action;
use crate::core::RoomView;
use crate::plain::command::{HELP, LineCommand, party};
use crate::strings;
use crate::talk::Typed;

impl Conversation {
    /// Handles a typed line.
    pub(in crate::plain) fn line(&mut self, line: String) {
        self.interrupted = false;
        self.held = Some(DisplayText::from(line).to_string());
        self.use_held();
    }

    /// Handles the end of input.
    pub(in crate::plain) fn end_of_input(&mut self) {
        self.ended = true;
        if self.action == Action::Lobby && self.session.room().is_none() {
            self.exit = Some(Exit::Done);
        }
    }

    /// Handles Ctrl-C: during a game the first one asks, the second one ends the program.
    pub(in crate::plain) fn interrupt(&mut self) {
        let playing = self.session.room().is_some_and(RoomView::is_playing);
        if playing && !self.interrupted {
            self.interrupted = true;
            self.print(
                "A game is running. Press Ctrl-C again to leave and keep your seat; type quit to \
                 resign.",
            );
        } else {
            self.exit = Some(Exit::Done);
        }
    }

    pub(super) fn use_held(&mut self) {
        let Some(line) = self.held.take() else { return };
        let command = LineCommand::parse(&line, &self.session);
        if self.must_wait(&command) {
            self.held = Some(line);
        } else {
            self.command(command);
        }
    }

    /// Whether a script's command has to wait for the room, the turn or an answer.
    fn must_wait(&self, command: &LineCommand) -> bool {
        if !self.scripted {
            return false;
        }
        if self.session.party().is_some() || self.session.awaits_party() {
            return self.waits_in_party(command);
        }
        let Some(view) = self.session.room() else {
            // Before there is a room, the player can only choose from the lobby or quit.
            let choosing = self.action == Action::Lobby && self.session.lobby().is_some();
            let in_queue = self.action.is_quick_match() && self.session.is_settled();
            let cancels = in_queue && *command == LineCommand::Quit;
            return !choosing && !cancels && *command != LineCommand::Help;
        };
        if view.is_watching() {
            return false;
        }
        if self.session.awaits_analysis() || !self.session.is_settled() {
            return true;
        }
        let running = view.state.is_running();
        let awaits_game = view.state.game.is_none() || (!running && view.offered_by_me());
        let awaits_turn = running && view.my_turn().is_none();
        match command {
            LineCommand::Intent(RoomIntent::Resign { .. }) => awaits_game,
            // During this player's turn only a later line can end the game, so these must not wait
            // for the end.
            LineCommand::Intent(RoomIntent::Rematch { .. } | RoomIntent::Review { .. }) => {
                awaits_turn
            }
            LineCommand::Cell(_)
            | LineCommand::Intent(RoomIntent::Choose { .. } | RoomIntent::Hint { .. }) => {
                awaits_game || awaits_turn
            }
            _ => false,
        }
    }

    fn command(&mut self, command: LineCommand) {
        match command {
            LineCommand::Nothing => {}
            LineCommand::Help => {
                self.text.push_str(HELP);
                if self.session.party().is_some() {
                    self.text.push_str(party::HELP);
                }
            }
            LineCommand::Party(line) => self.party_line(line),
            LineCommand::Board => self.show_board(),
            LineCommand::WrongSeries => {
                self.print("type series open, series 3 or series 5: how many wins decide it");
            }
            LineCommand::Quit => self.quit(),
            LineCommand::Cell(text) => self.cell(&text),
            LineCommand::Intent(intent) => self.ask(intent),
            LineCommand::Talk(Ok(typed)) => self.talk(typed),
            LineCommand::Talk(Err(why)) => self.print(&why),
        }
    }

    fn talk(&mut self, typed: Typed) {
        let Some(view) = self.session.room() else { return self.print("you are in no room yet") };
        match typed {
            Typed::Say(said) => {
                let later = strings::talk::is_heard_later(view);
                self.ask(RoomIntent::Say { said });
                if later && !std::mem::replace(&mut self.told_later, true) {
                    self.print(strings::talk::HEARD_LATER);
                }
            }
            Typed::Mute { name, mute } => match self.muted.intent(view, &name, mute) {
                Ok((intent, name)) => {
                    self.ask(intent);
                    self.print(&strings::talk::muted(&name, mute));
                }
                Err(why) => self.print(&why),
            },
            Typed::UnmuteAll => {
                let intents = self.muted.unmute_all(view);
                intents.into_iter().for_each(|intent| self.ask(intent));
                self.print("You hear everybody.");
            }
        }
    }

    fn quit(&mut self) {
        if self.session.room().is_none() && self.action.is_quick_match() {
            self.ask(LobbyIntent::CancelMatch);
        }
        if self.session.room().is_some() {
            self.ask(RoomIntent::Leave);
        }
        if self.session.party().is_some() {
            self.ask(PartyIntent::LeaveParty);
        }
        self.leaving = true;
    }

    fn cell(&mut self, text: &str) {
        let Some(view) = self.session.room() else { return self.choose(text) };
        let spec = view.state.settings.board;
        match spec.parse_cell(text) {
            Ok(cell) => self.ask(self.session.move_to(cell)),
            Err(error) => self.print(&format!("{error}; or type help")),
        }
    }

    /// Enters a room of the lobby, by its number in the list or its code.
    fn choose(&mut self, text: &str) {
        if self.session.party().is_some() {
            return self.print("you are at no table: type party to see what goes on, or help");
        }
        let Some(lobby) = self.session.lobby().filter(|_| self.action == Action::Lobby) else {
            return self.print("you are in no room yet: wait, or type quit");
        };
        let mut rooms = lobby.waiting.iter().chain(&lobby.playing);
        let chosen = match text.parse::<usize>() {
            Ok(number) => number.checked_sub(1).and_then(|place| rooms.nth(place)).map(|r| r.room),
            Err(_) => parse_room(text).ok().map(|room| room.code),
        };
        match chosen {
            Some(room) => self.ask(LobbyIntent::Join { room, role: Role::Spectator }),
            None => self.print("type the number of a room in the list, or a room code"),
        }
    }
}
