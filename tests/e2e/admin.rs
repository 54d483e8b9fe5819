//! The host's door: `noughts-server admin` beside a running server, in its data folder.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use noughts_harness::process::program;
use noughts_harness::{Player, ServerProcess, TIMEOUT, Terminal};
use noughts_protocol::{
    CloseCode, PlayerToken, RefusalCode, Role, RoomIntent, RoomSettings, Said, Seat,
};

/// The answer to a host; the words of a refusal are an error.
pub(crate) fn admin(server: &ServerProcess, words: &[&str]) -> Result<String, String> {
    let mut command = Command::new(program("noughts-server"));
    command.arg("admin").args(words).env("NOUGHTS_DATA_DIR", server.folder());
    let output = command.output().unwrap();
    let said = |bytes| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(said(output.stdout)) } else { Err(said(output.stderr)) }
}

async fn try_connect(server: &ServerProcess, token: Option<PlayerToken>) -> Result<Player, String> {
    Player::try_greet(server.stream().await, "Ada", token, TIMEOUT).await
}

#[tokio::test]
async fn somebody_who_is_banned_is_told_why_and_comes_back_in_vain_also_after_a_kill() {
    let mut server = ServerProcess::start(&[]);
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let id = ada.id.to_string();
    assert!(admin(&server, &["people"]).unwrap().contains(&id));
    admin(&server, &["ban", &id, "--for", "2h", "--reason", "be kind"]).unwrap();
    assert_eq!(ada.until_closed().await, CloseCode::Banned.number());
    assert!(ada.refusal_text.ends_with("for another 2h: be kind"), "{}", ada.refusal_text);
    for _ in 0..2 {
        let refused = try_connect(&server, Some(ada.token.clone())).await.unwrap_err();
        assert!(refused.contains("Banned") && refused.contains("be kind"), "{refused}");
        bob.settle().await;
        server = server.restart();
        bob = server.returning("Bob", Some(bob.token.clone())).await;
    }
    // A network: also those who come as somebody new.
    admin(&server, &["ban", "127.0.0.0/8"]).unwrap();
    assert_eq!(bob.until_closed().await, CloseCode::Banned.number());
    assert!(
        try_connect(&server, None)
            .await
            .unwrap_err()
            .contains("keeps you out: the host gives no reason")
    );
    for ban in ["1", "2"] {
        assert!(admin(&server, &["bans"]).unwrap().contains(&format!("   {ban}  ")));
        admin(&server, &["unban", ban]).unwrap();
    }
    let again = server.returning("Ada", Some(ada.token.clone())).await;
    assert_eq!(again.id, ada.id);
    let log = admin(&server, &["log"]).unwrap();
    assert!(log.lines().next().unwrap().ends_with("socket: lifted ban 2"), "{log}");
}

#[tokio::test]
async fn a_host_ends_a_room_and_a_connection() {
    let server = ServerProcess::start(&[]);
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    let room = ada.state().code;
    assert!(admin(&server, &["rooms"]).unwrap().contains(&room.to_string()));
    admin(&server, &["end-room", &room.to_string()]).unwrap();
    for player in [&mut ada, &mut bob] {
        player
            .until("the room's end", |player| player.room.as_ref().is_some_and(|r| r.closed))
            .await;
    }
    assert!(admin(&server, &["end-room", &room.to_string()]).is_err());
    assert_eq!(ada.join(room, Role::Player).await, Err(RefusalCode::NoSuchRoom));
    admin(&server, &["disconnect", &bob.id.to_string()]).unwrap();
    assert_eq!(bob.until_closed().await, CloseCode::Removed.number());
    server.returning("Bob", Some(bob.token.clone())).await;
    ada.host().await;
}

#[tokio::test]
async fn a_host_stops_new_rooms_while_old_ones_go_on_also_after_a_kill() {
    let mut server = ServerProcess::start(&[]);
    let mut ada = server.player("Ada").await;
    let room = ada.host().await;
    admin(&server, &["close"]).unwrap();
    server = server.restart();
    let mut bob = server.player("Bob").await;
    assert_eq!(bob.try_host().await, Err(RefusalCode::SwitchedOff));
    bob.join(room, Role::Player).await.unwrap();
    admin(&server, &["open"]).unwrap();
    bob.host().await;
}

