//! Draws the panel beside or under the board: players, score, turn, clock, and what to do about an
//! opponent who is away. A panel that is too low for all of it leaves out what matters least, and a
//! sign says so.

use noughts_client::session::RoomView;
use noughts_protocol::party::{MAX_PAIRING_GAMES, PartyPhase};
use noughts_protocol::{Cell, Mark, Pace, Seat};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use super::keys::{CLAIMS, REMATCH};
use crate::boards::Boards;
use crate::strings;
use crate::strings::columns;
use crate::tui::layout::{self, Chrome};
use crate::tui::shell::Shell;
use crate::tui::theme::Theme;
use crate::tui::ui::truncate;

/// The height from which on a panel has empty rows.
const SPACIOUS: u16 = 9;

/// The topic of a row of the panel. Of a low panel the last ones are left out first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// The first row of the status.
    Turn,
    Players,
    Clock,
    Status,
    Urgent,
    Detail,
    Evaluation,
    History,
    Space,
}

/// The rows of a panel.
struct Rows {
    rows: Vec<(Part, Line<'static>)>,
    width: u16,
    theme: Theme,
}

impl Rows {
    fn push(&mut self, part: Part, line: Line<'static>) {
        self.rows.push((part, line));
    }

    /// Adds a text, in as many rows as it needs.
    fn text(&mut self, part: Part, text: &str, style: Style) {
        let lines = strings::wrap(text, self.width);
        self.rows.extend(lines.into_iter().map(|line| (part, Line::styled(line, style))));
    }

    /// Adds the status: its first row is left out last.
    fn status(&mut self, text: &str, style: Style) {
        let first = self.rows.len();
        self.text(Part::Status, text, style);
        self.rows[first].0 = Part::Turn;
    }

    fn space(&mut self) {
        self.push(Part::Space, Line::default());
    }

    /// The rows that fit a height. If more than empty ones are left out, the last row says so.
    fn fit(mut self, height: u16) -> Vec<Line<'static>> {
        let theme = self.theme;
        let mut cut = false;
        while self.rows.len() > usize::from(height) {
            let least = self.rows.iter().map(|(part, _)| *part).max().unwrap_or(Part::Space);
            let place = self.rows.iter().rposition(|(part, _)| *part == least).unwrap_or_default();
            self.rows.remove(place);
            cut |= least != Part::Space;
        }
        let mut lines: Vec<_> = self.rows.into_iter().map(|(_, line)| line).collect();
        if let Some(last) = lines.last_mut().filter(|_| cut) {
            let sign = format!(" {}", theme.ellipsis());
            let room = usize::from(self.width).saturating_sub(columns(&sign));
            if last.width() > room {
                *last = Line::styled(truncate(&last.to_string(), room, theme), last.style);
            } else {
                last.push_span(Span::styled(sign, theme.dim()));
            }
        }
        lines
    }
}

/// The most dots for the wins of a series; a longer one shows the number alone.
const MAX_DOTS: u8 = 9;

/// Draws the panel. Of its area so many rows are free of messages.
pub(super) fn render(
    shell: &Shell,
    (view, ink): (&RoomView, Mark),
    (area, free): (Rect, u16),
    buffer: &mut Buffer,
) {
    let theme = shell.theme();
    let mut rows = Rows { rows: Vec::new(), width: area.width, theme };
    players(shell, view, &mut rows);
    // The clock comes right after the players, so that it is always visible.
    if let Some((left, style)) = clock(shell, view).filter(|_| !shows_clock_in_title(area)) {
        let label = Span::raw("Time for the move: ");
        rows.push(Part::Clock, Line::from(vec![label, Span::styled(left, style)]));
    }
    rows.space();
    status(shell, (view, ink), area.height >= SPACIOUS, &mut rows);
    for text in urgent(shell, view) {
        rows.text(Part::Urgent, &text, Style::new());
    }
    if let Some(evaluation) = view.evaluation().filter(|_| area.height >= SPACIOUS) {
        rows.text(Part::Evaluation, strings::analysis::evaluation(evaluation), Style::new());
    }
    rows.space();
    rows.text(Part::History, &history(view, theme.dot()), theme.dim());
    if let Some(id) = shell.last_kept() {
        let command = shell.client.options.way_in.command(&format!("replay {id}"));
        rows.text(Part::History, &command, theme.dim());
    }
    Paragraph::new(rows.fit(free)).render(area, buffer);
}

