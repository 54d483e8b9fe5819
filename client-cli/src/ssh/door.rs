//! The listener, what it speaks, and one task for each connection. A connection may open one session at a
//! time and nothing else: no shell, no files, no forwarding.

use std::borrow::Cow;
use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use noughts_client::address::Link;
use noughts_client::connection::Trust;
use noughts_protocol::text::without_number;
use noughts_protocol::{DisplayText, JoinPassword};
use russh::keys::ssh_key::{Algorithm, EcdsaCurve, HashAlg, PrivateKey, PublicKey};
use russh::server::{
    Auth, ChannelOpenHandle, Config, Handle, Handler, Msg, PublicKeyOffer, Response, Session,
    VerifiedPublicKey, run_stream,
};
use russh::{Channel, ChannelId, Error, MethodKind, MethodSet, Preferred, Pty, SshId};
use russh::{cipher, compression, kex, mac};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::limits::{
    EXCHANGE_TIME, IDLE_TIME, LOGIN_TIME, Limits, MAX_ATTEMPTS, STOP_TIME, WITHOUT_SESSION,
};
use super::players::Players;
use super::request::{Request, Visitor, is_variable};
use super::session;
use super::stream::LimitedStream;
use crate::config::WriterThread;
use crate::way_in::WayIn;

/// The pause after a connection could not be accepted, which is logged: the system has no more files. The server
/// makes the same.
const ACCEPT_PAUSE: Duration = Duration::from_secs(1);

/// A shorter RSA key is refused, in bits.
const MIN_RSA: u32 = 2_048;

/// The messages in which a session says what it wants.
const MAX_REQUESTS: usize = 32;

/// How much longer than its idle time a session is given to end by itself.
const IDLE_GRACE: Duration = Duration::from_secs(60);

/// How long an exit status may take to be sent.
const FAREWELL_TIME: Duration = Duration::from_secs(5);

/// Changes of all players that wait for the disk.
const MAX_CHANGES: usize = 4_096;

/// The state that all sessions share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The server on which they play.
    pub(crate) server: Link,
    /// The authorities that may sign its certificate.
    pub(crate) trust: Trust,
    /// Its password.
    pub(crate) password: Option<JoinPassword>,
    /// The players with a key.
    pub(crate) players: Players,
    /// Writes their files.
    pub(crate) writer: WriterThread,
    /// How players come in.
    pub(crate) way_in: WayIn,
    /// The door is being closed: sessions say so and end.
    pub(crate) stop: CancellationToken,
}

impl Shared {
    /// A server without a password; the players are in a folder, which need not be there yet.
    pub(crate) fn new(server: Link, players: PathBuf, way_in: WayIn) -> Self {
        Self {
            server,
            trust: Trust::default(),
            password: None,
            players: Players::open_folder(players),
            writer: WriterThread::start(MAX_CHANGES),
            way_in,
            stop: CancellationToken::new(),
        }
    }
}

/// The door.
#[derive(Debug)]
pub(crate) struct Door {
    config: Arc<Config>,
    shared: Arc<Shared>,
    limits: Mutex<Limits<CancellationToken>>,
    quiet: bool,
}

/// The algorithms and sizes of a door: modern algorithms only, and small windows, because players send little.
pub(crate) fn config(key: PrivateKey) -> Config {
    Config {
        server_id: SshId::Standard(Cow::Borrowed("SSH-2.0-noughts")),
        methods: MethodSet::from(&[MethodKind::PublicKey, MethodKind::KeyboardInteractive][..]),
        auth_rejection_time: Duration::from_secs(1),
        // A client asks so for the methods.
        auth_rejection_time_initial: Some(Duration::ZERO),
        keys: vec![key],
        window_size: 16 * 1024,
        maximum_packet_size: 8 * 1024,
        channel_buffer_size: 16,
        event_buffer_size: 4,
        preferred: Preferred {
            kex: Cow::Borrowed(&[
                kex::MLKEM768X25519_SHA256,
                kex::CURVE25519,
                kex::CURVE25519_PRE_RFC_8731,
                kex::EXTENSION_SUPPORT_AS_SERVER,
                kex::EXTENSION_OPENSSH_STRICT_KEX_AS_SERVER,
            ]),
            key: Cow::Borrowed(&KEYS),
            host_key_certificates: Cow::Borrowed(&[]),
            cipher: Cow::Borrowed(&[cipher::CHACHA20_POLY1305, cipher::AES_256_GCM]),
            mac: Cow::Borrowed(&[mac::HMAC_SHA256_ETM, mac::HMAC_SHA512_ETM]),
            compression: Cow::Borrowed(&[compression::NONE]),
        },
        max_auth_attempts: MAX_ATTEMPTS,
        // A write that takes longer ends the connection. A peer that lives answers the keepalives.
        inactivity_timeout: Some(Duration::from_secs(180)),
        keepalive_interval: Some(Duration::from_secs(30)),
        keepalive_max: 3,
        nodelay: true,
        ..Config::default()
    }
}

