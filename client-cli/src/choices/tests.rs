//! The fields of each kind of game, and the rooms that they make.

use noughts_protocol::{
    ByMark, Computer, LobbyIntent, Opening, RoomSettings, SeatRequest, Strategy, Strength,
};

use super::*;

/// The settings and seats of the room that a screen creates.
fn created(choices: &Choices) -> (RoomSettings, ByMark<SeatRequest>) {
    let Action::Enter(LobbyIntent::Create { settings, seats, .. }) = choices.action() else {
        panic!()
    };
    (settings, seats)
}

#[test]
fn the_choices_become_the_goal() {
    let mut choices = Choices::new(GameKind::Computer, Features::default());
    let place = |name| choices.offered().position(|setting| setting.name == name).unwrap();
    let strength = place("strength");
    let board = place("board");
    choices.change(strength, true);
    choices.change(board, false);
    let (settings, seats) = created(&choices);
    assert_eq!(settings.board.to_string(), "19x19x5");
    assert!(matches!(seats.o, SeatRequest::Computer(c) if c.strength == Strength::Average));
    let (_, usual) = created(&Choices::new(GameKind::Computer, Features::default()));
    assert_eq!(usual.o, SeatRequest::Computer(Computer::OPPONENT), "a child beats it now and then");
    let untouched = created(&Choices::new(GameKind::Computer, Features::default())).0;
    assert!(!settings.listed && settings.spectators == untouched.spectators);
}

#[test]
fn a_strategy_without_strengths_asks_for_none() {
    let mut choices = Choices::new(GameKind::Exhibition, Features::default());
    let labels = |choices: &Choices| choices.fields().map(|(label, _)| label).collect::<Vec<_>>();
    let all = labels(&choices);
    assert_eq!(all[..4], ["X's strategy", "X's strength", "O's strategy", "O's strength"]);
    choices.change(0, false);
    assert_eq!(labels(&choices)[..3], ["X's strategy", "O's strategy", "O's strength"]);
    choices.change(1, true);
    let seats = created(&choices).1;
    let computer =
        |strategy| SeatRequest::Computer(Computer { strategy, strength: Strength::Average });
    assert_eq!(seats.x, computer(Strategy::Rules));
    assert_eq!(seats.o, computer(Strategy::Heuristic));
    choices.change(0, true);
    assert_eq!(labels(&choices), all);
}

#[test]
fn a_large_board_has_nine_strengths_and_marks_that_of_the_player() {
    let mut choices = Choices::new(GameKind::Computer, Features::default());
    let set = |choices: &mut Choices, name, text| choices.set(Setting::named(name), text);
    set(&mut choices, "board", "15x15x5");
    let strength = |choices: &Choices| {
        choices.fields().find(|(label, _)| *label == "Strength").map(|(_, value)| value)
    };
    let place = choices.offered().position(|setting| setting.name == "strength").unwrap();
    assert_eq!(strength(&choices).as_deref(), Some("3 weak"));
    choices.near = Some(Strength::Level4);
    choices.change(place, true);
    assert_eq!(strength(&choices).as_deref(), Some("4 (about your strength)"));
    let mut again = Choices::new(GameKind::Computer, Features::default());
    again.set_all(&choices.values());
    assert_eq!(strength(&again).as_deref(), Some("4"));
    let (_, seats) = created(&again);
    assert!(matches!(seats.o, SeatRequest::Computer(c) if c.strength == Strength::Level4));
    set(&mut again, "board", "3x3x3");
    assert_eq!(strength(&again).as_deref(), Some("weak"));
}

#[test]
fn the_computers_of_a_party_are_those_that_its_board_has() {
    let mut choices = Choices::party("Friday".parse().unwrap(), Features::default());
    let row = |name| PARTY_SETTINGS.iter().find(|setting| setting.name == name).unwrap();
    let shown = |choices: &Choices| {
        choices.fields().find(|(label, _)| *label == "Computers").map(|(_, value)| value)
    };
    assert_eq!(shown(&choices).as_deref(), Some("none"));
    choices.set(row("fill"), "level_4");
    assert_eq!(shown(&choices).as_deref(), Some("4"));
    assert_eq!(choices.offered_values(row("fill")).len(), 1 + Strength::ALL.len());
    choices.set(row("board"), "3x3x3");
    assert_eq!(shown(&choices).as_deref(), Some("weak"));
    let Action::Enter(LobbyIntent::CreateParty { settings, .. }) = choices.action() else {
        panic!()
    };
    assert_eq!(settings.fill, Some(Computer { strength: Strength::Weak, ..Computer::default() }));
}

#[test]
fn a_large_board_asks_how_the_game_opens() {
    let mut choices = Choices::new(GameKind::Both, Features::default());
    let labels = |choices: &Choices| choices.fields().map(|(label, _)| label).collect::<Vec<_>>();
    assert_eq!(labels(&choices)[..3], ["Variant", "Board", "Who begins"]);
    choices.change(1, false);
    assert_eq!(labels(&choices)[..4], ["Variant", "Board", "Opening", "Who begins"]);
    choices.change(2, true);
    assert_eq!(created(&choices).0.opening, Opening::Swap2);
    choices.change(1, true);
    assert!(created(&choices).0.opening_is_legal(), "it goes with the board");
}

