//! Texts about the server's host: announcements, switched features, given names.

use noughts_protocol::{AnnouncementText, Features};

use crate::session::Welcome;

/// An announcement.
pub(crate) fn says(text: &AnnouncementText) -> String {
    format!("The host says: {text}")
}

/// That the player has another name than they want.
pub(crate) fn given_name(welcome: &Welcome) -> Option<String> {
    let text = || format!("The host of this server has given you the name {}.", welcome.name);
    welcome.is_given.then(text)
}

/// The features that the host has switched, a sentence each.
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
