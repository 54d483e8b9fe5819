//! The state of a party: the fold of its facts, the same in the server, in a client and in tests. It
//! checks only that a fact can follow; the server's rules decide which one does.

use serde::{Deserialize, Serialize};

use super::{
    DecidedBy, Entrant, MAX_ENTRANTS, MAX_TABLES, Pairing, PairingOutcome, PartyEvent, PartyFormat,
    PartyPhase, PartySettings, Place, WIN_POINTS,
};
use crate::id::{PartyCode, PlayerId, PlayerName};
use crate::reading::{is_default, or_default};
use crate::room::{Contradiction, OutOfStep};

/// The pairings that a state of "winner stays on" holds: those that run, and the last ones.
pub const KEPT_PAIRINGS: usize = 2 * MAX_TABLES as usize;

/// The results that the host has decided in earlier rounds, at most: a party fits a message.
pub const KEPT_DECISIONS: usize = 32;

/// How the host has decided a pairing of an earlier round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PastDecision {
    /// The number of the pairing.
    pub pairing: u32,
    /// The result.
    pub outcome: PairingOutcome,
}

/// A pairing of an earlier round: the first entrant, the second (0: a bye), and the half points that
/// each of them got. A list of four numbers on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PastPairing(pub u16, pub u16, pub u16, pub u16);

/// The state of a party. Public fields: everybody in the party may know all of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartyState {
    /// The party's code.
    #[serde(rename = "party")]
    pub code: PartyCode,
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
    // At most [`KEPT_PAIRINGS`] there: the oldest of those that are over are dropped.
    pub pairings: Vec<Pairing>,
    /// The pairings of the earlier rounds, by round.
    // There are none in "winner stays on".
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub past: Vec<Vec<PastPairing>>,
    /// The results of earlier rounds that the host decided, the latest one last. The oldest are dropped.
    // There are at most [`KEPT_DECISIONS`].
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub past_decisions: Vec<PastDecision>,
    /// "Winner stays on": those who wait, the next one first.
    // A winner who waits for an opponent is the first of them.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub queue: Vec<u16>,
    /// The places after the last round, or the final ones.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
}

impl PartyState {
    /// A party in which nothing has happened.
    #[must_use]
    pub const fn new(
        code: PartyCode,
        name: PlayerName,
        settings: PartySettings,
        host: PlayerId,
    ) -> Self {
        Self {
            code,
            v: 0,
            name,
            settings,
            host,
            leader: None,
            phase: PartyPhase::Gathering,
            paused: false,
            clocks_stopped: false,
            played_before: 0,
            entrants: Vec::new(),
            round: 0,
            pairings: Vec::new(),
            past: Vec::new(),
            past_decisions: Vec::new(),
            queue: Vec::new(),
            places: Vec::new(),
        }
    }

    /// The entrant with this number.
    #[must_use]
    pub fn entrant(&self, number: u16) -> Option<&Entrant> {
        self.entrants.get(usize::from(number).checked_sub(1)?)
    }

    /// The entrant who is this player.
    #[must_use]
    pub fn entrant_of(&self, player: PlayerId) -> Option<&Entrant> {
        self.entrants.iter().find(|entrant| entrant.player == Some(player))
    }

    /// The player who leads the party; `None` if nobody does, because its host was forgotten.
    #[must_use]
    pub fn leading_player(&self) -> Option<PlayerId> {
        match self.leader {
            Some(number) => self.entrant(number)?.player,
            None => Some(self.host).filter(|host| *host != PlayerId::NOBODY),
        }
    }

    /// The entrant who leads the party; `None` if its host leads it and only looks on.
    #[must_use]
    pub fn leading_entrant(&self) -> Option<&Entrant> {
        self.entrant_of(self.leading_player()?)
    }

    /// The pairing with this number, if it is of this round.
    #[must_use]
    pub fn pairing(&self, number: u32) -> Option<&Pairing> {
        self.pairings.iter().find(|pairing| pairing.number == number)
    }

