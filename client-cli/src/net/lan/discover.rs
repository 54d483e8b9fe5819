//! Finds servers that announce themselves on the network, with DNS-SD over multicast DNS. Anybody
//! on the network can announce: the number is bounded, and texts are cleaned.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use mdns_sd::{ResolvedService, ServiceDaemon, ServiceEvent};
use noughts_client::address::{Link, ServerAddress};
use noughts_protocol::{DisplayText, SERVICE_TYPE};
use tokio::time::{Instant, sleep_until};

use crate::net::lan::{OwnInterface, own_interfaces, reach_of};
use crate::net::servers::{KnownServer, Origin};

/// How long to listen if nothing answers. Answers take up to 0.2 s.
const LISTEN: Duration = Duration::from_secs(2);

/// How long to listen for more servers after the first. A server that has just answered somebody
/// else stays silent for a second (RFC 6762, section 6); then the question is repeated.
const LISTEN_ON: Duration = Duration::from_millis(1_200);

/// The most servers, and the most addresses of each. Further ones are ignored.
const MOST: usize = 32;
const MOST_ADDRESSES: usize = 3;

/// The servers found, sorted by name and address. Empty if the network does not carry multicast.
pub(super) async fn discover() -> Vec<KnownServer> {
    if !has_network() {
        return Vec::new();
    }
    let Ok(daemon) = ServiceDaemon::new() else { return Vec::new() };
    let mut found = match daemon.browse(SERVICE_TYPE) {
        Ok(events) => listen(events).await,
        Err(_) => Vec::new(),
    };
    // The library's thread ends by itself.
    let _ = daemon.shutdown();
    found.sort_by_key(|known| {
        (known.name.clone().unwrap_or_default().to_string(), known.server.to_string())
    });
    found
}

/// Whether this machine is on a network.
fn has_network() -> bool {
    let all = if_addrs::get_if_addrs().unwrap_or_default();
    all.iter().any(|interface| !interface.is_loopback() && interface.is_oper_up())
}

async fn listen(events: mdns_sd::Receiver<ServiceEvent>) -> Vec<KnownServer> {
    let own = own_interfaces();
    let latest = Instant::now() + LISTEN;
    let mut until = latest;
    let mut found: Vec<(String, KnownServer)> = Vec::new();
    loop {
        let event = tokio::select! {
            () = sleep_until(until) => break,
            event = events.recv_async() => event,
        };
        match event {
            Ok(ServiceEvent::ServiceResolved(service)) => {
                // It comes again when more of its addresses are known.
                found.retain(|(name, _)| *name != service.fullname);
                let known = known(&service, &own).filter(|_| found.len() < MOST);
                let Some(known) = known else { continue };
                found.push((service.fullname.clone(), known));
                until = latest.min(Instant::now() + LISTEN_ON);
            }
            Ok(ServiceEvent::ServiceRemoved(_, fullname)) => {
                found.retain(|(name, _)| *name != fullname);
            }
            Ok(_) => {}
            Err(_) => break,
        }
    }
    found.into_iter().map(|(_, known)| known).collect()
}

/// The server of an announcement, or `None` if it has no usable address. Its addresses are tried in the
/// order that it announces; in an older server's announcement, bridges to containers of this machine are last.
fn known(service: &ResolvedService, own: &[OwnInterface]) -> Option<KnownServer> {
    let mut ips: Vec<IpAddr> =
        service.addresses.iter().map(mdns_sd::ScopedIp::to_ip_addr).collect();
    ips.retain(|ip| can_be_dialled(*ip));
    let text = |key| service.get_property_val_str(key);
    let announced: Vec<IpAddr> = text("addresses")
        .into_iter()
        .flat_map(|list| list.split(','))
        .flat_map(str::parse)
        .collect();
    ips.sort_by_key(|ip| {
        let place = announced.iter().position(|other| other == ip).unwrap_or(usize::MAX);
        (place, reach_of(*ip, own), *ip)
    });
    let scheme = if text("tls") == Some("1") { "https" } else { "http" };
    let path = text("path").unwrap_or_default();
    let at = |ip| server(&format!("{scheme}://{}{path}", SocketAddr::new(ip, service.port)));
    let by_address: Vec<ServerAddress> = ips.into_iter().filter_map(at).collect();
    let by_name = text("url").and_then(server);
    // With TLS the name comes first, since the certificate is for it. Otherwise addresses are
    // nearer.
    let places: Vec<ServerAddress> = match scheme {
        "https" => by_name.into_iter().chain(by_address).collect(),
        _ => by_address.into_iter().chain(by_name).collect(),
    };
    let mut places = places.into_iter().take(MOST_ADDRESSES);
    Some(KnownServer {
        server: places.next()?,
        elsewhere: places.collect(),
        name: text("name").map(DisplayText::from),
        waiting: text("rooms").and_then(|rooms| rooms.parse().ok()),
        origin: Origin::Network,
    })
}

