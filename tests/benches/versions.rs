//! A single server beside another build of it, the one of an earlier commit: the time of a start, the
//! memory when nobody is there, and the processor time of a move.
//! `cargo build --release --workspace --bins && cargo bench -p noughts-tests --bench versions -- OTHER [THIS]`,
//! where OTHER is the other `noughts-server`. Both have to be built by the same command: among the tests'
//! packages Tokio has features that it has not in a release. The sizes are the benchmark `size`.
//!
//! Where the linker puts a function changes the resident memory by up to 3 %, because the kernel maps 64 KiB
//! around each place that is used.
//!
//! A round measures both, one right after the other, and the next round begins with the other one. The
//! table has the medians of the rounds.

#![expect(clippy::unwrap_used, reason = "in a measurement a failure is the end of it")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use clap::Parser;
use noughts_harness::process::{own_kib, program, resident_kib};
use noughts_harness::{ServerProcess, delay};
use serde_json::Value;
use tempfile::TempDir;

/// How often each is started in a round, in a new folder and in a known one.
const STARTS: usize = 10;
/// The time from a start until the memory is looked at: an idle server has nothing left to do then.
const SETTLE: Duration = Duration::from_secs(1);
/// The load for the cost of a move: about a tenth of what one core can do, for long enough that the journal
/// makes checkpoints.
const LOAD: [&str; 4] = ["--board=15x15x5", "--rooms=100", "--rate=4000", "--time=12s"];

/// Compares a server with another build of it.
#[derive(Debug, Parser)]
struct Args {
    /// The other `noughts-server`
    other: PathBuf,

    /// This one [default: the one that is built beside the benchmark]
    this: Option<PathBuf>,

    /// How often everything is measured
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,

    /// Given by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

/// The rows of the table. Each names its unit.
const ROWS: [&str; 6] = [
    "started in a new folder (ms)",
    "started again (ms)",
    "resident memory (KiB)",
    "of it its own (KiB)",
    "a move, process (us)",
    "a move, power (us)",
];

/// A build, in a folder of its own beside a copy of the program that loads it.
struct Build {
    folder: TempDir,
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    // `cargo test` runs benchmarks too, without `--bench`.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let args = Args::parse();
    let this = args.this.unwrap_or_else(|| program("noughts-server"));
    let builds = [this, args.other].map(|server| Build::new(&server));
    let mut measured = [vec![], vec![]];
    for round in 0..args.rounds as usize {
        for place in [round % 2, (round + 1) % 2] {
            measured[place].push(builds[place].measure().await);
            eprintln!("round {round}: {} {:.2?}", ["this", "other"][place], measured[place].last());
        }
    }
    println!("{:32} {:>10} {:>10} {:>7}", "", "this", "other", "ratio");
    for (row, what) in ROWS.iter().enumerate() {
        let [this, other] =
            [&measured[0], &measured[1]].map(|rounds| median(rounds.iter().map(|all| all[row])));
        println!("{what:32} {this:10.2} {other:10.2} {:7.3}", this / other);
    }
}

impl Build {
    /// Copies it to the disk that the programs are on: what is in memory cannot be read anew.
    fn new(server: &Path) -> Self {
        let load = program("noughts-load");
        let folder = tempfile::tempdir_in(load.parent().unwrap()).unwrap();
        fs::copy(server, folder.path().join("noughts-server")).unwrap();
        fs::copy(&load, folder.path().join("noughts-load")).unwrap();
        Self { folder }
    }

    fn server(&self) -> PathBuf {
        self.folder.path().join("noughts-server")
    }

    /// One value for each of [`ROWS`].
    async fn measure(&self) -> [f64; ROWS.len()] {
        let (new, again): (Vec<_>, Vec<_>) = (0..STARTS).map(|_| self.starts()).unzip();
        let (resident, own) = self.memory().await;
        let [process, power] = ["process", "power"].map(|durability| self.moves(durability));
        [median(new.into_iter()), median(again.into_iter()), resident, own, process, power]
    }

    /// The milliseconds until it has said where it can be reached, in a new folder and then again there.
    fn starts(&self) -> (f64, f64) {
        let data = tempfile::tempdir().unwrap();
        let once = || {
            let since = Instant::now();
            let mut server = self.start(data.path());
            let time = 1e3 * since.elapsed().as_secs_f64();
            server.terminate();
            time
        };
        (once(), once())
    }

    fn start(&self, data: &Path) -> ServerProcess {
        let data = format!("--data-dir={}", data.display());
        ServerProcess::start_program(&self.server(), ([127, 0, 0, 1], 0).into(), &[&data])
    }

    /// The resident memory of an empty server, and the part of it that is in no file; in KiB. How
    /// much of the program the kernel maps depends on how its file was written, so it is read anew first.
    async fn memory(&self) -> (f64, f64) {
        forget(&self.server());
        let data = tempfile::tempdir().unwrap();
        let server = self.start(data.path());
        delay(SETTLE).await;
        let [resident, own] = [resident_kib(server.id()), own_kib(server.id())];
        (resident.unwrap() as f64, own.unwrap() as f64)
    }

    /// The microseconds of a processor that a move takes.
    fn moves(&self, durability: &str) -> f64 {
        let data = tempfile::tempdir_in(self.folder.path()).unwrap();
        let options =
            [format!("--data-dir={}", data.path().display()), format!("--durability={durability}")];
        let output = Command::new(self.folder.path().join("noughts-load"))
            .arg("--json")
            .args(LOAD)
            .args(options.iter().map(|option| format!("--server-option={option}")))
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).expect("the load failed");
        report["server_us_per_move"].as_f64().unwrap()
    }
}

/// Takes a file out of the kernel's memory.
#[cfg(target_os = "linux")]
fn forget(path: &Path) {
    let file = File::open(path).unwrap();
    // The kernel keeps what it has not written to the disk yet.
    file.sync_all().unwrap();
    rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed).unwrap();
}

#[cfg(not(target_os = "linux"))]
fn forget(_path: &Path) {}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
