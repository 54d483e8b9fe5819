//! The table of results, as `tests/README.md` shows it.

use crate::cases::Subject;
use crate::growth::cost;
use crate::results::Results;
use crate::rows::{Goal, Row, median, ratio, rows};

/// The factor by which the cost of a move may grow with the rooms.
const MAX_GROWTH: f64 = 1.3;

/// Two runs agree where they differ by no more than this share.
const SAME: f64 = 0.1;

/// The rows about that growth.
const GROWTHS: [(&str, Subject); 3] = [
    ("server time for a move, 10 to 10,000 rooms", Subject::Noughts),
    ("the same, durability=process", Subject::Process),
    ("the same, durability=power", Subject::Power),
];

/// The share of its core that a server gets on an idle machine, at least.
const IDLE_SHARE: f64 = 0.8;

/// The table in Markdown, with the target of each row and whether it is reached.
pub(crate) fn table(results: &Results) -> String {
    let mut table =
        "| measure | relay | Noughts | ratio | target | |\n| --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    for row in rows().iter().filter(|row| results.has(row.case)) {
        table += &line(row, results);
    }
    for (name, subject) in GROWTHS {
        let Some((least, most, grown)) = cost(results, subject) else { continue };
        let verdict = verdict(grown <= MAX_GROWTH);
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
    let digits = |value: f64| match value {
        whole if whole.fract() == 0.0 => 0,
        1.0e2.. => 0,
        10.0.. => 1,
        _ => 2,
    };
    value
        .map(|value| format!("{value:.0$} {unit}", digits(value)).trim().to_owned())
        .unwrap_or_default()
}

/// The rows on which two runs differ by more than a tenth, with both values, and how many rows agree. A row
/// with a target is compared by what the target is about.
pub(crate) fn comparison(one: &Results, other: &Results) -> String {
    let mut table = "| measure | first | second | ratio |\n| --- | --- | --- | --- |\n".to_owned();
    let (mut agree, mut compared) = (0, 0);
    let mut compare = |name: &str, unit: &str, values: [Option<f64>; 2]| {
        let [Some(first), Some(second)] = values else { return };
        compared += 1;
        let ratio = second / first;
        if first.max(second) <= (1.0 + SAME) * first.min(second) {
            agree += 1;
            return;
        }
        let [first, second] = values.map(|value| number(value, unit));
        table += &format!("| {name} | {first} | {second} | {ratio:.2} |\n");
    };
    for row in rows() {
        let Row { measure, case, subject, against, field, goal, unit } = row;
        let (by_ratio, unit) = match goal {
            Goal::AtLeast(_) | Goal::AtMost(_) => (true, "times"),
            Goal::Within(_) | Goal::Shown => (false, unit),
        };
        let value = |results: &Results| {
            let ours = results.of(case, subject, field);
            if by_ratio { ratio(&ours, &results.of(case, against, field)) } else { median(&ours) }
        };
        compare(&format!("{measure} ({case}, {subject})"), unit, [one, other].map(value));
    }
    for (name, subject) in GROWTHS {
        let grown = |results: &Results| cost(results, subject).map(|(_, _, grown)| grown);
        compare(name, "times", [one, other].map(grown));
    }
    format!("{table}\n{agree} of {compared} rows agree within a tenth.\n")
}
