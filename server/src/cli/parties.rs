//! The parts of `export` and `verify` for parties.

use std::io::{self, Write};

use noughts_protocol::{PartyCode, PartyEvent, PartySettings, PlayerId, PlayerName};
use serde::Serialize;

use crate::cli::journal::{contradiction, time};
use crate::journal::error::DiskError;
use crate::journal::party::StoredParty;
use crate::journal::reader::Reader;

/// A party as `export` writes it.
#[derive(Debug, Serialize)]
struct ExportedParty {
    party: PartyCode,
    /// A code may be used again after its party has ended; a number is never used again.
    party_number: i64,
    name: PlayerName,
    settings: PartySettings,
    host: PlayerId,
    made: String,
    /// `None` while its code is taken.
    ended: Option<String>,
    facts: Vec<ExportedFact>,
}

/// A fact of a party as `export` writes it.
#[derive(Debug, Serialize)]
struct ExportedFact {
    v: u64,
    at: String,
    #[serde(flatten)]
    event: PartyEvent,
}

/// Writes every party as a JSON line. Returns whether all of them make sense.
///
/// # Errors
/// If the journal cannot be read, or if the output cannot be written.
pub(super) fn export(reader: &Reader, out: &mut impl Write) -> anyhow::Result<bool> {
    let mut sound = true;
    for id in reader.parties()? {
        let exported =
            reader.party(id).and_then(|party| exported(&party).map_err(DiskError::Damaged));
        match exported {
            Ok(party) => {
                serde_json::to_writer(&mut *out, &party).map_err(io::Error::from)?;
                writeln!(out)?;
            }
            Err(error) => {
                contradiction(&format!("party number {id} makes no sense: {error}"));
                sound = false;
            }
        }
    }
    Ok(sound)
}

fn exported(party: &StoredParty) -> Result<ExportedParty, String> {
    let mut facts = Vec::new();
    party.replay(|entry, event, _| {
        facts.push(ExportedFact { v: entry.v, at: time(entry.at), event: event.clone() });
    })?;
    let new = &party.new;
    Ok(ExportedParty {
        party: new.code,
        party_number: party.id,
        name: new.name.clone(),
        settings: new.settings,
        host: new.host,
        made: time(party.made),
        ended: party.ended.map(time),
        facts,
    })
}

/// Replays every party by the rules, and compares its results with the rooms of its games. Returns the
/// number of parties, and whether nothing is wrong.
///
/// # Errors
/// If the journal cannot be read.
pub(super) fn verify(reader: &Reader) -> anyhow::Result<(u64, bool)> {
    let (mut parties, mut sound) = (0, true);
    for id in reader.parties()? {
        let party = match reader.party(id) {
            Ok(party) => party,
            Err(error) => {
                contradiction(&format!("party number {id}: {error}"));
                sound = false;
                continue;
            }
        };
        if let Err(error) = party.replay(|_, _, _| {}) {
            contradiction(&format!("party {} (number {id}): {error}", party.new.code));
            sound = false;
            continue;
        }
        for why in reader.contradictions_of_party(&party)? {
            contradiction(&why);
            sound = false;
        }
        parties += 1;
    }
    Ok((parties, sound))
}

/// The number of parties at the end of a list, if there are any.
pub(super) fn counted(parties: u64) -> String {
    match parties {
        0 => String::new(),
        1 => ", 1 party".to_owned(),
        _ => format!(", {parties} parties"),
    }
}
