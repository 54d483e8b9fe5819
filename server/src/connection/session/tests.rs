//! People on a whole server, without sockets: what is stored and told of them after what they did.

mod forgotten;
mod friends;
mod matches;
mod parties;
mod person;
mod piped;
mod rooms;
