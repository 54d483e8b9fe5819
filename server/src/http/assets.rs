//! The files of the page, `server/web/`, with the client's package, `protocol/js/src/`, as its folder
//! `js/client/`: embedded in the binary, bundled and compressed once, or read from a folder for development.
//! Their addresses are in [`crate::http::page`].

mod bundle;
mod minify;

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use include_dir::{Dir, DirEntry, include_dir};
use libdeflater::{CompressionError, CompressionLvl, Compressor};
use sha2::{Digest, Sha256};

use crate::http::preview;
use crate::http::preview::Preview;
use bundle::bundle;
use minify::minify;

/// The folder of the assets in `index.html`. The versioned folder replaces it.
const PLACEHOLDER: &str = "assets/0/";

/// The page of hosts: its scripts are not bundled, because few people load them.
const HOST_PAGE: &str = "host.html";

/// The service worker, which stands at the top so that it may answer for the whole page.
const WORKER: &str = "js/worker.js";

/// The texts that `index.html` names. Those in the visitor's language replace them.
const STRINGS: &str = "strings/en.js";

/// Marks the lines of `index.html` for addresses that soon show a room: the browser loads its part at once.
const OF_ROOM: &str = " data-room>";

/// The content type of scripts.
pub(crate) const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// The content type of styles.
pub(crate) const CSS: &str = "text/css; charset=utf-8";

/// The version of a folder for development. Its files may change at any time.
const DEVELOPMENT: &str = "dev";

static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/web");

/// The client's package.
static CLIENT: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../protocol/js/src");

/// The folder of the client's package in the page.
const CLIENT_FOLDER: &str = "js/client/";

/// Where the client's package is, seen from the page's folder in the sources.
const CLIENT_SOURCES: &str = "../../protocol/js/src";

/// Compressed for the first visitor, once for all servers of a process.
static EMBEDDED: LazyLock<Arc<Assets>> = LazyLock::new(|| {
    let mut files = embedded_files();
    for (path, bytes) in &mut files {
        *bytes = minify(path, bytes);
    }
    bundle(&mut files);
    let version = version_of(&files);
    Arc::new(Assets::new(&files, version, true))
});

/// All files of the page.
#[derive(Debug)]
pub(crate) struct Assets {
    /// The versioned folder of the assets: a hash of all files.
    version: String,
    /// `index.html`, in which [`PLACEHOLDER`] still stands for the folder of the assets.
    index: Option<String>,
    /// The page of hosts, for an address at the top.
    pub(crate) host: Option<File>,
    /// The service worker, for an address at the top. It names its version's folder, so that another version is
    /// another worker.
    pub(crate) worker: Option<File>,
    /// By path below `server/web`.
    files: HashMap<String, File>,
}

/// A file to send.
#[derive(Debug, Clone)]
pub(crate) struct File {
    /// The value of `Content-Type`.
    pub(crate) content_type: &'static str,
    pub(crate) plain: Bytes,
    /// `None` where compression does not make the file smaller. Brotli compresses better, but
    /// browsers accept it only with TLS, and it would add a megabyte to the binary.
    pub(crate) gzip: Option<Bytes>,
}

impl Assets {
    /// The page in this binary.
    pub(crate) fn embedded() -> Arc<Self> {
        Arc::clone(&EMBEDDED)
    }

