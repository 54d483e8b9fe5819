//! Under which addresses others reach this machine. Read from its interfaces; nothing is sent.

use std::net::{IpAddr, SocketAddr};

/// The addresses at which a server bound to `bound` is reached, the likeliest for others on the
/// same network first; loopback only where there is nothing else.
#[must_use]
pub fn reachable(bound: SocketAddr) -> Vec<SocketAddr> {
    if !bound.ip().is_unspecified() {
        return vec![bound];
    }
    let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    let mut found: Vec<IpAddr> = interfaces
        .iter()
        .filter(|interface| !is_virtual(&interface.name))
        .map(if_addrs::Interface::ip)
        .filter(|ip| is_shareable(*ip) && (ip.is_ipv4() || bound.is_ipv6()))
        .collect();
    if found.is_empty() {
        found.push(if bound.is_ipv4() { [127, 0, 0, 1].into() } else { IpAddr::V6(1.into()) });
    }
    found.sort_by_key(|ip| (ip.is_ipv6(), *ip));
    found.into_iter().map(|ip| SocketAddr::new(ip, bound.port())).collect()
}

/// The page's address for others on the same network; `None` where only this machine reaches it.
#[must_use]
pub fn page_url(bound: SocketAddr) -> Option<String> {
    let shareable = |address: &SocketAddr| is_shareable(address.ip());
    let address = reachable(bound).into_iter().find(shareable)?;
    Some(format!("http://{address}/"))
}

/// Whether others could use the address as it stands.
fn is_shareable(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(v4) => !v4.is_loopback() && !v4.is_link_local(),
        IpAddr::V6(v6) => !v6.is_loopback() && !v6.is_unicast_link_local(),
    }
}

/// Whether an interface leads to containers or virtual machines of this machine only, by the
/// names that Docker, libvirt, Podman and LXC give theirs.
fn is_virtual(name: &str) -> bool {
    ["docker", "br-", "veth", "virbr", "podman", "lxc", "cni"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::page_url;

    #[test]
    fn a_page_has_an_address_for_others_unless_only_this_machine_reaches_it() {
        let url = |bound: &str| page_url(bound.parse().unwrap());
        assert_eq!(url("192.0.2.1:7333").as_deref(), Some("http://192.0.2.1:7333/"));
        assert_eq!(url("[2001:db8::1]:80").as_deref(), Some("http://[2001:db8::1]:80/"));
        assert_eq!(url("127.0.0.1:7333"), None);
        assert_eq!(url("[::1]:7333"), None);
    }
}
