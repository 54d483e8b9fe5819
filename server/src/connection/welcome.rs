//! The answer to `hello`.

use noughts_cluster::Cluster;
use noughts_protocol::{
    DisplayText, Features, Limits, MAX_CLIENT_FRAME, PROTOCOL_VERSION, PlayerId, PlayerName,
    PlayerToken, ServerInfo, ServerMessage,
};

use crate::state::Shared;

/// The welcome of a player.
pub(crate) fn welcome(
    shared: &Shared,
    features: Features,
    player: PlayerId,
    name: PlayerName,
    token: PlayerToken,
) -> ServerMessage {
    let config = &shared.config;
    ServerMessage::Welcome {
        protocol: PROTOCOL_VERSION,
        player,
        name,
        token,
        server: ServerInfo {
            name: config.name.clone(),
            version: env!("CARGO_PKG_VERSION").into(),
            url: shared.url.get().cloned(),
            public: config.public_url.is_some(),
            nodes: other_nodes(shared),
        },
        limits: Limits {
            frame_bytes: MAX_CLIENT_FRAME as u32,
            intent_burst: config.intent_burst,
            intents_per_second: config.intents_per_second,
            waiting_rooms: config.rooms.waiting,
            rooms: config.rooms.per_player,
            rooms_per_minute: config.rooms.new_per_player,
            absence_ms: u32::try_from(config.times.absence_grace.as_millis()).unwrap_or(u32::MAX),
        },
        features,
    }
}

/// Where the other nodes of the cluster are, if the host lets clients go there.
fn other_nodes(shared: &Shared) -> Vec<DisplayText> {
    let peers = shared.open_cluster().map(Cluster::peers).unwrap_or_default();
    peers.into_iter().map(|peer| peer.address.as_str().into()).collect()
}
