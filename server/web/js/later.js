// Parts of the page that load when they are shown for the first time: a module, with its texts in
// `strings/NAME-LANGUAGE.js` and its style in `css/NAME.css`. A first visit stays small without them.
// @ts-check

import { Component, html } from "./html.js";
import { addStrings, strings } from "./strings.js";

/**
 * @typedef {{load: () => Promise<Record<string, any>>, styles: string[], texts: string[], wait: number,
 *   module: Record<string, any> | null, loading: Promise<void> | null}} Part
 */

/**
 * A part of the page. The server bundles its module where `load` is written as `() => import("./…js")`.
 *
 * @param {string} name
 * @param {() => Promise<Record<string, any>>} load
 * @param {string[]} styles in their order, if its style has several files
 * @param {string[]} texts if its texts are in several files
 * @param {number} wait how long the board has the connection for itself before the part loads, in milliseconds;
 *   a part that waits adorns: nothing stands in its place if it fails
 * @returns {Part}
 */
export const part = (name, load, styles = [name], texts = [name], wait = 0) =>
  ({ load, styles, texts, wait, module: null, loading: null });

/**
 * Loads a part once, however many components ask for it. After a failure it can be asked for again.
 *
 * @param {Part} part
 */
export function loadPart(part) {
  const all = () => Promise.all([part.load(), ...part.texts.map(addStrings), ...part.styles.map(addStyle)]);
  part.loading ??= new Promise((done) => (part.wait ? setTimeout(done, part.wait) : done(null))).then(all).then(
    ([module]) => {
      part.module = module;
    },
    (error) => {
      part.loading = null;
      throw error;
    },
  );
  return part.loading;
}

/** @param {string} name */
const addStyle = (name) => new Promise((done, failed) => {
  const href = new URL(`../css/${name}.css`, import.meta.url).href;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: done, onerror: failed });
  document.head.append(link);
});

/**
 * A component of a part. Until it is there it shows nothing.
 *
 * @param {Part} part
 * @param {string} name what the module exports
 */
export const later = (part, name) => (/** @type {any} */ props) => html`
  <${Later} part=${part} name=${name} props=${props} />
`;

/** @extends {Component<{part: Part, name: string, props: any}, {failed: boolean}>} */
class Later extends Component {
  state = { failed: false };

  componentDidMount() {
    const { part } = this.props;
    if (part.module) return;
    loadPart(part).then(
      () => this.setState({}, this.context.arrived),
      () => this.setState({ failed: true }),
    );
  }

  /** @param {{part: Part, name: string, props: any}} props @param {{failed: boolean}} state */
  render({ part, name, props }, { failed }) {
    if (part.module) return html`<${part.module[name]} ...${props} />`;
    return failed && part.wait === 0 && html`<div class="screen" role="alert">
      <p>${strings("later.failed")}</p>
      <button type="button" class="button-quiet" onclick=${() => location.reload()}>${strings("connection.reload")}</button>
    </div>`;
  }
}