/// The player to move, or the end of the game.
fn status(shell: &Shell, (view, ink): (&RoomView, Mark), spacious: bool, rows: &mut Rows) {
    let result = view.state.game.as_ref().and_then(|numbered| numbered.game.result());
    if let Some(result) = result {
        let headline = strings::result::headline(view, result);
        let reason = strings::result::reason(view, result) + &strings::result::in_a_row(view);
        let style = result.winner().map_or(Theme::strong(), |winner| rows.theme.mark(winner));
        if spacious {
            rows.status(&headline, style);
            rows.text(Part::Detail, &reason, Style::new());
        } else {
            rows.status(&format!("{headline} {reason}"), style);
        }
        if let Some(text) = waiting(shell) {
            rows.text(Part::Urgent, text, Style::new());
        }
        return;
    }
    let text = waiting(shell).map_or_else(|| strings::status(view), str::to_owned);
    let may_play = strings::variant::may_play(view).map(|text| match view.my_turn() {
        Some(_) if view.has_inks() => format!("You place {ink}: x and o choose."),
        _ => text,
    });
    let text = match &may_play {
        Some(may) if !spacious => format!("{text} {may}"),
        _ => text,
    };
    let evaluation = view.evaluation().map(strings::analysis::evaluation);
    match evaluation.filter(|_| !spacious) {
        Some(evaluation) => {
            rows.status(&format!("{text} {evaluation}"), Theme::strong());
        }
        None => rows.status(&text, Theme::strong()),
    }
    let may_play = may_play.filter(|_| spacious);
    may_play.into_iter().for_each(|text| rows.text(Part::Detail, &text, Style::new()));
}

/// The wish that is sent after a break of the connection.
fn waiting(shell: &Shell) -> Option<&'static str> {
    let session = &shell.session;
    session.lost()?;
    if session.sent_resignation() {
        Some(strings::WAITING_RESIGNATION)
    } else if session.sent_move().is_some() {
        Some(strings::WAITING_MOVE)
    } else {
        session.has_wishes().then_some(strings::WAITING_OTHER)
    }
}

/// Whether the panel is so low that the clock stands in the first row, where no message covers it.
const fn shows_clock_in_title(panel: Rect) -> bool {
    panel.height < 12
}

/// The clock at the end of the first row, if the panel is low.
pub(in crate::tui) fn clock_in_title(
    cursor: Cell,
    shell: &Shell,
    chrome: &Chrome,
) -> Option<Line<'static>> {
    let view = shell.session.room()?;
    let (left, style) = clock(shell, view)?;
    let panel = layout::game(chrome.body, Boards::of_room(view), cursor).panel;
    shows_clock_in_title(panel).then(|| Line::styled(format!(" {left} "), style))
}

/// The rest of the time for the move and its style, with a warning if it is low.
fn clock(shell: &Shell, view: &RoomView) -> Option<(String, Style)> {
    let theme = shell.theme();
    if let Some(left) = view.stands_at {
        return Some((format!("{} paused", strings::clock(left)), theme.error()));
    }
    let ends = view.move_ends.filter(|_| view.state.is_running())?;
    let left = ends.saturating_duration_since(shell.now);
    let shown = strings::clock(left);
    Some(match strings::is_low(left, view.state.settings.move_time_ms) {
        true => (format!("{shown}!"), theme.error()),
        false => (shown, Theme::strong()),
    })
}

