//! The rows of the table: a number of a case, and its target.

use crate::cases::Subject::{self, Noughts, Power, Process, Quiet, Watched};
use Goal::{AtLeast, AtMost, Shown, Within};

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
    let mut rows = moves();
    rows.extend(times());
    rows.extend(bytes());
    rows.extend(people());
    rows
}

/// A row beside the relay or, for a server with other options, beside the one with rooms in memory.
const fn row(
    measure: &'static str,
    unit: &'static str,
    case: &'static str,
    subject: Subject,
    field: &'static str,
    goal: Goal,
) -> Row {
    let against = match subject {
        Quiet | Watched => Noughts,
        _ => Subject::Relay,
    };
    Row { measure, unit, case, subject, against, field, goal }
}

/// How many moves.
fn moves() -> Vec<Row> {
    let moves =
        |measure, case, subject, goal| row(measure, "", case, subject, "/moves_per_second", goal);
    vec![
        moves("moves a second, 100 rooms", "rooms-100", Noughts, AtLeast(0.8)),
        moves("the same, durability=process", "rooms-100", Process, AtLeast(0.6)),
        moves("the same, durability=power (default)", "rooms-100", Power, AtLeast(0.55)),
        moves("moves a second, 1,000 rooms", "rooms-1000", Noughts, AtLeast(0.9)),
        moves("the same, durability=process", "rooms-1000", Process, AtLeast(0.7)),
        moves("the same, durability=power", "rooms-1000", Power, AtLeast(0.65)),
        moves("moves a second, 10,000 rooms", "rooms-10000", Noughts, Shown),
        moves("the same, durability=process", "rooms-10000", Process, Shown),
        moves("the same, durability=power", "rooms-10000", Power, Shown),
        moves("100 rooms on 3 x 3, with rematches", "tic-tac-toe", Noughts, AtLeast(0.7)),
        moves("the same, durability=process", "tic-tac-toe", Process, Shown),
        moves("the same, durability=power", "tic-tac-toe", Power, Shown),
    ]
}

/// How long a move takes, and what the processor does for it.
fn times() -> Vec<Row> {
    let (cost, p99) = ("/server_us_per_move", "/delivery_ms/p99");
    let (switches, checkpoints) = ("/server_switches_per_move", "/disk/checkpoints");
    vec![
        row("server time for a move, 100 rooms", "us", "rooms-100", Noughts, cost, Shown),
        row("the same, durability=process", "us", "rooms-100", Process, cost, Shown),
        row("the same, durability=power", "us", "rooms-100", Power, cost, Shown),
        row("the same, metrics read every second", "us", "rooms-100", Watched, cost, Shown),
        row("the same, log at warn, not info", "us", "rooms-100", Quiet, cost, Shown),
        row("context switches a move, 100 rooms", "", "rooms-100", Noughts, switches, Shown),
        row("the same, durability=process", "", "rooms-100", Process, switches, Shown),
        row("the same, durability=power", "", "rooms-100", Power, switches, Shown),
        row("p99 at a quarter of its maximum", "ms", "quarter", Noughts, p99, AtMost(2.0)),
        row("the same, durability=process", "ms", "quarter", Process, p99, AtMost(4.0)),
        row("checkpoints meanwhile", "", "quarter", Process, checkpoints, Shown),
        row("p99 at a quarter, durability=power", "ms", "quarter", Power, p99, AtMost(4.0)),
        row("checkpoints meanwhile", "", "quarter", Power, checkpoints, Shown),
    ]
}

/// The bytes for a move on the disk.
fn bytes() -> Vec<Row> {
    let (disk, log) = ("/disk/disk_bytes_per_move", "/disk/log_bytes_per_move");
    let (rest, facts) = ("/disk/checkpoint_bytes_per_move", "/disk/fact_bytes_per_move");
    let times = "/disk/amplification";
    vec![
        row(
            "bytes to the disk a move, 100 rooms, power",
            "B",
            "rooms-100",
            Power,
            disk,
            Within(500.0),
        ),
        row("written to the log", "B", "rooms-100", Power, log, Shown),
        row("written by checkpoints and the rest", "B", "rooms-100", Power, rest, Shown),
        row("bytes of its facts in the database", "B", "rooms-100", Power, facts, Shown),
        row("to the disk for each of these", "times", "rooms-100", Power, times, Shown),
        row(
            "bytes to the disk a move, 100 rooms, process",
            "B",
            "rooms-100",
            Process,
            disk,
            Within(500.0),
        ),
        row(
            "bytes to the disk a move, 1,000 rooms, power",
            "B",
            "rooms-1000",
            Power,
            disk,
            Within(200.0),
        ),
        row("written to the log", "B", "rooms-1000", Power, log, Shown),
        row("written by checkpoints and the rest", "B", "rooms-1000", Power, rest, Shown),
        row("bytes of its facts in the database", "B", "rooms-1000", Power, facts, Shown),
        row("to the disk for each of these", "times", "rooms-1000", Power, times, Shown),
        row(
            "bytes to the disk a move, 1,000 rooms, process",
            "B",
            "rooms-1000",
            Process,
            disk,
            Within(200.0),
        ),
    ]
}

/// The cost of connections, spectators and visitors.
fn people() -> Vec<Row> {
    let (connection, room) = ("/memory/per_connection", "/memory/per_absent_room");
    let (deliveries, last) = ("/deliveries_per_second", "/last_spectator_ms/p50");
    let opens = "/opens_per_second";
    let beside_memory = Row {
        against: Noughts,
        ..row("the same, of that in memory", "", "storm", Power, opens, AtLeast(0.8))
    };
    vec![
        row("memory a connection in a room", "KiB", "memory", Noughts, connection, Within(6.5)),
        row("memory a room with nobody there, not kept", "KiB", "absent", Noughts, room, Shown),
        row("the same, kept: it sleeps", "KiB", "absent", Process, room, Within(1.0)),
        row("deliveries a second to 1,000", "", "crowd-1000", Noughts, deliveries, AtLeast(0.85)),
        row("deliveries a second to 5,000", "", "crowd-5000", Noughts, deliveries, AtLeast(0.85)),
        row("until the last of 1,000 has it", "ms", "crowd-1000", Noughts, last, AtMost(1.3)),
        row("until the last of 5,000 has it", "ms", "crowd-5000", Noughts, last, AtMost(1.3)),
        row("opens a second", "", "storm", Noughts, opens, AtLeast(0.65)),
        row("the same, durability=power", "", "storm", Power, opens, AtLeast(0.65)),
        beside_memory,
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
