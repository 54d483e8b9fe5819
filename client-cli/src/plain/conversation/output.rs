//! The texts that plain mode prints about events.

use std::time::Duration;

use noughts_protocol::{
    ByMark, CHAT_LINES, ChatLine, ClientMessage, Event, LobbyIntent, Mark, PartyRole, Refusal,
    RefusalCode, Role, Seat, SeatPresence,
};

use super::Conversation;
use crate::client::Exit;
use crate::core::{Action, Happening, PresenceChange, RoomView};
use crate::plain::board;
use crate::strings;

impl Conversation {
    pub(super) fn show(&mut self, happening: Happening) {
        match happening {
            Happening::Welcome { welcome, first: true } => {
                self.share_address = self.server.share_address(&welcome.server);
                let (name, server) = (&welcome.name, &self.server);
                if self.action != Action::Rooms {
                    self.print(&format!("You are {name}, connected to {server}."));
                }
                self.action.intent().into_iter().for_each(|intent| self.ask(intent));
            }
            Happening::Welcome { .. } => {
                self.lost = false;
                self.print("Connected again.");
            }
            Happening::Entered => self.entered(),
            Happening::Refreshed => self.show_board(),
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
                self.print("Looking for an opponent. Type quit to stop.");
            }
            // Each failed try reports it again.
            Happening::Lost(reason) => {
                if !std::mem::replace(&mut self.lost, true) {
                    let reason = strings::break_reason(&reason);
                    self.print(&format!("The connection broke{reason}: reconnecting..."));
                }
            }
            Happening::Party => self.party_came(),
            Happening::PartyEvent(event) => self.party_event(&event),
            Happening::PartyPresence => self.ask_if_ready(),
            Happening::PlacePass(entrant, pass) => self.place_pass(entrant, &pass),
            Happening::PartyLost(party, refusal) => {
                let why = format!("party {party} could not be followed again: {refusal}");
                self.exit = Some(Exit::Lost(why));
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
            // The party goes on.
            Happening::Closed(_) | Happening::RoomLost(..) if self.session.party().is_some() => {}
            Happening::Closed(reason) => {
                self.print(strings::close_reason(reason));
                self.exit = Some(Exit::Done);
            }
            Happening::RoomLost(room, refusal) => {
                let why = strings::room_lost(room, &refusal);
                self.exit = Some(Exit::Lost(format!("the room could not be entered again: {why}")));
            }
            Happening::Ended(why) => self.exit = Some(Exit::Lost(why.to_string())),
            // The loop asks for the password.
            other => strings::problem(&other).into_iter().for_each(|text| self.print(&text)),
        }
    }

