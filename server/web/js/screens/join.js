// The form for a room code, on a screen of its own: after a link that leads nowhere.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { strings } from "../strings.js";
import { CodeField } from "./code-field.js";

/** @typedef {import("../view.js").Props} Props */

/** @extends {Component<Props>} */
export class Join extends Component {
  #field = /** @type {{current: CodeField | null}} */ (createRef());

  render() {
    const { page, state } = this.props;
    const { route, failed, lastRoom, entering, features } = state;
    const inLink = route.screen === "join" ? route.typed : undefined;
    const named = route.screen === "room" ? route.code : (lastRoom ?? "");
    const enter = (/** @type {"player" | "spectator"} */ role) => () => this.#field.current?.enter(role);
    return html`
      <div class="screen join">
        <h1>${strings("join.title")}</h1>
        <p class="lead">${strings("join.lead")}</p>
        <${CodeField}
          ref=${this.#field}
          page=${page}
          state=${state}
          typed=${failed?.room ?? inLink ?? named}
          wrong=${Boolean(inLink)}
        />
        <div class="buttons">
          <button
            type="button"
            class="button-primary"
            aria-disabled=${entering !== null}
            onclick=${enter("player")}
          >
            ${strings("join.go")}
          </button>
          <button
            type="button"
            class="button-quiet"
            hidden=${!features.spectators}
            onclick=${enter("spectator")}
          >
            ${strings("join.watch")}
          </button>
        </div>
      </div>
    `;
  }
}
