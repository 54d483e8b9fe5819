//! The servers to choose from: [`servers`] are those that are known, and [`lan`] finds others. The connection
//! to one is [`noughts_client`]'s.

pub(crate) mod lan;
pub(crate) mod servers;
