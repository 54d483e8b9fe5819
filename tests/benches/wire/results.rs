//! The results of all runs, and the file that keeps them.

use std::collections::HashMap;
use std::path::Path;

use anyhow::Context;
use serde_json::Value;

use crate::cases::{Subject, all};

/// The results of each case and subject, round by round.
#[derive(Debug, Default)]
pub(crate) struct Results(HashMap<(&'static str, Subject), Vec<Option<Value>>>);

impl Results {
    /// Adds the result of the next round; `None` if the run failed.
    pub(crate) fn add(&mut self, case: &'static str, subject: Subject, result: Option<Value>) {
        self.0.entry((case, subject)).or_default().push(result);
    }

    /// One number of each round; `None` if the run failed or lacks the number.
    pub(crate) fn of(&self, case: &str, subject: Subject, field: &str) -> Vec<Option<f64>> {
        let key = self.0.keys().find(|(name, of)| *name == case && *of == subject);
        let rounds = key.and_then(|key| self.0.get(key)).map_or(&[][..], Vec::as_slice);
        rounds.iter().map(|round| round.as_ref()?.pointer(field)?.as_f64()).collect()
    }

    /// Whether there is a result of this case.
    pub(crate) fn has(&self, case: &str) -> bool {
        self.0.keys().any(|(name, _)| *name == case)
    }

    /// All results as JSON, one line for each run.
    pub(crate) fn lines(&self) -> String {
        let line = |case: &str, subject: Subject, round: usize, result: &Option<Value>| {
            let subject = subject.to_string();
            let line = serde_json::json!({
                "case": case, "subject": subject, "round": round, "result": result,
            });
            format!("{line}\n")
        };
        let runs = self.0.iter().flat_map(|((case, subject), rounds)| {
            rounds.iter().zip(1..).map(move |(result, round)| line(case, *subject, round, result))
        });
        let mut lines: Vec<String> = runs.collect();
        lines.sort();
        lines.concat()
    }

    /// Reads what [`Results::lines`] wrote.
    ///
    /// # Errors
    /// If the file cannot be read. Cases that are not known are passed over.
    pub(crate) fn read(file: &Path) -> anyhow::Result<Self> {
        let failed = || format!("cannot read {}", file.display());
        let (mut results, cases) = (Self::default(), all());
        let text = std::fs::read_to_string(file).with_context(failed)?;
        let runs: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
        let mut runs = runs.with_context(failed)?;
        // A ratio is that of one round: all subjects come in the same order, whatever that of the lines.
        runs.sort_by_key(|run| run["round"].as_u64());
        for run in runs {
            let case = cases.iter().find(|case| run["case"] == case.name);
            let subject = Subject::ALL.iter().find(|subject| run["subject"] == subject.to_string());
            if let Some((case, subject)) = case.zip(subject) {
                let result = Some(run["result"].clone()).filter(|result| !result.is_null());
                results.add(case.name, *subject, result);
            }
        }
        Ok(results)
    }
}
