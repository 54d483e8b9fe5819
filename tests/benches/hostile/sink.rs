//! The sink: the target of hostile clients in the control. It reads at a server's rate and discards the
//! bytes. The latency of honest moves beside it is the machine's, not the server's.

use std::time::Duration;

use noughts_harness::delay;
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};

/// Bytes that a server reads at once from a connection, as `protocol/README.md` says.
const BURST: usize = 20 * 1024;
/// Bytes of each later read, and the time between two.
const PIECE: usize = 1024;
const PAUSE: Duration = Duration::from_millis(100);

/// Accepts connections on a free port, which it prints, until it is killed.
pub(crate) async fn run() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("{}", listener.local_addr().unwrap());
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        tokio::spawn(swallow(stream));
    }
}

async fn swallow(mut stream: TcpStream) {
    let (mut buffer, mut taken) = ([0; PIECE], 0);
    while let Ok(read @ 1..) = stream.read(&mut buffer).await {
        taken += read;
        if taken > BURST {
            delay(PAUSE).await;
        }
    }
}
