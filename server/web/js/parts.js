// The parts of the page that load when they are shown for the first time. Where variants are named, the texts
// about them come too.
// @ts-check

import { part } from "./later.js";

/** A room, and the invitation to one. */
export const ROOM = part("room", () => import("./room/main.js"), { styles: [], texts: [] });

/** The link of a room and its QR code, for who waits there. */
export const SHARE = part("share", () => import("./room/share-dialog.js"), { styles: [], texts: [] });

/** The chat of a room. */
export const CHAT = part("chat", () => import("./chat/main.js"));

/** Public and kept games, people, what the host says, and what else few visits begin with. */
export const PEOPLE = part("people", () => import("./people/main.js"), {
  needs: [ROOM], styles: ["options", "people", "people-room", "announcements"], texts: ["people", "variants"],
});

/** The drawings of faces, and where one's own is chosen. */
export const FACES = part("faces", () => import("./faces/main.js"), { wait: 500 });

/** A public game on the start page. */
export const LIVE = part("live", () => import("./live/main.js"), { styles: ["tile-board", "variants"], texts: [], wait: 500 });

/** Two computers in a room. Their texts come with those of people: a first visit stays small. */
export const EXHIBITION = part("exhibition", () => import("./room/exhibition.js"), { texts: ["people"] });

/** The burst of strokes when somebody wins: nobody wins at once. */
export const CELEBRATION = part("celebrate", () => import("./room/celebrate.js"), { texts: [], wait: 500 });

/** Sounds, for who has switched them on. */
export const SOUND = part("sound", () => import("./room/sound.js"), { styles: [], texts: [] });

/** The forms before a game. */
export const FORMS = part("forms", () => import("./forms/main.js"), { styles: ["options"], texts: ["forms", "variants"] });

/** A game on this device alone. */
export const HERE = part("here", () => import("./here/main.js"), { styles: ["options", "here"] });

/** Parties, for those who play and for the host. */
export const PARTY = part("party", () => import("./party/main.js"), {
  needs: [ROOM], styles: ["options", "party", "party-room"], texts: ["party", "variants"],
});

/** The sheet of a party, to be printed. */
export const SHEET = part("sheet", () => import("./sheet/main.js"), { needs: [ROOM], texts: ["sheet", "party"] });

/** The big screen of a party. */
export const SCREEN = part("screen", () => import("./screen/main.js"), {
  needs: [ROOM], styles: ["screen", "screen-games", "screen-podium", "tile-board", "variants"], texts: ["screen", "variants"],
});

/** The puzzle of the day. */
export const PUZZLE = part("puzzle", () => import("./puzzle/main.js"), { needs: [ROOM] });

/** The part for variants alone: their drawings, inks to choose from, texts about their rules. */
export const VARIANTS = part("variants", () => import("./variants/main.js"));
