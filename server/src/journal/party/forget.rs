//! Removes the ids and names of forgotten people from parties that have ended: they are "Somebody" there,
//! and the checksums follow the new facts. A party that has not ended is looked through when it ends.

use noughts_protocol::{PartyEvent, PlayerId, PlayerName};
use rusqlite::{Connection, params};

use super::{PartyEntry, StoredParty, seal, store};
use crate::journal::error::DiskError;

/// Removes a person from the parties that have ended.
pub(in crate::journal) fn forget(
    connection: &Connection,
    player: PlayerId,
) -> rusqlite::Result<()> {
    let sql = "SELECT party FROM party_person JOIN party ON party.id = party_person.party \
               WHERE player = ?1 AND ended IS NOT NULL";
    let mut select = connection.prepare_cached(sql)?;
    let parties = select.query_map([player.0.cast_signed()], |row| row.get(0))?;
    for party in parties.collect::<rusqlite::Result<Vec<i64>>>()? {
        remove(connection, party, &[player])?;
    }
    Ok(())
}

/// Removes everybody who was forgotten from a party that ends now.
pub(super) fn party_ended(connection: &Connection, party: i64) -> rusqlite::Result<()> {
    let sql = "SELECT player FROM party_person JOIN forgotten_player f ON f.id = player \
               WHERE party = ?1";
    let mut select = connection.prepare_cached(sql)?;
    let people =
        select.query_map([party], |row| Ok(PlayerId(row.get::<_, i64>(0)?.cast_unsigned())))?;
    let people: Vec<PlayerId> = people.collect::<rusqlite::Result<_>>()?;
    if people.is_empty() { Ok(()) } else { remove(connection, party, &people) }
}

/// Removes people from a party. A damaged party stays as it is: new checksums would hide the damage.
fn remove(connection: &Connection, party: i64, people: &[PlayerId]) -> rusqlite::Result<()> {
    let mut stored = match store::load(connection, party) {
        Ok(Some(stored)) if stored.broken.is_none() => stored,
        Ok(_) | Err(DiskError::Damaged(_)) => {
            tracing::error!(
                "party number {party} is damaged and keeps the name of a forgotten player"
            );
            return Ok(());
        }
        Err(error) => return Err(rusqlite::Error::ToSqlConversionFailure(Box::new(error))),
    };
    if people.contains(&stored.new.host) {
        stored.new.host = PlayerId::NOBODY;
        // It is often called after its host.
        stored.new.name = "Party".parse().unwrap_or(stored.new.name);
    }
    let StoredParty { new, entries, made, .. } = &mut stored;
    for entry in &mut *entries {
        if let Some(event) = without(entry, people) {
            *entry = PartyEntry::of(&event, entry.v, entry.run, entry.at, entry.room);
        }
    }
    seal(new.checksum(party, *made), entries);
    let sql = "UPDATE party SET host = ?2, name = ?3 WHERE id = ?1";
    let host = new.host.0.cast_signed();
    connection.prepare_cached(sql)?.execute(params![party, host, new.name.as_str()])?;
    let sql = "UPDATE party_event SET fact = ?3, crc = ?4 WHERE party = ?1 AND v = ?2";
    let mut update = connection.prepare_cached(sql)?;
    for PartyEntry { v, fact, crc, .. } in &*entries {
        update.execute(params![party, v.cast_signed(), fact, crc])?;
    }
    let sql = "DELETE FROM party_person WHERE party = ?1 AND player = ?2";
    let mut delete = connection.prepare_cached(sql)?;
    for player in people {
        delete.execute(params![party, player.0.cast_signed()])?;
    }
    Ok(())
}

/// The fact without these people; `None` if it names none of them.
fn without(entry: &PartyEntry, people: &[PlayerId]) -> Option<PartyEvent> {
    let Ok(PartyEvent::Joined { mut entrant }) = entry.event() else { return None };
    entrant.player.take_if(|player| people.contains(player))?;
    // Every entrant has a name that nobody else has.
    let name = format!("Somebody {}", entrant.number);
    entrant.name = name.parse::<PlayerName>().ok()?;
    Some(PartyEvent::Joined { entrant })
}
