//! Nodes on an engine in memory and in virtual time: [`world`] has one of them as a server would run it,
//! [`simulation`] three under faults.

mod simulation;
mod world;
