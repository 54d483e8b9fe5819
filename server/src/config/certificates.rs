//! The server's certificate and its key: read from PEM files at the start and again on SIGHUP, so
//! that a renewed certificate is shown to whoever connects from then on. Connections that are
//! there stay as they are. Handshakes are `web/secure`'s.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

use crate::config::ConfigError;

const CERT: &str = "tls-cert";
const KEY: &str = "tls-key";

/// A certificate in use, and where the next one will be.
#[derive(Debug)]
pub(crate) struct Tls {
    cert: PathBuf,
    key: PathBuf,
    current: Arc<Current>,
    server: Arc<ServerConfig>,
}

/// What is shown to whoever connects now.
#[derive(Debug)]
struct Current(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for Current {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Tls {
    /// Reads both files where both are named; none where neither is.
    ///
    /// # Errors
    /// Where one is missing, unreadable, or does not belong to the other.
    pub(crate) fn read_if_named(
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
        let current = Arc::new(Current(RwLock::new(Arc::new(pair(cert, key)?))));
        let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| ConfigError::new(CERT, error.to_string()))?;
        let resolver: Arc<dyn ResolvesServerCert> = current.clone();
        let mut server = builder.with_no_client_auth().with_cert_resolver(resolver);
        // WebSockets are upgraded from HTTP/1.1, which is all that is served.
        server.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { cert: cert.into(), key: key.into(), current, server: Arc::new(server) })
    }

    /// What handshakes are made with.
    pub(crate) fn server(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.server)
    }

    /// Reads the files again; the pair in use stays where the new one cannot be used.
    pub(crate) fn renew(&self) -> Result<(), ConfigError> {
        let pair = Arc::new(pair(&self.cert, &self.key)?);
        *self.current.0.write().unwrap_or_else(PoisonError::into_inner) = pair;
        Ok(())
    }
}

/// Reads a certificate's chain and its key, which must belong together.
fn pair(cert: &Path, key: &Path) -> Result<CertifiedKey, ConfigError> {
    let chain =
        CertificateDer::pem_file_iter(cert).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let chain = chain.map_err(|error| unread(CERT, cert, &error))?;
    if chain.is_empty() {
        return Err(unread(CERT, cert, &pem::Error::NoItemsFound));
    }
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| unread(KEY, key, &error))?;
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

fn unread(option: &'static str, path: &Path, error: &pem::Error) -> ConfigError {
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
