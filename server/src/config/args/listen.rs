//! Parses an address to listen on. The error for an incomplete address completes it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use noughts_protocol::DEFAULT_PORT;

/// Parses an address with its port.
///
/// # Errors
/// If one of them is missing or wrong. The text shows right addresses, made of the part that was
/// given.
pub(crate) fn listen_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        let port = text.strip_prefix(':').unwrap_or(text).parse::<u16>();
        let address = text.trim_matches(['[', ']']).parse::<IpAddr>();
        let examples = match (port, address) {
            (Ok(port), _) => format!(
                "0.0.0.0:{port} for every network, or 127.0.0.1:{port} for this machine alone"
            ),
            (_, Ok(address)) => SocketAddr::new(address, DEFAULT_PORT).to_string(),
            _ => format!("0.0.0.0:{DEFAULT_PORT}, 127.0.0.1:{DEFAULT_PORT} or [::]:{DEFAULT_PORT}"),
        };
        format!("write an address and a port, such as {examples}")
    })
}

/// The same; a port alone is one that only this machine reaches.
///
/// # Errors
/// As [`listen_address`].
pub(crate) fn local_address(text: &str) -> Result<SocketAddr, String> {
    let port = text.parse().map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    port.or_else(|_| listen_address(text))
}

#[cfg(test)]
mod tests {
    use super::{listen_address, local_address};

    #[test]
    fn the_error_completes_what_was_given() {
        let check = |text: &str, says: &str| {
            let said = listen_address(text).unwrap_err();
            assert!(said.contains(says), "{text}: {said}");
        };
        assert_eq!(listen_address("[::]:80").unwrap().port(), 80);
        assert_eq!(local_address("7335").unwrap().to_string(), "127.0.0.1:7335");
        check("7501", "such as 0.0.0.0:7501");
        check(":7501", "127.0.0.1:7501");
        check("127.0.0.1", "such as 127.0.0.1:7333");
        check("::1", "such as [::1]:7333");
        check("[::1]", "such as [::1]:7333");
        check("nowhere", "0.0.0.0:7333");
        check("70000", "0.0.0.0:7333");
    }
}
