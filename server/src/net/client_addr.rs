//! The address of a request's client: the other end of the connection or, if that is a trusted proxy,
//! the address that the proxy names (`X-Forwarded-For`, `Forwarded`). Pure.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{FORWARDED, HeaderName};
use axum::http::{HeaderMap, HeaderValue};
use ipnet::IpNet;

const FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The address of a client, and whether its own connection is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClientAddr {
    /// The address that limits and the log use.
    pub(crate) address: IpAddr,
    /// Whether the client uses https.
    pub(crate) is_secure: bool,
    /// Whether a trusted proxy forwarded the request.
    pub(crate) is_forwarded: bool,
}

impl ClientAddr {
    /// The client of a request with these headers over a connection from `peer`. The headers count
    /// only if `peer` is in `trusted`.
    pub(crate) fn of(
        peer: IpAddr,
        is_secure: bool,
        headers: &HeaderMap,
        trusted: &[IpNet],
    ) -> Self {
        if !is_trusted(peer, trusted) {
            return Self { address: peer, is_secure, is_forwarded: false };
        }
        let plain = listed(headers, &FOR);
        // A comma in a quoted value ends an element of RFC 7239 too early, which makes it unreadable.
        let forwarded = listed(headers, &FORWARDED);
        let named: Vec<&str> =
            forwarded.iter().map(|element| parameter(element, "for").unwrap_or("")).collect();
        let address = match (origin(peer, &plain, trusted), origin(peer, &named, trusted)) {
            (address, from) if address == from || named.is_empty() => address,
            (_, address) if plain.is_empty() => address,
            // A proxy writes one of the two headers and passes the other on as it came. A client that
            // sends a wrong one is counted as the proxy, with all other clients that do.
            _ => peer,
        };
        let proto = listed(headers, &PROTO).last().copied();
        let proto = proto.or_else(|| parameter(forwarded.last()?, "proto"));
        let is_secure = proto.map_or(is_secure, |proto| proto.eq_ignore_ascii_case("https"));
        Self { address, is_secure, is_forwarded: true }
    }
}

/// Whether the headers of a proxy with this address count.
pub(crate) fn is_trusted(address: IpAddr, trusted: &[IpNet]) -> bool {
    let address = address.to_canonical();
    trusted.iter().any(|network| network.contains(&address))
}

/// The last address in the chain that is no trusted proxy's. Each was written by the one after it.
fn origin(peer: IpAddr, chain: &[&str], trusted: &[IpNet]) -> IpAddr {
    let mut last = peer;
    for text in chain.iter().rev() {
        // Addresses to the left of an unreadable one cannot be trusted.
        let Some(address) = address(text) else { return last };
        if !is_trusted(address, trusted) {
            return address;
        }
        last = address;
    }
    last
}

/// Parses an address with or without a port, an IPv6 address with or without brackets.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    bare.parse().ok().or_else(with_port).map(|address: IpAddr| address.to_canonical())
}

/// The elements of a header that is a list, in order, from all of its lines.
fn listed<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Vec<&'a str> {
    let lines = headers.get_all(name).into_iter();
    // A line that is no text counts as one unreadable element.
    let lines = lines.map(|line: &HeaderValue| line.to_str().unwrap_or_default());
    lines.flat_map(|line| line.split(',')).map(str::trim).collect()
}

/// The value of a parameter of an element of `Forwarded`, without quotes.
fn parameter<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    element.split(';').find_map(|pair| {
        let (key, value) = pair.trim().split_once('=')?;
        let is_it = key.eq_ignore_ascii_case(name);
        is_it.then(|| value.trim_matches('"'))
    })
}

#[cfg(test)]
mod tests {
    use axum::http::header::{FORWARDED, HeaderName};
    use axum::http::{HeaderMap, HeaderValue};

    use super::{ClientAddr, FOR, PROTO};

    /// The client behind the proxies 127.0.0.1 and 10.0.0.0/8, with an `s` for https.
    #[track_caller]
    fn check(peer: &str, headers: &[(HeaderName, &str)], expected: &str) {
        let trusted = ["127.0.0.1/32", "10.0.0.0/8"].map(|network| network.parse().unwrap());
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        let ClientAddr { address, is_secure, .. } =
            ClientAddr::of(peer.parse().unwrap(), false, &map, &trusted);
        let secure = if is_secure { " s" } else { "" };
        assert_eq!(format!("{address}{secure}"), expected, "{headers:?}");
    }

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        check("192.0.2.1", &[(FOR, "198.51.100.7"), (PROTO, "https")], "192.0.2.1");
        check("127.0.0.1", &[(FOR, "198.51.100.7"), (PROTO, "https")], "198.51.100.7 s");
        check("::ffff:127.0.0.1", &[(FOR, "198.51.100.7")], "198.51.100.7");
        check("127.0.0.1", &[], "127.0.0.1");
    }

    #[test]
    fn what_the_client_made_up_is_left_of_what_the_proxy_saw() {
        check("127.0.0.1", &[(FOR, "1.1.1.1, 198.51.100.7")], "198.51.100.7");
        check("127.0.0.1", &[(FOR, "1.1.1.1"), (FOR, "198.51.100.7, 10.2.3.4")], "198.51.100.7");
        check("127.0.0.1", &[(PROTO, "https, http")], "127.0.0.1");
        let forwarded = "for=1.1.1.1, for=\"[2001:db8::7]:4711\";proto=https";
        check("127.0.0.1", &[(FORWARDED, forwarded)], "2001:db8::7 s");
        // Written by the client, and passed on as it came.
        let both = [(FORWARDED, "for=1.1.1.1"), (FOR, "198.51.100.7")];
        check("127.0.0.1", &both, "127.0.0.1");
        let both = [(FORWARDED, "for=198.51.100.7"), (FOR, "198.51.100.7")];
        check("127.0.0.1", &both, "198.51.100.7");
    }

    #[test]
    fn addresses_are_written_in_several_ways() {
        for text in ["2001:db8::7", "[2001:db8::7]", "[2001:db8::7]:80"] {
            check("127.0.0.1", &[(FOR, text)], "2001:db8::7");
        }
        check("127.0.0.1", &[(FOR, "198.51.100.7:80")], "198.51.100.7");
        check("127.0.0.1", &[(FOR, "::ffff:198.51.100.7")], "198.51.100.7");
    }

    #[test]
    fn an_unreadable_address_stands_for_the_one_that_wrote_it() {
        for text in ["unknown", "", "198.51.100.7, é", "198.51.100.7,", "for=198.51.100.7"] {
            check("127.0.0.1", &[(FOR, text)], "127.0.0.1");
        }
        check("127.0.0.1", &[(FOR, "unknown, 10.1.1.1")], "10.1.1.1");
        check("127.0.0.1", &[(FOR, "10.0.0.1, 10.0.0.2")], "10.0.0.1");
        check("127.0.0.1", &[(FORWARDED, "for=_hidden;proto=https")], "127.0.0.1 s");
        check("127.0.0.1", &[(FORWARDED, "proto=http")], "127.0.0.1");
    }
}
