//! NATS servers as real processes, one or three that form a cluster, which a test may stop, kill, freeze
//! and start again.
//!
//! Each group of servers has addresses of its own in 127.0.0.0/8, which Linux gives out without asking:
//! the servers of a cluster must know each other's addresses before any of them runs.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use futures::executor::block_on;
use noughts_cluster::Options;
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::bot::poll_delay;
use crate::network::own_network;
use crate::process::signal;
use crate::skip::skipped;
use crate::{LONG_TIMEOUT, Running, ServerProcess, TIMEOUT};

/// The ports of a server, on an address of its own: for nodes, for the other servers, and for questions
/// about its state.
const PORTS: [u16; 3] = [4222, 6222, 8222];

/// Groups of several servers that run at once: with more, a machine of two cores is busy with them alone.
static GROUPS: Semaphore = Semaphore::const_new(3);

/// Servers that form a cluster, or one alone. Dropping them kills them.
#[derive(Debug)]
pub struct NatsServers {
    servers: Vec<NatsServer>,
    folder: TempDir,
    _slot: Option<SemaphorePermit<'static>>,
}

#[derive(Debug)]
struct NatsServer {
    ip: Ipv4Addr,
    process: Option<Running>,
}

impl NatsServers {
    /// Starts this many servers, and waits until they take connections. If they cannot run here, the
    /// skipped test is reported.
    ///
    /// # Panics
    /// If they do not come up.
    #[must_use]
    pub fn start(test: &str, count: u8) -> Option<Self> {
        let mut servers = Self::prepare(test, count)?;
        servers.run("");
        Some(servers)
    }

    /// Gives them addresses, but does not start them yet. Waits while [`GROUPS`] has no room.
    ///
    /// # Panics
    /// If there is no folder for their files.
    #[must_use]
    pub fn prepare(test: &str, count: u8) -> Option<Self> {
        if !cfg!(target_os = "linux") || !program().exists() {
            skipped(test, "Linux and the NATS server of tests/harness/nats/requirements.txt");
            return None;
        }
        let slot = (count > 1).then(|| block_on(GROUPS.acquire()).unwrap());
        let [second, third] = own_network();
        let ips = (1..=count).map(|host| Ipv4Addr::new(127, second, third, host));
        let servers = ips.map(|ip| NatsServer { ip, process: None }).collect();
        Some(Self { servers, folder: tempfile::tempdir().unwrap(), _slot: slot })
    }

    /// Starts all, with more lines in their configuration.
    ///
    /// # Panics
    /// If they do not come up.
    pub fn run(&mut self, more: &str) {
        for index in 0..self.count() {
            self.configure(index, more);
            self.begin(index);
        }
        (0..self.count()).for_each(|index| self.until_accepts(index));
    }

    fn configure(&self, index: usize, more: &str) {
        let [clients, peers, questions] = PORTS;
        let ip = self.servers[index].ip;
        let data = self.data(index);
        let mut config = format!(
            "server_name: n{index}\nlisten: \"{ip}:{clients}\"\nhttp: \"{ip}:{questions}\"\n\
             jetstream {{ store_dir: {data:?} }}\n{more}\n"
        );
        if self.count() > 1 {
            let routes =
                self.servers.iter().map(|server| format!("\"nats://{}:{peers}\"", server.ip));
            let routes = routes.collect::<Vec<_>>().join(", ");
            config += &format!(
                "cluster {{ name: test, listen: \"{ip}:{peers}\", routes: [{routes}]\n\
                 no_advertise: true }}\n"
            );
        }
        fs::write(self.file(index, "conf"), config).unwrap();
    }

    fn data(&self, index: usize) -> PathBuf {
        self.folder.path().join(format!("data{index}"))
    }

    fn file(&self, index: usize, extension: &str) -> PathBuf {
        self.folder.path().join(format!("n{index}.{extension}"))
    }

    fn begin(&mut self, index: usize) {
        let log = File::options().create(true).append(true).open(self.file(index, "log")).unwrap();
        let mut command = Command::new(program());
        command.arg("--config").arg(self.file(index, "conf")).stdout(Stdio::null()).stderr(log);
        self.servers[index].process = Some(Running::start(&mut command));
    }

    fn until_accepts(&self, index: usize) {
        let address = SocketAddr::from((self.ip(index), PORTS[0]));
        let deadline = Instant::now() + TIMEOUT;
        while TcpStream::connect(address).is_err() {
            assert!(Instant::now() < deadline, "NATS does not start:\n{}", self.log(index));
            std::thread::yield_now();
        }
    }

