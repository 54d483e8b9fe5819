//! `tests/golden/series`: whole series of a room, told as one client hears them. Each step is a message
//! and the room after it, as a snapshot. A client that has followed the messages must show the same
//! room as one that begins with the snapshot: both clients can be tested with these files.
//!
//! With `NOUGHTS_UPDATE=1` in the environment this test writes the files anew.

use std::fs;
use std::path::Path;

use noughts_protocol::{
    AfterMove, BoardSpec, ByMark, Cell, Event, GameEnd, GameResult, Mark, Move, Opening,
    OpeningChoice, OpeningPhase, PlayerId, Presence, RoomCode, RoomSettings, RoomState, Score,
    Seat, SeatPresence, ServerMessage,
};
use serde::{Deserialize, Serialize};

const HERE: SeatPresence = SeatPresence::Connected;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Step {
    message: ServerMessage,
    snapshot: ServerMessage,
}

fn human(player: u64, name: &str) -> Seat {
    let name = name.parse().expect("a name that the test made up");
    Seat::Human { player: PlayerId(player), name }
}

fn ada() -> Seat {
    human(0x8f14_e45f_ceea_167a, "Ada")
}

fn ben() -> Seat {
    human(0xc9f0_f895_fb98_ab91, "Ben Łoś")
}

/// Tells what happens in a room.
struct Teller {
    room: RoomState,
    presence: Presence,
    steps: Vec<Step>,
}

impl Teller {
    /// Ada has made a room, and hears of it.
    fn new(settings: RoomSettings) -> Self {
        let code = "KQRZX".parse::<RoomCode>().expect("a code");
        let mut room = RoomState::new(code, settings);
        room.advance(&Event::Seated { mark: Mark::X, seat: ada() });
        let seats = ByMark { x: Some(HERE), o: None };
        let presence = Presence { seats, spectators: 0, rematch: None };
        let mut teller = Self { room, presence, steps: Vec::new() };
        teller.hear(teller.snapshot());
        teller
    }

    /// The move clock stands at its full time: no time passes here.
    fn snapshot(&self) -> ServerMessage {
        let left = self.room.settings.move_time_ms.filter(|_| self.room.is_running());
        ServerMessage::Snapshot(self.room.to_snapshot(self.presence, left))
    }

    fn hear(&mut self, message: ServerMessage) {
        self.steps.push(Step { message, snapshot: self.snapshot() });
    }

    fn fact(&mut self, event: Event) {
        let (room, v) = (self.room.code, self.room.v + 1);
        self.presence = self.presence.after(&event, &self.room.seats);
        self.room.apply(v, &event).unwrap_or_else(|e| panic!("{event:?}: {e}"));
        self.hear(ServerMessage::Event { room, v, event });
    }

    fn passes(&mut self, change: impl FnOnce(&mut Presence)) {
        change(&mut self.presence);
        let (room, presence) = (self.room.code, self.presence);
        self.hear(ServerMessage::Presence { room, presence });
    }

    fn ben_joins(&mut self, opening: Option<OpeningPhase>) {
        self.fact(Event::Seated { mark: Mark::O, seat: ben() });
        self.starts(1, Mark::X, opening);
        self.passes(|now| now.seats.o = Some(HERE));
    }

    fn starts(&mut self, game: u32, first: Mark, opening: Option<OpeningPhase>) {
        self.fact(Event::GameStarted { game, first, score: self.room.score, opening });
    }

    /// The opponent offers a rematch, and the game begins.
    fn rematch(&mut self, offers: Mark, first: Mark, opening: Option<OpeningPhase>) {
        self.passes(|now| now.rematch = Some(offers));
        let next = self.room.game.as_ref().map_or(1, |last| last.number + 1);
        self.starts(next, first, opening);
        self.passes(|_| ());
    }

    fn plays(&mut self, cells: &[u16]) {
        for &cell in cells {
            let running = self.room.running().expect("a running game");
            let (game, cell) = (running.number, Cell(cell));
            let (ply, mark) = (running.game.ply(), running.game.to_move());
            let after = running.decide(Move { ply, mark, cell }).expect("a legal move");
            let AfterMove { result, opening } = after;
            let over = result.map(|result| self.end(result));
            self.fact(Event::Moved { game, ply, mark, cell, over, opening });
        }
    }

    fn chooses(&mut self, choice: OpeningChoice) {
        let running = self.room.running().expect("a running game");
        let (game, phase) = (running.number, running.opening.expect("an opening"));
        let after = phase.after_choice(choice).expect("a possible choice");
        let RoomState { seats, score, .. } = &self.room;
        let (seats, score) = if after.swaps {
            (seats.exchanged(), score.exchanged())
        } else {
            (seats.clone(), *score)
        };
        self.fact(Event::Chosen { game, choice, opening: after.opening, seats, score });
    }

