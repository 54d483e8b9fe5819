//! A party that nobody ends ends by itself, and places are what the games gave.

use noughts_protocol::PartyIntent;
use noughts_protocol::party::{PartyFormat, PartyPhase};

use super::world::{World, settings};
use crate::party::rules::{IDLE, MAX_FACTS, PAUSE};

#[test]
fn a_party_in_which_nothing_happens_ends() {
    let mut world = World::gather(settings(PartyFormat::Swiss), 3);
    world.wait(IDLE / 2);
    assert_eq!(world.state().phase, PartyPhase::Gathering);
    world.wait(IDLE / 2);
    assert!(world.is_over());
    assert!(world.state().places.is_empty(), "nothing was played");
}

#[test]
fn a_party_that_ends_before_a_game_did_has_no_places() {
    for format in PartyFormat::ALL {
        let mut world = World::started(settings(format), 4);
        world.all_ready();
        world.host(PartyIntent::EndParty);
        assert!(world.is_over());
        assert!(world.state().places.is_empty(), "{format}: {:?}", world.state().places);
    }
}

#[test]
fn a_party_has_a_bounded_number_of_facts() {
    let mut world = World::started(settings(PartyFormat::Swiss), 2);
    world.all_ready();
    for turn in 0..MAX_FACTS {
        if world.is_over() {
            break;
        }
        world.host(PartyIntent::PauseParty { pause: turn % 2 == 0, clocks: false });
    }
    assert!(world.is_over());
    assert_eq!(world.state().v, MAX_FACTS + 1);
}

#[test]
fn equal_points_are_told_apart_by_the_opponents() {
    let mut world = World::started(settings(PartyFormat::Swiss), 8);
    world.play_on();
    let places = &world.state().places;
    for pair in places.windows(2) {
        let key = |place: &noughts_protocol::Place| {
            (world.state().entrant(place.entrant).unwrap().points, place.tiebreak)
        };
        assert!(key(&pair[0]) >= key(&pair[1]), "{places:?}");
        assert!(pair[0].place < pair[1].place || key(&pair[0]) == key(&pair[1]), "{places:?}");
    }
}

#[test]
fn who_leaves_the_semi_final_plays_for_no_third_place() {
    let mut world = World::started(settings(PartyFormat::Knockout), 4);
    world.ask(4, PartyIntent::Withdraw).unwrap();
    world.play_round();
    world.wait(PAUSE);
    assert_eq!(world.state().pairings.len(), 1, "the final alone");
    world.play_on();
    assert!(world.state().places.iter().filter(|place| place.place == 3).count() == 2);
}
