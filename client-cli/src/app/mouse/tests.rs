//! Clicks on what is shown, in the smallest window and a usual one.

use crossterm::event::KeyCode;
use noughts_protocol::{ClientMessage, RoomSummary, ServerMessage};
use ratatui::layout::{Position, Size};

use crate::app::tests::Bench;
use crate::app::{AppEvent, Effect, Overlay, Question, Screen};
use crate::connection::Incoming;
use crate::fixture::{code, human, snapshot, welcome};
use crate::layout;
use crate::start::Exit;

const SIZES: [Size; 2] = [Size { width: 80, height: 24 }, Size { width: 24, height: 10 }];

/// The menu in a window of some size.
fn menu(size: Size) -> Bench {
    let mut bench = Bench::start("noughts --server host");
    bench.feed(welcome());
    bench.app.update(AppEvent::Resize(size), bench.now);
    bench
}

fn click(bench: &mut Bench, x: u16, y: u16) -> Vec<Effect> {
    bench.app.update(AppEvent::Click(Position::new(x, y)), bench.now)
}

/// Clicks on the row of the list that holds a text.
#[track_caller]
fn click_row(bench: &mut Bench, text: &str) -> Vec<Effect> {
    let listing = bench.app.listing().unwrap();
    let row = listing.shown().find(|(_, _, row)| row.contains(text));
    let (place, ..) = row.unwrap_or_else(|| panic!("no {text:?} in {listing:?}"));
    click(bench, place.x + 3, place.y)
}

/// Clicks on a key in the last row.
#[track_caller]
fn click_key(bench: &mut Bench, key: &str) -> Vec<Effect> {
    let shown = format!(" {}", bench.app.hints().join(" | "));
    let column = shown.find(key).unwrap_or_else(|| panic!("no {key:?} in {shown:?}"));
    click(bench, u16::try_from(column).unwrap(), bench.app.size.height - 1)
}

#[test]
fn an_item_of_the_menu_is_chosen() {
    for size in SIZES {
        let mut bench = menu(size);
        click_row(&mut bench, "Join by code");
        assert!(matches!(bench.app.screen, Screen::Code(_)));
        let mut bench = menu(size);
        click(&mut bench, 5, 1);
        assert!(matches!(bench.app.screen, Screen::Menu { .. }), "the title is no item");
    }
    assert_eq!(click_row(&mut menu(SIZES[0]), "Quit"), [Effect::Quit(Exit::Done)]);
}

#[test]
fn a_choice_is_selected_then_turned_and_the_game_started_below() {
    for size in SIZES {
        let mut bench = menu(size);
        click_row(&mut bench, "Play a friend");
        let at = |bench: &Bench| {
            let Screen::Setup(setup) = &bench.app.screen else { panic!() };
            let field = &setup.fields[setup.selected];
            (field.label(), field.value())
        };
        click_row(&mut bench, "Your mark");
        assert_eq!(at(&bench), ("Your mark", "X"));
        click_row(&mut bench, "Your mark");
        assert_eq!(at(&bench), ("Your mark", "O"));
        let sent = click_key(&mut bench, "Enter start");
        assert!(matches!(sent[..], [Effect::Send(ClientMessage::Create { .. })]), "{sent:?}");
    }
}

#[test]
fn a_server_and_a_field_of_the_form_are_chosen() {
    let mut bench = Bench::start("noughts");
    assert!(matches!(&bench.app.screen, Screen::Form(form) if !form.at_name));
    click_row(&mut bench, "Name:");
    assert!(matches!(&bench.app.screen, Screen::Form(form) if form.at_name));
    assert_eq!(click_key(&mut bench, "Enter next"), [Effect::Connect]);
}

#[test]
fn a_room_of_the_lobby_is_selected_then_entered() {
    let mut bench = menu(SIZES[0]);
    click_row(&mut bench, "Watch a game");
    let state = snapshot("3x3x3", &[]);
    let summary = |room: &str| RoomSummary {
        room: room.parse().unwrap(),
        settings: state.settings,
        seats: noughts_protocol::ByMark {
            x: human(crate::fixture::ME, "Ada"),
            o: human(crate::fixture::OTHER, "Bob"),
        },
        score: Default::default(),
        game: Some(1),
        spectators: 0,
    };
    let playing = vec![summary("BCDFG"), summary("KQRZX")];
    let lobby = ServerMessage::Lobby { waiting: Vec::new(), playing, more: 0 };
    bench.feed(Incoming::Message(lobby));
    assert_eq!(click_row(&mut bench, "KQRZX"), [], "it is selected");
    let sent = click_row(&mut bench, "KQRZX");
    assert!(
        matches!(&sent[..], [Effect::Send(ClientMessage::Join { room, .. })] if *room == code()),
        "{sent:?}"
    );
}

#[test]
fn answers_and_keys_are_clicked_in_a_room() {
    for size in SIZES {
        let mut bench = Bench::in_room(snapshot("3x3x3", &[]));
        bench.app.update(AppEvent::Resize(size), bench.now);
        bench.types("R");
        let body = layout::chrome(size).unwrap().body;
        let (_, text) = Question::Resign.words();
        let answers = layout::question(body, &text).answers;
        click(&mut bench, answers.x + 9, answers.y);
        assert_eq!(bench.app.overlay, None, "no");
        bench.types("R");
        let resign = click(&mut bench, answers.x, answers.y);
        assert!(matches!(resign[..], [Effect::Send(ClientMessage::Resign { .. })]), "{resign:?}");
        click_key(&mut bench, "? help");
        assert_eq!(bench.app.overlay, Some(Overlay::Help { page: 0 }));
        click_key(&mut bench, "Esc close");
        assert_eq!(bench.app.overlay, None);
    }
    let mut bench = Bench::in_room(snapshot("3x3x3", &[]));
    click_key(&mut bench, "q leave");
    assert_eq!(bench.app.overlay, Some(Overlay::Question(Question::Leave)));
    click_key(&mut bench, "n no");
    bench.press(KeyCode::Char('?'));
    click(&mut bench, 40, 12);
    assert_eq!(bench.app.overlay, None, "a click turns the page, as any key");
}