    /// The page from the files of a folder. The client's package comes from the sources that the folder
    /// stands in, or else from this binary.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(crate) fn in_folder(folder: &Path) -> io::Result<Arc<Self>> {
        let mut files = Vec::new();
        list_folder(folder, "", &mut files)?;
        let client = folder.join(CLIENT_SOURCES);
        if client.is_dir() {
            list_folder(&client, CLIENT_FOLDER, &mut files)?;
        } else {
            list_embedded(&CLIENT, CLIENT_FOLDER, &mut files);
        }
        Ok(Arc::new(Self::new(&files, DEVELOPMENT.to_owned(), false)))
    }

    fn new(files: &[(String, Vec<u8>)], version: String, compress: bool) -> Self {
        let file = |path: &str, bytes: &[u8]| File::new(content_type_of(path), bytes, compress);
        let html = |name: &str| {
            let (_, html) = files.iter().find(|(path, _)| path == name)?;
            Some(String::from_utf8_lossy(html).into_owned())
        };
        let index = html("index.html");
        let at_top =
            |name: &str| Some(file(name, in_version(&html(name)?, &version, 0).as_bytes()));
        let host = at_top(HOST_PAGE);
        let worker = at_top(WORKER);
        let assets = files.iter().filter(|(path, _)| !["index.html", HOST_PAGE].contains(&&**path));
        let files = assets.map(|(path, bytes)| (path.clone(), file(path, bytes))).collect();
        Self { version, index, host, worker, files }
    }

    /// `index.html` for an address that is `depth` folders below the top, with the tags of `preview`,
    /// the texts in its language and the part of the page for its link, which the browser loads at once.
    /// It is small, so that it is compressed for each visitor.
    pub(crate) fn index(
        &self,
        depth: usize,
        preview: &Preview<'_>,
        compress: bool,
    ) -> Option<File> {
        let html = in_version(self.index.as_ref()?, &self.version, depth);
        let html = html.replacen(preview::PLACEHOLDER, &preview.to_string(), 1);
        let texts = format!("strings/{}.js", preview.language.tag());
        let mut html = html.replacen(STRINGS, &texts, 1);
        if !preview.link.leads_to_a_room() {
            let lines = html.split_inclusive('\n').filter(|line| !line.contains(OF_ROOM));
            html = lines.collect();
        }
        Some(File::new(content_type_of("index.html"), html.as_bytes(), compress))
    }

    /// The file at a path of a version's folder.
    pub(crate) fn asset(&self, version: &str, path: &str) -> Option<&File> {
        self.file(path).filter(|_| version == self.version)
    }

    /// The file at a path, of any version.
    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        self.files.get(path)
    }

    /// Whether the files at the addresses of this version never change.
    pub(crate) fn is_immutable(&self) -> bool {
        self.version != DEVELOPMENT
    }
}

impl File {
    fn new(content_type: &'static str, plain: &[u8], compress: bool) -> Self {
        let compressed = compress.then(|| gzip(plain).ok()).flatten();
        let gzip = compressed.filter(|compressed| compressed.len() < plain.len()).map(Bytes::from);
        Self { content_type, plain: Bytes::copy_from_slice(plain), gzip }
    }
}

/// A page whose address is `depth` folders below the top, with the folder of a version in it.
fn in_version(html: &str, version: &str, depth: usize) -> String {
    let up = "../".repeat(depth);
    html.replace(PLACEHOLDER, &format!("{up}assets/{version}/"))
}

/// libdeflate's best level makes a first visit 3 KB smaller than zlib's.
fn gzip(plain: &[u8]) -> Result<Vec<u8>, CompressionError> {
    let mut compressor = Compressor::new(CompressionLvl::best());
    let mut compressed = vec![0; compressor.gzip_compress_bound(plain.len())];
    let length = compressor.gzip_compress(plain, &mut compressed)?;
    compressed.truncate(length);
    Ok(compressed)
}

/// A hash of all paths and bytes, 16 hexadecimal digits.
fn version_of(files: &[(String, Vec<u8>)]) -> String {
    let mut hash = Sha256::new();
    for (path, bytes) in files {
        for part in [path.as_bytes(), bytes] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
    }
    hex::encode(&hash.finalize()[..8])
}

/// The value of `Content-Type` by a path's ending.
fn content_type_of(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "css" => CSS,
        "js" | "mjs" => JAVASCRIPT,
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "txt" | "mts" => "text/plain; charset=utf-8",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

/// The page in this binary, as it was written.
fn embedded_files() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    list_embedded(&FILES, "", &mut files);
    list_embedded(&CLIENT, CLIENT_FOLDER, &mut files);
    files
}

fn list_embedded(dir: &Dir<'_>, above: &str, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in dir.entries() {
        match entry {
            DirEntry::Dir(dir) => list_embedded(dir, above, files),
            DirEntry::File(file) => {
                // A binary built on Windows has paths with backslashes.
                let path = file.path().to_string_lossy().replace('\\', "/");
                files.push((format!("{above}{path}"), file.contents().to_vec()));
            }
        }
    }
}

fn list_folder(folder: &Path, above: &str, files: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            list_folder(&entry.path(), &format!("{above}{name}/"), files)?;
        } else {
            files.push((format!("{above}{name}"), std::fs::read(entry.path())?));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
