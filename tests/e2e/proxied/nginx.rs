//! nginx with a certificate of the test.

use std::net::SocketAddr;
use std::process::Command;

use noughts_harness::ServerProcess;
use noughts_harness::tls::Authority;

use super::{
    Proxy, STRICT, is_here, own_address, plays_a_game, recipe, replaced, sees_the_real_address,
    server, started,
};

/// The place where packages install it, which is in no user's path.
const NGINX: &str = "/usr/sbin/nginx";

/// nginx at an address, with the README's recipe.
fn nginx(address: SocketAddr, server: &ServerProcess) -> Proxy {
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::new();
    authority.sign(&[&address.ip().to_string()]);
    for (from, to) in [(authority.ca(), "ca"), (authority.cert(), "cert"), (authority.key(), "key")]
    {
        std::fs::copy(from, folder.path().join(to)).unwrap();
    }
    let site = replaced(recipe("server {"), "443 ssl", &format!("{address} ssl"));
    let site = replaced(&site, "/etc/ssl/play.example.pem", "cert");
    let site = replaced(&site, "/etc/ssl/play.example.key", "key");
    let site = replaced(&site, "127.0.0.1:7333", &server.address().to_string());
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {name};\n"))
        .concat();
    let config = format!(
        "daemon off;\nmaster_process off;\npid pid;\nerror_log stderr;\nevents {{}}\n\
         http {{\naccess_log off;\n{temporary}{site}}}\n"
    );
    std::fs::write(folder.path().join("nginx.conf"), config).unwrap();
    let mut command = Command::new(NGINX);
    command.arg("-p").arg(folder.path()).args(["-e", "stderr", "-c", "nginx.conf"]);
    started(command, address, folder, "ca")
}

#[tokio::test]
async fn a_browser_and_a_terminal_play_a_game_to_its_end() {
    if !is_here(NGINX) {
        return;
    }
    let address = own_address();
    let server = server(address, &[]);
    plays_a_game(&nginx(address, &server)).await;
}

#[tokio::test]
async fn each_visitor_has_limits_of_their_own() {
    if !is_here(NGINX) {
        return;
    }
    let address = own_address();
    let server = server(address, &STRICT);
    let proxy = nginx(address, &server);
    sees_the_real_address(&proxy, &server).await;
}
