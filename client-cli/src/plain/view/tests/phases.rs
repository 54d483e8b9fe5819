//! The commands of each phase of a room, and the texts of a break.

use super::*;

#[test]
fn a_break_is_told_once_and_so_is_its_end() {
    let mut driver = ViewDriver::in_room(snapshot("3x3x3", &[]), false);
    for reason in ["the connection was closed", "nothing listens there", "nothing listens there"] {
        driver.feed(ConnectionEvent::Lost(reason.into()));
    }
    let told = "The connection broke (the connection was closed): reconnecting...\n";
    assert_eq!(driver.view.console.take_text(), told);
    driver.feed(welcome());
    assert_eq!(driver.view.console.take_text(), "Connected again.\n");
    driver.feed(ConnectionEvent::Lost("again".into()));
    assert!(driver.view.console.take_text().contains("(again)"), "a second break is another one");
}

#[test]
fn after_a_rematch_that_is_taken_back_a_script_goes_on() {
    let mut driver = ViewDriver::in_room(snapshot("3x3x3", &[0, 3, 1, 4, 2]), true);
    driver.type_line("rematch");
    let offer = driver.sent().remove(0);
    driver.feed(presence(offered(Some(Mark::X))));
    driver.feed(applied(&offer));
    driver.type_line("5");
    assert!(driver.sent().is_empty() && !driver.view.wants_line(), "a game may begin");
    driver.feed(presence(offered(None)));
    let text = driver.view.console.take_text();
    assert!(text.contains("this game is over"), "{text}");
}

#[test]
fn a_command_out_of_turn_in_an_opening_is_explained() {
    let choosing = OpeningPhase::Choosing { by: Mark::X, may_add: false };
    let mut driver = ViewDriver::in_room(opening(choosing, &[112, 113, 150, 151, 7]), true);
    assert_eq!(driver.type_line("h9"), "choose a side first\n");
    assert!(driver.type_line("choose add").contains("choose x or o"));
    let placing = OpeningPhase::Placing { by: Mark::X, until_ply: 3 };
    let mut driver = ViewDriver::in_room(opening(placing, &[112]), true);
    assert!(driver.type_line("choose x").contains("nothing for you to choose"));
    assert!(driver.sent().is_empty());
}

#[test]
fn a_line_of_talk_is_read_once_and_an_older_one_says_so() {
    use crate::fixture::ME;
    use crate::tui::app::tests::talk::{chat, line};

    let mut driver = ViewDriver::in_room(snapshot("3x3x3", &[]), false);
    let heard = |driver: &mut ViewDriver, lines| {
        driver.feed(chat(lines));
        driver.view.console.take_text()
    };
    assert_eq!(heard(&mut driver, vec![line(1, OTHER, "hi")]), "Bob says: hi\n");
    driver.type_line("mute Bob");
    assert_eq!(heard(&mut driver, vec![line(3, ME, "ho")]), "You say: ho\n");
    driver.type_line("unmute Bob");
    let kept = vec![line(1, OTHER, "hi"), line(2, OTHER, "hm")];
    assert_eq!(heard(&mut driver, kept), "Earlier: Bob says: hm\n");
    let eve = vec![line(4, noughts_protocol::PlayerId(9), "nice")];
    assert_eq!(heard(&mut driver, eve), "Eve (watching) says: nice\n");
}
