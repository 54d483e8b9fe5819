//! Tests of the store: what is saved, what comes back, what is refused. `world` has what they share.

mod acts;
mod archive;
mod damage;
mod folder;
mod forget;
mod kept_party;
mod leaderboard;
mod ratings;
mod save;

mod world;
