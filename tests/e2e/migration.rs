//! A journal of the version before is brought up to date at the start of the server.
//!
//! `migration/journal-protocol-1.db` is a journal as the last server of protocol 1 left it. Clients
//! on real sockets played every kind of game and ending there, over four runs of the server with a
//! kill among them; then the file was copied with `VACUUM INTO`. The `.json` beside it is what that
//! server itself told at the end: each room's snapshot without what passes, the output of `export`,
//! and the tokens of the players. Neither file can be made again, because the old server is gone.

mod archive;
mod batches;
mod older;
mod parties;
mod shards;

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use noughts_harness::process::program;
use noughts_harness::server::retry_in_use;
use noughts_harness::{Player, ServerProcess, TIMEOUT};
use noughts_protocol::{Presence, Role, RoomCode, RoomState};
use noughts_server::journal::error::OpenError;
use noughts_server::journal::reader::Reader;
use noughts_server::journal::replay::replay;
use noughts_server::journal::store::{Durability, Store};
use serde::Deserialize;
use serde_json::Value;
use tempfile::TempDir;

/// What the old server told.
#[derive(Deserialize)]
struct Expected {
    tokens: HashMap<String, String>,
    /// The rooms that had not ended, by what they are for.
    rooms: HashMap<String, ExpectedRoom>,
    /// The lines of `export`, which has the rooms that had ended too.
    games: Vec<Value>,
}

#[derive(Deserialize)]
struct ExpectedRoom {
    code: RoomCode,
    #[serde(flatten)]
    snapshot: HashMap<String, Value>,
}

fn expected() -> Expected {
    let mut expected: Expected =
        serde_json::from_str(include_str!("migration/journal-protocol-1.json")).unwrap();
    let rooms = expected.rooms.values_mut().map(|room| &mut room.snapshot);
    let settings = rooms.filter_map(|snapshot| snapshot.get_mut("settings"));
    let games = expected.games.iter_mut().map(|game| &mut game["settings"]);
    for settings in settings.chain(games) {
        // People who know each other may talk in a room of before.
        settings["chat"] = "text".into();
    }
    expected
}

/// The journal of protocol 1.
const PROTOCOL_1: &[u8] = include_bytes!("migration/journal-protocol-1.db");

/// Puts an old journal into a folder, in place of one that is there.
fn put_into(folder: &Path, journal: &[u8]) {
    for log in ["journal.db-wal", "journal.db-shm"] {
        // Not every folder has them.
        drop(fs::remove_file(folder.join(log)));
    }
    fs::write(folder.join("journal.db"), journal).unwrap();
}

fn old_journal() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    put_into(folder.path(), PROTOCOL_1);
    folder
}

/// Starts a writer on a folder and ends it again, as a server does.
fn open_and_close(folder: &Path) {
    drop(retry_in_use(|| Store::open(folder, Durability::Process, 0)));
}

