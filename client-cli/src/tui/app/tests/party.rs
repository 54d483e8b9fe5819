//! A party on the full screen: the way to a table and back, and what its host does.

use noughts_protocol::party::DecidedBy;
use noughts_protocol::{
    Entrant, PairingOutcome, PartyEvent, PartyIntent, PartyPresence, PartyRole, PartySnapshot,
};

use super::*;
use crate::fixture::party::{
    at_table, entrant, gathering, led_by_other, other_table, outcome, paired, party, party_code,
    party_event, party_presence, place_pass, table_code,
};

/// An app that follows the party of a snapshot.
pub(crate) fn in_party(snapshot: PartySnapshot) -> AppDriver {
    let mut driver = AppDriver::start("noughts party join BCDFG --server host");
    let sent = driver.feed(welcome());
    let ClientMessage::Lobby { intent: LobbyIntent::JoinParty { party: code, role }, .. } =
        super::sent(&sent)
    else {
        panic!("{sent:?}")
    };
    assert_eq!((*code, *role), (party_code(), PartyRole::Player));
    driver.feed(party(snapshot));
    assert!(matches!(driver.app.screen, Screen::Party));
    driver
}

fn opened(v: u64) -> ConnectionEvent {
    party_event(v, PartyEvent::Opened { pairing: 1, game: 1, room: table_code(1) })
}

/// The intents that the keys send to the party.
#[track_caller]
fn sent_to_party(effects: &[Effect]) -> &PartyIntent {
    let ClientMessage::Party { intent, party, .. } = super::sent(effects) else {
        panic!("{effects:?}")
    };
    assert_eq!(*party, party_code());
    intent
}

#[test]
fn a_player_is_ready_is_led_to_the_table_and_comes_back() {
    let mut driver = in_party(led_by_other(paired()));
    let effects = driver.press(KeyCode::Enter);
    assert_eq!(sent_to_party(&effects), &PartyIntent::Ready { pairing: 1 });
    driver.feed(opened(11));
    driver.feed(shown(at_table(&[])));
    assert!(matches!(driver.app.screen, Screen::Room));
    // Esc shows the party; the seat is kept, and Enter on the own table leads back.
    assert_eq!(driver.press(KeyCode::Esc), []);
    assert!(matches!(driver.app.screen, Screen::Party));
    assert_eq!(driver.press(KeyCode::Enter), []);
    assert!(matches!(driver.app.screen, Screen::Room));
    driver.feed_all(moves(&at_table(&[]), &[0, 3, 1, 4, 2]));
    assert!(driver.app.key_bar().text().starts_with("Enter the party | "));
    assert!(!driver.app.key_bar().text().contains("rematch"));
    assert_eq!(driver.press(KeyCode::Enter), []);
    assert!(matches!(driver.app.screen, Screen::Party));
    driver.feed(party_event(12, PartyEvent::Decided { pairing: 1, outcome: outcome(Some(1)) }));
    assert_eq!(driver.message(), "You beat Bob.");
}

/// Catches a review that outlives its room and keeps the news of the party.
#[test]
fn the_party_tells_its_news_after_a_room_closed_under_its_review() {
    let mut driver = in_party(led_by_other(paired()));
    driver.feed(opened(11));
    driver.feed(shown(at_table(&[])));
    driver.feed_all(moves(&at_table(&[]), &[0, 3, 1, 4, 2]));
    driver.app.room.review_ply = Some(4);
    let v = driver.app.shell.session.room().unwrap().state.v + 1;
    let event = Event::Closed { reason: CloseReason::Idle };
    driver.feed(from_server(ServerMessage::Event { room: table_code(1), v, event }));
    driver.feed(party_event(12, PartyEvent::Decided { pairing: 1, outcome: outcome(Some(1)) }));
    assert_eq!(driver.message(), "You beat Bob.");
}

#[test]
fn another_table_is_watched_until_the_own_one_calls() {
    let before = PartySnapshot { presence: PartyPresence::default(), ..paired() };
    let mut driver = in_party(led_by_other(before));
    driver.app.shell.watched = Watched::No;
    driver.feed(party_event(11, PartyEvent::Opened { pairing: 2, game: 1, room: table_code(2) }));
    driver.feed(party_presence(PartyPresence::default()));
    driver.press(KeyCode::Down);
    let effects = driver.press(KeyCode::Enter);
    let join = LobbyIntent::Join { room: table_code(2), role: Role::Spectator };
    assert_eq!(sent_to_lobby(&effects), &join);
    driver.feed(shown(other_table()));
    assert!(matches!(driver.app.screen, Screen::Room));
    let effects = driver.feed(party_presence(paired().presence));
    assert!(matches!(&effects[..], [Effect::Call(_)]), "{effects:?}");
    // A second presence does not call again.
    assert_eq!(driver.feed(party_presence(paired().presence)), []);
    let effects = driver.press(KeyCode::Enter);
    assert_eq!(sent_to_party(&effects), &PartyIntent::Ready { pairing: 1 });
    driver.feed(shown(at_table(&[])));
    assert_eq!(driver.app.shell.session.room().unwrap().mine, [Mark::X]);
}

