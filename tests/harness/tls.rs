//! Certificates and encrypted connections: a certificate authority for a test, the certificates that it
//! signs for names and addresses, and a client that trusts it alone.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tempfile::TempDir;
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// An authority and the files of what it signed.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    folder: TempDir,
}

impl std::fmt::Debug for Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authority").finish_non_exhaustive()
    }
}

impl Authority {
    /// A new authority that no client trusts yet.
    ///
    /// # Panics
    /// If its file cannot be written.
    #[must_use]
    pub fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("ca.pem"), issuer.pem()).unwrap();
        Self { issuer, folder }
    }

    /// The file of its own certificate, for clients that trust it.
    #[must_use]
    pub fn ca(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// The file of the last certificate that it signed.
    #[must_use]
    pub fn cert(&self) -> PathBuf {
        self.folder.path().join("cert.pem")
    }

    /// The file of the key of that certificate.
    #[must_use]
    pub fn key(&self) -> PathBuf {
        self.folder.path().join("key.pem")
    }

    /// Signs a certificate for names and addresses, in place of the last one.
    ///
    /// # Panics
    /// If one of them is none.
    pub fn sign(&self, names: &[&str]) {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let key = KeyPair::generate().unwrap();
        let cert = CertificateParams::new(names).unwrap().signed_by(&key, &self.issuer).unwrap();
        std::fs::write(self.cert(), cert.pem()).unwrap();
        std::fs::write(self.key(), key.serialize_pem()).unwrap();
    }

    /// Saves all files again as an editor may: with a byte order mark, and a CR before each LF.
    ///
    /// # Panics
    /// If they cannot be written.
    pub fn save_with_mark(&self) {
        for file in [self.ca(), self.cert(), self.key()] {
            let text = std::fs::read_to_string(&file).unwrap().replace('\n', "\r\n");
            std::fs::write(file, format!("\u{feff}{text}")).unwrap();
        }
    }

    /// An authority with a certificate for this machine, and the server's options to use it.
    ///
    /// # Panics
    /// If the files cannot be written.
    #[must_use]
    pub fn here() -> (Self, [String; 4]) {
        let authority = Self::new();
        authority.sign(&["localhost", "127.0.0.1"]);
        let options = authority.options();
        (authority, options)
    }

    /// The server's options to use the certificate.
    #[must_use]
    pub fn options(&self) -> [String; 4] {
        let path = |path: PathBuf| path.to_str().unwrap().to_owned();
        ["--tls-cert".into(), path(self.cert()), "--tls-key".into(), path(self.key())]
    }
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

/// Connects from an address of the loopback network and makes the handshake, trusting the
/// authority of a file alone.
///
/// # Errors
/// If the certificate is not for `name`, or the connection breaks.
///
/// # Panics
/// If nobody listens, or the file holds no certificate.
pub async fn connect(
    from: &str,
    to: SocketAddr,
    name: &str,
    ca: &Path,
) -> io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(ca).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::new(from.parse().unwrap(), 0)).unwrap();
    let stream = socket.connect(to).await.unwrap();
    let name = ServerName::try_from(name.to_owned()).unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

/// The certificate that a server has shown.
///
/// # Panics
/// If it has shown none.
#[must_use]
pub fn shown(stream: &TlsStream<TcpStream>) -> Vec<u8> {
    stream.get_ref().1.peer_certificates().unwrap()[0].to_vec()
}
