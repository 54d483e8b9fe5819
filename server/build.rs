//! How the optimised program is linked on Linux, so that it and its memory are small. What is compiled is in `src`.

use std::error::Error;
use std::process::Command;
use std::{env, fs};

/// Parts of the names of the functions that only a node of a cluster runs. A server with TLS runs some of
/// `webpki` too, when it reads its certificate.
const CLUSTER: [&str; 13] = [
    "noughts_server7cluster",
    "noughts_server..cluster",
    "5regex",
    "aho_corasick",
    "async_nats",
    "curve25519",
    "data_encoding",
    "ed25519",
    "nkeys",
    "regex_automata",
    "regex_syntax",
    "signatory",
    "webpki",
];

/// The first release of glibc that reads packed relocations (its NEWS, 2.36).
const GLIBC: (u32, u32) = (2, 36);

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |what| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let is_optimised = env::var("OPT_LEVEL").is_ok_and(|level| level != "0");
    if !is_optimised || target("OS") != "linux" || has_own_linker() {
        return Ok(());
    }
    if env::var_os("CARGO_FEATURE_CLUSTER").is_some() {
        let script = format!("{}/cluster.ld", env::var("OUT_DIR")?);
        fs::write(&script, cluster_apart())?;
        link_with(&format!("-T,{script}"));
    }
    if reads_packed_relocations(&target("ENV")) {
        // The list of the 23,000 addresses that are adjusted when the program starts has 7 KiB then
        // instead of 550, in the file and in memory.
        link_with("-z,pack-relative-relocs");
    }
    Ok(())
}

/// Whether whoever builds has chosen a linker: some, such as mold, read no scripts.
fn has_own_linker() -> bool {
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    env::var_os("RUSTC_LINKER").is_some() || flags.contains("fuse-ld") || flags.contains("linker")
}

fn link_with(option: &str) {
    println!("cargo::rustc-link-arg-bins=-Wl,{option}");
}

/// A script that puts the code of clusters behind all other code. The kernel maps 64 KiB around each place
/// that is used: so a single server has 0.35 MiB less of the program in its memory.
fn cluster_apart() -> String {
    let names = CLUSTER.map(|name| format!(".text.*{name}*"));
    let names = names.join(" ");
    format!("SECTIONS {{ .text.cluster : {{ *({names}) }} }}\nINSERT AFTER .text;\n")
}

/// Whether the C library that starts the program can read them: musl's is part of the program, glibc's is
/// this machine's.
fn reads_packed_relocations(library: &str) -> bool {
    match library {
        "musl" => true,
        "gnu" => {
            env::var("HOST") == env::var("TARGET")
                && glibc().is_some_and(|version| version >= GLIBC)
        }
        _ => false,
    }
}

/// This machine's: `getconf` says `glibc 2.36`.
fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let said = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = said.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