/// The keys of players. The first one is also the door's own.
const KEYS: [Algorithm; 8] = [
    Algorithm::Ed25519,
    Algorithm::SkEd25519,
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP256 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP384 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP521 },
    Algorithm::SkEcdsaSha2NistP256,
    Algorithm::Rsa { hash: Some(HashAlg::Sha512) },
    Algorithm::Rsa { hash: Some(HashAlg::Sha256) },
];

/// How far a connection has come. It has a time for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Keys are exchanged.
    Exchange,
    /// The visitor logs in.
    Login,
    /// The visitor has logged in and has no session.
    Entered,
    /// The visitor has a session. Each input is told anew.
    Session,
}

impl Phase {
    const fn time(self) -> Duration {
        match self {
            Self::Exchange => EXCHANGE_TIME,
            Self::Login => LOGIN_TIME,
            Self::Entered => WITHOUT_SESSION,
            Self::Session => IDLE_TIME.saturating_add(IDLE_GRACE),
        }
    }
}

impl Door {
    /// A door with a key.
    pub(crate) fn new(key: PrivateKey, shared: Arc<Shared>, quiet: bool) -> Self {
        Self { config: Arc::new(config(key)), shared, limits: Mutex::default(), quiet }
    }

    /// Lets people in until it is to stop. Sessions have [`STOP_TIME`] to end then.
    pub(crate) async fn serve(self: Arc<Self>, listener: TcpListener) {
        let tracker = TaskTracker::new();
        let stop = self.shared.stop.clone();
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = stop.cancelled() => break,
            };
            match accepted {
                Ok((stream, peer)) => self.admit(stream, peer, &tracker),
                Err(error) => {
                    let why = without_number(&error.to_string());
                    log(&format!("cannot take another connection: {why}"));
                    sleep(ACCEPT_PAUSE).await;
                }
            }
        }
        drop(listener);
        tracker.close();
        let _ = timeout(STOP_TIME, tracker.wait()).await;
    }

    /// Starts the task of a connection, unless there are too many.
    fn admit(self: &Arc<Self>, stream: TcpStream, peer: SocketAddr, tracker: &TaskTracker) {
        // Keys are small and must not be delayed. A socket that cannot do this is closed already.
        let _ = stream.set_nodelay(true);
        let address = peer.ip().to_canonical();
        let cut = CancellationToken::new();
        let admitted = self.limits().admit(address, Instant::now(), cut.clone());
        match admitted {
            Ok((number, oldest)) => {
                if let Some(oldest) = oldest {
                    oldest.cancel();
                }
                let door = Arc::clone(self);
                tracker.spawn(async move {
                    door.connection(stream, number, address, cut).await;
                    door.limits().leave(number);
                });
            }
            Err(why) => {
                // Lines may come before the protocol (RFC 4253, 4.2). Nobody waits for the peer.
                let _ = stream.try_write(format!("noughts: {why}\r\n").as_bytes());
            }
        }
    }

    fn limits(&self) -> std::sync::MutexGuard<'_, Limits<CancellationToken>> {
        self.limits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a connection until it ends or is overdue.
    pub(crate) async fn connection(
        self: &Arc<Self>,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        number: u64,
        address: IpAddr,
        cut: CancellationToken,
    ) {
        let (phase, phases) = watch::channel(Phase::Exchange);
        let door = Arc::clone(self);
        let visitor = Visitor::new("", None, address);
        let handler = Connection { door, number, visitor, phase, cut: cut.clone(), started: false };
        let stream = LimitedStream::new(stream, cut.clone());
        let connection =
            pin!(async { run_stream(Arc::clone(&self.config), stream, handler).await?.await });
        tokio::select! {
            // How a peer ends is its own affair.
            _ = connection => {}
            () = overdue(phases, &self.shared.stop) => {}
        }
        // The task of the library ends with its stream.
        cut.cancel();
    }

    /// Logs who comes and goes.
    fn log_visit(&self, visitor: &Visitor, what: &str) {
        if !self.quiet {
            let key = visitor.key.map_or_else(|| "no key".to_owned(), |key| key.to_string());
            log(&format!("{} ({key}, {:?}) {what}", visitor.address, visitor.user));
        }
    }
}

