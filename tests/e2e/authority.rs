//! Permissions: every message from everybody who may send it, over real sockets, against one table. What
//! the position forbids (a taken cell, a wrong ply) is tested elsewhere.

use noughts_harness::{Player, Stranger, TestServer, player::play_out};
use noughts_protocol::{
    ByMark, ClientMessage, LobbyIntent, Role, RoomCode, RoomIntent, RoomSettings,
};
use serde_json::{Value, json};

/// The senders, in the order of the table's columns: X, who is to move in a running game; O; a
/// spectator; a stranger in no room; somebody in a room of their own; X of a game that is over;
/// somebody whose room has ended; a connection before its `hello`.
const WHO: [&str; 8] = [
    "seat_x",
    "seat_o",
    "spectator",
    "stranger",
    "other_room",
    "game_over",
    "room_ended",
    "before_hello",
];

/// The answer to a message, for each of [`WHO`]. A new message does not compile without its row.
#[rustfmt::skip]
fn answers(message: &ClientMessage) -> &'static str {
    match message {
        //                           seat_x          seat_o          spectator       stranger        other_room      game_over       room_ended      before_hello
        ClientMessage::Hello(hello) if hello.pass.is_some()
                                => "already_greeted already_greeted already_greeted already_greeted already_greeted already_greeted already_greeted bad_pass",
        ClientMessage::Hello(_) => "already_greeted already_greeted already_greeted already_greeted already_greeted already_greeted already_greeted welcome",
        ClientMessage::Lobby { intent, .. } => answers_of_the_lobby(intent),
        ClientMessage::Room { intent, .. } => answers_of_a_room(intent),
        // No party has such a code.
        ClientMessage::Party { .. }
                                => "no_such_party   no_such_party   no_such_party   no_such_party   no_such_party   no_such_party   no_such_party   hello_first",
    }
}

#[rustfmt::skip]
const fn answers_of_the_lobby(intent: &LobbyIntent) -> &'static str {
    match intent {
        //                           seat_x          seat_o          spectator       stranger        other_room      game_over       room_ended      before_hello
        LobbyIntent::Create { .. }
        | LobbyIntent::QuickMatch { .. }
        | LobbyIntent::CancelMatch
        | LobbyIntent::Pass
        | LobbyIntent::WatchLobby
        | LobbyIntent::UnwatchLobby
        | LobbyIntent::CreateParty { .. }
        | LobbyIntent::Decline { .. }
        | LobbyIntent::Forget
                                => "ok              ok              ok              ok              ok              ok              ok              hello_first",
        // No party has such a code.
        LobbyIntent::JoinParty { .. }
                                => "no_such_party   no_such_party   no_such_party   no_such_party   no_such_party   no_such_party   no_such_party   hello_first",
        // No game has such an id.
        LobbyIntent::History { before: Some(_), .. } | LobbyIntent::Export { before: Some(_), .. } | LobbyIntent::Game { .. } | LobbyIntent::ReviewGame { .. }
                                => "no_such_game    no_such_game    no_such_game    no_such_game    no_such_game    no_such_game    no_such_game    hello_first",
        LobbyIntent::History { .. } | LobbyIntent::Leaderboard { .. } | LobbyIntent::Puzzle { .. } | LobbyIntent::Export { .. } | LobbyIntent::Profile { player: None } | LobbyIntent::Here { .. }
                                => "found           found           found           found           found           found           found           hello_first",
        // Nobody has such an id.
        LobbyIntent::Challenge { .. }
                                => "not_now         not_now         not_now         not_now         not_now         not_now         not_now         hello_first",
        LobbyIntent::Profile { player: Some(_) }
                                => "no_such_player  no_such_player  no_such_player  no_such_player  no_such_player  no_such_player  no_such_player  hello_first",
        LobbyIntent::Ping       => "pong            pong            pong            pong            pong            pong            pong            hello_first",
        LobbyIntent::Join { role: Role::Player, .. }
                                => "ok              ok              seats_taken     seats_taken     seats_taken     ok              no_such_room    hello_first",
        LobbyIntent::Join { role: Role::Spectator, .. }
                                => "ok              ok              ok              ok              ok              ok              no_such_room    hello_first",
    }
}

