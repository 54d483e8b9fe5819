//! The signals that end or stop a program. A full screen listens to the job control of a shell too: Ctrl-Z
//! stops it, and `fg` lets it go on.

use std::io;

/// The meaning of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Ctrl-C was pressed.
    Interrupt,
    /// The terminal was closed, or the process is to end.
    Terminate,
    /// The shell stops the program.
    Stop,
    /// The program was stopped, and goes on.
    Continue,
}

/// The signals of this process, from its creation on.
#[derive(Debug)]
pub(crate) struct Signals {
    #[cfg(unix)]
    unix: Vec<(Signal, tokio::signal::unix::Signal)>,
}

#[cfg(unix)]
impl Signals {
    /// Starts to receive the signals that end the program.
    pub(crate) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [
            (Signal::Interrupt, SignalKind::interrupt()),
            (Signal::Terminate, SignalKind::terminate()),
            (Signal::Terminate, SignalKind::hangup()),
        ];
        let unix = kinds.into_iter().map(|(meaning, kind)| Ok((meaning, signal(kind)?)));
        Ok(Self { unix: unix.collect::<io::Result<_>>()? })
    }

    /// Starts to receive those of a shell too. The program must stop itself then.
    pub(crate) fn with_jobs() -> io::Result<Self> {
        use rustix::process::Signal as Number;
        use tokio::signal::unix::{SignalKind, signal};
        let mut signals = Self::listen()?;
        for (meaning, number) in [(Signal::Stop, Number::TSTP), (Signal::Continue, Number::CONT)] {
            signals.unix.push((meaning, signal(SignalKind::from_raw(number.as_raw()))?));
        }
        Ok(signals)
    }

    /// The next signal. It may be cancelled without loss.
    pub(crate) async fn next(&mut self) -> Signal {
        let received = self.unix.iter_mut().map(|(meaning, signal)| {
            Box::pin(async move {
                signal.recv().await;
                *meaning
            })
        });
        futures::future::select_all(received).await.0
    }
}

/// Stops the program, and what runs with it as one job, until it is to go on.
#[cfg(unix)]
pub(crate) fn stop() -> io::Result<()> {
    use rustix::process::{Signal, kill_current_process_group};
    // SIGTSTP no longer stops a program that listens to it. SIGTTIN does, and like SIGTSTP it does
    // nothing where no shell could continue the program.
    Ok(kill_current_process_group(Signal::TTIN)?)
}

/// Other systems know Ctrl-C alone.
#[cfg(not(unix))]
impl Signals {
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    pub(crate) fn with_jobs() -> io::Result<Self> {
        Self::listen()
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

#[cfg(not(unix))]
pub(crate) fn stop() -> io::Result<()> {
    Ok(())
}
