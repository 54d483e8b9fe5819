//! A server's address as people write it: `host`, `host:port`, a URL, or a room's link. Connecting
//! to it is [`crate::connection`]'s.

use std::borrow::Cow;
use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;

use noughts_protocol::{
    DEFAULT_PORT, Date, GameId, IdError, PartyCode, PassCode, PlayerId, RoomCode, ServerInfo,
};
use url::Url;

/// A server's WebSocket address, without a room.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ServerAddress {
    /// `ws://` or `wss://`, always ending in `/ws`.
    url: Url,
    /// The interface of a link-local address, `eth0` in `fe80::1%eth0`. No URL has one, and the server is not
    /// sent it: only this machine knows the interface by that name.
    zone: Option<Box<str>>,
}

/// A server and, if the text was a link to one, the room or the kept game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The server.
    pub server: ServerAddress,
    /// The room of the link.
    pub room: Option<RoomCode>,
    /// The kept game of the link.
    pub game: Option<GameId>,
    /// The player of the link to a profile.
    pub player: Option<PlayerId>,
    /// The party of the link.
    pub party: Option<PartyCode>,
    /// The pass for a place in that party.
    pub place: Option<PassCode>,
    /// The pass of a player's other device.
    pub pass: Option<PassCode>,
}

/// Why a text is no server address. The message says how to write one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The text is neither a host nor a URL.
    #[error(
        "that is not a server's address: write host, host:port, a URL such as \
         https://play.example.org, or a room's link"
    )]
    Form,
    /// A link whose last part is no code or id.
    #[error("that link leads nowhere: {0}")]
    Id(IdError),
    /// The URL has another scheme.
    #[error("a server's address begins with ws://, wss://, http:// or https://, or with its host")]
    Scheme,
    /// The URL contains a user name or a password.
    #[error("a server's address holds no user name or password: leave out what is before the @")]
    Credentials,
}

impl ServerAddress {
    /// The URL to connect to.
    #[must_use]
    pub fn url(&self) -> &str {
        self.url.as_str()
    }

    /// The host and port to connect to; an IPv6 address comes without brackets, and with its zone.
    #[must_use]
    pub fn host_and_port(&self) -> (String, u16) {
        let host = self.url.host_str().unwrap_or_default();
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let zone = self.zone.as_ref().map(|zone| format!("%{zone}")).unwrap_or_default();
        (bare.unwrap_or(host).to_owned() + &zone, self.port())
    }

    /// Whether the host is this machine. Other machines cannot use such an address.
    #[must_use]
    pub fn is_local(&self) -> bool {
        matches!(self.url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"))
    }

    /// The host; an IPv6 address comes with brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// The port, also if the URL leaves it out.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.url.port_or_known_default().unwrap_or(DEFAULT_PORT)
    }

