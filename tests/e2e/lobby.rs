//! The ways to a game: the public list as it is pushed, strangers who are paired or play the computer after a
//! while, and the marks of a new room.

use noughts_harness::player::listed;
use noughts_harness::{Player, TestServer};
use noughts_protocol::{
    BoardSpec, ByMark, ChatMode, ClientMessage, Computer, ComputerFallback, LobbyIntent, Mark,
    Opening, RefusalCode, Role, RoomSettings, RoomState, Seat, SeatRequest, Variant,
};

async fn watch(player: &mut Player) {
    player.ask_lobby(LobbyIntent::WatchLobby).await.unwrap();
    player.until("the lists", |p| p.lobby.is_some()).await;
}

#[tokio::test]
async fn listed_rooms_are_pushed_as_they_wait_play_and_end() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let mut eve = server.player("Eve").await;
    ada.host().await;
    ada.leave().await.unwrap();
    watch(&mut eve).await;
    assert_eq!(eve.lobby, Some((vec![], vec![])));

    let code = ada.create(listed(), ByMark::default()).await;
    let waiting = |p: &Player| p.lobby.as_ref().is_some_and(|(waiting, _)| waiting.len() == 1);
    eve.until("a waiting room", waiting).await;
    bob.join(code, Role::Player).await.unwrap();
    let playing = |p: &Player| p.lobby.as_ref().is_some_and(|(_, playing)| playing.len() == 1);
    eve.until("a running game", playing).await;
    let (_, playing) = eve.lobby.clone().unwrap();
    assert_eq!((playing[0].room, playing[0].game), (code, Some(1)));
    assert_eq!(playing[0].seats.o.label(), "Bob");

    ada.leave().await.unwrap();
    bob.leave().await.unwrap();
    eve.until("the end", |p| p.lobby == Some((vec![], vec![]))).await;
    eve.ask_lobby(LobbyIntent::UnwatchLobby).await.unwrap();
}

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
    let quick = |variant, move_time_ms| LobbyIntent::QuickMatch {
        board: BoardSpec::default(),
        variant,
        move_time_ms,
        computer: None,
    };
    let create =
        |settings| LobbyIntent::Create { settings, seats: ByMark::default(), shuffle: false };
    let usual = RoomSettings::default();
    for (intent, says) in [
        (quick(Variant::Line, Some(1)), "one second to a week"),
        (quick(Variant::Gravity, None), "choose 7x6x4"),
        (create(RoomSettings { move_time_ms: Some(u32::MAX), ..usual }), "one second to a week"),
        (create(RoomSettings { opening: Opening::Swap2, ..usual }), "13 or more"),
    ] {
        assert_eq!(ada.ask_lobby(intent).await, Err(RefusalCode::BadSettings), "{says}");
        assert!(ada.refusal_text.contains(says), "{}", ada.refusal_text);
    }
}

#[tokio::test]
async fn marks_can_be_chosen_or_drawn() {
    // Ten draws that are all alike would use up the usual burst.
    let server = TestServer::start(&["--intents-per-second=100"]).await;
    let mut ada = server.player("Ada").await;
    let as_o = ByMark { x: SeatRequest::Open, o: SeatRequest::You };
    ada.create(RoomSettings::default(), as_o).await;
    assert_eq!(ada.marks(), [Mark::O]);
    ada.leave().await.unwrap();

    let mut seen = std::collections::BTreeSet::new();
    // The odds that 40 fair draws are all alike are one in 2^39.
    for _ in 0..40 {
        let settings = RoomSettings::default();
        let seats = ByMark::default();
        let create = LobbyIntent::Create { settings, seats, shuffle: true };
        let code = ada.ask_lobby(create).await.unwrap();
        ada.until("the room", |p| p.room.as_ref().map(|room| room.code) == code).await;
        seen.extend(ada.marks());
        ada.leave().await.unwrap();
        if seen.len() == 2 {
            return;
        }
    }
    panic!("always {seen:?}");
}
