//! Fuzz targets that reach private modules of the server: clients' frames through the rules of a room,
//! the stored state of a room, and the parser of positions. Compiled as `noughts_server::fuzzing` with
//! the feature `fuzzing` alone.

use std::time::Duration;

use futures::FutureExt;
use noughts_protocol::{
    BoardSpec, ByMark, ClientMessage, IntentId, LobbyIntent, MAX_CLIENT_FRAME, MAX_SERVER_FRAME,
    Mark, OpeningPhase, PlayerId, Refusal, RoomCode, RoomIntent, RoomSettings, RoomState, Seat,
    SeatRequest, ServerMessage,
};

use crate::config::rooms::RoomTimes;
use crate::room::rules::intent::RoomDecision;
use crate::room::rules::{RoomDecided, RoomRules, Timestamp};

/// People in the room: `a`, `b` and `c`.
const PEOPLE: usize = 3;

/// Lines that are played; games are far shorter.
const MAX_LINES: usize = 400;

/// The time at which a room is made or read.
const START: Duration = Duration::from_secs(1000);

/// The default times of a server.
const TIMES: RoomTimes = RoomTimes {
    absence_grace: Duration::from_secs(60),
    absence_unannounced: Duration::from_secs(3),
    unattended: Duration::from_secs(900),
    idle: Duration::from_secs(86_400),
    exhibition_pause: Duration::from_secs(3),
};

/// Plays lines in the room `KQRZX`, which `a` makes. A line is a person's letter and a client's frame,
/// a letter alone for a lost connection, or `+` and milliseconds that pass.
///
/// # Panics
/// If a client's copy or the stored room differs from the room, or a message exceeds the largest
/// frame.
pub fn room(lines: &str) {
    Live::new(RoomSettings::default(), ByMark::default(), 0).play(lines.lines());
}

/// Reads the stored state of a room in the first line. The other lines are played there as by [`room`].
///
/// # Panics
/// As [`room`].
pub fn stored(lines: &str) {
    let mut lines = lines.lines();
    let row = lines.next().unwrap_or_default();
    if let Ok(rules) = RoomRules::from_json(row, TIMES, START, None) {
        Live::of(rules).play(lines);
    }
}

/// Reads a position of a board.
///
/// # Panics
/// If the game that results shows another position or turn.
pub fn position(text: &str, spec: BoardSpec, turn: Option<Mark>) {
    let Ok(game) = crate::cli::position(text, spec, turn) else { return };
    let shown = |cell| match game.board().get(cell) {
        Some(Mark::X) => 'X',
        Some(Mark::O) => 'O',
        None => '.',
    };
    assert_eq!(spec.all_cells().map(shown).collect::<String>(), text);
    assert!(turn.is_none() || game.turn().is_none() || game.turn() == turn);
}

/// A room, the people in it, and a client's copy of it.
struct Live {
    rules: RoomRules,
    copy: RoomState,
    now: Duration,
    here: [bool; PEOPLE],
    coin: bool,
}

impl Live {
    fn new(settings: RoomSettings, seats: ByMark<SeatRequest>, maker: usize) -> Self {
        let code: RoomCode = "KQRZX".parse().expect("a code");
        let seat = |request| match request {
            SeatRequest::You => Seat::Human { player: player(maker), name: name(maker) },
            SeatRequest::Open => Seat::Open,
            SeatRequest::Computer(computer) => Seat::Computer(computer),
        };
        let seats = ByMark { x: seat(seats.x), o: seat(seats.o) };
        let rules = RoomRules::new(code, settings, TIMES, START).made_by(&[player(maker)]);
        let mut live = Self::of(rules);
        let seated = live.rules.fill_seats(&seats, false);
        live.apply(seated);
        live.arrive(maker);
        live
    }

    /// A room with nobody in it.
    fn of(rules: RoomRules) -> Self {
        let copy = rules.state().clone();
        Self { rules, copy, now: START, here: [false; PEOPLE], coin: false }
    }

