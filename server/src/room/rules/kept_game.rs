//! The game that ends with facts which the rules have decided, for the archive.

use noughts_protocol::{Event, GameId};

use crate::journal::archive::ended_game::EndedGame;
use crate::room::rules::{Decided, RoomRules};

impl RoomRules {
    /// Gives the game that ends with these facts an id, and returns it with them. `rates` tells
    /// whether the server rates quick matches. A game without a mark is not kept: there is nothing to
    /// look at. It is in a box, because it is large and rare: every room's task would have place for it.
    pub(crate) fn keep_game(
        &self,
        Decided(mut events): Decided,
        id: GameId,
        rates: bool,
    ) -> (Decided, Option<Box<EndedGame>>) {
        let is_end = |event: &Event| {
            matches!(event, Event::Moved { over: Some(_), .. } | Event::GameOver { .. })
        };
        let Some(at) = events.iter().position(is_end) else { return (Decided(events), None) };
        let mut after = self.state.clone();
        events[..=at].iter().for_each(|event| after.advance(event));
        let opening = self.state.game.as_ref().map_or(0, |game| self.opening_marks(game));
        let game = EndedGame::of(&after, id, opening, rates);
        if let (Event::Moved { over: Some(end), .. } | Event::GameOver { end, .. }, Some(_)) =
            (&mut events[at], &game)
        {
            end.id = Some(id);
        }
        (Decided(events), game.map(Box::new))
    }
}
