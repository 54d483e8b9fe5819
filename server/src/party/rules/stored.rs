//! The row that the store keeps of a party, and the party that is read back from it.
//!
//! Ephemeral state is not in it. After reading nobody is connected, ready checks begin anew, and passes
//! for places are void.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use noughts_protocol::party::PartyState;
use noughts_protocol::{IntentId, PartyPresence, PartySnapshot, PlayerId};
use noughts_store::{LiveRow, Origin};
use serde::{Deserialize, Serialize};

use crate::party::rules::{Conduct, PartyDecided, PartyRules};

/// The JSON of a party.
#[derive(Serialize, Deserialize)]
struct PartyJson {
    /// The state. Its presence is empty.
    party: PartySnapshot,
    /// By number of the entrant: missed pairings, changes, and in an older row whether the host has set
    /// them aside.
    conduct: Vec<(u8, u8, bool)>,
    #[serde(rename = "removed")]
    displaced: BTreeSet<PlayerId>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    kept_out: BTreeSet<(u16, PlayerId)>,
    is_ranked: bool,
    has_started: bool,
}

/// A party as it is stored: without presence, and without a name that may be that of its forgotten host.
pub(crate) fn to_store(state: &PartyState) -> PartySnapshot {
    let mut party = state.to_snapshot(PartyPresence::default());
    if state.host == PlayerId::NOBODY {
        // It is often called after its host.
        party.state.name = "Party".parse().unwrap_or(party.state.name);
    }
    party
}

/// The party of a row, as everybody in it sees it.
///
/// # Errors
/// As [`PartyRules::from_json`].
pub(crate) fn shown(text: &str) -> Result<PartySnapshot, String> {
    let row: PartyJson = serde_json::from_str(text).map_err(|error| error.to_string())?;
    Ok(row.party)
}

impl PartyRules {
    /// The row of the party that this intent of its host made, after these facts, which are decided now and not
    /// applied yet. A host who was forgotten is nobody there.
    pub(crate) fn stored_after(
        &self,
        now: Duration,
        decided: &PartyDecided,
        intent: IntentId,
    ) -> LiveRow {
        let mut after = self.without_ephemeral();
        for event in &decided.0 {
            after.apply_event(now, event);
        }
        LiveRow {
            v: after.state.v,
            state: after.to_json(),
            until: None,
            origins: vec![Origin { player: after.state.host, id: intent }],
            party: None,
            saved_at: None,
        }
    }

    /// The party as JSON.
    pub(crate) fn to_json(&self) -> String {
        let counts = |conduct: &Conduct| (conduct.no_shows, conduct.changes, false);
        let row = PartyJson {
            party: to_store(&self.state),
            conduct: self.conduct.iter().map(counts).collect(),
            displaced: self.displaced.clone(),
            kept_out: self.kept_out.clone(),
            is_ranked: self.is_ranked,
            has_started: self.has_started,
        };
        // Serialization cannot fail: no map is in it.
        serde_json::to_string(&row).unwrap_or_default()
    }

    /// The party of this JSON, after a restart: see [`PartyRules::resume`].
    ///
    /// # Errors
    /// If no party can have this JSON. The text says why.
    pub(crate) fn from_json(text: &str, now: Duration) -> Result<Self, String> {
        let row: PartyJson = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let mut state = PartyState::from_snapshot(row.party).map_err(|error| error.to_string())?;
        for (entrant, (_, _, set_aside)) in
            state.entrants.iter_mut().zip(row.conduct.iter().skip(1))
        {
            entrant.set_aside |= *set_aside;
        }
        let counts = |(no_shows, changes, _)| Conduct { no_shows, changes };
        let mut rules = Self::new(state, now);
        rules.conduct = row.conduct.into_iter().map(counts).collect();
        rules.displaced = row.displaced;
        rules.kept_out = row.kept_out;
        rules.is_ranked = row.is_ranked;
        rules.has_started = row.has_started;
        rules.resume(now);
        Ok(rules)
    }

    /// A copy of what is stored. Every field is named, so that a new one is not forgotten.
    fn without_ephemeral(&self) -> Self {
        Self {
            state: self.state.clone(),
            conduct: self.conduct.clone(),
            displaced: self.displaced.clone(),
            kept_out: self.kept_out.clone(),
            place_passes: BTreeMap::new(),
            present: HashMap::new(),
            tables: BTreeMap::new(),
            succeeded_at: self.succeeded_at,
            next_at: self.next_at,
            is_ranked: self.is_ranked,
            has_started: self.has_started,
            dismissed: Vec::new(),
            last_change: self.last_change,
        }
    }
}
