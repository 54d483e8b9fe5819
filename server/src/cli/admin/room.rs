//! A room on the live screen: its board, its players and its talk. Keys are in [`super::screen`].

use noughts_protocol::{
    ChatLine, DisplayText, Game, GameResult, Mark, RoomCode, RoomState, Seat, SeatPresence,
    Snapshot,
};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::draw::Colors;
use super::list::{Human, humans};

/// A room that the host looks into.
#[derive(Debug)]
pub(super) struct OpenRoom {
    pub(super) code: RoomCode,
    told: Option<(RoomState, Snapshot)>,
    chat: Vec<ChatLine>,
    /// Why nothing more is told.
    pub(super) gone: Option<DisplayText>,
}

impl OpenRoom {
    pub(super) const fn new(code: RoomCode) -> Self {
        Self { code, told: None, chat: Vec::new(), gone: None }
    }

    /// Takes what the server tells of it. A snapshot that breaks the rules is not shown.
    pub(super) fn take(&mut self, snapshot: Snapshot, chat: Vec<ChatLine>) {
        let state = RoomState::from_snapshot(&snapshot);
        self.told = state.ok().map(|state| (state, snapshot));
        self.chat = chat;
        self.gone = None;
    }

    /// The people on its seats.
    pub(super) fn humans(&self) -> Vec<Human> {
        let Some((state, _)) = &self.told else { return Vec::new() };
        humans(self.code, Mark::BOTH.map(|mark| &state.seats[mark]))
    }

    pub(super) fn draw(&self, colors: Colors, area: Rect, buffer: &mut Buffer) {
        let Some((state, snapshot)) = &self.told else {
            let text = self.gone.as_ref().map_or("...", DisplayText::as_str);
            return Line::raw(text).render(area, buffer);
        };
        let spec = state.settings.board;
        let step = if area.width >= 70 { 2 } else { 1 };
        let width = (u16::from(spec.width()) * step).min(area.width / 2);
        let columns = [Constraint::Length(width), Constraint::Length(2), Constraint::Min(0)];
        let [board, _, words] = Layout::horizontal(columns).areas(area);
        if let Some(numbered) = &state.game {
            draw_board(&numbered.game, step, colors, board, buffer);
        }
        let mut lines = self.facts(state, snapshot, colors);
        let free = usize::from(words.height).saturating_sub(lines.len());
        lines.extend(self.talk(usize::from(words.width), free));
        for (line, row) in lines.into_iter().zip(words.rows()) {
            line.render(row, buffer);
        }
    }

    fn facts(&self, state: &RoomState, snapshot: &Snapshot, colors: Colors) -> Vec<Line<'static>> {
        let settings = &state.settings;
        let listed = match settings.party {
            Some(table) => format!("party {}", table.party),
            None if settings.listed => "listed".to_owned(),
            None => "by code".to_owned(),
        };
        let game = settings.variant.on(settings.board);
        let title = format!("Room {}  {game}  {listed}", self.code);
        let mut lines = vec![Line::styled(title, Colors::strong())];
        for mark in Mark::BOTH {
            let seat = &state.seats[mark];
            let wins = if mark == Mark::X { state.score.x } else { state.score.o };
            let turn = if state.turn() == Some(mark) { ">" } else { " " };
            let away = match snapshot.presence.seats[mark] {
                Some(SeatPresence::Away { .. } | SeatPresence::Gone) => ", away",
                Some(SeatPresence::Connected) | None => "",
            };
            let player = match seat {
                Seat::Human { player, .. } => format!(" ({player})"),
                Seat::Open | Seat::Computer(_) => String::new(),
            };
            let side = if settings.variant.shares_marks() { "" } else { &format!("{mark} ") };
            let text = format!("{turn}{side}{}{player}  {wins} won{away}", seat.label());
            lines.push(Line::styled(text, colors.mark(mark)));
        }
        let watch = snapshot.presence.spectators;
        let draws = state.score.draws;
        lines.push(Line::raw(format!("{}  {draws} drawn  {watch} watch", now(state))));
        if let Some(gone) = &self.gone {
            lines.push(Line::styled(gone.to_string(), colors.warning()));
        }
        lines.push(Line::default());
        lines
    }

    /// The end of the talk in so many lines.
    fn talk(&self, width: usize, lines: usize) -> Vec<Line<'static>> {
        let said = self.chat.iter().map(super::said);
        let wrapped: Vec<String> = said
            .flat_map(|text| {
                let lines = textwrap::wrap(&text, width.max(1)).into_iter();
                lines.map(std::borrow::Cow::into_owned).collect::<Vec<_>>()
            })
            .collect();
        let first = wrapped.len().saturating_sub(lines);
        wrapped.into_iter().skip(first).map(Line::raw).collect()
    }
}

/// The state of the game in words.
fn now(state: &RoomState) -> String {
    let Some(numbered) = &state.game else { return "no game yet".to_owned() };
    let end = match numbered.game.result() {
        None => format!("move {}", numbered.game.ply() + 1),
        Some(GameResult::BoardFull | GameResult::NoLineLeft) => "a draw".to_owned(),
        Some(result) => match result.winner() {
            Some(mark) => format!("{mark} has won"),
            None => "broken off".to_owned(),
        },
    };
    format!("game {}, {end}", numbered.number)
}

/// Draws a board, each cell in `step` columns. Where it does not fit, the last move is in the middle.
fn draw_board(game: &Game, step: u16, colors: Colors, area: Rect, buffer: &mut Buffer) {
    let spec = game.spec();
    let last = game.moves().last().copied();
    let (column, row) = last.map_or((0, 0), |cell| spec.position(cell));
    let first = |at: u8, shown: u16, all: u8| {
        u16::from(at).saturating_sub(shown / 2).min(u16::from(all).saturating_sub(shown))
    };
    let left = first(column, area.width / step, spec.width());
    let top = first(row, area.height, spec.height());
    for cell in spec.all_cells() {
        let position = spec.position(cell);
        let column = u16::from(position.0);
        let row = u16::from(position.1);
        if column < left || row < top {
            continue;
        }
        let at = (area.x + (column - left) * step, area.y + row - top);
        if !area.contains(at.into()) {
            continue;
        }
        let (sign, style) = match game.board().get(cell) {
            Some(mark) if last == Some(cell) => (mark.to_string(), Colors::selected()),
            Some(mark) => (mark.to_string(), colors.mark(mark)),
            None => (".".to_owned(), ratatui::style::Style::new()),
        };
        buffer.set_string(at.0, at.1, sign, style);
    }
}
