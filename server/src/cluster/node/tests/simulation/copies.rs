//! Compares the copies of the nodes of a simulation, table by table, and with the log.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::ledger::LogReader;

/// Tables that are a node's own, or that say how a node has stored something.
const OWN: [&str; 4] = ["node", "batch", "settled", "sweep"];

/// The rows of each table, as texts.
type Tables = BTreeMap<String, Vec<String>>;

/// The differences between the copies in these folders, and between them and the log.
pub(super) fn differences(folders: &[&Path], log: &LogReader) -> Vec<String> {
    let copies: Vec<_> = folders.iter().map(|folder| read(folder).unwrap()).collect();
    let mut found = Vec::new();
    for (place, copy) in copies.iter().enumerate().skip(1) {
        for (table, rows) in copy {
            let first = &copies[0][table];
            if let Some(at) =
                (0..rows.len().max(first.len())).find(|at| rows.get(*at) != first.get(*at))
            {
                let (one, other) = (first.get(at), rows.get(at));
                found.push(format!("copy 0 and {place} of {table}: {one:?} and {other:?}"));
            }
        }
    }
    let facts: u64 = log.versions.values().map(|(_, v)| v).sum();
    let stored = ["event", "party_event"].map(|table| copies[0][table].len() as u64);
    if stored.iter().sum::<u64>() != facts {
        found.push(format!("the copies have {stored:?} facts, the log has {facts}"));
    }
    found
}

fn read(folder: &Path) -> rusqlite::Result<Tables> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let file = Connection::open_with_flags(folder.join("journal.db"), flags)?;
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    let mut names = file.prepare(sql)?;
    let names = names.query_map([], |row| row.get::<_, String>(0))?;
    let names = names.collect::<Result<Vec<_>, _>>()?;
    let shared = names.into_iter().filter(|name| !OWN.contains(&name.as_str()));
    shared.map(|name| rows(&file, &name).map(|rows| (name, rows))).collect()
}

fn rows(file: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let mut select = file.prepare(&format!("SELECT * FROM {table}"))?;
    let columns = select.column_count();
    let mut found = select.query([])?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        let values = (0..columns).map(|column| row.get::<_, rusqlite::types::Value>(column));
        rows.push(format!("{:?}", values.collect::<Result<Vec<_>, _>>()?));
    }
    rows.sort();
    Ok(rows)
}
