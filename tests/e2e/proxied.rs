//! Behind a reverse proxy, below a path of its host: the recipes of `server/docs/hosting.md`, except for the
//! names, with the real programs. Tests the client's address, the links, a game over `wss://`, and a tunnel.
//! A missing program is reported.

use std::net::{SocketAddr, TcpStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use noughts_harness::network::own_network;
use noughts_harness::skip::has_programs;
use noughts_harness::tls::{Authority, connect};
use noughts_harness::{Device, Pipe, Running, ServerProcess, TIMEOUT, Tab, until};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_rustls::client::TlsStream;

use crate::page::steps::my_turn;

/// With its modules, the proxy that many machines have already.
mod apache;

/// The one that needs no certificate.
pub(crate) mod caddy;

/// The loopback address that every system has.
mod nginx;

/// Paths and headers, without any proxy.
mod paths;

/// Out of a network that lets nobody in.
mod tunnel;

/// The pages with the recipes.
const README: &str =
    concat!(include_str!("../../server/README.md"), include_str!("../../server/docs/hosting.md"));

/// The proxy's address, used by this test alone.
const PORT: u16 = 8443;

/// A proxy process in front of a server.
pub(crate) struct Proxy {
    child: Running,
    pub(crate) address: SocketAddr,
    /// Its authority, as PEM.
    pub(crate) ca: String,
    folder: TempDir,
}

/// An address of the loopback network that no other test has.
pub(crate) fn own_address() -> SocketAddr {
    let [second, third] = own_network();
    SocketAddr::from(([127, second, third, 1], PORT))
}

/// The README's recipe that begins like this, after the line with its language.
pub(crate) fn recipe(beginning: &str) -> &'static str {
    let recipes = README.split("```").filter_map(|block| Some(block.split_once('\n')?.1));
    recipes.into_iter().find(|recipe| recipe.starts_with(beginning)).unwrap()
}

/// A text with something replaced that is there.
#[track_caller]
pub(crate) fn replaced(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "{old:?} is not in\n{text}");
    text.replace(old, new)
}

/// The options of the README's line for a server behind a proxy, with the proxy's address.
fn options(proxy: SocketAddr) -> Vec<String> {
    let line = README.lines().find(|line| line.contains("--trusted-proxy 127.0.0.1")).unwrap();
    let line = replaced(line, "https://play.example", &format!("https://{proxy}"));
    let (_, options) = line.split_once("--base-path").unwrap();
    format!("--base-path{options}").split(' ').map(str::to_owned).collect()
}

/// A server behind what `proxy` is to be, with the README's options and others.
fn server(proxy: SocketAddr, more: &[&str]) -> ServerProcess {
    let options = options(proxy);
    let options: Vec<&str> =
        options.iter().map(String::as_str).chain(more.iter().copied()).collect();
    ServerProcess::start(&options)
}

/// A folder with a certificate for an address.
fn signed_folder(address: SocketAddr) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::new();
    authority.sign(&[&address.ip().to_string()]);
    for (from, to) in [(authority.ca(), "ca"), (authority.cert(), "cert"), (authority.key(), "key")]
    {
        std::fs::copy(from, folder.path().join(to)).unwrap();
    }
    folder
}

/// Waits until the proxy listens.
fn started(mut command: Command, address: SocketAddr, folder: TempDir, ca: &str) -> Proxy {
    let log = std::fs::File::create(folder.path().join("proxy.log")).unwrap();
    let child = Running::start(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log));
    let ca = folder.path().join(ca).to_str().unwrap().to_owned();
    let mut proxy = Proxy { child, address, ca, folder };
    let deadline = Instant::now() + TIMEOUT;
    let ready =
        |proxy: &Proxy| TcpStream::connect(address).is_ok() && std::fs::exists(&proxy.ca).unwrap();
    while !ready(&proxy) {
        let log = || std::fs::read_to_string(proxy.folder.path().join("proxy.log")).unwrap();
        let ended = proxy.child.try_wait().unwrap();
        assert!(ended.is_none() && Instant::now() < deadline, "it does not listen:\n{}", log());
        std::thread::yield_now();
    }
    proxy
}

/// Connects to the proxy, from an address.
async fn dial(proxy: &Proxy, from: &str) -> std::io::Result<TlsStream<tokio::net::TcpStream>> {
    connect(from, proxy.address, &proxy.address.ip().to_string(), proxy.ca.as_ref()).await
}

