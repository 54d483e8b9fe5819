//! Whether there is a room or a party with the code that a client sends. Wrong codes count, so that
//! guessing is slow.

use noughts_protocol::{PartyCode, Refusal, RefusalCode, RoomCode};
use tokio::time::Instant;

use super::Session;
use crate::lobby::Known;
use crate::party::no_such_party;
use crate::room::no_such_room;

impl Session {
    /// Refuses a code that no room has.
    pub(super) fn check_code(&self, code: RoomCode) -> Result<(), Refusal> {
        match self.known(code)? {
            Known::Room => Ok(()),
            Known::Party => {
                let message = format!("{code} is the code of a party: join the party");
                Err(Refusal::new(RefusalCode::PartyCode, message))
            }
            Known::Nothing => Err(no_such_room(code)),
        }
    }

    /// Refuses a code that no party has.
    pub(super) fn check_party(&self, code: PartyCode) -> Result<(), Refusal> {
        match self.known(code.0)? {
            Known::Party => Ok(()),
            Known::Room => {
                let message =
                    format!("{code} is the code of a room, not of a party: join the room");
                Err(Refusal::new(RefusalCode::NoSuchParty, message))
            }
            Known::Nothing => Err(no_such_party(code)),
        }
    }

    /// What has a code. An address that has tried too many unknown codes is not told.
    fn known(&self, code: RoomCode) -> Result<Known, Refusal> {
        let known = self.shared.lobby.known(code);
        let (unknown_codes, now) = (&self.shared.unknown_codes, Instant::now());
        let is_blocked = match known {
            Known::Nothing => unknown_codes.record(self.address, now),
            Known::Room | Known::Party => unknown_codes.is_blocked(self.address, now),
        };
        if is_blocked {
            let message =
                "too many unknown codes came from your address: wait a minute and try again";
            return Err(Refusal::new(RefusalCode::RateLimited, message));
        }
        Ok(known)
    }
}
