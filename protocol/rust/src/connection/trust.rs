//! The authorities that may sign a server's certificate: those of the system, and those of a file
//! that the player named. Also explains what is wrong with a certificate and what to do.

use std::fmt;
use std::fs;
use std::io;
use std::sync::{Arc, OnceLock};

use noughts_protocol::text::{without_mark, without_number};
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{CertificateError, ClientConfig, RootCertStore};

use crate::address::ServerAddress;
use crate::session::{End, Remedy};

/// The most names of a certificate that are shown.
const NAMES: usize = 3;

/// Trusted authorities. Clones share the configuration, so the system's are read once.
#[derive(Clone, Default)]
pub struct Trust {
    /// Authorities beside those of the system.
    added: Vec<CertificateDer<'static>>,
    config: Arc<OnceLock<Arc<ClientConfig>>>,
}

impl fmt::Debug for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Trust(the system and {} more)", self.added.len())
    }
}

impl Trust {
    /// Also trusts the certificates of a PEM file.
    ///
    /// # Errors
    /// If the file has no certificate. The message says so.
    pub fn with_file(path: &str) -> Result<Self, String> {
        let unreadable =
            |error: &dyn fmt::Display| without_number(&format!("it cannot be read: {error}"));
        let file = fs::read(path).map_err(|error| unreadable(&error))?;
        let text = String::from_utf8_lossy(&file);
        let certificates = CertificateDer::pem_slice_iter(without_mark(&text).as_bytes());
        let added: Vec<_> =
            certificates.collect::<Result<_, _>>().map_err(|error| unreadable(&error))?;
        let usable = RootCertStore::empty().add_parsable_certificates(added.iter().cloned()).0;
        if usable == 0 {
            return Err("it holds no certificate as PEM".to_owned());
        }
        Ok(Self { added, config: Arc::default() })
    }

    /// The TLS configuration. The first call reads the system's authorities.
    pub(super) fn config(&self) -> Arc<ClientConfig> {
        Arc::clone(self.config.get_or_init(|| Arc::new(self.read())))
    }

    fn read(&self) -> ClientConfig {
        let mut roots = RootCertStore::empty();
        // If the system has none, only the file's are trusted. If there is no file either, the
        // handshake fails with a message.
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        roots.add_parsable_certificates(self.added.iter().cloned());
        // The provider is explicit: rustls panics if another crate enables a second one.
        ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("ring has the ciphers of every version")
            .with_root_certificates(roots)
            .with_no_client_auth()
    }
}

/// Explains a failed handshake, or returns `None` if the error is not about TLS.
pub(super) fn problem(server: &ServerAddress, error: &io::Error) -> Option<End> {
    let error = error.get_ref()?.downcast_ref::<rustls::Error>()?;
    let mut remedy = None;
    let text = match error {
        rustls::Error::InvalidCertificate(error) => {
            remedy = matches!(error, CertificateError::UnknownIssuer).then_some(Remedy::Trust);
            format!("{server} cannot be trusted: {}", certificate_problem(server, error))
        }
        rustls::Error::InvalidMessage(_) => {
            let plain = format!("http://{}:{}", server.host(), server.port());
            format!("{server} does not encrypt (no TLS): try {plain}")
        }
        error => format!("cannot encrypt the connection to {server}: {error}"),
    };
    Some(End { reason: text.into(), remedy })
}

fn certificate_problem(server: &ServerAddress, error: &CertificateError) -> String {
    match error {
        CertificateError::UnknownIssuer => {
            "its certificate is signed by an authority that this machine does not trust. If you \
             trust its host, ask them for the certificate as a file"
                .to_owned()
        }
        // Authorities that the same program made often have the same name.
        CertificateError::BadSignature => {
            "its certificate is not signed by the trusted authority of that name: the file with \
             it may be old, or from another host"
                .to_owned()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "its certificate has expired: tell its host, or check this machine's clock".to_owned()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "its certificate is not valid yet: is this machine's clock right?".to_owned()
        }
        CertificateError::NotValidForNameContext { presented, .. } => other_name(server, presented),
        CertificateError::NotValidForName => other_name(server, &[]),
        // Certificates that `openssl req -x509` makes by default. rustls has no variant for this
        // error.
        error if format!("{error:?}").contains("CaUsedAsEndEntity") => {
            "its certificate is an authority's, and a server may not use that: its host needs one \
             made with CA:FALSE"
                .to_owned()
        }
        // The text of these errors contains all their bytes.
        CertificateError::Other(_) | CertificateError::BadEncoding => {
            "its certificate cannot be read: its host needs another".to_owned()
        }
        _ => "its certificate cannot be used here: its host needs another".to_owned(),
    }
}

/// The certificate is for another name.
fn other_name(server: &ServerAddress, presented: &[String]) -> String {
    let names: Vec<&str> = presented.iter().take(NAMES).filter_map(|name| name_of(name)).collect();
    let Some(name) = names.iter().find(|name| !name.contains('*')) else {
        let list = names.join(", ");
        let whose = if list.is_empty() { "nobody".to_owned() } else { list };
        return format!("its certificate is for {whose}: ask its host for its name");
    };
    let place = server.with_host(name);
    format!("its certificate is for {}: try {place}", names.join(", "))
}

/// The name in `DnsName("play.example")` or `IpAddress(192.0.2.7)`, as rustls writes them.
fn name_of(name: &str) -> Option<&str> {
    let (_, inside) = name.split_once('(')?;
    Some(inside.strip_suffix(')')?.trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_trusts_nobody_is_told_what_helps_here() {
        let error = rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer);
        let end = problem(&ServerAddress::default(), &io::Error::other(error)).unwrap();
        let said = end.to_string();
        assert!(said.ends_with("as a file, and give it to `Trust::with_file`"), "{said}");
    }
}
