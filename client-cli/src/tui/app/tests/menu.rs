//! The menu: its cursor, the keys of its items, and what it remembers.

use super::*;
use crate::tui::menu::MenuItem;

/// The item on which the cursor stands.
fn item(driver: &AppDriver) -> MenuItem {
    Menu::items(&driver.app.shell)[driver.app.shell.selected()].0
}

#[test]
fn the_cursor_stays_where_it_was() {
    let mut driver = AppDriver::in_menu();
    driver.type_text("jjjj");
    let chosen = item(&driver);
    driver.press(KeyCode::Enter);
    driver.press(KeyCode::Esc);
    assert_eq!(item(&driver), chosen);
    driver.type_text("8");
    driver.press(KeyCode::Esc);
    assert_eq!(item(&driver), MenuItem::Settings);
}

/// Fails if the place is kept and not the item: Enter would open another one.
#[test]
fn the_cursor_stays_on_its_item_when_a_seat_goes() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    driver.type_text("m");
    assert_eq!(item(&driver), MenuItem::Back, "what goes on comes first");
    driver.type_text("jj");
    let chosen = item(&driver);
    driver.feed(event(11, Event::Closed { reason: CloseReason::Idle }));
    assert_eq!(item(&driver), chosen);
}

#[test]
fn home_and_end_lead_to_the_ends_of_a_list() {
    let mut driver = AppDriver::in_menu();
    driver.press(KeyCode::End);
    assert_eq!(item(&driver), MenuItem::Quit);
    driver.press(KeyCode::Home);
    assert_eq!(driver.app.shell.selected(), 0);
    driver.type_text("4");
    driver.press(KeyCode::End);
    let Screen::Setup(setup) = &driver.app.screen else { panic!() };
    let fields = setup.0.fields().count();
    assert_eq!(driver.app.shell.selected(), fields - 1);
}

#[test]
fn each_item_has_a_key_of_its_own_that_chooses_it() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    for room in ["BCDFG", "CCCCC", "DDDDD", "FFFFF"] {
        driver.app.shell.client.profile.saved.apply(Change::Seat(room.parse().unwrap()));
    }
    driver.type_text("m");
    let keys = Menu::item_keys(&driver.app.shell);
    let items: Vec<_> = Menu::items(&driver.app.shell).into_iter().map(|(item, _)| item).collect();
    assert_eq!(keys.len(), items.len());
    assert!(keys.iter().all(|key| keys.iter().filter(|other| *other == key).count() == 1));
    assert!(!keys.iter().any(|key| "hjkl? ".contains(*key)), "{keys:?}");
    assert_eq!((keys[0], items[0]), ('0', MenuItem::Back));
    let key = |item| keys[items.iter().position(|other| *other == item).unwrap()];
    assert_eq!(key(MenuItem::Code), '2', "seats do not change the digits");
    driver.type_text(&key(MenuItem::Profile).to_string());
    assert!(matches!(driver.app.screen, Screen::People(_)));
}

#[test]
fn the_settings_against_the_computer_come_back() {
    let mut driver = AppDriver::in_menu();
    driver.type_text("4l");
    let chosen = |driver: &AppDriver| match &driver.app.screen {
        Screen::Setup(setup) => setup.0.fields().map(|(_, value)| value).collect(),
        _ => Vec::new(),
    };
    let before: Vec<String> = chosen(&driver);
    let effects = driver.press(KeyCode::Enter);
    let [Effect::Save(change @ Change::Computer(_)), Effect::Send(_)] = &effects[..] else {
        panic!("{effects:?}")
    };
    // Another run finds them in the file.
    let mut next = AppDriver::in_menu();
    next.app.shell.client.profile.saved.apply(change.clone());
    next.type_text("4");
    assert_eq!(chosen(&next), before);
    next.press(KeyCode::Esc);
    next.type_text("1");
    assert_ne!(chosen(&next), before, "a friend's room has its own");
}
