// The version of the page: the folder of its files.
// @ts-check

import { BASE } from "./router.js";

/** The folder with the version of the page, in an address or in the page. @param {string} text */
export const folderIn = (text) => /assets\/([^/"']+)\//.exec(text)?.[1] ?? null;

/** The folder of this page: the script that it names, because a bundle lies elsewhere than its modules. */
export const folderHere = () => folderIn(document.querySelector("script")?.src ?? "");

/** The folder that the server's page names now; null where it does not answer. */
export async function folderThere() {
  try {
    const answer = await fetch(BASE, { cache: "no-store", headers: { accept: "text/html" } });
    return answer.ok ? folderIn(await answer.text()) : null;
  } catch {
    return null;
  }
}
