//! The monitoring port of a NATS server. A node may not ask the server itself whether it writes to the
//! disk at once, but that port tells it to anybody who reaches the port.

use std::time::Duration;

use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// The port, as NATS documents it.
const PORT: u16 = 8222;

/// How long the port may take to answer.
const TIME: Duration = Duration::from_secs(1);

/// The longest answer that is read.
const MAX_ANSWER: u64 = 64 * 1024;

#[derive(Deserialize)]
struct JetStream {
    server_id: String,
    config: Settings,
}

#[derive(Deserialize)]
struct Settings {
    #[serde(default)]
    sync_always: bool,
}

/// Whether the server with this id writes everything to its disk before it says that it has it. `None` if
/// its port does not answer at its own host, nor here.
pub(super) async fn writes_at_once(host: &str, server_id: &str) -> Option<bool> {
    // Another server may answer there: its id tells.
    for host in [host, "127.0.0.1"] {
        let answer = timeout(TIME, ask(host)).await.ok().flatten();
        if let Some(found) = answer.filter(|found| found.server_id == server_id) {
            return Some(found.config.sync_always);
        }
    }
    None
}

async fn ask(host: &str) -> Option<JetStream> {
    let mut stream = TcpStream::connect((host, PORT)).await.ok()?;
    stream.write_all(b"GET /jsz HTTP/1.0\r\n\r\n").await.ok()?;
    let mut answer = String::new();
    stream.take(MAX_ANSWER).read_to_string(&mut answer).await.ok()?;
    let (_, body) = answer.split_once("\r\n\r\n")?;
    serde_json::from_str(body).ok()
}
