//! What typed lines do, and which of a script's lines are early.

use noughts_protocol::{ClientMessage, DisplayText, Role};

use super::Game;
use crate::args::parse_room;
use crate::goal::Goal;
use crate::plain::command::{Command, HELP};
use crate::session::{RoomView, Session};
use crate::start::Exit;

impl Game {
    /// Takes a typed line.
    pub(in crate::plain) fn line(&mut self, line: String) {
        self.interrupted = false;
        let line = DisplayText::from(line).to_string();
        self.held = Some(Command::parse(&line));
        self.use_held();
    }

    /// Takes the end of input.
    pub(in crate::plain) fn end_of_input(&mut self) {
        self.ended = true;
        if self.goal == Goal::Lobby && self.session.room().is_none() {
            self.exit = Some(Exit::Done);
        }
    }

    /// Takes Ctrl-C: once it asks when a game is running, twice it goes.
    pub(in crate::plain) fn interrupt(&mut self) {
        let playing = self.session.room().is_some_and(RoomView::is_playing);
        if playing && !self.interrupted {
            self.interrupted = true;
            self.say("A game is running. Ctrl-C again goes and keeps your seat; quit resigns.");
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

    /// Whether a script's line is early: the room, the turn or an answer is still to come.
    fn must_wait(&self, command: &Command) -> bool {
        if !self.patient {
            return false;
        }
        let Some(view) = self.session.room() else {
            // Until there is a room, only a choice from the lobby or giving up makes sense.
            let choosing = self.goal == Goal::Lobby && self.lobby.is_some();
            let in_queue = matches!(self.goal, Goal::Quick { .. }) && self.session.is_settled();
            let cancels = in_queue && *command == Command::Quit;
            return !choosing && !cancels && *command != Command::Help;
        };
        if view.is_watching() {
            return false;
        }
        if self.lesson_due
            || self.ending
            || !self.session.is_settled()
            || self.session.move_on_its_way()
        {
            return true;
        }
        let number = view.state.game.as_ref().map(|numbered| numbered.number);
        let running = view.state.is_running();
        // Between two games: none has begun, the last one's end is still to be told, or another
        // was asked for.
        let over = number.is_some() && !running;
        let told = view.ended == number;
        let another = over && self.rematch_after == number;
        match command {
            Command::Nothing | Command::Help | Command::Board | Command::Claim(_) => false,
            Command::Resign => number.is_none() || another,
            // While it is this player's turn, only a later line can end the game: what waits for
            // the end would wait for ever.
            Command::Rematch | Command::Review if running => {
                view.my_turn().is_none() || view.opening_follows()
            }
            Command::Quit | Command::Rematch | Command::Review => over && !told,
            Command::Cell(_) if running => view.my_turn().is_none() || view.opening_follows(),
            Command::Hint if running => view.my_turn().is_none(),
            Command::Choose(_) if running => {
                let mine = view.my_turn().is_some() && !view.opening_follows();
                view.is_opening() && !mine
            }
            Command::Cell(_) | Command::Choose(_) | Command::Hint => !over || !told || another,
        }
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::Nothing => {}
            Command::Help => self.text.push_str(HELP),
            Command::Board => self.show_board(),
            Command::Quit => self.quit(),
            Command::Cell(text) => self.cell(&text),
            Command::Choose(choice) => match self.session.choose(choice) {
                Ok(intent) => self.intents.push(intent),
                Err(why) => self.say(&why.to_string()),
            },
            Command::Resign => {
                self.ending = self
                    .send_or_say(Session::resign, "there is no running game of yours to resign");
            }
            Command::Hint => {
                let nothing = "a hint is for when it is your turn";
                self.lesson_due = self.send_or_say(Session::hint, nothing);
            }
            Command::Review => {
                let nothing = "there is no game to review yet";
                self.lesson_due = self.send_or_say(Session::review, nothing);
            }
            Command::Rematch => self.rematch(),
            Command::Claim(result) => {
                let nothing =
                    "there is nothing to claim: your opponent is here, or no game is running";
                self.ending = self.send_or_say(|session| session.claim(result), nothing);
            }
        }
    }

    /// Sends the intent that the session makes; says why, and gives false, where it makes none.
    fn send_or_say(
        &mut self,
        make: impl FnOnce(&mut Session) -> Option<ClientMessage>,
        nothing: &str,
    ) -> bool {
        let intent = make(&mut self.session);
        if intent.is_none() {
            self.say(nothing);
        }
        let sent = intent.is_some();
        self.intents.extend(intent);
        sent
    }

    fn rematch(&mut self) {
        let view = self.session.room().filter(|view| view.may_rematch() && !view.i_offer());
        let game = view.and_then(|view| view.state.game.as_ref()).map(|numbered| numbered.number);
        self.rematch_after = game;
        let nothing = "a rematch is for when a game of yours is over: finish or resign this one";
        self.send_or_say(Session::rematch, nothing);
    }

    fn quit(&mut self) {
        if self.session.room().is_none() && matches!(self.goal, Goal::Quick { .. }) {
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
            Err(error) => return self.say(&format!("{error}; or type help")),
        };
        match self.session.play(cell) {
            Ok(intent) => self.intents.push(intent),
            Err(why) => self.say(&why.to_string()),
        }
    }

    /// Takes a room from the lobby, by its number in the list or its code.
    fn choose(&mut self, text: &str) {
        let Some(lobby) = self.lobby.as_ref().filter(|_| self.goal == Goal::Lobby) else {
            return self.say("you are in no room yet: wait, or type quit");
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
            None => self.say("type the number of a room in the list, or a code of five letters"),
        }
    }
}
