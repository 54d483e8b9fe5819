//! Signals of the system: to stop, to read the configuration again, and that a file
//! may not grow. Each signal is caught from the call of its function on.

use crate::cli::reload::Running;
use crate::cli::systemd;

/// Completes with the first Ctrl-C or SIGTERM, after it has told the log and the service manager.
///
/// # Errors
/// If the system refuses a handler.
pub fn stop() -> std::io::Result<impl Future<Output = ()>> {
    let signal = stop_signal()?;
    Ok(async {
        signal.await;
        systemd::stopping();
        tracing::info!("stopping: telling every connection");
    })
}

#[cfg(unix)]
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

/// Reads the configuration again at each SIGHUP.
///
/// # Errors
/// If the system refuses a handler.
pub(super) fn reload(running: Running) -> std::io::Result<impl Future<Output = ()> + Send> {
    let mut hangups = hangups()?;
    Ok(async move {
        while hangups.recv().await.is_some() {
            // It reads files.
            tokio::task::block_in_place(|| running.reload());
        }
    })
}

#[cfg(unix)]
fn hangups() -> std::io::Result<tokio::signal::unix::Signal> {
    use tokio::signal::unix::{SignalKind, signal};
    signal(SignalKind::hangup())
}

/// Other systems have no such signal: none comes.
#[cfg(not(unix))]
fn hangups() -> std::io::Result<tokio::sync::mpsc::Receiver<()>> {
    Ok(tokio::sync::mpsc::channel(1).1)
}

/// Makes a write beyond the limit for the size of files (`ulimit -f`, `LimitFSIZE=`) fail like any
/// other write. Otherwise the signal that comes with it (SIGXFSZ) would end the process. The handler
/// stays for as long as the process runs.
///
/// # Errors
/// If the system refuses a handler.
#[cfg(unix)]
pub fn survive_file_size_limit() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let exceeded = rustix::process::Signal::XFSZ.as_raw();
    signal(SignalKind::from_raw(exceeded)).map(drop)
}

/// Does nothing: other systems have no such signal.
///
/// # Errors
/// Never, on this system.
#[cfg(not(unix))]
pub const fn survive_file_size_limit() -> std::io::Result<()> {
    Ok(())
}
