//! The terminal client at a server that lies, in lines of text and in a real pseudo-terminal. It prints a
//! clear message, restores the terminal, prints nothing that could move the cursor, and does not crash.

use std::io::{Read, Write};
use std::sync::mpsc;

use noughts_harness::fake_server::{FakeConnection, FakeServer};
use noughts_harness::process::{resident_kib, signal};
use noughts_harness::{Pipe, Terminal};
use noughts_protocol::text::is_unsafe;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

/// Escape codes (a title, the clipboard, the screen), a C1 control, and what reorders or hides.
const TRICKS: &str = "\u{1b}]0;EVIL\u{7}\u{1b}]52;c;RVZJTA==\u{7}\u{1b}[2J\u{9b}31m\u{202e}live\u{200b}\u{2066}\r\n\u{7f}";

/// None of these may reach the terminal. The client's own escape codes are others.
const MARKS: [&str; 7] =
    ["\u{1b}]0;", "\u{1b}]52", "\u{9b}", "\u{202e}", "\u{200b}", "\u{2066}", "\u{7f}"];

/// Memory that a client may occupy whatever it receives, in KiB.
const MEMORY: u64 = 100 * 1024;

fn snapshot() -> Value {
    let text = include_str!("../../protocol/tests/golden/server.snapshot.json");
    let mut snapshot: Value = serde_json::from_str(text).unwrap();
    snapshot["room"] = json!("KQRZX");
    snapshot
}

fn event(v: u64, event: &Value) -> String {
    json!({"type": "event", "room": "KQRZX", "v": v, "event": event}).to_string()
}

/// Both faces of the client come to say something; then the player goes.
fn check(says: &str, talk: impl Fn(&mut FakeConnection) + Send + 'static) {
    check_at(&FakeServer::start(talk), says);
}

fn check_at(server: &FakeServer, says: &str) {
    let address = server.address();
    let folder = tempfile::tempdir().unwrap();
    let args = ["--server", &address, "--name", "Ada", "play", "KQRZX"];
    let mut plain = Pipe::run(&[&args[..], &["--plain"]].concat(), folder.path());
    plain.wait_for(says);
    for line in &plain.seen {
        assert!(!line.chars().any(is_unsafe), "{line:?}");
    }
    assert!(resident_kib(plain.id()).is_none_or(|memory| memory < MEMORY));
    drop(plain);
    let folder = tempfile::tempdir().unwrap();
    let mut screen = Terminal::run(&args, folder.path(), 40, 220);
    let _ = screen.wait_text(says);
    screen.leave();
    let written = screen.written();
    assert!(written.contains("\u{1b}[?1049l"), "the first screen is back: {written:?}");
    for mark in MARKS {
        assert!(!written.contains(mark), "{mark:?} in {written:?}");
    }
    assert!(!written.contains("panicked"), "{written}");
}

#[test]
fn tricks_in_texts_become_harmless() {
    check("]52;c;RVZJTA==", |client| {
        client.welcome();
        let id = client.receive().map(|join| join["id"].clone());
        let message = format!("no room{TRICKS}");
        let answer = json!({"type": "refused", "id": id, "code": "full", "message": message});
        client.send_text(answer.to_string());
        client.accept_all();
    });
    check("]52;c;RVZJTA==", |client| {
        client.enter_room(&snapshot());
        let message = format!("best{TRICKS}");
        let reason = json!({"code": TRICKS});
        let hint = json!({"type": "hint", "room": "KQRZX", "game": 1, "ply": 2,
            "cells": [1, 65535], "reason": reason, "message": message});
        client.send_text(hint.to_string());
        client.accept_all();
    });
    let server = FakeServer::raw(|mut stream| {
        let answer = format!("HTTP/1.1 403 {TRICKS}\r\n\r\nno{TRICKS}");
        let plain = "HTTP/1.1 403 Forbidden\r\ncontent-length: 70\r\n\r\nno";
        drop(stream.read(&mut [0; 4096]));
        drop(stream.write_all(format!("{plain}{TRICKS}{answer}").as_bytes()));
    });
    check_at(&server, "]52;c;RVZJTA==");
}

#[test]
fn what_cannot_be_read_is_said() {
    let says = "unknown message";
    check(says, |client| {
        let mut lie = snapshot();
        lie["seats"]["o"]["name"] = json!(TRICKS);
        client.enter_room(&lie);
        client.accept_all();
    });
    check(says, |client| {
        let mut lie = snapshot();
        lie["settings"]["board"] = json!({"width": 100_000, "height": 20, "line": 5});
        client.enter_room(&lie);
        client.accept_all();
    });
    check(says, |client| {
        client.receive();
        let welcome = include_str!("../../protocol/tests/golden/server.welcome.json");
        client.send_text(welcome.replace("8f14e45fceea167a.", "a\\nb.\\u001b[2J"));
        client.accept_all();
    });
    check("another protocol version", |client| {
        client.receive();
        let welcome = include_str!("../../protocol/tests/golden/server.welcome.json");
        client.send_text(welcome.replace("\"protocol\": 2", "\"protocol\": 3"));
        client.accept_all();
    });
    check("not a Noughts server", |client| {
        client.welcome();
        client.send_text(TRICKS);
        client.accept_all();
    });
}

