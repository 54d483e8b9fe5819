//! A program in a party: it is ready, plays where it is led, and leaves if it fails.

use noughts_protocol::{
    Cell, ClientMessage, CloseReason, Entrant, Event, Mark, PartyPresence, PartySnapshot,
    PartyTable, Place, PlayerId, ReadyCheck, RoomIntent, Score,
};

use super::super::*;
use super::{feed, view};
use crate::fixture::party::{
    entrant, gathering, led_by_other, outcome, pairing, party, party_code, party_event,
    party_presence,
};
use crate::fixture::{ME, OTHER, applied, code, refused, resigned, shown, snapshot, welcome};

/// A party on this board that Bob leads, before this player, Ada, comes in.
fn office(board: &str) -> PartySnapshot {
    let mut party = led_by_other(gathering());
    party.state.settings.board = board.parse().unwrap();
    party.state.entrants = vec![person(1, "Bob", OTHER)];
    party
}

fn person(number: u16, name: &str, player: PlayerId) -> Entrant {
    Entrant { player: Some(player), ..entrant(number, name) }
}

/// The same party with this player in it.
fn joined(board: &str) -> PartySnapshot {
    let mut joined = office(board);
    joined.state.entrants.push(person(2, "Ada", ME));
    joined
}

fn follows(role: PartyRole) -> impl Fn(&ClientMessage) -> bool {
    move |message| {
        let join = LobbyIntent::JoinParty { party: party_code(), role };
        matches!(message, ClientMessage::Lobby { intent, .. } if *intent == join)
    }
}

/// A program that has typed the code of a party and sees it.
fn looking(snapshot: PartySnapshot) -> (BotView, Vec<ClientMessage>) {
    let mut bot = view();
    bot.room = party_code().0;
    let join = feed(&mut bot, welcome()).remove(0);
    let sent = feed(&mut bot, refused(&join, RefusalCode::PartyCode, "a party"));
    let [look] = &sent[..] else { panic!("{sent:?}") };
    assert!(follows(PartyRole::Spectator)(look));
    feed(&mut bot, applied(look));
    let sent = feed(&mut bot, party(snapshot));
    (bot, sent)
}

/// A program that plays in a party.
fn playing() -> BotView {
    let (mut bot, sent) = looking(office("15x15x5"));
    let [join] = &sent[..] else { panic!("{sent:?}") };
    assert!(follows(PartyRole::Player)(join));
    feed(&mut bot, applied(join));
    feed(&mut bot, party(joined("15x15x5")));
    assert_eq!((bot.request(), bot.exit()), (EngineRequest::Wait, None));
    bot
}

fn event(bot: &mut BotView, v: u64, event: PartyEvent) -> Vec<ClientMessage> {
    feed(bot, party_event(v, event))
}

fn presence(bot: &mut BotView, ready: &[u16], checked: bool) {
    let checks = checked.then_some(ReadyCheck { pairing: 1, ms_left: 20_000 });
    let presence = PartyPresence {
        ready: ready.to_vec(),
        checks: checks.into_iter().collect(),
        ..PartyPresence::default()
    };
    feed(bot, party_presence(presence));
}

/// The program's next word that nobody asked for.
fn said(bot: &mut BotView) -> Vec<ClientMessage> {
    assert_eq!(bot.request(), EngineRequest::Wait);
    bot.console.take_messages()
}

/// The party has begun, and this player meets Bob.
fn paired() -> BotView {
    let mut bot = playing();
    event(&mut bot, 11, PartyEvent::Started);
    event(&mut bot, 12, PartyEvent::Paired { round: 1, pairings: vec![pairing(1, 2, 1)] });
    bot
}

#[test]
fn a_party_that_it_cannot_play_is_not_joined() {
    let (bot, sent) = looking(office("3x3x3"));
    let [leave] = &sent[..] else { panic!("{sent:?}") };
    assert!(matches!(leave, ClientMessage::Party { intent: PartyIntent::LeaveParty, .. }));
    let mut bot = bot;
    feed(&mut bot, applied(leave));
    assert!(matches!(bot.exit(), Some(Exit::Refused(why)) if why.contains("this party plays")));
}

#[test]
fn a_party_that_takes_nobody_in_is_left() {
    let (mut bot, sent) = looking(office("15x15x5"));
    feed(&mut bot, applied(&sent[0]));
    let sent = feed(&mut bot, party(office("15x15x5")));
    feed(&mut bot, applied(&sent[0]));
    assert!(matches!(bot.exit(), Some(Exit::Refused(why)) if why.contains("takes nobody in")));
}

#[test]
fn it_is_ready_whenever_it_is_asked() {
    let mut bot = paired();
    assert_eq!(said(&mut bot), [], "no check runs");
    presence(&mut bot, &[], true);
    let ready = said(&mut bot);
    let [ClientMessage::Party { intent: PartyIntent::Ready { pairing: 1 }, .. }] = &ready[..]
    else {
        panic!("{ready:?}")
    };
    presence(&mut bot, &[1], true);
    assert_eq!(said(&mut bot), [], "it has said so a moment ago");
    feed(&mut bot, applied(&ready[0]));
    bot.console.now += READY_AGAIN;
    assert_eq!(said(&mut bot), [], "that was heard");
    // After a restart of the server the check begins again.
    presence(&mut bot, &[], true);
    assert_eq!(said(&mut bot).len(), 1);
}

#[test]
fn it_plays_where_it_is_led_and_offers_no_rematch() {
    let mut bot = paired();
    event(&mut bot, 13, PartyEvent::Opened { pairing: 1, game: 1, room: code() });
    let mut room = snapshot("15x15x5", &[]);
    room.settings.party = Some(PartyTable { party: party_code(), pairing: 1, table: 1, game: 1 });
    feed(&mut bot, shown(room));
    assert!(matches!(bot.request(), EngineRequest::Ask(..)));
    bot.engine(Outcome::Played(Cell(112), None));
    let sent = bot.console.take_messages();
    assert!(matches!(
        sent[..],
        [ClientMessage::Room { intent: RoomIntent::Play { cell: Cell(112), .. }, .. }]
    ));
    feed(&mut bot, applied(&sent[0]));
    feed(&mut bot, resigned(11, 1, Mark::X, Score::default()));
    assert_eq!(said(&mut bot), []);
    let closed = Event::Closed { reason: CloseReason::Left };
    feed(&mut bot, crate::fixture::event(12, closed));
    assert_eq!((said(&mut bot), bot.exit()), (Vec::new(), None), "the party goes on");
}

#[test]
fn it_ends_with_the_podium() {
    let mut bot = paired();
    event(&mut bot, 13, PartyEvent::Decided { pairing: 1, outcome: outcome(Some(2)) });
    let place = |place, entrant| Place { place, entrant, tiebreak: 0 };
    event(&mut bot, 14, PartyEvent::Ended { places: vec![place(1, 2), place(2, 1)] });
    bot.console.take_text();
    let leave = said(&mut bot);
    assert!(bot.console.take_text().contains("Ada is 1st."));
    feed(&mut bot, applied(&leave[0]));
    assert_eq!(bot.exit(), Some(Exit::Done));
}

#[test]
fn a_program_that_failed_plays_no_more() {
    let mut bot = paired();
    bot.engine(Outcome::Failed("it ended".to_owned()));
    let intent = |message| match message {
        ClientMessage::Party { intent, .. } => intent,
        other => panic!("{other:?}"),
    };
    let intents: Vec<_> = bot.console.take_messages().into_iter().map(intent).collect();
    assert_eq!(intents, [PartyIntent::Withdraw, PartyIntent::LeaveParty]);
}
