//! A player against a computer: it takes the first free cell at once, one game after another.

use std::time::Instant;

use anyhow::{Context, bail};
use noughts_protocol::{
    BoardSpec, ByMark, Computer, Event, Mark, RoomSettings, RoomState, SeatRequest, ServerMessage,
};

use crate::messages;
use crate::socket::Id;
use crate::stats::Stats;
use crate::two_player_room::Outgoing;

/// The player, X, in a room with a computer as O.
#[derive(Debug)]
pub(crate) struct VersusComputer {
    settings: RoomSettings,
    computer: Computer,
    room: Option<RoomState>,
    /// Whether it entered the room since [`VersusComputer::has_entered`] was called.
    arrived: bool,
    intents: u64,
    /// When the player moved, until the computer has moved.
    asked: Option<Instant>,
}

impl VersusComputer {
    pub(crate) fn new(board: BoardSpec, computer: Computer) -> Self {
        let settings = RoomSettings { board, ..RoomSettings::default() };
        Self { settings, computer, room: None, arrived: false, intents: 1, asked: None }
    }

    /// The message that makes the room.
    pub(crate) fn create(&self) -> String {
        let seats = ByMark { x: SeatRequest::You, o: SeatRequest::Computer(self.computer) };
        messages::create(1, self.settings, seats)
    }

    /// Whether the room was entered since the last call.
    pub(crate) fn has_entered(&mut self) -> bool {
        std::mem::take(&mut self.arrived)
    }

    /// Handles a message; returns the answer.
    ///
    /// # Errors
    /// If it is a refusal, or does not fit the room.
    pub(crate) fn receive(
        &mut self,
        socket: Id,
        text: &str,
        stats: &mut Stats,
    ) -> anyhow::Result<Option<Outgoing>> {
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
                    stats.computers.record(asked.elapsed());
                }
                let (Event::Moved { game, over: Some(_), .. } | Event::GameOver { game, .. }) =
                    event
                else {
                    return Ok(self.next_move(socket));
                };
                self.intents += 1;
                return Ok(Some((socket, messages::rematch(self.intents, room.code, game))));
            }
            ServerMessage::Refused { code, message, .. } => bail!("refused ({code:?}): {message}"),
            _ => return Ok(None),
        }
        Ok(self.next_move(socket))
    }

    /// The next move, if it is the player's turn.
    fn next_move(&mut self, socket: Id) -> Option<Outgoing> {
        let room = self.room.as_ref()?;
        let running = room.running()?;
        let cell = running.game.board().empty_cells().next()?;
        if room.turn() != Some(Mark::X) {
            return None;
        }
        self.asked = Some(Instant::now());
        self.intents += 1;
        let (game, ply) = (running.number, running.game.ply());
        Some((socket, messages::play(self.intents, room.code, game, ply, cell)))
    }
}
