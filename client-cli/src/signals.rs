//! The signals that end or stop a program: those of the process, or those of a session over ssh. A full
//! screen listens to the job control of a shell too: Ctrl-Z stops it, and `fg` lets it go on.

use std::io;

use tokio::sync::mpsc;

/// The meaning of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(all(not(unix), not(test)), expect(dead_code, reason = "other systems stop no program"))]
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

/// The signals of this process, or those that somebody sends to a session.
#[derive(Debug)]
pub(crate) enum Signals {
    /// Of the process, from the creation of this on.
    Process(ProcessSignals),
    /// Of a session. If the sender is gone, the session is to end.
    Sent(mpsc::Receiver<Signal>),
}

impl Signals {
    /// Starts to receive the signals that end the program.
    pub(crate) fn listen() -> io::Result<Self> {
        ProcessSignals::listen().map(Self::Process)
    }

    /// Starts to receive those of a shell too. The program must stop itself then.
    pub(crate) fn with_jobs() -> io::Result<Self> {
        ProcessSignals::with_jobs().map(Self::Process)
    }

    /// The next signal. It may be cancelled without loss.
    pub(crate) async fn next(&mut self) -> Signal {
        match self {
            Self::Process(signals) => signals.next().await,
            Self::Sent(signals) => signals.recv().await.unwrap_or(Signal::Terminate),
        }
    }
}

/// The signals of this process.
#[derive(Debug)]
pub(crate) struct ProcessSignals {
    #[cfg(unix)]
    unix: Vec<(Signal, tokio::signal::unix::Signal)>,
}

#[cfg(unix)]
impl ProcessSignals {
    /// Starts to receive the signals that end the program.
    fn listen() -> io::Result<Self> {
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
    fn with_jobs() -> io::Result<Self> {
        use rustix::process::Signal as Number;
        use tokio::signal::unix::{SignalKind, signal};
        let mut signals = Self::listen()?;
        for (meaning, number) in [(Signal::Stop, Number::TSTP), (Signal::Continue, Number::CONT)] {
            signals.unix.push((meaning, signal(SignalKind::from_raw(number.as_raw()))?));
        }
        Ok(signals)
    }

    async fn next(&mut self) -> Signal {
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
impl ProcessSignals {
    fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    fn with_jobs() -> io::Result<Self> {
        Self::listen()
    }

    #[expect(clippy::needless_pass_by_ref_mut, reason = "as on Unix")]
    async fn next(&mut self) -> Signal {
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
