//! Measures Noughts against the bare relay, in turn and on the same cores. It drives `noughts-load`;
//! `tests/bench` builds and starts it.
//!
//! A round measures every case for all of its subjects, one right after the other, so that other work of
//! the machine affects all alike. Ratios are taken within a round; the table has the medians of the
//! rounds.

mod cases;
mod growth;
mod metrics;
mod results;
mod rows;
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::ensure;
use clap::Parser;
use humantime::parse_duration;

use cases::Bench;
use results::Results;

/// Measures Noughts against a bare relay and prints how far it is from its targets.
///
/// Keep the machine free of other work: the two cores that are used are shared with it.
#[derive(Debug, Parser)]
#[command(bin_name = "tests/bench", max_term_width = 100)]
struct Args {
    /// How often everything is measured
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,

    /// How long each measurement takes, without what comes before it; those at a set rate take 12 s
    /// or more
    #[arg(long, default_value = "3s", value_parser = parse_duration, value_name = "TIME")]
    time: Duration,

    /// Only cases whose name contains this; --list names them. May be repeated
    #[arg(long, value_name = "NAME")]
    case: Vec<String>,

    /// Name the cases
    #[arg(long)]
    list: bool,

    /// Write the results of each round as JSON lines, too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Measure nothing, but say where two such files differ by more than a tenth
    #[arg(long, num_args = 2, value_names = ["FILE", "FILE"])]
    compare: Vec<PathBuf>,

    /// Draw the cost of a move, its p99 and the memory over the number of rooms, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Given by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    // `cargo test` runs benchmarks too, without `--bench`.
    if !std::env::args().any(|arg| arg == "--bench") {
        return ExitCode::SUCCESS;
    }
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tests/bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> anyhow::Result<()> {
    // cargo starts a benchmark in the folder of its package.
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    if let [one, other] = args.compare.as_slice() {
        let [one, other] = [one, other].map(|file| Results::read(&root.join(file)));
        print!("{}", table::comparison(&one?, &other?));
        return Ok(());
    }
    let bench = Bench::new(args.time, &args.case)?;
    if args.list {
        bench.cases.iter().for_each(|case| println!("{:<14}{}", case.name, case.what));
        return Ok(());
    }
    ensure!(!bench.cases.is_empty(), "no case is called that: --list names them");
    let mut results = Results::default();
    for round in 1..=args.rounds {
        eprintln!("round {round} of {}", args.rounds);
        bench.round(&mut results);
    }
    print!("{}", table::table(&results));
    if let Some(file) = &args.json {
        std::fs::write(root.join(file), results.lines())?;
    }
    if let Some(file) = &args.plot {
        growth::plot(&root.join(file), &results)?;
    }
    Ok(())
}
