//! How many taps a newcomer needs until a game runs: one against the computer, two and a scan with a
//! friend, who needs one.

use noughts_harness::picture::decode;
use noughts_harness::skip::has_programs;
use noughts_harness::{Device, Tab, TestServer};

use super::steps::{MARKS, address, all_done, has, my_turn};

/// Counts the taps and clicks of the visit in `taps`.
const COUNT: &str = "
  window.taps = 0;
  addEventListener('pointerdown', () => { window.taps += 1; }, true);
";

/// A newcomer whose taps are counted.
async fn newcomer(device: Device, address: &str) -> Tab {
    Tab::open_with(device, COUNT, address).await
}

#[tokio::test]
async fn a_newcomer_plays_the_computer_after_one_tap() {
    let server = TestServer::start(&[]).await;
    for device in [Device::PHONE, Device::LAPTOP] {
        let tab = newcomer(device, &address(&server, "/")).await;
        tab.cell(2, 2).await;
        has(&tab, 2, 2, 'X').await;
        tab.until("the computer's answer", &format!("{MARKS} === 2")).await;
        my_turn(&tab).await;
        assert_eq!(tab.eval("window.taps").await, 1);
        tab.done().await;
    }
}

#[tokio::test]
async fn a_newcomer_plays_a_friend_after_two_taps_and_a_scan() {
    let server = TestServer::start(&[]).await;
    for device in [Device::PHONE, Device::LAPTOP] {
        let ada = newcomer(device, &address(&server, "/")).await;
        ada.click("link", "Play a friend*").await;
        ada.button("Start").await;
        ada.find("image", "QR code*").await;
        if !has_programs("reading the QR code", &["zbarimg"]) {
            return ada.done().await;
        }
        let link = decode(&ada.screenshot().await).expect("a code on the screen");
        let bob = newcomer(Device::PHONE, &link).await;
        bob.button("Play").await;
        my_turn(&ada).await;
        assert_eq!(ada.eval("window.taps").await, 2);
        assert_eq!(bob.eval("window.taps").await, 1);
        all_done([ada, bob]).await;
    }
}
