//! Which hosts are answered. A page of another server can have its own name lead to this machine
//! (DNS rebinding): to a browser that page then comes from here. Whoever says by `--public-url`
//! what this server is called keeps such names out: besides that host only the machine's own names
//! and addresses are answered, and those of `--allow-origin`.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{HOST, HeaderName};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;
use url::{Host, Url};

use crate::Shared;
use crate::config::Config;
use crate::http::origin;
use crate::net::client_addr::ClientAddr;
use crate::net::lan;

const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");

/// How long the machine's addresses are taken to be the same.
const ADDRESSES_EVERY: Duration = Duration::from_secs(10);

/// What this server is called.
#[derive(Debug)]
pub(crate) struct Hosts {
    /// Where it is for others; without that every host is answered.
    public: Option<Url>,
    /// Names and addresses that the host gave it, and the machine's names.
    known: Vec<Host>,
    /// The machine's addresses, and when they were looked at.
    addresses: Mutex<Option<(Instant, Vec<IpAddr>)>>,
}

impl Hosts {
    /// The hosts of a server with this configuration.
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

    /// Whether a request is for this server.
    fn are_meant(&self, headers: &HeaderMap, visitor: ClientAddr, allowed: &[String]) -> bool {
        if self.public.is_none() || origin::is_named(headers, allowed) {
            return true;
        }
        let mut hosts = headers.get_all(HOST).iter();
        let Some(host) = hosts.next() else {
            // Every browser names one.
            return true;
        };
        let is_own = |host: &axum::http::HeaderValue| host.to_str().is_ok_and(|h| self.is_own(h));
        let forwarded = headers.get(FORWARDED_HOST).filter(|_| visitor.is_forwarded);
        hosts.next().is_none() && (is_own(host) || forwarded.is_some_and(is_own))
    }

    /// Whether a host, with a port or without, is this machine.
    fn is_own(&self, host: &str) -> bool {
        let Ok(url) = Url::parse(&format!("http://{host}")) else { return false };
        let Some(host) = url.host().map(|host| host.to_owned()) else { return false };
        if self.known.contains(&host) {
            return true;
        }
        match host {
            // Names that lead nowhere else (RFC 6761, section 6.3).
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
        let mut found = self.addresses.lock().unwrap_or_else(PoisonError::into_inner);
        let addresses = match &*found {
            Some((at, addresses)) if now < *at + ADDRESSES_EVERY => addresses,
            _ => &found.insert((now, lan::own_addresses())).1,
        };
        addresses.contains(&ip)
    }
}

/// Answers what is meant for this server, and says where that is to everybody else.
pub(crate) async fn only_own(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let visitor = request.extensions().get::<ClientAddr>().copied();
    let (hosts, allowed) = (&shared.hosts, &shared.config.allowed_origins);
    match (&hosts.public, visitor) {
        (Some(url), Some(visitor)) if !hosts.are_meant(request.headers(), visitor, allowed) => {
            tracing::debug!(peer = %visitor.address, "asked for another host");
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

    use super::Hosts;
    use crate::{Args, Config};

    #[test]
    fn a_machine_knows_its_names_and_addresses() {
        let args = [
            "noughts-server",
            "--public-url=https://Play.example/noughts",
            "--allow-origin=http://box.lan:7333",
        ];
        let hosts = Hosts::new(&Config::try_from(&Args::parse_from(args)).unwrap());
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
