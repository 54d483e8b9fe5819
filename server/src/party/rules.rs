//! The rules of one party: who is in it, ready checks, results, rounds, and what its host may do.
//! Pure: no task, no channel, no clock and no random source. The time and a lot are arguments.
//!
//! As in a room, every fact is [`PartyDecided`] first, then saved, then applied
//! ([`PartyRules::apply`]). Presence changes at once: connections, who is ready, which room is
//! being made. [`again`] begins a party anew, [`joining`] is who comes and goes, [`intent`] what
//! people ask for, [`host`] what the host may do, [`succession`] who leads without the host,
//! [`places`] how a place goes to another player, [`tables`] the pairings that are not over,
//! [`timer`] what time does, [`presence`] what is told of what passes, [`stored`] the row that the
//! store keeps.

mod again;
mod host;
pub(crate) mod intent;
mod joining;
mod places;
mod presence;
pub(crate) mod stored;
mod succession;
pub(crate) mod tables;
#[cfg(test)]
mod tests;
mod timer;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use noughts_protocol::party::{PartyFormat, PartyPhase, PartyState, READY_MS};
use noughts_protocol::{DecidedBy, Entrant, PairingOutcome, PartyEvent, PartySnapshot, PlayerId};
use noughts_store::Committed;

use places::PlacePass;
use tables::{DismissedRoom, PairingTable};

/// The most facts of a party. It ends then: 5,000 pairings and their games are half of it.
pub(crate) const MAX_FACTS: u64 = 50_000;

/// Both entrants of a pairing must be ready within this time.
const READY: Duration = Duration::from_millis(READY_MS as u64);

/// The pause before a round, in which everybody sees the standings.
const PAUSE: Duration = Duration::from_secs(5);

/// The pause before a drawn game is played again, in which both see the end of it.
const REPLAY: Duration = Duration::from_secs(4);

/// The pause before a room is made again, after it was lost or could not be made.
const RETRY: Duration = Duration::from_secs(5);

/// Somebody else leads the party when its leader has been away for this long.
const SUCCESSION: Duration = Duration::from_mins(2);

/// A party in which nothing happens ends after this.
const IDLE: Duration = Duration::from_hours(24);

/// How often an entrant may come back or take another name. After that only the host brings them back.
const MAX_CHANGES: u8 = 20;

/// Pairings in a row for which an entrant does not come, until they count as having left.
const MAX_NO_SHOWS: u8 = 2;

/// Facts that the rules allow, not stored yet. Only the rules make it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use]
pub(crate) struct PartyDecided(Vec<PartyEvent>);

impl AsRef<[PartyEvent]> for PartyDecided {
    fn as_ref(&self) -> &[PartyEvent] {
        &self.0
    }
}

/// Facts that follow from each other: each is decided in the state after those before it.
struct Draft {
    state: PartyState,
    events: Vec<PartyEvent>,
}

impl Draft {
    fn of(state: &PartyState) -> Self {
        Self { state: state.clone(), events: Vec::new() }
    }

    fn push(&mut self, event: PartyEvent) {
        let applied = self.state.apply(self.state.v + 1, &event);
        debug_assert!(applied.is_ok(), "{event:?}: {applied:?}");
        if applied.is_ok() {
            self.events.push(event);
        }
    }

    fn decided(self) -> PartyDecided {
        PartyDecided(self.events)
    }
}

/// Counts of an entrant that the state does not have. They follow from the facts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Conduct {
    /// Pairings in a row for which they did not come.
    no_shows: u8,
    /// How often they came back or took another name.
    changes: u8,
}

