//! The host renames and removes people, and gives the place of an entrant to another player.

use std::time::Duration;

use noughts_protocol::party::{PartyFormat, PartyRole, PartySettings};
use noughts_protocol::{
    Computer, DecidedBy, PASS_MS, PartyIntent, PassCode, PlayerId, RefusalCode,
};

use super::world::{HOST, World, settings};
use crate::party::rules::PAUSE;

fn rename(entrant: u16, name: &str) -> PartyIntent {
    PartyIntent::Rename { entrant, name: name.parse().unwrap() }
}

#[track_caller]
fn pass(world: &mut World, entrant: u16) -> PassCode {
    world.host(PartyIntent::PlacePass { entrant });
    world.pass.clone().unwrap()
}

fn take(world: &mut World, player: u64, pass: &PassCode) -> Result<(), RefusalCode> {
    world.ask(player, PartyIntent::TakePlace { pass: pass.clone() })
}

fn player_of(world: &World, entrant: u16) -> Option<u64> {
    world.state().entrant(entrant).unwrap().player.map(|player| player.0)
}

fn name_of(world: &World, entrant: u16) -> &str {
    world.state().entrant(entrant).unwrap().name.as_str()
}

/// The name stays when the player comes again with their own, and after a restart.
#[test]
fn the_host_renames_an_entrant_for_good() {
    let mut world = World::gather(settings(PartyFormat::Swiss), 4);
    world.host(rename(2, "Bea"));
    assert_eq!(name_of(&world, 2), "Bea");
    world.join(2).unwrap();
    world.restart();
    world.join(2).unwrap();
    assert_eq!(name_of(&world, 2), "Bea");
    // It is unique like any other.
    world.host(rename(3, "Bea"));
    assert_eq!(name_of(&world, 3), "Bea (2)");
    // A repeat is no fact.
    let v = world.state().v;
    world.host(rename(3, "Bea"));
    assert_eq!(world.state().v, v);
    assert_eq!(world.ask(2, rename(3, "Eve")), Err(RefusalCode::NotHost));
    assert_eq!(world.ask(HOST, rename(5, "Eve")), Err(RefusalCode::NoSuchPlayer));
}

/// Fails if the changes of the host are counted as those of the player, who then cannot come back.
#[test]
fn a_host_who_renames_often_keeps_nobody_out() {
    let mut world = World::gather(settings(PartyFormat::Swiss), 4);
    for number in 0..40 {
        world.host(rename(2, &format!("Bea {number}")));
    }
    world.ask(2, PartyIntent::Withdraw).unwrap();
    world.join(2).unwrap();
    assert!(!world.state().entrant(2).unwrap().left);
}

#[test]
fn who_is_removed_before_the_start_frees_the_place_and_looks_on() {
    let mut world = World::gather(settings(PartyFormat::RoundRobin), 12);
    world.host(PartyIntent::Skip { entrant: 5, skip: true });
    world.join(13).unwrap();
    assert_eq!(player_of(&world, 5), Some(13));
    world.ask(6, PartyIntent::Withdraw).unwrap();
    world.restart();
    // There is a free place, for everybody else.
    world.join(5).unwrap();
    assert!(world.state().entrant_of(PlayerId(5)).is_none(), "the host has removed them");
    world.join(14).unwrap();
    assert_eq!(player_of(&world, 6), Some(14));
    // A player who has left by themselves may come in again.
    world.ask(7, PartyIntent::Withdraw).unwrap();
    world.join(6).unwrap();
    assert_eq!(player_of(&world, 7), Some(6));
}

