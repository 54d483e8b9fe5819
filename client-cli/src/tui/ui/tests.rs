//! The screens at several sizes of the terminal.

use crossterm::event::KeyCode;
use noughts_client::session::ConnectionEvent;
use noughts_protocol::{
    Computer, Mark, Presence, RoomIntent, Seat, SeatPresence, ServerMessage, Snapshot, Standing,
    Strategy, Strength,
};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::Color;

use crate::fixture::{
    after, away, evaluation, event, game_started, here, hint, moves, offered, presence, review,
    snapshot, waiting, watched, welcome,
};
use crate::tui::app::tests::{AppDriver, rooms, sent_to_room};
use crate::tui::app::{App, AppEvent};
use crate::tui::colors::ColorDepth;
use crate::tui::screen::Screen;

mod motion;
mod party;
mod review;
mod variants;
mod windows;

pub(crate) fn draw(app: &mut App, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| frame.render_widget(app, frame.area())).unwrap();
    terminal.backend().buffer().clone()
}

pub(crate) fn rows(buffer: &Buffer) -> Vec<String> {
    let width = usize::from(buffer.area.width);
    let row = |cells: &[ratatui::buffer::Cell]| {
        cells.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned()
    };
    buffer.content.chunks(width).map(row).collect()
}

pub(crate) fn screen(driver: &mut AppDriver, width: u16, height: u16) -> String {
    driver.resize(width, height);
    rows(&draw(&mut driver.app, width, height)).join("\n")
}

fn room_screen(snapshot: Snapshot, width: u16, height: u16) -> String {
    screen(&mut AppDriver::in_room(snapshot), width, height)
}

/// Draws with ASCII characters and without colours.
fn no_colors(driver: &mut AppDriver) {
    driver.app.shell.client.options.ascii = true;
    driver.app.shell.client.options.colors.depth = ColorDepth::None;
}

#[track_caller]
fn check_has(screen: &str, parts: &[&str]) {
    for part in parts {
        assert!(screen.contains(part), "no {part:?} in\n{screen}");
    }
}

#[test]
fn the_menu() {
    let mut driver = AppDriver::in_menu();
    let shown = screen(&mut driver, 40, 20);
    check_has(
        &shown,
        &["Ada on host", "> 1 Play a friend", "  8 Settings", "  9 My games", "  q Quit"],
    );
}

#[test]
fn a_code_is_large_where_there_is_space() {
    let large = room_screen(waiting(), 80, 24);
    check_has(&large, &["███   █ █ █ ████", "noughts play KQRZX --server host", "You play X."]);
    check_has(&room_screen(waiting(), 24, 10), &["K Q R Z X", "noughts play KQRZX"]);
}

#[test]
fn a_game_in_progress_says_it_all() {
    let mut game = snapshot("3x3x3", &[4, 0]);
    game.presence.spectators = 2;
    game.score.o = 3;
    game.settings.move_time_ms = Some(30_000);
    game.move_ms_left = Some(25_000);
    let shown = room_screen(game, 80, 24);
    check_has(
        &shown,
        &["KQRZX", "2 spectators", "▸X Ada (you)  0", " O Bob        3", "Your turn (X)."],
    );
    check_has(&shown, &["Time for the move: 0:25", "last 1", "R resign", "     2     ", "     9"]);
}

#[test]
fn a_small_game_looks_like_this() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[0, 4, 8]));
    driver.app.shell.client.options.ascii = true;
    driver.type_text("kh");
    let shown = screen(&mut driver, 24, 10);
    let expected = " KQRZX - 3x3, 3 in a row\n       >X< 2  3\n        4  O  6\n        7  8 [X]\n X Ada (you)  0\n>O Bob        0\nBob's turn (O).\nGame 1 - last 9\n\n q leave | ? help";
    assert_eq!(shown, expected);
    assert!(shown.is_ascii());
}

