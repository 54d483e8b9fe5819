// Faces, loaded after the first board: the drawings, where one's own is chosen, and the faces of those who are here.
// @ts-check

import { HereNow, HideSwitch } from "../people/here-now.js";
import { FaceButton, FaceChooser } from "./chooser.js";
import { Drawing } from "./drawing.js";

export { Drawing, FaceButton, FaceChooser, HereNow, HideSwitch };
