//! An entry of the journal: a fact of a room, encoded and decoded.
//!
//! A move that leads to nothing else is stored as its cell; its game, ply and mark follow from the
//! moves before it. Every other fact is stored as the protocol's event in JSON, so that what was told
//! is what is read: the end of a game is not worked out again.

use noughts_protocol::{Cell, Event, IntentId, PlayerId, RoomCode, RoomSettings, RoomState};

/// A stored fact of a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The room's version after this fact.
    pub v: u64,
    /// The run of the server in which it happened.
    pub run: i64,
    /// When it happened, in milliseconds since 1970.
    pub at: i64,
    /// What happened.
    pub payload: Payload,
    /// The checksum of the room up to this fact; 0 until [`seal`](super::checksum::seal) sets it.
    pub crc: u32,
}

/// What happened, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payload {
    /// The player whose turn it was placed a mark in this cell, and nothing else came of it.
    Move(u16),
    /// Any other fact, as JSON.
    Fact(String),
}

/// When a room or a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndTime {
    /// In milliseconds since 1970.
    pub at: i64,
    /// How long the server had run by then, over all its runs, in milliseconds.
    pub age: i64,
}

/// The intent that made a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The player who sent the intent.
    pub player: PlayerId,
    /// The intent's id.
    pub id: IntentId,
}

/// What is stored of a room besides its facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRoom {
    /// The room's code.
    pub code: RoomCode,
    /// The room's settings, which never change.
    pub settings: RoomSettings,
    /// The intents that made it: one, or two for a quick match.
    pub origins: Vec<Origin>,
}

impl NewRoom {
    /// The settings as they are stored.
    pub(super) fn settings_json(&self) -> String {
        // Serialization cannot fail: settings hold no map whose keys are not strings.
        serde_json::to_string(&self.settings).unwrap_or_default()
    }

    /// The origins as they are stored: player and intent of the first and of the second.
    pub(super) fn origin_columns(&self) -> [Option<i64>; 4] {
        let origin = |at: usize| {
            let origin = self.origins.get(at);
            origin.map(|origin| (origin.player.0.cast_signed(), u64::from(origin.id).cast_signed()))
        };
        let (maker, guest) = (origin(0).unzip(), origin(1).unzip());
        [maker.0, maker.1, guest.0, guest.1]
    }
}

impl Entry {
    /// The entry for a fact, without its checksum.
    #[must_use]
    pub fn of(fact: &Event, v: u64, run: i64, at: i64) -> Self {
        let payload = match fact {
            Event::Moved { cell, over: None, opening: None, .. } => Payload::Move(cell.0),
            // Serialization cannot fail: events hold no map whose keys are not strings.
            _ => Payload::Fact(serde_json::to_string(fact).unwrap_or_default()),
        };
        Self { v, run, at, payload, crc: 0 }
    }

