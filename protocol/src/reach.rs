//! Which of a machine's addresses others most likely reach. The server's banner, links and announcement, and
//! the client's choice, follow this one order.

use std::net::IpAddr;

/// The range of an address, in the order of how likely it is to help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
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

impl Reach {
    /// The range of an address of an interface; its name is empty where it is not known.
    /// `None` for a link-local IPv6 address, which no browser accepts.
    #[must_use]
    pub fn of(interface: &str, ip: IpAddr) -> Option<Self> {
        if ip.is_loopback() {
            return Some(Self::Loopback);
        }
        match ip {
            IpAddr::V4(v4) if v4.is_link_local() => Some(Self::LinkLocal),
            IpAddr::V6(v6) if v6.is_unicast_link_local() => None,
            _ if has_prefix(interface, &VIRTUAL) => Some(Self::Virtual),
            _ if has_prefix(interface, &TUNNELS) => Some(Self::Tunnel),
            IpAddr::V4(v4) if v4.is_private() => Some(Self::Lan),
            IpAddr::V4(_) => Some(Self::Network),
            IpAddr::V6(_) => Some(Self::Ipv6),
        }
    }
}

/// How Docker, libvirt, Podman, LXC, Incus, Kubernetes, `VMware`, `VirtualBox`, Parallels and Hyper-V name
/// the interfaces to their guests.
const VIRTUAL: [&str; 17] = [
    "docker",
    "br-",
    "veth",
    "virbr",
    "podman",
    "nerdctl",
    "lxc",
    "lxd",
    "incus",
    "cni",
    "cali",
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

#[cfg(test)]
mod tests {
    use super::Reach;

    #[test]
    fn the_lan_comes_before_bridges_to_containers_and_this_machine() {
        let best_first = [
            ("wlan0", "192.168.178.20"),
            ("eth0", "203.0.113.5"),
            ("eth0", "2001:db8::5"),
            ("wg0", "10.0.0.1"),
            ("br-0123456789ab", "10.89.0.1"),
            ("eth0", "169.254.7.7"),
            ("lo", "127.0.0.1"),
        ];
        let reach = |(name, ip): (&str, &str)| Reach::of(name, ip.parse().unwrap()).unwrap();
        assert!(best_first.map(reach).is_sorted_by(|a, b| a < b));
        for guests in
            ["docker0", "virbr0", "veth1a2b3c", "podman0", "cni0", "cni-podman0", "lxdbr0"]
        {
            assert_eq!(reach((guests, "172.17.0.1")), Reach::Virtual, "{guests}");
        }
        assert_eq!(Reach::of("eth0", "fe80::1".parse().unwrap()), None);
    }
}
