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

/** Where the server asks for a password, the page sends the one that the tab keeps. @param {MouseEvent & {currentTarget: HTMLAnchorElement}} event */
async function download(event) {
  const password = new Password().value;
  if (!password) return;
  event.preventDefault();
  const { href, download: name } = event.currentTarget;
  const bytes = new TextEncoder().encode(`:${password}`);
  const authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`;
  const answer = await fetch(href, { headers: { authorization } }).catch(() => null);
  if (answer?.ok) saveFile(name, await answer.blob());
}
