// The greeting: the player of this device, or a pass of another device, and the server's password.
// @ts-check

import { Password } from "./password.js";

/** @typedef {import("./identity.js").Identity} Identity */

export class Hello {
  #identity;
  #password = new Password();
  /** Until it is used. @type {string | null} */
  #pass;
  /** The name in the last hello. */
  #name = "";
  /** The name that the server's host has given the player in its place. @type {string | null} */
  given = null;

  /** @param {Identity} identity @param {string | null} pass of the page's address */
  constructor(identity, pass) {
    this.#identity = identity;
    this.#pass = pass;
    if (identity.name === "") {
      identity.offer();
    }
  }

  /** The name that others see. */
  get name() {
    return this.given ?? this.#identity.name;
  }

  /** @returns {import("./client/connection.js").Greeting} */
  greeting() {
    const identity = this.#identity;
    identity.refresh();
    this.#name = identity.name;
    const { name, face, token } = identity;
    return { name, face, token, pass: this.#pass, password: this.#password.value };
  }

  /**
   * Changes the greeting after a refusal: a password, another name, or no pass.
   *
   * @param {string} code
   * @param {{known: string | undefined, connect: () => void}} options `known` is a name that the
   *   server knows; `connect` is called when the player has typed the password
   * @returns {"again" | "wait" | "tell"} say hello at once, or after the password, or tell the player
   */
  refused(code, { known, connect }) {
    if (code === "password_required" || code === "wrong_password") {
      this.#password.ask(code === "wrong_password", connect);
      return "wait";
    }
    if (code === "bad_pass" && this.#pass) {
      this.#pass = null;
      return "again";
    }
    if (code === "bad_name") {
      if (known) this.#identity.save({ name: known });
      else this.#identity.offer();
      return "again";
    }
    return "tell";
  }

  /** Forgets the player of this device. The next hello is somebody new. */
  forget() {
    this.#pass = null;
    this.#identity.save({ token: null, rooms: [] });
    this.#identity.offer();
  }

  /**
   * Stores who the server says we are.
   *
   * @param {{name: string, face?: import("./client/protocol.js").Face | null, token: string}} welcome
   * @returns {boolean} whether the player has another name since the hello
   */
  welcomed({ name, face, token }) {
    // With a pass comes the name of the other device. Another name is the host's: the player's own is kept
    // for the time when the host gives it back.
    const isOwn = this.#pass !== null || isSame(name, this.#name);
    const renamed = this.#identity.name !== this.#name;
    // With a pass comes the face too.
    const shown = this.#pass === null ? {} : { face: face ?? null, offered: false };
    this.#pass = null;
    this.given = isOwn ? null : name;
    this.#identity.save(isOwn && !renamed ? { name, token, ...shown } : { token, ...shown });
    return renamed;
  }
}

/** The server composes letters and their marks, and removes marks that are too many and what shows nothing. @param {string} one @param {string} another */
export const isSame = (one, another) => shown(one) === shown(another);

/** @param {string} name */
const shown = (name) => name.normalize().replace(/[\p{Cf}\p{M}]/gu, "");
