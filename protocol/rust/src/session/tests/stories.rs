//! `protocol/tests/golden/series`: stories as a client lives them. The page's core lives the same ones, and
//! the room's rules of the server are compared with what they tell.
//!
//! A file is a list of stories, and a story is `{story, next_id, steps}`. A step is a line:
//!
//! - `at`: when it happens, in milliseconds;
//! - `do`: `{welcome: MESSAGE}`, `{told: MESSAGE}`, `{asked: INTENT WITHOUT ID}`, `"broke"`, `"time"` (the
//!   client's timer) or `"ended"`;
//! - `sent`: the messages that it leads to, `reconnects` if the client gives the connection up, and
//!   `happened`: what its views are told; each is left out when it is empty;
//! - `shows`: the keys whose values are others than after the step before.
//!
//! `at` and `do` are written by people. With `NOUGHTS_UPDATE=1` in the environment this test writes the rest
//! of the steps that tell something else than what this core does: read the difference before you keep it.

use std::path::Path;
use std::time::{Duration, Instant};

use noughts_protocol::{ByMark, Mark, SeatPresence, ServerMessage};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::*;

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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/series");
    let is_update = std::env::var_os("NOUGHTS_UPDATE").is_some();
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let stories: Vec<Story> = serde_json::from_str(&text).unwrap();
        let mut lived = stories.iter().flat_map(|story| live(story, is_update));
        count += stories.len();
        // A step is a line.
        let lines = text.lines().map(|line| match line.starts_with(r#"    {"at""#) {
            true => lived.next().unwrap().map_or(line.to_owned(), |after| told_anew(line, &after)),
            false => line.to_owned(),
        });
        let written = lines.collect::<Vec<_>>().join("\n") + "\n";
        assert!(lived.next().is_none(), "{}: each step is a line", path.display());
        if written != text {
            std::fs::write(path, written).unwrap();
        }
    }
    println!("{count} stories");
}

/// A step with another outcome.
fn told_anew(line: &str, after: &str) -> String {
    let start = line.find(r#""do":"#).unwrap() + r#""do":"#.len();
    let mut values = serde_json::Deserializer::from_str(&line[start..]).into_iter::<Value>();
    values.next().unwrap().unwrap();
    let end = start + values.byte_offset();
    let comma = if line.ends_with(',') { "," } else { "" };
    format!("{}{after}}}{comma}", &line[..end])
}

/// Lives a story. Gives for each step what comes of it if the story tells something else, which only an
/// update may find.
fn live(story: &Story, is_update: bool) -> Vec<Option<String>> {
    let start = Instant::now();
    let mut session = Session::new(story.next_id);
    let mut told = Map::new();
    let mut before = Map::new();
    let mut lived = Vec::new();
    for (number, step) in story.steps.iter().enumerate() {
        let now = start + Duration::from_millis(step.at);
        let mut sent = Vec::new();
        let mut reconnects = false;
        let mut happened = Vec::new();
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
        let shown = shown(&session, start);
        let is_told = {
            let mut wrong = Vec::new();
            let mut check = |key: &str, told: Value, shown: Value| {
                if comparable(&told) != comparable(&shown) {
                    wrong.push(format!("{key}: {shown:#} instead of {told:#}"));
                }
            };
            check("sent", json!(step.sent), json!(sent));
            check("reconnects", json!(step.reconnects), json!(reconnects));
            check("happened", json!(step.happened), json!(happened));
            for key in shown.keys().chain(told.keys()) {
                let value = |of: &Map<String, Value>| of.get(key).cloned().unwrap_or("none".into());
                check(key, value(&told), value(&shown));
            }
            let story = &story.story;
            let input = &step.input;
            let wrong = wrong.first();
            assert!(
                is_update || wrong.is_none(),
                "\"{story}\", step {number}, {} after {input}",
                wrong.map_or("", |wrong| wrong)
            );
            wrong.is_none()
        };
        lived.push((!is_told).then(|| {
            let mut after = String::new();
            let mut field = |name: &str, value: Value| after += &format!(r#","{name}":{value}"#);
            if !sent.is_empty() {
                field("sent", json!(sent));
            }
            if reconnects {
                field("reconnects", json!(true));
            }
            if !happened.is_empty() {
                field("happened", json!(happened));
            }
            let changed = shown.iter().filter(|(key, value)| before.get(*key) != Some(value));
            let changed: Map<String, Value> =
                changed.map(|(key, value)| (key.clone(), value.clone())).collect();
            if !changed.is_empty() {
                field("shows", json!(changed));
            }
            after
        }));
        told = shown.clone();
        before = shown;
    }
    lived
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
                "welcome" => {
                    let welcome = Welcome::of(server(message)).unwrap();
                    Input::Connection(ConnectionEvent::Welcome(Box::new(welcome)))
                }
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

/// The name of a happening in the stories. Those without one are not told.
fn name(happening: &Happening) -> Option<&'static str> {
    Some(match happening {
        Happening::Welcome { .. } => "welcome",
        Happening::Announcement(_) => "announcement",
        Happening::Challenged(..) => "challenged",
        Happening::Declined(_) => "declined",
        Happening::Switched { .. } => "features",
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
        Happening::Pass { .. } => "pass",
        Happening::PlacePass(..) => "place_pass",
        Happening::PartyLost(..) => "party_lost",
        Happening::IsParty(_) => "is_party",
        Happening::Closed(..) => "closed",
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
        ("history", LookupKind::History),
        ("game", LookupKind::Game),
        ("review_game", LookupKind::Review),
        ("profile", LookupKind::Profile),
        ("leaderboard", LookupKind::Leaderboard),
        ("puzzle", LookupKind::Puzzle),
        ("export", LookupKind::Export),
        ("here", LookupKind::Here),
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
        let spectators = view.presence.spectators;
        let rematch = view.presence.rematch;
        let series = view.presence.series;
        let hints = view.presence.hints;
        let back = view.presence.take_back;
        json!({"x": seats.x, "o": seats.o, "spectators": spectators, "rematch": rematch, "series": series, "hints": hints, "take_back": back})
    });
    let room = view.map(|view| {
        let whole = view.state.to_snapshot(view.presence, None);
        let Value::Object(mut fields) = serde_json::to_value(whole).unwrap() else { panic!() };
        fields.retain(|key, _| !["presence", "move_ms_left", "clock_stopped"].contains(&&**key));
        fields
    });
    let stands = view.and_then(|view| view.stands_at);
    let stands = stands.map(|left| json!({"stands_at": left.as_millis()}));
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
        "move_ends": stands.unwrap_or_else(|| json!(ms(view.and_then(|view| view.move_ends)))),
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
