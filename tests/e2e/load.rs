//! `noughts-load` as a process: every kind of client plays and receives the right events.

use std::process::{Command, Stdio};

use noughts_harness::TestServer;
use noughts_harness::process::program;
use serde_json::Value;

/// Runs it for a moment, with these options.
fn load(options: &[&str]) -> (bool, Value, String) {
    let output = Command::new(program("noughts-load"))
        .args(["--json", "--no-pin", "--warm-up=100ms", "--time=400ms"])
        .args(options)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.success(), serde_json::from_slice(&output.stdout).unwrap_or_default(), said)
}

/// The figures with these names.
fn check_above_zero(report: &Value, fields: &[&str]) {
    for field in fields {
        let number = report.pointer(field).and_then(Value::as_f64);
        assert!(number.is_some_and(|number| number > 0.0), "{field}: {number:?} of {report}");
    }
}

#[test]
fn the_relay_and_a_server_are_measured_side_by_side() {
    // A board on which the script ends with a resignation, so that games end and begin.
    let options = ["--rooms=6", "--board=6x5x4", "--spectators=9", "--idle=3", "--visitors=4"];
    let (sound, report, said) = load(&options);
    assert!(sound, "{said} {report}");
    for figure in ["moves_per_second", "opens_per_second", "delivery_p99", "last_viewer_p50"] {
        let columns = ["relay", "noughts", "ratio"].map(|column| format!("/{column}/{figure}"));
        check_above_zero(&report, &columns.each_ref().map(|column| &**column));
    }
}

#[test]
fn moves_come_at_the_rate_that_is_asked_for() {
    let (sound, report, said) = load(&["--alone", "--rooms=20", "--rate=100", "--time=2s"]);
    assert!(sound, "{said} {report}");
    let rate = report["noughts"]["moves_per_second"].as_f64().unwrap();
    assert!((50.0..=110.0).contains(&rate), "{report}");
    assert_eq!(report["relay"]["moves_per_second"], Value::Null, "{report}");
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
