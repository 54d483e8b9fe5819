//! A guest of a party who plays without a plan: ready at once, and a mark in the first cell that is free
//! from some cell on.

use futures::SinkExt;
use noughts_protocol::{
    Cell, ClientMessage, LobbyIntent, Mark, PartyCode, PartyIntent, PartyPhase, PartyRole,
    RoomIntent,
};
use tokio_tungstenite::tungstenite::Message;

use super::Player;

/// The next action of a guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    Ready(u32),
    Play(u32, u16, Cell),
}

impl Player {
    /// Plays in the party until this holds, or until the party is over. `from` is the cell from which
    /// the guest looks for a free one: two guests of different cells do not play the same game.
    ///
    /// # Panics
    /// If nothing happens for too long, or the connection ends.
    pub async fn attend(&mut self, from: u16, until: impl Fn(&Self) -> bool) {
        let attended = self.try_attend(from, until).await;
        assert!(attended, "{}: nothing happens in the party {:#?}", self.id, self.party);
    }

    /// The same; `false` if nothing happens for too long, or the connection ends.
    pub async fn try_attend(&mut self, from: u16, until: impl Fn(&Self) -> bool) -> bool {
        let mut asked = None;
        loop {
            let is_over = |view: &super::PartyView| view.state.phase == PartyPhase::Over;
            if until(self) || self.party.as_ref().is_some_and(is_over) {
                return true;
            }
            let deed = self.deed(from).filter(|deed| asked != Some(*deed));
            if let Some(deed) = deed {
                asked = Some(deed);
                self.tell(deed).await;
            }
            if !self.step().await {
                return false;
            }
        }
    }

    /// Joins a party to play; `false` if the connection ends before its snapshot.
    pub async fn try_join_party(&mut self, party: PartyCode) -> bool {
        let intent = LobbyIntent::JoinParty { party, role: PartyRole::Player };
        let id = self.new_id();
        self.try_send(&ClientMessage::Lobby { intent, id }).await;
        while self.party.is_none() {
            if !self.step().await {
                return false;
            }
        }
        true
    }

    /// Asks for a deed. Its answer may be a refusal: the time, or the game, may just be over.
    async fn tell(&mut self, deed: Deed) {
        let id = self.new_id();
        let message = match deed {
            Deed::Ready(pairing) => {
                let party = self.party().code;
                ClientMessage::Party { intent: PartyIntent::Ready { pairing }, id, party }
            }
            Deed::Play(game, ply, cell) => {
                let room = self.state().code;
                ClientMessage::Room { intent: RoomIntent::Play { game, ply, cell }, id, room }
            }
        };
        self.try_send(&message).await;
    }

    /// Sends a message. If the connection has ended, the next step tells it.
    async fn try_send(&mut self, message: &ClientMessage) {
        let text = serde_json::to_string(message).unwrap();
        drop(self.sink.send(Message::text(text)).await);
    }

    fn deed(&self, from: u16) -> Option<Deed> {
        let view = self.party.as_ref()?;
        let (pairing, me) = (self.pairing()?, self.entrant()?);
        if pairing.game == 0 {
            let is_asked = view.presence.checks.iter().any(|check| check.pairing == pairing.number);
            let is_ready = view.presence.ready.contains(&me);
            return (is_asked && !is_ready).then_some(Deed::Ready(pairing.number));
        }
        let room = self.room.as_ref().filter(|room| Some(room.code) == pairing.room)?;
        let running = room.running()?;
        let mine = |mark: Mark| room.seats[mark].player() == Some(self.id);
        if !running.turn().is_some_and(mine) {
            return None;
        }
        let cells = room.settings.board.cells();
        let mut free = (0..cells).map(|step| Cell((from + step) % cells));
        let cell = free.find(|cell| !running.game.moves().contains(cell))?;
        Some(Deed::Play(running.number, running.game.ply(), cell))
    }
}
