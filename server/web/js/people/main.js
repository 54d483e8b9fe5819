// The screens about public and kept games and about people, the review of a game, and the link for another
// device: loaded when one of them is shown.
// @ts-check

import { LinkDevice } from "../room/link-device.js";
import { KeptGame } from "./game.js";
import { Games } from "./games.js";
import { Leaders } from "./leaders.js";
import { Lobby } from "./lobby.js";
import { Profile } from "./profile.js";
import { ReviewText, Steps } from "./review.js";
import { ShareGame } from "./share-game.js";

export { Games, KeptGame, Leaders, LinkDevice, Lobby, Profile, ReviewText, ShareGame, Steps };
