//! The cases: what is measured, for which subjects, and the runs of `noughts-load` that measure it.

use std::fmt;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::metrics;
use crate::results::Results;

/// Open files that a process needs beside its sockets.
const OTHER_FILES: usize = 100;

/// The least time of a case at a set rate: long enough for checkpoints of the journal.
const LONG: Duration = Duration::from_secs(12);

/// The board of all cases but one. Its games are long, so that moves are measured and not rematches.
const BOARD: &str = "--board=15x15x5";

/// What is measured: the relay, or a server with some options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Subject {
    /// The bare relay.
    Relay,
    /// Noughts with its rooms in memory alone.
    Noughts,
    /// The same, with only warnings in its log.
    Quiet,
    /// Noughts in memory, whose metrics are read every second.
    Watched,
    /// Noughts with a journal that survives the end of its process, `--durability=process`.
    Process,
    /// Noughts with a journal that survives a power cut, as it is by default.
    Power,
}

impl Subject {
    pub(crate) const ALL: [Self; 6] =
        [Self::Relay, Self::Noughts, Self::Quiet, Self::Watched, Self::Process, Self::Power];
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Relay => "relay",
            Self::Noughts => "noughts",
            Self::Quiet => "quiet",
            Self::Watched => "watched",
            Self::Process => "process",
            Self::Power => "power",
        })
    }
}

/// One thing to measure.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    subject: &'static [Subject],
    options: Vec<String>,
    /// Whether it plays at a quarter of the rate that the case `rooms-100` reached in this round, and for
    /// [`LONG`] at the least.
    quarter: bool,
}

/// All cases, and how to run them.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) cases: Vec<Case>,
    time: Duration,
    programs: PathBuf,
}

impl Bench {
    /// The cases whose names contain one of `only`, or all.
    pub(crate) fn new(time: Duration, only: &[String]) -> anyhow::Result<Self> {
        let bench = std::env::current_exe()?;
        // target/release/deps/wire-HASH
        let programs = bench.ancestors().nth(2).context("no folder of programs")?.to_owned();
        for name in ["noughts-load", "noughts-relay", "noughts-server"] {
            let program = programs.join(name);
            ensure!(program.exists(), "{} is not built: start tests/bench", program.display());
        }
        let chosen = |case: &Case| {
            only.is_empty() || only.iter().any(|name| case.name.contains(name.as_str()))
        };
        let cases = all().into_iter().filter(chosen).collect();
        Ok(Self { cases, time, programs })
    }

    /// Runs every case once, for all of its subjects.
    pub(crate) fn round(&self, results: &mut Results) {
        for case in &self.cases {
            for subject in case.subject {
                let most = results.of("rooms-100", *subject, "/moves_per_second");
                let rate = most.last().copied().flatten().map(|most| most / 4.0);
                eprintln!("  {subject:<8} {}", case.what);
                let result =
                    self.run(case, *subject, rate).map_err(|error| eprintln!("  {error:#}"));
                results.add(case.name, *subject, result.ok());
            }
        }
    }

    fn run(&self, case: &Case, subject: Subject, rate: Option<f64>) -> anyhow::Result<Value> {
        let mut load = Command::new(self.programs.join("noughts-load"));
        let time = if case.quarter { self.time.max(LONG) } else { self.time };
        load.arg("--json").arg(format!("--time={}ms", time.as_millis()));
        load.args(&case.options);
        if case.quarter {
            let rate = rate.context("its most moves a second are not known: measure rooms-100")?;
            load.arg(format!("--rate={rate:.3}"));
        }
        // Beside the programs, because the folder for temporary files may be in memory.
        let (data, metrics) = (tempfile::tempdir_in(&self.programs)?, metrics::free_address()?);
        let server: &[String] = match subject {
            Subject::Relay => {
                load.arg("--relay");
                &[]
            }
            Subject::Noughts => &["--ephemeral".to_owned()],
            Subject::Quiet => &["--ephemeral".to_owned(), "--log=warn".to_owned()],
            Subject::Watched => &["--ephemeral".to_owned(), format!("--metrics-bind={metrics}")],
            Subject::Process | Subject::Power => &[
                format!("--data-dir={}", data.path().display()),
                format!("--durability={subject}"),
            ],
        };
        load.args(server.iter().map(|option| format!("--server-option={option}")));
        let reader = (subject == Subject::Watched).then(|| metrics::Reader::start(metrics));
        let output = load.output()?;
        if let Some(reader) = reader {
            ensure!(reader.stop() > 0, "the metrics were never read");
        }
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "failed: {} {}", said.trim(), first_loss(&output.stdout));
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}

/// Why a run that has a report failed.
fn first_loss(output: &[u8]) -> String {
    let report: Value = serde_json::from_slice(output).unwrap_or_default();
    format!(
        "{} lost: {}, {} stalled",
        report["lost"], report["first_loss"], report["stalled_rooms"]
    )
}

/// The option for a number of rooms, limited by the sockets that this process may open.
fn rooms(number: usize) -> String {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let open_files = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    let most: Option<usize> =
        open_files.and_then(|line| line.split_whitespace().next()?.parse().ok());
    let most = most.map_or(number, |most| most.saturating_sub(OTHER_FILES) / 2);
    format!("--rooms={}", number.min(most))
}

/// Every case.
pub(crate) fn all() -> Vec<Case> {
    use Subject::{Noughts, Power, Process, Quiet, Relay, Watched};
    let case = |name, what, subject: &'static [Subject], options: &[&str]| Case {
        name,
        what,
        subject,
        options: options.iter().map(|&option| option.to_owned()).collect(),
        quarter: name == "quarter",
    };
    let both: &[Subject] = &[Relay, Noughts];
    let each: &[Subject] = &[Relay, Noughts, Process, Power];
    vec![
        case("rooms-100", "100 rooms", &[Relay, Noughts, Quiet, Watched, Process, Power], &[BOARD]),
        case("quarter", "100 rooms, a quarter of that", each, &[BOARD]),
        case("tic-tac-toe", "100 rooms, 3 x 3", each, &[]),
        case("rooms-10", "10 rooms", each, &[BOARD, "--rooms=10"]),
        case("rooms-1000", "1,000 rooms", each, &[BOARD, "--rooms=1000"]),
        case("rooms-10000", "10,000 rooms", each, &[BOARD, &rooms(10_000)]),
        case("memory", "10,000 connections in rooms", both, &["--rooms=5000", "--time=100ms"]),
        case(
            "absent",
            "10,000 rooms of two who have gone",
            &[Noughts, Process],
            &["--rooms=0", "--absent=10000", "--time=100ms", "--warm-up=0s"],
        ),
        case("crowd-1000", "1,000 spectators", both, &["--rooms=1", "--spectators=1000"]),
        case("crowd-5000", "5,000 spectators", both, &["--rooms=1", "--spectators=5000"]),
        case("storm", "visitors", &[Relay, Noughts, Power], &["--rooms=0", "--storm=64"]),
    ]
}
