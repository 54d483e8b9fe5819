//! A party whose disk refuses to store, or does not answer: nobody is told what is not stored, the
//! party goes on by itself, and no pairing is drawn twice.

use std::time::Duration;

use noughts_client::address::ServerAddress;
use noughts_harness::checker::Stored;
use noughts_harness::fault_injector::{FaultInjector, FaultProfile};
use noughts_harness::party::history::PartyHistory;
use noughts_harness::party::{PlayedParty, Way};
use noughts_harness::world::{DiskMode, World, run};
use noughts_harness::{Player, advance_time};
use noughts_protocol::{LobbyIntent, PartyFormat, PartyIntent, PartyPhase, PartyRole, RefusalCode};
use tokio::time::Instant;

use super::settings;

/// Longer than the pause before a round, and than the time after which a party tries again.
const A_WHILE: Duration = Duration::from_secs(8);

/// A party tries again at least this often.
const SOON: Duration = Duration::from_secs(2);

/// Lets the disk work again, and tells when.
fn works_again(world: &World) -> Instant {
    world.set_disk(DiskMode::Works);
    Instant::now()
}

/// A party of two, gathering.
async fn two(world: &World) -> (Player, Player) {
    let mut ada = world.player("Ada", None).await;
    let code = ada.create_party("Friday", settings(PartyFormat::Knockout), true).await;
    let mut bob = world.player("Bob", None).await;
    bob.join_party(code, PartyRole::Player).await.unwrap();
    ada.until("Bob", |ada| ada.party().entrants.len() == 2).await;
    (ada, bob)
}

/// Both have been told nothing more of the party after a while.
async fn nothing_is_told(ada: &mut Player, bob: &mut Player) {
    let v = ada.party().v;
    advance_time(A_WHILE).await;
    for player in [ada, bob] {
        player.settle().await;
        assert_eq!(player.party().v, v, "{:?}", player.party_facts.last());
    }
}

#[test]
fn while_the_disk_refuses_a_party_tells_nothing_and_then_it_goes_on() {
    run(&[], async |world| {
        let (mut ada, mut bob) = two(&world).await;
        // The host's intents, and somebody who comes.
        world.set_disk(DiskMode::RefusesParties);
        assert_eq!(ada.ask_party(PartyIntent::StartParty).await, Err(RefusalCode::NotStored));
        let mut eve = world.player("Eve", None).await;
        let party = ada.party().code;
        let join = LobbyIntent::JoinParty { party, role: PartyRole::Player };
        assert_eq!(eve.ask_lobby(join).await, Err(RefusalCode::NotStored));
        nothing_is_told(&mut ada, &mut bob).await;
        assert_eq!(ada.party().phase, PartyPhase::Gathering);
        world.set_disk(DiskMode::Works);
        ada.ask_party(PartyIntent::StartParty).await.unwrap();
        bob.until("the start", |bob| bob.party().phase == PartyPhase::Playing).await;

        // The pairing, which nobody asks for.
        world.set_disk(DiskMode::RefusesParties);
        nothing_is_told(&mut ada, &mut bob).await;
        assert_eq!(
            ada.ask_party(PartyIntent::PauseParty { pause: true, clocks: false }).await,
            Err(RefusalCode::NotStored)
        );
        let works = works_again(&world);
        for player in [&mut ada, &mut bob] {
            player.until("the pairing", |player| player.party().pairings.len() == 1).await;
        }
        assert!(works.elapsed() < SOON, "after {:?}", works.elapsed());

        // The result of the game. The room stores it, and the party cannot.
        let plays = |player: &Player| player.room.is_some();
        futures::join!(ada.attend(0, plays), bob.attend(4, plays));
        ada.until_running().await;
        world.set_disk(DiskMode::RefusesParties);
        ada.resign().await.unwrap();
        ada.until_over().await;
        nothing_is_told(&mut ada, &mut bob).await;
        let works = works_again(&world);
        for player in [&mut ada, &mut bob] {
            player.until("the end", |player| player.party().phase == PartyPhase::Over).await;
        }
        assert!(works.elapsed() < SOON, "after {:?}", works.elapsed());
        assert_eq!(ada.party().places[0].entrant, bob.entrant().unwrap());
    });
}

