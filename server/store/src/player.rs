//! The table `player`: people's numbers, last names and faces, who hides, and who was forgotten.

use std::collections::{HashSet, VecDeque};

use noughts_protocol::{ByMark, MAX_HERE, Mark, Participant, PlayerId, PlayerName};
use parking_lot::RwLock;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::{act, game, kept_party, row};

/// The number of somebody who was forgotten before a game ended.
pub(crate) const SOMEBODY: i64 = 0;

/// People whose token is refused because they asked to be forgotten. The one forgotten longest ago
/// gives way: that token would prove the old id again, of which nothing is known any more.
const MAX_FORGOTTEN: i64 = 1_000_000;

/// People whom a person has played.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct People {
    /// Those who do not hide, the last opponent first; at most [`MAX_HERE`].
    pub people: Vec<(PlayerId, PlayerName)>,
    /// Whether the person hides.
    pub hidden: bool,
}

/// The number of a person; `None` for one who has ended no game or was forgotten.
pub(crate) fn number(connection: &Connection, player: PlayerId) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT n FROM player WHERE id = ?1 AND forgotten IS NULL";
    let mut select = connection.prepare_cached(sql)?;
    select.query_row([player.0.cast_signed()], |row| row.get(0)).optional()
}

/// The number of a person, made if need be; [`SOMEBODY`] for one who was forgotten.
pub(crate) fn number_or_new(connection: &Connection, player: PlayerId) -> rusqlite::Result<i64> {
    let id = player.0.cast_signed();
    let sql = "SELECT CASE WHEN forgotten IS NULL THEN n ELSE 0 END FROM player WHERE id = ?1";
    let known = connection.prepare_cached(sql)?.query_row([id], |row| row.get(0)).optional()?;
    if let Some(n) = known {
        return Ok(n);
    }
    connection.prepare_cached("INSERT INTO player (id) VALUES (?1)")?.execute([id])?;
    Ok(connection.last_insert_rowid())
}

/// The person with a number, by the last name; somebody if the person was forgotten.
pub(crate) fn of_number(connection: &Connection, n: i64) -> rusqlite::Result<Participant> {
    let sql =
        "SELECT id, name, face FROM player WHERE n = ?1 AND id IS NOT NULL AND name IS NOT NULL";
    let mut select = connection.prepare_cached(sql)?;
    let person = select.query_row([n], person).optional()?;
    let human = person.map(|(player, name)| Participant::Human { player, name });
    Ok(human.unwrap_or(Participant::Somebody))
}

/// Notes the names and the faces of the people of a game whose numbers are these. A person without
/// a face keeps the one of an earlier game.
pub(crate) fn note_names(
    connection: &Connection,
    players: &ByMark<Participant>,
    numbers: ByMark<i64>,
) -> rusqlite::Result<()> {
    let name = |mark: Mark| match &players[mark] {
        Participant::Human { name, .. } => Some(name),
        Participant::Somebody | Participant::Computer(_) => None,
    };
    for mark in Mark::BOTH {
        if numbers[mark] != SOMEBODY
            && let Some(seat) = name(mark)
        {
            let own = own_name(seat, name(mark.other()));
            // Most games change no name, and then nothing is written.
            let sql = "UPDATE player SET name = ?2, face = coalesce(?3, face) \
                       WHERE n = ?1 AND (name IS NOT ?2 OR face IS NOT coalesce(?3, face))";
            let face = seat.face().map(|face| face.to_string());
            connection.prepare_cached(sql)?.execute(params![numbers[mark], own.as_str(), face])?;
        }
    }
    Ok(())
}

/// The name that a player goes by: the name on a seat, without the number that tells two people of
/// one name apart.
fn own_name(seat: &PlayerName, other: Option<&PlayerName>) -> PlayerName {
    let own = seat.as_str().strip_suffix(" (2)").or_else(|| seat.as_str().strip_suffix(" (3)"));
    let own = own.and_then(|own| own.parse::<PlayerName>().ok());
    let numbered = |own: &PlayerName| other.is_some_and(|other| own.apart_from(other) == *seat);
    own.filter(numbered).unwrap_or_else(|| seat.clone())
}

/// Forgets a person at the time `at`, in milliseconds since 1970. A repeat changes nothing but the parties and acts that were stored since.
pub(crate) fn forget(connection: &Connection, player: PlayerId, at: i64) -> rusqlite::Result<()> {
    // A party may have kept them since.
    kept_party::forget(connection, player)?;
    act::forget(connection, player)?;
    if is_forgotten(connection, player)? {
        return Ok(());
    }
    if let Some(n) = number(connection, player)? {
        let sql =
            "UPDATE player SET id = NULL, name = NULL, face = NULL, hidden = NULL WHERE n = ?1";
        connection.execute(sql, [n])?;
        connection.execute("DELETE FROM rating WHERE player = ?1", [n])?;
        game::remove_name(connection, n)?;
    }
    let sql = "INSERT INTO player (id, forgotten) VALUES (?1, ?2)";
    connection.execute(sql, params![player.0.cast_signed(), at])?;
    let sql = "DELETE FROM player WHERE n = (SELECT min(n) FROM player WHERE forgotten IS NOT NULL) \
               AND (SELECT count(*) FROM player WHERE forgotten IS NOT NULL) > ?1";
    connection.execute(sql, [MAX_FORGOTTEN])?;
    Ok(())
}

