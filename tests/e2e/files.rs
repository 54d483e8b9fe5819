//! A data folder whose files are deleted, moved, locked, limited or taken by a second server, while the
//! server runs or before it starts. The server reports it, and acknowledges nothing that is not stored.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use noughts_harness::player::play_out;
use noughts_harness::process::{check_refused, listening, program, server_says};
use noughts_harness::{Player, ServerProcess, TestServer, until};
use noughts_protocol::{RefusalCode, RoomSettings};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use tempfile::TempDir;

/// Two players whose game has one move; O is to move.
async fn playing(server: &ServerProcess) -> (Player, Player) {
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    play_out(&mut ada, &mut bob, &[4]).await;
    bob.until("the first move", |p| p.game().ply() == 1).await;
    (ada, bob)
}

async fn until_health(server: &ServerProcess, code: u16, fields: &[(&str, &str)]) {
    until(&format!("{code} {fields:?}"), async || {
        let (found, health) = server.health().await;
        let is_so = found == code && fields.iter().all(|(key, value)| health[*key] == *value);
        is_so.then_some(())
    })
    .await;
}

/// A server whose data folder the test may delete first.
fn serve(more: &[&str]) -> (ServerProcess, TempDir, PathBuf) {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("data");
    let server = ServerProcess::start(&[&["--data-dir", folder.to_str().unwrap()], more].concat());
    (server, outer, folder)
}

/// The server ends by itself, because what it stores would be lost.
#[track_caller]
fn ends_and_says(server: &mut ServerProcess, why: &str) {
    // It looks every five seconds.
    assert_eq!(server.ended(Duration::from_secs(20)), Some(74));
    assert!(server.log().contains(why), "{}", server.log());
}

#[tokio::test]
async fn a_deleted_log_is_told_and_makes_nobody_a_stranger() {
    let (mut server, _outer, folder) = serve(&[]);
    let (ada, _bob) = playing(&server).await;
    server.kill();
    fs::remove_file(folder.join("noughts.db-wal")).unwrap();
    let server = ServerProcess::start(&["--data-dir", folder.to_str().unwrap()]);
    assert!(server.log().contains("noughts.db-wal was deleted"), "{}", server.log());
    let again = server.returning("Ada", Some(ada.token.clone())).await;
    assert_eq!(again.id, ada.id);
}

#[test]
fn a_backup_is_made_beside_a_running_server() {
    let (_server, outer, folder) = serve(&[]);
    let file = outer.path().join("copy.db");
    let args = ["backup", file.to_str().unwrap(), "--data-dir", folder.to_str().unwrap()];
    server_says(0, &args);
    check_refused(&args, "exists already: choose another file");
}

#[tokio::test]
async fn no_second_server_starts_where_the_lock_was_deleted() {
    let (server, _outer, folder) = serve(&[]);
    let (_ada, mut bob) = playing(&server).await;
    fs::remove_file(folder.join("lock")).unwrap();
    let data = ["--data-dir", folder.to_str().unwrap()];
    let in_use = "another noughts-server keeps its rooms in";
    check_refused(&[&["--bind", "127.0.0.1:0"], &data[..]].concat(), in_use);
    let looked = server_says(1, &[&["check"], &data[..]].concat());
    assert!(looked.contains("another noughts-server"), "{looked}");
    for tool in ["verify", "export"] {
        server_says(0, &[&[tool], &data[..]].concat());
    }
    // The first goes on, and takes the lock back.
    let play = bob.move_to(0);
    bob.ask(play).await.unwrap();
    until("the lock", async || server.log().contains("was deleted or replaced").then_some(()))
        .await;
    let lock = fs::File::open(folder.join("lock")).unwrap();
    assert!(matches!(lock.try_lock(), Err(fs::TryLockError::WouldBlock)));
}

#[test]
fn a_server_whose_lock_another_took_ends() {
    let (mut server, _outer, folder) = serve(&[]);
    fs::remove_file(folder.join("lock")).unwrap();
    let other = fs::File::create(folder.join("lock")).unwrap();
    other.try_lock().unwrap();
    ends_and_says(&mut server, "another noughts-server uses");
}

