//! The table `kept_party`: parties that have ended, as they were at their ends. They stay as long as the
//! games that were played in them. The names of their people are in them, and go when one is forgotten.

use noughts_protocol::{PartyCode, PartySnapshot, PartyState, PlayerId, PlayerName};
use rusqlite::{Connection, Row, params};

use crate::crc;
use crate::error::ReadError;
use crate::row::from_json;

/// The most of them. The one that ended longest ago goes.
const MOST: i64 = 10_000;

/// Keeps a party that ended when the server had run for `age`. An earlier one of the same code goes.
pub(crate) fn add(
    connection: &Connection,
    party: &PartySnapshot,
    age: i64,
) -> rusqlite::Result<()> {
    insert(connection, party, age)?;
    let sql = "DELETE FROM kept_party WHERE code IN \
               (SELECT code FROM kept_party ORDER BY age DESC LIMIT -1 OFFSET ?1)";
    connection.prepare_cached(sql)?.execute([MOST]).map(|_| ())
}

fn insert(connection: &Connection, party: &PartySnapshot, age: i64) -> rusqlite::Result<()> {
    // Serialization cannot fail: no map is in it.
    let state = serde_json::to_string(party).unwrap_or_default();
    let values = params![party.state.code.0.number(), age, state];
    crc::insert(connection, "INSERT OR REPLACE INTO kept_party", values).map(drop)
}

/// Deletes those that ended before the server had run for `before`.
pub(crate) fn prune(connection: &Connection, before: i64) -> rusqlite::Result<()> {
    let sql = "DELETE FROM kept_party WHERE age < ?1";
    connection.prepare_cached(sql)?.execute([before]).map(|_| ())
}

/// Reads a party.
pub(crate) fn load(
    connection: &Connection,
    code: PartyCode,
) -> Result<Option<PartySnapshot>, ReadError> {
    let mut select = connection.prepare_cached("SELECT * FROM kept_party WHERE code = ?1")?;
    let mut rows = select.query([code.0.number()])?;
    rows.next()?.map(from_row).transpose()
}

/// Calls `each` with every party.
pub(crate) fn each(
    connection: &Connection,
    mut each: impl FnMut(Result<PartySnapshot, ReadError>),
) -> Result<(), ReadError> {
    let mut select = connection.prepare("SELECT * FROM kept_party")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        each(from_row(row));
    }
    Ok(())
}

fn from_row(row: &Row<'_>) -> Result<PartySnapshot, ReadError> {
    crc::check(row, "a kept party")?;
    Ok(from_json(row, 2)?)
}

/// Takes a person out of all of them. A row that cannot be read may name the person, and goes.
pub(crate) fn forget(connection: &Connection, player: PlayerId) -> rusqlite::Result<()> {
    let sql = "SELECT * FROM kept_party WHERE instr(state, ?1) > 0";
    let mut select = connection.prepare(sql)?;
    let mut rows = select.query([player.to_string()])?;
    let mut named = Vec::new();
    while let Some(row) = rows.next()? {
        named.push((row.get::<_, u32>(0)?, row.get::<_, i64>(1)?, from_row(row).ok()));
    }
    drop(rows);
    for (code, age, party) in named {
        match party {
            Some(mut party) => {
                take_out(&mut party.state, player);
                insert(connection, &party, age)?;
            }
            None => {
                connection.execute("DELETE FROM kept_party WHERE code = ?1", [code])?;
            }
        }
    }
    Ok(())
}

/// Takes a person out of a party: the entrant is somebody, and a party is often called after its host.
fn take_out(party: &mut PartyState, player: PlayerId) {
    let names: Vec<_> = party.entrants.iter().map(|entrant| entrant.name.clone()).collect();
    let is_taken = |text: &str| names.iter().any(|name| name.as_str() == text);
    let somebody = "Somebody".parse().map(|name: PlayerName| name.unique(is_taken));
    let own = party.entrants.iter_mut().filter(|entrant| entrant.player == Some(player));
    for entrant in own {
        entrant.player = None;
        entrant.fixed_name = false;
        if let Ok(name) = &somebody {
            entrant.name = name.clone();
        }
    }
    if party.host == player {
        party.host = PlayerId::NOBODY;
        party.name = "Party".parse().unwrap_or_else(|_| party.name.clone());
    }
}
