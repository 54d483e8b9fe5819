//! Machines on separate networks: Linux network namespaces, connected by veth pairs and a bridge. They
//! need root, and `ip` and `bridge` of iproute2; without them a test is skipped.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::{LazyLock, OnceLock};

use crate::process::{program, succeeds};
use crate::skip::skipped;

/// A machine, without a network at first. Dropping it removes it and its interfaces.
#[derive(Debug)]
pub struct Machine {
    namespace: String,
}

/// A switch and the machines on it, each with an interface `lan0` at 192.168.77.1, .2 and so on.
#[derive(Debug)]
pub struct Lan {
    switch: Machine,
    /// The machines, in the order of their addresses.
    pub machines: Vec<Machine>,
}

/// Whether namespaces can be made here. If not, the skip is reported once.
///
/// # Panics
/// If they cannot, although `CI=true` is set.
#[must_use]
pub fn is_possible() -> bool {
    static POSSIBLE: OnceLock<bool> = OnceLock::new();
    *POSSIBLE.get_or_init(|| {
        sweep();
        let probe = format!("noughts-{}-probe", std::process::id());
        let ran = |args: &[&str]| Command::new("ip").args(args).output();
        let made = ran(&["netns", "add", &probe]).is_ok_and(|output| output.status.success());
        let connect = ["-n", &probe, "link", "add", "lan0", "type", "veth", "peer", "name", "lan1"];
        let possible = made && ran(&connect).is_ok_and(|output| output.status.success());
        if made {
            drop(ran(&["netns", "del", &probe]));
        }
        if !possible {
            skipped("what is tested on networks of its own", "root and iproute2");
        }
        possible
    })
}

/// Removes the namespaces of test processes that were killed.
fn sweep() {
    let listed = Command::new("ip").args(["netns", "list"]).output();
    let listed = listed.map(|output| output.stdout).unwrap_or_default();
    for line in String::from_utf8_lossy(&listed).lines() {
        let name = line.split(' ').next().unwrap_or_default();
        let pid = name.strip_prefix("noughts-").and_then(|rest| rest.split('-').next());
        if pid.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            drop(Command::new("ip").args(["netns", "del", name]).output());
        }
    }
}

/// The two middle numbers of addresses in 127.0.0.0/8 that nobody else has: random for each process, then
/// counted. Linux gives them out without asking.
#[must_use]
pub fn own_network() -> [u8; 2] {
    static FIRST: LazyLock<u8> = LazyLock::new(|| rand::random_range(1..=254));
    static START: LazyLock<u8> = LazyLock::new(rand::random);
    static NEXT: AtomicU8 = AtomicU8::new(0);
    [*FIRST, START.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed))]
}

impl Machine {
    /// A new machine.
    ///
    /// # Panics
    /// If there are no rights to make one.
    #[must_use]
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let machine = Self { namespace: format!("noughts-{}-{number}", std::process::id()) };
        succeeds(Command::new("ip").args(["netns", "add", &machine.namespace]));
        machine.ip("link set lo up");
        machine
    }

    /// Runs `ip` with arguments on the machine.
    ///
    /// # Panics
    /// If it fails.
    pub fn ip(&self, arguments: &str) {
        succeeds(Command::new("ip").args(["-n", &self.namespace]).args(arguments.split(' ')));
    }

    /// Connects an interface of this machine to one of another, and brings both up.
    ///
    /// # Panics
    /// If one of the two is there already.
    pub fn connect(&self, interface: &str, other: &Self, theirs: &str) {
        let peer = &other.namespace;
        self.ip(&format!("link add {interface} type veth peer name {theirs} netns {peer}"));
        self.ip(&format!("link set {interface} up"));
        other.ip(&format!("link set {theirs} up"));
    }

    /// The prefix of a command that runs on this machine.
    #[must_use]
    pub fn via(&self) -> [&str; 4] {
        ["ip", "netns", "exec", &self.namespace]
    }

    /// Runs `noughts` on the machine, to its end; exit code and output.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn noughts(&self, args: &[&str], config_dir: &Path) -> (i32, String) {
        self.run(
            &program("noughts"),
            &[args, &["--config-dir", config_dir.to_str().unwrap()]].concat(),
        )
    }

    /// Runs a program on the machine, to its end; exit code and output.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn run(&self, program: &Path, args: &[&str]) -> (i32, String) {
        let [ip, rest @ ..] = self.via();
        let mut command = Command::new(ip);
        command.args(rest).arg(program).args(args).stdin(Stdio::null());
        let output = command.output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&said).into_owned())
    }
}

impl Default for Machine {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        drop(Command::new("ip").args(["netns", "del", &self.namespace]).output());
    }
}

impl Lan {
    /// Makes machines on one switch.
    ///
    /// # Panics
    /// If there are no rights to make them.
    #[must_use]
    pub fn new(count: usize) -> Self {
        let switch = Machine::new();
        switch.ip("link add br0 type bridge");
        switch.ip("link set br0 up");
        let machines: Vec<Machine> = (1..=count).map(|_| Machine::new()).collect();
        for (number, machine) in (1..).zip(&machines) {
            machine.connect("lan0", &switch, &format!("port{number}"));
            switch.ip(&format!("link set port{number} master br0"));
            machine.ip(&format!("addr add 192.168.77.{number}/24 dev lan0"));
        }
        Self { switch, machines }
    }

    /// Sets whether the switch carries multicast. Many guest networks do not.
    ///
    /// # Panics
    /// If the switch refuses.
    pub fn set_multicast(&self, carried: bool) {
        let flood = if carried { "on" } else { "off" };
        for number in 1..=self.machines.len() {
            let port = format!("port{number}");
            let args = ["link", "set", "dev", &port, "mcast_flood", flood];
            let (code, said) = self.switch.run(Path::new("bridge"), &args);
            assert_eq!(code, 0, "{said}");
        }
    }
}
