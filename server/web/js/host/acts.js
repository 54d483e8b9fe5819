// The acts of a host: the dialog of each, with its reason, its time or its name, and the order that it makes.
// @ts-check

import { Dialog, closeDialog } from "../dialog.js";
import { Component, html } from "../html.js";
import { strings } from "../strings.js";
import { addressOf, networkOf, parseWho, whoText } from "./text.js";

/** @typedef {import("./door.js").Question} Question */
/** @typedef {import("./door.js").Who} Who */

/**
 * The thing that an act is about.
 *
 * @typedef {{room?: string, party?: string, from?: string, player?: string, name?: string, address?: string,
 *   ban?: number, who?: string}} About `from`: a room's or a party's code
 */

/** @typedef {{who: Who, seconds: number | null, reason: string, name: string, text: string}} Given what the dialog asks for */

/**
 * @typedef {object} Act
 * @property {("who" | "time" | "reason" | "name" | "text")[]} fields
 * @property {boolean} [harms] whether its button is red
 * @property {(about: About, given: Given) => Question} order
 */

/** @typedef {"end_room" | "end_party" | "remove" | "disconnect" | "ban" | "unban" | "rename" | "rename_back" | "say" | "close" | "forget"} ActName */

/** The acts, by the names of their texts. @type {Record<ActName, Act>} */
const ACTS = {
  end_room: { fields: ["reason"], harms: true, order: ({ room }, { reason }) => ({ type: "end_room", room, ...told(reason) }) },
  end_party: { fields: [], harms: true, order: ({ party }) => ({ type: "end_party", party }) },
  remove: { fields: [], harms: true, order: ({ player, from }) => ({ type: "remove", player, from }) },
  disconnect: { fields: [], harms: true, order: ({ player }) => ({ type: "disconnect", who: { player } }) },
  ban: {
    fields: ["who", "time", "reason"],
    harms: true,
    order: (_, { who, seconds, reason }) => ({ type: "ban", who, seconds, reason: reason || strings("host.reason.none") }),
  },
  unban: { fields: [], order: ({ ban }) => ({ type: "unban", ban }) },
  rename: { fields: ["name"], order: ({ player }, { name }) => ({ type: "rename", player, name }) },
  rename_back: { fields: [], order: ({ player }) => ({ type: "rename", player }) },
  say: { fields: ["text"], order: ({ from }, { text }) => ({ type: "say", text, ...(from ? { to: from } : {}) }) },
  close: { fields: [], harms: true, order: () => ({ type: "close" }) },
  forget: { fields: [], harms: true, order: ({ player }) => ({ type: "forget", player }) },
};

/** @param {string} reason */
const told = (reason) => (reason ? { reason } : {});

/** How long a ban lasts, in seconds; null for ever. @type {[string, number | null][]} */
const TIMES = [
  ["10m", 600],
  ["1h", 3_600],
  ["2h", 7_200],
  ["1d", 86_400],
  ["1w", 604_800],
  ["ever", null],
];

/** The longest reason, name and text, in characters. */
const MOST_REASON = 120;
const MOST_NAME = 24;
const MOST_TEXT = 280;

/** @typedef {{act: ActName, about: About, accept: (order: Question) => void, onclose: () => void}} Props */

/** @extends {Component<Props, {wrong: boolean}>} */
export class ActDialog extends Component {
  state = { wrong: false };

