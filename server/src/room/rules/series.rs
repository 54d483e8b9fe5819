//! A series: who moves first in the next game, and the events of a move or a result.

use noughts_protocol::game::GameResult;
use noughts_protocol::settings::FirstMove;
use noughts_protocol::{
    Cell, Event, IllegalMove, Mark, Move, NumberedGame, Opening, OpeningPhase, Score,
};

use crate::room::rules::RoomRules;

impl RoomRules {
    /// The next game; `score` is the score so far. In a swap2 opening the player who would begin
    /// places the marks, X first.
    pub(crate) fn next_game(&self, score: Score, coin: bool) -> Vec<Event> {
        let last = self.state.game.as_ref();
        let began = last.map(|last| self.placer_at(last, 0));
        let begins = first_mover(self.state.settings.first, last, began, coin);
        let game = last.map_or(1, |last| last.number + 1);
        match self.state.settings.opening {
            Opening::Free => vec![Event::GameStarted { game, first: begins, score }],
            Opening::Swap2 => {
                let phase = OpeningPhase::first(begins);
                let started = Event::GameStarted { game, first: Mark::X, score };
                vec![started, Event::Opening { game, phase, swapped: false }]
            }
        }
    }

    /// The move, and the result or the next opening phase if it leads to one.
    pub(crate) fn moved(
        &self,
        running: &NumberedGame,
        mark: Mark,
        cell: Cell,
    ) -> Result<Vec<Event>, IllegalMove> {
        let (game, ply) = (running.number, running.game.ply());
        let chosen = Move { ply, mark, cell };
        running.check(chosen)?;
        let result = running.game.result_of(chosen)?;
        let mut events = vec![Event::Moved { game, ply, mark, cell }];
        events.extend(result.map(|result| self.over(game, result)));
        let phase = running.opening.and_then(|phase| phase.after_mark(ply + 1));
        events.extend(phase.map(|phase| Event::Opening { game, phase, swapped: false }));
        Ok(events)
    }

    /// The end of game `game`.
    pub(crate) fn over(&self, game: u32, result: GameResult) -> Event {
        let score = self.state.score.with(&result);
        Event::GameOver { game, result, score }
    }
}

/// The mark that begins the game after `last`, which `began` began.
fn first_mover(
    rule: FirstMove,
    last: Option<&NumberedGame>,
    began: Option<Mark>,
    coin: bool,
) -> Mark {
    let by_turns = || began.map_or(Mark::X, Mark::other);
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
