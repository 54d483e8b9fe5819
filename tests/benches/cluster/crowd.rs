//! The processor time of a delivery to a spectator of one room, if all are at the room's node, and if they
//! are spread over three.

use super::{Cluster, number, report, start_load};

/// Moves a second in the room, and those who watch it.
const LOAD: [&str; 7] = [
    "--rooms=1",
    "--board=15x15x5",
    "--rate=20",
    "--spectators=1500",
    "--time=20s",
    "--warm-up=3s",
    "--no-pin",
];

/// Runs of each, in turn.
const RUNS: usize = 3;

pub(super) async fn measure() {
    println!("spectators of one room     deliveries/s   nodes' processor time of a delivery");
    let cluster = Cluster::start().await;
    let others: Vec<_> =
        (0..3).map(|node| format!("--other-server={}", cluster.address(node))).collect();
    let spread: Vec<_> = others.iter().map(String::as_str).collect();
    let pids: Vec<_> = cluster.processes().iter().map(|one| format!("--pid={}", one.0)).collect();
    let pids: Vec<_> = pids.iter().map(String::as_str).collect();
    for _ in 0..RUNS {
        for (what, more) in
            [("at the room's node", &spread[..1]), ("spread over three nodes", &spread)]
        {
            let words = [&LOAD[..], &pids, more].concat();
            let report = report(start_load(cluster.address(0), &words));
            let deliveries = number(&report, "deliveries_per_second");
            let time = 1e6 * number(&report, "server_cores") / deliveries;
            println!("{what:26} {deliveries:12.0} {time:10.2} us");
        }
    }
}
