// A room, from the invitation on, loaded beside the page at the link of a room, some time after any other screen, and
// with the parts that take from it.
// @ts-check

import { Invite } from "../views/invite.js";
import { Room } from "../views/room.js";
import { knownText } from "../views/summary.js";

export { Invite, Room, knownText };
