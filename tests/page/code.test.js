// The field for a room code: what a typed or pasted text becomes.
// @ts-check

import { codeTyped } from "../../server/web/js/views/code-typed.js";
import { equal, test } from "./runner.js";

test("the boxes show the letters as they are typed, and the code of a link", () => {
  for (const [text, shown] of [
    ["", ""],
    ["k", "K"],
    ["kq-r z", "KQRZ"],
    [" kqrzx ", "KQRZX"],
    ["KQRZXB", "KQRZX"],
    ["hello", "HELLO"],
    ["https://example.org/r/kqrzx", "KQRZX"],
    ["https://example.org/games/r/KQRZX?lang=de", "KQRZX"],
  ]) {
    equal(codeTyped(text), shown, text);
  }
});
