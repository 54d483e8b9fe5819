//! What hostile clients meet in the control: it takes what they send at a server's pace, and does
//! nothing with it. What honest moves take beside that is the machine's time, not the server's.

use std::time::Duration;

use noughts_harness::delay;
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};

/// Bytes that a server reads at once of a connection, as `protocol/README.md` says.
const BURST: usize = 20 * 1024;
/// And then, with what follows between two reads.
const PIECE: usize = 1024;
const PAUSE: Duration = Duration::from_millis(100);

/// Takes connections on a free port, which it prints, until it is killed.
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
