//! A bot that plays the first legal move, game after game.
//!
//! `bot http://localhost:7333` makes a room, and `bot http://localhost:7333/r/KQRZX` joins one.

use noughts_client::Client;
use noughts_client::address::Link;
use noughts_client::connection::Destination;
use noughts_client::protocol::{ByMark, LobbyIntent, Role, RoomSettings};
use noughts_client::session::Happening;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let link: Link = std::env::args().nth(1).as_deref().unwrap_or("localhost").parse()?;
    let destination = Destination::new(link.server.clone(), "Robo".parse()?);
    let mut client = Client::connect(destination).await?;
    let enter = match link.room {
        Some(room) => LobbyIntent::Join { room, role: Role::Player },
        None => LobbyIntent::Create {
            settings: RoomSettings::default(),
            seats: ByMark::default(),
            shuffle: false,
        },
    };
    client.ask(enter).await?;
    while let Some(happening) = client.next().await {
        let Some(room) = client.room() else { continue };
        if matches!(happening, Happening::Entered) {
            println!("play me at {}", link.server.room_link(room.state.code));
        }
        if let Some(play) = client.session().moves().into_iter().next() {
            client.ask(play).await?;
        } else if room.may_rematch() && !room.offered_by_me() {
            client.ask(client.session().rematch()).await?;
        }
    }
    Ok(())
}
