//! Settings for more than a game outlive the server too: the pace of two computers,
//! who may set it, and the length of a series.

use noughts_harness::ServerProcess;
use noughts_protocol::{
    ByMark, Computer, Pace, RoomIntent, RoomSettings, Score, SeatRequest, Series,
};

use super::{back, connect};

#[tokio::test]
async fn two_computers_stay_paused_and_their_maker_may_go_on() {
    let server = ServerProcess::start(&[]);
    let mut ada = connect(&server, "Ada", None).await;
    let computer = SeatRequest::Computer(Computer::default());
    let seats = ByMark { x: computer, o: computer };
    ada.create(RoomSettings::default(), seats).await;
    ada.ask_room(RoomIntent::Pace { pace: Pace::Paused }).await.unwrap();
    let server = server.restart();
    // The room is as it was: no move has been made, and its maker is known.
    let mut ada = back(&server, ada, "Ada").await;
    assert_eq!((ada.state().pace, ada.state().maker), (Pace::Paused, Some(ada.id)));
    let game = ada.number();
    let ply = ada.game().ply();
    let step = if ada.state().is_running() { (game, ply + 1) } else { (game + 1, 0) };
    ada.ask_room(RoomIntent::Step { game, ply }).await.unwrap();
    assert_eq!((ada.number(), ada.game().ply()), step);
    ada.ask_room(RoomIntent::Pace { pace: Pace::Fast }).await.unwrap();
    assert_eq!(ada.state().pace, Pace::Fast);
}

#[tokio::test]
async fn a_series_goes_on_with_its_length_and_its_score() {
    let server = ServerProcess::start(&[]);
    let mut ada = connect(&server, "Ada", None).await;
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::Computer(Computer::OPPONENT) };
    ada.create(RoomSettings::default(), seats).await;
    ada.resign().await.unwrap();
    let series = Series { first_to: Some(2) };
    let rematch = |game, series| RoomIntent::Rematch { game, offer: true, series };
    ada.ask_room(rematch(1, Some(series))).await.unwrap();
    ada.resign().await.unwrap();
    let server = server.restart();
    let mut ada = back(&server, ada, "Ada").await;
    ada.ask_room(rematch(2, None)).await.unwrap();
    assert_eq!((ada.state().series, ada.state().score), (series, Score { x: 0, o: 1, draws: 0 }));
    ada.resign().await.unwrap();
    let server = server.restart();
    // The series is decided: the next one begins at zero.
    let mut ada = back(&server, ada, "Ada").await;
    ada.ask_room(rematch(3, None)).await.unwrap();
    assert_eq!((ada.state().series, ada.state().score), (series, Score::default()));
}