/// The state of one party. Times are by the server's clock.
///
/// Its rules stand in a file for each thing that they decide: all of them decide by this one state.
#[derive(Debug)]
pub(crate) struct PartyRules {
    state: PartyState,
    /// By number of the entrant, from 1.
    conduct: Vec<Conduct>,
    /// Those who came to play and may only look on, because the host has set them aside or given their
    /// place to somebody else. At most one for each such fact.
    displaced: BTreeSet<PlayerId>,
    /// Those whom the host has removed, and from which place: they do not come in. At most [`MAX_ENTRANTS`].
    kept_out: BTreeSet<(u16, PlayerId)>,
    /// The passes for places, by entrant.
    place_passes: BTreeMap<u16, PlacePass>,
    /// Connections by player, big screens not included. Holds no zero; bounded by the server's
    /// connections.
    present: HashMap<PlayerId, u32>,
    /// The pairings that are not over, byes not included. At most half as many as entrants.
    tables: BTreeMap<u32, PairingTable>,
    /// When another entrant leads, unless the leader comes back; `None` while the leader is there.
    succeeded_at: Option<Duration>,
    /// When pairing is tried next.
    next_at: Option<Duration>,
    /// Whether there is a ranking after the last round.
    is_ranked: bool,
    /// Whether the host has started the party. It stays so when the party is over.
    has_started: bool,
    /// Rooms whose pairing was decided otherwise.
    dismissed: Vec<DismissedRoom>,
    /// The time of the last fact.
    last_change: Duration,
}

impl PartyRules {
    /// A party with this state, in which nothing has happened that the state does not say.
    pub(crate) fn new(state: PartyState, now: Duration) -> Self {
        Self {
            state,
            conduct: vec![Conduct::default()],
            displaced: BTreeSet::new(),
            kept_out: BTreeSet::new(),
            place_passes: BTreeMap::new(),
            present: HashMap::new(),
            tables: BTreeMap::new(),
            succeeded_at: Some(now + SUCCESSION),
            next_at: None,
            is_ranked: false,
            has_started: false,
            dismissed: Vec::new(),
            last_change: now,
        }
    }

    /// The state that everybody in the party can see.
    pub(crate) const fn state(&self) -> &PartyState {
        &self.state
    }

    /// The party as everybody sees it, with times counted down to `now`.
    pub(crate) fn snapshot(&self, now: Duration) -> PartySnapshot {
        self.state.to_snapshot(self.presence(now))
    }

    /// Rooms to end, because their pairings were decided otherwise. Each is told once.
    pub(crate) fn take_dismissed(&mut self) -> Vec<DismissedRoom> {
        std::mem::take(&mut self.dismissed)
    }

    /// Applies stored facts, and gives them. The last has the version that the state has then.
    pub(crate) fn apply(
        &mut self,
        now: Duration,
        committed: Committed<PartyDecided>,
    ) -> Vec<PartyEvent> {
        let PartyDecided(events) = committed.into_inner();
        for event in &events {
            self.apply_event(now, event);
        }
        events
    }

    /// Goes on after the last fact of a restart. Nobody is connected, ready checks begin anew, and
    /// rooms that were opened count as running until a result is reported.
    pub(crate) fn resume(&mut self, now: Duration) {
        self.last_change = now;
        self.succeeded_at = None;
        self.watch_leader(now);
        self.dismissed.clear();
        self.tables.clear();
        let open = self.state.pairings.clone();
        for pairing in open.iter().filter(|pairing| pairing.outcome.is_none()) {
            self.seat(now, pairing);
        }
        let waits = self.state.phase == PartyPhase::Playing
            && (self.state.round == 0 || self.is_ranked || self.winner_stays());
        self.next_at = waits.then(|| now + PAUSE);
        if self.state.phase == PartyPhase::Over {
            self.tables.clear();
        }
    }

    /// Whether a round is over, byes included.
    fn is_decided(&self) -> bool {
        self.state.phase == PartyPhase::Playing
            && self.state.pairings.iter().all(|pairing| pairing.outcome.is_some())
    }

    fn winner_stays(&self) -> bool {
        self.state.settings.format == PartyFormat::WinnerStays
    }

    fn conduct_of(&self, entrant: u16) -> Conduct {
        self.conduct.get(usize::from(entrant)).copied().unwrap_or_default()
    }

    fn conduct_mut(&mut self, entrant: u16) -> &mut Conduct {
        let place = usize::from(entrant);
        if self.conduct.len() <= place {
            self.conduct.resize(place + 1, Conduct::default());
        }
        &mut self.conduct[place]
    }

