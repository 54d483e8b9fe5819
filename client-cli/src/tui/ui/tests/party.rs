//! The party's screens at three sizes of the terminal.

use noughts_protocol::{PartyEvent, PartyPhase, Place};

use super::*;
use crate::fixture::party::{at_table, gathering, outcome, paired, party_event, table_code};
use crate::fixture::shown;
use crate::tui::app::tests::party::in_party;

/// The sizes at which every screen has what matters.
const SIZES: [(u16, u16); 3] = [(60, 20), (80, 24), (120, 40)];

fn places(entrants: &[u16]) -> Vec<Place> {
    let place = |(place, entrant): (u16, &u16)| Place { place, entrant: *entrant, tiebreak: 0 };
    (1..).zip(entrants).map(place).collect()
}

#[test]
fn people_come_in_with_the_code_and_the_link() {
    for (width, height) in SIZES {
        let mut driver = in_party(gathering());
        let shown = screen(&mut driver, width, height);
        let parts = ["Friday LAN: knockout", "Code B C D F G", "http://host:7333/party/BCDFG"];
        check_has(&shown, &parts);
        check_has(&shown, &["1  Ada  (you, host)", "4  Dan", "s start"]);
        check_has(&shown, &["d drop out", "m menu", "? help"]);
        assert_eq!(shown.contains('▀'), width >= 80, "the QR code:\n{shown}");
    }
    let mut driver = in_party(gathering());
    no_colors(&mut driver);
    assert!(screen(&mut driver, 80, 24).is_ascii());
}

#[test]
fn a_round_is_told_by_tables_standings_and_rounds() {
    for (width, height) in SIZES {
        let mut driver = in_party(paired());
        let shown = screen(&mut driver, width, height);
        check_has(&shown, &["You play Bob at table 1. Are you ready? 0:15", "Enter ready"]);
        check_has(&shown, &["d drop out", "q leave", "m menu", "? help"]);
        check_has(&shown, &["[Tables]", "1  Ada (you) - Bob: waits for Ada", "waits for both"]);
        driver.press(KeyCode::Right);
        check_has(
            &screen(&mut driver, width, height),
            &["[Standings]", "     Ada    0  0-0-0  (you, host)"],
        );
        driver.press(KeyCode::Right);
        check_has(&screen(&mut driver, width, height), &["[Rounds]", "  Round 1"]);
    }
}

#[test]
fn a_room_says_that_it_is_a_table_and_how_to_go_back() {
    for (width, height) in SIZES {
        let mut driver = in_party(paired());
        driver
            .feed(party_event(11, PartyEvent::Opened { pairing: 1, game: 1, room: table_code(1) }));
        let mut room = at_table(&[]);
        room.settings.board = "10x10x5".parse().unwrap();
        room.settings.move_time_ms = Some(20_000);
        room.game = snapshot("10x10x5", &[]).game;
        driver.feed(shown(room));
        let shown_room = screen(&mut driver, width, height);
        let table =
            if width < 80 { " semi-finals, table 1 " } else { "party, semi-finals, table 1" };
        check_has(&shown_room, &[table, "10x10, 5 in a row, 0:20 a move"]);
        check_has(&shown_room, &["t talk", "q party", "m menu", "? help"]);
        driver.feed(shown(at_table(&[0, 3, 1, 4, 2])));
        let over = screen(&mut driver, width, height);
        check_has(&over, &["You win!", "Enter: back to the party"]);
        assert!(!over.contains("rematch") && !over.contains("plays again"), "{over}");
        // A drawn game is played again with the other one beginning.
        driver.feed(shown(at_table(&[0, 1, 2, 4, 3, 5, 7, 6, 8])));
        check_has(&screen(&mut driver, width, height), &["Played again"]);
        driver.feed(party_event(12, PartyEvent::Ended { places: Vec::new() }));
        assert!(!screen(&mut driver, width, height).contains("Played again"));
    }
}

#[test]
fn the_end_has_a_podium() {
    for (width, height) in SIZES {
        let mut driver = in_party(paired());
        driver.feed(party_event(11, PartyEvent::Decided { pairing: 1, outcome: outcome(Some(1)) }));
        driver.feed(party_event(12, PartyEvent::Ended { places: places(&[1, 3, 2, 4]) }));
        let shown = screen(&mut driver, width, height);
        check_has(&shown, &["The party is over. You are first!", "Ada is 1st.", "Eve is 2nd."]);
        check_has(&shown, &["[Standings]", "1. Ada", "4. Dan"]);
        assert_eq!(driver.app.shell.session.party().unwrap().state.phase, PartyPhase::Over);
    }
}

#[test]
fn a_party_that_ended_before_a_game_did_has_no_places() {
    let mut driver = in_party(paired());
    driver.feed(party_event(11, PartyEvent::Ended { places: Vec::new() }));
    let shown = screen(&mut driver, 80, 24);
    check_has(&shown, &["No game was over before, so nobody has a place.", "3  Eve"]);
    assert!(!shown.contains("1st") && !shown.contains("1."), "{shown}");
}

#[test]
fn a_party_of_two_hundred_scrolls() {
    let entrant = |number| crate::fixture::party::entrant(number, &format!("Player {number}"));
    let mut many = gathering();
    many.state.entrants = (1..=200).map(entrant).collect();
    let mut driver = in_party(many);
    screen(&mut driver, 60, 20);
    for _ in 0..199 {
        driver.press(KeyCode::Down);
    }
    check_has(&screen(&mut driver, 60, 20), &["> 200  Player 200", "Code B C D F G"]);
}
