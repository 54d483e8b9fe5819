//! How the line of a win is drawn: its cells light up one after the other, then the marks pulse once.
//! A function of the time since the end, so it needs no clock.

use std::time::Duration;

/// The time from one cell to the next.
const STEP: Duration = Duration::from_millis(80);

/// The longest time for a whole line: nobody waits for nineteen cells.
const LINE: Duration = Duration::from_millis(640);

/// How long the marks pulse, and the pause before it, in which the whole line is seen.
const PULSE: Duration = Duration::from_millis(160);

/// How much of a winning line is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stroke {
    /// How many of its cells are lit, from its first one on.
    pub(crate) lit: usize,
    /// Whether the marks are in their pulse.
    pub(crate) pulses: bool,
    /// The time since the end at which the picture changes.
    pub(crate) next: Duration,
}

/// The stroke through `cells` cells, or `None` if it is complete: then nothing changes any more.
pub(crate) fn stroke(cells: usize, since: Duration) -> Option<Stroke> {
    let count = u32::try_from(cells).ok().filter(|count| *count > 0)?;
    let step = STEP.min(LINE / count);
    let drawn = step * (count - 1);
    let from = drawn + PULSE;
    if since < drawn {
        let lit = since.as_nanos() / step.as_nanos() + 1;
        let lit = u32::try_from(lit).unwrap_or(count);
        let stroke = |lit: u32| Stroke { lit: lit as usize, pulses: false, next: step * lit };
        return Some(stroke(lit));
    }
    let stroke = |pulses, next| Some(Stroke { lit: cells, pulses, next });
    match since {
        _ if since < from => stroke(false, from),
        _ if since < from + PULSE => stroke(true, from + PULSE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pictures of a line, each at the moment that the one before names.
    fn pictures(cells: usize) -> Vec<(u64, usize, bool)> {
        let mut pictures = Vec::new();
        let mut since = Duration::ZERO;
        while let Some(stroke) = stroke(cells, since) {
            pictures.push((since.as_millis() as u64, stroke.lit, stroke.pulses));
            assert!(stroke.next > since, "it goes on: {stroke:?}");
            since = stroke.next;
        }
        pictures
    }

    #[test]
    fn the_cells_light_up_in_turn_then_pulse_once() {
        let expected = [(0, 1, false), (80, 2, false), (160, 3, false), (320, 3, true)];
        assert_eq!(pictures(3), expected);
    }

    #[test]
    fn nothing_changes_between_two_pictures_nor_after_the_last() {
        let at = |ms| stroke(3, Duration::from_millis(ms));
        assert_eq!(at(79), at(0));
        assert_eq!(at(319), at(160));
        assert_eq!(at(479), at(320));
        assert_eq!(at(480), None);
        assert_eq!(at(1_000_000), None);
        assert_eq!(stroke(0, Duration::ZERO), None);
    }

    #[test]
    fn a_long_line_takes_no_longer_than_a_second() {
        for cells in [3, 5, 8, 19, 361] {
            let pictures = pictures(cells);
            assert_eq!(pictures.len(), cells + 1);
            assert!(pictures.last().unwrap().0 < 1_000);
        }
    }
}
