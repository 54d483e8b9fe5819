//! A person who asks to be forgotten leaves no name and no id in what is stored, whatever they did before: on
//! either seat, in an opening, in a quick match, in a party. Nor does a pass let anybody in as them.

use std::path::Path;
use std::time::Duration;

use noughts_protocol::party::PartyFormat;
use noughts_protocol::{
    ByMark, CloseCode, Computer, LobbyIntent, Opening, OpeningChoice, PartyIntent, PartyPhase,
    PartyRole, PartySettings, PartyState, Role, RoomIntent, RoomSettings, RoomState, SeatRequest,
};
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::person::{Person, World, play};

/// The names under which Ada plays.
const NAMES: [&str; 2] = ["Quetzalcoatl", "Huitzilopochtli"];

/// The rows that may hold the id: by them her token is refused.
const REFUSED: &str = "forgotten IS NOT NULL";

/// How a room comes to be.
#[derive(Debug, Clone, Copy)]
enum Made {
    ByAda(SeatRequest),
    ByBob(SeatRequest),
    ByQuickMatch,
    /// Ada plays both sides.
    Alone,
}

const MADE: [Made; 6] = [
    Made::ByAda(SeatRequest::You),
    Made::ByAda(SeatRequest::Open),
    Made::ByBob(SeatRequest::You),
    Made::ByBob(SeatRequest::Open),
    Made::ByQuickMatch,
    Made::Alone,
];

/// How far a game or a party is when Ada is forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Begun,
    Running,
    Over,
    /// Nobody is there any more.
    Left,
}

#[derive(Debug, Clone)]
struct Room {
    made: Made,
    swap2: Option<Vec<OpeningChoice>>,
    stage: Stage,
    /// Ada comes back under another name meanwhile.
    renames: bool,
}

#[derive(Debug, Clone)]
struct Party {
    ada_is_host: bool,
    /// Whether Ada only looks on at her own party. Bob plays a computer then.
    ada_looks_on: bool,
    stage: Stage,
    renames: bool,
}

fn has_room(person: &Person) -> bool {
    person.room.is_some()
}

/// Ada and Bob enter a room, as it was made.
async fn enter(ada: &mut Person, bob: &mut Person, made: &Made, settings: RoomSettings) {
    let create = |x| {
        let o = if x == SeatRequest::You { SeatRequest::Open } else { SeatRequest::You };
        LobbyIntent::Create { settings, seats: ByMark { x, o }, shuffle: false }
    };
    match *made {
        Made::ByAda(x) => {
            ada.lobby(create(x)).await.unwrap();
            ada.until("the room", has_room).await;
            let join = LobbyIntent::Join { room: ada.code(), role: Role::Player };
            bob.lobby(join).await.unwrap();
        }
        Made::ByBob(x) => {
            bob.lobby(create(x)).await.unwrap();
            bob.until("the room", has_room).await;
            let join = LobbyIntent::Join { room: bob.code(), role: Role::Player };
            ada.lobby(join).await.unwrap();
        }
        Made::ByQuickMatch => {
            let quick = LobbyIntent::QuickMatch {
                board: settings.board,
                variant: settings.variant,
                move_time_ms: None,
                computer: None,
            };
            ada.lobby(quick.clone()).await.unwrap();
            bob.lobby(quick).await.unwrap();
        }
        Made::Alone => {
            let seats = ByMark { x: SeatRequest::You, o: SeatRequest::You };
            let create = LobbyIntent::Create { settings, seats, shuffle: false };
            ada.lobby(create).await.unwrap();
        }
    }
}

/// Ada and Bob play in a room.
async fn visit(world: &World, ada: &mut Person, bob: &mut Person, room: &Room) {
    (ada.room, bob.room) = (None, None);
    let opening = if room.swap2.is_some() { Opening::Swap2 } else { Opening::Free };
    let size = if room.swap2.is_some() { "15x15x5" } else { "3x3x3" };
    let board = size.parse().unwrap();
    let settings = RoomSettings { board, opening, ..RoomSettings::default() };
    enter(ada, bob, &room.made, settings).await;
    ada.until("the room", has_room).await;
    let mut bob = if matches!(room.made, Made::Alone) { None } else { Some(bob) };
    if let Some(bob) = &mut bob {
        bob.until("the room", has_room).await;
    }
    if room.stage == Stage::Begun {
        return;
    }
    let choices = room.swap2.as_deref().unwrap_or_default();
    let opened = match room.made {
        // There is nothing to choose in a quick match.
        Made::ByQuickMatch => 2,
        _ if room.swap2.is_some() => 6,
        _ => 2,
    };
    play(ada, bob.as_deref_mut(), opened, choices).await;
    if room.renames {
        let code = ada.code();
        ada.reconnect(world, NAMES[1]);
        ada.lobby(LobbyIntent::Join { room: code, role: Role::Player }).await.unwrap();
        ada.until("the room", has_room).await;
        let named = |room: &RoomState| room.seats.x.label() + &room.seats.o.label();
        let is_renamed = |ada: &Person| named(ada.room.as_ref().unwrap()).contains(NAMES[1]);
        ada.until("the new name", is_renamed).await;
    }
    if matches!(room.stage, Stage::Over | Stage::Left) {
        if room.swap2.is_none() {
            play(ada, bob.as_deref_mut(), 9, &[]).await;
        } else {
            ada.in_room(RoomIntent::Resign { game: 1 }).await.unwrap();
        }
    }
    if room.stage == Stage::Left {
        ada.in_room(RoomIntent::Leave).await.unwrap();
        if let Some(bob) = bob {
            bob.in_room(RoomIntent::Leave).await.unwrap();
        }
    }
}

