//! Where others reach this machine, the likeliest address first. Read from its interfaces; nothing
//! is sent. [`announce`] tells the network, [`crate::cli::qr`] draws an address for a phone's camera.

pub mod announce;

use std::net::{IpAddr, SocketAddr};

use url::Url;

use crate::config::{Config, ConfigError};

/// A way to the server that others can take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// What a browser opens; it ends in a slash, so that paths can be appended.
    pub url: Url,
    /// What `noughts --server` is given.
    pub server: String,
    /// The interface it leads to; none for `--public-url`.
    pub interface: Option<String>,
    /// How likely it is that others can take it.
    pub reach: Reach,
}

/// Who can take a way to the server, the likeliest to be of use first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// Whoever the host says: `--public-url`.
    Public,
    /// Everybody on a network with private IPv4 addresses (RFC 1918), as most LANs are.
    Lan,
    /// Everybody on a network with other IPv4 addresses.
    Network,
    /// The same for IPv6.
    Ipv6,
    /// Those in the same virtual private network.
    Tunnel,
    /// Containers and virtual machines of this machine.
    Virtual,
    /// Those on the same cable, without a router to give addresses (RFC 3927).
    LinkLocal,
    /// This machine.
    Loopback,
}

/// An address of an interface.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Interface {
    name: String,
    ip: IpAddr,
}

/// The addresses at which a server bound to `bound` is reached, the likeliest for others on the
/// same network first; loopback only where there is nothing else.
#[must_use]
pub fn reachable(bound: SocketAddr) -> Vec<SocketAddr> {
    addresses(bound, &interfaces()).into_iter().map(|(address, ..)| address).collect()
}

/// Every way to a server bound to `bound`, the best first; there is at least one.
///
/// # Errors
/// Where `--qr-interface` names an interface without an address.
pub fn places(bound: SocketAddr, config: &Config) -> Result<Vec<Place>, ConfigError> {
    list(bound, config, &interfaces())
}

/// The URL that others should use: `--public-url`, else that of the best address now; none where
/// only this machine reaches the server. It ends in a slash.
#[must_use]
pub fn best_url(bound: SocketAddr, config: &Config) -> Option<Url> {
    let best = places(bound, config).ok()?.into_iter().next()?;
    (best.reach != Reach::Loopback).then_some(best.url)
}

fn list(
    bound: SocketAddr,
    config: &Config,
    interfaces: &[Interface],
) -> Result<Vec<Place>, ConfigError> {
    let mut places: Vec<Place> = addresses(bound, interfaces)
        .into_iter()
        .map(|(address, interface, reach)| {
            let (url, path) = (url_of(address, config), &config.base_path);
            let server = match config.tls {
                Some(_) => url.as_str().trim_end_matches('/').to_owned(),
                None => format!("{address}{path}"),
            };
            Place { url, server, interface, reach }
        })
        .collect();
    if let Some(preferred) = config.qr_interface.as_deref() {
        let at = places.iter().position(|place| place.interface.as_deref() == Some(preferred));
        let Some(at) = at else { return Err(no_such_interface(preferred, &places)) };
        places[..=at].rotate_right(1);
    }
    if let Some(url) = &config.public_url {
        let server = url.as_str().trim_end_matches('/').to_owned();
        let public = Place { url: url.clone(), server, interface: None, reach: Reach::Public };
        places.insert(0, public);
    }
    Ok(places)
}

fn no_such_interface(name: &str, places: &[Place]) -> ConfigError {
    let mut there: Vec<&str> = places.iter().filter_map(|p| p.interface.as_deref()).collect();
    there.dedup();
    let there = there.join(", ");
    ConfigError::new("qr-interface", format!("no address on {name:?}: there is {there}"))
}

