//! Caddy with its own certificate authority in place of a public one.

use std::net::SocketAddr;
use std::process::Command;

use noughts_harness::skip::has_programs;
use noughts_harness::{Device, ServerProcess, Tab};

use super::{Proxy, certified, own_address, passes_all, recipe, replaced, started};

/// Caddy before one server, with a recipe for `play.example`.
fn before_one(address: SocketAddr, server: &ServerProcess, recipe: &str) -> Proxy {
    let site = replaced(recipe, "127.0.0.1:7333", &server.address().to_string());
    caddy(address, "play.example", &site)
}

/// Caddy at an address that stands for a site's.
pub(crate) fn caddy(address: SocketAddr, name: &str, site: &str) -> Proxy {
    let folder = tempfile::tempdir().unwrap();
    let storage = folder.path().join("storage");
    let head = format!("https://{address} {{\n\tbind {}\n\ttls internal", address.ip());
    let site = replaced(site, &format!("{name} {{"), &head);
    let global = format!(
        "{{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\
         \tstorage file_system {}\n}}\n",
        storage.display()
    );
    let file = folder.path().join("Caddyfile");
    std::fs::write(&file, global + &site).unwrap();
    let mut command = Command::new("caddy");
    command.args(["run", "--adapter", "caddyfile", "--config"]).arg(file);
    command.env("HOME", folder.path()).env("XDG_CONFIG_HOME", folder.path());
    started(command, address, folder, "storage/pki/authorities/local/root.crt")
}

#[tokio::test]
async fn a_game_and_the_address_of_each_visitor_pass() {
    passes_all("caddy", |address, server| before_one(address, server, recipe("play.example {")))
        .await;
}

#[tokio::test]
async fn a_proxy_may_take_the_path_off() {
    if !has_programs("a proxy that takes the path off", &["caddy"]) {
        return;
    }
    let address = own_address();
    let public = format!("https://{address}/noughts");
    let server = ServerProcess::start(&["--public-url", &public, "--trusted-proxy", "127.0.0.1"]);
    let site = "play.example {\n\tredir /noughts /noughts/\n\thandle_path /noughts/* {\n\
                \t\treverse_proxy 127.0.0.1:7333\n\t}\n}\n";
    let proxy = before_one(address, &server, site);
    certified(&proxy).await;
    let tab = Tab::new(Device::PHONE).await;
    tab.trust_any_certificate().await;
    tab.goto(&format!("{public}/play/friend")).await;
    tab.button("Start").await;
    tab.until_screen("room").await;
    let link = tab.find("textbox", "Link").await.value;
    assert_eq!(link, tab.address().await);
    assert!(link.starts_with(&format!("{public}/r/")), "{link}");
    tab.reload().await;
    tab.until_screen("room").await;
    // A page of the LAN gives friends the address that is public, too.
    let near = Tab::open(Device::LAPTOP, &format!("http://{}/play/friend", server.address())).await;
    near.button("Start").await;
    near.until_screen("room").await;
    let near_link = near.find("textbox", "Link").await.value;
    assert!(near_link.starts_with(&format!("{public}/r/")), "{near_link}");
    near.done().await;
    tab.done().await;
}
