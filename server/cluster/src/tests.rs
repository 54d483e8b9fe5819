//! Nodes on an engine in memory and in virtual time: [`world`] has one of them as a server would run it,
//! [`simulation`] three under faults; the others show one behaviour each.

mod copies;
mod messages;
mod outbox;
mod ownership;
mod simulation;
mod world;
