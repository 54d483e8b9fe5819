//! Tests of the choice between servers found on the LAN.

use noughts_client::address::{Link, ServerAddress};
use noughts_protocol::DisplayText;

use super::{Decision, ProbeAnswer, decide, is_same, several_servers};
use crate::net::servers::{KnownServer, Origin};

fn server(text: &str) -> ServerAddress {
    text.parse::<Link>().unwrap().server
}

fn known(text: &str) -> KnownServer {
    KnownServer::new(server(text), Origin::Network)
}

fn answers(list: &[(&str, bool)]) -> Vec<(KnownServer, ProbeAnswer)> {
    let answer = |(text, has_room): &(&str, bool)| {
        // A server with a password does not tell.
        let has_room = Some(*has_room).filter(|_| !text.starts_with("closed"));
        (known(text), ProbeAnswer { name: DisplayText::from("Noughts"), has_room })
    };
    list.iter().map(answer).collect()
}

#[test]
fn one_is_used_and_several_are_chosen_from() {
    let choose = |list: &[&str]| Decision::Choose(list.iter().map(|text| known(text)).collect());
    assert_eq!(decide(answers(&[]), None), Decision::Default);
    assert_eq!(decide(answers(&[("one", false)]), None), Decision::Use(known("one")));
    let two = answers(&[("one", false), ("two", false)]);
    assert_eq!(decide(two, None), choose(&["one", "two"]));
}

#[test]
fn a_code_leads_to_the_one_that_has_the_room() {
    let room = Some("KQRZX".parse().unwrap());
    let check = |list, expected| assert_eq!(decide(answers(list), room), expected);
    check(&[], Decision::Default);
    check(&[("one", false), ("two", true)], Decision::Use(known("two")));
    check(&[("one", false)], Decision::Use(known("one")));
    check(&[("closed", false), ("two", true)], Decision::Use(known("two")));
    check(&[("closed", false), ("two", false)], Decision::Use(known("closed")));
    check(&[("one", false), ("two", false)], Decision::NoRoom(vec![known("one"), known("two")]));
    check(
        &[("one", true), ("two", false), ("three", true)],
        Decision::Choose(vec![known("one"), known("three")]),
    );
}

#[test]
fn this_machine_by_two_names_is_one_server() {
    let ours = ["192.168.1.20".to_owned(), "[2001:db8::20]".to_owned()];
    let check = |one, other, same| assert_eq!(is_same(&server(one), &server(other), &ours), same);
    check("localhost", "192.168.1.20", true);
    check("localhost", "[2001:db8::20]", true);
    check("localhost", "192.168.1.21", false);
    check("localhost:8000", "192.168.1.20", false);
    check("192.168.1.21", "192.168.1.21:7333", true);
}

#[test]
fn what_a_server_calls_itself_cannot_move_the_cursor() {
    let mut evil = known("192.168.1.9");
    evil.name = Some(DisplayText::from("\u{1b}[2JParty\u{202e}"));
    evil.waiting = Some(2);
    let line = several_servers(&[evil]);
    assert!(line.contains("Party") && line.contains("2 rooms waiting"), "{line:?}");
    assert!(!line.contains('\u{1b}') && !line.contains('\u{202e}'), "{line:?}");
}