/// Writes a line to standard error. A closed one is ignored.
fn log(text: &str) {
    let _ = writeln!(std::io::stderr(), "noughts: {}", DisplayText::from(text));
}

/// Waits until a connection stays in a phase for too long, or is not needed because the door stops.
async fn overdue(mut phases: watch::Receiver<Phase>, stop: &CancellationToken) {
    loop {
        let phase = *phases.borrow_and_update();
        let changed = timeout(phase.time(), phases.changed());
        let changed = tokio::select! {
            changed = changed => changed,
            () = stop.cancelled(), if phase != Phase::Session => return,
        };
        if !matches!(changed, Ok(Ok(()))) {
            return;
        }
    }
}

/// A connection, as the library tells of it.
pub(crate) struct Connection {
    door: Arc<Door>,
    number: u64,
    visitor: Visitor,
    phase: watch::Sender<Phase>,
    cut: CancellationToken,
    /// Whether the session has been told what to do.
    started: bool,
}

impl Connection {
    fn enter(&self, phase: Phase) {
        enter(&self.phase, phase);
    }

    fn failed(&self) -> Auth {
        self.door.limits().failed(self.visitor.address, Instant::now());
        Auth::reject()
    }
}

/// Enters a phase. Its time begins once.
fn enter(phase: &watch::Sender<Phase>, next: Phase) {
    phase.send_if_modified(|phase| std::mem::replace(phase, next) != next);
}

/// Whether a key proves anything today.
fn is_strong(key: &PublicKey, algorithm: &Algorithm) -> bool {
    let long = key.key_data().rsa().is_none_or(|key| key.key_size() >= MIN_RSA);
    long && KEYS.contains(algorithm)
}

impl Handler for Connection {
    type Error = Error;

    async fn auth_none(&mut self, _: &str) -> Result<Auth, Error> {
        self.enter(Phase::Login);
        Ok(Auth::reject())
    }

    async fn auth_password(&mut self, _: &str, _: &str) -> Result<Auth, Error> {
        self.enter(Phase::Login);
        Ok(self.failed())
    }

    async fn auth_publickey_offered(
        &mut self,
        _: &str,
        offer: PublicKeyOffer<'_>,
    ) -> Result<Auth, Error> {
        self.enter(Phase::Login);
        match is_strong(offer.public_key, offer.algorithm) {
            true => Ok(Auth::Accept),
            false => Ok(Auth::reject()),
        }
    }

    async fn auth_publickey(
        &mut self,
        user: &str,
        key: VerifiedPublicKey<'_>,
    ) -> Result<Auth, Error> {
        if !is_strong(key.public_key, key.algorithm) {
            return Ok(self.failed());
        }
        let fingerprint = key.public_key.fingerprint(HashAlg::Sha256);
        self.visitor = Visitor::new(user, Some(fingerprint), self.visitor.address);
        Ok(Auth::Accept)
    }

