//! Tests of a door over pipes and in virtual time: logins, refusals and limits.

use russh::ChannelMsg;
use russh::client::{self, AuthResult};
use russh::keys::PublicKeyOrCertificate;
use russh::keys::ssh_key::private::{Ed25519Keypair, RsaKeypair};
use tokio::io::{DuplexStream, duplex};
use tokio::task::JoinHandle;

use super::super::limits::MAX_FAILURES;
use super::*;

/// A client that believes any door.
struct Anybody;

impl client::Handler for Anybody {
    type Error = Error;

    async fn check_server_key(&mut self, _: &PublicKeyOrCertificate) -> Result<bool, Error> {
        Ok(true)
    }
}

fn address() -> IpAddr {
    [192, 0, 2, 1].into()
}

fn door() -> Arc<Door> {
    let shared = Shared::new("localhost:1".parse().unwrap(), "/dev/null".into(), WayIn::default());
    let key = Ed25519Keypair::from_seed(&[7; 32]);
    Arc::new(Door::new(key.into(), Arc::new(shared), true))
}

/// A connection from one address, and its task.
fn connect(door: &Arc<Door>) -> (DuplexStream, JoinHandle<()>) {
    let (peer, stream) = duplex(64 * 1024);
    let door = Arc::clone(door);
    let connection = async move {
        door.connection(stream, 0, address(), CancellationToken::new()).await;
    };
    (peer, tokio::spawn(connection))
}

async fn client(peer: DuplexStream) -> client::Handle<Anybody> {
    client::connect_stream(Arc::default(), peer, Anybody).await.unwrap()
}

async fn guest(door: &Arc<Door>) -> (client::Handle<Anybody>, JoinHandle<()>) {
    let (peer, task) = connect(door);
    let mut client = client(peer).await;
    let entered = client.authenticate_keyboard_interactive_start("ada", None).await.unwrap();
    assert!(matches!(entered, client::KeyboardInteractiveAuthResponse::Success));
    (client, task)
}

#[tokio::test(start_paused = true)]
async fn a_silent_connection_ends() {
    let door = door();
    let begin = Instant::now();
    let (_peer, task) = connect(&door);
    task.await.unwrap();
    assert_eq!(begin.elapsed().as_secs(), EXCHANGE_TIME.as_secs());
    let (client, task) = guest(&door).await;
    let begin = Instant::now();
    task.await.unwrap();
    assert_eq!(begin.elapsed().as_secs(), WITHOUT_SESSION.as_secs());
    drop(client);
}

#[tokio::test(start_paused = true)]
async fn passwords_are_guessed_in_vain() {
    let door = door();
    for _ in 0..MAX_FAILURES {
        let (peer, _task) = connect(&door);
        let guess = client(peer).await.authenticate_password("root", "root").await.unwrap();
        assert!(!guess.success());
    }
    let admitted = door.limits().admit(address(), Instant::now(), CancellationToken::new());
    assert!(admitted.is_err());
}

/// Fails if a signature that can be forged today makes somebody a player.
#[tokio::test(start_paused = true)]
async fn weak_keys_are_refused() {
    let door = door();
    let key =
        |bits| Arc::new(PrivateKey::from(RsaKeypair::random(&mut rand::rng(), bits).unwrap()));
    let strong = key(2_048);
    for (key, hash, enters) in [
        (strong.clone(), Some(HashAlg::Sha256), true),
        (strong, None, false),
        (key(1_024), Some(HashAlg::Sha256), false),
    ] {
        let (peer, _task) = connect(&door);
        let key = russh::keys::PrivateKeyWithHashAlg::new(key, hash);
        let answer: AuthResult =
            client(peer).await.authenticate_publickey("ada", key).await.unwrap();
        assert_eq!(answer.success(), enters);
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_has_one_session_and_nothing_else() {
    let door = door();
    let (client, _task) = guest(&door).await;
    let mut session = client.channel_open_session().await.unwrap();
    assert!(client.channel_open_session().await.is_err());
    assert!(client.channel_open_direct_tcpip("localhost", 22, "localhost", 1).await.is_err());
    assert!(client.channel_open_direct_streamlocal("/run/x").await.is_err());
    assert!(client.tcpip_forward("localhost", 0).await.is_err());
    session.request_subsystem(true, "sftp").await.unwrap();
    session.agent_forward(true).await.unwrap();
    session.request_x11(true, false, "x", "y", 0).await.unwrap();
    session.set_env(true, "LD_PRELOAD", "x").await.unwrap();
    session.set_env(true, "COLORTERM", "truecolor").await.unwrap();
    let mut answers = Vec::new();
    while answers.len() < 5 {
        match session.wait().await.unwrap() {
            ChannelMsg::Success => answers.push(true),
            ChannelMsg::Failure => answers.push(false),
            _ => {}
        }
    }
    assert_eq!(answers, [false, false, false, false, true]);
}
