//! Why facts were not committed, and how that is answered.

use noughts_protocol::{CloseCode, IntentId, Refusal};

use super::not_stored;
use crate::journal::error::DiskError;
use crate::outbox::Outbox;

/// Why facts were not committed.
#[derive(Debug)]
pub(crate) enum NotCommitted {
    /// The rules or the journal refuse them, and nothing has changed.
    Refused(Refusal),
    /// They may be stored or not. The room or the party stays as everybody sees it.
    Unknown,
}

impl From<Refusal> for NotCommitted {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<DiskError> for NotCommitted {
    fn from(error: DiskError) -> Self {
        match error {
            DiskError::Unknown(_) => Self::Unknown,
            _ => Self::Refused(not_stored()),
        }
    }
}

impl NotCommitted {
    /// Refuses the intent, or closes the connection if the outcome is unknown. Its client
    /// reconnects and asks again.
    pub(crate) fn answer(&self, outbox: &Outbox, id: Option<IntentId>) {
        match self {
            Self::Refused(refusal) => outbox.refuse(id, refusal.clone()),
            Self::Unknown => outbox.close(CloseCode::Internal),
        }
    }
}
