//! Removes the ids and names of forgotten people from the facts of rooms that have ended: their seats
//! say "Somebody", with an id that nobody has, and the checksums follow the new facts. A room that has
//! not ended is looked through when it ends.

use noughts_protocol::{ByMark, Event, PlayerId, PlayerName, Seat};
use rusqlite::{Connection, params};

use super::forget::is_forgotten;
use crate::journal::checksum::{self, RoomColumns};
use crate::journal::entry::{Entry, Payload};
use crate::journal::error::DiskError;
use crate::journal::stored_room;

/// Has all rooms of now looked through. If that goes on already, the rooms that were looked through
/// come again afterwards: each pass ends, however many people are forgotten meanwhile.
pub(super) fn begin(connection: &Connection) -> rusqlite::Result<()> {
    let sql = "UPDATE sweep SET \
               again = CASE WHEN next <= last THEN max(again, next - 1) ELSE 0 END, \
               next = CASE WHEN next <= last THEN next ELSE 1 END, \
               last = (SELECT coalesce(max(id), 0) FROM room)";
    connection.prepare_cached(sql)?.execute([]).map(|_| ())
}

/// Looks at most `most` ended rooms through.
pub(in crate::journal) fn sweep(connection: &Connection, most: u32) -> rusqlite::Result<()> {
    let sql = "SELECT next, last, again FROM sweep";
    let mut select = connection.prepare_cached(sql)?;
    let (next, last, again): (i64, i64, i64) =
        select.query_row([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    if next > last {
        return Ok(());
    }
    let sql = "SELECT id FROM room WHERE id BETWEEN ?1 AND ?2 AND ended IS NOT NULL \
               ORDER BY id LIMIT ?3";
    let mut select = connection.prepare_cached(sql)?;
    let rooms = select.query_map(params![next, last, most], |row| row.get(0))?;
    let rooms: Vec<i64> = rooms.collect::<rusqlite::Result<_>>()?;
    for room in &rooms {
        remove_names(connection, *room)?;
    }
    let (next, last, again) = match rooms.last() {
        Some(room) if rooms.len() == most as usize => (room + 1, last, again),
        _ => (1, again, 0),
    };
    let sql = "UPDATE sweep SET next = ?1, last = ?2, again = ?3";
    connection.prepare_cached(sql)?.execute([next, last, again]).map(|_| ())
}

/// Looks through a room that ends now, if anybody was ever forgotten.
pub(in crate::journal) fn room_ended(connection: &Connection, room: i64) -> rusqlite::Result<()> {
    let sql = "SELECT EXISTS (SELECT 1 FROM forgotten_player)";
    let any: bool = connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
    if any { remove_names(connection, room) } else { Ok(()) }
}

/// Removes the ids and names of forgotten people from the facts of a room that has ended. A damaged
/// room stays as it is: new checksums would hide the damage.
fn remove_names(connection: &Connection, room: i64) -> rusqlite::Result<()> {
    if !names_forgotten(connection, room)? {
        return Ok(());
    }
    let mut entries = match stored_room::load_sorted(connection, room) {
        Ok(Some((stored, _))) if stored.broken.is_none() => stored.entries,
        Ok(_) | Err(DiskError::Damaged(_)) => {
            tracing::error!(
                "room number {room} is damaged and keeps the name of a forgotten player"
            );
            return Ok(());
        }
        Err(error) => return Err(rusqlite::Error::ToSqlConversionFailure(Box::new(error))),
    };
    for entry in &mut entries {
        let Payload::Fact(json) = &entry.payload else { continue };
        if let Some(event) = without_forgotten(connection, json)? {
            *entry = Entry::of(&event, entry.v, entry.run, entry.at);
        }
    }
    let sql = "SELECT code, settings, made, maker, maker_intent, guest, guest_intent FROM room \
               WHERE id = ?1";
    let (code, settings, made, mut origins): (String, String, i64, [Option<i64>; 4]) =
        connection.prepare_cached(sql)?.query_row([room], |row| {
            let origins = [row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?];
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, origins))
        })?;
    for column in [0, 2] {
        if let Some(id) = origins[column]
            && is_forgotten(connection, PlayerId(id.cast_unsigned()))?
        {
            origins[column] = Some(PlayerId::NOBODY.0.cast_signed());
        }
    }
    let columns = RoomColumns { id: room, code: &code, settings: &settings, made, origins };
    checksum::seal(checksum::of_room(columns), &mut entries);
    let sql = "UPDATE room SET maker = ?2, guest = ?3 WHERE id = ?1";
    connection.prepare_cached(sql)?.execute(params![room, origins[0], origins[2]])?;
    let sql = "UPDATE event SET fact = ?3, crc = ?4 WHERE room = ?1 AND v = ?2";
    let mut update = connection.prepare_cached(sql)?;
    for Entry { v, payload, crc, .. } in entries {
        let fact = match payload {
            Payload::Move(_) => None,
            Payload::Fact(json) => Some(json),
        };
        update.execute(params![room, v.cast_signed(), fact, crc])?;
    }
    Ok(())
}

/// Whether a room was made by a forgotten person, or had one on a seat.
fn names_forgotten(connection: &Connection, room: i64) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM room JOIN forgotten_player f \
               ON f.id IN (room.maker, room.guest) WHERE room.id = ?1)";
    if connection.prepare_cached(sql)?.query_row([room], |row| row.get(0))? {
        return Ok(true);
    }
    let sql = "SELECT fact FROM event WHERE room = ?1 AND fact LIKE '{\"kind\":\"seated\"%'";
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query([room])?;
    while let Some(row) = rows.next()? {
        let fact: String = row.get(0)?;
        if without_forgotten(connection, &fact)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The fact without forgotten people; `None` if it names none.
fn without_forgotten(connection: &Connection, json: &str) -> rusqlite::Result<Option<Event>> {
    // Only such facts have seats, and the stored form of facts never changes.
    if !json.starts_with(r#"{"kind":"seated""#) && !json.starts_with(r#"{"kind":"chosen""#) {
        return Ok(None);
    }
    let Ok(mut event) = serde_json::from_str::<Event>(json) else { return Ok(None) };
    let changed = match &mut event {
        Event::Seated { seat, .. } => replace(connection, seat)?,
        Event::Chosen { seats: ByMark { x, o }, .. } => {
            let x = replace(connection, x)?;
            replace(connection, o)? || x
        }
        _ => false,
    };
    Ok(changed.then_some(event))
}

/// Puts "Somebody" in a forgotten person's place.
fn replace(connection: &Connection, seat: &mut Seat) -> rusqlite::Result<bool> {
    let Some(player) = seat.player() else { return Ok(false) };
    let forgotten = is_forgotten(connection, player)?;
    if forgotten && let Ok(name) = "Somebody".parse::<PlayerName>() {
        *seat = Seat::Human { player: PlayerId::NOBODY, name };
    }
    Ok(forgotten)
}
