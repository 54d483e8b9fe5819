// Alerts for the player's turn: a sound and a vibration, both off by default, and the title of the tab.
// @ts-check

import { h, toggle } from "../dom.js";
import { isMyTurn, isOver, turn } from "../rules.js";
import { playerName } from "./room-text.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("../state.js").State} State */
/** @typedef {import("../state.js").Room} Room */

/** Two soft tones: frequency in hertz, start in seconds. */
const TONES = [
  { hertz: 587, from: 0 },
  { hertz: 880, from: 0.13 },
];

const LOUDNESS = 0.12;

/** @type {AudioContext | null} */
let audio = null;

/** Browsers allow sound only after a press or a key. */
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

const vibrates = () =>
  typeof navigator.vibrate === "function" && matchMedia("(pointer: coarse)").matches;

/**
 * @param {{strings: Strings,
 *   prefer: (prefs: {sound?: boolean, vibrate?: boolean}) => void}} options
 */
export function createAlerts({ strings, prefer }) {
  const sound = box((on) => {
    wakeAudio();
    prefer({ sound: on });
    if (on) beep();
  });
  const vibrate = box((on) => {
    prefer({ vibrate: on });
    if (on) navigator.vibrate?.(80);
  });
  const vibration = h("label", { class: "check" }, vibrate, strings("alerts.vibration"));
  const element = h(
    "fieldset",
    { class: "alerts" },
    h("legend", null, strings("alerts.title")),
    h("label", { class: "check" }, sound, strings("alerts.sound")),
    vibration,
  );
  toggle(vibration, vibrates());
  const wake = () => sound.checked && wakeAudio();
  document.addEventListener("pointerdown", wake);
  document.addEventListener("keydown", wake);

  return {
    element,
    destroy() {
      document.removeEventListener("pointerdown", wake);
      document.removeEventListener("keydown", wake);
    },
    /** @param {State} state @param {Room | null} before the previous state */
    update(state, before) {
      const { prefs, room } = state;
      sound.checked = prefs.sound;
      vibrate.checked = prefs.vibrate;
      if (!room) return;
      const news =
        !before ||
        before.code !== room.code ||
        !isMyTurn(before) ||
        before.game?.number !== room.game?.number;
      if (!news || !isMyTurn(room) || room.you.length === 2) return;
      if (prefs.sound) beep();
      if (prefs.vibrate && vibrates()) navigator.vibrate(120);
    },
  };
}

/** @param {(on: boolean) => void} change */
function box(change) {
  const input = h("input", { type: "checkbox" });
  input.addEventListener("change", () => change(input.checked));
  return input;
}

/**
 * The title of the tab.
 * @param {Strings} strings
 * @param {Room} room
 */
export function titleOf(strings, room) {
  const name = strings("room.title", { code: room.code });
  const mark = turn(room);
  if (room.closed || isOver(room)) return strings("title.over", { room: name });
  if (!mark) return strings("title.waiting", { room: name });
  if (isMyTurn(room) && room.you.length === 1) return strings("title.turn", { room: name });
  return strings("title.other", { room: name, name: playerName(strings, room, mark) });
}
