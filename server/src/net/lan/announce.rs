//! Tells the network of the server by DNS-SD over multicast DNS (RFC 6763, RFC 6762), so that
//! nobody has to type its address. The service type and the TXT record are documented in
//! `protocol/README.md`.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use mdns_sd::{DaemonEvent, IfKind, ServiceDaemon, ServiceInfo};
use noughts_protocol::SERVICE_TYPE;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::config::Config;
use crate::net::lan::{Reach, reach, url_of};

/// How often the number of waiting rooms is looked at; it is announced when it has changed.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// How often the interfaces are looked at, in seconds.
const INTERFACES_EVERY: u32 = 2;

/// How long the goodbye may take before the server stops without it.
const GOODBYE: Duration = Duration::from_secs(1);

/// The longest part of the server's name in the service's, in bytes: a DNS label has 63, and the
/// rest tells servers of one name apart.
const NAME_BYTES: usize = 40;

/// The longest `key=value` of a TXT record, in bytes (RFC 6763, section 6.1).
const TXT_BYTES: usize = 255;

/// Announces a server until a future completes, then withdraws it. `waiting` counts the public
/// rooms with a free seat. A network that cannot be told does without.
pub async fn announced(
    config: &Config,
    bound: SocketAddr,
    waiting: impl Fn() -> usize,
    until: impl Future<Output = ()>,
) {
    if !config.announce || bound.ip().is_loopback() {
        return until.await;
    }
    match Announcement::start(config, bound, waiting()) {
        Ok(announcement) => announcement.keep(waiting, until).await,
        Err(error) => {
            tracing::warn!(%error, "the network is not told of this server: others type its address");
            until.await;
        }
    }
}

/// A running announcement.
struct Announcement {
    daemon: ServiceDaemon,
    /// The server's name for people.
    name: String,
    /// The service's name, unique on the network.
    instance: String,
    /// The name that the addresses are published under. Not the machine's, which another program
    /// may already publish.
    host: String,
    config: Config,
    bound: SocketAddr,
}

impl Announcement {
    fn start(config: &Config, bound: SocketAddr, waiting: usize) -> mdns_sd::Result<Self> {
        let id: u64 = rand::random();
        let (name, config) = (config.name.to_string(), config.clone());
        let instance = format!("{} {id:016x}", cut(&name, NAME_BYTES));
        let host = format!("noughts-{id:016x}.local.");
        let this = Self { daemon: ServiceDaemon::new()?, name, instance, host, config, bound };
        let mut without = vec![IfKind::LoopbackV4, IfKind::LoopbackV6];
        if bound.is_ipv4() {
            without.push(IfKind::IPv6);
        }
        this.daemon.disable_interface(without)?;
        this.daemon.set_ip_check_interval(INTERFACES_EVERY)?;
        this.daemon.register(this.service(waiting)?)?;
        Ok(this)
    }

    /// What is announced.
    fn service(&self, waiting: usize) -> mdns_sd::Result<ServiceInfo> {
        let rooms = waiting.to_string();
        let Config { base_path, tls, public_url, .. } = &self.config;
        let mut txt = vec![
            ("name", self.name.as_str()),
            ("version", env!("CARGO_PKG_VERSION")),
            ("rooms", &rooms),
        ];
        if tls.is_some() {
            txt.push(("tls", "1"));
        }
        if !base_path.is_empty() {
            txt.push(("path", base_path));
        }
        // Only by its name does a certificate fit.
        if let Some(url) = public_url {
            txt.push(("url", url.as_str()));
        }
        // What is longer does without.
        txt.retain(|(key, value)| key.len() + "=".len() + value.len() <= TXT_BYTES);
        let ip = self.bound.ip();
        let port = self.bound.port();
        let all: &[IpAddr] = if ip.is_unspecified() { &[] } else { &[ip] };
        let service =
            ServiceInfo::new(SERVICE_TYPE, &self.instance, &self.host, all, port, &txt[..])?;
        let mut service = if ip.is_unspecified() { service.enable_addr_auto() } else { service };
        if !ip.is_unspecified() {
            service.set_interfaces(vec![IfKind::Addr(ip)]);
        }
        // Both names hold 64 random bits: nobody else's are asked for first.
        service.set_requires_probe(false);
        Ok(service)
    }

    async fn keep(self, waiting: impl Fn() -> usize, until: impl Future<Output = ()>) {
        tokio::pin!(until);
        let monitor = self.daemon.monitor();
        let mut look = interval(LOOK_EVERY);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut told = waiting();
        loop {
            tokio::select! {
                () = &mut until => break,
                _ = look.tick() => {
                    let now = waiting();
                    if now != told && self.update(now) {
                        told = now;
                    }
                }
                event = async { monitor.as_ref().ok()?.recv_async().await.ok() } => match event {
                    Some(event) => self.log(&event),
                    // The library's thread has ended.
                    None => return until.await,
                },
            }
        }
        self.withdraw().await;
    }

    /// Announces a changed number; false where the library is too busy for it.
    fn update(&self, waiting: usize) -> bool {
        self.service(waiting).and_then(|service| self.daemon.register(service)).is_ok()
    }

    fn log(&self, event: &DaemonEvent) {
        match event {
            DaemonEvent::Announce(_, addresses) => tracing::debug!(addresses, "told the network"),
            DaemonEvent::IpAdd(ip) if self.bound.ip().is_unspecified() && is_of_use(*ip) => {
                let url = url_of(SocketAddr::new(*ip, self.bound.port()), &self.config);
                tracing::info!(%url, "a new address: others reach the server here too");
            }
            DaemonEvent::IpDel(ip) if is_of_use(*ip) => tracing::info!(%ip, "an address is gone"),
            DaemonEvent::Error(error) => tracing::debug!(%error, "the network could not be told"),
            _ => {}
        }
    }

    async fn withdraw(self) {
        let fullname = self.service(0).map(|service| service.get_fullname().to_owned());
        if let Ok(done) = fullname.and_then(|name| self.daemon.unregister(&name)) {
            // Without an answer the entry runs out by itself.
            let _ = timeout(GOODBYE, done.recv_async()).await;
        }
        if let Ok(done) = self.daemon.shutdown() {
            let _ = timeout(GOODBYE, done.recv_async()).await;
        }
    }
}

/// Whether others can be given the address.
fn is_of_use(ip: IpAddr) -> bool {
    reach("", ip).is_some_and(|reach| reach != Reach::Loopback)
}

/// The beginning of a text, of at most so many bytes.
fn cut(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text[..end.unwrap_or(0)].trim_end()
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn names_are_cut_between_characters() {
        assert_eq!(cut("Noughts", 40), "Noughts");
        assert_eq!(cut("ééé", 5), "éé");
        assert_eq!(cut("a bc", 2), "a");
    }
}
