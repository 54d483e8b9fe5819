//! Three nodes behind the load balancer of `server/README.md`, except for the names: Caddy, which encrypts.
//! One node after the other dies or stops during a game of a phone and a terminal.
//! With `NOUGHTS_PICTURES=1` it saves what the page shows in `target/screenshots`.

use noughts_harness::nats::until_settled;
use noughts_harness::{Device, NatsServers, Tab, Terminal};

use crate::page::picture;
use crate::page::steps::{code, friend, has, name, play};
use crate::proxied::caddy::caddy;
use crate::proxied::{certified, is_here, own_address, recipe, replaced, upgrade_at};

/// So many that one of them would meet the node that has gone if the balancer did not know.
const COMERS: usize = 12;

async fn page(device: Device, url: &str) -> Tab {
    let mut tab = Tab::new(device).await;
    tab.trust_any_certificate().await;
    // A connection breaks with its node.
    tab.tolerate("WebSocket");
    tab.goto(url).await;
    tab
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_behind_a_balancer_outlives_each_node() {
    if !is_here("caddy") {
        return;
    }
    let Some(nats) = NatsServers::start("nodes behind a balancer", 3) else { return };
    let address = own_address();
    let base = format!("https://{address}");
    let options = ["--public-url", &base, "--trusted-proxy", "127.0.0.1"];
    let mut nodes: Vec<_> = (0..3).map(|number| nats.node(number, &options)).collect();
    until_settled(nodes.iter()).await;
    let mut site = recipe("games.example {").to_owned();
    for (name, node) in ["one:7333", "two:7333", "three:7333"].iter().zip(&nodes) {
        site = replaced(&site, name, &node.address().to_string());
    }
    let balancer = caddy(address, "games.example", &site);
    certified(&balancer).await;

    let ada = page(Device::PHONE, &base).await;
    name(&ada, "Ada").await;
    friend(&ada).await;
    let room = code(&ada).await;
    let folder = tempfile::tempdir().unwrap();
    let args = ["--server", &base, "--ca", &balancer.ca, "--name", "Tess", "play", &room];
    let mut tess = Terminal::run(&args, folder.path(), 24, 80);
    let laptop = page(Device::LAPTOP, &format!("{base}/r/{room}")).await;
    laptop.until_text("You are watching").await;

    play(&ada, 2, 2, 'X').await;
    let turns = [
        ("last 5", "1", (1, 1), (1, 3)),
        ("last 3", "7", (3, 1), (2, 1)),
        ("last 4", "6", (2, 3), (1, 2)),
    ];
    for (index, (last, key, tess_plays, ada_plays)) in turns.into_iter().enumerate() {
        let _ = tess.wait_for(last, |screen| screen.contains(last));
        tess.press(key);
        has(&ada, tess_plays.0, tess_plays.1, 'O').await;
        if index == 0 {
            assert_eq!(nodes[index].terminate(), Some(0));
        } else {
            nodes[index].kill();
        }
        for _ in 0..COMERS {
            let (status, _) = upgrade_at(&balancer, "/ws", "127.0.0.1", "").await;
            assert_eq!(status, 101, "nobody who comes is led to the node that has gone");
        }
        play(&ada, ada_plays.0, ada_plays.1, 'X').await;
        has(&laptop, ada_plays.0, ada_plays.1, 'X').await;
        picture(&ada, &format!("balanced-{index}-without-a-node")).await;
        let node = nodes.remove(index);
        nodes.insert(index, node.restart());
        until_settled(nodes.iter()).await;
    }
    let _ = tess.wait_for("last 2", |screen| screen.contains("last 2"));
    tess.press("8");
    play(&ada, 3, 3, 'X').await;
    laptop.until_text("Draw.").await;
    let _ = tess.wait_text("1 draw");
    ada.done().await;
    laptop.done().await;
}
