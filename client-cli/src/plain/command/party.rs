//! The commands about a party in plain mode.

use noughts_protocol::party::MAX_ADDED_MS;
use noughts_protocol::{ChatText, PartyIntent, PartyPhase, PartyState};

/// A line about the party.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::plain) enum PartyLine {
    /// The meaning for the player.
    Status,
    Tables,
    Standings,
    Rounds,
    People,
    Ready,
    /// To play too, or again.
    Play,
    /// To watch the game at a table.
    Watch(u16),
    /// To watch no table any more.
    Leave,
    /// To set the result of a table.
    Decide {
        table: u16,
        winner: Option<u16>,
        note: Option<ChatText>,
    },
    /// An intent for the party.
    Ask(PartyIntent),
    /// A line that lacks something. The text says what.
    Wrong(&'static str),
}

/// The commands of a party.
pub(in crate::plain) const HELP: &str = "\
In a party:
  ready       you are there for your next game
  party       what goes on for you
  tables      the games of this round; also standings, rounds and people
  watch 2     watch the game at table 2; leave stops it
  drop out    play no more; play again comes back
Its host:
  start       start it; also pause, pause clocks, go and end party
  again       begin it again when it is over, with those who are there
  skip 3      set number 3 of the people aside; bring 3 brings them back
  remove 3    remove number 3 for good; let in 3 takes that back
  time 2 60   60 more seconds for the move or the ready check at table 2
  rename 3 Bea
              gives number 3 of the people another name
  place 3     a link that gives the place of number 3 to another device
  decide 2 3  number 3 has won at table 2; also decide 2 draw. A note may follow
";

/// Reads a line about a party that the player follows. `None` if it is about something else.
pub(super) fn read(line: &str, state: &PartyState) -> Option<PartyLine> {
    let words: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Some(match words[..] {
        ["ready"] => PartyLine::Ready,
        ["party" | "status"] => PartyLine::Status,
        ["tables"] => PartyLine::Tables,
        ["standings"] => PartyLine::Standings,
        ["rounds" | "bracket"] => PartyLine::Rounds,
        ["people"] => PartyLine::People,
        ["play", "too" | "again"] => PartyLine::Play,
        ["leave"] => PartyLine::Leave,
        ["watch", table] => match table.parse() {
            Ok(table) => PartyLine::Watch(table),
            Err(_) => PartyLine::Wrong("type watch and the number of a table: watch 2"),
        },
        ["watch"] => PartyLine::Wrong("type watch and the number of a table: watch 2"),
        ["drop", "out"] | ["withdraw"] => PartyLine::Ask(PartyIntent::Withdraw),
        ["start"] => PartyLine::Ask(PartyIntent::StartParty),
        ["pause"] => PartyLine::Ask(PartyIntent::PauseParty { pause: true, clocks: false }),
        ["go"] | ["go", "on"] => {
            PartyLine::Ask(PartyIntent::PauseParty { pause: false, clocks: false })
        }
        ["pause", "clocks"] => {
            PartyLine::Ask(PartyIntent::PauseParty { pause: true, clocks: true })
        }
        ["again"] if state.phase == PartyPhase::Over => {
            PartyLine::Ask(PartyIntent::Again { settings: None })
        }
        ["end", "party"] => PartyLine::Ask(PartyIntent::EndParty),
        ["end"] => PartyLine::Wrong("type end party to end the party"),
        ["skip" | "bring", ref who @ ..] => match entrant(who, state) {
            Some(entrant) => {
                PartyLine::Ask(PartyIntent::Skip { entrant, skip: words[0] == "skip" })
            }
            None => PartyLine::Wrong("type a number of the list of people: skip 3, bring 3"),
        },
        ["remove", ref who @ ..] => remove(who, state, true),
        ["let", "in", ref who @ ..] => remove(who, state, false),
        ["time", table, seconds] => add_time(table, seconds, state),
        ["time", ..] => PartyLine::Wrong(TIME),
        ["rename", number, ..] => rename(line, number, state),
        ["rename"] => PartyLine::Wrong(RENAME),
        ["place", ref who @ ..] => match entrant(who, state) {
            Some(entrant) => PartyLine::Ask(PartyIntent::PlacePass { entrant }),
            None => PartyLine::Wrong("type a number of the list of people: place 3"),
        },
        ["decide", table, winner, ..] => return Some(decide(line, table, winner)),
        ["decide", ..] => PartyLine::Wrong(DECIDE),
        _ => return None,
    })
}

