//! A journal whose facts are all in `event` goes on with facts in `batch`.
//!
//! `journal-schema-5.db` is a journal as the last server without `batch` left it: a game that is over, one
//! that runs, and two kills; then the file was copied with `VACUUM INTO`. The `.json` beside it is what
//! that server told at the end: what `verify` and `export` said, and the tokens of the players.

use std::collections::HashMap;
use std::fs;

use noughts_harness::{Player, ServerProcess, TIMEOUT};
use noughts_protocol::{Role, RoomCode};
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
    serde_json::from_str(include_str!("journal-schema-5.json")).unwrap()
}

const JOURNAL: &[u8] = include_bytes!("journal-schema-5.db");

#[test]
fn a_journal_without_batches_is_as_it_was() {
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
async fn a_game_of_before_goes_on_over_a_kill() {
    let mut server = ServerProcess::start(&[]);
    server.terminate();
    for log in ["journal.db-wal", "journal.db-shm"] {
        // Not every folder has them.
        drop(fs::remove_file(server.folder().join(log)));
    }
    fs::write(server.folder().join("journal.db"), JOURNAL).unwrap();
    let mut server = server.restart();
    let token = || Some(expected().tokens["Bob"].parse().unwrap());
    for ply in [3, 4] {
        let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
        let mut bob = Player::greet(Box::new(stream), "Bob", token(), TIMEOUT).await;
        bob.join(expected().room, Role::Player).await.unwrap();
        assert_eq!((bob.number(), bob.game().ply()), (2, ply));
        if ply == 3 {
            bob.play(2).await.unwrap();
            server.kill();
            let (code, told, errors) = tool("verify", server.folder());
            assert!(code == Some(0) && told.contains(", 13 facts, "), "{told}{errors}");
            server = server.restart();
        }
    }
}
