//! Plain mode's view of a session: which typed lines may run now, what they do, and what is printed. It
//! is synchronous; the loop fetches the messages and the text.

use std::time::Duration;

use noughts_client::address::ServerAddress;
use noughts_client::session::{Happening, Intent, PresenceChange, RoomView};
use noughts_protocol::{
    ByMark, CHAT_LINES, ChatLine, ClientMessage, DisplayText, Event, LobbyIntent, Mark, PartyCode,
    PartyIntent, PartyRole, Refusal, RefusalCode, Role, RoomIntent, Seat, SeatPresence, Variant,
};

use super::board;
use super::command::party::HELP as PARTY_HELP;
use super::command::{HELP, LineCommand};
use crate::action::Action;
use crate::args::parse_room_of;
use crate::boards::Boards;
use crate::client::Exit;
use crate::console::Console;
use crate::strings;
use crate::talk::{MutedNames, Typed};
use crate::way_in::WayIn;

/// The conversation about one action.
pub(crate) struct PlainView {
    pub(crate) console: Console,
    action: Action,
    /// The server's address for friends.
    share_address: ServerAddress,
    /// Whether the input is a script: each line waits until it can be used.
    scripted: bool,
    /// The line that waits. The next line is read after it was used.
    held: Option<String>,
    /// Whether the input has ended.
    ended: bool,
    /// Whether the board is shown after each move.
    boards: bool,
    /// The last line, if it gives up a game: it does when it is typed again.
    asked: Option<LineCommand>,
    /// Whether Ctrl-C was pressed and nothing was typed since.
    interrupted: bool,
    /// The numbers of the last lines of talk that were printed.
    heard: Vec<u64>,
    /// Whether a spectator was told when the players hear what they say.
    told_later: bool,
    /// The names of muted people.
    muted: MutedNames,
    /// The party that was printed, and the pairing for which the player was asked to be ready.
    known_party: Option<PartyCode>,
    asked_ready: Option<u32>,
    /// How commands are typed.
    pub(super) way_in: WayIn,
    /// Whether the player quits and the answers are still awaited.
    pub(super) leaving: bool,
}

impl PlainView {
    pub(crate) fn new(
        action: Action,
        server: ServerAddress,
        first_id: u64,
        scripted: bool,
    ) -> Self {
        Self {
            share_address: server.clone(),
            console: Console::new(server, first_id),
            action,
            scripted,
            held: None,
            ended: false,
            boards: true,
            asked: None,
            interrupted: false,
            heard: Vec::new(),
            told_later: false,
            muted: MutedNames::default(),
            known_party: None,
            asked_ready: None,
            way_in: WayIn::default(),
            leaving: false,
        }
    }

    /// Whether to read another line. Input before the welcome may be the password.
    pub(crate) const fn wants_line(&self) -> bool {
        self.console.session.is_welcome() && self.held.is_none() && !self.ended && !self.leaving
    }

    /// The exit, if the conversation is over.
    pub(crate) fn exit(&self) -> Option<Exit> {
        if self.console.exit.is_some() {
            return self.console.exit.clone();
        }
        let done = self.console.session.is_settled()
            && (self.leaving || (self.ended && self.held.is_none() && !self.awaits_output()));
        done.then_some(Exit::Done)
    }

    /// Whether something is still to be printed after the end of input: the rest of a watched game,
    /// the room that was asked for, or a hint or a review.
    fn awaits_output(&self) -> bool {
        match self.console.session.room() {
            _ if self.console.session.awaits_analysis() || self.awaits_party() => true,
            _ if self.console.session.party().is_some() => false,
            Some(view) => view.is_watching(),
            None => self.console.session.lobby().is_none() && !self.action.is_quick_match(),
        }
    }

    /// Sends an intent, or prints why not.
    fn ask(&mut self, intent: impl Into<Intent>) {
        let problems = self.console.ask(intent);
        problems.iter().for_each(|problem| self.console.tell(problem));
    }

