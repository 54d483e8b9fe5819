// Faces, loaded with the first person who is shown: the drawings, and where one's own is chosen.
// @ts-check

export { FaceButton, FaceChooser } from "./chooser.js";
export { Drawing } from "./drawing.js";
