//! The settings of a room: its board, who moves first, its clock, who sits where, and the computers.
//! The state of a room is in [`crate::room`].
//!
//! A new setting is a field of [`RoomSettings`] and a row of [`SETTINGS`]. The row makes its option,
//! its place in the menus and its field on the page.

use serde::{Deserialize, Serialize};

use crate::board::BoardSpec;
use crate::chat::ChatMode;
use crate::opening::Opening;
use crate::party::PartyTable;
use crate::reading::{is_default, object, or_default, or_true};
use crate::room::ByMark;
use crate::rules::{LINE_BOARDS, Variant};
use crate::{MAX_MOVE_TIME_MS, MIN_MOVE_TIME_MS};
pub use computer::{Computer, ComputerFallback, Pace, Strategy, Strength};
pub(crate) use named::name_of;
use named::named;
pub use named::{UnknownName, alternatives};
pub(crate) use table::from_values;
pub use table::{GameKind, Kind, MarkChoice, Need, Setting, parse_time};

mod computer;
pub(crate) mod named;
mod table;

/// Who moves first in each game of a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FirstMove {
    /// X in the first game, then X and O in turn.
    #[default]
    Alternate,
    /// Always X.
    X,
    /// Always O.
    O,
    /// Drawn for each game.
    Random,
    /// X in the first game, then the loser of the last game. After a draw, the player who moved second.
    Loser,
}

named!(FirstMove {
    Alternate: "alternate", "alternate";
    X: "x", "X";
    O: "o", "O";
    Random: "random", "random";
    Loser: "loser", "the loser";
});

/// The settings of a room. They never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RoomSettings"))]
#[serde(remote = "Self", default)]
pub struct RoomSettings {
    /// The board.
    #[serde(deserialize_with = "or_default")]
    pub board: BoardSpec,
    /// How a game is won. Left out while it is `line`.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = Variant::default())))]
    pub variant: Variant,
    /// Whether more boards win where nobody has three in a row; only in a variant of nine boards. Left
    /// out while it does not.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub majority: bool,
    /// Who moves first.
    #[serde(deserialize_with = "or_default")]
    pub first: FirstMove,
    /// How each game opens; swap2 needs a board of 13 × 13 or more.
    #[serde(deserialize_with = "or_default")]
    pub opening: Opening,
    /// Milliseconds for each move, after which the game is lost; no limit by default.
    #[cfg_attr(feature = "schema", schemars(range(min = MIN_MOVE_TIME_MS, max = MAX_MOVE_TIME_MS)))]
    pub move_time_ms: Option<u32>,
    /// Whether the lobby shows the room.
    #[serde(deserialize_with = "or_default")]
    pub listed: bool,
    /// Whether spectators are admitted.
    #[serde(deserialize_with = "or_true")]
    pub spectators: bool,
    /// Whether a game is drawn as soon as nobody can win. By default on every board except 3 × 3,
    /// where the board is filled.
    pub early_draw: Option<bool>,
    /// Whether a player may ask for a hint; never in a quick match. By default unless two people play.
    pub hints: Option<bool>,
    /// Whether spectators see an evaluation of the running game.
    #[serde(deserialize_with = "or_default")]
    pub evaluation: bool,
    /// Whether a person's computer opponent becomes one step stronger after two wins of theirs in a row,
    /// and one weaker after two losses. Left out while it does not.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub adapts: bool,
    /// Whether a computer says why it makes a move, where [`Computer::may_comment`]. Left out while it
    /// does not.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub comments: bool,
    /// The talk that is allowed; emotes in a quick match.
    #[serde(deserialize_with = "or_default")]
    pub chat: ChatMode,
    /// The table of a party that the room belongs to. Only the server sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub party: Option<PartyTable>,
}

object!(RoomSettings);

impl Default for RoomSettings {
    fn default() -> Self {
        Self {
            board: BoardSpec::default(),
            variant: Variant::default(),
            majority: false,
            first: FirstMove::default(),
            opening: Opening::default(),
            move_time_ms: None,
            listed: false,
            spectators: true,
            early_draw: None,
            hints: None,
            evaluation: false,
            adapts: false,
            comments: false,
            chat: ChatMode::default(),
            party: None,
        }
    }
}

use GameKind::{Both, Computer as Against, Exhibition, Friend, Quick};

/// A choice before a game; the rows say what differs.
pub(crate) const CHOICE: Setting = Setting {
    name: "",
    wire: None,
    label: "",
    help: "",
    kind: Kind::Choice,
    offered: &[],
    default: "",
    own_defaults: &[],
    forms: &[],
    more: true,
    needs: &[],
};

