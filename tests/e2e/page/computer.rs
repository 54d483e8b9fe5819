//! The computer: in a game within two taps, every choice, warnings, results.

use noughts_harness::{Device, Tab, TestServer};

use super::steps::{MARKS, against_computer, all_done, has, my_turn, open, play};

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
    all_done([maker, other]).await;
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
async fn the_computer_becomes_weaker_and_stronger_and_the_focus_is_not_lost() {
    let server = TestServer::start(&[]).await;
    let tab = against_computer(&server, Device::LAPTOP).await;
    tab.button("Easier").await;
    tab.until_text("The computer plays very weak now.").await;
    let focused = tab.focused().await;
    let one = focused.unwrap();
    assert!(one.name == "Easier" && one.is("disabled"), "{one:?}");
    tab.button("Harder").await;
    tab.until_text("The computer plays weak now.").await;
    tab.find("button", "Easier").await;
    tab.done().await;
}
