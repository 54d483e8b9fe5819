//! Problems on a page that fail a test: exceptions, errors on the console (a violated policy, a missing
//! file), and failed assertions.

use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::log::{EventEntryAdded, LogEntryLevel};
use chromiumoxide::cdp::js_protocol::runtime::{
    ConsoleApiCalledType, EventConsoleApiCalled, EventExceptionThrown,
};
use chromiumoxide::listeners::EventStream;
use futures::{FutureExt, StreamExt};

/// The problems of one page so far.
#[derive(Debug)]
pub(super) struct Problems {
    log: EventStream<EventEntryAdded>,
    console: EventStream<EventConsoleApiCalled>,
    thrown: EventStream<EventExceptionThrown>,
    tolerated: Vec<&'static str>,
}

impl Problems {
    pub(super) async fn watch(page: &Page) -> Self {
        let log = page.event_listener().await.unwrap();
        let console = page.event_listener().await.unwrap();
        let thrown = page.event_listener().await.unwrap();
        page.enable_log().await.unwrap();
        page.enable_runtime().await.unwrap();
        Self { log, console, thrown, tolerated: Vec::new() }
    }

    pub(super) fn tolerate(&mut self, text: &'static str) {
        self.tolerated.push(text);
    }

    /// All problems that are not tolerated.
    pub(super) fn found(&mut self) -> Vec<String> {
        let mut found = Vec::new();
        while let Some(Some(event)) = self.log.next().now_or_never() {
            let entry = &event.entry;
            if entry.level == LogEntryLevel::Error {
                let url = entry.url.as_deref().unwrap_or("");
                found.push(format!("{:?}: {} {url}", entry.source, entry.text));
            }
        }
        while let Some(Some(event)) = self.console.next().now_or_never() {
            if matches!(event.r#type, ConsoleApiCalledType::Error | ConsoleApiCalledType::Assert) {
                let said = event.args.iter().filter_map(|arg| arg.value.as_ref());
                let said: Vec<String> = said.map(ToString::to_string).collect();
                found.push(format!("console: {}", said.join(" ")));
            }
        }
        while let Some(Some(event)) = self.thrown.next().now_or_never() {
            let thrown = &event.exception_details;
            let what = thrown.exception.as_ref().and_then(|what| what.description.as_deref());
            found.push(format!("exception: {} {}", thrown.text, what.unwrap_or("")));
        }
        found.retain(|problem| !self.tolerated.iter().any(|text| problem.contains(text)));
        found
    }
}
