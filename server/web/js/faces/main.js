// Faces, loaded after the first board: the drawings, and where one's own is chosen.
// @ts-check

import { FaceButton, FaceChooser } from "./chooser.js";
import { Drawing } from "./drawing.js";

export { Drawing, FaceButton, FaceChooser };
