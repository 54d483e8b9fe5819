//! The pages that may open a WebSocket: those of this server and of the origins
//! that the host allows. A browser sends its page's origin, and a page of another server
//! must not play in the name of its visitor. Other programs send no origin, and may open one. Which
//! hosts are answered at all is [`crate::http::host`]'s.

use axum::http::{HeaderMap, HeaderName, header};
use url::Url;

/// Whether the request comes from no page, from a page of the same host, or from an allowed origin.
/// A browser sends one origin; two are refused.
pub(crate) fn is_allowed(headers: &HeaderMap, is_secure: bool, allowed: &[String]) -> bool {
    if !headers.contains_key(header::ORIGIN) || is_named(headers, allowed) {
        return true;
    }
    let named = only(headers, &header::ORIGIN).zip(only(headers, &header::HOST));
    named.is_some_and(|(origin, host)| is_same_host(origin, is_secure, host))
}

/// Whether the request comes from one of these origins.
pub(crate) fn is_named(headers: &HeaderMap, allowed: &[String]) -> bool {
    let origin = only(headers, &header::ORIGIN);
    origin.is_some_and(|origin| allowed.iter().any(|allowed| allowed == origin))
}

/// The value of a header, if there is exactly one.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Whether an origin is the host that the request was sent to. If the request is encrypted, the page
/// must have been encrypted too, because anybody on the way may change a page that is not. The
/// opposite is allowed: a proxy that this server does not know may have removed the encryption.
fn is_same_host(origin: &str, is_secure: bool, host: &str) -> bool {
    let Ok(origin) = Url::parse(origin) else { return false };
    let scheme = origin.scheme();
    if scheme != "https" && (is_secure || scheme != "http") {
        return false;
    }
    let Ok(host) = Url::parse(&format!("{scheme}://{host}")) else { return false };
    origin.host().is_some() && origin.origin() == host.origin()
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::is_allowed;

    #[track_caller]
    fn check(origins: &[&str], is_secure: bool, host: &str, expected: bool) {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
        for origin in origins {
            headers.append(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        let allowed = ["https://games.example".to_owned()];
        let answer = is_allowed(&headers, is_secure, &allowed);
        assert_eq!(answer, expected, "{origins:?} at {host}");
    }

    #[test]
    fn a_page_may_connect_to_its_own_host_and_from_allowed_origins() {
        check(&[], false, "192.0.2.1:7333", true);
        check(&["http://192.0.2.1:7333"], false, "192.0.2.1:7333", true);
        check(&["http://[2001:db8::1]:7333"], false, "[2001:db8::1]:7333", true);
        check(&["https://play.example"], true, "play.example", true);
        check(&["https://play.example"], true, "PLAY.example:443", true);
        check(&["https://games.example"], false, "192.0.2.1:7333", true);
        check(&["http://evil.example"], false, "192.0.2.1:7333", false);
        check(&["http://192.0.2.1:8000"], false, "192.0.2.1:7333", false);
        check(&["null"], false, "192.0.2.1:7333", false);
        check(&["file://"], false, "192.0.2.1:7333", false);
    }

    #[test]
    fn the_scheme_counts() {
        check(&["http://play.example"], true, "play.example", false);
        check(&["https://play.example"], false, "play.example", true);
        check(&["https://play.example"], false, "play.example:80", false);
        check(&["http://play.example:443"], true, "play.example:443", false);
        check(&["http://games.example"], false, "192.0.2.1:7333", false);
    }

    #[test]
    fn two_origins_are_refused() {
        let own = "http://192.0.2.1:7333";
        check(&[own, "http://evil.example"], false, "192.0.2.1:7333", false);
        check(&[own, own], false, "192.0.2.1:7333", false);
        check(&["https://games.example", own], false, "192.0.2.1:7333", false);
    }
}
