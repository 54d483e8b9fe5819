//! Somebody who plays a computer, any cell at once, one game after another.

use std::time::Instant;

use anyhow::{Context, bail};
use noughts_protocol::{
    BoardSpec, ByMark, Computer, Event, Mark, RoomSettings, RoomState, SeatRequest, ServerMessage,
};

use crate::duel::Letter;
use crate::socket::Id;
use crate::tally::Tally;
use crate::words;

/// A person, X, in a room with a computer.
#[derive(Debug)]
pub(crate) struct Person {
    settings: RoomSettings,
    computer: Computer,
    room: Option<RoomState>,
    /// Whether the room was entered and that was not asked for yet.
    arrived: bool,
    intents: u64,
    /// When the person moved, while the computer has not.
    asked: Option<Instant>,
}

impl Person {
    pub(crate) fn new(board: BoardSpec, computer: Computer) -> Self {
        let settings = RoomSettings { board, ..RoomSettings::default() };
        Self { settings, computer, room: None, arrived: false, intents: 1, asked: None }
    }

    /// Makes the room.
    pub(crate) fn create(&self) -> String {
        let seats = ByMark { x: SeatRequest::You, o: SeatRequest::Computer(self.computer) };
        words::create(1, self.settings, seats)
    }

    /// Whether the room was entered since this was last asked.
    pub(crate) fn has_entered(&mut self) -> bool {
        std::mem::take(&mut self.arrived)
    }

    /// Takes a message in, and moves if that is due.
    ///
    /// # Errors
    /// Where it is a refusal, or does not fit the room.
    pub(crate) fn hear(
        &mut self,
        line: Id,
        text: &str,
        tally: &mut Tally,
    ) -> anyhow::Result<Option<Letter>> {
        match serde_json::from_str(text).with_context(|| format!("failed to read {text}"))? {
            ServerMessage::Snapshot(snapshot) => {
                self.room = Some(RoomState::from_snapshot(&snapshot).context("bad snapshot")?);
                self.arrived = true;
            }
            ServerMessage::Event { v, event, .. } => {
                let room = self.room.as_mut().context("an event before the snapshot")?;
                room.apply(v, &event).with_context(|| format!("out of step: {text}"))?;
                if let Event::Moved { mark: Mark::O, .. } = event
                    && let Some(asked) = self.asked.take()
                {
                    tally.computers.record(asked.elapsed());
                }
                let Event::GameOver { game, .. } = event else { return Ok(self.go_on(line)) };
                self.intents += 1;
                return Ok(Some((line, words::rematch(self.intents, room.code, game))));
            }
            ServerMessage::Refused { code, message, .. } => bail!("refused ({code:?}): {message}"),
            _ => return Ok(None),
        }
        Ok(self.go_on(line))
    }

    /// Moves, where it is X's turn.
    fn go_on(&mut self, line: Id) -> Option<Letter> {
        let room = self.room.as_ref()?;
        let running = room.running()?;
        let cell = running.game.board().empty_cells().next()?;
        if room.turn() != Some(Mark::X) {
            return None;
        }
        self.asked = Some(Instant::now());
        self.intents += 1;
        let (game, ply) = (running.number, running.game.ply());
        Some((line, words::play(self.intents, room.code, game, ply, cell)))
    }
}