#[test]
fn a_spectator_leaves_the_room_and_stays_in_the_party() {
    let mut driver = in_party(led_by_other(paired()));
    driver.feed(shown(other_table()));
    let effects = driver.press(KeyCode::Esc);
    assert_eq!(sent_to_room(&effects), &RoomIntent::Leave);
    assert!(
        matches!(driver.app.screen, Screen::Party) && driver.app.shell.session.party().is_some()
    );
}

#[test]
fn the_host_starts_pauses_sets_aside_and_ends() {
    let mut driver = in_party(gathering());
    driver.type_text("s");
    assert_eq!(sent_to_party(&driver.type_text("y")), &PartyIntent::StartParty);
    driver.press(KeyCode::Down);
    let skip = PartyIntent::Skip { entrant: 2, skip: true };
    assert_eq!(sent_to_party(&driver.type_text("x")), &skip);
    driver.feed(party_event(11, PartyEvent::Started));
    let pause = |pause| PartyIntent::PauseParty { pause, clocks: false };
    assert_eq!(sent_to_party(&driver.type_text("p")), &pause(true));
    driver.feed(party_event(12, PartyEvent::Paused { paused: true, clocks: false }));
    assert_eq!(sent_to_party(&driver.type_text("p")), &pause(false));
    driver.type_text("E");
    assert_eq!(sent_to_party(&driver.type_text("y")), &PartyIntent::EndParty);
    driver.feed(party_event(13, PartyEvent::Ended { places: Vec::new() }));
    driver.type_text("s");
    let again = PartyIntent::Again { settings: None };
    assert_eq!(sent_to_party(&driver.type_text("y")), &again);
}

#[test]
fn the_host_renames_and_gives_a_place_to_another_device() {
    let mut driver = in_party(gathering());
    driver.press(KeyCode::Down);
    driver.type_text("n");
    driver.type_text("Bea");
    let rename = PartyIntent::Rename { entrant: 2, name: "Bea".parse().unwrap() };
    assert_eq!(sent_to_party(&driver.press(KeyCode::Enter)), &rename);
    assert_eq!(sent_to_party(&driver.type_text("g")), &PartyIntent::PlacePass { entrant: 2 });
    let link = "http://host:7333/party/BCDFG#place=2.abc";
    assert_eq!(driver.feed(place_pass(2, "2.abc")), [Effect::Copy(link.to_owned())]);
    assert!(driver.app.party.pass(&driver.app.shell).is_some());
    // The player who used the pass has the same name and another id.
    let entrant = Entrant { fixed_name: true, ..entrant(2, "Bob") };
    driver.feed(party_event(11, PartyEvent::Joined { entrant }));
    assert_eq!(driver.message(), "Number 2 is Bob now.");
    assert!(driver.app.party.pass(&driver.app.shell).is_none());
    driver.feed(place_pass(2, "2.def"));
    driver.press(KeyCode::Esc);
    assert!(matches!(driver.app.screen, Screen::Party) && driver.app.overlay.is_none());
    assert!(
        driver.app.party.pass(&driver.app.shell).is_none(),
        "Esc takes the pass off the screen first"
    );
    // A guest has no such keys.
    let mut driver = in_party(led_by_other(gathering()));
    driver.type_text("n");
    assert_eq!(driver.message(), "the host renames somebody who is selected");
    assert!(!driver.app.key_bar().text().contains("give place"));
}

#[test]
fn a_link_to_a_place_takes_it() {
    let line = "noughts party join http://host/party/BCDFG#place=2.abc";
    let mut driver = AppDriver::start(line);
    let sent = driver.feed(welcome());
    let join = LobbyIntent::JoinParty { party: party_code(), role: PartyRole::Spectator };
    assert_eq!(sent_to_lobby(&sent), &join);
    let effects = driver.feed(party(led_by_other(gathering())));
    let take = PartyIntent::TakePlace { pass: "2.abc".parse().unwrap() };
    assert_eq!(sent_to_party(&effects), &take);
    assert_eq!(driver.feed(party(led_by_other(gathering()))), [], "once");
}

#[test]
fn the_host_sets_a_result_with_a_note() {
    let mut driver = in_party(paired());
    driver.press(KeyCode::Down);
    driver.type_text("c");
    driver.type_text("2");
    driver.type_text("They agreed");
    let effects = driver.press(KeyCode::Enter);
    let note = Some("They agreed".parse().unwrap());
    let decide = PartyIntent::Decide { pairing: 2, winner: Some(4), note };
    assert_eq!(sent_to_party(&effects), &decide);
    assert_eq!(driver.app.shell.selected(), 1, "the game stays selected");
    let outcome = PairingOutcome {
        winner: Some(4),
        how: DecidedBy::Host,
        note: Some("They agreed".parse().unwrap()),
    };
    driver.feed(party_event(11, PartyEvent::Decided { pairing: 2, outcome }));
    assert_eq!(driver.message(), "Dan wins: the host decided (They agreed).");
}

