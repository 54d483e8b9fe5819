//! Replays the entries of a room and checks that each fact may follow the facts before it.
//! Recovery, `export` and `verify` do this, by the same rules as the room that wrote the facts.
//! Pure.

use noughts_protocol::{Event, OutOfStep, RoomCode, RoomSettings, RoomState};

use super::entry::Entry;

/// Replays the entries of a room and calls `each` with every entry, its event, and the state after
/// it.
///
/// # Errors
/// If an entry cannot follow those before it; the text names its version and says why.
pub fn replay<'a>(
    code: RoomCode,
    settings: RoomSettings,
    entries: &'a [Entry],
    mut each: impl FnMut(&'a Entry, &Event, &RoomState),
) -> Result<RoomState, String> {
    let mut state = RoomState::new(code, settings);
    for entry in entries {
        let event = apply(&mut state, entry)?;
        each(entry, &event, &state);
    }
    Ok(state)
}

/// Applies the next entry and returns its event.
fn apply(state: &mut RoomState, entry: &Entry) -> Result<Event, String> {
    let wrong = |why: &str| format!("at version {}: {why}", entry.v);
    let event = entry.event(state).map_err(|why| wrong(&why))?;
    state.apply(entry.v, &event).map_err(|out_of_step| match out_of_step {
        OutOfStep::Gap { .. } => wrong("the version is not the next"),
        OutOfStep::Contradiction(why) => wrong(&why.to_string()),
    })?;
    Ok(event)
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{Computer, Mark, Score, Seat, Series};

    use super::*;
    use crate::journal::entry::Payload;

    /// A game of two computers in which X, with 0 and 1, can complete the first row.
    fn entries() -> Vec<Entry> {
        let seated = |mark| Event::Seated { mark, seat: Seat::Computer(Computer::default()) };
        let score = Score::default();
        let started = Event::GameStarted {
            game: 1,
            first: Mark::X,
            score,
            opening: None,
            series: Series::default(),
        };
        let facts = [seated(Mark::X), seated(Mark::O), started];
        let facts = facts.iter().map(|fact| Entry::of(fact, 0, 1, 0).payload);
        let moves = [0, 3, 1, 4].map(Payload::Move);
        let entry = |(payload, v)| Entry { v, run: 1, at: 0, payload, crc: 0 };
        facts.chain(moves).zip(1..).map(entry).collect()
    }

    fn check(entries: &[Entry], expected: Result<u64, &str>) {
        let code = RoomCode::from_number(1);
        let replayed = replay(code, RoomSettings::default(), entries, |_, _, _| {});
        let replayed = replayed.map(|state| state.v);
        assert_eq!(replayed, expected.map_err(str::to_owned));
    }

    #[test]
    fn versions_are_the_numbers_of_the_facts() {
        check(&entries(), Ok(7));
        for (fact, v) in [(6, 8), (6, 6), (0, 0), (0, 2), (0, u64::MAX)] {
            let mut entries = entries();
            entries[fact].v = v;
            check(&entries, Err(&format!("at version {v}: the version is not the next")));
        }
    }

    #[test]
    fn a_fact_is_what_the_rules_say() {
        let check = |payload, expected| {
            let mut entries = entries();
            entries.push(Entry { v: 8, run: 1, at: 0, payload, crc: 0 });
            check(&entries, expected);
        };
        let end = r#"{"result":{"how":"line","winner":"x","lines":[{"kind":"row","number":1,"cells":[0,1,2]}]},"score":{"x":1,"o":0,"draws":0}}"#;
        let moved = |cell, over: &str| {
            let move_ = format!(r#"{{"kind":"moved","game":1,"ply":4,"mark":"x","cell":{cell}"#);
            Payload::Fact(format!(r#"{move_},"over":{over}}}"#))
        };
        check(Payload::Move(8), Ok(8));
        check(moved(2, end), Ok(8));
        check(moved(8, end), Err("at version 8: the rules give another result"));
        check(Payload::Move(2), Err("at version 8: the rules give another result"));
        let more = end.replace(r#""x":1"#, r#""x":2"#);
        check(
            moved(2, &more),
            Err("at version 8: the score does not follow from the score before"),
        );
        check(Payload::Move(3), Err("at version 8: cell 4 is taken by O: choose an empty one"));
    }
}
