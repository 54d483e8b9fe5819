//! Two players at one screen. Each has a name that only this device knows.

use noughts_harness::{Device, TestServer};

use super::steps::{open, play};

#[tokio::test]
async fn two_at_one_screen_are_called_by_their_names() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::LAPTOP, "/play/friend").await;
    tab.until_text("Connected").await;
    tab.click("radio", "Both on this screen*").await;
    tab.fill("Who plays X", "Ada").await;
    tab.fill("Who plays O", "  Ben ").await;
    tab.button("Start").await;
    tab.until_text("Ada’s turn").await;
    let names =
        "[...document.querySelectorAll('.seat-name bdi')].map((it) => it.textContent).join()";
    assert_eq!(tab.eval(names).await, "Ada,Ben");
    play(&tab, 1, 1, 'X').await;
    tab.until_text("Ben’s turn").await;
    tab.reload().await;
    tab.until_text("Ben’s turn").await;
    for (row, column, mark) in [(2, 1, 'O'), (1, 2, 'X'), (2, 2, 'O'), (1, 3, 'X')] {
        play(&tab, row, column, mark).await;
    }
    tab.until_text("Ada wins!").await;
    tab.until_text("With row 1.").await;
    tab.done().await;
}
