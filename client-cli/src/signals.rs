//! The signals that ask a program to go.

use std::io;

/// What a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// The terminal was closed, or somebody ended the process.
    Terminate,
}

/// The signals of this process, from now on.
#[derive(Debug)]
pub struct Signals {
    #[cfg(unix)]
    unix: [tokio::signal::unix::Signal; 3],
}

#[cfg(unix)]
impl Signals {
    /// Takes the signals over from the system.
    ///
    /// # Errors
    /// Where the system does not allow that.
    pub fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        let [interrupt, terminate, hangup] = kinds.map(signal);
        Ok(Self { unix: [interrupt?, terminate?, hangup?] })
    }

    /// The next signal. May be cancelled without loss.
    pub async fn next(&mut self) -> Signal {
        let [interrupt, terminate, hangup] = &mut self.unix;
        tokio::select! {
            _ = interrupt.recv() => Signal::Interrupt,
            _ = terminate.recv() => Signal::Terminate,
            _ = hangup.recv() => Signal::Terminate,
        }
    }
}

#[cfg(not(unix))]
impl Signals {
    /// Takes the signals over from the system.
    ///
    /// # Errors
    /// Never, here.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// The next signal. May be cancelled without loss.
    pub async fn next(&mut self) -> Signal {
        match tokio::signal::ctrl_c().await {
            Ok(()) => Signal::Interrupt,
            // Where there are no signals, none comes.
            Err(_) => std::future::pending().await,
        }
    }
}
