//! Hosts who come over HTTP: who gets in, and who it was.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use noughts_harness::{ServerProcess, exchange};
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpStream;

/// The token of the host Ada.
pub(crate) const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// A server that admits hosts with a token.
pub(crate) struct Hosted {
    pub(crate) server: ServerProcess,
    /// The address for hosts.
    pub(crate) address: String,
    /// The folder of the tokens.
    _folder: TempDir,
}

impl Hosted {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokens");
        fs::write(&file, format!("ada {TOKEN}\n")).unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        let tokens = file.to_str().unwrap();
        let log = "warn,noughts_server=info";
        let options = ["--admin", "127.0.0.1:0", "--admin-tokens", tokens, "--log", log];
        let server = ServerProcess::start(&options);
        let address = server.logged_address("hosts are");
        Self { server, address, _folder: folder }
    }

    /// The status, the head and the body of the answer to a request with this line.
    async fn send(&self, authorization: &str, body: &str) -> (u16, String, String) {
        let length = body.len();
        let request = format!(
            "POST /api/admin HTTP/1.1\r\nhost: server\r\nconnection: close\r\n\
             content-length: {length}\r\nauthorization: {authorization}\r\n\r\n{body}"
        );
        let stream = TcpStream::connect(&self.address).await.unwrap();
        let answer = exchange(stream, &request).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head.to_lowercase(), body.to_owned())
    }

    async fn status(&self, authorization: &str, body: &str) -> u16 {
        self.send(authorization, body).await.0
    }

    /// The answer to a question of Ada.
    async fn ask(&self, question: &str) -> Value {
        let (status, head, body) = self.send(&format!("Bearer {TOKEN}"), question).await;
        assert_eq!(status, 200, "{body}");
        assert!(head.contains("cache-control: no-store"), "{head}");
        serde_json::from_str(&body).unwrap()
    }
}

#[tokio::test]
async fn only_a_token_gets_in_and_its_name_is_in_the_log() {
    let hosted = Hosted::start();
    let status = r#"{"type": "status"}"#;
    for wrong in ["", "Bearer", TOKEN, &format!("Basic {TOKEN}")] {
        assert_eq!(hosted.status(wrong, status).await, 401, "{wrong}");
    }
    assert_eq!(hosted.ask(status).await["closed"], false);
    assert_eq!(hosted.ask(r#"{"type": "close"}"#).await["type"], "done");
    assert_eq!(hosted.ask(r#"{"type": "x"}"#).await["type"], "refused");
    assert_eq!(hosted.ask(r#"{"type": "log"}"#).await["acts"][0]["by"], "token ada");
    assert!(hosted.server.log().contains("by=token ada"), "{}", hosted.server.log());
    let right = format!("Bearer {TOKEN}");
    assert_eq!(hosted.status(&right, &" ".repeat(17 << 10)).await, 400, "a question is short");
    for _ in 0..32 {
        assert_eq!(hosted.status("Bearer x", status).await, 401);
    }
    assert_eq!(hosted.status(&right, status).await, 429, "not even the right one");
}
