//! Players who wait are paired in their order, and queues are bounded.

use std::net::{IpAddr, Ipv4Addr};

use super::*;

/// `ada`, or with a board, a variant or a move time in milliseconds: `ada 5x4x4 misere 30000`.
fn wish(text: &str) -> (QuickSettings, Requester) {
    let [name, wishes @ ..] = &text.split(' ').collect::<Vec<_>>()[..] else { unreachable!() };
    let board = wishes.iter().find_map(|word| word.parse().ok()).unwrap_or_default();
    let variant = wishes.iter().find_map(|word| word.parse().ok()).unwrap_or_default();
    let move_time_ms = wishes.iter().find_map(|word| word.parse().ok());
    let requester = Requester {
        player: PlayerId(u64::from(name.as_bytes()[0])),
        name: name.parse().unwrap(),
        address: IpAddr::V4(Ipv4Addr::LOCALHOST),
        id: 1.try_into().unwrap(),
    };
    (QuickSettings { board, variant, move_time_ms }, requester)
}

/// Puts players into the queue, in this order.
fn queue(waiting: &str) -> (Arc<Matchmaker>, Vec<MatchTicket>) {
    let matchmaker = Arc::new(Matchmaker::default());
    let wishes = waiting.split(", ").filter(|text| !text.is_empty()).map(wish);
    let tickets = wishes.map(|(wanted, requester)| Arc::clone(&matchmaker).wait(wanted, requester));
    let tickets = tickets.collect();
    (matchmaker, tickets)
}

/// The opponents that are found, one after the other.
fn opponents(matchmaker: &Matchmaker, requester: &str) -> String {
    let (wanted, requester) = wish(requester);
    let next = || matchmaker.take_opponent(wanted, requester.player);
    let names = std::iter::from_fn(next).map(|entry| entry.requester().name.to_string());
    names.collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn check(waiting: &str, requester: &str, expected: &str) {
    let (matchmaker, _tickets) = queue(waiting);
    assert_eq!(opponents(&matchmaker, requester), expected, "{waiting}: {requester}");
}

#[test]
fn players_who_want_the_same_game_are_paired_in_their_order() {
    check("", "dan", "");
    check("ada", "dan", "ada");
    check("ada, bob, cid", "dan", "ada, bob, cid");
    check("ada 5x4x4", "dan", "");
    check("ada 5x4x4, bob", "dan", "bob");
    check("ada 5x4x4, bob", "dan 5x4x4", "ada");
    check("ada misere, bob", "dan", "bob");
    check("ada misere, bob", "dan misere", "ada");
    check("ada 30000", "dan", "");
    check("ada 30000, bob 60000", "dan 60000", "bob");
}

#[test]
fn nobody_is_paired_with_themselves() {
    check("ada", "ada", "");
    check("ada, bob", "ada", "bob");
}

#[test]
fn a_player_waits_once_and_the_newer_wait_ends_the_earlier_one() {
    check("ada, ada", "bob", "ada");
    let (matchmaker, mut tickets) = queue("ada, bob, ada 5x4x4");
    assert_eq!(opponents(&matchmaker, "dan"), "bob");
    assert_eq!(opponents(&matchmaker, "dan 5x4x4"), "ada");
    let (matchmaker, mut others) = queue("ada, bob 5x4x4");
    matchmaker.end_waits(|_| true);
    assert_eq!((matchmaker.len(), matchmaker.queues.lock().waiting.len()), (0, 0));
    tickets.truncate(1);
    for mut ticket in tickets.drain(..).chain(others.drain(..)) {
        assert_eq!(ticket.found.try_recv(), Err(oneshot::error::TryRecvError::Closed));
    }
}

#[test]
fn who_gives_up_waits_no_longer() {
    let (matchmaker, mut tickets) = queue("ada, bob, cid, dan 5x4x4");
    assert_eq!(matchmaker.len(), 4);
    drop(tickets.remove(1));
    drop(tickets.pop());
    assert_eq!((matchmaker.len(), matchmaker.queues.lock().waiting.len()), (2, 1));
    assert_eq!(opponents(&matchmaker, "eve"), "ada, cid");
    assert!(matchmaker.queues.lock().waiting.is_empty(), "an empty queue is forgotten");
}

#[test]
fn an_opponent_who_was_taken_in_vain_comes_first_again_unless_they_have_gone() {
    let (matchmaker, mut tickets) = queue("ada, bob");
    let (wanted, eve) = wish("eve");
    let taken = matchmaker.take_opponent(wanted, eve.player).unwrap();
    matchmaker.put_back(wanted, taken);
    let taken = matchmaker.take_opponent(wanted, eve.player).unwrap();
    assert_eq!(taken.requester().name.to_string(), "ada");
    drop(tickets.remove(0));
    matchmaker.put_back(wanted, taken);
    assert_eq!(opponents(&matchmaker, "eve"), "bob");
}

#[test]
fn the_first_who_waits_for_a_game_is_sent_to_another_node_where_somebody_does() {
    let (matchmaker, mut tickets) = queue("ada, bob 5x4x4, cid");
    let peer = Peer { id: noughts_cluster::NodeId(1), address: "http://one/".to_owned() };
    matchmaker.send_to(wish("eve").0, &peer);
    let found = tickets.iter_mut().map(|ticket| ticket.found.try_recv().ok());
    assert_eq!(found.collect::<Vec<_>>(), [Some(Match::At(peer)), None, None]);
    assert_eq!(matchmaker.queues(9).len(), 2);
}

#[test]
fn a_room_is_handed_over_unless_the_opponent_has_gone() {
    let (matchmaker, mut tickets) = queue("ada, bob");
    let (wanted, eve) = wish("eve");
    let next = || matchmaker.take_opponent(wanted, eve.player).unwrap();
    let ada = next();
    let bob = next();
    let room = RoomCode::from_number(7);
    drop(tickets.remove(0));
    let hand_over = |entry: QueueEntry| entry.found.send(Match::Room(room)).is_ok();
    assert!(!hand_over(ada) && hand_over(bob));
    assert_eq!(tickets[0].found.try_recv(), Ok(Match::Room(room)));
}

#[test]
fn a_host_sees_who_waits_and_for_which_board() {
    let (matchmaker, tickets) = queue("ada, bob 5x4x4 30000, cleo");
    let boards = || {
        let boards = matchmaker.waiting().into_iter();
        let mut boards: Vec<_> =
            boards.map(|(id, game)| format!("{} {}", id.0, game.board)).collect();
        boards.sort_unstable();
        boards.join(", ")
    };
    assert_eq!(boards(), "97 3x3x3, 98 5x4x4, 99 3x3x3");
    drop(tickets);
    assert_eq!(boards(), "");
}
