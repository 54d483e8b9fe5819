//! Versions, paths and compression of the assets.

use std::io::Read;

use crate::http::assets::{
    Assets, File, content_type_of, embedded_files, minify::minify, version_of,
};
use crate::http::preview::{Language, Link, Preview};

fn files(script: &str) -> Vec<(String, Vec<u8>)> {
    let html = "<head>\n<!-- preview -->\n\
                <script type=\"module\" src=\"assets/0/js/main.js\"></script></head>";
    let files = [("index.html", html), ("js/main.js", script), ("css/base.css", "p{}")];
    files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())).to_vec()
}

/// `index.html` in English.
fn index(assets: &Assets, depth: usize, url: &str) -> Option<String> {
    let language = Language::default();
    let preview = Preview { server: "Noughts", url: Some(url), link: Link::Path("/"), language };
    assets.index(depth, &preview, false).map(|file| text(&file).to_owned())
}

fn text(file: &File) -> &str {
    std::str::from_utf8(&file.plain).unwrap()
}

#[test]
fn the_index_leads_to_the_versioned_folder_from_every_depth() {
    let assets = Assets::new(&files("// a"), "v1".to_owned(), true);
    let top = index(&assets, 0, "").unwrap();
    assert!(top.contains("src=\"assets/v1/js/main.js\""), "{top}");
    let below = index(&assets, 1, "").unwrap();
    assert!(below.contains("src=\"../assets/v1/js/main.js\""), "{below}");
}

#[test]
fn the_index_leads_to_the_texts_in_the_language_of_the_visitor() {
    let html = "<link href=\"assets/0/js/strings/en.js\">".as_bytes().to_vec();
    let assets = Assets::new(&[("index.html".to_owned(), html)], "v1".to_owned(), true);
    for (language, tag) in [(Language::English, "en"), (Language::German, "de")] {
        let preview = Preview { server: "Noughts", url: None, link: Link::Path("/"), language };
        let html = assets.index(0, &preview, false).unwrap();
        assert_eq!(text(&html), format!("<link href=\"assets/v1/js/strings/{tag}.js\">"));
    }
}

#[test]
fn the_index_names_the_part_of_a_room_for_its_link_alone() {
    let room = Link::Room("KQRZX".parse().unwrap());
    for (link, named) in [(Link::Path("/"), false), (room, true)] {
        let language = Language::German;
        let preview = Preview { server: "Noughts", url: None, link, language };
        let html = Assets::embedded().index(1, &preview, false).unwrap();
        assert_eq!(text(&html).contains("js/room/main.js"), named);
    }
}

#[test]
fn assets_are_found_by_version_and_path_alone() {
    let assets = Assets::new(&files("// a"), "v1".to_owned(), true);
    assert_eq!(text(assets.asset("v1", "js/main.js").unwrap()), "// a");
    for (version, path) in
        [("v0", "js/main.js"), ("v1", "main.js"), ("v1", "js/../js/main.js"), ("v1", "index.html")]
    {
        assert!(assets.asset(version, path).is_none(), "{version} {path}");
    }
}

/// The style of the bundle stands in the same folder as the single styles, so its addresses stay true.
#[test]
fn the_font_of_the_styles_is_the_one_that_the_index_preloads() {
    let assets = Assets::embedded();
    let font = "fonts/shantell-sans-700.woff2";
    assert!(text(assets.file("css/base.css").unwrap()).contains(&format!("url(\"../{font}\")")));
    let html = index(&assets, 1, "").unwrap();
    let preload = format!("<link rel=\"preload\" href=\"../assets/{}/{font}\"", assets.version);
    assert!(html.contains(&preload), "{html}");
    assert!(assets.asset(&assets.version, font).unwrap().gzip.is_none());
}

#[test]
fn a_page_that_is_not_there_is_none() {
    let assets = Assets::new(&[], "v1".to_owned(), true);
    assert!(index(&assets, 0, "").is_none());
}

#[test]
fn the_tags_of_a_link_stand_in_the_head() {
    let assets = Assets::new(&files("// a"), "v1".to_owned(), true);
    let html = index(&assets, 0, "http://<!-- preview -->\n").unwrap();
    assert!(html.starts_with("<head>\n<title>Noughts</title>\n"), "{html}");
    assert!(!html.contains("<!--"), "{html}");
}

