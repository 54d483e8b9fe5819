//! The protocol's stories: what a client is told, what its player asks, and what it shows and sends
//! after each step. The page's core is tested with the same files.

use std::path::Path;
use std::time::{Duration, Instant};

use noughts_protocol::{ByMark, Mark, SeatPresence, ServerMessage};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::*;
use crate::core::session::Phase;

mod party;

#[derive(Deserialize)]
struct Story {
    story: String,
    next_id: u64,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    /// When it happens, in milliseconds.
    at: u64,
    #[serde(rename = "do")]
    input: Value,
    #[serde(default)]
    sent: Vec<Value>,
    #[serde(default)]
    reconnects: bool,
    #[serde(default)]
    happened: Vec<String>,
    /// The keys that have changed.
    #[serde(default)]
    shows: Map<String, Value>,
}

#[test]
fn every_story_is_lived_as_it_is_told() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol/tests/golden/series");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        // The files of other tests are no stories.
        let values: Vec<Value> = serde_json::from_str(&text).unwrap();
        for story in values.into_iter().filter(|value| value.get("story").is_some()) {
            live(&serde_json::from_value(story).unwrap());
            count += 1;
        }
    }
    println!("{count} stories");
}

fn live(story: &Story) {
    let start = Instant::now();
    let mut session = Session::new(story.next_id);
    let mut told = Map::new();
    for (number, step) in story.steps.iter().enumerate() {
        let now = start + Duration::from_millis(step.at);
        let (mut sent, mut reconnects, mut happened) = (Vec::new(), false, Vec::new());
        for output in session.update(input(&step.input), now) {
            match output {
                Output::Send(message) => sent.push(serde_json::to_value(message).unwrap()),
                Output::Reconnect => reconnects = true,
                // The happening tells it too.
                Output::Forget => {}
                Output::Happened(happening) => happened.extend(name(&happening)),
            }
        }
        told.extend(step.shows.clone());
        let check = |key: &str, told: Value, shown: Value| {
            let story = &story.story;
            let input = &step.input;
            assert!(
                comparable(&told) == comparable(&shown),
                "\"{story}\", step {number}, {key}: {shown:#} instead of {told:#} after {input}"
            );
        };
        check("sent", json!(step.sent), json!(sent));
        check("reconnects", json!(step.reconnects), json!(reconnects));
        check("happened", json!(step.happened), json!(happened));
        let shown = shown(&session, start);
        let keys: Vec<&String> = told.keys().collect();
        assert_eq!(keys, shown.keys().collect::<Vec<_>>(), "\"{}\", step {number}", story.story);
        for (key, value) in &shown {
            check(key, told[key].clone(), value.clone());
        }
    }
}

/// A value without the fields that are null: `null` is as good as left out.
fn comparable(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let known = fields.iter().filter(|(_, value)| !value.is_null());
            known.map(|(key, value)| (key.clone(), comparable(value))).collect()
        }
        Value::Array(values) => values.iter().map(comparable).collect(),
        other => other.clone(),
    }
}

fn input(step: &Value) -> Input {
    match step.as_str() {
        Some("broke") => Input::Connection(ConnectionEvent::Lost("broke".into())),
        Some("ended") => Input::Connection(ConnectionEvent::Ended("ended".into())),
        Some("time") => Input::Time,
        Some(other) => panic!("{other}"),
        None => {
            let (kind, message) = step.as_object().unwrap().iter().next().unwrap();
            match kind.as_str() {
                "asked" => Input::Asked(asked(message.clone())),
                "told" => Input::Connection(ConnectionEvent::Message(Box::new(server(message)))),
                "welcome" => Input::Connection(welcomed(server(message))),
                other => panic!("{other}"),
            }
        }
    }
}

fn asked(mut message: Value) -> Intent {
    message["id"] = json!(0);
    match ClientMessage::from_json(&message.to_string()).unwrap() {
        ClientMessage::Room { intent, .. } => intent.into(),
        ClientMessage::Lobby { intent, .. } => intent.into(),
        ClientMessage::Party { intent, .. } => intent.into(),
        ClientMessage::Hello(_) => panic!("{message}"),
    }
}

fn server(message: &Value) -> ServerMessage {
    serde_json::from_value(message.clone()).unwrap()
}

fn welcomed(message: ServerMessage) -> ConnectionEvent {
    let ServerMessage::Welcome { player, name, token, server, limits, features, .. } = message
    else {
        panic!("{message:?}")
    };
    ConnectionEvent::Welcome(Box::new(Welcome { player, name, token, server, limits, features }))
}

