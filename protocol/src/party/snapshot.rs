//! The state of a party as one message.

use serde::{Deserialize, Serialize};

use super::state::{PartyState, PastDecision, PastPairing};
use super::{Entrant, Pairing, PartyPhase, PartyPresence, PartySettings, Place};
use crate::id::{PartyCode, PlayerId, PlayerName};
use crate::reading::{is_default, or_default};
use crate::room::{Contradiction, OutOfStep};

/// The whole state of a party, the same for everybody in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartySnapshot {
    /// The party's code.
    pub party: PartyCode,
    /// The version of this state: the number of facts so far.
    pub v: u64,
    /// The party's name.
    pub name: PlayerName,
    /// The settings.
    pub settings: PartySettings,
    /// The player who made the party; [`PlayerId::NOBODY`] if they asked to be forgotten.
    pub host: PlayerId,
    /// The entrant who leads the party in the host's place; none while the host leads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leader: Option<u16>,
    /// The phase.
    pub phase: PartyPhase,
    /// Whether the host has paused it.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub paused: bool,
    /// Whether the clocks of running games stand still meanwhile.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub clocks_stopped: bool,
    /// Pairings that were played with this code before the party began again: the first pairing has the
    /// next number.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub played_before: u32,
    /// Everybody who plays, by number.
    pub entrants: Vec<Entrant>,
    /// The round, from 1; 0 before the first.
    pub round: u16,
    /// The pairings of this round; in "winner stays on" those that run and the last ones.
    pub pairings: Vec<Pairing>,
    /// The pairings of the earlier rounds, by round.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub past: Vec<Vec<PastPairing>>,
    /// The results of earlier rounds that the host decided, the latest one last. The oldest are dropped.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub past_decisions: Vec<PastDecision>,
    /// "Winner stays on": those who wait, the next one first.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub queue: Vec<u16>,
    /// The places after the last round, or the final ones.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    /// The presence.
    pub presence: PartyPresence,
}

impl PartyState {
    /// The state of a snapshot.
    ///
    /// # Errors
    /// If no party has such a snapshot: its entrants are not numbered in order, or a pairing names
    /// somebody else.
    pub fn from_snapshot(snapshot: PartySnapshot) -> Result<Self, OutOfStep> {
        let state = Self {
            code: snapshot.party,
            v: snapshot.v,
            name: snapshot.name,
            settings: snapshot.settings,
            host: snapshot.host,
            leader: snapshot.leader,
            phase: snapshot.phase,
            paused: snapshot.paused,
            clocks_stopped: snapshot.clocks_stopped,
            played_before: snapshot.played_before,
            entrants: snapshot.entrants,
            round: snapshot.round,
            pairings: snapshot.pairings,
            past: snapshot.past,
            past_decisions: snapshot.past_decisions,
            queue: snapshot.queue,
            places: snapshot.places,
        };
        let numbered = (1_u16..).zip(&state.entrants).all(|(n, entrant)| entrant.number == n);
        let paired = state.pairings.iter().flat_map(Pairing::entrants);
        let all_known = paired
            .chain(state.queue.iter().copied())
            .chain(state.leader)
            .all(|number| state.entrant(number).is_some());
        if numbered && all_known {
            Ok(state)
        } else {
            Err(Contradiction::Party("an entrant is not known").into())
        }
    }

    /// The snapshot of this state, with the presence.
    #[must_use]
    pub fn to_snapshot(&self, presence: PartyPresence) -> PartySnapshot {
        let state = self.clone();
        PartySnapshot {
            party: state.code,
            v: state.v,
            name: state.name,
            settings: state.settings,
            host: state.host,
            leader: state.leader,
            phase: state.phase,
            paused: state.paused,
            clocks_stopped: state.clocks_stopped,
            played_before: state.played_before,
            entrants: state.entrants,
            round: state.round,
            pairings: state.pairings,
            past: state.past,
            past_decisions: state.past_decisions,
            queue: state.queue,
            places: state.places,
            presence,
        }
    }
}
