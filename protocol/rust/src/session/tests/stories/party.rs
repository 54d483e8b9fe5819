//! The party of a session, as the stories write it.

use std::time::Instant;

use noughts_protocol::{Entrant, Pairing};
use serde_json::{Value, json};

use crate::session::{PartyView, Session, standings};

/// The party that was asked for.
pub(super) fn following(session: &Session) -> Value {
    session.following.map_or(Value::Null, |asked| asked.party.map_or(json!(true), |one| json!(one)))
}

/// The party that the player follows: entrants and pairings as short lists.
pub(super) fn party(session: &Session) -> Value {
    let Some(view) = session.party() else { return Value::Null };
    let state = &view.state;
    let entrant =
        |one: &Entrant| json!([one.number, one.left, one.points, one.wins, one.draws, one.losses]);
    let pairing = |one: &Pairing| {
        let outcome = one.outcome.as_ref();
        let winner = outcome.and_then(|outcome| outcome.winner).unwrap_or(0);
        let how = outcome.map_or(json!(""), |outcome| json!(outcome.how));
        let room = one.room.map_or(json!(""), |room| json!(room));
        json!([
            one.number,
            one.table,
            one.first,
            one.second.unwrap_or(0),
            one.game,
            room,
            winner,
            how
        ])
    };
    let mut shown = json!({
        "party": state.code,
        "v": state.v,
        "role": view.role,
        "phase": state.phase,
        "played_before": state.played_before,
        "paused": if state.clocks_stopped { json!("clocks") } else { json!(state.paused) },
        "round": state.round,
        "me": view.me().map(|me| me.number),
        "is_host": view.is_host(),
        "entrants": state.entrants.iter().map(entrant).collect::<Vec<_>>(),
        "pairings": state.pairings.iter().map(pairing).collect::<Vec<_>>(),
        "past": state.past,
        "queue": state.queue,
        "places": state.places.iter().map(|place| [place.place, place.entrant]).collect::<Vec<_>>(),
        "standings": standings(state).iter().map(|one| one.number).collect::<Vec<_>>(),
    });
    // Few stories have some.
    if !state.past_decisions.is_empty() {
        shown["past_decisions"] = json!(state.past_decisions);
    }
    shown
}

/// Its presence, with moments.
pub(super) fn presence(session: &Session, ms: impl Fn(Option<Instant>) -> Option<u64>) -> Value {
    let Some(view) = session.party() else { return Value::Null };
    let told = &view.presence;
    let check = |pairing: u32| json!([pairing, ms(view.check_ends(pairing))]);
    json!({
        "away": told.away,
        "ready": told.ready,
        "checks": told.checks.iter().map(|one| check(one.pairing)).collect::<Vec<_>>(),
        "next_at": ms(view.next_at()),
        "spectators": told.spectators,
    })
}

/// The boards: pairing, game and plies.
pub(super) fn boards(session: &Session) -> Value {
    let boards = session.party().map(|PartyView { boards, .. }| {
        boards
            .values()
            .map(|one| json!([one.pairing, one.game, one.moves.len()]))
            .collect::<Vec<_>>()
    });
    json!(boards)
}
