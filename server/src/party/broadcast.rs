//! The ephemeral messages of a party, and their pace: the presence twice a second at most, the boards four
//! times.

use std::collections::BTreeMap;
use std::time::Duration;

use noughts_protocol::{PartyPresence, TableBoard};
use tokio::time::Instant;

/// The shortest time between two messages with the presence.
const PRESENCE_EVERY: Duration = Duration::from_millis(500);

/// The shortest time between two messages with boards.
const BOARDS_EVERY: Duration = Duration::from_millis(250);

/// The presence that everybody was told. Its countdowns run in every client by themselves.
#[derive(Debug)]
pub(super) struct PartyPresenceBroadcast {
    told: PartyPresence,
    told_at: Instant,
    /// When another presence is told.
    due: Option<Instant>,
}

impl PartyPresenceBroadcast {
    /// Nothing was told.
    pub(super) fn new(now: Instant) -> Self {
        Self { told: PartyPresence::default(), told_at: now, due: None }
    }

    /// When the presence is to be told; `None` while everything is told.
    pub(super) const fn due_at(&self) -> Option<Instant> {
        self.due
    }

    /// Notes the presence of now.
    pub(super) fn update(&mut self, presence: &PartyPresence, now: Instant) {
        if self.is_told(presence, now) {
            self.due = None;
        } else if self.due.is_none() {
            self.due = Some(now.max(self.told_at + PRESENCE_EVERY));
        }
    }

    /// Whether clients know it by now: a ready check that got more time they do not.
    fn is_told(&self, presence: &PartyPresence, now: Instant) -> bool {
        let checks = self.told.checks.iter().zip(&presence.checks);
        let mut left = checks.map(|(told, check)| {
            let told = Duration::from_millis(told.ms_left.into());
            (self.told_at + told, now + Duration::from_millis(check.ms_left.into()))
        });
        lasting(presence) == lasting(&self.told)
            && left.all(|(told, until)| until <= told + PRESENCE_EVERY)
    }

    /// Notes that the presence is told.
    pub(super) fn tell(&mut self, presence: &PartyPresence, now: Instant) {
        *self = Self { told: presence.clone(), told_at: now, due: None };
    }
}

/// The presence without its countdowns.
fn lasting(presence: &PartyPresence) -> PartyPresence {
    let mut presence = presence.clone();
    for check in &mut presence.checks {
        check.ms_left = 0;
    }
    presence.next_ms = presence.next_ms.map(|_| 0);
    presence
}

/// The boards that have changed since the big screens were told: at most one for each table, and for
/// each table that was left since.
#[derive(Debug)]
pub(super) struct BoardsBroadcast {
    changed: BTreeMap<u32, TableBoard>,
    told_at: Instant,
}

impl BoardsBroadcast {
    /// Nothing has changed.
    pub(super) const fn new(now: Instant) -> Self {
        Self { changed: BTreeMap::new(), told_at: now }
    }

    /// When the boards are to be told; `None` while everything is told.
    pub(super) fn due_at(&self) -> Option<Instant> {
        (!self.changed.is_empty()).then(|| self.told_at + BOARDS_EVERY)
    }

    /// Notes a board that has changed.
    pub(super) fn note(&mut self, board: TableBoard) {
        self.changed.insert(board.pairing, board);
    }

    /// Takes the boards that have changed.
    pub(super) fn take(&mut self, now: Instant) -> Vec<TableBoard> {
        self.told_at = now;
        std::mem::take(&mut self.changed).into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::ReadyCheck;

    use super::*;

    #[test]
    fn a_change_is_told_at_once_and_the_next_one_half_a_second_later() {
        let start = Instant::now();
        let mut told = PartyPresenceBroadcast::new(start);
        let presence = |ready: &[u16], ms_left| PartyPresence {
            ready: ready.to_vec(),
            checks: vec![ReadyCheck { pairing: 1, ms_left }],
            ..PartyPresence::default()
        };
        let later = start + PRESENCE_EVERY;
        told.update(&presence(&[], 20_000), later);
        assert_eq!(told.due_at(), Some(later));
        told.tell(&presence(&[], 20_000), later);
        told.update(&presence(&[], 15_000), later);
        assert_eq!(told.due_at(), None, "a countdown alone is no change");
        told.update(&presence(&[1], 15_000), later);
        assert_eq!(told.due_at(), Some(later + PRESENCE_EVERY));
        told.update(&presence(&[], 14_000), later);
        assert_eq!(told.due_at(), None, "it is as it was told");
        told.update(&presence(&[], 20_000), later + Duration::from_secs(20));
        assert!(told.due_at().is_some(), "a check that begins again");
    }

    #[test]
    fn many_moves_of_a_board_are_one_board() {
        let start = Instant::now();
        let mut told = BoardsBroadcast::new(start);
        for pairing in [2, 1, 2] {
            told.note(TableBoard {
                pairing,
                game: 1,
                moves: Vec::new(),
                placed: Vec::new(),
                effects: Vec::new(),
                playable: None,
                result: None,
            });
        }
        assert_eq!(told.due_at(), Some(start + BOARDS_EVERY));
        let boards: Vec<u32> = told.take(start).iter().map(|board| board.pairing).collect();
        assert_eq!((boards, told.due_at()), (vec![1, 2], None));
    }
}
