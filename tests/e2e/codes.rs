//! Rooms are found by their code, and only by one that exists.

use noughts_harness::TestServer;
use noughts_protocol::{ClientMessage, LobbyIntent, RefusalCode, Role, RoomCode, RoomIntent};

#[tokio::test]
async fn an_unknown_code_is_an_error_and_never_a_new_room() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    let join = LobbyIntent::Join { room: RoomCode::from_number(7), role: Role::Player };
    assert_eq!(ada.ask_lobby(join).await, Err(RefusalCode::NoSuchRoom));
    assert_eq!(server.counts().await[0], 0);
    assert!(ada.refusal_text.contains("check the code"), "{}", ada.refusal_text);
}

#[tokio::test]
async fn another_room_is_not_acted_upon_from_this_one() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
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
