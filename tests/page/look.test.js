// The skins: each names the same colours as paper, and its text and borders have their contrast.
// @ts-check

import { LIGHTS, SKINS } from "../../server/web/js/look.js";
import { equal, some, test } from "./runner.js";

/** @param {string} name @returns {Promise<string>} */
const style = async (name) => (await fetch(`../../server/web/css/${name}.css`)).text();

/** The colours that a rule names. @param {string} text @param {string} selector @returns {Map<string, string>} */
function colours(text, selector) {
  const from = text.indexOf(`\n${selector} {`);
  some(from >= 0, selector);
  const rule = text.slice(from, text.indexOf("\n}", from));
  return new Map([...rule.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [name, colour]));
}

/** The relative luminance of WCAG. @param {string} colour */
function luminance(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {Map<string, string>} skin @param {string} one @param {string} other */
function contrast(skin, one, other) {
  const [low, high] = [one, other].map((name) => luminance(skin.get(name) ?? "")).sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

test("every skin has every colour, in light and dark, and its text can be read", async () => {
  const [base, skins] = await Promise.all(["base", "skins"].map(style));
  const names = [...colours(base, ':root[data-light="dark"]').keys()];
  some(names.length > 15, "the colours of paper");
  for (const skin of SKINS) {
    for (const light of LIGHTS.filter(Boolean)) {
      const selector = `:root${skin === "paper" ? "" : `[data-skin="${skin}"]`}${light === "dark" ? '[data-light="dark"]' : ""}`;
      const own = colours(skin === "paper" ? base : skins, selector);
      equal(names.filter((name) => !own.has(name)), [], selector);
      for (const paper of ["bg", "surface"]) {
        for (const ink of ["ink", "ink-soft", "accent", "danger", "good", "o"]) {
          some(contrast(own, ink, paper) >= 4.5, `${selector}: ${ink} on ${paper} ${contrast(own, ink, paper)}`);
        }
        some(contrast(own, "control", paper) >= 3, `${selector}: control on ${paper}`);
      }
      some(contrast(own, "on-accent", "accent") >= 4.5, `${selector}: on-accent`);
    }
  }
});

test("another skin has its style also after the address has changed", async () => {
  const script = Object.assign(document.createElement("script"), { src: "../../server/web/js/early.js" });
  await new Promise((loaded) => {
    script.onload = loaded;
    document.head.append(script);
  });
  const before = location.href;
  history.replaceState(null, "", "/party/KQRZX/of/a/long/address");
  /** @type {any} */ (globalThis).showLook({ skin: "napkin", light: "light" });
  const skins = /** @type {HTMLLinkElement} */ (document.getElementById("skins"));
  const { pathname } = new URL(skins.href);
  history.replaceState(null, "", before);
  for (const element of [script, skins]) element.remove();
  for (const name of ["skin", "light"]) delete document.documentElement.dataset[name];
  equal(pathname, "/server/web/css/skins.css");
});
