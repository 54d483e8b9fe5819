//! What the journal knows when a server starts on it. The facts of a room are not read before
//! somebody asks for the room; that is [`super::reader`]'s.

use noughts_protocol::PlayerId;
use rusqlite::{Connection, params_from_iter};

use super::archive::forget::forgotten;
use super::entry::Origin;
use super::party;
use super::party::LiveParty;
use super::uptime::{MAX_RUNS, ServerRun, Uptime};
use crate::shard::{AND_NUMBER_IS_OF_SHARD, Shard};

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
    /// On a node the owners of all shards by the records that are done; its rooms and parties come with
    /// its shards.
    pub owners: Vec<ShardOwner>,
    /// On a node whether the file was a single server's.
    pub imported: bool,
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
            owners: owners(connection)?,
            imported: one("SELECT EXISTS (SELECT 1 FROM run WHERE shard IS NULL)")? > 0,
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

/// The owner of a shard by the records that are done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardOwner {
    /// The shard.
    pub shard: Shard,
    /// The name of the node that owns it; `None` if nobody does.
    pub node: Option<String>,
    /// The number of the record that says so; 0 if there is none.
    pub claim: u64,
}

/// Stores that a run begins `now`, in milliseconds since 1970, and returns all known runs.
pub(super) fn begin_run(connection: &mut Connection, now: i64) -> rusqlite::Result<Uptime> {
    let transaction = connection.transaction()?;
    let sql = "INSERT INTO run (started, alive, age) \
               VALUES (?1, ?1, (SELECT coalesce(max(age), 0) FROM run))";
    transaction.execute(sql, [now])?;
    let current = transaction.last_insert_rowid();
    transaction.execute("DELETE FROM run WHERE id <= ?1", [current - MAX_RUNS])?;
    let uptime = Uptime::new(runs(&transaction, None)?);
    transaction.commit()?;
    Ok(uptime)
}

/// The owners of all shards; none in the file of a single server.
fn owners(connection: &Connection) -> rusqlite::Result<Vec<ShardOwner>> {
    let mut select = connection.prepare("SELECT id, node, claim FROM shard ORDER BY id")?;
    let owners = select.query_map([], |row| {
        let (shard, node, claim): (u8, _, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(Shard::try_from(shard).ok().map(|shard| {
            let claim = claim.cast_unsigned();
            ShardOwner { shard, node, claim }
        }))
    })?;
    owners.filter_map(Result::transpose).collect()
}

/// The known runs of a shard, or with `None` those of a single server.
pub(super) fn runs(
    connection: &Connection,
    shard: Option<Shard>,
) -> rusqlite::Result<Vec<ServerRun>> {
    // The file of a node that was a single server's has its runs: they are before those of all shards.
    let sql = "SELECT id, started, alive FROM run WHERE shard IS ?1 OR shard IS NULL ORDER BY id";
    let mut select = connection.prepare_cached(sql)?;
    let runs = select.query_map([shard.map(u8::from)], |row| {
        Ok(ServerRun { id: row.get(0)?, started: row.get(1)?, alive: row.get(2)? })
    })?;
    runs.collect()
}

/// The rooms of a shard that have not ended; with `None` of all shards.
pub(super) fn live_rooms(
    connection: &Connection,
    shard: Option<Shard>,
) -> rusqlite::Result<Vec<LiveRoom>> {
    let own = shard.map_or("", |_| AND_NUMBER_IS_OF_SHARD);
    let sql = format!(
        r#"SELECT id, code, vacant_run, vacant, maker, maker_intent, guest, guest_intent,
               instr(settings, '"party":') > 0
               FROM room INDEXED BY room_live WHERE ended IS NULL {own} ORDER BY id"#
    );
    let mut select = connection.prepare(&sql)?;
    let rooms = select.query_map(params_from_iter(shard.map(u8::from)), |row| {
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
