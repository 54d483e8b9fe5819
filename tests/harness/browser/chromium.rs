//! The Chromium process that the tests of one binary share. The first test that needs it starts it; the
//! last one that uses it ends it.

use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use chromiumoxide::browser::{Browser, BrowserConfig};
use futures::StreamExt;
use parking_lot::Mutex;
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// The limit for a start: several may start on a loaded machine.
const LAUNCH_TIME: Duration = Duration::from_secs(60);

/// The limit for an end.
const CLOSE_TIME: Duration = Duration::from_secs(10);

/// Flags that keep it from using the Internet and the graphics card.
const FLAGS: [&str; 6] = [
    "disable-background-networking",
    "disable-component-update",
    "disable-gpu",
    "disable-quic",
    "disable-search-engine-choice-screen",
    "no-default-browser-check",
];

static SHARED: Mutex<Weak<Chromium>> = Mutex::new(Weak::new());

/// A running Chromium. A thread with its own runtime drives it, since each test has another runtime.
#[derive(Debug)]
pub(super) struct Chromium {
    browser: Option<Arc<Browser>>,
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

    pub(super) fn browser(&self) -> &Browser {
        self.browser.as_ref().unwrap()
    }

    fn start() -> Self {
        let (ready, started) = std::sync::mpsc::sync_channel(1);
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async move {
                let profile = TempDir::new().unwrap();
                let (browser, mut handler) = Browser::launch(config(&profile)).await.unwrap();
                let browser = Arc::new(browser);
                ready.send(Arc::clone(&browser)).unwrap();
                let driving = async { while handler.next().await.is_some() {} };
                let mut driving = std::pin::pin!(driving);
                tokio::select! {
                    () = &mut driving => {}
                    _ = stopped => {}
                }
                if let Some(mut browser) = Arc::into_inner(browser) {
                    // Debian's command is a script. Killing it would leave the browser running, so
                    // the browser is asked to end first.
                    let closing = async {
                        tokio::select! {
                            () = driving => {}
                            _ = browser.close() => {}
                        }
                    };
                    drop(timeout(CLOSE_TIME, closing).await);
                    if timeout(CLOSE_TIME, browser.wait()).await.is_err() {
                        browser.kill().await.unwrap().unwrap();
                    }
                }
            });
        });
        let browser = started.recv().expect("Chromium did not start: what it said is above");
        Self { browser: Some(browser), stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // The thread now has the last reference, whose drop ends the process.
        self.browser = None;
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// The Chromium without a window, if it is installed. It needs a third of the time (31 and 96 s of CPU
/// for 29 tests of the page). `CHROME` overrides it.
fn headless_shell() -> Option<PathBuf> {
    if std::env::var_os("CHROME").is_some() {
        return None;
    }
    let folders = std::env::var_os("PATH")?;
    let shells = std::env::split_paths(&folders).map(|path| path.join("chromium-headless-shell"));
    shells.into_iter().find(|shell| shell.is_file())
}

fn config(profile: &TempDir) -> BrowserConfig {
    let mut builder = BrowserConfig::builder();
    if let Some(shell) = headless_shell() {
        builder = builder.chrome_executable(shell);
    }
    builder
        .new_headless_mode()
        // It shows this project's page alone, and Chromium has no sandbox for root.
        .no_sandbox()
        .user_data_dir(profile.path())
        .launch_timeout(LAUNCH_TIME)
        .viewport(None)
        .args(FLAGS)
        .build()
        .unwrap_or_else(|error| panic!("{error}\ninstall Chromium, for example: tests/run as root"))
}
