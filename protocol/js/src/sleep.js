// Finds out that the device has slept. Outside of Windows the clock of `performance.now()` stands still
// meanwhile, so that countdowns end too late, and no event says so to a program that goes on, or to a page that stays visible.
// @ts-check

/** A step of the device's clock from which on the device has slept. A wrong guess costs a snapshot. */
const SLEEP_MS = 1_000;

/** @returns {() => boolean} whether the device has slept since the call before */
export function sleepDetector() {
  const ahead = () => Date.now() - performance.now();
  let last = ahead();
  return () => {
    const before = last;
    last = ahead();
    return last - before > SLEEP_MS;
  };
}
