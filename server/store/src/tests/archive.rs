//! Histories, profiles and files of games.

use futures::FutureExt;
use noughts_protocol::{
    BoardClass, BoardSpec, ByMark, Cell, ExportFormat, GameId, GameResult, HISTORY_PAGE, LineKind,
    MAX_SERVER_FRAME, Mark, OpponentFilter, Outcome, Participant, PlayerId, RoomSettings, Tally,
    Variant, WinningLine,
};

use super::world::*;
use crate::archive::{ARCHIVE_QUEUE, Archive, ArchiveError, ArchiveReader, HistoryFilter};
use crate::{FinishedGame, game};

fn on_board(game: FinishedGame, board: &str) -> FinishedGame {
    let settings = RoomSettings { board: board.parse().unwrap(), ..game.settings };
    FinishedGame { settings, ..game }
}

/// Ada's games: five against Bob, one against a computer, one against herself; then two computers' game.
fn mixed() -> ArchiveReader {
    let played = [X_WINS, X_WINS, DRAW, O_WINS, X_WINS];
    let mut games: Vec<_> =
        played.iter().zip(1..).map(|(cells, id)| finished(id, two(), cells)).collect();
    let adele = || person(ADA, "Adele");
    games.push(finished(6, ByMark { x: computer(), o: adele() }, O_WINS));
    games.push(finished(7, ByMark { x: adele(), o: adele() }, X_WINS));
    games.push(finished(8, ByMark { x: computer(), o: computer() }, X_WINS));
    let times = |(game, at): (FinishedGame, i64)| FinishedGame { ended: NOW + at, ..game };
    archive(games.into_iter().zip(0..).map(times))
}

fn tally(wins: u32, losses: u32, draws: u32) -> Tally {
    Tally { wins, losses, draws }
}

