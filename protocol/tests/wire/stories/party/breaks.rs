//! Breaks and gaps while a party is followed.

use super::*;

pub(super) fn stories() -> Vec<Story> {
    vec![
        led_after_a_break(),
        asked_in_a_break(),
        left_in_a_break(),
        room_left_in_a_break(),
        answer_lost(),
        gone_before_it_was_there(),
        gone(),
        unreadable(),
        together(),
        gaps(),
        left_in_a_gap(),
        busy_in_a_gap(),
        forgotten(),
        somebody_new(),
        heartbeats(),
    ]
}

fn led_after_a_break() -> Story {
    let mut s = Story::new("the game begins in a break, and the player is led to it after that");
    s.begun().asks_party(PartyIntent::Ready { pairing: 1 }).answers().breaks();
    s.server.opens(1, "BCDFG", s.now);
    s.welcome().sends(&["3 join_party"]).answers().shows("room", "null");
    s.server.leads(s.now);
    s.hears().happens(&["entered"]).shows("mine", r#"["o"]"#);
    s
}

fn asked_in_a_break() -> Story {
    let mut s = Story::new("what is asked of the party in a break is sent after the return");
    s.begun().breaks().asks_party(PartyIntent::Ready { pairing: 1 });
    s.welcome().sends(&["3 join_party", "2 ready NGHTS"]).answers();
    s.shows("unanswered", "[]");
    s.opens(1, "BCDFG").plays(4).happens(&["blocked"]);
    // The room first: the server leads the player out of another one.
    s.other_plays(0).plays(4).breaks().asks_party(PartyIntent::Withdraw);
    s.welcome();
    s.sends(&["6 join BCDFG spectator", "4 play 4", "7 join_party", "5 withdraw NGHTS"]);
    s.answers().shows("unanswered", "[]");
    s
}

fn left_in_a_break() -> Story {
    let mut s = Story::new("a player withdraws and leaves in a break, and is believed after it");
    s.begun().breaks().asks_party(PartyIntent::Withdraw).asks_party(PartyIntent::LeaveParty);
    s.shows("party", "null");
    s.welcome().sends(&["4 join_party", "2 withdraw NGHTS", "3 leave_party NGHTS"]).answers();
    s.shows("party", "null").shows("unanswered", "[]");
    s
}

fn room_left_in_a_break() -> Story {
    let mut s = Story::new("a party's room that is left in a break is not entered again");
    s.begun().opens(1, "BCDFG").breaks().asks_room(RoomIntent::Leave).shows("room", "null");
    s.welcome().sends(&["3 join BCDFG spectator", "2 leave BCDFG", "4 join_party"]).answers();
    s.shows("room", "null").shows("unanswered", "[]");
    s
}

fn gone_before_it_was_there() -> Story {
    let mut s = Story::new("the party goes between its answer and its snapshot");
    s.server.host_party(knockout(), BEN);
    s.welcome().joins_party(PartyRole::Player).answers_unheard();
    s.server.told.truncate(1);
    s.hears().shows("following", r#""NGHTS""#).breaks();
    s.server.party = None;
    s.welcome().sends(&["2 join_party"]).answers().happens(&["refused"]);
    s.shows("following", "null");
    s
}

fn answer_lost() -> Story {
    let mut s = Story::new("the answers of the party are lost in a break");
    s.gathered().breaks().welcome().sends(&["2 join_party"]).answers_unheard().breaks();
    s.welcome().sends(&["3 join_party"]).answers().happens(&["party"]);
    // The `ok` of another role came, and its snapshot did not.
    s.joins_party(PartyRole::Spectator).answers_unheard();
    s.server.told.truncate(1);
    s.hears().shows("following", r#""NGHTS""#).breaks();
    s.welcome().sends(&["5 join_party", "6 join_party"]).answers();
    s.shows("following", "null").shows("unanswered", "[]");
    s
}

fn gone() -> Story {
    let mut s = Story::new("the party has gone in a break");
    s.gathered().breaks();
    s.server.party = None;
    s.welcome().sends(&["2 join_party"]).answers().happens(&["party_lost"]).shows("party", "null");
    s
}

fn unreadable() -> Story {
    let mut s = Story::new("a party that cannot be read just now is asked for again");
    s.gathered().breaks().welcome().sends(&["2 join_party"]);
    s.refuses(RefusalCode::NotStored).happens(&["unreadable"]);
    s.server.party.as_mut().expect("a party").followed = false;
    s.pong().sends(&["3 join_party"]).answers().happens(&["party"]);
    s
}

fn together() -> Story {
    let mut s = Story::new("facts of the party that are told together are applied in order");
    s.gathered();
    let first = PartyEvent::Paired { round: 1, pairings: vec![pairing(1, 1, 1, Some(2))] };
    s.facts(vec![PartyEvent::Started, first]).happens(&["party_event", "party_event"]);
    // One of two is known already, so they are not the next ones.
    let party = PARTY.parse().expect("a code");
    let v = s.server.party.as_ref().expect("a party").state.v + 1;
    let events = vec![PartyEvent::Paused { paused: true }; 2];
    s.told(ServerMessage::PartyEvents { party, v, events }).happens(&[]);
    s.sends(&["2 sync_party NGHTS"]).answers().happens(&["party"]);
    // The first of two can follow, and the second cannot.
    let away = PartyEvent::Left { entrant: 9, host: false };
    let events = vec![PartyEvent::Paused { paused: true }, away];
    s.told(ServerMessage::PartyEvents { party, v: v + 1, events }).happens(&["party_event"]);
    s.sends(&["3 sync_party NGHTS"]).answers().happens(&["party"]);
    s
}

fn gaps() -> Story {
    let mut s = Story::new("a fact of the party is missed, and the party is asked for again");
    s.gathered();
    s.server.party_fact(PartyEvent::Started);
    s.misses().paired(1, &[pairing(1, 1, 1, Some(2))]).sends(&["2 sync_party NGHTS"]);
    // One question is enough.
    s.fact(PartyEvent::Paused { paused: true }).happens(&[]);
    s.answers().happens(&["party"]);
    // A fact that the snapshot has overtaken is nothing, and one that cannot follow is a gap.
    let party = PARTY.parse().expect("a code");
    let old = PartyEvent::Paused { paused: false };
    s.told(ServerMessage::PartyEvents { party, v: 2, events: vec![old] }).happens(&[]);
    let v = s.server.party.as_ref().expect("a party").state.v + 1;
    let events = vec![PartyEvent::Left { entrant: 9, host: false }];
    s.told(ServerMessage::PartyEvents { party, v, events })
        .sends(&["3 sync_party NGHTS"])
        .answers();
    // Another party's facts are nothing.
    let other = "BBBBB".parse().expect("a code");
    let events = vec![PartyEvent::Started];
    s.told(ServerMessage::PartyEvents { party: other, v, events }).happens(&[]);
    // The server says that it is not followed.
    s.server.party.as_mut().expect("a party").followed = false;
    s.asks_party(PartyIntent::SyncParty).answers().sends(&["5 join_party"]).answers();
    s.happens(&["party"]);
    s
}

fn left_in_a_gap() -> Story {
    let mut s = Story::new("a player leaves the party while its snapshot is on its way");
    s.gathered();
    s.server.party_fact(PartyEvent::Started);
    s.misses().pong().sends(&["2 sync_party NGHTS"]).answers_unheard();
    s.asks_party(PartyIntent::LeaveParty).shows("unanswered", "[3]");
    s.hears().happens(&[]).shows("party", "null").answers().shows("unanswered", "[]");
    s
}

fn busy_in_a_gap() -> Story {
    let mut s = Story::new("a question for the party's snapshot does not count against the player");
    s.gathered();
    s.server.party_fact(PartyEvent::Started);
    s.misses().pong().sends(&["2 sync_party NGHTS"]);
    for _ in 0..noughts_protocol::MAX_UNANSWERED {
        s.asks_party(PartyIntent::Withdraw).happens(&[]);
    }
    s.asks_party(PartyIntent::Withdraw).happens(&["busy"]);
    s
}

fn forgotten() -> Story {
    let mut s = Story::new("a player is forgotten, and follows no party then");
    s.gathered().asks_lobby(LobbyIntent::Forget).answers().happens(&["forgotten"]);
    s.shows("party", "null");
    s
}

fn somebody_new() -> Story {
    let mut s = Story::new("another device has the player forgotten, who is no entrant then");
    s.gathered().breaks();
    s.player = DAN;
    s.welcome().sends(&["2 join_party"]);
    s.asks_party(PartyIntent::Withdraw).happens(&["blocked"]);
    s
}

fn heartbeats() -> Story {
    let mut s = Story::new("a heartbeat shows that the party has gone on, or is not followed");
    s.gathered().pong().sends(&[]);
    s.server.party_fact(PartyEvent::Started);
    s.misses().pong().sends(&["2 sync_party NGHTS"]).pong().sends(&[]);
    s.answers().happens(&["party"]);
    s.server.party.as_mut().expect("a party").followed = false;
    s.pong().sends(&["3 join_party"]).answers().happens(&["party"]);
    // The `ok` came, and the snapshot did not.
    s.joins_party(PartyRole::Spectator).answers_unheard();
    s.server.told.truncate(1);
    s.hears().pong().sends(&["5 sync_party NGHTS"]).answers().shows("following", "null");
    s
}
