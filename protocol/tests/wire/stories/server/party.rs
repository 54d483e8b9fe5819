//! The party of a story. The story itself says who is paired and how it ends; here the facts are applied
//! before they are told, and the client is answered.

use noughts_protocol::{
    Entrant, PartyCode, PartyEvent, PartyIntent, PartyPresence, PartyRole, PartySettings,
    PartyState, PartyTable, ReadyCheck, TableBoard,
};

use super::*;

pub(in crate::wire::stories) const PARTY: &str = "NGHTS";

/// A party.
#[derive(Debug)]
pub(in crate::wire::stories) struct Hosted {
    pub(in crate::wire::stories) state: PartyState,
    pub(in crate::wire::stories) presence: PartyPresence,
    /// When the ready checks that run end, by pairing.
    checks: Vec<(u32, u64)>,
    /// Whether the client's connection follows it.
    pub(in crate::wire::stories) followed: bool,
    /// Whether that is as a big screen.
    screen: bool,
}

/// An entrant of a story.
pub(in crate::wire::stories) fn entrant(
    number: u16,
    name: &str,
    player: Option<PlayerId>,
) -> Entrant {
    let name = name.parse().expect("a name");
    let computer = player.is_none().then(noughts_protocol::Computer::default);
    let counts = (false, 0, 0, 0, 0);
    let (left, points, wins, draws, losses) = counts;
    let fixed_name = false;
    Entrant { number, name, player, fixed_name, computer, left, points, wins, draws, losses }
}

impl Server {
    /// A party that somebody else has made.
    pub(in crate::wire::stories) fn host_party(&mut self, settings: PartySettings, host: PlayerId) {
        let code = PARTY.parse().expect("a code");
        let state = PartyState::new(code, "Friday LAN".parse().expect("a name"), settings, host);
        let (presence, checks) = (PartyPresence::default(), Vec::new());
        self.party = Some(Hosted { state, presence, checks, followed: false, screen: false });
    }

    fn hosted(&mut self) -> &mut Hosted {
        self.party.as_mut().expect("a party")
    }

    pub(super) fn is_party(&self, room: RoomCode) -> bool {
        self.party.as_ref().is_some_and(|party| party.state.code == PartyCode(room))
    }

    pub(super) fn party_v(&self) -> Option<u64> {
        self.party.as_ref().filter(|party| party.followed).map(|party| party.state.v)
    }

    fn tell_party(&mut self, message: ServerMessage) {
        if self.hosted().followed {
            self.told.push(message);
        }
    }

    /// A fact of the party.
    pub(in crate::wire::stories) fn party_fact(&mut self, event: PartyEvent) {
        self.party_facts(vec![event]);
    }

    /// Facts of the party that are stored together.
    pub(in crate::wire::stories) fn party_facts(&mut self, events: Vec<PartyEvent>) {
        events.iter().for_each(|event| self.party_becomes(event));
        let PartyState { code: party, v, .. } = self.hosted().state;
        self.tell_party(ServerMessage::PartyEvents { party, v, events });
    }

    fn party_becomes(&mut self, event: &PartyEvent) {
        let hosted = self.hosted();
        let v = hosted.state.v + 1;
        hosted.state.apply(v, event).unwrap_or_else(|e| panic!("{event:?}: {e}"));
        if let PartyEvent::Opened { pairing, .. } | PartyEvent::Decided { pairing, .. } = event {
            let play: Vec<u16> =
                hosted.state.pairing(*pairing).iter().flat_map(|one| one.entrants()).collect();
            hosted.presence.ready.retain(|one| !play.contains(one));
            hosted.checks.retain(|(checked, _)| checked != pairing);
        }
    }

    /// Ready checks of all pairings that can be played begin.
    pub(in crate::wire::stories) fn checks(&mut self, now: u64) {
        let ends = now + u64::from(noughts_protocol::party::READY_MS);
        let hosted = self.hosted();
        let open = hosted
            .state
            .pairings
            .iter()
            .filter(|one| one.outcome.is_none() && one.second.is_some() && one.room.is_none());
        hosted.checks = open.map(|one| (one.number, ends)).collect();
    }

    /// Tells what passes.
    pub(in crate::wire::stories) fn party_passes(
        &mut self,
        now: u64,
        change: impl FnOnce(&mut PartyPresence),
    ) {
        change(&mut self.hosted().presence);
        let (party, presence) = (self.hosted().state.code, self.party_presence(now));
        self.tell_party(ServerMessage::PartyPresence { party, presence });
    }

    fn party_presence(&mut self, now: u64) -> PartyPresence {
        let hosted = self.hosted();
        let left = |ends: u64| u32::try_from(ends.saturating_sub(now)).expect("a short time");
        let check =
            |(pairing, ends): &(u32, u64)| ReadyCheck { pairing: *pairing, ms_left: left(*ends) };
        let checks = hosted.checks.iter().map(check).collect();
        PartyPresence { checks, ..hosted.presence.clone() }
    }

