//! The windows of principal variation search, for the searches of lines, of bit boards and of all variants. That of
//! five in a row has its own: it reduces depths too.

/// The bounds between which a score is exact: alpha and beta.
pub(crate) type Window = (i32, i32);

/// The score of a move. The `first` move of a position is searched with the full window, the others with a null
/// window first: are they better?
pub(crate) fn null_window_first<E>(
    first: bool,
    (alpha, beta): Window,
    mut search: impl FnMut(Window) -> Result<i32, E>,
) -> Result<i32, E> {
    if !first && beta - alpha > 1 {
        let score = search((alpha, alpha + 1))?;
        if score <= alpha {
            return Ok(score);
        }
    }
    search((alpha, beta))
}

/// Scores the moves of the root, and sorts the scored ones, best first; returns their number, which is smaller than
/// theirs if a search was interrupted. Moves within the `slack` of the best have exact scores, the others upper
/// bounds below these. `search` is given a move, its window, and whether it is the first.
pub(crate) fn score_root<M: Copy, E>(
    root: &mut [(i32, M)],
    win: i32,
    slack: i32,
    mut search: impl FnMut(M, Window, bool) -> Result<i32, E>,
) -> usize {
    let mut best = -win;
    let mut scored = 0;
    for (score, tried) in root.iter_mut() {
        // The window opens one lower, so that a score equal to the best is exact.
        let alpha = (best - slack - 1).max(-win);
        let Ok(found) = search(*tried, (alpha, win), scored == 0) else { break };
        *score = found;
        best = best.max(found);
        scored += 1;
    }
    root[..scored].sort_by_key(|(score, _)| -score);
    scored
}