    /// How many servers there are.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.servers.len()
    }

    /// The IP address of one server.
    #[must_use]
    pub fn ip(&self, index: usize) -> Ipv4Addr {
        self.servers[index].ip
    }

    /// The addresses of all, for nodes.
    #[must_use]
    pub fn urls(&self) -> Vec<String> {
        self.servers.iter().map(|server| format!("nats://{}:{}", server.ip, PORTS[0])).collect()
    }

    /// The options of a node of a cluster on these servers.
    ///
    /// # Panics
    /// If there are more than 255 servers.
    #[must_use]
    pub fn options(&self, name: &str) -> Options {
        Options {
            urls: self.urls(),
            credentials: None,
            authorities: None,
            certificate: None,
            name: name.to_owned(),
            replicas: u8::try_from(self.count()).unwrap(),
            address: "http://127.0.0.1:1".to_owned(),
        }
    }

    /// Starts a node of a Noughts cluster on these servers, with an address of its own, which clients are
    /// told.
    ///
    /// # Panics
    /// If it does not come up.
    #[must_use]
    pub fn node(&self, number: u8, options: &[&str]) -> ServerProcess {
        let [_, second, third, _] = self.ip(0).octets();
        let address = SocketAddr::from(([127, second, third, 100 + number], 7333));
        let urls = self.urls().join(",");
        let replicas = self.count().to_string();
        let public = format!("http://{address}");
        let fixed = ["--cluster", &urls, "--cluster-replicas", &replicas];
        ServerProcess::start_bound(
            address,
            &[&fixed[..], &["--cluster-address", &public], options].concat(),
        )
    }

    /// Kills a server as `kill -9` does.
    pub fn kill(&mut self, index: usize) {
        self.servers[index].process = None;
    }

    /// Stops a server as a service manager does, and waits for its end.
    ///
    /// # Panics
    /// If it does not run.
    pub fn terminate(&mut self, index: usize) {
        self.signal(index, "-TERM");
        drop(self.servers[index].process.take().unwrap().wait());
    }

    /// Starts a server again, on the same address and folder.
    ///
    /// # Panics
    /// If it does not come up.
    pub fn restart(&mut self, index: usize) {
        self.kill(index);
        self.begin(index);
        self.until_accepts(index);
    }

    /// Kills a server, and starts it again without anything that it has stored.
    ///
    /// # Panics
    /// If it does not come up.
    pub fn lose_all(&mut self, index: usize) {
        self.kill(index);
        fs::remove_dir_all(self.data(index)).unwrap();
        self.restart(index);
    }

    /// Freezes a server.
    ///
    /// # Panics
    /// If it does not run.
    pub fn freeze(&self, index: usize) {
        self.signal(index, "-STOP");
    }

    /// Lets a frozen server go on.
    ///
    /// # Panics
    /// If it does not run.
    pub fn thaw(&self, index: usize) {
        self.signal(index, "-CONT");
    }

    fn signal(&self, index: usize, name: &str) {
        let process = self.servers[index].process.as_ref().expect("the server does not run");
        signal(process.id(), name);
    }

    /// Waits until a stream has a leader that all running servers know, and returns it.
    ///
    /// # Panics
    /// If there is none in five minutes.
    pub async fn until_led(&self, stream: &str) -> usize {
        let deadline = Instant::now() + LONG_TIMEOUT;
        loop {
            let leader = self.leader(stream);
            if let Some(leader) = leader.filter(|leader| self.servers[*leader].process.is_some()) {
                return leader;
            }
            assert!(Instant::now() < deadline, "{stream} has no leader:\n{}", self.log(0));
            poll_delay().await;
        }
    }

    /// The leader of a stream by the word of all that run; `None` if they do not agree.
    fn leader(&self, stream: &str) -> Option<usize> {
        let running = self.servers.iter().filter(|server| server.process.is_some());
        let named = running.map(|server| {
            let address = SocketAddr::from((server.ip, PORTS[2]));
            let state = get_json(address, "/jsz?accounts=true&streams=true")?;
            let accounts = state["account_details"].as_array()?;
            let streams = accounts.iter().filter_map(|account| account["stream_detail"].as_array());
            let found = streams.flatten().find(|found| found["name"] == stream)?;
            found["cluster"]["leader"].as_str()?.strip_prefix('n')?.parse().ok()
        });
        let named: Vec<Option<usize>> = named.collect();
        let (first, rest) = named.split_first()?;
        if rest.iter().any(|other| other != first) {
            return None;
        }
        *first
    }

    /// The log of a server, over all its starts.
    fn log(&self, index: usize) -> String {
        fs::read_to_string(self.file(index, "log")).unwrap_or_default()
    }
}

impl Drop for NatsServers {
    fn drop(&mut self) {
        (0..self.count()).for_each(|index| self.kill(index));
        if std::thread::panicking() {
            (0..self.count())
                .for_each(|index| eprint!("NATS server {index}:\n{}", self.log(index)));
        }
    }
}

/// The JSON that a program answers over HTTP; `None` if it does not answer at once.
#[must_use]
pub fn get_json(address: SocketAddr, path: &str) -> Option<Value> {
    let limit = Duration::from_secs(1);
    let mut stream = TcpStream::connect_timeout(&address, limit).ok()?;
    stream.set_read_timeout(Some(limit)).ok()?;
    write!(stream, "GET {path} HTTP/1.0\r\nhost: localhost\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (_, body) = answer.split_once("\r\n\r\n")?;
    serde_json::from_str(body).ok()
}

/// Waits until these nodes know each other, hold their leases and have copied all games.
///
/// # Panics
/// If that takes longer than five minutes.
pub async fn until_whole<'a>(nodes: impl Iterator<Item = &'a ServerProcess> + Clone) {
    let count = nodes.clone().count();
    let health = |node: &ServerProcess| get_json(node.address(), "/healthz");
    let is_whole = |node: &ServerProcess| {
        health(node).is_some_and(|health| {
            let cluster = &health["cluster"];
            cluster["nodes"] == count && cluster["lease"] == true && cluster["unread_records"] == 0
        })
    };
    let deadline = Instant::now() + LONG_TIMEOUT;
    while !nodes.clone().all(is_whole) {
        assert!(
            Instant::now() < deadline,
            "not whole: {:#?}",
            nodes.map(health).collect::<Vec<_>>()
        );
        poll_delay().await;
    }
}

/// The program, where `tests/run` puts it.
fn program() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/nats/bin/nats-server")
}
