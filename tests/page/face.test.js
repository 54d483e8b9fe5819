// Faces: which one a person has, what is drawn, and what this device keeps of it.
// @ts-check

import { faceOf, isFace, randomFace } from "../../server/web/js/face.js";
import { DRAWINGS } from "../../server/web/js/faces/drawing.js";
import { ANIMALS, COLOURS } from "../../server/web/js/generated/faces.js";
import { Hello } from "../../server/web/js/hello.js";
import { Identity } from "../../server/web/js/identity.js";
import { equal, some, test } from "./runner.js";

const FOX = { animal: "fox", colour: "blue" };
const SEAL = { animal: "seal", colour: "red" };

test("a face that was chosen is shown, and the one of the id else", () => {
  const player = "0123456789abcdef";
  const derived = { animal: "wren", colour: "blue" };
  equal([faceOf(player, FOX), faceOf(player, null), faceOf(player, undefined)], [FOX, derived, derived]);
  equal(faceOf(player, { animal: "unicorn", colour: "blue" }), derived, "an animal of a newer server");
  for (const chance of [0, 0.5, 0.999_999]) some(isFace(randomFace(() => chance)), `a face for ${chance}`);
});

test("every animal is drawn, and every colour has an ink", async () => {
  equal(Object.keys(DRAWINGS), [...ANIMALS]);
  const css = await (await fetch("/server/web/css/faces.css")).text();
  equal(COLOURS.filter((colour) => !css.includes(`--face-${colour}:`)), []);
});

test("a name that was offered goes with the face, until it is the player's own", () => {
  const identity = new Identity();
  const { name, face, offered, token } = identity;
  identity.offer(FOX);
  some(identity.offered && / Fox$/.test(identity.name), identity.name);
  identity.wear(SEAL);
  some(identity.offered && / Seal$/.test(identity.name), identity.name);
  identity.rename("Ada");
  identity.wear(FOX);
  equal([identity.name, identity.offered, new Identity().face], ["Ada", false, FOX]);
  const hello = new Hello(identity, "pass");
  equal(hello.greeting().face, FOX);
  hello.welcomed({ name: "Grace", face: SEAL, token: "t" });
  equal(identity.face, SEAL, "a pass brings the face of the other device");
  identity.save({ name, face, offered, token });
});

test("two tabs keep what the other one has stored, and who becomes the player of a file has no face of before", () => {
  const one = new Identity();
  const other = new Identity();
  const { name, face, offered, token } = one;
  one.offer(FOX);
  one.saveRooms([{ code: "BCDFG" }, { code: "KQRZX" }]);
  one.rename("Ada");
  other.saveRooms([{ code: "MNPQR" }]);
  equal([other.name, new Identity().rooms.map(({ code }) => code)], ["Ada", ["MNPQR", "BCDFG", "KQRZX"]]);
  one.saveRooms([{ code: "KQRZX" }]);
  equal(new Identity().rooms.map(({ code }) => code), ["KQRZX", "MNPQR"]);
  one.offer(SEAL);
  one.become({ name: "Grace", token: "t" });
  other.save({ offered: false });
  equal([other.name, other.face, other.offered, other.token, other.rooms], ["Grace", null, false, "t", []]);
  one.save({ name, face, offered, token });
});
