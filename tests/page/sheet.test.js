// The sheet of a party: how people come in, on one page of paper, in words that the page has.
// @ts-check

import { html, render } from "../../server/web/js/html.js";
import { error } from "../../server/web/js/core/happenings.js";
import { initialState } from "../../server/web/js/core/state.js";
import { Sheet } from "../../server/web/js/sheet/main.js";
import { addStrings, setLanguage, strings } from "../../server/web/js/strings.js";
import { equal, some, test } from "./runner.js";
import { follow, party } from "./screen-parties.js";
import { all, inWindow, isWhole, one } from "./sheet.js";

/** @param {HTMLElement} root @param {any} page @param {object} change */
function show(root, page, change) {
  const state = { ...initialState({ screen: "sheet", code: "KQRZX" }), ...change };
  render(html`<${Sheet} page=${page} state=${state} />`, root);
}

test("the sheet of a party says how people come in", async () => {
  await addStrings("party");
  await addStrings("sheet");
  const open = { phase: "open", code: null, reason: "" };
  const server = { name: "Noughts", version: "1", url: "http://192.168.0.5:7333/", public: true };
  /** @type {any[]} */
  const sent = [];
  const page = { send: (/** @type {any} */ intent) => sent.push(intent) };
  for (const language of ["de", "en"]) {
    await setLanguage(language);
    for (const [width, height] of [[390, 844], [1280, 800]]) {
      await inWindow(width, height, (root) => {
        sent.length = 0;
        show(root, page, { connection: open });
        equal(sent, [{ type: "join_party", party: "KQRZX", role: "screen" }]);
        const refused = { connection: open, notice: error("refused.no_such_party") };
        show(root, page, refused);
        show(root, page, refused);
        equal(one(root, "h1").textContent, strings("sheet.unknown", { code: "KQRZX" }));
        show(root, page, { connection: open, server, party: follow(party({ name: "Wilhelmina Maximiliane 5", phase: "gathering" })) });
        equal(sent.length, 1, "it is asked once");
        equal(one(root, ".sheet-address").textContent, "192.168.0.5:7333");
        equal(one(root, ".sheet-code").textContent, "KQRZX");
        some(one(root, ".share-qr"), "a picture");
        const steps = all(root, ".sheet-steps > li").map(({ textContent }) => textContent ?? "");
        equal(steps.length, 3);
        some(steps[1].includes(strings("party.join")) && steps[2].includes(strings("party.ready")), "the names of the buttons");
        for (const text of all(root, "h1, .sheet-address, .sheet-code")) some(isWhole(text), `${width}: ${text.textContent}`);
        render(null, root);
      });
    }
  }
});
