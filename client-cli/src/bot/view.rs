//! How a program plays in a room and in a party: when it is asked for a move, what is done with its
//! answers, and what is printed. It is synchronous; the loop runs the program and fetches the messages
//! and the text.

use std::time::{Duration, Instant};

use noughts_client::address::ServerAddress;
use noughts_client::session::{Happening, Intent};
use noughts_protocol::{
    BoardSpec, ByMark, Cell, ChatMode, ClientMessage, Event, Game, LobbyIntent, Mark, Move,
    Opening, PartyCode, PartyEvent, PartyIntent, PartyPhase, PartyRole, Refusal, RefusalCode, Role,
    RoomCode, RoomIntent, Said, Seat, Variant,
};

use super::engine::{MoveTime, Outcome, Turn};
use crate::args::BotArgs;
use crate::client::Exit;
use crate::console::{Console, LEAVE_TIME};
use crate::strings;
use crate::strings::party::Party;

/// The marks in a row that win in games of the protocol.
const LINE: u8 = 5;
/// How often a rematch is offered or accepted after a game. The server may refuse it.
const MAX_OFFERS: u8 = 5;
/// How long it sends nothing of its own after the server has refused something as too much.
const QUIET_TIME: Duration = Duration::from_secs(1);
/// The words in the room before a program that failed resigns.
const APOLOGY: &str = "My program has failed, so I resign.";

/// How the program plays.
#[derive(Debug, Clone, Copy)]
pub(super) struct BotOptions {
    /// How long it thinks about a move.
    pub(super) time: Duration,
    /// How many games it plays.
    pub(super) games: u32,
    /// Whether it knows variants.
    pub(super) variants: bool,
}

impl From<&BotArgs> for BotOptions {
    fn from(args: &BotArgs) -> Self {
        let time = Duration::from_millis(args.move_time.into());
        Self { time, games: args.games, variants: args.variants }
    }
}

/// The task of the program.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum EngineRequest {
    /// Nothing new.
    Wait,
    /// Think about a move.
    Ask(Turn, MoveTime),
    /// Think no more: the move is not wanted any longer.
    Stop,
}

/// The room from the program's side.
pub(super) struct BotView {
    pub(super) console: Console,
    room: RoomCode,
    options: BotOptions,
    /// The game and the ply of the move that the program was asked for.
    asked: Option<(u32, u16)>,
    /// The last game for which a rematch was offered or accepted, and how often.
    offered: (u32, u8),
    /// The last game that was counted, and how many there were.
    counted: (u32, u32),
    /// Whether it has asked to play in the party.
    asks_to_play: bool,
    /// The last pairing that it was ready for, and when it said so.
    said_ready: Option<(u32, Instant)>,
    /// When it may send again, after the server has refused something as too much.
    pub(super) quiet_until: Option<Instant>,
    /// The leave that the server has refused, which is sent again then.
    refused_leave: Option<ClientMessage>,
    /// When the program ends, if the answers are still awaited, and how.
    leaving: Option<(Instant, Exit)>,
}

impl BotView {
    pub(super) fn new(
        room: RoomCode,
        server: ServerAddress,
        first_id: u64,
        options: BotOptions,
    ) -> Self {
        Self {
            console: Console::new(server, first_id),
            room,
            options,
            asked: None,
            offered: (0, 0),
            counted: (0, 0),
            asks_to_play: false,
            said_ready: None,
            quiet_until: None,
            refused_leave: None,
            leaving: None,
        }
    }

    /// When not to wait any longer for the answers at the end.
    pub(super) fn leave_by(&self) -> Option<Instant> {
        self.leaving.as_ref().map(|(by, _)| *by)
    }

    /// The exit, if everything is done.
    pub(super) fn exit(&self) -> Option<Exit> {
        let settled = self.leaving.is_some()
            && self.refused_leave.is_none()
            && self.console.session.is_settled();
        self.console.exit.clone().or_else(|| settled.then(|| self.left()))
    }

    /// The exit of a program that leaves, whether the server answers or not.
    pub(super) fn left(&self) -> Exit {
        self.leaving.as_ref().map_or(Exit::Done, |(_, exit)| exit.clone())
    }

    /// Takes in what happened in the session.
    pub(super) fn happened(&mut self, happenings: Vec<Happening>) {
        happenings.into_iter().for_each(|happening| self.show(happening));
    }

