//! The door for ssh: a session of a channel is a client of the server.
//!
//! - [`door`] listens, by [`limits`], over a [`stream`], with a [`host_key`]. It knows no game.
//! - [`request`] is what a session asks for and may, and [`session`] plays: on a [`tty`], or in lines.
//! - [`players`] are those with a key.
//! - [`keys`] reads the bytes of its terminal, and [`line_editor`] edits its lines.

use std::io::{self, ErrorKind, Write};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use noughts_protocol::DisplayText;
use noughts_protocol::text::without_number;
use russh::keys::ssh_key::PrivateKey;
use tokio::net::TcpListener;

use crate::args::{Args, SshArgs};
use crate::client::Exit;
use crate::config;
use crate::net::lan::probe::probe;
use crate::options::Options;
use crate::signals::Signals;
use crate::way_in::WayIn;
use door::{Door, Shared};

pub(crate) mod door;
mod host_key;
mod keys;
mod limits;
mod line_editor;
mod players;
mod request;
mod session;
mod stream;
mod tty;

/// The folder of the door in that of the settings.
const FOLDER: &str = "ssh";

/// Keeps a door open until the process is to end.
///
/// # Errors
/// If the program cannot use the system as it must.
pub(crate) fn run(args: &Args, ssh: &SshArgs) -> anyhow::Result<Exit> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("start the program's event loop")?;
    let exit = runtime.block_on(open(args, ssh));
    runtime.shutdown_timeout(Duration::ZERO);
    exit
}

async fn open(args: &Args, ssh: &SshArgs) -> anyhow::Result<Exit> {
    let mut signals = Signals::listen().context("listen for signals")?;
    let listener = match TcpListener::bind(ssh.listen).await {
        Ok(listener) => listener,
        Err(error) => return Ok(Exit::Refused(cannot_listen(ssh.listen, &error))),
    };
    let bound = listener.local_addr().context("read the listening address")?;
    let folder = config::folder(args.global.config_dir.as_deref())?.join(FOLDER);
    let key = match host_key::load_or_make(&folder.join("host_key")) {
        Ok(key) => key,
        Err(why) => return Ok(Exit::Refused(why)),
    };
    let options = Options::new(args)?;
    let server = args.global.server.clone().map_or_else(|| "localhost".parse(), Ok)?;
    let way_in = WayIn::Ssh {
        host: ssh.host.clone().unwrap_or_else(|| usual_host(bound.ip())),
        port: bound.port(),
    };
    let shared = Shared::new(server, folder.join("players"), way_in);
    let shared = Arc::new(Shared { trust: options.trust, password: options.password, ..shared });
    raise_file_limit();
    // A door without a reader of its banner is open too.
    let _ = io::stdout().write_all(banner(bound, &key, &shared).as_bytes());
    let door = Arc::new(Door::new(key, Arc::clone(&shared), ssh.quiet));
    let serving = tokio::spawn(door.serve(listener));
    tokio::spawn(warn_without_server(Arc::clone(&shared)));
    signals.next().await;
    shared.stop.cancel();
    serving.await.context("close the door")?;
    Ok(Exit::Done)
}

/// Why the address of `--listen` cannot be had, and what to do.
fn cannot_listen(address: SocketAddr, error: &io::Error) -> String {
    let advice = match error.kind() {
        ErrorKind::AddrInUse => "another program listens there: choose another port with --listen",
        ErrorKind::PermissionDenied => "only root may use that port: choose one above 1023",
        ErrorKind::AddrNotAvailable => "this machine has no such address: use 0.0.0.0",
        _ => return format!("cannot listen on {address}: {}", without_number(&error.to_string())),
    };
    format!("cannot listen on {address}: {advice}")
}

/// The address by which others reach this machine, as far as it knows.
fn usual_host(listens: IpAddr) -> String {
    if !listens.is_unspecified() {
        return listens.to_string();
    }
    let all = if_addrs::get_if_addrs().unwrap_or_default();
    let mut others =
        all.iter().filter(|interface| !interface.is_loopback() && interface.ip().is_ipv4());
    others.next().map_or_else(|| "localhost".to_owned(), |interface| interface.ip().to_string())
}

/// The lines for the host of the door.
fn banner(bound: SocketAddr, key: &PrivateKey, shared: &Shared) -> String {
    let zone = match &shared.way_in {
        WayIn::Ssh { host, .. } if host.parse::<IpAddr>().is_err() => host,
        _ => "NAME",
    };
    let is_local = matches!(&shared.way_in, WayIn::Ssh { host, .. }
        if host.parse::<IpAddr>().is_ok_and(|host| host.is_loopback()));
    let from = if is_local { "on this machine" } else { "from anywhere" };
    format!(
        "The door for ssh is open at {bound} and leads to {}. To play, {from}:\n\n  {}\n\n\
         Its key is {}. In a name's zone, it is:\n\n  {}\n",
        shared.server.server,
        shared.way_in.command(""),
        host_key::fingerprint(key),
        host_key::sshfp(key.public_key(), zone),
    )
}

/// Says so if no server answers. The sessions say it too, and the door goes on.
async fn warn_without_server(shared: Arc<Shared>) {
    let server = &shared.server.server;
    if let Err(why) = probe(server, &shared.trust, None).await {
        let why = why.unwrap_or_else(|| format!("no server answers at {server}").into());
        let text = format!("{why}. Players are told so, until one does");
        let _ = writeln!(io::stderr(), "noughts: {}", DisplayText::from(text));
    }
}

/// Each session has two sockets, and systems begin with 1,024 files or fewer.
fn raise_file_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        // Without more, accepting fails and is tried again.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}
