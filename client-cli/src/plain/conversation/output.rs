//! The texts that plain mode prints about events.

use std::time::Duration;

use noughts_protocol::{
    ClientMessage, Event, Mark, Presence, Refusal, RefusalCode, Review, Role, Seat,
};

use super::Conversation;
use crate::client::Exit;
use crate::core::Action;
use crate::core::{Lobby, RoomView, SessionEvent};
use crate::plain::board;
use crate::strings;

impl Conversation {
    pub(super) fn on_session_event(&mut self, session_event: SessionEvent) {
        match session_event {
            SessionEvent::Welcome(welcome, true) => {
                self.share_address = self.server.share_address(&welcome.server);
                let (name, server) = (&welcome.name, &self.server);
                if self.action != Action::Rooms {
                    self.print(&format!("You are {name}, connected to {server}."));
                }
                let action = self.action.clone();
                self.intents.extend(self.session.begin(&action));
            }
            SessionEvent::Welcome(..) => self.print("Connected again."),
            SessionEvent::Entered => self.entered(),
            SessionEvent::Refreshed => {
                self.ending = self.ending && self.session.room().is_some_and(RoomView::is_playing);
                self.show_board();
            }
            SessionEvent::Event { event, before } => {
                // After a move there will be no hint.
                let moves = matches!(event, Event::Moved { .. } | Event::GameOver { .. });
                self.analysis_pending &= !moves;
                self.event(&event, before.as_ref());
            }
            SessionEvent::Hint => {
                self.analysis_pending = false;
                self.show_analysis();
            }
            SessionEvent::Evaluation => self.show_analysis(),
            SessionEvent::Review(review) => self.show_review(&review),
            SessionEvent::Lobby(lobby) => self.show_lobby(lobby),
            SessionEvent::Refused(intent, refusal) => self.refused(&intent, &refusal),
            SessionEvent::Applied(ClientMessage::QuickMatch { .. }) => {
                self.print("Looking for an opponent. Type quit to stop.");
            }
            SessionEvent::Applied(_) => {}
            SessionEvent::Lost(reason) => {
                // An awaited hint or review does not come after a break.
                self.analysis_pending = false;
                self.print(&format!("The connection broke ({reason}): reconnecting..."));
            }
            SessionEvent::Closed(reason) => {
                self.print(strings::close_reason(reason));
                self.exit = Some(Exit::Done);
            }
            SessionEvent::RoomLost(why) => {
                self.exit = Some(Exit::Lost(format!("the room could not be entered again: {why}")));
            }
            SessionEvent::ServerError(text) => self.print(&text),
            SessionEvent::Ended(why) => self.exit = Some(Exit::Lost(why)),
        }
    }

    fn refused(&mut self, intent: &ClientMessage, refusal: &Refusal) {
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
            ClientMessage::WatchLobby { .. } if self.action == Action::Rooms => {
                self.exit = Some(Exit::Refused(refusal.to_string()));
            }
            ClientMessage::Resign { .. } | ClientMessage::Claim { .. } => {
                self.ending = false;
                self.print(&refusal.to_string());
            }
            ClientMessage::Rematch { .. } => {
                self.rematch_after = None;
                self.print(&refusal.to_string());
            }
            ClientMessage::Hint { .. } | ClientMessage::Review { .. } => {
                self.analysis_pending = false;
                self.print(&refusal.to_string());
            }
            ClientMessage::Leave { .. } | ClientMessage::Sync { .. } => {}
            _ => self.print(&refusal.to_string()),
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
        let rules = strings::rules(&view.state.settings);
        let open = view.state.game.is_none() && !view.is_watching();
        self.print(&format!("Room {code}: {rules}. {role}"));
        if open {
            let server = self.share_address.clone();
            self.print("Waiting for a friend, who types:");
            self.print(&format!("  noughts play {code} --server {server}"));
            if server.is_local() {
                self.print("(On another machine, use this machine's address.)");
            }
        }
        self.show_board();
    }

    pub(super) fn show_board(&mut self) {
        let Some(view) = self.session.room() else { return };
        let Some(numbered) = &view.state.game else { return };
        let (board, status) = (board::text(numbered.game.board()), strings::status(view));
        self.text.push_str(&board);
        self.print(&status);
        self.print_choices();
        if let Some(view) = self.session.room()
            && let Some(ms) = view.state.settings.move_time_ms
            && view.my_turn().is_some()
        {
            let time = strings::clock(Duration::from_millis(u64::from(ms)));
            self.print(&format!("You have {time} for a move."));
        }
    }