/// Values that are their own labels.
pub(crate) const fn own_labels<const N: usize>(
    values: [&'static str; N],
) -> [(&'static str, &'static str); N] {
    let mut offered = [("", ""); N];
    let mut at = 0;
    while at < N {
        offered[at] = (values[at], values[at]);
        at += 1;
    }
    offered
}

const YES_NO: Setting =
    Setting { kind: Kind::YesNo, offered: &own_labels(["yes", "no"]), ..CHOICE };

const STRATEGY: Setting = Setting {
    name: "strategy",
    label: "Strategy",
    offered: Strategy::NAMES,
    default: Computer::OPPONENT.strategy.name(),
    forms: &[Against],
    ..CHOICE
};

const STRENGTH: Setting = Setting {
    name: "strength",
    label: "Strength",
    offered: &STRENGTHS,
    default: Computer::OPPONENT.strength.name(),
    // Two computers are for people who watch: they play with some sense.
    own_defaults: &[(Exhibition, Strength::Average.name())],
    forms: &[Against],
    more: false,
    needs: &[Need::Value("strategy", WITH_STRENGTHS)],
    ..CHOICE
};

pub(crate) const VARIANT: Setting = Setting {
    name: "variant",
    wire: Some("variant"),
    label: "Variant",
    help: "How a game is won. Each variant has boards of its own",
    offered: Variant::NAMES,
    default: Variant::Line.name(),
    forms: &GameKind::ALL,
    more: false,
    ..CHOICE
};

pub(crate) const BOARD: Setting = Setting {
    name: "board",
    wire: Some("board"),
    label: "Board",
    help: "Width, height and the marks in a row that win",
    kind: Kind::Board,
    offered: &own_labels(LINE_BOARDS),
    default: "3x3x3",
    forms: &GameKind::ALL,
    more: false,
    ..CHOICE
};

pub(crate) const OPENING: Setting = Setting {
    name: "opening",
    wire: Some("opening"),
    label: "Opening",
    help: "How each game opens. The opening swap2 is fair on boards of 13x13 and more",
    offered: Opening::NAMES,
    default: "free",
    forms: &[Friend, Against, Exhibition, Both],
    more: false,
    needs: &[Need::Value("variant", WITH_SWAP2), Need::LargeBoard],
    ..CHOICE
};

pub(crate) const MOVE_TIME: Setting = Setting {
    name: "move_time",
    wire: Some("move_time_ms"),
    label: "Time for a move",
    help: "Time for each move: 30s, 5m, 2h [default: no limit]. A player without time left loses",
    kind: Kind::Time,
    offered: &[
        ("none", "no limit"),
        ("10s", "10 seconds"),
        ("30s", "30 seconds"),
        ("1m", "1 minute"),
        ("5m", "5 minutes"),
        ("24h", "1 day"),
    ],
    default: "none",
    forms: &[Friend, Against, Both],
    ..CHOICE
};

pub(crate) const CHAT: Setting = Setting {
    name: "chat",
    wire: Some("chat"),
    label: "Chat",
    help: "What people may say in the room",
    offered: ChatMode::NAMES,
    default: "text",
    forms: &[Friend],
    needs: &[Need::Chat],
    ..CHOICE
};

/// The strengths that differ on every board.
const STRENGTHS: [(&str, &str); 5] = {
    let [a, b, c, d, e] = Strength::NAMED;
    [
        (a.name(), a.label()),
        (b.name(), b.label()),
        (c.name(), c.label()),
        (d.name(), d.label()),
        (e.name(), e.label()),
    ]
};

const WITH_STRENGTHS: &[&str] = &["minimax", "heuristic"];

const WITH_SWAP2: &[&str] = &[Variant::Line.name(), Variant::Exact.name()];

/// All choices before a game, in the order of a form: who plays, then the settings of the room. Each
/// is said here once, for the command line, the menus and the page.
pub const SETTINGS: &[Setting] = &[
    STRATEGY,
    STRENGTH,
    Setting { name: "strategy_x", label: "X's strategy", forms: &[Exhibition], ..STRATEGY },
    Setting {
        name: "strength_x",
        label: "X's strength",
        forms: &[Exhibition],
        needs: &[Need::Value("strategy_x", WITH_STRENGTHS)],
        ..STRENGTH
    },
    Setting { name: "strategy_o", label: "O's strategy", forms: &[Exhibition], ..STRATEGY },
    Setting {
        name: "strength_o",
        label: "O's strength",
        forms: &[Exhibition],
        needs: &[Need::Value("strategy_o", WITH_STRENGTHS)],
        ..STRENGTH
    },
    VARIANT,
    Setting {
        name: "majority",
        wire: Some("majority"),
        label: "More boards win",
        help: "More boards win where nobody has three in a row",
        default: "no",
        forms: &[Friend, Against, Exhibition, Both],
        needs: &[Need::Value("variant", &[Variant::Ultimate.name()])],
        ..YES_NO
    },
    BOARD,
    OPENING,
    Setting {
        name: "mark",
        label: "Your mark",
        help: "Your mark",
        offered: MarkChoice::NAMES,
        default: "x",
        forms: &[Friend, Against],
        more: false,
        ..CHOICE
    },
    Setting {
        name: "first",
        wire: Some("first"),
        label: "Who begins",
        help: "The mark that moves first in each game",
        offered: FirstMove::NAMES,
        default: "alternate",
        forms: &[Friend, Against, Exhibition, Both],
        ..CHOICE
    },
    MOVE_TIME,
    Setting {
        name: "listed",
        wire: Some("listed"),
        label: "In the public list",
        help: "Show the room in the public list",
        default: "no",
        forms: &[Friend, Against, Exhibition, Both],
        needs: &[Need::Listing],
        ..YES_NO
    },
    Setting {
        name: "spectators",
        wire: Some("spectators"),
        label: "Spectators",
        help: "Admit no spectators",
        default: "yes",
        forms: &[Friend, Both],
        needs: &[Need::Spectators],
        ..YES_NO
    },
    Setting {
        name: "hints",
        wire: Some("hints"),
        label: "Hints",
        help: "Give hints, also where two people play",
        default: "yes",
        own_defaults: &[(Friend, "no")],
        forms: &[Friend, Against],
        ..YES_NO
    },
    Setting {
        name: "evaluation",
        wire: Some("evaluation"),
        label: "Show who is winning",
        help: "Show spectators who wins with best play",
        default: "no",
        // People watch two computers for this.
        own_defaults: &[(Exhibition, "yes")],
        forms: &[Friend, Exhibition, Both],
        needs: &[Need::Spectators, Need::Value("spectators", &["yes"])],
        ..YES_NO
    },
    Setting {
        name: "adapts",
        wire: Some("adapts"),
        label: "Computer adapts",
        help: "The computer becomes stronger after two of your wins, and weaker after two losses",
        default: "no",
        forms: &[Against],
        needs: &[Need::Value("strategy", WITH_STRENGTHS)],
        ..YES_NO
    },
    Setting {
        name: "comments",
        wire: Some("comments"),
        label: "Computer says why",
        help: "The computer says why it makes a move, on 3x3 and where it is at most average",
        default: "no",
        forms: &[Against],
        needs: &[Need::Comments],
        ..YES_NO
    },
    CHAT,
    Setting {
        name: "computer_after",
        label: "Computer instead",
        help: "Play the computer if no stranger comes in this time",
        kind: Kind::Time,
        offered: &[
            ("none", "never"),
            ("15s", "after 15 seconds"),
            ("30s", "after 30 seconds"),
            ("1m", "after 1 minute"),
        ],
        default: "none",
        forms: &[Quick],
        more: false,
        ..CHOICE
    },
];

impl Setting {
    /// The setting with this name.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn named(name: &str) -> &'static Self {
        let found = SETTINGS.iter().find(|setting| setting.name == name);
        found.unwrap_or_else(|| panic!("no setting is named {name}"))
    }

    /// The settings that a form offers, from top to bottom.
    pub fn of(form: GameKind) -> impl Iterator<Item = &'static Self> {
        SETTINGS.iter().filter(move |setting| setting.forms.contains(&form))
    }
}

