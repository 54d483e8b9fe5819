//! The table of keys: which key does what and where, and how the last row and the help name it.

use noughts_protocol::{ClaimedResult, OpeningChoice, Role, Series};

use super::Context::{
    CellName, Choice, Code, Decide, Emotes, Everywhere, Exhibition, File, Form, Games, Help, Lobby,
    Menu, Name, NewSeries, Note, Party, Password, People, Question, Quick, Replay, Review, Room,
    Servers, Settings, Setup, Talk, Wait, Watching,
};
use super::KeyAction as Act;
use super::labels::{
    add, claim, copy, enter_room, faster, hint, leave, leave_form, more, move_in_list, new_series,
    next_field, pause, play, rematch, resign, review, slower, step, stop_waiting, stop_watching,
    take_seat, type_cell,
};
use super::{App, Binding, Context, bind};
use crate::tui::app::games::{self, GamesFilter};
use crate::tui::app::party::labels as party;
use crate::tui::app::people::{self, LeadersFilter};
use crate::tui::app::{PartyKey, replay, talk};

/// A series that so many wins decide.
const fn to(first_to: Option<u8>) -> Series {
    Series { first_to }
}

const CHOICES: &[Context] = &[Servers, Menu];
const LISTS: &[Context] = &[Servers, Menu, Lobby, Games, People, Party];
const MENUS: &[Context] = &[Servers, Menu, Lobby, Games, People];
const VALUES: &[Context] = &[Settings, Setup];
pub(super) const ROOM: &[Context] = &[Choice, Room];
const WATCHED: &[Context] = &[Watching, Exhibition];
const ANY_ROOM: &[Context] = &[Choice, Room, Watching, Exhibition];

/// The questions.
const ASKED: &[Context] = &[Question, NewSeries, Decide];

/// Where `?` is not typed.
const HELPED: &[Context] = &[
    Servers, Menu, Settings, Setup, Lobby, Games, People, Party, Replay, Wait, Quick, Review,
    Choice, Room, Watching, Exhibition,
];

