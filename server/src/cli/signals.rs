//! What the system tells the process by signals: to stop, to read the certificate again, and that
//! a file may not grow. Each is listened for from the call on.

use crate::Config;

/// Listens for Ctrl-C and SIGTERM; the future completes with the first of them.
///
/// # Errors
/// Where the system does not let it listen.
#[cfg(unix)]
pub fn stop() -> std::io::Result<impl Future<Output = ()>> {
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

/// Completes on Ctrl-C.
///
/// # Errors
/// Never, on this system.
#[cfg(not(unix))]
pub fn stop() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

/// Listens for SIGHUP. On each the future reads the certificate again; without one it only says
/// that there is nothing to read, for the system would end the process otherwise. It never
/// completes.
///
/// # Errors
/// Where the system does not let it listen.
#[cfg(unix)]
pub fn hangups(config: &Config) -> std::io::Result<impl Future<Output = ()> + use<>> {
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
        std::future::pending::<()>().await;
    })
}

/// Never completes: other systems have no such signal.
///
/// # Errors
/// Never, on this system.
#[cfg(not(unix))]
pub fn hangups(_: &Config) -> std::io::Result<impl Future<Output = ()> + use<>> {
    Ok(std::future::pending())
}

/// Lets a write beyond the limit for the size of files (`ulimit -f`, `LimitFSIZE=`) fail like any
/// other: the signal that comes with it (SIGXFSZ) would end the process. Nobody needs to hear it;
/// that it is listened for once is enough for as long as the process runs.
///
/// # Errors
/// Where the system does not let it listen.
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