#[test]
fn a_profile_counts_each_game_for_both_sides() {
    let reader = mixed();
    let ada = reader.profile(ADA, ADA, true).unwrap();
    assert_eq!((ada.name.as_str(), ada.tally), ("Adele", tally(4, 1, 1)));
    assert_eq!((ada.streak, ada.best_streak), (2, 2));
    let now = NOW.cast_unsigned();
    assert_eq!((ada.first_at, ada.last_at), (Some(now), Some(now + 6)));
    assert_eq!((ada.boards.len(), ada.boards[0].tally), (1, tally(4, 1, 1)));
    assert_eq!((ada.computers.len(), ada.computers[0].tally), (1, tally(1, 0, 0)));
    assert_eq!(ada.opponents.len(), 1);
    assert_eq!((&ada.opponents[0].opponent, ada.opponents[0].tally), (&two().o, tally(3, 1, 1)));
    assert_eq!((ada.ratings.len(), ada.ratings[0].games), (1, 5));
    let recent: Vec<u64> = ada.recent.iter().map(|game| game.id.0).collect();
    assert_eq!(recent, [7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(ada.recent[1].players.x, computer());
    let bob = reader.profile(BOB, BOB, false).unwrap();
    assert_eq!((bob.tally, bob.streak, bob.best_streak), (tally(1, 3, 1), 0, 1));
    assert!(bob.ratings.is_empty());
}

#[test]
fn a_person_has_the_face_of_the_last_game_that_had_one() {
    let with = |face: &str| match person(ADA, "Ada") {
        Participant::Human { player, name } => {
            Participant::Human { player, name: name.with_face(face.parse().ok()) }
        }
        other => other,
    };
    let faces = ["owl red", "fox blue", "none"];
    let games = faces
        .iter()
        .zip(1..)
        .map(|(face, id)| finished(id, ByMark { x: with(face), o: person(BOB, "Bob") }, X_WINS));
    let reader = archive(games);
    let face = "fox blue".parse().ok();
    let profile = reader.profile(ADA, BOB, true).unwrap();
    assert_eq!(profile.name.face(), face);
    assert_eq!(profile.recent[2].players.x, with("fox blue"), "also in earlier games");
    assert_eq!(reader.game(GameId(3)).unwrap().game.summary.players.x, with("fox blue"));
}

#[test]
fn others_are_told_of_a_person_what_they_may_see() {
    let mut games = vec![finished(1, two(), X_WINS)];
    games.push(finished(2, ByMark { x: person(ADA, "Ada"), o: computer() }, X_WINS));
    games.push(FinishedGame { public: true, ..games[1].clone() });
    games[2].id = GameId(3);
    let reader = archive(games);
    let seen = |asker| {
        let profile = reader.profile(ADA, asker, true).unwrap();
        let recent: Vec<u64> = profile.recent.iter().map(|game| game.id.0).collect();
        (profile.tally.wins, profile.opponents.len(), profile.you, recent)
    };
    assert_eq!(seen(BOB), (3, 0, Some(tally(0, 1, 0)), vec![3, 1]));
    assert_eq!(seen(PlayerId(5)), (3, 0, None, vec![3]));
    assert_eq!(reader.profile(PlayerId(5), ADA, true), Err(ArchiveError::NoSuchPlayer));
    let own = reader.own_profile(PlayerId(5), "Eve".parse().unwrap(), true).unwrap();
    assert_eq!((own.name.as_str(), own.tally), ("Eve", Tally::default()));
}

#[test]
fn a_history_shows_what_its_filter_lets_through() {
    let reader = mixed();
    let none = HistoryFilter::default();
    let ids = |filter: HistoryFilter, before| -> Vec<u64> {
        let page = reader.history(ADA, &filter, before).unwrap();
        assert!(!page.more);
        page.games.iter().map(|game| game.id.0).collect()
    };
    assert_eq!(ids(none, None), [7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(ids(none, Some(GameId(3))), [2, 1]);
    let opponent = |opponent| HistoryFilter { opponent: Some(opponent), ..none };
    assert_eq!(ids(opponent(OpponentFilter::Computer), None), [6]);
    assert_eq!(ids(opponent(OpponentFilter::Human), None), [5, 4, 3, 2, 1]);
    let bob = opponent(OpponentFilter::Player(BOB));
    assert_eq!(ids(bob, Some(GameId(4))), [3, 2, 1]);
    assert_eq!(ids(opponent(OpponentFilter::Player(PlayerId(5))), None), [0; 0]);
    assert_eq!(ids(HistoryFilter { outcome: Some(Outcome::Won), ..none }, None), [6, 5, 2, 1]);
    assert_eq!(ids(HistoryFilter { outcome: Some(Outcome::Lost), ..bob }, None), [4]);
    let board = |board: BoardSpec| HistoryFilter { board: Some(board), ..none };
    assert_eq!(ids(board("3x3x3".parse().unwrap()), None).len(), 7);
    assert_eq!(ids(board("15x15x5".parse().unwrap()), None), [0; 0]);
    let variant = |variant| HistoryFilter { variant: Some(variant), ..none };
    assert_eq!(ids(variant(Variant::Line), None).len(), 7);
    assert_eq!(ids(variant(Variant::Wild), None), [0; 0]);
    let missing = reader.history(ADA, &none, Some(GameId(99)));
    assert_eq!(missing, Err(ArchiveError::NoSuchGame));
}

#[test]
fn a_page_of_very_long_games_ends_early_and_the_next_goes_on() {
    let line = WinningLine { kind: LineKind::Row { number: 1 }, cells: vec![Cell(360); 19] };
    let long = GameResult::Line { winner: Mark::X, lines: vec![line; 15] };
    let game = |id| FinishedGame { result: long.clone(), ..finished(id, two(), X_WINS) };
    let reader = archive((1..=60).map(game));
    let mut seen = Vec::new();
    let mut before = None;
    let mut pages = 0;
    loop {
        let page = reader.history(ADA, &HistoryFilter::default(), before).unwrap();
        let bytes = serde_json::to_string(&page.games).unwrap().len();
        assert!(bytes < MAX_SERVER_FRAME - 8 * 1024, "{bytes}");
        assert!(page.games.len() < HISTORY_PAGE);
        before = page.games.last().map(|game| game.id);
        seen.extend(page.games.iter().map(|game| game.id.0));
        pages += 1;
        if !page.more {
            break;
        }
    }
    assert!(pages > 2, "{pages}");
    assert!(seen.into_iter().eq((1..=60).rev()));
}

#[test]
fn one_game_of_five_in_a_row_behind_many_others_is_exported_in_a_later_piece() {
    let games = (0..=4_500).map(|id| finished(id, ByMark { o: computer(), ..two() }, &[4]));
    let board = |id| if id == 0 { "15x15x5" } else { "3x3x3" };
    let reader = archive(games.zip(0..).map(|(game, id)| on_board(game, board(id))));
    let mut file = String::new();
    let mut next = None;
    let mut empty = 0;
    loop {
        let piece = reader.export(ADA, ExportFormat::Sgf, next).unwrap();
        empty += usize::from(piece.text.is_empty());
        file.push_str(&piece.text);
        next = piece.next;
        if next.is_none() {
            break;
        }
    }
    assert_eq!((file.lines().count(), empty), (1, 2));
    assert!(file.contains("SZ[15]"), "{file}");
}

#[test]
fn a_variant_is_counted_apart_and_only_gomoku_is_written_as_such() {
    let played =
        [("15x15x5", Variant::Line), ("15x15x5", Variant::Exact), ("10x10x5", Variant::Gravity)];
    let games = played.into_iter().zip(1..).map(|((board, variant), id)| {
        let game = on_board(finished(id, two(), &[4]), board);
        let settings = RoomSettings { variant, ..game.settings };
        FinishedGame { settings, moves: vec![Cell(95)], ..game }
    });
    let reader = archive(games);
    let profile = reader.profile(ADA, ADA, true).unwrap();
    let mut boards: Vec<_> =
        profile.boards.iter().map(|of| (of.board.to_string(), of.variant)).collect();
    boards.sort_by_key(|(_, variant)| variant.name());
    let told = |index: usize| (played[index].0.to_owned(), played[index].1);
    assert_eq!(boards, [told(1), told(2), told(0)]);
    let classes: Vec<_> = profile.ratings.iter().map(|rating| rating.class).collect();
    assert_eq!(classes, [BoardClass::Five, BoardClass::Gravity, BoardClass::Other]);
    let file = reader.export(ADA, ExportFormat::Sgf, None).unwrap().text;
    assert_eq!((file.lines().count(), file.matches("RU[exactly five]").count()), (2, 1), "{file}");
}

#[test]
fn a_file_of_games_has_each_game_once_in_pieces() {
    let mut games: Vec<_> = (1..=300).map(|id| finished(id, two(), DRAW)).collect();
    let alone = ByMark { x: person(ADA, "Ada"), o: person(ADA, "Ada (2)") };
    games.push(finished(301, alone, X_WINS));
    let reader = archive(games);
    let mut ids = Vec::new();
    let mut next = None;
    let mut pieces = 0;
    loop {
        let piece = reader.export(ADA, ExportFormat::JsonLines, next).unwrap();
        assert!(piece.text.len() < MAX_SERVER_FRAME);
        ids.extend(piece.text.lines().map(|line| {
            let game: noughts_protocol::ArchivedGame = serde_json::from_str(line).unwrap();
            game.summary.id.0
        }));
        pieces += 1;
        next = piece.next;
        if next.is_none() {
            break;
        }
    }
    assert!(pieces > 1 && ids.into_iter().eq((1..=301).rev()));
    assert_eq!(reader.profile(ADA, ADA, true).unwrap().name.as_str(), "Ada");
}

#[test]
fn a_kept_game_is_told_as_it_was_played() {
    let told = FinishedGame { opening: 3, first: Mark::O, ..finished(5, two(), X_WINS) };
    let kept = archive([told.clone()]).game(GameId(5)).unwrap();
    assert_eq!((kept.opening, kept.game.first), (3, Mark::O));
    assert_eq!((&kept.game.moves, &kept.game.times_ms), (&told.moves, &told.times_ms));
    assert_eq!((kept.game.settings, kept.game.summary.players), (told.settings, two()));
    assert_eq!((kept.game.summary.result, kept.game.summary.plies), (told.result, 5));
    assert!(kept.game.summary.rated && !kept.game.summary.public);
}

#[test]
fn old_games_are_deleted_and_what_is_counted_stays() {
    let mut connection = tables();
    let all = connection.transaction().unwrap();
    for id in 1..=20_u32 {
        game::add(&all, &finished(id.into(), two(), X_WINS), i64::from(id)).unwrap();
    }
    all.commit().unwrap();
    let kept = |connection| rows(connection, "SELECT count(*), min(n) FROM game");
    game::prune(&connection, 1, 8).unwrap();
    assert_eq!(kept(&connection), ["20 1"], "they are not old enough");
    game::prune(&connection, i64::MAX, 8).unwrap();
    assert_eq!(kept(&connection), ["12 9"], "a few at a time, the oldest first");
    game::prune(&connection, 11, 8).unwrap();
    assert_eq!(kept(&connection), ["10 11"]);
    game::prune(&connection, i64::MAX, 64).unwrap();
    game::add(&connection, &finished(21, two(), O_WINS), 21).unwrap();
    assert_eq!(kept(&connection), ["1 21"], "no number is used again");
    let reader = ArchiveReader::of(connection, || NOW);
    let page = reader.history(ADA, &HistoryFilter::default(), None).unwrap();
    assert_eq!(page.games.len(), 1);
    let profile = reader.profile(ADA, ADA, true).unwrap();
    assert_eq!((profile.tally, profile.best_streak), (tally(20, 1, 0), 20));
    assert_eq!((profile.recent.len(), profile.ratings[0].games), (1, 21));
    let text = reader.export(ADA, ExportFormat::JsonLines, None).unwrap().text;
    assert_eq!(text.lines().count(), 1);
}

#[test]
fn somebody_who_was_forgotten_is_somebody_in_the_profiles_of_others() {
    let reader = archive([finished(1, two(), X_WINS), finished(2, two(), X_WINS)]);
    crate::player::forget(reader.connection(), ADA, 0).unwrap();
    game::add(reader.connection(), &finished(3, two(), X_WINS), 0).unwrap();
    let bob = reader.profile(BOB, BOB, true).unwrap();
    assert!(bob.opponents.iter().all(|met| met.opponent == Participant::Somebody));
    assert!(bob.recent.iter().all(|game| game.players.x == Participant::Somebody));
    assert_eq!((bob.tally, bob.ratings[0].games), (tally(0, 3, 0), 2), "the last is not rated");
    assert_eq!(reader.profile(ADA, BOB, true), Err(ArchiveError::NoSuchPlayer));
}

/// A question that nobody waits for any more.
fn ask_and_go(archive: &Archive) -> Option<Result<(), ArchiveError>> {
    archive.ask(|_| panic!("it is not asked")).now_or_never()
}

#[test]
fn a_full_queue_refuses_at_once_and_dropped_questions_are_not_asked() {
    let (asked, jobs) = Archive::new();
    for _ in 0..ARCHIVE_QUEUE {
        assert_eq!(ask_and_go(&asked), None);
    }
    assert_eq!(ask_and_go(&asked), Some(Err(ArchiveError::Busy)));
    drop(asked);
    assert_eq!(archive([]).run(jobs).now_or_never(), Some(()));
}
