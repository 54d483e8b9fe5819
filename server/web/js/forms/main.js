// The forms before a game, loaded when one is shown: a first visit by a link or from the board of the start
// page needs none. Their texts come with them.
// @ts-check

import { askedSettings } from "../choices.js";
import { Field } from "../views/fields.js";
import { GameForm } from "../views/game-form.js";
import { Quick } from "../views/quick.js";

export { askedSettings, Field, GameForm, Quick };
