//! The bare relay that Noughts is measured against: axum's WebSocket and no game, so that what
//! Noughts costs beyond it is the game's. For measurements only; `noughts-load --relay` starts it.
//!
//! - `/room/N` joins sockets: every frame of one goes to all that are in or watch room N.
//! - `/watch/N` hears room N and is not heard.
//! - `/echo` gets its own frames back.
//!
//! A socket in a room is told `{}` once it is in. A frame is copied once and the same bytes go to
//! everybody, as in Noughts; where somebody does not read, the connection of whoever spoke ends.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::routing::get;
use axum::serve::ListenerExt;
use futures::SinkExt;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

/// As in Noughts: the default of 128 KiB is zeroed before every read.
const READ_BUFFER: usize = 512;

/// As in Noughts: the longest frame that is read.
const FRAME: usize = noughts_protocol::MAX_CLIENT_FRAME;

/// As in Noughts: frames that may wait for a socket.
const OUTBOX: usize = 64;

/// Whoever hears a room; bounded by the sockets there are.
type Ears = Mutex<Vec<mpsc::Sender<Utf8Bytes>>>;

/// The rooms by number; they stay until the relay ends.
type Rooms = Arc<Mutex<HashMap<u64, Arc<Ears>>>>;

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
        .route("/room/{number}", get(async |room, rooms, ws| enter(room, rooms, ws, true)))
        .route("/watch/{number}", get(async |room, rooms, ws| enter(room, rooms, ws, false)))
        .route("/echo", get(async |ws| upgrade(ws).on_upgrade(echo)))
        .with_state(Rooms::default());
    axum::serve(listener, router).await
}

fn upgrade(ws: WebSocketUpgrade) -> WebSocketUpgrade {
    ws.read_buffer_size(READ_BUFFER).max_message_size(FRAME).max_frame_size(FRAME)
}

fn enter(
    Path(room): Path<u64>,
    State(rooms): State<Rooms>,
    ws: WebSocketUpgrade,
    speaks: bool,
) -> axum::response::Response {
    let ears = Arc::clone(lock(&rooms).entry(room).or_default());
    upgrade(ws).on_upgrade(async move |socket| {
        let (mine, frames) = mpsc::channel(OUTBOX);
        lock(&ears).push(mine.clone());
        // However the socket ended, its room must not send to it any more.
        drop(talk(socket, &ears, &mine, frames, speaks).await);
        lock(&ears).retain(|ear| !ear.same_channel(&mine));
    })
}

/// Passes on what this socket says, and to it what the room says, until either end is gone.
async fn talk(
    mut socket: WebSocket,
    ears: &Ears,
    mine: &mpsc::Sender<Utf8Bytes>,
    mut frames: mpsc::Receiver<Utf8Bytes>,
    speaks: bool,
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
                Some(Ok(Message::Text(text))) if speaks => {
                    let frame = Utf8Bytes::from(text.as_str());
                    if !tell(ears, mine, &frame) {
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

/// Sends a frame to all but the speaker; `false` where somebody does not read.
fn tell(ears: &Ears, mine: &mpsc::Sender<Utf8Bytes>, frame: &Utf8Bytes) -> bool {
    let ears = lock(ears);
    let mut others = ears.iter().filter(|ear| !ear.same_channel(mine));
    others.all(|ear| ear.try_send(frame.clone()).is_ok())
}

async fn echo(mut socket: WebSocket) {
    while let Some(Ok(Message::Text(text))) = socket.recv().await {
        let frame = Utf8Bytes::from(text.as_str());
        if socket.send(Message::Text(frame)).await.is_err() {
            return;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