fn tool(name: &str, folder: &Path) -> (Option<i32>, String, String) {
    let mut command = Command::new(program("noughts-server"));
    let Output { status, stdout, stderr } =
        command.args([name, "--data-dir"]).arg(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

/// The rooms that have not ended.
fn live_rooms(folder: &Path) -> HashMap<RoomCode, RoomState> {
    let reader = Reader::open(folder).unwrap();
    let rooms = reader.rooms().unwrap();
    let states = rooms.into_iter().map(|id| {
        let room = reader.room(id).unwrap();
        assert_eq!(room.broken, None);
        let versions: Vec<u64> = room.entries.iter().map(|entry| entry.v).collect();
        let gapless: Vec<u64> = (1..=room.entries.len() as u64).collect();
        assert_eq!(versions, gapless, "room {}", room.code);
        replay(room.code, room.settings, &room.entries, |_, _, _| {}).unwrap()
    });
    states.filter(|state| !state.closed).map(|state| (state.code, state)).collect()
}

#[test]
fn every_room_of_the_version_before_is_as_it_was() {
    let folder = old_journal();
    assert!(matches!(Reader::open(folder.path()), Err(OpenError::Older)));
    open_and_close(folder.path());
    let mut rooms = live_rooms(folder.path());
    for (name, ExpectedRoom { code, snapshot }) in expected().rooms {
        let state = rooms.remove(&code).unwrap_or_else(|| panic!("{name} is not there"));
        let now = serde_json::to_value(state.to_snapshot(Presence::default(), None)).unwrap();
        for (field, expected) in snapshot {
            assert_eq!(now[&field], expected, "{field} of the room {name}");
        }
    }
    assert!(rooms.is_empty(), "{rooms:?}");
}

#[test]
fn the_tools_find_the_games_of_the_version_before_and_nothing_wrong() {
    let folder = old_journal();
    let (code, _, errors) = tool("verify", folder.path());
    assert!(
        code == Some(2) && errors.contains("start this noughts-server on it"),
        "{code:?}: {errors}"
    );
    open_and_close(folder.path());
    let (code, told, errors) = tool("verify", folder.path());
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(told.starts_with("sound: 28 rooms, 39 games, "), "{told}");
    let kept = expected().games.into_iter().filter(|game| {
        game["ended"] != Value::Null
            && game["moves"].as_array().is_some_and(|moves| !moves.is_empty())
    });
    assert!(told.contains(&format!(", {} kept games", kept.count())), "{told}");
    let (code, told, errors) = tool("export", folder.path());
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    let games: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games, expected().games);
}

#[test]
fn a_second_start_changes_no_fact() {
    let folder = old_journal();
    type Fact = (i64, i64, i64, Option<i64>, Option<String>, i64);
    let facts = || -> Vec<Fact> {
        open_and_close(folder.path());
        let file = rusqlite::Connection::open(folder.path().join("journal.db")).unwrap();
        let sql = "SELECT room, v, at, cell, fact, crc FROM event ORDER BY room, v";
        let mut select = file.prepare(sql).unwrap();
        let rows = select.query_map([], |row| row.try_into()).unwrap();
        rows.map(Result::unwrap).collect()
    };
    assert_eq!(facts(), facts());
}

#[test]
fn a_damaged_room_stays_damaged_and_stops_no_start() {
    let folder = old_journal();
    let file = rusqlite::Connection::open(folder.path().join("journal.db")).unwrap();
    let damage = "UPDATE event SET cell = 7 WHERE room = 2 AND v = 5;
                  UPDATE event SET fact = '{' WHERE room = 3 AND v = 3;
                  DELETE FROM event WHERE room = 5 AND v = 5;
                  UPDATE event SET cell = 70000 WHERE room = 6 AND v = 4;
                  UPDATE room SET made = 7 WHERE id = 7";
    file.execute_batch(damage).unwrap();
    drop(file);
    for _ in 0..2 {
        open_and_close(folder.path());
        let (code, _, errors) = tool("verify", folder.path());
        let damaged = errors.lines().filter_map(|line| {
            let (_, number) = line.split_once("number ")?;
            number.split([')', ':']).next()?.parse().ok()
        });
        let damaged: Vec<u32> = damaged.collect();
        assert_eq!((code, damaged), (Some(1), vec![2, 3, 5, 6, 7]), "{errors}");
        assert!(errors.contains("23 rooms"), "{errors}");
    }
}

async fn connect(server: &ServerProcess, name: &str) -> Player {
    let token = expected().tokens[name].parse().unwrap();
    let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
    Player::greet(Box::new(stream), name, Some(token), TIMEOUT).await
}

#[tokio::test]
async fn players_go_on_with_a_game_of_the_version_before() {
    let mut server = ServerProcess::start(&[]);
    server.terminate();
    put_into(server.folder(), PROTOCOL_1);
    let server = server.restart();
    let (mut ada, mut bob) = (connect(&server, "Adele").await, connect(&server, "Bobby").await);
    let code = expected().rooms["renamed"].code;
    for player in [&mut ada, &mut bob] {
        player.join(code, Role::Player).await.unwrap();
    }
    let facts = ada.state().v;
    assert_eq!(facts, 6, "two seats, the game, two moves and a name");
    ada.play(8).await.unwrap();
    bob.until_version(facts + 1).await;
    let server = server.restart();
    let mut ada = connect(&server, "Adele").await;
    ada.join(code, Role::Player).await.unwrap();
    assert_eq!(ada.state().v, facts + 1, "the same after a restart");
    let (code, told, _) = tool("verify", server.folder());
    assert!(code == Some(0), "{told}");
}
