//! The state of a party as one message.

use serde::{Deserialize, Serialize};

use super::state::PartyState;
use super::{Pairing, PartyPresence};
use crate::room::{Contradiction, OutOfStep};

/// The whole state of a party, the same for everybody in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartySnapshot {
    /// The state. On the wire its fields lie beside the presence.
    #[serde(flatten)]
    pub state: PartyState,
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
        let state = snapshot.state;
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
        PartySnapshot { state: self.clone(), presence }
    }
}
