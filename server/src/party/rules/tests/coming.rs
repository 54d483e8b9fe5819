//! People come, come late, come back, leave, and are refused.

use noughts_protocol::party::{MAX_ENTRANTS, PartyFormat, PartyRole, PartySettings};
use noughts_protocol::{Computer, DecidedBy, Mark, PartyIntent, PlayerId, RefusalCode};

use super::world::{World, settings};
use crate::party::rules::{MAX_CHANGES, PAUSE};
use crate::room::table::Ruling;

#[test]
fn nobody_has_the_name_of_somebody_else() {
    let mut world = World::gather(settings(PartyFormat::Knockout), 0);
    for player in 1..=3 {
        world.join_as(player, "Ada", PartyRole::Player).unwrap();
    }
    let names = |world: &World| -> Vec<String> {
        world.state().entrants.iter().map(|entrant| entrant.name.to_string()).collect()
    };
    assert_eq!(names(&world), ["Ada", "Ada (2)", "Ada (3)"]);
    // The same name again is no fact, another one is.
    let v = world.state().v;
    world.join_as(2, "Ada", PartyRole::Player).unwrap();
    assert_eq!(world.state().v, v);
    world.join_as(1, "Bob", PartyRole::Player).unwrap();
    assert_eq!(names(&world), ["Bob", "Ada (2)", "Ada (3)"]);
}

#[test]
fn a_party_has_two_hundred_entrants_and_a_round_robin_twelve() {
    for (format, most) in [(PartyFormat::Swiss, MAX_ENTRANTS), (PartyFormat::RoundRobin, 12)] {
        let most = u64::try_from(most).unwrap();
        let mut world = World::gather(settings(format), most);
        assert_eq!(world.join(most + 1), Err(RefusalCode::Full));
        assert_eq!(world.join_as(most + 1, "Eve", PartyRole::Screen), Ok(()));
        assert_eq!(world.join(most), Ok(()), "an entrant comes back");
    }
}

#[test]
fn a_place_that_is_given_up_before_the_start_is_free() {
    let mut world = World::gather(settings(PartyFormat::RoundRobin), 12);
    assert_eq!(world.join(13), Err(RefusalCode::Full));
    for _ in 0..MAX_CHANGES {
        world.ask(5, PartyIntent::Withdraw).unwrap();
        world.join(5).unwrap();
    }
    world.ask(5, PartyIntent::Withdraw).unwrap();
    world.join_as(13, "Guest 5", PartyRole::Player).unwrap();
    // Neither the name nor the changes of the one before count for the newcomer.
    assert_eq!(world.state().entrant(5).unwrap().name.as_str(), "Guest 5");
    world.ask(13, PartyIntent::Withdraw).unwrap();
    world.join_as(13, "Guest 5", PartyRole::Player).unwrap();
    let entrant = world.state().entrant(5).unwrap();
    assert_eq!((entrant.player, entrant.left), (Some(PlayerId(13)), false));
    assert_eq!(world.join(5), Err(RefusalCode::Full), "the place is taken");
    // So is the place of somebody whom the host has set aside.
    world.host(PartyIntent::Skip { entrant: 5, skip: true });
    world.join(5).unwrap();
    assert!(!world.state().entrant(5).unwrap().left);
}

/// The one who left has played, and may come back.
#[test]
fn a_place_that_is_given_up_after_the_start_is_not_free() {
    let most = u64::try_from(MAX_ENTRANTS).unwrap();
    let mut world = World::started(settings(PartyFormat::Swiss), most);
    world.ask(5, PartyIntent::Withdraw).unwrap();
    assert_eq!(world.join(most + 1), Err(RefusalCode::Full));
}

#[test]
fn a_late_comer_takes_the_place_of_a_bye() {
    let mut world = World::started(settings(PartyFormat::Knockout), 3);
    world.join(4).unwrap();
    let state = world.state();
    assert_eq!(state.pairings.len(), 2);
    assert!(state.pairings.iter().all(|pairing| pairing.second.is_some()), "no bye is left");
    assert!(state.open_pairing_of(4).is_some(), "the late comer plays");
    // The next one looks on.
    world.join(5).unwrap();
    assert!(world.state().entrant_of(PlayerId(5)).is_none());
    world.play_on();
    assert_eq!([1, 2, 3, 4].map(|entrant| world.place(entrant))[0], 1);
}

