//! Every message, and every variant inside that a client must tell apart, by its name.
//!
//! Each table below is both an exhaustive `match` and the list of its names: a variant that is
//! added to the protocol does not compile here until it has a name, and a name wants a golden
//! file and a place in `protocol/README.md`.

use noughts_protocol::{
    BoardClass, ChatMode, ClaimedResult, ClientMessage, CloseReason, Emote, Event, ExportFormat,
    Found, GameResult, GameValue, HintReason, LineKind, LobbyIntent, Opening, OpeningChoice,
    OpeningPhase, OpponentFilter, Outcome, Pace, Participant, PartyRuling, Period, Presence, Role,
    RoomIntent, Said, Seat, SeatPresence, SeatRequest, ServerMessage, Standing, Variant, Verdict,
};

macro_rules! kinds {
    ($($list:ident, $kind:ident: $type:ty { $($pattern:pat => $name:literal,)* })*) => {
        $(
            pub(super) const $list: &[&str] = &[$($name),*];

            pub(super) fn $kind(value: &$type) -> &'static str {
                match value { $($pattern => $name,)* }
            }
        )*

        /// Every name of the tables.
        pub(super) fn listed() -> Vec<&'static str> {
            [$($list),*].concat()
        }
    };
}

mod party;

kinds! {
    ROOM_INTENTS, room_intent: RoomIntent {
        RoomIntent::Play { .. } => "client.play",
        RoomIntent::Choose { .. } => "client.choose",
        RoomIntent::Resign { .. } => "client.resign",
        RoomIntent::Rematch { .. } => "client.rematch",
        RoomIntent::Pace { .. } => "client.pace",
        RoomIntent::Step { .. } => "client.step",
        RoomIntent::Claim { .. } => "client.claim",
        RoomIntent::Hint { .. } => "client.hint",
        RoomIntent::Review { .. } => "client.review",
        RoomIntent::Say { said: Said::Text(_) } => "client.say",
        RoomIntent::Say { said: Said::Emote(_) } => "client.say.emote",
        RoomIntent::Mute { .. } => "client.mute",
        RoomIntent::Leave => "client.leave",
        RoomIntent::Sync => "client.sync",
    }
    LOBBY_INTENTS, lobby_intent: LobbyIntent {
        LobbyIntent::Create { .. } => "client.create",
        LobbyIntent::QuickMatch { .. } => "client.quick_match",
        LobbyIntent::CancelMatch => "client.cancel_match",
        LobbyIntent::Join { .. } => "client.join",
        LobbyIntent::CreateParty { .. } => "client.create_party",
        LobbyIntent::JoinParty { .. } => "client.join_party",
        LobbyIntent::WatchLobby => "client.watch_lobby",
        LobbyIntent::UnwatchLobby => "client.unwatch_lobby",
        LobbyIntent::Pass => "client.pass",
        LobbyIntent::History { .. } => "client.history",
        LobbyIntent::Game { .. } => "client.game",
        LobbyIntent::ReviewGame { .. } => "client.review_game",
        LobbyIntent::Profile { .. } => "client.profile",
        LobbyIntent::Leaderboard { .. } => "client.leaderboard",
        LobbyIntent::Export { .. } => "client.export",
        LobbyIntent::Forget => "client.forget",
        LobbyIntent::Ping => "client.ping",
    }
    SEAT_REQUESTS, seat_request: SeatRequest {
        SeatRequest::You => "request.you",
        SeatRequest::Open => "request.open",
        SeatRequest::Computer(_) => "request.computer",
    }
    ROLES, role: Role {
        Role::Player => "role.player",
        Role::Spectator => "role.spectator",
    }
    CLAIMS, claim: ClaimedResult {
        ClaimedResult::Win => "claim.win",
        ClaimedResult::Draw => "claim.draw",
    }
    VARIANTS, variant: Variant {
        Variant::Line => "variant.line",
    }
    OPENINGS, opening: Opening {
        Opening::Free => "opening.free",
        Opening::Swap2 => "opening.swap2",
    }
    CHOICES, choice: OpeningChoice {
        OpeningChoice::X => "choice.x",
        OpeningChoice::O => "choice.o",
        OpeningChoice::Add => "choice.add",
    }
    PHASES, phase: OpeningPhase {
        OpeningPhase::Placing { .. } => "phase.placing",
        OpeningPhase::Choosing { .. } => "phase.choosing",
    }
    SERVER, server: ServerMessage {
        ServerMessage::Welcome { .. } => "server.welcome",
        ServerMessage::Ok { .. } => "server.ok",
        ServerMessage::Refused { id: Some(_), .. } => "server.refused",
        ServerMessage::Refused { id: None, .. } => "server.refused.no_id",
        ServerMessage::Snapshot(_) => "server.snapshot",
        ServerMessage::Event { .. } => "server.event",
        ServerMessage::Presence { .. } => "server.presence",
        ServerMessage::Hint(_) => "server.hint",
        ServerMessage::Review(_) => "server.review",
        ServerMessage::Evaluation(_) => "server.evaluation",
        ServerMessage::Lobby { .. } => "server.lobby",
        ServerMessage::Pass { .. } => "server.pass",
        ServerMessage::Chat { .. } => "server.chat",
        ServerMessage::Found { found: Found::History { .. }, .. } => "server.found.history",
        ServerMessage::Found { found: Found::Game { .. }, .. } => "server.found.game",
        ServerMessage::Found { found: Found::Review { .. }, .. } => "server.found.review",
        ServerMessage::Found { found: Found::Profile { .. }, .. } => "server.found.profile",
        ServerMessage::Found { found: Found::Leaderboard { .. }, .. } => "server.found.leaderboard",
        ServerMessage::Found { found: Found::Export { .. }, .. } => "server.found.export",
        ServerMessage::Party(_) => "server.party",
        ServerMessage::PartyEvents { .. } => "server.party_events",
        ServerMessage::PartyPresence { .. } => "server.party_presence",
        ServerMessage::Boards { .. } => "server.boards",
        ServerMessage::PlacePass { .. } => "server.place_pass",
        ServerMessage::Pong { .. } => "server.pong",
    }
    EVENTS, event: Event {
        Event::Seated { .. } => "server.event.seated",
        Event::GameStarted { opening: None, .. } => "server.event.game_started",
        Event::GameStarted { opening: Some(_), .. } => "server.event.game_started.swap2",
        Event::Moved { over: None, opening: None, .. } => "server.event.moved",
        Event::Moved { over: Some(_), .. } => "server.event.moved.over",
        Event::Moved { opening: Some(_), .. } => "server.event.moved.opening",
        Event::Chosen { .. } => "server.event.chosen",
        Event::GameOver { .. } => "server.event.game_over",
        Event::Paced { .. } => "server.event.paced",
        Event::Closed { .. } => "server.event.closed",
    }
    SEATS, seat: Seat {
        Seat::Open => "seat.open",
        Seat::Human { .. } => "seat.human",
        Seat::Computer(_) => "seat.computer",
    }
    PRESENCES, seat_presence: SeatPresence {
        SeatPresence::Connected => "presence.connected",
        SeatPresence::Away { .. } => "presence.away",
        SeatPresence::Gone => "presence.gone",
    }
    RESULTS, result: GameResult {
        GameResult::Line { .. } => "result.line",
        GameResult::BoardFull => "result.board_full",
        GameResult::NoLineLeft => "result.no_line_left",
        GameResult::Resignation { .. } => "result.resignation",
        GameResult::Time { .. } => "result.time",
        GameResult::Absence { party: None, .. } => "result.absence",
        GameResult::Absence { party: Some(PartyRuling::Decided), .. } => "result.decided",
        GameResult::Absence { party: Some(PartyRuling::Ended), .. } => "result.ended",
    }
    LINES, line: LineKind {
        LineKind::Row { .. } => "line.row",
        LineKind::Column { .. } => "line.column",
        LineKind::MainDiagonal => "line.main_diagonal",
        LineKind::CounterDiagonal => "line.counter_diagonal",
        LineKind::Stretch { .. } => "line.stretch",
    }
    HINT_REASONS, hint_reason: HintReason {
        HintReason::Wins => "hint.wins",
        HintReason::Blocks { .. } => "hint.blocks",
        HintReason::DoubleThreat => "hint.double_threat",
        HintReason::OnlyMove => "hint.only_move",
        HintReason::Best | HintReason::Unknown => "hint.best",
    }
    WORTHS, worth: GameValue {
        GameValue::Won => "worth.won",
        GameValue::Drawn => "worth.drawn",
        GameValue::Lost => "worth.lost",
        GameValue::Unclear => "worth.unclear",
    }
    VERDICTS, verdict: Verdict {
        Verdict::Best => "verdict.best",
        Verdict::Fine => "verdict.fine",
        Verdict::Mistake => "verdict.mistake",
        Verdict::Opening => "verdict.opening",
    }
    STANDINGS, standing: Standing {
        Standing::XWins => "standing.x_wins",
        Standing::Drawn => "standing.drawn",
        Standing::OWins => "standing.o_wins",
        Standing::Unclear => "standing.unclear",
    }
    PACES, pace: Pace {
        Pace::Paused => "pace.paused",
        Pace::Slow => "pace.slow",
        Pace::Normal => "pace.normal",
        Pace::Fast => "pace.fast",
    }
    CHAT_MODES, chat_mode: ChatMode {
        ChatMode::Text => "chat.text",
        ChatMode::Emotes => "chat.emotes",
        ChatMode::Off => "chat.off",
    }
    EMOTES, emote: Emote {
        Emote::Hello => "emote.hello",
        Emote::GoodLuck => "emote.good_luck",
        Emote::WellPlayed => "emote.well_played",
        Emote::GoodGame => "emote.good_game",
        Emote::Thanks => "emote.thanks",
        Emote::Wow => "emote.wow",
        Emote::Oops => "emote.oops",
        Emote::Thinking => "emote.thinking",
    }
    PARTICIPANTS, participant: Participant {
        Participant::Human { .. } => "participant.human",
        Participant::Somebody => "participant.somebody",
        Participant::Computer(_) => "participant.computer",
    }
    OPPONENTS, opponent_filter: OpponentFilter {
        OpponentFilter::Computer => "opponent.computer",
        OpponentFilter::Human => "opponent.human",
        OpponentFilter::Player(_) => "opponent.player",
    }
    OUTCOMES, outcome_of: Outcome {
        Outcome::Won => "outcome.won",
        Outcome::Lost => "outcome.lost",
        Outcome::Drawn => "outcome.drawn",
    }
    CLASSES, class_of: BoardClass {
        BoardClass::Three => "class.three",
        BoardClass::Four => "class.four",
        BoardClass::Five => "class.five",
    }
    PERIODS, period_of: Period {
        Period::Tonight => "period.tonight",
        Period::Week => "period.week",
        Period::Ever => "period.ever",
    }
    FORMATS, format_of: ExportFormat {
        ExportFormat::JsonLines => "format.json_lines",
        ExportFormat::Sgf => "format.sgf",
    }
    CLOSE_REASONS, close_reason: CloseReason {
        CloseReason::Left => "closed.left",
        CloseReason::Idle => "closed.idle",
    }
}

