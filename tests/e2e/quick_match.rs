//! Strangers are paired, or play the computer after a while.

use noughts_harness::TestServer;
use noughts_protocol::{
    BoardSpec, ByMark, ChatMode, ClientMessage, Computer, ComputerFallback, LobbyIntent, Opening,
    RefusalCode, RoomSettings, RoomState, Seat, Variant,
};

#[tokio::test]
async fn two_who_want_the_same_game_are_paired_at_once() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    assert_eq!(ada.quick_match().await, Ok(None));
    let code = bob.quick_match().await.unwrap().unwrap();
    ada.until_running().await;
    bob.until_running().await;
    assert_eq!(ada.state().code, code);
    assert_ne!(ada.marks(), bob.marks());
    let settings = ada.state().settings;
    assert_eq!((settings.move_time_ms, settings.hints), (Some(30_000), Some(false)));
    assert_eq!(settings.chat, ChatMode::Emotes);
    assert_eq!(server.counts().await[2], 0);
}

#[tokio::test(start_paused = true)]
async fn the_computer_steps_in_when_nobody_comes() {
    let server = TestServer::virtual_time(&[]);
    let mut ada = server.player("Ada").await;
    let computer = Some(ComputerFallback { after_ms: 20_000, computer: Computer::default() });
    let board = BoardSpec::default();
    let intent =
        LobbyIntent::QuickMatch { board, variant: Variant::Line, move_time_ms: None, computer };
    let quick = ClientMessage::Lobby { intent, id: ada.new_id() };
    let asked = tokio::time::Instant::now();
    assert_eq!(ada.ask(quick.clone()).await, Ok(None));
    ada.until_running().await;
    assert_eq!(asked.elapsed().as_secs(), 20);
    let is_computer = |room: &RoomState| {
        [&room.seats.x, &room.seats.o].iter().any(|seat| matches!(seat, Seat::Computer(_)))
    };
    assert!(is_computer(ada.state()));
    let code = ada.state().code;
    assert_eq!(ada.ask(quick).await, Ok(Some(code)), "the same intent leads to the same room");
}

#[tokio::test]
async fn settings_out_of_range_are_refused() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    let board = BoardSpec::default();
    let quick = LobbyIntent::QuickMatch {
        board,
        variant: Variant::Line,
        move_time_ms: Some(1),
        computer: None,
    };
    assert_eq!(ada.ask_lobby(quick).await, Err(RefusalCode::BadSettings));
    let variant = Variant::Gravity;
    let quick = LobbyIntent::QuickMatch { board, variant, move_time_ms: None, computer: None };
    assert_eq!(ada.ask_lobby(quick).await, Err(RefusalCode::BadSettings));
    assert!(ada.refusal_text.contains("choose 7x6x4"), "{}", ada.refusal_text);
    let timed = |ms| RoomSettings { move_time_ms: Some(ms), ..RoomSettings::default() };
    let opening = Opening::Swap2;
    let too_small = RoomSettings { opening, ..RoomSettings::default() };
    let other_board = RoomSettings { variant, ..RoomSettings::default() };
    for settings in [timed(999), timed(u32::MAX), other_board, too_small] {
        let seats = ByMark::default();
        let create = LobbyIntent::Create { settings, seats, shuffle: false };
        assert_eq!(ada.ask_lobby(create).await, Err(RefusalCode::BadSettings));
    }
    assert!(ada.refusal_text.contains("13 or more"), "{}", ada.refusal_text);
}
