//! How a client's message is read: its tag may be anywhere, and everything but the right fields is
//! refused. A written message has the tag first, so that reading finds it at once.

use noughts_protocol::{
    Cell, ClientMessage, IntentId, LobbyIntent, MAX_CLIENT_FRAME, RoomIntent, ServerMessage,
};
use proptest::prelude::*;
use serde_json::Value;

use super::golden;
fn read(json: &str) -> Result<ClientMessage, String> {
    ClientMessage::from_json(json).map_err(|error| error.to_string())
}

fn check_reads(json: &str, expected: &ClientMessage) {
    assert_eq!(read(json).as_ref(), Ok(expected), "{json}");
}

fn check_refused(json: &str, because: &str) {
    let error = read(json).expect_err(json);
    assert!(error.contains(because), "{json}: {error}");
}

fn id() -> IntentId {
    IntentId::try_from(7).expect("an id in range")
}

fn play() -> ClientMessage {
    ClientMessage::Room {
        intent: RoomIntent::Play { game: 1, ply: 2, cell: Cell(4), placed: None },
        id: id(),
        room: "KQRZX".parse().expect("a code"),
    }
}

fn ping() -> ClientMessage {
    ClientMessage::Lobby { intent: LobbyIntent::Ping, id: id() }
}

#[test]
fn the_tag_may_be_anywhere_and_written_in_any_way() {
    let fields = r#""id":7,"room":"KQRZX","game":1,"ply":2,"cell":4"#;
    check_reads(&format!(r#"{{"type":"play",{fields}}}"#), &play());
    check_reads(&format!(r#"{{{fields},"type":"play"}}"#), &play());
    check_reads(&format!(" {{\n\"type\" :\t\"play\" , {fields} }} "), &play());
    check_reads(&format!(r#"{{"type":"\u0070lay",{fields}}}"#), &play());
    check_reads(&format!(r#"{{"\u0074ype":"play",{fields}}}"#), &play());
    check_reads(r#"{"type":"play","room":"kq-rzx","cell":4,"id":7,"ply":2,"game":1}"#, &play());
    check_reads(r#"{"type":"ping","id":7}"#, &ping());
    check_reads(r#"{"id":7,"type":"ping"}"#, &ping());
}

#[test]
fn unknown_fields_are_ignored_wherever_they_are() {
    check_reads(r#"{"later":[1],"type":"ping","id":7,"more":{"type":null}}"#, &ping());
    check_reads(r#"{"type":"ping","id":7,"room":7,"ply":"x"}"#, &ping());
    let pong = r#"{"type":"pong","id":7,"room":"KQRZX","tea":[1]}"#;
    assert!(serde_json::from_str::<ServerMessage>(pong).is_ok());
}

#[test]
fn an_unknown_tag_is_told() {
    let unknown = "unknown type `dance`: see the protocol's list of messages";
    check_refused(r#"{"type":"dance","id":1}"#, unknown);
    check_refused(r#"{"id":1,"type":"dance"}"#, unknown);
    check_refused(r#"{"type":"d\u0061nce","id":1}"#, unknown);
    check_refused(r#"{"type":"","id":1}"#, "unknown type ``");
    check_refused(r#"{"type":"Ping","id":1}"#, "unknown type `Ping`");
    check_refused(r#"{"type":"play\u0000","id":1}"#, "unknown type");
}

#[test]
fn a_message_is_one_object_with_a_tag() {
    for json in ["", "null", "7", "[]", "\"ping\"", "{", r#"{"type":"ping"#, r#"{"type":"#, "\u{0}"]
    {
        assert!(read(json).is_err(), "{json}");
    }
    for tag in ["null", "7", "[\"ping\"]", "{}"] {
        check_refused(&format!(r#"{{"type":{tag},"id":1}}"#), "invalid type");
    }
    check_refused("{}", "missing field `type`");
    check_refused(r#"{"id":1}"#, "missing field `type`");
    check_refused(r#"["ping",1]"#, "invalid type: sequence");
    check_refused(r#"["hello",2,"Ada"]"#, "invalid type: sequence");
    check_refused(r#"[{"type":"ping","id":1}]"#, "invalid type: sequence");
}

#[test]
fn nothing_follows_a_message() {
    let message = r#"{"type":"ping","id":1}"#;
    for text in
        [message, r#"{"id":1,"type":"ping"}"#, r#"{"type":"hello","protocol":2,"name":"A"}"#]
    {
        assert!(read(text).is_ok(), "{text}");
        for rest in [message, "x", "}", ",", "null", "\u{0}", "//"] {
            check_refused(&format!("{text} {rest}"), "trailing characters");
        }
    }
}

#[test]
fn a_field_comes_once() {
    for json in [
        r#"{"type":"ping","id":1,"id":1}"#,
        r#"{"id":1,"type":"ping","id":2}"#,
        r#"{"type":"play","id":1,"room":"KQRZX","game":1,"ply":0,"cell":0,"cell":1}"#,
        r#"{"type":"create","id":1,"settings":{"listed":true,"listed":true}}"#,
        r#"{"type":"hello","protocol":2,"name":"Ada","name":"Ada"}"#,
        r#"{"type":"hello","protocol":2,"name":"Ada","token":"a","token":"a"}"#,
        r#"{"id":1,"type":"ping","type":"ping"}"#,
        r#"{"type":"hello","protocol":2,"name":"Ada","type":"hello"}"#,
        r#"{"protocol":2,"name":"Ada","type":"hello","type":"ping"}"#,
    ] {
        check_refused(json, "duplicate field");
    }
    for json in
        [r#"{"type":"ping","id":1,"type":"ping"}"#, r#"{"type":"ping","id":1,"type":"play"}"#]
    {
        check_refused(json, "duplicate field `type`");
    }
}

/// The schema, by which all other fields are checked, takes `0.0` for an integer.
#[test]
fn an_integer_has_no_fraction() {
    for ply in ["0.0", "1e0"] {
        let json =
            format!(r#"{{"type":"play","id":1,"room":"KQRZX","game":1,"ply":{ply},"cell":4}}"#);
        assert!(read(&json).is_err(), "{json}");
    }
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    let deep = "[".repeat(MAX_CLIENT_FRAME);
    assert!(read(&deep).is_err());
    assert!(read(&format!(r#"{{"type":"ping","id":1,"x":{deep}"#)).is_err());
    assert!(read(&format!(r#"{{"x":{deep}"#)).is_err());
}

/// Moves the tag of a message to its end.
fn tag_last(json: &str) -> String {
    let Ok(Value::Object(mut fields)) = serde_json::from_str(json) else { panic!("{json}") };
    let tag = fields.remove("type").expect("a tag");
    let mut text = Value::Object(fields).to_string();
    let comma = if text.len() > 2 { "," } else { "" };
    text.truncate(text.len() - 1);
    format!(r#"{text}{comma}"type":{tag}}}"#)
}

/// A message is the same after it is written and read, with the tag at either end.
fn check_round_trip(message: &ClientMessage) {
    let written = serde_json::to_string(message).expect("a message is JSON");
    assert!(written.starts_with(r#"{"type":""#), "the tag comes first: {written}");
    check_reads(&written, message);
    check_reads(&tag_last(&written), message);
}

/// The golden messages of clients.
fn messages() -> Vec<ClientMessage> {
    let files = golden::files().into_iter().filter(|(name, _)| name.starts_with("client."));
    files.map(|(name, text)| read(&text).unwrap_or_else(|e| panic!("{name}: {e}"))).collect()
}

#[test]
fn every_golden_message_is_read_wherever_its_tag_is() {
    let messages = messages();
    assert!(messages.len() > 20);
    messages.iter().for_each(check_round_trip);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// No text makes the reader panic, and what it reads it writes again.
    #[test]
    fn any_text_near_a_message_is_read_or_refused(
        message in prop::sample::select(messages()),
        at in any::<prop::sample::Index>(),
        with in prop::sample::select(&["", "\"", "\\", "{", "}", ",", "type", "null", "\u{0}", "é"][..]),
    ) {
        let mut text = serde_json::to_string(&message).expect("a message is JSON");
        let ends: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
        text.insert_str(ends[at.index(ends.len())], with);
        if let Ok(message) = ClientMessage::from_json(&text) {
            check_round_trip(&message);
        }
    }
}