/// The settings after each named field was changed once.
fn turned(kind: GameKind, labels: &[&str]) -> RoomSettings {
    let mut choices = Choices::new(kind, Features::default());
    for label in labels {
        let place = choices.fields().position(|field| field.0 == *label).unwrap();
        choices.change(place, true);
    }
    created(&choices).0
}

#[test]
fn hints_and_evaluation_are_as_they_are_by_default_until_they_are_changed() {
    for (kind, hints) in [(GameKind::Friend, false), (GameKind::Computer, true)] {
        let hinted = RoomSettings { hints: Some(hints), ..RoomSettings::default() };
        assert_eq!(turned(kind, &[]), hinted);
        assert_eq!(turned(kind, &["Hints"]).hints, Some(!hints));
    }
    assert_eq!(turned(GameKind::Both, &[]), RoomSettings::default());
    let watched = RoomSettings { evaluation: true, ..RoomSettings::default() };
    assert_eq!(turned(GameKind::Exhibition, &[]), watched);
    assert!(turned(GameKind::Friend, &["Show who is winning"]).evaluation);
    assert!(!turned(GameKind::Exhibition, &["Show who is winning"]).evaluation);
    let unwatched = turned(GameKind::Friend, &["Show who is winning", "Spectators"]);
    assert!(!unwatched.evaluation && !unwatched.spectators, "there is nobody to tell");
}

/// A file of another version, or one that somebody edited, must not make a room that cannot be.
#[test]
fn only_values_that_are_still_offered_come_back() {
    let mut choices = Choices::new(GameKind::Computer, Features::default());
    let kept = [("strength", "strong"), ("board", "99x99x9"), ("colour", "red")];
    let kept = kept.map(|(name, text)| (name.to_owned(), text.to_owned()));
    choices.set_all(&kept.into());
    let strength = [("strength".to_owned(), "strong".to_owned())];
    assert_eq!(choices.values(), strength.into());
}

#[test]
fn the_form_shows_what_the_format_needs() {
    let mut choices = Choices::party("Friday".parse().unwrap(), Features::default());
    let labels = |choices: &Choices| choices.fields().map(|(label, _)| label).collect::<Vec<_>>();
    assert!(!labels(&choices).contains(&"Rounds"));
    // From knockout to round robin to Swiss.
    choices.change(0, true);
    choices.change(0, true);
    assert!(labels(&choices).contains(&"Rounds"));
    choices.change(1, true);
    let last = labels(&choices).len() - 1;
    choices.change(last, true);
    let Action::Enter(LobbyIntent::CreateParty { settings, plays, .. }) = choices.action() else {
        panic!()
    };
    assert_eq!(
        (settings.format, settings.rounds, plays),
        (noughts_protocol::PartyFormat::Swiss, 6, false)
    );
}

#[test]
fn a_party_has_a_name_also_if_the_hosts_is_long() {
    assert_eq!(usual_name(Some(&"Ada".parse().unwrap())).as_str(), "Party of Ada");
    let long = "x".repeat(noughts_protocol::MAX_NAME_CHARS).parse().unwrap();
    assert_eq!(usual_name(Some(&long)).as_str(), "Party");
}

#[test]
fn a_mark_is_chosen_as_the_side_that_it_stands_for() {
    let mut choices = Choices::new(GameKind::Friend, Features::default());
    let field = |choices: &Choices| {
        let mut fields = choices.fields().filter(|(label, _)| label.starts_with("Your "));
        fields.next().map(|(label, value)| format!("{label}: {value}")).unwrap()
    };
    assert_eq!(field(&choices), "Your mark: X");
    choices.set(Setting::named("variant"), "order");
    assert_eq!(field(&choices), "Your side: X (Order)");
    choices.set(Setting::named("variant"), "notakto");
    choices.set(Setting::named("mark"), "o");
    assert_eq!(field(&choices), "Your side: O (second)");
    choices.set(Setting::named("first"), "random");
    assert_eq!(field(&choices), "Your mark: O");
}

#[test]
fn a_variant_has_boards_of_its_own() {
    let mut choices = Choices::new(GameKind::Friend, Features::default());
    let of = |choices: &Choices, label| {
        let mut fields = choices.fields().filter(|field| field.0 == label);
        fields.next().map(|field| field.1)
    };
    choices.set(Setting::named("board"), "15x15x5");
    choices.set(Setting::named("variant"), "notakto");
    assert_eq!(of(&choices, "Board").as_deref(), Some("1 board"));
    assert_eq!(of(&choices, "Opening"), None);
    let place = choices.offered().position(|setting| setting.name == "board").unwrap();
    choices.change(place, true);
    assert_eq!(of(&choices, "Board").as_deref(), Some("2 boards"));
    assert_eq!(created(&choices).0.board.to_string(), "6x3x3");
    choices.set(Setting::named("variant"), "gravity");
    assert_eq!(created(&choices).0.board.to_string(), "7x6x4");
    choices.set(Setting::named("variant"), "exact");
    assert_eq!(created(&choices).0.board.to_string(), "15x15x5");
}