/// The lines of both players: turn, mark, name, presence and score. The scores stand under each
/// other.
fn players(shell: &Shell, view: &RoomView, rows: &mut Rows) {
    let theme = rows.theme;
    let notes = Mark::BOTH.map(|mark| note(shell, view, mark));
    let scores = Mark::BOTH.map(|mark| score(view, theme, mark));
    let widest = |texts: &[String]| texts.iter().map(|text| columns(text)).max().unwrap_or(0);
    // The name is cut if the line is too long, the score and the note are not.
    let rest = usize::from(rows.width).saturating_sub(5 + widest(&scores));
    // A rating stands there if the whole name has its place beside it.
    let notes = [(Mark::X, &notes[0]), (Mark::O, &notes[1])].map(|(mark, note)| {
        let rating = strings::ratings::beside(view, mark).map(|rating| format!(" {rating}{note}"));
        let width = |note: &String| columns(&view.state.seats[mark].label()) + columns(note);
        rating.filter(|rated| width(rated) <= rest).unwrap_or_else(|| note.clone())
    });
    let named = Mark::BOTH.into_iter().zip(&notes).map(|(mark, note)| {
        let seat = &view.state.seats[mark];
        let rest = rest.saturating_sub(columns(note));
        let short = match seat {
            Seat::Computer(computer) if columns(&seat.label()) > rest => {
                let both = computer.to_string();
                let long = columns(&both) > rest && computer.strategy.has_strengths();
                if long { computer.strength.to_string() } else { both }
            }
            _ => seat.label(),
        };
        truncate(&short, rest, theme)
    });
    let names: Vec<String> = named.collect();
    let full: Vec<String> =
        names.iter().zip(&notes).map(|(name, note)| name.clone() + note).collect();
    let width = widest(&full);
    for (place, mark) in Mark::BOTH.into_iter().enumerate() {
        let is_next = view.state.turn() == Some(mark);
        let name = if is_next { Theme::strong() } else { Style::new() };
        let pad = " ".repeat(width - columns(&full[place]) + 2);
        let line = Line::from(vec![
            Span::styled(if is_next { theme.turn() } else { " " }, theme.mark(mark)),
            Span::styled(format!("{mark} "), theme.mark(mark)),
            Span::styled(names[place].clone(), name),
            Span::styled(notes[place].clone(), theme.dim()),
            Span::raw(pad),
            Span::styled(scores[place].clone(), Theme::strong()),
        ]);
        rows.push(Part::Players, line);
    }
    if let Some(first_to) = view.state.series.first_to {
        // Of a panel that is too low the dots say it.
        let part = if first_to > MAX_DOTS { Part::Clock } else { Part::Urgent };
        length(&format!("first to {first_to}"), part, rows);
    }
}

/// Adds the length of the series: after the dots of the first player if it fits there, else below.
fn length(text: &str, part: Part, rows: &mut Rows) {
    let style = rows.theme.dim();
    let beside = usize::from(rows.width).saturating_sub(columns(text) + 1);
    match rows.rows.iter_mut().find(|(part, _)| *part == Part::Players) {
        Some((_, first)) if first.width() <= beside => {
            first.push_span(Span::styled(format!(" {text}"), style));
        }
        _ => {
            rows.push(part, Line::styled(format!("   {}", strings::capitalized(text)), style));
        }
    }
}

/// The remark beside a player's name.
fn note(shell: &Shell, view: &RoomView, mark: Mark) -> String {
    let is_human = matches!(view.state.seats[mark], Seat::Human { .. });
    let note = match view.claim_from(mark) {
        _ if view.mine.contains(&mark) && is_human => " (you)",
        Some(from) if from > shell.now => " (away)",
        Some(_) => " (gone)",
        None => "",
    };
    let side = strings::variant::side(view.state.settings.variant, mark);
    if side == mark.to_string() { note.to_owned() } else { format!(", {side}{note}") }
}

/// The games that a player has won. In a short series there is a dot for each win that decides it.
fn score(view: &RoomView, theme: Theme, mark: Mark) -> String {
    let wins = match mark {
        Mark::X => view.state.score.x,
        Mark::O => view.state.score.o,
    };
    let (won, open) = theme.dots();
    match view.state.series.first_to.filter(|dots| *dots <= MAX_DOTS) {
        None => wins.to_string(),
        Some(dots) => {
            let dot = |place: u8| if u32::from(place) < wins { won } else { open };
            format!("{wins} {}", (0..dots).map(dot).collect::<String>())
        }
    }
}

