// The calls to the player beside the page's text: sounds, a vibration for the own turn,
// and the title of the tab. One button chooses how loud; it is off until somebody chooses.
// @ts-check

import { SOUNDS } from "../core/state.js";
import { Component, html } from "../html.js";
import { isMyTurn, isOver, opponent, theyOffer, turn } from "../client/rules.js";
import { loadPart } from "../later.js";
import { SOUND } from "../parts.js";
import { strings } from "../strings.js";
import { asksBack } from "./actions.js";
import { IconButton } from "./board-svg.js";
import { cuesOf } from "./cues.js";
import { playerName, sentenceAbout } from "./room-text.js";
import { askedText } from "./status-text.js";

/** @typedef {import("../core/state.js").State} State */
/** @typedef {import("../core/state.js").Room} Room */

/** How long a phone vibrates for the player's turn, in milliseconds. */
const VIBRATION = 120;

/** The icon: a speaker, and for each loudness a cross, one wave or two. */
const ICON = "M4 9.5v5h3.5L12 18V6L7.5 9.5Z";
const WAVES = { off: "M16 9.5l5 5M21 9.5l-5 5", soft: "M15.5 9.5q2 2.5 0 5", on: "M15.5 9.5q2 2.5 0 5M18.5 7q4 5 0 10" };

/** Browsers allow sound only after one of these. */
const PRESSES = ["pointerdown", "keydown"];

/** Makes sound possible. It is called in a press of the player. */
export const wake = () => loadPart(SOUND).then(() => SOUND.module?.wake(), () => {});

/** @param {readonly import("./cues.js").Cue[]} cues @param {State["prefs"]["sound"]} level */
export const play = (cues, level) => level !== "off" && SOUND.module?.play(cues, level);

/**
 * Tells the player about a change of the room.
 * @param {State | null} before null when the room is entered
 * @param {State} state
 */
export function alertChange(before, state) {
  const { sound } = state.prefs;
  const cues = cuesOf(before, state);
  play(cues, sound);
  const phone = matchMedia("(pointer: coarse)").matches;
  if (cues.includes("turn") && sound !== "off" && phone) navigator.vibrate?.(VIBRATION);
}

/**
 * The switch of the sounds. A press goes to the next loudness and lets one hear it.
 * @extends {Component<{prefs: State["prefs"]}>}
 */
export class SoundButton extends Component {
  #wake = () => this.props.prefs.sound !== "off" && wake();

  componentDidMount() {
    for (const event of PRESSES) document.addEventListener(event, this.#wake);
  }

  componentWillUnmount() {
    for (const event of PRESSES) document.removeEventListener(event, this.#wake);
  }

  #press = () => {
    const sound = SOUNDS[(SOUNDS.indexOf(this.props.prefs.sound) + 1) % SOUNDS.length];
    this.context.dispatch({ type: "prefs", prefs: { sound } });
    wake().then(() => play(["turn"], sound));
  };

  /** @param {{prefs: State["prefs"]}} props */
  render({ prefs: { sound } }) {
    return html`<${IconButton} d=${ICON + WAVES[sound]} name=${strings(`sound.${sound}`)} onclick=${this.#press} />`;
  }
}

/**
 * The title of the tab.
 * @param {Room} room
 */
export function titleOf(room) {
  const name = strings("room.title", { code: room.code });
  const mark = turn(room);
  const foe = opponent(room);
  if (asksBack(room, false)) return askedText(room);
  if (foe && theyOffer(room) && isOver(room)) return sentenceAbout(room, "room.offers", foe);
  if (room.closed || isOver(room)) return strings("title.over", { room: name });
  if (!mark) return strings("title.waiting", { room: name });
  if (isMyTurn(room) && room.you.length === 1) return strings("title.turn", { room: name });
  return strings("title.other", { room: name, name: playerName(room, mark) });
}