#[tokio::test]
async fn a_host_says_switches_renames_and_removes_and_a_kill_takes_nothing_back() {
    let mut server = ServerProcess::start(&[]);
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    let room = ada.state().code;
    let mut eve = server.player("Eve").await;
    let code = room.to_string();
    let bobs = bob.id.to_string();
    let said = |player: &Player, text: &str| {
        player.announcements.iter().any(|announcement| announcement.as_str() == text)
    };

    admin(&server, &["say", "Tea at four."]).unwrap();
    eve.until("the announcement", |eve| said(eve, "Tea at four.")).await;
    admin(&server, &["say", "Good luck!", "--to", &code]).unwrap();
    ada.until("what is said in the room", |ada| said(ada, "Good luck!")).await;
    eve.settle().await;
    assert!(!said(&eve, "Good luck!"), "it is said in the room alone");

    let everybody = admin(&server, &["ban", "0.0.0.0/0"]).unwrap_err();
    assert!(everybody.contains("everybody"), "{everybody}");
    let never = admin(&server, &["ban", &bobs, "--for", "0s"]).unwrap_err();
    assert!(never.contains("at least 1s"), "{never}");
    let forgotten = admin(&server, &["forget", "0123456789abcdef"]).unwrap();
    assert!(forgotten.contains("compare the id"), "a slip in the id is told: {forgotten}");

    admin(&server, &["switch", "chat", "off"]).unwrap();
    ada.until("the features", |ada| ada.features.is_some_and(|it| !it.chat)).await;
    let talk = Said::Text("hello".parse().unwrap());
    let say = RoomIntent::Say { said: talk };
    assert_eq!(ada.ask_room(say.clone()).await, Err(RefusalCode::SwitchedOff));

    admin(&server, &["rename", &bobs, "Somebody"]).unwrap();
    assert_eq!(bob.until_closed().await, CloseCode::Restart.number());
    bob = server.returning("Bob", Some(bob.token.clone())).await;
    bob.join(room, Role::Player).await.unwrap();
    let name = |ada: &Player| ada.room.as_ref().unwrap().seats.o.label();
    ada.until("the name", |ada| name(ada) == "Somebody").await;

    server = server.restart();
    ada = server.returning("Ada", Some(ada.token.clone())).await;
    bob = server.returning("Bob", Some(bob.token.clone())).await;
    ada.join(room, Role::Player).await.unwrap();
    bob.join(room, Role::Player).await.unwrap();
    assert_eq!(name(&ada), "Somebody");
    assert_eq!(ada.ask_room(say.clone()).await, Err(RefusalCode::SwitchedOff));
    admin(&server, &["switch", "chat", "on"]).unwrap();
    ada.ask_room(say).await.unwrap();

    assert!(admin(&server, &["room", &code]).unwrap().contains("hello"));
    admin(&server, &["remove", &bobs, &code]).unwrap();
    assert_eq!(bob.until_closed().await, CloseCode::Removed.number());
    ada.until("an open seat", |ada| ada.room.as_ref().unwrap().seats.o == Seat::Open).await;
    assert!(admin(&server, &["remove", &bobs, &code]).unwrap_err().contains("is not in room"));
    let people = admin(&server, &["people", "--filter", &code]).unwrap();
    assert_eq!(people.lines().count(), 2, "titles and Ada:\n{people}");
}

#[tokio::test]
async fn the_live_screen_shows_a_room_ends_it_outlives_the_server_and_restores_the_terminal() {
    let mut server = ServerProcess::start(&[]);
    let mut ada = server.player("Ada").await;
    let room = ada.host().await.to_string();
    let folder = server.folder().to_str().unwrap().to_owned();
    let mut host = Terminal::host(&["admin", "--data-dir", &folder], 24, 80);
    let _ = host.wait_for("the room", |screen| screen.contains(&room));
    let _ = host.wait_new("\r", &format!("Room {room}  3x3x3"));
    let _ = host.wait_new("e", "Reason, or Enter for none:");
    let _ = host.wait_new("\r", "y/n");
    let _ = host.wait_new("y", "has ended");
    ada.until("the room's end", |ada| ada.room.as_ref().is_some_and(|room| room.closed)).await;
    let _ = host.wait_new("\u{1b}", "nobody is in a room");
    let _ = host.wait_new_after("NO ANSWER", || server.kill());
    let _server = server.restart();
    let _ = host.wait_for("an answer", |screen| !screen.contains("NO ANSWER"));
    host.press("q");
    assert_eq!(host.wait_exit(), 0);
    assert!(!host.screen().contains("Rooms"), "the first screen is back");
    let written = host.written();
    let last = |code: &str| written.rfind(code).unwrap_or_else(|| panic!("no {code:?}"));
    assert!(last("\u{1b}[?25h") > last("\u{1b}[?25l"), "the cursor is back");
    assert!(last("\u{1b}[?2004l") > last("\u{1b}[?2004h"), "a paste comes as before");
}

#[test]
fn the_door_is_its_owners_alone_and_says_so_where_no_server_runs() {
    let mut server = ServerProcess::start(&[]);
    let said = admin(&server, &[]).unwrap();
    assert!(said.contains("people: 0") && said.contains("shows everything live"), "{said}");
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(server.folder().join("admin.sock")), 0o600);
    server.kill();
    let said = admin(&server, &["status"]).unwrap_err();
    assert!(said.contains("is it running, with this data folder?"), "{said}");
}
