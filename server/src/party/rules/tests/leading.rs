//! The host's powers.

use std::time::Duration;

use noughts_protocol::party::{PartyFormat, PartyPhase};
use noughts_protocol::{DecidedBy, Mark, PartyEvent, PartyIntent, RefusalCode};

use super::world::{HOST, World, settings};
use crate::party::rules::intent::PartyDecision;
use crate::party::rules::{PAUSE, READY, REPLAY, RETRY};
use crate::room::table::Ruling;

fn decide(pairing: u32, winner: Option<u16>) -> PartyIntent {
    PartyIntent::Decide { pairing, winner, note: "the phone fell".parse().ok() }
}

#[test]
fn only_the_host_leads() {
    let mut world = World::gather(settings(PartyFormat::Knockout), 3);
    for intent in [
        PartyIntent::StartParty,
        PartyIntent::PauseParty { pause: true, clocks: false },
        PartyIntent::Skip { entrant: 1, skip: true },
        PartyIntent::Remove { entrant: 1, remove: true },
        decide(1, None),
        PartyIntent::EndParty,
    ] {
        assert_eq!(world.ask(2, intent), Err(RefusalCode::NotHost));
    }
}

#[test]
fn a_party_needs_two() {
    let mut world = World::gather(settings(PartyFormat::Knockout), 1);
    assert_eq!(world.ask(HOST, PartyIntent::StartParty), Err(RefusalCode::NotNow));
    world.join(2).unwrap();
    world.host(PartyIntent::StartParty);
    assert_eq!(world.rules.presence(world.now).next_ms, Some(5_000));
    world.host(PartyIntent::StartParty);
    world.wait(PAUSE);
    assert_eq!(world.state().round, 1);
}

#[test]
fn a_pause_stops_pairing_and_ready_checks_and_no_games() {
    let mut world = World::started(settings(PartyFormat::Swiss), 4);
    world.ready(1);
    let opponent = world.state().open_pairing_of(1).unwrap().opponent_of(1).unwrap();
    world.ready(opponent);
    world.host(PartyIntent::PauseParty { pause: true, clocks: false });
    world.wait(READY * 10);
    assert_eq!(world.state().pairings.iter().filter(|p| p.outcome.is_none()).count(), 2);
    world.win(1);
    assert_eq!(world.outcome(1), (Some(1), DecidedBy::Game));
    // Those who say that they are ready meanwhile play at once after it.
    world.all_ready();
    assert!(world.rooms.is_empty());
    world.host(PartyIntent::PauseParty { pause: false, clocks: false });
    assert_eq!(world.rooms.len(), 1);
    world.play_round();
    world.host(PartyIntent::PauseParty { pause: true, clocks: false });
    world.wait(PAUSE * 10);
    assert_eq!(world.state().round, 1);
    world.restart();
    world.wait(PAUSE * 10);
    assert_eq!(world.state().round, 1);
    world.host(PartyIntent::PauseParty { pause: false, clocks: false });
    world.wait(PAUSE);
    assert_eq!(world.state().round, 2);
}

/// The clocks are the rooms'. The party makes no room meanwhile.
#[test]
fn a_pause_with_the_clocks_opens_no_room() {
    let mut world = World::started(settings(PartyFormat::Swiss), 2);
    world.all_ready();
    let pause = |pause, clocks| PartyIntent::PauseParty { pause, clocks };
    world.host(pause(true, false));
    world.host(pause(true, true));
    assert!(world.state().clocks_stopped);
    world.draw(1);
    world.wait(REPLAY * 10);
    assert!(world.rooms.is_empty());
    world.restart();
    assert!(world.state().clocks_stopped);
    world.host(pause(false, true));
    assert_eq!((world.state().paused, world.state().clocks_stopped), (false, false));
    world.wait(RETRY);
    assert_eq!(world.rooms.len(), 1);
}

#[test]
fn the_host_gives_time_where_a_clock_runs() {
    let mut world = World::started(settings(PartyFormat::Knockout), 2);
    let add = |pairing| PartyIntent::AddTime { pairing, ms: 30_000 };
    world.wait(READY - Duration::from_millis(1));
    world.host(add(1));
    assert_eq!(world.rules.presence(world.now).checks[0].ms_left, 30_001);
    assert_eq!(world.ask(2, add(1)), Err(RefusalCode::NotHost));
    assert_eq!(world.ask(HOST, add(9)), Err(RefusalCode::NotNow));
    world.ready(1);
    world.host(PartyIntent::PauseParty { pause: true, clocks: false });
    assert_eq!(world.rules.presence(world.now).checks, []);
    assert_eq!(world.ask(HOST, add(1)), Err(RefusalCode::NotNow));
    world.wait(READY * 2);
    world.host(PartyIntent::PauseParty { pause: false, clocks: false });
    let presence = world.rules.presence(world.now);
    assert_eq!((presence.checks[0].ms_left, presence.ready), (60_000, vec![1]), "it begins anew");
    world.all_ready();
    let player = world.state().leading_player().unwrap();
    let decided = world.rules.decide(player, add(1));
    assert_eq!(decided, Ok(PartyDecision::AddTime { pairing: 1, ms: 30_000 }), "in its room");
    world.win(1);
    assert_eq!(world.ask(HOST, add(1)), Err(RefusalCode::NotNow));
}

