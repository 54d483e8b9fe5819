//! The data folder of a single server becomes that of a node of a cluster, and nothing of it is lost.

use std::collections::HashMap;
use std::path::Path;

use noughts_harness::server::retry_in_use;
use noughts_protocol::{PartyEvent, RoomCode};
use noughts_server::journal::Journal;
use noughts_server::journal::environment::Environment;
use noughts_server::journal::error::OpenError;
use noughts_server::journal::import::import;
use noughts_server::journal::reader::Reader;
use noughts_server::journal::store::{Durability, Store, Write};
use noughts_server::shard::Shard;
use serde_json::Value;

use super::{PROTOCOL_1, live_rooms, open_and_close, put_into, shards, tool};

/// What the tools tell of a folder: `verify`, `ratings`, and the lines of `export` without the numbers of
/// rooms, in an order that does not depend on them.
fn told(folder: &Path) -> (Vec<String>, Vec<String>) {
    let tools = ["verify", "ratings"].map(|name| {
        let (code, told, errors) = tool(name, folder);
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{name}");
        told
    });
    let (_, told, errors) = tool("export", folder);
    assert_eq!(errors, "");
    let lines = told.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        for number in ["room_number", "party_number"] {
            line.as_object_mut().unwrap().remove(number);
        }
        line.to_string()
    });
    let mut lines: Vec<String> = lines.collect();
    lines.sort_unstable();
    (tools.to_vec(), lines)
}

/// The codes of the rooms that a node finds in its shards.
async fn taken(folder: &Path) -> HashMap<RoomCode, i64> {
    let opened = Journal::open_replica(folder, Environment::REAL, |store| Box::new(store));
    let (journal, startup, replica, _proposals) = opened.unwrap();
    assert!(startup.imported);
    let (mut rooms, mut writes) = (HashMap::new(), Vec::new());
    for (shard, id) in Shard::all().zip(2..) {
        writes.push(Write::Run { shard, id, at: 0, age: 0 });
    }
    replica.apply(writes).await.unwrap();
    for shard in Shard::all() {
        for room in replica.take_shard(shard, 0).await.unwrap().rooms {
            let code = room.code.parse().unwrap();
            assert_eq!((Shard::of_code(code), Shard::of_number(room.id)), (shard, shard));
            let uptime = journal.uptime(room.id);
            assert!(room.vacant.is_none_or(|(run, _)| uptime.restarts_since(run) > 0));
            rooms.insert(code, room.id);
        }
    }
    journal.close().await;
    rooms
}

#[tokio::test]
async fn nothing_is_lost_when_a_server_becomes_a_node() {
    let forgotten: &[u8] = include_bytes!("journal-schema-4.db");
    let ended: &[u8] = include_bytes!("journal-schema-5.db");
    for journal in [PROTOCOL_1, forgotten, ended, shards::JOURNAL.0] {
        let folder = tempfile::tempdir().unwrap();
        put_into(folder.path(), journal);
        open_and_close(folder.path());
        let (before, live) = (told(folder.path()), live_rooms(folder.path()));
        let imported = retry_in_use(|| import(folder.path()));
        assert!(before.0[0].starts_with(&format!("sound: {} room", imported.rooms)), "{before:?}");
        assert_eq!(told(folder.path()), before);
        assert_eq!(live_rooms(folder.path()), live);
        let taken = taken(folder.path()).await;
        assert_eq!(taken.len(), live.len());
        assert!(live.keys().all(|code| taken.contains_key(code)));
        assert_eq!(told(folder.path()), before);
        // The log was lost: a cluster begins again with the copy of a node.
        assert_eq!(retry_in_use(|| import(folder.path())), imported);
        assert_eq!(told(folder.path()), before);
        assert_eq!(self::taken(folder.path()).await, taken);
        assert_eq!(told(folder.path()), before);
        let refused = retry_in_use(|| match Store::open(folder.path(), Durability::Process, 0) {
            Err(OpenError::OfNode(_)) => Ok(true),
            opened => opened.map(|_| false),
        });
        assert!(refused);
    }
}

#[test]
fn what_is_damaged_stays_damaged_on_a_node() {
    let folder = tempfile::tempdir().unwrap();
    put_into(folder.path(), PROTOCOL_1);
    open_and_close(folder.path());
    let file = rusqlite::Connection::open(folder.path().join("journal.db")).unwrap();
    file.execute_batch("UPDATE event SET cell = 7 WHERE room = 2 AND v = 5").unwrap();
    drop(file);
    retry_in_use(|| import(folder.path()));
    let (code, _, errors) = tool("verify", folder.path());
    assert!(code == Some(1) && errors.contains("27 rooms"), "{errors}");
}

#[test]
fn a_party_becomes_one_of_its_shard_and_knows_its_rooms() {
    let folder = tempfile::tempdir().unwrap();
    put_into(folder.path(), shards::JOURNAL.0);
    open_and_close(folder.path());
    assert_eq!(retry_in_use(|| import(folder.path())).parties, 1);
    let reader = Reader::open(folder.path()).unwrap();
    let number = reader.parties().unwrap()[0];
    let party = reader.party(number).unwrap();
    assert_eq!(Shard::of_number(number), Shard::of_code(party.new.code.0));
    let mut tables = 0;
    let opened = party.replay(|entry, event, _| {
        if let PartyEvent::Opened { room, .. } = event {
            assert_eq!(reader.room(entry.room.unwrap()).unwrap().code, *room);
            tables += 1;
        }
    });
    assert_eq!((opened.map(drop), tables), (Ok(()), 2));
}

#[test]
fn there_is_something_to_import() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(import(folder.path()), Err(OpenError::Missing(_))));
}