#[test]
fn the_version_is_another_when_a_path_or_a_byte_is() {
    let version = version_of(&files("// a"));
    assert_eq!(version_of(&files("// a")), version);
    assert_ne!(version_of(&files("// b")), version);
    let mut renamed = files("// a");
    renamed[1].0 = "js/mains.j".to_owned();
    assert_ne!(version_of(&renamed), version);
}

#[test]
fn a_compressed_file_is_smaller_and_has_the_same_content() {
    let long = "let here = there;\n".repeat(200);
    let file = File::new("text/javascript", long.as_bytes(), true);
    let gzip = file.gzip.unwrap();
    assert!(gzip.len() < long.len() / 10);
    let mut unpacked = String::new();
    flate2::read::GzDecoder::new(&gzip[..]).read_to_string(&mut unpacked).unwrap();
    assert_eq!(unpacked, long);
    assert!(File::new("text/javascript", b"a", true).gzip.is_none());
}

#[test]
fn a_folder_elsewhere_has_the_clients_package_of_this_binary() {
    let folder = tempfile::tempdir().unwrap();
    let assets = Assets::in_folder(folder.path()).unwrap();
    let session = text(assets.file("js/client/session.js").unwrap());
    assert_eq!(session, include_str!("../../../../protocol/js/src/session.js"));
}

#[test]
fn the_content_type_depends_on_the_ending() {
    for (path, kind) in [
        ("js/main.js", "text/javascript; charset=utf-8"),
        ("js/vendor/uqr.mjs", "text/javascript; charset=utf-8"),
        ("css/base.css", "text/css; charset=utf-8"),
        ("icon.svg", "image/svg+xml"),
        ("icon-192.png", "image/png"),
        ("fonts/shantell-sans-700.woff2", "font/woff2"),
        ("app.webmanifest", "application/manifest+json"),
        ("js/page.d.mts", "text/plain; charset=utf-8"),
        ("js/vendor/htm-LICENSE.txt", "text/plain; charset=utf-8"),
        ("LICENSE", "application/octet-stream"),
    ] {
        assert_eq!(content_type_of(path), kind, "{path}");
    }
}

/// `minify` would change a text of several lines. Only a template of elements may have several,
/// because it ignores the breaks between lines and the spaces around them.
#[test]
fn no_script_has_text_that_goes_over_several_lines() {
    for (path, bytes) in embedded_files().iter().filter(|(path, _)| path.ends_with(".js")) {
        let script = String::from_utf8(minify(path, bytes)).unwrap();
        assert_eq!(long_text(&script), None, "{path}");
    }
    assert_eq!(long_text("a(html`<p>\n${b ? `c` : html`<i>\n</i>`}</p>`, `d`);\n"), None);
    assert_eq!(long_text("a = `b\n`;\n"), Some("b"));
    assert_eq!(long_text("a = html`<p>${b(\"}\") + `c\n`}</p>`;\n"), Some("c"));
}

/// The first line of a text that goes over several lines and is no template of elements.
fn long_text(script: &str) -> Option<&str> {
    // The open texts, and the open braces of code within them.
    let mut open = Vec::new();
    let mut quoted = false;
    let mut last = ' ';
    for (at, c) in script.char_indices() {
        let text = open.last().copied().filter(|&(kind, _)| kind != '{');
        match (c, text) {
            ('\n', Some(('`', from))) => return script[from..].lines().next(),
            ('`', Some(_)) => drop(open.pop()),
            ('{', Some(_)) if last == '$' => open.push(('{', at)),
            (_, Some(_)) => {}
            ('"', None) if last != '\\' => quoted = !quoted,
            _ if quoted => {}
            ('`', None) if script[..at].ends_with("html") => open.push(('h', at + 1)),
            ('`', None) => open.push(('`', at + 1)),
            ('{', None) => open.push(('{', at)),
            ('}', None) => drop(open.pop()),
            _ => {}
        }
        last = c;
    }
    None
}
