//! Each pair of facts that is one fact now, and the damage that stays.

use noughts_protocol::{RoomCode, RoomSettings};

use super::*;
use crate::journal::replay::replay;

/// The checksum that the room's first fact follows.
const ROOM: u32 = 7;

const PLACING: &str = r#"{"state":"placing","by":"x","until_ply":3}"#;
const CHOOSING: &str = r#"{"state":"choosing","by":"o","may_add":true}"#;
const ADDING: &str = r#"{"state":"placing","by":"o","until_ply":5}"#;
const CHOOSING_AGAIN: &str = r#"{"state":"choosing","by":"x","may_add":false}"#;
const DONE: &str = r#"{"state":"done"}"#;

/// A fact as these tests write it: a number is a move.
fn payload(text: &str) -> Payload {
    text.parse().map_or_else(|_| Payload::Fact(text.to_owned()), Payload::Move)
}

/// Sealed facts of protocol 1, with gaps as its versions had them.
fn sealed<'a>(facts: impl IntoIterator<Item = &'a str>) -> Vec<Entry> {
    let entry = |(fact, v): (&str, u64)| {
        let (run, at) = (2, 100 + v.cast_signed());
        Entry { v, run, at, payload: payload(fact), crc: 0 }
    };
    let mut entries: Vec<_> = facts.into_iter().zip((1..).step_by(3)).map(entry).collect();
    checksum::seal(ROOM, &mut entries);
    entries
}

/// Ada wins the first game against Bob, and the second one begins.
const BEGUN: [&str; 5] = [
    r#"{"kind":"seated","mark":"x","seat":{"kind":"human","player":"00000000000000ff","name":"Ada","presence":{"state":"connected"}}}"#,
    r#"{"kind":"seated","mark":"o","seat":{"kind":"computer","strategy":"minimax","strength":"weak"}}"#,
    r#"{"kind":"game_started","game":1,"first":"x","score":{"x":0,"o":0,"draws":0}}"#,
    r#"{"kind":"game_over","game":1,"result":{"how":"resignation","winner":"x"},"score":{"x":1,"o":0,"draws":0}}"#,
    r#"{"kind":"game_started","game":2,"first":"x","score":{"x":1,"o":0,"draws":0}}"#,
];

/// The same as it is stored today.
const BEGUN_NOW: [&str; 5] = [
    r#"{"kind":"seated","mark":"x","seat":{"kind":"human","player":"00000000000000ff","name":"Ada"}}"#,
    BEGUN[1],
    BEGUN[2],
    BEGUN[3],
    BEGUN[4],
];

