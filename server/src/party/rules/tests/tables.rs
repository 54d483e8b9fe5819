//! Ready checks, games, draws and lost rooms of one pairing.

use std::time::Duration;

use noughts_protocol::party::{PartyFormat, PartyRole};
use noughts_protocol::{DecidedBy, PartyIntent, PlayerId, RefusalCode};

use super::world::{HOST, World, settings};
use crate::party::rules::tables::TableResult;
use crate::party::rules::{PAUSE, READY, REPLAY, RETRY};

fn two(format: PartyFormat) -> World {
    World::started(settings(format), 2)
}

#[test]
fn both_are_ready_and_a_room_is_made() {
    let mut world = two(PartyFormat::Knockout);
    world.rules.connect(world.now, PlayerId(1), PartyRole::Player);
    let presence = world.rules.presence(world.now);
    assert_eq!((presence.away, presence.ready), (vec![2], vec![]));
    assert_eq!(presence.checks[0].ms_left, 60_000);
    world.ready(1);
    world.ready(1);
    assert_eq!(world.rules.presence(world.now).ready, [1]);
    assert!(world.rooms.is_empty());
    world.ready(2);
    assert_eq!(world.rooms.len(), 1);
    let pairing = world.state().pairings[0].clone();
    assert_eq!((pairing.game, pairing.room.is_some()), (1, true));
    let presence = world.rules.presence(world.now);
    assert_eq!((presence.ready, presence.checks), (vec![], vec![]));
    // A repeat is granted; somebody else's pairing and an unknown one are not.
    assert_eq!(world.ask(1, PartyIntent::Ready { pairing: 1 }), Ok(()));
    assert_eq!(world.ask(1, PartyIntent::Ready { pairing: 9 }), Err(RefusalCode::Stale));
    assert_eq!(world.ask(9, PartyIntent::Ready { pairing: 1 }), Err(RefusalCode::NotSeated));
}

#[test]
fn who_is_not_ready_in_time_loses_the_game_and_not_the_party() {
    let mut world = World::started(settings(PartyFormat::Swiss), 4);
    let opponent = world.state().open_pairing_of(1).unwrap().opponent_of(1).unwrap();
    world.ready(1);
    world.wait(READY.checked_sub(Duration::from_millis(1)).unwrap());
    assert!(world.state().open_pairing_of(1).is_some());
    world.wait(Duration::from_millis(1));
    assert_eq!(world.outcome(1), (Some(1), DecidedBy::Forfeit));
    assert!(!world.state().entrant(opponent).unwrap().left);
    // The others did not come either: they are called once more, then nobody wins.
    let other = (1..=4).find(|one| *one != 1 && *one != opponent).unwrap();
    assert!(world.state().open_pairing_of(other).is_some());
    world.wait(READY);
    assert_eq!(world.outcome(other), (None, DecidedBy::Forfeit));
    assert_eq!(world.state().entrant(other).unwrap().points, 0);
    // Not to come twice in a row is to leave.
    world.wait(PAUSE + READY * 2);
    assert!(world.state().entrant(opponent).unwrap().left);
}

#[test]
fn somebody_who_comes_in_between_has_not_left() {
    let mut world = World::started(settings(PartyFormat::RoundRobin), 6);
    for _ in 0..2 {
        // Everybody but 6 plays; then 6 plays too.
        (1..=5).for_each(|entrant| world.ready(entrant));
        world.wait(READY);
        world.play_round();
        world.wait(PAUSE);
        world.play_round();
        world.wait(PAUSE);
    }
    assert!(!world.state().entrant(6).unwrap().left);
}

#[test]
fn a_draw_is_played_again_with_the_other_beginning() {
    let mut world = two(PartyFormat::Swiss);
    world.all_ready();
    let began: Vec<u16> = (1..=3)
        .map(|game| {
            let opening = *world.rooms.values().next().unwrap();
            assert_eq!(opening.game, game);
            world.draw(1);
            world.wait(REPLAY);
            opening.x
        })
        .collect();
    assert_eq!(began[0], began[2]);
    assert_ne!(began[0], began[1]);
    assert_eq!(world.outcome(1), (None, DecidedBy::Game), "half a point each");
    assert_eq!(world.state().entrants.iter().map(|e| e.points).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn three_draws_are_a_win_for_the_one_who_moved_second_in_two() {
    for format in [PartyFormat::Knockout, PartyFormat::WinnerStays] {
        let mut world = two(format);
        let second = world.state().pairings[0].second;
        world.all_ready();
        for _ in 0..3 {
            world.draw(1);
            world.wait(REPLAY);
        }
        let decided = world.state().pairings[0].outcome.clone().unwrap();
        assert_eq!((decided.winner, decided.how), (second, DecidedBy::DrawOdds), "{format:?}");
    }
}

#[test]
fn a_lost_room_is_made_again() {
    let mut world = two(PartyFormat::Knockout);
    world.all_ready();
    let (room, _) = world.game_of(1);
    world.result(room, TableResult::Lost);
    assert!(world.rooms.is_empty());
    world.wait(RETRY);
    let (again, _) = world.game_of(1);
    assert_ne!(again, room);
    assert_eq!(world.rooms[&again].game, 1, "it is the same game");
    assert_eq!(world.rooms[&again].lost, Some(room));
}

#[test]
fn a_result_of_another_room_is_ignored() {
    let mut world = two(PartyFormat::Knockout);
    world.all_ready();
    let (room, mark) = world.game_of(1);
    let stale = world.rules.table_result(world.now, 1, 2, room, TableResult::Won(mark));
    assert_eq!(stale, super::super::PartyDecided::default());
    world.win(1);
    let late = world.rules.table_result(world.now, 1, 1, room, TableResult::Won(mark.other()));
    assert_eq!(late, super::super::PartyDecided::default());
    assert_eq!(world.outcome(1).0, Some(1));
}

#[test]
fn a_room_that_cannot_be_made_is_tried_again() {
    let mut world = two(PartyFormat::Knockout);
    for entrant in [1, 2] {
        world.rules.set_ready(world.now, entrant, 1);
    }
    let opening = world.rules.take_openings(world.now)[0];
    assert!(world.rules.take_openings(world.now).is_empty(), "it is asked for once");
    world.rules.open_failed(world.now, opening.pairing, opening.game);
    assert!(world.rules.take_openings(world.now).is_empty());
    world.wait(RETRY);
    assert_eq!(world.rooms.len(), 1);
}

#[test]
fn a_restart_begins_ready_checks_anew_and_keeps_games() {
    let mut world = World::started(settings(PartyFormat::Swiss), 4);
    let opponent = world.state().open_pairing_of(1).unwrap().opponent_of(1).unwrap();
    world.ready(1);
    world.ready(opponent);
    let room = world.game_of(1).0;
    world.wait(READY / 2);
    world.restart();
    assert_eq!(world.rules.presence(world.now).checks[0].ms_left, 60_000);
    assert_eq!(world.game_of(1).0, room);
    world.win(1);
    assert_eq!(world.outcome(1), (Some(1), DecidedBy::Game));
    assert_eq!(world.ask(HOST, PartyIntent::SyncParty), Ok(()));
}
