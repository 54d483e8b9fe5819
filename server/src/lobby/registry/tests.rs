//! Which room ends for a new one, and what a room leaves behind.

use std::net::{IpAddr, Ipv4Addr};

use noughts_protocol::PlayerId;

use super::*;

const LIMITS: RoomLimits = RoomLimits {
    most: 6,
    per_player: 4,
    waiting: 2,
    per_address: 4,
    new_per_player: 100,
    new_per_address: 100,
};

/// A registry, and what keeps its active rooms alive.
#[derive(Default)]
struct World {
    registry: Option<Arc<Registry>>,
    active: Vec<(RoomInbox, RegistryEntry)>,
    /// The rooms as the case calls them.
    names: Vec<(RoomCode, String)>,
}

impl World {
    fn registry(&mut self) -> &Arc<Registry> {
        self.registry.get_or_insert_with(|| Arc::new(Registry::new(LIMITS)))
    }

    /// Adds a room: `ada@1` made it from address 1, or `ada@-` in an earlier run of the server. It is
    /// hibernated if a number says until when, and has somebody in it if none does.
    fn add(&mut self, room: &str) -> String {
        let (maker, until) = room.split_once(' ').map_or((room, None), |(maker, until)| {
            (maker, Some(Duration::from_secs(until.parse().unwrap())))
        });
        let hibernated = until.map(hibernated_until);
        let owner = owner(maker);
        let number = self.names.len() as u32;
        if owner.address.is_none() {
            let code = RoomCode::from_number(number);
            let hibernated = hibernated.expect("rooms of an earlier run are hibernated");
            self.registry().restore(code, hibernated, vec![origin(owner, number)], None);
            self.names.push((code, room.into()));
            return "made".into();
        }
        let inserted =
            self.registry().insert(&[origin(owner, number)], owner, false, Duration::ZERO);
        let Inserted { inbox, entry, evicted } = match inserted {
            Ok(inserted) => inserted,
            Err(refusal) => return format!("refused {:?}", refusal.code),
        };
        self.names.push((inbox.handle.code(), room.into()));
        match hibernated {
            Some(hibernated) => entry.hibernate(hibernated),
            None => self.active.push((inbox, entry)),
        }
        evicted.map_or("made".into(), |evicted| {
            let name = self.names.iter().find(|(code, _)| *code == evicted);
            format!("made for {}", name.unwrap().1)
        })
    }
}

fn hibernated_until(until: Duration) -> Hibernated {
    Hibernated { is_restored: false, until }
}

fn owner(maker: &str) -> Owner {
    let (player, address) = maker.split_once('@').unwrap();
    let address = address.parse().ok().map(|address| IpAddr::V4(Ipv4Addr::from_bits(address)));
    Owner { player: PlayerId(u64::from(player.as_bytes()[0])), address }
}

fn origin(owner: Owner, number: u32) -> Origin {
    Origin { player: owner.player, id: u64::from(number).try_into().unwrap() }
}

/// Checks the answer to a new room beside these rooms.
#[track_caller]
fn check(rooms: &str, new: &str, expected: &str) {
    let mut world = World::default();
    for room in rooms.split(", ").filter(|room| !room.is_empty()) {
        assert_eq!(world.add(room), "made", "{rooms}: {room}");
    }
    assert_eq!(world.add(new), expected, "{rooms}: {new}");
}

#[test]
fn a_full_address_gives_up_a_room_that_nobody_is_in() {
    check("", "ada@1", "made");
    check("ada@1 50, ada@1 40, bob@1 10", "cid@1", "made");
    check("ada@1 50, ada@1 40, bob@1 10, bob@1", "cid@2", "made");
    check("ada@1, ada@1, bob@1, bob@1 10", "cid@1", "made for bob@1 10");
    check("ada@1, ada@1, bob@1, bob@1", "cid@1", "refused TooManyRooms");
    check("ada@1, ada@1, bob@1, bob@1, cid@2 10", "cid@1", "refused TooManyRooms");
}

#[test]
fn of_the_player_with_the_most_rooms_there_the_room_that_would_end_soonest_goes() {
    check("ada@1 50, ada@1 40, ada@1 60, bob@1 10", "cid@1", "made for ada@1 40");
    check("ada@1 50, ada@1, ada@1, bob@1 10", "cid@1", "made for ada@1 50");
    check("ada@1, ada@1, ada@1, bob@1 10", "cid@1", "made for bob@1 10");
    check("ada@1 50, ada@1 40, bob@1 10, bob@1 20", "cid@1", "made for bob@1 10");
}

