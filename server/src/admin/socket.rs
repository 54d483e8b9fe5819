//! The Unix socket in the data folder. A process that may open it may act: the file is the owner's
//! alone. One JSON object a line comes in, one goes out.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::{MAX_QUESTION, answer_json};
use crate::state::Shared;

/// The name of the socket in the data folder.
const FILE: &str = "admin.sock";

/// Hosts at once. Another one waits.
const MOST: usize = 8;

/// How long a host may be silent, and an answer may take to be read.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where the socket of a data folder is.
pub(crate) fn path(folder: &Path) -> PathBuf {
    folder.join(FILE)
}

/// Listens in a data folder, which this process has locked: a socket there is a dead one's.
///
/// # Errors
/// If the system refuses it, for example because the path is longer than some 100 bytes.
pub(crate) fn listen(folder: &Path) -> io::Result<UnixListener> {
    let path = path(folder);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(&path)?;
    fs::set_permissions(&path, Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// Answers hosts, for ever.
pub(crate) async fn run(listener: UnixListener, shared: Arc<Shared>) {
    let places = Arc::new(Semaphore::new(MOST));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                let shared = Arc::clone(&shared);
                tokio::spawn(async move {
                    // The host has gone.
                    let _ = serve(stream, &shared).await;
                    drop(place);
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a host cannot come in");
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

async fn serve(mut stream: UnixStream, shared: &Arc<Shared>) -> io::Result<()> {
    let by = "socket".into();
    let (read, mut write) = stream.split();
    let mut read = BufReader::new(read);
    loop {
        let mut line = String::new();
        let mut limited = (&mut read).take(MAX_QUESTION as u64);
        if timeout(PATIENCE, limited.read_line(&mut line)).await?? == 0 {
            return Ok(());
        }
        let mut text = answer_json(shared, &by, line.as_bytes()).await?;
        text.push(b'\n');
        timeout(PATIENCE, write.write_all(&text)).await??;
    }
}
