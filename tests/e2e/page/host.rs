//! The page of hosts: what they see, and what they do there.

use noughts_harness::{Device, Tab};
use noughts_protocol::CloseCode;

use super::screens::check;
use crate::hosts::{Hosted, TOKEN};

#[tokio::test]
async fn a_host_looks_at_a_room_and_bans_somebody_there() {
    let hosted = Hosted::start();
    let mut bob = hosted.server.player("<b>Bob</b>").await;
    let room = bob.host().await.to_string();
    let tab = Tab::open(Device::LAPTOP, &format!("http://{}/host", hosted.address)).await;
    tab.fill("Your token", TOKEN).await;
    tab.button("Sign in").await;
    check(&tab, "host").await;
    tab.button(&room).await;
    tab.find("image", "The board after 0 moves").await;
    check(&tab, "host-room").await;
    tab.button("<b>Bob</b>").await;
    tab.button("Ban…").await;
    tab.fill("Reason", "be kind").await;
    tab.button("Ban").await;
    assert_eq!(bob.until_closed().await, CloseCode::Banned.number());
    assert!(bob.refusal_text.ends_with("for another 2h: be kind"), "{}", bob.refusal_text);
    tab.until_text("The ban holds.").await;
    // The dialog grows by this line: a click before it may meet another place.
    tab.until_text("Not connected now.").await;
    tab.button("Close").await;
    tab.click("tab", "Bans").await;
    tab.until_text(&bob.id.to_string()).await;
    check(&tab, "host-bans").await;
    tab.done().await;
}
