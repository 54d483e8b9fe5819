//! Talk in a room, for both views: the meaning of a typed line, and the person whom a name means. It is
//! pure; the lines themselves are the room's.

use noughts_client::session::RoomView;
use noughts_protocol::{
    ChatMode, ChatText, Emote, MAX_MUTED, MAX_UNANSWERED, Mark, PlayerId, PlayerName, RoomIntent,
    Said, Seat,
};

/// The meaning of a typed line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Typed {
    /// Say this.
    Say(Said),
    /// Hide what the person with this name says, or show it again.
    Mute {
        /// The name as it was typed.
        name: String,
        /// `false` shows it again.
        mute: bool,
    },
    /// Show again what everybody says.
    UnmuteAll,
}

/// Reads a typed line. A slash begins a command: `/mute Bob`, `/unmute Bob`, or an emote's name such as
/// `/good_game`.
///
/// # Errors
/// If the line means nothing, or the room does not allow it. The text says what is right.
pub(crate) fn read(line: &str, mode: ChatMode) -> Result<Typed, String> {
    let Some(command) = line.trim().strip_prefix('/') else {
        let text: ChatText = line.parse().map_err(|e| format!("{e}"))?;
        return match mode {
            ChatMode::Emotes => Err("this room has emotes only".to_owned()),
            ChatMode::Off | ChatMode::Text => Ok(Typed::Say(Said::Text(text))),
        };
    };
    let (word, name) = command.split_once(' ').unwrap_or((command, ""));
    let name = name.trim().to_owned();
    let mute = match word {
        "mute" => true,
        "unmute" => false,
        _ => {
            let emote: Result<Emote, _> = word.parse();
            let wrong = "after a slash type mute NAME, unmute NAME or an emote such as good_game";
            return emote.map(|emote| Typed::Say(Said::Emote(emote))).map_err(|_| wrong.to_owned());
        }
    };
    match (name.is_empty(), mute) {
        (false, _) => Ok(Typed::Mute { name, mute }),
        (true, false) => Ok(Typed::UnmuteAll),
        (true, true) => Err("type the name too: mute Bob".to_owned()),
    }
}

/// Reads the name of an emote.
///
/// # Errors
/// If there is no such emote. The text names those that there are.
pub(crate) fn emote(name: &str) -> Result<Typed, String> {
    let emote: Result<Emote, _> = name.parse();
    emote.map(|emote| Typed::Say(Said::Emote(emote))).map_err(|_| {
        let names = Emote::ALL.map(Emote::name);
        format!("the emotes are {}", names.join(", "))
    })
}

/// The names of muted people: the server tells only their ids, and their lines are gone.
#[derive(Debug, Default)]
pub(crate) struct MutedNames(Vec<(PlayerId, PlayerName)>);

impl MutedNames {
    /// The intent that mutes or unmutes the person with a name, and the name as it is. Of two people
    /// with the same name, the one with a seat is meant, else the one who spoke last.
    ///
    /// # Errors
    /// If nobody has that name. The text says so.
    pub(crate) fn intent(
        &mut self,
        view: &RoomView,
        name: &str,
        mute: bool,
    ) -> Result<(RoomIntent, PlayerName), String> {
        let Some((player, name)) = self.person(view, name, mute) else {
            return Err(match mute {
                true => format!("nobody called {name} plays here or has said anything"),
                false => format!("you have muted nobody called {name}"),
            });
        };
        self.0.retain(|(other, _)| *other != player);
        if mute {
            self.0.push((player, name.clone()));
            let many = self.0.len().saturating_sub(MAX_MUTED);
            self.0.drain(..many);
        }
        Ok((RoomIntent::Mute { player, mute }, name))
    }

    fn person(&self, view: &RoomView, name: &str, mute: bool) -> Option<(PlayerId, PlayerName)> {
        let name = name.to_lowercase();
        let mut known = seated(view).chain(speakers(view));
        let mut muted = self.0.iter().rev().map(|(player, name)| (*player, name));
        let is_meant = |(player, own): &(PlayerId, &PlayerName)| {
            !view.is_me(*player) && own.as_str().to_lowercase() == name
        };
        let known = || known.find(is_meant);
        let person = if mute { None } else { muted.find(is_meant) }.or_else(known);
        person.map(|(player, name)| (player, name.clone()))
    }

    /// The intents that unmute everybody, as many as may be on their way at once.
    pub(crate) fn unmute_all(&mut self, view: &RoomView) -> Vec<RoomIntent> {
        self.0.clear();
        let muted = view.chat.muted.iter().take(MAX_UNANSWERED / 2);
        muted.map(|player| RoomIntent::Mute { player: *player, mute: false }).collect()
    }
}

/// The people with a seat.
fn seated(view: &RoomView) -> impl Iterator<Item = (PlayerId, &PlayerName)> + Clone {
    Mark::BOTH.into_iter().filter_map(|mark| match &view.state.seats[mark] {
        Seat::Human { player, name } => Some((*player, name)),
        Seat::Open | Seat::Computer(_) => None,
    })
}

/// The people who have said something, the last one first.
fn speakers(view: &RoomView) -> impl Iterator<Item = (PlayerId, &PlayerName)> + Clone {
    view.chat.lines.iter().rev().map(|line| (line.player, &line.name))
}

#[cfg(test)]
mod tests;
