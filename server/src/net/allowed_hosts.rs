//! The hosts that are this machine: its names, its addresses, and the hosts of `--public-url` and
//! `--allow-origin`. The answer to a request for another host is [`crate::http`]'s.

use std::net::IpAddr;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;
use url::{Host, Url};

use crate::config::Config;
use crate::net::lan;

/// How long the machine's addresses are cached.
const ADDRESSES_FOR: Duration = Duration::from_secs(10);

/// The hosts that a server with `--public-url` answers.
#[derive(Debug)]
pub(crate) struct AllowedHosts {
    /// The hosts of the options, and the machine's names.
    known: Vec<Host>,
    /// The machine's addresses, and when they were read.
    addresses: Mutex<Option<(Instant, Vec<IpAddr>)>>,
}

impl AllowedHosts {
    /// The hosts that a server with this configuration answers.
    pub(crate) fn new(config: &Config) -> Self {
        let urls = config.allowed_origins.iter().filter_map(|origin| Url::parse(origin).ok());
        let mut known: Vec<Host> =
            urls.filter_map(|url| url.host().map(|host| host.to_owned())).collect();
        let machine = hostname::get().ok().and_then(|name| name.into_string().ok());
        if let Some(Host::Domain(name)) = machine.and_then(|name| Host::parse(&name).ok()) {
            known.push(Host::Domain(format!("{name}.local")));
            known.push(Host::Domain(name));
        }
        Self { known, addresses: Mutex::default() }
    }

    /// Whether a host, with or without a port, is this machine.
    pub(crate) fn is_own(&self, host: &str) -> bool {
        let Ok(url) = Url::parse(&format!("http://{host}")) else { return false };
        let Some(host) = url.host().map(|host| host.to_owned()) else { return false };
        if self.known.contains(&host) {
            return true;
        }
        match host {
            // These names always mean this machine (RFC 6761, section 6.3).
            Host::Domain(name) => name == "localhost" || name.ends_with(".localhost"),
            Host::Ipv4(ip) => self.is_own_address(ip.into()),
            Host::Ipv6(ip) => self.is_own_address(ip.into()),
        }
    }

    fn is_own_address(&self, ip: IpAddr) -> bool {
        let ip = ip.to_canonical();
        let now = Instant::now();
        if ip.is_loopback() {
            return true;
        }
        let mut cached = self.addresses.lock();
        let addresses = match &*cached {
            Some((at, addresses)) if now < *at + ADDRESSES_FOR => addresses,
            _ => &cached.insert((now, lan::own_addresses())).1,
        };
        addresses.contains(&ip)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::AllowedHosts;
    use crate::{Args, Config};

    #[test]
    fn a_machine_knows_its_names_and_addresses() {
        let args = [
            "noughts-server",
            "--public-url=https://Play.example/noughts",
            "--allow-origin=http://box.lan:7333",
        ];
        let hosts = AllowedHosts::new(&Config::try_from(&Args::parse_from(args)).unwrap());
        let machine = hostname::get().unwrap().into_string().unwrap();
        let local = format!("{machine}.local:7333");
        let interface = crate::net::lan::own_addresses().into_iter().find(|ip| ip.is_ipv4());
        let interface = interface.map_or_else(|| "127.0.0.1".to_owned(), |ip| ip.to_string());
        for own in [
            "play.example",
            "PLAY.example:443",
            "box.lan",
            "localhost:7333",
            "a.localhost",
            "127.0.0.1:7333",
            "127.9.9.9",
            "[::1]:7333",
            &machine,
            &local,
            &interface,
        ] {
            assert!(hosts.is_own(own), "{own}");
        }
        for other in [
            "evil.example",
            "play.example.evil.example",
            "evil-play.example",
            "localhost.evil.example",
            "203.0.113.77",
            "[2001:db8::77]:7333",
            "",
            "a b",
        ] {
            assert!(!hosts.is_own(other), "{other}");
        }
    }
}