    /// Whether the connection uses TLS.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.url.scheme() == "wss"
    }

    /// The same address with another host name.
    #[cfg(feature = "connect")]
    pub(crate) fn with_host(&self, host: &str) -> Self {
        let mut other = self.clone();
        // An invalid name changes nothing.
        if other.url.set_host(Some(host)).is_ok() {
            other.zone = None;
        }
        other
    }

    /// The address to give to friends: the server's public address if it has one, else this one.
    #[must_use]
    pub fn share_address(&self, server: &ServerInfo) -> Self {
        let public = server.url.as_ref().filter(|_| server.public);
        let link = public.and_then(|url| url.as_str().parse::<Link>().ok());
        link.map_or_else(|| self.clone(), |link| link.server)
    }

    /// The link to a room, for a browser or another terminal.
    #[must_use]
    pub fn room_link(&self, room: RoomCode) -> String {
        self.link(&format!("r/{room}"))
    }

    /// The link to a kept game, for a browser or another terminal.
    #[must_use]
    pub fn game_link(&self, game: GameId) -> String {
        self.link(&format!("g/{game}"))
    }

    /// The link to a profile.
    #[must_use]
    pub fn profile_link(&self, player: PlayerId) -> String {
        self.link(&format!("p/{player}"))
    }

    /// The link to the puzzle of a day.
    #[must_use]
    pub fn puzzle_link(&self, date: Date) -> String {
        self.link(&format!("puzzle/{date}"))
    }

    /// The link to a party.
    #[must_use]
    pub fn party_link(&self, party: PartyCode) -> String {
        self.link(&format!("party/{party}"))
    }

    /// The link that gives a place in a party.
    #[must_use]
    pub fn place_link(&self, party: PartyCode, pass: &PassCode) -> String {
        format!("{}#place={}", self.party_link(party), pass.reveal())
    }

    /// The link that makes another device its player.
    #[must_use]
    pub fn pass_link(&self, pass: &PassCode) -> String {
        self.link(&format!("#pass={}", pass.reveal()))
    }

    fn link(&self, page: &str) -> String {
        let scheme = if self.is_secure() { "" } else { "http://" };
        // A browser's usual port is another than ours.
        let port = if !self.is_secure() && self.port() == DEFAULT_PORT {
            format!(":{DEFAULT_PORT}")
        } else {
            String::new()
        };
        let prefix = self.prefix();
        let before = self.to_string();
        let before = before.strip_suffix(prefix).unwrap_or(&before);
        format!("{scheme}{before}{port}{prefix}/{page}")
    }

    /// The path before `/ws`, without a slash at its end.
    fn prefix(&self) -> &str {
        self.url.path().strip_suffix("/ws").unwrap_or_default()
    }
}

impl Default for ServerAddress {
    fn default() -> Self {
        let url = format!("ws://localhost:{DEFAULT_PORT}/ws");
        Self { url: url.parse().expect("the default address is a URL"), zone: None }
    }
}

/// Writes the shortest text that [`Link`] parses as the same server.
impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secure = self.is_secure();
        let port = self.port();
        if secure {
            f.write_str("https://")?;
        }
        match (&self.zone, self.host().strip_suffix(']')) {
            (Some(zone), Some(host)) => write!(f, "{host}%{zone}]")?,
            _ => f.write_str(self.host())?,
        }
        let usual = if secure { 443 } else { DEFAULT_PORT };
        if port != usual {
            write!(f, ":{port}")?;
        }
        f.write_str(self.prefix())
    }
}

impl FromStr for Link {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let (text, zone) = split_zone(text.trim());
        let url = parse_url(&text)?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::Credentials);
        }
        // `4` is 0.0.0.4 to a URL, and a slip to people.
        let is_number = text.parse::<u64>().is_ok();
        let host = url.host_str().filter(|host| !host.is_empty() && !is_number);
        let host = host.ok_or(AddressError::Form)?;
        let mut path: Vec<&str> =
            url.path_segments().into_iter().flatten().filter(|part| !part.is_empty()).collect();
        if let [.., "party", _, "screen"] = path[..] {
            path.pop();
        }
        let mut target = None;
        if let [.., page @ ("r" | "g" | "p" | "party"), id] = path[..] {
            target = Some((page, id));
            path.truncate(path.len() - 2);
        } else if path.last() == Some(&"ws") {
            path.pop();
        }
        // The rest is the server's own path. It must parse as the same path when it is displayed.
        if matches!(path[..], [.., "r" | "g" | "p" | "party", _] | [.., "ws"]) {
            return Err(AddressError::Form);
        }
        let secure = if url.scheme() == "wss" { "wss" } else { "ws" };
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        let prefix: String = path.iter().map(|part| format!("/{part}")).collect();
        let address = format!("{secure}://{host}{port}{prefix}/ws");
        let server = ServerAddress { url: address.parse().map_err(|_| AddressError::Form)?, zone };
        let id = |wanted| target.filter(|(page, _)| *page == wanted).map(|(_, id)| id);
        let secret = |name| url.fragment()?.strip_prefix(name)?.parse().ok();
        Ok(Self {
            server,
            room: parsed(id("r"))?,
            game: parsed(id("g"))?,
            player: parsed(id("p"))?,
            party: parsed(id("party"))?,
            place: secret("place="),
            pass: secret("pass="),
        })
    }
}

