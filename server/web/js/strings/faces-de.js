// The texts about faces in German.
// @ts-check

/** @type {import("../strings.js").StringTable} */
export const de = {
  "friends.title": "Gerade hier",
  "friends.ask": "{name} zum Spielen einladen",
  "friends.show": "Wer gegen mich gespielt hat, sieht, wenn ich hier bin",
  "face.another": "Ein anderes Gesicht",
  "face.words": "Dein Gesicht: {animal}, {colour}",
  "face.animal": "Dein Tier",
  "face.colour": "Deine Farbe",
  "face.badger": "Dachs",
  "face.bear": "Bär",
  "face.beaver": "Biber",
  "face.fox": "Fuchs",
  "face.hare": "Hase",
  "face.heron": "Reiher",
  "face.lynx": "Luchs",
  "face.otter": "Otter",
  "face.owl": "Uhu",
  "face.raven": "Rabe",
  "face.seal": "Seehund",
  "face.wren": "Zaunkönig",
  "face.red": "rot",
  "face.orange": "orange",
  "face.yellow": "gelb",
  "face.green": "grün",
  "face.teal": "türkis",
  "face.blue": "blau",
  "face.violet": "violett",
  "face.pink": "rosa",
};
