//! What is said about what happens.

use std::time::Duration;

use noughts_protocol::{
    ClientMessage, Event, Mark, Presence, Refusal, RefusalCode, Review, Role, Seat,
};

use super::Game;
use crate::goal::Goal;
use crate::plain::board;
use crate::session::{Lobby, Notice, RoomView};
use crate::start::Exit;
use crate::words;

impl Game {
    pub(super) fn notice(&mut self, notice: Notice) {
        match notice {
            Notice::Welcome(welcome, true) => {
                self.friends = self.server.for_friends(&welcome.server);
                let (name, server) = (&welcome.name, &self.server);
                if self.goal != Goal::Rooms {
                    self.say(&format!("You are {name}, connected to {server}."));
                }
                let goal = self.goal.clone();
                self.intents.extend(self.session.begin(&goal));
            }
            Notice::Welcome(..) => self.say("Connected again."),
            Notice::Entered => self.entered(),
            Notice::Refreshed => {
                self.ending = self.ending && self.session.room().is_some_and(RoomView::is_playing);
                self.show_board();
            }
            Notice::Event { event, before } => {
                // A hint does not follow once the game has moved on.
                let moves = matches!(event, Event::Moved { .. } | Event::GameOver { .. });
                self.lesson_due &= !moves;
                self.event(&event, before.as_ref());
            }
            Notice::Hint => {
                self.lesson_due = false;
                self.show_thoughts();
            }
            Notice::Evaluation => self.show_thoughts(),
            Notice::Review(review) => self.show_review(&review),
            Notice::Lobby(lobby) => self.show_lobby(lobby),
            Notice::Refused(intent, refusal) => self.refused(&intent, &refusal),
            Notice::Applied(ClientMessage::QuickMatch { .. }) => {
                self.say("Looking for somebody to play with. Type quit to stop.");
            }
            Notice::Applied(_) => {}
            Notice::Lost(reason) => {
                // A lesson that was granted before the break does not come after it.
                self.lesson_due = false;
                self.say(&format!("The connection broke ({reason}): reconnecting..."));
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
            ClientMessage::Resign { .. } | ClientMessage::Claim { .. } => {
                self.ending = false;
                self.say(&refusal.to_string());
            }
            ClientMessage::Rematch { .. } => {
                self.rematch_after = None;
                self.say(&refusal.to_string());
            }
            ClientMessage::Hint { .. } | ClientMessage::Review { .. } => {
                self.lesson_due = false;
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
            let server = self.friends.clone();
            self.say("Waiting for a friend, who types:");
            self.say(&format!("  noughts play {code} --server {server}"));
            if server.is_local() {
                self.say("(from elsewhere, with this machine's own address)");
            }
        }
        self.show_board();
    }

    pub(super) fn show_board(&mut self) {
        let Some(view) = self.session.room() else { return };
        let Some(numbered) = &view.state.game else { return };
        let (board, standing) = (board::text(numbered.game.board()), words::standing(view));
        self.text.push_str(&board);
        self.say(&standing);
        self.say_how_to_choose();
        if let Some(view) = self.session.room()
            && let Some(ms) = view.state.settings.move_time_ms
            && view.my_turn().is_some()
        {
            let time = words::clock(Duration::from_millis(u64::from(ms)));
            self.say(&format!("You have {time} for a move."));
        }
    }

    fn say_how_to_choose(&mut self) {
        match self.session.room().and_then(RoomView::my_choice) {
            Some(true) => self.say("Type choose x, choose o or choose add."),
            Some(false) => self.say("Type choose x or choose o."),
            None => {}
        }
    }

    fn event(&mut self, event: &Event, before: Option<&Seat>) {
        let Some(view) = self.session.room() else { return };
        let said = words::event(view, event, before);
        // The board is shown with what the opening asks for, which the next event tells.
        let follows = view.opening_follows();
        let then = what_next(view, event);
        let game = view.state.game.as_ref();
        // The board after the last move stands before the result, which the next event tells.
        let last = matches!(event, Event::Moved { .. }) && !view.state.is_running();
        let last_board = game.filter(|_| last).map(|numbered| board::text(numbered.game.board()));
        if let Some(said) = said {
            self.say(&said);
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
        for line in then {
            self.say(&line);
        }
    }

    /// Says the hint or the evaluation of the position that has come.
    fn show_thoughts(&mut self) {
        let Some(view) = self.session.room() else { return };
        let said = match (view.hint(), view.evaluation()) {
            (Some(hint), _) => words::lessons::hint(view.state.settings.board, hint),
            (None, Some(told)) => words::lessons::evaluation(told).to_owned(),
            (None, None) => return,
        };
        self.say(&said);
    }

    fn show_review(&mut self, review: &Review) {
        self.lesson_due = false;
        let Some(view) = self.session.room() else { return };
        let spec = view.state.settings.board;
        self.say(&format!("Review of game {}:", review.game));
        for made in &review.moves {
            let (mark, label) = (words::lessons::mover(review, made.ply), spec.label(made.cell));
            let verdict = words::lessons::verdict(made);
            let place = u32::from(made.ply) + 1;
            self.say(&format!("{place:>3}. {mark} {label}  {verdict}"));
        }
        self.say(&words::lessons::summary(review));
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
}

/// Who sits, or will sit, opposite.
fn opponent(view: &RoomView, mark: Mark) -> String {
    match view.state.seats[mark] {
        Seat::Open => "whoever joins".to_owned(),
        _ => words::who(view, mark),
    }
}

/// What is said after an event: the score, and what may be typed now.
fn what_next(view: &RoomView, event: &Event) -> Vec<String> {
    match event {
        Event::GameOver { .. } => {
            let mut lines = vec![format!("Score: {}.", words::score(view))];
            if view.may_rematch() {
                lines.push("Type rematch to play again, or quit.".to_owned());
            }
            lines
        }
        Event::Rematch { offered: true, mark }
            if !view.is_watching() && !view.mine.contains(mark) =>
        {
            vec!["Type rematch to accept.".to_owned()]
        }
        Event::Presence { .. } if view.is_playing() && view.away().is_some() => {
            let when = match event {
                Event::Presence { presence: Presence::Away { claim_in_ms }, .. } => {
                    let left = words::clock(Duration::from_millis(u64::from(*claim_in_ms)));
                    format!("in {left}")
                }
                _ => "now".to_owned(),
            };
            vec![format!("You may claim the game {when}: type claim, or claim draw.")]
        }
        _ => Vec::new(),
    }
}
