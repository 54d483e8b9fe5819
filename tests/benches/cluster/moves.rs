//! Moves: the time of one in an idle room, and how many a second; of a single server, of a node, over two
//! nodes, and of all three. Both players move as soon as they may.

use noughts_harness::ServerProcess;

use super::limits::NO_LIMITS;
use super::process::Process;
use super::{Cluster, number, report, start_load};

/// Long games: a rematch is rare.
const LOAD: [&str; 4] = ["--board=15x15x5", "--time=8s", "--warm-up=2s", "--rooms"];

pub(super) async fn measure() {
    println!("what                                     moves/s       p50       p99");
    let single = ServerProcess::start(&[&NO_LIMITS[..], &["--durability=process"]].concat());
    for rooms in ["1", "300"] {
        let words = [&LOAD[..], &[rooms]].concat();
        row(
            &format!("{rooms} rooms of a single server"),
            vec![start_load(single.address(), &words)],
        );
    }
    drop(single);
    let cluster = Cluster::start().await;
    let other = format!("--other-server={}", cluster.address(1));
    for (what, more) in [("at one node", None), ("over two nodes", Some(other.as_str()))] {
        let words = [&LOAD[..], &["1"], more.as_slice()].concat();
        row(&format!("1 room {what}"), vec![start_load(cluster.address(0), &words)]);
    }
    let nats: Vec<_> = cluster.nats.ids().into_iter().map(Process).collect();
    let cpu = || [&cluster.processes(), &nats].map(|group| seconds(group));
    for rooms in ["100", "1000"] {
        let before = cpu();
        let words = [&LOAD[..], &[rooms]].concat();
        let loads = (0..3).map(|node| start_load(cluster.address(node), &words)).collect();
        row(&format!("{rooms} rooms of each of three nodes"), loads);
        let [nodes, nats] = cpu();
        println!(
            "processor time: nodes {:.1} s, NATS {:.1} s",
            nodes - before[0],
            nats - before[1]
        );
    }
}

fn seconds(processes: &[Process]) -> f64 {
    processes.iter().filter_map(|one| one.cpu()).map(|time| time.as_secs_f64()).sum()
}

fn row(what: &str, loads: Vec<std::process::Child>) {
    let reports: Vec<_> = loads.into_iter().map(report).collect();
    let moves: f64 = reports.iter().map(|report| number(report, "moves_per_second")).sum();
    let slowest = |part: &str| {
        let times = reports.iter().map(|report| number(&report["delivery_ms"], part));
        times.fold(0.0, f64::max)
    };
    println!("{what:36} {moves:11.0}  {:6.2} ms {:6.2} ms", slowest("p50"), slowest("p99"));
}
