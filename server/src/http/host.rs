//! Which hosts are answered. The owner of another name can let it lead to this machine (DNS
//! rebinding), and a browser then takes a page of that name for one of this server. With
//! `--public-url` the server answers only that host, the machine's own names and addresses, and the
//! hosts of `--allow-origin`. Without it every host is answered.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{HOST, HeaderName};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use tokio::time::Instant;
use url::{Host, Url};

use crate::config::Config;
use crate::http::origin;
use crate::net::client_addr::ClientAddr;
use crate::net::lan;
use crate::state::Shared;

const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");

/// How long the machine's addresses are cached.
const ADDRESSES_FOR: Duration = Duration::from_secs(10);

/// The hosts that are answered.
#[derive(Debug)]
pub(crate) struct AllowedHosts {
    /// `None` if every host is answered.
    public: Option<Url>,
    /// The hosts of `--public-url` and `--allow-origin`, and the machine's names.
    known: Vec<Host>,
    /// The machine's addresses, and when they were read.
    addresses: Mutex<Option<(Instant, Vec<IpAddr>)>>,
}

impl AllowedHosts {
    /// The hosts that a server with this configuration answers.
    pub(crate) fn new(config: &Config) -> Self {
        let urls = config.allowed_origins.iter().filter_map(|origin| Url::parse(origin).ok());
        let mut known: Vec<Host> =
            urls.filter_map(|url| url.host().map(|host| host.to_owned())).collect();
        let machine = hostname::get().ok().and_then(|name| name.into_string().ok());
        if let Some(Host::Domain(name)) = machine.and_then(|name| Host::parse(&name).ok()) {
            known.push(Host::Domain(format!("{name}.local")));
            known.push(Host::Domain(name));
        }
        Self { public: config.public_url.clone(), known, addresses: Mutex::default() }
    }

    /// Whether a request names an allowed host, or comes from an allowed origin.
    fn allow(&self, headers: &HeaderMap, client: ClientAddr, origins: &[String]) -> bool {
        if self.public.is_none() || origin::is_named(headers, origins) {
            return true;
        }
        let mut hosts = headers.get_all(HOST).iter();
        let Some(host) = hosts.next() else {
            // Every browser names a host.
            return true;
        };
        let is_own = |host: &axum::http::HeaderValue| host.to_str().is_ok_and(|h| self.is_own(h));
        let forwarded = headers.get(FORWARDED_HOST).filter(|_| client.is_forwarded);
        hosts.next().is_none() && (is_own(host) || forwarded.is_some_and(is_own))
    }

    /// Whether a host, with or without a port, is this machine.
    fn is_own(&self, host: &str) -> bool {
        let Ok(url) = Url::parse(&format!("http://{host}")) else { return false };
        let Some(host) = url.host().map(|host| host.to_owned()) else { return false };
        if self.known.contains(&host) {
            return true;
        }
        match host {
            // These names always mean this machine (RFC 6761, section 6.3).
            Host::Domain(name) => name == "localhost" || name.ends_with(".localhost"),
            Host::Ipv4(ip) => self.is_own_address(ip.into()),
            Host::Ipv6(ip) => self.is_own_address(ip.into()),
        }
    }

    fn is_own_address(&self, ip: IpAddr) -> bool {
        let (ip, now) = (ip.to_canonical(), Instant::now());
        if ip.is_loopback() {
            return true;
        }
        let mut cached = self.addresses.lock();
        let addresses = match &*cached {
            Some((at, addresses)) if now < *at + ADDRESSES_FOR => addresses,
            _ => &cached.insert((now, lan::own_addresses())).1,
        };
        addresses.contains(&ip)
    }
}

/// Answers a request for another host with this server's address.
pub(crate) async fn check_host(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let client = request.extensions().get::<ClientAddr>().copied();
    let (hosts, origins) = (&shared.hosts, &shared.config.allowed_origins);
    match (&hosts.public, client) {
        (Some(url), Some(client)) if !hosts.allow(request.headers(), client, origins) => {
            tracing::debug!(peer = %client.address, "asked for another host");
            let message = format!(
                "this server is at {url} (its host may have other names answered with \
                 --allow-origin)\n"
            );
            (StatusCode::MISDIRECTED_REQUEST, message).into_response()
        }
        _ => next.run(request).await,
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::AllowedHosts;
    use crate::{Args, Config};

    #[test]
    fn a_machine_knows_its_names_and_addresses() {
        let args = [
            "noughts-server",
            "--public-url=https://Play.example/noughts",
            "--allow-origin=http://box.lan:7333",
        ];
        let hosts = AllowedHosts::new(&Config::try_from(&Args::parse_from(args)).unwrap());
        let machine = hostname::get().unwrap().into_string().unwrap();
        let local = format!("{machine}.local:7333");
        let interface = crate::net::lan::own_addresses().into_iter().find(|ip| ip.is_ipv4());
        let interface = interface.map_or_else(|| "127.0.0.1".to_owned(), |ip| ip.to_string());
        for own in [
            "play.example",
            "PLAY.example:443",
            "box.lan",
            "localhost:7333",
            "a.localhost",
            "127.0.0.1:7333",
            "127.9.9.9",
            "[::1]:7333",
            &machine,
            &local,
            &interface,
        ] {
            assert!(hosts.is_own(own), "{own}");
        }
        for other in [
            "evil.example",
            "play.example.evil.example",
            "evil-play.example",
            "localhost.evil.example",
            "203.0.113.77",
            "[2001:db8::77]:7333",
            "",
            "a b",
        ] {
            assert!(!hosts.is_own(other), "{other}");
        }
    }
}
