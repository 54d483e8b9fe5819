//! The page's reducer takes every message of the golden files: the very modules that are served,
//! in the browser.

use std::fs;
use std::path::Path;

use noughts_harness::{Device, TestServer};
use serde_json::{Value, json};

use super::hands::open;

/// Every golden file of a server's message: name and content.
fn golden() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol/tests/golden");
    let mut files: Vec<(String, Value)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with("server."))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap())
        })
        .collect();
    files.sort_by(|one, other| one.0.cmp(&other.0));
    files
}

/// Feeds messages to the reducer as the socket would; the state at the end, or what it throws.
const FEED: &str = "async (messages) => {
  const script = [...document.scripts].find((s) => s.src.endsWith('js/main.js')).src;
  const { reduce } = await import(new URL('reduce.js', script));
  const { initialState } = await import(new URL('state.js', script));
  const join = { type: 'join', id: 1, room: 'KQRZX', role: 'player' };
  let state = reduce(initialState(), { type: 'sent', message: join, at: 0 });
  messages.forEach((message, at) => {
    const before = JSON.stringify(state);
    const next = reduce(state, { type: 'server', message, at });
    if (JSON.stringify(state) !== before) throw new Error('the state was changed, not made anew');
    state = next;
  });
  return state;
}";

#[tokio::test]
async fn the_reducer_takes_every_golden_message() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::LAPTOP, "/").await;
    let files = golden();
    let file = |name: &str| files.iter().find(|(found, _)| found == name).unwrap().1.clone();
    let entered = [file("server.welcome"), json!({"type": "ok", "id": 1, "room": "KQRZX"})];
    for (name, message) in &files {
        let mut snapshot = file("server.snapshot");
        if let Some(v) = message["v"].as_u64().filter(|_| message["type"] == "event") {
            snapshot["v"] = json!(v - 1);
        }
        if let Some(v) = message["v"].as_u64().filter(|_| message["type"] == "pong") {
            snapshot["v"] = json!(v);
        }
        if let Some(ply) = message["event"]["ply"].as_u64() {
            let moves = snapshot["game"]["moves"].as_array_mut().unwrap();
            moves.truncate(ply.try_into().unwrap());
        }
        let messages: Vec<&Value> = entered.iter().chain([&snapshot, message]).collect();
        let state = tab.eval(&format!("({FEED})({})", json!(messages))).await;
        let room = &state["room"];
        let astray = if name == "server.pong.no_room" { "outside" } else { "no" };
        assert_eq!(room["astray"], astray, "{name}: {state}");
        match message["type"].as_str().unwrap() {
            "event" | "snapshot" => assert_eq!(room["v"], message["v"], "{name}"),
            "lobby" => assert_eq!(state["lobby"]["waiting"], message["waiting"], "{name}"),
            "spectators" => assert_eq!(room["spectators"], message["count"], "{name}"),
            "review" => assert_eq!(room["review"]["moves"], message["moves"], "{name}"),
            "pass" => assert_eq!(state["pass"]["code"], message["code"], "{name}"),
            _ => assert_eq!(room["code"], "KQRZX", "{name}"),
        }
    }
    tab.done().await;
}