    fn apply_event(&mut self, now: Duration, event: &PartyEvent) {
        match event {
            PartyEvent::Joined { entrant } => self.note_joined(entrant),
            PartyEvent::Left { entrant, removed, .. } => {
                let known = self.state.entrant(*entrant).filter(|_| *removed);
                let player = known.and_then(|known| known.player);
                self.kept_out.extend(player.map(|player| (*entrant, player)));
            }
            PartyEvent::Returned { entrant } => {
                let conduct = self.conduct_mut(*entrant);
                conduct.no_shows = 0;
                conduct.changes = conduct.changes.saturating_add(1);
            }
            PartyEvent::Opened { pairing, .. } => {
                let entrants = self.state.pairing(*pairing).map(|pairing| pairing.entrants());
                let entrants: Vec<u16> = entrants.into_iter().flatten().collect();
                for entrant in entrants {
                    self.conduct_mut(entrant).no_shows = 0;
                }
            }
            PartyEvent::Decided { pairing, outcome } => self.note_decided(*pairing, outcome),
            PartyEvent::Started => self.has_started = true,
            PartyEvent::Again { entrants, .. } => self.note_again(entrants),
            PartyEvent::Paired { .. }
            | PartyEvent::Ranked { .. }
            | PartyEvent::Paused { .. }
            | PartyEvent::Led { .. }
            | PartyEvent::Ended { .. } => {}
        }
        self.state.advance(event);
        self.last_change = now;
        self.watch_leader(now);
        self.pass_on(now, event);
    }

    fn note_joined(&mut self, entrant: &Entrant) {
        let known = self.state.entrant(entrant.number).cloned();
        if !entrant.removed {
            self.kept_out.retain(|(number, _)| *number != entrant.number);
        }
        let conduct = self.conduct_mut(entrant.number);
        let Some(known) = known else { return };
        let Some(player) = entrant.player.filter(|player| known.player != Some(*player)) else {
            // A name that the host fixes is not counted.
            conduct.changes = conduct.changes.saturating_add(u8::from(!entrant.fixed_name));
            return;
        };
        // Another player has the place now. The one who has given it up may come in again.
        *conduct = Conduct::default();
        if known.set_aside || !known.left {
            self.displaced.extend(known.player);
        }
        self.displaced.remove(&player);
        if let Some(pass) = self.place_passes.get_mut(&entrant.number) {
            pass.use_up(player);
        }
    }

    /// Counts those who did not come.
    fn note_decided(&mut self, number: u32, outcome: &PairingOutcome) {
        let Some(pairing) = self.state.pairing(number) else { return };
        if outcome.how != DecidedBy::Forfeit || pairing.game > 0 || pairing.second.is_none() {
            return;
        }
        let entrants: Vec<u16> = pairing.entrants().collect();
        for entrant in entrants {
            let has_left = self.state.entrant(entrant).is_some_and(|entrant| entrant.left);
            let conduct = self.conduct_mut(entrant);
            let comes = outcome.winner == Some(entrant) || has_left;
            conduct.no_shows = if comes { 0 } else { conduct.no_shows.saturating_add(1) };
        }
    }

    /// Changes the presence after a fact.
    fn pass_on(&mut self, now: Duration, event: &PartyEvent) {
        match event {
            PartyEvent::Started => self.next_at = Some(now + PAUSE),
            PartyEvent::Paired { pairings, .. } => {
                (self.next_at, self.is_ranked) = (None, false);
                for pairing in pairings {
                    self.seat(now, pairing);
                }
            }
            PartyEvent::Opened { pairing, .. } => self.note_opened(*pairing),
            PartyEvent::Decided { pairing, .. } => self.clear_table(*pairing),
            // A result of an earlier round can change while a round runs.
            PartyEvent::Ranked { .. } if self.is_decided() => {
                (self.next_at, self.is_ranked) = (Some(now + PAUSE), true);
            }
            PartyEvent::Paused { paused, .. } => {
                self.hold(now, *paused);
                self.next_at = self.next_at.map(|_| now + PAUSE);
            }
            PartyEvent::Ended { .. } => {
                self.next_at = None;
                for pairing in self.tables.keys().copied().collect::<Vec<_>>() {
                    self.clear_table(pairing);
                }
            }
            PartyEvent::Joined { .. }
            | PartyEvent::Left { .. }
            | PartyEvent::Returned { .. }
            | PartyEvent::Led { .. }
            | PartyEvent::Again { .. }
            | PartyEvent::Ranked { .. } => {}
        }
        // A table may be free now, or somebody may be in the queue.
        let plays = self.state.phase == PartyPhase::Playing && self.winner_stays();
        if plays && !matches!(event, PartyEvent::Opened { .. }) {
            self.next_at = Some(self.next_at.unwrap_or(now));
        }
    }
}
