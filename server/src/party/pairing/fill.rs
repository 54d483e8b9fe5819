//! The computers that take empty places when a party starts, so that nobody has a bye.

use noughts_protocol::party::{MAX_ENTRANTS, PartyFormat, PartyState};
use noughts_protocol::{Entrant, PlayerName};

use super::active;

/// The computers that join at the start; none if the host wants none. With more than 128 people a
/// knockout has byes all the same: it admits no more entrants.
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
