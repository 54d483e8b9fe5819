//! An answer leaves the server after what it tells is on the disk, as the order of system calls shows.

use std::fs;
use std::path::Path;
use std::time::Instant;

use noughts_harness::skip::has_strace;
use noughts_harness::{ServerProcess, TIMEOUT};
use noughts_protocol::{ByMark, RoomSettings, SeatRequest};

/// System calls: writes to the write-ahead log, waits for the disk, and messages that are sent.
const CALLS: &str = "trace=pwrite64,fsync,fdatasync,write,writev,sendto,sendmsg";

/// The system calls of a server that plays a move, from the answer before it to its own.
async fn calls_of_a_move(durability: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls");
    // With -D the server is the child, and strace ends with it.
    let strace = ["strace", "-D", "-f", "-y", "-s", "500", "-e", "signal=none", "-e", CALLS, "-o"];
    let words = [&strace[..], &[file.to_str().unwrap()]].concat();
    let mut server = ServerProcess::start_under(&words, &["--durability", durability]);
    let mut ada = server.player("Ada").await;
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::You };
    ada.create(RoomSettings::default(), seats).await;
    ada.settle().await;
    let play = ada.move_to(4);
    let answer = format!(r#"\"type\":\"ok\",\"id\":{}"#, u64::from(play.id().unwrap()));
    ada.ask(play).await.unwrap();
    server.terminate();
    let calls = traced(&file);
    let at = |text: &str| calls.iter().position(|call| call.contains(text)).expect(text);
    calls[at(r#"\"type\":\"pong\""#)..at(&answer)].to_vec()
}

/// The lines of a trace, which is whole when the server's end is in it.
fn traced(file: &Path) -> Vec<String> {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let text = fs::read_to_string(file).unwrap();
        let calls: Vec<String> = text.lines().map(str::to_owned).collect();
        if calls.last().is_some_and(|last| last.contains("+++ exited with 0")) {
            return calls;
        }
        assert!(Instant::now() < deadline, "the trace does not end: {text}");
        std::thread::yield_now();
    }
}

/// Whether the write-ahead log was written and then waited for.
fn is_synced(calls: &[String]) -> bool {
    let is_log = |call: &String| call.contains("pwrite64(") && call.contains("noughts.db-wal");
    let Some(written) = calls.iter().position(is_log) else { panic!("nothing was written") };
    // On one line, or on the line that continues it after calls of other threads.
    let is_sync = |call: &String| call.contains("sync") && call.trim_end().ends_with("= 0");
    calls[written..].iter().any(is_sync)
}

#[tokio::test]
async fn an_answer_leaves_only_after_the_disk_has_the_move() {
    if !has_strace("that an answer waits for the disk") {
        return;
    }
    let calls = calls_of_a_move("power").await;
    assert!(is_synced(&calls), "{calls:#?}");
    // Without that promise there is no wait, which also shows that one is seen.
    let calls = calls_of_a_move("process").await;
    assert!(!is_synced(&calls), "{calls:#?}");
}
