//! Parties: one task owns a party ([`actor`]), a [`handle::PartyHandle`] reaches it, and [`Parties`] finds it by
//! its code. [`pairing`] says who plays whom, [`rules`] what happens in a party. Both are pure: no
//! clock, no channel and no random source; the time and the lots are arguments.
//!
//! A party makes the rooms of its games, and reads from each what goes on there. The rooms know no more of
//! it than their tag. A party waits for the store and for the start of a room. It never waits for a
//! connection. Its inbox holds [`handle::INBOX`] commands.

mod actor;
mod broadcast;
mod command;
mod handle;
mod membership;
pub(crate) mod pairing;
mod registry;
pub(crate) mod rules;

use std::sync::Arc;

use noughts_protocol::{ChatMode, PartyCode, PartySettings, Refusal, RefusalCode};

use crate::lobby::Lobby;
pub(crate) use command::ByHost;
pub(crate) use handle::PartyHandle;
pub(crate) use membership::PartyMembership;
pub(crate) use registry::Parties;

/// The things that all parties of a server share.
#[derive(Debug, Clone)]
pub(crate) struct PartyContext {
    /// Where the rooms of the games are made.
    pub(crate) lobby: Arc<Lobby>,
    /// A lot for the draw of the pairings.
    pub(crate) lot: fn() -> u64,
}

/// The settings of a party on this server, on which people may talk or not.
///
/// # Errors
/// If they are out of range.
fn checked_settings(settings: PartySettings, talks: bool) -> Result<PartySettings, Refusal> {
    if let Some(refused) = settings.refused() {
        return Err(Refusal::new(RefusalCode::BadSettings, refused));
    }
    let chat = if talks { settings.chat } else { ChatMode::Off };
    Ok(PartySettings { chat, ..settings })
}

/// The refusal for a code without a party.
pub(crate) fn no_such_party(code: PartyCode) -> Refusal {
    let message = format!("there is no party {code}: check the code, or ask for a new one");
    Refusal::new(RefusalCode::NoSuchParty, message)
}

/// The refusal for a connection that does not follow a party.
pub(crate) fn not_in_party(code: PartyCode) -> Refusal {
    let message = format!("you do not follow party {code}: join it first");
    Refusal::new(RefusalCode::NotInParty, message)
}
