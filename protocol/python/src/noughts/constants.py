"""The constants of the protocol. A test of `protocol` writes this file."""

# The version of the wire contract.
PROTOCOL_VERSION = 2

# After these close codes nobody reconnects.
FINAL_CLOSE_CODES = (1000, 1003, 1009, 4001, 4004, 4005, 4006, 4007)

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

# The lines of players, and of spectators, that are kept.
CHAT_LINES = 30

# The most people whom a player may mute.
MAX_MUTED = 100

# The most entrants of a party.
MAX_ENTRANTS = 200

# The pairings of "winner stays on" that are remembered.
KEPT_PAIRINGS = 40
