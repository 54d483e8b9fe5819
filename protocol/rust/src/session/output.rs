//! The outputs of a session.

use std::time::Duration;

use noughts_protocol::{
    AnnouncementText, ByMark, ChatLine, ClientMessage, CloseReason, DisplayText, Event, Features,
    PartyCode, PartyEvent, PassCode, PlayerName, Refusal, RoomCode, Seat,
};

use super::{End, IntentError, LookupKind, PresenceChange, Welcome};

/// Something that a session wants done.
#[derive(Debug)]
pub enum Output {
    /// Send this message.
    Send(ClientMessage),
    /// Open a new connection: the server answers nothing.
    Reconnect,
    /// Open a new connection without a token: the server has forgotten the player.
    Forget,
    /// Show this.
    Happened(Happening),
}

/// Something that happened, for the player to see. The session has what there is to show.
#[derive(Debug)]
pub enum Happening {
    /// The server has answered `hello`.
    Welcome {
        /// The answer.
        welcome: Box<Welcome>,
        /// Whether it is the first one; the others come after a break.
        first: bool,
    },
    /// The host of the server says something.
    Announcement(AnnouncementText),
    /// Somebody asks the player to play in this room.
    Challenged(RoomCode, PlayerName),
    /// Somebody whom the player has asked does not want to play now.
    Declined(PlayerName),
    /// The host has switched features off or on.
    Switched {
        /// The features before.
        before: Features,
        /// The features from now on.
        now: Features,
    },
    /// The player entered a room.
    Entered,
    /// The room was loaded again, after a break or a gap.
    Refreshed,
    /// The snapshot of the party came, after it was asked for, a break or a gap.
    Party,
    /// Something happened in the party.
    PartyEvent(PartyEvent),
    /// The presence of the party was told.
    PartyPresence,
    /// Boards of the party came.
    Boards,
    /// The pass for another device of the player came, or was used there.
    Pass {
        /// The pass.
        code: PassCode,
        /// For how long it may be used. Nothing is left once it was used.
        left: Duration,
    },
    /// The pass for the place of an entrant came.
    PlacePass(u16, PassCode),
    /// The player could not follow the party again after a break.
    PartyLost(PartyCode, Refusal),
    /// The code of the room that the player wanted to enter is a party's.
    IsParty(PartyCode),
    /// Something happened in the room.
    Event {
        /// The event.
        event: Event,
        /// The seats before the event.
        before: ByMark<Seat>,
    },
    /// A player went away or came back, or a rematch is offered or not any more.
    Presence(Vec<PresenceChange>),
    /// A hint for the current position came.
    Hint,
    /// An evaluation of the current position came.
    Evaluation,
    /// A review came.
    Review,
    /// The lists of public rooms came.
    Lobby,
    /// Somebody said something, or other people are muted now. The lines are those that were not
    /// heard before; muted people's are not among them.
    Chat(Vec<ChatLine>),
    /// A question was answered or refused. The session has the answer.
    Answered(LookupKind),
    /// The server has forgotten the player. The next welcome is that of somebody new.
    Forgotten,
    /// An intent was refused.
    Refused(ClientMessage, Refusal),
    /// An intent was applied.
    Applied(ClientMessage),
    /// The player could not return to the room after a break.
    RoomLost(RoomCode, Refusal),
    /// The server cannot read the room just now. The session asks again.
    Unreadable(Refusal),
    /// The room was closed.
    Closed(RoomCode, CloseReason),
    /// The server sent a room that breaks the rules.
    Impossible,
    /// The server reports an error that is about no intent.
    ServerError(Refusal),
    /// Too many intents are unanswered: this one was not sent.
    Busy,
    /// The intent is not possible: it was not sent.
    Blocked(IntentError),
    /// The connection broke; it connects again.
    Lost(DisplayText),
    /// The server wants a password, or another one.
    PasswordWanted(DisplayText),
    /// The connection has ended.
    Ended(End),
}
