//! What a service manager is told: that the server listens, and that it stops. Where none has asked
//! (`NOTIFY_SOCKET`, `sd_notify(3)`), nobody is told anything.

use std::net::SocketAddr;

/// The server listens.
#[cfg(target_os = "linux")]
pub fn ready(bound: SocketAddr) {
    let status = format!("Listening on {bound}");
    tell(&[sd_notify::NotifyState::Ready, sd_notify::NotifyState::Status(&status)]);
}

/// The server stops: it tells every connection, and lets the journal finish.
#[cfg(target_os = "linux")]
pub fn stopping() {
    tell(&[sd_notify::NotifyState::Stopping]);
}

#[cfg(target_os = "linux")]
fn tell(states: &[sd_notify::NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "the service manager could not be told");
    }
}

/// The server listens. Only Linux has somebody to tell.
#[cfg(not(target_os = "linux"))]
pub const fn ready(_: SocketAddr) {}

/// The server stops.
#[cfg(not(target_os = "linux"))]
pub const fn stopping() {}