#[test]
fn the_host_decides_a_pairing_and_changes_a_result() {
    let mut world = World::started(settings(PartyFormat::Swiss), 4);
    world.all_ready();
    let pairing = world.state().pairings[0].clone();
    let second = pairing.second.unwrap();
    world.host(decide(pairing.number, Some(second)));
    assert_eq!(world.outcome(second), (Some(second), DecidedBy::Host));
    assert_eq!(world.rooms.len(), 1, "its room is dismissed");
    let (game, ruling) = world.dismissed[0];
    let mark = if game.x == second { Mark::X } else { Mark::O };
    assert_eq!(ruling, Ruling::Decided(Some(mark)), "nobody has resigned or left");
    world.play_round();
    world.wait(PAUSE);
    // The round after is paired; the result can be changed all the same.
    let v = world.state().v;
    world.host(decide(pairing.number, Some(pairing.first)));
    assert_eq!(world.state().v, v + 2, "the result and a ranking");
    let points = |one: u16| world.state().entrant(one).unwrap().points;
    assert_eq!((points(pairing.first), points(second)), (2, 0));
    assert_eq!(world.state().round, 2, "the round goes on");
    // The opponents of the round that runs do not count before their games are over.
    let place = world.state().places.iter().find(|place| place.entrant == second).unwrap();
    assert_eq!(place.tiebreak, points(pairing.first), "Buchholz");
    assert_eq!(world.ask(HOST, decide(99, None)), Err(RefusalCode::Stale));
    assert_eq!(world.ask(HOST, decide(1, Some(99))), Err(RefusalCode::NoSuchPlayer));
}

#[test]
fn a_knockout_result_stays_when_the_next_round_is_paired() {
    let mut world = World::started(settings(PartyFormat::Knockout), 5);
    assert_eq!(world.ask(HOST, decide(1, None)), Err(RefusalCode::NotNow), "somebody must win");
    world.play_round();
    let game = world.state().pairings.iter().find(|pairing| pairing.second.is_some()).unwrap();
    let number = game.number;
    let loser = game.first.max(game.second.unwrap());
    world.host(decide(number, Some(loser)));
    world.wait(PAUSE);
    assert!(world.state().open_pairing_of(loser).is_some(), "the other one goes on");
    assert_eq!(world.ask(HOST, decide(number, Some(loser))), Err(RefusalCode::NotNow));
    let bye = world.state().past[0].iter().position(|past| past.1 == 0).unwrap();
    let bye = u32::try_from(bye + 1).unwrap();
    assert_eq!(world.ask(HOST, decide(bye, Some(1))), Err(RefusalCode::NotNow));
}

#[test]
fn a_changed_final_changes_the_podium() {
    let mut world = World::started(settings(PartyFormat::Knockout), 2);
    world.play_on();
    assert_eq!((world.place(1), world.place(2)), (1, 2));
    world.host(decide(1, Some(2)));
    assert_eq!((world.place(1), world.place(2)), (2, 1));
    assert!(matches!(world.facts.last(), Some(PartyEvent::Ranked { .. })));
}

#[test]
fn the_host_ends_it_with_the_places_of_now() {
    let mut world = World::started(settings(PartyFormat::WinnerStays), 4);
    for _ in 0..3 {
        world.play_round();
    }
    world.all_ready();
    world.host(PartyIntent::EndParty);
    assert_eq!(world.state().phase, PartyPhase::Over);
    assert!(world.rooms.is_empty(), "running games are dismissed");
    assert!(world.dismissed.iter().all(|(_, ruling)| *ruling == Ruling::Unfinished));
    assert_eq!(world.place(1), 1);
    assert!(world.rules.due().is_none());
    world.host(PartyIntent::EndParty);
    assert_eq!(world.ask(2, PartyIntent::Withdraw), Ok(()));
}

/// A client repeats what was not answered, and the party may be over meanwhile.
#[test]
fn what_was_applied_is_granted_again_when_the_party_is_over() {
    let mut world = World::started(settings(PartyFormat::Swiss), 4);
    let skip = |entrant: u16, skip: bool| PartyIntent::Skip { entrant, skip };
    for intent in [
        PartyIntent::PauseParty { pause: true, clocks: false },
        skip(2, true),
        skip(3, true),
        skip(3, false),
    ] {
        world.host(intent);
    }
    world.host(PartyIntent::EndParty);
    let v = world.state().v;
    for applied in [
        PartyIntent::StartParty,
        PartyIntent::PauseParty { pause: true, clocks: false },
        skip(2, true),
        skip(3, false),
        PartyIntent::EndParty,
    ] {
        assert_eq!(world.ask(HOST, applied.clone()), Ok(()), "{applied:?}");
    }
    for other in
        [PartyIntent::PauseParty { pause: false, clocks: false }, skip(2, false), skip(4, true)]
    {
        assert_eq!(world.ask(HOST, other.clone()), Err(RefusalCode::NotNow), "{other:?}");
    }
    assert_eq!(world.state().v, v);
    let mut never = World::gather(settings(PartyFormat::Swiss), 4);
    never.host(PartyIntent::EndParty);
    for intent in [PartyIntent::StartParty, PartyIntent::PauseParty { pause: false, clocks: false }]
    {
        assert_eq!(never.ask(HOST, intent), Err(RefusalCode::NotNow));
    }
}
