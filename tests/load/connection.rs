//! One WebSocket, to a server or to the relay.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use anyhow::{Context, bail};
use futures::{SinkExt, StreamExt};
use noughts_protocol::{
    ClientMessage, Hello, IntentId, LobbyIntent, MAX_SERVER_FRAME, PROTOCOL_VERSION, RefusalCode,
    RoomCode, RoomIntent, ServerMessage,
};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::target::Target;

/// Connections from one source address: fewer than a server's default limit.
const PER_SOURCE: usize = 200;

/// The socket, and how many intents it has sent.
pub(crate) struct Connection {
    socket: WebSocketStream<TcpStream>,
    intents: u64,
}

impl Connection {
    /// Opens a connection to a path of what is loaded.
    ///
    /// # Errors
    /// If nobody answers, or the server refuses it; the error quotes the server.
    pub(crate) async fn open(target: &Target, path: &str) -> anyhow::Result<Self> {
        let (server, number) = target.next_address();
        let stream = connect(server, number)
            .await
            .with_context(|| format!("nobody answers at {server}, or too few files may be open"))?;
        stream.set_nodelay(true)?;
        // Small, because a run has thousands of them.
        let config = WebSocketConfig::default()
            .read_buffer_size(1024)
            .max_message_size(Some(MAX_SERVER_FRAME))
            .max_frame_size(Some(MAX_SERVER_FRAME));
        let url = format!("ws://{server}{path}");
        match client_async_with_config(url, stream, Some(config)).await {
            Ok((socket, _)) => Ok(Self { socket, intents: 0 }),
            Err(Error::Http(answer)) => {
                let body = answer.body().as_deref().unwrap_or_default();
                let said = String::from_utf8_lossy(body);
                bail!("the server answered {}: {}", answer.status(), said.trim())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Opens a connection, and says hello.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(crate) async fn greeted(target: &Target, path: &str) -> anyhow::Result<Self> {
        let mut connection = Self::open(target, path).await?;
        let name = "Load".parse().context("failed to make a name")?;
        let protocol = PROTOCOL_VERSION;
        let hello = Hello { protocol, name, token: None, pass: None, password: None };
        connection.send(&ClientMessage::Hello(hello)).await?;
        Ok(connection)
    }

    async fn send(&mut self, message: &ClientMessage) -> anyhow::Result<()> {
        Ok(self.socket.send(Message::text(serde_json::to_string(message)?)).await?)
    }

    pub(crate) async fn ask_lobby(&mut self, intent: LobbyIntent) -> anyhow::Result<()> {
        let id = self.next_id()?;
        self.send(&ClientMessage::Lobby { intent, id }).await
    }

    pub(crate) async fn ask_room(
        &mut self,
        room: RoomCode,
        intent: RoomIntent,
    ) -> anyhow::Result<()> {
        let id = self.next_id()?;
        self.send(&ClientMessage::Room { intent, id, room }).await
    }

    fn next_id(&mut self) -> anyhow::Result<IntentId> {
        self.intents += 1;
        IntentId::try_from(self.intents).ok().context("no more ids")
    }

    /// The next text.
    ///
    /// # Errors
    /// If the connection ends.
    pub(crate) async fn text(&mut self) -> anyhow::Result<Utf8Bytes> {
        loop {
            match self.socket.next().await.context("the server has gone")?? {
                Message::Text(text) => return Ok(text),
                Message::Close(frame) => {
                    let why = frame.map(|frame| format!("{} {}", frame.code, frame.reason));
                    bail!("the server closed it: {}", why.unwrap_or_default())
                }
                _ => {}
            }
        }
    }

    /// The next message of a server.
    ///
    /// # Errors
    /// If it is a refusal or no message, or the connection ends.
    pub(crate) async fn message(&mut self) -> anyhow::Result<ServerMessage> {
        let text = self.text().await?;
        match serde_json::from_str(&text).with_context(|| format!("failed to read {text}"))? {
            ServerMessage::Refused { code: code @ RefusalCode::RateLimited, .. } => bail!(
                "refused ({code:?}): set a lower --rate, or start the server with a higher \
                 --intents-per-second"
            ),
            ServerMessage::Refused { code, message, .. } => bail!("refused ({code:?}): {message}"),
            message => Ok(message),
        }
    }

    /// Reads what comes until the connection ends.
    ///
    /// # Errors
    /// With the reason of that end.
    pub(crate) async fn listen(&mut self) -> anyhow::Result<()> {
        loop {
            self.text().await?;
        }
    }

    /// Says that it goes. The other side may have gone already.
    pub(crate) async fn close(mut self) {
        drop(self.socket.close(None).await);
    }
}

/// Connections to a server on this machine come from several of its addresses: each has 28,000 ports at
/// most, and servers limit what one address may open.
async fn connect(server: SocketAddr, number: usize) -> std::io::Result<TcpStream> {
    if !cfg!(target_os = "linux") || server.ip() != IpAddr::V4(Ipv4Addr::LOCALHOST) {
        return TcpStream::connect(server).await;
    }
    let source = number / PER_SOURCE % (250 * 250);
    let [third, fourth] = [source / 250, source % 250 + 1].map(|byte| byte as u8);
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from(([127, 0, third, fourth], 0)))?;
    socket.connect(server).await
}
