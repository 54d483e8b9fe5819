//! Apache with a certificate of the test.

use std::net::SocketAddr;
use std::process::Command;

use noughts_harness::ServerProcess;
use noughts_harness::tls::Authority;

use super::{
    Proxy, STRICT, is_here, own_address, plays_a_game, recipe, replaced, sees_the_real_address,
    server, started,
};

/// The place where Debian installs it, and its modules.
const APACHE: &str = "/usr/sbin/apache2";
const MODULES: &str = "/usr/lib/apache2/modules";

/// What Debian's own configuration loads, and what the README has a host enable.
const LOADED: [&str; 6] = ["mpm_event", "authz_core", "proxy", "proxy_http", "ssl", "headers"];

/// Apache at an address, with the README's recipe.
fn apache(address: SocketAddr, server: &ServerProcess) -> Proxy {
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::new();
    authority.sign(&[&address.ip().to_string()]);
    for (from, to) in [(authority.ca(), "ca"), (authority.cert(), "cert"), (authority.key(), "key")]
    {
        std::fs::copy(from, folder.path().join(to)).unwrap();
    }
    let site = replaced(recipe("<VirtualHost"), "*:443", &address.to_string());
    let site = replaced(&site, "/etc/ssl/play.example.pem", "cert");
    let site = replaced(&site, "/etc/ssl/play.example.key", "key");
    let site = replaced(&site, "127.0.0.1:7333", &server.address().to_string());
    let modules: String =
        LOADED.map(|name| format!("LoadModule {name}_module {MODULES}/mod_{name}.so\n")).concat();
    // Started by root, it serves as somebody else.
    let config = format!(
        "ServerName play.example\nListen {address}\n{modules}User nobody\nGroup nogroup\n\
         PidFile pid\nDefaultRuntimeDir .\nMutex fcntl:.\nErrorLog /dev/stderr\n{site}"
    );
    std::fs::write(folder.path().join("apache.conf"), config).unwrap();
    let mut command = Command::new(APACHE);
    // One process in the foreground, that ends with the test.
    command.arg("-X").arg("-d").arg(folder.path()).args(["-f", "apache.conf"]);
    started(command, address, folder, "ca")
}

#[tokio::test]
async fn a_browser_and_a_terminal_play_a_game_to_its_end() {
    if !is_here(APACHE) {
        return;
    }
    let address = own_address();
    let server = server(address, &[]);
    plays_a_game(&apache(address, &server)).await;
}

#[tokio::test]
async fn each_visitor_has_limits_of_their_own() {
    if !is_here(APACHE) {
        return;
    }
    let address = own_address();
    let server = server(address, &STRICT);
    let proxy = apache(address, &server);
    sees_the_real_address(&proxy, &server).await;
}
