//! Somebody who reads a server's metrics, as Prometheus would, only more often.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

/// How often they are read.
const EVERY: Duration = Duration::from_secs(1);

/// An address at which nobody listens now.
pub(crate) fn free_address() -> std::io::Result<SocketAddr> {
    TcpListener::bind(("127.0.0.1", 0))?.local_addr()
}

/// Reads until it is stopped.
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
                // It may not be up yet, or be gone already.
                times += u32::from(read(address).unwrap_or(false));
            }
            times
        });
        Self { stop, thread }
    }

    /// How often they were read.
    pub(crate) fn stop(self) -> u32 {
        drop(self.stop);
        self.thread.join().unwrap_or_default()
    }
}

/// Reads them once; whether they were there.
fn read(address: SocketAddr) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(EVERY))?;
    stream.write_all(b"GET /metrics HTTP/1.1\r\nhost: bench\r\nconnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer.contains("noughts_moves"))
}
