//! The last lines of the players, or of the spectators, and how far they were told.

use std::collections::VecDeque;

use noughts_protocol::{CHAT_LINES, ChatLine};

/// The last [`CHAT_LINES`] lines. Older ones are forgotten, told or not.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    kept: VecDeque<ChatLine>,
    /// The number of the last line that the players were told.
    pub(crate) players_heard: u64,
    /// The same for the spectators.
    spectators_heard: u64,
}

impl Lines {
    /// Adds a line.
    pub(crate) fn push(&mut self, line: ChatLine) {
        if self.kept.len() == CHAT_LINES {
            self.kept.pop_front();
        }
        self.kept.push_back(line);
    }

    /// The lines, the oldest first.
    pub(crate) fn kept(&self) -> impl Iterator<Item = &ChatLine> {
        self.kept.iter()
    }

    /// The lines that the players were not told yet. They count as told from now on.
    pub(crate) fn take_for_players(&mut self) -> Vec<ChatLine> {
        let lines = self.after(self.players_heard);
        self.players_heard = self.last().unwrap_or(self.players_heard);
        lines
    }

    /// The same for the spectators.
    pub(crate) fn take_for_spectators(&mut self) -> Vec<ChatLine> {
        let lines = self.after(self.spectators_heard);
        self.spectators_heard = self.last().unwrap_or(self.spectators_heard);
        lines
    }

    /// Whether there are lines that the spectators were not told yet.
    pub(crate) fn has_untold(&self) -> bool {
        self.last().is_some_and(|last| last > self.spectators_heard)
    }

    fn after(&self, heard: u64) -> Vec<ChatLine> {
        self.kept.iter().filter(|line| line.n > heard).cloned().collect()
    }

    fn last(&self) -> Option<u64> {
        self.kept.back().map(|line| line.n)
    }
}
