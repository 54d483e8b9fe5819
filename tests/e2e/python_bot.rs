//! The Python bot: a series in a room, a lost server, wrong codes, and its text in the README.

use noughts_harness::player::play_to_the_end;
use noughts_harness::python::{has_python_bot, python_bot};
use noughts_harness::{Player, ServerProcess};
use noughts_protocol::{BoardSpec, ByMark, Role, RoomIntent, RoomSettings, SeatRequest, Series};

const BOT: &str = include_str!("../bots/bot.py");
const README: &str = include_str!("../../protocol/README.md");

#[test]
fn the_readme_shows_the_bot_in_60_lines() {
    let (_, after) = README.split_once("```python\n").unwrap();
    let (shown, _) = after.split_once("```").unwrap();
    assert_eq!(shown, BOT, "copy tests/bots/bot.py into protocol/README.md");
    assert!(BOT.lines().count() <= 60, "{} lines", BOT.lines().count());
    assert!(BOT.lines().all(|line| line.chars().count() <= 100));
}

#[tokio::test]
async fn the_python_bot_plays_a_series_and_wins_it_against_a_careless_person() {
    if !has_python_bot("the Python bot in a series") {
        return;
    }
    let server = ServerProcess::start(&[]);
    let mut ada = server.player("Ada").await;
    let board: BoardSpec = "7x7x4".parse().unwrap();
    let settings = RoomSettings { board, ..RoomSettings::default() };
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::Open };
    let code = ada.create(settings, seats).await;
    let _bot = python_bot(&server, &code.to_string(), "Monty");
    for game in 1..=3 {
        ada.until("the next game", |p| p.number() == game && p.result().is_none()).await;
        play_to_the_end(&mut ada).await;
        ada.until("its offer", |p| p.presence.rematch.is_some()).await;
        ada.rematch(true).await.unwrap();
    }
    let score = ada.state().score;
    assert_eq!((score.o, score.x), (3, 0), "it sees lines, she does not");
}

#[tokio::test]
async fn the_python_bot_answers_the_offer_of_another_series() {
    if !has_python_bot("the Python bot and another series") {
        return;
    }
    let server = ServerProcess::start(&[]);
    let mut ada = server.player("Ada").await;
    let code = ada.host().await;
    let _bot = python_bot(&server, &code.to_string(), "Monty");
    play_to_the_end(&mut ada).await;
    ada.until("its offer", |p| p.presence.rematch.is_some()).await;
    let series = Some(Series { first_to: Some(3) });
    ada.ask_room(RoomIntent::Rematch { game: 1, offer: true, series }).await.unwrap();
    ada.until("the next game", |p| p.number() == 2).await;
    assert_eq!(Some(ada.state().series), series);
}

#[tokio::test]
async fn the_python_bot_finds_its_game_again_after_the_server_was_killed() {
    if !has_python_bot("the Python bot and a killed server") {
        return;
    }
    let server = ServerProcess::start(&[]);
    let mut ada = server.player("Ada").await;
    let code = ada.host().await;
    let _bot = python_bot(&server, &code.to_string(), "Monty");
    ada.until("my turn", Player::is_my_turn).await;
    ada.play(0).await.unwrap();
    ada.until("its move", Player::is_my_turn).await;

    let token = ada.token.clone();
    let before = ada.state().clone();
    let server = server.restart();
    let mut ada = server.returning("Ada", Some(token)).await;
    ada.join(code, Role::Player).await.unwrap();
    assert_eq!(ada.state().seats, before.seats);
    play_to_the_end(&mut ada).await;
    ada.until("its offer", |p| p.presence.rematch.is_some()).await;
}

#[test]
fn the_python_bot_says_why_it_cannot_play() {
    if !has_python_bot("the Python bot and a wrong code") {
        return;
    }
    let server = ServerProcess::start(&[]);
    let mut bot = python_bot(&server, "BBBBB", "Monty");
    bot.wait_for("there is no room BBBBB");
    assert_eq!(bot.wait_exit(), 1);
}
