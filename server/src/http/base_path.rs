//! The path in front of all others (`--base-path`) where the server shares its host with other
//! programs. A proxy may remove it or leave it: both are answered.

use axum::Router;
use axum::http::header::LOCATION;
use axum::http::{StatusCode, Uri};
use axum::routing::any;

/// Answers with `app` at every path, with the base and without it. `base` has no slash at its end;
/// empty for none.
pub(crate) fn with_base(base: &str, app: Router) -> Router {
    let Some((_, name)) = base.rsplit_once('/') else { return app };
    // The page's relative addresses need the slash at the end. The browser's path may be longer than
    // the one here, so that the redirect is relative.
    let name = name.to_owned();
    let add_slash = async move |uri: Uri| {
        let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, format!("{name}/{query}"))])
    };
    Router::new()
        .route(base, any(add_slash))
        .nest(&format!("{base}/"), app.clone())
        .fallback_service(app)
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::{Body, to_bytes};
    use axum::http::header::LOCATION;
    use axum::http::{Request, Uri};
    use axum::routing::get;
    use tower::ServiceExt;

    use super::with_base;

    /// Checks the answer of a router that says by which route, and at which path, it was asked.
    #[track_caller]
    fn check(base: &str, path: &str, expected: &str) {
        let show = async |uri: Uri| uri.to_string();
        let app = Router::new()
            .route("/", get(show))
            .route("/r/{code}", get(show))
            .fallback(async |uri: Uri| format!("nothing at {uri}"));
        let request = Request::get(path).body(Body::empty()).unwrap();
        let answer = async {
            let response = with_base(base, app).oneshot(request).await.unwrap();
            if let Some(location) = response.headers().get(LOCATION) {
                return format!("to {}", location.to_str().unwrap());
            }
            let body = to_bytes(response.into_body(), 1024).await.unwrap();
            String::from_utf8(body.to_vec()).unwrap()
        };
        assert_eq!(futures::executor::block_on(answer), expected);
    }

    #[test]
    fn a_path_is_the_same_with_and_without_the_base() {
        check("", "/r/KQRZX", "/r/KQRZX");
        check("/noughts", "/r/KQRZX", "/r/KQRZX");
        check("/noughts", "/noughts/r/KQRZX?lang=de", "/r/KQRZX?lang=de");
        check("/games/noughts", "/games/noughts/", "/");
        check("/games/noughts", "/games/noughts/?lang=de", "/?lang=de");
        check("/noughts", "/noughts/other", "nothing at /other");
        check("/noughts", "/noughtsandcrosses", "nothing at /noughtsandcrosses");
    }

    #[test]
    fn the_base_ends_in_a_slash() {
        check("/noughts", "/noughts", "to noughts/");
        check("/games/noughts", "/games/noughts?lang=de", "to noughts/?lang=de");
    }
}
