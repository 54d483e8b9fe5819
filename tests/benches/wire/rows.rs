//! The rows of the table: a number of a case, and its target.

use crate::cases::Subject;

/// The target of a row.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Goal {
    /// At least so many times the relay's.
    AtLeast(f64),
    /// At most so many times the relay's.
    AtMost(f64),
    /// At most this, whatever the relay's is.
    Within(f64),
    /// No target.
    Shown,
}

/// A row.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) measure: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) case: &'static str,
    pub(crate) subject: Subject,
    pub(crate) against: Subject,
    pub(crate) field: &'static str,
    pub(crate) goal: Goal,
}

/// All rows, in the order they are printed.
pub(crate) fn rows() -> Vec<Row> {
    use Goal::{AtLeast, AtMost, Shown, Within};
    use Subject::{Noughts, Power, Process, Quiet, Relay, Watched};
    let row = |measure, unit, case, subject, field, goal| {
        let against = if matches!(subject, Quiet | Watched) { Noughts } else { Relay };
        Row { measure, unit, case, subject, against, field, goal }
    };
    let (moves, p99) = ("/moves_per_second", "/delivery_ms/p99");
    let cost = "/server_us_per_move";
    let (deliveries, last) = ("/deliveries_per_second", "/last_spectator_ms/p50");
    vec![
        row("moves a second, 100 rooms", "", "rooms-100", Noughts, moves, AtLeast(0.7)),
        row("its time for each of them", "us", "rooms-100", Noughts, cost, Shown),
        row("moves a second, 1,000 rooms", "", "rooms-1000", Noughts, moves, AtLeast(0.7)),
        row("moves a second, 10,000 rooms", "", "rooms-10000", Noughts, moves, Shown),
        row("100 rooms, durability=process", "", "rooms-100", Process, moves, AtLeast(0.5)),
        row("100 rooms, durability=power", "", "rooms-100", Power, moves, Shown),
        row("time for a move, metrics read every second", "us", "rooms-100", Watched, cost, Shown),
        row("time for a move, log at warn, not info", "us", "rooms-100", Quiet, cost, Shown),
        row("100 rooms on 3 x 3, with rematches", "", "tic-tac-toe", Noughts, moves, Shown),
        row("p99 at a quarter of its maximum", "ms", "quarter", Noughts, p99, AtMost(2.0)),
        row("the same, durability=process", "ms", "quarter", Process, p99, Shown),
        row("the same, durability=power", "ms", "quarter", Power, p99, Shown),
        row(
            "memory a connection in a room",
            "KiB",
            "memory",
            Noughts,
            "/memory/per_connection",
            Within(8.0),
        ),
        row(
            "memory a room with nobody there, not kept",
            "KiB",
            "absent",
            Noughts,
            "/memory/per_absent_room",
            Shown,
        ),
        row(
            "the same, kept: it sleeps",
            "KiB",
            "absent",
            Process,
            "/memory/per_absent_room",
            Within(1.0),
        ),
        row("deliveries a second to 1,000", "", "crowd-1000", Noughts, deliveries, AtLeast(0.85)),
        row("deliveries a second to 5,000", "", "crowd-5000", Noughts, deliveries, AtLeast(0.85)),
        row("until the last of 1,000 has it", "ms", "crowd-1000", Noughts, last, AtMost(1.3)),
        row("until the last of 5,000 has it", "ms", "crowd-5000", Noughts, last, AtMost(1.3)),
        row("opens a second", "", "storm", Noughts, "/opens_per_second", AtLeast(0.6)),
    ]
}

/// The median of the rounds; `None` if all of them failed.
pub(crate) fn median(rounds: &[Option<f64>]) -> Option<f64> {
    let mut known: Vec<f64> = rounds.iter().copied().flatten().collect();
    known.sort_unstable_by(f64::total_cmp);
    let (low, high) = (known.len().checked_sub(1)? / 2, known.len() / 2);
    Some(f64::midpoint(known[low], known[high]))
}

/// The median of the ratios within each round.
pub(crate) fn ratio(ours: &[Option<f64>], theirs: &[Option<f64>]) -> Option<f64> {
    let some = |theirs: &f64| *theirs > 0.0;
    let ratios =
        ours.iter().zip(theirs).map(|(ours, theirs)| Some((*ours)? / theirs.filter(some)?));
    median(&ratios.collect::<Vec<_>>())
}