    fn ends(&mut self, result: GameResult) {
        let game = self.room.running().expect("a running game").number;
        self.fact(Event::GameOver { game, end: self.end(result) });
    }

    fn end(&self, result: GameResult) -> GameEnd {
        GameEnd { score: self.room.score.with(&result), result }
    }
}

/// Three games on the smallest board: a line, a full board, and a player who leaves.
fn tic_tac_toe() -> Teller {
    let mut room = Teller::new(RoomSettings::default());
    room.ben_joins(None);
    room.plays(&[4, 0, 2]);
    room.passes(|now| now.spectators = 1);
    room.plays(&[3, 6]);
    room.rematch(Mark::O, Mark::O, None);
    room.plays(&[0, 1, 2, 4]);
    room.passes(|now| now.seats.o = Some(SeatPresence::Away { claim_in_ms: 57_000 }));
    room.plays(&[3, 5, 7, 6]);
    room.passes(|now| now.seats.o = Some(HERE));
    room.plays(&[8]);
    room.rematch(Mark::X, Mark::X, None);
    room.plays(&[8]);
    room.fact(Event::Seated { mark: Mark::X, seat: human(0x8f14_e45f_ceea_167a, "Ada L.") });
    room.ends(GameResult::Resignation { winner: Mark::X });
    room.fact(Event::Seated { mark: Mark::O, seat: Seat::Open });
    room.passes(|now| now.seats.o = None);
    room
}

/// Two swap2 openings, one with two more marks, and both with players who change seats.
fn swap2() -> Teller {
    let mut room = Teller::new(RoomSettings {
        board: BoardSpec::new(15, 15, 5).expect("a board"),
        opening: Opening::Swap2,
        move_time_ms: Some(30_000),
        ..RoomSettings::default()
    });
    room.ben_joins(Some(OpeningPhase::first(Mark::X)));
    room.plays(&[112, 113, 127]);
    room.chooses(OpeningChoice::Add);
    room.plays(&[97, 98]);
    room.chooses(OpeningChoice::O);
    room.plays(&[0, 111, 1, 110, 2, 109, 3, 114, 4]);
    room.rematch(Mark::X, Mark::X, Some(OpeningPhase::first(Mark::X)));
    room.plays(&[112, 113, 127]);
    room.chooses(OpeningChoice::X);
    assert_eq!(room.room.score, Score { x: 1, o: 0, draws: 0 }, "the score goes with Ada");
    room.plays(&[98]);
    room.ends(GameResult::Time { winner: Mark::O });
    room.rematch(Mark::O, Mark::X, Some(OpeningPhase::first(Mark::O)));
    room.plays(&[0]);
    room.passes(|now| now.seats.x = Some(SeatPresence::Gone));
    room.ends(GameResult::Absence { winner: None });
    room
}

/// A step a line, so that a change can be read.
fn text(steps: &[Step]) -> String {
    let line = |step: &Step| serde_json::to_string(step).expect("a step is JSON");
    let lines: Vec<String> = steps.iter().map(line).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// The files are what the rules make of each series, and a client that follows the messages has at
/// each step what a client has that begins there.
#[test]
fn golden_series_can_be_begun_at_any_step() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/series");
    for (name, told) in [("tic_tac_toe", tic_tac_toe()), ("swap2", swap2())] {
        let (file, written) = (folder.join(name).with_extension("json"), text(&told.steps));
        if std::env::var_os("NOUGHTS_UPDATE").is_some() {
            fs::create_dir_all(&folder).expect("the folder can be made");
            fs::write(&file, &written).expect("the file can be written");
        }
        let kept = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(kept == written, "NOUGHTS_UPDATE=1 tests/run series");
        check_steps(&serde_json::from_str::<Vec<Step>>(&kept).expect("a list of steps"));
    }
}

fn check_steps(steps: &[Step]) {
    let mut view: Option<(RoomState, Presence)> = None;
    for Step { message, snapshot } in steps {
        let ServerMessage::Snapshot(snapshot) = snapshot else { panic!("{snapshot:?}") };
        let room = RoomState::from_snapshot(snapshot).expect("a room that can be");
        match (message, &mut view) {
            (ServerMessage::Event { v, event, .. }, Some((room, presence))) => {
                *presence = presence.after(event, &room.seats);
                room.apply(*v, event).unwrap_or_else(|e| panic!("{event:?}: {e}"));
            }
            (ServerMessage::Presence { presence, .. }, Some((_, now))) => *now = *presence,
            (ServerMessage::Snapshot(first), None) => {
                let room = RoomState::from_snapshot(first).expect("a room that can be");
                view = Some((room, first.presence));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(view, Some((room, snapshot.presence)), "{message:?}");
    }
}
