//! The Rust packages: the bot of the README, built of the archives in an empty project, and what a client is
//! told when something cannot be done.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use noughts_client::address::Link;
use noughts_client::connection::Destination;
use noughts_client::{AskError, Client, ConnectError};
use noughts_harness::player::play_to_the_end;
use noughts_harness::process::succeeds;
use noughts_harness::{Pipe, ServerProcess};
use noughts_protocol::{GameId, LobbyIntent, RefusalCode, Role, RoomCode, RoomIntent};

use super::LICENSE;

const MANIFEST: &str = r#"
[package]
name = "bot"
version = "0.1.0"
edition = "2024"

[dependencies]
noughts-client = { path = "noughts-client-0.1.0", features = ["connect"] }
anyhow = "1"
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }

[patch.crates-io]
noughts-protocol = { path = "noughts-protocol-0.1.0" }

[workspace]
"#;

#[track_caller]
fn run(command: &mut Command) {
    // The compiler of a stranger has no lints of ours.
    succeeds(command.env_remove("RUSTC_WORKSPACE_WRAPPER").env_remove("CLIPPY_ARGS"));
}

/// Packs both packages and builds the README's bot of them. Its dependencies stay built in the
/// target folder, and nothing is fetched.
fn build_bot() -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let target = workspace.join("target/packages");
    let project = tempfile::tempdir().unwrap();
    let pack = ["package", "--offline", "--no-verify", "--allow-dirty"];
    let packages = ["--package", "noughts-protocol", "--package", "noughts-client"];
    let mut cargo = Command::new("cargo");
    let cargo = cargo.args(pack).args(packages).current_dir(workspace);
    run(cargo.env("CARGO_TARGET_DIR", &target));
    for package in ["noughts-protocol", "noughts-client"] {
        let archive = target.join(format!("package/{package}-0.1.0.crate"));
        run(Command::new("tar").arg("xzf").arg(archive).current_dir(project.path()));
        let license = project.path().join(format!("{package}-0.1.0/LICENSE"));
        assert_eq!(fs::read_to_string(license).unwrap(), LICENSE);
    }
    let readme = fs::read_to_string(project.path().join("noughts-client-0.1.0/README.md")).unwrap();
    let (_, after) = readme.split_once("```rust,no_run\n").unwrap();
    let (bot, _) = after.split_once("```").unwrap();
    fs::create_dir(project.path().join("src")).unwrap();
    fs::write(project.path().join("src/main.rs"), bot).unwrap();
    fs::write(project.path().join("Cargo.toml"), MANIFEST).unwrap();
    fs::copy(workspace.join("Cargo.lock"), project.path().join("Cargo.lock")).unwrap();
    let mut cargo = Command::new("cargo");
    let cargo = cargo.args(["build", "--offline"]).current_dir(project.path());
    run(cargo.env("CARGO_TARGET_DIR", &target));
    target.join("debug/bot")
}

#[tokio::test]
async fn the_bot_of_the_readme_plays_two_games() {
    let server = ServerProcess::start(&[]);
    let mut bot = Pipe::start(Command::new(build_bot()).arg(server.address().to_string()));
    let link: Link = bot.wait_for("play me at").split_once("at ").unwrap().1.parse().unwrap();
    let mut ada = server.player("Ada").await;
    ada.join(link.room.unwrap(), Role::Player).await.unwrap();
    for game in 1..=2 {
        ada.until("the next game", |p| p.number() == game && p.result().is_none()).await;
        play_to_the_end(&mut ada).await;
        ada.until("its offer", |p| p.presence.rematch.is_some()).await;
        ada.rematch(true).await.unwrap();
    }
}

#[test]
fn the_readme_shows_the_example() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol/rust");
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    let example = fs::read_to_string(folder.join("examples/bot.rs")).unwrap();
    let (_, code) = example.split_once("\n\n").unwrap();
    assert!(readme.contains(code), "copy examples/bot.rs into protocol/rust/README.md");
}

#[tokio::test]
async fn a_client_is_told_why_it_cannot_do_something() {
    let server = ServerProcess::start(&[]);
    let link: Link = server.address().to_string().parse().unwrap();
    let destination = Destination::new(link.server, "Ada".parse().unwrap());
    let mut client = Client::connect(destination.clone()).await.unwrap();
    let room: RoomCode = "BBBBB".parse().unwrap();
    let join = client.ask(LobbyIntent::Join { room, role: Role::Player }).await;
    let lookup = client.ask(LobbyIntent::Game { game: GameId(1) }).await;
    for (answer, why) in [(join, RefusalCode::NoSuchRoom), (lookup, RefusalCode::NoSuchGame)] {
        assert!(
            matches!(&answer, Err(AskError::Refused(refusal)) if refusal.code == why),
            "{answer:?}"
        );
    }
    let leave = client.ask(RoomIntent::Leave).await;
    assert!(matches!(leave, Err(AskError::Blocked(_))), "{leave:?}");
    client.ask(LobbyIntent::WatchLobby).await.unwrap();
    client.close().await;
    drop(server);
    let gone = Client::connect(destination).await;
    assert!(matches!(gone, Err(ConnectError::Ended(_))), "{gone:?}");
}
