//! How the cost of a move grows with the number of rooms, as a range and as a plot.

use std::path::Path;

use anyhow::{Context, anyhow};
use plotters::prelude::*;

use crate::cases::Subject;
use crate::results::Results;
use crate::rows::median;

/// The numbers of rooms, and the cases with them.
const ROOMS: [(f64, &str); 4] =
    [(10.0, "rooms-10"), (100.0, "rooms-100"), (1e3, "rooms-1000"), (1e4, "rooms-10000")];

/// The curves: name and field.
const CURVES: [(&str, &str); 3] = [
    ("time for a move, us", "/server_us_per_move"),
    ("p99 until a move is there, ms", "/delivery_ms/p99"),
    ("memory of a connection, KiB", "/memory/per_connection"),
];

/// The size of the picture in pixels. The plots have equal parts of it.
const SIZE: (u32, u32) = (960, 320);

/// The server's time for a move, in microseconds: the least and the most of it, and the largest
/// factor by which it grows from a smaller number of rooms to a larger. With a journal a move of few
/// rooms costs more, because fewer moves share a commit: that is no growth. `None` unless every number
/// of rooms was measured.
pub(crate) fn cost(results: &Results, subject: Subject) -> Option<(f64, f64, f64)> {
    let curve = curve(results, subject, CURVES[0].1)?;
    let costs = || curve.iter().map(|point| point.1);
    let (mut least, mut growth) = (f64::INFINITY, 1.0_f64);
    for cost in costs() {
        least = least.min(cost);
        growth = growth.max(cost / least);
    }
    Some((least, costs().fold(0.0, f64::max), growth))
}

fn curve(results: &Results, subject: Subject, field: &str) -> Option<Vec<(f64, f64)>> {
    ROOMS
        .iter()
        .map(|(rooms, case)| Some((*rooms, median(&results.of(case, subject, field))?)))
        .collect()
}

/// Draws all curves for Noughts and the relay.
///
/// # Errors
/// If a case was not measured, or the file cannot be written.
pub(crate) fn plot(file: &Path, results: &Results) -> anyhow::Result<()> {
    let area = SVGBackend::new(file, SIZE).into_drawing_area();
    let drawn = |error: &dyn std::fmt::Display| anyhow!("cannot draw {}: {error}", file.display());
    area.fill(&WHITE).map_err(|error| drawn(&error))?;
    for (part, (name, field)) in area.split_evenly((1, CURVES.len())).iter().zip(CURVES) {
        let of = |subject| {
            curve(results, subject, field).context("not all of rooms-10 to -10000 measured")
        };
        let curves = [
            (Subject::Noughts, of(Subject::Noughts)?, BLUE),
            (Subject::Relay, of(Subject::Relay)?, RED),
        ];
        let values = || curves.iter().flat_map(|(_, points, _)| points.iter().map(|p| p.1));
        let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
        let mut chart = ChartBuilder::on(part)
            .caption(name, ("sans-serif", 15))
            .margin(8)
            .x_label_area_size(36)
            .y_label_area_size(48)
            .build_cartesian_2d((10.0..1e4).log_scale(), (least / 2.0..most * 2.0).log_scale())
            .map_err(|error| drawn(&error))?;
        chart.configure_mesh().x_desc("rooms").draw().map_err(|error| drawn(&error))?;
        for (subject, points, colour) in curves {
            let marks = points.clone().into_iter().map(|at| Circle::new(at, 3, colour.filled()));
            chart.draw_series(marks).map_err(|error| drawn(&error))?;
            chart
                .draw_series(LineSeries::new(points, colour))
                .map_err(|error| drawn(&error))?
                .label(subject.to_string())
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour));
        }
        chart.configure_series_labels().draw().map_err(|error| drawn(&error))?;
    }
    area.present().map_err(|error| drawn(&error))
}
