//! The path in front of all others where the server shares its host with other programs. A proxy
//! may take it off or leave it: both are answered. Pure.

use axum::http::Uri;
use axum::http::uri::PathAndQuery;

/// A request's path without the base.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Below {
    /// What the router knows.
    Path(Uri),
    /// The base without the slash at its end, against which the page's relative addresses would
    /// lead elsewhere: where to go instead, relative to where the browser is.
    Slash(String),
}

/// Takes the base off, if it is there.
pub(crate) fn below(base: &str, uri: Uri) -> Below {
    let Some(rest) = uri.path().strip_prefix(base).filter(|_| !base.is_empty()) else {
        return Below::Path(uri);
    };
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    if rest.is_empty() {
        let name = base.rsplit('/').next().unwrap_or_default();
        return Below::Slash(format!("{name}/{query}"));
    }
    // `/noughtsandcrosses` is not below `/noughts`.
    let path = Some(rest).filter(|rest| rest.starts_with('/'));
    let path = path.and_then(|rest| PathAndQuery::try_from(format!("{rest}{query}")).ok());
    Below::Path(path.map(Uri::from).unwrap_or(uri))
}

#[cfg(test)]
mod tests {
    use super::{Below, below};

    fn check(base: &str, path: &str, expected: &str) {
        match below(base, path.parse().unwrap()) {
            Below::Path(uri) => assert_eq!(uri.to_string(), expected),
            Below::Slash(place) => assert_eq!(format!("to {place}"), expected),
        }
    }

    #[test]
    fn a_path_is_the_same_with_and_without_the_base() {
        check("", "/r/KQRZX", "/r/KQRZX");
        check("/noughts", "/r/KQRZX", "/r/KQRZX");
        check("/noughts", "/noughts/r/KQRZX?lang=de", "/r/KQRZX?lang=de");
        check("/games/noughts", "/games/noughts/", "/");
        check("/noughts", "/noughtsandcrosses", "/noughtsandcrosses");
    }

    #[test]
    fn the_base_ends_in_a_slash() {
        check("/noughts", "/noughts", "to noughts/");
        check("/games/noughts", "/games/noughts?lang=de", "to noughts/?lang=de");
    }
}
