//! The texts about people: profiles, ratings, leaderboards, and what an identity is worth.

use noughts_protocol::{
    Acquaintance, BoardClass, GameId, Leaderboard, Period, PlayerId, Profile, Rating, Tally,
};

use super::{Row, archive, variant};
use crate::strings::columns;

/// Names all that somebody gives up who is forgotten.
pub(crate) const FORGET: &str = "The server forgets you: your profile, your results and your ratings go, \
    and in games that are kept you become \"Somebody\". If a game of yours is running, you lose it. \
    It cannot be undone. From then on you are somebody new.";

/// The screen that a line leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PeopleTarget {
    /// A kept game.
    Game(GameId),
    /// Somebody's profile.
    Player(PlayerId),
    /// Asking somebody to play.
    Challenge(PlayerId),
    /// Being the player on another device too.
    Device,
    /// Saving who the player is.
    Save,
    /// Being forgotten.
    Forget,
}

/// Results in words: "12 won, 9 lost, 4 drawn".
pub(crate) fn tally(tally: Tally) -> String {
    format!("{} won, {} lost, {} drawn", tally.wins, tally.losses, tally.draws)
}

fn games(count: u32) -> String {
    if count == 1 { "1 game".to_owned() } else { format!("{count} games") }
}

/// A rating with its uncertainty: "1620 ± 90".
pub(crate) fn rating(rating: &Rating, ascii: bool) -> String {
    let sign = if ascii { "+-" } else { "±" };
    format!("{} {sign} {}", rating.rating, rating.deviation)
}

/// The picture of a player: five lines of five signs, mirrored, made from the id. The page draws the
/// same one.
pub(crate) fn avatar(player: PlayerId) -> [String; 5] {
    let sign = |row: u32, column: u32| {
        let bits = (player.0 >> ((row * 3 + column) * 2)) & 3;
        match (bits, column) {
            (0, _) => ' ',
            (1, 2) => '|',
            (2, 2) => '-',
            (1, _) => '/',
            (2, _) => '\\',
            _ => 'o',
        }
    };
    let mirrored = |sign: char| match sign {
        '/' => '\\',
        '\\' => '/',
        other => other,
    };
    [0, 1, 2, 3, 4].map(|row| {
        let half = [0, 1, 2].map(|column| sign(row, column));
        half.into_iter().chain([mirrored(half[1]), mirrored(half[0])]).collect()
    })
}

/// The name of a profile.
pub(crate) fn name(profile: &Profile, own: bool) -> String {
    if own { format!("{} (you)", profile.name) } else { profile.name.to_string() }
}

/// The actions of the player with their own profile. `has_files` says whether the player's files are here.
pub(crate) fn own_actions(has_files: bool) -> impl Iterator<Item = Row<PeopleTarget>> {
    let device = Row::to("Continue on another device...", Some(PeopleTarget::Device));
    let save = Row::to("Save who I am to a file...", Some(PeopleTarget::Save));
    let forget = Row::to("Forget me...", Some(PeopleTarget::Forget));
    let save = Some(save).filter(|_| has_files);
    [Row::new(""), device].into_iter().chain(save).chain([forget])
}

/// Asks the person of a profile to play.
pub(crate) fn challenge(profile: &Profile) -> [Row<PeopleTarget>; 2] {
    let text = format!("Ask {} to play...", profile.name);
    [Row::new(""), Row::to(text, Some(PeopleTarget::Challenge(profile.player)))]
}

/// Those who are here now, in lines.
pub(crate) fn here(people: &[Acquaintance]) -> Vec<Row<PeopleTarget>> {
    if people.is_empty() {
        return vec![Row::new("Nobody whom you have played is here now.")];
    }
    let row = |one: &Acquaintance| {
        Row::to(one.name.to_string(), Some(PeopleTarget::Challenge(one.player)))
    };
    people.iter().map(row).collect()
}

