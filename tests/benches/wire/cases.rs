//! What is measured, with whom, and the runs of `noughts-load` that do it.

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::metrics;

/// Files that a process needs beside its sockets.
const OTHER_FILES: usize = 100;

/// The board of all cases but one: long games, so that moves are measured and not rematches.
const BOARD: &str = "--board=15x15x5";

/// Who is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Who {
    /// The bare relay.
    Relay,
    /// Noughts with its rooms in memory alone.
    Noughts,
    /// The same, with nothing in its log but warnings.
    Quiet,
    /// The same as the first, with somebody who reads its metrics every second.
    Watched,
    /// Noughts with a journal that survives its end, `--durability=process`.
    Process,
    /// Noughts with a journal that survives a power cut, as it is by default.
    Power,
}

impl fmt::Display for Who {
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
    who: &'static [Who],
    options: Vec<String>,
    /// Whether it plays at a quarter of the moves a second that case `rooms-100` reached in this
    /// round.
    quarter: bool,
}

/// All cases, and how to run them.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) cases: Vec<Case>,
    time: Duration,
    programs: PathBuf,
}

/// What came of each case, round by round.
#[derive(Debug, Default)]
pub(crate) struct Results(HashMap<(&'static str, Who), Vec<Option<Value>>>);

impl Results {
    /// One number of each round; `None` where the run failed or has none.
    pub(crate) fn of(&self, case: &str, who: Who, field: &str) -> Vec<Option<f64>> {
        let key = self.0.keys().find(|(name, of)| *name == case && *of == who);
        let rounds = key.and_then(|key| self.0.get(key)).map_or(&[][..], Vec::as_slice);
        rounds.iter().map(|round| round.as_ref()?.pointer(field)?.as_f64()).collect()
    }

    /// Everything, a line for each run.
    pub(crate) fn lines(&self) -> String {
        let line = |case: &str, who: Who, round: usize, result: &Option<Value>| {
            let who = who.to_string();
            let line = serde_json::json!({
                "case": case, "who": who, "round": round, "result": result,
            });
            format!("{line}\n")
        };
        let runs = self.0.iter().flat_map(|((case, who), rounds)| {
            rounds.iter().zip(1..).map(move |(result, round)| line(case, *who, round, result))
        });
        let mut lines: Vec<String> = runs.collect();
        lines.sort();
        lines.concat()
    }
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

    /// Measures everything once.
    pub(crate) fn round(&self, results: &mut Results) {
        for case in &self.cases {
            for who in case.who {
                let most = results.of("rooms-100", *who, "/moves_per_second");
                let rate = most.last().copied().flatten().map(|most| most / 4.0);
                eprintln!("  {who:<8} {}", case.what);
                let result = self.run(case, *who, rate).map_err(|error| eprintln!("  {error:#}"));
                results.0.entry((case.name, *who)).or_default().push(result.ok());
            }
        }
    }

    fn run(&self, case: &Case, who: Who, rate: Option<f64>) -> anyhow::Result<Value> {
        let mut load = Command::new(self.programs.join("noughts-load"));
        load.arg("--json").arg(format!("--time={}ms", self.time.as_millis()));
        load.args(&case.options);
        if case.quarter {
            let rate = rate.context("its most moves a second are not known: measure rooms-100")?;
            load.arg(format!("--rate={rate:.3}"));
        }
        let (data, metrics) = (tempfile::tempdir()?, metrics::free_address()?);
        let server: &[String] = match who {
            Who::Relay => {
                load.arg("--relay");
                &[]
            }
            Who::Noughts => &["--ephemeral".to_owned()],
            Who::Quiet => &["--ephemeral".to_owned(), "--log=warn".to_owned()],
            Who::Watched => &["--ephemeral".to_owned(), format!("--metrics-bind={metrics}")],
            Who::Process | Who::Power => {
                &[format!("--data-dir={}", data.path().display()), format!("--durability={who}")]
            }
        };
        load.args(server.iter().map(|option| format!("--server-option={option}")));
        let reader = (who == Who::Watched).then(|| metrics::Reader::start(metrics));
        let output = load.output()?;
        if let Some(reader) = reader {
            ensure!(reader.stop() > 0, "the metrics were never read");
        }
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "failed: {} {}", said.trim(), first_loss(&output.stdout));
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}

/// Why a run that measured something did not end well.
fn first_loss(output: &[u8]) -> String {
    let report: Value = serde_json::from_slice(output).unwrap_or_default();
    format!(
        "{} lost: {}, {} stalled",
        report["lost"], report["first_loss"], report["stalled_rooms"]
    )
}

/// So many rooms of two, or as many as this process may have sockets for.
fn rooms(number: usize) -> String {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let open_files = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    let most: Option<usize> =
        open_files.and_then(|line| line.split_whitespace().next()?.parse().ok());
    let most = most.map_or(number, |most| most.saturating_sub(OTHER_FILES) / 2);
    format!("--rooms={}", number.min(most))
}

fn all() -> Vec<Case> {
    use Who::{Noughts, Power, Process, Quiet, Relay, Watched};
    let case = |name, what, who: &'static [Who], options: &[&str]| Case {
        name,
        what,
        who,
        options: options.iter().map(|&option| option.to_owned()).collect(),
        quarter: name == "quarter",
    };
    let both: &[Who] = &[Relay, Noughts];
    vec![
        case("rooms-100", "100 rooms", &[Relay, Noughts, Quiet, Watched, Process, Power], &[BOARD]),
        case(
            "quarter",
            "100 rooms, a quarter of that",
            &[Relay, Noughts, Process, Power],
            &[BOARD],
        ),
        case("tic-tac-toe", "100 rooms, 3 x 3", both, &[]),
        case("rooms-10", "10 rooms", both, &[BOARD, "--rooms=10"]),
        case("rooms-1000", "1,000 rooms", both, &[BOARD, "--rooms=1000"]),
        case("rooms-10000", "10,000 rooms", both, &[BOARD, &rooms(10_000)]),
        case("memory", "10,000 connections in rooms", both, &["--rooms=5000", "--time=100ms"]),
        case(
            "absent",
            "10,000 rooms of two who have gone",
            &[Noughts, Process],
            &["--rooms=0", "--absent=10000", "--time=100ms", "--warm-up=0s"],
        ),
        case("crowd-1000", "1,000 spectators", both, &["--rooms=1", "--spectators=1000"]),
        case("crowd-5000", "5,000 spectators", both, &["--rooms=1", "--spectators=5000"]),
        case("storm", "visitors", both, &["--rooms=0", "--storm=64"]),
    ]
}
