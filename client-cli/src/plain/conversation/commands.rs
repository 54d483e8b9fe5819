//! What typed commands do, and which commands of a script have to wait.

use noughts_protocol::{ClientMessage, DisplayText, Role};

use super::Conversation;
use crate::args::parse_room;
use crate::client::Exit;
use crate::core::Action;
use crate::core::{RoomView, Session};
use crate::plain::command::{HELP, LineCommand};

impl Conversation {
    /// Handles a typed line.
    pub(in crate::plain) fn line(&mut self, line: String) {
        self.interrupted = false;
        let line = DisplayText::from(line).to_string();
        self.held = Some(LineCommand::parse(&line));
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
        let Some(command) = self.held.take() else { return };
        if self.must_wait(&command) {
            self.held = Some(command);
        } else {
            self.command(command);
        }
    }

    /// Whether a script's command has to wait for the room, the turn or an answer.
    fn must_wait(&self, command: &LineCommand) -> bool {
        if !self.scripted {
            return false;
        }
        let Some(view) = self.session.room() else {
            // Before there is a room, the player can only choose from the lobby or quit.
            let choosing = self.action == Action::Lobby && self.lobby.is_some();
            let in_queue = matches!(self.action, Action::Quick { .. }) && self.session.is_settled();
            let cancels = in_queue && *command == LineCommand::Quit;
            return !choosing && !cancels && *command != LineCommand::Help;
        };
        if view.is_watching() {
            return false;
        }
        if self.analysis_pending
            || self.ending
            || !self.session.is_settled()
            || self.session.has_unconfirmed_move()
        {
            return true;
        }
        let number = view.state.game.as_ref().map(|numbered| numbered.number);
        let running = view.state.is_running();
        // Between two games: no game has begun, the result is still awaited, or a rematch is.
        let over = number.is_some() && !running;
        let announced = view.ended == number;
        let another = over && self.rematch_after == number;
        match command {
            LineCommand::Nothing
            | LineCommand::Help
            | LineCommand::Board
            | LineCommand::Claim(_) => false,
            LineCommand::Resign => number.is_none() || another,
            // During this player's turn only a later line can end the game, so `rematch` and
            // `review` must not wait for the end.
            LineCommand::Cell(_) | LineCommand::Rematch | LineCommand::Review if running => {
                view.my_turn().is_none() || view.expects_opening_event()
            }
            LineCommand::Quit | LineCommand::Rematch | LineCommand::Review => over && !announced,
            LineCommand::Hint if running => view.my_turn().is_none(),
            LineCommand::Choose(_) if running => {
                let mine = view.my_turn().is_some() && !view.expects_opening_event();
                view.is_opening() && !mine
            }
            LineCommand::Cell(_) | LineCommand::Choose(_) | LineCommand::Hint => {
                !over || !announced || another
            }
        }
    }

    fn command(&mut self, command: LineCommand) {
        match command {
            LineCommand::Nothing => {}
            LineCommand::Help => self.text.push_str(HELP),
            LineCommand::Board => self.show_board(),
            LineCommand::Quit => self.quit(),
            LineCommand::Cell(text) => self.cell(&text),
            LineCommand::Choose(choice) => match self.session.choose(choice) {
                Ok(intent) => self.intents.push(intent),
                Err(why) => self.print(&why.to_string()),
            },
            LineCommand::Resign => {
                self.ending =
                    self.send_or_print(Session::resign, "you have no running game to resign");
            }
            LineCommand::Hint => {
                let nothing = "you can ask for a hint when it is your turn";
                self.analysis_pending = self.send_or_print(Session::hint, nothing);
            }
            LineCommand::Review => {
                let nothing = "there is no game to review yet";
                self.analysis_pending = self.send_or_print(Session::review, nothing);
            }
            LineCommand::Rematch => self.rematch(),
            LineCommand::Claim(result) => {
                let nothing =
                    "there is nothing to claim: your opponent is here, or no game is running";
                self.ending = self.send_or_print(|session| session.claim(result), nothing);
            }
        }
    }

    /// Sends the session's intent. If there is none, prints the reason and returns false.
    fn send_or_print(
        &mut self,
        make: impl FnOnce(&mut Session) -> Option<ClientMessage>,
        nothing: &str,
    ) -> bool {
        let intent = make(&mut self.session);
        if intent.is_none() {
            self.print(nothing);
        }
        let sent = intent.is_some();
        self.intents.extend(intent);
        sent
    }

    fn rematch(&mut self) {
        let view = self.session.room().filter(|view| view.may_rematch() && !view.offered_by_me());
        let game = view.and_then(|view| view.state.game.as_ref()).map(|numbered| numbered.number);
        self.rematch_after = game;
        let nothing = "you can offer a rematch when your game is over: finish or resign it first";
        self.send_or_print(Session::rematch, nothing);
    }

    fn quit(&mut self) {
        if self.session.room().is_none() && matches!(self.action, Action::Quick { .. }) {
            let cancel = self.session.cancel_match();
            self.intents.push(cancel);
        }
        self.intents.extend(self.session.leave());
        self.leaving = true;
    }

    fn cell(&mut self, text: &str) {
        let Some(view) = self.session.room() else { return self.choose(text) };
        let spec = view.state.settings.board;
        let cell = match spec.parse_cell(text) {
            Ok(cell) => cell,
            Err(error) => return self.print(&format!("{error}; or type help")),
        };
        match self.session.play(cell) {
            Ok(intent) => self.intents.push(intent),
            Err(why) => self.print(&why.to_string()),
        }
    }

    /// Enters a room of the lobby, by its number in the list or its code.
    fn choose(&mut self, text: &str) {
        let Some(lobby) = self.lobby.as_ref().filter(|_| self.action == Action::Lobby) else {
            return self.print("you are in no room yet: wait, or type quit");
        };
        let mut rooms = lobby.waiting.iter().chain(&lobby.playing);
        let chosen = match text.parse::<usize>() {
            Ok(number) => number.checked_sub(1).and_then(|place| rooms.nth(place)).map(|r| r.room),
            Err(_) => parse_room(text).ok().map(|room| room.code),
        };
        match chosen {
            Some(room) => {
                let join = self.session.join(room, Role::Spectator);
                self.intents.push(join);
            }
            None => self.print("type the number of a room in the list, or a code of five letters"),
        }
    }
}
