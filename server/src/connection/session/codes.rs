//! Whether there is a room or a party with the code that a client sends. Wrong codes count, so that
//! guessing is slow.

use noughts_cluster::Peer;
use noughts_protocol::{CloseCode, PartyCode, Refusal, RefusalCode, RoomCode};
use tokio::time::Instant;

use super::Session;
use crate::lobby::{Place, unavailable};
use crate::party::no_such_party;
use crate::room::no_such_room;

impl Session {
    /// Refuses a code that no room has. Returns the node that has the code, if that is another one.
    pub(super) async fn check_code(&self, code: RoomCode) -> Result<Option<Peer>, Refusal> {
        match self.place(code).await? {
            Place::Room => Ok(None),
            Place::At(peer) => Ok(Some(peer)),
            Place::Nothing if self.count_wrong(code).await => Err(no_such_room(code)),
            Place::Party | Place::Nothing => {
                let message = format!("{code} is the code of a party: join the party");
                Err(Refusal::new(RefusalCode::PartyCode, message))
            }
        }
    }

    /// Refuses a code that no party has. Returns the node that has the code, if that is another one.
    pub(super) async fn check_party(&self, code: PartyCode) -> Result<Option<Peer>, Refusal> {
        match self.place(code.0).await? {
            Place::Party => Ok(None),
            Place::At(peer) => Ok(Some(peer)),
            Place::Room => {
                let message =
                    format!("{code} is the code of a room, not of a party: join the room");
                Err(Refusal::new(RefusalCode::NoSuchParty, message))
            }
            Place::Nothing => {
                self.count_wrong(code.0).await;
                Err(no_such_party(code))
            }
        }
    }

    /// Counts a code as a wrong one, unless it is that of a party that has ended, which can be looked at. Returns
    /// whether it was counted.
    async fn count_wrong(&self, code: RoomCode) -> bool {
        let kept = self.shared.kept_party(PartyCode(code)).await;
        let is_wrong = !kept.is_ok_and(|party| party.is_some());
        if is_wrong {
            self.shared.unknown_codes.record(self.address, Instant::now());
        }
        is_wrong
    }

    /// Closes the connection, because the nodes cannot say where something is: the client comes back and asks
    /// again.
    pub(super) fn nowhere_to_go(&self) -> Refusal {
        self.outbox.close(CloseCode::TryAgainLater);
        unavailable()
    }

    /// The place of a code. An address that has tried too many unknown codes is not told, and no
    /// other node is asked for it.
    async fn place(&self, code: RoomCode) -> Result<Place, Refusal> {
        if let Err(refusal) = self.shared.check_codes(self.address) {
            // An address that goes on guessing stays refused.
            if self.shared.lobby.known(code) == Place::Nothing {
                self.shared.unknown_codes.record(self.address, Instant::now());
            }
            return Err(refusal);
        }
        self.shared.lookup(code).await.map_err(|_| self.nowhere_to_go())
    }
}
