// The screens about public and kept games and about people, loaded when one of them is shown.
// @ts-check

import { KeptGame } from "./game.js";
import { Games } from "./games.js";
import { Leaders } from "./leaders.js";
import { Lobby } from "./lobby.js";
import { Profile } from "./profile.js";
import { ShareGame } from "./share-game.js";

export { Games, KeptGame, Leaders, Lobby, Profile, ShareGame };
