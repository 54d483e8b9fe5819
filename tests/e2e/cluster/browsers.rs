//! A page whose node is killed goes on at another one, also in Firefox and `WebKit`. [`super::outage`] has
//! the same in Chromium.

use noughts_harness::nats::until_settled;
use noughts_harness::skip::skipped;
use noughts_harness::{NatsServers, ServerProcess, WebDriverBrowser, has_firefox, has_webkit};

use crate::page::browsers::{WEBKIT, play};

#[tokio::test(flavor = "multi_thread")]
async fn a_page_goes_on_at_another_node_in_firefox() {
    let Some(nats) = NatsServers::start("a page whose node is killed, in Firefox", 1) else {
        return;
    };
    if !has_firefox() {
        return skipped("a page whose node is killed", "firefox-esr");
    }
    goes_on_at_another_node(WebDriverBrowser::firefox().await, &nats).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_goes_on_at_another_node_in_webkit() {
    let Some(nats) = NatsServers::start("a page whose node is killed, in WebKit", 1) else {
        return;
    };
    if !has_webkit() {
        return skipped("a page whose node is killed", WEBKIT);
    }
    goes_on_at_another_node(WebDriverBrowser::webkit().await, &nats).await;
}

/// Two at one phone.
async fn goes_on_at_another_node(mut browser: WebDriverBrowser, nats: &NatsServers) {
    let mut nodes = [0, 1].map(|number| nats.node(number, &[]));
    until_settled(nodes.iter()).await;
    browser.resize(420, 820).await;
    let address = nodes.each_ref().map(ServerProcess::address);
    browser.goto(&format!("http://{}/play/friend", address[0])).await;
    browser.click("radio", "Both on this screen*").await;
    browser.button("Start").await;
    play(&mut browser, 2, 2, 'X').await;
    nodes[0].kill();
    play(&mut browser, 1, 1, 'O').await;
    play(&mut browser, 1, 2, 'X').await;
    browser.done().await;
}