    /// The pairing of an entrant that is not over.
    #[must_use]
    pub fn open_pairing_of(&self, entrant: u16) -> Option<&Pairing> {
        let theirs = |pairing: &&Pairing| pairing.entrants().any(|one| one == entrant);
        self.pairings.iter().filter(|pairing| pairing.outcome.is_none()).find(theirs)
    }

    /// Applies the fact with version `v`.
    ///
    /// # Errors
    /// If `v` is not the next version, or if the fact cannot happen in this state. The state is
    /// unchanged then.
    pub fn apply(&mut self, v: u64, event: &PartyEvent) -> Result<(), OutOfStep> {
        let expected = self.v.saturating_add(1);
        if v != expected {
            return Err(OutOfStep::Gap { expected, got: v });
        }
        self.check(event).map_err(Contradiction::Party)?;
        self.advance(event);
        Ok(())
    }

    fn check(&self, event: &PartyEvent) -> Result<(), &'static str> {
        let known = |number| self.entrant(number).map(drop).ok_or("the entrant is not known");
        let pairing = |number| self.pairing(number).ok_or("the pairing is not known");
        let over = self.phase == PartyPhase::Over;
        match event {
            PartyEvent::Joined { entrant } => {
                let number = usize::from(entrant.number);
                let count = self.entrants.len();
                let is_new = number == count + 1 && count < MAX_ENTRANTS && !over;
                let fits = is_new || (1..=count).contains(&number);
                fits.then_some(()).ok_or("the entrant has not the next number")
            }
            PartyEvent::Left { entrant, .. } | PartyEvent::Returned { entrant } => known(*entrant),
            PartyEvent::Started if self.phase != PartyPhase::Gathering => Err("it has begun"),
            PartyEvent::Started | PartyEvent::Paused { .. } => Ok(()),
            PartyEvent::Led { entrant, .. } => entrant.map_or(Ok(()), known),
            PartyEvent::Paired { .. } if self.phase != PartyPhase::Playing => {
                Err("the party is not being played")
            }
            PartyEvent::Paired { pairings, .. } => {
                pairings.iter().flat_map(Pairing::entrants).try_for_each(known)
            }
            PartyEvent::Opened { pairing: number, .. } => match pairing(*number)?.outcome {
                None => Ok(()),
                Some(_) => Err("the pairing is over"),
            },
            PartyEvent::Decided { pairing: number, outcome } => {
                let (first, second, _) = self.decided(*number).ok_or("no such pairing")?;
                let winner = outcome.winner;
                let plays = winner.is_none() || winner == Some(first) || winner == second;
                plays.then_some(()).ok_or("the winner does not play there")
            }
            PartyEvent::Ranked { places } | PartyEvent::Ended { places } => {
                places.iter().try_for_each(|place| known(place.entrant))
            }
            PartyEvent::Again { .. } if !over => Err("the party is not over"),
            PartyEvent::Again { entrants, leader, .. } => {
                let numbered = (1_u16..).zip(entrants).all(|(n, entrant)| entrant.number == n);
                let fits = numbered && entrants.len() <= MAX_ENTRANTS;
                let leads =
                    leader.is_none_or(|leader| (1..=entrants.len()).contains(&usize::from(leader)));
                (fits && leads).then_some(()).ok_or("an entrant is not known")
            }
        }
    }

    /// The two entrants of a pairing of any round that is remembered (one for a bye), and the half
    /// points that they got, if it is over.
    #[must_use]
    pub fn decided(&self, number: u32) -> Option<(u16, Option<u16>, Option<[u16; 2]>)> {
        if let Some(pairing) = self.pairing(number) {
            let points = pairing.outcome.as_ref().map(|outcome| outcome.points(pairing.first));
            return Some((pairing.first, pairing.second, points));
        }
        let place = self.past_place(number)?;
        let PastPairing(first, second, own, other) = *self.past.iter().flatten().nth(place)?;
        Some((first, (second > 0).then_some(second), Some([own, other])))
    }

    /// The number of the last pairing; that of the last one before the party began again if there is none.
    #[must_use]
    pub fn last_pairing(&self) -> u32 {
        self.pairings.iter().map(|pairing| pairing.number).max().unwrap_or(self.played_before)
    }

    /// The place of a pairing among those of earlier rounds.
    fn past_place(&self, number: u32) -> Option<usize> {
        usize::try_from(number.checked_sub(self.played_before)?).ok()?.checked_sub(1)
    }

    /// Applies the next fact without a check: the rules have decided it in this state.
    pub fn advance(&mut self, event: &PartyEvent) {
        match event {
            PartyEvent::Joined { entrant } => self.join(entrant),
            PartyEvent::Left { entrant, host, removed } => {
                if let Some(known) = self.entrant_mut(*entrant) {
                    known.left = true;
                    known.set_aside |= *host;
                    known.removed |= *removed;
                    known.player = known.player.filter(|_| !*removed);
                }
                self.queue.retain(|one| one != entrant);
            }
            PartyEvent::Returned { entrant } => {
                if let Some(known) = self.entrant_mut(*entrant) {
                    (known.left, known.set_aside) = (false, false);
                }
                self.enqueue(*entrant);
            }
            PartyEvent::Started => self.phase = PartyPhase::Playing,
            PartyEvent::Paired { round, pairings } => self.pair(*round, pairings),
            PartyEvent::Opened { pairing, game, room } => {
                if let Some(opened) = self.pairing_mut(*pairing) {
                    (opened.game, opened.room) = (*game, Some(*room));
                }
            }
            PartyEvent::Decided { pairing, outcome } => self.decide(*pairing, outcome),
            PartyEvent::Ranked { places } => self.places.clone_from(places),
            PartyEvent::Paused { paused, clocks } => {
                self.paused = *paused;
                self.clocks_stopped = *paused && *clocks;
            }
            PartyEvent::Led { entrant, forgotten } => {
                self.leader = *entrant;
                if *forgotten {
                    self.host = PlayerId::NOBODY;
                }
            }
            PartyEvent::Ended { places } => {
                self.phase = PartyPhase::Over;
                self.places.clone_from(places);
            }
            PartyEvent::Again { settings, entrants, leader } => {
                let began = Self::new(self.code, self.name.clone(), *settings, self.host);
                let v = self.v;
                let played_before = self.last_pairing();
                *self = Self { v, played_before, leader: *leader, ..began };
                entrants.iter().for_each(|entrant| self.join(entrant));
            }
        }
        self.v = self.v.saturating_add(1);
    }

    fn join(&mut self, entrant: &Entrant) {
        if let Some(known) = self.entrant_mut(entrant.number) {
            known.name = entrant.name.clone();
            known.player = entrant.player;
            known.fixed_name = entrant.fixed_name;
            known.set_aside = entrant.set_aside;
            known.removed = entrant.removed;
        } else {
            self.entrants.push(entrant.clone());
            self.enqueue(entrant.number);
        }
    }

    fn entrant_mut(&mut self, number: u16) -> Option<&mut Entrant> {
        self.entrants.get_mut(usize::from(number).checked_sub(1)?)
    }

    /// Puts an entrant who can play at the end of the queue.
    fn enqueue(&mut self, number: u16) {
        let waits = self.settings.format == PartyFormat::WinnerStays
            && self.entrant(number).is_some_and(|entrant| !entrant.left)
            && self.open_pairing_of(number).is_none()
            && !self.queue.contains(&number);
        if waits {
            self.queue.push(number);
        }
    }

    fn pair(&mut self, round: u16, pairings: &[Pairing]) {
        let stays = self.settings.format == PartyFormat::WinnerStays;
        if round != self.round && !stays && self.round > 0 {
            let ended = std::mem::take(&mut self.pairings);
            let past = ended.iter().map(|pairing| {
                let points = pairing.outcome.as_ref().map(|outcome| outcome.points(pairing.first));
                let [own, other] = points.unwrap_or_default();
                PastPairing(pairing.first, pairing.second.unwrap_or(0), own, other)
            });
            self.past.push(past.collect());
            for Pairing { number, outcome, .. } in ended {
                outcome.into_iter().for_each(|outcome| self.keep_decision(number, outcome));
            }
        }
        self.round = round;
        for pairing in pairings {
            let drawn = Pairing { outcome: None, ..pairing.clone() };
            match self.pairing_mut(pairing.number) {
                Some(known) => *known = drawn,
                None => self.pairings.push(drawn),
            }
            self.queue.retain(|one| pairing.entrants().all(|entrant| entrant != *one));
        }
        while stays && self.pairings.len() > KEPT_PAIRINGS {
            let over = self.pairings.iter().position(|pairing| pairing.outcome.is_some());
            let Some(over) = over else { break };
            self.pairings.remove(over);
        }
    }

    fn pairing_mut(&mut self, number: u32) -> Option<&mut Pairing> {
        self.pairings.iter_mut().find(|pairing| pairing.number == number)
    }

    fn decide(&mut self, number: u32, outcome: &PairingOutcome) {
        let Some((first, second, before)) = self.decided(number) else { return };
        let now = outcome.points(first);
        for (entrant, side) in [(Some(first), 0), (second, 1)] {
            if let Some(entrant) = entrant.and_then(|number| self.entrant_mut(number)) {
                if let Some(before) = before {
                    entrant.count(before[side], second.is_none(), u16::saturating_sub);
                }
                entrant.count(now[side], second.is_none(), u16::saturating_add);
            }
        }
        if let Some(pairing) = self.pairing_mut(number) {
            pairing.outcome = Some(outcome.clone());
        } else {
            let place = self.past_place(number).unwrap_or(usize::MAX);
            if let Some(past) = self.past.iter_mut().flatten().nth(place) {
                (past.2, past.3) = (now[0], now[1]);
            }
            self.keep_decision(number, outcome.clone());
        }
        if before.is_none() {
            self.requeue(first, second, outcome.winner);
        }
    }

    /// Keeps how the host has decided a pairing of an earlier round.
    fn keep_decision(&mut self, pairing: u32, outcome: PairingOutcome) {
        if outcome.how != DecidedBy::Host {
            return;
        }
        self.past_decisions.retain(|decision| decision.pairing != pairing);
        self.past_decisions.push(PastDecision { pairing, outcome });
        if self.past_decisions.len() > KEPT_DECISIONS {
            self.past_decisions.remove(0);
        }
    }

    /// "Winner stays on": the winner is the next one to play, the loser the last. After a pairing
    /// without a winner both are last.
    fn requeue(&mut self, first: u16, second: Option<u16>, winner: Option<u16>) {
        for entrant in [Some(first), second].into_iter().flatten() {
            self.enqueue(entrant);
        }
        if let Some(place) = winner.and_then(|won| self.queue.iter().position(|one| *one == won)) {
            let winner = self.queue.remove(place);
            self.queue.insert(0, winner);
        }
    }
}

