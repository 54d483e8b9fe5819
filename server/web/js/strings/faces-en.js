// The texts about faces in English.
// @ts-check

/** @type {import("../strings.js").StringTable} */
export const en = {
  "friends.title": "Here now",
  "friends.ask": "Ask {name} to play",
  "friends.show": "People I have played see when I am here",
  "face.another": "Another face",
  "face.words": "Your face: {animal}, {colour}",
  "face.animal": "Your animal",
  "face.colour": "Your colour",
  "face.badger": "badger",
  "face.bear": "bear",
  "face.beaver": "beaver",
  "face.fox": "fox",
  "face.hare": "hare",
  "face.heron": "heron",
  "face.lynx": "lynx",
  "face.otter": "otter",
  "face.owl": "owl",
  "face.raven": "raven",
  "face.seal": "seal",
  "face.wren": "wren",
  "face.red": "red",
  "face.orange": "orange",
  "face.yellow": "yellow",
  "face.green": "green",
  "face.teal": "teal",
  "face.blue": "blue",
  "face.violet": "violet",
  "face.pink": "pink",
};