/// A profile in lines. `own` says whether it is the reader's.
pub(crate) fn profile(profile: &Profile, own: bool, ascii: bool) -> Vec<Row<PeopleTarget>> {
    let mut rows = Vec::new();
    let all = profile.tally;
    rows.push(Row::new(match all.games() {
        0 => "No finished games yet.".to_owned(),
        count => format!("{}: {}.", games(count), tally(all)),
    }));
    if profile.best_streak > 0 {
        let best = profile.best_streak;
        let now = profile.streak;
        rows.push(Row::new(format!("Most wins in a row: {best}. Now: {now}.")));
    }
    if let Some(you) = profile.you.filter(|_| !own) {
        rows.push(Row::new(format!("You against {}: {}.", profile.name, tally(you))));
    }
    if let (Some(first), Some(last)) = (profile.first_at, profile.last_at) {
        let first = archive::date(first);
        let last = archive::date(last);
        rows.push(Row::new(format!("First game {first}, last game {last}.")));
    }
    rows.push(Row::new(format!("Player id: {}", profile.player)));
    section(&mut rows, "Ratings", &profile.ratings, |of| {
        let class = of.class.label();
        let number = rating(of, ascii);
        let count = games(of.games);
        Row::new(format!("{class}: {number}, {count}"))
    });
    section(&mut rows, "Boards", &profile.boards, |of| {
        Row::new(format!("{}: {}", variant::of(of.variant, of.board), tally(of.tally)))
    });
    section(&mut rows, "People", &profile.opponents, |of| {
        let target = of.opponent.player().map(PeopleTarget::Player);
        Row::to(format!("{}: {}", of.opponent.label(), tally(of.tally)), target)
    });
    section(&mut rows, "Computers", &profile.computers, |of| {
        Row::new(format!("{}: {}", of.opponent.label(), tally(of.tally)))
    });
    section(&mut rows, "Last games", &profile.recent, |game| {
        let text = archive::summary(game, Some(profile.player));
        Row::to(text, Some(PeopleTarget::Game(game.id)))
    });
    rows
}

fn section<T>(
    rows: &mut Vec<Row<PeopleTarget>>,
    title: &str,
    list: &[T],
    row: impl Fn(&T) -> Row<PeopleTarget>,
) {
    if !list.is_empty() {
        rows.push(Row::new(""));
        rows.push(Row::new(format!("{title}:")));
        rows.extend(list.iter().map(|one| {
            let row = row(one);
            Row { text: format!("  {}", row.text), ..row }
        }));
    }
}

/// The title of a leaderboard: "Strongest players, three in a row, this week".
pub(crate) fn leaders_title(class: BoardClass, period: Period) -> String {
    format!("Strongest players, {}, {}", class.label(), period.label())
}

