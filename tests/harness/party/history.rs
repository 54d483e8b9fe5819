//! The record of what the people of a party were told and got `ok` for, and its comparison with what is
//! stored: no fact and no move is lost or changed, and no game and no result of a pairing is doubled.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use noughts_protocol::{
    PartyCode, PartyEvent, PartyFormat, PartyPhase, PartyState, PlayerId, RoomCode,
};
use tokio::sync::watch;

use crate::Player;
use crate::checker::Stored;
use crate::history::Played;

/// Violations that are kept; the first ones explain the rest.
const MAX_VIOLATIONS: usize = 20;

/// The deeds and sights of the people of one party.
#[derive(Debug, Clone, Default)]
pub struct PartyHistory {
    /// The party; `None` before somebody has seen it.
    pub code: Option<PartyCode>,
    /// The facts that anybody was told, by version.
    pub told: BTreeMap<u64, PartyEvent>,
    /// The digest of the state that anybody was shown at each version, by a snapshot or after a fact.
    pub states: BTreeMap<u64, u64>,
    /// The moves that were acknowledged, with their rooms.
    pub acknowledged: BTreeSet<(RoomCode, Played)>,
    /// The guests.
    pub players: BTreeSet<PlayerId>,
    /// The state with the highest version that anybody was shown.
    pub latest: Option<PartyState>,
    /// The highest version at which each guest was shown the party.
    pub last: BTreeMap<PlayerId, u64>,
    /// The things that must not happen, but did.
    pub violations: Vec<String>,
    /// Counts the facts of this party and of others.
    counter: Option<watch::Sender<u64>>,
}

/// A number for a state of a party.
fn digest(state: &PartyState) -> u64 {
    let mut hasher = DefaultHasher::new();
    format!("{state:?}").hash(&mut hasher);
    hasher.finish()
}

impl PartyHistory {
    /// An empty history that counts each new fact there.
    #[must_use]
    pub fn counted(counter: watch::Sender<u64>) -> Self {
        Self { counter: Some(counter), ..Self::default() }
    }

    /// The codes and ids that the server drew: the party's, those of its guests and of its rooms.
    #[must_use]
    pub fn drawn(&self) -> Vec<String> {
        let mut drawn: Vec<_> = self.code.iter().map(ToString::to_string).collect();
        for event in self.told.values() {
            match event {
                PartyEvent::Joined { entrant } => {
                    drawn.extend(entrant.player.map(|player| player.to_string()));
                }
                PartyEvent::Opened { room, .. } => drawn.push(room.to_string()),
                _ => {}
            }
        }
        drawn
    }

    /// Records a violation.
    pub fn violation(&mut self, violation: String) {
        if self.violations.len() < MAX_VIOLATIONS {
            self.violations.push(violation);
        }
    }

    /// Records what is new on a guest's connection. `seen` has the numbers of facts and of moves that
    /// are recorded, and the version.
    pub fn observe(&mut self, player: &Player, seen: &mut (usize, usize, u64)) {
        let state = player.party();
        self.code = Some(state.code);
        self.players.insert(player.id);
        for (v, event) in &player.party_facts[seen.0..] {
            let before = self.told.insert(*v, event.clone());
            if before.as_ref().is_some_and(|before| before != event) {
                self.violation(format!("fact {v} was {before:?} before, and now {event:?}"));
            }
        }
        self.acknowledged.extend(&player.played[seen.1..]);
        let before = seen.2;
        *seen = (player.party_facts.len(), player.played.len(), state.v);
        if state.v == before {
            return;
        }
        if self.latest.as_ref().is_none_or(|latest| latest.v < state.v) {
            self.latest = Some(state.clone());
        }
        let last = self.last.insert(player.id, state.v).unwrap_or_default();
        if state.v < last {
            self.violation(format!("{} was shown version {last}, and now {}", player.id, state.v));
        }
        match self.states.insert(state.v, digest(state)) {
            None => {
                self.counter.iter().for_each(|counter| counter.send_modify(|facts| *facts += 1));
            }
            Some(shown) if Some(&shown) != self.states.get(&state.v) => {
                self.violation(format!("version {} was another state before: {state:?}", state.v));
            }
            Some(_) => {}
        }
    }

