//! A cluster: several servers that are one.

mod contract;
mod nats;
