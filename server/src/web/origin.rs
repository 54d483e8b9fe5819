//! Which pages may open a socket: a browser sends its page's origin, and another server's page
//! must not play in its visitor's name. Programs send none, and may.

use axum::http::{HeaderMap, header};
use url::Url;

/// Whether the request comes from no page, a page of this very host, or an allowed origin.
pub(super) fn is_allowed(headers: &HeaderMap, allowed: &[String]) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    allowed.iter().any(|allowed| allowed == origin)
        || host.is_some_and(|host| is_same_host(origin, host))
}

/// Whether an origin is the host that the request was sent to. The scheme does not matter: behind
/// a proxy the server cannot know it.
fn is_same_host(origin: &str, host: &str) -> bool {
    let Ok(origin) = Url::parse(origin) else { return false };
    let Ok(host) = Url::parse(&format!("{}://{host}", origin.scheme())) else { return false };
    let place =
        |url: &Url| url.host_str().map(|host| (host.to_owned(), url.port_or_known_default()));
    place(&origin).is_some() && place(&origin) == place(&host)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::is_allowed;

    fn check(origin: Option<&str>, host: &str, expected: bool) {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        let allowed = ["https://games.example".to_owned()];
        assert_eq!(is_allowed(&headers, &allowed), expected, "{origin:?} at {host}");
    }

    #[test]
    fn a_page_may_connect_to_its_own_host_and_from_allowed_origins() {
        check(None, "192.0.2.1:7333", true);
        check(Some("http://192.0.2.1:7333"), "192.0.2.1:7333", true);
        check(Some("http://[2001:db8::1]:7333"), "[2001:db8::1]:7333", true);
        check(Some("https://play.example"), "play.example", true);
        check(Some("https://play.example"), "PLAY.example:443", true);
        check(Some("https://games.example"), "192.0.2.1:7333", true);
        check(Some("http://evil.example"), "192.0.2.1:7333", false);
        check(Some("http://192.0.2.1:8000"), "192.0.2.1:7333", false);
        check(Some("null"), "192.0.2.1:7333", false);
    }
}