/// The name of a happening in the stories. Those without one are not told.
fn name(happening: &Happening) -> Option<&'static str> {
    Some(match happening {
        Happening::Welcome { .. } => "welcome",
        Happening::Entered => "entered",
        Happening::Refreshed => "refreshed",
        Happening::Event { .. } => "event",
        Happening::Presence(_) => "presence",
        Happening::Hint => "hint",
        Happening::Evaluation => "evaluation",
        Happening::Review => "review",
        Happening::Lobby => "lobby",
        Happening::Chat(_) => "chat",
        Happening::Answered(_) => "answered",
        Happening::Forgotten => "forgotten",
        Happening::Refused(..) => "refused",
        Happening::RoomLost(..) => "room_lost",
        Happening::Unreadable(_) => "unreadable",
        Happening::Party => "party",
        Happening::PartyEvent(_) => "party_event",
        Happening::PartyPresence => "party_presence",
        Happening::Boards => "boards",
        Happening::PlacePass(..) => "place_pass",
        Happening::PartyLost(..) => "party_lost",
        Happening::IsParty(_) => "is_party",
        Happening::Closed(_) => "closed",
        Happening::Impossible => "impossible",
        Happening::ServerError(_) => "server_error",
        Happening::Busy => "busy",
        Happening::Blocked(_) => "blocked",
        Happening::Lost(_) => "lost",
        Happening::Ended(_) => "ended",
        Happening::Applied(_) | Happening::PasswordWanted(_) => return None,
    })
}

fn phase(session: &Session) -> &'static str {
    match session.phase {
        Phase::Connecting => "connecting",
        Phase::Open => "open",
        Phase::Lost { .. } => "lost",
        Phase::Ended => "ended",
    }
}

/// How far the questions of a session are.
fn questions(session: &Session) -> Map<String, Value> {
    let kinds = [
        ("history", QuestionKind::History),
        ("game", QuestionKind::Game),
        ("review_game", QuestionKind::Review),
        ("profile", QuestionKind::Profile),
        ("leaderboard", QuestionKind::Leaderboard),
        ("export", QuestionKind::Export),
    ];
    let asked = kinds.into_iter().filter_map(|(name, kind)| {
        let answer = match &session.question(kind)?.answer {
            None => Value::Null,
            Some(Ok(found)) => json!(found)["kind"].clone(),
            Some(Err(refusal)) => json!(refusal.code),
        };
        // A question without an answer is told as such: null would be as good as no question.
        Some((name.to_owned(), if answer.is_null() { json!("asked") } else { answer }))
    });
    asked.collect()
}

/// The visible state of a session.
fn shown(session: &Session, start: Instant) -> Map<String, Value> {
    let ms = |moment: Option<Instant>| moment.map(|at| (at - start).as_millis() as u64);
    let view = session.room();
    let by_mark = |value: &dyn Fn(Mark) -> Value| ByMark { x: value(Mark::X), o: value(Mark::O) };
    let presence = view.map(|view| {
        let seats = by_mark(&|mark| match view.presence.seats[mark] {
            None => Value::Null,
            Some(SeatPresence::Connected) => json!("connected"),
            Some(SeatPresence::Away { .. }) => json!("away"),
            Some(SeatPresence::Gone) => json!("gone"),
        });
        let (spectators, rematch) = (view.presence.spectators, view.presence.rematch);
        let series = view.presence.series;
        json!({"x": seats.x, "o": seats.o, "spectators": spectators, "rematch": rematch, "series": series})
    });
    let room = view.map(|view| {
        let whole = view.state.to_snapshot(view.presence, None);
        let Value::Object(mut fields) = serde_json::to_value(whole).unwrap() else { panic!() };
        fields.retain(|key, _| key != "presence" && key != "move_ms_left");
        fields
    });
    let position = |game: u32, ply: u16| json!({"game": game, "ply": ply});
    let sent_move = session.sent_move().map(|intent| match intent {
        RoomIntent::Play { cell, .. } => json!(cell),
        RoomIntent::Choose { choice, .. } => json!(choice),
        other => panic!("{other:?}"),
    });
    let entering =
        session.entering.map(|entering| entering.room.map_or(json!(true), |room| json!(room)));
    let analysis = session.analysis.as_ref().map(|asked| match asked.intent {
        RoomIntent::Hint { .. } => "hint",
        _ => "review",
    });
    let chat = view.map(|RoomView { chat, .. }| {
        let lines: Vec<u64> = chat.lines.iter().map(|line| line.n).collect();
        json!({"lines": lines, "muted": chat.muted})
    });
    let lobby = session.lobby().map(|lobby| lobby.waiting.len() + lobby.playing.len());
    let shows = json!({
        "phase": phase(session),
        "entering": entering,
        "queued": session.queue.is_some(),
        "unanswered": session.unanswered.iter().map(|message| message.id()).collect::<Vec<_>>(),
        "lobby": lobby,
        "analysis": analysis,
        "deadline": ms(session.deadline()),
        "room": room,
        "may_pace": view.is_some_and(RoomView::may_pace),
        "mine": view.map_or(&[][..], |view| &view.mine),
        "presence": presence,
        "claim_from": view.map(|view| by_mark(&|mark| json!(ms(view.claim_from(mark))))),
        "move_ends": ms(view.and_then(|view| view.move_ends)),
        "hint": view.and_then(RoomView::hint).map(|hint| position(hint.game, hint.ply)),
        "evaluation": view.and_then(RoomView::evaluation).map(|last| position(last.game, last.ply)),
        "review": view.and_then(|view| view.review.as_ref()).map(|review| review.game),
        "sent_move": sent_move,
        "chat": chat,
        "following": party::following(session),
        "party": party::party(session),
        "party_presence": party::presence(session, ms),
        "boards": party::boards(session),
        "questions": questions(session),
    });
    let Value::Object(shows) = shows else { panic!() };
    shows
}
