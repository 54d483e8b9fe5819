//! A kept game: the position that is shown, who played, and the moves with their times or their
//! verdicts. It plays by itself, or step by step.

use std::time::{Duration, Instant};

use crossterm::event::KeyCode;
use noughts_client::session::LookupKind;
use noughts_protocol::{
    ArchivedGame, Cell, Found, Game, GameId, LobbyIntent, Mark, Refusal, ReviewedMove, Rules,
};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{ListState, Paragraph, Widget};

use super::board::{self, Shown};
use super::connect::Wait;
use super::keys::{HELP, Key, KeyAction, is_forward, key};
use super::layout;
use super::screen::{Clicks, Component, Screen, Transition};
use super::shell::Shell;
use super::theme::Theme;
use super::ui::truncate;
use crate::boards::Boards;
use crate::strings::{analysis, archive, wrap};

/// The time between two moves while the game plays by itself.
const PACE: Duration = Duration::from_millis(900);

/// Up to this height the panel shows no more than the players, the move and the list.
const LOW: u16 = 9;

/// Up to this height it shows the move and the list.
const FEW: u16 = 3;

/// A kept game that is shown.
#[derive(Debug)]
pub(crate) struct Replay {
    id: GameId,
    /// The game, once it has come.
    game: Option<ArchivedGame>,
    /// How many moves are on the board.
    pub(super) ply: usize,
    /// The verdict on every move.
    review: Option<Vec<ReviewedMove>>,
    /// When the next move is shown, while the game plays by itself.
    plays_at: Option<Instant>,
    /// The screen to which Esc leads, and its list.
    pub(super) from: (Screen, ListState),
}

impl Replay {
    pub(super) const fn new(id: GameId, from: (Screen, ListState)) -> Self {
        Self { id, game: None, ply: 0, review: None, plays_at: None, from }
    }

    pub(super) fn load(&self, shell: &mut Shell) {
        shell.ask(LobbyIntent::Game { game: self.id });
    }

    fn moves(&self) -> usize {
        self.game.as_ref().map_or(0, |game| game.moves.len())
    }

    /// Whether the run began with it: there is no screen of before.
    pub(super) const fn is_first(&self) -> bool {
        matches!(self.from.0, Screen::Wait(Wait::Server))
    }

    /// Takes in the game that came. Returns why there is none.
    pub(super) fn came(&mut self, shell: &Shell) -> Result<(), Refusal> {
        match shell.session.answer(LookupKind::Game).cloned() {
            Some(Ok(Found::Game { game })) if game.summary.id == self.id => {
                self.ply = game.moves.len();
                self.game = Some(game);
                Ok(())
            }
            Some(Err(refusal)) => Err(refusal),
            _ => Ok(()),
        }
    }

    /// Takes in the review that came.
    pub(super) fn review_came(&mut self, shell: &mut Shell) {
        match shell.session.answer(LookupKind::Review).cloned() {
            Some(Ok(Found::Review { game, moves, proven, .. })) if game == self.id => {
                shell.info(analysis::judgement(&moves, "", proven));
                self.review = Some(moves);
            }
            Some(Err(refusal)) => shell.error(refusal.to_string()),
            _ => {}
        }
    }

    pub(super) fn step(&mut self, forward: bool) {
        self.plays_at = None;
        self.ply =
            if forward { (self.ply + 1).min(self.moves()) } else { self.ply.saturating_sub(1) };
    }

    /// Lets the game play by itself, from the beginning if it is at its end; or stops it.
    fn play(&mut self, now: Instant) {
        if self.plays_at.take().is_none() && self.moves() > 0 {
            if self.ply >= self.moves() {
                self.ply = 0;
            }
            self.plays_at = Some(now + PACE);
        }
    }

    /// Shows the next move, if its time has come.
    pub(super) fn play_on(&mut self, now: Instant) {
        if self.plays_at.is_some_and(|at| at <= now) {
            self.ply += 1;
            self.plays_at = (self.ply < self.moves()).then_some(now + PACE);
        }
    }

    /// Asks for the review, or hides it.
    fn ask_review(&mut self, shell: &mut Shell) {
        if self.review.take().is_none() && shell.ask(LobbyIntent::ReviewGame { game: self.id }) {
            shell.info("Reviewing every move of the game.");
        }
    }

    /// Draws the position, the players and the moves.
    pub(super) fn draw(&self, shell: &Shell, area: Rect, buffer: &mut Buffer) {
        let game = self.game.as_ref().and_then(|kept| {
            let moves: &[Cell] = &kept.moves[..self.ply.min(kept.moves.len())];
            let game = Game::replay(Rules::of(&kept.settings), kept.first, moves, &kept.placed);
            Some((kept, game.ok()?))
        });
        let Some((kept, game)) = game else {
            return Line::styled("  Loading the game.", Theme::strong()).render(area, buffer);
        };
        // A board that does not fit scrolls to the move.
        let last = game.moves().last().copied().unwrap_or(Cell(0));
        let boards = Boards::of(kept.settings.variant, game.spec());
        let layout = layout::game(area, boards, last);
        let made = self.ply.checked_sub(1);
        let judged = self.review.as_ref().zip(made).and_then(|(moves, at)| moves.get(at));
        let better = judged.zip(made).and_then(|(judged, at)| {
            let own = kept.first.after(at);
            Some((judged.best?, judged.best_placed.unwrap_or(own)))
        });
        board::position(shell.theme(), &game, &Shown::better(better), &layout, buffer);
        let lines = self.panel(kept, shell, layout.panel);
        Paragraph::new(lines).render(layout.panel, buffer);
    }

