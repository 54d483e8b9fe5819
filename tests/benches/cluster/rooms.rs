//! The memory of rooms that nobody is in, on their node, on another node, and in NATS, and the bytes
//! that NATS keeps of them.

use std::process::Command;

use super::process::Process;
use super::{Cluster, report, start_load};

/// Half of the rooms that are made: `--absent` makes as many before, and does not count them.
const ROOMS: usize = 5000;

pub(super) async fn measure() {
    let cluster = Cluster::start().await;
    let make = || {
        report(start_load(
            cluster.address(0),
            &["--rooms=0", "--time=1s", "--absent", &ROOMS.to_string()],
        ))
    };
    // The first ones also cost what is there once.
    make();
    let look = || {
        let kib = |id: u32| Process(id).memory_kib().unwrap_or_default();
        let nodes = cluster.nodes.iter().map(|node| kib(node.id()));
        let stored = (0..cluster.nats.count()).map(|index| stored_kib(&cluster, index));
        nodes.chain(cluster.nats.ids().into_iter().map(kib)).chain(stored).collect::<Vec<_>>()
    };
    let before = look();
    make();
    let names = ["memory of node", "memory of NATS server", "disk of NATS server"];
    println!("for each of {} more rooms", 2 * ROOMS);
    for ((place, before), after) in before.into_iter().enumerate().zip(look()) {
        let each = (after as f64 - before as f64) / (2 * ROOMS) as f64;
        println!("{:22} {}: {each:6.2} KiB", names[place / 3], place % 3);
    }
}

fn stored_kib(cluster: &Cluster, index: usize) -> u64 {
    let output = Command::new("du").arg("-sk").arg(cluster.nats.stored(index)).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_whitespace().next().unwrap().parse().unwrap()
}
