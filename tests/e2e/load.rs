//! `noughts-load` as a process: every kind of client plays and receives the right events.

use std::process::{Command, Stdio};

use noughts_harness::TestServer;
use noughts_harness::process::program;
use serde_json::Value;

/// Runs it for a moment, with these options.
fn load(options: &[&str]) -> (bool, Value, String) {
    // The folder of this user is not for tests.
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(program("noughts-load"))
        .args(["--json", "--no-pin", "--warm-up=100ms", "--time=400ms"])
        .args(options)
        .env("NOUGHTS_DATA_DIR", folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.success(), serde_json::from_slice(&output.stdout).unwrap_or_default(), said)
}

/// The counts with these names.
fn check_above_zero(report: &Value, fields: &[&str]) {
    for field in fields {
        let number = report.pointer(field).and_then(Value::as_f64);
        assert!(number.is_some_and(|number| number > 0.0), "{field}: {number:?} of {report}");
    }
}

#[test]
fn players_spectators_visitors_and_computers_all_move() {
    // A board on which the script ends with a resignation, so that a game ends in every way.
    let (sound, report, said) = load(&[
        "--rooms=6",
        "--board=6x5x4",
        "--spectators=12",
        "--watch=spread",
        "--idle=3",
        "--computers=2",
        "--computer=heuristic:average",
        "--storm=4",
        "--absent=10",
    ]);
    assert!(sound, "{said} {report}");
    let rates = ["moves", "deliveries", "granted", "opens", "computer_moves"];
    for rate in rates.map(|rate| format!("/{rate}_per_second")) {
        check_above_zero(&report, &[&rate]);
    }
    check_above_zero(
        &report,
        &["/delivery_ms/p999", "/last_spectator_ms/p50", "/open_ms/p99", "/computer_ms/p50"],
    );
}

#[test]
fn the_relay_passes_on_whatever_players_and_visitors_say() {
    let options = ["--relay", "--rooms=1", "--spectators=20", "--storm=4", "--rate=50"];
    let (sound, report, said) = load(&options);
    assert!(sound, "{said} {report}");
    let fields = ["/moves_per_second", "/last_spectator_ms/p50", "/opens_per_second"];
    check_above_zero(&report, &fields);
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_durable_server_writes_for_a_move_is_counted() {
    // Not below /tmp, which may be in memory: the kernel counts no writes to a disk there.
    let programs = program("noughts-load");
    let folder = tempfile::tempdir_in(programs.parent().unwrap()).unwrap();
    let journal = format!("--server-option=--data-dir={}", folder.path().display());
    let (sound, report, said) = load(&["--rooms=4", "--board=15x15x5", &journal]);
    assert!(sound, "{said} {report}");
    let fields = ["/disk/disk_bytes_per_move", "/disk/log_bytes_per_move"];
    check_above_zero(&report, &fields);
    check_above_zero(&report, &["/server_switches_per_move", "/server_us_per_move"]);
    let (sound, report, said) = load(&["--rooms=1", "--server-option=--ephemeral"]);
    assert!(sound && report["disk"].is_null(), "{said} {report}");
}

#[test]
fn a_party_is_played_from_joining_to_podium() {
    let options = ["--party=5", "--format=knockout", "--screens=2", "--onlookers=3", "--plies=9"];
    let (sound, report, said) = load(&options);
    assert!(sound, "{said} {report}");
    assert_eq!((&report["rounds"], &report["games"]), (&Value::from(3), &Value::from(5)));
    let fields = ["longest_wait_ms", "pairing_us", "us_per_move", "us_per_move_alone"];
    check_above_zero(&report, &fields.map(|field| format!("/{field}")).each_ref().map(|s| &**s));
    check_above_zero(&report, &["/moves_per_second", "/screen_kib", "/onlooker_kib"]);
    // A screen is told the boards too; nobody waits longer than the pause of 5 s.
    assert!(report["screen_kib"].as_f64() > report["onlooker_kib"].as_f64(), "{report}");
    assert!(report["longest_wait_ms"].as_f64().unwrap() < 15_000.0, "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_refuses_is_quoted() {
    let server = TestServer::start(&["--max-connections=3"]).await;
    let address = format!("--server={}", server.address());
    let loaded = tokio::task::spawn_blocking(move || load(&[&address, "--rooms=4"]));
    let (sound, _, said) = loaded.await.unwrap();
    assert!(!sound);
    assert!(said.contains("503") && said.contains("this server is full"), "{said}");
    let server = TestServer::start(&[]).await;
    let address = format!("--server={}", server.address());
    let loaded = tokio::task::spawn_blocking(move || load(&[&address, "--rooms=1", "--time=20s"]));
    let (sound, _, said) = loaded.await.unwrap();
    assert!(!sound && said.contains("RateLimited"), "{said}");
}
