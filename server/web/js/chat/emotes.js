// The eight emotes: drawings in our two inks, in the hand of `room/pen.js`, in a square of 24. Their words
// stand beside them where there is room, and are their names for screen readers.
// @ts-check

import { html } from "../html.js";
import { strings } from "../strings.js";

/** @typedef {import("../client/protocol.js").Emote} Emote */

/** The paths in X's ink and in O's. @typedef {{x: string, o: string}} Drawing */

/** @type {Readonly<Record<Emote, Drawing>>} */
const DRAWINGS = Object.freeze({
  // A hand that waves.
  hello: {
    x:
      "M8.2 13.2C7.3 11.4 6.4 9.7 5.6 8.1C5.1 6.9 6.8 6.1 7.5 7.2L9.4 10.6L7.7 5.5C7.4 4.2 9.2 3.6 9.7 4.8L11.6 9.6" +
      "L11 4.5C10.9 3.2 12.8 3 13.1 4.3L13.9 9.4L14.4 6C14.7 4.7 16.4 5 16.3 6.3C16.2 8 16.1 9.8 16.2 11.5" +
      "L18.1 10.4C19.3 9.9 20.1 11.3 19.2 12.2L15.9 16.9C13.7 20.2 10.5 19.2 9.2 15.9L8.2 13.2",
    o: "M3.2 13.2C3.4 15.5 4.4 17.6 6 19.1M18.2 3C19.7 3.9 20.7 5 21.2 6.5",
  },
  // A clover with four leaves.
  good_luck: {
    x: "M12 11C12.3 15 13.6 18.8 16.4 21.6",
    o:
      "M12.2 9.7C10 5.8 11.8 2.9 13.9 3.9C15 4.4 15.4 5.2 15.1 6C16.2 5.4 17.3 5.7 17.5 7C18.3 8.9 16.1 10.8 12.2 9.7ZM12.3 10.6C16.2 8.4 19.3 10.2 18.4 12.4C17.9 13.5 16.9 13.8 15.8 13.4C16.5 14.4 16.2 15.7 15.1 16.1C13.1 16.8 11.1 14.7 12.3 10.6Z" +
      "M11.4 10.7C13.4 14.9 11.3 17.5 9.3 16.4C8.1 15.9 8 14.8 8.2 14.2C7.1 14.7 6.1 14.2 5.8 13C5.1 11 7.4 9.3 11.4 10.7ZM11.3 9.7C7.1 11.4 4.6 9.2 5.6 7.1C6.4 6.2 7.4 6.1 8.2 6.5C7.6 5.2 8.3 4.4 9.4 4.2C11.5 3.6 13 6 11.3 9.7Z",
  },
  // A star with rays.
  well_played: {
    x: "M6.4 19.6L11.9 4.2C13.6 9.2 15.5 14.4 17.6 19.4C13.1 16.3 8.6 13.1 4.3 9.7L19.9 9.5C15.4 12.8 10.9 16.2 6.4 19.6",
    o: "M3.3 3.6L5.4 5.5M20.9 3.4L18.8 5.4M2 15.3L4.3 14.3M22 15.1L19.8 14.2",
  },
  // A cross and a nought shake hands.
  good_game: {
    x: "M2.4 4.5C4.4 6.8 6.4 8.9 8.6 10.9M8.8 4.2C6.7 6.5 4.6 8.9 2.6 11.2M6 12.4C7 15.3 9.2 16.9 12.6 16.6",
    o: "M18.3 4.1C15.6 4 14.6 6.2 14.7 8C14.9 10.2 16.4 11.4 18.3 11.2C20.5 11 21.8 9.3 21.6 7.3C21.4 5.3 20 4 18 4.2M18.3 12.4C17.7 15.2 15.4 17 12 16.5M10.2 20.4C11.4 20.9 12.9 20.9 14.1 20.3",
  },
  // A heart, in one stroke.
  thanks: {
    x: "M4.2 20.4C6.9 21.4 10 21.5 12.8 20.7",
    o: "M12.1 18.4C8.3 15.4 3.6 12 3.7 7.9C3.9 3.6 9.7 2.8 11.9 7C13.8 2.7 20 3.1 20.3 7.6C20.5 11.8 16 15.2 12.1 18.4Z",
  },
  // Wide eyes and an open mouth.
  wow: {
    x: "M8.7 8.2V10.4M15.2 8V10.3M6.6 5.2C7.3 4.5 8.2 4.2 9.2 4.3M14.8 4.2C15.8 4.1 16.7 4.5 17.4 5.1M12 13.6C10.3 13.7 9.8 15.1 9.9 16.3C10.1 17.7 11 18.4 12.1 18.3C13.4 18.2 14.2 17.2 14.1 15.9C14 14.5 13.1 13.5 11.8 13.6",
    o: "M12.6 1.9C6.6 1.6 2.2 5.9 2 11.7C1.8 17.8 6.4 22 12 21.9C17.9 21.8 22.1 17.5 22 11.8C21.9 6.2 17.8 2.1 11.4 1.9",
  },
  // Eyes shut, a crooked mouth, a drop.
  oops: {
    x: "M6.2 8.4L9.2 10L6.4 11.6M16.4 8.3L13.5 9.9L16.2 11.5M7 16.4C8.2 14.9 9.2 15 10.2 16.2C11.2 17.4 12.3 17.4 13.3 16.1C14.1 15.1 15.2 15 16 15.8M17.3 4.1C15.2 2.7 12.9 1.9 10.6 2.2C5.4 2.8 1.6 6.9 1.7 12C1.8 17.4 6 21.5 11.3 21.6C16.8 21.6 20.8 17.6 21 12.2",
    o: "M20.3 2.9C21.5 4.6 22.3 5.9 22.1 7.2C21.8 8.8 19.3 9 18.8 7.3C18.5 5.9 19.4 4.4 20.3 2.9Z",
  },
  // A cloud of thought.
  thinking: {
    x: "M7.4 15.6C3.6 16 1.6 12.9 2.7 10.4C3.3 9 4.5 8.4 5.7 8.4C5.5 5.2 8.4 2.9 11.3 3.4C13 3.7 14.2 4.6 14.8 5.9C17.3 4.5 20.3 6.2 20.2 9C22.2 10.2 22.4 13.2 20.5 14.6C18.7 15.9 16.3 15.6 14.9 15C12.8 17 9.5 17 7.4 15.6ZM6.3 18.6C5.3 18.5 4.8 19.6 5.5 20.2C6.3 20.8 7.4 19.9 7 19M3.4 22.2H3.5",
    o: "M8.1 10.4H8.2M12 10.2H12.1M15.9 10.4H16",
  },
});

