//! A program in a party: it is ready, plays where it is led, and leaves if it fails.

use noughts_protocol::{
    Cell, ClientMessage, DecidedBy, Entrant, Pairing, PairingOutcome, PartyPresence, PartySettings,
    PartySnapshot, PartyTable, Place, ReadyCheck, RoomIntent, ServerMessage,
};

use super::*;
use crate::bot::view::tests::{view, feed};
use crate::bot::view::{EngineRequest, Outcome};
use crate::session::ConnectionEvent;
use crate::fixture::{ME, OTHER, applied, code, refused, shown, snapshot, welcome};

fn told(message: ServerMessage) -> ConnectionEvent {
    ConnectionEvent::Message(Box::new(message))
}

fn entrant(number: u16, name: &str, player: noughts_protocol::PlayerId) -> Entrant {
    Entrant {
        number,
        name: name.parse().unwrap(),
        player: Some(player),
        fixed_name: false,
        computer: None,
        left: false,
        points: 0,
        wins: 0,
        draws: 0,
        losses: 0,
    }
}

/// A party on this board that Bob leads, before this player comes in.
fn party(board: &str) -> PartySnapshot {
    PartySnapshot {
        party: PartyCode(code()),
        v: 10,
        name: "Office".parse().unwrap(),
        settings: PartySettings { board: board.parse().unwrap(), ..PartySettings::default() },
        host: OTHER,
        leader: None,
        phase: PartyPhase::Gathering,
        paused: false,
        entrants: vec![entrant(1, "Bob", OTHER)],
        round: 0,
        pairings: Vec::new(),
        past: Vec::new(),
        queue: Vec::new(),
        places: Vec::new(),
        presence: PartyPresence::default(),
    }
}

/// The same party with this player in it.
fn joined(board: &str) -> PartySnapshot {
    let mut joined = party(board);
    joined.entrants.push(entrant(2, "Ada", ME));
    joined
}

fn follows(role: PartyRole) -> impl Fn(&ClientMessage) -> bool {
    move |message| {
        let join = LobbyIntent::JoinParty { party: PartyCode(code()), role };
        matches!(message, ClientMessage::Lobby { intent, .. } if *intent == join)
    }
}

/// A program that has typed the code of a party and sees it.
fn looking(snapshot: PartySnapshot) -> (BotView, Vec<ClientMessage>) {
    let mut bot = view();
    let join = feed(&mut bot, welcome()).remove(0);
    let sent = feed(&mut bot, refused(&join, RefusalCode::PartyCode, "a party"));
    let [look] = &sent[..] else { panic!("{sent:?}") };
    assert!(follows(PartyRole::Spectator)(look));
    feed(&mut bot, applied(look));
    let sent = feed(&mut bot, told(ServerMessage::Party(snapshot)));
    (bot, sent)
}

/// A program that plays in a party.
fn playing() -> BotView {
    let (mut bot, sent) = looking(party("15x15x5"));
    let [join] = &sent[..] else { panic!("{sent:?}") };
    assert!(follows(PartyRole::Player)(join));
    feed(&mut bot, applied(join));
    feed(&mut bot, told(ServerMessage::Party(joined("15x15x5"))));
    assert_eq!((bot.request(), bot.exit()), (EngineRequest::Wait, None));
    bot
}

fn event(bot: &mut BotView, v: u64, event: PartyEvent) -> Vec<ClientMessage> {
    feed(bot, told(ServerMessage::PartyEvents { party: PartyCode(code()), v, events: vec![event] }))
}

fn presence(bot: &mut BotView, ready: &[u16], checked: bool) {
    let checks = checked.then_some(ReadyCheck { pairing: 1, ms_left: 20_000 });
    let presence = PartyPresence {
        ready: ready.to_vec(),
        checks: checks.into_iter().collect(),
        ..PartyPresence::default()
    };
    feed(bot, told(ServerMessage::PartyPresence { party: PartyCode(code()), presence }));
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
    let pairing = Pairing {
        number: 1,
        table: 1,
        first: 2,
        second: Some(1),
        stage: None,
        game: 0,
        room: None,
        outcome: None,
    };
    event(&mut bot, 12, PartyEvent::Paired { round: 1, pairings: vec![pairing] });
    bot
}

#[test]
fn a_party_that_it_cannot_play_is_not_joined() {
    let (bot, sent) = looking(party("3x3x3"));
    let [leave] = &sent[..] else { panic!("{sent:?}") };
    assert!(matches!(leave, ClientMessage::Party { intent: PartyIntent::LeaveParty, .. }));
    let mut bot = bot;
    feed(&mut bot, applied(leave));
    assert!(matches!(bot.exit(), Some(Exit::Refused(why)) if why.contains("this party plays")));
}

#[test]
fn a_party_that_takes_nobody_in_is_left() {
    let (mut bot, sent) = looking(party("15x15x5"));
    feed(&mut bot, applied(&sent[0]));
    let sent = feed(&mut bot, told(ServerMessage::Party(party("15x15x5"))));
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
    room.settings.party =
        Some(PartyTable { party: PartyCode(code()), pairing: 1, table: 1, game: 1 });
    feed(&mut bot, shown(room));
    assert!(matches!(bot.request(), EngineRequest::Ask(..)));
    bot.engine(Outcome::Played(Cell(112)));
    let sent = bot.console.take_messages();
    assert!(matches!(
        sent[..],
        [ClientMessage::Room { intent: RoomIntent::Play { cell: Cell(112), .. }, .. }]
    ));
    feed(&mut bot, applied(&sent[0]));
    let result = noughts_protocol::GameResult::Resignation { winner: noughts_protocol::Mark::X };
    let score = noughts_protocol::Score::default().with(&result);
    let end = noughts_protocol::GameEnd { score, result, id: None };
    let over = noughts_protocol::Event::GameOver { game: 1, end };
    feed(&mut bot, crate::fixture::event(11, over));
    assert_eq!(said(&mut bot), []);
    let closed = noughts_protocol::Event::Closed { reason: noughts_protocol::CloseReason::Left };
    feed(&mut bot, crate::fixture::event(12, closed));
    assert_eq!((said(&mut bot), bot.exit()), (Vec::new(), None), "the party goes on");
}

#[test]
fn it_ends_with_the_podium() {
    let mut bot = paired();
    let outcome = PairingOutcome { winner: Some(2), how: DecidedBy::Game, note: None };
    event(&mut bot, 13, PartyEvent::Decided { pairing: 1, outcome });
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
    let sent = bot.console.take_messages();
    let intents: Vec<_> = sent
        .iter()
        .map(|message| match message {
            ClientMessage::Party { intent, .. } => intent.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(intents, [PartyIntent::Withdraw, PartyIntent::LeaveParty]);
}