    fn panel(&self, kept: &ArchivedGame, shell: &Shell, area: Rect) -> Vec<Line<'static>> {
        let theme = shell.theme();
        let me = shell.session.player();
        let player = |mark: Mark| {
            let participant = &kept.summary.players[mark];
            let is_me = participant.player().is_some() && participant.player() == me;
            let you = if is_me { " (you)" } else { "" };
            let name = format!("{}{you}", participant.label());
            Line::from(vec![
                Span::styled(format!("{mark} "), theme.mark(mark)),
                Span::raw(truncate(&name, usize::from(area.width).saturating_sub(2), theme)),
            ])
        };
        let ply = self.ply;
        let count = kept.moves.len();
        let time = ply.checked_sub(1).and_then(|at| archive::time_at(kept, at));
        let time = time.map(|time| format!(", after {time}")).unwrap_or_default();
        // Where there are few rows, the verdict of the move is worth more than the names.
        let mut lines = match area.height {
            ..=FEW => Vec::new(),
            _ => Mark::BOTH.map(player).to_vec(),
        };
        if area.height > LOW {
            let rated = if kept.summary.rated { ", rated" } else { "" };
            let when = format!("{}{rated}", archive::date(kept.summary.ended_at));
            lines.push(Line::styled(when, theme.dim()));
            let wrapped = wrap(&archive::result_text(&kept.summary), area.width);
            let winner = kept.summary.result.winner();
            let style = winner.map_or(Theme::strong(), |winner| theme.mark(winner));
            lines.extend(wrapped.into_iter().map(|line| Line::styled(line, style)));
            lines.push(Line::default());
        }
        lines.push(Line::styled(format!("Move {ply} of {count}{time}"), Theme::strong()));
        let rows = usize::from(area.height).saturating_sub(lines.len()).max(1);
        for place in board::listed(ply, count, rows) {
            lines.push(self.line(kept, place, theme, area.width));
        }
        lines
    }

    /// A move with its time or its verdict. The shown move has a sign and is reversed.
    fn line(&self, kept: &ArchivedGame, place: usize, theme: Theme, width: u16) -> Line<'static> {
        let shown = place + 1 == self.ply;
        let mark = kept.first.after(place);
        let label = archive::label_at(kept, place, kept.moves[place]);
        let made = self.review.as_ref().and_then(|moves| moves.get(place));
        if let Some(made) = made {
            return board::judged_line((place + 1, mark, &label), made, shown, theme, width);
        }
        let (pointer, style) = board::pointer(shown);
        let time = archive::time_at(kept, place).unwrap_or_default();
        Line::from(vec![
            Span::styled(format!("{pointer}{:>3} ", place + 1), style),
            Span::styled(format!("{mark} "), theme.mark(mark)),
            Span::raw(format!("{label:<4}")),
            Span::styled(format!(" {time:>7}"), theme.dim()),
        ])
    }
}

impl Component for Replay {
    fn keys(&self, _: &Shell) -> Vec<Key> {
        let any = self.moves() > 0;
        let play = match self.plays_at {
            Some(_) => "pause",
            None if any => "play",
            None => "",
        };
        let review = match self.review {
            Some(_) => "no review",
            None if any => "review",
            None => "",
        };
        vec![
            key("arrows, hjkl", KeyAction::Move, "step", "step through the moves"),
            key("space", KeyAction::Play, play, "play it, or pause"),
            key("v", KeyAction::Review, review, "how good each move was"),
            key("Home", KeyAction::First, "", "before the first move"),
            key("End", KeyAction::Last, "", "after the last move"),
            key("y", KeyAction::Copy, "link", "copy the game's link"),
            key("Esc, q", KeyAction::Back, "back", "back"),
            HELP,
        ]
    }

    fn act(&mut self, shell: &mut Shell, action: KeyAction, code: KeyCode) -> Transition {
        match action {
            KeyAction::Move => self.step(is_forward(code)),
            KeyAction::Play => self.play(shell.now),
            KeyAction::Review => self.ask_review(shell),
            KeyAction::First | KeyAction::Last => {
                self.plays_at = None;
                self.ply = if action == KeyAction::Last { self.moves() } else { 0 };
            }
            KeyAction::Copy => shell.copy_link(shell.share_address.game_link(self.id)),
            _ => return Transition::CloseReplay,
        }
        Transition::Stay
    }

    fn clicks(&self, _: &Shell) -> Clicks {
        Clicks::Places
    }

    fn next_frame(&self, _: &Shell) -> Option<Instant> {
        self.plays_at
    }
}
