//! Apache with a certificate of the test.

use std::net::SocketAddr;
use std::process::Command;

use noughts_harness::ServerProcess;

use super::{Proxy, passes_all, recipe, replaced, signed_folder, started};

/// The place where Debian installs it, and its modules.
const APACHE: &str = "/usr/sbin/apache2";
const MODULES: &str = "/usr/lib/apache2/modules";

/// The modules that Debian's own configuration loads, and those that the README enables.
const LOADED: [&str; 6] = ["mpm_event", "authz_core", "proxy", "proxy_http", "ssl", "headers"];

/// Apache at an address, with the README's recipe.
fn apache(address: SocketAddr, server: &ServerProcess) -> Proxy {
    let folder = signed_folder(address);
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
async fn a_game_and_the_address_of_each_visitor_pass() {
    passes_all(APACHE, apache).await;
}
