//! A player's view of a party, and what a player asks of it.

use std::collections::BTreeMap;

use noughts_protocol::party::versions;
use noughts_protocol::{
    ClientMessage, LobbyIntent, OutOfStep, Pairing, PartyCode, PartyIntent, PartyPresence,
    PartyRole, PartySettings, PartyState, ServerMessage, TableBoard,
};

use super::{Answer, Player};

/// The party as a connection has seen it so far.
#[derive(Debug)]
pub struct PartyView {
    /// The fold of all facts.
    pub state: PartyState,
    /// The presence, as last told.
    pub presence: PartyPresence,
    /// The boards as last told, by pairing.
    pub boards: BTreeMap<u32, TableBoard>,
}

impl Player {
    /// Takes in what the server tells of a party. Every fact must follow the one before.
    pub(super) fn take_party(&mut self, message: ServerMessage) -> Result<(), OutOfStep> {
        match message {
            ServerMessage::Party(snapshot) => {
                let presence = snapshot.presence.clone();
                let state = PartyState::from_snapshot(snapshot)?;
                let boards = self.party.take().filter(|known| known.state.code == state.code);
                let boards = boards.map_or_else(BTreeMap::new, |known| known.boards);
                self.party = Some(PartyView { state, presence, boards });
            }
            ServerMessage::PartyEvents { party, v, events } => {
                self.party_messages += 1;
                for (v, event) in versions(v, &events).zip(events) {
                    if let Some(view) = self.party_view(party) {
                        view.state.apply(v, &event)?;
                        self.party_facts.push((v, event));
                    }
                }
            }
            ServerMessage::PartyPresence { party, presence } => {
                if let Some(view) = self.party_view(party) {
                    view.presence = presence;
                }
            }
            ServerMessage::Boards { party, boards } => {
                if let Some(view) = self.party_view(party) {
                    view.boards.extend(boards.into_iter().map(|board| (board.pairing, board)));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn party_view(&mut self, party: PartyCode) -> Option<&mut PartyView> {
        self.party.as_mut().filter(|view| view.state.code == party)
    }

    /// Makes a party, and waits for its snapshot.
    pub async fn create_party(
        &mut self,
        name: &str,
        settings: PartySettings,
        plays: bool,
    ) -> PartyCode {
        let name = name.parse().unwrap();
        let intent = LobbyIntent::CreateParty { name, settings, plays };
        self.ask_lobby(intent).await.unwrap();
        self.until("the party", |player| player.party.is_some()).await;
        self.party().code
    }

    /// Joins a party, and waits for its snapshot unless it is refused.
    pub async fn join_party(&mut self, party: PartyCode, role: PartyRole) -> Answer {
        self.ask_lobby(LobbyIntent::JoinParty { party, role }).await?;
        let follows =
            |player: &Self| player.party.as_ref().is_some_and(|view| view.state.code == party);
        self.until("the party", follows).await;
        Ok(None)
    }

    /// Asks the party.
    pub async fn ask_party(&mut self, intent: PartyIntent) -> Answer {
        let id = self.new_id();
        let party = self.party().code;
        self.ask(ClientMessage::Party { intent, id, party }).await
    }

    /// The party as seen so far.
    ///
    /// # Panics
    /// If the player has not joined one.
    #[must_use]
    pub fn party(&self) -> &PartyState {
        &self.party.as_ref().expect("the player follows a party").state
    }

    /// The player's number in the party.
    #[must_use]
    pub fn entrant(&self) -> Option<u16> {
        self.party().entrant_of(self.id).map(|entrant| entrant.number)
    }

    /// The player's pairing that is not over.
    #[must_use]
    pub fn pairing(&self) -> Option<&Pairing> {
        self.party().open_pairing_of(self.entrant()?)
    }
}
