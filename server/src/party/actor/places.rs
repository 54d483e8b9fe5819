//! Places that go to other players, and the seats in the rooms of running games that follow.

use noughts_protocol::{Entrant, IntentId, Mark, PASS_MS, PassCode, PlayerId, ServerMessage};

use super::PartyActor;
use crate::actor::not_stored;
use crate::outbox::Outbox;

impl PartyActor {
    /// Gives the host a pass for the place of an entrant.
    pub(super) fn issue_place_pass(&mut self, sender: &Outbox, id: IntentId, entrant: u16) {
        let now = self.now();
        let party = self.code();
        let Some(code) = self.rules.issue_place_pass(now, entrant, rand::random()) else {
            return sender.reject(Some(id), not_stored());
        };
        sender.ack_party(id, party);
        let expires_in_ms = PASS_MS;
        sender.send(&ServerMessage::PlacePass { party, entrant, code, expires_in_ms });
    }

    /// A player takes a place with a pass, and is led into the game that runs there.
    pub(super) async fn take_place(
        &mut self,
        player: PlayerId,
        sender: &Outbox,
        id: IntentId,
        pass: &PassCode,
    ) {
        let decided = match self.rules.take_place(self.now(), player, pass) {
            Ok(decided) => decided,
            Err(refusal) => return sender.reject(Some(id), refusal),
        };
        match self.commit(decided).await {
            Ok(()) => {
                sender.ack_party(id, self.code());
                if let Some(room) = self.room_of(player) {
                    self.lead_player(player, room);
                }
            }
            Err(why) => sender.reject(Some(id), why),
        }
    }

    /// Gives an entrant's seat in the room of a running game to the player who has the place, under the
    /// name of the party. It changes nothing if the seat is theirs.
    pub(super) fn seat(&self, entrant: &Entrant) {
        let state = self.rules.state();
        let Some(player) = entrant.player else { return };
        let Some(pairing) = state.open_pairing_of(entrant.number) else { return };
        let Some(table) = self.tables.get(&pairing.number) else { return };
        let Some((x, _)) = pairing.order_in(table.game) else { return };
        let began_with = if entrant.number == x { Mark::X } else { Mark::O };
        if let Ok(room) = self.context.lobby.find(table.room) {
            room.seat(began_with, player, entrant.name.clone());
        }
    }
}
