//! Every message, and every variant inside that a client must tell apart, by its name.
//!
//! Each table below is both an exhaustive `match` and the list of its names: a variant that is
//! added to the protocol does not compile here until it has a name, and a name wants a golden
//! file and a place in `protocol/README.md`.

use noughts_protocol::{
    ClaimedResult, ClientMessage, CloseReason, Event, GameResult, GameValue, HintReason, LineKind,
    Opening, OpeningChoice, OpeningPhase, Presence, Role, Seat, SeatRequest, ServerMessage,
    Standing, Verdict,
};

macro_rules! kinds {
    ($($list:ident, $kind:ident: $type:ty { $($pattern:pat => $name:literal,)* })*) => {
        $(
            const $list: &[&str] = &[$($name),*];

            fn $kind(value: &$type) -> &'static str {
                match value { $($pattern => $name,)* }
            }
        )*

        /// Every name there is.
        pub(crate) fn all() -> Vec<&'static str> {
            [$($list),*].concat()
        }
    };
}

kinds! {
    CLIENT, client: ClientMessage {
        ClientMessage::Hello { .. } => "client.hello",
        ClientMessage::Create { .. } => "client.create",
        ClientMessage::QuickMatch { .. } => "client.quick_match",
        ClientMessage::CancelMatch { .. } => "client.cancel_match",
        ClientMessage::Join { .. } => "client.join",
        ClientMessage::Leave { .. } => "client.leave",
        ClientMessage::Play { .. } => "client.play",
        ClientMessage::Choose { .. } => "client.choose",
        ClientMessage::Resign { .. } => "client.resign",
        ClientMessage::Rematch { .. } => "client.rematch",
        ClientMessage::Claim { .. } => "client.claim",
        ClientMessage::Hint { .. } => "client.hint",
        ClientMessage::Review { .. } => "client.review",
        ClientMessage::WatchLobby { .. } => "client.watch_lobby",
        ClientMessage::UnwatchLobby { .. } => "client.unwatch_lobby",
        ClientMessage::Sync { .. } => "client.sync",
        ClientMessage::Pass { .. } => "client.pass",
        ClientMessage::Ping { .. } => "client.ping",
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
        OpeningPhase::Done => "phase.done",
    }
    SERVER, server: ServerMessage {
        ServerMessage::Welcome { .. } => "server.welcome",
        ServerMessage::Ok { .. } => "server.ok",
        ServerMessage::Refused { id: Some(_), .. } => "server.refused",
        ServerMessage::Refused { id: None, .. } => "server.refused.no_id",
        ServerMessage::Snapshot(_) => "server.snapshot",
        ServerMessage::Event { .. } => "server.event",
        ServerMessage::Spectators { .. } => "server.spectators",
        ServerMessage::Hint(_) => "server.hint",
        ServerMessage::Review(_) => "server.review",
        ServerMessage::Evaluation(_) => "server.evaluation",
        ServerMessage::Lobby { .. } => "server.lobby",
        ServerMessage::Pass { .. } => "server.pass",
        ServerMessage::Pong { .. } => "server.pong",
    }
    EVENTS, event: Event {
        Event::Seated { .. } => "server.event.seated",
        Event::Presence { .. } => "server.event.presence",
        Event::GameStarted { .. } => "server.event.game_started",
        Event::Moved { .. } => "server.event.moved",
        Event::Opening { .. } => "server.event.opening",
        Event::GameOver { .. } => "server.event.game_over",
        Event::Rematch { .. } => "server.event.rematch",
        Event::Closed { .. } => "server.event.closed",
    }
    SEATS, seat: Seat {
        Seat::Open => "seat.open",
        Seat::Human { .. } => "seat.human",
        Seat::Computer(_) => "seat.computer",
    }
    PRESENCES, presence: Presence {
        Presence::Connected => "presence.connected",
        Presence::Away { .. } => "presence.away",
        Presence::Gone => "presence.gone",
    }
    RESULTS, result: GameResult {
        GameResult::Line { .. } => "result.line",
        GameResult::BoardFull => "result.board_full",
        GameResult::NoLineLeft => "result.no_line_left",
        GameResult::Resignation { .. } => "result.resignation",
        GameResult::Time { .. } => "result.time",
        GameResult::Absence { .. } => "result.absence",
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
    CLOSE_REASONS, close_reason: CloseReason {
        CloseReason::Left => "closed.left",
        CloseReason::Idle => "closed.idle",
    }
}

/// The names of a client's message and of what is in it; the message's own is the first.
pub(crate) fn of_client(message: &ClientMessage) -> Vec<&'static str> {
    let mut names = vec![client(message)];
    match message {
        ClientMessage::Create { seats, settings, .. } => {
            names.push(opening(&settings.opening));
            names.extend([&seats.x, &seats.o].map(seat_request));
        }
        ClientMessage::Join { role: chosen, .. } => names.push(role(chosen)),
        ClientMessage::Choose { choice: chosen, .. } => names.push(choice(chosen)),
        ClientMessage::Claim { result, .. } => names.push(claim(result)),
        _ => {}
    }
    names
}

/// The names of a server's message and of what is in it; the message's own is the first, and an
/// event goes by its kind.
pub(crate) fn of_server(message: &ServerMessage) -> Vec<&'static str> {
    let mut names = Vec::new();
    match message {
        ServerMessage::Event { event: happened, .. } => {
            names.extend([event(happened), server(message)]);
            match happened {
                Event::Seated { seat, .. } => names.extend(of_seat(seat)),
                Event::Presence { presence: now, .. } => names.push(presence(now)),
                Event::Opening { phase: now, .. } => names.push(phase(now)),
                Event::GameOver { result, .. } => names.extend(of_result(result)),
                Event::Closed { reason } => names.push(close_reason(reason)),
                _ => {}
            }
        }
        ServerMessage::Snapshot(snapshot) => {
            names.push(server(message));
            names.extend([&snapshot.seats.x, &snapshot.seats.o].into_iter().flat_map(of_seat));
            let result = snapshot.game.as_ref().and_then(|game| game.result.as_ref());
            names.extend(result.into_iter().flat_map(of_result));
        }
        ServerMessage::Hint(hint) => names.extend([server(message), hint_reason(&hint.reason)]),
        ServerMessage::Review(review) => {
            names.push(server(message));
            for made in &review.moves {
                names.extend([verdict(&made.verdict), worth(&made.before), worth(&made.after)]);
            }
        }
        ServerMessage::Evaluation(evaluation) => {
            names.extend([server(message), standing(&evaluation.worth)]);
        }
        _ => names.push(server(message)),
    }
    names
}

fn of_seat(of: &Seat) -> Vec<&'static str> {
    let mut names = vec![seat(of)];
    if let Seat::Human { presence: now, .. } = of {
        names.push(presence(now));
    }
    names
}

fn of_result(of: &GameResult) -> Vec<&'static str> {
    let mut names = vec![result(of)];
    if let GameResult::Line { lines, .. } = of {
        names.extend(lines.iter().map(|won| line(&won.kind)));
    }
    names
}