/// The name of a client's first message.
const HELLO: &str = "client.hello";

/// Every name there is.
pub(crate) fn all() -> Vec<&'static str> {
    [&[HELLO], listed().as_slice(), party::listed().as_slice()].concat()
}

/// The names of a client's message and of what is in it; the message's own is the first.
pub(crate) fn of_client(message: &ClientMessage) -> Vec<&'static str> {
    match message {
        ClientMessage::Hello(_) => vec![HELLO],
        ClientMessage::Room { intent, .. } => {
            let mut names = vec![room_intent(intent)];
            match intent {
                RoomIntent::Choose { choice: chosen, .. } => names.push(choice(chosen)),
                RoomIntent::Claim { result, .. } => names.push(claim(result)),
                RoomIntent::Pace { pace: chosen } => names.push(pace(chosen)),
                RoomIntent::Say { said: Said::Emote(said) } => names.push(emote(said)),
                _ => {}
            }
            names
        }
        ClientMessage::Party { intent, .. } => vec![party::party_intent(intent)],
        ClientMessage::Lobby { intent, .. } => {
            let mut names = vec![lobby_intent(intent)];
            match intent {
                LobbyIntent::Create { seats, settings, .. } => {
                    names.extend([variant(&settings.variant), opening(&settings.opening)]);
                    names.push(chat_mode(&settings.chat));
                    names.extend([&seats.x, &seats.o].map(seat_request));
                }
                LobbyIntent::CreateParty { settings, .. } => {
                    names.push(party::format(&settings.format));
                }
                LobbyIntent::JoinParty { role: chosen, .. } => names.push(party::role(chosen)),
                LobbyIntent::Join { role: chosen, .. } => names.push(role(chosen)),
                LobbyIntent::History { opponent, outcome, .. } => {
                    names.extend(opponent.iter().map(opponent_filter));
                    names.extend(outcome.iter().map(outcome_of));
                }
                LobbyIntent::Leaderboard { class, period } => {
                    names.extend([class_of(class), period_of(period)]);
                }
                LobbyIntent::Export { format, .. } => names.push(format_of(format)),
                _ => {}
            }
            names
        }
    }
}

