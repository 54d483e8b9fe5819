//! The people who asked to be forgotten, in memory, so that `hello` asks no disk.

use std::collections::{HashSet, VecDeque};

use noughts_protocol::PlayerId;
use parking_lot::RwLock;

use super::forget::MAX_FORGOTTEN;

/// At most [`MAX_FORGOTTEN`] people, the same as in the file.
#[derive(Debug, Default)]
pub(in crate::journal) struct Forgotten(RwLock<People>);

#[derive(Debug, Default)]
struct People {
    all: HashSet<PlayerId>,
    /// The same in the order in which they asked.
    order: VecDeque<PlayerId>,
}

impl Forgotten {
    /// These people, who asked in this order.
    pub(in crate::journal) fn of(people: impl IntoIterator<Item = PlayerId>) -> Self {
        let forgotten = Self::default();
        people.into_iter().for_each(|player| forgotten.insert(player));
        forgotten
    }

    /// Adds a person. If there are too many, the one who asked first gives way.
    pub(in crate::journal) fn insert(&self, player: PlayerId) {
        let mut people = self.0.write();
        if !people.all.insert(player) {
            return;
        }
        people.order.push_back(player);
        if usize::try_from(MAX_FORGOTTEN).is_ok_and(|most| people.order.len() > most)
            && let Some(first) = people.order.pop_front()
        {
            people.all.remove(&first);
        }
    }

    /// Whether a person asked to be forgotten.
    pub(in crate::journal) fn contains(&self, player: PlayerId) -> bool {
        self.0.read().all.contains(&player)
    }
}
