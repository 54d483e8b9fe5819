//! The sizes of the two programs, stripped as in a release, and their limits:
//! `cargo build --release --bins --workspace && cargo bench -p noughts-tests --bench size`.
//! `-- --target NAME` measures the programs of another target. The exit code is 1 above a limit.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The programs and their largest sizes in MiB. Every invited player downloads the client; a host downloads
/// the server once, which also holds SQLite, the page, and the client of NATS. The workflow of releases reads the
/// limits here.
const PROGRAMS: [(&str, u64); 2] = [("noughts", 10), ("noughts-server", 16)];

fn main() -> ExitCode {
    let options: Vec<String> = std::env::args().collect();
    let target = options.iter().skip_while(|option| *option != "--target").nth(1);
    let folder = release(target.map(String::as_str));
    let mut code = ExitCode::SUCCESS;
    for (program, limit) in PROGRAMS {
        match stripped(&folder.join(format!("{program}{}", std::env::consts::EXE_SUFFIX))) {
            Ok(bytes) => {
                let fits = bytes <= limit << 20;
                let mebibytes = bytes as f64 / f64::from(1 << 20);
                let verdict = if fits { "" } else { ", ABOVE IT" };
                println!("{program:<15} {mebibytes:5.2} MiB of {limit}{verdict}");
                if !fits {
                    code = ExitCode::FAILURE;
                }
            }
            Err(why) => {
                eprintln!("{program}: {why}");
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}

/// The folder of optimised builds: this benchmark's, or that of another target.
fn release(target: Option<&str>) -> PathBuf {
    let bench = std::env::current_exe().unwrap_or_default();
    // target/release/deps/size-HASH
    let here = bench.ancestors().nth(2).unwrap_or(Path::new("target/release"));
    match (target, here.parent()) {
        (Some(target), Some(all)) => all.join(target).join("release"),
        _ => here.to_owned(),
    }
}

/// The size of a program without its symbols, in bytes.
fn stripped(program: &Path) -> Result<u64, String> {
    if !program.exists() {
        return Err(format!("{} is not built", program.display()));
    }
    let copy = program.with_extension("stripped");
    let output = Command::new("strip").arg("-o").arg(&copy).arg(program).output();
    let size = match output {
        Ok(output) if output.status.success() => std::fs::metadata(&copy).map(|data| data.len()),
        Ok(output) => return Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => return Err(format!("strip cannot be run: {error}")),
    };
    // If it cannot be removed, the next run overwrites it.
    std::fs::remove_file(&copy).ok();
    size.map_err(|error| error.to_string())
}
