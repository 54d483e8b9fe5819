// The texts of a game on one device in German.
// @ts-check

/** @type {import("../strings.js").StringTable} */
export const de = {
  "here.title": "Auf einem Gerät",
  "here.score": "Bisher gewonnen:",
  "here.turn": "{mark} ist dran",
  "here.turn.you": "Du bist dran",
  "here.thinking": "Der Computer denkt nach",
  "here.won": "{mark} gewinnt!",
  "here.won.x": "Gewonnen!",
  "here.won.o": "Verloren.",
  "here.draw": "Unentschieden.",
  "here.back": "Zug zurück",
  "here.again": "Neues Spiel",
  "here.ask": "Dieses Spiel aufgeben?",
  "here.keep": "Nein, weiterspielen",
  "here.who": "Wer spielt?",
  "here.who.people": "Zu zweit",
  "here.who.computer": "Gegen den Computer",
  "here.board": "Brett",
  "here.board.3x3": "3\u00a0×\u00a03",
  "here.board.3x3.note": "3 in einer Reihe gewinnen.",
  "here.board.5x5": "5\u00a0×\u00a05",
  "here.board.5x5.note": "4 in einer Reihe gewinnen.",
  "here.board.9x9": "9\u00a0×\u00a09",
  "here.board.9x9.note": "5 in einer Reihe gewinnen.",
  "here.note": "Dieses Spiel braucht keine Verbindung und bleibt auf diesem Gerät.",
};