#[test]
fn a_ready_check_is_answered_beside_a_question() {
    let mut driver = in_party(paired());
    for key in ["E", "c"] {
        driver.type_text(key);
        let window = driver.app.window().unwrap().lines.join(" ");
        assert!(window.contains("Are you ready? 0:") && window.contains("Enter ready"), "{window}");
        let effects = driver.press(KeyCode::Enter);
        assert_eq!(sent_to_party(&effects), &PartyIntent::Ready { pairing: 1 });
        driver.press(KeyCode::Esc);
    }
    driver.feed(party_presence(PartyPresence::default()));
    driver.type_text("E");
    assert!(!driver.app.key_bar().text().contains("Enter"));
}

#[test]
fn who_is_set_aside_is_not_offered_to_play_again() {
    let offers = |driver: &AppDriver| driver.app.key_bar().text().contains("play again");
    let mut driver = in_party(led_by_other(paired()));
    driver.feed(party_event(11, PartyEvent::Left { entrant: 1, host: true, removed: false }));
    assert!(!offers(&driver));
    driver.type_text("a");
    assert_eq!(driver.message(), "only the host can let you play");
    driver.feed(party_event(12, PartyEvent::Returned { entrant: 1 }));
    // Somebody who left comes back by themselves.
    driver.feed(party_event(13, PartyEvent::Left { entrant: 1, host: false, removed: false }));
    assert!(offers(&driver));
    let join = LobbyIntent::JoinParty { party: party_code(), role: PartyRole::Player };
    assert_eq!(sent_to_lobby(&driver.type_text("a")), &join);
    // A terminal that came later does not know who was set aside, until the answer shows it.
    let mut aside = led_by_other(paired());
    aside.state.entrants[0].left = true;
    driver.feed(party(aside));
    assert_eq!(driver.message(), "only the host can bring you back");
    assert!(!offers(&driver));
    driver.feed(party(led_by_other(paired())));
    driver.feed(party_event(11, PartyEvent::Left { entrant: 1, host: false, removed: false }));
    assert!(offers(&driver));
}

#[test]
fn a_wish_to_play_ends_with_its_refusal() {
    let mut driver = in_party(led_by_other(paired()));
    driver.feed(party_event(11, PartyEvent::Left { entrant: 1, host: false, removed: false }));
    let asked = driver.type_text("a");
    driver.feed(refused(super::sent(&asked), RefusalCode::RateLimited, "too fast"));
    let mut left = led_by_other(paired());
    left.state.entrants[0].left = true;
    driver.feed(party(left));
    assert_eq!(driver.message(), "too fast", "it is not the answer to an old wish");
}

#[test]
fn a_party_that_was_left_leaves_nothing_to_the_next() {
    let mut driver = in_party(gathering());
    driver.feed(place_pass(2, "2.abc"));
    assert!(driver.app.party.pass(&driver.app.shell).is_some());
    driver.app.party.left();
    assert!(driver.app.party.pass(&driver.app.shell).is_none());
}

#[test]
fn nothing_is_played_after_the_end() {
    let mut over = paired();
    over.state.pairings[0].room = Some(table_code(1));
    let mut driver = in_party(over.clone());
    driver.feed(party_presence(PartyPresence::default()));
    assert!(driver.app.key_bar().text().starts_with("Enter play"));
    over.state.phase = noughts_protocol::PartyPhase::Over;
    let mut driver = in_party(over);
    driver.feed(party_presence(PartyPresence::default()));
    assert!(!driver.app.key_bar().text().contains("Enter"), "{}", driver.app.key_bar().text());
    assert_eq!(driver.press(KeyCode::Enter), []);
}

#[test]
fn who_plays_is_asked_before_they_leave() {
    let mut driver = in_party(led_by_other(gathering()));
    driver.type_text("s");
    assert_eq!(driver.message(), "the host starts the party");
    driver.press(KeyCode::Esc);
    assert_eq!(driver.app.overlay, Some(Overlay::Question(Question::LeaveParty)));
    assert_eq!(driver.app.shell.client.profile.saved.room, Some(party_code().0));
    let left = driver.type_text("y");
    assert_eq!(sent_to_party(&left), &PartyIntent::LeaveParty);
    driver.feed(applied(super::sent(&left)));
    assert_eq!(driver.app.shell.client.profile.saved.room, None);
    assert!(
        matches!(driver.app.screen, Screen::Menu) && driver.app.shell.session.party().is_none()
    );
}

#[test]
fn a_partys_code_leads_to_the_party() {
    let mut driver = AppDriver::start("noughts play BCDFG --server host");
    let effects = driver.feed(welcome());
    let join = super::sent(&effects).clone();
    let effects = driver.feed(refused(&join, RefusalCode::PartyCode, "that is a party"));
    let party = LobbyIntent::JoinParty { party: party_code(), role: PartyRole::Player };
    assert_eq!(sent_to_lobby(&effects), &party);
}
