//! The puzzle of a day in lines of text: the board, then a cell a line until X has won.

use noughts_protocol::{Cell, Date, Found, LobbyIntent, Variant};

use super::query::{Query, something_else};
use super::{Ended, Plain, board};
use crate::boards::Boards;
use crate::client::Exit;
use crate::puzzle::{Attempt, Try, today};

/// Lets the player solve the puzzle of a day, of today without one.
pub(super) async fn solve(plain: &mut Plain, date: Option<Date>) -> Result<(), Ended> {
    let mut query = Query::open(plain)?;
    let Found::Puzzle { puzzle } = query.ask(LobbyIntent::Puzzle { date }).await? else {
        return Err(something_else());
    };
    drop(query);
    let link = plain.client.choice.server.puzzle_link(puzzle.date);
    let ascii = plain.client.options.ascii;
    let mut attempt = Attempt::new(puzzle).ok_or_else(something_else)?;
    let stdio = &mut plain.stdio;
    stdio.print_line(&format!(
        "{}, no. {}: {}.",
        attempt.puzzle.date,
        attempt.puzzle.number,
        attempt.task()
    ))?;
    let boards = Boards::of(Variant::Line, attempt.puzzle.board);
    loop {
        stdio.print_line(&board::text(&attempt.game, boards))?;
        let (change, streak) = plain.client.profile.note(&attempt, today()).unzip();
        change.into_iter().for_each(|change| plain.writer.write(change));
        if attempt.is_over() {
            stdio.print_line(&attempt.grid(&link, ascii))?;
            streak.flatten().map_or(Ok(()), |text| stdio.print_line(&text))?;
            return Ok(());
        }
        let told = loop {
            let signs = attempt.signs(ascii);
            stdio.print_line(&format!("{signs}  Your move? A cell, show or quit."))?;
            let line = stdio.answer().await?.ok_or(Exit::Done)?;
            match line.trim() {
                "quit" | "exit" | "back" => return Ok(()),
                "show" => {
                    let tried = attempt.show_next();
                    break attempt.told(tried, Cell(0));
                }
                text => match attempt.puzzle.board.parse_cell(text) {
                    Ok(cell) => {
                        let tried = attempt.play(cell);
                        let told = attempt.told(tried, cell);
                        if matches!(tried, Try::Reply(_) | Try::Won) {
                            break told;
                        }
                        stdio.print_line(&told)?;
                    }
                    Err(error) => stdio.print_line(&error.to_string())?,
                },
            }
        };
        stdio.print_line(&told)?;
    }
}