    fn refused(&mut self, message: &ClientMessage, refusal: &Refusal) {
        match message {
            ClientMessage::Lobby {
                intent: LobbyIntent::Join { room, role: Role::Player }, ..
            } if refusal.code == RefusalCode::SeatsTaken => {
                let why =
                    format!("{refusal}. To watch: noughts watch {room} --server {}", self.server);
                self.exit = Some(Exit::Refused(why));
            }
            ClientMessage::Lobby {
                intent:
                    LobbyIntent::Create { .. }
                    | LobbyIntent::QuickMatch { .. }
                    | LobbyIntent::Join { .. }
                    | LobbyIntent::CreateParty { .. }
                    | LobbyIntent::JoinParty { .. },
                ..
            } if self.session.party().is_none() => {
                self.exit = Some(Exit::Refused(refusal.to_string()));
            }
            ClientMessage::Lobby { intent: LobbyIntent::WatchLobby, .. }
                if self.action == Action::Rooms =>
            {
                self.exit = Some(Exit::Refused(refusal.to_string()));
            }
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
        let at_table = self.is_at_table();
        let open = view.state.game.is_none() && !view.is_watching() && !at_table;
        self.print(&format!("Room {code}: {rules}. {role}"));
        self.table_line().into_iter().for_each(|line| self.print(&line));
        let rated = self.session.room().and_then(strings::ratings::told);
        rated.into_iter().for_each(|line| self.print(&line));
        if open {
            let server = self.share_address.clone();
            self.print("Waiting for a friend, who types:");
            self.print(&format!("  noughts play {code} --server {server}"));
            if server.is_local() {
                self.print("(On another machine, use this machine's address.)");
            }
        }
        if self.session.room().is_some_and(RoomView::may_pace) {
            self.print("Type pause, step, go, slow or fast.");
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

    fn event(&mut self, event: &Event, before: &ByMark<Seat>) {
        let Some(view) = self.session.room() else { return };
        let text = strings::event_text(view, event, before);
        let end = strings::end_text(view, event).map(|result| end_lines(view, result));
        let board = view.state.game.as_ref().map(|numbered| board::text(numbered.game.board()));
        text.iter().for_each(|text| self.print(text));
        match (event, end) {
            (_, Some(lines)) => {
                if matches!(event, Event::Moved { .. }) {
                    self.text.push_str(&board.unwrap_or_default());
                }
                lines.iter().for_each(|line| self.print(line));
            }
            (Event::GameStarted { .. } | Event::Moved { .. } | Event::Chosen { .. }, None) => {
                self.show_board();
            }
            _ => {}
        }
    }

    /// Prints a change of what passes, and what to type now.
    fn presence_change(&mut self, change: &PresenceChange) {
        let Some(view) = self.session.room() else { return };
        let text = strings::presence_text(view, change);
        let opponents = |mark| !view.is_watching() && !view.mine.contains(&mark);
        let advice = match *change {
            PresenceChange::Rematch { mark, offered: true, .. } if opponents(mark) => {
                Some("Type rematch to accept.".to_owned())
            }
            PresenceChange::Seat { mark, presence } if view.is_playing() && opponents(mark) => {
                claim_advice(presence)
            }
            _ => None,
        };
        text.iter().chain(&advice).for_each(|line| self.print(line));
    }

    /// Prints what people say, with the speaker first. A line that comes again, after an unmute, is not
    /// printed twice; one that was said before others says so.
    fn heard(&mut self, lines: &[ChatLine]) {
        let Some(view) = self.session.room() else { return };
        let host = self.session.host_here();
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
            self.print(&line);
        }
        // The server keeps no more.
        let many = self.heard.len().saturating_sub(2 * CHAT_LINES);
        self.heard.drain(..many);
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

    fn show_review(&mut self) {
        let Some(view) = self.session.room() else { return };
        let Some(review) = &view.review else { return };
        let spec = view.state.settings.board;
        let mut lines = vec![format!("Review of game {}:", review.game)];
        for made in &review.moves {
            let (mark, label) =
                (strings::analysis::player_at(review, made.ply), spec.label(made.cell));
            let verdict = strings::analysis::verdict(made);
            let better = made.best.map(|cell| format!("; {} was better", spec.label(cell)));
            let better = better.unwrap_or_default();
            let place = u32::from(made.ply) + 1;
            lines.push(format!("{place:>3}. {mark} {label}  {verdict}{better}"));
        }
        let end = strings::analysis::end_without_a_move(view, review);
        lines.extend(end.map(|end| format!("     {end}")));
        lines.push(strings::analysis::summary(view, review));
        self.print(&lines.join("\n"));
    }

    fn show_lobby(&mut self) {
        let Some(lobby) = self.session.lobby().filter(|_| self.session.room().is_none()) else {
            return;
        };
        let (mut lines, mut number) = (Vec::new(), 0);
        for (title, list) in
            [("Rooms with a free seat:", &lobby.waiting), ("Games to watch:", &lobby.playing)]
        {
            lines.extend((!list.is_empty()).then(|| title.to_owned()));
            for room in list {
                number += 1;
                lines.push(format!("{number:>3}. {}", strings::room_summary(room)));
            }
        }
        if lobby.more > 0 {
            lines.push(format!("...and {} more.", lobby.more));
        }
        if number == 0 {
            lines.push("There are no public rooms at the moment.".to_owned());
        }
        if self.action == Action::Rooms {
            self.exit = Some(Exit::Done);
        } else {
            lines.push("Type a number or a code to watch, or type quit.".to_owned());
        }
        self.print(&lines.join("\n"));
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
fn end_lines(view: &RoomView, result: String) -> Vec<String> {
    let mut lines = vec![result, format!("Score: {}.", strings::score_text(view))];
    lines.extend(strings::series_text(view));
    let kept = view.state.game.as_ref().and_then(|numbered| numbered.id);
    lines.extend(kept.map(|id| format!("To look at it again: noughts replay {id}")));
    if view.may_rematch() {
        let decided = view.state.series.winner(view.state.score).is_some();
        let again = if decided { "for the next series" } else { "to play again" };
        lines.push(format!("Type rematch {again}, or type quit."));
    }
    lines
}

/// When the game may be claimed against an opponent who is away.
fn claim_advice(presence: SeatPresence) -> Option<String> {
    let when = match presence {
        SeatPresence::Connected => return None,
        SeatPresence::Away { claim_in_ms } => {
            format!("in {}", strings::clock(Duration::from_millis(u64::from(claim_in_ms))))
        }
        SeatPresence::Gone => "now".to_owned(),
    };
    Some(format!("You may claim the game {when}: type claim, or claim draw."))
}
