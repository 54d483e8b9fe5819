//! How a party stands, in lines: its tables, its standings, its rounds, its people, its podium.

use noughts_client::session;
use noughts_protocol::party::WIN_POINTS;
use noughts_protocol::{
    Entrant, Pairing, PartyFormat, PartyPhase, PastDecision, PastPairing, Place,
};

use super::{Party, ordinal, stage};
use crate::strings::{Row, columns};

/// The subject of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PartyTarget {
    /// A pairing, by number.
    Pairing(u32),
    /// An entrant, by number.
    Entrant(u16),
}

/// The widest column of names.
const NAME_COLUMNS: usize = 24;

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// Half points as people write them: "2½".
fn points(half: u16, ascii: bool) -> String {
    match (half / 2, half % 2, ascii) {
        (whole, 0, _) => whole.to_string(),
        (whole, _, true) => format!("{whole}.5"),
        (0, _, false) => "½".to_owned(),
        (whole, _, false) => format!("{whole}½"),
    }
}

/// The tables of this round: those that play first. In "winner stays on" the queue follows.
pub(crate) fn tables(party: &Party<'_>) -> Vec<Row<PartyTarget>> {
    let state = party.state;
    let mut pairings: Vec<&Pairing> = state.pairings.iter().collect();
    // The newest results of "winner stays on" come first.
    if state.settings.format == PartyFormat::WinnerStays {
        pairings.reverse();
    }
    pairings.sort_by_key(|pairing| match pairing.second {
        None => 2,
        Some(_) if pairing.outcome.is_none() => 0,
        Some(_) => 1,
    });
    let mut rows: Vec<Row<PartyTarget>> =
        pairings.into_iter().map(|pairing| table(party, pairing)).collect();
    if !state.queue.is_empty() {
        rows.extend([Row::new(""), Row::new("The queue, the next one first")]);
        rows.extend((1..).zip(&state.queue).map(|(place, number): (u16, _)| {
            Row::to(format!("{place:>3}  {}", named(party, *number)), PartyTarget::Entrant(*number))
        }));
    }
    rows
}

/// A name, with "(you)" after the reader's.
fn named(party: &Party<'_>, number: u16) -> String {
    let you = if party.me == Some(number) { " (you)" } else { "" };
    format!("{}{you}", party.name(number))
}

fn table(party: &Party<'_>, pairing: &Pairing) -> Row<PartyTarget> {
    let target = PartyTarget::Pairing(pairing.number);
    if let Some(outcome) = &pairing.outcome {
        let text = party.outcome(pairing.first, pairing.second, outcome);
        let table = if pairing.table > 0 { pairing.table.to_string() } else { String::new() };
        return Row::to(format!("{table:>3}  {text}{}", stage(pairing.stage)), target);
    }
    let Some(second) = pairing.second else {
        return Row::to(format!("     {} has a bye", named(party, pairing.first)), target);
    };
    let ready = |number: &u16| party.presence.ready.contains(number);
    let awaited: Vec<&str> =
        pairing.entrants().filter(|n| !ready(n)).map(|n| party.name(n)).collect();
    let game = match pairing.game {
        0 | 1 => String::new(),
        game => format!(", game {game}"),
    };
    let what = match (pairing.room, &awaited[..]) {
        (Some(_), _) => format!("playing{game}"),
        (None, _) if !party.is_checked(pairing) => "not begun".to_owned(),
        (None, []) => "begins".to_owned(),
        (None, [one]) => format!("waits for {one}"),
        (None, _) => "waits for both".to_owned(),
    };
    let players = format!("{} - {}", named(party, pairing.first), named(party, second));
    Row::to(format!("{:>3}  {players}: {what}{}", pairing.table, stage(pairing.stage)), target)
}

/// Everybody in the order of the places, else of the points: before anybody has one, nobody has a place. A party
/// that ended before a game did has people only.
pub(crate) fn standings(party: &Party<'_>) -> Vec<Row<PartyTarget>> {
    let state = party.state;
    if state.phase == PartyPhase::Over && state.places.is_empty() {
        return people(party);
    }
    let place_of =
        |entrant: &Entrant| state.places.iter().position(|place| place.entrant == entrant.number);
    let all = session::standings(state);
    let width = name_width(party) + 1;
    if all.is_empty() {
        return Vec::new();
    }
    let counted = match state.settings.format {
        PartyFormat::WinnerStays => "wins",
        _ => "points",
    };
    let head = Row::new(format!("     {}{counted}, won-drawn-lost", padded("", width)));
    let is_scored = all.iter().any(|entrant| score(party, entrant) > 0);
    let mut shared = (0, u16::MAX);
    let rows = (1..).zip(all).map(|(at, entrant): (u16, _)| {
        let known = place_of(entrant).filter(|_| state.phase == PartyPhase::Over);
        let place = match known {
            Some(place) => state.places[place].place,
            // Equal scores share a place.
            None if score(party, entrant) == shared.1 => shared.0,
            None => at,
        };
        shared = (place, score(party, entrant));
        let place = if is_scored { format!("{place}.") } else { String::new() };
        let shown = points(score(party, entrant), party.ascii);
        let name = padded(entrant.name.as_str(), width);
        let text =
            format!("{place:>4} {name}{shown:>4}  {}{}", record(entrant), remark(party, entrant));
        Row::to(text, PartyTarget::Entrant(entrant.number))
    });
    std::iter::once(head).chain(rows).collect()
}