#[rustfmt::skip]
const fn answers_of_a_room(intent: &RoomIntent) -> &'static str {
    match intent {
        //                           seat_x          seat_o          spectator       stranger        other_room      game_over       room_ended      before_hello
        RoomIntent::Leave       => "ok              ok              ok              ok              ok              ok              ok              hello_first",
        RoomIntent::Sync | RoomIntent::Say { .. } | RoomIntent::Mute { .. }
                                => "ok              ok              ok              not_in_room     not_in_room     ok              no_such_room    hello_first",
        // The room's variant has no choice of marks.
        RoomIntent::Play { placed: Some(_), .. }
                                => "wrong_mark      not_your_turn   not_seated      not_in_room     not_in_room     game_over       no_such_room    hello_first",
        RoomIntent::Play { .. } | RoomIntent::Hint { .. }
                                => "ok              not_your_turn   not_seated      not_in_room     not_in_room     game_over       no_such_room    hello_first",
        RoomIntent::Resign { .. } | RoomIntent::TakeBack { offer: false, .. }
                                => "ok              ok              not_seated      not_in_room     not_in_room     game_over       no_such_room    hello_first",
        // Nothing is placed yet. The game has no opening, so that nobody has anything to choose.
        RoomIntent::TakeBack { .. } | RoomIntent::Choose { .. }
                                => "not_now         not_now         not_seated      not_in_room     not_in_room     game_over       no_such_room    hello_first",
        RoomIntent::Claim { .. }
                                => "too_early       too_early       not_seated      not_in_room     not_in_room     game_over       no_such_room    hello_first",
        RoomIntent::Rematch { .. }
                                => "not_now         not_now         not_seated      not_in_room     not_in_room     ok              no_such_room    hello_first",
        // Nobody made a room of two computers.
        RoomIntent::Pace { .. } | RoomIntent::Step { .. }
                                => "not_now         not_seated      not_seated      not_in_room     not_in_room     not_now         no_such_room    hello_first",
        // Two people play.
        RoomIntent::Strength { .. }
                                => "not_now         not_now         not_seated      not_in_room     not_in_room     not_now         no_such_room    hello_first",
        RoomIntent::Review { .. }
                                => "not_now         not_now         not_now         not_in_room     not_in_room     ok              no_such_room    hello_first",
    }
}

/// One message of each kind, and more where kinds have variants: the protocol's golden files,
/// whose tests see to it that every kind has one.
fn messages() -> Vec<(String, Value)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../protocol/tests/golden");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    let name = |path: &std::path::Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    files.retain(|path| name(path).starts_with("client."));
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        (name(path), serde_json::from_str(&text).unwrap())
    };
    files.iter().map(read).collect()
}

#[tokio::test]
async fn everybody_may_do_what_the_table_says_and_nothing_else() {
    let server = TestServer::keeping(&["--max-per-address=100000"]).await;
    let mut wrong = Vec::new();
    let messages = messages();
    assert!(messages.len() >= 20, "{}", messages.len());
    for (name, message) in &messages {
        let row = answers(&ClientMessage::from_json(&message.to_string()).unwrap());
        let row: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(row.len(), WHO.len(), "{name}");
        for (who, expected) in WHO.into_iter().zip(row) {
            let answer = answer(&server, who, message.clone()).await;
            if answer != expected {
                wrong.push(format!("{name} from {who}: {expected} was expected, not {answer}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// The answer to a message in a new room.
async fn answer(server: &TestServer, who: &str, mut message: Value) -> String {
    let settings = RoomSettings { hints: Some(true), ..RoomSettings::default() };
    let (mut ada, mut bob) = server.pair(settings).await;
    let room = ada.state().code;
    if ada.is_my_turn() != (who == "seat_x" || who == "game_over") {
        std::mem::swap(&mut ada, &mut bob);
    }
    aim(&mut message, room);
    match who {
        "seat_x" | "seat_o" => said(&mut ada, &message).await,
        "game_over" => {
            play_out(&mut ada, &mut bob, &[0, 3, 1, 4, 2]).await;
            said(&mut ada, &message).await
        }
        "before_hello" => said_first(server, &message).await,
        other => {
            let mut eve = server.player("Eve").await;
            match other {
                "spectator" => drop(eve.join(room, Role::Spectator).await.unwrap()),
                "other_room" => drop(eve.create(RoomSettings::default(), ByMark::default()).await),
                "room_ended" => {
                    eve.join(room, Role::Spectator).await.unwrap();
                    ada.leave().await.unwrap();
                    bob.leave().await.unwrap();
                    eve.until("the end", |eve| eve.state().closed).await;
                }
                _ => {}
            }
            said(&mut eve, &message).await
        }
    }
}

/// Names the room, its first game and the next ply in it.
fn aim(message: &mut Value, room: RoomCode) {
    for (field, value) in [("room", json!(room)), ("game", json!(1)), ("ply", json!(0))] {
        // A kept game's id is no number.
        if let Some(place) =
            message.get_mut(field).filter(|place| !(place.is_string() && value.is_number()))
        {
            *place = value;
        }
    }
}

/// The answer to a greeted player's message.
async fn said(player: &mut Player, message: &Value) -> String {
    player.send_text(&message.to_string()).await;
    // The harness records an answer without an id, as that to `hello`, under 0.
    let id = message["id"].as_u64().unwrap_or_default().try_into().unwrap();
    match player.answer_to(id).await {
        Ok(_) if message["type"] == "ping" => "pong".to_owned(),
        Ok(_) if !player.found.is_empty() => "found".to_owned(),
        Ok(_) => "ok".to_owned(),
        Err(code) => json!(code).as_str().unwrap().to_owned(),
    }
}

/// The answer to a connection's first message.
async fn said_first(server: &TestServer, message: &Value) -> String {
    let answer = Stranger::connect(server).await.ask(&message.to_string()).await;
    assert_eq!(answer["id"], message["id"]);
    let said = answer.get("code").unwrap_or(&answer["type"]);
    said.as_str().unwrap().to_owned()
}