    /// Compares the party, which is over, with what is stored. Returns the contradictions.
    #[must_use]
    pub fn violations(&self, stored: &Stored) -> Vec<String> {
        let (Some(code), Some(latest)) = (self.code, &self.latest) else {
            return vec!["nobody has seen the party".to_owned()];
        };
        let mut found = self.violations.clone();
        let party = stored.party(code);
        if party.as_ref() != Some(latest) {
            found.push(format!("shown {latest:?}, stored {party:?}"));
        }
        found.extend(self.at_the_end(latest));
        let has_rounds = latest.settings.format != PartyFormat::WinnerStays;
        found.extend(doubled(has_rounds, self.told.values()));
        found.extend(self.lost_moves(stored));
        found.into_iter().map(|found| format!("party {code}: {found}")).collect()
    }

    /// The things that are missing at the end of the party.
    fn at_the_end(&self, state: &PartyState) -> Vec<String> {
        let mut found = Vec::new();
        if state.phase != PartyPhase::Over {
            found.push(format!("it is {:?} and not over", state.phase));
        }
        let undecided = state.pairings.iter().filter(|pairing| pairing.outcome.is_none());
        found.extend(undecided.map(|pairing| format!("pairing {} is lost", pairing.number)));
        let entrants: Vec<_> = state.entrants.iter().filter_map(|entrant| entrant.player).collect();
        if entrants.len() != self.players.len()
            || entrants.iter().any(|one| !self.players.contains(one))
        {
            found.push(format!("the entrants {entrants:?} are not the guests {:?}", self.players));
        }
        if state.places.len() != state.entrants.len() {
            found.push(format!("{} places of {}", state.places.len(), state.entrants.len()));
        }
        let early = self.last.iter().filter(|(_, v)| **v != state.v);
        found.extend(
            early.map(|(player, v)| format!("{player} was shown {v}, the end is {}", state.v)),
        );
        found
    }

    /// The acknowledged moves that are not stored in the rooms of the party's games.
    fn lost_moves(&self, stored: &Stored) -> Vec<String> {
        let rooms = self.acknowledged.iter().map(|(room, _)| *room).collect::<BTreeSet<_>>();
        let rooms = rooms.into_iter().map(|room| (room, stored.room(room)));
        let rooms: BTreeMap<_, _> = rooms.collect();
        let is_stored = |room, (game, ply, cell): Played| {
            let game = rooms[room].games.get(&game);
            game.is_some_and(|(_, moves, _)| moves.get(usize::from(ply)) == Some(&cell))
        };
        let lost = self.acknowledged.iter().filter(|(room, played)| !is_stored(room, *played));
        lost.map(|(room, played)| format!("acknowledged {played:?} in {room}, not stored"))
            .collect()
    }
}

/// The games that are opened twice, the pairings that are drawn or decided twice, and in a party with
/// rounds the rounds that are drawn twice.
fn doubled<'a>(has_rounds: bool, facts: impl Iterator<Item = &'a PartyEvent>) -> Vec<String> {
    let mut opened = BTreeSet::new();
    let mut decided = BTreeSet::new();
    let mut paired = BTreeSet::new();
    let mut rounds = BTreeSet::new();
    let mut found = Vec::new();
    for event in facts {
        let is_new = match event {
            PartyEvent::Paired { round, pairings } => {
                let is_new = rounds.insert(*round) || !has_rounds;
                is_new && pairings.iter().all(|pairing| paired.insert(pairing.number))
            }
            PartyEvent::Opened { pairing, game, .. } => opened.insert((*pairing, *game)),
            PartyEvent::Decided { pairing, .. } => decided.insert(*pairing),
            _ => true,
        };
        if !is_new {
            found.push(format!("a second time: {event:?}"));
        }
    }
    found
}
