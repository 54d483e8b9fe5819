//! A party that is over begins again.

use noughts_protocol::party::{PartyFormat, PartyPhase, PartySettings};
use noughts_protocol::{PartyIntent, RefusalCode};

use super::world::{HOST, World, settings};
use crate::party::rules::READY;

const AGAIN: PartyIntent = PartyIntent::Again { settings: None };

fn again(format: PartyFormat) -> PartyIntent {
    PartyIntent::Again { settings: Some(settings(format)) }
}

/// A party that so many people have played to its end. All of them are there.
fn over(settings: PartySettings, people: u64) -> World {
    let mut world = World::gather(settings, people);
    (1..=people).for_each(|player| world.come(player));
    world.host(PartyIntent::StartParty);
    world.play_on();
    world
}

fn names(world: &World) -> Vec<&str> {
    world.state().entrants.iter().map(|entrant| entrant.name.as_str()).collect()
}

#[test]
fn who_is_there_plays_again_and_the_others_do_not() {
    let mut world = World::gather(settings(PartyFormat::Swiss), 6);
    (1..=5).for_each(|player| world.come(player));
    world.host(PartyIntent::StartParty);
    world.play_on();
    assert_eq!(world.ask(2, AGAIN), Err(RefusalCode::NotHost));
    world.go(3);
    let before = world.state().last_pairing();
    world.host(again(PartyFormat::Knockout));
    assert_eq!(names(&world), ["Guest 1", "Guest 2", "Guest 4", "Guest 5"], "6 never came");
    assert_eq!(world.state().phase, PartyPhase::Gathering);
    assert!(world.state().entrants.iter().all(|entrant| entrant.points == 0));
    world.host(again(PartyFormat::Knockout));
    assert_eq!(world.ask(HOST, again(PartyFormat::Swiss)), Err(RefusalCode::NotNow));
    world.join(3).unwrap();
    world.ask(5, PartyIntent::Withdraw).unwrap();
    world.host(PartyIntent::StartParty);
    world.play_on();
    assert_eq!(world.state().played_before, before);
    assert_eq!(world.state().last_pairing(), before + 4, "a semi-final each, a final and a third");
    // An entrant who has left is not brought back.
    world.host(AGAIN);
    assert_eq!(names(&world), ["Guest 1", "Guest 2", "Guest 4"]);
}

#[test]
fn whom_the_host_keeps_out_stays_out_until_the_host_lets_them_in() {
    let stays = PartySettings { first_to: Some(1), ..settings(PartyFormat::WinnerStays) };
    let mut world = over(stays, 2);
    world.host(AGAIN);
    (3..=5).for_each(|player| {
        world.join(player).unwrap();
        world.come(player);
    });
    world.host(PartyIntent::StartParty);
    world.ask(3, PartyIntent::Withdraw).unwrap();
    world.host(PartyIntent::Skip { entrant: 4, skip: true });
    world.host(PartyIntent::Remove { entrant: 5, remove: true });
    world.host(PartyIntent::EndParty);
    world.host(AGAIN);
    world.restart();
    assert_eq!(names(&world), ["Guest 1", "Guest 2", "Guest 4", "Guest 5"]);
    assert_eq!(world.join(5), Err(RefusalCode::Banned));
    world.join(4).unwrap();
    assert!(world.state().entrant(3).unwrap().left, "only the host brings them back");
    world.come(HOST);
    world.host(PartyIntent::Remove { entrant: 4, remove: false });
    world.join(5).unwrap();
    assert!(!world.state().entrant(4).unwrap().left);
}

#[test]
fn who_was_set_aside_for_not_coming_plays_again_if_they_are_there() {
    let mut world = World::started(settings(PartyFormat::RoundRobin), 4);
    (1..=4).for_each(|player| world.come(player));
    while !world.state().entrant(4).unwrap().left {
        (1..=3).for_each(|entrant| world.ready(entrant));
        for (_, opening) in world.rooms.clone() {
            world.win(opening.x);
        }
        world.wait(READY);
    }
    world.host(PartyIntent::EndParty);
    world.restart();
    (1..=4).for_each(|player| world.come(player));
    world.host(AGAIN);
    assert_eq!(names(&world), ["Guest 1", "Guest 2", "Guest 3", "Guest 4"]);
    assert!(world.state().entrants.iter().all(|entrant| !entrant.left));
}

#[test]
fn more_than_a_format_takes_do_not_begin_it() {
    let mut world = over(settings(PartyFormat::Knockout), 13);
    assert_eq!(world.ask(HOST, again(PartyFormat::RoundRobin)), Err(RefusalCode::Full));
    world.host(again(PartyFormat::Swiss));
}
