//! The facts of a party. [`super::state::PartyState`] applies them.

use serde::{Deserialize, Serialize};

use super::{Entrant, Pairing, PairingOutcome, PartySettings, Place};
use crate::id::RoomCode;
use crate::reading::{is_default, or_default};

/// A fact of a party. After each of them the party could be a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PartyEvent {
    /// Somebody came in, or an entrant has another name or is another player now. A new entrant has the
    /// next number.
    Joined {
        /// The entrant, without points.
        entrant: Entrant,
    },
    /// An entrant left, was set aside by the host, or did not come twice in a row.
    Left {
        /// The entrant.
        entrant: u16,
        /// Whether the host set them aside: only the host brings them back.
        #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
        host: bool,
        /// Whether the host removed the player: the place has none any more.
        #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
        removed: bool,
    },
    /// An entrant who had left is back.
    Returned {
        /// The entrant.
        entrant: u16,
    },
    /// The host started the party.
    Started,
    /// Entrants were paired. In a new round all pairings of it; in the same round, or in "winner stays
    /// on", some more. A pairing with a known number replaces it: a bye that has an opponent now.
    Paired {
        /// The round, from 1; always 1 in "winner stays on".
        round: u16,
        /// The pairings.
        pairings: Vec<Pairing>,
    },
    /// Both were ready: a game begins in its own room.
    Opened {
        /// The pairing.
        pairing: u32,
        /// The number of the game in the pairing, from 1.
        game: u8,
        /// The room.
        room: RoomCode,
    },
    /// A pairing ended, or the host changed how it had ended.
    Decided {
        /// The pairing.
        pairing: u32,
        /// How it ended.
        outcome: PairingOutcome,
    },
    /// The places after a round.
    Ranked {
        /// The places, from the first.
        places: Vec<Place>,
    },
    /// The host paused the party, or let it go on.
    Paused {
        /// Whether it is paused now.
        paused: bool,
        /// Whether the clocks of running games stand still meanwhile; else they are played to their end.
        #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
        clocks: bool,
    },
    /// Somebody leads the party in place of its host, or the host leads it again.
    Led {
        /// The entrant who leads in the host's place; none: the host.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entrant: Option<u16>,
        /// Whether the host has asked to be forgotten: the party has no host any more.
        #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
        forgotten: bool,
    },
    /// The party is over. Only changed results, with their places, entrants who asked to be forgotten,
    /// who leads, and [`PartyEvent::Again`] come after this one.
    Ended {
        /// The final places, from the first.
        places: Vec<Place>,
    },
    /// The party that was over begins again with the same code: it gathers, and nobody has a point. Its
    /// pairings go on with the next number.
    Again {
        /// The settings.
        settings: PartySettings,
        /// Everybody who plays now, with new numbers.
        entrants: Vec<Entrant>,
        /// The entrant who leads in the host's place; none: the host.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        leader: Option<u16>,
    },
}

/// The versions of facts that were told together, if `v` is the version after the last of them.
pub fn versions(v: u64, events: &[PartyEvent]) -> impl Iterator<Item = u64> + use<> {
    let count = u64::try_from(events.len()).unwrap_or(u64::MAX);
    // A count beyond `v` leads to versions that follow no other.
    (0..count).map(move |place| v.wrapping_sub(count).wrapping_add(1 + place))
}
