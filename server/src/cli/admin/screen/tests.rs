//! Keys on the live screen, and what they ask of the server; what is drawn.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use serde_json::{Value, json};

use super::super::draw::{self, Colors};
use super::*;

const ROWS: usize = 10;

/// A room as the server tells it.
fn room(code: &str, x: &str, o: &str) -> Value {
    let seat = |name: &str| match name {
        "" => json!({"kind": "open"}),
        _ => json!({"kind": "human", "player": player(name), "name": name}),
    };
    json!({
        "room": code, "settings": {}, "seats": {"x": seat(x), "o": seat(o)},
        "score": {"x": 0, "o": 0, "draws": 0}, "game": null, "spectators": 3, "age_s": 200, "idle_s": 7,
    })
}

/// The id of somebody: the first letter of their name.
fn player(name: &str) -> String {
    format!("{:016x}", name.as_bytes()[0])
}

/// Answers what is asked, as a server would with these rooms.
fn answer(screen: &mut Screen, requests: Vec<AdminRequest>, rooms: &[Value]) {
    for request in requests {
        let answer = match &request {
            AdminRequest::Status => json!({
                "type": "status", "version": "1.2.3", "up_s": 60, "connections": 2, "playing": 1, "rooms": 2,
                "parties": 1, "waiting": 0, "bans": 1, "closed": false, "features": {"chat": false},
                "memory_bytes": 31_000_000, "store_bytes": 0,
            }),
            AdminRequest::Rooms { most, .. } => {
                let shown = &rooms[..rooms.len().min(*most)];
                json!({"type": "rooms", "rooms": shown, "total": rooms.len(), "asleep": 5})
            }
            AdminRequest::Parties => json!({"type": "parties", "parties": [
                {"party": "BCDFG", "entrants": 8, "empty": false, "name": "Eve", "phase": "gathering", "host": player("Eve")},
            ]}),
            AdminRequest::People { .. } => {
                json!({"type": "connections", "total": 1, "connections": [
                    {"player": player("Ada"), "name": "Ada", "address": "192.0.2.7", "since_s": 1, "room": "KQRZX"},
                ]})
            }
            AdminRequest::Limits => json!({"type": "limits", "limited": [
                {"what": "connections of an address", "who": "192.0.2.9", "count": 3},
            ]}),
            AdminRequest::Bans => json!({"type": "bans", "bans": [
                {"ban": 4, "who": {"network": "192.0.2.0/24"}, "until": null, "reason": "be kind"},
            ]}),
            AdminRequest::Log => json!({"type": "acts", "acts": []}),
            AdminRequest::Room { .. } => {
                json!({"type": "refused", "message": "there is no such room"})
            }
            _ => json!({"type": "done", "message": "it is done"}),
        };
        screen.answered(&request, serde_json::from_value(answer).unwrap());
    }
}

/// A screen that shows two rooms.
fn screen() -> Screen {
    let mut screen = Screen::new(ROWS);
    let questions = screen.questions();
    answer(&mut screen, questions, &two());
    screen
}

fn two() -> [Value; 2] {
    [room("KQRZX", "Ada", "Bob"), room("ZXCVB", "Eve", "")]
}

/// Presses keys, parted by spaces, and returns the acts. Words without a key are typed; `_` is a space.
fn press(screen: &mut Screen, keys: &str, rooms: &[Value]) -> Vec<AdminRequest> {
    let mut acts = Vec::new();
    for word in keys.split(' ') {
        let codes = match word {
            "Enter" => vec![KeyCode::Enter],
            "Esc" => vec![KeyCode::Esc],
            "Tab" => vec![KeyCode::Tab],
            "Down" => vec![KeyCode::Down],
            "End" => vec![KeyCode::End],
            "Rubout" => vec![KeyCode::Backspace],
            _ => word.replace('_', " ").chars().map(KeyCode::Char).collect(),
        };
        for code in codes {
            let asked = screen.key(KeyEvent::from(code));
            acts.extend(asked.iter().filter(|request| !is_question(request)).cloned());
            answer(screen, asked, rooms);
        }
    }
    acts
}

#[track_caller]
fn check(keys: &str, acts: &[Value]) {
    let sent = press(&mut screen(), keys, &two());
    let sent: Vec<_> = sent.iter().map(|act| serde_json::to_value(act).unwrap()).collect();
    assert_eq!(sent, acts, "{keys}");
}