    /// Takes in what comes of the program.
    pub(super) fn engine(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Nothing => {}
            Outcome::Message(text) => self.console.print(&format!("The program says: {text}")),
            Outcome::StartedAgain(why) => {
                self.console.print(&format!("The program was started again: {why}."));
            }
            Outcome::Played(cell, mark) => self.played(cell, mark),
            Outcome::Failed(why) => self.fail(&why),
        }
    }

    /// The task of the program now.
    pub(super) fn request(&mut self) -> EngineRequest {
        self.quiet_until = self.quiet_until.filter(|until| self.console.now < *until);
        if self.quiet_until.is_some() {
            return EngineRequest::Wait;
        }
        self.console.messages.extend(self.refused_leave.take());
        self.go_on();
        let wanted = self.wanted();
        if wanted == self.asked {
            return EngineRequest::Wait;
        }
        if self.asked.take().is_some() {
            return EngineRequest::Stop;
        }
        let Some(view) = self.console.session.room().filter(|_| wanted.is_some()) else {
            return EngineRequest::Wait;
        };
        let Some(running) = view.state.running() else { return EngineRequest::Wait };
        let turn = Turn {
            board: running.game.spec(),
            variant: running.game.rules().variant,
            side: running.game.to_move(),
            placed: placed(&running.game),
            moves: running.game.moves().to_vec(),
        };
        let time = MoveTime { usual: self.options.time, ends: view.move_ends };
        self.asked = wanted;
        EngineRequest::Ask(turn, time)
    }

    /// The game and the ply of the move that is wanted.
    fn wanted(&self) -> Option<(u32, u16)> {
        let view = self.console.session.room().filter(|_| self.leaving.is_none())?;
        view.my_turn().filter(|_| !view.state.clock_stopped)?;
        if self.console.session.sent_move().is_some() || self.console.session.sent_resignation() {
            return None;
        }
        view.state.running().map(|running| (running.number, running.game.ply()))
    }

    fn played(&mut self, cell: Cell, placed: Option<Mark>) {
        // A program whose move comes too early is asked again.
        let may_send = self.quiet_until.is_none();
        let wanted = self.asked.take().filter(|asked| self.wanted() == Some(*asked) && may_send);
        let running = self.console.session.room().and_then(|view| view.state.running());
        let Some(game) = running.filter(|_| wanted.is_some()).map(|running| &running.game) else {
            return;
        };
        let chosen = Move { ply: game.ply(), mark: game.to_move(), cell, placed };
        match game.check(chosen) {
            Ok(()) => self.ask(self.console.session.move_to(cell, placed)),
            // It would be asked for ever.
            Err(why) => self.fail(&format!("its move is not legal: {why}")),
        }
    }

    /// The program cannot play on: it resigns and says why.
    fn fail(&mut self, why: &str) {
        self.asked = None;
        let text = format!("the program failed: {why}");
        let playing = self.console.session.room().is_some_and(|view| view.is_playing());
        if playing {
            let talks = self.console.session.room().map(|view| view.state.settings.chat);
            if let (Some(ChatMode::Text), Ok(said)) = (talks, APOLOGY.parse()) {
                self.ask(RoomIntent::Say { said: Said::Text(said) });
            }
            self.ask(RoomIntent::Resign { game: self.console.session.game() });
        }
        self.withdraw();
        self.leave(Exit::Lost(text));
    }

    /// Does what the party or the room wants beside moves: another game, or none any more.
    fn go_on(&mut self) {
        if self.leaving.is_some() {
            return;
        }
        if self.console.session.party().is_some() {
            return self.go_on_in_party();
        }
        let game = self.console.session.game();
        let Some(view) = self.console.session.room().filter(|view| view.may_rematch()) else {
            return;
        };
        if game != self.counted.0 {
            self.counted = (game, self.counted.1 + 1);
        }
        if self.counted.1 >= self.options.games {
            return self.leave(Exit::Done);
        }
        let times = if game == self.offered.0 { self.offered.1 } else { 0 };
        let wanted = times == 0 || view.offered_by_opponent().is_some();
        let idle = !view.offered_by_me() && !self.console.session.has_wishes();
        if wanted && idle && times < MAX_OFFERS {
            self.offered = (game, times + 1);
            self.ask(self.console.session.rematch());
        }
    }

    /// Leaves the room, and ends when that is answered.
    fn leave(&mut self, exit: Exit) {
        self.leaving = Some((self.console.now + LEAVE_TIME, exit));
        if self.console.session.party().is_some() {
            return self.ask(PartyIntent::LeaveParty);
        }
        if self.console.session.room().is_some() {
            self.ask(RoomIntent::Leave);
        }
    }

    /// Sends an intent. An impossible one is left out: nobody is there to choose again.
    fn ask(&mut self, intent: impl Into<Intent>) {
        self.console.ask(intent);
    }

    fn join(&mut self, role: Role) {
        self.ask(LobbyIntent::Join { room: self.room, role });
    }

    fn show(&mut self, happening: Happening) {
        match happening {
            Happening::Welcome { first, .. } => {
                self.console.tell(&happening);
                // An offer goes with the connection.
                self.offered = (0, 0);
                if first {
                    // It takes no seat before it knows that it can play there.
                    self.join(Role::Spectator);
                }
            }
            Happening::Entered => self.entered(),
            Happening::Event { event, before } => self.event(&event, &before),
            Happening::Presence(changes) => {
                let Some(view) = self.console.session.room() else { return };
                let texts: Vec<_> = changes
                    .iter()
                    .filter_map(|change| strings::presence_text(view, change))
                    .collect();
                texts.iter().for_each(|text| self.console.print(text));
            }
            Happening::Refused(message, refusal) => self.refused(&message, &refusal),
            Happening::PasswordWanted(why) => {
                let how = "give it with --password-file FILE or in NOUGHTS_PASSWORD";
                self.console.exit = Some(Exit::Refused(format!("{why} ({how})")));
            }
            Happening::IsParty(party) => self.is_party(party),
            Happening::Party => self.party(),
            Happening::PartyEvent(event) => self.party_event(&event),
            Happening::PartyLost(party, refusal) => self.party_lost(party, &refusal),
            // A program has nothing to make of it.
            Happening::Announcement(_)
            | Happening::Challenged(..)
            | Happening::Declined(_)
            | Happening::Switched { .. } => {}
            other => self.console.tell(&other),
        }
    }

    fn entered(&mut self) {
        let Some(view) = self.console.session.room() else { return };
        let settings = &view.state.settings;
        let game = (settings.variant, settings.board);
        if let Err(why) = can_play("room", game, settings.opening, self.options.variants) {
            return self.leave(Exit::Refused(why));
        }
        let text = format!("Room {}: {}.", view.state.code, strings::rules(settings));
        let watching = view.is_watching() && self.console.session.party().is_none();
        self.console.print(&text);
        if watching {
            self.join(Role::Player);
        }
    }

    fn event(&mut self, event: &Event, before: &ByMark<Seat>) {
        let Some(view) = self.console.session.room() else { return };
        let text = strings::event_text(view, event, before);
        let end = strings::end_text(view, event);
        let score = end.is_some().then(|| format!("Score: {}.", strings::score_text(view)));
        for line in [text, end, score].into_iter().flatten() {
            self.console.print(&line);
        }
        // A new player on the seat has not heard of an offer.
        if matches!(event, Event::Seated { .. }) {
            self.offered = (0, 0);
        }
    }

    fn refused(&mut self, message: &ClientMessage, refusal: &Refusal) {
        if refusal.code == RefusalCode::RateLimited {
            self.quiet_until = Some(self.console.now + QUIET_TIME);
            // The offer that was refused is made again.
            self.offered = (0, 0);
        }
        match message {
            ClientMessage::Lobby {
                intent: LobbyIntent::Join { role: Role::Spectator, .. },
                ..
            } if refusal.code == RefusalCode::NoSpectators => self.join(Role::Player),
            ClientMessage::Lobby { intent: LobbyIntent::Join { .. }, .. } => {
                self.leave(Exit::Refused(refusal.to_string()));
            }
            // The session is out of the room already, and would not leave it again.
            ClientMessage::Room { intent: RoomIntent::Leave, .. } => {
                self.quiet_until = Some(self.console.now + QUIET_TIME);
                self.refused_leave = Some(message.clone());
            }
            // The next event says what the room wants.
            ClientMessage::Room {
                intent: RoomIntent::Rematch { .. } | RoomIntent::Say { .. },
                ..
            } => {}
            _ => self.console.print(&refusal.to_string()),
        }
    }
}

