//! The terminal client at a server that lies, in lines of text and in a real pseudo-terminal: a
//! clear message, a whole terminal, nothing of the peer's that could move a cursor, no crash.

use std::io::{Read, Write};

use noughts_harness::fake::{FakeServer, Guest};
use noughts_harness::{Pipe, Terminal};
use noughts_protocol::text::is_unsafe;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

/// Escape codes (a title, the clipboard, the screen), a C1 control, and what reorders or hides.
const TRICKS: &str = "\u{1b}]0;EVIL\u{7}\u{1b}]52;c;RVZJTA==\u{7}\u{1b}[2J\u{9b}31m\u{202e}live\u{200b}\u{2066}\r\n\u{7f}";

/// Of these, nothing may come out of a terminal, whose own escape codes are others.
const MARKS: [&str; 7] =
    ["\u{1b}]0;", "\u{1b}]52", "\u{9b}", "\u{202e}", "\u{200b}", "\u{2066}", "\u{7f}"];

/// Memory that a client may occupy whatever it is told, in KiB.
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
fn check(says: &str, talk: impl Fn(&mut Guest) + Send + 'static) {
    check_at(&FakeServer::start(talk), says);
}

fn check_at(server: &FakeServer, says: &str) {
    let (address, folder) = (server.address(), tempfile::tempdir().unwrap());
    let args = ["--server", &address, "--name", "Ada", "play", "KQRZX"];
    let mut plain = Pipe::run(&[&args[..], &["--plain"]].concat(), folder.path());
    plain.wait_for(says);
    for line in &plain.seen {
        assert!(!line.chars().any(is_unsafe), "{line:?}");
    }
    assert!(plain.resident_kib().is_none_or(|memory| memory < MEMORY));
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
    check("]52;c;RVZJTA==", |guest| {
        guest.welcome();
        let id = guest.hear().map(|join| join["id"].clone());
        let message = format!("no room{TRICKS}");
        let answer = json!({"type": "refused", "id": id, "code": "full", "message": message});
        guest.say(answer.to_string());
        guest.stay();
    });
    check("]52;c;RVZJTA==", |guest| {
        guest.seat(&snapshot());
        let (message, reason) = (format!("best{TRICKS}"), json!({"code": TRICKS}));
        let hint = json!({"type": "hint", "room": "KQRZX", "game": 1, "ply": 2,
            "cells": [1, 65535], "reason": reason, "message": message});
        guest.say(hint.to_string());
        guest.stay();
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
    check(says, |guest| {
        let mut lie = snapshot();
        lie["seats"]["o"]["name"] = json!(TRICKS);
        guest.seat(&lie);
        guest.stay();
    });
    for side in [20, 255, 100_000] {
        check(says, move |guest| {
            let mut lie = snapshot();
            lie["settings"]["board"] = json!({"width": side, "height": side, "line": 5});
            guest.seat(&lie);
            guest.stay();
        });
    }
    check(says, |guest| {
        guest.hear();
        let welcome = include_str!("../../protocol/tests/golden/server.welcome.json");
        guest.say(welcome.replace("8f14e45fceea167a.", "a\\nb.\\u001b[2J"));
        guest.stay();
    });
    check("another protocol version", |guest| {
        guest.hear();
        let welcome = include_str!("../../protocol/tests/golden/server.welcome.json");
        guest.say(welcome.replace("\"protocol\": 1", "\"protocol\": 2"));
        guest.stay();
    });
    check("not a Noughts server", |guest| {
        guest.welcome();
        guest.say(TRICKS);
        guest.stay();
    });
}

#[test]
fn contradictions_are_said_or_healed() {
    check("breaks the rules", |guest| {
        let mut lie = snapshot();
        lie["game"]["moves"] = json!([4, 4]);
        guest.seat(&lie);
        guest.stay();
    });
    check("is away", |guest| {
        let mut told = snapshot();
        told["game"]["number"] = json!(0);
        told["you"] = json!(["x", "x", "o", "x"]);
        guest.seat(&told);
        // A gap, another room's, an impossible one, the past: none of it is taken for true.
        let offer = json!({"kind": "rematch", "mark": "o", "offered": true});
        let wrong = json!({"kind": "moved", "game": 7, "ply": 60_000, "mark": "o", "cell": 65_535});
        guest.say(event(u64::MAX, &offer));
        guest.say(event(6, &offer).replace("KQRZX", "BBBBB"));
        guest.say(event(6, &wrong));
        guest.say(event(0, &offer));
        guest.say(r#"{"type":"tea","room":"KQRZX"}"#);
        guest.say(r#"{"type":"pong","id":1,"room":"BBBBB","v":18446744073709551615}"#);
        assert!(guest.hear().is_some_and(|sync| sync["type"] == "sync"));
        let mut last = snapshot();
        last["v"] = json!(u64::MAX - 1);
        guest.say(last.to_string());
        guest.say(event(u64::MAX, &away()));
        guest.say(event(u64::MAX, &away()));
        guest.stay();
    });
    check("a brand new reason", |guest| {
        guest.welcome();
        let id = guest.hear().map(|join| join["id"].clone());
        let message = "a brand new reason";
        let answer = json!({"type": "refused", "id": id, "code": "brand_new", "message": message});
        guest.say(answer.to_string());
        guest.stay();
    });
}

#[test]
fn broken_connections_are_made_again() {
    for code in [1005, 1006, 1015, 3000, 4999] {
        check("reconnecting", move |guest| {
            guest.seat(&snapshot());
            guest.close(code, "see you \u{202e}later");
        });
    }
    // A frame that says it has 2^62 bytes, one that breaks the rules, and noise.
    let huge = [&[0x81, 127, 0x40][..], &[0; 7]].concat();
    for bytes in [huge, vec![0xf1, 0x01, 0x00], TRICKS.as_bytes().to_vec()] {
        check("reconnecting", move |guest| {
            guest.seat(&snapshot());
            guest.bytes(&bytes);
            guest.stay();
        });
    }
    check("reconnecting", |guest| {
        guest.seat(&snapshot());
        // Fragments of one message until it is too much.
        guest.bytes(&[0x01, 1, b' ']);
        while guest.is_here() {
            guest.bytes(&[0x00, 100].into_iter().chain([b' '; 100]).collect::<Vec<_>>());
        }
    });
}

#[test]
fn silence_ends_the_attempt() {
    let server = FakeServer::start(|guest| while guest.hear().is_some() {});
    let (address, folder) = (server.address(), tempfile::tempdir().unwrap());
    let args = ["--server", &address, "--name", "Ada", "--plain", "play", "KQRZX"];
    let mut plain = Pipe::run(&args, folder.path());
    plain.wait_for("did not answer in time");
    assert_eq!(plain.wait_exit(), 1);
}

#[test]
fn a_stream_without_end_is_survived() {
    check("is away", |guest| {
        guest.seat(&snapshot());
        // All of it mixed, so that however slow the machine is, the client soon says something.
        for v in 6..1_006 {
            for count in 0..6 {
                guest.say(format!(r#"{{"type":"spectators","room":"KQRZX","count":{count}}}"#));
            }
            let offered = v % 2 == 0;
            guest.say(event(v, &json!({"kind": "rematch", "mark": "o", "offered": offered})));
            guest.send(Message::Ping(vec![0x1b; 100].into()));
            guest.send(Message::binary(TRICKS));
        }
        guest.say(event(1_006, &away()));
        guest.stay();
    });
}

fn away() -> Value {
    let presence = json!({"state": "away", "claim_in_ms": 4_294_967_295_u32});
    json!({"kind": "presence", "mark": "o", "presence": presence})
}
