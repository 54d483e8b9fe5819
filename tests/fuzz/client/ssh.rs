//! The first bytes of a connection to the door for ssh, as a stranger may send them.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use russh::keys::ssh_key::PrivateKey;
use russh::keys::ssh_key::private::Ed25519Keypair;
use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::ssh::door::{Door, Shared};
use crate::way_in::WayIn;

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().enable_all().build().expect("a runtime"));

static DOOR: LazyLock<Arc<Door>> = LazyLock::new(|| {
    let server = "localhost".parse().expect("an address");
    let shared = Shared::new(server, "/nonexistent".into(), WayIn::default());
    let key = PrivateKey::from(Ed25519Keypair::from_seed(&[7; 32]));
    Arc::new(Door::new(key, Arc::new(shared), true))
});

/// Sends the input to a door, and nothing after it.
///
/// # Panics
/// If the connection does not end then.
pub fn ssh(input: &[u8]) {
    let ended = RUNTIME.block_on(async {
        let (mut peer, stream) = duplex(input.len().max(64 * 1024));
        peer.write_all(input).await.expect("the pipe holds the input");
        peer.shutdown().await.expect("a pipe closes");
        let connection =
            DOOR.connection(stream, 0, [192, 0, 2, 1].into(), CancellationToken::new());
        let mut answer = Vec::new();
        let both = async { tokio::join!(connection, peer.read_to_end(&mut answer)) };
        timeout(Duration::from_secs(5), both).await.is_ok()
    });
    assert!(ended, "the connection goes on");
}
