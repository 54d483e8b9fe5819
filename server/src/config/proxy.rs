//! The options for a proxy in front of the server: the path it adds, and its addresses.

use std::net::{IpAddr, Ipv6Addr};

use ipnet::IpNet;

use super::ConfigError;

/// The first parts of the page's own paths. As part of the base path they would be ambiguous: the
/// server could not tell whether the proxy has removed the base path.
const RESERVED: [&str; 6] = ["api", "assets", "healthz", "play", "r", "ws"];

/// The same, but ambiguous only as the whole base path: /games/noughts is none of the page's own.
const RESERVED_ALONE: [&str; 7] = ["g", "games", "leaders", "p", "party", "puzzle", "puzzles"];

/// The base path without a slash at its end, for example `/noughts`; empty for none.
pub(super) fn base_path(text: &str) -> Result<String, ConfigError> {
    let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty()).collect();
    let plain =
        |part: &&str| part.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_~".contains(&b));
    let rooted = text.is_empty() || text.starts_with('/');
    let is_own = parts.iter().any(|part| RESERVED.contains(part))
        || matches!(parts[..], [one] if RESERVED_ALONE.contains(&one));
    if !rooted || !parts.iter().all(plain) || is_own {
        let problem = format!(
            "{text:?} cannot be used: write a path such as /noughts, of letters, digits, - and _, \
             without the page's own {}",
            [&RESERVED[..], &RESERVED_ALONE].concat().join(", ")
        );
        return Err(ConfigError::new("base-path", problem));
    }
    Ok(parts.iter().map(|part| format!("/{part}")).collect())
}

/// The networks of trusted proxies, each as `10.0.0.0/8` or as one address. A door for ssh on this machine
/// comes from the loopback, or from the address `door` at which the server listens.
pub(super) fn networks(texts: &[String], door: Option<IpAddr>) -> Result<Vec<IpNet>, ConfigError> {
    let named: Result<Vec<_>, _> = texts.iter().map(|text| network(text.trim())).collect();
    let loopback = [IpAddr::from([127, 0, 0, 1]), Ipv6Addr::LOCALHOST.into()];
    let here = door.into_iter().filter(|address| !address.is_unspecified()).chain(loopback);
    let here = here.filter(|_| door.is_some()).map(IpNet::from);
    Ok(named?.into_iter().chain(here).collect())
}

fn network(text: &str) -> Result<IpNet, ConfigError> {
    let one = || text.parse::<IpAddr>().ok().map(IpNet::from);
    text.parse().ok().or_else(one).ok_or_else(|| {
        let problem = format!("{text:?} is no network: write 10.0.0.0/8, 192.0.2.7 or ::1");
        ConfigError::new("trusted-proxy", problem)
    })
}

#[cfg(test)]
mod tests {
    use super::{base_path, networks};

    #[test]
    fn a_base_path_has_no_slash_at_its_end() {
        let check = |text, expected: &str| assert_eq!(base_path(text).unwrap(), expected);
        check("", "");
        check("/", "");
        check("/noughts", "/noughts");
        check("/games//noughts/", "/games/noughts");
    }

    #[test]
    fn an_ambiguous_path_is_no_base_path() {
        for text in ["noughts", "/a b", "/../x", "/a?b", "/play", "/x/r", "/ws", "https://x/y"] {
            let problem = base_path(text).unwrap_err().to_string();
            assert!(problem.starts_with("--base-path: ") && problem.contains("/noughts"), "{text}");
        }
    }

    /// Fails if the page has a path that is not reserved.
    #[test]
    fn the_pages_own_paths_are_no_base_paths() {
        let sources = [
            include_str!("../http.rs"),
            include_str!("../http/api.rs"),
            include_str!("../http/page.rs"),
            include_str!("../http/page/people.rs"),
            include_str!("../http/party_files.rs"),
            include_str!("../http/puzzle.rs"),
        ];
        let routes = sources.iter().flat_map(|source| source.split(".route(\"/").skip(1));
        let firsts: Vec<_> = routes.filter_map(|route| route.split(['/', '"']).next()).collect();
        assert!(firsts.len() > 20, "{firsts:?}");
        for first in firsts.into_iter().filter(|first| !first.is_empty()) {
            assert!(base_path(&format!("/{first}")).is_err(), "{first}");
        }
    }

    #[test]
    fn networks_are_addresses_too() {
        let texts = ["10.0.0.0/8", " ::1", "192.0.2.7"].map(str::to_owned);
        let read: Vec<_> =
            networks(&texts, None).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(read, ["10.0.0.0/8", "::1/128", "192.0.2.7/32"]);
        let door = |bind: &str| networks(&[], Some(bind.parse().unwrap())).unwrap().len();
        assert_eq!((door("0.0.0.0"), door("192.0.2.7")), (2, 3));
        let problem = networks(&["localhost".to_owned()], None).unwrap_err().to_string();
        assert_eq!(
            problem,
            "--trusted-proxy: \"localhost\" is no network: write 10.0.0.0/8, 192.0.2.7 or ::1"
        );
    }
}
