//! The options of `ssh`.

use std::net::{Ipv4Addr, SocketAddr};

use clap::Args as ClapArgs;
use clap::builder::FalseyValueParser;

/// The port of the door: that of ssh itself is mostly the machine's.
const PORT: u16 = 2222;

/// Options of `ssh`.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct SshArgs {
    /// The address and port to listen on; 0.0.0.0 is every IPv4 network, `[::]` every one.
    #[arg(
        long,
        env = "NOUGHTS_SSH_LISTEN",
        value_name = "ADDRESS:PORT",
        default_value_t = SocketAddr::from((Ipv4Addr::UNSPECIFIED, PORT))
    )]
    pub(crate) listen: SocketAddr,
    /// The name by which players reach this machine [default: its address].
    #[arg(long, env = "NOUGHTS_SSH_HOST", value_name = "NAME", value_parser = parse_host)]
    pub(crate) host: Option<String>,
    /// Do not print who comes and who goes.
    #[arg(long, env = "NOUGHTS_SSH_QUIET", value_parser = FalseyValueParser::new())]
    pub(crate) quiet: bool,
}

/// Parses a host that can stand in a command without quotes.
fn parse_host(text: &str) -> Result<String, &'static str> {
    let is_legal = |c: char| c.is_ascii_alphanumeric() || ".-_:".contains(c);
    if text.is_empty() || text.starts_with('-') || !text.chars().all(is_legal) {
        return Err("write a host's name or address, such as play.example");
    }
    Ok(text.to_owned())
}
