//! A room: the game with its panel, the review of a finished one, or the wait for a player. Keys
//! type a cell's name ([`CellPrompt`]) or something to say ([`Talk`]).

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use noughts_client::session::RoomView;
use noughts_protocol::{
    ByMark, Cell, ChatLine, Emote, Event, GameResult, Mark, Pace, Review, RoomIntent, Said, Seat,
};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::board;
use super::keys::{HELP, Key, KeyAction, direction, is_forward, key};
use super::layout::{self, Chrome, GameLayout};
use super::motion::{self, Stroke};
use super::notifications::Watched;
use super::overlay::Question;
use super::screen::{Clicks, Component, Transition};
use super::shell::Shell;
use super::text_field::TextField;
use crate::action::Action;
use crate::boards::Boards;
use crate::strings;
use cell_prompt::CellPrompt;
use talk::Talk;

mod cell_prompt;
pub(super) mod keys;
pub(super) mod panel;
mod review;
mod talk;
mod waiting;

/// The screen of a room. It stays while the menu or the party is shown.
#[derive(Debug)]
pub(crate) struct RoomScreen {
    /// The cell that Enter plays.
    pub(super) cursor: Cell,
    /// The typed part of a cell's name.
    pub(super) cell: CellPrompt,
    /// The mark that the player places, where there is a choice.
    ink: Mark,
    pub(super) talk: Talk,
    /// How many moves of the room's review are on the board, while it replaces the game.
    pub(super) review_ply: Option<usize>,
    /// The last event of the room while a review covers it.
    news: Option<String>,
    /// Whether a hint was asked for and has not come.
    awaits_hint: bool,
    /// When the game was won, if this terminal saw it.
    won_at: Option<Instant>,
    /// How fast two computers played before they were paused.
    pace_before_pause: Pace,
}

/// The next faster or slower pace. Paused computers do not move, so they have none.
const fn turned(pace: Pace, faster: bool) -> Option<Pace> {
    match (pace, faster) {
        (Pace::Slow, true) | (Pace::Fast, false) => Some(Pace::Normal),
        (Pace::Normal, true) => Some(Pace::Fast),
        (Pace::Normal, false) => Some(Pace::Slow),
        (Pace::Paused, _) | (Pace::Fast, true) | (Pace::Slow, false) => None,
    }
}

/// Whether the player is to place a mark.
fn is_turn(view: &RoomView) -> bool {
    view.my_turn().is_some() && view.my_choice().is_none()
}

/// Whether cells are typed by their names: there is a game, and its cells have no digits.
fn takes_cell_names(view: &RoomView) -> bool {
    view.is_playing() && view.my_choice().is_none() && view.state.settings.board.cells() > 9
}

/// The cell to which the cursor goes when the player is sent to another board: the nearest one that may
/// be played.
fn near_open(view: &RoomView, cursor: Cell) -> Option<Cell> {
    view.my_turn().filter(|_| Boards::of_room(view).count() > 1)?;
    let open = view.playable()?.cells?;
    let (column, row) = Boards::of_room(view).spec.position(cursor);
    let distance = |cell: &Cell| {
        let at = Boards::of_room(view).spec.position(*cell);
        at.0.abs_diff(column) + at.1.abs_diff(row)
    };
    open.into_iter().min_by_key(distance)
}

impl RoomScreen {
    pub(super) fn new() -> Self {
        Self {
            cursor: Cell(0),
            cell: CellPrompt::default(),
            ink: Mark::X,
            talk: Talk::default(),
            review_ply: None,
            news: None,
            awaits_hint: false,
            won_at: None,
            pace_before_pause: Pace::default(),
        }
    }

    /// Whether what is typed belongs to a line or a cell's name.
    pub(super) const fn takes_keys(&self) -> bool {
        self.talk.field.is_some() || self.cell.typed.is_some()
    }

    /// The room that the player entered begins with the cursor in the middle.
    pub(super) fn center(&mut self, view: &RoomView) {
        let spec = view.state.settings.board;
        let column = i16::from(spec.width()) / 2;
        let row = i16::from(spec.height()) / 2;
        self.cursor = spec.cell_at(column, row).unwrap_or(Cell(0));
    }

