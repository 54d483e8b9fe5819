//! Several servers ("nodes") that are one: rooms outlive a machine, and any node serves any socket.
//! Without `--cluster` not a line of this folder runs.
//!
//! **One log.** A stream of NATS `JetStream` on three replicas is the write-ahead log of all nodes. Each
//! record holds writes of the journal ([`record`]). Every node follows the log from its beginning and
//! does the same writes in the same order in its own `SQLite` file, so that history, ratings, pages,
//! `export` and `verify` work on every node as they do on a single server. That file is a copy: it
//! need not wait for the disk, and a node that loses it reads the log again.
//!
//! **Shards.** A room and a party belong to one of [`SHARDS`](crate::shard::SHARDS) shards, by their code. A shard has
//! one owner, which runs its rooms. Its records form a chain: each is accepted only as the successor
//! of the one before (`Nats-Expected-Last-Subject-Sequence`). A claim is a record of that chain too.
//! So an owner that was cut off, frozen or believed dead cannot write after the claim of the next one:
//! two owners may be slow, never wrong.
//!
//! **Claims.** Nodes tell each other that they live ([`beats`]), and each works out from that who is to
//! own a shard ([`heirs`]). The heir claims it with the number of the last record that it knows; one
//! claim is accepted. Then it waits until it has done everything up to its claim, and has all rooms of
//! the shard, hibernated, as after a restart. A room's clock goes on as after a restart too: a claim
//! is what a run is on one machine.
//!
//! **Links.** A connection stays at the node that accepted it, its *front*. For a room that another node
//! owns, the front runs a [`stand_in`], which serves the same inbox as a room and passes everything on
//! over a [`link`]. A link is ordered and numbered. If something of it is lost, its stays end: the
//! connections are closed, and their clients resume with one snapshot.
//!
//! What always holds:
//!
//! - Nobody is shown an event that is not in the log. "Not stored" is said after the log was read, never
//!   after a timeout.
//! - The log decides who may write. Beats only decide who tries.
//! - A node writes a record in a format that every node which lives can read: its beats say which.
//! - Nothing compares the clocks of two machines. Silence is counted on one's own clock, and only while
//!   one's own beats come back.
//! - A node that stood still, or whose own beats do not come back, shows its rooms to nobody who comes
//!   before it has read the log: they may go on elsewhere, and nobody is shown a board that goes backwards.

mod beats;
pub mod directory;
pub mod engine;
pub mod follower;
mod heirs;
pub(crate) mod link;
mod log;
pub mod node;
mod ownership;
pub(crate) mod question;
pub mod record;
pub(crate) mod stand_in;
pub(crate) mod survey;
pub mod tenant;
mod tenure;
pub(crate) mod wire;
mod writer;