/// Each address with its interface's name, sorted by whom it reaches.
fn addresses(
    bound: SocketAddr,
    interfaces: &[Interface],
) -> Vec<(SocketAddr, Option<String>, Reach)> {
    let own = |ip: IpAddr| interfaces.iter().find(|interface| interface.ip == ip);
    if !bound.ip().is_unspecified() {
        let name = own(bound.ip()).map(|interface| interface.name.clone());
        let reach = reach(name.as_deref().unwrap_or_default(), bound.ip());
        return vec![(bound, name, reach.unwrap_or(Reach::LinkLocal))];
    }
    let mut found: Vec<(SocketAddr, Option<String>, Reach)> = interfaces
        .iter()
        .filter(|interface| interface.ip.is_ipv4() || bound.is_ipv6())
        .filter_map(|Interface { name, ip }| {
            let address = SocketAddr::new(*ip, bound.port());
            Some((address, Some(name.clone()), reach(name, *ip)?))
        })
        .collect();
    // Within one kind the order is the system's, which numbers interfaces as it found them.
    found.sort_by_key(|(.., reach)| *reach);
    if found.iter().any(|(.., reach)| *reach < Reach::Loopback) {
        found.retain(|(.., reach)| *reach < Reach::Loopback);
    }
    if found.is_empty() {
        let here = if bound.is_ipv4() { [127, 0, 0, 1].into() } else { IpAddr::V6(1.into()) };
        found.push((SocketAddr::new(here, bound.port()), None, Reach::Loopback));
    }
    found
}

/// Whom an address reaches; nobody by a link-local IPv6 address, which no browser takes.
fn reach(interface: &str, ip: IpAddr) -> Option<Reach> {
    if ip.is_loopback() {
        return Some(Reach::Loopback);
    }
    match ip {
        IpAddr::V4(v4) if v4.is_link_local() => Some(Reach::LinkLocal),
        IpAddr::V6(v6) if v6.is_unicast_link_local() => None,
        _ if has_prefix(interface, &VIRTUAL) => Some(Reach::Virtual),
        _ if has_prefix(interface, &TUNNELS) => Some(Reach::Tunnel),
        IpAddr::V4(v4) if v4.is_private() => Some(Reach::Lan),
        IpAddr::V4(_) => Some(Reach::Network),
        IpAddr::V6(_) => Some(Reach::Ipv6),
    }
}

/// How Docker, libvirt, Podman, LXC, Kubernetes, `VMware`, `VirtualBox`, Parallels and Hyper-V name
/// the interfaces to what runs on this machine.
const VIRTUAL: [&str; 14] = [
    "docker",
    "br-",
    "veth",
    "virbr",
    "podman",
    "lxc",
    "lxd",
    "cni",
    "flannel",
    "vmnet",
    "vboxnet",
    "vnic",
    "bridge1",
    "vEthernet",
];

/// How virtual private networks name theirs.
const TUNNELS: [&str; 8] = ["tun", "tap", "wg", "utun", "tailscale", "zt", "ppp", "ipsec"];

fn has_prefix(name: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// What a browser opens at an address of this machine.
fn url_of(address: SocketAddr, config: &Config) -> Url {
    let scheme = if config.tls.is_some() { "https" } else { "http" };
    let url = format!("{scheme}://{address}{}/", config.base_path);
    url.parse().expect("an address and a path make a URL")
}

/// The addresses of the interfaces that are not switched off.
fn interfaces() -> Vec<Interface> {
    let all = if_addrs::get_if_addrs().unwrap_or_default();
    let down = [if_addrs::IfOperStatus::Down, if_addrs::IfOperStatus::LowerLayerDown];
    all.into_iter()
        .filter(|interface| !down.contains(&interface.oper_status))
        .map(|interface| Interface { ip: interface.ip(), name: interface.name })
        .collect()
}

/// Every address of this machine, as it is now.
pub(crate) fn own_addresses() -> Vec<IpAddr> {
    let all = if_addrs::get_if_addrs().unwrap_or_default();
    all.into_iter().map(|interface| interface.ip()).collect()
}

#[cfg(test)]
mod tests;