impl PairingOutcome {
    /// The half points of `first`, who began the first game, and of the other entrant. Both get
    /// none if nobody came, and a bye in a round robin gives none.
    #[must_use]
    pub fn points(&self, first: u16) -> [u16; 2] {
        match self.winner {
            Some(winner) if winner == first => [WIN_POINTS, 0],
            Some(_) => [0, WIN_POINTS],
            None if matches!(self.how, DecidedBy::Forfeit | DecidedBy::Bye) => [0, 0],
            None => [WIN_POINTS / 2, WIN_POINTS / 2],
        }
    }
}

impl Entrant {
    /// A place that nobody has, and for which nothing was played.
    #[must_use]
    pub const fn new(number: u16, name: PlayerName) -> Self {
        Self {
            number,
            name,
            player: None,
            fixed_name: false,
            computer: None,
            left: false,
            set_aside: false,
            removed: false,
            points: 0,
            wins: 0,
            draws: 0,
            losses: 0,
        }
    }

    /// Counts the half points of one pairing, or takes them back.
    fn count(&mut self, points: u16, is_bye: bool, change: fn(u16, u16) -> u16) {
        self.points = change(self.points, points);
        if is_bye {
            return;
        }
        let count = match points {
            WIN_POINTS => &mut self.wins,
            0 => &mut self.losses,
            _ => &mut self.draws,
        };
        *count = change(*count, 1);
    }
}