impl RoomSettings {
    /// The settings with these values; all others have their defaults. What is no setting of a room
    /// is passed over.
    ///
    /// # Errors
    /// If a text is no value. The error says what is right.
    pub fn with_values<'a>(
        values: impl IntoIterator<Item = (&'a Setting, &'a str)>,
    ) -> Result<Self, String> {
        from_values(values, Setting::wire_value)
    }

    /// Whether a game is drawn as soon as nobody can win. Where more than a line decides, it is played
    /// to its end.
    #[must_use]
    pub fn draws_early(&self) -> bool {
        let is_large = self.board.cells() > BoardSpec::TIC_TAC_TOE.cells();
        self.variant.is_gomoku_like() && self.early_draw.unwrap_or(is_large)
    }

    /// Whether the move time limit is in range, if there is one.
    #[must_use]
    pub fn move_time_is_legal(&self) -> bool {
        self.move_time_ms.is_none_or(|ms| (MIN_MOVE_TIME_MS..=MAX_MOVE_TIME_MS).contains(&ms))
    }
}

/// Who sits on a seat of a new room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SeatRequest {
    /// The maker of the room. On both seats: to play both sides on one screen.
    You,
    /// The next player who joins.
    Open,
    /// A computer. On both seats: an exhibition.
    Computer(Computer),
}

impl Default for ByMark<SeatRequest> {
    fn default() -> Self {
        Self { x: SeatRequest::You, o: SeatRequest::Open }
    }
}
