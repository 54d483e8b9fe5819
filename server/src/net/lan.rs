//! The addresses at which others reach this machine, the most likely one first. They are read from
//! its interfaces; nothing is sent. [`announce`] tells the network, `cli/qr` draws a QR code.

pub(crate) mod announce;

use std::net::{IpAddr, SocketAddr};

use url::Url;

use crate::config::{Config, ConfigError};

/// An address at which others may reach the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerAddress {
    /// For a browser. It ends in a slash, so that paths can be appended.
    pub(crate) url: Url,
    /// For `noughts --server`.
    pub(crate) server: String,
    /// The name of the interface. `None` for `--public-url`.
    pub(crate) interface: Option<String>,
    /// Who can use it.
    pub(crate) reach: Reach,
}

/// Who can use an address, in the order of how likely it is to help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    /// `--public-url`: everybody whom the host gives it to.
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

/// Every address of a server bound to `bound`, the most likely one for others on the same network
/// first. There is at least one; loopback only if there is no other.
///
/// # Errors
/// If `--qr-interface` names an interface without an address.
pub(crate) fn server_addresses(
    bound: SocketAddr,
    config: &Config,
) -> Result<Vec<ServerAddress>, ConfigError> {
    list(bound, config, &interfaces())
}

/// The URL that others should use: `--public-url`, or that of the best address. `None` if only this
/// machine reaches the server. It ends in a slash.
pub(crate) fn best_url(bound: SocketAddr, config: &Config) -> Option<Url> {
    let best = server_addresses(bound, config).ok()?.into_iter().next()?;
    (best.reach != Reach::Loopback).then_some(best.url)
}

fn list(
    bound: SocketAddr,
    config: &Config,
    interfaces: &[Interface],
) -> Result<Vec<ServerAddress>, ConfigError> {
    let mut found: Vec<ServerAddress> = addresses(bound, interfaces)
        .into_iter()
        .map(|(address, interface, reach)| {
            let (url, path) = (url_of(address, config), &config.base_path);
            let server = match config.tls {
                Some(_) => url.as_str().trim_end_matches('/').to_owned(),
                None => format!("{address}{path}"),
            };
            ServerAddress { url, server, interface, reach }
        })
        .collect();
    if let Some(preferred) = config.qr_interface.as_deref() {
        let at = found.iter().position(|address| address.interface.as_deref() == Some(preferred));
        let Some(at) = at else { return Err(no_such_interface(preferred, &found)) };
        found[..=at].rotate_right(1);
    }
    if let Some(url) = &config.public_url {
        let server = url.as_str().trim_end_matches('/').to_owned();
        let public =
            ServerAddress { url: url.clone(), server, interface: None, reach: Reach::Public };
        found.insert(0, public);
    }
    Ok(found)
}

fn no_such_interface(name: &str, found: &[ServerAddress]) -> ConfigError {
    let mut there: Vec<&str> = found.iter().filter_map(|p| p.interface.as_deref()).collect();
    there.dedup();
    let there = there.join(", ");
    ConfigError::new("qr-interface", format!("no address on {name:?}: there is {there}"))
}

/// Each address with its interface's name, sorted by who can use it.
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
    // Addresses of one kind stay in the system's order.
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

/// Who can use an address. Nobody can use a link-local IPv6 address, which no browser accepts.
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
/// the interfaces to their guests.
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

/// How virtual private networks name their interfaces.
const TUNNELS: [&str; 8] = ["tun", "tap", "wg", "utun", "tailscale", "zt", "ppp", "ipsec"];

fn has_prefix(name: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// The URL of an address of this machine.
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

/// Every address of this machine at this moment.
pub(crate) fn own_addresses() -> Vec<IpAddr> {
    let all = if_addrs::get_if_addrs().unwrap_or_default();
    all.into_iter().map(|interface| interface.ip()).collect()
}

#[cfg(test)]
mod tests;
