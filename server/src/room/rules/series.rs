//! A series: who moves first in the next game, and the events of a move or a result.

use noughts_protocol::game::GameResult;
use noughts_protocol::settings::FirstMove;
use noughts_protocol::{
    AfterMove, Event, Game, GameEnd, HintReason, IllegalMove, Mark, Move, NumberedGame, Opening,
    OpeningPhase, Placement, RoomState, Rules, Score, Series,
};

use crate::room::rules::RoomRules;

impl RoomRules {
    /// The next game. A new `series` begins at zero, also after a decided one. In a swap2 opening
    /// the player who would begin places the marks, X first.
    pub(crate) fn next_game(&self, series: Option<Series>, coin: bool) -> Event {
        let RoomState { score, series: so_far, .. } = self.state;
        let goes_on = series.is_none() && so_far.winner(score).is_none();
        let score = if goes_on { score } else { Score::default() };
        let series = series.unwrap_or(so_far);
        let last = self.state.game.as_ref();
        let began = last.map(|last| self.placer_at(last, 0));
        let begins = first_mover(self.state.settings.first, last, began, coin);
        let game = last.map_or(1, |last| last.number + 1);
        let (first, opening) = match self.state.settings.opening {
            Opening::Free => (begins, None),
            Opening::Swap2 => (Mark::X, Some(OpeningPhase::first(begins))),
        };
        let playable = Game::new(Rules::of(&self.state.settings), first).playable();
        Event::GameStarted { game, first, score, opening, series, playable }
    }

    /// A move, with what it leads to.
    pub(crate) fn moved(&self, running: &NumberedGame, chosen: Move) -> Result<Event, IllegalMove> {
        let AfterMove { result, opening, effect, playable } = running.decide(chosen)?;
        let Move { ply, mark, cell, .. } = chosen;
        let placed = Some(running.game.placement(chosen).mark).filter(|placed| *placed != mark);
        let over = result.map(|result| self.end(result));
        Ok(Event::Moved {
            game: running.number,
            ply,
            mark,
            cell,
            placed,
            effect,
            playable,
            over,
            opening,
            reason: None,
        })
    }

    /// Why the computer to move plays this, if the room's settings ask for that.
    pub(super) fn comment(&self, running: &NumberedGame, placed: Placement) -> Option<HintReason> {
        let settings = &self.state.settings;
        let computer = self.state.seats[running.turn()?].computer()?;
        let may_comment = computer.may_comment(settings.variant, settings.board);
        let comments = settings.comments && may_comment && running.opening.is_none();
        comments.then(|| noughts_engine::analysis::reason(&running.game, placed))?
    }

    /// The end of game `game` without a move.
    pub(crate) fn game_over(&self, game: u32, result: GameResult) -> Event {
        Event::GameOver { game, end: self.end(result) }
    }

    fn end(&self, result: GameResult) -> GameEnd {
        let score = self.state.score.with(&result);
        GameEnd { result, score, id: None }
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
