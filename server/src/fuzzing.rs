//! What the fuzz targets in `tests/fuzz` feed: the pure path of a client's frames through a live
//! table, the journal's rows ([`mod@journal`]), and the parser of positions. Nothing else uses it;
//! nothing here is the server's.

mod journal;

use std::time::Duration;

use noughts_protocol::{
    BoardSpec, ByMark, ClientMessage, MAX_CLIENT_FRAME, MAX_SERVER_FRAME, Mark, OpeningPhase,
    PlayerId, Presence, Refusal, RoomCode, RoomSettings, RoomState, Seat, SeatRequest,
    ServerMessage,
};

use crate::config::rooms::RoomTimes;
use crate::journal::committed::Committed;
use crate::room::rules::{Decided, RoomRules};
use crate::room::{Clock, Intent};
use journal::Written;
pub use journal::journal;

/// People at the table; the letters `a`, `b` and `c` are theirs.
const PEOPLE: usize = 3;

/// Lines that are looked at; games are far shorter.
const MOST_LINES: usize = 400;

/// A server's usual times.
const TIMES: RoomTimes = RoomTimes {
    absence_grace: Duration::from_secs(60),
    absence_unannounced: Duration::from_secs(3),
    unattended: Duration::from_secs(900),
    idle: Duration::from_secs(86_400),
    exhibition_pause: Duration::from_secs(3),
};

/// Plays lines at a room `KQRZX` that `a` made. A line is the letter of a person and a client's
/// frame, a lower-case letter alone for a lost connection, or `+` and milliseconds that pass.
///
/// # Panics
/// Where what the room tells is not what it holds, or is more than a frame may be.
pub fn table(lines: &str) {
    let mut live = Live::new(RoomSettings::default(), ByMark::default(), 0);
    for line in lines.lines().take(MOST_LINES) {
        live.line(line);
    }
    live.check_written();
}

/// Reads a position of a board of `spec`; its first line is the position.
///
/// # Panics
/// Where the game it comes from is another one.
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

/// A table, those who are at it, the copy of it that a client keeps, and what is stored.
struct Live {
    table: RoomRules,
    copy: RoomState,
    /// What is stored of it.
    written: Written,
    now: Duration,
    here: [bool; PEOPLE],
    coin: bool,
}

impl Live {
    fn new(settings: RoomSettings, seats: ByMark<SeatRequest>, maker: usize) -> Self {
        let code: RoomCode = "KQRZX".parse().expect("a code");
        let seat = |request| match request {
            SeatRequest::You => Seat::Human {
                player: player(maker),
                name: name(maker),
                presence: Presence::Connected,
            },
            SeatRequest::Open => Seat::Open,
            SeatRequest::Computer(computer) => Seat::Computer(computer),
        };
        let seats = ByMark { x: seat(seats.x), o: seat(seats.o) };
        let mut table = RoomRules::new(code, settings, TIMES, Clock::START);
        let decided = table.fill_seats(&seats, false);
        let with_seats = table.apply(Clock::START, Committed::without_journal(decided));
        let mut live = Self::of(table, Clock::START);
        for (v, event) in with_seats {
            live.written.add(v, &event);
        }
        live.arrive(maker);
        live
    }

