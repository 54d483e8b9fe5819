//! The pairings of a party. Pure: a party's state and lots in, pairings out.
//!
//! A round is paired when the one before is over. [`knockout`], [`round_robin`] and [`swiss`] pair
//! whole rounds, [`winner_stays`] one table after the other. [`history`] is what they know of the
//! games before, [`matching`] finds the best pairs of a few, [`lookahead`] the best for the
//! rounds that follow, and [`places`] ranks the entrants.

mod coins;
mod history;
mod knockout;
mod lookahead;
mod matching;
mod places;
mod round_robin;
mod swiss;
mod winner_stays;

use noughts_protocol::party::{MAX_ENTRANTS, PartyFormat, PartyState, Stage};
use noughts_protocol::{DecidedBy, Entrant, Pairing, PairingOutcome, PlayerName};

pub(crate) use coins::Coins;
pub(crate) use places::places;

/// The most pairings of a party. It ends after them; those before it began again do not count.
pub(crate) const MAX_PAIRINGS: u32 = 5_000;

/// The next thing in a party that is being played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NextRound {
    /// Games run, or there are too few to play.
    Wait,
    /// These meet. It is a new round, except in "winner stays on".
    Pair(Vec<Pairing>),
    /// Everything is played.
    Over,
}

/// Two who meet, or one who has a bye.
#[derive(Debug, Clone, Copy)]
struct Meeting {
    first: u16,
    second: Option<u16>,
    stage: Option<Stage>,
}

impl Meeting {
    const fn bye(entrant: u16) -> Self {
        Self { first: entrant, second: None, stage: None }
    }

    const fn game(first: u16, second: u16) -> Self {
        Self { first, second: Some(second), stage: None }
    }
}

/// The computers that take empty places at the start, so that nobody has a bye; none if the host wants none.
/// With more than 128 people a knockout has byes all the same: it admits no more entrants.
#[must_use]
pub(crate) fn fill(state: &PartyState) -> Vec<Entrant> {
    let Some(computer) = state.settings.fill else { return Vec::new() };
    let people = active(state).count();
    let wanted = match state.settings.format {
        PartyFormat::Knockout => people.next_power_of_two(),
        PartyFormat::RoundRobin | PartyFormat::Swiss => people.next_multiple_of(2),
        PartyFormat::WinnerStays => people.max(2 * usize::from(state.settings.tables)),
    };
    let most = MAX_ENTRANTS.min(state.settings.most_entrants());
    let free = most.saturating_sub(state.entrants.len());
    let count = wanted.max(2).saturating_sub(people).min(free);
    let first = u16::try_from(state.entrants.len()).unwrap_or(u16::MAX).saturating_add(1);
    let taken = |text: &str| state.entrants.iter().any(|entrant| entrant.name.as_str() == text);
    let named = (1..).map_while(|n: u32| format!("Computer {n}").parse::<PlayerName>().ok());
    let computers = (first..).zip(named).take(count).map(|(number, name)| Entrant {
        computer: Some(computer),
        ..Entrant::new(number, name.unique(taken))
    });
    computers.collect()
}

/// The next thing. The outcome of a bye is a fact like any other: [`bye_outcome`] comes before the
/// next round.
#[must_use]
pub(crate) fn next(state: &PartyState, coins: &mut Coins) -> NextRound {
    if state.settings.format == PartyFormat::WinnerStays {
        return winner_stays::next(state, coins);
    }
    if state.pairings.iter().any(|pairing| pairing.outcome.is_none()) {
        return NextRound::Wait;
    }
    let meetings = match state.settings.format {
        PartyFormat::RoundRobin => round_robin::next(state),
        PartyFormat::Swiss => swiss::next(state, coins),
        PartyFormat::Knockout | PartyFormat::WinnerStays => knockout::next(state, coins),
    };
    meetings.map_or(NextRound::Over, |meetings| NextRound::Pair(numbered(state, &meetings)))
}

/// Whether everything but byes is played in this round.
#[must_use]
pub(crate) fn is_round_over(state: &PartyState) -> bool {
    state.pairings.iter().all(|pairing| pairing.outcome.is_some() || pairing.second.is_none())
}

/// How a bye ends when the rest of its round is over. In a round robin it gives no points:
/// everybody has one or none.
#[must_use]
pub(crate) fn bye_outcome(state: &PartyState, pairing: &Pairing) -> PairingOutcome {
    let counts = state.settings.format != PartyFormat::RoundRobin;
    PairingOutcome { winner: counts.then_some(pairing.first), how: DecidedBy::Bye, note: None }
}

/// The pairing of somebody who comes after the start of a knockout: they take the place of a bye in
/// the first round. `None` if there is none any more.
#[must_use]
pub(crate) fn late_pairing(state: &PartyState, entrant: u16, coins: &mut Coins) -> Option<Pairing> {
    let is_knockout = state.settings.format == PartyFormat::Knockout;
    let bye = knockout::free_bye(state).filter(|_| is_knockout)?;
    let [first, second] = if coins.flip() { [bye.first, entrant] } else { [entrant, bye.first] };
    let table = state.pairings.iter().map(|pairing| pairing.table).max().unwrap_or(0) + 1;
    Some(Pairing { table, first, second: Some(second), ..bye.clone() })
}

/// Whether somebody new can still play.
#[must_use]
pub(crate) fn admits_late_comers(state: &PartyState) -> bool {
    state.settings.format != PartyFormat::Knockout
        || state.round == 0
        || knockout::free_bye(state).is_some()
}

/// Entrants who can be paired, by number.
fn active(state: &PartyState) -> impl Iterator<Item = &Entrant> {
    state.entrants.iter().filter(|entrant| !entrant.left)
}

/// The number of the next pairing.
fn next_number(state: &PartyState) -> u32 {
    state.last_pairing().saturating_add(1)
}

/// The pairings of these meetings, with numbers and tables.
fn numbered(state: &PartyState, meetings: &[Meeting]) -> Vec<Pairing> {
    let mut tables = 0;
    let numbered = (next_number(state)..).zip(meetings).map(|(number, meeting)| {
        tables += u16::from(meeting.second.is_some());
        let table = if meeting.second.is_some() { tables } else { 0 };
        let &Meeting { first, second, stage } = meeting;
        Pairing { number, table, first, second, stage, game: 0, room: None, outcome: None }
    });
    numbered.collect()
}