    /// The room that the player entered is shown anew.
    pub(super) fn begin(&mut self, shell: &mut Shell) {
        self.talk.enter(shell);
        let own = shell.session.room().and_then(|view| view.mine.first().copied());
        self.ink = own.unwrap_or(self.ink);
        self.review_ply = None;
        self.cell.typed = None;
        self.won_at = None;
        self.news = None;
    }

    /// Another screen is shown, or this one anew.
    pub(super) fn leave_prompts(&mut self) {
        self.cell = CellPrompt::default();
        self.talk.close();
    }

    /// The review and its news are not wanted any more.
    pub(super) fn drop_review(&mut self) {
        self.review_ply = None;
        self.news = None;
    }

    /// A refused key was typed: Enter asks before it plays.
    pub(super) const fn doubt(&mut self) {
        self.cell.doubtful = true;
    }

    /// Whether the message is about a key, so that the next one clears it.
    pub(super) fn is_about_key(&self, shell: &Shell) -> bool {
        shell.has_error() || self.cell.doubtful
    }

    /// Tells what happened. A review keeps its summary: the news wait for its end.
    pub(super) fn tell(&mut self, shell: &mut Shell, text: String) {
        if self.review_ply.is_some() {
            self.news = Some(text);
        } else {
            shell.info(text);
        }
    }

    fn tell_news(&mut self, shell: &mut Shell) {
        self.review_ply = None;
        self.news.take().into_iter().for_each(|news| shell.info(news));
    }

    /// The connection broke: the server forgets the question for a hint. Returns whether there was one.
    pub(super) const fn lose_hint(&mut self) -> bool {
        std::mem::replace(&mut self.awaits_hint, false)
    }

    pub(super) fn hint_came(&mut self, shell: &mut Shell) {
        self.awaits_hint = false;
        let text = shell.session.room().and_then(|view| {
            let hint = view.hint()?;
            Some(strings::analysis::hint(view, hint))
        });
        text.into_iter().for_each(|text| shell.info(text));
    }

    /// Shows the end of a review that came, unless the next game has begun.
    pub(super) fn review_came(&mut self, shell: &mut Shell) {
        let Some(view) = shell.session.room().filter(|view| !view.is_playing()) else { return };
        if let Some(review) = &view.review {
            self.review_ply = Some(review.moves.len());
            shell.info(strings::analysis::summary(view, review));
        }
    }

    /// Shows what happened in the room.
    pub(super) fn event(&mut self, shell: &mut Shell, event: &Event, before: &ByMark<Seat>) {
        // A hint for another position does not come.
        self.awaits_hint = self.awaits_hint && shell.session.awaits_analysis();
        let Some(view) = shell.session.room() else { return };
        let over = strings::end_text(view, event).is_some();
        let watching = view.is_watching();
        let may_choose = view.my_choice().is_some();
        self.cursor = near_open(view, self.cursor).unwrap_or(self.cursor);
        // The panel says how a game ended. The message stays with the last move.
        match strings::event_text(view, event, before) {
            Some(text) => self.tell(shell, text),
            None if over && self.review_ply.is_none() => shell.message = None,
            None => {}
        }
        // A spectator may read on; the message says that the next game begins.
        if matches!(event, Event::GameStarted { .. }) && !watching {
            self.tell_news(shell);
        }
        // The keys mean something else now.
        if over || may_choose {
            self.cell.typed = None;
        }
        if over {
            self.won_at = shell.client.preferences.motion.then_some(shell.now);
        }
    }

    /// Shows new lines: in the panel where there is space, else the last one as a message.
    pub(super) fn heard(&mut self, shell: &mut Shell, lines: &[ChatLine]) {
        self.mark_read(shell);
        let Some(view) = shell.session.room() else { return };
        let Some(line) = lines.last().filter(|line| line.n > shell.read) else { return };
        let speaker = strings::talk::speaker(view, line, shell.session.host_here());
        let text = format!("{speaker}: {}", strings::talk::said(&line.said));
        let width = usize::from(shell.size.width.saturating_sub(2));
        let dots = shell.theme().ellipsis();
        let short = strings::beginning(&text, width.saturating_sub(strings::columns(dots)));
        let is_long = strings::columns(&text) > width;
        self.tell(shell, if is_long { format!("{short}{dots}") } else { text });
    }