#[test]
fn an_act_takes_a_key_and_what_is_asked_then() {
    let ada = player("Ada");
    let bob = player("Bob");
    let who = json!({"player": ada});
    let end = json!({"type": "end_room", "room": "KQRZX", "reason": null});
    check("e Enter y", &[end]);
    check("e be_kind Enter n", &[]);
    check("e Esc y", &[]);
    let end = json!({"type": "end_room", "room": "ZXCVB", "reason": "late"});
    check("Down e later Rubout Enter y", &[end]);
    check("2 e y", &[json!({"type": "end_party", "party": "BCDFG"})]);
    let remove = json!({"type": "remove", "player": ada, "from": "KQRZX"});
    check("r 1 y", std::slice::from_ref(&remove));
    check("3 r y", &[remove]);
    check("3 d y", &[json!({"type": "disconnect", "who": who})]);
    let ban = json!({"type": "ban", "who": who, "seconds": 7_200, "reason": "be kind"});
    check("3 b soon Enter Rubout Rubout Rubout Rubout 2h Enter be_kind Enter y", &[ban]);
    let ban = json!({
        "type": "ban", "who": {"network": "192.0.2.7/32"}, "seconds": null, "reason": null,
    });
    check("3 B Enter Enter y", &[ban]);
    let ban = json!({
        "type": "ban", "who": {"network": "192.0.2.9/32"}, "seconds": null, "reason": null,
    });
    check("4 b Enter Enter y", &[ban]);
    check("5 u y", &[json!({"type": "unban", "ban": 4})]);
    check("n 2 Cat Enter", &[json!({"type": "rename", "player": bob, "name": "Cat"})]);
    check("n 2 Enter", &[json!({"type": "rename", "player": bob, "name": null})]);
    check(
        "m Enter closing_soon Enter",
        &[json!({"type": "say", "text": "closing soon", "to": null})],
    );
    check("M hi Enter", &[json!({"type": "say", "text": "hi", "to": "KQRZX"})]);
    check("c y", &[json!({"type": "close"})]);
    // Talk is off.
    check("w 1", &[json!({"type": "switch", "feature": "chat", "on": true})]);
    check("w 4", &[json!({"type": "switch", "feature": "ratings", "on": false})]);
    check("3 f y", &[json!({"type": "forget", "player": ada})]);
    check("6 e y b y u y", &[]);
}

#[test]
fn the_chosen_room_stays_chosen_in_the_next_answer_and_the_top_stays_at_the_top() {
    let mut screen = screen();
    let chosen = |screen: &Screen| screen.view().current().unwrap().cells[0].clone();
    press(&mut screen, "Down", &two());
    let questions = screen.questions();
    answer(&mut screen, questions, &[room("BCDFG", "", ""), two()[0].clone(), two()[1].clone()]);
    assert_eq!(chosen(&screen), "ZXCVB");
    press(&mut screen, "Down", &two()[..1]);
    assert_eq!(chosen(&screen), "KQRZX", "the last one is there no more");
    let questions = screen.questions();
    answer(&mut screen, questions, &[room("BCDFG", "", ""), two()[0].clone()]);
    assert_eq!(chosen(&screen), "BCDFG");
}

#[test]
fn of_many_rooms_those_are_asked_for_that_are_shown_and_a_thousand_at_most() {
    let rooms: Vec<_> = (0..MOST + 5)
        .map(|number| room(&RoomCode::from_number(number as u32).to_string(), "", ""))
        .collect();
    let most = |screen: &Screen| match screen.shown() {
        AdminRequest::Rooms { most, .. } => most,
        other => panic!("{other:?}"),
    };
    let mut screen = screen();
    assert_eq!(most(&screen), 2 * ROWS);
    let questions = screen.questions();
    answer(&mut screen, questions, &rooms);
    press(&mut screen, "End", &rooms);
    assert_eq!((screen.view().selected, most(&screen)), (MOST - 1, MOST));
    assert!(screen.view().current().is_some());
    press(&mut screen, "/ x", &rooms[..1]);
    assert_eq!((screen.view().selected, most(&screen)), (0, 2 * ROWS));
    press(&mut screen, "Esc", &rooms);
    assert_eq!(screen.view().filter, "");
}

/// The lines of a window.
fn drawn(screen: &Screen, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw::draw(screen, Colors::from_env(), frame)).unwrap();
    terminal.backend().to_string()
}

#[test]
fn the_screen_says_what_the_server_told_and_that_it_does_not_answer() {
    let mut screen = screen();
    let shown = drawn(&screen, 80, 24);
    for text in [
        "noughts-server 1.2.3  up 1m  memory 31 MB",
        "people 2  rooms 2, playing 1  parties 1  waiting 0  bans 1  OFF: chat",
        "1 of 2; 5 more rooms wait until somebody comes",
        "KQRZX 3x3x3   between games code   7s   3m   3     Ada",
    ] {
        assert!(shown.contains(text), "no {text:?} in\n{shown}");
    }
    screen.unanswered(&AdminRequest::Status, "gone".to_owned());
    assert!(drawn(&screen, 80, 24).contains("NO ANSWER, trying again: gone"));
    screen.unanswered(&AdminRequest::Close, "gone".to_owned());
    assert!(drawn(&screen, 80, 24).contains("look in the log whether it is done"));
    press(&mut screen, "Enter", &two());
    assert!(drawn(&screen, 80, 24).contains("there is no such room"));
    for keys in ["?", "b", "Esc", "m words_without_end", "Esc"] {
        press(&mut screen, keys, &two());
        for (width, height) in [(80, 24), (20, 6), (1, 1)] {
            drawn(&screen, width, height);
        }
    }
}
