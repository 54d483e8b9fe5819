//! The log on standard error: as text or as JSON, in the form that systemd's journal wants if it reads there.
//! The filter can change while the server runs. What is logged is said where it happens.

use std::io::IsTerminal;

use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format;
use tracing_subscriber::fmt::format::JsonFields;
use tracing_subscriber::prelude::*;
use tracing_subscriber::reload::Handle;
use tracing_subscriber::{Registry, reload};

use super::systemd::{self, JournalLine};
use crate::config::args::{Args, LogFormat};
use crate::connection::FRAME_LOGS;

/// The log of this process.
#[derive(Debug)]
pub struct Log(Handle<Targets, Registry>);

impl Log {
    /// Starts the log.
    ///
    /// # Panics
    /// If it was started before.
    #[must_use]
    pub fn start(args: &Args) -> Self {
        let (filter, handle) = reload::Layer::new(without_frames(&args.log));
        let lines = tracing_subscriber::fmt::layer()
            .with_ansi(std::io::stderr().is_terminal())
            .with_writer(std::io::stderr);
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
        Self(handle)
    }

    /// Logs by another filter from now on.
    pub(super) fn set_filter(&self, filter: &Targets) {
        // It fails only if the log has ended, which has nobody to tell.
        drop(self.0.reload(without_frames(filter)));
    }
}

/// The filter, without the frames that a library would write into the log.
fn without_frames(filter: &Targets) -> Targets {
    let (library, level) = FRAME_LOGS;
    filter.clone().with_target(library, level)
}