    /// Shows what happened in the session. Then the line that waits may be possible.
    pub(crate) fn happened(&mut self, happenings: Vec<Happening>) {
        happenings.into_iter().for_each(|happening| self.show(happening));
        self.use_held();
    }
}

impl PlainView {
    /// Handles a typed line.
    pub(crate) fn line(&mut self, line: String) {
        self.interrupted = false;
        self.held = Some(DisplayText::from(line).to_string());
        self.use_held();
    }

    /// Handles the end of input.
    pub(crate) fn end_of_input(&mut self) {
        self.ended = true;
    }

    /// Handles Ctrl-C: during a game the first one asks. Returns whether this one ends the program.
    pub(crate) fn interrupt(&mut self) -> bool {
        let playing = self.console.session.room().is_some_and(RoomView::is_playing);
        let asks = playing && !self.interrupted;
        if asks {
            self.interrupted = true;
            self.console.print(
                "A game is running. Press Ctrl-C again to leave and keep your seat; type quit to \
                 resign.",
            );
        }
        !asks
    }

    fn use_held(&mut self) {
        let Some(line) = self.held.take() else { return };
        let command = LineCommand::parse(&line, &self.console.session);
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
        if self.console.session.party().is_some() || self.console.session.awaits_party() {
            return self.waits_in_party(command);
        }
        let Some(view) = self.console.session.room() else {
            // Before there is a room, the player can only choose from the lobby or quit.
            let choosing = self.action == Action::Lobby && self.console.session.lobby().is_some();
            let in_queue = self.action.is_quick_match() && self.console.session.is_settled();
            let cancels = in_queue && *command == LineCommand::Quit;
            let at_once = [LineCommand::Help, LineCommand::Accept].contains(command);
            return !choosing && !cancels && !at_once;
        };
        if view.is_watching() {
            return false;
        }
        if self.console.session.awaits_analysis() || !self.console.session.is_settled() {
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

    /// Asks before a person gives up a game. Returns whether the command is to be typed again.
    fn asks_first(&mut self, command: &LineCommand) -> bool {
        let again = self.asked.take().as_ref() == Some(command);
        let playing = self.console.session.room().is_some_and(RoomView::is_playing);
        let question = match command {
            LineCommand::Intent(RoomIntent::Resign { .. }) => "Type resign again to resign.",
            LineCommand::Quit => {
                "Type quit again to resign and leave. Ctrl-D leaves and keeps your seat."
            }
            _ => return false,
        };
        if self.scripted || again || !playing {
            return false;
        }
        self.console.print(question);
        self.asked = Some(command.clone());
        true
    }

    fn command(&mut self, command: LineCommand) {
        if self.asks_first(&command) {
            return;
        }
        match command {
            LineCommand::Nothing => {}
            LineCommand::Help => {
                self.console.print_lines(HELP);
                if self.console.session.party().is_some() {
                    self.console.print_lines(PARTY_HELP);
                }
            }
            LineCommand::Party(line) => self.party_line(line),
            LineCommand::Board => {
                let game = self.console.session.room().and_then(|view| view.state.game.as_ref());
                let words = game.filter(|_| !self.boards).map(|one| board::in_words(&one.game));
                words.into_iter().for_each(|words| self.console.print(&words));
                self.show_board();
            }
            LineCommand::Boards(shown) => {
                self.boards = shown;
                self.console.print(if shown {
                    "The board is shown after each move."
                } else {
                    "The board is shown no more. Type board to hear it."
                });
            }
            LineCommand::Rules => {
                let settings = self.console.session.room().map(|view| view.state.settings);
                let notes = settings.map(|settings| strings::variant::notes(&settings));
                notes.into_iter().flatten().for_each(|note| self.console.print(&note));
            }
            LineCommand::Wrong(why) => self.console.print(&why),
            LineCommand::Accept => self.accept(),
            LineCommand::Quit => self.quit(),
            LineCommand::Cell(text) => self.cell(&text),
            LineCommand::Intent(intent) => self.ask(intent),
            LineCommand::Talk(typed) => self.talk(typed),
        }
    }

    fn talk(&mut self, typed: Typed) {
        let Some(view) = self.console.session.room() else {
            return self.console.print("you are in no room yet");
        };
        match typed {
            Typed::Say(said) => {
                let later = strings::talk::is_heard_later(view);
                self.ask(RoomIntent::Say { said });
                if later && !std::mem::replace(&mut self.told_later, true) {
                    self.console.print(strings::talk::HEARD_LATER);
                }
            }
            Typed::Mute { name, mute } => match self.muted.intent(view, &name, mute) {
                Ok((intent, name)) => {
                    self.ask(intent);
                    self.console.print(&strings::talk::muted(&name, mute));
                }
                Err(why) => self.console.print(&why),
            },
            Typed::UnmuteAll => {
                let intents = self.muted.unmute_all(view);
                intents.into_iter().for_each(|intent| self.ask(intent));
                self.console.print("You hear everybody.");
            }
        }
    }

    fn accept(&mut self) {
        match self.console.session.take_challenge(self.console.now) {
            Some(room) => self.ask(LobbyIntent::Join { room, role: Role::Player }),
            None => self.console.print("nobody asks you to play now"),
        }
    }

    fn quit(&mut self) {
        if self.console.session.room().is_none() && self.action.is_quick_match() {
            self.ask(LobbyIntent::CancelMatch);
        }
        if self.console.session.room().is_some() {
            self.ask(RoomIntent::Leave);
        }
        if self.console.session.party().is_some() {
            self.ask(PartyIntent::LeaveParty);
        }
        self.leaving = true;
    }

    fn cell(&mut self, text: &str) {
        let Some(view) = self.console.session.room() else { return self.choose(text) };
        match view.read_move(text) {
            Ok((cell, placed)) => self.ask(self.console.session.move_to(cell, placed)),
            Err(error) => self.console.print(&format!("{error}; or type help")),
        }
    }

    /// Enters a room of the lobby, by its number in the list or its code.
    fn choose(&mut self, text: &str) {
        if self.console.session.party().is_some() {
            return self
                .console
                .print("you are at no table: type party to see what goes on, or help");
        }
        let Some(lobby) = self.console.session.lobby().filter(|_| self.action == Action::Lobby)
        else {
            return self.console.print("you are in no room yet: wait, or type quit");
        };
        // As at a question of the menu.
        if text.eq_ignore_ascii_case("back") {
            return self.quit();
        }
        let mut rooms = lobby.waiting.iter().chain(&lobby.playing);
        let chosen = match text.parse::<usize>() {
            Ok(number) => number.checked_sub(1).and_then(|place| rooms.nth(place)).map(|r| r.room),
            Err(_) => parse_room_of(&self.console.server, text).ok(),
        };
        match chosen {
            Some(room) => self.ask(LobbyIntent::Join { room, role: Role::Spectator }),
            None => {
                self.console.print("type the number of a room in the list, a room code, or quit");
            }
        }
    }
}

impl PlainView {
    fn show(&mut self, happening: Happening) {
        match happening {
            Happening::Welcome { ref welcome, first: true } => {
                self.share_address = self.console.server.share_address(&welcome.server);
                if self.action != Action::Rooms {
                    self.console.tell(&happening);
                }
                self.action.intent().into_iter().for_each(|intent| self.ask(intent));
            }
            Happening::Entered => self.entered(),
            Happening::Refreshed => {
                let last = self.console.session.room().and_then(strings::last_move);
                last.into_iter().for_each(|last| self.console.print(&last));
                self.show_board();
            }
            Happening::Event { event, before } => self.event(&event, &before),
            Happening::Presence(changes) => {
                changes.iter().for_each(|change| self.presence_change(change));
            }
            Happening::Chat(lines) => self.heard(&lines),
            Happening::Hint | Happening::Evaluation => self.show_analysis(),
            Happening::Review => self.show_review(),
            Happening::Lobby => self.show_lobby(),
            Happening::Refused(intent, refusal) => self.refused(&intent, &refusal),
            Happening::Applied(ClientMessage::Lobby {
                intent: LobbyIntent::QuickMatch { .. },
                ..
            }) => {
                self.console.print("Looking for an opponent. Type quit to stop.");
            }
            Happening::Party => self.party_came(),
            Happening::PartyEvent(event) => self.party_event(&event),
            Happening::PartyPresence => self.ask_if_ready(),
            Happening::PlacePass(entrant, pass) => self.place_pass(entrant, &pass),
            Happening::PartyLost(party, refusal) => {
                let why = format!("party {party} could not be followed again: {refusal}");
                self.console.exit = Some(Exit::Lost(why));
            }
            Happening::IsParty(party) => {
                let role = match self.action {
                    Action::Enter(LobbyIntent::Join { role: Role::Spectator, .. }) => {
                        PartyRole::Spectator
                    }
                    _ => PartyRole::Player,
                };
                self.ask(LobbyIntent::JoinParty { party, role });
            }
            Happening::Switched { now, .. } => {
                self.console.tell(&happening);
                let waits = self.console.session.room().is_none() && self.action.is_quick_match();
                self.leaving |= waits && !now.quick_match;
            }
            // The loop asks for the password.
            other => self.console.tell(&other),
        }
    }

    fn refused(&mut self, message: &ClientMessage, refusal: &Refusal) {
        let is_end = match message {
            // The player stays in this room.
            _ if self.console.session.room().is_some() => false,
            ClientMessage::Lobby { intent, .. } => match intent {
                LobbyIntent::Join { room, role: Role::Player }
                    if refusal.code == RefusalCode::SeatsTaken =>
                {
                    let command = format!("watch {room}");
                    let line = self.way_in.invitation(&command, &self.console.server);
                    let why = format!("{refusal}. To watch: {line}");
                    self.console.exit = Some(Exit::Refused(why));
                    return;
                }
                LobbyIntent::Create { .. }
                | LobbyIntent::QuickMatch { .. }
                | LobbyIntent::Join { .. }
                | LobbyIntent::CreateParty { .. }
                | LobbyIntent::JoinParty { .. } => self.console.session.party().is_none(),
                LobbyIntent::WatchLobby => self.action == Action::Rooms,
                _ => false,
            },
            _ => false,
        };
        if is_end {
            self.console.exit = Some(Exit::Refused(refusal.to_string()));
        } else {
            self.console.print(&refusal.to_string());
        }
    }

    fn entered(&mut self) {
        let Some(view) = self.console.session.room() else { return };
        let code = view.state.code;
        let variant = view.state.settings.variant;
        let role = match view.mine[..] {
            [] => "You are watching.".to_owned(),
            [mark] => {
                let side = strings::variant::role(view, mark);
                format!("You play {side} against {}.", opponent(view, mark.other()))
            }
            _ => "You play both sides.".to_owned(),
        };
        let rules = strings::rules(&view.state.settings);
        let at_table = self.console.session.is_at_table();
        let open = view.state.game.is_none() && !view.is_watching() && !at_table;
        self.console.print(&format!("Room {code}: {rules}. {role}"));
        self.table_line().into_iter().for_each(|line| self.console.print(&line));
        if variant != Variant::Line {
            self.console.print(strings::variant::sentence(variant));
            self.console.print("Type rules to read more.");
        }
        let rated = self.console.session.room().and_then(strings::ratings::told);
        rated.into_iter().for_each(|line| self.console.print(&line));
        if open {
            let server = self.share_address.clone();
            self.console.print("Waiting for a friend, who types:");
            let line = self.way_in.join_line("play", code, &server);
            self.console.print(&format!("  {line}"));
            if server.is_local() {
                self.console.print("(On another machine, use this machine's address.)");
            }
        }
        if self.console.session.room().is_some_and(RoomView::may_pace) {
            self.console.print("Type pause, step, go, slow or fast.");
        }
        self.show_board();
    }

    fn show_board(&mut self) {
        let Some(view) = self.console.session.room() else { return };
        let Some(numbered) = &view.state.game else { return };
        let board = board::text(&numbered.game, Boards::of_room(view));
        let status = strings::status(view);
        let may_play = strings::variant::may_play(view);
        if self.boards {
            self.console.print_lines(&board);
        }
        self.console.print(&status);
        may_play.into_iter().for_each(|line| self.console.print(&line));
        match self.console.session.room().and_then(RoomView::my_choice) {
            Some(true) => self.console.print("Type choose x, choose o or choose add."),
            Some(false) => self.console.print("Type choose x or choose o."),
            None => {}
        }
        if let Some(view) = self.console.session.room()
            && let Some(ms) = view.state.settings.move_time_ms
            && view.my_turn().is_some()
        {
            let time = strings::clock(Duration::from_millis(u64::from(ms)));
            self.console.print(&format!("You have {time} for a move."));
        }
    }

    fn event(&mut self, event: &Event, before: &ByMark<Seat>) {
        let Some(view) = self.console.session.room() else { return };
        let text = strings::event_text(view, event, before);
        let end = strings::end_text(view, event);
        let end = end.map(|result| end_lines(view, result, &self.way_in));
        let game = view.state.game.as_ref();
        let board = game.map(|numbered| board::text(&numbered.game, Boards::of_room(view)));
        text.iter().for_each(|text| self.console.print(text));
        if let Some(lines) = end {
            if self.boards && matches!(event, Event::Moved { .. }) {
                self.console.print_lines(&board.unwrap_or_default());
            }
            return lines.iter().for_each(|line| self.console.print(line));
        }
        match event {
            Event::GameStarted { .. }
            | Event::Moved { .. }
            | Event::TakenBack { .. }
            | Event::Chosen { .. } => self.show_board(),
            _ => {}
        }
    }

    /// Prints a change of the presence, and what to type now.
    fn presence_change(&mut self, change: &PresenceChange) {
        let Some(view) = self.console.session.room() else { return };
        let text = strings::presence_text(view, change);
        let opponents = |mark| !view.is_watching() && !view.mine.contains(&mark);
        let advice = match *change {
            PresenceChange::Rematch { mark, offered: true, .. } if opponents(mark) => {
                Some("Type rematch to accept, or rematch no.".to_owned())
            }
            PresenceChange::TakeBack { mark, asks: true } if opponents(mark) => {
                Some("Type undo to allow it, or undo no.".to_owned())
            }
            PresenceChange::Seat { mark, presence } if view.is_playing() && opponents(mark) => {
                claim_advice(view, mark, presence)
            }
            _ => None,
        };
        text.iter().chain(&advice).for_each(|line| self.console.print(line));
    }

    /// Prints what people say, with the speaker first. A line that comes again, after an unmute, is not
    /// printed twice; one that was said before others says so.
    fn heard(&mut self, lines: &[ChatLine]) {
        let Some(view) = self.console.session.room() else { return };
        let host = self.console.session.host_here();
        let newest = self.heard.iter().max().copied().unwrap_or_default();
        let fresh = lines.iter().filter(|line| !self.heard.contains(&line.n));
        let spoken: Vec<(u64, String)> = fresh
            .map(|line| {
                let earlier = if line.n < newest { "Earlier: " } else { "" };
                (line.n, format!("{earlier}{}", strings::talk::spoken(view, line, host)))
            })
            .collect();
        for (n, line) in spoken {
            self.heard.push(n);
            self.console.print(&line);
        }
        // The server keeps no more.
        let many = self.heard.len().saturating_sub(2 * CHAT_LINES);
        self.heard.drain(..many);
    }

    /// Prints the hint or the evaluation of the current position.
    fn show_analysis(&mut self) {
        let Some(view) = self.console.session.room() else { return };
        let text = match (view.hint(), view.evaluation()) {
            (Some(hint), _) => strings::analysis::hint(view, hint),
            (None, Some(evaluation)) => strings::analysis::evaluation(evaluation).to_owned(),
            (None, None) => return,
        };
        self.console.print(&text);
    }

    fn show_review(&mut self) {
        let Some(view) = self.console.session.room() else { return };
        let Some(review) = &view.review else { return };
        let placed = strings::analysis::placed(view, review);
        let mut lines = vec![format!("Review of game {}:", review.game)];
        for made in &review.moves {
            let mark = review.first.after(made.ply.into());
            let settings = &view.state.settings;
            let (label, better) = strings::analysis::labels(settings, made, mark, placed);
            let verdict = strings::analysis::verdict(made);
            let better = better.map(|cell| format!("; {cell} was better")).unwrap_or_default();
            let place = u32::from(made.ply) + 1;
            lines.push(format!("{place:>3}. {mark} {label}  {verdict}{better}"));
        }
        let end = strings::analysis::end_without_a_move(view, review);
        lines.extend(end.map(|end| format!("     {end}")));
        lines.push(strings::analysis::summary(view, review));
        self.console.print(&lines.join("\n"));
    }

    fn show_lobby(&mut self) {
        let Some(lobby) =
            self.console.session.lobby().filter(|_| self.console.session.room().is_none())
        else {
            return;
        };
        let mut number = 0;
        let mut lines = strings::public_rooms(lobby, |room| {
            number += 1;
            format!("{number:>3}. {}", strings::room_summary(room))
        });
        if self.action == Action::Rooms {
            self.console.exit = Some(Exit::Done);
        } else {
            lines.push("Type a number or a code to watch, or type quit.".to_owned());
        }
        self.console.print(&lines.join("\n"));
    }
}

/// The opponent's name, or "the player who joins" for an open seat.
fn opponent(view: &RoomView, mark: Mark) -> String {
    match view.state.seats[mark] {
        Seat::Open => "the player who joins".to_owned(),
        _ => strings::player_name(view, mark),
    }
}

/// The end of a game: the result, the score, and what to type now.
fn end_lines(view: &RoomView, result: String, way_in: &WayIn) -> Vec<String> {
    let result = result + &strings::result::in_a_row(view);
    let mut lines = vec![result, format!("Score: {}.", strings::score_text(view))];
    lines.extend(strings::series_text(view));
    let kept = view.state.game.as_ref().and_then(|numbered| numbered.id);
    lines.extend(kept.map(|id| {
        let command = way_in.command(&format!("replay {id}"));
        format!("To look at it again: {command}")
    }));
    if view.may_rematch() {
        let decided = view.state.series.winner(view.state.score).is_some();
        let again = if decided { "for the next series" } else { "to play again" };
        lines.push(format!("Type rematch {again}, or type quit."));
    }
    lines
}

/// When the game may be claimed against an opponent who is away.
fn claim_advice(view: &RoomView, mark: Mark, presence: SeatPresence) -> Option<String> {
    let when = match presence {
        SeatPresence::Connected => return None,
        SeatPresence::Away { .. }
            if view.claim_from(mark).is_some_and(|from| view.clock_ends_before(from)) =>
        {
            return Some("The clock of the move runs on.".to_owned());
        }
        SeatPresence::Away { claim_in_ms } => {
            format!("in {}", strings::clock(Duration::from_millis(u64::from(claim_in_ms))))
        }
        SeatPresence::Gone => "now".to_owned(),
    };
    Some(format!("You may claim the game {when}: type claim, or claim draw."))
}

mod party_view;
#[cfg(test)]
mod tests;