/// Whether other machines can connect to the address without naming an interface. This machine's
/// own addresses are excluded.
fn can_be_dialled(ip: IpAddr) -> bool {
    let link_local = matches!(ip, IpAddr::V6(v6) if v6.is_unicast_link_local());
    !link_local && !ip.is_loopback() && !ip.is_unspecified() && !ip.is_multicast()
}

/// The server that a URL names. A room's link is no server.
fn server(url: &str) -> Option<ServerAddress> {
    url.parse::<Link>().ok().filter(|link| link.room.is_none()).map(|link| link.server)
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use mdns_sd::ServiceInfo;
    use noughts_protocol::SERVICE_TYPE;

    use super::{KnownServer, known};

    fn announced(ips: &[&str], txt: &[(&str, &str)]) -> Option<KnownServer> {
        let ips: Vec<IpAddr> = ips.iter().map(|ip| ip.parse().unwrap()).collect();
        let service = ServiceInfo::new(SERVICE_TYPE, "x", "host.local.", &ips[..], 7333, txt);
        let bridge = ("docker0".to_owned(), "10.0.0.7".parse().unwrap());
        known(&service.unwrap().as_resolved_service(), &[bridge])
    }

    /// Fails if the client sorts by number, as it did: a friend was told a bridge's address.
    #[test]
    fn the_servers_order_counts_and_bridges_are_last() {
        let ips = ["10.0.0.7", "192.168.50.1", "172.17.0.1"];
        let first = |txt: &[(&str, &str)]| announced(&ips, txt).unwrap().server.to_string();
        assert_eq!(first(&[("addresses", "192.168.50.1,10.0.0.7")]), "192.168.50.1");
        assert_eq!(first(&[("addresses", "x,172.17.0.1")]), "172.17.0.1");
        // Of an older server the client knows that the one is a bridge of its own machine.
        assert_eq!(first(&[]), "172.17.0.1");
    }

    #[test]
    fn addresses_are_tried_ipv4_first_and_are_bounded() {
        let ips = ["fd77::1", "192.168.1.3", "192.168.1.2", "fe80::1", "127.0.0.1", "10.0.0.9"];
        let known = announced(&ips, &[]).unwrap();
        assert_eq!(known.server.to_string(), "10.0.0.9");
        let elsewhere: Vec<_> = known.elsewhere.iter().map(ToString::to_string).collect();
        assert_eq!(elsewhere, ["192.168.1.2", "192.168.1.3"]);
        assert_eq!(announced(&["fe80::1", "127.0.0.1"], &[]), None);
    }

    #[test]
    fn a_server_that_encrypts_is_known_by_its_name_first() {
        let places = |ips: &[&str], txt: &[(&str, &str)]| {
            let KnownServer { server, elsewhere, .. } = announced(ips, txt).unwrap();
            let places = std::iter::once(server).chain(elsewhere);
            places.map(|place| place.to_string()).collect::<Vec<_>>()
        };
        let tls = [("tls", "1"), ("path", "/noughts"), ("url", "https://play.example/x/")];
        let by_name = ["https://play.example/x", "https://192.168.1.2:7333/noughts"];
        assert_eq!(places(&["192.168.1.2"], &tls), by_name);
        assert_eq!(places(&["192.168.1.2"], &tls[1..2]), ["192.168.1.2/noughts"]);
        assert_eq!(places(&["192.168.1.2"], &tls[2..]), ["192.168.1.2", "https://play.example/x"]);
        // Invalid values are left out.
        let wrong = [("path", "/r/KQRZX"), ("url", "javascript:x")];
        assert_eq!(announced(&["192.168.1.2"], &wrong), None);
    }

    #[test]
    fn what_an_announcement_says_is_mended_or_left_out() {
        let txt = [("name", "Party\u{1b}[2J"), ("rooms", "2")];
        let known = announced(&["192.168.1.2"], &txt).unwrap();
        assert_eq!(known.name.unwrap().as_str(), "Party\u{fffd}[2J");
        assert_eq!(known.waiting, Some(2));
        let known = announced(&["192.168.1.2"], &[("rooms", "-1")]).unwrap();
        assert_eq!((known.name, known.waiting), (None, None));
    }
}
