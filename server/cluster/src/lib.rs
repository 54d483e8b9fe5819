//! Several servers that are one. The rooms and parties of a cluster are values of a bucket, replaced by
//! compare-and-set on their revisions, which is the fence. What a room is, is not known here.

pub mod engine;
mod options;

pub use engine::{
    Engine, EngineError, Entry, PutError, Question, Record, Revision, Streaming, Topic,
};
pub use options::Options;