/** In the order of the picker. */
export const EMOTES = /** @type {readonly Emote[]} */ (Object.freeze(Object.keys(DRAWINGS)));

/** A newer server may have others. @param {string} name @returns {name is Emote} */
export const isEmote = (name) => Object.hasOwn(DRAWINGS, name);

/** The words of an emote. @param {string} emote */
export const emoteWords = (emote) => (isEmote(emote) ? strings(`chat.emote.${emote}`) : emote);

/** The drawing alone: what stands around it says the words. @param {{emote: string}} props */
export function EmoteDrawing({ emote }) {
  if (!isEmote(emote)) return null;
  return html`<svg viewBox="0 0 24 24" class="emote" aria-hidden="true">
    <path class="emote-x" d=${DRAWINGS[emote].x} /><path class="emote-o" d=${DRAWINGS[emote].o} />
  </svg>`;
}

/**
 * The buttons of all emotes, or of some.
 * @param {{say: (emote: Emote) => void, off?: boolean, of?: readonly Emote[]}} props `off`: nothing can be said now
 */
export const Emotes = ({ say, off, of = EMOTES }) => html`<ul class="emotes" role="list" aria-label=${strings("chat.pick")}>
  ${of.map(
    (emote) => html`<li key=${emote}>
      <button
        type="button"
        class="emote-button"
        title=${emoteWords(emote)}
        aria-disabled=${off ? "true" : null}
        onclick=${() => say(emote)}
      >
        <${EmoteDrawing} emote=${emote} /><span>${emoteWords(emote)}</span>
      </button>
    </li>`,
  )}
</ul>`;
