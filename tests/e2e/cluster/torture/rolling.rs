//! A new version comes to a cluster: one node after the other is stopped as a service manager does and
//! started again, while people play at all of them.
//!
//! `NOUGHTS_OLD_SERVER` names the binary of the version before; without it the nodes restart as they are.

use std::path::PathBuf;
use std::time::Instant;

use noughts_harness::NatsServers;
use noughts_harness::process::program;

use super::Torture;
use crate::simulation::number_from_env;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_node_is_replaced_while_people_play() {
    let Some(nats) = NatsServers::start("a cluster whose nodes are replaced", 3) else { return };
    let seed = number_from_env("NOUGHTS_SEED").unwrap_or_else(rand::random);
    let old = std::env::var_os("NOUGHTS_OLD_SERVER").map(PathBuf::from);
    let old = old.unwrap_or_else(|| program("noughts-server"));
    println!("from {}, seed {seed}", old.display());
    let begun = Instant::now();
    let mut torture = Torture::begin(seed, nats, &old).await;
    torture.replace_all().await;
    let ([games, moves], violations) = torture.finish().await;
    println!("{games} games, {moves} moves, {:.0?}", begun.elapsed());
    assert!(violations.is_empty(), "seed {seed}:\n{}", violations.join("\n"));
    assert!(games > 0 && moves > 0, "nothing was played");
}
