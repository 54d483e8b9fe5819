// Runs all tests of the page's modules. `results` has the outcomes so far, and `finished` is true after
// the last one.
// @ts-check

import { setLanguage } from "../../server/web/js/strings.js";
import "./actions.test.js";
import "./board.test.js";
import "./choices.test.js";
import "./chat.test.js";
import "./cues.test.js";
import "./drawings.test.js";
import "./client.test.js";
import "./code.test.js";
import "./connection.test.js";
import "./face.test.js";
import "./golden.test.js";
import "./look.test.js";
import "./here.test.js";
import "./host.test.js";
import "./page.test.js";
import "./party-layout.test.js";
import "./party.test.js";
import "./people.test.js";
import "./presence.test.js";
import "./rewards.test.js";
import "./puzzle.test.js";
import "./rooms.test.js";
import "./router.test.js";
import "./rules.test.js";
import "./room-text.test.js";
import "./screen-layout.test.js";
import "./screen.test.js";
import "./series.test.js";
import "./sheet.test.js";
import "./sleep.test.js";
import "./storage.test.js";
import "./stories.test.js";
import "./strings.test.js";
import "./told-by-host.test.js";
import "./variants.test.js";
import { runAll } from "./runner.js";

const main = document.createElement("main");
main.dataset.screen = "tests";
document.body.append(main);
await setLanguage("en");
/** @type {import("./runner.js").Result[]} */
const results = [];
Object.assign(window, { results, finished: false });
await runAll(results);
Object.assign(window, { finished: true });
main.textContent = results.map(({ name, error }) => `${name}: ${error ?? "ok"}`).join("\n");
