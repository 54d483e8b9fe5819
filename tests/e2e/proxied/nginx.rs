//! nginx with a certificate of the test.

use std::net::SocketAddr;
use std::process::Command;

use noughts_harness::skip::has_programs;
use noughts_harness::{Device, Pipe, ServerProcess, Tab};

use super::{Proxy, own_address, passes_all, recipe, replaced, signed_folder, started};

/// The place where packages install it, which is in no user's path.
const NGINX: &str = "/usr/sbin/nginx";

/// nginx at an address, with the README's recipe.
fn nginx(address: SocketAddr, server: &ServerProcess) -> Proxy {
    nginx_without(&[], address, server)
}

/// The same without the lines of the recipe that contain one of these words.
fn nginx_without(missing: &[&str], address: SocketAddr, server: &ServerProcess) -> Proxy {
    let folder = signed_folder(address);
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
async fn a_game_and_the_address_of_each_visitor_pass() {
    passes_all(NGINX, nginx).await;
}

/// A host who left out lines is told which, and everybody else that it is not them. Both a link and a tap have
/// an end.
#[tokio::test]
async fn without_some_lines_everybody_learns_that_no_websocket_passes() {
    if !has_programs("a host who left out lines of nginx", &[NGINX]) {
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