/// The fact with which protocol 1 told a phase of an opening.
fn told(game: u32, phase: &str, swapped: bool) -> String {
    format!(r#"{{"kind":"opening","game":{game},"phase":{phase},"swapped":{swapped}}}"#)
}

/// Rewrites a room, and compares its facts after the first five.
fn check(old: &[&str], new: &[&str]) {
    let old = sealed(BEGUN.into_iter().chain(old.iter().copied()));
    let Rewritten { entries, replaced, damage } = rewrite(ROOM, &old);
    assert_eq!((replaced, damage), (old.len(), None));
    let expected = BEGUN_NOW.iter().chain(new).map(|text| payload(text));
    let payloads = entries.iter().map(|entry| entry.payload.clone());
    assert_eq!(payloads.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    // The rules of today find nothing wrong: not the versions, and not what the facts tell.
    let replayed =
        replay(RoomCode::from_number(1), RoomSettings::default(), &entries, |_, _, _| {});
    assert_eq!(replayed.map(|state| state.v), Ok(entries.len() as u64));
    check_sealed(&entries);
}

fn check_sealed(entries: &[Entry]) {
    let mut again = entries.to_vec();
    checksum::seal(ROOM, &mut again);
    assert_eq!(again, entries);
}

/// The same in a room of large boards, where every game opens with swap2. The seats and the score
/// are those of [`BEGUN`] or, after a choice, exchanged.
fn check_swap2(old: &[&str], new: &[&str]) {
    let first = told(1, PLACING, false);
    let second = told(2, PLACING, false);
    let opened = |text: &str| {
        format!(r#"{},"opening":{PLACING}}}"#, text.strip_suffix('}').unwrap_or_default())
    };
    let [x, o, one, over, two] = BEGUN;
    let begun = [x, o, one, &first, over, two, &second];
    let old = sealed(begun.into_iter().chain(old.iter().copied()));
    let Rewritten { entries, replaced, damage } = rewrite(ROOM, &old);
    assert_eq!((replaced, damage), (old.len(), None));
    let payloads = entries.iter().map(|entry| entry.payload.clone());
    let [x, o, one, over, two] = BEGUN_NOW;
    let (one, two) = (opened(one), opened(two));
    let begun = [x, o, &one, over, &two];
    let expected = begun.into_iter().chain(new.iter().copied()).map(payload);
    assert_eq!(payloads.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    let settings = r#"{"board":{"width":15,"height":15,"line":5},"opening":"swap2"}"#;
    let settings = serde_json::from_str(settings).unwrap();
    let replayed = replay(RoomCode::from_number(1), settings, &entries, |_, _, _| {});
    assert_eq!(replayed.map(|state| state.v), Ok(entries.len() as u64));
    check_sealed(&entries);
}

#[test]
fn a_move_and_the_end_that_it_led_to_are_one_fact() {
    check(
        &[
            "0",
            "3",
            "1",
            "4",
            "2",
            r#"{"kind":"game_over","game":2,"result":{"how":"line","winner":"x","lines":[{"kind":"row","number":1,"cells":[0,1,2]}]},"score":{"x":2,"o":0,"draws":0}}"#,
        ],
        &[
            "0",
            "3",
            "1",
            "4",
            r#"{"kind":"moved","game":2,"ply":4,"mark":"x","cell":2,"over":{"result":{"how":"line","lines":[{"cells":[0,1,2],"kind":"row","number":1}],"winner":"x"},"score":{"x":2,"o":0,"draws":0}}}"#,
        ],
    );
}

#[test]
fn an_end_that_no_move_led_to_stays_a_fact() {
    let over = r#"{"kind":"game_over","game":2,"result":{"how":"time","winner":"o"},"score":{"x":1,"o":1,"draws":0}}"#;
    let closed = r#"{"kind":"closed","reason":"idle"}"#;
    check(&["4", over, closed], &["4", over, closed]);
}

#[test]
fn a_name_or_a_vacant_seat_loses_nothing_but_the_presence() {
    let bob = |presence| {
        format!(
            r#"{{"kind":"seated","mark":"x","seat":{{"kind":"human","player":"00000000000000ff","name":"Ada L"{presence}}}}}"#
        )
    };
    let away = bob(r#","presence":{"state":"away","claim_in_ms":9}"#);
    let over = r#"{"kind":"game_over","game":2,"result":{"how":"absence","winner":null},"score":{"x":1,"o":0,"draws":1}}"#;
    let open = r#"{"kind":"seated","mark":"x","seat":{"kind":"open"}}"#;
    check(&[&away, over, open], &[&bob(""), over, open]);
}

/// The fact of a choice after which Ada sits on `ada`'s seat.
fn chosen(choice: &str, opening: &str, ada: Mark) -> String {
    let human = r#"{"kind":"human","player":"00000000000000ff","name":"Ada"}"#;
    let computer = r#"{"kind":"computer","strategy":"minimax","strength":"weak"}"#;
    let rest = match ada {
        Mark::X => {
            format!(r#""seats":{{"x":{human},"o":{computer}}},"score":{{"x":1,"o":0,"draws":0}}"#)
        }
        Mark::O => {
            format!(r#""seats":{{"x":{computer},"o":{human}}},"score":{{"x":0,"o":1,"draws":0}}"#)
        }
    };
    format!(r#"{{"kind":"chosen","game":2,"choice":"{choice}",{opening}{rest}}}"#)
}

/// The move that ends a phase.
fn moved(ply: u16, mark: &str, cell: u16, opening: &str) -> String {
    format!(
        r#"{{"kind":"moved","game":2,"ply":{ply},"mark":"{mark}","cell":{cell},"opening":{opening}}}"#
    )
}

#[test]
fn a_choice_tells_itself_and_the_seats_and_the_score_that_it_led_to() {
    // O chooses: X with an exchange, or O without.
    for (swapped, choice, ada) in [(true, "x", Mark::O), (false, "o", Mark::X)] {
        check_swap2(
            &["0", "1", "20", &told(2, CHOOSING, false), &told(2, DONE, swapped), "5"],
            &["0", "1", &moved(2, "x", 20, CHOOSING), &chosen(choice, "", ada), "5"],
        );
    }
}

#[test]
fn a_choice_after_two_more_marks_is_the_first_players() {
    for (swapped, choice, ada) in [(true, "o", Mark::O), (false, "x", Mark::X)] {
        check_swap2(
            &[
                "0",
                "1",
                "20",
                &told(2, CHOOSING, false),
                &told(2, ADDING, false),
                "5",
                "6",
                &told(2, CHOOSING_AGAIN, false),
                &told(2, DONE, swapped),
                "7",
            ],
            &[
                "0",
                "1",
                &moved(2, "x", 20, CHOOSING),
                &chosen("add", &format!(r#""opening":{ADDING},"#), Mark::X),
                "5",
                &moved(4, "x", 6, CHOOSING_AGAIN),
                &chosen(choice, "", ada),
                "7",
            ],
        );
    }
}

/// Rewrites damaged facts: the facts up to the damage are new, and the rest is untouched.
fn check_damaged(old: &[Entry], replaced: usize, damage: &str) {
    let rewritten = rewrite(ROOM, old);
    assert_eq!(rewritten.replaced, replaced);
    let told = rewritten.damage.unwrap_or_default();
    assert!(told.contains(damage), "{told}");
    check_sealed(&rewritten.entries);
    let rest = &old[replaced..];
    let highest = rewritten.entries.last().map_or(0, |entry| entry.v);
    assert!(rest.iter().all(|entry| entry.v > highest), "no version is there twice");
}

#[test]
fn what_was_damaged_stays_damaged() {
    let sealed = || sealed(BEGUN.into_iter().chain(["4", "0"]));
    let mut changed = sealed();
    changed[5].payload = Payload::Move(8);
    check_damaged(&changed, 5, "at version 16: the checksum");
    let mut missing = sealed();
    drop(missing.remove(1));
    check_damaged(&missing, 1, "at version 7: the checksum");
    let mut unreadable = sealed();
    unreadable[2].payload = Payload::Fact("{".to_owned());
    checksum::seal(ROOM, &mut unreadable);
    check_damaged(&unreadable, 2, "at version 7: EOF");
    let mut twice = sealed();
    twice[3].v = twice[2].v;
    checksum::seal(ROOM, &mut twice);
    let (sound, damage) = sound(ROOM, &twice);
    assert_eq!(
        (sound.len(), damage.as_deref()),
        (3, Some("at version 7: the version does not go up"))
    );
}

#[test]
fn what_does_not_fit_is_damage() {
    let line = r#"{"kind":"game_over","game":2,"result":{"how":"board_full"},"score":{"x":1,"o":0,"draws":1}}"#;
    let other = r#"{"kind":"game_over","game":9,"result":{"how":"time","winner":"x"},"score":{"x":2,"o":0,"draws":0}}"#;
    let (choice, swapped_add) = (told(2, DONE, false), told(2, ADDING, true));
    for misfit in [line, other, &choice, &swapped_add, &told(1, CHOOSING, false)] {
        check_damaged(&sealed(BEGUN.into_iter().chain([misfit])), 5, "at version 16: ");
    }
}
