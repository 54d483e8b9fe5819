//! What the host of the server says and switches, in words.

use noughts_protocol::{AnnouncementText, Features};

use crate::session::Welcome;

/// What the host says.
pub(crate) fn says(text: &AnnouncementText) -> String {
    format!("The host says: {text}")
}

/// That the player has another name than they want.
pub(crate) fn given_name(welcome: &Welcome) -> Option<String> {
    let text = || format!("The host of this server has given you the name {}.", welcome.name);
    welcome.is_given.then(text)
}

/// What the host has switched, a sentence for each feature.
pub(crate) fn switched(before: Features, now: Features) -> Vec<String> {
    let names = [
        ("spectators", before.spectators, now.spectators),
        ("the list of public rooms", before.listing, now.listing),
        ("quick matches", before.quick_match, now.quick_match),
        ("talk", before.chat, now.chat),
        ("kept games", before.history, now.history),
        ("ratings", before.ratings, now.ratings),
        ("parties", before.parties, now.parties),
    ];
    let changed = names.into_iter().filter(|(_, before, now)| before != now);
    let sentence = |(name, _, now)| {
        let how = if now { "on again" } else { "off" };
        format!("The host has switched {name} {how}.")
    };
    changed.map(sentence).collect()
}
