// The tile of a public game, on a source of events of the test.
// @ts-check

import { html, render } from "../../server/web/js/html.js";
import { LiveTile } from "../../server/web/js/live/main.js";
import { equal, test } from "./runner.js";
import { InPage, inElement } from "./sheet.js";
import { golden } from "./test-client.js";

test("a break of the network does not end a live game, and the end of its room does", () => inElement((root) => {
  /** @type {any[]} */
  const sources = [];
  class Source {
    static CLOSED = 2;
    readyState = 0;
    /** @type {any} */ onerror = null;
    /** @type {Record<string, (event: {data: string}) => void>} */ on = {};
    addEventListener(/** @type {string} */ name, /** @type {any} */ listener) {
      this.on[name] = listener;
    }
    close() {}
    constructor() {
      sources.push(this);
    }
  }
  const { EventSource: real } = globalThis;
  globalThis.EventSource = /** @type {any} */ (Source);
  const human = { kind: "human", player: "0123456789abcdef", name: "Ada" };
  const playing = [{ room: "KQRZX", seats: { x: human, o: human }, score: { x: 0, o: 0 }, settings: { board: { width: 3, height: 3, line: 3 } } }];
  const show = () => {
    render(html`<${InPage} page=${{}}><${LiveTile} playing=${playing} isOpen=${true} /><//>`, root);
    return root.querySelector(".tile-live") !== null;
  };
  try {
    show();
    const [source] = sources;
    for (let count = 0; count < 4; count += 1) source.onerror();
    equal([show(), sources.length], [true, 1]);
    const snapshot = golden("snapshot");
    source.on.snapshot({ data: JSON.stringify(snapshot) });
    equal(show(), true);
    source.on.event({ data: JSON.stringify({ v: snapshot.v + 1, event: { kind: "closed", reason: "idle" } }) });
    equal(show(), false);
    render(null, root);
    show();
    Object.assign(sources[1], { readyState: Source.CLOSED }).onerror();
    equal(show(), false, "a refusal");
  } finally {
    globalThis.EventSource = real;
  }
}));
