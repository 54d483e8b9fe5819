//! What a service manager is told: that the server listens, that its journal fails, and that it
//! stops. Where none has asked
//! (`NOTIFY_SOCKET`, `sd_notify(3)`), nobody is told anything. Also the log's lines for systemd's
//! journal; what is logged is said where it happens.

use std::fmt;
use std::net::SocketAddr;

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::format::{Format, FormatEvent, FormatFields, Full, Writer};
use tracing_subscriber::fmt::{FmtContext, format};
use tracing_subscriber::registry::LookupSpan;

/// A line of the log as the journal wants it: the level in front, as `sd-daemon(3)` says, so that
/// `journalctl --priority` finds it, and no time, which the journal notes by itself.
#[derive(Debug)]
pub struct JournalLine(Format<Full, ()>);

impl JournalLine {
    /// The line, where standard error goes to the journal (`JOURNAL_STREAM`, `systemd.exec(5)`).
    #[must_use]
    pub fn wanted() -> Option<Self> {
        let stream = std::env::var("JOURNAL_STREAM").ok()?;
        (stream == standard_error()?).then(|| Self(format().without_time()))
    }
}

/// The device and inode of standard error. A variable alone may be inherited by what writes
/// somewhere else.
#[cfg(target_os = "linux")]
fn standard_error() -> Option<String> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let file = std::fs::File::from(std::io::stderr().as_fd().try_clone_to_owned().ok()?);
    let it = file.metadata().ok()?;
    Some(format!("{}:{}", it.dev(), it.ino()))
}

/// Only Linux has such a journal.
#[cfg(not(target_os = "linux"))]
const fn standard_error() -> Option<String> {
    None
}

impl<S, N> FormatEvent<S, N> for JournalLine
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let priority = match *event.metadata().level() {
            Level::ERROR => 3,
            Level::WARN => 4,
            Level::INFO => 6,
            Level::DEBUG | Level::TRACE => 7,
        };
        write!(writer, "<{priority}>")?;
        self.0.format_event(context, writer, event)
    }
}

/// The server listens.
#[cfg(target_os = "linux")]
pub fn ready(bound: SocketAddr) {
    let status = format!("Listening on {bound}");
    tell(&[sd_notify::NotifyState::Ready, sd_notify::NotifyState::Status(&status)]);
}

/// The journal begins to fail, or works again: `systemctl status` shows it.
#[cfg(target_os = "linux")]
pub(crate) fn journal_fails(fails: bool) {
    let status =
        if fails { "The journal fails: moves are refused" } else { "The journal works again" };
    tell(&[sd_notify::NotifyState::Status(status)]);
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

/// The journal begins to fail, or works again.
#[cfg(not(target_os = "linux"))]
pub(crate) const fn journal_fails(_: bool) {}

/// The server stops.
#[cfg(not(target_os = "linux"))]
pub const fn stopping() {}
