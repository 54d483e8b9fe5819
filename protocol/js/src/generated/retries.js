// What is asked again. A test of `protocol` writes this file.
// @ts-check

/** So often what came too fast is asked again. */
export const MAX_RETRIES = 3;

/** The pause before that. */
export const RETRY_MS = 1000;

/** After these refusals of a hello the next may be welcomed. */
export const PASSING_REFUSALS = Object.freeze(["rate_limited","full","not_stored","stopping"]);
