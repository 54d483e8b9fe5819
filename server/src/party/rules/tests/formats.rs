//! The peculiarities of each format.

use noughts_protocol::party::{PartyFormat, PartySettings, Stage};
use noughts_protocol::{PartyIntent, RefusalCode};

use super::world::{World, settings};
use crate::party::rules::PAUSE;

/// The places of entrants 1, 2, 3 and so on.
fn places(world: &World) -> Vec<u16> {
    world.state().entrants.iter().map(|entrant| world.place(entrant.number)).collect()
}

/// A party in which the smaller number always wins.
fn played(format: PartyFormat, people: u64) -> World {
    let mut world = World::started(settings(format), people);
    world.play_on();
    world
}

#[test]
fn the_last_round_is_the_final_and_the_game_for_the_third_place() {
    let mut world = World::started(settings(PartyFormat::Knockout), 8);
    for _ in 0..2 {
        world.play_round();
        world.wait(PAUSE);
    }
    let stages: Vec<_> = world.state().pairings.iter().map(|pairing| pairing.stage).collect();
    assert_eq!(stages, [Some(Stage::Final), Some(Stage::Third)]);
    world.play_on();
    let mut all = places(&world);
    assert_eq!(all[0], 1);
    all.sort_unstable();
    assert_eq!(all, [1, 2, 3, 4, 5, 5, 5, 5]);
}

#[test]
fn byes_of_a_knockout_are_spread_over_the_bracket() {
    let world = World::started(settings(PartyFormat::Knockout), 10);
    // Sixteen places: six byes, and no half has more than three of them.
    let byes: Vec<bool> = world.state().pairings.iter().map(|p| p.second.is_none()).collect();
    let count = |half: &[bool]| half.iter().filter(|bye| **bye).count();
    assert_eq!((count(&byes[..4]), count(&byes[4..])), (3, 3));
}

#[test]
fn a_round_robin_has_the_fewest_rounds_and_everybody_begins_as_often() {
    for people in 2..=12 {
        let world = played(PartyFormat::RoundRobin, people);
        let rounds = if people % 2 == 0 { people - 1 } else { people };
        assert_eq!(u64::from(world.state().round), rounds, "{people}");
        let games = world.state().past.iter().flatten().filter(|game| game.1 > 0);
        let mut begun: Vec<i32> = vec![0; world.state().entrants.len() + 1];
        let last = world.state().pairings.iter().filter_map(|p| Some((p.first, p.second?)));
        for (first, second) in games.map(|game| (game.0, game.1)).chain(last) {
            begun[usize::from(first)] += 1;
            begun[usize::from(second)] -= 1;
        }
        assert!(begun.iter().all(|more| more.abs() <= 1), "{people}: {begun:?}");
        let in_order: Vec<u16> = (1..).take(begun.len() - 1).collect();
        assert_eq!(places(&world), in_order, "the smaller number always wins");
    }
}

#[test]
fn a_swiss_of_few_ends_when_everybody_has_met_everybody() {
    for (people, rounds) in [(2, 1), (3, 3), (4, 3), (5, 5), (6, 5), (7, 5)] {
        assert_eq!(played(PartyFormat::Swiss, people).state().round, rounds, "{people}");
    }
}

#[test]
fn in_a_swiss_those_with_about_the_same_points_meet() {
    let mut world = World::started(settings(PartyFormat::Swiss), 40);
    world.play_round();
    world.wait(PAUSE);
    for pairing in &world.state().pairings {
        let points = |one| world.state().entrant(one).unwrap().points;
        assert_eq!(points(pairing.first), points(pairing.second.unwrap()), "{pairing:?}");
    }
}

#[test]
fn the_winner_stays_and_plays_the_next_in_the_queue() {
    let mut world = World::started(settings(PartyFormat::WinnerStays), 4);
    world.all_ready();
    let game = *world.rooms.values().next().unwrap();
    assert_eq!([game.x.min(game.o), game.x.max(game.o)], [1, 2]);
    world.win(2);
    let next = world.state().open_pairing_of(2).unwrap();
    assert_eq!((next.first, next.second, next.table), (3, Some(2), 1), "the challenger begins");
    assert_eq!(world.state().queue, [4, 1]);
    world.all_ready();
    world.win(3);
    assert_eq!(world.state().open_pairing_of(3).unwrap().opponent_of(3), Some(4));
    assert_eq!(world.state().queue, [1, 2]);
}

#[test]
fn two_who_are_alone_play_again_and_begin_in_turn() {
    let mut world = World::started(settings(PartyFormat::WinnerStays), 2);
    let mut began = Vec::new();
    for _ in 0..4 {
        world.all_ready();
        began.push(world.rooms.values().next().unwrap().x);
        world.win(1);
    }
    assert_ne!(began[0], began[1]);
    assert_eq!(began[..2], began[2..]);
}

#[test]
fn so_many_wins_end_it() {
    let first_to = Some(3);
    let mut world =
        World::started(PartySettings { first_to, ..settings(PartyFormat::WinnerStays) }, 5);
    world.play_on();
    assert_eq!(world.state().entrant(1).unwrap().wins, 3);
    assert_eq!((world.place(1), world.state().pairings.len()), (1, 3));
}

#[test]
fn several_tables_play_at_once_and_the_same_two_do_not_meet_at_once() {
    let tables = PartySettings { tables: 2, ..settings(PartyFormat::WinnerStays) };
    let mut world = World::started(tables, 4);
    world.all_ready();
    assert_eq!(world.rooms.len(), 2);
    world.win(1);
    assert!(world.state().open_pairing_of(1).is_none(), "the other table is awaited");
    world.win(3);
    let opponent = world.state().open_pairing_of(1).unwrap().opponent_of(1);
    assert_ne!(opponent, Some(2));
}

#[test]
fn who_comes_late_is_the_last_in_the_queue() {
    let mut world = World::started(settings(PartyFormat::WinnerStays), 3);
    world.join(4).unwrap();
    assert_eq!(world.state().queue, [3, 4]);
    // Nobody is left to play against: the last one waits for somebody.
    for player in [1, 2, 3] {
        world.ask(player, PartyIntent::Withdraw).unwrap();
    }
    assert_eq!(world.state().queue, [4]);
    world.join(5).unwrap();
    assert!(world.state().open_pairing_of(4).is_some());
    assert_eq!(world.ask(5, PartyIntent::StartParty), Err(RefusalCode::NotHost));
}
