//! The conversation about one goal: which line may be used when, and what is said. Synchronous;
//! what it has to send and to say is fetched by the loop.

use std::time::Instant;

use noughts_protocol::{ClientMessage, Event, RefusalCode, Role};

use super::board;
use super::command::{Command, HELP};
use crate::address::ServerAddress;
use crate::args::parse_room;
use crate::connection::Incoming;
use crate::goal::Goal;
use crate::ids::IntentIds;
use crate::session::{Lobby, NoMove, Notice, RoomView, Session};
use crate::start::Exit;
use crate::words;

/// The conversation about one goal.
pub(super) struct Game {
    session: Session,
    goal: Goal,
    server: ServerAddress,
    /// Whether a line waits until it can be used, as those of a script do.
    patient: bool,
    /// The line that waits; the next one is not read before it is used.
    held: Option<Command>,
    ended: bool,
    interrupted: bool,
    leaving: bool,
    /// The game after which we asked for another.
    rematch_after: Option<u32>,
    lobby: Option<Lobby>,
    exit: Option<Exit>,
    text: String,
    intents: Vec<ClientMessage>,
}

impl Game {
    pub(super) fn new(goal: Goal, server: ServerAddress, ids: IntentIds, patient: bool) -> Self {
        Self {
            session: Session::new(ids),
            goal,
            server,
            patient,
            held: None,
            ended: false,
            interrupted: false,
            leaving: false,
            rematch_after: None,
            lobby: None,
            exit: None,
            text: String::new(),
            intents: Vec::new(),
        }
    }

    pub(super) fn take_text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    pub(super) fn take_intents(&mut self) -> Vec<ClientMessage> {
        std::mem::take(&mut self.intents)
    }

    /// Whether another line shall be read.
    pub(super) const fn wants_line(&self) -> bool {
        self.held.is_none() && !self.ended && !self.leaving
    }

    pub(super) const fn is_leaving(&self) -> bool {
        self.leaving
    }

    /// How it ended, if it has.
    pub(super) fn exit(&self) -> Option<Exit> {
        if self.exit.is_some() {
            return self.exit.clone();
        }
        let done = self.session.is_settled()
            && self.intents.is_empty()
            && (self.leaving || (self.ended && self.held.is_none() && !self.has_more_to_say()));
        done.then_some(Exit::Done)
    }

    /// Whether, at the end of input, something is still to be shown: all of a game that is
    /// watched, the room that was asked for, or the effect of the last line.
    fn has_more_to_say(&self) -> bool {
        let Some(view) = self.session.room() else {
            return self.lobby.is_none() && !matches!(self.goal, Goal::Quick { .. });
        };
        let over = view.state.game.as_ref().filter(|numbered| numbered.game.result().is_some());
        let announced = over.is_none_or(|numbered| view.ended == Some(numbered.number));
        view.is_watching() || self.session.move_on_its_way() || !announced
    }