/// The rows that change with time or wait for the player.
fn urgent(shell: &Shell, view: &RoomView) -> Vec<String> {
    let mut lines = at_table(shell);
    if let Some((mark, from)) = view.away_opponent()
        && view.is_playing()
    {
        let name = view.state.seats[mark].label();
        if from > shell.now && view.clock_ends_before(from) {
            lines.push(format!("{name} is away: the clock runs on"));
        } else if from > shell.now {
            let left = strings::countdown(from, shell.now);
            lines.push(format!("{name} is away: you may claim the win in {left}"));
        } else {
            let [win, draw] = CLAIMS;
            lines.push(format!("press {win} to claim the win, {draw} for a draw"));
            lines.push(format!("{name} has been away for too long"));
        }
    }
    if view.may_rematch() {
        let key = REMATCH;
        let offer = strings::offer(view, view.presence.series);
        lines.push(match view.offered_by_opponent() {
            _ if view.offered_by_me() => format!("You offer {offer}: {key} withdraws it"),
            Some(mark) => {
                format!("{} offers {offer}: {key} accepts", view.state.seats[mark].label())
            }
            None if view.state.series.winner(view.state.score).is_some() => {
                format!("{key} begins the next series")
            }
            None => format!("{key} plays again{}", easier_or_harder(view)),
        });
    }
    lines
}

/// After a win or a loss: the key that makes the computer stronger or weaker.
fn easier_or_harder(view: &RoomView) -> &'static str {
    let last = view.state.game.as_ref().filter(|_| view.adjustable().is_some());
    match last.and_then(|last| last.game.result()?.winner()) {
        Some(winner) if view.mine.contains(&winner) => ", + makes it harder",
        Some(_) => ", - makes it easier",
        None => "",
    }
}

/// The number of the game, the draws and the last move.
fn history(view: &RoomView, dot: &str) -> String {
    let Some(numbered) = &view.state.game else { return String::new() };
    let mut text = format!("Game {}", numbered.number);
    match strings::ratings::word(view) {
        "" => {}
        rated => text.push_str(&format!(" {dot} {rated}")),
    }
    match view.state.score.draws {
        0 => {}
        1 => text.push_str(&format!(" {dot} 1 draw")),
        draws => text.push_str(&format!(" {dot} {draws} draws")),
    }
    if view.state.is_exhibition() && view.state.pace != Pace::Normal {
        text.push_str(&format!(" {dot} {}", view.state.pace));
    }
    if let Some(last) = numbered.game.moves().last() {
        text.push_str(&format!(" {dot} last {}", view.state.settings.board.label(*last)));
    }
    text
}

/// The line of a party's room about how to go on.
fn at_table(shell: &Shell) -> Vec<String> {
    let Some((view, party)) = shell.session.room().zip(shell.party()) else { return Vec::new() };
    if !shell.session.is_at_table() {
        return Vec::new();
    }
    if shell.is_awaited() {
        return vec![format!("{} Enter: you are.", party.status())];
    }
    let game = view.state.game.as_ref();
    let result = game.and_then(|numbered| numbered.game.result());
    let Some((result, table)) = result.zip(view.state.settings.party) else { return Vec::new() };
    let is_over = party.state.phase == PartyPhase::Over;
    let open = party.state.pairing(table.pairing);
    let open = open.filter(|one| one.outcome.is_none() && !is_over);
    let is_drawn = result.winner().is_none() && table.game < MAX_PAIRING_GAMES;
    let next = open.filter(|_| is_drawn).and_then(|pairing| pairing.order_in(table.game + 1));
    let again = next.map(|(first, _)| match party.me == Some(first) {
        true => "Played again in a moment: you begin.".to_owned(),
        false => format!("Played again in a moment: {} begins.", party.name(first)),
    });
    again.into_iter().chain(["Enter: back to the party".to_owned()]).collect()
}