#[test]
fn a_title_has_whole_parts() {
    let mut game = watched(snapshot("3x3x3", &[]));
    game.presence.spectators = 12;
    let mut driver = AppDriver::in_room(game);
    for (width, title) in [
        (80, " Noughts  KQRZX · watching · 3x3, 3 in a row · 12 spectators"),
        (59, " KQRZX · watching · 3x3, 3 in a row · 12 spectators"),
        (40, " KQRZX · watching · 3x3, 3 in a row…"),
        (24, " KQRZX · watching · 3x3…"),
    ] {
        assert_eq!(screen(&mut driver, width, 12).lines().next(), Some(title));
    }
}

#[test]
fn a_won_line_needs_no_colour() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[0, 3, 1, 4, 2]));
    no_colors(&mut driver);
    let buffer = draw(&mut driver.app, 30, 12);
    let shown = rows(&buffer).join("\n");
    check_has(&shown, &["*X*|*X*|*X*", "You win! Row 1.", "r plays again"]);
    assert!(buffer.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
}

#[test]
fn ascii_holds_on_every_screen() {
    let mut driver = AppDriver::in_room(snapshot("4x4x4", &[0]));
    driver.app.shell.client.options.ascii = true;
    driver.type_text("?");
    assert!(screen(&mut driver, 80, 24).is_ascii());
    driver.type_text("xR");
    assert!(screen(&mut driver, 120, 40).is_ascii());
    let mut driver = AppDriver::in_room(waiting());
    driver.app.shell.client.options.ascii = true;
    assert!(screen(&mut driver, 80, 24).is_ascii());
}

#[test]
fn an_error_is_seen_while_the_connection_is_lost() {
    let mut driver = AppDriver::in_menu();
    driver.feed(ConnectionEvent::Lost("gone".into()));
    driver.type_text("2abcde");
    driver.press(KeyCode::Enter);
    for (width, height) in [(24, 10), (80, 24)] {
        let shown = screen(&mut driver, width, height);
        check_has(&shown, &["consonants", "Connection", "0 s", "Code:"]);
    }
}

#[test]
fn the_largest_board_fits_and_scrolls() {
    let board = snapshot("19x19x5", &[0, 360, 180]);
    let shown = room_screen(board.clone(), 80, 24);
    check_has(&shown, &["a b c", "r s", " 1  X", "19 "]);
    let small = room_screen(board, 30, 12);
    check_has(&small, &["10 ", ">X<"]);
    assert!(!small.contains(" 1 "), "scrolled to the cursor in the middle\n{small}");
}

#[test]
fn a_terminal_too_small_says_so() {
    let shown = room_screen(snapshot("3x3x3", &[]), 20, 6);
    check_has(&shown, &["The terminal is too", "24x10"]);
    for (width, height) in [(1, 1), (3, 2), (24, 9)] {
        room_screen(snapshot("3x3x3", &[]), width, height);
    }
}

#[test]
fn absence_counts_down_to_the_claim() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    driver.feed(presence(away(60)));
    driver.now = after(driver.now, 18);
    check_has(&screen(&mut driver, 100, 24), &["O Bob (away)", "may claim the win", "0:42"]);
    driver.now = after(driver.now, 42);
    check_has(
        &screen(&mut driver, 100, 24),
        &["O Bob (gone)", "press c to claim", "c claim the win"],
    );
    let mut timed = snapshot("3x3x3", &[]);
    for (limit, left) in [(30_000, "0:30"), (86_400_000, "24:00:00")] {
        timed.settings.move_time_ms = Some(limit);
        timed.move_ms_left = Some(limit);
        let mut on_time = AppDriver::in_room(timed.clone());
        on_time.feed(presence(away(60)));
        let shown = screen(&mut on_time, 100, 24);
        check_has(&shown, &["Bob is away: the clock runs on", left]);
        assert!(!shown.contains("may claim"), "the time is over before that\n{shown}");
    }
    let mut gone = here();
    gone.seats.o = Some(SeatPresence::Gone);
    for (told, counted) in [(gone, "1 spectator\n"), (here(), "2 spectators\n")] {
        let spectators = counted[..1].parse().unwrap();
        driver.feed(presence(Presence { spectators, ..told }));
        let shown = screen(&mut driver, 100, 24);
        check_has(&shown, &[counted]);
        assert_eq!(shown.contains("O Bob (gone)"), told == gone, "{shown}");
    }
}

