//! The log on standard error: as text or as JSON, in the form that systemd's journal wants if it
//! reads there. The filter can change while the server runs. Each event is logged where it happens.

use std::io::IsTerminal;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format;
use tracing_subscriber::fmt::format::JsonFields;
use tracing_subscriber::prelude::*;
use tracing_subscriber::reload::Handle;
use tracing_subscriber::{Registry, reload};

use super::systemd::{self, JournalLine};
use crate::config::args::{Args, LogFormat};
use crate::connection::FRAME_LOGS;

/// The targets of the lines about people: joins, leaves, results, refusals, parties.
const OF_PEOPLE: [&str; 3] =
    ["noughts_server::outbox", "noughts_server::party", "noughts_server::room"];

/// The client of NATS logs each event that `noughts-cluster` logs in words for the host, each second while NATS is
/// away.
const NATS_LOGS: &str = "async_nats";

/// The log of this process.
#[derive(Debug)]
pub struct Log {
    filter: Handle<Targets, Registry>,
    /// Whether the host reads it beside the addresses and the QR code.
    beside_banner: bool,
}

impl Log {
    /// Starts the log.
    ///
    /// # Panics
    /// If it was started before.
    #[must_use]
    pub fn start(args: &Args) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let beside_banner = is_terminal && args.log_format == LogFormat::Text;
        let (filter, handle) = reload::Layer::new(filter(&args.log, beside_banner));
        let lines =
            tracing_subscriber::fmt::layer().with_ansi(is_terminal).with_writer(std::io::stderr);
        let json = format().json().flatten_event(true).with_span_list(false);
        let lines = match (args.log_format, systemd::has_journal()) {
            (LogFormat::Text, false) => lines.boxed(),
            (LogFormat::Text, true) => {
                lines.event_format(JournalLine(format().without_time())).boxed()
            }
            (LogFormat::Json, false) => {
                lines.fmt_fields(JsonFields::new()).event_format(json).boxed()
            }
            (LogFormat::Json, true) => {
                lines.fmt_fields(JsonFields::new()).event_format(JournalLine(json)).boxed()
            }
        };
        tracing_subscriber::registry().with(lines.with_filter(filter)).init();
        Self { filter: handle, beside_banner }
    }

    /// Logs by another filter from now on.
    pub(super) fn set_filter(&self, chosen: &Targets) {
        // It fails only if the log has ended, which has nobody to tell.
        drop(self.filter.reload(filter(chosen, self.beside_banner)));
    }
}

/// The filter, without the frames that a library would write into the log, and without the events of another one
/// unless they are chosen by name. Beside the banner the default one leaves out people and games, who would drive
/// it away.
fn filter(chosen: &Targets, beside_banner: bool) -> Targets {
    let default = Targets::new().with_default(LevelFilter::INFO);
    let is_calm = beside_banner && *chosen == default;
    let (library, level) = FRAME_LOGS;
    let calmed = OF_PEOPLE.into_iter().filter(|_| is_calm);
    let others = chosen.default_level().unwrap_or(LevelFilter::OFF);
    Targets::new()
        .with_default(others)
        .with_target(NATS_LOGS, others.min(LevelFilter::WARN))
        .with_targets(chosen.clone())
        .with_target(library, level)
        .with_targets(calmed.map(|of| (of, LevelFilter::WARN)))
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::{OF_PEOPLE, Targets, filter};

    #[test]
    fn events_of_nats_are_logged_by_name_alone() {
        for (chosen, is_on) in [("info", false), ("debug", false), ("warn,async_nats=info", true)] {
            let filter = filter(&chosen.parse().unwrap(), false);
            assert_eq!(filter.would_enable("async_nats", &Level::INFO), is_on, "{chosen}");
        }
        let nothing = filter(&"off".parse().unwrap(), false);
        assert!(!nothing.would_enable("async_nats", &Level::ERROR));
    }

    #[test]
    fn people_do_not_drive_the_banner_away() {
        let check = |chosen: &str, beside_banner, people, others| {
            let chosen: Targets = chosen.parse().unwrap();
            let filter = filter(&chosen, beside_banner);
            let is_on = |target| filter.would_enable(target, &Level::INFO);
            assert_eq!(OF_PEOPLE.map(is_on), [people; 3], "{chosen}, {beside_banner}");
            assert_eq!(is_on("noughts_server::cli"), others, "{chosen}, {beside_banner}");
        };
        check("info", true, false, true);
        check("info", false, true, true);
        check("debug", true, true, true);
        check("warn", true, false, false);
        check(
            "warn,noughts_server::room=info,noughts_server::party=info,noughts_server::outbox=info",
            true,
            true,
            false,
        );
    }
}
