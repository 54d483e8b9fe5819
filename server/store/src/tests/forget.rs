//! Nothing is left of a person who was forgotten.

use std::collections::HashSet;
use std::time::Duration;

use noughts_protocol::{Animal, ByMark, Colour, Face, Participant, PlayerId, RoomSettings};
use proptest::prelude::*;
use rusqlite::Connection;

use super::world::*;
use crate::folder::FILE;
use crate::{Change, FinishedGame, Store};

/// People with ids and names that nothing else in the file looks like.
fn somebody(n: usize) -> (PlayerId, String) {
    (PlayerId(0xfedc_ba98_0000_0000 + n as u64), format!("Person{n}x"))
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Play { x: usize, o: usize, cells: &'static [u16], rated: bool, large: bool },
    Forget(usize),
    Prune,
}

const PEOPLE: usize = 4;

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let cells = proptest::sample::select(vec![X_WINS, O_WINS, DRAW, &[4][..]]);
    // The number after the people is a computer's.
    let play = (0..=PEOPLE, 0..=PEOPLE, cells, any::<bool>(), any::<bool>());
    let play =
        play.prop_map(|(x, o, cells, rated, large)| Step::Play { x, o, cells, rated, large });
    let step =
        prop_oneof![12 => play, 2 => (0..PEOPLE).prop_map(Step::Forget), 1 => Just(Step::Prune)];
    proptest::collection::vec(step, 0..40)
}

fn participant(n: usize) -> Participant {
    let (player, name) = somebody(n);
    match person(player, &name) {
        _ if n == PEOPLE => computer(),
        Participant::Human { player, name } => {
            // Everybody has another face.
            let face = Face { animal: Animal::ALL[n], colour: Colour::ALL[n] };
            Participant::Human { player, name: name.with_face(Some(face)) }
        }
        other => other,
    }
}

fn change(step: Step, id: u64) -> Option<Change> {
    Some(match step {
        Step::Play { x, o, cells, rated, large } => {
            let players = ByMark { x: participant(x), o: participant(o) };
            let game = finished(id, players, cells);
            let board = if large && cells.len() == 1 { "5x5x4" } else { "3x3x3" };
            let settings = RoomSettings { board: board.parse().unwrap(), ..game.settings };
            Change::Game(Box::new(FinishedGame { settings, rated, ..game }))
        }
        Step::Forget(n) => Change::Forget { player: somebody(n).0, at: 5 },
        Step::Prune => return None,
    })
}

async fn check(steps: Vec<Step>) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    let mut forgotten = HashSet::new();
    for (step, id) in steps.into_iter().zip(1..) {
        if let Step::Forget(n) = step {
            forgotten.insert(n);
        }
        match change(step, id) {
            Some(change) => store.save(vec![change]).await.unwrap(),
            None => store.maintain(Duration::from_secs(id), Duration::ZERO),
        }
    }
    let (told, _) = verified(folder.path());
    prop_assert_eq!(told, Vec::<String>::new());
    for n in 0..PEOPLE {
        prop_assert_eq!(store.is_forgotten(somebody(n).0), forgotten.contains(&n));
    }
    store.close(Duration::ZERO).await;
    let connection = Connection::open(folder.path().join(FILE)).unwrap();
    for table in rows(&connection, "SELECT name FROM sqlite_schema WHERE type = 'table'") {
        let all = rows(&connection, &format!("SELECT * FROM {table}"));
        // Some rows say who was forgotten.
        let others = if table == "player" { " WHERE forgotten IS NULL" } else { "" };
        let others = rows(&connection, &format!("SELECT * FROM {table}{others}"));
        for n in &forgotten {
            let (player, name) = somebody(*n);
            let names = [name.as_str(), Animal::ALL[*n].name()];
            let ids =
                [player.to_string(), player.0.cast_signed().to_string(), player.0.to_string()];
            for row in &all {
                prop_assert!(!names.iter().any(|name| row.contains(name)), "{table}: {row}");
            }
            for row in &others {
                prop_assert!(!ids.iter().any(|id| row.contains(id)), "{table}: {row}");
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// All that is counted and rated stays sound too.
    #[test]
    fn nothing_names_a_forgotten_person(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(check(steps))?;
    }
}

#[tokio::test]
async fn who_was_forgotten_stays_so_and_is_a_stranger_to_the_archive() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    store.save(vec![ended(1, two(), X_WINS)]).await.unwrap();
    let forget = Change::Forget { player: ADA, at: 5 };
    store.save(vec![forget.clone()]).await.unwrap();
    store.save(vec![forget]).await.unwrap();
    assert!(store.is_forgotten(ADA) && !store.is_forgotten(BOB));
    store.close(Duration::ZERO).await;
    let connection = Connection::open(folder.path().join(FILE)).unwrap();
    let tombstones = "SELECT id, name, forgotten FROM player WHERE forgotten IS NOT NULL";
    assert_eq!(rows(&connection, tombstones), ["2778 - 5"], "once");
    drop(connection);
    let (store, _) = open(&folder);
    assert!(store.is_forgotten(ADA), "after a restart too");
}

#[tokio::test]
async fn the_live_rooms_of_a_person_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    let state = format!(r#"{{"seat":"{BOB}"}}"#);
    let seated = Change::Live { code: code(2), expected: None, row: Some(room_row(1, &state)) };
    store.save(vec![room(1, None, 1), seated]).await.unwrap();
    assert_eq!(store.codes_naming(BOB).await, Ok(vec![code(2)]));
    assert_eq!(store.codes_naming(ADA).await, Ok(vec![code(1), code(2)]), "they made them");
}