/// The names of a server's message and of what is in it; the message's own is the first, and an
/// event goes by its kind.
pub(crate) fn of_server(message: &ServerMessage) -> Vec<&'static str> {
    let mut names = vec![server(message)];
    match message {
        ServerMessage::Event { event: happened, .. } => {
            names.insert(0, event(happened));
            names.extend(of_event(happened));
        }
        ServerMessage::Party(snapshot) => names.extend(party::of_snapshot(snapshot)),
        ServerMessage::PartyEvents { events, .. } => {
            for (place, happened) in events.iter().enumerate() {
                names.insert(place, party::event(happened));
                names.extend(party::of_event(happened));
            }
        }
        ServerMessage::Snapshot(snapshot) => {
            names.extend([&snapshot.seats.x, &snapshot.seats.o].map(seat));
            names.extend(of_presence(&snapshot.presence));
            if let Some(game) = &snapshot.game {
                names.extend(game.result.iter().flat_map(of_result));
                names.extend(game.opening.iter().map(phase));
            }
        }
        ServerMessage::Presence { presence, .. } => names.extend(of_presence(presence)),
        ServerMessage::Pong { presence, .. } => names.extend(presence.iter().flat_map(of_presence)),
        ServerMessage::Hint(hint) => names.push(hint_reason(&hint.reason)),
        ServerMessage::Review(review) => {
            for made in &review.moves {
                names.extend([verdict(&made.verdict), worth(&made.before), worth(&made.after)]);
            }
        }
        ServerMessage::Chat { lines, .. } => {
            let emotes = lines.iter().filter_map(|line| match &line.said {
                Said::Emote(said) => Some(emote(said)),
                Said::Text(_) => None,
            });
            names.extend(emotes);
        }
        ServerMessage::Found { found: Found::History { games, .. }, .. } => {
            for game in games {
                names.extend([&game.players.x, &game.players.o].map(participant));
                names.extend(of_result(&game.result));
            }
        }
        ServerMessage::Evaluation(evaluation) => names.push(standing(&evaluation.worth)),
        _ => {}
    }
    names
}

fn of_event(happened: &Event) -> Vec<&'static str> {
    match happened {
        Event::Seated { seat: now, .. } => vec![seat(now)],
        Event::GameStarted { opening: next, .. } => next.iter().map(phase).collect(),
        Event::Moved { over, opening: next, .. } => {
            let result = over.iter().flat_map(|end| of_result(&end.result));
            result.chain(next.iter().map(phase)).collect()
        }
        Event::Chosen { choice: chosen, opening: next, .. } => {
            next.iter().map(phase).chain([choice(chosen)]).collect()
        }
        Event::GameOver { end, .. } => of_result(&end.result),
        Event::Paced { pace: now } => vec![pace(now)],
        Event::Closed { reason } => vec![close_reason(reason)],
    }
}

fn of_presence(of: &Presence) -> Vec<&'static str> {
    [&of.seats.x, &of.seats.o].into_iter().flatten().map(seat_presence).collect()
}

fn of_result(of: &GameResult) -> Vec<&'static str> {
    let mut names = vec![result(of)];
    if let GameResult::Line { lines, .. } = of {
        names.extend(lines.iter().map(|won| line(&won.kind)));
    }
    names
}