#[test]
fn a_bye_that_has_gone_on_has_no_place_for_a_late_comer() {
    let mut world = World::started(settings(PartyFormat::Knockout), 3);
    world.play_round();
    world.join(4).unwrap();
    assert!(world.state().entrant_of(PlayerId(4)).is_none());
}

#[test]
fn a_late_comer_plays_from_the_next_round_of_a_swiss() {
    let mut world = World::started(settings(PartyFormat::Swiss), 11);
    world.join(12).unwrap();
    assert!(world.state().open_pairing_of(12).is_none(), "this round is paired");
    world.play_round();
    world.wait(PAUSE);
    assert!(world.state().open_pairing_of(12).is_some_and(|open| open.second.is_some()));
}

#[test]
fn a_late_comer_of_a_round_robin_meets_everybody() {
    let mut world = World::started(settings(PartyFormat::RoundRobin), 4);
    world.play_round();
    world.join(5).unwrap();
    world.play_on();
    let met: Vec<_> = world.state().entrants.iter().map(|e| e.wins + e.losses).collect();
    assert_eq!(met, [4, 4, 4, 4, 4]);
}

#[test]
fn who_leaves_loses_the_running_game_and_may_come_back() {
    let mut world = World::started(settings(PartyFormat::Swiss), 6);
    world.all_ready();
    let opponent = world.state().open_pairing_of(3).unwrap().opponent_of(3).unwrap();
    assert_eq!(world.rooms.len(), 3);
    world.ask(3, PartyIntent::Withdraw).unwrap();
    assert_eq!(world.outcome(3), (Some(opponent), DecidedBy::Forfeit));
    assert_eq!(world.rooms.len(), 2, "the room of their game is dismissed");
    let (game, ruling) = world.dismissed[0];
    let mark = if game.x == opponent { Mark::X } else { Mark::O };
    assert_eq!(ruling, Ruling::Forfeit(mark), "its players are told who has won");
    world.play_round();
    world.wait(PAUSE);
    assert!(world.state().open_pairing_of(3).is_none(), "they are not paired");
    world.join(3).unwrap();
    world.play_round();
    world.wait(PAUSE);
    assert!(world.state().open_pairing_of(3).is_some(), "they are again");
}

#[test]
fn coming_and_going_is_bounded() {
    let mut world = World::gather(settings(PartyFormat::Swiss), 4);
    for _ in 0..2 * MAX_CHANGES {
        world.ask(2, PartyIntent::Withdraw).unwrap();
        world.join(2).unwrap();
    }
    assert!(world.state().entrant(2).unwrap().left);
    let facts = world.facts.len();
    assert!(facts <= 4 + 2 * usize::from(MAX_CHANGES) + 1, "{facts}");
    // The host can still bring them back.
    world.host(PartyIntent::Skip { entrant: 2, skip: false });
    assert!(!world.state().entrant(2).unwrap().left);
}

#[test]
fn computers_fill_empty_places() {
    let cases = [
        (PartyFormat::Knockout, 5, 8),
        (PartyFormat::Knockout, 8, 8),
        (PartyFormat::RoundRobin, 3, 4),
        (PartyFormat::Swiss, 7, 8),
        (PartyFormat::WinnerStays, 3, 6),
        (PartyFormat::Swiss, 1, 2),
    ];
    for (format, people, entrants) in cases {
        let fill = Some(Computer::default());
        let world = World::started(PartySettings { fill, tables: 3, ..settings(format) }, people);
        assert_eq!(world.state().entrants.len(), entrants, "{format:?} of {people}");
        let byes = world.state().pairings.iter().filter(|pairing| pairing.second.is_none());
        assert_eq!(byes.count(), 0);
    }
}

#[test]
fn a_forgotten_player_is_somebody_who_left() {
    let mut world = World::started(settings(PartyFormat::Swiss), 6);
    let forgotten = world.rules.forget(PlayerId(5));
    world.commit(forgotten);
    let entrant = world.state().entrant(5).unwrap();
    assert_eq!((entrant.name.as_str(), entrant.player, entrant.left), ("Somebody", None, true));
    assert_eq!(world.rules.forget(PlayerId(5)), super::super::PartyDecided::default());
}