/// Waits until the proxy has its certificate, for which Caddy listens already.
pub(crate) async fn certified(proxy: &Proxy) {
    until("its certificate", async || dial(proxy, "127.0.0.1").await.ok()).await;
}

/// Lets what `before` starts pass a game, and then the address of each visitor.
async fn passes_all(program: &str, before: impl Fn(SocketAddr, &ServerProcess) -> Proxy) {
    if !has_programs("what is tested behind a proxy", &[program]) {
        return;
    }
    let address = own_address();
    let generous = server(address, &[]);
    let proxy = before(address, &generous);
    certified(&proxy).await;
    page_and_terminal_play(&format!("https://{address}/noughts"), &proxy.ca).await;
    let address = own_address();
    let strict = server(address, &STRICT);
    sees_the_real_address(&before(address, &strict), &strict).await;
}

/// A browser and a terminal play a game to its end, where the page is below `base`.
pub(crate) async fn page_and_terminal_play(base: &str, ca: &str) {
    let ada = Tab::new(Device::LAPTOP).await;
    ada.trust_any_certificate().await;
    // Without the slash it is led to the page as well.
    ada.goto(base).await;
    assert_eq!(ada.address().await, format!("{base}/"));
    ada.click("link", "Play a friend*").await;
    ada.button("Start").await;
    ada.until_screen("room").await;
    let link = ada.find("textbox", "Link").await.value;
    assert!(link.starts_with(&format!("{base}/r/")), "{link}");
    let folder = tempfile::tempdir().unwrap();
    let mut bob = Pipe::run(&["play", &link, "--ca", ca], folder.path());
    bob.timeout = Duration::from_secs(60);
    for (row, column, cell) in [(2, 2, "1"), (1, 3, "2")] {
        my_turn(&ada).await;
        ada.cell(row, column).await;
        bob.wait_for("Your turn");
        bob.line(cell);
    }
    my_turn(&ada).await;
    ada.reload().await;
    my_turn(&ada).await;
    ada.cell(3, 1).await;
    ada.until_text("With a diagonal.").await;
    bob.wait_for("wins with the counter diagonal");
    bob.line("quit");
    assert_eq!(bob.wait_exit(), 0);
    ada.done().await;
}

/// Asks for a WebSocket from an address; the status, and the connection.
async fn upgrade(proxy: &Proxy, from: &str, more: &str) -> (u16, impl Sized) {
    upgrade_at(proxy, "/noughts/ws", from, more).await
}

/// The same at another path.
pub(crate) async fn upgrade_at(
    proxy: &Proxy,
    path: &str,
    from: &str,
    more: &str,
) -> (u16, impl Sized + use<>) {
    let mut stream = dial(proxy, from).await.unwrap();
    let head = format!(
        "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n{more}\r\n",
        proxy.address
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    (String::from_utf8_lossy(&answer[9..]).parse().unwrap(), stream)
}

/// Each visitor has limits of their own, whatever they say about themselves, and the log names
/// them.
async fn sees_the_real_address(proxy: &Proxy, server: &ServerProcess) {
    certified(proxy).await;
    let (status, ada) = upgrade(proxy, "127.0.0.2", "").await;
    assert_eq!(status, 101);
    assert_eq!(upgrade(proxy, "127.0.0.2", "").await.0, 429);
    assert_eq!(upgrade(proxy, "127.0.0.2", "x-forwarded-for: 192.0.2.9\r\n").await.0, 429);
    let (status, bob) = upgrade(proxy, "127.0.0.3", "").await;
    assert_eq!(status, 101, "another visitor has a limit of their own");
    let evil = upgrade(proxy, "127.0.0.4", "origin: https://evil.example\r\n").await;
    assert_eq!(evil.0, 403);
    let own = format!("origin: https://{}\r\n", proxy.address);
    assert_eq!(upgrade(proxy, "127.0.0.5", &own).await.0, 101);
    let log = server.log();
    assert!(log.contains("peer=127.0.0.2") && log.contains("peer=127.0.0.3"), "{log}");
    drop((ada, bob));
}

/// A log that names every connection, and one connection an address.
const STRICT: [&str; 4] = ["--max-per-address", "1", "--log", "noughts_server=debug"];
