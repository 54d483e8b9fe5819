//! A party with its people and its rooms, in virtual time. It drives the rules as the party's task
//! does, without a task.

use std::collections::BTreeMap;
use std::time::Duration;

use noughts_protocol::party::{PartyFormat, PartyPhase, PartyRole, PartySettings, PartyState};
use noughts_protocol::{
    DecidedBy, IntentId, Mark, PartyCode, PartyEvent, PartyIntent, PassCode, PlayerId, RefusalCode,
    RoomCode,
};
use noughts_store::Committed;

use super::checks::Checks;
use crate::party::rules::intent::PartyDecision;
use crate::party::rules::tables::{Opening, TableResult};
use crate::party::rules::{PAUSE, PartyDecided, PartyRules};
use crate::room::table::Ruling;

/// The host, who is the first entrant.
pub(super) const HOST: u64 = 1;

/// More steps than any party of the tests takes.
const MAX_STEPS: usize = 200_000;

pub(super) struct World {
    pub(super) rules: PartyRules,
    pub(super) now: Duration,
    pub(super) facts: Vec<PartyEvent>,
    /// The rooms whose game runs.
    pub(super) rooms: BTreeMap<RoomCode, Opening>,
    /// The games that were decided otherwise.
    pub(super) dismissed: Vec<(Opening, Ruling)>,
    /// The last pass that the host has got for a place.
    pub(super) pass: Option<PassCode>,
    passes: u128,
    rooms_made: u32,
    lots: u64,
    checks: Checks,
}

pub(super) fn settings(format: PartyFormat) -> PartySettings {
    PartySettings { format, ..PartySettings::default() }
}

fn rules(settings: PartySettings, now: Duration) -> PartyRules {
    let code = PartyCode("KQRZX".parse().unwrap());
    let name = "Evening".parse().unwrap();
    PartyRules::new(PartyState::new(code, name, settings, PlayerId(HOST)), now)
}

impl World {
    /// A party with so many people in it. The first is the host.
    pub(super) fn gather(settings: PartySettings, people: u64) -> Self {
        let now = Duration::from_secs(100);
        let rules = rules(settings, now);
        let checks = Checks::new(rules.state().clone());
        let mut world = Self {
            rules,
            now,
            facts: Vec::new(),
            rooms: BTreeMap::new(),
            dismissed: Vec::new(),
            pass: None,
            passes: 0,
            rooms_made: 0,
            lots: 7,
            checks,
        };
        for player in 1..=people {
            world.join(player).unwrap();
        }
        world
    }

    /// The same, started, and its first round paired.
    pub(super) fn started(settings: PartySettings, people: u64) -> Self {
        let mut world = Self::gather(settings, people);
        world.host(PartyIntent::StartParty);
        world.wait(PAUSE);
        world
    }

    /// Other lots from now on.
    pub(super) fn with_lots(mut self, lots: u64) -> Self {
        self.lots = lots;
        self
    }

    pub(super) fn state(&self) -> &PartyState {
        self.rules.state()
    }

    pub(super) fn is_over(&self) -> bool {
        self.state().phase == PartyPhase::Over
    }

