// The part for rarer visits, loaded when it is shown: the screens about public and kept games and
// about people, the review of a game, the link for another device, the texts and acts of the
// server's host, the forms for the password, for a room's code and for a new series.
// @ts-check

import { LinkDevice } from "../room/link-device.js";
import { NewSeries } from "../room/new-series.js";
import { Announcements } from "./announcements.js";
import { GivenName, Off } from "./by-host.js";
import { KeptGame } from "./game.js";
import { Games } from "./games.js";
import { Join } from "./join.js";
import { Leaders } from "./leaders.js";
import { Lobby } from "./lobby.js";
import { LookDialog } from "./look-dialog.js";
import { Nowhere } from "./nowhere.js";
import { PasswordDialog } from "./password-dialog.js";
import { Profile } from "./profile.js";
import { ReviewText, Steps } from "./review.js";
import { ShareGame } from "./share-game.js";
import { Tour } from "./tour.js";

export { Announcements, Games, GivenName, Join, KeptGame, Leaders, LinkDevice, Lobby, LookDialog, NewSeries, Nowhere, Off };
export { PasswordDialog, Profile, ReviewText, ShareGame, Steps, Tour };