    /// Boards for a big screen.
    pub(in crate::wire::stories) fn shows_boards(&mut self, boards: Vec<TableBoard>) {
        let party = self.hosted().state.code;
        if self.hosted().screen {
            self.tell_party(ServerMessage::Boards { party, boards });
        }
    }

    fn party_snapshot(&mut self, now: u64) {
        let presence = self.party_presence(now);
        let snapshot = self.hosted().state.to_snapshot(presence);
        self.told.push(ServerMessage::Party(snapshot));
    }

    /// `create_party` and `join_party`.
    pub(super) fn enter_party(&mut self, id: IntentId, intent: &LobbyIntent, now: u64) {
        let role = match intent {
            LobbyIntent::CreateParty { settings, plays, .. } => {
                // A repeat leads to the same party.
                if self.party.is_none() {
                    self.host_party(*settings, ADA);
                }
                if *plays { PartyRole::Player } else { PartyRole::Spectator }
            }
            LobbyIntent::JoinParty { party, role } => {
                if !self.is_party(party.0) {
                    return self.told.push(refused(Some(id), RefusalCode::NoSuchParty));
                }
                *role
            }
            _ => unreachable!("another intent"),
        };
        // The snapshot tells who follows what has happened.
        self.hosted().followed = false;
        let state = &self.hosted().state;
        let (known, next) = (state.entrant_of(ADA).cloned(), state.entrants.len() + 1);
        match known {
            Some(ada) if ada.left && role == PartyRole::Player => {
                self.party_fact(PartyEvent::Returned { entrant: ada.number });
            }
            None if role == PartyRole::Player => {
                let number = u16::try_from(next).expect("a small number");
                self.party_fact(PartyEvent::Joined { entrant: entrant(number, "Ada", Some(ADA)) });
            }
            _ => {}
        }
        let hosted = self.hosted();
        (hosted.followed, hosted.screen) = (true, role == PartyRole::Screen);
        let party = Some(hosted.state.code);
        self.told.push(ServerMessage::Ok { id, room: None, party });
        self.party_snapshot(now);
    }

    pub(super) fn serve_party(&mut self, id: IntentId, intent: &PartyIntent, now: u64) {
        let Some(hosted) = self.party.as_mut().filter(|party| party.followed) else {
            return self.told.push(refused(Some(id), RefusalCode::NotInParty));
        };
        let (party, me) = (hosted.state.code, hosted.state.entrant_of(ADA).map(|me| me.number));
        match (intent, me) {
            (PartyIntent::Ready { .. }, Some(me)) if !hosted.presence.ready.contains(&me) => {
                hosted.presence.ready.push(me);
            }
            (PartyIntent::LeaveParty, _) => hosted.followed = false,
            (PartyIntent::Withdraw, Some(entrant)) => {
                self.party_fact(PartyEvent::Left { entrant, host: false });
            }
            (PartyIntent::StartParty, _) => self.party_fact(PartyEvent::Started),
            (PartyIntent::PauseParty { pause }, _) => {
                self.party_fact(PartyEvent::Paused { paused: *pause });
            }
            _ => {}
        }
        self.told.push(ServerMessage::Ok { id, room: None, party: Some(party) });
        if *intent == PartyIntent::SyncParty {
            self.party_snapshot(now);
        }
    }

    /// The next game of a pairing is opened in a room of its own. Ada is led into it, if she plays it.
    pub(in crate::wire::stories) fn opens(&mut self, pairing: u32, room: &str, now: u64) {
        let room: RoomCode = room.parse().expect("a code");
        let hosted = self.hosted();
        let paired = hosted.state.pairing(pairing).expect("a pairing").clone();
        let (game, party) = (paired.game + 1, hosted.state.code);
        let (x, o) = paired.order_in(game).expect("two entrants");
        let ada = hosted.state.entrant_of(ADA).map(|ada| ada.number);
        let player = |number| if Some(number) == ada { ADA } else { BEN };
        let (x, o) = (player(x), player(o));
        let settings = RoomSettings {
            party: Some(PartyTable { party, pairing, table: paired.table, game }),
            ..self.room.settings
        };
        let led = [x, o].contains(&ADA);
        self.party_fact(PartyEvent::Opened { pairing, game, room });
        if !led {
            return;
        }
        let leads = self.hosted().followed;
        (self.room, self.presence, self.member) =
            (RoomState::new(room, settings), Presence::default(), false);
        self.seat(Mark::X, seat_of(x), now);
        self.seat(Mark::O, seat_of(o), now);
        if leads {
            self.member = true;
            let snapshot = self.snapshot(now);
            self.told.push(snapshot);
        }
    }

    /// Leads Ada to the table of her game, which runs: she has just come back to the party.
    pub(in crate::wire::stories) fn leads(&mut self, now: u64) {
        self.member = true;
        let snapshot = self.snapshot(now);
        self.told.push(snapshot);
    }
}
