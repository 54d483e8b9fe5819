//! A game that is over, as the rules of its room tell it, and the games that a room's facts tell.
//! Pure.

use noughts_protocol::opening::SWAP2_PLIES;
use noughts_protocol::{
    BoardSpec, ByMark, Cell, Event, GameId, GameResult, Mark, OpeningChoice, Participant,
    PlayerName, RoomState,
};

use crate::journal::replay::replay;
use crate::journal::stored_room::StoredRoom;

/// A game that is over and has at least one mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedGame {
    /// The id under which it is kept.
    pub id: GameId,
    /// The game's number in its room.
    pub number: u32,
    /// The board.
    pub board: BoardSpec,
    /// The players, by the sides at the end.
    pub players: ByMark<Participant>,
    /// The mark that moved first.
    pub first: Mark,
    /// The number of marks that the opening placed; 0 without an opening.
    pub opening: u16,
    /// The cells in order.
    pub moves: Vec<Cell>,
    /// The result.
    pub result: GameResult,
    /// Whether the server rates quick matches. Whether the game was one is the journal's to know.
    pub rates: bool,
}

/// When a game was played, in milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameTimes {
    /// The start.
    pub started: i64,
    /// The end.
    pub ended: i64,
    /// Each move.
    pub moves: Vec<i64>,
}

impl EndedGame {
    /// The last game of a room, if it is over, counts and has a mark. `opening` is the number of marks that
    /// its opening placed, or would have placed.
    #[must_use]
    pub fn of(state: &RoomState, id: GameId, opening: u16, rates: bool) -> Option<Self> {
        let numbered = state.game.as_ref()?;
        let game = &numbered.game;
        let result = game.result()?.clone();
        let [x, o] = Mark::BOTH.map(|mark| Participant::of(&state.seats[mark]));
        if game.ply() == 0 || !result.counts() {
            return None;
        }
        Some(Self {
            id,
            number: numbered.number,
            board: state.settings.board,
            players: ByMark { x: x?, o: o? },
            first: game.first(),
            opening: opening.min(game.ply()),
            moves: game.moves().to_vec(),
            result,
            rates,
        })
    }

    /// Whether one person played both sides.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.players.x.player().is_some() && self.players.x.player() == self.players.o.player()
    }
}

/// A game that a room's facts tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldGame {
    /// The game. Its id is 0 if the facts give none.
    pub game: EndedGame,
    /// Its times.
    pub times: GameTimes,
    /// Whether the facts give an id. Servers before the archive gave none.
    pub has_id: bool,
}

/// The games of a stored room that are over and have a mark.
///
/// # Errors
/// If the facts contradict each other; the text says how.
pub fn ended_games(room: &StoredRoom) -> Result<Vec<ToldGame>, String> {
    if let Some(error) = room.checksum_error() {
        return Err(error);
    }
    let (mut games, mut times, mut opening) = (Vec::new(), GameTimes::default(), 0);
    replay(room.code, room.settings, &room.entries, |entry, event, state| {
        let is_over = match event {
            Event::GameStarted { opening: phase, .. } => {
                times = GameTimes { started: entry.at, ..GameTimes::default() };
                opening = phase.map_or(0, |_| SWAP2_PLIES[0]);
                false
            }
            Event::Moved { over, .. } => {
                times.moves.push(entry.at);
                over.is_some()
            }
            Event::Chosen { choice: OpeningChoice::Add, .. } => {
                opening = SWAP2_PLIES[1];
                false
            }
            Event::GameOver { .. } => true,
            Event::Chosen { .. }
            | Event::Seated { .. }
            | Event::Paced { .. }
            | Event::Closed { .. } => false,
        };
        if is_over {
            times.ended = entry.at;
            let id = state.game.as_ref().and_then(|numbered| numbered.id);
            let (times, has_id) = (std::mem::take(&mut times), id.is_some());
            let game = EndedGame::of(state, id.unwrap_or(GameId(0)), opening, false);
            games.extend(game.map(|game| ToldGame { game, times, has_id }));
        }
    })?;
    Ok(games)
}

/// The name that a player goes by: the name on a seat, without the number that tells two people of
/// one name apart.
#[must_use]
pub fn own_name(seat: &PlayerName, other: Option<&PlayerName>) -> PlayerName {
    let own = seat.as_str().strip_suffix(" (2)").or_else(|| seat.as_str().strip_suffix(" (3)"));
    let own = own.and_then(|own| own.parse::<PlayerName>().ok());
    let numbered = |own: &PlayerName| other.is_some_and(|other| own.apart_from(other) == *seat);
    own.filter(numbered).unwrap_or_else(|| seat.clone())
}