/// A leaderboard in lines: the players, then how it is ordered.
pub(crate) fn leaders(board: &Leaderboard, ascii: bool) -> Vec<Row<PeopleTarget>> {
    let widest = board.rows.iter().map(|row| columns(row.name.as_str())).max().unwrap_or(0);
    let line = |(place, leader): (usize, &noughts_protocol::Leader)| {
        let space = widest.saturating_sub(columns(leader.name.as_str()));
        let name = &leader.name;
        let number = rating(&leader.rating, ascii);
        let count = games(leader.games_in_period);
        let text = format!("{:>2}. {name}{:space$}  {number}  {count}", place + 1, "");
        Row::to(text, Some(PeopleTarget::Player(leader.player)))
    };
    let mut rows: Vec<Row<PeopleTarget>> = board.rows.iter().enumerate().map(line).collect();
    if rows.is_empty() {
        rows.push(Row::new("Nobody yet."));
    }
    rows.push(Row::new(""));
    let least = games(board.least_games);
    rows.push(Row::new(format!("Games against strangers count; at least {least} in this time.")));
    rows.push(Row::new(
        "Ordered by what is nearly certain: the rating less two times its uncertainty.",
    ));
    rows
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{BoardTally, Leader, OpponentTally, Participant, Variant};

    use super::*;

    fn ben() -> Participant {
        Participant::Human { player: PlayerId(2), name: "Ben".parse().unwrap() }
    }

    fn ada() -> Profile {
        let won = Tally { wins: 12, losses: 9, draws: 4 };
        Profile {
            player: PlayerId(1),
            name: "Ada".parse().unwrap(),
            first_at: Some(0),
            last_at: Some(86_400_000),
            tally: won,
            streak: 1,
            best_streak: 4,
            boards: vec![BoardTally {
                board: "3x3x3".parse().unwrap(),
                variant: Variant::Line,
                tally: won,
            }],
            computers: Vec::new(),
            opponents: vec![
                OpponentTally { opponent: ben(), tally: won },
                OpponentTally { opponent: Participant::Somebody, tally: Tally::default() },
            ],
            you: Some(won),
            ratings: vec![Rating {
                class: BoardClass::Three,
                rating: 1620,
                deviation: 90,
                games: 17,
            }],
            recent: Vec::new(),
        }
    }

    fn texts(rows: &[Row<PeopleTarget>]) -> Vec<&str> {
        rows.iter().map(|row| row.text.as_str()).collect()
    }

    #[test]
    fn a_profile_says_what_is_known() {
        let rows = profile(&ada(), true, false);
        let texts = texts(&rows);
        assert_eq!(texts[0], "25 games: 12 won, 9 lost, 4 drawn.");
        assert!(texts.contains(&"  three in a row: 1620 ± 90, 17 games"), "{texts:#?}");
        assert!(!texts.iter().any(|text| text.starts_with("You against")), "it is oneself");
        let ben = rows.iter().find(|row| row.text.contains("Ben")).unwrap();
        assert_eq!(ben.target, Some(PeopleTarget::Player(PlayerId(2))));
        let somebody = rows.iter().find(|row| row.text.contains("Somebody")).unwrap();
        assert_eq!(somebody.target, None);
        let other = profile(&ada(), false, true);
        assert!(other.iter().any(|row| row.text == "You against Ada: 12 won, 9 lost, 4 drawn."));
        assert!(other.iter().all(|row| row.text.is_ascii()), "{other:?}");
    }

    #[test]
    fn leaders_are_in_a_table_that_says_its_order() {
        let leader = |name: &str, rating| Leader {
            player: PlayerId(7),
            name: name.parse().unwrap(),
            rating: Rating { class: BoardClass::Three, rating, deviation: 60, games: 9 },
            games_in_period: 5,
        };
        let mut board = Leaderboard {
            class: BoardClass::Three,
            period: Period::Week,
            least_games: 5,
            rows: vec![leader("Ada", 1700), leader("Łoś", 1600), leader("Grace H.", 1500)],
        };
        let rows = leaders(&board, false);
        assert_eq!(texts(&rows)[1], " 2. Łoś       1600 ± 60  5 games");
        assert_eq!(rows[2].target, Some(PeopleTarget::Player(PlayerId(7))));
        board.rows.clear();
        assert_eq!(texts(&leaders(&board, false))[0], "Nobody yet.");
    }

    #[test]
    fn an_avatar_is_mirrored_and_made_from_the_id() {
        let drawn = avatar(PlayerId(0x8f14_e45f_ceea_167a));
        for line in &drawn {
            assert_eq!(line.chars().count(), 5);
            let back = |sign: char| match sign {
                '/' => '\\',
                '\\' => '/',
                other => other,
            };
            assert_eq!(*line, line.chars().rev().map(back).collect::<String>());
        }
        assert_ne!(drawn, avatar(PlayerId(0x8f14_e45f_ceea_167b)));
        assert_eq!(drawn, avatar(PlayerId(0xceea_167a)), "the last eight digits count");
    }
}
