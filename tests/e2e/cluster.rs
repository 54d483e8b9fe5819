//! A cluster: several servers that are one. What its engine promises is tested on the engine in memory
//! and on real NATS servers.

mod balanced;
mod browsers;
mod check;
mod contract;
mod evening;
mod import;
mod jwt;
mod nats;
mod outage;
mod together;
mod torture;
