//! `ratings`: computes all ratings again from the rated games, prints them, and says whether they
//! agree with the stored ones. It reads what is stored in a folder, also while a server runs on it.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;

use noughts_protocol::BoardClass;
use noughts_store::{Recomputation, Recomputed};

use crate::cli::args::StoredArgs;
use crate::cli::stored::{contradiction, counted, open};

/// Prints all ratings. The exit code is 1 if a stored one is not what the rated games give.
///
/// # Errors
/// If the folder cannot be read, or if the output cannot be written.
pub fn run(args: &StoredArgs) -> anyhow::Result<ExitCode> {
    let Recomputation { ratings, games, contradictions } = open(args)?.ratings()?;
    let mut out = io::stdout().lock();
    out.write_all(table(&ratings).as_bytes())?;
    let games = counted(games, "rated game");
    let ratings = counted(ratings.len() as u64, "rating");
    for sentence in &contradictions {
        contradiction(sentence);
    }
    if !contradictions.is_empty() {
        return Ok(contradiction(&format!("the stored ratings do not agree: {ratings}, {games}")));
    }
    writeln!(out, "the stored ratings agree: {ratings}, {games}")?;
    Ok(ExitCode::SUCCESS)
}

/// A table for each class of boards. The names come last, because some have wide characters.
fn table(ratings: &[Recomputed]) -> String {
    let mut table = String::new();
    for class in BoardClass::ALL {
        let of_class: Vec<_> = ratings.iter().filter(|rating| rating.class == class).collect();
        if of_class.is_empty() {
            continue;
        }
        // Writing to a text cannot fail.
        let _ = writeln!(table, "{class}\n\n rating    ±  games  player            name");
        for Recomputed { player, name, strength, agrees, .. } in of_class {
            let rating = strength.rating;
            let deviation = strength.deviation;
            let games = strength.games;
            let mark = if *agrees { "" } else { "  (stored: another)" };
            let line = format!("{rating:>7.1} {deviation:>4.0} {games:>6}  {player}  {name}{mark}");
            let _ = writeln!(table, "{line}");
        }
        table.push('\n');
    }
    table
}

#[cfg(test)]
mod tests {
    use noughts_protocol::PlayerId;

    use super::*;
    use noughts_store::Strength;

    #[test]
    fn the_table_has_a_part_for_each_class_and_marks_what_is_wrong() {
        let rating = |class, name: &str, agrees| Recomputed {
            class,
            player: PlayerId(7),
            name: name.parse().unwrap(),
            strength: Strength { rating: 1_623.14, deviation: 88.4, games: 12, ..Strength::NEW },
            agrees,
        };
        let ratings =
            [rating(BoardClass::Three, "Ada", true), rating(BoardClass::Five, "Bob", false)];
        let expected = "three in a row\n\n \
                        rating    ±  games  player            name\n \
                        1623.1   88     12  0000000000000007  Ada\n\n\
                        five in a row\n\n \
                        rating    ±  games  player            name\n \
                        1623.1   88     12  0000000000000007  Bob  (stored: another)\n\n";
        assert_eq!(table(&ratings), expected);
        assert_eq!(table(&[]), "");
    }
}
