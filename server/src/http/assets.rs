//! The files of the page, `server/web/`: embedded in the binary, joined and compressed once, or read
//! from a folder for development. Which address leads to which file is [`crate::http::page`]'s.

mod join;
mod minify;

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use include_dir::{Dir, DirEntry, include_dir};
use sha2::{Digest, Sha256};

use crate::http::preview;
use crate::http::preview::Preview;
use join::join;
use minify::squeeze;

/// How `index.html` refers to the folder of the assets; replaced by the versioned one.
const PLACEHOLDER: &str = "assets/0/";

/// The kind of scripts.
pub(crate) const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The kind of styles.
pub(crate) const STYLE: &str = "text/css; charset=utf-8";

/// The version of a folder for development, whose files may change at any time.
const DEVELOPMENT: &str = "dev";

static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/web");

/// Compressed when the first visitor comes, once for all servers of a process.
static EMBEDDED: LazyLock<Arc<Site>> = LazyLock::new(|| {
    let mut files = Vec::new();
    list_embedded(&FILES, &mut files);
    for (path, bytes) in &mut files {
        *bytes = squeeze(path, bytes);
    }
    join(&mut files);
    let version = version_of(&files);
    Arc::new(Site::new(&files, version, true))
});

/// All files of the page.
#[derive(Debug)]
pub(crate) struct Site {
    /// Names the folder of the assets; another one whenever any file is another.
    version: String,
    /// `index.html` for addresses at the top and for those one folder down.
    index: Option<[String; 2]>,
    /// By path below `server/web`.
    files: HashMap<String, File>,
}

/// A file, ready to be sent.
#[derive(Debug, Clone)]
pub(crate) struct File {
    /// The value of `Content-Type`.
    pub(crate) kind: &'static str,
    pub(crate) plain: Bytes,
    /// Compressed, where that makes it smaller. (Browsers take brotli, which packs better, only
    /// with TLS; it would make the program larger by a megabyte.)
    pub(crate) gzip: Option<Bytes>,
}

impl Site {
    /// The page in this binary.
    pub(crate) fn embedded() -> Arc<Self> {
        Arc::clone(&EMBEDDED)
    }

    /// The page as it now is in a folder.
    ///
    /// # Errors
    /// Where a file cannot be read.
    pub(crate) fn in_folder(folder: &Path) -> io::Result<Arc<Self>> {
        let mut files = Vec::new();
        list_folder(folder, "", &mut files)?;
        Ok(Arc::new(Self::new(&files, DEVELOPMENT.to_owned(), false)))
    }

    fn new(files: &[(String, Vec<u8>)], version: String, compress: bool) -> Self {
        let file = |path: &str, bytes: &[u8]| File::new(kind_of(path), bytes, compress);
        let html = files.iter().find(|(path, _)| path == "index.html");
        let html = html.map(|(_, html)| String::from_utf8_lossy(html));
        let index = html.map(|html| {
            ["", "../"].map(|up| html.replace(PLACEHOLDER, &format!("{up}assets/{version}/")))
        });
        let assets = files.iter().filter(|(path, _)| path != "index.html");
        let files = assets.map(|(path, bytes)| (path.clone(), file(path, bytes))).collect();
        Self { version, index, files }
    }

    /// The page itself, for an address that is `depth` folders below the top, with the tags of
    /// `preview` in its head. It is small, and compressed anew for each visitor.
    pub(crate) fn index(
        &self,
        depth: usize,
        preview: &Preview<'_>,
        compress: bool,
    ) -> Option<File> {
        let html = self.index.as_ref()?.get(depth)?;
        let html = html.replacen(preview::PLACEHOLDER, &preview.to_string(), 1);
        Some(File::new(kind_of("index.html"), html.as_bytes(), compress))
    }

    /// The file at a path of the folder of a version.
    pub(crate) fn asset(&self, version: &str, path: &str) -> Option<&File> {
        self.file(path).filter(|_| version == self.version)
    }

    /// The file at a path, whatever the version.
    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        self.files.get(path)
    }

    /// Whether what its addresses name never changes.
    pub(crate) fn is_immutable(&self) -> bool {
        self.version != DEVELOPMENT
    }
}

impl File {
    fn new(kind: &'static str, plain: &[u8], compress: bool) -> Self {
        let packed = compress.then(|| gzip(plain).ok()).flatten();
        let gzip = packed.filter(|packed| packed.len() < plain.len()).map(Bytes::from);
        Self { kind, plain: Bytes::copy_from_slice(plain), gzip }
    }
}

fn gzip(plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain)?;
    encoder.finish()
}

/// Sixteen hexadecimal digits that depend on every path and every byte.
fn version_of(files: &[(String, Vec<u8>)]) -> String {
    let mut hash = Sha256::new();
    for (path, bytes) in files {
        for part in [path.as_bytes(), bytes] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The value of `Content-Type` by a path's ending.
fn kind_of(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "css" => STYLE,
        "js" | "mjs" => SCRIPT,
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        _ => "application/octet-stream",
    }
}

fn list_embedded(dir: &Dir<'_>, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in dir.entries() {
        match entry {
            DirEntry::Dir(dir) => list_embedded(dir, files),
            DirEntry::File(file) => {
                // Paths have backslashes where the binary was built on Windows.
                let path = file.path().to_string_lossy().replace('\\', "/");
                files.push((path, file.contents().to_vec()));
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