    fn print_choices(&mut self) {
        match self.session.room().and_then(RoomView::my_choice) {
            Some(true) => self.print("Type choose x, choose o or choose add."),
            Some(false) => self.print("Type choose x or choose o."),
            None => {}
        }
    }

    fn event(&mut self, event: &Event, before: Option<&Seat>) {
        let Some(view) = self.session.room() else { return };
        let text = strings::event_text(view, event, before);
        // The next event says what the opening asks for, and prints the board then.
        let follows = view.expects_opening_event();
        let follow_up = follow_up(view, event);
        let game = view.state.game.as_ref();
        // The board with the last move comes before the result, which is the next event.
        let last = matches!(event, Event::Moved { .. }) && !view.state.is_running();
        let last_board = game.filter(|_| last).map(|numbered| board::text(numbered.game.board()));
        if let Some(text) = text {
            self.print(&text);
        }
        match event {
            Event::GameStarted { .. } | Event::Moved { .. } if last || follows => {}
            Event::GameStarted { .. } | Event::Moved { .. } | Event::Opening { .. } => {
                self.show_board();
            }
            Event::GameOver { .. } => self.ending = false,
            Event::Rematch { offered: false, .. } => self.rematch_after = None,
            _ => {}
        }
        self.text.push_str(&last_board.unwrap_or_default());
        for line in follow_up {
            self.print(&line);
        }
    }

    /// Prints the hint or the evaluation of the current position.
    fn show_analysis(&mut self) {
        let Some(view) = self.session.room() else { return };
        let text = match (view.hint(), view.evaluation()) {
            (Some(hint), _) => strings::analysis::hint(view.state.settings.board, hint),
            (None, Some(evaluation)) => strings::analysis::evaluation(evaluation).to_owned(),
            (None, None) => return,
        };
        self.print(&text);
    }

    fn show_review(&mut self, review: &Review) {
        self.analysis_pending = false;
        let Some(view) = self.session.room() else { return };
        let spec = view.state.settings.board;
        self.print(&format!("Review of game {}:", review.game));
        for made in &review.moves {
            let (mark, label) =
                (strings::analysis::player_at(review, made.ply), spec.label(made.cell));
            let verdict = strings::analysis::verdict(made);
            let place = u32::from(made.ply) + 1;
            self.print(&format!("{place:>3}. {mark} {label}  {verdict}"));
        }
        self.print(&strings::analysis::summary(review));
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
            self.print(title);
            for room in list {
                number += 1;
                self.print(&format!("{number:>3}. {}", strings::room_summary(room)));
            }
        }
        if lobby.more > 0 {
            self.print(&format!("...and {} more.", lobby.more));
        }
        if rooms == 0 {
            self.print("There are no public rooms at the moment.");
        }
        if self.action == Action::Rooms {
            self.exit = Some(Exit::Done);
        } else {
            self.print("Type a number or a code to watch, or type quit.");
        }
        self.lobby = Some(lobby);
    }
}

/// The opponent's name, or "the player who joins" for an open seat.
fn opponent(view: &RoomView, mark: Mark) -> String {
    match view.state.seats[mark] {
        Seat::Open => "the player who joins".to_owned(),
        _ => strings::player_name(view, mark),
    }
}

/// The lines after an event: the score, and what to type now.
fn follow_up(view: &RoomView, event: &Event) -> Vec<String> {
    match event {
        Event::GameOver { .. } => {
            let mut lines = vec![format!("Score: {}.", strings::score_text(view))];
            if view.may_rematch() {
                lines.push("Type rematch to play again, or type quit.".to_owned());
            }
            lines
        }
        Event::Rematch { offered: true, mark }
            if !view.is_watching() && !view.mine.contains(mark) =>
        {
            vec!["Type rematch to accept.".to_owned()]
        }
        Event::Presence { .. } if view.is_playing() && view.away_opponent().is_some() => {
            let when = match event {
                Event::Presence { presence: Presence::Away { claim_in_ms }, .. } => {
                    let left = strings::clock(Duration::from_millis(u64::from(*claim_in_ms)));
                    format!("in {left}")
                }
                _ => "now".to_owned(),
            };
            vec![format!("You may claim the game {when}: type claim, or claim draw.")]
        }
        _ => Vec::new(),
    }
}
