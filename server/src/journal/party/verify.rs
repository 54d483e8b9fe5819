//! Whether the results of a party are those of its rooms that are still kept.

use std::collections::HashMap;

use noughts_protocol::{DecidedBy, Mark, PartyEvent};
use rusqlite::Connection;

use super::StoredParty;
use super::result::{self, TableEnd};
use crate::journal::error::DiskError;
use crate::journal::recent::reader::RecentReader;
use crate::journal::stored_room;

/// The contradictions between a party's facts and the kept rooms, each a sentence. The party's facts
/// are sound.
///
/// # Errors
/// If the journal cannot be read.
pub(in crate::journal) fn contradictions(
    connection: &Connection,
    recent: &RecentReader,
    party: &StoredParty,
) -> Result<Vec<String>, DiskError> {
    let (mut opened, mut decided) = (HashMap::new(), Vec::new());
    let replayed = party.replay(|entry, event, state| match event {
        PartyEvent::Opened { pairing, game, room } => {
            if let Some(known) = state.pairing(*pairing) {
                opened.insert(*pairing, (known.clone(), *game, *room, entry.room));
            }
        }
        PartyEvent::Decided { pairing, outcome }
            if matches!(outcome.how, DecidedBy::Game | DecidedBy::DrawOdds) =>
        {
            if let Some(table) = opened.get(pairing) {
                decided.push((table.clone(), outcome.clone()));
            }
        }
        _ => {}
    });
    // The caller tells this error.
    if replayed.is_err() {
        return Ok(Vec::new());
    }
    let mut contradictions = Vec::new();
    for ((pairing, game, code, room), outcome) in decided {
        let Some(room) = room else { continue };
        let Some(stored) = stored_room::load(connection, recent, room)? else { continue };
        let agrees = match (result::of_room(&stored), pairing.order_in(game)) {
            (Some(TableEnd::Won(mark)), Some((x, o))) => {
                let winner = if mark == Mark::X { x } else { o };
                outcome.how == DecidedBy::Game && outcome.winner == Some(winner)
            }
            (Some(TableEnd::Drawn), _) => {
                outcome.how == DecidedBy::DrawOdds || outcome.winner.is_none()
            }
            // The room does not tell it, and the room's own check says why.
            (None, _) | (_, None) => true,
        };
        if !agrees {
            contradictions.push(format!(
                "pairing {} of party {} is decided otherwise than its game in room {code} (number \
                 {room}) ended",
                pairing.number, party.new.code
            ));
        }
    }
    Ok(contradictions)
}