/// Ada and Bob are in a party.
async fn celebrate(world: &World, ada: &mut Person, bob: &mut Person, plan: &Party) {
    (ada.room, bob.room) = (None, None);
    let board = "3x3x3".parse().unwrap();
    let format = PartyFormat::RoundRobin;
    let fill = Some(Computer::default());
    let settings = PartySettings { board, format, fill, ..PartySettings::default() };
    let host_name = if plan.ada_is_host { NAMES[0] } else { "Bob" };
    let name = format!("Party of {host_name}").parse().unwrap();
    let create = LobbyIntent::CreateParty { name, settings, plays: !plan.ada_looks_on };
    let (host, guest) =
        if plan.ada_is_host { (&mut *ada, &mut *bob) } else { (&mut *bob, &mut *ada) };
    host.lobby(create).await.unwrap();
    host.until("the party", |person| person.party.is_some()).await;
    let party = host.party.as_ref().unwrap().code;
    guest.lobby(LobbyIntent::JoinParty { party, role: PartyRole::Player }).await.unwrap();
    guest.until("the party", |person| person.party.is_some()).await;
    if plan.renames {
        ada.reconnect(world, NAMES[1]);
        let role = if plan.ada_looks_on { PartyRole::Spectator } else { PartyRole::Player };
        ada.lobby(LobbyIntent::JoinParty { party, role }).await.unwrap();
        ada.until("the party", |person| person.party.is_some()).await;
    }
    if plan.stage == Stage::Begun {
        return;
    }
    let host = if plan.ada_is_host { &mut *ada } else { &mut *bob };
    host.party(PartyIntent::StartParty).await.unwrap();
    if plan.ada_looks_on {
        let is_paired = |person: &Person| !person.party.as_ref().unwrap().pairings.is_empty();
        ada.until("the pairing", is_paired).await;
        if plan.stage != Stage::Running {
            ada.party(PartyIntent::EndParty).await.unwrap();
        }
        return;
    }
    for person in [&mut *ada, &mut *bob] {
        let is_paired = |person: &Person| !person.party.as_ref().unwrap().pairings.is_empty();
        person.until("the pairing", is_paired).await;
        person.party(PartyIntent::Ready { pairing: 1 }).await.unwrap();
    }
    ada.until("the room", has_room).await;
    bob.until("the room", has_room).await;
    play(ada, Some(bob), 3, &[]).await;
    if plan.stage == Stage::Running {
        return;
    }
    bob.in_room(RoomIntent::Resign { game: 1 }).await.unwrap();
    let is_over = |person: &Person| person.party.as_ref().unwrap().phase == PartyPhase::Over;
    ada.until("the end of the party", is_over).await;
    if plan.stage == Stage::Left {
        for person in [&mut *ada, &mut *bob] {
            person.party(PartyIntent::LeaveParty).await.unwrap();
        }
    }
}

/// Where a file of the folder still holds one of these: as a text, or as the bytes or the value of a number.
fn traces(folder: &Path, names: &[&str], player: u64) -> Vec<String> {
    let signed = player.cast_signed();
    let texts = [format!("{player:016x}"), player.to_string(), signed.to_string()];
    let mut wanted: Vec<Vec<u8>> =
        vec![player.to_le_bytes().to_vec(), player.to_be_bytes().to_vec()];
    wanted.extend(names.iter().map(|name| name.as_bytes().to_vec()));
    wanted.extend(texts.iter().map(|text| text.as_bytes().to_vec()));
    let holds = |bytes: &[u8]| {
        wanted.iter().any(|wanted| bytes.windows(wanted.len()).any(|window| window == wanted))
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "db") {
            continue;
        }
        let file = Connection::open(&path).unwrap();
        let mut tables =
            file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
        let tables: Vec<String> =
            tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        for table in tables {
            let known =
                if table == "player" { format!("WHERE NOT ({REFUSED})") } else { String::new() };
            let mut select = file.prepare(&format!("SELECT * FROM \"{table}\" {known}")).unwrap();
            let columns: Vec<String> = select.column_names().map(str::to_owned).collect();
            let mut rows = select.query([]).unwrap();
            while let Some(row) = rows.next().unwrap() {
                for (at, column) in columns.iter().enumerate() {
                    let is_trace = match row.get_ref(at).unwrap() {
                        ValueRef::Integer(number) => number == signed,
                        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => holds(bytes),
                        ValueRef::Null | ValueRef::Real(_) => false,
                    };
                    if is_trace {
                        found.push(format!("{table}.{column}: {:?}", row.get_ref(at).unwrap()));
                    }
                }
            }
        }
    }
    found
}

