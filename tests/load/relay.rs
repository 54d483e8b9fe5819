//! The bare relay that Noughts is measured against: axum's WebSocket without a game, so that the
//! difference is the cost of the game. For measurements only; `noughts-load` starts it.
//!
//! - `/room/NAME`: every frame of a socket goes to all sockets of that room.
//! - `/watch/NAME` receives its frames and sends none.
//! - `/echo` gets its own frames back.
//!
//! A socket in a room receives `{}` once it is in. A frame is copied once and the same bytes go to
//! everybody, as in Noughts. If a receiver does not read, the sender's connection ends.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use axum::Router;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::routing::get;
use axum::serve::ListenerExt;
use futures::SinkExt;
use parking_lot::Mutex;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

/// As in Noughts: the default of 128 KiB is zeroed before every read.
const READ_BUFFER: usize = 256;

/// As in Noughts: the longest frame that is read.
const FRAME: usize = noughts_protocol::MAX_CLIENT_FRAME;

/// As in Noughts: frames that may wait for a socket.
const OUTBOX: usize = 64;

/// The receivers of a room; bounded by the number of sockets.
type Receivers = Mutex<Vec<mpsc::Sender<Utf8Bytes>>>;

/// The rooms by name; they stay until the relay ends.
type Rooms = Arc<Mutex<HashMap<String, Arc<Receivers>>>>;

#[tokio::main]
async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("noughts-relay: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> std::io::Result<()> {
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await?;
    println!("listening on {}", listener.local_addr()?);
    let listener = listener.tap_io(|stream| {
        // Without it a frame may wait for more, which would be measured too.
        drop(stream.set_nodelay(true));
    });
    let router = Router::new()
        .route("/room/{name}", get(async |room, rooms, ws| enter(room, rooms, ws, true)))
        .route("/watch/{name}", get(async |room, rooms, ws| enter(room, rooms, ws, false)))
        .route("/echo", get(async |ws| upgrade(ws).on_upgrade(echo)))
        .with_state(Rooms::default());
    axum::serve(listener, router).await
}

fn upgrade(ws: WebSocketUpgrade) -> WebSocketUpgrade {
    ws.read_buffer_size(READ_BUFFER).max_message_size(FRAME).max_frame_size(FRAME)
}

fn enter(
    Path(room): Path<String>,
    State(rooms): State<Rooms>,
    ws: WebSocketUpgrade,
    may_send: bool,
) -> axum::response::Response {
    let receivers = Arc::clone(rooms.lock().entry(room).or_default());
    upgrade(ws).on_upgrade(async move |socket| {
        let (mine, frames) = mpsc::channel(OUTBOX);
        receivers.lock().push(mine.clone());
        // Its room must not send to it any more, however it ended.
        drop(forward(socket, &receivers, &mine, frames, may_send).await);
        receivers.lock().retain(|receiver| !receiver.same_channel(&mine));
    })
}

/// Forwards frames between this socket and its room until either end is gone.
async fn forward(
    mut socket: WebSocket,
    receivers: &Receivers,
    mine: &mpsc::Sender<Utf8Bytes>,
    mut frames: mpsc::Receiver<Utf8Bytes>,
    may_send: bool,
) -> Result<(), axum::Error> {
    let mut batch = Vec::new();
    socket.send(Message::Text("{}".into())).await?;
    loop {
        tokio::select! {
            biased;
            _ = frames.recv_many(&mut batch, OUTBOX) => {
                for frame in batch.drain(..) {
                    socket.feed(Message::Text(frame)).await?;
                }
                socket.flush().await?;
            }
            frame = socket.recv() => match frame {
                Some(Ok(Message::Text(text))) if may_send => {
                    let frame = Utf8Bytes::from(text.as_str());
                    if !broadcast(receivers, mine, &frame) {
                        return Ok(());
                    }
                    socket.send(Message::Text(frame)).await?;
                }
                Some(Ok(Message::Close(_))) | None => return Ok(()),
                Some(frame) => drop(frame?),
            },
        }
    }
}

/// Sends a frame to all receivers but the sender; `false` if one of them does not read.
fn broadcast(receivers: &Receivers, mine: &mpsc::Sender<Utf8Bytes>, frame: &Utf8Bytes) -> bool {
    let receivers = receivers.lock();
    let mut others = receivers.iter().filter(|receiver| !receiver.same_channel(mine));
    others.all(|receiver| receiver.try_send(frame.clone()).is_ok())
}

async fn echo(mut socket: WebSocket) {
    while let Some(Ok(Message::Text(text))) = socket.recv().await {
        let frame = Utf8Bytes::from(text.as_str());
        if socket.send(Message::Text(frame)).await.is_err() {
            return;
        }
    }
}
