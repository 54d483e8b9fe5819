//! The games between strangers that are rated.

use noughts_protocol::{Found, LobbyIntent, Role, RoomIntent, Variant};

use super::person::{Person, World, play};

/// Whether each of somebody's games is rated, the newest first.
async fn rated(person: &mut Person) -> Vec<bool> {
    let all = LobbyIntent::History {
        opponent: None,
        board: None,
        variant: None,
        outcome: None,
        before: None,
    };
    person.lobby(all).await.unwrap();
    match &person.found {
        Some(Found::History { games, .. }) => games.iter().map(|game| game.rated).collect(),
        other => panic!("no history: {other:?}"),
    }
}

/// Somebody who takes a seat that was left may be a friend: only the two who were paired are strangers.
#[tokio::test(start_paused = true)]
async fn a_quick_match_is_rated_only_between_the_two_who_were_paired() {
    let world = World::open();
    let [mut ada, mut bob, mut eve] = ["Ada", "Bob", "Eve"].map(|name| world.person(name));
    let board = "3x3x3".parse().unwrap();
    for person in [&mut ada, &mut bob] {
        let quick = LobbyIntent::QuickMatch {
            board,
            variant: Variant::Line,
            move_time_ms: None,
            computer: None,
        };
        person.lobby(quick).await.unwrap();
    }
    for person in [&mut ada, &mut bob] {
        person.until("the room", |person| person.room.is_some()).await;
    }
    play(&mut ada, Some(&mut bob), 9, &[]).await;
    assert_eq!(rated(&mut ada).await, [true]);
    bob.in_room(RoomIntent::Leave).await.unwrap();
    let join = LobbyIntent::Join { room: ada.code(), role: Role::Player };
    eve.lobby(join).await.unwrap();
    eve.until("the room", |person| person.room.is_some()).await;
    play(&mut ada, Some(&mut eve), 9, &[]).await;
    assert_eq!(rated(&mut ada).await, [false, true]);
    assert_eq!(rated(&mut eve).await, [false]);
}