  /** @param {Event & {currentTarget: HTMLFormElement}} event */
  #go = (event) => {
    event.preventDefault();
    const { act, about, accept } = this.props;
    const { fields, order } = ACTS[act];
    const form = new FormData(event.currentTarget);
    const text = (/** @type {string} */ field) => String(form.get(field) ?? "").replace(/\s+/gu, " ").trim();
    const whom = choices(about)[Number(form.get("whom") ?? 0)]?.who;
    const who = whom ?? parseWho(text("who"));
    const wrong = (fields.includes("who") && !who) || [/** @type {const} */ ("name"), /** @type {const} */ ("text")].some((field) =>
      fields.includes(field) && text(field) === "");
    this.setState({ wrong });
    if (wrong) return;
    closeDialog(event);
    const [, seconds] = TIMES.find(([time]) => time === text("time")) ?? ["", null];
    const given = { who: who ?? { player: "" }, seconds, reason: text("reason"), name: text("name"), text: text("text") };
    accept(order(about, given));
  };

  /** @param {Props} props @param {{wrong: boolean}} state */
  render({ act, about, onclose }, { wrong }) {
    const { fields, harms } = ACTS[act];
    const params = { name: "", room: "", party: "", from: "", who: "", ban: "", ...about };
    const toAll = act === "say" && !about.from;
    const about_all = toAll ? "say.all" : act;
    return html`<${Dialog} class="dialog host-act" aria-labelledby="act-title" aria-describedby="act-text" onclose=${onclose}>
      <form class="form host-form" novalidate onsubmit=${this.#go}>
        <h2 id="act-title">${strings(`host.${about_all}.title`, params)}</h2>
        <p id="act-text">${strings(`host.${about_all}.text`, params)}</p>
        ${fields.map((field, at) => html`<${FIELDS[field]} key=${field} about=${about} first=${at === 0} wrong=${wrong} />`)}
        <div class="buttons">
          <button type="button" class="button-quiet" autofocus=${fields.length === 0} onclick=${closeDialog}>${strings("host.cancel")}</button>
          <button type="submit" class=${harms ? "button-danger" : "button-primary"}>${strings(`host.${act}.go`)}</button>
        </div>
      </form>
    <//>`;
  }
}

/** The people whom a ban can mean. @param {About} about @returns {{who: Who, text: string}[]} */
function choices({ player, name, address }) {
  const network = address ? networkOf(address) : null;
  return [
    ...(player ? [{ who: { player }, text: strings("host.who.player", { name: name ?? player }) }] : []),
    ...(address ? [{ who: addressOf(address), text: strings("host.who.address", { address: whoText(addressOf(address)) }) }] : []),
    ...(network ? [{ who: network, text: strings("host.who.network", { network: network.network }) }] : []),
  ];
}

/** @typedef {{about: About, first: boolean, wrong: boolean}} FieldProps */

/** The fields of the dialogs. @type {Record<string, (props: FieldProps) => any>} */
const FIELDS = {
  who: ({ about, first, wrong }) => {
    const whom = choices(about);
    if (whom.length === 0) return html`<${Line} field="who" most="64" first=${first} wrong=${wrong} />`;
    return html`<fieldset class="group">
      <legend>${strings("host.field.who")}</legend>
      ${whom.map(({ text }, at) => html`<label class="switch host-choice" key=${at}>
        <input type="radio" name="whom" value=${at} defaultChecked=${at === 0} autofocus=${first && at === 0} /><span><bdi>${text}</bdi></span>
      </label>`)}
    </fieldset>`;
  },
  time: () => html`<div class="field">
    <label class="label" for="field-time">${strings("host.field.time")}</label>
    <select class="select" id="field-time" name="time">
      ${TIMES.map(([time]) => html`<option key=${time} value=${time} selected=${time === "2h"}>${strings(`host.time.${time}`)}</option>`)}
    </select>
  </div>`,
  reason: ({ first }) => html`<${Line} field="reason" most=${MOST_REASON} first=${first} />`,
  name: ({ first, wrong, about }) => html`<${Line} field="name" most=${MOST_NAME} first=${first} wrong=${wrong} value=${about.name} />`,
  text: ({ first, wrong }) => html`<${Line} field="text" most=${MOST_TEXT} first=${first} wrong=${wrong} />`,
};

/** A line of text. @param {{field: string, most: number, first: boolean, wrong?: boolean, value?: string}} props */
const Line = ({ field, most, first, wrong = false, value = "" }) => html`<div class="field">
  <label class="label" for="field-${field}">${strings(`host.field.${field}`)}</label>
  <input
    class="input" id="field-${field}" name=${field} type="text" autocomplete="off" maxlength=${most} defaultValue=${value}
    autofocus=${first} aria-invalid=${wrong} aria-describedby="field-${field}-note"
  />
  <p id="field-${field}-note" class=${wrong ? "error" : "note"} role=${wrong ? "alert" : null}>${strings(`host.note.${field}`)}</p>
</div>`;
