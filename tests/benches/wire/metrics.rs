//! Reads a server's metrics as Prometheus does, but more often.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

/// The time between two reads.
const EVERY: Duration = Duration::from_secs(1);

/// A free address.
pub(crate) fn free_address() -> std::io::Result<SocketAddr> {
    TcpListener::bind(("127.0.0.1", 0))?.local_addr()
}

/// A thread that reads the metrics until it is stopped.
pub(crate) struct Reader {
    stop: Sender<()>,
    thread: JoinHandle<u32>,
}

impl Reader {
    pub(crate) fn start(address: SocketAddr) -> Self {
        let (stop, stopped) = channel();
        let thread = spawn(move || {
            let mut times = 0;
            while stopped.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                // The server may not be up yet, or may have stopped.
                times += u32::from(read(address).unwrap_or(false));
            }
            times
        });
        Self { stop, thread }
    }

    /// Stops reading; returns the number of successful reads.
    pub(crate) fn stop(self) -> u32 {
        drop(self.stop);
        self.thread.join().unwrap_or_default()
    }
}

/// Reads the metrics once; returns whether the answer has them.
fn read(address: SocketAddr) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(EVERY))?;
    stream.write_all(b"GET /metrics HTTP/1.1\r\nhost: bench\r\nconnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer.contains("noughts_moves"))
}