#[test]
fn a_rematch_is_shown_while_it_is_offered() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[0, 3, 1, 4, 2]));
    for (mark, says) in [
        (None, ["r plays again", "r rematch"]),
        (Some(Mark::O), ["Bob offers a rematch: r accepts", "r accept the rematch"]),
        (Some(Mark::X), ["You offer a rematch: r withdraws it", "r withdraw the offer"]),
    ] {
        driver.feed(presence(offered(mark)));
        check_has(&screen(&mut driver, 100, 24), &says);
    }
}

#[test]
fn an_offer_of_a_rematch_is_declined() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[0, 3, 1, 4, 2]));
    driver.feed(presence(offered(Some(Mark::O))));
    check_has(&screen(&mut driver, 100, 24), &["n no"]);
    let no = driver.press(KeyCode::Char('n'));
    assert!(matches!(sent_to_room(&no), RoomIntent::Rematch { offer: false, .. }));
}

#[test]
fn a_request_to_take_back_a_move_is_allowed_or_declined() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[0, 3]));
    driver.feed(presence(Presence { take_back: Some(Mark::O), ..here() }));
    let says = ["Bob asks to take back a move.", "u allow", "n no"];
    check_has(&screen(&mut driver, 100, 24), &says);
    let no = driver.press(KeyCode::Char('n'));
    assert!(matches!(sent_to_room(&no), RoomIntent::TakeBack { offer: false, .. }));
}

#[test]
fn a_break_is_shown_with_its_length() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    driver.feed(ConnectionEvent::Lost("the server is restarting".into()));
    driver.now = after(driver.now, 12);
    check_has(&screen(&mut driver, 80, 24), &["reconnecting… 12 s (the server is restarting)"]);
    driver.feed(ConnectionEvent::Lost(noughts_client::connection::BROKE.into()));
    assert!(!screen(&mut driver, 80, 24).contains("12 s ("), "nothing more is known");
    // The last row names what can be done.
    let shown = screen(&mut driver, 80, 24);
    check_has(&shown, &["Enter play | R resign | q leave"]);
    assert!(!shown.contains("t talk"), "nobody hears it\n{shown}");
    // A move meanwhile is on the board already, and cannot be mistaken for one that counts.
    driver.press(KeyCode::Char('1'));
    assert!(!screen(&mut driver, 80, 24).contains("Enter play"));
    check_has(&screen(&mut driver, 60, 16), &[".  ╳  .", "Your move is sent when the"]);
    driver.feed(welcome());
    check_has(&screen(&mut driver, 80, 24), &["Connected again."]);
}

#[test]
fn a_hint_is_marked_and_said_until_the_move() {
    let board = snapshot("3x3x3", &[4, 0]);
    let mut driver = AppDriver::in_room(board.clone());
    no_colors(&mut driver);
    driver.feed(hint(1, &[8], "late"));
    assert!(!screen(&mut driver, 80, 24).contains("late"), "it was meant for another ply");
    driver.feed(hint(2, &[1, 2], "keeps the draw"));
    let shown = screen(&mut driver, 80, 24);
    check_has(&shown, &["Hint: 2 (keeps the draw).", "(  2  )", "i hint"]);
    assert!(!shown.contains("(  3  )"), "one cell is enough\n{shown}");
    driver.feed_all(moves(&board, &[8]));
    assert!(!screen(&mut driver, 80, 24).contains("(  2  )"));
    let mut driver = AppDriver::in_room(snapshot("15x15x5", &[112, 0]));
    driver.feed(hint(2, &[96, 98], "best found"));
    check_has(&screen(&mut driver, 80, 24), &["Hint: g7 (best found).", "(?"]);
    let mut silent = snapshot("3x3x3", &[]);
    silent.settings.hints = Some(false);
    assert!(!room_screen(silent, 80, 24).contains("i hint"));
}