/// All keys. In a context the last row shows them in this order; the first ones and the last one
/// are also there in a narrow terminal.
pub(super) static KEYMAP: &[Binding] = &[
    bind(&[Question], "y", Act::Yes, |_| "yes", ""),
    bind(&[Question], "n, Esc", Act::Close, |_| "no", ""),
    bind(&[NewSeries], "o", Act::NewSeries(to(None)), |_| "open", ""),
    bind(&[NewSeries], "3", Act::NewSeries(to(Some(3))), |_| "first to 3", ""),
    bind(&[NewSeries], "5", Act::NewSeries(to(Some(5))), |_| "first to 5", ""),
    bind(&[NewSeries], "Esc, n", Act::Close, |_| "no", ""),
    bind(&[Decide], "1", Act::Party(PartyKey::Winner(Some(1))), |_| "first", ""),
    bind(&[Decide], "2", Act::Party(PartyKey::Winner(Some(2))), |_| "second", ""),
    bind(&[Decide], "d", Act::Party(PartyKey::Winner(None)), |_| "draw", ""),
    bind(&[Decide], "Esc, n", Act::Close, |_| "no", ""),
    bind(ASKED, "Enter", Act::Party(PartyKey::Ready), party::beside_question, "")
        .when(|app| !party::beside_question(app).is_empty()),
    bind(&[Note], "Enter", Act::Enter, |_| "done", ""),
    bind(&[Name], "Enter", Act::Enter, |_| "next", ""),
    bind(&[Name, Note], "Esc", Act::Back, |_| "back", ""),
    bind(&[Party], "Enter, space", Act::Enter, party::enter, "ready; else to the table")
        .when(|app| !party::enter(app).is_empty()),
    bind(&[Party], "s", Act::Party(PartyKey::Start), party::start, "start the party")
        .when(|app| !party::start(app).is_empty()),
    bind(&[Party], "Tab", Act::Party(PartyKey::List), party::list, "another list")
        .when(|app| !party::list(app).is_empty()),
    bind(&[Party], "p", Act::Party(PartyKey::Pause), party::pause, "pause, or go on")
        .when(|app| !party::pause(app).is_empty()),
    bind(&[Party], "x", Act::Party(PartyKey::Skip), party::skip, "set aside, or bring back")
        .when(|app| !party::skip(app).is_empty()),
    bind(&[Party], "n", Act::Party(PartyKey::Rename), party::rename, "give another name")
        .when(|app| !party::rename(app).is_empty()),
    bind(&[Party], "g", Act::Party(PartyKey::Place), party::place, "give the place to a device")
        .when(|app| !party::place(app).is_empty()),
    bind(&[Party], "c", Act::Party(PartyKey::Decide), party::decide, "set the game's result")
        .when(|app| !party::decide(app).is_empty()),
    bind(&[Party], "E", Act::Party(PartyKey::End), party::end, "end the party")
        .when(|app| !party::end(app).is_empty()),
    bind(&[Party], "a", Act::Party(PartyKey::Play), party::play, "play too, or again")
        .when(|app| !party::play(app).is_empty()),
    bind(&[Party], "d", Act::Party(PartyKey::Withdraw), party::withdraw, "play no more")
        .when(|app| !party::withdraw(app).is_empty()),
    bind(&[Party], "y", Act::Copy, |_| "link", "copy the party's link"),
    bind(&[Party], "q, Esc", Act::Back, |_| "leave", "leave the party's screen"),
    bind(&[Party], "m", Act::Menu, |_| "menu", "to the menu; the party goes on"),
    bind(&[Help], "Enter", Act::Help, more, ""),
    bind(&[Help], "Esc, q", Act::Close, |_| "close", ""),
    bind(&[Form], "Enter", Act::Enter, next_field, ""),
    bind(&[Form], "Tab, Up, Down", Act::Move, |_| "other field", ""),
    bind(&[Password], "Enter", Act::Enter, |_| "go on", ""),
    bind(&[Code], "Enter", Act::Enter, |_| "join", ""),
    bind(&[Form, Password], "Esc", Act::Back, leave_form, ""),
    bind(&[Code], "Esc", Act::Back, |_| "back", ""),
    bind(&[File], "Enter", Act::Enter, |_| "save", ""),
    bind(&[File], "Esc", Act::Back, |_| "back", ""),
    bind(&[People], "Enter, space", Act::Enter, people::open_label, "look at it")
        .when(|app| !people::open_label(app).is_empty()),
    bind(&[People], "b", Act::Leaders(LeadersFilter::Class), people::class_label, "other boards")
        .when(|app| !people::class_label(app).is_empty()),
    bind(&[People], "t", Act::Leaders(LeadersFilter::Period), people::time_label, "another time")
        .when(|app| !people::time_label(app).is_empty()),
    bind(&[People], "y", Act::Copy, people::link_label, "copy the profile's link")
        .when(|app| !people::link_label(app).is_empty()),
    bind(CHOICES, "Enter, space", Act::Enter, |_| "choose", "choose"),
    bind(CHOICES, "1-9, a-g", Act::Number, |_| "", "choose the item with that key"),
    bind(&[Lobby], "Enter, space", Act::Enter, enter_room, "enter the room"),
    bind(&[Lobby], "p", Act::Join(Role::Player), take_seat, "take the free seat")
        .when(|app| !take_seat(app).is_empty()),
    bind(&[Lobby], "w", Act::Join(Role::Spectator), |_| "", "watch"),
    bind(&[Party], "arrows, hjkl", Act::Move, |_| "", "move, another list"),
    bind(MENUS, "arrows, hjkl, Tab", Act::Move, move_in_list, "move"),
    bind(LISTS, "PageUp, PageDown", Act::Page, |_| "", "move by a page"),
    bind(LISTS, "Home", Act::First, |_| "", "the first item"),
    bind(LISTS, "End", Act::Last, |_| "", "the last item"),
    bind(VALUES, "Home", Act::First, |_| "", ""),
    bind(VALUES, "End", Act::Last, |_| "", ""),
    bind(&[Games], "Enter, space", Act::Enter, games::open_label, "look at the game"),
    bind(&[Games], "o", Act::Games(GamesFilter::Opponent), games::opponent, "another opponent"),
    bind(&[Games], "b", Act::Games(GamesFilter::Board), |_| "board", "this board, or all boards"),
    bind(&[Games], "f", Act::Games(GamesFilter::Outcome), |_| "result", "won, lost, drawn, or all"),
    bind(&[Games], "n", Act::Older, games::older_label, "older games")
        .when(|app| !games::older_label(app).is_empty()),
    bind(&[Games], "p", Act::Newer, games::newer_label, "newer games")
        .when(|app| !games::newer_label(app).is_empty()),
    bind(&[Replay], "arrows, hjkl", Act::Move, |_| "step", "step through the moves"),
    bind(&[Replay], "space", Act::Play, replay::play_label, "play it, or pause"),
    bind(&[Replay], "v", Act::Review, replay::review_label, "how good each move was"),
    bind(&[Replay], "Home", Act::First, |_| "", "before the first move"),
    bind(&[Replay], "End", Act::Last, |_| "", "after the last move"),
    bind(&[Games, Replay], "y", Act::Copy, |_| "link", "copy the game's link"),
    bind(&[Games, People, Replay], "Esc, q", Act::Back, |_| "back", "back"),
    bind(&[Setup], "Enter", Act::Enter, |_| "start", "start"),
    bind(&[Settings], "Enter", Act::Enter, |_| "change", "change it"),
    bind(&[Setup], "arrows, hjkl, Tab", Act::Move, |_| "change", "move, change a value"),
    bind(&[Settings], "arrows, hjkl, Tab", Act::Move, |_| "move", "move, change a value"),
    bind(VALUES, "space", Act::Move, |_| "", "take the next value"),
    bind(&[Servers], "q, Esc", Act::Back, |_| "quit", "quit"),
    bind(&[Menu], "q", Act::Back, |_| "quit", "quit"),
    bind(&[Wait], "q, Esc", Act::Back, stop_waiting, "back to the menu, or quit"),
    bind(&[Settings, Setup, Lobby], "Esc, q", Act::Back, |_| "back", "back to the menu"),
    bind(&[Quick], "Esc, q", Act::Back, |_| "stop looking", "stop looking, back to the menu"),
    bind(&[Review], "arrows, hjkl", Act::Move, |_| "step", "step through the moves"),
    bind(&[Review], "space", Act::Move, |_| "", "the next move"),
    bind(&[Review], "Home", Act::First, |_| "", "before the first move"),
    bind(&[Review], "End", Act::Last, |_| "", "after the last move"),
    bind(&[Review], "Esc, q, v", Act::Back, |_| "back", "back to the game"),
    bind(&[Emotes], "1-8", Act::Emote, |_| "say it", ""),
    bind(&[Emotes], "Esc, q", Act::Close, |_| "close", ""),
    bind(&[Talk], "Enter", Act::Enter, |_| "say it", ""),
    bind(&[Talk], "Tab", Act::Emotes, |_| "emotes", ""),
    bind(&[Talk], "Esc", Act::Close, |_| "close", ""),
    bind(&[CellName], "Enter, space", Act::Enter, |_| "play", ""),
    bind(&[CellName], "arrows", Act::Move, |_| "", ""),
    bind(&[CellName], "Esc", Act::Close, |_| "clear", ""),
    bind(&[Exhibition], "space, p", Act::Pause, pause, "pause, or let them play on"),
    bind(&[Exhibition], "n, .", Act::Step, step, "one move, or the next game")
        .when(|app| !step(app).is_empty()),
    bind(&[Exhibition], "+, =", Act::Faster, faster, "faster").when(|app| !faster(app).is_empty()),
    bind(&[Exhibition], "-", Act::Slower, slower, "slower").when(|app| !slower(app).is_empty()),
    bind(ROOM, "Enter, space", Act::Enter, play, "place your mark")
        .when(|app| !play(app).is_empty()),
    bind(&[Watching], "Enter, space", Act::Enter, party::table, "ready; else to the party")
        .when(|app| !party::table(app).is_empty()),
    bind(ROOM, "arrows", Act::Move, |_| "", "move the cursor").when(App::is_playing),
    bind(ROOM, "hjkl", Act::Move, |_| "", "move the cursor too").when(App::is_on_numbers),
    bind(ROOM, "1-9", Act::Number, |_| "", "place it at once").when(App::is_on_numbers),
    bind(
        &[Room],
        "g",
        Act::TypeCell,
        type_cell,
        "type a cell: b2, Enter. Column letters that are no keys begin it too",
    )
    .when(App::takes_cell_names),
    bind(&[Choice], "x", Act::Choose(OpeningChoice::X), |_| "play X", "play X"),
    bind(&[Choice], "o", Act::Choose(OpeningChoice::O), |_| "play O", "play O"),
    bind(
        &[Choice],
        "a",
        Act::Choose(OpeningChoice::Add),
        add,
        "add two marks, then the other chooses",
    )
    .when(|app| !add(app).is_empty()),
    bind(ROOM, "c", Act::Claim(ClaimedResult::Win), claim, "claim the win: they are away")
        .when(|app| !claim(app).is_empty()),
    bind(ROOM, "d", Act::Claim(ClaimedResult::Draw), |_| "", "claim a draw instead")
        .when(|app| !claim(app).is_empty()),
    bind(ROOM, "r", Act::Rematch, rematch, "rematch: offer, accept, withdraw")
        .when(|app| !rematch(app).is_empty()),
    bind(ROOM, "N", Act::Series, new_series, "a new series: open, first to 3 or first to 5")
        .when(|app| !rematch(app).is_empty()),
    bind(&[Choice], "R", Act::Resign, |_| "resign", "resign"),
    bind(&[Room], "R, x", Act::Resign, resign, "resign: you lose this game").when(App::is_playing),
    bind(ROOM, "i", Act::Hint, hint, "a hint: one good cell, and why")
        .when(|app| !hint(app).is_empty()),
    bind(ANY_ROOM, "v", Act::Review, review, "review the game that is over")
        .when(|app| !review(app).is_empty()),
    bind(ANY_ROOM, "w", Act::Replay, replay::again_label, "look at the last game again")
        .when(|app| !replay::again_label(app).is_empty()),
    bind(ANY_ROOM, "t", Act::Talk, talk::label, "say something to the people in the room")
        .when(App::may_talk),
    bind(ANY_ROOM, ":", Act::Emotes, |_| "", "say an emote").when(App::may_talk),
    bind(ANY_ROOM, "/", Act::ChatCommand, |_| "", "/mute NAME hides what somebody says")
        .when(App::may_talk),
    bind(ANY_ROOM, "y", Act::Copy, copy, "copy the room's link"),
    bind(ROOM, "q, Esc", Act::Back, leave, "leave: you lose this game"),
    bind(ROOM, "m", Act::Menu, |_| "menu", "to the menu; your seat is kept"),
    bind(WATCHED, "q, Esc", Act::Back, stop_watching, "stop watching, to the menu"),
    bind(WATCHED, "m", Act::Menu, |_| "menu", "to the menu, and watch on"),
    bind(HELPED, "?", Act::Help, |_| "help", "show the keys"),
    bind(&[Everywhere], "Ctrl-C, Ctrl-D", Act::Interrupt, |_| "", "quit; a seat is kept"),
    bind(&[Everywhere], "Ctrl-Z", Act::Suspend, |_| "", ""),
    bind(&[Everywhere], "Ctrl-L", Act::Redraw, |_| "", "draw the screen again"),
];
