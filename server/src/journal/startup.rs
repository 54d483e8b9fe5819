//! What the journal knows when a server starts on it. The facts of a room are not read before
//! somebody asks for the room; that is [`super::reader`]'s.

use noughts_protocol::PlayerId;
use rusqlite::Connection;

use super::archive::forget::forgotten;
use super::entry::Origin;
use super::party;
use super::party::LiveParty;
use super::uptime::{MAX_RUNS, ServerRun, Uptime};

/// What is known at the start of the server.
#[derive(Debug)]
pub struct Startup {
    /// The secret with which the server signs tokens.
    pub secret: [u8; 32],
    /// When the server ran.
    pub uptime: Uptime,
    /// How long the server ran before, over all its runs, in milliseconds.
    pub age: i64,
    /// The number of the next room.
    pub next_room: i64,
    /// The number of the next party.
    pub next_party: i64,
    /// The parties that have not ended.
    pub parties: Vec<LiveParty>,
    /// The rooms that have not ended.
    pub rooms: Vec<LiveRoom>,
    /// The people who asked to be forgotten, in that order.
    pub forgotten: Vec<PlayerId>,
}

impl Startup {
    /// What a file tells besides these.
    pub(super) fn read(
        connection: &Connection,
        uptime: Uptime,
        rooms: Vec<LiveRoom>,
        parties: Vec<LiveParty>,
    ) -> rusqlite::Result<Self> {
        let one = |sql| connection.query_row(sql, [], |row| row.get(0));
        let next_room =
            "SELECT max(room, (SELECT coalesce(max(id), 0) FROM room)) + 1 FROM forgotten";
        Ok(Self {
            secret: connection.query_row("SELECT token FROM secret", [], |row| row.get(0))?,
            uptime,
            age: one("SELECT coalesce(max(age), 0) FROM run")?,
            next_room: one(next_room)?,
            next_party: party::store::next_party(connection)?,
            parties,
            rooms,
            forgotten: forgotten(connection)?,
        })
    }
}

/// A room that has not ended: what the server must know before somebody asks for the room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveRoom {
    /// The room's number.
    pub id: i64,
    /// The room's code.
    pub code: String,
    /// The run and the time at which the last connection left; `None` if somebody was in the room
    /// when the server ended.
    pub vacant: Option<(i64, i64)>,
    /// The intents that made the room.
    pub origins: Vec<Origin>,
    /// Whether it is the room of a party's table.
    pub is_table: bool,
}

/// Stores that a run begins `now`, in milliseconds since 1970, and returns all known runs.
pub(super) fn begin_run(connection: &mut Connection, now: i64) -> rusqlite::Result<Uptime> {
    let transaction = connection.transaction()?;
    let sql = "INSERT INTO run (started, alive, age) \
               VALUES (?1, ?1, (SELECT coalesce(max(age), 0) FROM run))";
    transaction.execute(sql, [now])?;
    let current = transaction.last_insert_rowid();
    transaction.execute("DELETE FROM run WHERE id <= ?1", [current - MAX_RUNS])?;
    let uptime = Uptime::new(runs(&transaction)?);
    transaction.commit()?;
    Ok(uptime)
}

/// The known runs.
fn runs(connection: &Connection) -> rusqlite::Result<Vec<ServerRun>> {
    let sql = "SELECT id, started, alive FROM run ORDER BY id";
    let mut select = connection.prepare_cached(sql)?;
    let runs = select.query_map([], |row| {
        Ok(ServerRun { id: row.get(0)?, started: row.get(1)?, alive: row.get(2)? })
    })?;
    runs.collect()
}

/// The rooms that have not ended.
pub(super) fn live_rooms(connection: &Connection) -> rusqlite::Result<Vec<LiveRoom>> {
    let sql = r#"SELECT id, code, vacant_run, vacant, maker, maker_intent, guest, guest_intent,
               instr(settings, '"party":') > 0
               FROM room INDEXED BY room_live WHERE ended IS NULL ORDER BY id"#;
    let mut select = connection.prepare(sql)?;
    let rooms = select.query_map([], |row| {
        let vacant = row.get::<_, Option<i64>>(2)?.zip(row.get(3)?);
        let origins = [(row.get(4)?, row.get(5)?), (row.get(6)?, row.get(7)?)];
        let origins = origins.into_iter().filter_map(|(player, id)| origin(player, id)).collect();
        let is_table = row.get(8)?;
        Ok(LiveRoom { id: row.get(0)?, code: row.get(1)?, vacant, origins, is_table })
    })?;
    rooms.collect()
}

fn origin(player: Option<i64>, id: Option<i64>) -> Option<Origin> {
    let player = PlayerId(player?.cast_unsigned());
    Some(Origin { player, id: u64::try_from(id?).ok()?.try_into().ok()? })
}
