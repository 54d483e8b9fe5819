//! A WebSocket to another node of the cluster.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::{Context, anyhow};
use axum::http::{HeaderName, HeaderValue};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use url::Url;

/// How long a node has to answer, from the first packet to the upgrade.
const DIAL_TIME: Duration = Duration::from_secs(2);

/// The connection below the WebSocket, encrypted or not.
pub(crate) trait NodeStream: AsyncRead + AsyncWrite + Unpin + Send + Sync + 'static {}
impl<Io: AsyncRead + AsyncWrite + Unpin + Send + Sync + 'static> NodeStream for Io {}

/// A WebSocket to another node.
pub(crate) type NodeSocket = WebSocketStream<Box<dyn NodeStream>>;

/// Dials other nodes.
#[derive(Debug)]
pub(crate) struct Dialer {
    /// Certificates of authorities beside those of the system.
    authorities: Option<PathBuf>,
    /// Made for the first node with an https address.
    tls: OnceLock<Arc<ClientConfig>>,
    config: WebSocketConfig,
}

impl Dialer {
    /// A dialer that trusts the system's authorities and those of a file.
    pub(crate) const fn new(authorities: Option<PathBuf>, config: WebSocketConfig) -> Self {
        Self { authorities, tls: OnceLock::new(), config }
    }

    /// Opens the WebSocket of a node whose base URL this is, with one more header.
    ///
    /// # Errors
    /// If the node cannot be reached, does not answer in time, or lets nobody in.
    pub(crate) async fn dial(
        &self,
        address: &str,
        header: (HeaderName, HeaderValue),
    ) -> anyhow::Result<NodeSocket> {
        timeout(DIAL_TIME, self.open(address, header)).await.context("no answer in time")?
    }

    async fn open(
        &self,
        address: &str,
        (name, value): (HeaderName, HeaderValue),
    ) -> anyhow::Result<NodeSocket> {
        let mut url = Url::parse(address)?.join("ws")?;
        let is_secure = url.scheme() == "https";
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let port = url.port_or_known_default().unwrap_or_default();
        let tcp = TcpStream::connect((host.as_str(), port)).await?;
        tcp.set_nodelay(true)?;
        let stream: Box<dyn NodeStream> = match is_secure {
            true => {
                let name = ServerName::try_from(host)?;
                Box::new(TlsConnector::from(self.tls()?).connect(name, tcp).await?)
            }
            false => Box::new(tcp),
        };
        url.set_scheme(if is_secure { "wss" } else { "ws" })
            .map_err(|()| anyhow!("{address} is no address of a node"))?;
        let mut request = url.as_str().into_client_request()?;
        request.headers_mut().insert(name, value);
        let opened =
            tokio_tungstenite::client_async_with_config(request, stream, Some(self.config)).await;
        Ok(opened.map_err(refused)?.0)
    }

    fn tls(&self) -> anyhow::Result<Arc<ClientConfig>> {
        if let Some(tls) = self.tls.get() {
            return Ok(Arc::clone(tls));
        }
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if let Some(file) = &self.authorities {
            for certificate in CertificateDer::pem_file_iter(file)? {
                roots.add(certificate?)?;
            }
        }
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Arc::clone(self.tls.get_or_init(|| Arc::new(tls))))
    }
}

/// The error with the words of the answer, which say what the host can do.
fn refused(error: Error) -> anyhow::Error {
    let Error::Http(answer) = &error else { return error.into() };
    let words = String::from_utf8_lossy(answer.body().as_deref().unwrap_or_default());
    anyhow!("{error}: {}", words.trim())
}

#[cfg(test)]
mod tests {
    use axum::http::header::ACCEPT;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn the_words_of_a_refusal_are_in_the_error() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        let answering = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            assert!(stream.read(&mut [0; 1024]).await.unwrap() > 0);
            let answer = b"HTTP/1.1 403 Forbidden\r\ncontent-length: 9\r\n\r\nno ticket";
            stream.write_all(answer).await.unwrap();
            stream
        };
        let dialer = Dialer::new(None, WebSocketConfig::default());
        let header = (ACCEPT, HeaderValue::from_static("x"));
        let (dialed, _stream) = tokio::join!(dialer.dial(&address, header), answering);
        let error = format!("{:#}", dialed.err().unwrap());
        assert!(error.ends_with("403 Forbidden: no ticket"), "{error}");
    }
}
