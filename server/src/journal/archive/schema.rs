//! The tables of the archive.

/// Makes the tables. It is part of a released migration, so it never changes.
pub(in crate::journal) const TABLES: &str = "
    -- The people who ended a game. A person who asked to be forgotten has no id and no name; number 0
    -- stands for such people in games that end later. A row is never deleted: games name its number.
    CREATE TABLE player (
        n INTEGER PRIMARY KEY,
        id INTEGER UNIQUE,
        name TEXT,
        -- When the first game and the last game ended.
        first INTEGER,
        last INTEGER,
        -- Games won in a row: now, and the most.
        streak INTEGER NOT NULL DEFAULT 0,
        best INTEGER NOT NULL DEFAULT 0,
        -- While the name of a forgotten person is being removed: the last game in which it was.
        scrub INTEGER
    ) STRICT;
    INSERT INTO player (n) VALUES (0);
    CREATE INDEX player_scrub ON player (n) WHERE scrub IS NOT NULL;

    -- The people who asked to be forgotten, in that order.
    CREATE TABLE forgotten_player (
        n INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE, at INTEGER NOT NULL
    ) STRICT;

    -- The games, in the order of their ends.
    CREATE TABLE game (
        n INTEGER PRIMARY KEY,
        id INTEGER NOT NULL UNIQUE,
        room INTEGER NOT NULL,
        number INTEGER NOT NULL,
        started INTEGER NOT NULL,
        ended INTEGER NOT NULL,
        ended_age INTEGER NOT NULL,
        settings TEXT NOT NULL,
        board TEXT NOT NULL,
        -- The mark that moved first: 0 is X, 1 is O.
        first INTEGER NOT NULL,
        -- The number of marks that the opening placed.
        opening INTEGER NOT NULL,
        -- The people's numbers; NULL for a computer.
        x INTEGER, o INTEGER,
        x_name TEXT, o_name TEXT,
        x_computer TEXT, o_computer TEXT,
        -- For each move the cell (2 bytes) and the milliseconds since the start (4 bytes).
        moves BLOB NOT NULL,
        result TEXT NOT NULL,
        rated INTEGER NOT NULL,
        public INTEGER NOT NULL,
        crc INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX game_room ON game (room, number);

    -- The games of each person. opponent: NULL for a computer. outcome: 0 lost, 1 drawn, 2 won, NULL
    -- for a game in which the person played both sides.
    CREATE TABLE played (
        player INTEGER NOT NULL,
        game INTEGER NOT NULL,
        opponent INTEGER,
        board TEXT NOT NULL,
        outcome INTEGER,
        PRIMARY KEY (player, game)
    ) STRICT, WITHOUT ROWID;
    -- One for each filter of a history. Each holds all columns, so that several filters at once read
    -- the index alone.
    CREATE INDEX played_opponent ON played (player, opponent, game, board, outcome);
    CREATE INDEX played_board ON played (player, board, game, opponent, outcome);
    CREATE INDEX played_outcome ON played (player, outcome, game, opponent, board);

    -- The results of each person. They stay when the games are deleted.
    CREATE TABLE tally_board (
        player INTEGER NOT NULL, board TEXT NOT NULL,
        wins INTEGER NOT NULL, losses INTEGER NOT NULL, draws INTEGER NOT NULL,
        PRIMARY KEY (player, board)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE tally_opponent (
        player INTEGER NOT NULL, opponent INTEGER NOT NULL,
        wins INTEGER NOT NULL, losses INTEGER NOT NULL, draws INTEGER NOT NULL,
        PRIMARY KEY (player, opponent)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE tally_computer (
        player INTEGER NOT NULL, computer TEXT NOT NULL,
        wins INTEGER NOT NULL, losses INTEGER NOT NULL, draws INTEGER NOT NULL,
        PRIMARY KEY (player, computer)
    ) STRICT, WITHOUT ROWID;

    -- The ratings, and the results from which they follow. class: the marks in a row, from 3 to 5.
    CREATE TABLE rating (
        player INTEGER NOT NULL,
        class INTEGER NOT NULL,
        rating REAL NOT NULL,
        deviation REAL NOT NULL,
        volatility REAL NOT NULL,
        games INTEGER NOT NULL,
        last INTEGER NOT NULL,
        PRIMARY KEY (player, class)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE rated (
        game INTEGER PRIMARY KEY,
        class INTEGER NOT NULL,
        x INTEGER NOT NULL,
        o INTEGER NOT NULL,
        -- X's half points: 0, 1 or 2.
        half_points INTEGER NOT NULL,
        at INTEGER NOT NULL
    ) STRICT;
    -- With the players, so that a leaderboard reads the index alone.
    CREATE INDEX rated_at ON rated (class, at, x, o);

    -- What was deleted: the last game's number, and the latest end of a game.
    CREATE TABLE pruned (game INTEGER NOT NULL, ended INTEGER NOT NULL) STRICT;
    INSERT INTO pruned VALUES (0, 0);

    -- The rooms whose facts may name a forgotten person: those from one number to another. Then comes
    -- another pass, up to a third number, if somebody was forgotten meanwhile.
    CREATE TABLE sweep (
        next INTEGER NOT NULL, last INTEGER NOT NULL, again INTEGER NOT NULL
    ) STRICT;
    INSERT INTO sweep VALUES (1, 0, 0);
";
