//! Commands of the `DevTools` protocol as JSON, so that new fields of a newer Chromium cannot make an
//! answer unreadable.

use std::borrow::Cow;

use chromiumoxide::types::{Command, Method, MethodId};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// A command by its name.
#[derive(Debug)]
pub(super) struct Raw {
    method: &'static str,
    params: Value,
}

impl Raw {
    pub(super) const fn new(method: &'static str, params: Value) -> Self {
        Self { method, params }
    }
}

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.params.serialize(serializer)
    }
}

impl Method for Raw {
    fn identifier(&self) -> MethodId {
        Cow::Borrowed(self.method)
    }
}

impl Command for Raw {
    type Response = Value;
}
