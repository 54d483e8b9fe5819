//! A host's options for a node of a cluster.

use std::fmt;
use std::path::PathBuf;

/// How a node reaches NATS, and how other nodes reach it.
#[derive(Clone)]
pub struct Options {
    /// Addresses of NATS servers, `nats://HOST:PORT` or `tls://HOST:PORT`, with `USER:PASSWORD@` if they
    /// ask for it. Servers that these tell of are used too.
    pub urls: Vec<String>,
    /// A file with the credentials of a NATS user, or with the seed of an nkey.
    pub credentials: Option<PathBuf>,
    /// A file with the certificates of authorities, instead of those of the system.
    pub authorities: Option<PathBuf>,
    /// Files with the node's own certificate and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// The beginning of all subjects, and of the names of the bucket and the stream: letters, digits, `-`
    /// and `_`. Two clusters on the same servers have different names.
    pub name: String,
    /// On how many NATS servers each value is stored: 1, 3 or 5.
    pub replicas: u8,
    /// Where other nodes reach this one, for example `http://10.0.0.1:7333`.
    pub address: String,
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A URL may have a password in it.
        f.debug_struct("Options")
            .field("urls", &self.urls.len())
            .field("credentials", &self.credentials)
            .field("name", &self.name)
            .field("replicas", &self.replicas)
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}
