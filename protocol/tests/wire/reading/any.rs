//! Any message of a client.

use noughts_protocol::{
    BoardSpec, ByMark, Cell, ClaimedResult, ClientMessage, Computer, ComputerFallback, FirstMove,
    Hello, IntentId, LobbyIntent, Opening, OpeningChoice, Pace, PartyCode, PartyFormat,
    PartyIntent, PartyRole, PartySettings, Role, RoomCode, RoomIntent, RoomSettings, SeatRequest,
    Series, Strategy as ComputerStrategy, Strength,
};
use proptest::prelude::*;

fn any_board() -> impl Strategy<Value = BoardSpec> {
    (3..=19_u8, 3..=19_u8, 3..=19_u8).prop_map(|(width, height, line)| {
        BoardSpec::new(width, height, line.min(width.max(height))).expect("sides in range")
    })
}

fn any_computer() -> impl Strategy<Value = Computer> {
    let strategies = &ComputerStrategy::ALL[..];
    let strengths = &Strength::ALL[..];
    (prop::sample::select(strategies), prop::sample::select(strengths))
        .prop_map(|(strategy, strength)| Computer { strategy, strength })
}

fn any_seat() -> impl Strategy<Value = SeatRequest> {
    prop_oneof![
        Just(SeatRequest::You),
        Just(SeatRequest::Open),
        any_computer().prop_map(SeatRequest::Computer),
    ]
}

fn any_settings() -> impl Strategy<Value = RoomSettings> {
    let first = prop::sample::select(
        &[FirstMove::Alternate, FirstMove::X, FirstMove::O, FirstMove::Random, FirstMove::Loser][..],
    );
    let opening = prop::sample::select(&[Opening::Free, Opening::Swap2][..]);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let options = (any::<Option<u32>>(), any::<Option<bool>>());
    (any_board(), first, opening, flags, options).prop_map(
        |(board, first, opening, flags, (move_time_ms, early_draw))| {
            let (listed, spectators, hints, evaluation) = flags;
            let variant = noughts_protocol::Variant::Line;

            RoomSettings {
                board,
                variant,
                first,
                opening,
                move_time_ms,
                listed,
                spectators,
                early_draw,
                hints,
                evaluation,
                chat: noughts_protocol::ChatMode::default(),
                party: None,
            }
        },
    )
}

fn any_lobby_intent() -> impl Strategy<Value = LobbyIntent> {
    let create = (any_settings(), any_seat(), any_seat(), any::<bool>()).prop_map(
        |(settings, x, o, shuffle)| LobbyIntent::Create {
            settings,
            seats: ByMark { x, o },
            shuffle,
        },
    );
    let fallback = (any::<u32>(), any_computer())
        .prop_map(|(after_ms, computer)| ComputerFallback { after_ms, computer });
    let quick_match = (any_board(), any::<Option<u32>>(), prop::option::of(fallback)).prop_map(
        |(board, move_time_ms, computer)| LobbyIntent::QuickMatch { board, move_time_ms, computer },
    );
    let role = prop::sample::select(&[Role::Player, Role::Spectator][..]);
    prop_oneof![
        create,
        quick_match,
        (any_room(), role).prop_map(|(room, role)| LobbyIntent::Join { room, role }),
        any_party(),
        (any_room(), prop::sample::select(&ROLES[..]))
            .prop_map(|(room, role)| LobbyIntent::JoinParty { party: PartyCode(room), role }),
        Just(LobbyIntent::CancelMatch),
        Just(LobbyIntent::WatchLobby),
        Just(LobbyIntent::UnwatchLobby),
        Just(LobbyIntent::Pass),
        Just(LobbyIntent::Ping),
    ]
}

const ROLES: [PartyRole; 3] = [PartyRole::Player, PartyRole::Spectator, PartyRole::Screen];

fn any_party() -> impl Strategy<Value = LobbyIntent> {
    let numbers = (any::<u32>(), any::<u8>(), any::<u8>(), any::<Option<u8>>());
    let fill = prop::option::of(any_computer());
    let format = prop::sample::select(&PartyFormat::ALL[..]);
    (any_board(), numbers, fill, format, any::<bool>()).prop_map(
        |(board, (move_time_ms, rounds, tables, first_to), fill, format, plays)| {
            let opening = Opening::default();
            let chat = noughts_protocol::ChatMode::default();
            let settings = PartySettings {
                board,
                format,
                move_time_ms,
                opening,
                rounds,
                tables,
                first_to,
                chat,
                fill,
            };
            LobbyIntent::CreateParty { name: "Ada".parse().expect("a name"), settings, plays }
        },
    )
}