/// Hides a person from those whom they have played, or shows them again.
pub(crate) fn hide(
    connection: &Connection,
    player: PlayerId,
    hidden: bool,
) -> rusqlite::Result<()> {
    let sql = "UPDATE player SET hidden = ?2 WHERE id = ?1 AND forgotten IS NULL";
    connection.execute(sql, params![player.0.cast_signed(), hidden.then_some(1)]).map(drop)
}

/// The people whom a person has played and who do not hide, the last opponent first, and whether the person
/// hides.
pub(crate) fn people(connection: &Connection, player: PlayerId) -> rusqlite::Result<People> {
    let Some(n) = number(connection, player)? else { return Ok(People::default()) };
    let sql = "SELECT hidden IS NOT NULL FROM player WHERE n = ?1";
    let hidden = connection.prepare_cached(sql)?.query_row([n], |row| row.get(0))?;
    let sql = "SELECT p.id, p.name, p.face FROM (SELECT opponent, max(game) AS last FROM seat \
               WHERE player = ?1 AND opponent > 0 GROUP BY opponent ORDER BY last DESC LIMIT ?2) \
               JOIN player p ON p.n = opponent \
               WHERE p.id IS NOT NULL AND p.name IS NOT NULL AND p.hidden IS NULL ORDER BY last DESC";
    let mut select = connection.prepare_cached(sql)?;
    let people = select.query_map(params![n, row::limit(MAX_HERE)], person)?;
    Ok(People { people: people.collect::<rusqlite::Result<_>>()?, hidden })
}

/// Reads an id, a name and a face. A face of a later version is none.
fn person(row: &Row<'_>) -> rusqlite::Result<(PlayerId, PlayerName)> {
    let player = PlayerId(row.get::<_, i64>(0)?.cast_unsigned());
    let face = row.get::<_, Option<String>>(2)?.and_then(|face| face.parse().ok());
    Ok((player, row::name(row, 1)?.with_face(face)))
}

/// Whether a person asked to be forgotten.
pub(crate) fn is_forgotten(connection: &Connection, player: PlayerId) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM player WHERE id = ?1 AND forgotten IS NOT NULL)";
    connection.prepare_cached(sql)?.query_row([player.0.cast_signed()], |row| row.get(0))
}

/// The people who asked to be forgotten, in memory, so that `hello` asks no disk: the same as in the file.
#[derive(Debug, Default)]
pub(crate) struct Forgotten(RwLock<Set>);

#[derive(Debug, Default)]
struct Set {
    all: HashSet<PlayerId>,
    /// The same in the order in which they asked.
    order: VecDeque<PlayerId>,
}

impl Forgotten {
    /// Reads them.
    pub(crate) fn read(connection: &Connection) -> rusqlite::Result<Self> {
        let sql = "SELECT id FROM player WHERE forgotten IS NOT NULL ORDER BY n";
        let mut select = connection.prepare(sql)?;
        let mut rows = select.query([])?;
        let forgotten = Self::default();
        while let Some(row) = rows.next()? {
            forgotten.insert(PlayerId(row.get::<_, i64>(0)?.cast_unsigned()));
        }
        Ok(forgotten)
    }

    /// Adds a person. If there are too many, the one who asked first gives way.
    pub(crate) fn insert(&self, player: PlayerId) {
        let mut people = self.0.write();
        if !people.all.insert(player) {
            return;
        }
        people.order.push_back(player);
        if usize::try_from(MAX_FORGOTTEN).is_ok_and(|most| people.order.len() > most)
            && let Some(first) = people.order.pop_front()
        {
            people.all.remove(&first);
        }
    }

    /// Whether a person asked to be forgotten.
    pub(crate) fn contains(&self, player: PlayerId) -> bool {
        self.0.read().all.contains(&player)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_goes_by_the_name_without_the_number_of_a_seat() {
        let name = |name: &str| name.parse::<PlayerName>().unwrap();
        let check = |seat, other: Option<&str>, expected| {
            assert_eq!(own_name(&name(seat), other.map(name).as_ref()), name(expected));
        };
        check("Ada (2)", Some("Ada"), "Ada");
        check("Ada (2)", Some("Bob"), "Ada (2)");
        check("Ada (2)", None, "Ada (2)");
        check("Ada", Some("Ada (2)"), "Ada");
    }
}
