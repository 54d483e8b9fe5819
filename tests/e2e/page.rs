//! The page, in real headless Chromium against a real server: one module for each theme. Every
//! test fails on errors of the console and on violations of the Content-Security-Policy.

use noughts_harness::{Device, Tab, TestServer};

/// Every file, as it is sent: kinds, caching, compression, policy (no browser).
mod assets;

/// What the page's modules make of the golden files.
mod golden;

/// The address of a page on a server.
fn address(server: &TestServer, path: &str) -> String {
    format!("http://{}{path}", server.address())
}

/// A new visitor with a page of the server open.
async fn open(server: &TestServer, device: Device, path: &str) -> Tab {
    Tab::open(device, &address(server, path)).await
}
