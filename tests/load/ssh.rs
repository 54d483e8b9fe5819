//! Sessions at a door for ssh: what each takes of it.

use std::fmt::Write;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use futures::{StreamExt, TryStreamExt, stream};
use russh::client::{self, Handle, Handler, Msg};
use russh::keys::PublicKeyOrCertificate;
use russh::{Channel, ChannelMsg};
use tokio::net::TcpSocket;
use tokio::time::timeout;

use crate::target::{Kind, Target};
use crate::{AT_ONCE, Args};

/// An item of the menu, which a server has to be asked for.
const MENU: &str = "Make a party";

/// Addresses of this machine from which sessions come.
const ADDRESSES: u16 = 100;

/// How long a session may take to show it.
const PATIENCE: Duration = Duration::from_secs(60);

/// Believes any door.
struct Anybody;

impl Handler for Anybody {
    type Error = russh::Error;

    async fn check_server_key(&mut self, _: &PublicKeyOrCertificate) -> Result<bool, russh::Error> {
        Ok(true)
    }
}

/// Opens the sessions, and says what they took.
///
/// # Errors
/// If one of them does not come into the menu.
pub(crate) async fn measure(args: &Args, sessions: u16) -> anyhow::Result<String> {
    let server = Target::new(args, Kind::Noughts)?;
    let door = server.door(args)?;
    let empty = door.memory_kib().context("this system does not tell a program's memory")?;
    let cpu_before = door.cpu().unwrap_or_default();
    let begin = Instant::now();
    let open = |number| open(&door, number);
    let all: Vec<Handle<Anybody>> =
        stream::iter(0..sessions).map(open).buffer_unordered(AT_ONCE).try_collect().await?;
    let opened = begin.elapsed();
    let cpu = door.cpu().unwrap_or_default().saturating_sub(cpu_before);
    let full = door.memory_kib().unwrap_or_default();
    tokio::time::sleep(args.time).await;
    let idle = door.cpu().unwrap_or_default().saturating_sub(cpu_before + cpu);
    let count = all.len() as f64;
    let mut figures = String::new();
    writeln!(figures, "{:9} sessions, each in the menu of 80 x 24", all.len())?;
    writeln!(figures, "{:9.2} MiB without sessions", empty / 1024.0)?;
    writeln!(figures, "{:9.3} MiB a session", (full - empty) / 1024.0 / count)?;
    writeln!(figures, "{:9.2} s until all were there", opened.as_secs_f64())?;
    writeln!(figures, "{:9.2} ms of processor time to open one", 1e3 * cpu.as_secs_f64() / count)?;
    writeln!(
        figures,
        "{:9.2} % of a core while nobody does anything",
        100.0 * idle.as_secs_f64() / args.time.as_secs_f64()
    )?;
    Ok(figures)
}

/// Opens a session. A task reads what it is shown.
async fn open(door: &Target, number: u16) -> anyhow::Result<Handle<Anybody>> {
    let socket = TcpSocket::new_v4()?;
    // A door has limits for an address.
    let address = Ipv4Addr::new(127, 1, 0, u8::try_from(number % ADDRESSES + 1)?);
    socket.bind((address, 0).into())?;
    let stream = socket.connect(door.next_address().0).await?;
    stream.set_nodelay(true)?;
    let config = Arc::new(client::Config::default());
    let mut connection = client::connect_stream(config, stream, Anybody).await?;
    let user = format!("visitor {number}");
    let entered = connection.authenticate_keyboard_interactive_start(user, None).await?;
    ensure!(
        matches!(entered, client::KeyboardInteractiveAuthResponse::Success),
        "the door lets no guest in"
    );
    let mut channel = connection.channel_open_session().await?;
    channel.request_pty(true, "xterm-256color", 80, 24, 0, 0, &[]).await?;
    channel.request_shell(true).await?;
    timeout(PATIENCE, menu(&mut channel)).await.context("no menu is shown")??;
    tokio::spawn(async move { while channel.wait().await.is_some() {} });
    Ok(connection)
}

/// Waits for the menu.
async fn menu(channel: &mut Channel<Msg>) -> anyhow::Result<()> {
    let mut screen = vt100::Parser::default();
    while !screen.screen().contents().contains(MENU) {
        match channel.wait().await.context("the door ended the session")? {
            ChannelMsg::Data { data } => screen.process(&data),
            ChannelMsg::ExitStatus { exit_status } => {
                anyhow::bail!("the session ended ({exit_status}): {}", screen.screen().contents())
            }
            _ => {}
        }
    }
    Ok(())
}
