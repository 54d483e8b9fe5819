// The drawings of the variants, loaded with the first of them: where their cells stand, what is drawn beside
// marks and lines, the pictures of the forms, and three short notes for the first game of each.
// @ts-check

import { layoutOf } from "./layouts.js";
import { VariantNotes } from "./notes.js";
import { VariantPicture } from "./picture.js";
import { Over, Under, closedCells } from "./drawings.js";

export { Over, Under, VariantNotes, VariantPicture, closedCells, layoutOf };
