//! A cluster: several servers that are one.

mod api;
mod contract;
mod faults;
mod nats;
mod together;
mod torture;

use std::net::SocketAddr;
use std::time::Instant;

use noughts_harness::bot::poll_delay;
use noughts_harness::{LONG_TIMEOUT, Player, ServerProcess};
use noughts_protocol::{ClientMessage, LobbyIntent, PlayerToken, Role, RoomCode};
use tokio::net::TcpStream;

/// A new connection to a node; the text says why there is none.
async fn hello(node: SocketAddr, name: &str, token: Option<PlayerToken>) -> Result<Player, String> {
    let stream = TcpStream::connect(node).await.map_err(|error| error.to_string())?;
    Player::try_greet(Box::new(stream), name, token, LONG_TIMEOUT).await
}

/// Comes to a room at a node, as often as it takes.
async fn enter(
    node: &ServerProcess,
    name: &str,
    token: Option<PlayerToken>,
    room: RoomCode,
    role: Role,
) -> Player {
    let deadline = Instant::now() + LONG_TIMEOUT;
    loop {
        if let Ok(mut player) = hello(node.address(), name, token.clone()).await {
            let id = player.new_id();
            player
                .send(&ClientMessage::Lobby { intent: LobbyIntent::Join { room, role }, id })
                .await;
            let is_answered =
                |player: &Player| player.room.is_some() || !player.refusal_text.is_empty();
            if player.try_until(is_answered).await && player.room.is_some() {
                return player;
            }
        }
        assert!(Instant::now() < deadline, "{name} does not come into the room");
        poll_delay().await;
    }
}
