//! The options of the commands about parties.

use clap::Subcommand;
use noughts_protocol::{PartyCode, PartyRole};

use crate::address::Link;
use crate::core::Action;

/// The commands about parties.
#[derive(Debug, Clone, Subcommand)]
pub enum PartyCommand {
    /// Join a party, to play in it.
    Join {
        /// The party: its code or its link.
        #[arg(value_parser = parse_party)]
        code: PartyRef,
    },
    /// Watch a party.
    Watch {
        /// The party: its code or its link.
        #[arg(value_parser = parse_party)]
        code: PartyRef,
    },
}

/// A party: its code, or a link that also names its server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartyRef {
    /// The party's code.
    pub code: PartyCode,
    /// The whole link, if it was one.
    pub link: Option<Link>,
}

impl PartyCommand {
    /// The party that it names.
    #[must_use]
    pub const fn party(&self) -> Option<&PartyRef> {
        match self {
            Self::Join { code } | Self::Watch { code } => Some(code),
        }
    }

    /// The action that it asks for.
    #[must_use]
    pub const fn action(&self) -> Action {
        match self {
            Self::Join { code } => Action::join_party(code.code, PartyRole::Player),
            Self::Watch { code } => Action::join_party(code.code, PartyRole::Spectator),
        }
    }
}

fn parse_party(text: &str) -> Result<PartyRef, String> {
    if !text.contains(['/', ':', '.']) {
        let code = text.parse().map_err(|e| format!("{e}"))?;
        return Ok(PartyRef { code, link: None });
    }
    let link: Link = text.parse().map_err(|e| format!("{e}"))?;
    let code = link
        .party
        .ok_or("that link names no party: a party's link ends in /party/ and its code")?;
    Ok(PartyRef { code, link: Some(link) })
}
