//! A series: who moves first in the next game, and what a move or a result leads to.

use noughts_protocol::game::GameResult;
use noughts_protocol::settings::FirstMove;
use noughts_protocol::{Cell, Event, IllegalMove, Mark, Move, NumberedGame, Score};

use super::Table;

impl Table {
    /// The next game; `score` is the score so far.
    pub(super) fn next_game(&self, score: Score, coin: bool) -> Event {
        let last = self.state.game.as_ref();
        let first = first_mover(self.state.settings.first, last, coin);
        Event::GameStarted { game: last.map_or(1, |last| last.number + 1), first, score }
    }

    /// The move and, where it ends the game, the result.
    pub(super) fn moved(
        &self,
        running: &NumberedGame,
        mark: Mark,
        cell: Cell,
    ) -> Result<Vec<Event>, IllegalMove> {
        let (game, ply) = (running.number, running.game.ply());
        let mut after = running.game.clone();
        let result = after.apply(Move { ply, mark, cell })?.cloned();
        let mut events = vec![Event::Moved { game, ply, mark, cell }];
        events.extend(result.map(|result| self.over(game, result)));
        Ok(events)
    }

    /// The end of game `game`.
    pub(super) fn over(&self, game: u32, result: GameResult) -> Event {
        let score = self.state.score.with(&result);
        Event::GameOver { game, result, score }
    }
}

/// Who moves first in the game after `last`.
fn first_mover(rule: FirstMove, last: Option<&NumberedGame>, coin: bool) -> Mark {
    let by_turns = || last.map_or(Mark::X, |last| last.game.first().other());
    match rule {
        FirstMove::X => Mark::X,
        FirstMove::O => Mark::O,
        FirstMove::Random => [Mark::O, Mark::X][usize::from(coin)],
        FirstMove::Alternate => by_turns(),
        FirstMove::Loser => {
            let winner = last.and_then(|last| last.game.result()?.winner());
            winner.map_or_else(by_turns, Mark::other)
        }
    }
}
