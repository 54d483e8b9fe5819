//! What the system tells the process by signals: to stop, to reload the certificate, and that a file
//! may not grow. Each signal is caught from the call of its function on.

use crate::Config;
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

/// Reloads the certificate at each SIGHUP. Without a certificate it only logs that, because the
/// system would end the process if nothing caught the signal.
///
/// # Errors
/// If the system refuses a handler.
#[cfg(unix)]
pub fn reload_certificate(
    config: &Config,
) -> std::io::Result<impl Future<Output = ()> + Send + use<>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut hangups = signal(SignalKind::hangup())?;
    let tls = config.tls.clone();
    Ok(async move {
        while hangups.recv().await.is_some() {
            let Some(tls) = &tls else {
                tracing::info!("SIGHUP is ignored: there is no certificate to read again");
                continue;
            };
            match tls.renew() {
                Ok(()) => {
                    tracing::info!("the certificate was read again, for connections from now on");
                }
                Err(error) => tracing::warn!(%error, "the certificate in use stays"),
            }
        }
    })
}

/// Does nothing: other systems have no such signal.
///
/// # Errors
/// Never, on this system.
#[cfg(not(unix))]
pub fn reload_certificate(_: &Config) -> std::io::Result<impl Future<Output = ()> + Send + use<>> {
    Ok(std::future::ready(()))
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
