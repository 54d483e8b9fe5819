//! The options that lift the limits of a server or node that is to be loaded.

/// None of them changes what a move costs.
pub(crate) const NO_LIMITS: [&str; 9] = [
    "--max-rooms=1000000",
    "--max-connections=1000000",
    "--max-per-address=1000000",
    "--waiting-rooms=1000000",
    "--rooms-per-player=1000000",
    "--new-rooms-per-player=1000000",
    "--intent-burst=1000000",
    "--intents-per-second=1000000",
    "--room-ttl=1h",
];