/// Limits the size of the files that a server may write, or takes the limit away.
fn limit_files(server: &ServerProcess, bytes: Option<u64>) {
    let pid = Pid::from_raw(i32::try_from(server.id()).unwrap());
    prlimit(pid, Resource::Fsize, Rlimit { current: bytes, maximum: None }).unwrap();
}

#[tokio::test]
async fn a_limit_for_the_size_of_files_refuses_moves_and_ends_nothing() {
    let (server, _outer, _folder) = serve(&[]);
    let (_ada, mut bob) = playing(&server).await;
    limit_files(&server, Some(2048));
    let play = bob.move_to(0);
    assert_eq!(bob.ask(play.clone()).await, Err(RefusalCode::NotStored));
    until_health(&server, 503, &[("status", "failing"), ("store", "failing")]).await;
    limit_files(&server, None);
    bob.ask(play).await.unwrap();
    until_health(&server, 200, &[("status", "ok"), ("store", "ok")]).await;
}

#[tokio::test]
async fn a_checkpoint_that_fails_is_logged_once_and_shown() {
    // The rooms lie behind so much other data that the limit lets the log grow, but not the rooms.
    let (mut server, _outer, folder) = serve(&[]);
    server.terminate();
    let file = rusqlite::Connection::open(folder.join("noughts.db")).unwrap();
    let sql = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 'live'";
    let live: String = file.query_row(sql, [], |row| row.get(0)).unwrap();
    let pad = "DROP TABLE live; CREATE TABLE pad (x); INSERT INTO pad VALUES (zeroblob(2000000));";
    file.execute_batch(&format!("{pad}{live}")).unwrap();
    drop(file);
    let data = folder.to_str().unwrap();
    let metrics = ["--metrics-bind", "127.0.0.1:0", "--log", "warn,noughts_server=info"];
    let server = ServerProcess::start(&[&["--data-dir", data], &metrics[..]].concat());
    let metrics = TestServer::at(server.logged_address("metrics are").parse().unwrap());
    let value = async |name: &str| {
        let (_, text) = metrics.get("/metrics", "").await;
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap().parse::<f64>().unwrap()
    };
    limit_files(&server, Some(1_000_000));
    let (mut ada, mut bob) = playing(&server).await;
    until_health(&server, 200, &[("status", "degraded"), ("checkpoints", "failing")]).await;
    assert_eq!(server.health().await.1["store"], "ok");
    play_out(&mut bob, &mut ada, &[0]).await;
    assert!((value("noughts_store_checkpoints_failing").await - 1.0).abs() < 0.1);
    assert!(value("noughts_store_log_bytes").await > 4096.0);
    limit_files(&server, None);
    until_health(&server, 200, &[("status", "ok"), ("checkpoints", "ok")]).await;
    assert!(value("noughts_store_checkpoints_failing").await < 0.1);
    let log = server.log();
    assert_eq!(log.matches("log cannot be moved into noughts.db").count(), 1, "{log}");
    assert_eq!(log.matches("log is moved into noughts.db again").count(), 1, "{log}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_locked_database_is_said_to_be_and_the_port_stays_closed() {
    let (mut server, _outer, folder) = serve(&[]);
    server.kill();
    let holder = rusqlite::Connection::open(folder.join("noughts.db")).unwrap();
    holder.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let mut second = Command::new(program("noughts-server"))
        .args(["--bind", "127.0.0.1:0", "--data-dir", folder.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let opened = until("its end", async || {
        let opened = listening(second.id()) > 0;
        (opened || second.try_wait().unwrap().is_some()).then_some(opened)
    })
    .await;
    // One that listens would go on.
    drop(second.kill());
    let output = second.wait_with_output().unwrap();
    assert!(!opened, "the port opened before the database");
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{words}");
    assert!(words.contains("another program has locked noughts.db"), "{words}");
    assert_eq!(words.lines().count(), 1, "{words}");
}
