//! The network below HTTP: the listener, TLS, the client's address and stream, how others on the
//! network find this server, and the ways between nodes. The answers to requests are
//! [`crate::http`]'s.

pub(crate) mod accept;
pub(crate) mod allowed_hosts;
pub(crate) mod client_addr;
pub(crate) mod client_stream;
pub(crate) mod dial;
pub(crate) mod lan;
pub(crate) mod listener;
pub(crate) mod tls_accept;
