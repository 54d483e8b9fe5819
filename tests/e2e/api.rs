//! `/api/v1`: programs read over HTTP what sockets are told, and curl is a spectator.

use std::path::Path;
use std::process::Command;

use noughts_harness::player::{listed, play_out};
use noughts_harness::skip::skipped;
use noughts_harness::{Player, TIMEOUT, TestServer, exchange};
use noughts_protocol::{
    ArchivedGame, PartyFormat, PartyRole, PartySettings, PartySnapshot, Profile, RoomSettings,
};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::block_in_place;
use tokio::time::timeout;

/// The answer to a request, from its status line on.
async fn ask(server: &TestServer, method: &str, path: &str, headers: &str) -> String {
    let stream = TcpStream::connect(server.address()).await.unwrap();
    exchange(stream, &request(method, path, headers)).await
}

fn request(method: &str, path: &str, headers: &str) -> String {
    format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{headers}\r\n")
}

/// The events of an address, as curl asks for them.
pub(crate) async fn events(server: &TestServer, path: &str, headers: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    stream.write_all(request("GET", path, headers).as_bytes()).await.unwrap();
    stream
}

/// Reads until a text has come, and returns all.
pub(crate) async fn until(stream: &mut TcpStream, text: &str) -> String {
    let reading = async {
        let mut all = String::new();
        let mut some = [0; 4096];
        while !all.contains(text) {
            let read = stream.read(&mut some).await.unwrap();
            assert!(read > 0, "it ended without {text}: {all}");
            all += std::str::from_utf8(&some[..read]).unwrap();
        }
        all
    };
    timeout(TIMEOUT, reading).await.unwrap_or_else(|_| panic!("waited for {text}"))
}

pub(crate) async fn json(server: &TestServer, path: &str) -> Value {
    let (status, body) = server.get(path, "").await;
    assert_eq!(status, 200, "{path}: {body}");
    serde_json::from_str(&body).unwrap()
}