    /// A table at which nobody is.
    fn of(table: RoomRules, now: Duration) -> Self {
        let (copy, written) = (table.state().clone(), Written::default());
        Self { table, copy, written, now, here: [false; PEOPLE], coin: false }
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
                if let Ok(message) = serde_json::from_str(frame) {
                    self.message(who, &message);
                }
            }
            _ => {}
        }
        self.computers_move();
        self.check_snapshot();
    }

    fn message(&mut self, who: usize, message: &ClientMessage) {
        let written = serde_json::to_string(message).expect("a message can be written");
        assert_eq!(serde_json::from_str::<ClientMessage>(&written).ok().as_ref(), Some(message));
        if let ClientMessage::Create { settings, seats, .. } = *message {
            if settings.move_time_is_legal() && settings.opening_is_legal() {
                self.check_written();
                *self = Self::new(settings, seats, who);
            }
            return;
        }
        if self.table.state().closed {
            return;
        }
        if let ClientMessage::Join { role, .. } = *message {
            if let Ok(events) = self.table.join(player(who), &name(who), role, self.coin) {
                self.apply(events);
                self.arrive(who);
            }
        } else if self.here[who] {
            self.member(who, message);
        }
    }

    fn member(&mut self, who: usize, message: &ClientMessage) {
        let intent = match *message {
            ClientMessage::Play { game, ply, cell, .. } => Intent::Play { game, ply, cell },
            ClientMessage::Choose { game, choice, .. } => Intent::Choose { game, choice },
            ClientMessage::Resign { game, .. } => Intent::Resign { game },
            ClientMessage::Rematch { game, offer, .. } => Intent::Rematch { game, offer },
            ClientMessage::Claim { game, result, .. } => Intent::Claim { game, result },
            ClientMessage::Hint { game, .. } => return told(self.table.hint(player(who), game)),
            ClientMessage::Review { game, .. } => return told(self.table.review(game)),
            ClientMessage::Leave { .. } => {
                let events = self.table.leave(player(who));
                self.depart(who);
                return self.apply(events);
            }
            _ => return,
        };
        match self.table.decide(self.now, player(who), intent, self.coin) {
            Ok(events) => self.apply(events),
            refused @ Err(_) => told(refused),
        }
    }

    fn arrive(&mut self, who: usize) {
        if !std::mem::replace(&mut self.here[who], true) {
            let events = self.table.connect(self.now, player(who));
            self.apply(events);
        }
    }

    fn depart(&mut self, who: usize) {
        if std::mem::replace(&mut self.here[who], false) {
            self.table.disconnect(self.now, player(who));
        }
    }

    /// Lets time pass, with what is due in it; a room that is never done by then is stuck.
    fn pass(&mut self, ms: u32) {
        let end = self.now + Duration::from_millis(ms.into());
        for _ in 0..64 {
            let Some(due) = self.table.due().filter(|due| *due <= end) else { break };
            if self.table.state().closed {
                break;
            }
            self.now = self.now.max(due);
            let events = self.table.tick(self.now, self.coin);
            self.apply(events);
            self.computers_move();
        }
        self.now = end;
    }

    /// Computers take the first cell there is, and the first choice.
    fn computers_move(&mut self) {
        for _ in 0..=self.table.state().settings.board.cells() {
            let Some(running) = self.table.state().running() else { return };
            let Some(turn) = running.turn() else { return };
            if self.table.state().closed || self.table.state().seats[turn].computer().is_none() {
                return;
            }
            let (game, ply) = (running.number, running.game.ply());
            let choosing = matches!(running.opening, Some(OpeningPhase::Choosing { .. }));
            let events = if choosing {
                self.table.computer_choice(game, ply, noughts_protocol::OpeningChoice::O)
            } else {
                let legal = |cell: &noughts_protocol::Cell| {
                    let mark = running.game.to_move();
                    running.check(noughts_protocol::Move { ply, mark, cell: *cell }).is_ok()
                };
                let Some(cell) = running.game.board().empty_cells().find(legal) else { return };
                self.table.computer_move(game, ply, cell)
            };
            assert!(!events.is_empty(), "a computer's legal move changes something");
            self.apply(events);
        }
    }

    fn apply(&mut self, decided: Decided) {
        for (v, event) in self.table.apply(self.now, Committed::without_journal(decided)) {
            self.copy.apply(v, &event).expect("events fit their room");
            self.written.add(v, &event);
            let room = self.copy.code;
            sendable(&ServerMessage::Event { room, v, event });
        }
        assert_eq!(&self.copy, self.table.state());
    }

    /// What is stored is read as what the room is.
    fn check_written(&self) {
        self.written.check(self.table.state());
    }

    /// Everybody in turn could begin anew with what they are sent.
    fn check_snapshot(&self) {
        let who = self.copy.v as usize % PEOPLE;
        let snapshot = self.table.snapshot_for(player(who), self.now);
        let text = sendable(&ServerMessage::Snapshot(snapshot));
        let Ok(ServerMessage::Snapshot(read)) = serde_json::from_str(&text) else {
            panic!("no snapshot: {text}");
        };
        let state = RoomState::from_snapshot(&read).expect("a snapshot is possible");
        assert_eq!((state.v, state.game), (self.copy.v, self.copy.game.clone()));
    }
}

fn player(who: usize) -> PlayerId {
    PlayerId(who as u64 + 1)
}

fn name(who: usize) -> noughts_protocol::PlayerName {
    ["Ada", "Bob", "Eve"][who].parse().expect("a name")
}

/// A refusal can be said.
fn told<T>(answer: Result<T, Refusal>) {
    if let Err(Refusal { code, message }) = answer {
        assert!(!message.as_str().is_empty());
        sendable(&ServerMessage::Refused { id: None, code, message });
    }
}

/// The message as it is sent, which is no more than a client reads.
fn sendable(message: &ServerMessage) -> String {
    let text = serde_json::to_string(message).expect("a message can be written");
    assert!(text.len() <= MAX_SERVER_FRAME, "{} bytes", text.len());
    text
}
