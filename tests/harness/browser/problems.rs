//! Problems on a page that fail a test: exceptions, errors on the console (a violated policy, a missing
//! file), and failed assertions.

use serde_json::{Value, json};

use super::Tab;

impl Tab {
    /// From now on the tab tells its problems.
    pub(super) async fn watch_problems(&self) {
        self.cdp("Log.enable", json!({})).await;
        self.cdp("Runtime.enable", json!({})).await;
    }

    /// All problems so far that are not tolerated.
    pub(super) fn problems(&self) -> Vec<String> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut found = Vec::new();
        for event in self.take_events("Log.entryAdded") {
            let entry = &event["entry"];
            if entry["level"] == "error" {
                let [source, said, url] = ["source", "text", "url"].map(|key| text(&entry[key]));
                found.push(format!("{source}: {said} {url}"));
            }
        }
        for event in self.take_events("Runtime.consoleAPICalled") {
            if event["type"] == "error" || event["type"] == "assert" {
                let args = event["args"].as_array().map_or(&[][..], Vec::as_slice);
                let said = args.iter().filter_map(|arg| arg.get("value"));
                let said: Vec<String> = said.map(ToString::to_string).collect();
                found.push(format!("console: {}", said.join(" ")));
            }
        }
        for event in self.take_events("Runtime.exceptionThrown") {
            let thrown = &event["exceptionDetails"];
            let what = text(&thrown["exception"]["description"]);
            found.push(format!("exception: {} {what}", text(&thrown["text"])));
        }
        found.retain(|problem| !self.tolerated.iter().any(|text| problem.contains(text)));
        found
    }
}
