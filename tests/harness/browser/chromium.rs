//! The Chromium process that the tests of one binary share. The first test that needs it starts it; the
//! last one that uses it ends it.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::devtools::DevTools;
use crate::webdriver::find;

/// The limit for a start: several may start on a loaded machine.
const LAUNCH_TIME: Duration = Duration::from_secs(60);

/// The limit for an end.
const CLOSE_TIME: Duration = Duration::from_secs(10);

/// The flags. It uses neither the Internet nor the graphics card, asks nothing, and treats a tab in the background as
/// one in sight. It shows this project's page alone, and has no sandbox for root.
const FLAGS: [&str; 28] = [
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-features=TranslateUI",
    "--disable-gpu",
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
    "--disable-quic",
    "--disable-renderer-backgrounding",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--force-color-profile=srgb",
    "--headless=new",
    "--hide-scrollbars",
    "--lang=en_US",
    "--mute-audio",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-sandbox",
    "--password-store=basic",
    "--remote-debugging-port=0",
];

/// The programs to look for in `PATH`, the best one first. The one without a window needs a third of the time (31 and
/// 96 s of processor time for 29 tests of the page).
const PROGRAMS: [&str; 6] = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
];

/// Where macOS has them.
const APPLICATIONS: [&str; 2] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

static SHARED: Mutex<Weak<Chromium>> = Mutex::new(Weak::new());

/// A running Chromium. A thread with its own runtime drives it, since each test has another runtime.
#[derive(Debug)]
pub(super) struct Chromium {
    pub(super) devtools: Arc<DevTools>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Chromium {
    /// The shared process, started if there is none.
    pub(super) fn shared() -> Arc<Self> {
        let mut shared = SHARED.lock();
        if let Some(running) = shared.upgrade() {
            return running;
        }
        let chromium = Arc::new(Self::start());
        *shared = Arc::downgrade(&chromium);
        chromium
    }

    fn start() -> Self {
        let (ready, started) = std::sync::mpsc::sync_channel(1);
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async move {
                let profile = TempDir::new().unwrap();
                let (mut process, address) = launch(&profile).await;
                let devtools = Arc::new(DevTools::connect(&address).await);
                ready.send(Arc::clone(&devtools)).unwrap();
                drop(stopped.await);
                // Debian's command is a script. Killing it would leave the browser running, so the browser is asked to
                // end first.
                let closing = devtools.send(None, "Browser.close", json!({}));
                drop(timeout(CLOSE_TIME, closing).await);
                if timeout(CLOSE_TIME, process.wait()).await.is_err() {
                    process.kill().await.unwrap();
                }
            });
        });
        let devtools = started.recv().expect("Chromium did not start: what it said is above");
        Self { devtools, stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// The program; `CHROME` names another one.
fn program() -> Option<PathBuf> {
    if let Some(chosen) = std::env::var_os("CHROME") {
        return Some(chosen.into());
    }
    let installed =
        || APPLICATIONS.map(PathBuf::from).into_iter().find(|program| program.is_file());
    find(&PROGRAMS).or_else(installed)
}

/// Starts it. Returns the process and the address of its `DevTools`.
async fn launch(profile: &TempDir) -> (Child, String) {
    let program = program().expect("install Chromium, for example: tests/run as root");
    let mut process = Command::new(program)
        .args(FLAGS)
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
    let told = async {
        let mut said = String::new();
        while let Some(line) = lines.next_line().await.unwrap() {
            if let Some(address) = line.strip_prefix("DevTools listening on ") {
                return address.to_owned();
            }
            said += &format!("\n{line}");
        }
        panic!("Chromium ended:{said}");
    };
    let address = timeout(LAUNCH_TIME, told).await.expect("Chromium starts");
    // A task reads what Chromium writes later: a full pipe would stop it.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    (process, address)
}
