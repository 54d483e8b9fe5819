//! Metrics: their address, their text after a game, a dashboard that shows all of them and no others, and alerts
//! that know no others. Also the log as programs read it.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use noughts_harness::player::play_out;
use noughts_harness::process::{check_refused, listening, server_says};
use noughts_harness::skip::skipped;
use noughts_harness::{ServerProcess, TIMEOUT, TestServer, exchange, until};
use noughts_protocol::{
    ByMark, CloseCode, Computer, RefusalCode, Role, RoomSettings, SeatRequest, Strategy, Strength,
};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

const DASHBOARD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/packaging/grafana.json");
const ALERTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/packaging/alerts.yml");
const COLLECTOR: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../server/src/http/metrics/collector.rs");
/// Where `tests/run` puts promtool, if there is none.
const PROMTOOL: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../target/prometheus/usr/bin/promtool");

/// A server that shows metrics on a free port, and that port's address.
fn watched(options: &[&str]) -> (ServerProcess, String) {
    let log = "warn,noughts_server=info";
    let options = [&["--metrics-bind", "127.0.0.1:0", "--log", log], options].concat();
    let server = ServerProcess::start(&options);
    let address = server.logged_address("metrics are");
    (server, address)
}

/// The text that Prometheus reads.
async fn text(address: &str) -> String {
    let answer = at(address).ask("/metrics", "").await;
    let kind = &answer.headers["content-type"];
    assert!(answer.status == 200 && kind.contains("text/plain; version=0.0.4"), "{answer:?}");
    answer.text()
}

fn at(address: &str) -> TestServer {
    TestServer::at(address.parse().unwrap())
}

/// Types by name, and values by name and labels.
#[derive(Debug, Default)]
struct Scrape {
    types: BTreeMap<String, String>,
    values: BTreeMap<String, f64>,
}

impl Scrape {
    async fn of(address: &str) -> Self {
        let mut scrape = Self::default();
        let text = text(address).await;
        for line in text.lines() {
            if let Some(name_and_type) = line.strip_prefix("# TYPE ") {
                let (name, kind) = name_and_type.split_once(' ').unwrap();
                scrape.types.insert(name.to_owned(), kind.to_owned());
            } else if !line.starts_with('#') {
                let (name, value) = line.rsplit_once(' ').unwrap();
                let before = scrape.values.insert(name.to_owned(), value.parse().unwrap());
                assert_eq!(before, None, "{name} is there twice");
            }
        }
        scrape
    }

    /// The values once no batch is on its way to the disk: its saves are counted before its time.
    async fn at_rest(address: &str) -> Self {
        until("the end of a batch", async || {
            let scrape = Self::of(address).await;
            let count = |name: &str| scrape.values[&format!("noughts_store_batch_{name}_count")];
            (count("saves") == count("seconds")).then_some(scrape)
        })
        .await
    }

    #[track_caller]
    fn check(&self, name: &str, expected: f64) {
        let value = self.values.get(name).copied();
        assert_eq!(value, Some(expected), "{name} in {:#?}", self.values);
    }

    /// The names of its values, without labels.
    fn names(&self) -> BTreeSet<&str> {
        self.values.keys().filter_map(|name| name.split('{').next()).collect()
    }
}

