// Runs all tests of the page's modules. `results` has the outcomes so far, and `finished` is true after
// the last one.
// @ts-check

import { setLanguage } from "../../server/web/js/strings.js";
import { runAll } from "./runner.js";

const main = document.createElement("main");
main.dataset.screen = "tests";
document.body.append(main);
await setLanguage("en");
for (const name of await (await fetch("/tests.json")).json()) await import(`./${name}`);
/** @type {import("./runner.js").Result[]} */
const results = [];
Object.assign(window, { results, finished: false });
await runAll(results);
Object.assign(window, { finished: true });
main.textContent = results.map(({ name, error }) => `${name}: ${error ?? "ok"}`).join("\n");
