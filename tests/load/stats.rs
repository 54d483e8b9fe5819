//! The counts of a measurement, and their table.

use std::time::Duration;

use serde_json::{Map, Value, json};

/// The latencies that are kept; later ones are not.
const MOST: usize = 10_000_000;

/// All that is counted since the measurement began.
#[derive(Debug, Default)]
pub(crate) struct Stats {
    /// Moves that somebody was told.
    pub(crate) deliveries: u64,
    /// Of these, to one of the two players.
    pub(crate) to_players: u64,
    /// Visitors that entered a room.
    pub(crate) opens: u64,
    /// From a move until the opponent has it.
    pub(crate) delivery: Latencies,
    /// From a move until the last viewer of a watched room has it.
    pub(crate) last_viewer: Latencies,
    /// From connecting until in a room.
    pub(crate) opening: Latencies,
}

impl Stats {
    /// A visitor entered a room, this long after connecting.
    pub(crate) fn opened(&mut self, time: Duration) {
        self.opens += 1;
        self.opening.add(time);
    }
}

/// Latencies in microseconds.
#[derive(Debug, Default)]
pub(crate) struct Latencies(Vec<u32>);

impl Latencies {
    /// Adds a latency.
    pub(crate) fn add(&mut self, time: Duration) {
        if self.0.len() < MOST {
            self.0.push(u32::try_from(time.as_micros()).unwrap_or(u32::MAX));
        }
    }

    /// A quantile in milliseconds; `None` if there are no latencies.
    pub(crate) fn ms_at(&mut self, quantile: f64) -> Option<f64> {
        let place = (self.0.len().checked_sub(1)? as f64 * quantile) as usize;
        let (_, micros, _) = self.0.select_nth_unstable(place);
        Some(f64::from(*micros) / 1e3)
    }
}

/// One figure: its name for programs, its name for people, its unit and its value, if it was measured.
pub(crate) type Figure = (&'static str, &'static str, &'static str, Option<f64>);

/// The figures of one kind of target, of each round.
pub(crate) type Rounds = Vec<Vec<Figure>>;

/// The middle one.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Figure number `row` of all rounds.
fn of(rounds: &Rounds, row: usize) -> Vec<f64> {
    rounds.iter().filter_map(|round| round.get(row)?.3).collect()
}

/// The rows of the table: a figure, and its medians of the relay, of Noughts, and of Noughts by the relay
/// within a round. Rows without a value are left out.
fn rows(relay: &Rounds, noughts: &Rounds) -> Vec<(Figure, [Option<f64>; 3])> {
    let figures = noughts.first().into_iter().flatten().enumerate();
    let rows = figures.map(|(row, figure)| {
        let ours = of(noughts, row);
        let theirs = of(relay, row);
        let ratios = ours.iter().zip(&theirs).map(|(one, other)| one / other);
        let ratio = median(ratios.filter(|ratio| ratio.is_finite()).collect());
        (*figure, [median(theirs), median(ours), ratio])
    });
    rows.filter(|(_, [_, ours, _])| ours.is_some_and(|value| value > 0.0)).collect()
}

/// The table for people.
pub(crate) fn table(relay: &Rounds, noughts: &Rounds) -> String {
    let head = if relay.is_empty() { ["", "Noughts", ""] } else { ["relay", "Noughts", "ratio"] };
    let line = |name: &str, [one, two, three]: [String; 3]| {
        format!("{name:<42}{one:>12}{two:>12}{three:>8}").trim_end().to_owned() + "\n"
    };
    let number = |value: Option<f64>| match value {
        Some(value) if value >= 100.0 => format!("{value:.0}"),
        Some(value) => format!("{value:.2}"),
        None => String::new(),
    };
    let mut table = line("", head.map(str::to_owned));
    for ((_, name, unit, _), values) in rows(relay, noughts) {
        let name = if unit.is_empty() { name.to_owned() } else { format!("{name}, {unit}") };
        table += &line(&name, values.map(number));
    }
    table
}

/// The same for programs.
pub(crate) fn json(relay: &Rounds, noughts: &Rounds) -> Value {
    let rows = rows(relay, noughts);
    let column = |at: usize| -> Map<String, Value> {
        rows.iter().map(|((key, ..), values)| ((*key).to_owned(), json!(values[at]))).collect()
    };
    json!({"relay": column(0), "noughts": column(1), "ratio": column(2)})
}
