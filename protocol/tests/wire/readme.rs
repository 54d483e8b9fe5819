//! `protocol/README.md` and the pages beside it as the contract they claim to be: their examples parse,
//! the worked session adds up, and no kind of message, refusal code or close code is left out.
//!
//! Two conventions mark who sends an example. A `json` block follows a line `<!-- client -->`,
//! `<!-- server -->` or `<!-- http -->`; a line of the worked session is `ada → {..}` for what
//! Ada's client sends and `ada ← {..}` for what it gets.

use std::collections::{BTreeMap, BTreeSet};

use noughts_protocol::{
    ClientMessage, CloseCode, Hello, PROTOCOL_VERSION, Presence, RefusalCode, RoomState,
    ServerMessage,
};
use serde_json::Value;

/// The README is the last, because the worked session goes on to the end.
const README: &str = concat!(
    include_str!("../../fields.md"),
    include_str!("../../parties.md"),
    include_str!("../../README.md")
);

/// One example: where it is, who sends it, what it says.
enum Example {
    Client(ClientMessage),
    Server(Box<ServerMessage>),
}

fn client(text: &str) -> Example {
    Example::Client(ClientMessage::from_json(text).unwrap_or_else(|e| panic!("{e} in {text}")))
}

fn server(text: &str) -> Example {
    Example::Server(serde_json::from_str(text).map_or_else(|e| panic!("{e} in {text}"), Box::new))
}

/// The examples of the `json` blocks, each one object.
fn blocks() -> Vec<Example> {
    let mut examples = Vec::new();
    let mut parts = README.split("```json\n");
    let mut before = parts.next().expect("a text before the first example");
    for part in parts {
        let (block, after) = part.split_once("```").expect("a block has an end");
        let marker = before.trim_end().lines().next_back().unwrap_or_default();
        examples.push(match marker {
            "<!-- client -->" => client(block),
            "<!-- server -->" => server(block),
            other => panic!("mark who sends this example, not {other:?}:\n{block}"),
        });
        before = after;
    }
    examples
}

/// The messages of the blocks: whether a client sends it, and what it says.
#[cfg(feature = "schema")]
pub(super) fn messages() -> Vec<(bool, Value)> {
    let message = |example| match example {
        Example::Client(message) => (true, serde_json::json!(message)),
        Example::Server(message) => (false, serde_json::json!(message)),
    };
    blocks().into_iter().map(message).collect()
}

/// The frames of the worked session: whose connection, and what goes over it.
fn session() -> Vec<(&'static str, Example)> {
    let (_, session) = README.split_once("## A worked session").expect("a worked session");
    let frame = |line: &'static str| {
        let sent = line.split_once(" → ").map(|(who, text)| (who, client(text)));
        sent.or_else(|| line.split_once(" ← ").map(|(who, text)| (who, server(text))))
    };
    session.lines().filter(|line| line.contains('{')).filter_map(frame).collect()
}

/// The settings that a server sends are whole on the page too, also those that have their default.
#[test]
fn settings_of_servers_are_shown_whole() {
    /// Every object of this name in a message.
    fn settings(value: &Value, found: &mut Vec<Value>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("settings").cloned());
                fields.values().for_each(|value| settings(value, found));
            }
            Value::Array(values) => values.iter().for_each(|value| settings(value, found)),
            _ => {}
        }
    }
    let mut found = 0;
    let blocks = README.split("<!-- server -->\n```json\n").skip(1);
    let blocks = blocks.filter_map(|part| part.split_once("```").map(|(block, _)| block));
    let session = README.lines().filter_map(|line| line.split_once(" ← ").map(|(_, text)| text));
    for text in blocks.chain(session).filter(|text| text.contains("\"settings\"")) {
        let shown: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{e} in {text}"));
        let Example::Server(message) = server(text) else { unreachable!() };
        let mut on_page = Vec::new();
        let mut sent = Vec::new();
        settings(&shown, &mut on_page);
        settings(&serde_json::to_value(message).expect("a message is JSON"), &mut sent);
        assert_eq!(on_page, sent, "{text}");
        found += on_page.len();
    }
    assert!(found > 4, "the examples were found");
}

#[test]
fn every_refusal_code_is_explained() {
    for code in RefusalCode::ALL {
        let word = serde_json::to_string(code).expect("a code is JSON").replace('"', "`");
        assert!(README.contains(&format!("| {word} |")), "no row for {word}");
    }
}

#[test]
fn every_close_code_is_explained_with_whether_to_reconnect() {
    for code in CloseCode::ALL {
        let row = README.lines().find(|line| line.starts_with(&format!("| {} |", code.number())));
        let row = row.unwrap_or_else(|| panic!("no row for {code:?}"));
        let says = if code.reconnect() { "| yes |" } else { "| no |" };
        assert!(row.contains(says), "{row:?} must say {says}");
    }
}

#[test]
fn the_version_is_the_one_spoken() {
    assert!(README.contains(&format!("protocol {PROTOCOL_VERSION}")));
    for example in blocks() {
        if let Example::Client(ClientMessage::Hello(Hello { protocol, .. })) = example {
            assert_eq!(protocol, PROTOCOL_VERSION);
        }
    }
}

/// The room as one client of the session sees it.
struct View {
    room: RoomState,
    presence: Presence,
}

/// Follows the session as the clients in it would: every intent is answered once, and what each
/// connection is told of the room is a snapshot and then events without a gap or contradiction.
#[test]
fn the_worked_session_adds_up() {
    let frames = session();
    assert!(frames.len() > 20, "the session was found");
    let mut views: BTreeMap<&str, View> = BTreeMap::new();
    let mut unanswered = BTreeSet::new();
    for (who, frame) in frames {
        match frame {
            Example::Client(message) => {
                unanswered.extend(message.id().map(|id| (who, id)));
            }
            Example::Server(message) => {
                if let ServerMessage::Ok { id, .. }
                | ServerMessage::Refused { id: Some(id), .. }
                | ServerMessage::Pong { id, .. } = *message
                {
                    assert!(unanswered.remove(&(who, id)), "{who} did not ask {id:?}");
                }
                follow(&mut views, who, *message);
            }
        }
    }
    assert!(unanswered.is_empty(), "{unanswered:?} were never answered");
    let mut ends: Vec<(RoomState, Presence)> =
        views.into_values().map(|view| (view.room, view.presence)).collect();
    ends.dedup();
    assert_eq!(ends.len(), 1, "everybody ends with the same view: {ends:?}");
}

fn follow<'a>(views: &mut BTreeMap<&'a str, View>, who: &'a str, message: ServerMessage) {
    if let ServerMessage::Snapshot(snapshot) = message {
        let room = RoomState::from_snapshot(&snapshot).expect("a room that can be");
        views.insert(who, View { room, presence: snapshot.presence });
        return;
    }
    let view = views.get_mut(who);
    let view = || view.unwrap_or_else(|| panic!("{who} is nowhere"));
    match message {
        ServerMessage::Event { v, event, .. } => {
            let applied = view().room.apply(v, &event);
            applied.unwrap_or_else(|e| panic!("{who}, {v}: {e}"));
        }
        ServerMessage::Presence { presence, .. } => view().presence = presence,
        ServerMessage::Pong { v, presence, .. } => {
            let view = view();
            assert_eq!((v, presence), (Some(view.room.v), Some(view.presence)), "{who}");
        }
        _ => {}
    }
}