fn remove(who: &[&str], state: &PartyState, remove: bool) -> PartyLine {
    match entrant(who, state) {
        Some(entrant) => PartyLine::Ask(PartyIntent::Remove { entrant, remove }),
        None => PartyLine::Wrong("type a number of the list of people: remove 3, let in 3"),
    }
}

const TIME: &str = "type a table and 1 to 600 seconds: time 2 60";

/// More time at a table.
fn add_time(table: &str, seconds: &str, state: &PartyState) -> PartyLine {
    let table = table.parse().unwrap_or(0);
    let mut open = state.pairings.iter().filter(|one| one.outcome.is_none() && one.table > 0);
    let pairing = open.find(|one| one.table == table).map(|one| one.number);
    let ms = seconds.parse::<u32>().ok().and_then(|seconds| seconds.checked_mul(1_000));
    match pairing.zip(ms.filter(|ms| (1..=MAX_ADDED_MS).contains(ms))) {
        Some((pairing, ms)) => PartyLine::Ask(PartyIntent::AddTime { pairing, ms }),
        None => PartyLine::Wrong(TIME),
    }
}

const RENAME: &str = "type a number of the list of people and the new name: rename 3 Bea";

/// The host's new name for an entrant. A name may have spaces.
fn rename(line: &str, number: &str, state: &PartyState) -> PartyLine {
    let name = line.split_whitespace().skip(2).collect::<Vec<_>>().join(" ");
    match (entrant(&[number], state), name.parse()) {
        (Some(entrant), Ok(name)) => PartyLine::Ask(PartyIntent::Rename { entrant, name }),
        _ => PartyLine::Wrong(RENAME),
    }
}

const DECIDE: &str = "type the table, who has won, and a note: decide 2 3 They agreed";

/// An entrant by number, or by name.
fn entrant(words: &[&str], state: &PartyState) -> Option<u16> {
    let name = words.join(" ");
    if let Ok(number) = name.parse() {
        return state.entrant(number).map(|entrant| entrant.number);
    }
    let named = |one: &&noughts_protocol::Entrant| one.name.as_str().to_lowercase() == name;
    state.entrants.iter().find(named).map(|entrant| entrant.number)
}

fn decide(line: &str, table: &str, winner: &str) -> PartyLine {
    let note = line.split_whitespace().skip(3).collect::<Vec<_>>().join(" ");
    let note = if note.is_empty() { Ok(None) } else { note.parse().map(Some) };
    let winner = if winner == "draw" { Ok(None) } else { winner.parse().map(Some) };
    match (table.parse(), winner, note) {
        (Ok(table), Ok(winner), Ok(note)) => PartyLine::Decide { table, winner, note },
        (_, _, Err(_)) => PartyLine::Wrong("write at most 140 characters as the note"),
        _ => PartyLine::Wrong(DECIDE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::party::{gathering, paired};

    #[test]
    fn the_host_names_an_entrant_by_number_and_the_new_name_keeps_its_case() {
        let state = PartyState::from_snapshot(gathering()).unwrap();
        let rename = |name: &str| {
            let name = name.parse().unwrap();
            Some(PartyLine::Ask(PartyIntent::Rename { entrant: 3, name }))
        };
        assert_eq!(read("rename 3 Bea B.", &state), rename("Bea B."));
        for wrong in ["rename", "rename 3", "rename 9 Bea"] {
            assert_eq!(read(wrong, &state), Some(PartyLine::Wrong(RENAME)), "{wrong}");
        }
        for (line, remove) in [("remove 3", true), ("let in 3", false)] {
            let asked = PartyLine::Ask(PartyIntent::Remove { entrant: 3, remove });
            assert_eq!(read(line, &state), Some(asked), "{line}");
        }
        let place = PartyLine::Ask(PartyIntent::PlacePass { entrant: 3 });
        assert_eq!(read("place 3", &state), Some(place));
    }

    #[test]
    fn the_host_gives_time_at_a_table_that_plays() {
        let state = PartyState::from_snapshot(paired()).unwrap();
        let time = PartyLine::Ask(PartyIntent::AddTime { pairing: 1, ms: 600_000 });
        assert_eq!(read("time 1 600", &state), Some(time));
        for wrong in ["time", "time 1", "time 9 60", "time 1 601", "time 1 0", "time 0 60"] {
            assert_eq!(read(wrong, &state), Some(PartyLine::Wrong(TIME)), "{wrong}");
        }
    }
}