fn parsed<T: FromStr<Err = IdError>>(id: Option<&str>) -> Result<Option<T>, AddressError> {
    id.map(str::parse).transpose().map_err(AddressError::Id)
}

/// Takes the zone out of `fe80::1%eth0` or `[fe80::1%25eth0]:7333` (RFC 6874 writes `%25` in URLs).
fn split_zone(text: &str) -> (Cow<'_, str>, Option<Box<str>>) {
    let zoned = || {
        let (before, after) = text.split_once('%')?;
        before.rsplit(['[', '/']).next()?.parse::<Ipv6Addr>().ok()?;
        let (zone, rest) = after.split_at(after.find(']').unwrap_or(after.len()));
        let zone = zone.strip_prefix("25").filter(|zone| !zone.is_empty()).unwrap_or(zone);
        let is_valid = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        (!zone.is_empty() && zone.chars().all(is_valid))
            .then(|| (format!("{before}{rest}"), zone.into()))
    };
    zoned().map_or((text.into(), None), |(text, zone)| (text.into(), Some(zone)))
}

/// Parses the text as a `ws` or `wss` URL and adds the default port.
fn parse_url(text: &str) -> Result<Url, AddressError> {
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
        None => (None, text),
    };
    let secure = match scheme.as_deref() {
        None | Some("ws" | "http") => "ws",
        Some("wss" | "https") => "wss",
        Some(_) => return Err(AddressError::Scheme),
    };
    // An IPv6 address without brackets has more than one colon.
    let bare = rest.parse::<Ipv6Addr>().map(|address| format!("[{address}]"));
    let rest = bare.unwrap_or_else(|_| rest.to_owned());
    let mut url: Url = format!("{secure}://{rest}").parse().map_err(|_| AddressError::Form)?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let port_given = authority
        .rsplit_once(':')
        .is_some_and(|(_, port)| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()));
    if scheme.is_none() && !port_given {
        url.set_port(Some(DEFAULT_PORT)).map_err(|()| AddressError::Form)?;
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, url: &str, shown: &str, room: Option<&str>) {
        let link: Link = text.parse().unwrap();
        assert_eq!(link.server.url(), url);
        assert_eq!(link.server.to_string(), shown);
        assert_eq!(link.room.map(|code| code.to_string()).as_deref(), room);
        // A friend types the displayed text: it must mean the same server.
        assert_eq!(shown.parse::<Link>().unwrap().server, link.server);
    }

    #[test]
    fn a_bare_host_gets_our_port() {
        check("localhost", "ws://localhost:7333/ws", "localhost", None);
        check("192.168.0.7", "ws://192.168.0.7:7333/ws", "192.168.0.7", None);
        check("::1", "ws://[::1]:7333/ws", "[::1]", None);
        check("host:80", "ws://host/ws", "host:80", None);
        check(" host:9000 ", "ws://host:9000/ws", "host:9000", None);
    }

    #[test]
    fn a_zone_is_dialled_and_shown_but_not_sent() {
        let sent = "ws://[fe80::1]:7640/ws";
        for text in ["[fe80::1%eth0]:7640", "http://[fe80::1%25eth0]:7640/r/KQRZX"] {
            let link: Link = text.parse().unwrap();
            assert_eq!(link.server.url(), sent);
            assert_eq!(link.server.host_and_port(), ("fe80::1%eth0".to_owned(), 7640));
        }
        check("[fe80::1%eth0]:7640", sent, "[fe80::1%eth0]:7640", None);
        check("fe80::1%wlan0", "ws://[fe80::1]:7333/ws", "[fe80::1%wlan0]", None);
        for text in ["[fe80::1%]:7640", "[fe80::1%a b]", "host%eth0", "192.0.2.1%eth0"] {
            assert_eq!(text.parse::<Link>(), Err(AddressError::Form), "{text:?}");
        }
        let link = |text: &str| text.parse::<Link>().unwrap();
        assert_ne!(link("[fe80::1%eth0]"), link("[fe80::1%eth1]"));
    }

    #[test]
    fn a_scheme_brings_its_own_port() {
        check("http://host", "ws://host/ws", "host:80", None);
        check("https://host", "wss://host/ws", "https://host", None);
        check("wss://host:7333/ws", "wss://host:7333/ws", "https://host:7333", None);
        check("WS://Host:7333", "ws://host:7333/ws", "host", None);
    }

    #[test]
    fn a_room_link_gives_the_room() {
        check("http://host:7333/r/KQRZX", "ws://host:7333/ws", "host", Some("KQRZX"));
        check("host/r/kqrzx", "ws://host:7333/ws", "host", Some("KQRZX"));
        check(
            "https://example.org/play/r/KQRZX?x#y",
            "wss://example.org/play/ws",
            "https://example.org/play",
            Some("KQRZX"),
        );
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in ["", "4", "http://", "two words", "host:port", "host:99999"] {
            assert_eq!(text.parse::<Link>(), Err(AddressError::Form), "{text:?}");
        }
        // Without their last part, these would display as another server or room.
        for text in ["host/r/BBBBB/r/KQRZX", "host/r/44449/r/KQRZX", "host/ws/ws"] {
            assert_eq!(text.parse::<Link>(), Err(AddressError::Form), "{text:?}");
        }
        let no_code = AddressError::Id(IdError::Code);
        assert_eq!("http://h/r/AAAAA".parse::<Link>(), Err(no_code));
        assert!(no_code.to_string().contains("five consonants"));
        assert_eq!("ftp://host".parse::<Link>(), Err(AddressError::Scheme));
        assert_eq!("http://me:pw@host".parse::<Link>(), Err(AddressError::Credentials));
    }

    #[test]
    fn friends_are_told_what_is_public() {
        let here = ServerAddress::default();
        let info = |url: &str, public| ServerInfo {
            name: "x".into(),
            version: "0".into(),
            url: Some(url.into()),
            public,
            nodes: Vec::new(),
        };
        let lan = info("http://192.168.0.7:7333/", false);
        assert_eq!(here.share_address(&lan), here);
        let public = info("https://play.example/noughts/", true);
        assert_eq!(here.share_address(&public).to_string(), "https://play.example/noughts");
        assert_eq!(here.share_address(&info("no link", true)), here);
    }

    #[test]
    fn a_rooms_link_is_one_for_browsers_and_terminals() {
        for (server, link) in [
            ("host", "http://host:7333/r/KQRZX"),
            ("host:80", "http://host:80/r/KQRZX"),
            ("http://[::1]:7333/noughts", "http://[::1]:7333/noughts/r/KQRZX"),
            ("https://play.example/noughts", "https://play.example/noughts/r/KQRZX"),
            ("https://play.example:8443", "https://play.example:8443/r/KQRZX"),
        ] {
            let server = server.parse::<Link>().unwrap().server;
            let code = "KQRZX".parse().unwrap();
            assert_eq!(server.room_link(code), link);
            let again = link.parse::<Link>().unwrap();
            assert_eq!((again.server, again.room), (server, Some(code)));
        }
    }

    #[test]
    fn a_partys_link_is_also_that_of_its_screen() {
        let server = "https://play.example/noughts".parse::<Link>().unwrap().server;
        let code = "KQRZX".parse().unwrap();
        let link = server.party_link(code);
        assert_eq!(link, "https://play.example/noughts/party/KQRZX");
        for link in [link.clone(), format!("{link}/screen")] {
            let again = link.parse::<Link>().unwrap();
            assert_eq!((again.server, again.party), (server.clone(), Some(code)));
        }
    }

    #[test]
    fn only_this_machine_is_local() {
        assert!(ServerAddress::default().is_local());
        assert!(!"192.168.0.7".parse::<Link>().unwrap().server.is_local());
    }
}
