// The form for a room code, on a screen of its own: to watch, and after a link that leads nowhere.
// @ts-check

import { html } from "../html.js";
import { strings } from "../strings.js";
import { CodeField } from "../views/code-field.js";

/** @typedef {import("../view.js").Props} Props */

/** @param {Props} props */
export function Join({ page, state }) {
  const { route, failed, entering, features } = state;
  const inLink = route.screen === "join" ? route.typed : undefined;
  // The menu leads here to watch.
  const watches = route.screen === "join" && inLink === undefined && features.spectators;
  const title = watches ? "menu.join" : "join.title";
  return html`
    <div class="screen join">
      <h1>${strings(title)}</h1>
      <p class="lead">${strings("join.lead")}</p>
      <${CodeField}
        page=${page}
        state=${state}
        title=${title}
        typed=${failed?.room ?? inLink}
        wrong=${Boolean(inLink)}
        joins=${!watches}
      />
      <div class="buttons">
        ${!watches && html`<button form="code-form" value="player" class="button-primary" aria-disabled=${entering !== null}>
          ${strings("join.go")}
        </button>`}
        <button form="code-form" value="spectator" class=${watches ? "button-primary" : "button-quiet"} hidden=${!features.spectators}>
          ${strings(watches ? "lobby.watch" : "join.watch")}
        </button>
      </div>
    </div>
  `;
}