fn any_party_intent() -> impl Strategy<Value = PartyIntent> {
    let note = prop::option::of(r#"[a-zé"\\🦀]{1,24}"#);
    prop_oneof![
        any::<u32>().prop_map(|pairing| PartyIntent::Ready { pairing }),
        any::<bool>().prop_map(|pause| PartyIntent::PauseParty { pause }),
        (any::<u16>(), any::<bool>())
            .prop_map(|(entrant, skip)| PartyIntent::Skip { entrant, skip }),
        any::<u16>().prop_map(|entrant| PartyIntent::PlacePass { entrant }),
        (any::<u16>(), "[a-zé]{1,24}").prop_map(|(entrant, name)| {
            PartyIntent::Rename { entrant, name: name.parse().expect("a name") }
        }),
        "[a-z0-9._-]{1,128}"
            .prop_map(|pass| { PartyIntent::TakePlace { pass: pass.parse().expect("a pass") } }),
        (any::<u32>(), any::<Option<u16>>(), note).prop_map(|(pairing, winner, note)| {
            let note = note.map(|note| note.parse().expect("a text"));
            PartyIntent::Decide { pairing, winner, note }
        }),
        Just(PartyIntent::Withdraw),
        Just(PartyIntent::LeaveParty),
        Just(PartyIntent::SyncParty),
        Just(PartyIntent::StartParty),
        Just(PartyIntent::EndParty),
    ]
}

fn any_series() -> impl Strategy<Value = Option<Series>> {
    let wins = prop::option::of(1..=Series::MAX);
    prop::option::of(wins.prop_map(|first_to| Series { first_to }))
}

fn any_room_intent() -> impl Strategy<Value = RoomIntent> {
    let choice =
        prop::sample::select(&[OpeningChoice::X, OpeningChoice::O, OpeningChoice::Add][..]);
    let result = prop::sample::select(&[ClaimedResult::Win, ClaimedResult::Draw][..]);
    prop_oneof![
        (any::<u32>(), any::<u16>(), any::<u16>()).prop_map(|(game, ply, cell)| RoomIntent::Play {
            game,
            ply,
            cell: Cell(cell)
        }),
        (any::<u32>(), choice).prop_map(|(game, choice)| RoomIntent::Choose { game, choice }),
        any::<u32>().prop_map(|game| RoomIntent::Resign { game }),
        (any::<u32>(), any::<bool>()).prop_map(|(game, offer)| RoomIntent::Rematch {
            game,
            offer,
            series: None
        }),
        (any::<u32>(), any_series()).prop_map(|(game, series)| RoomIntent::Rematch {
            game,
            offer: true,
            series
        }),
        prop::sample::select(&Pace::ALL[..]).prop_map(|pace| RoomIntent::Pace { pace }),
        (any::<u32>(), any::<u16>()).prop_map(|(game, ply)| RoomIntent::Step { game, ply }),
        (any::<u32>(), result).prop_map(|(game, result)| RoomIntent::Claim { game, result }),
        any::<u32>().prop_map(|game| RoomIntent::Hint { game }),
        any::<u32>().prop_map(|game| RoomIntent::Review { game }),
        Just(RoomIntent::Leave),
        Just(RoomIntent::Sync),
    ]
}

fn any_room() -> impl Strategy<Value = RoomCode> {
    any::<u32>().prop_map(RoomCode::from_number)
}

fn any_id() -> impl Strategy<Value = IntentId> {
    (0..=IntentId::MAX).prop_map(|id| id.try_into().expect("an id in range"))
}

fn any_hello() -> impl Strategy<Value = Hello> {
    let secret = || prop::option::of("[0-9A-Za-z._-]{1,128}");
    let name = r#"[a-zé"\\🦀]{1,24}"#;
    let password = prop::option::of(r#"[ -~é"\\]{1,64}"#);
    (any::<u32>(), name, secret(), secret(), password).prop_map(
        |(protocol, name, token, pass, password)| Hello {
            protocol,
            name: name.parse().expect("a name"),
            token: token.map(|token| token.parse().expect("a token")),
            pass: pass.map(|pass| pass.parse().expect("a pass")),
            password: password.map(|password| password.parse().expect("a password")),
        },
    )
}

pub(super) fn any_message() -> impl Strategy<Value = ClientMessage> {
    prop_oneof![
        1 => any_hello().prop_map(ClientMessage::Hello),
        4 => (any_room_intent(), any_id(), any_room())
            .prop_map(|(intent, id, room)| ClientMessage::Room { intent, id, room }),
        2 => (any_party_intent(), any_id(), any_room()).prop_map(|(intent, id, room)| {
            ClientMessage::Party { intent, id, party: PartyCode(room) }
        }),
        4 => (any_lobby_intent(), any_id())
            .prop_map(|(intent, id)| ClientMessage::Lobby { intent, id }),
    ]
}
