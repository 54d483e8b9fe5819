//! Job control of a shell: Ctrl-Z stops the full screen, and `fg` lets it go on.

use std::io;

/// A wish of the shell, or of somebody who uses `kill`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Job {
    /// The program is to stop.
    Stop,
    /// The program was stopped, and goes on.
    Continue,
}

/// The signals of job control, from its creation on. While it listens, the program must stop itself.
#[derive(Debug)]
pub(crate) struct JobControl {
    #[cfg(unix)]
    unix: [tokio::signal::unix::Signal; 2],
}

#[cfg(unix)]
impl JobControl {
    pub(crate) fn listen() -> io::Result<Self> {
        use rustix::process::Signal;
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [Signal::TSTP, Signal::CONT].map(|kind| SignalKind::from_raw(kind.as_raw()));
        let [stop, go_on] = kinds.map(signal);
        Ok(Self { unix: [stop?, go_on?] })
    }

    /// The next signal. It may be cancelled without loss.
    pub(crate) async fn next(&mut self) -> Job {
        let [stop, go_on] = &mut self.unix;
        tokio::select! {
            _ = stop.recv() => Job::Stop,
            _ = go_on.recv() => Job::Continue,
        }
    }

    /// Stops the program, and what runs with it as one job, until it is to go on.
    pub(crate) fn stop() -> io::Result<()> {
        use rustix::process::{Signal, kill_current_process_group};
        // SIGTSTP no longer stops a program that listens to it. SIGTTIN does, and like SIGTSTP it does
        // nothing where no shell could continue the program.
        Ok(kill_current_process_group(Signal::TTIN)?)
    }
}

#[cfg(not(unix))]
impl JobControl {
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for ever: this system has no job control.
    pub(crate) async fn next(&mut self) -> Job {
        std::future::pending().await
    }

    pub(crate) fn stop() -> io::Result<()> {
        Ok(())
    }
}
