//! Tests of the leader when the host is away, comes back or is forgotten.

use std::time::Duration;

use noughts_protocol::party::PartyFormat;
use noughts_protocol::{PartyEvent, PartyIntent, PlayerId, RefusalCode};

use super::world::{HOST, World, settings};
use crate::party::rules::SUCCESSION;

const SECOND: Duration = Duration::from_secs(1);

/// So many entrants, all of whom are there.
fn gathered(people: u64) -> World {
    let mut world = World::gather(settings(PartyFormat::Swiss), people);
    (1..=people).for_each(|player| world.come(player));
    world
}

fn leader(world: &World) -> Option<u64> {
    world.state().leading_player().map(|player| player.0)
}

#[test]
fn the_first_who_is_there_leads_after_two_minutes_until_the_host_is_back() {
    let mut world = gathered(4);
    world.go(2);
    world.go(HOST);
    world.wait(SUCCESSION - SECOND);
    assert_eq!(leader(&world), Some(HOST));
    // A second device that comes and goes changes nothing.
    world.come(3);
    world.go(3);
    world.wait(SECOND);
    assert_eq!(leader(&world), Some(3));
    assert_eq!(world.ask(HOST, PartyIntent::StartParty), Err(RefusalCode::NotHost));
    assert_eq!(world.ask(2, PartyIntent::StartParty), Err(RefusalCode::NotHost));
    world.ask(3, PartyIntent::StartParty).unwrap();
    // An entrant who came in before the leader changes nothing, the host does.
    world.come(2);
    assert_eq!(leader(&world), Some(3));
    world.come(HOST);
    assert_eq!(leader(&world), Some(HOST));
    assert_eq!(world.ask(3, PartyIntent::EndParty), Err(RefusalCode::NotHost));
    world.host(PartyIntent::PauseParty { pause: true, clocks: false });
}

#[test]
fn a_leader_who_goes_is_followed_by_the_next_one_and_a_short_absence_by_nobody() {
    let mut world = gathered(3);
    for (gone, next) in [(HOST, 2), (2, 3)] {
        world.go(gone);
        world.wait(SUCCESSION);
        assert_eq!(leader(&world), Some(next));
    }
    let facts = world.facts.len();
    world.go(3);
    world.come(2);
    world.wait(SUCCESSION - SECOND);
    world.come(3);
    world.wait(SUCCESSION);
    assert_eq!((leader(&world), world.facts.len()), (Some(3), facts));
}

#[test]
fn who_comes_first_leads_a_party_in_which_nobody_was() {
    let mut world = gathered(3);
    (1..=3).for_each(|player| world.go(player));
    world.rules.connect(world.now, PlayerId(2), noughts_protocol::PartyRole::Screen);
    world.wait(SUCCESSION * 2);
    // Only the end of a forgotten party is due.
    assert!(world.rules.due().is_some_and(|due| due > world.now + SUCCESSION * 2));
    assert_eq!(leader(&world), Some(HOST), "a big screen is nobody");
    world.come(9);
    assert_eq!(leader(&world), Some(HOST), "somebody who looks on leads nobody");
    world.come(3);
    assert_eq!(leader(&world), Some(3));
}

#[test]
fn a_host_who_looks_on_is_followed_by_the_first_entrant() {
    let mut world = World::gather(settings(PartyFormat::Knockout), 0);
    world.come(HOST);
    for player in [7, 5, 6] {
        world.join(player).unwrap();
        world.come(player);
    }
    world.ask(7, PartyIntent::Withdraw).unwrap();
    world.go(HOST);
    world.wait(SUCCESSION);
    assert_eq!(leader(&world), Some(5), "who has left does not lead");
}

#[test]
fn a_restart_begins_the_two_minutes_anew() {
    let mut world = gathered(3);
    world.go(HOST);
    world.wait(SUCCESSION - SECOND);
    world.restart();
    (2..=3).for_each(|player| world.come(player));
    world.wait(SUCCESSION - SECOND);
    assert_eq!(leader(&world), Some(HOST));
    world.wait(SECOND);
    assert_eq!(leader(&world), Some(2));
    world.restart();
    assert_eq!(leader(&world), Some(2), "it is a fact");
}

#[test]
fn after_the_end_only_the_host_takes_the_lead() {
    let mut world = gathered(3);
    world.go(HOST);
    world.wait(SUCCESSION);
    world.ask(2, PartyIntent::EndParty).unwrap();
    world.go(2);
    world.wait(SUCCESSION * 2);
    assert_eq!(leader(&world), Some(2));
    world.come(HOST);
    assert_eq!(leader(&world), Some(HOST));
}

/// A player is forgotten, as the party's task does it.
fn forget(world: &mut World, player: u64) {
    let decided = world.rules.forget(PlayerId(player));
    world.commit(decided);
    while world.is_there(player) {
        world.go(player);
    }
    world.settle();
}

#[test]
fn a_forgotten_host_is_named_no_more_and_the_next_one_leads_at_once() {
    let mut world = gathered(3);
    forget(&mut world, HOST);
    assert_eq!((world.state().host, leader(&world)), (PlayerId::NOBODY, Some(2)));
    world.come(HOST);
    assert_eq!(world.ask(HOST, PartyIntent::StartParty), Err(RefusalCode::NotHost));
    // So is a leader in the host's place. Nobody is left then who could lead.
    world.go(3);
    forget(&mut world, 2);
    assert_eq!(leader(&world), None);
    world.come(3);
    assert_eq!(leader(&world), Some(3));
    world.restart();
    assert_eq!((world.state().host, leader(&world)), (PlayerId::NOBODY, Some(3)));
}

#[test]
fn a_host_is_forgotten_who_only_looked_on_or_was_away() {
    let mut world = World::gather(settings(PartyFormat::Knockout), 0);
    world.join(4).unwrap();
    world.come(4);
    forget(&mut world, HOST);
    let led = PartyEvent::Led { entrant: Some(1), forgotten: true };
    assert_eq!(world.facts.last(), Some(&led));
    let mut world = gathered(3);
    world.go(HOST);
    world.wait(SUCCESSION);
    world.come(3);
    forget(&mut world, HOST);
    assert_eq!((world.state().host, leader(&world)), (PlayerId::NOBODY, Some(2)));
}