async fn forget_in(rooms: &[Room], party: Option<&Party>, late: bool) {
    let what = format!("{rooms:?}, {party:?}, {late}");
    let world = World::open();
    let mut ada = world.person(NAMES[0]);
    let mut bob = world.person("Bob");
    for room in rooms {
        visit(&world, &mut ada, &mut bob, room).await;
    }
    if let Some(party) = party {
        celebrate(&world, &mut ada, &mut bob, party).await;
    }
    let player = ada.player.0;
    let traces = || traces(world.folder.path(), &NAMES, player);
    assert!(!traces().is_empty(), "{what}: the search finds what is there");
    if late {
        world.wait(Duration::from_secs(2 * 3600)).await;
    }
    ada.lobby(LobbyIntent::Pass).await.unwrap();
    ada.until("a pass", |ada| ada.pass.is_some()).await;
    ada.lobby(LobbyIntent::Forget).await.unwrap();
    assert_eq!(world.shared.redeem_here(&ada.pass.take().unwrap()), None);
    if party.is_some_and(|party| party.stage != Stage::Left || party.ada_looks_on) {
        // The followers are told at once, about an entrant and about a host.
        let names_her =
            |party: &PartyState| party.host == ada.player || party.entrant_of(ada.player).is_some();
        bob.until("a party without her", |bob| !names_her(bob.party.as_ref().unwrap())).await;
    }
    assert_eq!(traces(), Vec::<String>::new(), "{what}");
    drop((ada, bob));
    world.wait(Duration::from_secs(26 * 3600)).await;
    assert_eq!(traces(), Vec::<String>::new(), "{what}: nothing comes back");
}

/// The tasks of a server end with its runtime.
fn forget(rooms: &[Room], party: Option<&Party>, late: bool) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().start_paused(true).build().unwrap();
    runtime.block_on(forget_in(rooms, party, late));
}

const STAGES: [Stage; 4] = [Stage::Begun, Stage::Running, Stage::Over, Stage::Left];

#[test]
fn a_forgotten_player_leaves_no_name_in_a_party() {
    for stage in STAGES {
        for (ada_is_host, ada_looks_on) in [(false, false), (true, false), (true, true)] {
            for late in [false, true] {
                let renames = ada_is_host != late;
                forget(&[], Some(&Party { ada_is_host, ada_looks_on, stage, renames }), late);
            }
        }
    }
}

/// Catches a device that goes on as a forgotten player, and a party that keeps their name.
#[tokio::test(start_paused = true)]
async fn no_other_device_goes_on_as_a_forgotten_player() {
    let world = World::open();
    let [mut phone, mut laptop] = ["Ada", "Ada"].map(|name| world.person(name));
    laptop.player = phone.player;
    laptop.reconnect(&world, "Ada");
    phone.lobby(LobbyIntent::Forget).await.unwrap();
    assert_eq!(laptop.end().await, CloseCode::Restart);
}

/// In each way into a room, at each stage of its game, after each opening; in one room and in two.
#[test]
fn a_forgotten_player_leaves_no_name_and_no_id_in_a_room() {
    use OpeningChoice::{Add, O, X};
    let openings = [None, Some(vec![X]), Some(vec![O]), Some(vec![Add, X]), Some(vec![Add, O])];
    let mut before = None;
    let all = MADE.into_iter().flat_map(|made| STAGES.map(|stage| (made, stage)));
    for (number, (made, stage)) in all.enumerate() {
        let swap2 = openings[number % openings.len()].clone();
        let room = Room { made, swap2, stage, renames: number % 3 == 0 };
        let rooms: Vec<Room> = before.replace(room.clone()).into_iter().chain([room]).collect();
        let after = Party { ada_is_host: true, ada_looks_on: false, stage, renames: false };
        let late = (number + number / 4) % 2 == 1;
        forget(&rooms, Some(&after).filter(|_| number % 5 == 0), late);
    }
}

/// Catches a room that cannot be read and counts as one that has ended.
#[tokio::test(start_paused = true)]
async fn nobody_is_forgotten_while_a_room_that_names_them_cannot_be_read() {
    let world = World::open();
    let mut ada = world.person(NAMES[0]);
    let mut bob = world.person("Bob");
    let made = Made::ByAda(SeatRequest::You);
    let room = Room { made, swap2: None, stage: Stage::Running, renames: false };
    visit(&world, &mut ada, &mut bob, &room).await;
    drop(bob);
    ada.reconnect(&world, NAMES[0]);
    world.wait(Duration::from_secs(600)).await;
    assert_eq!(world.shared.lobby.registry.hibernated(), 1);
    let file = Connection::open(world.folder.path().join("noughts.db")).unwrap();
    assert_eq!(file.execute("UPDATE live SET crc = crc + 1", []), Ok(1));
    ada.lobby(LobbyIntent::Forget).await.unwrap_err();
    file.execute("UPDATE live SET crc = crc - 1", []).unwrap();
    ada.lobby(LobbyIntent::Forget).await.unwrap();
    assert_eq!(traces(world.folder.path(), &NAMES, ada.player.0), Vec::<String>::new());
}
