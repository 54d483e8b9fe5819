//! The Chromium process that the tests of one binary share: started by the first test that needs
//! it, ended with the last one that uses it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use chromiumoxide::browser::{Browser, BrowserConfig};
use futures::StreamExt;
use tempfile::TempDir;
use tokio::sync::oneshot;

/// How long it may take to come up; several may start on a loaded machine.
const LAUNCH_TIME: Duration = Duration::from_secs(60);

/// What keeps it from asking the Internet or the graphics card.
const FLAGS: [&str; 6] = [
    "disable-background-networking",
    "disable-component-update",
    "disable-gpu",
    "disable-quic",
    "disable-search-engine-choice-screen",
    "no-default-browser-check",
];

static SHARED: Mutex<Weak<Chromium>> = Mutex::new(Weak::new());

/// A running Chromium, driven by a thread with a runtime of its own, since each test has another.
#[derive(Debug)]
pub(super) struct Chromium {
    browser: Option<Arc<Browser>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Chromium {
    /// The one that other tests use, or a new one.
    pub(super) fn shared() -> Arc<Self> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
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
                tokio::select! {
                    () = driving => {}
                    _ = stopped => {}
                }
                if let Some(mut browser) = Arc::into_inner(browser) {
                    browser.kill().await.unwrap().unwrap();
                }
            });
        });
        let browser = started.recv().expect("Chromium did not start: what it said is above");
        Self { browser: Some(browser), stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // The thread's is then the last one, with which the process ends.
        self.browser = None;
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// The Chromium that has no window at all, where it is installed. The same page takes it a third of
/// the time (31 and 96 s of CPU for 29 tests of the page). `CHROME` names another.
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
        // It shows this project's page alone, and root has no sandbox.
        .no_sandbox()
        .user_data_dir(profile.path())
        .launch_timeout(LAUNCH_TIME)
        .viewport(None)
        .args(FLAGS)
        .build()
        .unwrap_or_else(|error| panic!("{error}\ninstall Chromium, for example: tests/run as root"))
}