#[test]
fn a_full_server_takes_from_the_addresses_with_the_most_rooms() {
    check(
        "ada@1 50, ada@1 40, ada@1 60, bob@2 10, bob@2 20, cid@3 5",
        "dan@4",
        "made for ada@1 40",
    );
    check("ada@1, ada@1, ada@1, bob@2 10, bob@2 20, cid@3 5", "dan@4", "made for bob@2 10");
    check("ada@1, ada@1, ada@1, bob@2, bob@2, cid@3 5", "dan@4", "made for cid@3 5");
    check("ada@1, ada@1, ada@1, bob@2, bob@2, cid@3", "dan@4", "refused Full");
    check(
        "ada@- 50, ada@- 40, ada@- 60, bob@2 10, bob@2 20, cid@3 5",
        "dan@4",
        "made for ada@- 40",
    );
}

#[test]
fn an_address_with_few_rooms_loses_none_to_an_address_with_many() {
    check("ada@1, ada@1, ada@1, bob@2 10, cid@3 5, dan@4 5", "ada@1", "refused Full");
    check("ada@1, ada@1, ada@1, bob@2 10, bob@2 20, dan@4 5", "cid@2", "made for bob@2 10");
    check("ada@1, ada@1 90, ada@1, bob@2 10, bob@2 20, dan@4 5", "cid@2", "made for ada@1 90");
}

#[test]
fn a_player_has_only_so_many_rooms() {
    check("ada@1, ada@2, ada@3, ada@4", "ada@5", "refused TooManyRooms");
    check("ada@- 10, ada@- 20, ada@- 30, ada@- 40", "ada@1", "refused TooManyRooms");
}

#[test]
fn a_room_that_ends_leaves_nothing_behind() {
    let mut world = World::default();
    assert_eq!(world.add("ada@1"), "made");
    let registry = Arc::clone(world.registry());
    let code = world.names[0].0;
    let made = origin(owner("ada@1"), 0);
    assert_eq!((registry.has(code), registry.find_by_origin(made)), (true, Some(code)));
    drop(world.active.pop());
    assert_eq!((registry.has(code), registry.find_by_origin(made)), (false, None));
    assert_eq!((registry.len(), registry.count.load(Ordering::Relaxed)), (0, 0));
    for _ in 0..4 {
        assert_eq!(world.add("ada@1"), "made", "the room counts for nobody");
    }
}

#[test]
fn a_hibernated_room_is_found_and_becomes_active_once() {
    let mut world = World::default();
    assert_eq!(world.add("ada@1 50"), "made");
    let registry = Arc::clone(world.registry());
    let code = world.names[0].0;
    assert_eq!((registry.hibernated(), registry.len()), (1, 1));
    assert_eq!(registry.overdue(Duration::from_secs(49), 9), []);
    assert_eq!(registry.overdue(Duration::from_secs(50), 9), [code]);
    assert_eq!(registry.overdue(Duration::from_secs(50), 0), []);
    let Some(Lookup::Activated(_inbox, entry, _)) = registry.find(code) else { panic!() };
    assert!(matches!(registry.find(code), Some(Lookup::Active(_))));
    assert_eq!((registry.hibernated(), registry.len()), (0, 1));
    assert_eq!(registry.overdue(Duration::from_secs(50), 9), []);
    drop(entry);
    assert!(registry.find(code).is_none());
}

#[test]
fn a_room_counts_as_waiting_until_somebody_comes() {
    let registry = Arc::new(Registry::new(LIMITS));
    let ada = owner("ada@1");
    let wait = || registry.insert(&[], ada, true, Duration::ZERO);
    let mut one = wait().unwrap();
    let _two = wait().unwrap();
    assert_eq!(wait().unwrap_err().code, RefusalCode::TooManyRooms);
    one.entry.set_waiting(false);
    one.entry.set_waiting(false);
    let three = wait().unwrap();
    assert!(wait().is_err(), "told twice, it counts once");
    one.entry.set_waiting(true);
    drop(three);
    assert!(wait().is_err());
}
