//! The game that ends with facts which the rules have decided, for the archive, when it was played, and against
//! how strong a computer.

use noughts_protocol::{
    ByMark, Computer, Event, GameId, Mark, Participant, RoomState, Seat, Strength,
};
use noughts_store::FinishedGame;
use serde::{Deserialize, Serialize};

use crate::room::rules::{RoomDecided, RoomRules, Timestamp};

/// When the current game was played, and against how strong a computer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GameTimes {
    /// The start, in milliseconds since 1970.
    pub(super) started: i64,
    /// Each move, in milliseconds since the start; 0 by a wall clock that was set back.
    pub(super) moves_ms: Vec<u32>,
    /// The lowest strength with which the computer of a person has moved: who makes it stronger for the last
    /// move has not beaten a strong one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weakest: Option<Strength>,
}

impl GameTimes {
    /// Notes an event that happened at `unix_ms` in a room of this state.
    pub(super) fn advance(&mut self, event: &Event, state: &RoomState, unix_ms: i64) {
        match event {
            Event::GameStarted { .. } => *self = Self { started: unix_ms, ..Self::default() },
            Event::Moved { mark: mover, .. } => {
                if let Some((mark, computer)) = state.adjustable()
                    && mark == *mover
                {
                    let weakest = self.weakest.unwrap_or(computer.strength);
                    self.weakest = Some(weakest.min(computer.strength));
                }
                let since = unix_ms.saturating_sub(self.started).max(0);
                self.moves_ms.push(u32::try_from(since).unwrap_or(u32::MAX));
            }
            Event::TakenBack { ply, .. } => self.moves_ms.truncate(usize::from(*ply)),
            Event::GameOver { .. }
            | Event::Chosen { .. }
            | Event::Seated { .. }
            | Event::Paced { .. }
            | Event::Clock { .. }
            | Event::Closed { .. } => {}
        }
    }
}

impl RoomRules {
    /// When the last game began, in milliseconds since 1970.
    pub(crate) const fn game_started(&self) -> i64 {
        self.game_times.started
    }

    /// Gives the game that ends with these facts an id, and returns it with them. `rates` tells
    /// whether the server rates quick matches. A game without a mark is not kept: there is nothing to
    /// look at. It is in a box, because it is large and rare: every room's task would have place for it.
    pub(crate) fn keep_game(
        &self,
        at: Timestamp,
        RoomDecided(mut events): RoomDecided,
        id: GameId,
        rates: bool,
    ) -> (RoomDecided, Option<Box<FinishedGame>>) {
        let is_end = |event: &Event| {
            matches!(event, Event::Moved { over: Some(_), .. } | Event::GameOver { .. })
        };
        let Some(last) = events.iter().position(is_end) else { return (RoomDecided(events), None) };
        let game = self.finished_game(at, &events[..=last], id, rates);
        if let (Event::Moved { over: Some(end), .. } | Event::GameOver { end, .. }, Some(_)) =
            (&mut events[last], &game)
        {
            end.id = Some(id);
        }
        (RoomDecided(events), game.map(Box::new))
    }

    /// The game that is over after these facts, if it counts and has a mark.
    fn finished_game(
        &self,
        at: Timestamp,
        events: &[Event],
        id: GameId,
        rates: bool,
    ) -> Option<FinishedGame> {
        let mut state = self.state.clone();
        let mut times = self.game_times.clone();
        for event in events {
            times.advance(event, &state, at.unix_ms);
            state.advance(event);
        }
        if let (Some((mark, computer)), Some(weakest)) = (state.adjustable(), times.weakest) {
            let strength = weakest.min(computer.strength);
            state.seats[mark] = Seat::Computer(Computer { strength, ..computer });
        }
        let numbered = state.game.as_ref()?;
        let game = &numbered.game;
        let result = game.result().filter(|result| result.counts())?.clone();
        let [x, o] = Mark::BOTH.map(|mark| Participant::of(&state.seats[mark]));
        let [in_x, in_o] = Mark::BOTH.map(|mark| state.seats[mark].player());
        let is_between = |[first, second]: [_; 2]| {
            let [first, second] = [Some(first), Some(second)];
            first != second && ([first, second] == [in_x, in_o] || [second, first] == [in_x, in_o])
        };
        (game.ply() > 0).then_some(())?;
        Some(FinishedGame {
            id,
            room: state.code,
            number: numbered.number,
            settings: state.settings,
            players: ByMark { x: x?, o: o? },
            first: game.first(),
            opening: self.opening_marks(numbered).min(game.ply()),
            moves: game.moves().to_vec(),
            placed: game.placed().to_vec(),
            times_ms: times.moves_ms,
            started: times.started,
            ended: at.unix_ms,
            result,
            rated: rates && self.matched.is_some_and(is_between),
            public: state.settings.listed || self.matched.is_some(),
        })
    }
}
