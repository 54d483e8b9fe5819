//! Deletes old games from the archive, a few at a time. What is counted of them stays: tallies, rows of
//! wins, and the results from which the ratings follow.

use rusqlite::{Connection, params};

/// Deletes at most `most` of the games that ended before the server had reached the age `before`, in
/// the order of their ends.
pub(in crate::journal) fn prune(
    connection: &Connection,
    before: i64,
    most: u32,
) -> rusqlite::Result<()> {
    let sql = "SELECT n, x, o, ended, ended_age FROM game ORDER BY n LIMIT ?1";
    let mut select = connection.prepare_cached(sql)?;
    let oldest = select.query_map([most], |row| {
        let columns: [i64; 3] = [row.get(0)?, row.get(3)?, row.get(4)?];
        Ok((columns, [row.get(1)?, row.get(2)?]))
    })?;
    let oldest: Vec<([i64; 3], [Option<i64>; 2])> = oldest.collect::<rusqlite::Result<_>>()?;
    let old = oldest.into_iter().take_while(|([_, _, age], _)| *age < before);
    for ([n, ended, _], players) in old {
        let delete = "DELETE FROM played WHERE player = ?1 AND game = ?2";
        for player in players.into_iter().flatten() {
            connection.prepare_cached(delete)?.execute([player, n])?;
        }
        connection.prepare_cached("DELETE FROM game WHERE n = ?1")?.execute([n])?;
        let note = "UPDATE pruned SET game = ?1, ended = max(ended, ?2)";
        connection.prepare_cached(note)?.execute(params![n, ended])?;
    }
    Ok(())
}
