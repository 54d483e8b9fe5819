//! The names of what is in the messages of a party.

use noughts_protocol::{
    DecidedBy, Pairing, PartyEvent, PartyFormat, PartyIntent, PartyPhase, PartyRole, PartySnapshot,
    Stage,
};

kinds! {
    PARTY_INTENTS, party_intent: PartyIntent {
        PartyIntent::Ready { .. } => "client.ready",
        PartyIntent::Withdraw => "client.withdraw",
        PartyIntent::LeaveParty => "client.leave_party",
        PartyIntent::SyncParty => "client.sync_party",
        PartyIntent::StartParty => "client.start_party",
        PartyIntent::PauseParty { .. } => "client.pause_party",
        PartyIntent::Skip { .. } => "client.skip",
        PartyIntent::Rename { .. } => "client.rename",
        PartyIntent::PlacePass { .. } => "client.place_pass",
        PartyIntent::TakePlace { .. } => "client.take_place",
        PartyIntent::Decide { .. } => "client.decide",
        PartyIntent::EndParty => "client.end_party",
    }
    PARTY_EVENTS, event: PartyEvent {
        PartyEvent::Joined { .. } => "server.party_events.joined",
        PartyEvent::Left { .. } => "server.party_events.left",
        PartyEvent::Returned { .. } => "server.party_events.returned",
        PartyEvent::Started => "server.party_events.started",
        PartyEvent::Paired { .. } => "server.party_events.paired",
        PartyEvent::Opened { .. } => "server.party_events.opened",
        PartyEvent::Decided { .. } => "server.party_events.decided",
        PartyEvent::Ranked { .. } => "server.party_events.ranked",
        PartyEvent::Paused { .. } => "server.party_events.paused",
        PartyEvent::Led { .. } => "server.party_events.led",
        PartyEvent::Ended { .. } => "server.party_events.ended",
    }
    FORMATS, format: PartyFormat {
        PartyFormat::WinnerStays => "format.winner_stays",
        PartyFormat::Knockout => "format.knockout",
        PartyFormat::RoundRobin => "format.round_robin",
        PartyFormat::Swiss => "format.swiss",
    }
    ROLES, role: PartyRole {
        PartyRole::Player => "party_role.player",
        PartyRole::Spectator => "party_role.spectator",
        PartyRole::Screen => "party_role.screen",
    }
    PHASES, phase: PartyPhase {
        PartyPhase::Gathering => "phase.gathering",
        PartyPhase::Playing => "phase.playing",
        PartyPhase::Over => "phase.over",
    }
    STAGES, stage: Stage {
        Stage::Final => "stage.final",
        Stage::Third => "stage.third",
    }
    DECISIONS, decided_by: DecidedBy {
        DecidedBy::Game => "decided.game",
        DecidedBy::DrawOdds => "decided.draw_odds",
        DecidedBy::Forfeit => "decided.forfeit",
        DecidedBy::Bye => "decided.bye",
        DecidedBy::Host => "decided.host",
    }
}

/// The names of what is in a snapshot.
pub(super) fn of_snapshot(snapshot: &PartySnapshot) -> Vec<&'static str> {
    let mut names = vec![format(&snapshot.settings.format), phase(&snapshot.phase)];
    names.extend(snapshot.pairings.iter().flat_map(of_pairing));
    names
}

/// The names of what is in a fact.
pub(super) fn of_event(event: &PartyEvent) -> Vec<&'static str> {
    match event {
        PartyEvent::Paired { pairings, .. } => pairings.iter().flat_map(of_pairing).collect(),
        PartyEvent::Decided { outcome, .. } => vec![decided_by(&outcome.how)],
        _ => Vec::new(),
    }
}

fn of_pairing(pairing: &Pairing) -> Vec<&'static str> {
    let outcome = pairing.outcome.iter().map(|outcome| decided_by(&outcome.how));
    pairing.stage.iter().map(stage).chain(outcome).collect()
}
