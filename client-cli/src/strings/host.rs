//! Texts about the server's host and about people who ask to play: announcements, switched features, given
//! names, challenges.

use noughts_client::session::{Happening, Welcome};
use noughts_protocol::Features;

/// The words of somebody outside the room: the host, a person who asks to play, or one who declines. `accept` says
/// how to accept.
pub(crate) fn says(happening: &Happening, accept: &str) -> Option<String> {
    Some(match happening {
        Happening::Announcement(text) => format!("The host says: {text}"),
        Happening::Challenged(_, name) => {
            format!("{name} asks you to play: {accept}, or let a minute pass.")
        }
        Happening::Declined(name) => format!("{name} cannot play now."),
        _ => return None,
    })
}

/// Says that the host has given the player another name.
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
        ("chat", before.chat, now.chat),
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
