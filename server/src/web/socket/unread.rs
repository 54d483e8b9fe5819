//! What can be told of a frame that is no message.

use noughts_protocol::{IdError, IntentId, PlayerName, Refusal, RefusalCode};
use serde::Deserialize;

/// A `hello` of any version, as far as it must be understood to say what is wrong with it.
#[derive(Deserialize)]
pub(super) struct RawHello {
    #[serde(rename = "type")]
    kind: String,
    pub(super) protocol: u32,
    #[serde(default)]
    name: String,
}

impl RawHello {
    pub(super) fn bad_name(&self) -> Option<Refusal> {
        let error: IdError = self.name.parse::<PlayerName>().err()?;
        Some(Refusal::new(RefusalCode::BadName, error.to_string()))
    }
}

pub(super) fn raw_hello(text: &str) -> Option<RawHello> {
    serde_json::from_str(text).ok().filter(|hello: &RawHello| hello.kind == "hello")
}

/// The intent of a frame that could not be read, or was not to be.
pub(super) fn id_of(text: &str) -> Option<IntentId> {
    #[derive(Deserialize)]
    struct Numbered {
        id: IntentId,
    }
    serde_json::from_str(text).ok().map(|Numbered { id }| id)
}
