//! The server's certificate and its private key. They are read from PEM files at the start and again
//! on SIGHUP: new connections get the renewed certificate, open connections stay as they are. The
//! handshake is in `net/tls_accept`.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use noughts_protocol::text::without_mark;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

use super::{ConfigError, Current};

const CERT: &str = "tls-cert";
const KEY: &str = "tls-key";

/// The certificate in use.
#[derive(Debug)]
pub(crate) struct Tls {
    current: Current<CertifiedKey>,
    server: Arc<ServerConfig>,
}

impl ResolvesServerCert for Current<CertifiedKey> {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.get())
    }
}

impl Tls {
    /// Reads both files; `None` if neither is given.
    ///
    /// # Errors
    /// If only one is given, if one is unreadable, or if they do not belong together.
    pub(crate) fn load(
        cert: Option<&Path>,
        key: Option<&Path>,
    ) -> Result<Option<Arc<Self>>, ConfigError> {
        match (cert, key) {
            (None, None) => Ok(None),
            (Some(_), None) => {
                Err(ConfigError::new(KEY, "--tls-cert needs the certificate's private key here"))
            }
            (None, Some(_)) => {
                Err(ConfigError::new(CERT, "--tls-key needs the key's certificate here"))
            }
            (Some(cert), Some(key)) => Ok(Some(Arc::new(Self::read(cert, key)?))),
        }
    }

    fn read(cert: &Path, key: &Path) -> Result<Self, ConfigError> {
        let current = Current::from(pair(cert, key)?);
        let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| ConfigError::new(CERT, error.to_string()))?;
        let resolver = Arc::new(current.clone());
        let mut server = builder.with_no_client_auth().with_cert_resolver(resolver);
        // The server speaks HTTP/1.1 only, because WebSockets are upgraded from it.
        server.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { current, server: Arc::new(server) })
    }

    /// The configuration for handshakes.
    pub(crate) fn server(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.server)
    }

    /// Takes the certificate of a configuration that was read again, for connections from now on.
    pub(super) fn take(&self, read_again: &Self) {
        self.current.take(&read_again.current);
    }
}

/// Reads a certificate's chain and its private key.
fn pair(cert: &Path, key: &Path) -> Result<CertifiedKey, ConfigError> {
    let text = read(cert).map_err(|error| file_error(CERT, cert, &error))?;
    let chain = CertificateDer::pem_slice_iter(without_mark(&text).as_bytes());
    let chain: Vec<_> =
        chain.collect::<Result<_, _>>().map_err(|error| file_error(CERT, cert, &error))?;
    if chain.is_empty() {
        return Err(file_error(CERT, cert, &pem::Error::NoItemsFound));
    }
    let secret =
        read(key).and_then(|text| PrivateKeyDer::from_pem_slice(without_mark(&text).as_bytes()));
    let secret = secret.map_err(|error| file_error(KEY, key, &error))?;
    let pair = CertifiedKey::from_der(chain, secret, &ring::default_provider());
    pair.map_err(|error| match error {
        rustls::Error::InconsistentKeys(_) => {
            let problem = format!("{} is not the key of {}", key.display(), cert.display());
            ConfigError::new(KEY, problem)
        }
        rustls::Error::InvalidCertificate(error) => {
            ConfigError::new(CERT, format!("{} is no certificate: {error}", cert.display()))
        }
        error => ConfigError::new(KEY, format!("{} cannot be used: {error}", key.display())),
    })
}

/// The text of a PEM file. Text around its parts may be in any encoding.
fn read(file: &Path) -> Result<String, pem::Error> {
    let bytes = fs::read(file).map_err(pem::Error::Io)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn file_error(option: &'static str, path: &Path, error: &pem::Error) -> ConfigError {
    let path = path.display();
    let problem = match error {
        pem::Error::Io(error) if error.kind() == io::ErrorKind::NotFound => {
            format!("there is no file {path}")
        }
        pem::Error::Io(error) => format!("{path} cannot be read: {error}"),
        pem::Error::NoItemsFound if option == KEY => {
            format!("{path} holds no private key as PEM, or one with a password")
        }
        pem::Error::NoItemsFound => format!("{path} holds no certificate as PEM"),
        error => format!("{path} is no PEM file: {error}"),
    };
    ConfigError::new(option, problem)
}
