//! Parties: from joining to the podium, being led to tables, breaks, gaps, hosts and big screens.

use noughts_protocol::{
    Cell, DecidedBy, LobbyIntent, Pairing, PairingOutcome, PartyEvent, PartyFormat, PartyIntent,
    PartyRole, PartySettings, Place, PlayerId, RefusalCode, Role, RoomIntent, ServerMessage, Stage,
    TableBoard,
};

use super::server::party::{PARTY, entrant};
use super::server::{BEN, refused};
use super::teller::{CODE, Story};

mod breaks;

const CLEO: PlayerId = PlayerId(0xd3d9_4468_02a4_4259);
const DAN: PlayerId = PlayerId(0xe4da_3b7f_bbce_2345);

pub(super) fn stories() -> Vec<Story> {
    let mut all = vec![
        evening(),
        hosted(),
        late_entrant(),
        led_elsewhere(),
        not_led(),
        screen(),
        winner_stays(),
        refused_party(),
        impossible(),
    ];
    all.extend(breaks::stories());
    all
}

fn knockout() -> PartySettings {
    PartySettings { format: PartyFormat::Knockout, ..PartySettings::default() }
}

fn pairing(number: u32, table: u16, first: u16, second: Option<u16>) -> Pairing {
    let (stage, game, room, outcome) = (None, 0, None, None);
    Pairing { number, table, first, second, stage, game, room, outcome }
}

fn decided(pairing: u32, winner: u16, how: DecidedBy) -> PartyEvent {
    let outcome = PairingOutcome { winner: Some(winner), how, note: None };
    PartyEvent::Decided { pairing, outcome }
}

fn places(order: &[u16]) -> Vec<Place> {
    let places = (1..).zip(order);
    places.map(|(place, entrant)| Place { place, entrant: *entrant, tiebreak: 0 }).collect()
}

/// Short ways to tell of parties.
impl Story {
    fn fact(&mut self, event: PartyEvent) -> &mut Self {
        self.server.party_fact(event);
        self.hears()
    }

    fn facts(&mut self, events: Vec<PartyEvent>) -> &mut Self {
        self.server.party_facts(events);
        self.hears()
    }

    fn enters(&mut self, number: u16, name: &str, player: PlayerId) -> &mut Self {
        self.fact(PartyEvent::Joined { entrant: entrant(number, name, Some(player)) })
    }

    fn paired(&mut self, round: u16, pairings: &[Pairing]) -> &mut Self {
        self.fact(PartyEvent::Paired { round, pairings: pairings.to_vec() })
    }

    fn opens(&mut self, pairing: u32, room: &str) -> &mut Self {
        self.server.opens(pairing, room, self.now);
        self.hears()
    }

    fn asks_party(&mut self, intent: PartyIntent) -> &mut Self {
        let (party, id) = (PARTY.parse().expect("a code"), 0.try_into().expect("0 is an id"));
        self.asks(noughts_protocol::ClientMessage::Party { intent, id, party })
    }

    fn joins_party(&mut self, role: PartyRole) -> &mut Self {
        self.asks_lobby(LobbyIntent::JoinParty { party: PARTY.parse().expect("a code"), role })
    }

    fn passes_in_party(&mut self) -> &mut Self {
        self.server.party_passes(self.now, |_| {});
        self.hears()
    }

    /// Ben, Ada and Cleo are in Ben's knockout, and Ada has followed it. Id 1 is used.
    fn gathered(&mut self) -> &mut Self {
        self.server.host_party(knockout(), BEN);
        self.server.party_fact(PartyEvent::Joined { entrant: entrant(1, "Ben Łoś", Some(BEN)) });
        self.welcome().joins_party(PartyRole::Player).answers();
        self.enters(3, "Cleo", CLEO)
    }

    /// The same, and Ada plays Ben while Cleo has a bye. Nobody is ready.
    fn begun(&mut self) -> &mut Self {
        self.gathered().fact(PartyEvent::Started);
        self.paired(1, &[pairing(1, 1, 1, Some(2)), pairing(2, 0, 3, None)]);
        self.server.checks(self.now);
        self.passes_in_party()
    }
}

