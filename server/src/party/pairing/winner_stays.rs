//! Winner stays on: the winner of a table plays the next one in the queue, at once. The queue is the
//! state's: winners go to its head and losers to its end.

use noughts_protocol::party::PartyState;
use noughts_protocol::{Entrant, Pairing};

use super::coins::Coins;
use super::{MAX_PAIRINGS, NextRound, active, next_number};

/// The pairings of the tables that are free.
pub(super) fn next(state: &PartyState, coins: &mut Coins) -> NextRound {
    let running: Vec<&Pairing> =
        state.pairings.iter().filter(|pairing| pairing.outcome.is_none()).collect();
    let wins = |entrant: &Entrant| u32::from(entrant.wins);
    let most = state.entrants.iter().map(wins).max().unwrap_or(0);
    let is_won = state.settings.first_to.is_some_and(|first_to| most >= u32::from(first_to));
    if is_won || next_number(state) > state.played_before.saturating_add(MAX_PAIRINGS) {
        // The games that run are played to their end.
        return if running.is_empty() { NextRound::Over } else { NextRound::Wait };
    }
    // Computers do not play among themselves for nobody.
    if active(state).all(|entrant| entrant.computer.is_some()) {
        return NextRound::Wait;
    }
    let is_free = |table: &u16| running.iter().all(|pairing| pairing.table != *table);
    let mut free: Vec<u16> = (1..=u16::from(state.settings.tables)).filter(is_free).collect();
    let mut waiting = state.queue.iter().copied();
    let mut pairings = Vec::new();
    let are_others_busy = !running.is_empty();
    while !free.is_empty() {
        let (Some(one), Some(other)) = (waiting.next(), waiting.next()) else { break };
        let last = last_of(state, one);
        let again = last.and_then(|last| last.opponent_of(one)) == Some(other);
        if again && state.queue.len() == 2 && are_others_busy {
            // The two have just met. Another game ends soon, and then they meet others.
            break;
        }
        let won = last.filter(|last| winner_of(last) == Some(one));
        let kept = won.and_then(|won| free.iter().position(|table| *table == won.table));
        let table = free.remove(kept.unwrap_or(0));
        let (first, second) = order(state, one, other, coins);
        let number = next_number(state).saturating_add(u32::try_from(pairings.len()).unwrap_or(0));
        pairings.push(Pairing {
            number,
            table,
            first,
            second: Some(second),
            stage: None,
            game: 0,
            room: None,
            outcome: None,
        });
    }
    if pairings.is_empty() { NextRound::Wait } else { NextRound::Pair(pairings) }
}

/// The last pairing of an entrant that is remembered.
fn last_of(state: &PartyState, entrant: u16) -> Option<&Pairing> {
    state.pairings.iter().rev().find(|pairing| pairing.entrants().any(|one| one == entrant))
}

fn winner_of(pairing: &Pairing) -> Option<u16> {
    pairing.outcome.as_ref()?.winner
}

/// Two who met last time begin in turn. Else the challenger begins against a winner, and the lot
/// decides between two challengers.
fn order(state: &PartyState, one: u16, other: u16, coins: &mut Coins) -> (u16, u16) {
    let other_begins = match last_of(state, one) {
        Some(last) if last.opponent_of(one) == Some(other) => last.first == one,
        Some(last) if winner_of(last) == Some(one) => true,
        _ => coins.flip(),
    };
    if other_begins { (other, one) } else { (one, other) }
}