    fn lot(&mut self) -> u64 {
        self.lots = self.lots.wrapping_add(1);
        self.lots.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    pub(super) fn commit(&mut self, decided: PartyDecided) {
        let before = self.state().v;
        // Rows take long to write without optimisation: nothing new is not compared, and of many people a few.
        let is_compared = decided != PartyDecided::default()
            && (self.state().entrants.len() <= 12 || before.is_multiple_of(64));
        let stored =
            is_compared.then(|| self.rules.stored_after(self.now, &decided, IntentId::default()));
        let told = self.rules.apply(self.now, Committed::for_tests(decided));
        for (v, event) in (before + 1..).zip(told) {
            self.checks.take(v, &event);
            self.facts.push(event);
        }
        assert_eq!(self.checks.state, *self.rules.state(), "the fold of the facts is the state");
        if let Some(stored) = stored {
            let PartyState { v, host, .. } = *self.state();
            let told = (stored.v, stored.state, stored.origins[0].player);
            let row = (v, self.rules.to_json(), host);
            assert_eq!(told, row, "the row of the facts is the row of the party");
        }
    }

    /// Does what is due, and makes the rooms that are asked for.
    pub(super) fn settle(&mut self) {
        for _ in 0..1_000 {
            let lot = self.lot();
            let decided = self.rules.tick(self.now, lot);
            let is_quiet = decided == PartyDecided::default();
            self.commit(decided);
            let openings = self.rules.take_openings(self.now);
            let rooms: Vec<(u32, u8, RoomCode)> =
                openings.iter().map(|opening| self.make(*opening)).collect();
            let opened = PartyRules::opened(&rooms);
            self.commit(opened);
            for dismissed in self.rules.take_dismissed() {
                let opening = self.rooms.remove(&dismissed.room);
                assert!(opening.is_some(), "a room is dismissed once");
                self.dismissed.extend(opening.map(|opening| (opening, dismissed.ruling)));
            }
            if is_quiet && rooms.is_empty() {
                let due = self.rules.due();
                assert!(due.is_none_or(|due| due > self.now), "nothing is left to do");
                return;
            }
        }
        panic!("it never comes to rest");
    }

    fn make(&mut self, opening: Opening) -> (u32, u8, RoomCode) {
        self.rooms_made += 1;
        let room = RoomCode::from_number(self.rooms_made);
        assert_ne!(opening.lost, Some(room));
        let twice = self.rooms.values().any(|other| other.pairing == opening.pairing);
        assert!(!twice, "a pairing has one room at a time: {opening:?}");
        self.rooms.insert(room, opening);
        (opening.pairing, opening.game, room)
    }

    pub(super) fn wait(&mut self, time: Duration) {
        let until = self.now + time;
        for _ in 0..MAX_STEPS {
            self.settle();
            let due = self.rules.due().filter(|due| *due <= until);
            self.now = due.unwrap_or(until);
            if due.is_none() {
                return self.settle();
            }
        }
        panic!("time stands still");
    }

    pub(super) fn join(&mut self, player: u64) -> Result<(), RefusalCode> {
        self.join_as(player, &format!("Guest {player}"), PartyRole::Player)
    }

    pub(super) fn join_as(
        &mut self,
        player: u64,
        name: &str,
        role: PartyRole,
    ) -> Result<(), RefusalCode> {
        let decided = self.rules.join(PlayerId(player), &name.parse().unwrap(), role);
        let decided = decided.map_err(|refusal| refusal.code)?;
        self.commit(decided);
        self.settle();
        Ok(())
    }

    /// The player asks, and the facts are applied.
    pub(super) fn ask(&mut self, player: u64, intent: PartyIntent) -> Result<(), RefusalCode> {
        let decision = self.rules.decide(PlayerId(player), intent);
        match decision.map_err(|refusal| refusal.code)? {
            PartyDecision::Facts(decided) => self.commit(decided),
            PartyDecision::Ready { entrant, pairing } => {
                self.rules.set_ready(self.now, entrant, pairing);
            }
            PartyDecision::PlacePass { entrant } => {
                self.passes += 1;
                self.pass = self.rules.issue_place_pass(self.now, entrant, self.passes);
            }
            PartyDecision::TakePlace { pass } => {
                let taken = self.rules.take_place(self.now, PlayerId(player), &pass);
                self.commit(taken.map_err(|refusal| refusal.code)?);
            }
            PartyDecision::ExtendCheck { pairing, ms } => self.rules.extend_check(pairing, ms),
            PartyDecision::AddTime { .. } | PartyDecision::Snapshot | PartyDecision::Leave => {}
        }
        self.settle();
        Ok(())
    }

    #[track_caller]
    pub(super) fn host(&mut self, intent: PartyIntent) {
        self.ask(HOST, intent).unwrap();
    }

    /// The party's leader asks. If nobody leads, because the leader has taken another place,
    /// somebody comes first.
    pub(super) fn lead(&mut self, intent: PartyIntent) -> Result<(), RefusalCode> {
        if self.state().leading_player().is_none() {
            let mut playing = self.state().entrants.iter().filter(|entrant| !entrant.left);
            let next = playing.find_map(|entrant| entrant.player);
            next.into_iter().for_each(|player| self.come(player.0));
        }
        let leader = self.state().leading_player().ok_or(RefusalCode::NotHost)?;
        self.ask(leader.0, intent)
    }

    /// A player comes with a connection.
    pub(super) fn come(&mut self, player: u64) {
        self.rules.connect(self.now, PlayerId(player), PartyRole::Spectator);
        self.settle();
    }

    /// A connection of a player ends.
    pub(super) fn go(&mut self, player: u64) {
        self.rules.disconnect(self.now, PlayerId(player), PartyRole::Spectator);
        self.settle();
    }

    /// Whether a player has a connection.
    pub(super) fn is_there(&self, player: u64) -> bool {
        self.rules.present.contains_key(&PlayerId(player))
    }

    /// An entrant is ready for their pairing, if they have one.
    pub(super) fn ready(&mut self, entrant: u16) {
        let open = self.state().open_pairing_of(entrant).filter(|open| open.second.is_some());
        let Some(pairing) = open.map(|open| open.number) else { return };
        let player = self.state().entrant(entrant).and_then(|entrant| entrant.player);
        if let Some(player) = player {
            self.ask(player.0, PartyIntent::Ready { pairing }).unwrap();
        }
    }

    pub(super) fn all_ready(&mut self) {
        for entrant in 1..=u16::try_from(self.state().entrants.len()).unwrap() {
            self.ready(entrant);
        }
    }

    /// A game ends.
    pub(super) fn result(&mut self, room: RoomCode, result: TableResult) {
        let Some(Opening { pairing, game, .. }) = self.rooms.remove(&room) else { return };
        let decided = self.rules.table_result(self.now, pairing, game, room, result);
        self.commit(decided);
        self.settle();
    }

    /// The entrant wins the game that they play.
    pub(super) fn win(&mut self, entrant: u16) {
        let (room, mark) = self.game_of(entrant);
        self.result(room, TableResult::Won(mark));
    }

    pub(super) fn draw(&mut self, entrant: u16) {
        let (room, _) = self.game_of(entrant);
        self.result(room, TableResult::Drawn);
    }

    #[track_caller]
    pub(super) fn game_of(&self, entrant: u16) -> (RoomCode, Mark) {
        let plays = |opening: &Opening| opening.x == entrant || opening.o == entrant;
        let (room, opening) = self.rooms.iter().find(|(_, opening)| plays(opening)).unwrap();
        (*room, if opening.x == entrant { Mark::X } else { Mark::O })
    }

    /// Everybody is ready and the smaller number wins, until the round is over.
    pub(super) fn play_round(&mut self) {
        self.all_ready();
        for (_, opening) in self.rooms.clone() {
            self.win(opening.x.min(opening.o));
        }
    }

    /// Plays rounds to the end. The smaller number wins.
    pub(super) fn play_on(&mut self) {
        for _ in 0..MAX_STEPS {
            if self.is_over() {
                return;
            }
            self.play_round();
            self.wait(PAUSE);
        }
        panic!("the party does not end");
    }

    /// The server restarts: the row is read, and the rooms of before are looked up.
    pub(super) fn restart(&mut self) {
        let mut after = rules(self.state().settings, Duration::ZERO);
        for fact in &self.facts {
            after.apply_event(after.last_change, fact);
        }
        assert_eq!(after.state(), self.rules.state(), "a replay gives the same state");
        assert_eq!(after.conduct, self.rules.conduct, "and the same conduct");
        assert_eq!(after.displaced, self.rules.displaced, "and the same people may not play");
        assert_eq!(after.kept_out, self.rules.kept_out, "and the same people may not come in");
        self.now += Duration::from_secs(3);
        after.resume(self.now);
        if after.state.host == PlayerId::NOBODY {
            // It is not called after a host who was forgotten any more.
            after.state.name = "Party".parse().unwrap();
            self.checks.state.name = after.state.name.clone();
        }
        let json = self.rules.to_json();
        self.rules = PartyRules::from_json(&json, self.now).unwrap();
        // Catches each field that the row leaves out, and each that is read into another.
        let read = format!("{:?}", self.rules);
        assert_eq!(read, format!("{after:?}"), "the row is as good as the facts");
        // A room whose fact was not stored is of nobody, and a drawn game is reported again.
        let open = self.state().pairings.iter().filter(|pairing| pairing.outcome.is_none());
        let open: Vec<_> =
            open.filter_map(|open| Some((open.number, open.game, open.room?))).collect();
        let known = |room: &RoomCode| open.iter().any(|(_, _, open)| open == room);
        self.rooms.retain(|room, _| known(room));
        for (number, game, room) in open {
            if !self.rooms.contains_key(&room) {
                let drawn = TableResult::Drawn;
                let decided = self.rules.table_result(self.now, number, game, room, drawn);
                self.commit(decided);
            }
        }
        self.settle();
    }

    /// The place of an entrant, after the end or after a round.
    #[track_caller]
    pub(super) fn place(&self, entrant: u16) -> u16 {
        self.state().places.iter().find(|place| place.entrant == entrant).unwrap().place
    }

    /// How the pairing of two entrants in this round ended.
    #[track_caller]
    pub(super) fn outcome(&self, entrant: u16) -> (Option<u16>, DecidedBy) {
        let theirs =
            self.state().pairings.iter().rev().find(|p| p.entrants().any(|one| one == entrant));
        let outcome = theirs.unwrap().outcome.clone().unwrap();
        (outcome.winner, outcome.how)
    }
}
