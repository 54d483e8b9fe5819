// A room, from the invitation on, loaded beside the page at the link of a room, some time after any other screen, and
// with the parts that take from it.
// @ts-check

import { Invite } from "../screens/invite.js";
import { Room } from "../screens/room.js";
import { knownText } from "../screens/summary.js";

export { Invite, Room, knownText };
