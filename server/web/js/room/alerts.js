// Alerts for the player's turn: a sound and a vibration, both off by default, and the title of the tab.
// @ts-check

import { Component, html } from "../html.js";
import { isMyTurn, isOver, turn } from "../rules.js";
import { strings } from "../strings.js";
import { playerName } from "./room-text.js";

/** @typedef {import("../core/state.js").State} State */
/** @typedef {import("../core/state.js").Room} Room */

/** Two soft tones: frequency in hertz, start in seconds. */
const TONES = [
  { hertz: 587, from: 0 },
  { hertz: 880, from: 0.13 },
];

const LOUDNESS = 0.12;

/** Browsers allow sound only after one of these. */
const PRESSES = ["pointerdown", "keydown"];

/** @type {AudioContext | null} */
let audio = null;

function wakeAudio() {
  audio ??= typeof AudioContext === "function" ? new AudioContext() : null;
  audio?.resume().catch(() => {});
}

function beep() {
  if (!audio || audio.state !== "running") return;
  for (const { hertz, from } of TONES) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + from;
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(LOUDNESS, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.25);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.26);
  }
}

const isOn = (/** @type {Event} */ { currentTarget }) =>
  /** @type {HTMLInputElement} */ (currentTarget).checked;

const vibrates = () =>
  typeof navigator.vibrate === "function" && matchMedia("(pointer: coarse)").matches;

/**
 * Tells the player about the turn, if it is new.
 * @param {State["prefs"]} prefs
 * @param {Room | null} before the room's previous state; null when it is entered
 * @param {Room} room
 */
export function alertTurn(prefs, before, room) {
  const known = before && isMyTurn(before) && before.game?.number === room.game?.number;
  if (known || !isMyTurn(room) || room.you.length === 2) return;
  if (prefs.sound) beep();
  if (prefs.vibrate && vibrates()) navigator.vibrate(120);
}

/**
 * The switches of the alerts.
 * @extends {Component<{prefs: State["prefs"]}>}
 */
export class Alerts extends Component {
  #wake = () => this.props.prefs.sound && wakeAudio();

  componentDidMount() {
    for (const event of PRESSES) document.addEventListener(event, this.#wake);
  }

  componentWillUnmount() {
    for (const event of PRESSES) document.removeEventListener(event, this.#wake);
  }

  #sound = (/** @type {Event} */ event) => {
    const sound = isOn(event);
    wakeAudio();
    this.context.dispatch({ type: "prefs", prefs: { sound } });
    if (sound) beep();
  };

  #vibrate = (/** @type {Event} */ event) => {
    const vibrate = isOn(event);
    this.context.dispatch({ type: "prefs", prefs: { vibrate } });
    if (vibrate) navigator.vibrate?.(80);
  };

  /** @param {{prefs: State["prefs"]}} props */
  render({ prefs }) {
    const box = (/** @type {boolean} */ on, /** @type {(event: Event) => void} */ change, key = "") =>
      html`<label class="check">
        <input type="checkbox" checked=${on} onchange=${change} />${strings(key)}
      </label>`;
    return html`<fieldset class="alerts">
      <legend>${strings("alerts.title")}</legend>
      ${box(prefs.sound, this.#sound, "alerts.sound")}
      ${vibrates() && box(prefs.vibrate, this.#vibrate, "alerts.vibration")}
    </fieldset>`;
  }
}

/**
 * The title of the tab.
 * @param {Room} room
 */
export function titleOf(room) {
  const name = strings("room.title", { code: room.code });
  const mark = turn(room);
  if (room.closed || isOver(room)) return strings("title.over", { room: name });
  if (!mark) return strings("title.waiting", { room: name });
  if (isMyTurn(room) && room.you.length === 1) return strings("title.turn", { room: name });
  return strings("title.other", { room: name, name: playerName(room, mark) });
}
