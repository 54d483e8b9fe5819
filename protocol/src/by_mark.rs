//! A value for each of the two marks.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

use crate::board::Mark;
use crate::reading::object;

/// One value for each mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ByMark_{T}"))]
#[serde(remote = "Self")]
pub struct ByMark<T> {
    /// X's value.
    pub x: T,
    /// O's value.
    pub o: T,
}

object!(ByMark<T>);

impl<T> Index<Mark> for ByMark<T> {
    type Output = T;

    fn index(&self, mark: Mark) -> &T {
        match mark {
            Mark::X => &self.x,
            Mark::O => &self.o,
        }
    }
}

impl<T> IndexMut<Mark> for ByMark<T> {
    fn index_mut(&mut self, mark: Mark) -> &mut T {
        match mark {
            Mark::X => &mut self.x,
            Mark::O => &mut self.o,
        }
    }
}
