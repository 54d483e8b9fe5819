//! The package for Python: its wheel, its own tests, its types, and its bot in a room.

use std::path::{Path, PathBuf};
use std::process::Command;

use noughts_harness::player::{listed, play_again, play_out, play_to_the_end};
use noughts_harness::process::succeeds;
use noughts_harness::skip::skipped;
use noughts_harness::{Pipe, ServerProcess, TestServer};
use noughts_protocol::{HISTORY_PAGE, Role};

use super::LICENSE;

/// Reads by HTTP what the server shows to everybody, and follows the one room until it is closed.
const READER: &str = r#"
import sys, noughts

server = noughts.Server(sys.argv[1])
games = list(server.games(sys.argv[2]))
ids = {game["summary"]["id"] for game in games}
print(len(games), "games,", len(ids), "ids", flush=True)
assert server.game(games[-1]["summary"]["id"]) == games[-1]
assert server.player(sys.argv[2])["tally"]["wins"] == len(games)
[room] = server.rooms()["playing"]
for message in server.watch_room(room["room"]):
    print(message["type"], message.get("event"), flush=True)
"#;

/// A wheel that is installed in a folder of its own.
struct Installed {
    folder: tempfile::TempDir,
}

impl Installed {
    /// Builds and installs it. Without pip or what `tests/run` fetches by it, the test is skipped.
    fn new(test: &str) -> Option<Self> {
        let import =
            "import sys, pip, flit_core, mypy, websockets; assert sys.version_info >= (3, 11)";
        let found = python(&[]).args(["-c", import]).output();
        if !found.is_ok_and(|output| output.status.success()) {
            skipped(test, "Python 3.11, pip, and target/python, which tests/run fills");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let wheels = folder.path().join("wheels");
        let pip = |args: &[&str]| {
            let quiet = ["-m", "pip", "--quiet", "--disable-pip-version-check"];
            succeeds(python(&[]).args(quiet).args(args).args(["--no-deps", "--no-index"]));
        };
        let package = package();
        let package = package.to_str().unwrap();
        pip(&["wheel", "--no-build-isolation", "-w", wheels.to_str().unwrap(), package]);
        let built: Vec<_> = std::fs::read_dir(&wheels).unwrap().collect();
        assert_eq!(built.len(), 1, "one wheel: {built:?}");
        let wheel = built[0].as_ref().unwrap().path();
        let target = folder.path().join("installed");
        pip(&["install", "--target", target.to_str().unwrap(), wheel.to_str().unwrap()]);
        let license = target.join("noughts-0.1.0.dist-info/licenses/LICENSE");
        assert_eq!(std::fs::read_to_string(license).unwrap(), LICENSE);
        Some(Self { folder })
    }

    /// Python in the empty folder, with the package.
    fn python(&self) -> Command {
        let mut command = python(&[self.folder.path().join("installed")]);
        command.current_dir(self.folder.path());
        command
    }
}

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol/python")
}

/// Python with folders and what `tests/run` has fetched.
fn python(folders: &[PathBuf]) -> Command {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    let fetched = [target.join("python"), target.join("bots")];
    let mut command = Command::new("python3");
    command.env("PYTHONPATH", std::env::join_paths(folders.iter().chain(&fetched)).unwrap());
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

#[test]
fn the_wheel_lives_all_stories_and_passes_its_tests() {
    let Some(installed) = Installed::new("the tests of the Python package") else {
        return;
    };
    let tests = package().join("tests");
    let said = succeeds(installed.python().args(["-m", "unittest", "discover"]).arg(tests));
    assert!(said.contains("stories"), "{said}");
}

#[test]
fn the_types_of_the_wheel_are_checked_with_the_examples() {
    let Some(installed) = Installed::new("the types of the Python package") else {
        return;
    };
    let mut mypy = installed.python();
    mypy.args(["-m", "mypy", "--strict", "--package", "noughts"]);
    succeeds(&mut mypy);
    let examples = package().join("examples");
    succeeds(installed.python().args(["-m", "mypy", "--strict"]).arg(examples));
}

#[tokio::test]
async fn the_bot_of_the_package_plays_a_series_and_survives_a_killed_server() {
    let Some(installed) = Installed::new("the bot of the Python package") else {
        return;
    };
    let server = ServerProcess::start(&[]);
    let mut ada = server.player("Ada").await;
    let code = ada.host().await;
    let mut command = installed.python();
    command.arg(package().join("examples/bot.py"));
    command.args([&format!("http://{}", server.address()), &code.to_string().to_lowercase()]);
    let _bot = Pipe::start(&mut command);

    play_to_the_end(&mut ada).await;
    ada.until("its offer", |p| p.presence.rematch.is_some()).await;
    ada.rematch(true).await.unwrap();
    ada.until("the second game", |p| p.number() == 2 && p.result().is_none()).await;

    let token = ada.token.clone();
    let server = server.restart();
    let mut ada = server.returning("Ada", Some(token)).await;
    ada.join(code, Role::Player).await.unwrap();
    play_to_the_end(&mut ada).await;
    ada.until("its offer", |p| p.presence.rematch.is_some()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_package_reads_games_page_by_page_and_the_events_of_a_room() {
    let Some(installed) = Installed::new("what the Python package reads") else {
        return;
    };
    let server = TestServer::keeping(&["--intents-per-second", "100000"]).await;
    let (mut ada, mut bob) = server.pair(listed()).await;
    for _ in 0..=HISTORY_PAGE {
        play_out(&mut ada, &mut bob, &[4]).await;
        bob.resign().await.unwrap();
        play_again(&mut ada, &mut bob).await;
    }
    let mut command = installed.python();
    let address = format!("http://{}", server.address());
    let mut reader = Pipe::start(command.args(["-c", READER, &address, &ada.id.to_string()]));
    reader.wait_for(&format!("{0} games, {0} ids", HISTORY_PAGE + 1));
    reader.wait_for("snapshot None");
    play_out(&mut ada, &mut bob, &[7]).await;
    reader.wait_for("'cell': 7");
    ada.leave().await.unwrap();
    bob.leave().await.unwrap();
    reader.wait_for("'closed'");
    assert_eq!(reader.wait_exit(), 0);
}
