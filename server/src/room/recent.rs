//! Reviews and pictures of kept games. The last ones that were made are remembered, and no others.

use std::collections::VecDeque;
use std::sync::Arc;

use noughts_protocol::GameId;
use parking_lot::Mutex;
use tokio::sync::OnceCell;

/// Games that are remembered: each has a review of 8 KiB at most, or a picture of 150 KB at most.
const MOST: usize = 64;

/// Something that is made of a game once, also if several people look at it at a time.
#[derive(Debug)]
pub(crate) struct Recent<V>(
    /// The newest last.
    Mutex<VecDeque<(GameId, Arc<OnceCell<V>>)>>,
);

impl<V> Default for Recent<V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<V> Recent<V> {
    /// The place for what is made of a game. It is empty until somebody has made it. A new game takes the place of
    /// the oldest one.
    pub(crate) fn of(&self, id: GameId) -> Arc<OnceCell<V>> {
        let mut games = self.0.lock();
        if let Some((_, made)) = games.iter().find(|(known, _)| *known == id) {
            return Arc::clone(made);
        }
        if games.len() == MOST {
            games.pop_front();
        }
        let made = Arc::default();
        games.push_back((id, Arc::clone(&made)));
        made
    }

    /// Forgets what was made of a game. Those who wait for it get it.
    pub(super) fn forget(&self, id: GameId) {
        self.0.lock().retain(|(known, _)| *known != id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_games_are_remembered() {
        let recent = Recent::default();
        for id in 0..=MOST as u64 {
            recent.of(GameId(id)).set(id).unwrap();
        }
        assert_eq!(recent.of(GameId(1)).get(), Some(&1));
        assert_eq!(recent.of(GameId(0)).get(), None);
        assert_eq!(recent.0.lock().len(), MOST);
    }
}