    fn say(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(super) fn not_sent(&mut self, intent: &ClientMessage, why: &str) {
        self.session.not_sent(intent);
        self.say(why);
    }

    /// Takes in what came from the server.
    pub(super) fn receive(&mut self, incoming: Incoming, now: Instant) {
        let (notice, intent) = self.session.receive(incoming, now);
        self.intents.extend(intent);
        if let Some(notice) = notice {
            self.notice(notice);
        }
        self.use_held();
    }

    fn notice(&mut self, notice: Notice) {
        match notice {
            Notice::Welcome(welcome, true) => {
                let (name, server) = (&welcome.name, &self.server);
                if self.goal != Goal::Rooms {
                    self.say(&format!("You are {name}, connected to {server}."));
                }
                let goal = self.goal.clone();
                self.intents.extend(self.session.begin(&goal));
            }
            Notice::Welcome(..) => self.say("Connected again."),
            Notice::Entered => self.entered(),
            Notice::Refreshed => self.show_board(),
            Notice::Event { event, before } => self.event(&event, before.as_ref()),
            Notice::Lobby(lobby) => self.show_lobby(lobby),
            Notice::Refused(intent, refusal) => self.refused(&intent, refusal),
            Notice::Applied(ClientMessage::QuickMatch { .. }) => {
                self.say("Looking for somebody to play with. Type quit to stop.");
            }
            Notice::Applied(_) => {}
            Notice::Lost(reason) => {
                self.say(&format!("The connection broke ({reason}): reconnecting..."))
            }
            Notice::Closed(why) => {
                self.say(&why);
                self.exit = Some(Exit::Done);
            }
            Notice::RoomLost(why) => {
                self.exit = Some(Exit::Lost(format!("the room could not be entered again: {why}")));
            }
            Notice::Remark(text) => self.say(&text),
            Notice::Ended(why) => self.exit = Some(Exit::Lost(why)),
        }
    }

    fn refused(&mut self, intent: &ClientMessage, refusal: noughts_protocol::Refusal) {
        match intent {
            ClientMessage::Join { room, role: Role::Player, .. }
                if refusal.code == RefusalCode::SeatsTaken =>
            {
                let why =
                    format!("{refusal}. To watch: noughts watch {room} --server {}", self.server);
                self.exit = Some(Exit::Refused(why));
            }
            ClientMessage::Create { .. }
            | ClientMessage::QuickMatch { .. }
            | ClientMessage::Join { .. } => {
                self.exit = Some(Exit::Refused(refusal.to_string()));
            }
            ClientMessage::Rematch { .. } => {
                self.rematch_after = None;
                self.say(&refusal.to_string());
            }
            ClientMessage::Leave { .. } | ClientMessage::Sync { .. } => {}
            _ => self.say(&refusal.to_string()),
        }
    }

    fn entered(&mut self) {
        let Some(view) = self.session.room() else { return };
        let code = view.state.code;
        let role = match view.mine[..] {
            [] => "You are watching.".to_owned(),
            [mark] => format!("You play {mark} against {}.", opponent(view, mark.other())),
            _ => "You play both sides.".to_owned(),
        };
        let rules = words::settings(&view.state.settings);
        let open = view.state.game.is_none() && !view.is_watching();
        self.say(&format!("Room {code}: {rules}. {role}"));
        if open {
            let server = self.server.clone();
            self.say("Waiting for a friend, who types:");
            self.say(&format!("  noughts play {code} --server {server}"));
            if server.is_local() {
                self.say("(from another machine, with this one's address in place of localhost)");
            }
        }
        self.show_board();
    }

    fn show_board(&mut self) {
        let Some(view) = self.session.room() else { return };
        let Some(numbered) = &view.state.game else { return };
        let (board, standing) = (board::text(numbered.game.board()), words::standing(view));
        self.text.push_str(&board);
        self.say(&standing);
        if let Some(view) = self.session.room()
            && let Some(ms) = view.state.settings.move_time_ms
            && view.my_turn().is_some()
        {
            let time = words::clock(std::time::Duration::from_millis(u64::from(ms)));
            self.say(&format!("You have {time} for a move."));
        }
    }

    fn event(&mut self, event: &Event, before: Option<&noughts_protocol::Seat>) {
        let Some(view) = self.session.room() else { return };
        let said = words::event(view, event, before);
        let (running, score) = (view.state.is_running(), words::score(view));
        let may_rematch = view.may_rematch();
        if let Some(said) = said {
            self.say(&said);
        }
        match event {
            Event::GameStarted { .. } => self.show_board(),
            Event::Moved { .. } if running => self.show_board(),
            // The result itself is said by the next event.
            Event::Moved { .. } => {
                let board = self.session.room().and_then(|view| view.state.game.as_ref());
                let text = board.map(|numbered| board::text(numbered.game.board()));
                self.text.push_str(&text.unwrap_or_default());
            }
            Event::GameOver { .. } => {
                self.say(&format!("Score: {score}."));
                if may_rematch {
                    self.say("Type rematch to play again, or quit.");
                }
            }
            Event::Rematch { offered: true, mark } => {
                if self
                    .session
                    .room()
                    .is_some_and(|view| !view.is_watching() && !view.mine.contains(mark))
                {
                    self.say("Type rematch to accept.");
                }
            }
            Event::Rematch { offered: false, .. } => self.rematch_after = None,
            Event::Presence { .. }
                if self.session.room().is_some_and(|v| v.is_playing() && v.away().is_some()) =>
            {
                self.say("Type claim then, to win, or claim draw.");
            }
            _ => {}
        }
    }

    fn show_lobby(&mut self, lobby: Lobby) {
        if self.session.room().is_some() || self.lobby.as_ref() == Some(&lobby) {
            return;
        }
        let rooms = lobby.waiting.iter().chain(&lobby.playing).count();
        let mut number = 0;
        for (title, list) in
            [("Rooms with a free seat:", &lobby.waiting), ("Games to watch:", &lobby.playing)]
        {
            if list.is_empty() {
                continue;
            }
            self.say(title);
            for room in list {
                number += 1;
                self.say(&format!("{number:>3}. {}", words::summary(room)));
            }
        }
        if lobby.more > 0 {
            self.say(&format!("...and {} more.", lobby.more));
        }
        if rooms == 0 {
            self.say("There are no public rooms at the moment.");
        }
        if self.goal == Goal::Rooms {
            self.exit = Some(Exit::Done);
        } else {
            self.say("Type a number or a code to watch, or quit.");
        }
        self.lobby = Some(lobby);
    }

    /// Takes a typed line.
    pub(super) fn line(&mut self, line: String) {
        self.interrupted = false;
        let line = noughts_protocol::DisplayText::from(line).to_string();
        self.held = Some(Command::parse(&line));
        self.use_held();
    }

    /// Takes the end of input.
    pub(super) fn end_of_input(&mut self) {
        self.ended = true;
        if self.goal == Goal::Lobby && self.session.room().is_none() {
            self.exit = Some(Exit::Done);
        }
    }

    /// Takes Ctrl-C: once it asks when a game is running, twice it goes.
    pub(super) fn interrupt(&mut self) {
        let playing = self.session.room().is_some_and(RoomView::is_playing);
        if playing && !self.interrupted {
            self.interrupted = true;
            self.say("A game is running. Ctrl-C again goes and keeps your seat; quit resigns.");
        } else {
            self.exit = Some(Exit::Done);
        }
    }

    fn use_held(&mut self) {
        if let Some(command) = self.held.take_if(|_| true) {
            if self.must_wait(&command) {
                self.held = Some(command);
            } else {
                self.command(command);
            }
        }
    }

    /// Whether a script's line is early: the room, the turn or an answer is still to come.
    fn must_wait(&self, command: &Command) -> bool {
        let Some(view) = self.session.room() else {
            // Until there is a room, only a choice from the lobby or giving up makes sense.
            let choosing = self.goal == Goal::Lobby && self.lobby.is_some();
            return !choosing
                && !matches!(command, Command::Help | Command::Nothing)
                && (self.patient
                    && !(*command == Command::Quit
                        && self.session.is_settled()
                        && matches!(self.goal, Goal::Quick { .. })));
        };
        if !self.patient || view.is_watching() {
            return false;
        }
        let running = view.state.is_running();
        let number = view.state.game.as_ref().map(|numbered| numbered.number);
        let announced = view.ended == number;
        let another = number.is_some() && self.rematch_after == number;
        let unsettled = !self.session.is_settled() || self.session.move_on_its_way();
        match command {
            Command::Nothing | Command::Help | Command::Board => unsettled,
            Command::Quit => unsettled || (!running && number.is_some() && !announced),
            Command::Claim(_) => unsettled,
            Command::Resign => unsettled || number.is_none() || another,
            Command::Rematch => unsettled || running || number.is_none() || !announced,
            Command::Cell(_) if running => unsettled || view.my_turn().is_none(),
            Command::Cell(_) => unsettled || number.is_none() || another || !announced,
        }
    }

    fn command(&mut self, command: Command) {
        let nothing = match command {
            Command::Nothing => None,
            Command::Help => {
                self.text.push_str(HELP);
                None
            }
            Command::Board => {
                self.show_board();
                None
            }
            Command::Quit => {
                self.quit();
                None
            }
            Command::Cell(text) => {
                self.cell(&text);
                None
            }
            Command::Resign => {
                self.try_send(Session::resign, "there is no running game of yours to resign")
            }
            Command::Rematch => self.rematch(),
            Command::Claim(result) => self.try_send(
                |session| session.claim(result),
                "there is nothing to claim: your opponent is here, or no game is running",
            ),
        };
        if let Some(why) = nothing {
            self.say(why);
        }
    }

    fn try_send(
        &mut self,
        make: impl FnOnce(&mut Session) -> Option<ClientMessage>,
        otherwise: &'static str,
    ) -> Option<&'static str> {
        let intent = make(&mut self.session);
        let nothing = intent.is_none().then_some(otherwise);
        self.intents.extend(intent);
        nothing
    }

    fn rematch(&mut self) -> Option<&'static str> {
        let game = self.session.room().and_then(|view| view.state.game.as_ref()).map(|g| g.number);
        let offered = self.session.room().is_some_and(RoomView::i_offer);
        let nothing = self.try_send(
            Session::rematch,
            "a rematch is for when a game of yours is over: finish or resign this one first",
        );
        if nothing.is_none() {
            self.rematch_after = game.filter(|_| !offered);
        }
        nothing
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
            Err(NoMove::Illegal(illegal)) => self.say(&illegal.to_string()),
            Err(other) => self.say(&other.to_string()),
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

/// Who sits, or will sit, opposite.
fn opponent(view: &RoomView, mark: noughts_protocol::Mark) -> String {
    match view.state.seats[mark] {
        noughts_protocol::Seat::Open => "whoever joins".to_owned(),
        _ => words::who(view, mark),
    }
}

#[cfg(test)]
mod tests;
