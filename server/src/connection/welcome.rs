//! The answer to `hello` as text. What is the same for everybody is encoded once for a server: a welcome
//! takes 9,000 instructions (by callgrind), a fifteenth of an open, and from then on 2,000.

use std::sync::Arc;

use noughts_cluster::Cluster;
use noughts_protocol::{
    DisplayText, Features, Limits, MAX_CLIENT_FRAME, PROTOCOL_VERSION, PlayerId, PlayerName,
    PlayerToken, ServerInfo, ServerMessage,
};

use crate::outbox::{Frame, encode};
use crate::state::Shared;

/// The first key that is the same for everybody. In a text of JSON it is nowhere else: a quote in a
/// string is escaped.
const SERVER: &str = r#","server":"#;

/// The welcome of a player.
pub(crate) fn welcome(
    shared: &Shared,
    features: Features,
    player: PlayerId,
    name: &PlayerName,
    token: &PlayerToken,
) -> Frame {
    if shared.config.cluster.as_ref().is_some_and(|cluster| cluster.url.is_some()) {
        // The other nodes come and go.
        return encode(&message(shared, features, player, name.clone(), token.clone()));
    }
    let known = shared.welcome.read().clone();
    let rest = match known {
        Some((told, rest)) if told == features => rest,
        _ => {
            let message = message(shared, features, player, name.clone(), token.clone());
            let text = encode(&message).to_text();
            let rest: Arc<str> = text.split_once(SERVER).map_or("", |(_, rest)| rest).into();
            shared.welcome.write().replace((features, Arc::clone(&rest)));
            rest
        }
    };
    text(&rest, player, name, token).into()
}

fn message(
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
    let told = shared.config.cluster.as_ref().is_some_and(|cluster| cluster.url.is_some());
    let peers = shared.tenancy.cluster().filter(|_| told).map(Cluster::peers).unwrap_or_default();
    peers.into_iter().map(|peer| peer.address.as_str().into()).collect()
}

/// A welcome that ends in `rest`, as serde writes it.
fn text(rest: &str, player: PlayerId, name: &PlayerName, token: &PlayerToken) -> String {
    let face = name.face().and_then(|face| serde_json::to_string(&face).ok());
    let face = face.map_or_else(String::new, |face| format!(r#","face":{face}"#));
    let name = serde_json::to_string(name).unwrap_or_default();
    let token = token.reveal();
    format!(
        r#"{{"type":"welcome","protocol":{PROTOCOL_VERSION},"player":"{player}","name":{name}{face},"token":"{token}"{SERVER}{rest}"#
    )
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::config::Config;
    use crate::config::args::Args;
    use crate::storage::Environment;

    #[test]
    fn everybody_is_welcomed_as_serde_writes_it() {
        let config =
            Config::try_from(&Args::parse_from(["noughts-server", "--ephemeral"])).unwrap();
        let shared = Shared::new(config, Environment::REAL, |store| Arc::new(store)).unwrap();
        let all = Features::ALL_ON;
        let silent = Features { chat: false, ..all };
        for (name, features) in [("Ada", all), (r#""},"server":{"#, silent), ("Grüße \\ n", all)]
        {
            let face = "fox blue".parse().ok().filter(|_| features == silent);
            let name = name.parse::<PlayerName>().unwrap().with_face(face);
            let (player, token) = shared.secret.issue();
            let expected = encode(&message(&shared, features, player, name.clone(), token.clone()));
            assert_eq!(
                welcome(&shared, features, player, &name, &token).to_text(),
                expected.to_text()
            );
        }
    }
}
