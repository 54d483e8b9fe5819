//! `protocol/js`: its archive in an empty project, the types that a consumer sees, its bot, and its examples in a
//! browser, which another server than Noughts serves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use axum::Router;
use axum::extract::Path as Asked;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use noughts_harness::player::{listed, play_to_the_end};
use noughts_harness::process::succeeds;
use noughts_harness::skip::skipped;
use noughts_harness::{Device, Pipe, Player, Tab, TestServer};
use tokio::net::TcpListener;

use super::LICENSE;

const PACKAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../protocol/js");
const TOOLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/page/node_modules/.bin");
const README: &str = include_str!("../../../protocol/js/README.md");
const BOT: &str = include_str!("../../../protocol/js/examples/bot.js");

/// A program with the type checker of `tests/page` in its path.
fn command(program: &str, folder: &Path) -> Command {
    let path = format!("{TOOLS}:{}", std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new(program);
    command.current_dir(folder).env("PATH", path);
    command
}

/// Node's options for a WebSocket. `None` if there is no Node, or no npm.
fn node_options() -> Option<Vec<&'static str>> {
    let version = Command::new("node").arg("--version").output().ok()?;
    Command::new("npm").arg("--version").output().ok()?;
    let version =
        String::from_utf8_lossy(&version.stdout).trim().trim_start_matches('v').to_owned();
    let major: u32 = version.split('.').next()?.parse().ok()?;
    Some(if major < 22 { vec!["--experimental-websocket"] } else { Vec::new() })
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// An empty project with the package, installed from its archive without a registry.
fn project(place: &Path) -> PathBuf {
    let package = place.join("package");
    copy(Path::new(PACKAGE), &package);
    let project = place.join("project");
    fs::create_dir(&project).unwrap();
    fs::write(project.join("package.json"), "{\"type\": \"module\", \"private\": true}").unwrap();
    let pack = ["pack", "--pack-destination", "../project"];
    succeeds(command("npm", &package).args(pack));
    let install = ["install", "--offline", "--no-audit", "--no-fund", "./noughts-client-0.1.0.tgz"];
    succeeds(command("npm", &project).args(install));
    let license = project.join("node_modules/@noughts/client/LICENSE");
    assert_eq!(fs::read_to_string(license).unwrap(), LICENSE);
    project
}

/// Checks a consumer with the strict type checker.
fn check(project: &Path, program: &str, wrong: Option<&str>) {
    fs::write(project.join("consumer.ts"), program).unwrap();
    let options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024"];
    let checker = &mut command("tsc", project);
    let output = checker.args(options).args(["--lib", "es2024,dom", "consumer.ts"]).output();
    let output = output.unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.success(), wrong.is_none(), "{program}{text}");
    assert!(text.contains(wrong.unwrap_or("")), "{text}");
}

#[test]
fn the_readme_of_the_javascript_package_shows_its_bot() {
    let (_, after) = README.split_once("```js\n").unwrap();
    assert_eq!(after.split_once("```").unwrap().0, BOT, "copy examples/bot.js into README.md");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_javascript_package_is_installed_and_its_bot_plays() {
    let Some(options) = node_options().filter(|_| Path::new(TOOLS).join("tsc").exists()) else {
        return skipped("the JavaScript package", "Node, npm and the checkers of tests/page");
    };
    let place = tempfile::tempdir().unwrap();
    let project = project(place.path());
    let head = "import { connect, type Room } from \"@noughts/client\";\n\
                const client = connect(\"http://127.0.0.1:7333\", { name: \"Ada\" });\n";
    let right = "client.on(\"turn\", ({ room }: { room: Room }) => room.game?.moves.length);\n\
                 const room: Room = await client.create();\nclient.play(room.score.x);\n";
    check(&project, &format!("{head}{right}"), None);
    check(&project, &format!("{head}client.play(\"a1\");\n"), Some("TS2345"));
    check(&project, &format!("{head}client.on(\"tea\", () => {{}});\n"), Some("TS2345"));

    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    let code = ada.host().await.to_string();
    fs::write(project.join("bot.js"), BOT).unwrap();
    let address = format!("http://{}", server.address());
    let mut node = command("node", &project);
    let mut bot = Pipe::start(node.args(options).args(["bot.js", &address, &code, "Jo"]));
    play_to_the_end(&mut ada).await;
    bot.wait_for("The score is");
    ada.until("its offer", |p| p.presence.rematch.is_some()).await;
    ada.rematch(true).await.unwrap();
    play_to_the_end(&mut ada).await;
}

/// A file of the package, at its path.
async fn file(Asked(path): Asked<String>) -> Response {
    let Ok(content) = fs::read(Path::new(PACKAGE).join(&path)) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let kind = if path.ends_with(".html") { "text/html" } else { "text/javascript" };
    ([(header::CONTENT_TYPE, kind)], content).into_response()
}

/// Serves the package's folder as a host of web pages does; returns its origin.
async fn serve_package() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let files = Router::new().route("/{*path}", get(file));
    tokio::spawn(axum::serve(listener, files).into_future());
    origin
}

#[tokio::test]
async fn the_examples_of_a_board_and_a_wall_run_on_a_page_of_another_host() {
    for example in ["board.html", "wall.html"] {
        let text = fs::read_to_string(Path::new(PACKAGE).join("examples").join(example)).unwrap();
        assert!(text.lines().count() <= 40, "{example} has {} lines", text.lines().count());
    }
    let origin = serve_package().await;
    let server = TestServer::start(&["--allow-origin", &origin]).await;
    let address = format!("http://{}", server.address());
    let mut ada = server.player("Ada").await;
    let room = ada.host().await;
    let board = format!("{origin}/examples/board.html?server={address}&name=Ben&room={room}");
    let tab = Tab::new(Device::LAPTOP).await;
    tab.goto_any(&board).await;
    ada.until("my turn", Player::is_my_turn).await;
    ada.play(4).await.unwrap();
    tab.until_text("Your turn").await;
    tab.button("1*").await;
    ada.until("his move", Player::is_my_turn).await;
    assert_eq!(ada.game().board().empty_cells().count(), 7);

    let (mut first, _second) = server.pair(listed()).await;
    let wall = tab.another().await;
    wall.goto_any(&format!("{origin}/examples/wall.html?server={address}")).await;
    wall.until_text("Ada 0 : 0 Bob").await;
    first.until("my turn", Player::is_my_turn).await;
    first.play(4).await.unwrap();
    wall.until_text("· x ·").await;
    wall.done().await;
    tab.done().await;
}
