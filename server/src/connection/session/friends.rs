//! A connection's intents about people whom the player knows: asking one to play, and saying "not now". Only those
//! who are connected to this node can be asked.

use noughts_protocol::{
    ByMark, CHALLENGE_MS, IntentId, PlayerId, Refusal, RefusalCode, RoomSettings, ServerMessage,
};
use tokio::time::Instant;

use super::Session;
use super::questions::{keeps_nothing, refusal};
use super::remote::Located;

impl Session {
    /// Makes a room and asks somebody to come, whom the player has played and who is here.
    pub(super) async fn challenge(
        &mut self,
        id: IntentId,
        other: PlayerId,
        settings: RoomSettings,
    ) -> Result<(), Refusal> {
        let me = self.player;
        let Some(storage) = &self.shared.storage else { return Err(keeps_nothing()) };
        let known = storage.sqlite.archive().ask(move |archive| archive.people(me)).await;
        let known = known.map_err(refusal)?.people;
        let is_known = known.iter().any(|(player, _)| *player == other);
        if !is_known || other == me || !self.shared.visitors.is_here(other) {
            let message = "this person is not here now: invite them with the link of a room";
            return Err(Refusal::new(RefusalCode::NotNow, message));
        }
        let is_new = self.shared.challenges.ask(me, other, id, Instant::now())?;
        let made = self.create(id, settings, ByMark::default(), true).await;
        let room = match &self.membership {
            Some(Located::Here(room, _)) if made.is_ok() => *room,
            _ => {
                self.shared.challenges.take_back(me, other);
                return made;
            }
        };
        if is_new {
            let told = ServerMessage::Challenged {
                room,
                player: me,
                name: self.name.clone(),
                settings,
                expires_in_ms: CHALLENGE_MS,
            };
            self.shared.visitors.tell(other, &told);
        }
        Ok(())
    }

    /// Tells the one who asked. Without a challenge nothing happens.
    pub(super) fn decline(&self, id: IntentId, other: PlayerId) {
        if self.shared.challenges.decline(other, self.player, Instant::now()) {
            let told = ServerMessage::Declined { player: self.player, name: self.name.clone() };
            self.shared.visitors.tell(other, &told);
        }
        self.outbox.ack(id, None);
    }
}
