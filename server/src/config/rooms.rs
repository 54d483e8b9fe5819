//! A host's limits for the rooms: how many there may be, and how long each of them waits. The lobby
//! counts rooms, and the rules of a room apply the times.

use std::time::Duration;

/// The times of a room. All are measured by the server's clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoomTimes {
    /// After this absence the opponent may claim the running game.
    pub(crate) absence_grace: Duration,
    /// A room without a connection ends after this.
    pub(crate) unattended: Duration,
    /// A room in which nothing happens ends after this.
    pub(crate) idle: Duration,
}

/// How many rooms there may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoomLimits {
    /// Rooms at once.
    pub(crate) most: usize,
    /// Rooms at once that one player made.
    pub(crate) per_player: u32,
    /// Rooms with an open seat at once that one player made.
    pub(crate) waiting: u32,
    /// Rooms at once that one address made.
    pub(crate) per_address: u32,
    /// Rooms that one player may make at once, and again within a minute.
    pub(crate) new_per_player: u32,
    /// Rooms that one address may make at once, and again within a minute.
    pub(crate) new_per_address: u32,
}
