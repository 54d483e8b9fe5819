//! A start sorts the facts that the server before it left unsorted.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::{insert, row};
use crate::journal::entry::Entry;

/// Sorts all facts of `batch`. Facts of rooms that are not there any more are left out. A damaged row
/// stays in the table, and `verify` tells it.
pub(in crate::journal) fn sort_all(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    let (mut rooms, mut read) = (BTreeMap::<i64, Vec<Entry>>::new(), Vec::new());
    let mut select = transaction.prepare("SELECT id, facts FROM batch ORDER BY id")?;
    let mut rows = select.query([])?;
    while let Some(found) = rows.next()? {
        let id: i64 = found.get(0)?;
        let Some(facts) = row::decode(&found.get::<_, Vec<u8>>(1)?) else {
            tracing::error!(
                "row {id} of the table `batch` is damaged: the facts of a commit are lost"
            );
            continue;
        };
        for (room, entry) in facts {
            rooms.entry(room).or_default().push(entry);
        }
        read.push(id);
    }
    drop(rows);
    drop(select);
    let mut exists = transaction.prepare("SELECT EXISTS (SELECT 1 FROM room WHERE id = ?1)")?;
    for (room, entries) in &rooms {
        if exists.query_row([room], |row| row.get(0))? {
            insert(&transaction, *room, entries)?;
        }
    }
    drop(exists);
    let mut delete = transaction.prepare("DELETE FROM batch WHERE id = ?1")?;
    for id in read {
        delete.execute([id])?;
    }
    drop(delete);
    transaction.commit()
}
