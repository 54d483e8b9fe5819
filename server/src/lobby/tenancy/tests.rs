//! Shards that a node takes and leaves, with what is in them.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use clap::Parser;
use noughts_protocol::{
    ByMark, CloseCode, PartyCode, PlayerId, Role, RoomSettings, Seat, SeatRequest,
};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::actor::Client;
use crate::cluster::directory::{Directory, NodeName, Owner};
use crate::cluster::engine::fake::FakeCluster;
use crate::cluster::link::Links;
use crate::config::Config;
use crate::config::args::Args;
use crate::journal::entry::Origin;
use crate::lobby::Requester;
use crate::lobby::nodes::Nodes;
use crate::metrics::Metrics;
use crate::outbox::{ConnectionId, OutboxReader, outbox};
use crate::room::Membership;
use noughts_protocol::RefusalCode;

/// The lobby of a node that owns all shards by the log, and holds these.
fn lobby(shards: &[u8]) -> Lobby {
    let args = ["noughts-server", "--ephemeral", "--max-rooms", "300"];
    let config = Config::try_from(&Args::parse_from(args)).unwrap();
    let (metrics, stop) = (Arc::new(Metrics::new()), CancellationToken::new());
    let engine = Arc::new(FakeCluster::new(0).engine());
    let directory = Directory::new(NodeName::of(1), None);
    Shard::all().for_each(|shard| directory.set_owner(shard, Owner::Me));
    let nodes = Nodes::new(directory.clone(), Links::new(engine, &directory, Arc::clone(&metrics)));
    let lobby = Lobby::new(&config, None, metrics, stop, TaskTracker::new()).on_node(nodes);
    for shard in shards {
        take(&lobby, *shard);
    }
    lobby
}

fn shard(number: u8) -> Shard {
    number.try_into().unwrap()
}

fn take(lobby: &Lobby, number: u8) {
    let hold = lobby.restore_shard(Vec::new());
    lobby.open_shard(shard(number), hold);
}

fn requester(player: u64) -> Requester {
    Requester {
        player: PlayerId(player),
        name: "Ada".parse().unwrap(),
        address: IpAddr::V4(Ipv4Addr::LOCALHOST),
        id: 1.try_into().unwrap(),
    }
}

async fn create(lobby: &Lobby, player: u64) -> Result<RoomCode, Refusal> {
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::Open };
    lobby.create(&requester(player), RoomSettings::default(), seats, false).await
}

/// Enters a room; also gives what the connection reads.
async fn enter(lobby: &Lobby, room: RoomCode, player: u64) -> (Membership, OutboxReader) {
    let (outbox, reader) = outbox(ConnectionId(player), Arc::new(Metrics::new()));
    let client = Client { player: PlayerId(player), name: "Ada".parse().unwrap(), outbox };
    let joined = lobby.find_here(room).unwrap().join(client, Role::Player, None).await;
    (joined.unwrap().unwrap(), reader)
}

#[tokio::test(start_paused = true)]
async fn rooms_are_made_in_the_shards_of_the_node_and_tables_in_that_of_their_party() {
    let lobby = lobby(&[3, 11]);
    let mut counts = [0; 2];
    for player in 0..60 {
        let made = Shard::of_code(create(&lobby, player).await.unwrap());
        counts[[shard(3), shard(11)].iter().position(|shard| *shard == made).unwrap()] += 1;
    }
    assert!(counts.iter().all(|count| *count > 5), "{counts:?}");
    let party = PartyCode(shard(11).code(12_345));
    for number in 1..9 {
        let (player, id) = (PlayerId(1000 + number), number.try_into().unwrap());
        let seats = ByMark { x: Seat::Open, o: Seat::Open };
        let settings = RoomSettings::default();
        let table = lobby.open_table(party, settings, seats, Origin { player, id }).unwrap();
        assert_eq!(Shard::of_code(table.code()), shard(11));
    }
}