    /// Counts what is on the screen as read: in the panel, or above the line that is typed.
    pub(super) fn mark_read(&self, shell: &mut Shell) {
        let shown = self.talk.field.is_some() || self.talk_area(shell).is_some();
        if shown && shell.watched != Watched::No {
            let last = shell.session.room().and_then(|view| view.chat.lines.last());
            shell.read = shell.read.max(last.map_or(0, |line| line.n));
        }
    }

    /// Says an emote. The line is done, as after a text.
    pub(super) fn say_emote(&mut self, shell: &mut Shell, emote: Emote) {
        self.talk.close();
        shell.ask(RoomIntent::Say { said: Said::Emote(emote) });
    }

    /// The review that replaces the board, and how many of its moves are on the board.
    fn shown_review<'a>(&self, shell: &'a Shell) -> Option<(&'a Review, usize)> {
        let review = shell.session.room()?.review.as_ref()?;
        Some((review, self.review_ply?.min(review.moves.len())))
    }

    /// Shows the position after one more move of the review, or after one less.
    pub(super) fn step_review(&mut self, shell: &Shell, forward: bool) {
        let Some((_, ply)) = self.shown_review(shell) else { return };
        self.review_ply = Some(if forward { ply + 1 } else { ply.saturating_sub(1) });
    }

    /// How much of a winning line is drawn; `None` if all of it is.
    fn stroke(&self, shell: &Shell) -> Option<Stroke> {
        let since = shell.now.saturating_duration_since(self.won_at?);
        let game = shell.session.room()?.state.game.as_ref()?;
        match game.game.result() {
            Some(GameResult::Line { lines, .. }) => {
                motion::stroke(lines.iter().map(|line| line.cells.len()).max()?, since)
            }
            _ => None,
        }
    }

    // The keys.

    /// Whether a letter is a key that means nothing at the moment: as long as there is no game, or
    /// because it may name a column of the board. A hint belongs to the other turn too.
    pub(super) fn is_idle(&self, shell: &Shell, typed: KeyEvent) -> bool {
        let letter = matches!(typed.code, KeyCode::Char(letter) if letter.is_ascii_alphabetic());
        let Some(view) = shell.session.room().filter(|_| letter) else { return false };
        if self.review_ply.is_some() || self.takes_keys() || view.may_pace() || view.is_watching() {
            return false;
        }
        let keys = self.keys(shell);
        let Some((meaning, code)) = super::keys::meaning(&keys, typed) else { return false };
        let action = meaning.action;
        let key = KeyEvent { code, ..typed };
        let waits =
            action == KeyAction::Hint && view.state.gives_hints() && view.state.game.is_some();
        let may_be_cell =
            action == KeyAction::Move || view.state.game.is_none() || self.is_column(shell, key);
        !waits && may_be_cell && keys.iter().any(|one| one.has(key) && !one.when)
    }

    /// Whether a letter begins a cell's name although a key has it: the key means nothing now.
    fn is_column(&self, shell: &Shell, key: KeyEvent) -> bool {
        let KeyCode::Char(letter) = key.code else { return false };
        let held = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        let view = shell.session.room().filter(|view| takes_cell_names(view));
        let is_free = self.review_ply.is_none() && self.cell.typed.is_none() && !held;
        is_free && view.is_some_and(|view| cell_prompt::begins(view.state.settings.board, letter))
    }

    /// Begins a cell's name with a key that has no other meaning. Returns whether it does.
    pub(super) fn begin_column(&mut self, shell: &Shell, key: KeyEvent) -> bool {
        let begins = self.is_column(shell, key);
        if let KeyCode::Char(letter) = key.code
            && begins
        {
            self.begin_cell(shell, letter);
        }
        begins
    }

    fn begin_cell(&mut self, shell: &Shell, letter: char) {
        if let Some(view) = shell.session.room() {
            self.cell.begin(view.state.settings.board, letter, self.cursor);
        }
    }

    /// Takes a key while a cell's name is typed.
    pub(super) fn type_cell(&mut self, shell: &Shell, code: KeyCode) {
        if let Some(view) = shell.session.room() {
            self.cursor = self.cell.take(view.state.settings.board, code, self.cursor);
            // A column is enough where marks fall.
            let column = self.cell.typed.as_ref().filter(|typed| typed.len() == 1);
            let column = column.and_then(|column| view.read_move(column).ok());
            self.cursor = column.map_or(self.cursor, |(cell, _)| cell);
        }
    }

    /// The keys that a player may have wanted.
    pub(super) fn instead(&self, shell: &Shell) -> String {
        let view = shell.session.room().filter(|_| self.review_ply.is_none());
        let Some(view) = view else { return String::new() };
        match view.my_choice() {
            Some(true) => "x, o or a chooses, ".to_owned(),
            Some(false) => "x or o chooses, ".to_owned(),
            None if !view.is_playing() || view.my_turn().is_none() => String::new(),
            None if takes_cell_names(view) => format!("{} types a cell, ", cell_prompt::KEY),
            None => "1 to 9 place a mark, ".to_owned(),
        }
    }

    fn move_cursor(&mut self, shell: &Shell, by: (i16, i16)) {
        self.cell.typed = None;
        let Some(layout) = self.layout(shell) else { return };
        self.cursor = layout.beside(self.cursor, by).unwrap_or(self.cursor);
    }

    fn play(&mut self, shell: &mut Shell, cell: Cell) {
        self.cursor = cell;
        self.cell.typed = None;
        self.cell.doubtful = false;
        let inks = shell.session.room().is_some_and(RoomView::has_inks);
        shell.ask(shell.session.move_to(cell, inks.then_some(self.ink)));
    }

    /// The cell of the cursor: where marks fall, that in which one lands.
    fn landing(&self, shell: &Shell) -> Cell {
        shell.session.room().map_or(self.cursor, |view| view.landing(self.cursor))
    }

    /// Handles a digit: on a board of at most nine cells it plays.
    fn number(&mut self, shell: &mut Shell, code: KeyCode) -> Transition {
        let (Some(view), KeyCode::Char(digit)) = (shell.session.room(), code) else {
            return Transition::Stay;
        };
        let spec = view.state.settings.board;
        match spec.parse_cell(&digit.to_string()) {
            _ if spec.cells() > 9 && !takes_cell_names(view) => return Transition::Meaningless,
            _ if spec.cells() > 9 => {
                let example = spec.label(self.cursor);
                let key = cell_prompt::KEY;
                self.doubt();
                shell.info(format!(
                    "a cell is a letter and a number here, such as {example}: {key} types one"
                ));
            }
            Ok(cell) => self.play(shell, cell),
            Err(_) => {
                shell.error(format!("there is no cell {digit}: type 1 to {}", spec.cells()));
            }
        }
        Transition::Stay
    }

    /// Handles Enter: says what is typed, plays a cell, or leads on from a table of the party.
    fn enter(&mut self, shell: &mut Shell) -> Transition {
        if self.talk.field.is_some() {
            self.talk.say(shell);
        } else if self.cell.typed.is_some() {
            self.play_typed(shell);
        } else if shell.is_done_at_table() {
            if !shell.say_ready() {
                return Self::leave_table(shell);
            }
        } else {
            self.play_cursor(shell);
        }
        Transition::Stay
    }

    /// Plays the typed cell. If it cannot be, the cursor goes back to where it was.
    fn play_typed(&mut self, shell: &mut Shell) {
        let (Some(view), Some(typed)) = (shell.session.room(), self.cell.typed.take()) else {
            return;
        };
        let spec = view.state.settings.board;
        match view.read_move(&typed) {
            Ok((cell, _)) => self.play(shell, cell),
            Err(taken) if spec.parse_cell(&typed).is_ok() => shell.error(taken),
            Err(_) => {
                let last = spec.label(Cell(spec.cells() - 1));
                shell.error(format!("a cell is a letter and a number, from a1 to {last}"));
            }
        }
        if shell.has_error() {
            self.cursor = self.cell.from.unwrap_or(self.cursor);
            self.doubt();
        }
    }

    /// Plays the cell of the cursor. After a refused key it only says which one that is.
    fn play_cursor(&mut self, shell: &mut Shell) {
        let doubtful = self.cell.doubtful;
        // Of keys that came in one read none confirms what another one asked.
        self.cell.doubtful &= shell.in_a_row;
        let asks =
            |view: &&RoomView| doubtful && view.my_turn().is_some() && takes_cell_names(view);
        let spec = shell.session.room().filter(asks).map(|view| view.state.settings.board);
        match spec {
            Some(spec) => {
                let cell = spec.label(self.landing(shell));
                shell.info(format!("Enter again plays {cell}."));
            }
            None => self.play(shell, self.landing(shell)),
        }
    }

    /// Goes from a room of the party to the party. A spectator leaves the room; a player keeps the seat.
    fn leave_table(shell: &mut Shell) -> Transition {
        if shell.session.room().is_some_and(RoomView::is_watching) {
            shell.ask(RoomIntent::Leave);
        }
        Transition::Party(None)
    }

    /// Goes back to where the room was entered.
    fn back(&mut self, shell: &mut Shell) -> Transition {
        if self.review_ply.is_some() {
            shell.message = None;
            self.tell_news(shell);
            Transition::Stay
        } else if shell.session.is_at_table() {
            Self::leave_table(shell)
        } else if shell.is_playing() {
            Transition::Ask(Question::Leave)
        } else {
            Transition::Leave
        }
    }

    /// Pauses the computers, or lets them play on as before.
    fn pause(&mut self, shell: &mut Shell) {
        let Some(view) = shell.session.room() else { return };
        let pace = match view.state.pace {
            Pace::Paused => self.pace_before_pause,
            running => {
                self.pace_before_pause = running;
                Pace::Paused
            }
        };
        shell.ask(RoomIntent::Pace { pace });
    }

    /// Shows the last game of the room again.
    fn replay_last(shell: &mut Shell) -> Transition {
        let running = shell.session.room().is_some_and(|view| view.state.is_running());
        match shell.last_kept() {
            Some(id) => return Transition::Begin(Action::Replay(id)),
            None if shell.client.choice.features.history && running => {
                shell.error("this game can be looked at again when it is over");
            }
            None => shell.error("this game is not kept"),
        }
        Transition::Stay
    }

    // The drawing.

    /// Where the parts of the game are.
    fn layout(&self, shell: &Shell) -> Option<GameLayout> {
        let view = shell.session.room()?;
        Some(layout::game(layout::chrome(shell.size)?.body, Boards::of_room(view), self.cursor))
    }

    /// The part of the panel that shows what people say, if there is space and anything to show.
    fn talk_area(&self, shell: &Shell) -> Option<Rect> {
        let view = shell.session.room().filter(|view| !view.chat.lines.is_empty())?;
        view.state.game.as_ref().filter(|_| self.review_ply.is_none())?;
        layout::talk(self.layout(shell)?.panel)
    }

    /// The line that is typed, in the place of the message, and the column of the caret; and whether the message
    /// may stand above it.
    pub(super) fn prompt(&self, shell: &Shell) -> Option<(String, u16, bool)> {
        if let Some((line, caret)) = self.talk.prompt(shell) {
            return Some((line, caret, true));
        }
        let (line, caret) = self.cell.prompt(shell.size.width)?;
        Some((line, caret, false))
    }

    /// Draws the room. A message covers the last rows: what matters stands above them.
    pub(super) fn draw(&self, shell: &Shell, chrome: &Chrome, covered: u16, buffer: &mut Buffer) {
        let area = chrome.body;
        let free = |area: Rect| {
            let bottom = area.bottom().min(chrome.body.bottom().saturating_sub(covered));
            Rect { height: bottom.saturating_sub(area.y), ..area }
        };
        let Some(view) = shell.session.room() else { return };
        if view.state.game.is_none() {
            waiting::render(shell, view, free(area), buffer);
        } else if self.review_ply.is_some() {
            if let Some(shown) = self.shown_review(shell) {
                review::render(shown, shell, view, area, buffer);
            }
        } else {
            let layout = layout::game(area, Boards::of_room(view), self.cursor);
            self.draw_board(shell, view, &layout, buffer);
            let free_panel = free(layout.panel);
            let talk = self.talk_area(shell).map(free);
            let rows = talk.map_or(free_panel.height, |talk| talk.y - layout.panel.y);
            let panel = (layout.panel, rows.min(free_panel.height));
            panel::render(shell, (view, self.ink), panel, buffer);
            talk.into_iter().for_each(|area| talk::in_panel(shell, view, area, buffer));
        }
        // The last lines stand above the line that is typed, if the panel has no space for them.
        if self.talk.field.is_some() && self.talk_area(shell).is_none() {
            talk::above_prompt(shell, view, chrome, covered, buffer);
        }
    }

    fn draw_board(&self, shell: &Shell, view: &RoomView, layout: &GameLayout, buffer: &mut Buffer) {
        let Some(numbered) = &view.state.game else { return };
        let shows_cursor = view.is_playing() || layout.scrolls();
        let sent = match shell.session.sent_move() {
            Some(RoomIntent::Play { cell, placed, .. }) => {
                let mark = numbered.game.mark_at(numbered.game.ply());
                Some((cell, placed.unwrap_or(mark)))
            }
            _ => None,
        };
        let shown = board::Shown {
            cursor: shows_cursor.then(|| view.landing(self.cursor)),
            ink: Some(self.ink).filter(|_| view.my_turn().is_some() && view.has_inks()),
            sent,
            hinted: view.hint().and_then(|hint| Some((*hint.cells.first()?, hint.placed))),
            stroke: self.stroke(shell),
            ..board::Shown::default()
        };
        board::position(shell.theme(), &numbered.game, &shown, layout, buffer);
    }

    /// Plays the cell that is clicked.
    pub(super) fn click(&mut self, shell: &mut Shell, position: Position) {
        let Some(view) = shell.session.room().filter(|_| self.review_ply.is_none()) else { return };
        let clicked = self.layout(shell).and_then(|layout| layout.cell_at(position));
        if let Some(cell) = clicked.map(|cell| view.landing(cell)) {
            self.play(shell, cell);
        }
    }
}

