//! A journal without parties gets their tables, and nothing else changes.
//!
//! `journal-schema-4.db` is a journal as the last server without parties left it: a friends' game that is
//! over and one that runs, a quick match, a person who was forgotten, and a kill; then the file was
//! copied with `VACUUM INTO`. The `.json` beside it is what that server told at the end: what `verify`
//! and `export` said, and the tokens of the players.

use std::collections::HashMap;
use std::fs;

use noughts_harness::{Player, ServerProcess, TIMEOUT};
use noughts_protocol::{PartySettings, Role, RoomCode};
use noughts_server::journal::error::OpenError;
use noughts_server::journal::reader::Reader;
use serde::Deserialize;
use serde_json::Value;

use super::{open_and_close, tool};

#[derive(Deserialize)]
struct Expected {
    tokens: HashMap<String, String>,
    room: RoomCode,
    sound: String,
    games: Vec<Value>,
}

fn expected() -> Expected {
    serde_json::from_str(include_str!("journal-schema-4.json")).unwrap()
}

const JOURNAL: &[u8] = include_bytes!("journal-schema-4.db");

#[test]
fn a_journal_without_parties_is_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("journal.db"), JOURNAL).unwrap();
    assert!(matches!(Reader::open(folder.path()), Err(OpenError::Older)));
    open_and_close(folder.path());
    let (code, told, errors) = tool("verify", folder.path());
    assert_eq!((code, told.trim(), errors.as_str()), (Some(0), expected().sound.as_str(), ""));
    let (_, told, _) = tool("export", folder.path());
    let games: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games, expected().games);
}

#[tokio::test]
async fn a_party_is_made_in_a_journal_of_before() {
    let mut server = ServerProcess::start(&[]);
    server.terminate();
    for log in ["journal.db-wal", "journal.db-shm"] {
        // Not every folder has them.
        drop(fs::remove_file(server.folder().join(log)));
    }
    fs::write(server.folder().join("journal.db"), JOURNAL).unwrap();
    let server = server.restart();
    let token = expected().tokens["Ada"].parse().unwrap();
    let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
    let mut ada = Player::greet(Box::new(stream), "Ada", Some(token), TIMEOUT).await;
    ada.join(expected().room, Role::Player).await.unwrap();
    assert_eq!((ada.number(), ada.game().ply()), (2, 3), "the game that ran runs");
    ada.create_party("Friday", PartySettings::default(), true).await;
    let (code, told, errors) = tool("verify", server.folder());
    assert!(code == Some(0) && told.contains(", 1 party"), "{told}{errors}");
}
