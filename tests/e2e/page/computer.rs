//! Two computers that play each other, for the one who made their room and for somebody who watches.

use noughts_harness::{Device, Tab, TestServer};

use super::screens;
use super::steps::{MARKS, all_done, open};

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
    screens::check(&maker, "room-paused").await;
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
