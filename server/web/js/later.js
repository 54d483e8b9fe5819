// Parts of the page that load when they are shown for the first time: a module, with its texts in
// `strings/NAME-LANGUAGE.js` and its style in `css/NAME.css`. A first visit stays small without them.
// @ts-check

import { Component, html } from "./html.js";
import { addStrings, strings } from "./strings.js";

/**
 * @typedef {{load: () => Promise<Record<string, any>>, needs: Part[], styles: string[], texts: string[], wait: number,
 *   module: Record<string, any> | null, loading: Promise<void> | null}} Part
 */

/**
 * A part of the page. The server bundles its module where `load` is written as `() => import("./…js")`.
 *
 * @param {string} name
 * @param {() => Promise<Record<string, any>>} load
 * @param {{needs?: Part[], styles?: string[], texts?: string[], wait?: number}} [more] `needs`: parts whose modules,
 *   styles and texts it uses. `styles` in their order and `texts`, if there are several files. `wait`: how long the
 *   board has the connection for itself before the part loads, in milliseconds; a part that waits adorns: nothing
 *   else stands in its place if it fails
 * @returns {Part}
 */
export const part = (name, load, { needs = [], styles = [name], texts = [name], wait = 0 } = {}) =>
  ({ load, needs, styles, texts, wait, module: null, loading: null });

/**
 * Loads a part once, however many components ask for it. After a failure it can be asked for again.
 *
 * @param {Part} part
 * @returns {Promise<void>}
 */
export function loadPart(part) {
  // The order of the styles counts: those of the other parts come first.
  const styles = [...part.needs.flatMap((other) => other.styles), ...part.styles];
  const all = () =>
    Promise.all([part.load(), ...part.needs.map(loadPart), ...part.texts.map(addStrings), ...styles.map(addStyle)]);
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

/** The styles that have been added. @type {Record<string, Promise<unknown>>} */
const added = {};

/** @param {string} name */
const addStyle = (name) => (added[name] ??= new Promise((done, failed) => {
  const href = new URL(`../css/${name}.css`, import.meta.url).href;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: done });
  link.onerror = (error) => {
    delete added[name];
    link.remove();
    failed(error);
  };
  document.head.append(link);
}));

/**
 * A component of a part.
 *
 * @param {Part} part
 * @param {string} name what the module exports
 * @param {any} [Wait] what stands there until it has come; nothing if it is left out
 */
export const later = (part, name, Wait) => (/** @type {any} */ props) => html`
  <${Later} part=${part} name=${name} Wait=${Wait} props=${props} />
`;

/** @extends {Component<{part: Part, name: string, Wait: any, props: any}, {failed: boolean}>} */
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

  /** @param {{part: Part, name: string, Wait: any, props: any}} props @param {{failed: boolean}} state */
  render({ part, name, Wait, props }, { failed }) {
    if (part.module) return html`<${part.module[name]} ...${props} />`;
    if (Wait && !(failed && part.wait === 0)) return html`<${Wait} ...${props} />`;
    return failed && part.wait === 0 && html`<div class="screen" role="alert">
      <p>${strings("later.failed")}</p>
      <button type="button" class="button-quiet" onclick=${() => location.reload()}>${strings("connection.reload")}</button>
    </div>`;
  }
}