/// The mark of each move, where the protocol does not know the variant.
fn placed(game: &Game) -> Vec<Mark> {
    let known = game.rules().variant.is_gomoku_like();
    (0..game.ply()).filter(|_| !known).map(|ply| game.mark_at(ply)).collect()
}

/// Whether a program of the protocol, which may know variants, can play in a room or a party.
fn can_play(
    place: &str,
    (variant, board): (Variant, BoardSpec),
    opening: Opening,
    variants: bool,
) -> Result<(), String> {
    match variant.is_gomoku_like() {
        true => {}
        false if variants => return Ok(()),
        false => {
            return Err(format!(
                "this {place} plays {variant}: for a program that knows the lines about variants, add \
                 --variants"
            ));
        }
    }
    if board.line() != LINE {
        return Err(format!(
            "this {place} plays {board}: a program of the Gomocup protocol plays boards on which five \
             in a row win, such as 15x15x5"
        ));
    }
    if opening == Opening::Swap2 {
        return Err(format!(
            "this {place} opens by swap2: a program of the Gomocup protocol plays games with a free \
             opening"
        ));
    }
    Ok(())
}

/// How long to wait before the program says again that it is ready, if that had no effect.
const READY_AGAIN: Duration = Duration::from_secs(3);

impl BotView {
    /// The code is that of a party: looks at it first.
    pub(super) fn is_party(&mut self, party: PartyCode) {
        self.ask(LobbyIntent::JoinParty { party, role: PartyRole::Spectator });
    }

