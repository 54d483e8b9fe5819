//! The protocol's stories of parties, which both clients live, against the rules: who comes, goes and
//! returns, and what the host does is what the rules decide on in the state before it. Pairings and
//! results are shortened there to what a client has to see: that they may follow is the protocol's, and
//! the clients' tests check it.

use std::time::Duration;

use noughts_protocol::party::{PartyRole, PartyState};
use noughts_protocol::{
    DecidedBy, PairingOutcome, PartyEvent, PartyIntent, PartySnapshot, PlayerId, ServerMessage,
};
use noughts_store::Committed;
use serde_json::Value;

use crate::party::rules::intent::PartyDecision;
use crate::party::rules::{PartyDecided, PartyRules};

const NOW: Duration = Duration::from_secs(1000);

#[test]
fn what_people_do_in_stories_is_what_the_rules_make_of_it() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../protocol/tests/golden/series/party.json");
    let text = std::fs::read_to_string(file).unwrap();
    let stories: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut compared = 0;
    let mut wrong = Vec::new();
    for story in &stories {
        let mut party = None;
        for (number, step) in story["steps"].as_array().unwrap().iter().enumerate() {
            let Some(told) = step["do"].get("told") else { continue };
            match serde_json::from_value(told.clone()).unwrap() {
                ServerMessage::Party(snapshot) => party = rules_of(snapshot),
                ServerMessage::PartyEvents { v, events, .. } => {
                    let mut before = v - events.len() as u64;
                    for event in events {
                        before += 1;
                        let place = format!("{}, step {number}", story["story"]);
                        match take(&mut party, before, event) {
                            Ok(is_compared) => compared += u32::from(is_compared),
                            Err(why) => wrong.push(format!("{place}: {why}")),
                        }
                    }
                }
                _ => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= 45, "{compared} facts were compared");
}

/// A party as its snapshot shows it; `None` if it cannot be.
fn rules_of(snapshot: PartySnapshot) -> Option<PartyRules> {
    let state = PartyState::from_snapshot(snapshot).ok()?;
    let mut rules = PartyRules::new(state, NOW);
    rules.resume(NOW);
    Some(rules)
}

/// Takes a fact in; whether it was compared with what the rules decide on.
fn take(party: &mut Option<PartyRules>, v: u64, event: PartyEvent) -> Result<bool, String> {
    let Some(rules) = party else { return Ok(false) };
    if rules.state.clone().apply(v, &event).is_err() {
        // The story is about a gap or a server that is wrong.
        *party = None;
        return Ok(false);
    }
    let ways = ways_to(rules, &event);
    let is_compared = !ways.is_empty();
    let is_decided = ways.iter().any(|PartyDecided(events)| events.first() == Some(&event));
    let why = format!("{event:?}, where the rules have {ways:?}");
    rules.apply(NOW, Committed::for_tests(PartyDecided(vec![event])));
    let json = rules.to_json();
    let read = PartyRules::from_json(&json, NOW)?;
    // A party is not called after a host who was forgotten.
    let name = read.state.name.clone();
    let is_named = rules.state.host == PlayerId::NOBODY || name == rules.state.name;
    let expected = PartyState { name, ..rules.state.clone() };
    if !is_named || read.state != expected || read.to_json() != json {
        return Err("the party that is read from its row is another one".to_owned());
    }
    if is_compared && !is_decided { Err(why) } else { Ok(is_compared) }
}

/// The decisions that may have led to a fact; none if it is not compared.
fn ways_to(rules: &PartyRules, event: &PartyEvent) -> Vec<PartyDecided> {
    let leader = rules.state.leading_player().unwrap_or(rules.state.host);
    let lead = |intent| match rules.decide(leader, intent) {
        Ok(PartyDecision::Facts(decided)) => vec![decided],
        _ => vec![PartyDecided::default()],
    };
    match event {
        // No rules tell that a place has another player, but a client must notice it.
        PartyEvent::Joined { entrant } if rules.state.entrant(entrant.number).is_some() => {
            Vec::new()
        }
        PartyEvent::Joined { entrant } => {
            let join = |player| rules.join(player, &entrant.name, PartyRole::Player);
            entrant.player.into_iter().map(|player| join(player).unwrap_or_default()).collect()
        }
        PartyEvent::Left { entrant, removed: true, .. } => {
            lead(PartyIntent::Remove { entrant: *entrant, remove: true })
        }
        PartyEvent::Left { entrant, host, .. } => vec![rules.leave(*entrant, *host)],
        PartyEvent::Returned { entrant } => {
            lead(PartyIntent::Skip { entrant: *entrant, skip: false })
        }
        PartyEvent::Started => lead(PartyIntent::StartParty),
        PartyEvent::Paused { paused, clocks } => {
            lead(PartyIntent::PauseParty { pause: *paused, clocks: *clocks })
        }
        PartyEvent::Decided { pairing, outcome } => match outcome {
            PairingOutcome { winner, how: DecidedBy::Host, note } => {
                let pairing = *pairing;
                let winner = *winner;
                let note = note.clone();
                lead(PartyIntent::Decide { pairing, winner, note })
            }
            _ => Vec::new(),
        },
        PartyEvent::Led { .. }
        | PartyEvent::Again { .. }
        | PartyEvent::Paired { .. }
        | PartyEvent::Opened { .. }
        | PartyEvent::Ranked { .. }
        | PartyEvent::Ended { .. } => Vec::new(),
    }
}
