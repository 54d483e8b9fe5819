//! The table of results, as `tests/README.md` shows it.

use crate::cases::{Bench, Results, Subject};
use crate::growth::cost;
use crate::rows::{Goal, Row, median, ratio, rows};

/// The factor by which the cost of a move may grow with the rooms.
const MAX_GROWTH: f64 = 1.5;

/// The share of its core that a server gets on an idle machine, at least.
const IDLE_SHARE: f64 = 0.8;

/// The table in Markdown, with the target of each row and whether it is reached.
pub(crate) fn table(bench: &Bench, results: &Results) -> String {
    let mut table =
        "| measure | relay | Noughts | ratio | target | |\n| --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    let measured = |case: &str| bench.cases.iter().any(|known| known.name == case);
    for row in rows().iter().filter(|row| measured(row.case)) {
        table += &line(row, results);
    }
    if let Some((least, most)) = cost(results) {
        let grown = most / least;
        let verdict = verdict(grown <= MAX_GROWTH);
        let name = "server time for a move, 10 to 10,000 rooms";
        let range = format!("{least:.1} to {most:.1} us");
        table +=
            &format!("| {name} | | {range} | {grown:.2} | at most {MAX_GROWTH} | {verdict} |\n");
    }
    let busy = [Subject::Relay, Subject::Noughts]
        .map(|subject| results.of("rooms-100", subject, "/server_cores"));
    if let Some(cores) = median(&busy.concat()).filter(|cores| *cores < IDLE_SHARE) {
        table += &format!(
            "\nThe machine had other work, and gave the servers {cores:.2} of their core: times for \
             a move can be compared, rates cannot. Measure again when it is idle.\n"
        );
    }
    table
}

fn line(row: &Row, results: &Results) -> String {
    let Row { measure, unit, case, subject, against, field, goal } = row;
    let relay = results.of(case, *against, field);
    let ours = results.of(case, *subject, field);
    let ratio = ratio(&ours, &relay);
    let (target, reached) = match goal {
        Goal::AtLeast(times) => (format!("at least {times}"), ratio.map(|ratio| ratio >= *times)),
        Goal::AtMost(times) => (format!("at most {times}"), ratio.map(|ratio| ratio <= *times)),
        Goal::Within(most) => {
            (format!("at most {most} {unit}"), median(&ours).map(|value| value <= *most))
        }
        Goal::Shown => (String::new(), None),
    };
    let verdict = match (reached, median(&ours)) {
        (Some(reached), _) => verdict(reached),
        (None, Some(_)) => "",
        (None, None) => "not measured: every run failed",
    };
    let ratio = ratio.map(|ratio| format!("{ratio:.2}")).unwrap_or_default();
    let relay = if *against == Subject::Relay { relay } else { Vec::new() };
    let [relay, ours] = [relay, ours].map(|rounds| number(median(&rounds), unit));
    format!("| {measure} | {relay} | {ours} | {ratio} | {target} | {verdict} |\n")
}

const fn verdict(reached: bool) -> &'static str {
    if reached { "reached" } else { "not reached" }
}

fn number(value: Option<f64>, unit: &str) -> String {
    let digits = if unit.is_empty() { 0 } else { 2 };
    value.map(|value| format!("{value:.digits$} {unit}").trim().to_owned()).unwrap_or_default()
}
