//! Damage in the journal's log. `SQLite` silently reads it up to the first bad frame. The server reports
//! the damage and keeps the log, and `verify` fails.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use noughts_harness::process::program;
use noughts_harness::{Player, ServerProcess, TIMEOUT};
use noughts_protocol::{ByMark, Role, RoomSettings, SeatRequest};

/// The log's header, and a frame with its page.
const HEADER: usize = 32;
const FRAME: usize = 24 + 4096;

fn verify(folder: &Path) -> (Option<i32>, String) {
    let mut verify = Command::new(program("noughts-server"));
    let Output { status, stdout, stderr } =
        verify.args(["verify", "--data-dir"]).arg(folder).output().unwrap();
    (status.code(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

async fn connect(server: &ServerProcess) -> Player {
    let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
    Player::greet(Box::new(stream), "Ada", None, TIMEOUT).await
}

#[tokio::test]
async fn damage_in_the_log_is_told_and_kept_and_not_called_sound() {
    let mut server = ServerProcess::start(&[]);
    let mut ada = connect(&server).await;
    let mut codes = Vec::new();
    for _ in 0..6 {
        let seats = ByMark { x: SeatRequest::You, o: SeatRequest::You };
        codes.push(ada.create(RoomSettings::default(), seats).await);
    }
    server.kill();
    let folder = server.folder().to_owned();
    assert_eq!(verify(&folder).0, Some(0), "killed, and whole");
    let log = folder.join("journal.db-wal");
    let mut bytes = fs::read(&log).unwrap();
    let salts = bytes[16..24].to_vec();
    let frames = bytes[HEADER..].chunks_exact(FRAME).filter(|frame| frame[8..16] == salts).count();
    // Of each room there are two frames or more.
    let at = HEADER + (frames - 7) * FRAME + 2000;
    for byte in &mut bytes[at..at + 16] {
        *byte ^= 0x5a;
    }
    fs::write(&log, &bytes).unwrap();

    let (code, words) = verify(&folder);
    assert!(code == Some(1) && words.contains("damaged at frame"), "{code:?}: {words}");
    assert!(!words.contains("sound:"), "{words}");

    let server = server.restart();
    let said = server.log();
    assert!(said.contains("ERROR") && said.contains("damaged at frame"), "{said}");
    let kept = folder.join("journal.db-wal.damaged");
    assert!(said.contains(kept.to_str().unwrap()), "{said}");
    assert_eq!(fs::read(&kept).unwrap(), bytes);
    let mut eve = connect(&server).await;
    eve.join(codes[0], Role::Spectator).await.unwrap();
    eve.join(codes[5], Role::Spectator).await.unwrap_err();

    let (code, words) = verify(&folder);
    assert!(code == Some(1) && words.contains("at an earlier start"), "{code:?}: {words}");
    fs::remove_file(kept).unwrap();
    let (code, words) = verify(&folder);
    assert!(code == Some(0) && words.contains("sound: "), "{code:?}: {words}");
    let server = server.restart();
    assert_eq!(server.log().matches("damaged at frame").count(), 1, "told once");
}
