//! The computer: in a game within two taps, every choice, warnings, results.

use noughts_harness::{Device, Tab, TestServer};

use super::steps::{against_computer, has, my_turn, open, play, play_on, plays};

#[tokio::test]
async fn a_newcomer_with_a_phone_is_in_a_game_after_two_taps() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::PHONE, "/").await;
    tab.click("link", "Play the computer*").await;
    tab.button("Start").await;
    my_turn(&tab).await;
    plays(&tab, 'X').await;
    let cells = tab.all("gridcell", "row*").await;
    assert_eq!(cells.len(), 9);
    let numbers = "[...document.querySelectorAll('[role=gridcell]')]
        .map((cell) => getComputedStyle(cell, '::after').content).join('')";
    let shown = tab.eval(numbers).await;
    assert_eq!(shown.as_str().unwrap().replace('"', ""), "123456789", "the empty cells' numbers");
    tab.done().await;
}

#[tokio::test]
async fn every_choice_of_the_form_is_taken() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::LAPTOP, "/play/computer").await;
    tab.click("radio", "Very weak*").await;
    tab.click("radio", "O").await;
    tab.click("radio", "5 × 5*").await;
    tab.button("Start").await;
    plays(&tab, 'O').await;
    tab.until_text("very weak").await;
    tab.find("grid", "Board, 5 by 5, 4 in a row wins").await;
    // X begins: the computer has made its move.
    tab.until("a move", "document.querySelectorAll('[role=gridcell][data-mark=x]').length === 1")
        .await;
    my_turn(&tab).await;
    tab.done().await;
}

#[tokio::test]
async fn each_computer_is_called_by_its_strategy_and_a_strength_if_it_has_one() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::LAPTOP, "/play/computers").await;
    // Strategy and strength of X, then of O. Each has its own note.
    for (at, value, note) in [
        (0, "heuristic", "Average: looks for wins and blocks."),
        (2, "rules", "Rules: begins in a corner, wins or blocks where it can, else thinks ahead."),
    ] {
        let list = format!("document.querySelectorAll('.side select')[{at}]");
        let choose = "((list, value) => {
          list.value = value;
          list.dispatchEvent(new Event('change'));
        })";
        tab.eval(&format!("{choose}({list}, {value:?})")).await;
        let shown = format!("document.querySelectorAll('.side .note')[{}].textContent", at / 2);
        tab.until(note, &format!("{shown} === {note:?}")).await;
    }
    tab.button("Start").await;
    tab.until_text("average").await;
    tab.until_text("rules").await;
    tab.goto(&super::steps::address(&server, "/play/computer")).await;
    tab.click("radio", "Heuristic*").await;
    let strong = tab.find("radio", "Very strong").await;
    assert_eq!(strong.description, "weighs every line.");
    tab.click("radio", "Very strong").await;
    tab.until_text("Very strong: weighs every line.").await;
    // A strategy with one strength says so, and nothing below it moves.
    let place = "document.querySelector('.board-group').getBoundingClientRect().y";
    let before = tab.eval(place).await;
    tab.click("radio", "Perfect*").await;
    tab.until_text("Perfect always plays as well as it can.").await;
    tab.until_no("radio", "Very strong").await;
    assert_eq!(tab.eval(place).await, before);
    tab.done().await;
}

/// The number of marks on the board.
const MARKS: &str = "document.querySelectorAll('[role=gridcell][data-mark]').length";

#[tokio::test]
async fn two_computers_are_paused_stepped_and_sped_up_by_their_maker_alone() {
    let server = TestServer::start(&["--computer-delay", "1s"]).await;
    let maker = open(&server, Device::LAPTOP, "/play/computers").await;
    maker.button("Start").await;
    maker.button("Pause").await;
    maker
        .until(
            "the pause",
            "document.querySelector('[aria-pressed=true]').textContent.trim() === 'Pause'",
        )
        .await;
    let before = maker.eval(MARKS).await.as_u64().unwrap();
    for step in 1..=2 {
        maker.button("Next move").await;
        maker.until("a step", &format!("{MARKS} === {}", before + step)).await;
    }
    maker.until_text("With best play: a draw").await;
    let address = maker.address().await;
    let other = Tab::open(Device::PHONE, &address).await;
    other.until_text("With best play: a draw").await;
    assert!(other.all("button", "Next move").await.is_empty());
    maker.button("Fast").await;
    for tab in [&maker, &other] {
        tab.until("the end of a game", "document.querySelector('.room-status[data-now=over]')")
            .await;
    }
    maker.done().await;
    other.done().await;
}

#[tokio::test]
async fn a_choice_is_remembered_for_the_next_game() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::LAPTOP, "/play/computer").await;
    tab.click("radio", "Very weak*").await;
    tab.button("Start").await;
    my_turn(&tab).await;
    tab.goto(&super::steps::address(&server, "/play/computer")).await;
    assert!(tab.find("radio", "Very weak*").await.is("checked"));
    tab.done().await;
}

#[tokio::test]
async fn warnings_say_what_is_wrong_and_change_nothing() {
    let server = TestServer::start(&[]).await;
    let tab = against_computer(&server, Device::LAPTOP).await;
    play(&tab, 2, 2, 'X').await;
    my_turn(&tab).await;
    tab.cell(2, 2).await;
    tab.until_text("5 is taken by X: choose an empty cell.").await;
    tab.press("0").await;
    tab.until_text("There is no cell 0: choose from 1 to 9.").await;
    has(&tab, 2, 2, 'X').await;
    tab.done().await;
}

#[tokio::test]
async fn a_series_against_the_computer_counts_on() {
    let server = TestServer::start(&[]).await;
    let tab = against_computer(&server, Device::PHONE).await;
    for game in 1..=3 {
        tab.until_text(&format!("Game {game}")).await;
        play_on(&tab).await;
        let result = tab.eval("document.querySelector('.status-title').textContent").await;
        let result = result.as_str().unwrap();
        assert!(["You win!", "You lose.", "Draw."].contains(&result), "{result}");
        tab.button("Play again").await;
    }
    tab.done().await;
}