/// The entrant keeps number, name, points and the running game; the old player looks on.
#[test]
fn a_pass_gives_the_place_to_another_player() {
    let mut world = World::started(settings(PartyFormat::Swiss), 6);
    world.play_round();
    world.wait(PAUSE);
    world.all_ready();
    let before = world.state().entrant(2).unwrap().clone();
    let rooms = world.rooms.clone();
    let pass = pass(&mut world, 2);
    take(&mut world, 20, &pass).unwrap();
    let after = world.state().entrant(2).unwrap().clone();
    assert_eq!(after.player, Some(PlayerId(20)));
    assert_eq!((&after.name, after.points, after.left), (&before.name, before.points, false));
    assert_eq!(world.rooms, rooms, "the game goes on");
    // Late comers may play in a Swiss, but not who gave the place away.
    world.join_as(2, "Ada", PartyRole::Player).unwrap();
    world.restart();
    world.join_as(2, "Ada", PartyRole::Player).unwrap();
    assert!(world.state().entrant_of(PlayerId(2)).is_none());
    // The name stays though the new player has another one.
    world.join(20).unwrap();
    assert_eq!(name_of(&world, 2), before.name.as_str());
    world.win(2);
    assert_eq!(world.state().entrant(2).unwrap().points, before.points + 2);
}

#[test]
fn a_pass_is_good_once_for_two_minutes_and_until_the_next() {
    let mut world = World::gather(settings(PartyFormat::Swiss), 4);
    let first = pass(&mut world, 2);
    let second = pass(&mut world, 2);
    assert_eq!(take(&mut world, 20, &first), Err(RefusalCode::BadPass), "there is a newer one");
    take(&mut world, 20, &second).unwrap();
    assert_eq!(take(&mut world, 21, &second), Err(RefusalCode::BadPass), "it was used");
    assert_eq!(take(&mut world, 20, &second), Ok(()), "a repeat after a break");
    assert_eq!(player_of(&world, 2), Some(20));
    let third = pass(&mut world, 3);
    world.wait(Duration::from_millis(PASS_MS.into()));
    assert_eq!(take(&mut world, 21, &third), Err(RefusalCode::BadPass), "it has expired");
    for wrong in ["x", "3", "3.", ".1", "3.x", "4.1"] {
        let taken = take(&mut world, 21, &wrong.parse().unwrap());
        assert_eq!(taken, Err(RefusalCode::BadPass), "{wrong}");
    }
}

#[test]
fn only_the_host_gives_places_and_none_of_a_computer() {
    let fill = Some(Computer::default());
    let mut world = World::started(PartySettings { fill, ..settings(PartyFormat::Knockout) }, 3);
    let ask =
        |world: &mut World, player, entrant| world.ask(player, PartyIntent::PlacePass { entrant });
    assert_eq!(ask(&mut world, 2, 2), Err(RefusalCode::NotHost));
    assert_eq!(ask(&mut world, HOST, 4), Err(RefusalCode::NotNow), "it is a computer");
    assert_eq!(ask(&mut world, HOST, 9), Err(RefusalCode::NoSuchPlayer));
    let unused = pass(&mut world, 2);
    world.host(PartyIntent::EndParty);
    assert_eq!(take(&mut world, 20, &unused), Err(RefusalCode::NotNow));
    assert_eq!(ask(&mut world, HOST, 2), Err(RefusalCode::NotNow));
}

/// Somebody who lost the storage has come in a second time.
#[test]
fn who_plays_already_gives_up_the_second_place() {
    let mut world = World::started(settings(PartyFormat::Swiss), 4);
    world.join_as(20, "Guest 2", PartyRole::Player).unwrap();
    assert_eq!(name_of(&world, 5), "Guest 2 (2)");
    world.play_round();
    world.wait(PAUSE);
    world.all_ready();
    let opponent = world.state().open_pairing_of(5).unwrap().opponent_of(5);
    let pass = pass(&mut world, 2);
    take(&mut world, 20, &pass).unwrap();
    assert_eq!((player_of(&world, 2), player_of(&world, 5)), (Some(20), None));
    let second = world.state().entrant(5).unwrap();
    // The name would outlast a player who asks to be forgotten.
    assert_eq!((second.left, second.name.as_str()), (true, "Somebody"));
    if opponent.is_some_and(|opponent| opponent != 2) {
        assert_eq!(world.outcome(5), (opponent, DecidedBy::Forfeit));
    }
    // There is nobody to bring back.
    let back = PartyIntent::Skip { entrant: 5, skip: false };
    assert_eq!(world.ask(HOST, back), Err(RefusalCode::NotNow));
    // A repeat by who has the place is granted.
    world.host(PartyIntent::PlacePass { entrant: 2 });
    let again = world.pass.clone().unwrap();
    let v = world.state().v;
    take(&mut world, 20, &again).unwrap();
    assert_eq!(world.state().v, v);
}

