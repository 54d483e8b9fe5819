//! Fuzz targets that reach private modules of the server: the stored state of a room, and the parser of
//! positions. Compiled as `noughts_server::fuzzing` with the feature `fuzzing` alone. Sequences of intents
//! are in the tests of the room's rules.

use std::time::Duration;

use noughts_protocol::{BoardSpec, MAX_SERVER_FRAME, Mark, RoomState, ServerMessage};

use crate::config::rooms::RoomTimes;
use crate::room::rules::RoomRules;

/// The time at which a room is read.
const START: Duration = Duration::from_secs(1000);

/// The default times of a server.
const TIMES: RoomTimes = RoomTimes {
    absence_grace: Duration::from_secs(60),
    unattended: Duration::from_secs(900),
    idle: Duration::from_secs(86_400),
};

/// Reads the stored state of a room.
///
/// # Panics
/// If it is another room when it is written and read again, or its snapshot is impossible or exceeds the
/// largest frame.
pub fn stored(row: &str) {
    let Ok(rules) = RoomRules::from_json(row, TIMES, START, None) else { return };
    let again = RoomRules::from_json(&rules.to_json(), TIMES, START, None);
    let again = again.expect("a row can be read");
    assert_eq!(again.state(), rules.state());
    let snapshot = rules.snapshot(START);
    let state = RoomState::from_snapshot(&snapshot).expect("a snapshot is possible");
    assert_eq!(RoomState { closed: rules.state().closed, ..state }, *rules.state());
    let text = serde_json::to_string(&ServerMessage::Snapshot(snapshot)).expect("a message");
    assert!(text.len() <= MAX_SERVER_FRAME, "{} bytes", text.len());
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