#[test]
fn contradictions_are_said_or_healed() {
    check("breaks the rules", |client| {
        let mut lie = snapshot();
        lie["game"]["moves"] = json!([4, 4]);
        client.enter_room(&lie);
        client.accept_all();
    });
    check("is away", |client| {
        let mut altered = snapshot();
        altered["game"]["number"] = json!(0);
        altered["presence"]["rematch"] = json!("o");
        client.enter_room(&altered);
        // A gap, another room's, an impossible one, the past: none of it is taken for true.
        let seated = json!({"kind": "seated", "mark": "o", "seat": {"kind": "open"}});
        let wrong = json!({"kind": "moved", "game": 7, "ply": 60_000, "mark": "o", "cell": 65_535});
        client.send_text(event(u64::MAX, &seated));
        client.send_text(event(6, &seated).replace("KQRZX", "BBBBB"));
        client.send_text(event(6, &wrong));
        client.send_text(event(0, &seated));
        client.send_text(r#"{"type":"tea","room":"KQRZX"}"#);
        client.send_text(r#"{"type":"pong","id":1,"room":"BBBBB","v":18446744073709551615}"#);
        assert!(client.receive().is_some_and(|sync| sync["type"] == "sync"));
        let mut last = snapshot();
        last["v"] = json!(u64::MAX - 1);
        client.send_text(last.to_string());
        let name = json!({"kind": "seated", "mark": "o", "seat": snapshot()["seats"]["o"]});
        client.send_text(event(u64::MAX, &name));
        client.send_text(event(u64::MAX, &name));
        client.send_text(away());
        client.accept_all();
    });
    check("a brand new reason", |client| {
        client.welcome();
        let id = client.receive().map(|join| join["id"].clone());
        let message = "a brand new reason";
        let answer = json!({"type": "refused", "id": id, "code": "brand_new", "message": message});
        client.send_text(answer.to_string());
        client.accept_all();
    });
}

#[test]
fn broken_connections_are_made_again() {
    for code in [1006, 4999] {
        check("reconnecting", move |client| {
            client.enter_room(&snapshot());
            client.close(code, "see you \u{202e}later");
        });
    }
    // A frame that says it has 2^62 bytes, and noise.
    let huge = [&[0x81, 127, 0x40][..], &[0; 7]].concat();
    for bytes in [huge, TRICKS.as_bytes().to_vec()] {
        check("reconnecting", move |client| {
            client.enter_room(&snapshot());
            client.send_bytes(&bytes);
            client.accept_all();
        });
    }
    check("reconnecting", |client| {
        client.enter_room(&snapshot());
        // Fragments of one message until it is too much.
        client.send_bytes(&[0x01, 1, b' ']);
        while client.is_open() {
            client.send_bytes(&[0x00, 100].into_iter().chain([b' '; 100]).collect::<Vec<_>>());
        }
    });
}

#[test]
fn silence_ends_the_attempt() {
    let server = FakeServer::start(|client| while client.receive().is_some() {});
    let address = server.address();
    let folder = tempfile::tempdir().unwrap();
    let args = ["--server", &address, "--name", "Ada", "--plain", "play", "KQRZX"];
    let mut plain = Pipe::run(&args, folder.path());
    plain.wait_for("did not answer in time");
    assert_eq!(plain.wait_exit(), 1);
}

#[test]
fn a_stream_without_end_is_survived() {
    check("is away", |client| {
        client.enter_room(&snapshot());
        // All of it mixed, so that however slow the machine is, the client soon says something.
        for v in 6..1_006 {
            for count in 0..6 {
                client.send_text(presence(&json!(null), count, v % 2 == 0));
            }
            let name = format!("Eve {v}");
            let seat = json!({"kind": "human", "player": "c9f0f895fb98ab91", "name": name});
            client.send_text(event(v, &json!({"kind": "seated", "mark": "o", "seat": seat})));
            client.send(Message::Ping(vec![0x1b; 100].into()));
            client.send(Message::binary(TRICKS));
        }
        client.send_text(away());
        client.accept_all();
    });
}

/// O is as `o` says, and offers a rematch or none.
fn presence(o: &Value, spectators: u32, offers: bool) -> String {
    let rematch = offers.then_some("o");
    json!({"type": "presence", "room": "KQRZX", "x": {"state": "connected"}, "o": o,
        "spectators": spectators, "rematch": rematch})
    .to_string()
}

fn away() -> String {
    presence(&json!({"state": "away", "claim_in_ms": 4_294_967_295_u32}), 0, false)
}

/// Fails if a script could take half an answer for the whole one.
#[test]
fn a_question_that_is_interrupted_fails() {
    let (asked, is_asked) = mpsc::sync_channel(64);
    let server = FakeServer::start(move |client| {
        client.welcome();
        while client.receive().is_some() {
            let _ = asked.send(());
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let address = server.address();
    for name in ["-INT", "-TERM"] {
        let mut history =
            Pipe::run(&["--server", &address, "history", "--all", "--json"], folder.path());
        is_asked.recv().unwrap();
        signal(history.id(), name);
        assert_eq!(history.wait_exit(), 1, "{name}");
    }
}