#[test]
fn a_spectator_sees_the_evaluation() {
    let mut driver = AppDriver::in_room(watched(snapshot("3x3x3", &[0, 1])));
    driver.feed(evaluation(2, Standing::XWins));
    for (width, height) in [(80, 24), (40, 20), (40, 12)] {
        check_has(&screen(&mut driver, width, height), &["Best play: X wins."]);
    }
}

#[test]
fn the_clock_is_seen_in_every_window_whatever_is_said() {
    for board in ["3x3x3", "15x15x5"] {
        for (width, height) in [(24, 10), (24, 24), (30, 12), (40, 20), (60, 10), (80, 24)] {
            let mut game = snapshot(board, &[4, 0]);
            game.settings.move_time_ms = Some(60_000);
            game.move_ms_left = Some(42_000);
            let mut driver = AppDriver::in_room(game);
            check_has(&screen(&mut driver, width, height), &["0:42"]);
            driver.app.shell.error("something long goes wrong ".repeat(5));
            check_has(&screen(&mut driver, width, height), &["0:42"]);
        }
    }
}

#[test]
fn the_clock_warns_when_little_is_left() {
    let mut game = snapshot("3x3x3", &[4, 0]);
    game.settings.move_time_ms = Some(60_000);
    game.move_ms_left = Some(60_000);
    for (width, height) in [(24, 10), (80, 24)] {
        let mut driver = AppDriver::in_room(game.clone());
        let red = |driver: &mut AppDriver| {
            screen(driver, width, height);
            let buffer = draw(&mut driver.app, width, height);
            let red = buffer.content.iter().filter(|cell| cell.fg == Color::Red);
            red.map(|cell| cell.symbol().to_owned()).collect::<String>()
        };
        driver.now = after(driver.now, 49);
        assert_eq!(red(&mut driver), "", "eleven seconds are enough");
        driver.now = after(driver.now, 2);
        assert_eq!(red(&mut driver).trim(), "0:09!", "and the sign says it without colours");
    }
}

#[test]
fn nothing_is_drawn_in_what_may_be_the_background() {
    let mut won = snapshot("4x4x4", &[0, 4, 1, 5, 2, 6, 3]);
    won.settings.move_time_ms = Some(60_000);
    let mut drivers = [AppDriver::in_room(won), AppDriver::in_room(snapshot("3x3x3", &[4, 0]))];
    drivers[1].feed(hint(2, &[1], "keeps the draw"));
    let mut form = AppDriver::start("noughts");
    form.app.shell.error("wrong");
    for driver in drivers.iter_mut().chain([&mut form]) {
        for overlay in [false, true] {
            if overlay {
                driver.type_text("?");
            }
            screen(driver, 80, 24);
            for cell in draw(&mut driver.app, 80, 24).content {
                // Some themes use black, white or their bright variants as the background.
                let plain = [Color::Cyan, Color::Yellow, Color::Green, Color::Red];
                let fixed = matches!(cell.fg, Color::Indexed(16..));
                assert!(fixed || cell.fg == Color::Reset || plain.contains(&cell.fg), "{cell:?}");
                assert_eq!(cell.bg, Color::Reset);
            }
        }
    }
}

#[test]
fn a_computer_is_shown_with_its_strategy_and_no_strength_it_has_not() {
    let mut game = snapshot("3x3x3", &[]);
    let computer = |strategy| Seat::Computer(Computer { strategy, strength: Strength::Weak });
    game.seats.x = computer(Strategy::Minimax);
    game.seats.o = computer(Strategy::Rules);
    let wide = room_screen(game.clone(), 80, 24);
    check_has(&wide, &["X computer (minimax, weak)  0", "O computer (rules)          0"]);
    check_has(&room_screen(game.clone(), 24, 10), &["X minimax, weak", "O computer (rules)"]);
    game.seats.x = computer(Strategy::Heuristic);
    game.seats.o = computer(Strategy::Perfect);
    check_has(
        &room_screen(game, 80, 24),
        &["(heuristic, weak)", "O computer (perfect)          0"],
    );
}
