// The results of a party as files, for spreadsheets and programs.
// @ts-check

import { html } from "../html.js";
import { Password } from "../password.js";
import { addressOf } from "../router.js";
import { saveFile } from "../save-file.js";
import { language, strings } from "../strings.js";

const FILES = Object.freeze(["standings.csv", "games.csv", "standings.json", "games.json"]);

/** @param {{party: import("./model.js").Party}} props */
export const Files = ({ party }) => html`<details class="more">
  <summary>${strings("party.files")}</summary>
  <div>
    <${FileLinks} code=${party.state.code} />
    <p class="note">${strings("party.files.note")}</p>
  </div>
</details>`;

/** @param {{code: string}} props */
export const FileLinks = ({ code }) => html`<div class="buttons">
  ${FILES.map((file) => html`<a
    key=${file}
    class="button-quiet"
    href=${fileAddress(code, file)}
    download=${`${code}-${file}`}
    onclick=${download}
  >
    ${strings(`party.file.${file}`)}
  </a>`)}
</div>`;

/** The address of a file. A German spreadsheet wants other commas. @param {string} code @param {string} file */
const fileAddress = (code, file) =>
  `${addressOf({ screen: "party", code })}/${file}${language() === "de" && file.endsWith(".csv") ? "?lang=de" : ""}`;

/** Where the server asks for a password, the page sends the one that the tab keeps. @param {string} address @returns {Promise<Response | null>} */
async function read(address) {
  const password = new Password().value;
  const bytes = new TextEncoder().encode(`:${password}`);
  const headers = password ? { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` } : undefined;
  const answer = await fetch(address, { headers }).catch(() => null);
  return answer?.ok ? answer : null;
}

/** @param {MouseEvent & {currentTarget: HTMLAnchorElement}} event */
async function download(event) {
  if (!new Password().value) return;
  event.preventDefault();
  const { href, download: name } = event.currentTarget;
  const answer = await read(href);
  if (answer) saveFile(name, await answer.blob());
}

/** The last game of each pairing, or why it has none, by the pairing's number. @typedef {Record<number, {id: string | null, how: string}>} Games */

/** The games of a party that is over. @param {string} code @returns {Promise<Games>} empty where nobody can tell them */
export const readGames = async (code) => gamesIn((await (await read(fileAddress(code, "games.json")))?.json())?.games ?? []);

/** @param {{pairing: number, id: string | null, how: string}[]} rows in the order of the games @returns {Games} */
export const gamesIn = (rows) => Object.fromEntries(rows.map(({ pairing, id, how }) => [pairing, { id, how }]));
