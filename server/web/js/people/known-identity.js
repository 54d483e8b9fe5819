// Whether the server knows the identity of a file. A connection of its own asks, so that the player of this
// browser stays until the answer is there.
// @ts-check

import { PROTOCOL_VERSION } from "../client/generated/constants.js";
import { Password } from "../password.js";
import { BASE } from "../router.js";

/** How long the server may take to answer, in milliseconds. */
const ANSWER_MS = 10_000;

/**
 * To a token that it does not know, the server answers with another one.
 *
 * @param {import("./identity-file.js").Kept} kept
 * @returns {Promise<boolean | null>} null without an answer
 */
export const isKnown = ({ name, token }) => new Promise((done) => {
  const address = new URL("ws", BASE);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(address);
  const end = (/** @type {boolean | null} */ known) => {
    clearTimeout(timer);
    socket.onclose = null;
    socket.close();
    done(known);
  };
  const timer = setTimeout(() => end(null), ANSWER_MS);
  const hello = { type: "hello", protocol: PROTOCOL_VERSION, name, token, password: new Password().value };
  socket.onopen = () => socket.send(JSON.stringify(hello));
  socket.onclose = () => end(null);
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(String(data));
    end(answer.type === "welcome" ? answer.token === token : null);
  };
});
