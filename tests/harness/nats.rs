//! NATS servers as real processes, one or three that form a cluster, which a test may stop, kill, freeze
//! and start again.
//!
//! Each group of servers has addresses of its own in 127.0.0.0/8, which Linux gives out without asking:
//! the servers of a cluster must know each other's addresses before any of them runs.

use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

use noughts_server::shard::SHARDS;
use parking_lot::{Condvar, Mutex};
use tempfile::TempDir;

use crate::bot::poll_delay;
use crate::process::ask;
use crate::skip::skipped;
use crate::{LONG_TIMEOUT, LinkProxy, ServerProcess, TIMEOUT};

/// The stream of a cluster's log, with the prefix that nodes have unless they are told another.
pub const LOG: &str = "noughts-log";

/// The ports of a server, on an address of its own: for clients, for the other servers, and for
/// questions about its state.
const PORTS: [u16; 3] = [4222, 6222, 8222];

/// Polls without a change after which no shard moves any more: a better heir gets a shard after 3 s.
const SETTLED: u32 = 25;

/// The program, where `tests/run` puts it.
fn program() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/nats/bin/nats-server")
}

/// Servers that form a cluster, or one alone. Dropping them kills them.
#[derive(Debug)]
pub struct NatsServers {
    servers: Vec<NatsServer>,
    folder: TempDir,
    /// More lines of the block `jetstream`.
    jetstream: &'static str,
    _slot: Option<Slot>,
}

/// Groups of several servers that run at once: with more, a machine of two cores is busy with them alone.
const GROUPS: u8 = 3;

static RUNNING: (Mutex<u8>, Condvar) = (Mutex::new(0), Condvar::new());

/// The right of a group to run.
#[derive(Debug)]
struct Slot;

impl Slot {
    /// Waits for other groups to end.
    fn wait() -> Self {
        let mut running = RUNNING.0.lock();
        RUNNING.1.wait_while(&mut running, |running| *running >= GROUPS);
        *running += 1;
        Self
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        *RUNNING.0.lock() -= 1;
        RUNNING.1.notify_one();
    }
}

#[derive(Debug)]
struct NatsServer {
    ip: Ipv4Addr,
    process: Option<Child>,
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

    /// Gives them addresses, but does not start them yet. Waits while [`GROUPS`] others run.
    ///
    /// # Panics
    /// If there is no folder for their files.
    #[must_use]
    pub fn prepare(test: &str, count: u8) -> Option<Self> {
        if !cfg!(target_os = "linux") || !program().exists() {
            skipped(test, "Linux and the NATS server of tests/harness/nats/requirements.txt");
            return None;
        }
        let slot = (count > 1).then(Slot::wait);
        let net = net();
        let ips = (1..=count).map(|host| Ipv4Addr::new(127, net[0], net[1], host));
        let servers = ips.map(|ip| NatsServer { ip, process: None }).collect();
        Some(Self { servers, folder: tempfile::tempdir().unwrap(), jetstream: "", _slot: slot })
    }

    /// Has them write everything to the disk at once.
    pub const fn sync_always(&mut self) {
        self.jetstream = "sync_interval: always";
    }

    /// Starts all, with more lines in their configuration.
    ///
    /// # Panics
    /// If they do not come up.
    pub fn run(&mut self, options: &str) {
        for index in 0..self.count() {
            self.configure(index, options);
            self.begin(index);
        }
        (0..self.count()).for_each(|index| self.until_accepts(index));
    }