/// Catches a table whose clock stands still for good, and a host who reads that no clock runs there.
#[test]
fn a_table_that_cannot_store_its_clock_runs_on_once_the_disk_works() {
    run(&[], async |world| {
        let (mut ada, mut bob) = two(&world).await;
        ada.ask_party(PartyIntent::StartParty).await.unwrap();
        let plays = |player: &Player| player.room.is_some();
        futures::join!(ada.attend(0, plays), bob.attend(4, plays));
        ada.until_running().await;
        let pairing = ada.pairing().unwrap().number;
        ada.ask_party(PartyIntent::PauseParty { pause: true, clocks: true }).await.unwrap();
        ada.until("the clock stands", |ada| ada.state().clock_stopped).await;
        world.set_disk(DiskMode::RefusesRooms);
        let refused = ada.ask_party(PartyIntent::AddTime { pairing, ms: 1000 }).await;
        assert_eq!(refused, Err(RefusalCode::NotStored));
        ada.ask_party(PartyIntent::PauseParty { pause: false, clocks: false }).await.unwrap();
        nothing_is_told(&mut ada, &mut bob).await;
        assert!(ada.state().clock_stopped);
        let works = works_again(&world);
        ada.until("the clock runs", |ada| !ada.state().clock_stopped).await;
        assert!(works.elapsed() < SOON, "after {:?}", works.elapsed());
    });
}

#[test]
fn an_intent_of_unknown_outcome_is_told_to_nobody_and_decided_by_the_next_start() {
    for stored in [false, true] {
        run(&[], async |mut world| {
            let (mut ada, mut bob) = two(&world).await;
            world.set_disk(DiskMode::InDoubt { stored });
            let id = ada.new_id();
            let party = ada.party().code;
            let start = PartyIntent::StartParty;
            ada.send(&noughts_protocol::ClientMessage::Party { intent: start, id, party }).await;
            nothing_is_told(&mut ada, &mut bob).await;
            world.crash(&[]).await;
            world.start().await;
            let mut ada = world.player("Ada", Some(ada.token)).await;
            ada.join_party(party, PartyRole::Player).await.unwrap();
            let expected = if stored { PartyPhase::Playing } else { PartyPhase::Gathering };
            assert_eq!(ada.party().phase, expected);
        });
    }
}

/// Everything that the party stores by itself, in doubt one after the other: the start of each round, the
/// rooms of its games, their results and the end.
#[test]
fn no_pairing_is_doubled_or_lost_after_a_save_in_doubt() {
    for stored in [false, true] {
        for facts in [5, 6, 8, 9, 11] {
            run(&[], async |mut world| {
                let way = || Way {
                    network: world.network(FaultInjector::new(FaultProfile::default(), 0)),
                    address: ServerAddress::default(),
                };
                let guests = [(); 4].map(|()| way()).to_vec();
                let settings = settings(PartyFormat::Knockout);
                let party = PlayedParty::begin(settings, way(), guests, PartyHistory::default());
                let told = |party: &PlayedParty| party.history().states.len();
                while told(&party) < facts {
                    advance_time(Duration::from_millis(1)).await;
                }
                world.set_disk(DiskMode::InDoubt { stored });
                advance_time(A_WHILE).await;
                let before = told(&party);
                advance_time(A_WHILE).await;
                assert_eq!(told(&party), before, "nothing is told while a save is in doubt");
                world.crash(&[]).await;
                world.start().await;
                let history = party.until_over(Duration::from_secs(3600)).await;
                world.stop().await;
                let found = history.violations(&Stored::read(world.folder()));
                assert!(found.is_empty(), "{facts}, {stored}: {}", found.join("\n"));
                assert_eq!(history.latest.unwrap().round, 2);
            });
        }
    }
}