    fn play<'a>(&mut self, lines: impl Iterator<Item = &'a str>) {
        for line in lines.take(MAX_LINES) {
            self.line(line);
        }
    }

    fn line(&mut self, line: &str) {
        self.coin = line.len().is_multiple_of(2);
        if let Some(time) = line.strip_prefix('+') {
            self.pass(time.parse().unwrap_or(1));
            return;
        }
        let who = match line.bytes().next() {
            Some(letter @ b'a'..=b'c') => usize::from(letter - b'a'),
            _ => return,
        };
        match &line[1..] {
            "" => self.depart(who),
            frame if frame.len() <= MAX_CLIENT_FRAME => {
                if let Ok(message) = ClientMessage::from_json(frame) {
                    self.message(who, message);
                }
            }
            _ => {}
        }
        self.computers_move();
        self.check_snapshot();
    }

    fn message(&mut self, who: usize, message: ClientMessage) {
        let written = serde_json::to_string(&message).expect("a message can be written");
        assert_eq!(ClientMessage::from_json(&written).ok().as_ref(), Some(&message));
        match message {
            ClientMessage::Lobby { intent, .. } => self.lobby_intent(who, &intent),
            ClientMessage::Room { intent, id, .. } if self.here[who] && !self.copy.closed => {
                self.room_intent(who, id, intent);
            }
            ClientMessage::Hello(_) | ClientMessage::Room { .. } | ClientMessage::Party { .. } => {}
        }
    }

    fn lobby_intent(&mut self, who: usize, intent: &LobbyIntent) {
        if let LobbyIntent::Create { settings, seats, .. } = *intent {
            if settings.move_time_is_legal() && settings.opening_is_legal() {
                *self = Self::new(settings, seats, who);
            }
        } else if let LobbyIntent::Join { role, .. } = *intent
            && !self.copy.closed
        {
            match self.rules.join(player(who), &name(who), role, self.coin) {
                Ok(facts) => {
                    self.apply(facts);
                    self.arrive(who);
                }
                Err(refusal) => check_refusal(refusal),
            }
        }
    }

    fn room_intent(&mut self, who: usize, id: IntentId, intent: RoomIntent) {
        match self.rules.decide(self.now, player(who), intent, self.coin) {
            Ok(RoomDecision::Facts(facts)) => self.apply(facts),
            Ok(RoomDecision::Rematch(offer)) => self.rules.set_rematch(offer),
            Ok(RoomDecision::Step { game, ply }) => self.rules.begin_step(game, ply),
            Ok(RoomDecision::Leave(facts)) => {
                self.depart(who);
                self.apply(facts);
            }
            Ok(RoomDecision::Say(said)) => {
                match self.rules.say(self.now, (player(who), &name(who)), id, said) {
                    Ok(_) => self.check_chat(),
                    Err(refusal) => check_refusal(refusal),
                }
            }
            Ok(RoomDecision::Mute { player: other, mute }) => {
                match self.rules.mute(player(who), other, mute) {
                    Ok(_) => self.check_chat(),
                    Err(refusal) => check_refusal(refusal),
                }
            }
            Ok(RoomDecision::Snapshot | RoomDecision::Analysis(_)) => {}
            Err(refusal) => check_refusal(refusal),
        }
    }

    /// Everybody is told each line once, nothing of people whom they have muted, and as a message that
    /// fits a frame.
    fn check_chat(&mut self) {
        let (players, spectators) =
            (self.rules.take_for_players(), self.rules.take_for_spectators());
        assert!(self.rules.take_for_players().is_empty() && !self.rules.has_untold());
        let room = self.copy.code;
        for lines in [players, spectators] {
            frame(&ServerMessage::Chat { room, lines, muted: None });
        }
        for person in (0..PEOPLE).map(player) {
            let (lines, muted) = (self.rules.lines_for(person), self.rules.muted_by(person));
            assert!(lines.iter().all(|line| !muted.contains(&line.player)), "{lines:?}");
            let muted = Some(muted.to_vec());
            let text = frame(&ServerMessage::Chat { room, lines, muted });
            serde_json::from_str::<ServerMessage>(&text).expect("lines can be read");
        }
    }

    fn arrive(&mut self, who: usize) {
        if !std::mem::replace(&mut self.here[who], true) {
            self.rules.connect(self.now, player(who));
        }
    }

    fn depart(&mut self, who: usize) {
        if std::mem::replace(&mut self.here[who], false) {
            self.rules.disconnect(self.now, player(who));
        }
    }

    /// Lets time pass and fires the timers that are due.
    fn pass(&mut self, ms: u32) {
        let end = self.now + Duration::from_millis(ms.into());
        for _ in 0..64 {
            let Some(due) = self.rules.due().filter(|due| *due <= end) else { break };
            if self.rules.state().closed {
                break;
            }
            self.now = self.now.max(due);
            self.rules.announce_absences(self.now);
            let events = self.rules.tick(self.now, self.coin);
            self.apply(events);
            self.computers_move();
        }
        self.now = end;
    }

    /// Computers take the first legal cell, and always choose O.
    fn computers_move(&mut self) {
        for _ in 0..=self.rules.state().settings.board.cells() {
            let Some((running, _)) = self.rules.computer_turn() else { return };
            if self.rules.state().closed {
                return;
            }
            let (game, ply) = (running.number, running.game.ply());
            let choosing = matches!(running.opening, Some(OpeningPhase::Choosing { .. }));
            let events = if choosing {
                self.rules.computer_choice(game, ply, noughts_protocol::OpeningChoice::O)
            } else {
                let legal = |cell: &noughts_protocol::Cell| {
                    let mark = running.game.to_move();
                    running.decide(noughts_protocol::Move { ply, mark, cell: *cell }).is_ok()
                };
                let Some(cell) = running.game.board().empty_cells().find(legal) else { return };
                self.rules.computer_move(game, ply, cell)
            };
            assert!(!events.as_ref().is_empty(), "a computer's legal move changes something");
            self.apply(events);
        }
    }

    fn apply(&mut self, decided: RoomDecided) {
        let at = Timestamp { age: self.now, unix_ms: 0 };
        let row = self.rules.stored_after(at, &decided);
        let committed = noughts_store::commit(None, Vec::new(), decided).now_or_never();
        let committed = committed.expect("nothing is waited for").expect("nothing is stored");
        for (v, event) in self.rules.apply(at, committed) {
            self.copy.apply(v, &event).expect("events fit their room");
            let room = self.copy.code;
            frame(&ServerMessage::Event { room, v, event });
        }
        assert_eq!(&self.copy, self.rules.state());
        // The stored room is read as the same one.
        let Some(row) = row else { return assert!(self.copy.closed) };
        let read =
            RoomRules::from_json(&row.state, TIMES, self.now, None).expect("a row can be read");
        assert_eq!((row.v, read.state()), (self.copy.v, &self.copy));
    }

    /// A snapshot is read as the same room, and nobody offers a rematch who could not.
    fn check_snapshot(&self) {
        let text = frame(&ServerMessage::Snapshot(self.rules.snapshot(self.now)));
        let Ok(ServerMessage::Snapshot(read)) = serde_json::from_str(&text) else {
            panic!("no snapshot: {text}");
        };
        let state = RoomState::from_snapshot(&read).expect("a snapshot is possible");
        assert_eq!(RoomState { closed: self.copy.closed, ..state }, self.copy);
        for mark in Mark::BOTH {
            let is_person = self.copy.seats[mark].player().is_some();
            assert_eq!(read.presence.seats[mark].is_some(), is_person, "{text}");
            assert!(is_person || read.presence.rematch != Some(mark), "{text}");
        }
        assert!(read.presence.rematch.is_none() || !self.copy.is_running(), "{text}");
    }
}

fn player(who: usize) -> PlayerId {
    PlayerId(who as u64 + 1)
}

fn name(who: usize) -> noughts_protocol::PlayerName {
    ["Ada", "Bob", "Eve"][who].parse().expect("a name")
}

/// A refusal has a message and fits a frame.
fn check_refusal(Refusal { code, message }: Refusal) {
    assert!(!message.as_str().is_empty());
    frame(&ServerMessage::Refused { id: None, code, message });
}

/// The text of a message, which fits the largest frame of a server.
fn frame(message: &ServerMessage) -> String {
    let text = serde_json::to_string(message).expect("a message can be written");
    assert!(text.len() <= MAX_SERVER_FRAME, "{} bytes", text.len());
    text
}
