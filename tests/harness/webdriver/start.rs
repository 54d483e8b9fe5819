//! Starts Firefox and `WebKit`'s driver, each on a port or address of its own and with a temporary profile.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::Stdio;

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::{Duration, timeout};

use super::protocol::Transport;
use crate::network::own_network;
use crate::until;

/// The limit for a start: browsers start slowly on a loaded machine.
const START_TIME: Duration = Duration::from_secs(60);

/// The port of `WebKit`'s driver, on an address of its own.
const DRIVER_PORT: u16 = 4444;

/// Preferences that keep Firefox from connecting to the Internet.
const PREFERENCES: &str = r#"user_pref("marionette.port", 0);
user_pref("app.normandy.enabled", false);
user_pref("app.update.enabled", false);
user_pref("browser.safebrowsing.malware.enabled", false);
user_pref("browser.safebrowsing.phishing.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("extensions.update.enabled", false);
user_pref("intl.accept_languages", "en-GB");
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "http://127.0.0.1:9/");
user_pref("ui.prefersReducedMotion", 1);
"#;

/// The processes of a browser. Dropping this kills them.
#[derive(Debug)]
pub(super) struct BrowserProcesses {
    _processes: Vec<Child>,
    _profile: TempDir,
}

/// A program on the search path: the first of these names that is there.
pub(crate) fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut places = names.iter().flat_map(|name| {
        std::env::split_paths(&path).map(move |folder| folder.join(name)).collect::<Vec<_>>()
    });
    places.find(|place| place.is_file())
}

fn firefox_program() -> Option<PathBuf> {
    find(&["firefox-esr", "firefox"])
}

/// Whether Firefox is here.
#[must_use]
pub fn has_firefox() -> bool {
    firefox_program().is_some()
}

/// Whether `WebKit`'s driver is here, and Xvfb, which gives it a screen.
#[must_use]
pub fn has_webkit() -> bool {
    find(&["WebKitWebDriver"]).is_some() && find(&["Xvfb"]).is_some()
}

/// A command without input and output that is killed when its handle is dropped.
fn quiet(program: &PathBuf, home: &TempDir) -> Command {
    let mut command = Command::new(program);
    command.env("HOME", home.path()).stdout(Stdio::null()).stderr(Stdio::null());
    command.stdin(Stdio::null()).kill_on_drop(true);
    command
}

pub(super) async fn firefox() -> (BrowserProcesses, Transport) {
    let profile = tempfile::tempdir().unwrap();
    fs::write(profile.path().join("user.js"), PREFERENCES).unwrap();
    let mut command = quiet(&firefox_program().unwrap(), &profile);
    command.args(["--headless", "--marionette", "--no-remote", "--profile"]).arg(profile.path());
    let child = command.spawn().unwrap();
    let file = profile.path().join("MarionetteActivePort");
    let port = until("Firefox", async || fs::read_to_string(&file).ok()?.trim().parse().ok()).await;
    let transport = Transport::marionette(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await;
    (BrowserProcesses { _processes: vec![child], _profile: profile }, transport)
}

pub(super) async fn webkit() -> (BrowserProcesses, Transport) {
    let profile = tempfile::tempdir().unwrap();
    let mut screen = quiet(&find(&["Xvfb"]).unwrap(), &profile);
    screen.args(["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]);
    let mut screen = screen.stdout(Stdio::piped()).spawn().unwrap();
    // Xvfb chooses a free display and prints its number.
    let mut number = String::new();
    let said = screen.stdout.take().unwrap();
    timeout(START_TIME, BufReader::new(said).read_line(&mut number)).await.unwrap().unwrap();

    // The driver does not accept port 0, but any address.
    let [second, third] = own_network();
    let address = SocketAddr::from(([127, second, third, 1], DRIVER_PORT));
    let mut driver = quiet(&find(&["WebKitWebDriver"]).unwrap(), &profile);
    driver.arg(format!("--host={}", address.ip())).arg(format!("--port={DRIVER_PORT}"));
    driver.env("DISPLAY", format!(":{}", number.trim()));
    driver.env("GDK_BACKEND", "x11").env("LANG", "en_GB.UTF-8").env_remove("WAYLAND_DISPLAY");
    let driver = driver.spawn().unwrap();
    until("WebKit", async || TcpStream::connect(address).await.ok()).await;
    // The screen is killed last: that also ends a browser that its driver has left behind.
    (
        BrowserProcesses { _processes: vec![driver, screen], _profile: profile },
        Transport::http(address),
    )
}