/// The columns of the longest name, as far as names have columns.
fn name_width(party: &Party<'_>) -> usize {
    let names = party.state.entrants.iter().map(|entrant| columns(entrant.name.as_str()));
    names.max().unwrap_or(0).min(NAME_COLUMNS)
}

/// The number that orders the entrants: half points, or in a knockout and "winner stays on" the wins.
fn score(party: &Party<'_>, entrant: &Entrant) -> u16 {
    match party.state.settings.format {
        PartyFormat::WinnerStays => entrant.wins.saturating_mul(WIN_POINTS),
        _ => entrant.points,
    }
}

/// The pairings won, drawn and lost: "3-1-0".
fn record(entrant: &Entrant) -> String {
    format!("{}-{}-{}", entrant.wins, entrant.draws, entrant.losses)
}

fn remark(party: &Party<'_>, entrant: &Entrant) -> String {
    let mut remarks = Vec::new();
    if party.me == Some(entrant.number) {
        remarks.push("you");
    }
    if party.state.leading_entrant().is_some_and(|leader| leader.number == entrant.number) {
        remarks.push("host");
    }
    if entrant.computer.is_some() {
        remarks.push("computer");
    }
    let playing = party.state.phase == PartyPhase::Playing;
    if entrant.left {
        remarks.push("left");
    } else if playing
        && party.state.settings.format == PartyFormat::Knockout
        && party.is_out(entrant)
    {
        remarks.push("out");
    } else if party.presence.away.contains(&entrant.number) && party.state.phase != PartyPhase::Over
    {
        remarks.push("away");
    }
    if remarks.is_empty() { String::new() } else { format!("  ({})", remarks.join(", ")) }
}

/// Everybody who is in, in the order in which they came.
pub(crate) fn people(party: &Party<'_>) -> Vec<Row<PartyTarget>> {
    let width = name_width(party);
    let row = |entrant: &Entrant| {
        // The remarks have a column of their own: anybody may be called "Ada (host)".
        let name = padded(entrant.name.as_str(), width);
        let text = format!("{:>3}  {name}{}", entrant.number, remark(party, entrant));
        let text = text.trim_end();
        Row::to(text, PartyTarget::Entrant(entrant.number))
    };
    party.state.entrants.iter().map(row).collect()
}

/// All rounds with their pairings, the last one first.
pub(crate) fn rounds(party: &Party<'_>) -> Vec<Row<PartyTarget>> {
    let state = party.state;
    if state.settings.format == PartyFormat::WinnerStays {
        return tables(party);
    }
    let mut rows = Vec::new();
    if state.round > 0 {
        rows.push(Row::new(format!("Round {}", state.round)));
        rows.extend(state.pairings.iter().map(|pairing| table(party, pairing)));
    }
    // Pairings are numbered through all rounds.
    let mut first = state.played_before.saturating_add(1);
    let mut past = Vec::new();
    for (round, pairings) in (1_u16..).zip(&state.past) {
        let mut lines = vec![Row::new(""), Row::new(format!("Round {round}"))];
        for pairing in pairings {
            let decided = state.past_decisions.iter().find(|decision| decision.pairing == first);
            let line = match decided {
                Some(PastDecision { outcome, .. }) => {
                    format!("     {}", party.outcome(pairing.0, Some(pairing.1), outcome))
                }
                None => past_line(party, *pairing),
            };
            lines.push(Row::to(line, PartyTarget::Pairing(first)));
            first += 1;
        }
        past.push(lines);
    }
    rows.extend(past.into_iter().rev().flatten());
    rows
}

fn past_line(party: &Party<'_>, PastPairing(first, second, own, other): PastPairing) -> String {
    if second == 0 {
        return format!("     {} had a bye", named(party, first));
    }
    let [own, other] = [own, other].map(|half| points(half, party.ascii));
    format!("     {} {own} : {other} {}", named(party, first), named(party, second))
}

/// The first three places, in sentences: "Ada is 1st." Shared places are told together. Where only computers are 1st,
/// the first of the people follow.
pub(crate) fn podium(party: &Party<'_>) -> Vec<String> {
    let person = |place: &&Place| {
        party.state.entrant(place.entrant).is_some_and(|entrant| entrant.computer.is_none())
    };
    let best = party.state.places.iter().find(person).map(|place| place.place);
    let people = party.state.places.iter().filter(person).filter(|place| Some(place.place) == best);
    let people: Vec<&str> = people.map(|place| party.name(place.entrant)).collect();
    let people = format!("First place among people: {}.", people.join(" and "));
    let mut lines: Vec<(u16, Vec<&str>)> = Vec::new();
    for place in party.state.places.iter().filter(|place| place.place <= 3) {
        match lines.last_mut() {
            Some((last, names)) if *last == place.place => names.push(party.name(place.entrant)),
            _ => lines.push((place.place, vec![party.name(place.entrant)])),
        }
    }
    lines
        .into_iter()
        .map(|(place, names)| {
            let verb = if names.len() == 1 { "is" } else { "are" };
            format!("{} {verb} {}.", names.join(" and "), ordinal(place))
        })
        .chain(best.filter(|best| *best > 1).map(|_| people))
        .collect()
}
