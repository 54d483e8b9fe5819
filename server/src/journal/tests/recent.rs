//! Facts that are not in `event` yet: nobody sees a difference.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rusqlite::Connection;

use super::super::recent::MAX_BYTES;
use super::*;

/// Rooms of a test.
const ROOMS: i64 = 5;

fn open(folder: &Folder) -> Store {
    Store::open(&folder.0, Durability::Power, 0).unwrap().0
}

fn create(room: i64) -> Write {
    Write::Create { room, new: new_room(), made: 0, entries: Vec::new() }
}

fn entries(room: i64, before: &[Entry], number: usize) -> Vec<Entry> {
    let v = before.last().map_or(0, |entry| entry.v);
    let crc = before.last().map_or_else(|| new_room().checksum(room, 0), |entry| entry.crc);
    let mut entries: Vec<Entry> = (v + 1..)
        .take(number)
        .map(|v| {
            let event = if v % 5 == 0 { events()[2].clone() } else { moved() };
            Entry::of(&event, v, 1, 7)
        })
        .collect();
    checksum::seal(crc, &mut entries);
    entries
}

fn append(room: i64, entries: Vec<Entry>) -> Write {
    Write::Append { room, entries, kept: None, ended: None }
}

fn number(file: &Connection, sql: &str) -> i64 {
    file.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// A copy of the files of a server that runs, as a kill leaves them.
fn killed(folder: &Folder) -> Folder {
    let copy = Folder::new();
    std::fs::create_dir(&copy.0).unwrap();
    for name in [FILE, "journal.db-wal"] {
        std::fs::copy(folder.0.join(name), copy.0.join(name)).unwrap();
    }
    copy
}

#[test]
fn readers_see_the_same_facts_before_between_and_after_the_steps_and_a_kill() {
    let folder = Folder::new();
    let mut store = open(&folder);
    let reader = Reader::open(&folder.0).unwrap();
    let seed = rand::random();
    let mut rng = StdRng::seed_from_u64(seed);
    store.commit(&(1..=ROOMS).map(create).collect::<Vec<_>>()).unwrap();
    let mut rooms = vec![Vec::new(); 5];
    let mut sorted_and_recent = 0;
    let file = Connection::open(folder.0.join(FILE)).unwrap();
    for turn in 0..120 {
        let check = |reader: &Reader, rooms: &[Vec<Entry>]| {
            for (room, entries) in (1..).zip(rooms) {
                let stored = reader.room(room).unwrap();
                assert_eq!((&stored.entries, stored.broken), (entries, None), "seed {seed}");
            }
        };
        match rng.random_range(0..4) {
            0 | 1 => {
                let mut writes = Vec::new();
                for (room, known) in (1..).zip(&mut rooms) {
                    let new = entries(room, known, rng.random_range(0..90));
                    known.extend(new.clone());
                    writes.push(append(room, new));
                }
                store.commit(&writes).unwrap();
            }
            // Few facts are new, so that a generation begins.
            2 => drop(store.checkpoint()),
            _ => drop(store.sort()),
        }
        check(&reader, &rooms);
        let both = number(&file, "SELECT count(*) FROM event") > 0
            && number(&file, "SELECT count(*) FROM batch") > 0;
        sorted_and_recent += i32::from(both);
        if turn % 20 == 0 {
            let copy = killed(&folder);
            check(&Reader::open(&copy.0).unwrap(), &rooms);
            drop(open(&copy));
            check(&Reader::open(&copy.0).unwrap(), &rooms);
            let copied = Connection::open(copy.0.join(FILE)).unwrap();
            assert_eq!(number(&copied, "SELECT count(*) FROM batch"), 0);
        }
    }
    assert!(sorted_and_recent > 0, "seed {seed}: no step was in between");
    store.close();
    assert_eq!(number(&file, "SELECT count(*) FROM batch"), 0, "sorted at the end");
}

#[test]
fn a_version_that_is_there_is_refused_wherever_it_is() {
    let folder = Folder::new();
    let mut store = open(&folder);
    let first = entries(1, &[], 3);
    store.commit(&[create(1), append(1, first.clone())]).unwrap();
    let second = append(1, entries(1, &first, 1));
    let again = append(1, entries(1, &first[..2], 1));
    let refused = |store: &mut Store, writes: &[Write]| {
        let outcome = store.commit(writes);
        assert!(matches!(outcome, Err(DiskError::Refused(_))), "{outcome:?}");
    };
    refused(&mut store, std::slice::from_ref(&again));
    for _ in 0..3 {
        drop(store.checkpoint());
        store.commit(&[Write::Alive { at: 0, age: 0 }]).unwrap();
        while store.sort() {}
    }
    let file = Connection::open(folder.0.join(FILE)).unwrap();
    assert_eq!(number(&file, "SELECT count(*) FROM event"), 3, "sorted");
    refused(&mut store, &[again]);
    refused(&mut store, &[second.clone(), second.clone()]);
    assert_eq!(Reader::open(&folder.0).unwrap().room(1).unwrap().entries, first);
    store.commit(&[second]).unwrap();
}

#[test]
fn two_generations_are_the_most() {
    const SIZE: usize = 1 << 16;
    let folder = Folder::new();
    let mut store = open(&folder);
    let file = Connection::open(folder.0.join(FILE)).unwrap();
    store.commit(&[create(1)]).unwrap();
    let generation = MAX_BYTES / SIZE;
    let (facts, mut most) = (5 * generation, 0);
    for v in (1..).take(facts) {
        // Never asked to sort, as by a writer that has no time.
        store.commit(&[large(1, v, SIZE)]).unwrap();
        most = most.max(number(&file, "SELECT count(*) FROM batch"));
    }
    let generation = i64::try_from(generation).unwrap();
    assert!((generation + 1..=2 * generation).contains(&most), "{most} of {generation}");
    store.close();
    assert_eq!(number(&file, "SELECT count(*) FROM event"), 5 * generation);
}

#[test]
fn damage_of_a_fact_is_its_rooms_and_damage_of_a_row_is_told() {
    let folder = Folder::new();
    let mut store = open(&folder);
    store.commit(&(1..=3).map(create).collect::<Vec<_>>()).unwrap();
    let facts: Vec<Vec<Entry>> = (1..=3).map(|room| entries(room, &[], 2)).collect();
    for at in 0..2 {
        let of_room = |(room, facts): (i64, &Vec<Entry>)| append(room, vec![facts[at].clone()]);
        store.commit(&(1..).zip(&facts).map(of_room).collect::<Vec<_>>()).unwrap();
    }
    let sql = "SELECT facts FROM batch ORDER BY id LIMIT 1";
    let first = |folder: &Folder| -> (Connection, Vec<u8>) {
        let file = Connection::open(folder.0.join(FILE)).unwrap();
        let row = file.query_row(sql, [], |row| row.get(0)).unwrap();
        (file, row)
    };
    let (_, row) = first(&folder);
    for (place, broken, whole_row) in [
        (row.len() - 5, vec![3], false),
        (row.len() - 12, vec![2], false),
        (4, vec![1, 2, 3], true),
    ] {
        let copy = killed(&folder);
        let (file, mut row) = first(&copy);
        row[place] ^= 4;
        file.execute("UPDATE batch SET facts = ?1 WHERE id = (SELECT min(id) FROM batch)", [row])
            .unwrap();
        drop(file);
        for _ in 0..2 {
            let reader = Reader::open(&copy.0).unwrap();
            let damaged: Vec<i64> =
                (1..=3).filter(|room| reader.room(*room).unwrap().broken.is_some()).collect();
            assert_eq!(damaged, broken, "byte {place}");
            assert_eq!(reader.damaged_batches().unwrap().len(), usize::from(whole_row));
            // A start changes none of this.
            drop(open(&copy));
        }
    }
}