#[tokio::test(start_paused = true)]
async fn a_node_that_leaves_a_shard_ends_its_rooms_and_keeps_the_others() {
    let lobby = lobby(&[3]);
    let left = create(&lobby, 1).await.unwrap();
    take(&lobby, 11);
    let mut player = 2;
    let kept = loop {
        let room = create(&lobby, player).await.unwrap();
        if Shard::of_code(room) == shard(11) {
            break room;
        }
        player += 1;
    };
    let (_one, closed) = enter(&lobby, left, 1).await;
    let (_other, open) = enter(&lobby, kept, player).await;
    timeout(Duration::from_secs(5), lobby.leave_shard(shard(3))).await.unwrap();
    assert_eq!(closed.close_code(), Some(CloseCode::Restart));
    assert_eq!(open.close_code(), None);
    assert_eq!((lobby.known_here(left), lobby.known_here(kept)), (None, Some(Known::Room)));
    assert_eq!(lobby.rooms(), 1);
    assert!(lobby.enter(left).is_err() && lobby.enter(kept).is_ok());
    assert!(lobby.find_here(kept).unwrap().has_seat(PlayerId(player)).await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn hibernated_rooms_go_with_their_shard_and_count_for_nobody() {
    let lobby = lobby(&[3, 11]);
    for number in 0..300 {
        let code = shard(if number % 2 == 0 { 3 } else { 11 }).code(16 * number);
        let origin =
            Origin { player: PlayerId(1), id: u64::from(number + 100).try_into().unwrap() };
        let since = lobby.context.clock.now();
        let hibernated = Hibernated { id: 1, resume: None, since, until: since };
        lobby.registry.restore(code, hibernated, vec![origin], false);
    }
    assert_eq!((lobby.rooms(), lobby.hibernated()), (300, 300));
    assert!(create(&lobby, 1).await.is_err(), "the player has too many rooms");
    lobby.leave_shard(shard(3)).await;
    assert_eq!((lobby.rooms(), lobby.hibernated()), (150, 150));
    lobby.leave_shard(shard(11)).await;
    assert_eq!((lobby.rooms(), lobby.hibernated()), (0, 0));
    take(&lobby, 3);
    assert!(create(&lobby, 1).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_room_that_is_found_while_its_shard_goes_does_not_start() {
    let lobby = lobby(&[3]);
    let code = shard(3).code(0);
    let since = lobby.context.clock.now();
    let hibernated = Hibernated { id: 1, resume: None, since, until: since };
    lobby.registry.restore(code, hibernated, Vec::new(), false);
    let hold = lobby.shards.leave(shard(3)).unwrap();
    assert_eq!(lobby.find_here(code).unwrap_err().code, RefusalCode::Stopping);
    assert_eq!(lobby.known_here(code), None, "another node knows");
    hold.end().await;
    let refused = create(&lobby, 1).await.unwrap_err();
    assert_eq!(refused.code, RefusalCode::Stopping, "the node has no shard");
}

#[tokio::test(start_paused = true)]
async fn a_room_that_was_there_a_moment_ago_may_have_moved() {
    let code = shard(3).code(0);
    let told = |lobby: &Lobby| lobby.missed(room::no_such_room(code)).code;
    assert_eq!(told(&lobby(&[3])), RefusalCode::Stopping);
    let alone = Lobby { nodes: None, ..lobby(&[]) };
    assert_eq!(told(&alone), RefusalCode::NoSuchRoom, "on a single server it has ended");
    let full = Refusal::new(RefusalCode::Full, "the room is full");
    assert_eq!(lobby(&[3]).missed(full).code, RefusalCode::Full);
}

#[tokio::test(start_paused = true)]
async fn a_node_that_reads_late_does_not_say_that_there_is_no_room() {
    let lobby = lobby(&[3, 11]);
    let directory = lobby.nodes().unwrap().directory();
    let (lost, kept) = (shard(3).code(0), shard(11).code(0));
    let reading = async {
        let asked = directory.until_asked().await;
        // Another node has claimed the shard, and may have made the room.
        directory.set_owner(shard(3), Owner::Node(NodeName::of(2)));
        directory.set_read_for(asked);
    };
    let known = async { tokio::join!(lobby.known_surely(lost), lobby.known_surely(kept)) };
    assert_eq!(tokio::join!(known, reading).0, (None, Some(Known::Nothing)));
    directory.set_owner(shard(3), Owner::Me);
    assert_eq!(lobby.known_surely(lost).await, None, "nobody reads the log");
}
