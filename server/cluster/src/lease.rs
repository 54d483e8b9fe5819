//! The lease of this node: until when it may show its rooms. It is renewed by each heartbeat that was
//! stored, and counts from the moment at which that was sent. Once lost it stays lost, also if the next
//! heartbeat is stored, until everything that relied on it has ended and [`Lease::begin`] is called: then the
//! node has another lease, with the next number.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::Instant;

/// How long a heartbeat holds the lease, from the moment at which it was sent. Others take over after a
/// second more.
pub(crate) const LEASE_TIME: Duration = Duration::from_secs(2);

/// The value of `until` without a lease.
const NONE: u64 = 0;

/// The lease of this node.
#[derive(Debug)]
pub(crate) struct Lease {
    start: Instant,
    /// The end, in milliseconds since `start`; [`NONE`] before the first heartbeat and after a loss.
    until: AtomicU64,
    state: Mutex<Phase>,
    changes: Notify,
}

#[derive(Debug, Clone, Copy)]
struct Phase {
    /// 1 for the first lease, 2 for the one after its loss, and so on.
    number: u64,
    is_lost: bool,
    has_left: bool,
}

impl Lease {
    pub(crate) fn new() -> Self {
        let phase = Phase { number: 1, is_lost: false, has_left: false };
        let start = Instant::now();
        Self {
            start,
            until: AtomicU64::new(NONE),
            state: Mutex::new(phase),
            changes: Notify::new(),
        }
    }

    /// Whether the lease is held at this moment.
    pub(crate) fn is_held(&self) -> bool {
        self.now() < self.until.load(Ordering::Acquire)
    }

    /// The number of the lease that heartbeats are to renew; `None` while it is lost.
    pub(crate) fn to_renew(&self) -> Option<u64> {
        let phase = *self.state.lock();
        (!phase.is_lost && !phase.has_left).then_some(phase.number)
    }

    /// The number of the lease, also of a lost one.
    pub(crate) fn number(&self) -> u64 {
        self.state.lock().number
    }

    /// A heartbeat of the lease `number`, sent at this moment, was stored.
    pub(crate) fn renew(&self, number: u64, sent: Instant) {
        let mut phase = self.state.lock();
        if phase.is_lost || phase.has_left || phase.number != number {
            return;
        }
        let held = self.until.load(Ordering::Acquire);
        if held != NONE && self.now() >= held {
            self.lose(&mut phase);
            return;
        }
        let until = millis(sent - self.start + LEASE_TIME);
        if until > self.now() {
            self.until.store(until, Ordering::Release);
            self.changes.notify_waiters();
        }
    }

    /// Everything that relied on the last lease has ended: heartbeats may get another one.
    pub(crate) fn begin(&self) {
        let mut phase = self.state.lock();
        self.until.store(NONE, Ordering::Release);
        phase.number += 1;
        phase.is_lost = false;
        self.changes.notify_waiters();
    }

    /// Gives the lease up for ever.
    pub(crate) fn leave(&self) {
        let mut phase = self.state.lock();
        phase.has_left = true;
        self.lose(&mut phase);
    }

    fn lose(&self, phase: &mut Phase) {
        self.until.store(NONE, Ordering::Release);
        phase.is_lost = true;
        self.changes.notify_waiters();
    }

    /// Waits until the lease is held.
    pub(crate) async fn held(&self) {
        loop {
            let changed = self.changes.notified();
            if self.is_held() {
                return;
            }
            changed.await;
        }
    }

    /// Waits until a lease that was held is lost.
    pub(crate) async fn lost(&self) {
        loop {
            let changed = self.changes.notified();
            {
                let mut phase = self.state.lock();
                let until = self.until.load(Ordering::Acquire);
                if until != NONE && self.now() >= until {
                    self.lose(&mut phase);
                }
                if phase.is_lost {
                    return;
                }
            }
            let until = self.until.load(Ordering::Acquire);
            let end = self.start + Duration::from_millis(until);
            tokio::select! {
                biased;
                () = tokio::time::sleep_until(end), if until != NONE => {}
                () = changed => {}
            }
        }
    }

    /// Waits until heartbeats are to be sent.
    pub(crate) async fn wanted(&self) -> u64 {
        loop {
            let changed = self.changes.notified();
            if let Some(number) = self.to_renew() {
                return number;
            }
            changed.await;
        }
    }

    fn now(&self) -> u64 {
        // A fraction of a millisecond more counts as a whole one: the lease never ends late.
        millis(self.start.elapsed() + Duration::from_micros(999))
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn it_is_held_for_two_seconds_from_the_moment_a_heartbeat_was_sent() {
        let lease = Lease::new();
        assert!(!lease.is_held());
        let sent = Instant::now();
        advance(Duration::from_millis(900)).await;
        lease.renew(1, sent);
        assert!(lease.is_held());
        advance(Duration::from_millis(1099)).await;
        assert!(lease.is_held());
        lease.renew(1, sent + Duration::from_secs(1));
        advance(Duration::from_millis(1000)).await;
        assert!(lease.is_held() && lease.lost().now_or_never().is_none());
        advance(Duration::from_millis(1)).await;
        assert!(!lease.is_held());
        assert!(lease.lost().now_or_never().is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn once_lost_it_stays_lost_until_the_next_one_begins() {
        let lease = Lease::new();
        lease.renew(1, Instant::now());
        // The process stood still.
        advance(LEASE_TIME).await;
        lease.renew(1, Instant::now());
        assert!(!lease.is_held(), "what relied on it does not know yet");
        assert!(lease.lost().now_or_never().is_some());
        assert_eq!(lease.to_renew(), None);
        lease.begin();
        assert_eq!(lease.to_renew(), Some(2));
        lease.renew(1, Instant::now());
        assert!(!lease.is_held(), "a heartbeat of the last one counts for nothing");
        lease.renew(2, Instant::now());
        assert!(lease.is_held() && lease.held().now_or_never().is_some());
        lease.leave();
        lease.begin();
        assert_eq!((lease.is_held(), lease.to_renew()), (false, None));
    }
}
