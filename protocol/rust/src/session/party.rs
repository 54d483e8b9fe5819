//! The party that the player follows, from the player's side: the facts, the presence with its
//! countdowns as moments, and the boards of a big screen.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use noughts_protocol::{
    Entrant, OutOfStep, Pairing, PartyEvent, PartyFormat, PartyPhase, PartyPresence, PartyRole,
    PartySnapshot, PartyState, PlayerId, TableBoard,
};

/// The party that the player follows.
#[derive(Debug, Clone)]
pub struct PartyView {
    /// The state that everybody shares.
    pub state: PartyState,
    /// As what the player follows it.
    pub role: PartyRole,
    /// The presence as it was last told.
    pub presence: PartyPresence,
    /// When that was told.
    presence_at: Instant,
    /// The boards by pairing; only a big screen is told them.
    pub boards: BTreeMap<u32, TableBoard>,
    pub(super) player: Option<PlayerId>,
}

impl PartyView {
    /// The party of a snapshot that came now. `player` is this player.
    pub(super) fn new(
        snapshot: PartySnapshot,
        role: PartyRole,
        player: Option<PlayerId>,
        now: Instant,
    ) -> Result<Self, OutOfStep> {
        let presence = snapshot.presence.clone();
        let state = PartyState::from_snapshot(snapshot)?;
        let presence_at = now;
        let boards = BTreeMap::new();
        Ok(Self { state, role, presence, presence_at, boards, player })
    }

    /// The entrant who this player is.
    #[must_use]
    pub fn me(&self) -> Option<&Entrant> {
        self.player.and_then(|player| self.state.entrant_of(player))
    }

    /// Whether this player leads the party.
    #[must_use]
    pub fn is_host(&self) -> bool {
        self.player.is_some() && self.player == self.state.leading_player()
    }

    /// This player's pairing that is not over.
    #[must_use]
    pub fn my_pairing(&self) -> Option<&Pairing> {
        self.state.open_pairing_of(self.me()?.number)
    }

    /// Whether this player has said that they are ready for their pairing.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.me().is_some_and(|me| self.presence.ready.contains(&me.number))
    }

    /// When the ready check of a pairing ends, while it runs.
    #[must_use]
    pub fn check_ends(&self, pairing: u32) -> Option<Instant> {
        let check = self.presence.checks.iter().find(|check| check.pairing == pairing)?;
        Some(self.presence_at + Duration::from_millis(u64::from(check.ms_left)))
    }

    /// When the next round is paired, if that is set.
    #[must_use]
    pub fn next_at(&self) -> Option<Instant> {
        let left = Duration::from_millis(u64::from(self.presence.next_ms?));
        Some(self.presence_at + left)
    }

    /// Applies a fact.
    pub(super) fn apply(&mut self, v: u64, event: &PartyEvent) -> Result<(), OutOfStep> {
        self.state.apply(v, event)?;
        // The server tells the presence a moment later.
        match event {
            PartyEvent::Paired { .. } => self.presence.next_ms = None,
            PartyEvent::Opened { pairing, .. } | PartyEvent::Decided { pairing, .. } => {
                if let Some(pairing) = self.state.pairing(*pairing) {
                    let PartyPresence { checks, ready, .. } = &mut self.presence;
                    checks.retain(|check| check.pairing != pairing.number);
                    ready.retain(|ready| pairing.entrants().all(|entrant| entrant != *ready));
                }
            }
            _ => {}
        }
        self.drop_boards();
        Ok(())
    }

    /// This player is ready, which the presence tells a moment later.
    pub(super) fn am_ready(&mut self) {
        if let Some(me) = self.me().map(|me| me.number) {
            self.presence.ready.retain(|ready| *ready != me);
            self.presence.ready.push(me);
        }
    }

    /// Takes over the presence.
    pub(super) fn take_presence(&mut self, presence: PartyPresence, now: Instant) {
        (self.presence, self.presence_at) = (presence, now);
    }

    /// Forgets the boards of pairings that are of an earlier round.
    pub(super) fn drop_boards(&mut self) {
        let state = &self.state;
        self.boards.retain(|pairing, _| state.pairing(*pairing).is_some());
    }
}

/// Everybody in the order of the standings: by half points (in "winner stays on" by wins), then by the
/// tiebreak and the order of the last places. After the end the places decide alone.
#[must_use]
pub fn standings(state: &PartyState) -> Vec<&Entrant> {
    let stays = state.settings.format == PartyFormat::WinnerStays;
    let mut all: Vec<&Entrant> = state.entrants.iter().collect();
    all.sort_by_cached_key(|entrant| {
        let told = state.places.iter().position(|place| place.entrant == entrant.number);
        let tiebreak = told.map_or(0, |place| state.places[place].tiebreak);
        let score = match state.phase {
            PartyPhase::Over => (0, 0),
            _ if stays => (entrant.wins, 0),
            _ => (entrant.points, tiebreak),
        };
        (Reverse(score), told.unwrap_or(usize::MAX), entrant.number)
    });
    all
}