#[tokio::test]
async fn what_happened_is_counted() {
    let (server, address) = watched(&["--computer-delay", "0s"]);
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let before = Scrape::of(&address).await;
    before.check("noughts_connections", 2.0);
    before.check("noughts_moves_total", 0.0);
    let code = ada.host().await;
    Scrape::of(&address).await.check("noughts_rooms{state=\"waiting\"}", 1.0);

    bob.join(code, Role::Player).await.unwrap();
    ada.until_running().await;
    let early = bob.move_to(0);
    assert_eq!(bob.ask(early).await, Err(RefusalCode::NotYourTurn));
    let playing = Scrape::of(&address).await;
    playing.check("noughts_rooms{state=\"playing\"}", 1.0);
    playing.check("noughts_rooms{state=\"waiting\"}", 0.0);
    play_out(&mut ada, &mut bob, &[0, 3, 1, 4, 2]).await;
    bob.until_over().await;

    // A computer's moves count as moves, but have no thinking time of a player.
    let computer = Computer { strategy: Strategy::Minimax, strength: Strength::Weak };
    let seat = SeatRequest::Computer(computer);
    let mut eve = server.player("Eve").await;
    let seats = ByMark { x: SeatRequest::You, o: seat };
    eve.create(RoomSettings::default(), seats).await;
    eve.until_running().await;
    eve.play(4).await.unwrap();
    eve.until("the computer's move", |p| p.game().ply() == 2).await;
    eve.resign().await.unwrap();
    eve.until_over().await;

    // A frame that is binary is closed with 1003.
    eve.send_frame(Message::binary(vec![0])).await.unwrap();
    assert_eq!(eve.until_closed().await, CloseCode::Unsupported.number());

    let after = Scrape::at_rest(&address).await;
    after.check("noughts_moves_total", 7.0);
    after.check("noughts_move_seconds_count", 6.0);
    after.check("noughts_move_seconds_bucket{le=\"+Inf\"}", 6.0);
    after.check("noughts_computer_seconds_count", 1.0);
    after.check("noughts_refusals_total{code=\"not_your_turn\"}", 1.0);
    after.check("noughts_refusals_total{code=\"stale\"}", 0.0);
    after.check("noughts_closes_total{code=\"1003\"}", 1.0);
    after.check("noughts_closes_total{code=\"none\"}", 0.0);
    after.check("noughts_rooms{state=\"between_games\"}", 2.0);
    after.check("noughts_outbox_overflows_total", 0.0);
    after.check("noughts_store_failing", 0.0);
    let batches = after.values["noughts_store_batch_saves_count"];
    assert!(batches >= 7.0, "each move waited for a batch of its own: {batches}");
    assert!(after.values["noughts_store_batch_saves_sum"] >= batches);
    for (name, kind) in [
        ("noughts_connections", "gauge"),
        ("noughts_moves_total", "counter"),
        ("noughts_refusals_total", "counter"),
        ("noughts_move_seconds", "histogram"),
    ] {
        assert_eq!(after.types[name], kind);
    }
}

/// A client that disconnects without a close frame has made no error.
#[tokio::test]
async fn an_end_without_a_close_frame_is_counted_as_no_fault() {
    let (server, address) = watched(&[]);
    drop(server.player("Ada").await);
    let close = until("a close", async || {
        let mut values = Scrape::of(&address).await.values.into_iter();
        values.find(|(name, count)| name.starts_with("noughts_closes") && *count > 0.0)
    });
    assert_eq!(close.await, ("noughts_closes_total{code=\"none\"}".to_owned(), 1.0));
}

/// Whatever looks like a metric's name.
fn named(text: &str) -> BTreeSet<&str> {
    let words = text.split(|letter: char| letter != '_' && !letter.is_ascii_alphanumeric());
    words.filter(|word| word.starts_with("noughts_") || word.starts_with("process_")).collect()
}

