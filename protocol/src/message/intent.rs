//! A client's intents. Each is declared once, in one of the three lists here: the enum, how it is
//! written and how it is read follow from that.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};

use crate::archive::{BoardClass, ExportFormat, OpponentFilter, Outcome, Period};
use crate::board::{BoardSpec, Cell, Mark};
use crate::chat::{ChatText, Said};
use crate::id::{GameId, IntentId, PartyCode, PassCode, PlayerId, PlayerName, RoomCode};
use crate::opening::OpeningChoice;
use crate::party::{PartyRole, PartySettings};
use crate::puzzle::Date;
use crate::reading::{added_time, is_default, or_default, or_true};
use crate::room::{ByMark, Series};
use crate::rules::Variant;
use crate::settings::{ComputerFallback, Pace, RoomSettings, SeatRequest, Strength};

/// Declares a list of intents: each has a tag (`type` on the wire) and its fields. The fields in
/// parentheses belong to every intent of the list.
///
/// Each is read as a struct of its own, which serde reads in one pass: a move takes 3,200
/// instructions (by callgrind). serde's own enums with a tag first copy all fields: 4,800.
macro_rules! intents {
    (
        $(#[$meta:meta])*
        pub enum $name:ident $common:tt -> $common_types:ty {
            $(
                $(#[$doc:meta])*
                $tag:literal => $variant:ident $({
                    $($(#[$field_meta:meta])* $field:ident: $type:ty,)*
                })?,
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(tag = "type")]
        pub enum $name {
            $(
                $(#[$doc])*
                #[serde(rename = $tag)]
                $variant $({ $($(#[$field_meta])* $field: $type,)* })?,
            )*
        }

        impl $name {
            /// Reads the intent with this tag, and the fields of every intent. `None` if the list has
            /// no such tag. `from` is an object, because it has a tag.
            pub(super) fn read<'de, D: Deserializer<'de>>(
                tag: &str,
                from: D,
            ) -> Option<Result<($common_types, Self), D::Error>> {
                Some(match tag {
                    $($tag => intents!(
                        @read from, $common, $variant $({ $($(#[$field_meta])* $field: $type,)* })?
                    ),)*
                    _ => return None,
                })
            }
        }
    };
    (
        @read $from:ident, ($($common:ident: $common_type:ty),*), $variant:ident
        $({ $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })?
    ) => {{
        #[derive(Deserialize)]
        // The schema is the enum's. This is for the attributes of the fields.
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        struct Fields {
            /// Known by now; declared so that a second one is an error.
            #[serde(rename = "type")]
            #[cfg_attr(feature = "schema", schemars(skip))]
            _tag: IgnoredAny,
            $($common: $common_type,)*
            $($($(#[$field_meta])* $field: $type,)*)?
        }
        Fields::deserialize($from).map(|fields| {
            let common = ($(fields.$common,)*);
            (common, Self::$variant $({ $($field: fields.$field,)* })?)
        })
    }};
}

intents! {
    /// An intent for a room that the connection is in. The room decides on it.
    pub enum RoomIntent (id: IntentId, room: RoomCode) -> (IntentId, RoomCode) {
        /// Makes a move. A repeat of a move that was made is `ok` and changes nothing.
        "play" => Play {
            /// The number of the game.
            game: u32,
            /// The number of marks on the board when the player chose the move.
            ply: u16,
            /// The cell of the new mark.
            cell: Cell,
            /// The mark to place, where the player may choose; left out for the own one, or for the
            /// only one.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            placed: Option<Mark>,
        },
        /// Chooses a side in a swap2 opening, or adds two marks. A repeat of a choice that was made is
        /// `ok` and changes nothing.
        "choose" => Choose {
            /// The number of the game.
            game: u32,
            /// The choice.
            choice: OpeningChoice,
        },
        /// Resigns the game.
        "resign" => Resign {
            /// The number of the game.
            game: u32,
        },
        /// Takes back the player's last move, and the answer to it: at once against a computer and for one
        /// player on both seats, else when the opponent asks for the same or accepts it so.
        "take_back" => TakeBack {
            /// The number of the game.
            game: u32,
            /// The number of marks on the board.
            ply: u16,
            /// `false` takes the request back, or declines the opponent's.
            #[serde(default = "yes", deserialize_with = "or_true")]
            offer: bool,
        },
        /// Offers or accepts another game, takes the offer back, or declines the opponent's.
        "rematch" => Rematch {
            /// The game that has ended.
            game: u32,
            /// `false` takes the offer back, or declines the opponent's.
            #[serde(default = "yes", deserialize_with = "or_true")]
            offer: bool,
            /// Asks for a new series, which begins at zero with the next game; without it the series
            /// goes on.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            series: Option<Series>,
        },
        /// Sets how fast two computers play. Only the maker of their room may.
        "pace" => Pace {
            /// The pace from now on.
            pace: Pace,
        },
        /// Sets how well the computer plays from its next move on. Only the person who plays against it
        /// may, and not in a party. A strength that [`Strength::offered`] does not name becomes the one
        /// with a name that is next below.
        "strength" => Strength {
            /// The strength from now on.
            strength: Strength,
        },
        /// While the computers are paused: lets one of them make the next move, or begins the next
        /// game. A repeat of a step that was made is `ok` and changes nothing.
        "step" => Step {
            /// The number of the game that is on the board.
            game: u32,
            /// The number of marks on the board.
            ply: u16,
        },
        /// Ends a game whose opponent has been away too long.
        "claim" => Claim {
            /// The number of the game.
            game: u32,
            /// The result that the player claims.
            result: ClaimedResult,
        },
        /// Asks for the best move, when it is the player's turn.
        "hint" => Hint {
            /// The number of the game.
            game: u32,
        },
        /// Asks for the review of a game that is over: the last one or the one before.
        "review" => Review {
            /// The number of the game.
            game: u32,
        },
        /// Says something to the people in the room. It is told as `chat`. Spectators are heard by
        /// spectators, and by the players when no game is running.
        "say" => Say {
            /// The text or the emote.
            said: Said,
        },
        /// Hides what somebody says in this room, or shows it again. A repeat changes nothing.
        "mute" => Mute {
            /// The speaker.
            player: PlayerId,
            /// `false` shows it again.
            #[serde(default = "yes", deserialize_with = "or_true")]
            mute: bool,
        },
        /// Gives up the seat, which resigns a running game, or stops watching.
        "leave" => Leave,
        /// Asks for the snapshot again.
        "sync" => Sync,
    }
}

intents! {
    /// An intent for a party that the connection follows. The party decides on it.
    pub enum PartyIntent (id: IntentId, party: PartyCode) -> (IntentId, PartyCode) {
        /// Says that the entrant is there and wants to play the pairing. A repeat is `ok`.
        "ready" => Ready {
            /// The number of the pairing.
            pairing: u32,
        },
        /// Leaves the party as an entrant, for good or until the player joins it again. A running
        /// pairing is lost. The connection goes on following.
        "withdraw" => Withdraw,
        /// Stops following the party. The entrant stays one.
        "leave_party" => LeaveParty,
        /// Asks for the party's snapshot again.
        "sync_party" => SyncParty,
        /// Starts the party. Only the host may.
        "start_party" => StartParty,
        /// Pauses the party, or lets it go on: nothing is paired and no ready check runs meanwhile, and
        /// running games are played to their end, or stand still too. Only the host may.
        "pause_party" => PauseParty {
            /// `false` lets it go on.
            #[serde(default = "yes", deserialize_with = "or_true")]
            pause: bool,
            /// Whether the clocks of running games stand still, and no move is made.
            #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
            clocks: bool,
        },
        /// Gives more time for the move of a running game, or for the ready check of a pairing. Only the
        /// host may.
        "add_time" => AddTime {
            /// The number of the pairing.
            pairing: u32,
            /// The time in milliseconds.
            #[serde(deserialize_with = "added_time")]
            #[cfg_attr(feature = "schema", schemars(range(min = 1, max = crate::party::MAX_ADDED_MS)))]
            ms: u32,
        },
        /// Sets an entrant aside, who loses a running pairing and is not paired, or brings them back.
        /// Only the host may.
        "skip" => Skip {
            /// The number of the entrant.
            entrant: u16,
            /// `false` brings the entrant back.
            #[serde(default = "yes", deserialize_with = "or_true")]
            skip: bool,
        },
        /// Removes an entrant's player, who leaves and does not come in any more, or lets them in again.
        /// Only the host may.
        "remove" => Remove {
            /// The number of the entrant.
            entrant: u16,
            /// `false` lets the player in again.
            #[serde(default = "yes", deserialize_with = "or_true")]
            remove: bool,
        },
        /// Gives an entrant another name. Only the host may.
        "rename" => Rename {
            /// The number of the entrant.
            entrant: u16,
            /// The name. It gets a number if another entrant has it.
            #[serde(deserialize_with = "PlayerName::chosen")]
            name: PlayerName,
        },
        /// Asks for a pass for the place of an entrant. Only the host may. Only the last pass of an
        /// entrant is valid.
        "place_pass" => PlacePass {
            /// The number of the entrant.
            entrant: u16,
        },
        /// Takes the place of an entrant with a pass of the host: its number, its name, its points and
        /// its running game. The player who had it looks on. A repeat is `ok`.
        "take_place" => TakePlace {
            /// The pass.
            pass: PassCode,
        },
        /// Decides a pairing, or changes how it ended. Only the host may.
        "decide" => Decide {
            /// The number of the pairing.
            pairing: u32,
            /// The winner; `null` for a draw, where the format allows it.
            #[serde(default)]
            winner: Option<u16>,
            /// The reason, for everybody to read.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            note: Option<ChatText>,
        },
        /// Ends the party: the places are those of now. Only the host may.
        "end_party" => EndParty,
        /// Begins a party that is over again, with those who are there. Only the host may.
        "again" => Again {
            /// The settings; left out for those of before.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            settings: Option<PartySettings>,
        },
    }
}

intents! {
    /// An intent for the lobby, or about the connection itself.
    pub enum LobbyIntent (id: IntentId) -> (IntentId,) {
        /// Makes a room and enters it. A repeat with the same id enters the same room.
        "create" => Create {
            /// The settings of the room.
            #[serde(default, deserialize_with = "or_default")]
            settings: RoomSettings,
            /// Who sits where; by default the maker is X and O is open.
            #[serde(default, deserialize_with = "or_default")]
            seats: ByMark<SeatRequest>,
            /// Whether the server exchanges the two seats at random.
            #[serde(default, deserialize_with = "or_default")]
            shuffle: bool,
        },
        /// Waits for an opponent with the same board, variant and move time. Marks are drawn at random. The
        /// room's snapshot comes when an opponent is found.
        "quick_match" => QuickMatch {
            /// The board.
            #[serde(default, deserialize_with = "or_default")]
            board: BoardSpec,
            /// How a game is won; by default `line`, and left out then.
            #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
            variant: Variant,
            /// Milliseconds for each move; the server's default is 30 s.
            #[serde(default)]
            #[cfg_attr(
                feature = "schema",
                schemars(range(min = crate::MIN_MOVE_TIME_MS, max = crate::MAX_MOVE_TIME_MS))
            )]
            move_time_ms: Option<u32>,
            /// The computer opponent if no player comes.
            #[serde(default)]
            computer: Option<ComputerFallback>,
        },
        /// Stops waiting for a quick match.
        "cancel_match" => CancelMatch,
        /// Enters a room. The connection leaves the view of its previous room; the player keeps their
        /// seat there.
        "join" => Join {
            /// The room's code.
            room: RoomCode,
            /// To play or to watch. A player with a seat in the room gets it back in both cases.
            #[serde(default, deserialize_with = "or_default")]
            role: Role,
        },
        /// Makes a party and follows it. A repeat with the same id leads to the same party.
        "create_party" => CreateParty {
            /// The party's name.
            #[serde(deserialize_with = "PlayerName::chosen")]
            name: PlayerName,
            /// The settings.
            #[serde(default, deserialize_with = "or_default")]
            settings: PartySettings,
            /// Whether the host plays too.
            #[serde(default = "yes", deserialize_with = "or_true")]
            plays: bool,
        },
        /// Follows a party, and plays in it if the role says so. A connection follows one party at
        /// most, beside the room that it is in. An entrant whose game runs is led into its room.
        "join_party" => JoinParty {
            /// The party's code.
            party: PartyCode,
            /// To play, to look on, or as a big screen.
            #[serde(default, deserialize_with = "or_default")]
            role: PartyRole,
        },
        /// Asks for the lobby's lists now and after each change.
        "watch_lobby" => WatchLobby,
        /// Stops the lobby's lists.
        "unwatch_lobby" => UnwatchLobby,
        /// Asks for a pass, which lets another device be the same player. Only the last pass is valid.
        "pass" => Pass,
        /// Asks for the player's own games, the newest first. It is answered by `found`.
        "history" => History {
            /// Only games against these opponents.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            opponent: Option<OpponentFilter>,
            /// Only games on this board.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            board: Option<BoardSpec>,
            /// Only games of this variant.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            variant: Option<Variant>,
            /// Only games with this outcome for the player.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            outcome: Option<Outcome>,
            /// Only games that ended before this one: the last game of the page before.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            before: Option<GameId>,
        },
        /// Asks for a kept game. It is answered by `found`.
        "game" => Game {
            /// The game's id.
            game: GameId,
        },
        /// Asks for the review of a kept game. It is answered by `found`.
        "review_game" => ReviewGame {
            /// The game's id.
            game: GameId,
        },
        /// Asks for a profile. It is answered by `found`.
        "profile" => Profile {
            /// The player; left out for the one who asks.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            player: Option<PlayerId>,
        },
        /// Asks for the strongest players. It is answered by `found`.
        "leaderboard" => Leaderboard {
            /// The class of boards.
            #[serde(default, deserialize_with = "or_default")]
            class: BoardClass,
            /// The period.
            #[serde(default, deserialize_with = "or_default")]
            period: Period,
        },
        /// Asks for the puzzle of a day, today's or one that has been. It is answered by `found`.
        "puzzle" => Puzzle {
            /// The day; left out for today.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            date: Option<Date>,
        },
        /// Asks for the player's own games as the text of a file, piece by piece. It is answered by
        /// `found`.
        "export" => Export {
            /// The format.
            format: ExportFormat,
            /// The `next` of the piece before; left out for the first piece.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            before: Option<GameId>,
        },
        /// Asks whom of the people that the player has played is connected now. It is answered by `found`.
        "here" => Here {
            /// `true`: from now on others are not told that the player is connected; `false`: they are again.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            hide: Option<bool>,
        },
        /// Makes a room, as `create` does with its seats drawn by lot, and asks somebody whom the player has
        /// played and who is connected to come.
        "challenge" => Challenge {
            /// The one who is asked.
            player: PlayerId,
            /// The settings of the room.
            #[serde(default, deserialize_with = "or_default")]
            settings: RoomSettings,
        },
        /// Answers a challenge with "not now". The one who asked does not ask again for ten minutes. Without a
        /// challenge it changes nothing.
        "decline" => Decline {
            /// The one who asked.
            player: PlayerId,
        },
        /// Removes the player's profile, and the player's name from all kept games. After `ok` the
        /// token is worthless: the client connects again without it, as somebody new.
        "forget" => Forget,
        /// Asks whether the server answers, and for the room's version and presence.
        "ping" => Ping,
    }
}

const fn yes() -> bool {
    true
}

/// Why a client enters a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// To take a seat.
    #[default]
    Player,
    /// To watch.
    Spectator,
}

/// The result that a player may claim if their opponent is away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClaimedResult {
    /// The win.
    Win,
    /// A draw.
    Draw,
}
