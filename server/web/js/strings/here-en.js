// The texts of a game on one device in English.
// @ts-check

/** @type {import("../strings.js").StringTable} */
export const en = {
  "here.title": "One screen",
  "here.score": "Won so far:",
  "here.turn": "{mark} to move",
  "here.turn.you": "Your turn",
  "here.thinking": "The computer is thinking",
  "here.won": "{mark} wins!",
  "here.won.x": "You win!",
  "here.won.o": "You lose.",
  "here.draw": "A draw.",
  "here.back": "Take back",
  "here.again": "New game",
  "here.ask": "Give this game up?",
  "here.keep": "No, play on",
  "here.who": "Who plays?",
  "here.who.people": "Two people",
  "here.who.computer": "The computer",
  "here.board": "Board",
  "here.board.3x3": "3\u00a0×\u00a03",
  "here.board.3x3.note": "3 in a row wins.",
  "here.board.5x5": "5\u00a0×\u00a05",
  "here.board.5x5.note": "4 in a row wins.",
  "here.board.9x9": "9\u00a0×\u00a09",
  "here.board.9x9.note": "5 in a row wins.",
  "here.note": "This game needs no connection, and stays on this device.",
};