/// Also the place of somebody who was removed, or has missed two ready checks.
#[test]
fn the_place_of_who_has_left_is_given_and_plays_again() {
    let mut world = World::started(settings(PartyFormat::Swiss), 6);
    world.host(PartyIntent::Skip { entrant: 3, skip: true });
    let third = pass(&mut world, 3);
    take(&mut world, 20, &third).unwrap();
    assert!(!world.state().entrant(3).unwrap().left);
    world.join(3).unwrap();
    assert!(world.state().entrant_of(PlayerId(3)).is_none(), "the removed player looks on");
    world.restart();
    // A removed player comes back by a pass of the host.
    let fourth = pass(&mut world, 4);
    take(&mut world, 3, &fourth).unwrap();
    world.ask(3, PartyIntent::Withdraw).unwrap();
    world.join(3).unwrap();
    assert!(!world.state().entrant(4).unwrap().left);
}

fn remove(entrant: u16, remove: bool) -> PartyIntent {
    PartyIntent::Remove { entrant, remove }
}

/// The pairing is lost as by leaving, and a restart lets nobody in.
#[test]
fn who_is_removed_is_kept_out_until_the_host_lets_them_in() {
    let mut world = World::started(settings(PartyFormat::Swiss), 4);
    world.all_ready();
    let opponent = world.state().open_pairing_of(2).unwrap().opponent_of(2);
    world.host(remove(2, true));
    assert_eq!(world.outcome(2), (opponent, DecidedBy::Forfeit));
    assert_eq!((player_of(&world, 2), name_of(&world, 2)), (None, "Guest 2"));
    world.restart();
    for role in [PartyRole::Player, PartyRole::Spectator, PartyRole::Screen] {
        assert_eq!(world.join_as(2, "Eve", role), Err(RefusalCode::Banned));
    }
    let v = world.state().v;
    world.host(remove(2, true));
    assert_eq!(world.state().v, v, "a repeat is no fact");
    // The place is free: it is theirs again, once they come.
    world.host(remove(2, false));
    world.join(2).unwrap();
    assert_eq!((player_of(&world, 2), world.state().entrant(2).unwrap().left), (Some(2), false));
}

#[test]
fn the_place_of_who_was_removed_is_given_to_somebody_else() {
    let mut world = World::started(settings(PartyFormat::Swiss), 4);
    world.host(remove(2, true));
    let second = pass(&mut world, 2);
    take(&mut world, 20, &second).unwrap();
    let entrant = world.state().entrant(2).unwrap();
    assert_eq!((entrant.player, entrant.left), (Some(PlayerId(20)), false));
    assert_eq!(world.join(2), Err(RefusalCode::Banned));
    world.host(remove(2, false));
    world.join(2).unwrap();
    assert_eq!(player_of(&world, 2), Some(20));
    assert_eq!(world.state().entrant_of(PlayerId(2)).unwrap().number, 5, "a late comer");
}

#[test]
fn the_place_of_who_was_removed_before_the_start_is_free() {
    let mut world = World::gather(settings(PartyFormat::RoundRobin), 12);
    world.host(remove(5, true));
    world.join(13).unwrap();
    assert_eq!(player_of(&world, 5), Some(13));
    assert_eq!(world.join(5), Err(RefusalCode::Banned));
}

#[test]
fn the_host_removes_people_and_neither_computers_nor_themselves() {
    let fill = Some(Computer::default());
    let mut world = World::started(PartySettings { fill, ..settings(PartyFormat::Knockout) }, 3);
    assert_eq!(world.ask(HOST, remove(1, true)), Err(RefusalCode::NotNow));
    assert_eq!(world.ask(HOST, remove(4, true)), Err(RefusalCode::NotNow), "it is a computer");
    assert_eq!(world.ask(HOST, remove(9, true)), Err(RefusalCode::NoSuchPlayer));
    world.host(PartyIntent::EndParty);
    assert_eq!(world.ask(HOST, remove(2, true)), Err(RefusalCode::NotNow));
}
