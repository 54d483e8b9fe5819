//! A guest of a party who plays without a plan: ready at once, and a mark in the first cell that may be
//! played from some cell on.

use futures::SinkExt;
use noughts_protocol::{
    Cell, ClientMessage, IntentId, LobbyIntent, Mark, PartyCode, PartyIntent, PartyPhase,
    PartyRole, PartySettings, RefusalCode, RoomCode, RoomIntent,
};
use tokio_tungstenite::tungstenite::Message;

use super::Player;

/// The next action of a guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    Ready(u32),
    Play(RoomCode, u32, u16, Cell),
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

    /// The same; `false` if nothing happens for too long, if the connection ends, or if a deed is not
    /// stored.
    pub async fn try_attend(&mut self, from: u16, mut until: impl FnMut(&Self) -> bool) -> bool {
        let mut asked = None;
        loop {
            if asked.is_some_and(|asked| self.is_not_stored(asked)) {
                return false;
            }
            let is_over = |view: &super::PartyView| view.state.phase == PartyPhase::Over;
            if until(self) || self.party.as_ref().is_some_and(is_over) {
                return true;
            }
            let deed = self.deed(from).filter(|deed| asked.is_none_or(|(_, done)| done != *deed));
            if let Some(deed) = deed {
                asked = Some((self.tell(deed).await, deed));
            }
            if !self.step().await {
                return false;
            }
        }
    }

    /// Takes the answer to a deed, if it has come. It may be a refusal: the time, or the game, may just
    /// be over.
    fn is_not_stored(&mut self, (id, deed): (IntentId, Deed)) -> bool {
        match (self.answers.remove(&id), deed) {
            (Some(Ok(_)), Deed::Play(room, game, ply, cell)) => {
                self.played.push((room, (game, ply, cell)));
                false
            }
            (Some(Err(code)), _) => code == RefusalCode::NotStored,
            _ => false,
        }
    }

    /// Joins a party to play; `false` if it is refused or the connection ends before the answer.
    pub async fn try_join_party(&mut self, party: PartyCode) -> bool {
        let intent = LobbyIntent::JoinParty { party, role: PartyRole::Player };
        let id = self.new_id();
        self.try_ask(&ClientMessage::Lobby { intent, id }).await
            && self.try_until(|player| player.party.is_some()).await
    }

    /// Makes a party in which it does not play; `false` if that is refused or the connection ends
    /// before the answer. It is the first intent of the connection: a player who comes back asks for
    /// the same party.
    pub async fn try_create_party(&mut self, settings: PartySettings) -> bool {
        let name = "Friday".parse().unwrap();
        let intent = LobbyIntent::CreateParty { name, settings, plays: false };
        let id = self.new_id();
        self.try_ask(&ClientMessage::Lobby { intent, id }).await
            && self.try_until(|player| player.party.is_some()).await
    }

    /// Starts the party; `false` if that is refused or the connection ends before the answer.
    pub async fn try_start_party(&mut self) -> bool {
        let id = self.new_id();
        let party = self.party().code;
        self.try_ask(&ClientMessage::Party { intent: PartyIntent::StartParty, id, party }).await
    }

    /// Receives messages until a condition holds; `false` if the connection ends before, or if nothing
    /// comes for too long.
    pub async fn try_until(&mut self, mut holds: impl FnMut(&Self) -> bool) -> bool {
        while !holds(self) {
            if !self.step().await {
                return false;
            }
        }
        true
    }

    /// Whether an intent is granted.
    async fn try_ask(&mut self, message: &ClientMessage) -> bool {
        let id = message.id().unwrap();
        self.try_send(message).await;
        self.try_until(|player| player.answers.contains_key(&id)).await
            && self.answers.remove(&id).is_some_and(|answer| answer.is_ok())
    }

    /// Asks for a deed.
    async fn tell(&mut self, deed: Deed) -> IntentId {
        let id = self.new_id();
        let message = match deed {
            Deed::Ready(pairing) => {
                let party = self.party().code;
                ClientMessage::Party { intent: PartyIntent::Ready { pairing }, id, party }
            }
            Deed::Play(room, game, ply, cell) => ClientMessage::Room {
                intent: RoomIntent::Play { game, ply, cell, placed: None },
                id,
                room,
            },
        };
        self.try_send(&message).await;
        id
    }

    /// Sends a message. If the connection has ended, the next step tells it.
    async fn try_send(&mut self, message: &ClientMessage) {
        let text = serde_json::to_string(message).unwrap();
        drop(self.sink.send(Message::text(text)).await);
    }

    fn deed(&self, from: u16) -> Option<Deed> {
        let view = self.party.as_ref()?;
        let pairing = self.pairing()?;
        let me = self.entrant()?;
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
        let from = from % cells;
        let legal = running.game.legal().map(|placed| placed.cell);
        let cell = legal.min_by_key(|cell| (cell.0 + cells - from) % cells)?;
        Some(Deed::Play(room.code, running.number, running.game.ply(), cell))
    }
}