    fn configure(&self, index: usize, options: &str) {
        let [clients, peers, questions] = PORTS;
        let ip = self.servers[index].ip;
        let data = self.stored(index);
        let mut config = format!(
            "server_name: n{index}\nlisten: \"{ip}:{clients}\"\nhttp: \"{ip}:{questions}\"\n\
             jetstream {{ store_dir: {data:?}\n{} }}\n{options}",
            self.jetstream
        );
        if self.servers.len() > 1 {
            // Nodes use the addresses that they are given, before which a test may put a proxy.
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

    fn file(&self, index: usize, extension: &str) -> PathBuf {
        self.folder.path().join(format!("n{index}.{extension}"))
    }

    fn begin(&mut self, index: usize) {
        let log = File::options().create(true).append(true).open(self.file(index, "log")).unwrap();
        let mut command = Command::new(program());
        command.arg("--config").arg(self.file(index, "conf")).stdout(Stdio::null()).stderr(log);
        self.servers[index].process = Some(command.spawn().unwrap());
    }

    fn until_accepts(&self, index: usize) {
        let address = SocketAddr::from((self.servers[index].ip, PORTS[0]));
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

    /// The address of one server, for a node.
    #[must_use]
    pub fn url(&self, index: usize) -> String {
        format!("nats://{}:{}", self.servers[index].ip, PORTS[0])
    }

    /// The addresses of all.
    #[must_use]
    pub fn urls(&self) -> Vec<String> {
        (0..self.count()).map(|index| self.url(index)).collect()
    }

    /// Starts a node of a Noughts cluster on these servers, with an address of its own.
    ///
    /// # Panics
    /// If it does not come up.
    #[must_use]
    pub fn node(&self, number: u8, options: &[&str]) -> ServerProcess {
        self.node_of(&crate::process::program("noughts-server"), number, options)
    }

    /// Starts a node that is another program: a server of an earlier version.
    ///
    /// # Panics
    /// If it does not come up.
    #[must_use]
    pub fn node_of(&self, program: &Path, number: u8, options: &[&str]) -> ServerProcess {
        self.start_node(program, number, &self.urls(), options)
    }

    /// Starts a node that reaches the servers through proxies.
    ///
    /// # Panics
    /// If it does not come up.
    #[must_use]
    pub fn node_through(&self, proxies: &[LinkProxy], number: u8) -> ServerProcess {
        let urls = proxies.iter().map(|proxy| format!("nats://{}", proxy.address()));
        let program = crate::process::program("noughts-server");
        self.start_node(&program, number, &urls.collect::<Vec<_>>(), &[])
    }

    fn start_node(
        &self,
        program: &Path,
        number: u8,
        urls: &[String],
        options: &[&str],
    ) -> ServerProcess {
        let [_, first, second, _] = self.servers[0].ip.octets();
        let address = SocketAddr::from(([127, first, second, 100 + number], 7333));
        let (urls, replicas) = (urls.join(","), self.count().to_string());
        let public = format!("http://{address}");
        let fixed = ["--cluster", &urls, "--cluster-replicas", &replicas];
        let more = ["--cluster-log-size", "1", "--cluster-address", &public];
        ServerProcess::start_program(program, address, &[&fixed[..], &more, options].concat())
    }

    /// The ids of the processes that run.
    #[must_use]
    pub fn ids(&self) -> Vec<u32> {
        self.servers.iter().filter_map(|server| Some(server.process.as_ref()?.id())).collect()
    }

    /// The folder with what a server has stored.
    #[must_use]
    pub fn stored(&self, index: usize) -> PathBuf {
        self.folder.path().join(format!("data{index}"))
    }

    /// The log of a server, over all its starts.
    #[must_use]
    pub fn log(&self, index: usize) -> String {
        fs::read_to_string(self.file(index, "log")).unwrap_or_default()
    }

    /// Kills a server as `kill -9` does.
    pub fn kill(&mut self, index: usize) {
        if let Some(mut process) = self.servers[index].process.take() {
            drop(process.kill());
            drop(process.wait());
        }
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

    fn signal(&self, index: usize, signal: &str) {
        let process = self.servers[index].process.as_ref().expect("the server does not run");
        let id = process.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    }

    /// The server that leads a stream, by the word of those that run; `None` while there is none.
    #[must_use]
    pub fn leader(&self, stream: &str) -> Option<usize> {
        let running = self.servers.iter().filter(|server| server.process.is_some());
        let named = running.filter_map(|server| {
            let state = ask((server.ip, PORTS[2]).into(), "/jsz?accounts=true&streams=true")?;
            let accounts = state["account_details"].as_array()?;
            let mut streams =
                accounts.iter().filter_map(|account| account["stream_detail"].as_array());
            let stream =
                streams.find_map(|streams| streams.iter().find(|one| one["name"] == stream))?;
            let name = stream["cluster"]["leader"].as_str()?;
            name.strip_prefix('n')?.parse().ok()
        });
        let named: Vec<usize> = named.collect();
        let (first, rest) = named.split_first()?;
        rest.iter().all(|other| other == first).then_some(*first)
    }

    /// Waits until a stream has a leader that all running servers know.
    ///
    /// # Panics
    /// If there is none in two minutes.
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

/// Waits until no shard moves from one node to another any more: a room that moves closes its connections.
///
/// # Panics
/// If that takes longer than a minute.
pub async fn until_settled<'a>(nodes: impl Iterator<Item = &'a ServerProcess> + Clone) {
    let (mut before, mut polls) = (Vec::new(), 0);
    for _ in 0..10 * SETTLED {
        let shards = nodes.clone().map(|node| node.health()?["cluster"]["shards"].as_u64());
        let shards: Vec<_> = shards.collect();
        polls = if shards == before { polls + 1 } else { 0 };
        let is_whole = shards.iter().copied().sum::<Option<u64>>() == Some(u64::from(SHARDS));
        if is_whole && polls == SETTLED {
            return println!("shards: {shards:?}");
        }
        before = shards;
        poll_delay().await;
    }
    panic!("the shards do not settle: {before:?}");
}

/// Waits until these nodes hear each other and have read the whole log, or panics after two minutes.
pub async fn until_whole<'a>(nodes: impl Iterator<Item = &'a ServerProcess> + Clone) {
    let count = nodes.clone().count();
    let is_whole = |node: &ServerProcess| {
        let cluster = node.health().map(|mut health| health["cluster"].take());
        cluster.is_some_and(|cluster| {
            cluster["nodes"] == count
                && cluster["hears_the_others"] == true
                && cluster["unread_records"] == 0
        })
    };
    let deadline = Instant::now() + LONG_TIMEOUT;
    while !nodes.clone().all(is_whole) {
        if Instant::now() > deadline {
            panic!("it is not: {:#?}", nodes.map(ServerProcess::health).collect::<Vec<_>>());
        }
        poll_delay().await;
    }
}

/// The two middle numbers of the addresses of a group: random for each process, then counted.
fn net() -> [u8; 2] {
    static FIRST: LazyLock<u8> = LazyLock::new(|| rand::random_range(1..=254));
    static NEXT: AtomicU8 = AtomicU8::new(0);
    static START: LazyLock<u8> = LazyLock::new(rand::random);
    [*FIRST, START.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed))]
}
