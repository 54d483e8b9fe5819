//! Announces the server on the local network by DNS-SD over multicast DNS (RFC 6763, RFC 6762), so
//! that nobody has to type its address. The service type and the TXT record are documented in
//! `protocol/README.md`.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use mdns_sd::{DaemonEvent, IfKind, ServiceDaemon, ServiceInfo};
use noughts_protocol::{Reach, SERVICE_TYPE};
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::net::lan::{announced_addresses, url_of};

/// How often the number of waiting rooms and the addresses are read. They are announced if they have changed.
const UPDATE_EVERY: Duration = Duration::from_secs(5);

/// How often the interfaces are read, in seconds.
const INTERFACES_EVERY: u32 = 2;

/// How long the server waits until the network is told that it stops.
const GOODBYE_TIME: Duration = Duration::from_secs(1);

/// The longest part of the server's name in the service's, in bytes. A DNS label has 63, and the
/// rest is for the random number that distinguishes servers of one name.
const NAME_BYTES: usize = 40;

/// The longest `key=value` of a TXT record, in bytes (RFC 6763, section 6.1).
const TXT_BYTES: usize = 255;

/// Announces a server until it stops, then withdraws the announcement. Without a network to tell,
/// the server runs all the same.
pub(crate) async fn run(
    bound: SocketAddr,
    config: Arc<Config>,
    stop: CancellationToken,
    waiting_rooms: impl Fn() -> usize,
) {
    if !config.announce || bound.ip().is_loopback() {
        return;
    }
    match Announcement::start(bound, config, waiting_rooms) {
        Ok(announcement) => announcement.run(&stop).await,
        Err(error) => {
            tracing::warn!(%error, "the network is not told of this server: others type its address");
        }
    }
}

/// A running announcement.
struct Announcement<F> {
    daemon: ServiceDaemon,
    /// The service's name, unique on the network.
    instance: String,
    /// The name that the addresses are published under. Not the machine's name: another program
    /// may publish that already.
    host: String,
    config: Arc<Config>,
    bound: SocketAddr,
    /// Counts the public rooms with a free seat.
    waiting_rooms: F,
}

/// The part of an announcement that changes.
#[derive(PartialEq, Eq)]
struct News {
    /// How many public rooms wait.
    rooms: String,
    /// This machine's addresses, the likeliest first.
    addresses: String,
}

impl<F: Fn() -> usize> Announcement<F> {
    fn start(bound: SocketAddr, config: Arc<Config>, waiting_rooms: F) -> mdns_sd::Result<Self> {
        let id: u64 = rand::random();
        let instance = format!("{} {id:016x}", truncated(config.name.as_str(), NAME_BYTES));
        let host = format!("noughts-{id:016x}.local.");
        let this =
            Self { daemon: ServiceDaemon::new()?, instance, host, config, bound, waiting_rooms };
        let mut without = vec![IfKind::LoopbackV4, IfKind::LoopbackV6];
        if bound.is_ipv4() {
            without.push(IfKind::IPv6);
        }
        this.daemon.disable_interface(without)?;
        this.daemon.set_ip_check_interval(INTERFACES_EVERY)?;
        this.daemon.register(this.service(&this.news())?)?;
        Ok(this)
    }

    /// The part to announce now.
    fn news(&self) -> News {
        let addresses = announced_addresses(self.bound, &self.config);
        News { rooms: (self.waiting_rooms)().to_string(), addresses }
    }

    /// The records to announce.
    fn service(&self, news: &News) -> mdns_sd::Result<ServiceInfo> {
        let Config { name, base_path, tls, public_url, .. } = &*self.config;
        let mut txt = vec![
            ("name", name.as_str()),
            ("version", env!("CARGO_PKG_VERSION")),
            ("rooms", &news.rooms),
            ("addresses", &news.addresses),
        ];
        if tls.is_some() {
            txt.push(("tls", "1"));
        }
        if !base_path.is_empty() {
            txt.push(("path", base_path));
        }
        // A certificate is for a name, and not for the addresses that are announced.
        if let Some(url) = public_url {
            txt.push(("url", url.as_str()));
        }
        // A longer value is left out.
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
        // Both names hold 64 random bits, so that a probe for the same name finds nothing.
        service.set_requires_probe(false);
        Ok(service)
    }

    async fn run(self, stop: &CancellationToken) {
        let monitor = self.daemon.monitor();
        let mut update = interval(UPDATE_EVERY);
        update.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut announced = self.news();
        // A change is announced twice: a link may go between reading it and telling the library, which reads
        // the interfaces itself.
        let mut repeats = false;
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                _ = update.tick() => {
                    let news = self.news();
                    let is_new = news != announced;
                    if (is_new || repeats) && self.update(&news) {
                        repeats = is_new;
                        announced = news;
                    }
                }
                event = async { monitor.as_ref().ok()?.recv_async().await.ok() } => match event {
                    Some(event) => self.log(&event),
                    // The library's thread has ended.
                    None => return,
                },
            }
        }
        self.withdraw().await;
    }

    /// Announces what has changed. Returns false if the library is too busy for it.
    fn update(&self, news: &News) -> bool {
        self.service(news).and_then(|service| self.daemon.register(service)).is_ok()
    }

    fn log(&self, event: &DaemonEvent) {
        match event {
            DaemonEvent::Announce(_, addresses) => tracing::debug!(addresses, "told the network"),
            DaemonEvent::IpAdd(ip) if self.bound.ip().is_unspecified() && is_useful(*ip) => {
                let url = url_of(SocketAddr::new(*ip, self.bound.port()), &self.config);
                tracing::info!(%url, "a new address: others reach the server here too");
            }
            DaemonEvent::IpDel(ip) if is_useful(*ip) => tracing::info!(%ip, "an address is gone"),
            DaemonEvent::Error(error) => tracing::debug!(%error, "the network could not be told"),
            _ => {}
        }
    }

    async fn withdraw(self) {
        let fullname = self.service(&self.news()).map(|service| service.get_fullname().to_owned());
        if let Ok(done) = fullname.and_then(|name| self.daemon.unregister(&name)) {
            // Without this message the entry expires by itself.
            let _ = timeout(GOODBYE_TIME, done.recv_async()).await;
        }
        if let Ok(done) = self.daemon.shutdown() {
            let _ = timeout(GOODBYE_TIME, done.recv_async()).await;
        }
    }
}

/// Whether other machines may be able to use the address.
fn is_useful(ip: IpAddr) -> bool {
    Reach::of("", ip).is_some_and(|reach| reach != Reach::Loopback)
}

/// The beginning of a text, at most `bytes` long.
fn truncated(text: &str, bytes: usize) -> &str {
    text[..text.floor_char_boundary(bytes)].trim_end()
}

#[cfg(test)]
mod tests {
    use super::truncated;

    #[test]
    fn names_are_cut_between_characters() {
        assert_eq!(truncated("Noughts", 40), "Noughts");
        assert_eq!(truncated("ééé", 5), "éé");
        assert_eq!(truncated("a bc", 2), "a");
    }
}