impl Component for RoomScreen {
    fn keys(&self, shell: &Shell) -> Vec<Key> {
        if self.talk.field.is_some() && self.review_ply.is_none() {
            return vec![
                key("Enter", KeyAction::Enter, "say it", ""),
                key("Tab", KeyAction::Emotes, "emotes", ""),
                key("Esc", KeyAction::Close, "close", ""),
            ];
        }
        if self.cell.typed.is_some() && self.review_ply.is_none() {
            return vec![
                key("Enter, space", KeyAction::Enter, "play", ""),
                key("arrows", KeyAction::Move, "", ""),
                key("Esc", KeyAction::Close, "clear", ""),
            ];
        }
        let view = shell.session.room();
        let mut keys = match view.and_then(RoomView::my_choice) {
            _ if self.review_ply.is_some() => keys::review(),
            Some(may_add) => keys::player(shell, Some(may_add), self.ink),
            None if view.is_some_and(RoomView::may_pace) => keys::spectator(shell, true),
            None if view.is_some_and(RoomView::is_watching) => keys::spectator(shell, false),
            None => keys::player(shell, None, self.ink),
        };
        keys.push(HELP);
        keys
    }

    fn act(&mut self, shell: &mut Shell, action: KeyAction, code: KeyCode) -> Transition {
        let game = shell.session.game();
        let view = shell.session.room();
        let pace = view.map_or(Pace::Normal, |view| view.state.pace);
        let other_pace = turned(pace, action == KeyAction::Faster);
        let intent = match action {
            KeyAction::Move if self.review_ply.is_some() => {
                self.step_review(shell, is_forward(code));
                return Transition::Stay;
            }
            KeyAction::Move => {
                self.move_cursor(shell, direction(code));
                return Transition::Stay;
            }
            KeyAction::First | KeyAction::Last if self.review_ply.is_some() => {
                let last = action == KeyAction::Last;
                self.review_ply = Some(if last { usize::MAX } else { 0 });
                return Transition::Stay;
            }
            KeyAction::Number => return self.number(shell, code),
            KeyAction::Enter => return self.enter(shell),
            KeyAction::Back => return self.back(shell),
            KeyAction::Replay => return Self::replay_last(shell),
            KeyAction::Series if view.is_some_and(RoomView::may_rematch) => {
                return Transition::Ask(Question::Series);
            }
            KeyAction::Talk => return self.begin_talk(shell, ""),
            KeyAction::ChatCommand => return self.begin_talk(shell, "/"),
            KeyAction::Emotes if talk::may_talk(shell) => return Transition::Emotes,
            KeyAction::Resign if shell.is_playing() && !shell.session.sent_resignation() => {
                return Transition::Ask(Question::Resign);
            }
            KeyAction::TypeCell if !view.is_some_and(takes_cell_names) => {
                return Transition::Meaningless;
            }
            KeyAction::Rematch | KeyAction::Series => shell.session.rematch(),
            KeyAction::Step => shell.session.step(),
            KeyAction::Harder => shell.session.adjust(true),
            KeyAction::Easier => shell.session.adjust(false),
            KeyAction::TakeBack => shell.session.take_back(),
            KeyAction::Decline => shell.session.decline(),
            KeyAction::Hint => RoomIntent::Hint { game },
            KeyAction::Claim(result) => RoomIntent::Claim { game, result },
            KeyAction::Choose(choice) => RoomIntent::Choose { game, choice },
            KeyAction::Resign if !shell.session.sent_resignation() => RoomIntent::Resign { game },
            KeyAction::Faster | KeyAction::Slower if other_pace.is_some() => {
                RoomIntent::Pace { pace: other_pace.unwrap_or(pace) }
            }
            action => {
                self.act_here(shell, action, pace);
                return Transition::Stay;
            }
        };
        let sent = shell.ask(intent);
        self.awaits_hint |= sent && action == KeyAction::Hint;
        Transition::Stay
    }

