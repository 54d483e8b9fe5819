// The page shows the acts of the server's host: says, switches off, renames, keeps out. The core's
// part is in the stories.
// @ts-check

import { Announcements } from "../../server/web/js/people/announcements.js";
import { Hello } from "../../server/web/js/hello.js";
import { html, render } from "../../server/web/js/html.js";
import { Identity } from "../../server/web/js/identity.js";
import { viewFor } from "../../server/web/js/view-for.js";
import { equal, some, test } from "./runner.js";
import { inElement } from "./sheet.js";
import { TestClient, golden, inRoom } from "./test-client.js";

/** @param {TestClient} client @param {string} text */
const say = (client, text) => client.receive({ type: "announcement", text });

/** @param {TestClient} client */
const heard = (client) => client.state.announcements.map(({ text }) => text);

/** @param {TestClient} client @param {object} features */
const leave = (client, features) => client.receive({ type: "features", features });

test("the last three announcements are kept until each is read", () => {
  const client = new TestClient().receive(golden("welcome"));
  ["one", "two", "three", "four"].forEach((text) => say(client, text));
  equal(heard(client), ["two", "three", "four"]);
  client.goTo({ screen: "friend" });
  client.act({ type: "heard", key: some(client.state.announcements[1], "three").key });
  equal(heard(client), ["two", "four"]);
  equal(new Set(client.state.announcements.map(({ key }) => key)).size, 2);
});

test("an announcement is text, and its button says that it is read", () => inElement((root) => {
  /** @type {object[]} */
  const actions = [];
  const page = { dispatch: (/** @type {object} */ action) => actions.push(action) };
  const announcements = [{ key: 7, text: "<b id=sly>Be kind</b>" }];
  render(html`<${Announcements} page=${page} announcements=${announcements} isBig=${false} />`, root);
  equal([root.querySelector("#sly"), root.querySelector("bdi")?.textContent], [null, announcements[0].text]);
  some(root.querySelector("button"), "a button").click();
  equal(actions, [{ type: "heard", key: 7 }]);
}));

test("a screen that the host switches off says so, and comes back", () => {
  for (const [screen, feature] of /** @type {["quick" | "leaders", string][]} */ ([["quick", "quick_match"], ["leaders", "ratings"]])) {
    const client = new TestClient().receive(golden("welcome")).goTo({ screen });
    equal(viewFor(leave(client, { [feature]: false }).state), "off");
    equal(viewFor(leave(client, {}).state), screen);
  }
});

test("a player is told what the host has taken from the screen", () => {
  const room = leave(inRoom(), { chat: false });
  equal([room.state.notice?.key, room.state.features.chat], ["refused.switched_off", false]);
  equal(leave(inRoom(), { ratings: false }).state.notice, null);
  const waits = new TestClient().receive(golden("welcome")).goTo({ screen: "quick" });
  waits.receive({ type: "ok", id: waits.send({ type: "quick_match" }) });
  equal(leave(waits, { quick_match: false }).state.notice?.key, "refused.switched_off");
});

test("somebody who is banned reads for how long, and why", () => {
  const client = new TestClient().receive(golden("welcome"));
  client.receive({ type: "refused", id: null, code: "banned", message: "out for 2h: be kind" });
  client.act({ type: "ended", code: 4007, reason: "the host keeps you out" });
  equal(client.state.connection, { phase: "ended", code: 4007, reason: "out for 2h: be kind" });
});

test("a name that the host has given is shown, and the player's own is kept", () => {
  const identity = new Identity();
  const { name: before, token } = identity;
  identity.save({ name: "Ada" });
  const hello = new Hello(identity, null);
  hello.greeting();
  hello.welcomed({ name: "Lynx", token: "t" });
  equal([hello.name, identity.name, hello.greeting().name], ["Lynx", "Ada", "Ada"]);
  hello.welcomed({ name: "Ada", token: "t" });
  equal([hello.name, hello.given], ["Ada", null]);
  identity.save({ name: "A\u200bda" });
  hello.greeting();
  hello.welcomed({ name: "Ada", token: "t" });
  equal([hello.given, identity.name], [null, "Ada"], "the server only tidied it");
  identity.save({ name: "Zo\u0335\u0321\u035bra" });
  hello.greeting();
  hello.welcomed({ name: "Zo\u0335ra", token: "t" });
  equal([hello.given, identity.name], [null, "Zo\u0335ra"], "or took marks away");
  const other = new Hello(identity, "pass");
  other.greeting();
  other.welcomed({ name: "Grace", token: "t" });
  equal([other.name, identity.name], ["Grace", "Grace"], "a pass brings the name of the other device");
  identity.save({ name: before, token });
});
