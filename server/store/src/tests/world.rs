//! A folder with a store, and games to put into it.

use std::path::Path;
use std::time::Duration;

use noughts_protocol::rules::Rules;
use noughts_protocol::{
    ByMark, Cell, Computer, Game, GameId, GameResult, Mark, Participant, PlayerId, RoomCode,
    RoomSettings,
};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::archive::ArchiveReader;
use crate::{
    Change, Counts, Durability, FinishedGame, Found, LiveRow, Options, Origin, Reader, Sqlite,
    Workers, game, schema,
};

pub(super) const ADA: PlayerId = PlayerId(0xada);
pub(super) const BOB: PlayerId = PlayerId(u64::MAX);
pub(super) const NOW: i64 = 1 << 41;

pub(super) const X_WINS: &[u16] = &[0, 3, 1, 4, 2];
pub(super) const O_WINS: &[u16] = &[0, 3, 1, 4, 8, 5];
pub(super) const DRAW: &[u16] = &[0, 1, 2, 4, 3, 5, 7, 6, 8];

pub(super) fn options(folder: &Path, workers: Workers) -> Options {
    let folder = folder.to_owned();
    let on_unknown = |why: &str| panic!("{why}");
    Options { folder, durability: Durability::Process, workers, wall_clock: || NOW, on_unknown }
}

pub(super) fn open(folder: &TempDir) -> (Sqlite, Found) {
    Sqlite::open(&options(folder.path(), Workers::Tasks)).unwrap()
}

pub(super) fn code(number: u32) -> RoomCode {
    RoomCode::from_number(number)
}

pub(super) fn origin(player: PlayerId) -> Origin {
    Origin { player, id: 7.try_into().unwrap() }
}

pub(super) fn room_row(v: u64, state: &str) -> LiveRow {
    LiveRow {
        v,
        state: state.to_owned(),
        until: Some(Duration::from_millis(v * 1000)),
        origins: vec![origin(ADA)],
        party: None,
        saved_at: None,
    }
}

pub(super) fn room(number: u32, expected: Option<u64>, v: u64) -> Change {
    let row = Some(room_row(v, "{}"));
    Change::Live { code: code(number), expected, row }
}

/// The end of a room or a party.
pub(super) fn end(number: u32, expected: u64) -> Change {
    Change::Live { code: code(number), expected: Some(expected), row: None }
}

/// A party of Ada's.
pub(super) fn party_row(v: u64) -> LiveRow {
    LiveRow { until: None, ..room_row(v, "{}") }
}

pub(super) fn person(player: PlayerId, name: &str) -> Participant {
    Participant::Human { player, name: name.parse().unwrap() }
}

pub(super) fn computer() -> Participant {
    Participant::Computer(Computer::default())
}

pub(super) fn two() -> ByMark<Participant> {
    ByMark { x: person(ADA, "Ada"), o: person(BOB, "Bob") }
}

/// A game of 3 × 3 on these cells, which end it or after which O resigns.
pub(super) fn finished(id: u64, players: ByMark<Participant>, cells: &[u16]) -> FinishedGame {
    let settings = RoomSettings::default();
    let moves: Vec<Cell> = cells.iter().copied().map(Cell).collect();
    let played = Game::replay(Rules::of(&settings), Mark::X, &moves, &[]).unwrap();
    let resigned = GameResult::Resignation { winner: Mark::X };
    FinishedGame {
        id: GameId(id),
        room: code(1),
        number: 1,
        settings,
        players,
        first: Mark::X,
        opening: 0,
        times_ms: (0..).step_by(100).take(moves.len()).collect(),
        moves,
        placed: Vec::new(),
        started: NOW - 1000,
        ended: NOW,
        result: played.result().cloned().unwrap_or(resigned),
        rated: true,
        public: false,
    }
}

pub(super) fn ended(id: u64, players: ByMark<Participant>, cells: &[u16]) -> Change {
    Change::Game(Box::new(finished(id, players, cells)))
}

/// The tables in memory.
pub(super) fn tables() -> Connection {
    let mut connection = Connection::open_in_memory().unwrap();
    schema::make_in(&mut connection).unwrap();
    connection
}

/// A person whose id and name follow from a number.
pub(super) fn numbered(n: u64) -> Participant {
    person(PlayerId(n), &format!("P{n}"))
}

/// Adds a game that `x` won against `o`, so many milliseconds ago.
pub(super) fn wins(connection: &Connection, (x, o): (u64, u64), times: u32, ago: i64) {
    for _ in 0..times {
        let players = ByMark { x: numbered(x), o: numbered(o) };
        let next = "SELECT count(*) FROM game";
        let id: i64 = connection.query_row(next, [], |row| row.get(0)).unwrap();
        let won = finished(id.cast_unsigned(), players, X_WINS);
        game::add(connection, &FinishedGame { ended: NOW - ago, ..won }, 0).unwrap();
    }
}

/// An archive with these games, in order.
pub(super) fn archive(games: impl IntoIterator<Item = FinishedGame>) -> ArchiveReader {
    let mut connection = tables();
    let all = connection.transaction().unwrap();
    games.into_iter().for_each(|game| game::add(&all, &game, 0).unwrap());
    all.commit().unwrap();
    ArchiveReader::of(connection, || NOW)
}

/// The output of `verify`, and what is sound.
pub(super) fn verified(folder: &Path) -> (Vec<String>, Counts) {
    let mut all = Vec::new();
    let reader = Reader::open(folder).unwrap();
    let counts = reader.verify(|_| Ok(()), |why| all.push(why.to_owned())).unwrap();
    (all, counts)
}

/// The rows of a query, each as a text.
pub(super) fn rows(connection: &Connection, sql: &str) -> Vec<String> {
    let mut select = connection.prepare(sql).unwrap();
    let columns = select.column_count();
    let rows = select.query_map([], |row| {
        let cell = |at| {
            Ok(match row.get_ref(at)? {
                rusqlite::types::ValueRef::Null => "-".to_owned(),
                rusqlite::types::ValueRef::Integer(number) => number.to_string(),
                other => other.as_str().unwrap_or("?").to_owned(),
            })
        };
        (0..columns).map(cell).collect::<rusqlite::Result<Vec<_>>>().map(|row| row.join(" "))
    });
    rows.unwrap().map(Result::unwrap).collect()
}
