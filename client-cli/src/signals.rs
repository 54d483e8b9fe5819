//! The signals that end a program.

use std::io;

/// The meaning of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Ctrl-C was pressed.
    Interrupt,
    /// The terminal was closed, or the process is to end.
    Terminate,
}

/// The signals of this process, from its creation on.
#[derive(Debug)]
pub(crate) struct Signals {
    #[cfg(unix)]
    unix: [tokio::signal::unix::Signal; 3],
}

#[cfg(unix)]
impl Signals {
    /// Starts to receive the signals.
    ///
    /// # Errors
    /// If the system refuses.
    pub(crate) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        let [interrupt, terminate, hangup] = kinds.map(signal);
        Ok(Self { unix: [interrupt?, terminate?, hangup?] })
    }

    /// The next signal. It may be cancelled without loss.
    pub(crate) async fn next(&mut self) -> Signal {
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
    /// Starts to receive the signals.
    ///
    /// # Errors
    /// Never on this system.
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// The next signal. It may be cancelled without loss.
    pub(crate) async fn next(&mut self) -> Signal {
        match tokio::signal::ctrl_c().await {
            Ok(()) => Signal::Interrupt,
            // A system without signals sends none.
            Err(_) => std::future::pending().await,
        }
    }
}
