// Keeps the screen of the device on, where the browser can. It cannot on plain http.
// @ts-check

/**
 * Keeps the screen on until the returned function is called. The browser releases its lock when the page
 * is hidden, so a visible page asks again.
 */
export function keepAwake() {
  let over = false;
  /** @type {WakeLockSentinel | null} */
  let lock = null;
  const ask = async () => {
    if (document.visibilityState !== "visible") return;
    const got = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
    lock?.release();
    lock = got;
    if (over) got?.release();
  };
  document.addEventListener("visibilitychange", ask);
  ask();
  return () => {
    over = true;
    document.removeEventListener("visibilitychange", ask);
    lock?.release();
  };
}