    /// Reads the columns `v, run, at, cell, fact, crc`.
    pub(super) fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        let payload = match row.get(3)? {
            Some(cell) => Payload::Move(cell),
            None => Payload::Fact(row.get(4)?),
        };
        let v: i64 = row.get(0)?;
        let (run, at, crc) = (row.get(1)?, row.get(2)?, row.get(5)?);
        Ok(Self { v: v.cast_unsigned(), run, at, payload, crc })
    }

    /// The event of this entry in a room whose facts before it led to `state`.
    ///
    /// # Errors
    /// If there is none; the text says why.
    pub fn event(&self, state: &RoomState) -> Result<Event, String> {
        match &self.payload {
            Payload::Move(cell) => {
                let numbered = state.game.as_ref().ok_or("a move before the first game")?;
                Ok(Event::Moved {
                    game: numbered.number,
                    ply: numbered.game.ply(),
                    mark: numbered.game.to_move(),
                    cell: Cell(*cell),
                    over: None,
                    opening: None,
                })
            }
            Payload::Fact(json) => {
                serde_json::from_str(json).map_err(|error| format!("{error} in {json:?}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{
        ByMark, CloseReason, Computer, GameEnd, GameResult, LineKind, Mark, OpeningChoice,
        OpeningPhase, Pace, Score, Seat, Series, WinningLine,
    };

    use super::*;

    /// Entries stored today must stay readable: these texts never change.
    fn check(event: Event, stored: &str) {
        let entry = Entry::of(&event, 7, 1, 0);
        assert_eq!(entry.payload, Payload::Fact(stored.to_owned()));
        let state = RoomState::new(RoomCode::from_number(1), RoomSettings::default());
        assert_eq!(entry.event(&state), Ok(event));
    }

    fn moved(over: Option<GameEnd>, opening: Option<OpeningPhase>) -> Event {
        Event::Moved { game: 1, ply: 4, mark: Mark::X, cell: Cell(2), over, opening }
    }

    fn ada() -> Seat {
        Seat::Human { player: PlayerId(255), name: "Ada".parse().unwrap() }
    }

    #[test]
    fn the_stored_form_of_seats_and_ends_never_changes() {
        check(
            Event::Seated { mark: Mark::X, seat: ada() },
            r#"{"kind":"seated","mark":"x","seat":{"kind":"human","player":"00000000000000ff","name":"Ada"}}"#,
        );
        check(
            Event::Seated { mark: Mark::O, seat: Seat::Computer(Computer::default()) },
            r#"{"kind":"seated","mark":"o","seat":{"kind":"computer","strategy":"minimax","strength":"average"}}"#,
        );
        check(
            Event::Seated { mark: Mark::O, seat: Seat::Open },
            r#"{"kind":"seated","mark":"o","seat":{"kind":"open"}}"#,
        );
        let result = GameResult::Resignation { winner: Mark::O };
        let end = GameEnd { result, score: Score { x: 0, o: 1, draws: 0 }, id: None };
        check(
            Event::GameOver { game: 1, end },
            r#"{"kind":"game_over","game":1,"result":{"how":"resignation","winner":"o"},"score":{"x":0,"o":1,"draws":0}}"#,
        );
        check(Event::Closed { reason: CloseReason::Idle }, r#"{"kind":"closed","reason":"idle"}"#);
    }

    #[test]
    fn the_stored_form_of_games_never_changes() {
        let score = Score::default();
        check(
            Event::GameStarted {
                game: 1,
                first: Mark::X,
                score,
                opening: None,
                series: Series::default(),
            },
            r#"{"kind":"game_started","game":1,"first":"x","score":{"x":0,"o":0,"draws":0}}"#,
        );
        let series = Series { first_to: Some(3) };
        check(
            Event::GameStarted { game: 2, first: Mark::X, score, opening: None, series },
            r#"{"kind":"game_started","game":2,"first":"x","score":{"x":0,"o":0,"draws":0},"series":{"first_to":3}}"#,
        );
        check(Event::Paced { pace: Pace::Paused }, r#"{"kind":"paced","pace":"paused"}"#);
        let opening = Some(OpeningPhase::first(Mark::X));
        check(
            Event::GameStarted {
                game: 1,
                first: Mark::X,
                score,
                opening,
                series: Series::default(),
            },
            r#"{"kind":"game_started","game":1,"first":"x","score":{"x":0,"o":0,"draws":0},"opening":{"state":"placing","by":"x","until_ply":3}}"#,
        );
        let cells = vec![Cell(0), Cell(1), Cell(2)];
        let lines = vec![WinningLine { kind: LineKind::Row { number: 1 }, cells }];
        let result = GameResult::Line { winner: Mark::X, lines };
        check(
            moved(Some(GameEnd { result, score: Score { x: 1, o: 0, draws: 0 }, id: None }), None),
            r#"{"kind":"moved","game":1,"ply":4,"mark":"x","cell":2,"over":{"result":{"how":"line","winner":"x","lines":[{"kind":"row","number":1,"cells":[0,1,2]}]},"score":{"x":1,"o":0,"draws":0}}}"#,
        );
        check(
            moved(None, Some(OpeningPhase::Choosing { by: Mark::O, may_add: true })),
            r#"{"kind":"moved","game":1,"ply":4,"mark":"x","cell":2,"opening":{"state":"choosing","by":"o","may_add":true}}"#,
        );
        let seats = ByMark { x: Seat::Open, o: ada() };
        check(
            Event::Chosen { game: 1, choice: OpeningChoice::X, opening: None, seats, score },
            r#"{"kind":"chosen","game":1,"choice":"x","seats":{"x":{"kind":"open"},"o":{"kind":"human","player":"00000000000000ff","name":"Ada"}},"score":{"x":0,"o":0,"draws":0}}"#,
        );
    }

    #[test]
    fn a_move_that_leads_to_nothing_is_its_cell() {
        assert_eq!(Entry::of(&moved(None, None), 7, 1, 0).payload, Payload::Move(2));
    }

    #[test]
    fn an_entry_without_an_event_is_an_error() {
        let state = RoomState::new(RoomCode::from_number(1), RoomSettings::default());
        for payload in
            [Payload::Move(3), Payload::Fact("{".into()), Payload::Fact(r#"{"kind":"x"}"#.into())]
        {
            let entry = Entry { v: 1, run: 1, at: 0, payload, crc: 0 };
            assert!(entry.event(&state).is_err(), "{entry:?}");
        }
    }
}
