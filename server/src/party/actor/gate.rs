//! The pace of what a party does for its tables: at once if it is rare, and else in groups, so that what
//! happens at a hundred tables in a moment is one write and one message.

use std::time::Duration;

use tokio::time::Instant;

/// Facts that come within this time after a group wait for the next one, as boards do. Everybody gets
/// four messages a second at most about openings and as many about results, however many tables there are.
const MOMENT: Duration = Duration::from_millis(250);

/// Closed for a [`MOMENT`] after each group.
#[derive(Debug, Default)]
pub(super) struct Gate {
    opens_at: Option<Instant>,
}

impl Gate {
    /// Closes for a moment.
    pub(super) fn close(&mut self) {
        self.opens_at = Some(Instant::now() + MOMENT);
    }

    pub(super) fn is_open(&self) -> bool {
        self.opens_at().is_none()
    }

    /// When it opens; `None` if it is open.
    pub(super) fn opens_at(&self) -> Option<Instant> {
        self.opens_at.filter(|at| Instant::now() < *at)
    }

    /// The time, or when this opens if that is later.
    pub(super) fn no_earlier(&self, at: Instant) -> Instant {
        self.opens_at.map_or(at, |opens_at| at.max(opens_at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_gate_opens_a_moment_after_it_was_closed() {
        let mut gate = Gate::default();
        let start = Instant::now();
        assert_eq!((gate.is_open(), gate.no_earlier(start)), (true, start));
        gate.close();
        assert_eq!((gate.is_open(), gate.opens_at()), (false, Some(start + MOMENT)));
        assert_eq!(gate.no_earlier(start), start + MOMENT);
        assert_eq!(gate.no_earlier(start + 2 * MOMENT), start + 2 * MOMENT, "that is later");
        tokio::time::advance(MOMENT / 2).await;
        gate.close();
        tokio::time::advance(MOMENT / 2).await;
        assert!(!gate.is_open(), "it was closed again");
        tokio::time::advance(MOMENT / 2).await;
        assert!(gate.is_open());
    }
}
