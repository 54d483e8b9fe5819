//! `WebDriver` commands over two transports. `WebKit`'s driver speaks HTTP
//! (<https://www.w3.org/TR/webdriver2/>). Firefox itself speaks Marionette: the same commands by other
//! names, each a length, a colon and JSON over TCP. The client crates speak HTTP alone and need
//! geckodriver for Firefox, which Debian does not have.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// The limit for an answer: longer than the page's own waits, which are at most 30 s.
const ANSWER_TIME: Duration = Duration::from_secs(60);

/// The longest answer, in bytes.
const LONGEST: usize = 16 << 20;

/// The commands that the harness needs.
#[derive(Debug, Clone, Copy)]
pub(super) enum DriverCommand {
    Navigate,
    Execute,
    ExecuteAsync,
    SetWindowRect,
    /// Clicks the element with the `id` of its parameters.
    Click,
}

/// A connection to a browser.
#[derive(Debug)]
pub(super) enum Transport {
    /// The address of a driver, and the session's path once there is one.
    Http { address: SocketAddr, client: reqwest::Client, session: String },
    /// A connection to Firefox, and the number of its last command.
    Marionette { stream: BufReader<TcpStream>, last: u64 },
}

impl Transport {
    /// A driver that listens to HTTP.
    pub(super) fn http(address: SocketAddr) -> Self {
        // The environment's proxy must not be used for loopback addresses.
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        Self::Http { address, client, session: String::new() }
    }

    /// A Firefox that listens to Marionette.
    pub(super) async fn marionette(address: SocketAddr) -> Self {
        let mut stream = BufReader::new(TcpStream::connect(address).await.unwrap());
        let hello = read_packet(&mut stream).await.unwrap();
        assert_eq!(hello["marionetteProtocol"], 3, "{hello}");
        Self::Marionette { stream, last: 0 }
    }

    /// Opens the browser's window.
    pub(super) async fn new_session(&mut self) {
        match self {
            Self::Marionette { stream, last } => {
                let asked = json!({"capabilities": {"alwaysMatch": {}}});
                marionette(stream, last, "WebDriver:NewSession", asked).await.unwrap();
            }
            Self::Http { address, client, session } => {
                let asked =
                    json!({"capabilities": {"alwaysMatch": {"browserName": "MiniBrowser"}}});
                let answer = post(client, &format!("http://{address}/session"), &asked).await;
                let id = answer.unwrap()["sessionId"].take();
                *session = format!("http://{address}/session/{}", id.as_str().unwrap());
            }
        }
    }

    /// Closes the browser.
    pub(super) async fn end_session(&mut self) {
        match self {
            Self::Marionette { stream, last } => {
                let flags = json!({"flags": ["eForceQuit"]});
                drop(marionette(stream, last, "Marionette:Quit", flags).await);
            }
            Self::Http { client, session, .. } => {
                drop(client.delete(&*session).timeout(ANSWER_TIME).send().await);
            }
        }
    }

    /// Sends a command; returns its result or its error.
    pub(super) async fn send(
        &mut self,
        command: DriverCommand,
        params: Value,
    ) -> Result<Value, String> {
        let click = format!("/element/{}/click", params["id"].as_str().unwrap_or_default());
        let (path, name) = match command {
            DriverCommand::Navigate => ("/url", "WebDriver:Navigate"),
            DriverCommand::Execute => ("/execute/sync", "WebDriver:ExecuteScript"),
            DriverCommand::ExecuteAsync => ("/execute/async", "WebDriver:ExecuteAsyncScript"),
            DriverCommand::SetWindowRect => ("/window/rect", "WebDriver:SetWindowRect"),
            DriverCommand::Click => (&*click, "WebDriver:ElementClick"),
        };
        match self {
            Self::Http { client, session, .. } => {
                post(client, &format!("{session}{path}"), &params).await
            }
            Self::Marionette { stream, last } => marionette(stream, last, name, params).await,
        }
    }

    /// Sends a command that cannot fail; returns its result.
    ///
    /// # Panics
    /// If it fails.
    pub(super) async fn must(&mut self, command: DriverCommand, params: Value) -> Value {
        let answer = self.send(command, params.clone()).await;
        answer.unwrap_or_else(|error| panic!("{command:?} {params}: {error}"))
    }
}

async fn post(client: &reqwest::Client, url: &str, body: &Value) -> Result<Value, String> {
    let request = client.post(url).header("content-type", "application/json");
    let sent = request.body(body.to_string()).timeout(ANSWER_TIME).send().await;
    let text = sent.map_err(|error| error.to_string())?.text().await;
    let text = text.map_err(|error| error.to_string())?;
    let mut answer: Value = serde_json::from_str(&text).map_err(|_| text)?;
    let value = answer["value"].take();
    if value["error"].is_string() { Err(value.to_string()) } else { Ok(value) }
}

async fn marionette(
    stream: &mut BufReader<TcpStream>,
    last: &mut u64,
    name: &str,
    params: Value,
) -> Result<Value, String> {
    *last += 1;
    let text = json!([0, *last, name, params]).to_string();
    let packet = format!("{}:{text}", text.len());
    stream.write_all(packet.as_bytes()).await.map_err(|error| error.to_string())?;
    loop {
        let answer = timeout(ANSWER_TIME, read_packet(stream)).await;
        let mut answer = answer.map_err(|error| error.to_string())??;
        // An answer to an earlier command, whose caller gave up, may come first.
        if answer[1] != *last {
            continue;
        }
        if answer[2].is_object() {
            return Err(answer[2].to_string());
        }
        let mut result = answer[3].take();
        return Ok(if result.get("value").is_some() { result["value"].take() } else { result });
    }
}

async fn read_packet(stream: &mut BufReader<TcpStream>) -> Result<Value, String> {
    let mut length = Vec::new();
    stream.read_until(b':', &mut length).await.map_err(|error| error.to_string())?;
    let length = std::str::from_utf8(&length).ok().and_then(|text| text.strip_suffix(':'));
    let length: usize = length.and_then(|text| text.parse().ok()).ok_or("no length")?;
    assert!(length <= LONGEST, "an answer of {length} bytes");
    let mut text = vec![0; length];
    stream.read_exact(&mut text).await.map_err(|error| error.to_string())?;
    serde_json::from_slice(&text).map_err(|error| error.to_string())
}
