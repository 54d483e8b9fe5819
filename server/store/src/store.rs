//! The seam between what decides and what keeps.

use std::fmt::Debug;

use futures::future::BoxFuture;
use noughts_protocol::RoomCode;

use crate::change::{Change, LiveRow};
use crate::error::{ReadError, SaveError};

/// Where rooms, parties and games are kept.
pub trait Store: Debug + Send + Sync {
    /// Stores all of the changes, or none of them. The future ends when they are committed; one that is dropped
    /// may have stored nothing. Saves are stored in the order of the calls, while the queue has room.
    fn save(&self, changes: Vec<Change>) -> BoxFuture<'static, Result<(), SaveError>>;

    /// The room or the party that has a code, if it has not ended.
    fn load(&self, code: RoomCode) -> BoxFuture<'static, Result<Option<LiveRow>, ReadError>>;
}

/// A decision that is stored: only this may be applied and shown. Only [`commit`] makes it.
#[derive(Debug, PartialEq, Eq)]
pub struct Committed<E>(E);

impl<E> Committed<E> {
    /// For a test of the rules, which has no store.
    #[cfg(any(test, feature = "testing"))]
    pub const fn for_tests(decided: E) -> Self {
        Self(decided)
    }

    /// The decision.
    pub fn into_inner(self) -> E {
        self.0
    }
}

/// Stores the changes in which a decision results. A server that keeps nothing has no store, and all it
/// decides is committed at once.
///
/// # Errors
/// If nothing of it is stored.
pub async fn commit<E>(
    store: Option<&dyn Store>,
    changes: Vec<Change>,
    decided: E,
) -> Result<Committed<E>, SaveError> {
    if let Some(store) = store {
        store.save(changes).await?;
    }
    Ok(Committed(decided))
}
