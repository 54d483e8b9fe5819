//! How connections leave a room, and how a player leaves it for good.

use noughts_protocol::{
    CloseCode, CloseReason, Event, IntentId, Mark, PlayerId, PlayerName, Refusal, ServerMessage,
};

use super::RoomActor;
use crate::actor::MembershipId;
use crate::actor::audience::Member;
use crate::outbox::{ConnectionId, Outbox};
use crate::room::rules::RoomDecided;

impl RoomActor {
    pub(super) fn departed(&mut self, gone: Vec<MembershipId>) {
        for membership_id in gone {
            if let Some(member) = self.audience.remove(membership_id) {
                self.gone(&member);
            }
        }
        self.presence_changed();
    }

    /// Forgets a connection that is not here any more.
    fn gone(&mut self, Member { player, outbox, .. }: &Member<()>) {
        self.log_of(*player, outbox, "left");
        self.analyses.forget(outbox.connection());
        self.rules.disconnect(self.now(), *player);
    }

    /// Gives up the player's seat, or ends their watching.
    pub(super) async fn leave(
        &mut self,
        player: PlayerId,
        sender: &Outbox,
        id: IntentId,
        decided: RoomDecided,
    ) {
        let committed = match self.store(decided).await {
            Ok(committed) => committed,
            Err(why) => return sender.reject(Some(id), why),
        };
        // The connection hears no more of the room, not even of this departure.
        let member = self.audience.remove_connection(sender.connection());
        sender.ack(id, Some(self.rules.state().code));
        if let Some(member) = member {
            self.gone(&member);
        }
        self.apply(committed);
        self.remove_player(player);
        self.presence_changed();
    }

    /// Takes a forgotten player out of the room: the seat is given up, and every other device of the
    /// player connects again, as somebody new.
    pub(super) async fn forget(
        &mut self,
        player: PlayerId,
        asker: ConnectionId,
    ) -> Result<(), Refusal> {
        let committed = self.store(self.rules.leave(player)).await?;
        for member in self.audience.remove_player(player) {
            if member.outbox.connection() != asker {
                member.outbox.close(CloseCode::Restart);
            }
            self.gone(&member);
        }
        self.apply(committed);
        self.presence_changed();
        self.forget_maker(player).await
    }

    /// Has a player leave whom the host of the server takes out, and ends their connections. Returns whether
    /// they were here.
    pub(super) async fn remove(&mut self, player: PlayerId) -> Result<bool, Refusal> {
        let decided = self.rules.leave(player);
        let has_seat = !decided.as_ref().is_empty();
        let committed = self.store(decided).await?;
        let members = self.audience.remove_player(player);
        for member in &members {
            member.outbox.close(CloseCode::Removed);
            self.gone(member);
        }
        self.apply(committed);
        self.presence_changed();
        Ok(has_seat || !members.is_empty())
    }

    /// Removes a forgotten player from the intents that made the room.
    async fn forget_maker(&mut self, player: PlayerId) -> Result<(), Refusal> {
        self.origins.retain(|origin| origin.player != player);
        self.rules.forget_maker(player);
        if self.rules.state().closed { Ok(()) } else { self.save().await }
    }

    /// Gives an entrant's seat to the player who has the place now. The previous player watches.
    pub(super) async fn hand_over(&mut self, began_with: Mark, player: PlayerId, name: PlayerName) {
        let before = self.rules.state().seats.clone();
        let decided = self.rules.hand_over(began_with, player, name);
        self.commit_or_retry(decided).await;
        for player in Mark::BOTH.into_iter().filter_map(|mark| before[mark].player()) {
            self.remove_player(player);
        }
        self.presence_changed();
    }

    /// Has a player leave, who may watch as anybody may.
    pub(super) async fn unseat(&mut self, player: PlayerId) {
        let decided = self.rules.leave(player);
        self.commit_or_retry(decided).await;
        self.remove_player(player);
        self.presence_changed();
    }

    /// Removes the other devices of a player who has left, unless they may watch. They are told that
    /// the room has ended.
    fn remove_player(&mut self, player: PlayerId) {
        let state = self.rules.state();
        if state.settings.spectators || state.closed || state.marks_of(player).next().is_some() {
            return;
        }
        let event = Event::Closed { reason: CloseReason::Left };
        let closed = ServerMessage::Event { room: state.code, v: state.v + 1, event };
        for member in self.audience.remove_player(player) {
            member.outbox.send(&closed);
            self.gone(&member);
        }
    }
}
