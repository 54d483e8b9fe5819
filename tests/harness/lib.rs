//! What the end-to-end tests run on: servers in process and as processes, a typed player that keeps
//! a model of what it has seen, terminals, tabs of a real browser, and bots on a bad network. The
//! tests themselves are in `e2e/`.

#![expect(clippy::unwrap_used, reason = "in a test's harness a failure is a failed test")]

pub mod bot;
pub mod browser;
pub mod cable;
pub mod engine;
pub mod fake;
pub mod ledger;
pub mod memory;
pub mod missing;
pub mod network;
pub mod picture;
pub mod pipe;
pub mod player;
pub mod process;
pub mod proxy;
pub mod server;
pub mod terminal;
pub mod timed;
pub mod tls;
pub mod told;
pub mod weather;
pub mod world;

pub use browser::{Device, Tab, Traffic};
pub use cable::Cable;
pub use engine::{Engine, has_firefox, has_webkit};
pub use network::{Lan, Machine};
pub use pipe::Pipe;
pub use player::{Answer, Player};
pub use process::ServerProcess;
pub use server::TestServer;
pub use terminal::Terminal;

use std::time::Duration;

use futures::FutureExt;

/// How long a test waits for something to happen before it fails.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The longest that a test waits for a program that goes on writing all the while.
pub const LONGEST: Duration = Duration::from_secs(120);

/// [`PATIENCE`] in virtual time, where waiting costs nothing: longer than any limit under test.
pub const VIRTUAL_PATIENCE: Duration = Duration::from_secs(48 * 3600);

/// Lets virtual time pass, with all that happens in it.
///
/// # Panics
/// In real time, where a test waits for what it can observe instead.
pub async fn let_pass(time: Duration) {
    // Advancing by nothing changes nothing, and panics where the clock is not paused.
    let _ = tokio::time::advance(Duration::ZERO).now_or_never();
    pace(time).await;
}

/// Lets time pass, virtual or real, for what has a pace of its own: bots, networks, load. Tests
/// do not wait with it.
pub async fn pace(time: Duration) {
    drop(tokio::time::timeout(time, std::future::pending::<()>()).await);
}