    /// The party has shown itself.
    pub(super) fn party(&mut self) {
        let Some(view) = self.console.session.party() else { return };
        let code = view.state.code;
        let plays = view.me().is_some();
        if self.asks_to_play {
            if !plays {
                let why = "the party takes nobody in any more, or it is over";
                self.leave(Exit::Refused(why.to_owned()));
            }
            return;
        }
        let settings = view.state.settings;
        let game = (settings.variant, settings.board);
        if let Err(why) = can_play("party", game, settings.opening, self.options.variants) {
            return self.leave(Exit::Refused(why));
        }
        let text = Party::of(view, self.console.now, false).title();
        self.console.print(&format!("Party {code}: {text}."));
        self.asks_to_play = true;
        self.ask(LobbyIntent::JoinParty { party: code, role: PartyRole::Player });
    }

    /// Something happened in the party.
    pub(super) fn party_event(&mut self, event: &PartyEvent) {
        let Some(view) = self.console.session.party() else { return };
        let text = Party::of(view, self.console.now, false).event(event);
        text.into_iter().for_each(|text| self.console.print(&text));
    }

    /// The server does not let the program into the party again.
    pub(super) fn party_lost(&mut self, party: PartyCode, refusal: &Refusal) {
        let why = match refusal.code {
            RefusalCode::NoSuchParty => format!("party {party} has ended"),
            _ => refusal.to_string(),
        };
        self.console.exit =
            Some(Exit::Lost(format!("the party could not be entered again: {why}")));
    }

    /// Says that the program is ready, and ends with the podium.
    pub(super) fn go_on_in_party(&mut self) {
        let Some(view) = self.console.session.party() else { return };
        if view.state.phase == PartyPhase::Over {
            let rows = strings::party::podium(&Party::of(view, self.console.now, false));
            rows.iter().for_each(|row| self.console.print(row));
            return self.leave(Exit::Done);
        }
        let Some(pairing) = view.my_pairing().map(|pairing| pairing.number) else { return };
        let said = self.said_ready.filter(|(said, at)| {
            *said == pairing && self.console.now.saturating_duration_since(*at) < READY_AGAIN
        });
        if view.check_ends(pairing).is_some() && !view.is_ready() && said.is_none() {
            self.said_ready = Some((pairing, self.console.now));
            self.ask(PartyIntent::Ready { pairing });
        }
    }

    /// Plays no more in the party: a program that failed has no place in it.
    pub(super) fn withdraw(&mut self) {
        if self.console.session.party().is_some() {
            self.ask(PartyIntent::Withdraw);
        }
    }
}

#[cfg(test)]
mod tests;
