// The part for the variants alone, loaded with the first of them: where their cells stand, the
// drawings beside marks and lines, how a cube is turned, two inks to choose from, the pictures of
// the forms, three short notes for the first game of each, and the sentence of an invitation.
// @ts-check

import { CubeView } from "./cube.js";
import { Over, Under, boardName, closedPanels, landingIn, stripes } from "./drawings.js";
import { Inks } from "./inks.js";
import { layoutOf } from "./layouts.js";
import { VariantNotes, VariantRules, hasNotes } from "./notes.js";
import { VariantPicture } from "./picture.js";
import { openBoards, placeOf } from "./places.js";
import { whyOf } from "./why.js";

export { CubeView, Inks, Over, Under, VariantNotes, VariantPicture, VariantRules };
export { boardName, closedPanels, hasNotes, landingIn, layoutOf, openBoards, placeOf, stripes, whyOf };
