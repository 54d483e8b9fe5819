//! The addresses at which others reach this machine, the most likely one first. They are read from
//! its interfaces; nothing is sent. [`announce`] tells the network, `cli/qr` draws a QR code.

pub(crate) mod announce;

use std::net::{IpAddr, SocketAddr};

use noughts_protocol::Reach;
use url::{Host, Url};

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
    pub(crate) reach: Reach,
}

/// Addresses whose order is announced. So many of the longest fit into a string of a TXT record.
const ANNOUNCED: usize = 5;

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

/// The base URL at which other nodes of a cluster reach this one, if the host names none: the best address of
/// this machine.
pub(crate) fn node_url(bound: SocketAddr, config: &Config) -> Option<Url> {
    let addresses = server_addresses(bound, config).ok()?.into_iter();
    addresses.min_by_key(|address| address.interface.is_none()).map(|address| address.url)
}

/// The addresses to announce, the likeliest first: an announcement's own records have no order.
fn announced_addresses(bound: SocketAddr, config: &Config) -> String {
    let found = server_addresses(bound, config).unwrap_or_default();
    let ips = found.iter().filter(|address| address.reach != Reach::Public);
    let ips = ips.filter_map(|address| match address.url.host()? {
        Host::Ipv4(ip) => Some(ip.to_string()),
        Host::Ipv6(ip) => Some(ip.to_string()),
        Host::Domain(_) => None,
    });
    ips.take(ANNOUNCED).collect::<Vec<_>>().join(",")
}

fn list(
    bound: SocketAddr,
    config: &Config,
    interfaces: &[Interface],
) -> Result<Vec<ServerAddress>, ConfigError> {
    let mut found: Vec<ServerAddress> = addresses(bound, interfaces)
        .into_iter()
        .map(|(address, interface, reach)| {
            let url = url_of(address, config);
            let path = &config.base_path;
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
        let reach = Reach::of(name.as_deref().unwrap_or_default(), bound.ip());
        return vec![(bound, name, reach.unwrap_or(Reach::LinkLocal))];
    }
    let mut found: Vec<(SocketAddr, Option<String>, Reach)> = interfaces
        .iter()
        .filter(|interface| interface.ip.is_ipv4() || bound.is_ipv6())
        .filter_map(|Interface { name, ip }| {
            let address = SocketAddr::new(*ip, bound.port());
            Some((address, Some(name.clone()), Reach::of(name, *ip)?))
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

/// The URL of an address of this machine.
fn url_of(address: SocketAddr, config: &Config) -> Url {
    let scheme = if config.tls.is_some() { "https" } else { "http" };
    let url = format!("{scheme}://{address}{}/", config.base_path);
    url.parse().expect("an address and a path make a URL")
}

/// The addresses of the interfaces that are up, as the library that announces them sees it: without a link,
/// Linux leaves an interface its addresses.
fn interfaces() -> Vec<Interface> {
    let all = if_addrs::get_if_addrs().unwrap_or_default();
    all.into_iter()
        .filter(if_addrs::Interface::is_oper_up)
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
