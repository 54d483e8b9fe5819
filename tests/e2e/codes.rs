//! Rooms are found by their code, and only by one that exists.

use noughts_harness::TestServer;
use noughts_protocol::{ClientMessage, LobbyIntent, RefusalCode, Role, RoomCode, RoomIntent};

#[tokio::test]
async fn a_code_is_read_without_case_spaces_and_dashes() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = (server.player("Ada").await, server.player("Bob").await);
    let code = ada.host().await.to_string().to_lowercase();
    let spoken = format!("{} {}-{}", &code[..1], &code[1..3], &code[3..]);
    let id = bob.new_id();
    let number = u64::from(id);
    bob.send_text(&format!(r#"{{"type":"join","id":{number},"room":"{spoken}"}}"#)).await;
    assert_eq!(bob.answer_to(id).await, Ok(Some(code.parse().unwrap())));
}

#[tokio::test]
async fn an_unknown_code_is_an_error_and_never_a_new_room() {
    let server = TestServer::start(&["--intent-burst=2000", "--max-per-address=2000"]).await;
    let mut ada = server.player("Ada").await;
    for number in 0..1000 {
        let room = RoomCode::from_number(number);
        let join = LobbyIntent::Join { room, role: Role::Player };
        assert_eq!(ada.ask_lobby(join).await, Err(RefusalCode::NoSuchRoom));
    }
    assert_eq!(server.counts().await[0], 0);
    assert!(ada.refusal_text.contains("check the code"), "{}", ada.refusal_text);
}

#[tokio::test]
async fn a_third_person_finds_the_seats_taken_and_may_watch() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = (server.player("Ada").await, server.player("Bob").await);
    let mut eve = server.player("Eve").await;
    let code = ada.host().await;
    bob.join(code, Role::Player).await.unwrap();
    assert_eq!(eve.join(code, Role::Player).await, Err(RefusalCode::SeatsTaken));
    eve.join(code, Role::Spectator).await.unwrap();
    assert!(eve.marks().is_empty());
}

#[tokio::test]
async fn another_room_is_not_acted_upon_from_this_one() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = (server.player("Ada").await, server.player("Bob").await);
    let hers = ada.host().await;
    let his = bob.host().await;
    for (room, code) in
        [(his, RefusalCode::NotInRoom), ("BBBBB".parse().unwrap(), RefusalCode::NoSuchRoom)]
    {
        let id = ada.new_id();
        let resign = ClientMessage::Room { intent: RoomIntent::Resign { game: 1 }, id, room };
        assert_eq!(ada.ask(resign).await, Err(code));
    }
    assert_eq!(ada.state().code, hers);
}