#[tokio::test]
async fn the_dashboard_shows_every_metric_and_no_other_and_the_alerts_know_no_other() {
    let (_server, address) = watched(&[]);
    let scrape = Scrape::of(&address).await;
    let dashboard = std::fs::read_to_string(DASHBOARD).unwrap();
    let panels: Value = serde_json::from_str(&dashboard).unwrap();
    assert!(panels["panels"].as_array().unwrap().len() > 1);
    assert_eq!(named(&dashboard), scrape.names());
    let alerts = std::fs::read_to_string(ALERTS).unwrap();
    // Those of a cluster are not shown without one.
    let collector = std::fs::read_to_string(COLLECTOR).unwrap();
    let is_there =
        |name: &&str| scrape.names().contains(name) || collector.contains(&format!("\"{name}\""));
    let unknown: Vec<&str> = named(&alerts).into_iter().filter(|name| !is_there(name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    assert!(named(&alerts).contains("noughts_cluster_lease"));
}

/// promtool, if it is there.
fn promtool() -> Option<&'static str> {
    let is_there = |program: &&str| Command::new(program).arg("--version").output().is_ok();
    let found = [PROMTOOL, "promtool"].into_iter().find(is_there);
    if found.is_none() {
        skipped("the check of the alerts", "promtool, as tests/run gets it");
    }
    found
}

#[tokio::test]
async fn promtool_takes_the_alerts_and_the_metrics() {
    let Some(promtool) = promtool() else { return };
    let (_server, address) = watched(&[]);
    let folder = tempfile::tempdir().unwrap();
    let metrics = folder.path().join("metrics");
    std::fs::write(&metrics, text(&address).await).unwrap();
    let mut rules = Command::new(promtool);
    rules.args(["check", "rules", ALERTS]);
    let mut scraped = Command::new(promtool);
    scraped.args(["check", "metrics"]).stdin(std::fs::File::open(&metrics).unwrap());
    for check in [&mut rules, &mut scraped] {
        let output = check.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{said}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_process_is_measured() {
    let (server, address) = watched(&[]);
    let scrape = Scrape::of(&address).await;
    scrape.check("noughts_build_info{version=\"0.1.0\",protocol=\"2\"}", 1.0);
    let memory = noughts_harness::process::resident_kib(server.id()).unwrap() as f64 * 1024.0;
    let ratio = scrape.values["process_resident_memory_bytes"] / memory;
    assert!((0.5..2.0).contains(&ratio), "{ratio}");
    let open = std::fs::read_dir(format!("/proc/{}/fd", server.id())).unwrap().count() as f64;
    let seen = scrape.values["process_open_fds"];
    assert!((seen - open).abs() <= 3.0, "{seen} of {open}");
    assert!(scrape.values["process_max_fds"] >= open);
    assert!(scrape.values["process_cpu_seconds_total"] > 0.0);
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs_f64();
    let age = now - scrape.values["process_start_time_seconds"];
    assert!((0.0..TIMEOUT.as_secs_f64()).contains(&age), "{age}");
    let later = Scrape::of(&address).await;
    later.check("process_start_time_seconds", scrape.values["process_start_time_seconds"]);
}

/// The lines of a log in JSON with a message, by their order.
fn logged(server: &ServerProcess, message: &str) -> Vec<Value> {
    let log = server.log();
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["message"] == message).collect()
}

#[tokio::test]
async fn a_log_in_json_tells_who_came_what_was_refused_and_who_won() {
    let server = ServerProcess::start(&["--log", "info", "--log-format", "json"]);
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    let code = ada.state().code;
    let mut eve = server.player("Eve").await;
    eve.join(code, Role::Spectator).await.unwrap();
    let early = bob.move_to(0);
    assert_eq!(bob.ask(early).await, Err(RefusalCode::NotYourTurn));
    play_out(&mut ada, &mut bob, &[0, 3, 1, 4, 2]).await;
    bob.until_over().await;
    let id = eve.id;
    drop(eve);
    until("her leaving", async || logged(&server, "left").pop()).await;

    let joined = logged(&server, "joined");
    let roles: Vec<_> = joined.iter().map(|line| line["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["player", "player", "spectator"]);
    let [gone] = &logged(&server, "left")[..] else { panic!("{}", server.log()) };
    let who = [&gone["player"], &gone["room"], &gone["connection"]];
    assert_eq!(who[..2], [&json!(id), &json!(code)]);
    assert_eq!(who[2], &joined[2]["connection"]);
    let [refused] = &logged(&server, "refused")[..] else { panic!("{}", server.log()) };
    assert_eq!([&refused["code"], &refused["address"]], ["not_your_turn", "127.0.0.1"]);
    assert_eq!(refused["connection"], joined[1]["connection"]);
    let [over] = &logged(&server, "game over")[..] else { panic!("{}", server.log()) };
    assert_eq!([&over["room"], &over["winner"], &over["how"]], [code.as_str(), "X", "line"]);
    assert!(!server.log().contains("Ada"), "a name is nowhere but in the store");
}

#[tokio::test]
async fn only_metrics_are_there_and_only_where_they_were_asked_for() {
    let (mut server, address) = watched(&["--ephemeral"]);
    for path in ["/", "/ws", "/healthz"] {
        assert_eq!(at(&address).get(path, "").await.0, 404, "{path}");
    }
    let post = "POST /metrics HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    let post = exchange(at(&address).stream().await, post).await;
    assert!(post.starts_with("HTTP/1.1 405"), "{post}");
    assert_eq!(server.get("/metrics", "").await.0, 404);

    // A silent connection does not delay the server.
    let _silent = TcpStream::connect(&address).await.unwrap();
    assert_eq!(server.terminate(), Some(0));
    assert!(TcpStream::connect(&address).await.is_err(), "it stops with the server");
}

#[test]
fn without_the_option_nothing_listens() {
    let server = ServerProcess::start(&["--log", "info", "--no-announce"]);
    assert!(!server.log().contains("metrics"), "{}", server.log());
    #[cfg(target_os = "linux")]
    assert_eq!(listening(server.id()), 1, "the players' port alone");
    #[cfg(target_os = "linux")]
    assert_eq!(listening(watched(&["--no-announce"]).0.id()), 2);
}

#[test]
fn a_taken_address_names_the_option_that_changes_it() {
    let (_server, taken) = watched(&[]);
    let data = tempfile::tempdir().unwrap();
    let data = data.path().to_str().unwrap();
    let rest = ["--bind", "127.0.0.1:0", "--data-dir", data, "--metrics-bind", &taken];
    let said = check_refused(&rest, "--metrics-bind 127");
    assert!(said.contains("is taken"), "{said}");
    let same = ["--metrics-bind", "127.0.0.1:7333", "--data-dir", data];
    check_refused(&same, "--metrics-bind: players are there");
    let said = server_says(1, &[&["check"], &rest[..]].concat());
    assert!(said.contains("problem: port ") && said.contains("--metrics-bind"), "{said}");
}