    fn field(&mut self, _: bool) -> Option<&mut TextField> {
        self.talk.field.as_mut()
    }

    fn clicks(&self, shell: &Shell) -> Clicks {
        let view = shell.session.room();
        let plays = view.is_some_and(|view| !view.is_watching() && view.state.game.is_some());
        if plays { Clicks::Places } else { Clicks::Ignored }
    }

    fn has_signs(&self, shell: &Shell) -> bool {
        shell.session.room().is_some_and(|view| view.state.game.is_some())
    }

    fn next_frame(&self, shell: &Shell) -> Option<Instant> {
        Some(self.won_at? + self.stroke(shell)?.next)
    }
}

impl RoomScreen {
    /// Does what needs no question and leads to no other screen.
    fn act_here(&mut self, shell: &mut Shell, action: KeyAction, pace: Pace) {
        match action {
            KeyAction::Pause => self.pause(shell),
            KeyAction::Faster | KeyAction::Slower if pace == Pace::Paused => {
                shell.error("the computers are paused");
            }
            KeyAction::Faster | KeyAction::Slower => {
                shell.error(format!("{pace} is the end of the scale"));
            }
            KeyAction::Resign => shell.error("you have resigned: wait for the server"),
            KeyAction::Emotes => shell.error(talk::NOBODY_TALKS),
            KeyAction::Close if self.talk.field.is_some() => self.talk.close(),
            KeyAction::Close => self.cursor = self.cell.clear(self.cursor),
            KeyAction::TypeCell => self.begin_cell(shell, 'g'),
            KeyAction::Ink(ink) => self.ink = ink,
            KeyAction::Review if shell.is_playing() => {
                shell.error("the game is still running: you can review it when it is over");
            }
            KeyAction::Review if shell.ask(shell.session.review()) => {
                shell.info("Reviewing every move of the game.");
            }
            KeyAction::Copy => {
                if let Some(view) = shell.session.room() {
                    shell.copy_link(shell.share_address.room_link(view.state.code));
                }
            }
            _ => {}
        }
    }

    /// Opens the line, or the emotes in a room that has no texts.
    fn begin_talk(&mut self, shell: &mut Shell, text: &str) -> Transition {
        if text.is_empty() && talk::has_emotes_only(shell) {
            return Transition::Emotes;
        }
        if talk::may_talk(shell) {
            self.cursor = self.cell.clear(self.cursor);
            self.talk.begin(text);
            self.mark_read(shell);
        } else {
            shell.error(talk::NOBODY_TALKS);
        }
        Transition::Stay
    }
}

#[cfg(test)]
mod tests;
