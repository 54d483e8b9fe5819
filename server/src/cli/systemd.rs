//! Tells systemd that the server listens, that its disk fails, and that the server stops
//! (`sd_notify(3)`). Without `NOTIFY_SOCKET` in the environment this does nothing. Also formats log
//! lines for systemd's journal.

use std::fmt;
use std::net::SocketAddr;

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::registry::LookupSpan;

/// Formats a log line for systemd's journal: with the level in front, so that `journalctl --priority`
/// works (`sd-daemon(3)`).
#[derive(Debug)]
pub(super) struct JournalLine<F>(pub(super) F);

/// Whether standard error goes to systemd's journal (`JOURNAL_STREAM`, `systemd.exec(5)`).
pub(super) fn has_journal() -> bool {
    let stream = std::env::var("JOURNAL_STREAM").ok();
    stream.is_some() && stream == standard_error()
}

/// The device and inode of standard error. The variable alone is not enough: a process whose output
/// goes elsewhere may inherit it.
#[cfg(target_os = "linux")]
fn standard_error() -> Option<String> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let file = std::fs::File::from(std::io::stderr().as_fd().try_clone_to_owned().ok()?);
    let metadata = file.metadata().ok()?;
    Some(format!("{}:{}", metadata.dev(), metadata.ino()))
}

/// Only Linux has systemd.
#[cfg(not(target_os = "linux"))]
const fn standard_error() -> Option<String> {
    None
}

impl<S, N, F> FormatEvent<S, N> for JournalLine<F>
where
    F: FormatEvent<S, N>,
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

/// Reports that the server listens.
pub(super) fn ready(bound: SocketAddr) {
    notify(&format!("READY=1\nSTATUS=Listening on {bound}"));
}

/// Reports that the store begins to fail or works again: `systemctl status` shows it.
pub(crate) fn store_fails(fails: bool) {
    let status = if fails { "The disk fails: moves are refused" } else { "The disk works again" };
    notify(&format!("STATUS={status}"));
}

/// Reports that the server stops.
pub(super) fn stopping() {
    notify("STOPPING=1");
}

#[cfg(target_os = "linux")]
fn notify(state: &str) {
    if let Err(error) = sd_notify::notify(&[sd_notify::NotifyState::Custom(state)]) {
        tracing::warn!(%error, "failed to notify the service manager");
    }
}

#[cfg(not(target_os = "linux"))]
const fn notify(_: &str) {}
