"""The constants of the protocol. A test of `protocol` writes this file."""

# The version of the wire contract.
PROTOCOL_VERSION = 2

# After these close codes nobody reconnects.
FINAL_CLOSE_CODES = [1000,1003,1009,4001,4004,4005,4006,4007]

# The id of every ping; no intent has it.
PING_ID = 9007199254740991

# The most unanswered intents of the player.
MAX_UNANSWERED = 12

# Without any answer for so long: connect again.
ANSWER_MS = 10000

# The wait for a room that could not be read.
REJOIN_MS = 1000

# The wait before the first reconnect.
FIRST_DELAY_MS = 200

# The longest wait in the first 15 s.
LONGEST_DELAY_AT_FIRST_MS = 1000

# The longest wait after that.
LONGEST_DELAY_MS = 5000

# The longest name, in characters.
MAX_NAME_CHARS = 24

# The longest text of a line, in characters.
MAX_CHAT_CHARS = 140

# The bytes of a character, on average at most.
BYTES_PER_CHAR = 4

# The lines of players, and of spectators, that are kept.
CHAT_LINES = 30

# The lines that a player may say in a row.
CHAT_BURST = 5

# After so long they may say as many again.
CHAT_WINDOW_MS = 10000

# The most people whom a player may mute.
MAX_MUTED = 100

# So long somebody who is asked to play has to come.
CHALLENGE_MS = 60000

# With so long for a move, or longer, nobody claims before the clock ends.
LONG_MOVE_MS = 3600000

# The letters of room codes.
CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"

# The length of a room code.
CODE_LENGTH = 5

# The shortest side of a board, and line.
MIN_SIDE = 3

# The longest side of a board.
MAX_SIDE = 19

# The shortest side of a board for swap2.
MIN_SWAP2_SIDE = 13

# The most entrants of a party.
MAX_ENTRANTS = 200

# The most entrants of a round robin.
MAX_ROUND_ROBIN = 12

# The pairings of "winner stays on" that are remembered.
KEPT_PAIRINGS = 40

# The results of earlier rounds that the host has decided and that are remembered.
KEPT_DECISIONS = 32

# So often what came too fast is asked again.
MAX_RETRIES = 3

# The pause before that.
RETRY_MS = 1000

# After these refusals of a hello the next may be welcomed.
PASSING_REFUSALS = ["rate_limited","full","not_stored","stopping"]
