//! The harness of the end-to-end tests: servers in process and as processes, a typed player that
//! keeps a model of its room, terminals, browser tabs, bots, networks with faults, and a checker of
//! histories. The tests themselves are in `e2e/`.

#![expect(clippy::unwrap_used, reason = "in a test's harness a failure is a failed test")]

pub mod bot;
pub mod browser;
pub mod checker;
pub mod fake_server;
pub mod fault_injector;
pub mod fault_proxy;
pub mod history;
pub mod memory;
pub mod nats;
pub mod network;
pub mod ordered_watch;
pub mod party;
pub mod picture;
pub mod pipe;
pub mod player;
pub mod process;
pub mod python;
pub mod server;
pub mod skip;
pub mod ssh;
pub mod stranger;
pub mod terminal;
pub mod tls;
pub mod webdriver;
pub mod world;

pub use browser::{Device, Tab, Traffic, cell_at};
pub use fault_proxy::FaultProxy;
pub use nats::NatsServers;
pub use network::{Lan, Machine};
pub use pipe::Pipe;
pub use player::{Answer, Player};
pub use process::{Running, ServerProcess};
pub use server::{TestServer, exchange};
pub use ssh::{Door, Visitor};
pub use stranger::Stranger;
pub use terminal::Terminal;
pub use webdriver::{WebDriverBrowser, has_firefox, has_webkit};

use std::time::Duration;

use futures::FutureExt;

/// How long a test waits for an event before it fails. A busy machine takes many times as long as an idle
/// one, and waiting longer costs nothing where the event comes.
pub const TIMEOUT: Duration = Duration::from_secs(120);

/// The longest wait for a program that writes all the while.
pub const LONG_TIMEOUT: Duration = Duration::from_secs(300);

/// [`TIMEOUT`] in virtual time, where waiting costs nothing: longer than any limit under test.
pub const VIRTUAL_TIMEOUT: Duration = Duration::from_secs(48 * 3600);

/// Advances virtual time, task by task: every timer on the way fires at its own moment.
///
/// # Panics
/// In real time, where a test waits for an event instead.
pub async fn advance_time(time: Duration) {
    // Advancing by nothing changes nothing, and panics if the clock is not paused.
    let _ = tokio::time::advance(Duration::ZERO).now_or_never();
    delay(time).await;
}

/// Looks again and again until there is a value, in real time.
///
/// # Panics
/// If there is none in time.
pub async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let looking = async {
        loop {
            if let Some(found) = look().await {
                return found;
            }
            delay(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(TIMEOUT, looking).await.unwrap_or_else(|_| panic!("waited for {what}"))
}

/// Waits, in virtual or real time. For bots, networks and load, which have a rate of their own;
/// tests wait for events.
pub async fn delay(time: Duration) {
    drop(tokio::time::timeout(time, std::future::pending::<()>()).await);
}
