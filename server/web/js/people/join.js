// The form for a room code, on a screen of its own: after a link that leads nowhere.
// @ts-check

import { html } from "../html.js";
import { strings } from "../strings.js";
import { CodeField } from "../screens/code-field.js";

/** @typedef {import("../view.js").Props} Props */

/** @param {Props} props */
export function Join({ page, state }) {
  const { route, failed, lastRoom, entering, features } = state;
  const inLink = route.screen === "join" ? route.typed : undefined;
  const named = route.screen === "room" ? route.code : (lastRoom ?? "");
  return html`
    <div class="screen join">
      <h1>${strings("join.title")}</h1>
      <p class="lead">${strings("join.lead")}</p>
      <${CodeField}
        page=${page}
        state=${state}
        typed=${failed?.room ?? inLink ?? named}
        wrong=${Boolean(inLink)}
      />
      <div class="buttons">
        <button form="code-form" value="player" class="button-primary" aria-disabled=${entering !== null}>
          ${strings("join.go")}
        </button>
        <button form="code-form" value="spectator" class="button-quiet" hidden=${!features.spectators}>
          ${strings("join.watch")}
        </button>
      </div>
    </div>
  `;
}
