//! The work of each write in its transaction.

use rusqlite::{Connection, params};

use super::archive;
use super::archive::add::add;
use super::archive::forget::{forget, scrub};
use super::archive::sweep::{room_ended, sweep};
use super::entry::{EndTime, NewRoom};
use super::error::ApplyError;
use super::party;
use super::recent::RecentFacts;
use super::recent::transaction::FactsOfCommit;
use super::write::Write;

/// Kept games that housekeeping deletes or changes for each room: so many games a room may well have,
/// and a game costs less than a room.
const GAMES_A_ROOM: u32 = 8;

/// Does a write in the transaction of the caller. Its facts are among those of the commit, which are
/// stored with the commit's other facts.
pub(super) fn apply<'a>(
    connection: &Connection,
    recent: &RecentFacts,
    facts: &mut FactsOfCommit<'a>,
    write: &'a Write,
) -> Result<(), ApplyError> {
    match write {
        Write::Create { room, new, made, entries } => {
            create(connection, *room, new, *made)?;
            facts.create(*room, entries);
        }
        Write::Append { room, entries, kept, ended } => {
            facts.append(connection, recent, *room, entries)?;
            if let Some(game) = kept {
                add(connection, *room, &facts.of_room(recent, *room), game)?;
            }
            if let Some(end) = ended {
                facts.sort(connection, recent, *room)?;
                end_room(connection, *room, *end)?;
            }
        }
        write => apply_other(connection, write)?,
    }
    Ok(())
}

/// Does a write without facts of a room.
fn apply_other(connection: &Connection, write: &Write) -> rusqlite::Result<()> {
    match write {
        Write::Create { .. } | Write::Append { .. } => Ok(()),
        Write::Party { party, write } => party::store::apply(connection, *party, write),
        Write::Vacant { room, run, since } => {
            let sql = "UPDATE room SET vacant = ?2, vacant_run = ?3 WHERE id = ?1";
            let run = since.map(|_| run);
            connection.prepare_cached(sql)?.execute(params![room, since, run]).map(|_| ())
        }
        Write::Alive { at, age } => {
            let sql = "UPDATE run SET alive = ?1, age = ?2 WHERE id = (SELECT max(id) FROM run)";
            connection.prepare_cached(sql)?.execute([at, age]).map(|_| ())
        }
        Write::Prune { before, most } => {
            prune(connection, *before, *most)?;
            party::store::prune(connection, *before, *most)?;
            archive::prune::prune(connection, *before, most.saturating_mul(GAMES_A_ROOM))
        }
        Write::Forget { player, at } => {
            forget(connection, *player, *at)?;
            party::forget::forget(connection, *player)
        }
        Write::Scrub { most } => {
            scrub(connection, most.saturating_mul(GAMES_A_ROOM))?;
            sweep(connection, *most)
        }
    }
}

fn create(connection: &Connection, room: i64, new: &NewRoom, made: i64) -> rusqlite::Result<()> {
    let sql = "INSERT INTO room (id, code, settings, made, maker, maker_intent, guest, \
               guest_intent) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let (code, settings) = (new.code.as_str(), new.settings_json());
    let [maker, maker_intent, guest, guest_intent] = new.origin_columns();
    let origins = params![room, code, settings, made, maker, maker_intent, guest, guest_intent];
    connection.prepare_cached(sql)?.execute(origins).map(|_| ())
}

/// Ends a room, whose facts are all in `event`.
fn end_room(connection: &Connection, room: i64, end: EndTime) -> rusqlite::Result<()> {
    let EndTime { at, age } = end;
    if !has_moves(connection, room)? && !is_table(connection, room)? {
        return delete(connection, room);
    }
    let sql = "UPDATE room SET ended = ?2, ended_age = ?3 WHERE id = ?1";
    connection.prepare_cached(sql)?.execute(params![room, at, age])?;
    room_ended(connection, room)
}

fn prune(connection: &Connection, before: i64, most: u32) -> rusqlite::Result<()> {
    let sql = "SELECT id FROM room WHERE ended IS NOT NULL AND ended_age < ?1 \
               ORDER BY ended_age LIMIT ?2";
    let mut select = connection.prepare_cached(sql)?;
    let old = select.query_map(params![before, most], |row| row.get(0))?;
    for room in old.collect::<rusqlite::Result<Vec<i64>>>()? {
        delete(connection, room)?;
    }
    Ok(())
}

/// Whether a mark was ever placed in a room; the first mark of a game leads to nothing else, so it is
/// stored as a cell. A room that ends without a mark is deleted: it has no game to keep, and otherwise
/// making rooms would be enough to fill the disk.
fn has_moves(connection: &Connection, room: i64) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM event WHERE room = ?1 AND cell IS NOT NULL)";
    connection.prepare_cached(sql)?.query_row([room], |row| row.get(0))
}

/// Whether a room is a party's table: the party's result follows from it, with a mark or without.
fn is_table(connection: &Connection, room: i64) -> rusqlite::Result<bool> {
    let sql = r#"SELECT EXISTS
               (SELECT 1 FROM room WHERE id = ?1 AND instr(settings, '"party":') > 0)"#;
    connection.prepare_cached(sql)?.query_row([room], |row| row.get(0))
}

fn delete(connection: &Connection, room: i64) -> rusqlite::Result<()> {
    connection.prepare_cached("UPDATE forgotten SET room = max(room, ?1)")?.execute([room])?;
    connection.prepare_cached("DELETE FROM event WHERE room = ?1")?.execute([room])?;
    connection.prepare_cached("DELETE FROM room WHERE id = ?1")?.execute([room])?;
    Ok(())
}