fn evening() -> Story {
    let mut s = Story::new("a party from joining to the podium, with a late comer and a no-show");
    s.server.host_party(knockout(), BEN);
    s.server.party_fact(PartyEvent::Joined { entrant: entrant(1, "Ben Łoś", Some(BEN)) });
    // Somebody types the code of the party where a room's code belongs.
    s.welcome().joins(PARTY, Role::Player).answers().happens(&["is_party"]);
    s.joins_party(PartyRole::Player).shows("following", r#""NGHTS""#);
    s.answers().happens(&["party"]).shows("following", "null");
    s.enters(3, "Cleo", CLEO).happens(&["party_event"]);
    s.fact(PartyEvent::Started);
    s.paired(1, &[pairing(1, 1, 1, Some(2)), pairing(2, 0, 3, None)]);
    s.server.checks(s.now);
    s.passes_in_party().happens(&["party_presence"]);
    // A late comer takes the place of the bye.
    s.enters(4, "Dan", DAN).paired(1, &[pairing(2, 2, 3, Some(4))]);
    s.asks_party(PartyIntent::Ready { pairing: 1 }).answers().happens(&["applied"]);
    s.opens(1, "BCDFG").happens(&["entered"]).shows("mine", r#"["o"]"#).shows("entering", "null");
    s.other_plays(0).plays(4).answers().other_plays(1).plays(2).answers().other_plays(3);
    // The late comer does not come.
    s.fact(decided(2, 3, DecidedBy::Forfeit));
    s.plays(6).answers();
    s.fact(decided(1, 2, DecidedBy::Game)).happens(&["party_event"]);
    s.fact(PartyEvent::Ranked { places: places(&[2, 3, 1, 4]) });
    s.server.party_passes(s.now, |presence| presence.next_ms = Some(5_000));
    s.hears();
    // The server pairs the last round, and the player is still in the room of the first.
    let last = [
        Pairing { stage: Some(Stage::Final), ..pairing(3, 1, 2, Some(3)) },
        Pairing { stage: Some(Stage::Third), ..pairing(4, 2, 1, Some(4)) },
    ];
    s.paired(2, &last);
    s.server.checks(s.now);
    s.passes_in_party().asks_party(PartyIntent::Ready { pairing: 3 }).answers();
    s.opens(3, "GHJKL").happens(&["entered"]).shows("mine", r#"["x"]"#);
    // Twice not there: the late comer has left.
    s.fact(decided(4, 1, DecidedBy::Forfeit));
    s.fact(PartyEvent::Left { entrant: 4, host: false });
    s.plays(0).answers().other_plays(4);
    // The connection breaks in the middle of the final.
    s.breaks();
    s.server.place(Cell(8), s.now).expect("a move");
    s.welcome().sends(&["9 join GHJKL spectator", "10 join_party"]).answers();
    s.other_plays(2).plays(6).answers().other_plays(3).plays(5).answers();
    s.other_plays(7).plays(1).answers();
    // The game is drawn, and played again with the other one beginning.
    s.opens(3, "MNPQR").happens(&["entered"]).shows("mine", r#"["o"]"#);
    s.other_plays(0).plays(4).answers().other_plays(1).plays(2).answers().other_plays(3);
    s.plays(6).answers().fact(decided(3, 2, DecidedBy::Game));
    s.fact(PartyEvent::Ended { places: places(&[2, 3, 1, 4]) });
    // After the podium one leaves the room and the party.
    s.asks_room(RoomIntent::Leave).answers().shows("room", "null");
    s.asks_party(PartyIntent::LeaveParty).answers().shows("party", "null");
    s
}

fn hosted() -> Story {
    let mut s = Story::new("a player makes a party, starts it, pauses it and lets it go on");
    let (name, settings) = ("Friday LAN".parse().expect("a name"), knockout());
    s.welcome().asks_lobby(LobbyIntent::CreateParty { name, settings, plays: true });
    s.shows("following", "true");
    // The answer is lost, and the same id leads to the same party.
    s.answers_unheard().breaks().welcome().sends(&["1 create_party"]).answers();
    s.happens(&["party"]).shows("following", "null");
    s.enters(2, "Ben Łoś", BEN).asks_party(PartyIntent::StartParty).answers();
    // There is nothing to be ready for.
    s.asks_party(PartyIntent::Ready { pairing: 1 }).happens(&["blocked"]);
    s.paired(1, &[pairing(1, 1, 2, Some(1))]);
    s.asks_party(PartyIntent::PauseParty { pause: true }).answers();
    s.asks_party(PartyIntent::PauseParty { pause: false }).answers();
    s.asks_party(PartyIntent::Skip { entrant: 2, skip: true }).answers();
    s.fact(PartyEvent::Left { entrant: 2, host: true });
    let decide = PartyIntent::Decide { pairing: 1, winner: Some(1), note: None };
    s.asks_party(decide).answers().fact(decided(1, 1, DecidedBy::Host));
    // A changed result takes back what was counted.
    s.fact(decided(1, 2, DecidedBy::Host));
    s.asks_party(PartyIntent::EndParty).answers();
    // After the end the places decide, whatever the points say.
    s.fact(PartyEvent::Ended { places: places(&[1, 2]) });
    s
}

fn late_entrant() -> Story {
    let mut s = Story::new("a player looks on, then plays, withdraws and comes back");
    s.server.host_party(knockout(), BEN);
    s.welcome().joins_party(PartyRole::Spectator).answers().happens(&["party"]);
    s.asks_party(PartyIntent::Withdraw).happens(&["blocked"]);
    s.asks_party(PartyIntent::StartParty).happens(&["blocked"]);
    s.joins_party(PartyRole::Player).shows("following", r#""NGHTS""#).answers();
    s.happens(&["party"]);
    s.asks_party(PartyIntent::Withdraw).answers();
    s.asks_party(PartyIntent::Withdraw).happens(&["blocked"]);
    s.joins_party(PartyRole::Player).answers();
    // The player is forgotten: somebody else has the number now.
    s.fact(PartyEvent::Joined { entrant: entrant(1, "Somebody", Some(CLEO)) });
    s
}

fn led_elsewhere() -> Story {
    let mut s = Story::new("a player who watches another room is led to the table of the own game");
    s.server.seat(noughts_protocol::Mark::X, super::server::human(BEN, "Ben Łoś"), s.now);
    let computer = noughts_protocol::Seat::Computer(noughts_protocol::Computer::default());
    s.server.seat(noughts_protocol::Mark::O, computer, s.now);
    s.gathered().joins(CODE, Role::Spectator).answers().shows("mine", "[]");
    s.fact(PartyEvent::Started).paired(1, &[pairing(1, 1, 1, Some(2))]);
    s.opens(1, "BCDFG").happens(&["entered"]).shows("mine", r#"["o"]"#);
    // To leave the room is not to leave the party.
    s.asks_room(RoomIntent::Leave).answers().shows("room", "null");
    s.fact(decided(1, 1, DecidedBy::Forfeit)).happens(&["party_event"]);
    s
}

fn not_led() -> Story {
    let mut s = Story::new("a room of a party that the player does not follow is none of theirs");
    s.begun();
    s.server.opens(1, "BCDFG", s.now);
    let led = s.server.told.pop().expect("the snapshot");
    s.hears().asks_party(PartyIntent::LeaveParty).answers();
    s.told(led.clone()).happens(&[]).shows("room", "null");
    // It is not the room that the player makes either.
    let (settings, seats) = (noughts_protocol::RoomSettings::default(), Default::default());
    s.asks_lobby(LobbyIntent::Create { settings, seats, shuffle: false });
    s.told(led).happens(&[]).shows("entering", "true");
    s
}

fn screen() -> Story {
    let mut s = Story::new("a big screen is told the boards, and forgets those of earlier rounds");
    s.server.host_party(knockout(), BEN);
    for (number, name, player) in [(1, "Ben Łoś", BEN), (2, "Cleo", CLEO), (3, "Dan", DAN)] {
        s.server.party_fact(PartyEvent::Joined { entrant: entrant(number, name, Some(player)) });
    }
    s.welcome().joins_party(PartyRole::Screen).answers().fact(PartyEvent::Started);
    s.paired(1, &[pairing(1, 1, 1, Some(2)), pairing(2, 0, 3, None)]).opens(1, "BCDFG");
    let board = |pairing, cells: &[u16]| TableBoard {
        pairing,
        game: 1,
        moves: cells.iter().map(|cell| Cell(*cell)).collect(),
        result: None,
    };
    s.server.shows_boards(vec![board(1, &[4])]);
    s.hears().happens(&["boards"]).shows("boards", "[[1,1,1]]");
    s.server.shows_boards(vec![board(1, &[4, 0, 8])]);
    s.hears().shows("boards", "[[1,1,3]]");
    // A board of a pairing that nobody knows is none.
    s.server.shows_boards(vec![board(9, &[4])]);
    s.hears().shows("boards", "[[1,1,3]]");
    s.fact(decided(1, 1, DecidedBy::Game)).fact(decided(2, 3, DecidedBy::Bye));
    s.shows("boards", "[[1,1,3]]");
    s.paired(2, &[Pairing { stage: Some(Stage::Final), ..pairing(3, 1, 1, Some(3)) }]);
    s.shows("boards", "[]");
    // The screen comes back as a screen.
    s.breaks().welcome().sends(&["2 join_party"]).answers().happens(&["party"]);
    s
}

fn winner_stays() -> Story {
    let mut s = Story::new("the winner stays on and the loser waits at the end of the queue");
    let settings = PartySettings { format: PartyFormat::WinnerStays, ..PartySettings::default() };
    s.server.host_party(settings, BEN);
    s.server.party_fact(PartyEvent::Joined { entrant: entrant(1, "Ben Łoś", Some(BEN)) });
    s.welcome().joins_party(PartyRole::Player).answers();
    s.enters(3, "Cleo", CLEO).enters(4, "Dan", DAN).fact(PartyEvent::Started);
    s.paired(1, &[pairing(1, 1, 1, Some(2))]).opens(1, "BCDFG");
    s.fact(PartyEvent::Left { entrant: 4, host: false });
    s.fact(decided(1, 1, DecidedBy::Game)).paired(1, &[pairing(2, 1, 3, Some(1))]);
    s.fact(PartyEvent::Returned { entrant: 4 });
    s.fact(decided(2, 3, DecidedBy::DrawOdds));
    let nobody = PairingOutcome { winner: None, how: DecidedBy::Forfeit, note: None };
    s.paired(1, &[pairing(3, 1, 2, Some(3))]);
    s.fact(PartyEvent::Decided { pairing: 3, outcome: nobody });
    // More pairings than are remembered.
    for number in 4..44 {
        s.paired(1, &[pairing(number, 1, 1, Some(4))]).fact(decided(number, 4, DecidedBy::Game));
    }
    s.paired(1, &[pairing(44, 1, 2, Some(3))]);
    s
}

fn refused_party() -> Story {
    let mut s = Story::new("a party that is not there cannot be followed");
    s.welcome().joins_party(PartyRole::Player).answers().happens(&["refused"]);
    s.shows("following", "null");
    s.asks_party(PartyIntent::LeaveParty).happens(&["blocked"]);
    // Another party is asked for in vain, and the first one stays.
    s.server.host_party(knockout(), BEN);
    s.joins_party(PartyRole::Player).answers();
    let party = "BBBBB".parse().expect("a code");
    s.asks_lobby(LobbyIntent::JoinParty { party, role: PartyRole::Player }).answers();
    s.happens(&["refused"]).shows("following", "null");
    s.asks_party(PartyIntent::StartParty).happens(&["blocked"]);
    s.enters(2, "Ben Łoś", BEN).fact(PartyEvent::Started).paired(1, &[pairing(1, 1, 1, Some(2))]);
    s.asks_party(PartyIntent::Ready { pairing: 1 }).refuses(RefusalCode::NotNow);
    s.happens(&["refused"]);
    // Only the own pairing can be played.
    s.asks_party(PartyIntent::Ready { pairing: 2 }).happens(&["blocked"]);
    s
}

fn impossible() -> Story {
    let mut s = Story::new("a party that cannot be is not shown");
    s.gathered().asks_party(PartyIntent::SyncParty).answers_unheard();
    let Some(ServerMessage::Party(mut snapshot)) = s.server.told.pop() else { panic!("a party") };
    snapshot.queue = vec![9];
    s.hears().told(ServerMessage::Party(snapshot.clone())).happens(&["impossible"]);
    (snapshot.queue, snapshot.entrants[0].number) = (Vec::new(), 7);
    s.told(ServerMessage::Party(snapshot)).happens(&["impossible"]);
    s.told(refused(Some(99.try_into().expect("an id")), RefusalCode::NotInParty)).happens(&[]);
    s
}