    /// A guest.
    async fn auth_keyboard_interactive<'a>(
        &'a mut self,
        user: &str,
        _: &str,
        _: Option<Response<'a>>,
    ) -> Result<Auth, Error> {
        self.visitor = Visitor::new(user, None, self.visitor.address);
        Ok(Auth::Accept)
    }

    async fn auth_succeeded(&mut self, _: &mut Session) -> Result<(), Error> {
        self.door.limits().logged_in(self.number);
        self.enter(Phase::Entered);
        Ok(())
    }

    async fn channel_open_session(
        &mut self,
        channel: Channel<Msg>,
        reply: ChannelOpenHandle,
        session: &mut Session,
    ) -> Result<(), Error> {
        // A channel that is not accepted is refused.
        if *self.phase.borrow() != Phase::Entered || self.door.shared.stop.is_cancelled() {
            return Ok(());
        }
        self.enter(Phase::Session);
        self.started = false;
        reply.accept().await;
        let door = Arc::clone(&self.door);
        let visitor = self.visitor.clone();
        let handle = session.handle();
        let phase = self.phase.clone();
        let cut = self.cut.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = play(&door, visitor, channel, &handle) => enter(&phase, Phase::Entered),
                () = cut.cancelled() => {}
            }
        });
        Ok(())
    }

    async fn pty_request(
        &mut self,
        channel: ChannelId,
        _: &str,
        _: u32,
        _: u32,
        _: u32,
        _: u32,
        _: &[(Pty, u32)],
        session: &mut Session,
    ) -> Result<(), Error> {
        answer(session, channel, !self.started)
    }

    async fn env_request(
        &mut self,
        channel: ChannelId,
        name: &str,
        _: &str,
        session: &mut Session,
    ) -> Result<(), Error> {
        answer(session, channel, !self.started && is_variable(name))
    }

    async fn shell_request(
        &mut self,
        channel: ChannelId,
        session: &mut Session,
    ) -> Result<(), Error> {
        let first = !std::mem::replace(&mut self.started, true);
        answer(session, channel, first)
    }

    async fn exec_request(
        &mut self,
        channel: ChannelId,
        _: &[u8],
        session: &mut Session,
    ) -> Result<(), Error> {
        self.shell_request(channel, session).await
    }

    async fn x11_request(
        &mut self,
        channel: ChannelId,
        _: bool,
        _: &str,
        _: &str,
        _: u32,
        session: &mut Session,
    ) -> Result<(), Error> {
        answer(session, channel, false)
    }

    async fn subsystem_request(
        &mut self,
        channel: ChannelId,
        _: &str,
        session: &mut Session,
    ) -> Result<(), Error> {
        answer(session, channel, false)
    }

    async fn data(&mut self, _: ChannelId, _: &[u8], _: &mut Session) -> Result<(), Error> {
        // The idle time begins again.
        self.phase.send_modify(|_| {});
        Ok(())
    }
}

fn answer(session: &mut Session, channel: ChannelId, success: bool) -> Result<(), Error> {
    match success {
        true => session.channel_success(channel),
        false => session.channel_failure(channel),
    }
}

/// Runs a session from its first request to its exit status.
async fn play(door: &Door, visitor: Visitor, mut channel: Channel<Msg>, handle: &Handle) {
    let id = channel.id();
    let wanted = timeout(WITHOUT_SESSION, requested(visitor, &mut channel)).await;
    let status = match wanted {
        Ok(Some(request)) => {
            let visitor = request.visitor.clone();
            door.log_visit(&visitor, "came");
            let status = session::run(Arc::clone(&door.shared), request, channel).await;
            door.log_visit(&visitor, "left");
            status
        }
        Ok(None) | Err(_) => 1,
    };
    let farewell = async {
        handle.exit_status_request(id, status).await?;
        handle.eof(id).await?;
        handle.close(id).await
    };
    // A peer that reads nothing is not waited for.
    let _ = timeout(FAREWELL_TIME, farewell).await;
}

/// Reads the request of a session; `None` if the session ends first, or sends more than [`MAX_REQUESTS`] messages.
async fn requested(visitor: Visitor, channel: &mut Channel<Msg>) -> Option<Request> {
    let mut request = Request::new(visitor);
    for _ in 0..MAX_REQUESTS {
        if request.take(&channel.wait().await?) {
            return Some(request);
        }
    }
    None
}

#[cfg(test)]
mod tests;
