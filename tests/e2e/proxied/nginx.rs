//! nginx with a certificate of the test.

use std::net::SocketAddr;
use std::process::Command;

use noughts_harness::tls::Authority;
use noughts_harness::{Device, Pipe, ServerProcess, Tab};

use super::{
    Proxy, STRICT, is_here, own_address, plays_a_game, recipe, replaced, sees_the_real_address,
    server, started,
};

/// The place where packages install it, which is in no user's path.
const NGINX: &str = "/usr/sbin/nginx";

/// nginx at an address, with the README's recipe.
fn nginx(address: SocketAddr, server: &ServerProcess) -> Proxy {
    nginx_without(&[], address, server)
}

/// The same without the lines of the recipe that contain one of these words.
fn nginx_without(missing: &[&str], address: SocketAddr, server: &ServerProcess) -> Proxy {
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::new();
    authority.sign(&[&address.ip().to_string()]);
    for (from, to) in [(authority.ca(), "ca"), (authority.cert(), "cert"), (authority.key(), "key")]
    {
        std::fs::copy(from, folder.path().join(to)).unwrap();
    }
    let kept = |line: &&str| !missing.iter().any(|word| line.contains(word));
    let site: String =
        recipe("server {").lines().filter(kept).flat_map(|line| [line, "\n"]).collect();
    let site = replaced(&site, "443 ssl", &format!("{address} ssl"));
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

/// A host who left out lines is told which, and everybody else that it is not them. Both a link and a tap have
/// an end.
#[tokio::test]
async fn without_some_lines_everybody_learns_that_no_websocket_passes() {
    if !is_here(NGINX) {
        return;
    }
    let upgrade = ["Upgrade", "Connection", "http_version"];
    for (missing, line) in [
        (&upgrade[..], "proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection"),
        (&["Host"][..], "proxy_set_header Host $http_host;"),
    ] {
        let address = own_address();
        let server = ServerProcess::start(&["--base-path", "/noughts"]);
        let proxy = nginx_without(missing, address, &server);
        let link = format!("https://{address}/noughts/r/KQRZX");
        let mut tab = Tab::new(Device::LAPTOP).await;
        tab.trust_any_certificate().await;
        tab.goto(&link).await;
        tab.until_text("Something on the way blocks the live connection").await;
        // The browser tells of each attempt that failed.
        tab.tolerate("/noughts/ws");
        tab.done().await;
        if missing == upgrade {
            let folder = tempfile::tempdir().unwrap();
            let mut terminal = Pipe::run(&["play", &link, "--ca", &proxy.ca], folder.path());
            terminal.wait_for("a proxy in between passes no WebSocket");
            assert_ne!(terminal.wait_exit(), 0);
        }
        let log = server.log();
        assert_eq!(log.matches(line).count(), 1, "{line} in\n{log}");
    }
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
