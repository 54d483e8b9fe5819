//! The board in the form that a search plays on: lines and symmetries ([`Geometry`]), a position
//! that changes move by move ([`Position`]), and numbers that tell positions apart (`zobrist`).

mod geometry;
mod position;
mod zobrist;

pub(crate) use geometry::{Geometry, SYMMETRIES, inverse};
pub(crate) use position::{Position, Side};
pub(crate) use zobrist::{key_of_mark, mix};