async fn party(ada: &mut Player) -> String {
    let settings = PartySettings { format: PartyFormat::Knockout, ..PartySettings::default() };
    ada.create_party("Friday", settings, true).await.to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_are_told_what_the_sockets_tell_and_as_it_is_described() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let options = ["--data-dir", data.to_str().unwrap(), "--intents-per-second=1000"];
    let server = TestServer::start(&options).await;
    let (mut ada, mut bob) = server.pair(listed()).await;
    play_out(&mut ada, &mut bob, &[0, 3, 1, 4, 2]).await;
    let room = ada.state().code;
    let party = party(&mut ada).await;
    let lines = server.get(&format!("/api/v1/players/{}/games", ada.id), "").await.1;
    let game: ArchivedGame = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(game.moves.len(), 5);
    let id = game.summary.id.to_string();
    let older = server.get(&format!("/api/v1/players/{}/games?before={id}", ada.id), "").await;
    assert_eq!(older, (200, String::new()));

    let rooms = json(&server, "/api/v1/rooms").await;
    assert_eq!(rooms["playing"][0]["room"], room.to_string());
    let told: Profile =
        serde_json::from_value(json(&server, &format!("/api/v1/players/{}", ada.id)).await)
            .unwrap();
    assert_eq!((told.tally.wins, told.recent.len()), (1, 1));
    let told: PartySnapshot =
        serde_json::from_value(json(&server, &format!("/api/v1/parties/{party}")).await).unwrap();
    assert_eq!(told.state.entrants.len(), 1);

    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/schemathesis");
    if !library.join("schemathesis").exists() {
        return skipped("the description of /api/v1", "what tests/e2e/api/requirements.txt names");
    }
    let mut openapi = json(&server, "/api/v1/openapi.json").await;
    let player = ada.id.to_string();
    for (path, methods) in openapi["paths"].as_object_mut().unwrap() {
        let known = match path.split('/').nth(1).unwrap() {
            "parties" => &party,
            "games" => &id,
            _ => &player,
        };
        let parameters = methods["get"]["parameters"].as_array_mut().unwrap();
        for parameter in parameters.iter_mut().filter(|parameter| parameter["in"] == "path") {
            parameter["example"] = known.as_str().into();
        }
    }
    let description = folder.path().join("openapi.json");
    std::fs::write(&description, openapi.to_string()).unwrap();
    let mut stranger = Command::new("python3");
    stranger.env("PYTHONPATH", library).env("PYTHONDONTWRITEBYTECODE", "1");
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/e2e/api/schemathesis.toml");
    stranger.args(["-m", "schemathesis.cli", "--config-file", config, "run"]).arg(description);
    stranger.args(["--url", &format!("http://{}/api/v1", server.address())]);
    // Events do not end.
    stranger.args(["--exclude-path-regex", "/events$"]);
    stranger.args(["--phases", "examples,coverage,fuzzing", "--max-examples", "5", "--seed", "1"]);
    let output = block_in_place(|| stranger.current_dir(&folder).output()).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[tokio::test]
async fn an_answer_has_a_tag_and_a_refusal_the_words_of_the_wire() {
    let server = TestServer::start(&["--max-per-address", "40"]).await;
    for (path, header) in [
        ("/api/v1/rooms", "access-control-allow-origin: *"),
        ("/puzzles/2026-11-27.json", "cache-control: public"),
    ] {
        let answer = ask(&server, "GET", path, "").await;
        let (_, tag) = answer.split_once("etag: ").unwrap();
        let tag = tag.lines().next().unwrap();
        assert!(answer.contains(header), "{answer}");
        let again = ask(&server, "HEAD", path, &format!("if-none-match: {tag}\r\n")).await;
        assert!(again.starts_with("HTTP/1.1 304 ") && again.contains(tag), "{again}");
    }

    let check = async |method, path, status: u16, code: &str| {
        let answer = ask(&server, method, path, "").await;
        let found = answer.starts_with(&format!("HTTP/1.1 {status} "))
            && answer.contains(&format!(r#"{{"code":"{code}""#));
        assert!(found, "{method} {path}: {answer}");
    };
    check("POST", "/api/v1/rooms", 405, "bad_message").await;
    check("GET", "/api/v1/nothing", 404, "bad_message").await;
    check("GET", "/api/v1/games/%ff", 400, "bad_message").await;
    check("GET", "/api/v1/players/0000000000000000", 403, "switched_off").await;
    check("GET", "/api/v1/rooms/ZZZZZ/events", 404, "no_such_room").await;
    // A guesser is stopped as at the sockets: after as many tries as there may be connections.
    let mut refused = String::new();
    while !refused.contains("429") {
        refused = ask(&server, "GET", "/api/v1/parties/ZZZZZ", "").await;
    }
    assert!(refused.contains(r#""code":"rate_limited""#), "{refused}");
}

#[tokio::test]
async fn curl_reads_the_events_of_a_room_and_of_a_party() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    let path = format!("/api/v1/rooms/{}/events", ada.state().code);
    let mut curl = events(&server, &path, "").await;
    let first = until(&mut curl, "event: snapshot").await;
    assert!(first.contains("content-type: text/event-stream"), "{first}");
    ada.play(4).await.unwrap();
    let moved = until(&mut curl, r#""cell":4"#).await;
    let v = ada.state().v;
    assert!(moved.contains(&format!("event: event\nid: {v}\ndata: ")), "{moved}");
    drop(curl);

    // A reader that has everything is not told it again.
    let known = format!("last-event-id: {v}\r\n");
    let mut curl = events(&server, &path, &known).await;
    let first = until(&mut curl, "text/event-stream").await;
    ada.leave().await.unwrap();
    bob.leave().await.unwrap();
    let last = until(&mut curl, r#""kind":"closed""#).await;
    assert!(!format!("{first}{last}").contains("event: snapshot"), "{first}{last}");
    assert!(last.contains("event: event"), "{last}");
    let mut rest = Vec::new();
    timeout(TIMEOUT, curl.read_to_end(&mut rest)).await.expect("the end").unwrap();

    let party = party(&mut ada).await;
    let mut curl = events(&server, &format!("/api/v1/parties/{party}/events"), "").await;
    until(&mut curl, "event: snapshot").await;
    bob.join_party(party.parse().unwrap(), PartyRole::Player).await.unwrap();
    until(&mut curl, "event: party_events").await;
}
